"""Authoring of public pages over REST: what is taken, what is refused, and what goes with a page."""

from datetime import timedelta
from typing import Any

import pytest

from chalicelib.answers.defence_ports import Usage
from chalicelib.answers.pages import SETTLING
from chalicelib.answers.pictures import MAX_BYTES
from chalicelib.domain.ids import Kind
from chalicelib.domain.pages import PageLimits
from tests.factories import new_id
from tests.pictures import SECRET, drawn, png
from tests.unit.api.world import Person, World
from tests.web import Answered

pytestmark = pytest.mark.promise("N1", "N3")

PAGES = "/api/v1/pages"


class Author:
    """Somebody with a page."""

    def __init__(self) -> None:
        self.world = World()
        self.who: Person = self.world.person("Ana")
        self.space = self.who.account.personal_space_id
        self.ids = self.world.page(self.who, self.space)
        self.path = f"{PAGES}/{self.ids['page']}"

    def ok(self, method: str, rest: str = "", body: object = None) -> Any:
        return self.world.ok(self.who, method, self.path + rest, body)

    def ask(self, method: str, rest: str = "", body: object = None, key: str = "") -> Answered:
        headers = {"idempotency-key": key} if key else None
        return self.world.web(method, self.path + rest, body, token=self.who.token, headers=headers)

    def refused(self, method: str, rest: str, body: object) -> tuple[int, str]:
        answer = self.ask(method, rest, body)
        return answer.status, answer.json["code"]

    def upload(self, content: bytes, media_type: str = "image/png") -> str:
        announced = self.ok("POST", "/images", {"media_type": media_type})
        self.world.pictures.put(announced["upload"]["fields"]["key"], media_type, content)
        return str(announced["image_id"])


@pytest.fixture
def author() -> Author:
    return Author()


def test_a_page_has_what_was_put_into_it(author: Author) -> None:
    page = author.ok("GET")
    assert (page["status"], page["language"], page["limits"]["burst"]) == ("live", "es", PageLimits().burst)
    assert [each["title"] for each in page["topics"]] == ["Rooms"]
    assert [(each["label"], each["url"]) for each in page["links"]] == [("Book", "https://lola.example/")]
    (image,) = page["images"]
    assert (image["width"], image["height"], image["orientation"], image["approved"]) == (8, 4, "landscape", True)
    assert image["url"].startswith("https://")
    listed = author.world.ok(author.who, "GET", f"{PAGES}?space={author.space}")["pages"]
    assert [(each["id"], each["topics"], each["images"]) for each in listed] == [(page["id"], 1, 1)]


def test_what_is_changed_is_what_was_named(author: Author) -> None:
    before = author.ok("GET")
    body = {
        "name": "Casa Lola II",
        "origins": ["HTTPS://Lola.example:443", "https://lola.example", "http://localhost:8080"],
        "limits": {"turns_per_minute": 20, "burst": 3, "cooldown_s": 0.5},
    }
    after = author.ok("PATCH", "", body)
    assert after["origins"] == ["https://lola.example", "http://localhost:8080"]
    assert after["limits"] == {"turns_per_minute": 20, "burst": 3, "cooldown_s": 0.5}
    assert {**after, "origins": [], "limits": {}, "name": "", "updated_at": ""} == {
        **before,
        "origins": [],
        "limits": {},
        "name": "",
        "updated_at": "",
    }
    assert author.ok("PATCH", "", {}) == after
    assert author.ok("PATCH", "", {"language": "EN"})["language"] == "en"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("language", "xx"),
        ("language", "spa"),
        ("name", ""),
        ("name", "x" * 201),
        ("name", "Casa\u202eloLa"),
        ("about", ""),
        ("about", "x" * 2001),
        ("origins", ["https://lola.example/"]),
        ("origins", ["https://lola.example/x"]),
        ("origins", ["https://*.lola.example"]),
        ("origins", ["https://user@lola.example"]),
        ("origins", ["http://lola.example"]),
        ("origins", ["null"]),
        ("origins", ["*"]),
        ("origins", ["https://löla.example"]),
        ("origins", ["https://lola.example:99999"]),
        ("origins", [f"https://l{number}.example" for number in range(21)]),
        ("limits", {"turns_per_minute": 0}),
        ("limits", {"burst": 1000}),
        ("limits", {"cooldown_s": -1}),
        ("status", "live"),
        ("version", 1),
    ],
)
def test_what_a_page_cannot_be_is_said(author: Author, field: str, value: object) -> None:
    answer = author.ask("PATCH", "", {field: value})
    assert (answer.status, answer.json["code"]) == (400, "invalid_request")
    assert field in answer.json["errors"][0]["where"]


