"""The use cases of whoever makes pages, together."""

from dataclasses import dataclass

from chalicelib.answers.defence_ports import Allowance, FuseStore
from chalicelib.answers.furnishing import (
    AnnounceImage,
    ChangeImage,
    PutLink,
    PutTopic,
    Remove,
    RemoveImage,
    TakeImage,
)
from chalicelib.answers.fuse import ReadUsage
from chalicelib.answers.pages import (
    ChangePage,
    CreatePage,
    DeletePage,
    Editing,
    ListPages,
    MovePage,
    ReadPage,
    SweepPages,
)
from chalicelib.answers.ports import ImageAddresses, PageStore, Pictures
from chalicelib.domain.ids import Ids
from chalicelib.domain.pages import PageStatus
from chalicelib.domain.time import Clock
from chalicelib.knowledge.ports import KnowledgeStore


@dataclass(frozen=True, slots=True)
class Outside:
    """What they need from outside."""

    pages: PageStore
    store: KnowledgeStore
    pictures: Pictures
    addresses: ImageAddresses
    fuses: FuseStore
    allowance: Allowance
    ids: Ids
    clock: Clock


@dataclass(frozen=True, slots=True)
class Authoring:
    """The use cases on pages, wired."""

    create: CreatePage
    read: ReadPage
    list: ListPages
    change: ChangePage
    go_live: MovePage
    pause: MovePage
    delete: DeletePage
    sweep: SweepPages
    put_topic: PutTopic
    remove_topic: Remove
    put_link: PutLink
    remove_link: Remove
    announce_image: AnnounceImage
    take_image: TakeImage
    change_image: ChangeImage
    remove_image: RemoveImage
    usage: ReadUsage
    addresses: ImageAddresses

    @classmethod
    def over(cls, out: Outside) -> "Authoring":
        """All of them."""
        pages, pictures, ids, clock = out.pages, out.pictures, out.ids, out.clock
        edit = Editing(pages, clock)
        return cls(
            create=CreatePage(pages, ids, clock),
            read=ReadPage(pages),
            list=ListPages(pages),
            change=ChangePage(edit),
            go_live=MovePage(edit, PageStatus.LIVE),
            pause=MovePage(edit, PageStatus.PAUSED),
            delete=DeletePage(pages, pictures, clock),
            sweep=SweepPages(pages, pictures, clock),
            put_topic=PutTopic(edit, out.store, ids),
            remove_topic=Remove(edit, "topics"),
            put_link=PutLink(edit, ids),
            remove_link=Remove(edit, "links"),
            announce_image=AnnounceImage(pages, pictures, ids, clock),
            take_image=TakeImage(edit, pictures),
            change_image=ChangeImage(edit),
            remove_image=RemoveImage(edit, pictures),
            usage=ReadUsage(pages, out.fuses, out.allowance, clock),
            addresses=out.addresses,
        )
