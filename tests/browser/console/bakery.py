"""A small bakery that keeps its knowledge in Acervo: what the pictures show."""

from dataclasses import dataclass
from io import BytesIO

import httpx
from PIL import Image, ImageDraw

from tests.e2e.people import KNOWLEDGE, Person, until

BREAD = """# Sourdough

Feed the starter at **18:00** with rye flour, 1:2:2. {0} at 4 °C.

| Step | When | Minutes |
|---|---|---|
| Mix | 19:00 | 12 |
| Fold, three times | 20:00 | 5 |
| Bake at 240 °C | 05:30 | 42 |

## When the oven complains
`E-17` is the steam valve. Close it, wait five minutes, then {1}.

> The valve is replaced every spring; the invoice lies with the oven's papers.
"""
VERSIONS = (
    ("The dough rests 14 hours", "call Marta"),
    ("The dough rests 16 hours", "call Marta"),
    ("The dough rests 16 hours", "call Marta or Luis and write it into the log"),
)
ITEMS = (
    (
        "Opening the shop",
        "shop/opening",
        "# Opening\n\n1. Oven on at 04:45.\n2. Back door with key B-2.\n3. 150 € into the till.\n",
    ),
    (
        "Allergens",
        "shop/allergens",
        "# Allergens\n\nRye bread holds gluten and traces of sesame. Brioche holds milk and eggs.\n",
    ),
    (
        "Prices from May on",
        "shop/prices",
        "# Prices\n\n| Bread | Each | Price |\n|---|---|---|\n| Rye | 1 kg | 4.80 € |\n| Baguette | 250 g | 1.60 € |\n",
    ),
    (
        "Limpieza del horno",
        "obrador/limpieza",
        "# Limpieza del horno\n\nCada lunes, con el horno frío. La válvula de vapor se desmonta una vez al mes.\n",
    ),
)
MEMORIES = (
    ("Customers ask for the rye loaf to be sliced at 12 mm.", "preferences/rye"),
    ("The flour of the new mill takes four percent more water.", "decisions/flour"),
    ("Luis is on holiday from 3 to 17 August; call Marta for the oven.", "people/luis"),
)
TODOS = ("Order sesame before Friday", "Ask the mill for the analysis of lot 221", "Print the list of allergens anew")


@dataclass(frozen=True)
class Bakery:
    """Ids of what is in it."""

    space: str
    base: str
    item: str
    first: str
    """The first revision of the item."""
    page: str


def settle(ana: Person, ben: Person) -> Bakery:
    """Fill Ana's team with knowledge, memory and an answer page, through the API."""
    space = ana.ok("POST", "/api/v1/teams", {"name": "San Telmo bakery"})["id"]
    ana.ok("POST", f"/api/v1/teams/{space}/members", {"user_id": ben.user_id, "role": "member"})
    made = {
        name: ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": space, "name": name, "description": text})["id"]
        for name, text in (
            ("Suppliers", "Contracts and analyses, as they come."),
            ("Handbook", "How we bake, open and close the shop."),
        )
    }
    base = made["Handbook"]
    for title, locator, content in ITEMS:
        item = ana.ok(
            "POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": title, "locator": locator, "content": content}
        )
        if title != "Prices from May on":
            ana.ok("POST", f"{KNOWLEDGE}/items/{item['id']}/publish")
    item, first = _bread(ana, ben, base)
    _bring(ana, base)
    _remember(ana, space)
    until(lambda: ana.search("E-17 steam valve", space=space))
    return Bakery(space, base, item, first, _page(ana, space, base))


def _bread(ana: Person, ben: Person, base: str) -> tuple[str, str]:
    texts = [BREAD.format(*each) for each in VERSIONS]
    asked = {"title": "Sourdough, every day", "locator": "obrador/sourdough", "content": texts[0]}
    item = ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", asked)
    where, first = f"{KNOWLEDGE}/items/{item['id']}", item["current_revision_id"]
    ana.ok("POST", f"{where}/publish")
    for person, text in zip((ben, ana), texts[1:], strict=True):
        item = person.ok("PATCH", where, {"expected_revision_id": item["current_revision_id"], "content": text})
    return item["id"], first


def _bring(ana: Person, base: str) -> None:
    """A file that is none: what the worker says of it is shown."""
    content = b"%PDF-1.7\nthe scanner ran out of paper"
    body = {"filename": "analysis-lot-221.pdf", "size": len(content), "knowledge_base_id": base}
    asked = ana.ok("POST", "/api/v1/documents", body)
    form = asked["upload"]
    httpx.post(form["url"], data=form["fields"], files={"file": content}).raise_for_status()
    until(lambda: ana.ok("GET", f"/api/v1/documents/{asked['document_id']}")["status"] == "failed")


def _remember(ana: Person, space: str) -> None:
    for content, path in MEMORIES:
        ana.ok("POST", "/v1/memories", {"content": content, "path": path, "team_id": space})
    for content in TODOS:
        ana.ok("POST", "/v1/todos", {"content": content, "team_id": space})
    ana.ok(
        "POST",
        "/v1/projects",
        {"name": "Spring menu", "path": "projects/spring", "description": "Breads from March to May", "team_id": space},
    )
    ana.ok(
        "POST",
        "/v1/timeline/events",
        {"content": "The new oven was installed.", "occurred_at": "2026-03-02T08:00:00Z", "team_id": space},
    )


def _page(ana: Person, space: str, base: str) -> str:
    about = "Our bakery: bread, opening, allergens, prices."
    page = ana.ok(
        "POST",
        "/api/v1/pages",
        {"space_id": space, "name": "Ask the bakery", "about": about, "not_about": "Medical advice", "language": "en"},
    )["id"]
    where = f"/api/v1/pages/{page}"
    for title, text in (
        ("Bread and oven", "How bread is made; what to do when the oven shows an error."),
        ("Shop", "Opening, prices, allergens."),
    ):
        ana.ok("POST", f"{where}/topics", {"title": title, "description": text, "knowledge_base_ids": [base]})
    ana.ok(
        "POST", f"{where}/links", {"kind": "action", "label": "Order bread", "url": "https://santelmo.example/order"}
    )
    announced = ana.ok("POST", f"{where}/images", {"media_type": "image/png"})
    form = announced["upload"]
    httpx.post(form["url"], data=form["fields"], files={"file": loaf()}).raise_for_status()
    ana.ok("PUT", f"{where}/images/{announced['image_id']}", {"kind": "photo", "shows": "A round loaf of rye bread"})
    ana.ok("PATCH", f"{where}/images/{announced['image_id']}", {"approved": True})
    ana.ok("POST", f"{where}/go-live")
    return str(page)


def loaf() -> bytes:
    """A round loaf on a board, as PNG."""
    picture = Image.new("RGB", (640, 400), "#efe3cf")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 290, 640, 400), fill="#8a6a48")
    pen.ellipse((150, 90, 490, 340), fill="#7b4a21")
    pen.ellipse((165, 95, 475, 315), fill="#a9692f")
    for x in (240, 300, 360):
        pen.line((x, 130, x + 60, 270), fill="#f1d9a8", width=9)
    kept = BytesIO()
    picture.save(kept, "PNG")
    return kept.getvalue()