@pytest.mark.parametrize(
    "url",
    [
        "https://lola.example",
        "https://lola.example/a?b=c#d",
        "https://xn--lla-sna.example/caf%C3%A9",
        "HTTPS://lola.example",
        "mailto:hola@lola.example",
        "mailto:hola@lola.example?subject=Hola&body=x",
        "tel:+34-600-000-000",
        "tel:112;ext=7",
    ],
)
def test_links_lead_to_pages_mail_and_telephones(author: Author, url: str) -> None:
    made = author.ok("POST", "/links", {"kind": "link", "label": "There", "url": url})
    assert made["links"][-1]["url"] == url


@pytest.mark.parametrize(
    "url",
    [
        "http://lola.example",
        "//lola.example",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "ftp://lola.example",
        "blob:https://lola.example/x",
        "https://user:pass@lola.example",
        "https://user@lola.example",
        "https://lola.example@evil.example",
        "https://",
        "https:///x",
        "https:lola.example",
        "https://lola .example",
        "https://lola.example/\u202egpj.exe",
        "https://lola.example/\u200b",
        "https://lola.example/\n",
        "https://löla.example",
        "https://lola.example/<script>",
        'https://lola.example/"onclick="x',
        "https://lola.example\\@evil.example",
        "https://lola.example:0x50/",
        "https://[::1]/",
        "https://[",
        "https://-lola.example",
        "mailto:",
        "mailto:a@b@c",
        "mailto:a@lola.example?cc=b@evil.example",
        "mailto:a@lola.example?subject=x&bcc=b@evil.example",
        "mailto:a@lola.example,b@evil.example",
        "tel:javascript",
        "tel:+",
        "sms:+34600000000",
        " https://lola.example",
        "https://lola.example/" + "x" * 2000,
    ],
)
def test_links_lead_nowhere_else(author: Author, url: str) -> None:
    answer = author.ask("POST", "/links", {"kind": "link", "label": "There", "url": url})
    assert (answer.status, answer.json["code"], answer.json["errors"][0]["where"]) == (
        400,
        "invalid_request",
        "body.url",
    )


def test_topics_draw_on_the_pages_own_space_alone(author: Author) -> None:
    stranger = author.world.person("Bob")
    foreign = author.world.base(stranger, stranger.account.personal_space_id)
    item = author.world.item(stranger, foreign, "publish")["id"]
    for body in (
        {"knowledge_base_ids": [foreign]},
        {"knowledge_item_ids": [item]},
        {"knowledge_base_ids": [new_id(Kind.BASE)]},
    ):
        answer = author.ask("POST", "/topics", {"title": "X", "description": "x", **body})
        assert (answer.status, answer.json["code"]) == (422, "foreign_knowledge")
        assert answer.json["ids"] == next(iter(body.values()))
    empty = {"title": "X", "description": "x"}
    assert author.refused("POST", "/topics", empty) == (400, "invalid_request")


def test_parts_are_changed_in_place_and_removed(author: Author) -> None:
    base = author.world.base(author.who, author.space, "More")
    item = author.world.item(author.who, base, "publish")["id"]
    topic = {"title": "More", "description": "x", "knowledge_item_ids": [item, item]}
    author.ok("POST", "/topics", topic)
    changed = author.ok("PUT", f"/topics/{author.ids['topic']}", topic)["topics"]
    assert [(each["title"], each["knowledge_item_ids"]) for each in changed] == [("More", [item])] * 2
    assert changed[0]["id"] == author.ids["topic"]
    link = {"kind": "action", "label": "Write", "url": "mailto:hola@lola.example"}
    assert author.ok("PUT", f"/links/{author.ids['link']}", link)["links"][0]["label"] == "Write"
    for part in ("topic", "link", "image"):
        rest = f"/{part}s/{author.ids[part]}"
        assert author.ids[part] not in {each["id"] for each in author.ok("DELETE", rest)[f"{part}s"]}
        assert author.refused("DELETE", rest, None) == (404, "not_found")
    assert author.refused("PUT", f"/topics/{author.ids['topic']}", topic) == (404, "not_found")
    assert author.refused("PATCH", f"/images/{author.ids['image']}", {"approved": True}) == (404, "not_found")
    assert author.world.pictures.files == {}


