"""Things to test with, made with as little said as the test cares about."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.documents import Document, DocumentStatus, Origin
from chalicelib.domain.ids import Kind
from chalicelib.domain.items import Item, ItemStatus, SourceType
from chalicelib.domain.pages import Image, ImageKind, Link, LinkKind, Orientation, Page, PageStatus, Topic
from chalicelib.domain.purges import Purge, PurgeStatus
from chalicelib.domain.revisions import MARKDOWN, Provenance, Revision
from chalicelib.domain.spaces import Door, Principal, Role
from chalicelib.domain.text import Canonical
from chalicelib.domain.writes import KEPT, Once
from tests.fakes.machine import START, CountingIds

_ids = CountingIds(first=1_000_000_000)
"""Far from the ids that a world of its own counts, so that none of these is in any."""

PROVENANCE = Provenance("user_author", Door.REST)


def new_id(kind: Kind) -> str:
    return _ids.new(kind)


def a_principal(roles: Mapping[str, Role], user_id: str | None = None) -> Principal:
    return Principal(
        user_id=user_id or new_id(Kind.USER),
        roles=roles,
        scopes=frozenset({"knowledge:read", "knowledge:write"}),
        door=Door.REST,
    )


def a_base(space_id: str | None = None, **changes: object) -> Base:
    base = Base(
        id=new_id(Kind.BASE),
        space_id=space_id or new_id(Kind.SPACE),
        name="Runbooks",
        description="How we run it",
        status=BaseStatus.ACTIVE,
        version=1,
        created_by="user_author",
        created_at=START,
        updated_at=START,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def an_item(base: Base, **changes: object) -> Item:
    item_id = new_id(Kind.ITEM)
    item = Item(
        id=item_id,
        base_id=base.id,
        space_id=base.space_id,
        title="Restarting",
        locator=f"guides/{item_id}",
        status=ItemStatus.DRAFT,
        source_type=SourceType.USER_CREATED,
        current_revision_id=new_id(Kind.REVISION),
        current_number=1,
        version=1,
        created_by="user_author",
        created_at=START,
        updated_at=START,
    )
    return replace(item, **changes)  # type: ignore[arg-type]


def a_revision(item: Item, text: str = "Turn it off and on.\n") -> Revision:
    content = Canonical.of(text)
    return Revision(
        id=item.current_revision_id,
        item_id=item.id,
        number=item.current_number,
        content_format=MARKDOWN,
        sha256=content.sha256,
        size=content.size,
        inline=content.text,
        blob=None,
        provenance=PROVENANCE,
        created_at=START,
    )


def a_document(base: Base, **changes: object) -> Document:
    document_id = new_id(Kind.DOCUMENT)
    document = Document(
        id=document_id,
        base_id=base.id,
        space_id=base.space_id,
        origin=Origin.UPLOAD,
        filename="report.pdf",
        size=10,
        key=f"originals/{base.id}/{document_id}/original.pdf",
        status=DocumentStatus.PENDING_UPLOAD,
        version=1,
        created_by="user_author",
        created_at=START,
        updated_at=START,
    )
    return replace(document, **changes)  # type: ignore[arg-type]


def a_purge(base: Base, item: Item | None = None) -> Purge:
    return Purge(
        id=new_id(Kind.PURGE),
        space_id=base.space_id,
        base_id=base.id,
        item_id=item.id if item else None,
        status=PurgeStatus.RUNNING,
        version=1,
        requested_by="user_author",
        requested_at=START,
        progressed_at=START,
    )


def a_page(space_id: str | None = None, **changes: object) -> Page:
    page = Page(
        id=new_id(Kind.PAGE),
        space_id=space_id or new_id(Kind.SPACE),
        name="Casa Lola",
        about="A small hotel by the sea.",
        not_about="Politics.",
        language="es",
        origins=("https://lola.example",),
        status=PageStatus.LIVE,
        version=1,
        created_by="user_author",
        created_at=START,
        updated_at=START,
    )
    return replace(page, **changes)  # type: ignore[arg-type]


def a_topic(*bases: Base, items: tuple[Item, ...] = ()) -> Topic:
    drawn = {each.id for each in bases} | {each.base_id for each in items}
    return Topic(
        id=new_id(Kind.TOPIC),
        title="Rooms",
        description="What rooms there are and what they cost.",
        base_ids=tuple(each.id for each in bases),
        item_ids=tuple(each.id for each in items),
        drawn_base_ids=tuple(sorted(drawn)),
    )


def an_image(page_id: str, **changes: object) -> Image:
    image_id = new_id(Kind.IMAGE)
    image = Image(
        id=image_id,
        kind=ImageKind.PHOTO,
        orientation=Orientation.LANDSCAPE,
        shows="A room with a view of the sea",
        approved=True,
        key=f"pages/{page_id}/{image_id}.png",
        media_type="image/png",
        width=800,
        height=600,
        size=1000,
    )
    return replace(image, **changes)  # type: ignore[arg-type]


def a_link(**changes: object) -> Link:
    link = Link(id=new_id(Kind.LINK), kind=LinkKind.ACTION, label="Book", url="https://lola.example/book")
    return replace(link, **changes)  # type: ignore[arg-type]


def once(key: str = "key", asked: str = "this", later: timedelta = timedelta()) -> Once:
    return Once(key=key, fingerprint=asked, expires_at=START + later + KEPT)
