"""Pages in DynamoDB: one row each, with all that a turn reads."""

from dataclasses import asdict, dataclass
from datetime import datetime

from chalicelib.adapters.dynamodb import lists, rows
from chalicelib.adapters.dynamodb.knowledge import UNCHANGED, changed, clash, gone
from chalicelib.adapters.dynamodb.once import Outcome, recall, transact_once
from chalicelib.adapters.dynamodb.tables import Key, Row, Tables, delete, new, put
from chalicelib.domain import writes
from chalicelib.domain.errors import NotFound
from chalicelib.domain.pages import Image, ImageKind, Link, LinkKind, Orientation, Page, PageLimits, PageStatus, Topic
from chalicelib.domain.writes import Once

_REMOVED = "removed_pages"


@dataclass(frozen=True, slots=True)
class DynamoPages:
    """The port `PageStore` over the table `records`."""

    tables: Tables

    def page(self, page_id: str) -> Page | None:
        """The page, or None."""
        row = self.tables.get(self.tables.records, page_key(page_id))
        return _page(row) if row else None

    def pages(self, space_id: str, after: str | None, limit: int) -> writes.Page[Page]:
        """The pages of a space, newest first."""
        return lists.page(self.tables, (space_id, "page#"), (after, limit), page_key, _page)

    def add_page(self, page: Page, once: Once | None) -> Page:
        """Write a new page; a repeat returns the one that it made, as it is now."""
        records = self.tables.records
        entry = {**_entry(page), "listed": page.id}
        parts = [new(records, _row(page), clash), new(records, entry, clash)]
        return transact_once(self.tables, parts, (once, Outcome(page.id, {})), page, self.replayed_page)

    def change_page(self, before: Page, after: Page, once: Once | None) -> Page:
        """Replace a page that still is at `before`'s version."""
        seen = {":version": before.version}
        part = put(self.tables.records, _row(after), UNCHANGED, seen, changed(before.version))
        return transact_once(self.tables, [part], (once, Outcome(after.id, {})), after, self.replayed_page)

    def remove_page(self, page: Page, now: datetime) -> None:
        """Remove a page that still is at that version, and note that its pictures are to go."""
        records, seen = self.tables.records, {":version": page.version}
        note = {"pk": _REMOVED, "sk": page.id, "at": rows.stamp(now)}
        self.tables.transact(
            [
                delete(records, page_key(page.id), UNCHANGED, seen, changed(page.version)),
                delete(records, _entry(page), "attribute_exists(pk)", {}, gone),
                put(records, note, "", {}, clash),
            ]
        )

    def replayed_page(self, once: Once) -> Page | None:
        """What this write answered before, as it is now, or None."""
        outcome = recall(self.tables, once)
        if outcome is None:
            return None
        page = self.page(outcome.record_id)
        if page is None:
            raise NotFound
        return page

    def removed_pages(self) -> tuple[tuple[str, datetime], ...]:
        """Ids of pages whose pictures are to go, and when they were removed."""
        found = self.tables.query(self.tables.records, _REMOVED)
        return tuple((row["sk"], rows.moment(row["at"])) for row in found)

    def settle_page(self, page_id: str) -> None:
        """Drop the note that the pictures of a page are to go."""
        self.tables.delete(self.tables.records, {"pk": _REMOVED, "sk": page_id})


def page_key(page_id: str) -> Key:
    """Where a page lies."""
    return {"pk": page_id, "sk": "page"}


def _entry(page: Page) -> Key:
    return {"pk": page.space_id, "sk": f"page#{page.id}"}


def _row(page: Page) -> Row:
    row: Row = asdict(page)
    del row["id"]
    limits = page.limits
    return {
        **row,
        **page_key(page.id),
        "created_at": rows.stamp(page.created_at),
        "updated_at": rows.stamp(page.updated_at),
        "origins": list(page.origins),
        "topics": [
            {**asdict(each), "base_ids": list(each.base_ids), "item_ids": list(each.item_ids)} for each in page.topics
        ],
        "images": [asdict(each) for each in page.images],
        "links": [asdict(each) for each in page.links],
        "limits": {
            "turns_per_minute": limits.turns_per_minute,
            "burst": limits.burst,
            "cooldown_ms": round(limits.cooldown_s * 1000),
        },
    }


def _page(row: Row) -> Page:
    limits = row["limits"]
    return Page(
        id=row["pk"],
        space_id=row["space_id"],
        name=row["name"],
        about=row["about"],
        not_about=row["not_about"],
        language=row["language"],
        origins=tuple(row["origins"]),
        status=PageStatus(row["status"]),
        version=row["version"],
        created_by=row["created_by"],
        created_at=rows.moment(row["created_at"]),
        updated_at=rows.moment(row["updated_at"]),
        topics=tuple(_topic(each) for each in row["topics"]),
        images=tuple(_image(each) for each in row["images"]),
        links=tuple(Link(**{**each, "kind": LinkKind(each["kind"])}) for each in row["links"]),
        limits=PageLimits(limits["turns_per_minute"], limits["burst"], limits["cooldown_ms"] / 1000),
        shows_sources=row["shows_sources"],
    )


def _topic(row: Row) -> Topic:
    return Topic(
        row["id"],
        row["title"],
        row["description"],
        tuple(row["base_ids"]),
        tuple(row["item_ids"]),
        tuple(row["drawn_base_ids"]),
    )


def _image(row: Row) -> Image:
    return Image(**{**row, "kind": ImageKind(row["kind"]), "orientation": Orientation(row["orientation"])})