def test_a_picture_is_what_its_bytes_say_and_not_shown_before_it_is_approved(author: Author) -> None:
    image = author.upload(drawn("JPEG", (64, 32), turn=6), "image/png")
    taken = author.ok("PUT", f"/images/{image}", {"kind": "photo", "shows": "The pool"})["images"][-1]
    assert (taken["media_type"], taken["width"], taken["height"], taken["orientation"], taken["approved"]) == (
        "image/jpeg",
        32,
        64,
        "portrait",
        False,
    )
    files = author.world.pictures.files
    assert not [key for key, (_, content) in files.items() if SECRET in content or key.startswith("incoming/")]
    assert author.ok("PUT", f"/images/{image}", {"kind": "chart", "shows": "Other"})["images"][-1] == taken
    approved = author.ok("PATCH", f"/images/{image}", {"approved": True, "kind": "illustration"})["images"][-1]
    assert (approved["approved"], approved["kind"]) == (True, "illustration")
    assert author.ok("PATCH", f"/images/{image}", {"shows": "The pool"})["images"][-1]["approved"]
    reworded = author.ok("PATCH", f"/images/{image}", {"shows": "Buy now at evil"})["images"][-1]
    assert not reworded["approved"], "what was approved is the picture with its words"


def test_what_is_no_picture_is_not_taken(author: Author) -> None:
    said = {"kind": "photo", "shows": "The pool"}
    for content in (b"<svg onload=alert(1)>", b"GIF89a", png() + b"\0" * MAX_BYTES, b""):
        image = author.upload(content)
        assert author.refused("PUT", f"/images/{image}", said) == (422, "image_refused")
    missing = author.ok("POST", "/images", {"media_type": "image/webp"})["image_id"]
    assert author.refused("PUT", f"/images/{missing}", said) == (410, "upload_missing")
    assert author.refused("PUT", "/images/topic_x", said) == (404, "not_found")
    assert author.refused("POST", "/images", {"media_type": "image/svg+xml"}) == (400, "invalid_request")
    assert author.refused("PUT", f"/images/{missing}", {**said, "shows": "a\u202eb"}) == (400, "invalid_request")


def test_a_picture_of_another_page_cannot_be_taken(author: Author) -> None:
    image = author.upload(png())
    other = author.world.page(author.who, author.space)["page"]
    answer = author.world.web(
        "PUT", f"{PAGES}/{other}/images/{image}", {"kind": "photo", "shows": "x"}, token=author.who.token
    )
    assert (answer.status, answer.json["code"]) == (410, "upload_missing")


def test_counts_and_size_are_bounded(author: Author) -> None:
    link = {"kind": "link", "label": "There", "url": "https://lola.example/"}
    for _ in range(99):
        author.ok("POST", "/links", link)
    assert author.refused("POST", "/links", link) == (409, "too_many")
    topic = {
        "title": "T",
        "description": "字" * 1000,
        "knowledge_base_ids": [author.ok("GET")["topics"][0]["knowledge_base_ids"][0]],
    }
    for _ in range(49):
        author.ok("POST", "/topics", topic)
    assert author.refused("POST", "/topics", topic) == (409, "too_many")
    codes = set()
    for number in range(99):
        long = {**link, "url": "https://lola.example/" + "x" * 1950}
        codes.add(author.ask("PUT", f"/links/{author.ok('GET')['links'][number]['id']}", long).status)
    assert codes == {200, 409}
    assert author.refused("PATCH", "", {"about": "字" * 2000}) == (409, "page_full")


