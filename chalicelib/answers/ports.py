"""What the reading desk needs from outside."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from chalicelib.domain import writes
from chalicelib.domain.citations import cite
from chalicelib.domain.files import Form
from chalicelib.domain.pages import Image, Page, Topic
from chalicelib.domain.writes import Once
from chalicelib.search.ports import Candidate, Standing


class PageStore(Protocol):
    """The records of pages. Reads are strongly consistent; writes are transactions that state what they expect."""

    def page(self, page_id: str) -> Page | None:
        """The page, or None."""
        ...

    def pages(self, space_id: str, after: str | None, limit: int) -> writes.Page[Page]:
        """The pages of a space, newest first."""
        ...

    def add_page(self, page: Page, once: Once | None) -> Page:
        """Write a new page; a repeat returns the one that it made, as it is now."""
        ...

    def change_page(self, before: Page, after: Page, once: Once | None) -> Page:
        """Replace a page that still is at `before`'s version. Raises NotFound, ConcurrentChange."""
        ...

    def remove_page(self, page: Page, now: datetime) -> None:
        """Remove a page that still is at that version, and note that its pictures are to go.

        Raises NotFound, ConcurrentChange.
        """
        ...

    def replayed_page(self, once: Once) -> Page | None:
        """What this write answered before, as it is now, or None. Raises IdempotencyKeyReused, NotFound."""
        ...

    def removed_pages(self) -> tuple[tuple[str, datetime], ...]:
        """Ids of pages whose pictures are to go, and when they were removed."""
        ...

    def settle_page(self, page_id: str) -> None:
        """Drop the note that the pictures of a page are to go."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """A passage of a published, current revision that a page may draw on."""

    item_id: str
    base_id: str
    revision_id: str
    title: str
    heading_path: tuple[str, ...]
    content: str
    score: float
    """0 to 1: how well it fits what was looked for."""

    @property
    def reference(self) -> str:
        """The citation of its revision."""
        return cite(self.item_id, self.revision_id)


@dataclass(frozen=True, slots=True)
class Sources:
    """What was found for one topic."""

    passages: tuple[Source, ...]
    """Best first, at most eight."""
    degraded: str | None = None
    """Why less was done than asked for; None if all was."""


class TopicReader(Protocol):
    """Finds what a page's knowledge says about a topic (rule N3)."""

    def __call__(self, page: Page, topic: Topic, query: str) -> Sources:
        """The best passages of the topic. Raises SearchUnavailable if neither map nor index can be had."""
        ...

    def knowledge_version(self, page: Page) -> str:
        """Changes whenever what the page may draw on does, strongly consistent: an edit, an archive, a deletion."""
        ...


class KnowledgeState(Protocol):
    """The table, as far as answers ask it what is public. Strongly consistent."""

    def changes(self, base_ids: Collection[str]) -> Mapping[str, int]:
        """How often what is public in each base has changed, in one read; 0 may be left out."""
        ...

    def standing(self, candidates: Collection[Candidate]) -> Standing:
        """The items and bases that decide about these candidates, in one read; what does not exist is left out."""
        ...


class MapStore(Protocol):
    """Where topic maps are kept for processes that start: copies that may be lost without harm."""

    def map(self, base_id: str) -> bytes:
        """The map of a base. Raises NotFound."""
        ...

    def put_map(self, base_id: str, content: bytes) -> None:
        """Keep the map of a base."""
        ...


class Pictures(Protocol):
    """Where the files of pictures lie: those that were uploaded, and those that were looked at and are shown."""

    def form(self, key: str, media_type: str, size: int, expires_at: datetime) -> Form:
        """A form that uploads one file of that type and at most that size, until then."""
        ...

    def fetch(self, key: str, most: int) -> bytes:
        """An uploaded file. Raises UploadMissing; ImageRefused if it has more bytes."""
        ...

    def put(self, key: str, media_type: str, content: bytes) -> None:
        """Keep a picture to be shown."""
        ...

    def erase(self, prefix: str) -> None:
        """Remove every version of all files whose keys begin so."""
        ...


class ImageAddresses(Protocol):
    """Gives the addresses of pictures out."""

    def url(self, image: Image) -> str:
        """An address of the project's bucket that anybody can read the picture at, for an hour."""
        ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer, as the server remembers them."""

    question: str
    spoken: str
    components: tuple[str, ...]
    """Names of the components that were shown, in order."""
    image_ids: tuple[str, ...]
    """Images that were shown."""
    language: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said in one tab, oldest first."""

    id: str
    page_id: str
    session_id: str
    exchanges: tuple[Exchange, ...]
    version: int
    """0 for one that is nowhere yet."""
    expires_at: datetime
    held_until: datetime | None = None
    """While a turn of it is being answered."""


class ConversationStore(Protocol):
    """Where conversations are kept for a day. Reads are strongly consistent; writes state the version they saw."""

    def conversation(self, conversation_id: str) -> Conversation | None:
        """The conversation, or None; it may have expired."""
        ...

    def hold(self, conversation: Conversation, until: datetime) -> Conversation:
        """Note that a turn of it is being answered. Raises NotFound, ConcurrentChange."""
        ...

    def release(self, conversation: Conversation) -> None:
        """Take that note back. Raises NotFound, ConcurrentChange."""
        ...

    def keep(self, before: Conversation, after: Conversation) -> Conversation:
        """Replace one that still is at `before`'s version; a new one, if that is 0. Raises ConcurrentChange."""
        ...


@dataclass(frozen=True, slots=True)
class KeptSection:
    """A component that was shown, with ids instead of data: addresses of pictures are made anew at every replay."""

    component: str
    props: Mapping[str, Any]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A whole answer, for the next visitor who opens with the same question."""

    language: str
    spoken: str
    sections: tuple[KeptSection, ...]
    knowledge: str
    """Version of what it was made of: of another one, it is no answer any more (rule N3)."""


class AnswerCache(Protocol):
    """Keeps answers for a while. A cache that fails is a cache without the answer: neither call raises."""

    def get(self, key: str) -> KeptAnswer | None:
        """The answer that was kept under a key and has not expired, or None."""
        ...

    def put(self, key: str, answer: KeptAnswer, until: datetime) -> None:
        """Keep an answer until then."""
        ...


@dataclass(frozen=True, slots=True)
class Spending:
    """What a model call took."""

    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """One call of a language model, which answers with JSON of a schema."""

    name: str
    """Of the step, for metrics; also names the schema."""
    system: str
    user: str
    schema: Mapping[str, Any]
    """JSON Schema of the answer: an object, closed."""
    max_tokens: int
    seconds: float
    """Time limit of the call, its retry included."""
    going: Callable[[], bool] = lambda: True
    """Whether the answer is still wanted; asked before a retry (rule N5)."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model said."""

    value: Mapping[str, Any]
    """Parsed, and not yet checked against anything."""
    spending: Spending


class ChatModel(Protocol):
    """A language model that answers in JSON: Bedrock, or any server with OpenAI's chat completions."""

    def ask(self, prompt: Prompt) -> Reply:
        """The answer; one retry on throttling.

        Raises:
            ModelUnavailable: it does not answer, not in time, or not in JSON.
        """
        ...
