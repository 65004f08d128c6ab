"""The sample page: a public page that answers about Acervo from the sample base, with pictures and links."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from infra.cli.client import Client, Refused

PICTURES = Path(__file__).parent / "pictures"
PAGE = {
    "name": "Acervo help",
    "about": "Acervo keeps knowledge bases with every version, finds what is published, and lets agents cite it.",
    "not_about": "Anything but using and operating Acervo: no law, no medicine, no news, no other products.",
    "language": "en",
    "shows_sources": True,
    "limits": {"turns_per_minute": 60, "burst": 30, "cooldown_s": 1},
}
TOPICS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "Getting started",
        "Installing and starting Acervo on a laptop, stopping it, beginning again. Primeros pasos, instalar, arrancar.",
        ("getting-started", "primeros-pasos"),
    ),
    (
        "Search",
        "How to search, the modes hybrid, rrf, semantic and lexical, alpha. Buscar, modos de búsqueda.",
        ("search-tips", "busqueda"),
    ),
    (
        "Life cycle",
        "Drafts, publishing, withdrawing, archiving, restoring. Ciclo de vida, borrador, publicar, archivar.",
        ("life-cycle", "ciclo-de-vida"),
    ),
    (
        "Conflicts",
        "Two people edit the same item, stale revisions, merging. Conflictos, ediciones a la vez, revisión obsoleta.",
        ("conflicts", "conflictos"),
    ),
    (
        "Deleting",
        "Deleting for good, receipts, how long it takes. Borrado definitivo, recibo, plazos.",
        ("deleting", "borrado-definitivo"),
    ),
    (
        "People and keys",
        "Roles, teams, tokens, scopes, citations. Roles, equipos, tokens, citas.",
        ("roles", "tokens", "citations"),
    ),
)
LINKS = (
    ("link", "Chalice, the framework", "https://aws.github.io/chalice/"),
    ("action", "Write to the operators", "mailto:operators@example.com"),
)
IMAGES = (
    ("life-cycle.png", "The life cycle of an item: draft, published and archived, with the moves between them"),
    ("revisions.png", "Three revisions of an item: the newest is found by search, older ones are cited for ever"),
)


def page(client: Client, base_id: str, kept: str | None) -> str:
    """The id of the sample page; made only if there is none, so that what people did to it since stays."""
    if kept is not None:
        try:
            return str(client.call("GET", f"/api/v1/pages/{kept}")["id"])
        except Refused:
            pass  # It was deleted; that is what it is for.
    space = client.call("GET", f"/api/v1/knowledge/bases/{base_id}")["space_id"]
    made = f"/api/v1/pages/{client.call('POST', '/api/v1/pages', {**PAGE, 'space_id': space})['id']}"
    items = {
        Path(each["locator"]).stem: each["id"]
        for each in client.pages(f"/api/v1/knowledge/bases/{base_id}/items", "items")
    }
    for title, description, names in TOPICS:
        _topic(client, made, {"title": title, "description": description}, [items[each] for each in names])
    for kind, label, url in LINKS:
        client.call("POST", f"{made}/links", {"kind": kind, "label": label, "url": url})
    for name, shows in IMAGES:
        picture(client, made, (PICTURES / name).read_bytes(), shows)
    return str(client.call("POST", f"{made}/go-live")["id"])


def _topic(client: Client, page: str, facts: Mapping[str, Any], items: list[str]) -> None:
    client.call("POST", f"{page}/topics", {**facts, "knowledge_item_ids": items})


def picture(client: Client, page: str, content: bytes, shows: str, media_type: str = "image/png") -> None:
    """Upload a picture, say what it shows, approve it."""
    asked = client.call("POST", f"{page}/images", {"media_type": media_type})
    client.upload(asked["upload"]["url"], asked["upload"]["fields"], content)
    at = f"{page}/images/{asked['image_id']}"
    client.call("PUT", at, {"kind": "diagram", "shows": shows})
    client.call("PATCH", at, {"approved": True})