def test_a_retry_of_a_page_answers_with_the_page(author: Author) -> None:
    asked = {"space_id": author.space, "name": "Two", "about": "x", "language": "en"}
    first, second = (
        author.world.web("POST", PAGES, asked, token=author.who.token, headers={"idempotency-key": "two"})
        for _ in range(2)
    )
    assert first.json == second.json
    nothing = author.ask("PATCH", "", {}, key="nothing")
    assert nothing.json["id"] == author.ids["page"]


def test_a_page_goes_live_and_is_paused(author: Author) -> None:
    assert author.refused("POST", "/go-live", None) == (409, "illegal_move")
    assert author.ok("POST", "/pause")["status"] == "paused"
    assert author.refused("POST", "/pause", None) == (409, "illegal_move")
    assert author.ok("POST", "/go-live")["status"] == "live"


def test_a_retry_answers_as_before_and_adds_nothing(author: Author) -> None:
    link = {"kind": "link", "label": "There", "url": "https://lola.example/"}
    first, second = (author.ask("POST", "/links", link, key="once") for _ in range(2))
    assert first.json == second.json
    assert len(author.ok("GET")["links"]) == 2
    other = author.ask("POST", "/links", {**link, "label": "Here"}, key="once")
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")


@pytest.mark.promise("N8")
def test_a_deleted_page_goes_with_its_pictures_also_those_that_come_late(author: Author) -> None:
    author.upload(png())
    assert author.refused("DELETE", "", {"confirm": "casa lola"}) == (422, "confirmation_mismatch")
    author.ok("DELETE", "", {"confirm": "Casa Lola"})
    assert author.world.pictures.files == {}
    assert author.refused("GET", "", None) == (404, "not_found")
    author.world.pictures.put(f"incoming/{author.ids['page']}/late", "image/png", png())
    assert author.world.services.authoring.sweep() == 0
    assert author.world.pictures.files == {}
    author.world.clock.moment += SETTLING
    assert author.world.services.authoring.sweep() == 1
    assert author.world.pages.removed == {}


def test_trying_a_page_shows_topics_and_passages_and_costs_nothing(author: Author) -> None:
    base = author.world.base(author.who, author.space, "Pool")
    author.world.item(author.who, base, "publish", content="The pool opens in May.")
    author.world.item(author.who, base, content="The pool is secret.")
    author.ok("POST", "/topics", {"title": "Pool", "description": "When", "knowledge_base_ids": [base]})
    tried = author.ok("POST", "/try", {"question": "When does the pool open?"})["topics"]
    assert [each["title"] for each in tried] == ["Pool", "Rooms"]
    assert [each["content"] for each in tried[0]["passages"]] == ["The pool opens in May."]
    assert tried[0]["passages"][0]["reference"].startswith("knowledge:item_")
    assert tried[1]["passages"] == []
    assert author.ok("GET", "/usage")["page"] == {"turns": 0, "tokens": 0}


def test_usage_says_how_today_stands(author: Author) -> None:
    today = author.world.clock.now().date()
    usage = author.ok("GET", "/usage")
    assert usage["day"] == today.isoformat()
    tomorrow = {"resets_at": f"{today + timedelta(days=1)}T00:00:00Z"}
    allowance = {"turns_allowed": 1000, "tokens_allowed": 1_000_000, **tomorrow}
    assert usage["fuse"] == {
        "answering": True,
        "blown": False,
        "turns_left": 1000,
        "tokens_left": 1_000_000,
        **allowance,
    }
    author.world.fuses.count_page(author.ids["page"], today - timedelta(days=13), Usage(3, 5))
    author.world.fuses.count_page(author.ids["page"], today - timedelta(days=14), Usage(7, 7))
    days = author.ok("GET", "/usage")["days"]
    assert [each["day"] for each in days] == [str(today - timedelta(days=ago)) for ago in range(13, -1, -1)]
    assert (days[0]["turns"], days[0]["tokens"], sum(each["turns"] for each in days)) == (3, 5, 3)
    author.world.fuses.take(today, author.world.services.allowance)
    author.world.services.operate_fuse.blow()
    assert author.ok("GET", "/usage")["fuse"] == {
        "answering": False,
        "blown": True,
        "turns_left": 999,
        "tokens_left": 1_000_000,
        **allowance,
    }
    assert author.world.services.operate_fuse.mend().counted.turns == 0
