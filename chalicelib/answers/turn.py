"""Taking a turn: the conversation, the cache, the fuse, the pipeline, the transcript."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from chalicelib.answers.asking import Asked
from chalicelib.answers.cache import cache_key
from chalicelib.answers.parts import Began, Finished, Part, Sections
from chalicelib.answers.pipeline import Pipeline
from chalicelib.answers.ports import AnswerCache, Conversation, Exchange, KeptAnswer, Spending, TopicReader
from chalicelib.answers.replay import Replay
from chalicelib.answers.steps import Inquiry
from chalicelib.answers.telling import Telling
from chalicelib.answers.watch import VisitorLeft, Watch
from chalicelib.domain.errors import KnownError
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.time import Clock
from chalicelib.domain.watching import Meter

KEPT = timedelta(hours=24)
"""How long an answer may be replayed, if nothing that it depends on changes before."""
KEPT_DEGRADED = timedelta(minutes=10)
"""The same, if less was searched than should be: soon there may be a better one."""


class Talks(Protocol):
    """Where turns begin and end; `Conversations` is one."""

    def begin(self, asked: Asked) -> Conversation:
        """The conversation to answer in. Raises NotFound, TurnUnderway."""
        ...

    def keep(self, conversation: Conversation, exchange: Exchange) -> Conversation:
        """Add the exchange. Raises ConcurrentChange."""
        ...

    def release(self, conversation: Conversation) -> None:
        """Let it go without an exchange; never raises."""
        ...


class Fuse(Protocol):
    """The daily fuse; `SpendTurn` is one."""

    def __call__(self, page_id: str) -> None:
        """Take one of today's turns. Raises DailyLimitReached, DefencesUnavailable."""
        ...

    def spent(self, page_id: str, spending: Spending) -> None:
        """Add the tokens of the turn; never raises."""
        ...


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """Answers a question, part by part."""

    talks: Talks
    fuse: Fuse
    cache: AnswerCache
    read: TopicReader
    pipeline: Pipeline
    replay: Replay
    clock: Clock
    ids: Ids
    meter: Meter
    flavour: str = ""
    """Of the model: answers of another one are not replayed."""

    def __call__(self, asked: Asked) -> Iterator[Part]:
        """The parts of the turn, as they come; nothing happens before the first is asked for.

        What keeps the turn from being taken is raised instead of the first part; what goes wrong later is a part
        of its own. To close the iterator is to leave: no further model call starts. Whoever has left gets no end.

        Raises:
            NotFound: there is no such conversation of this page and session.
            TurnUnderway: another question of the conversation is being answered.
            DailyLimitReached: the fuse has blown.
            DefencesUnavailable: the fuse cannot be asked.
            StoreBusy: the table does not answer.
        """
        with ThreadPoolExecutor(1) as aside:  # the first event waits for both, and neither needs the other
            looked = aside.submit(self._looked_up, asked)
            conversation = self.talks.begin(asked)
        watch = Watch(self.clock, asked.deadline, asked.has_left)
        turn = _Turn(self, asked, conversation, watch, Telling(asked.page.language))
        try:
            yield from turn.parts(*looked.result())
        finally:
            turn.end()

    def _looked_up(self, asked: Asked) -> tuple[str, KeptAnswer | None]:
        """The key of the answer and what is kept under it; no key if more than an opening question decides."""
        if asked.conversation_id is not None or asked.regenerate:
            return "", None
        key = cache_key(asked.page, self.read.knowledge_version(asked.page), asked.question, self.flavour)
        return key, self.cache.get(key)


@dataclass(slots=True)
class _Turn:
    """One turn on its way."""

    desk: TakeTurn
    asked: Asked
    conversation: Conversation
    watch: Watch
    telling: Telling
    kept: bool = False
    fused: bool = False

    def parts(self, key: str, replayed: KeptAnswer | None) -> Iterator[Part]:
        self.desk.meter.count("answers.turn", answer="replayed" if replayed else "made")
        if replayed is None:
            self.desk.fuse(self.asked.page.id)
            self.fused = True
        turn_id = self.desk.ids.new(Kind.TURN)
        yield Began(self.conversation.id, turn_id)
        with suppress(VisitorLeft):
            yield from self._told(turn_id, replayed)
            yield from self._finished(key if replayed is None else "")

    def end(self) -> None:
        """Whatever became of it: nothing more is spent, and the conversation is free again."""
        self.watch.stop()
        if self.fused:
            self.desk.fuse.spent(self.asked.page.id, self.watch.spending)
        if not self.kept:
            self.desk.talks.release(self.conversation)

    def _told(self, turn_id: str, replayed: KeptAnswer | None) -> Iterator[Part]:
        if replayed is not None:
            yield from self.desk.replay(self.asked.page, replayed, turn_id, self.telling)
            return
        inquiry = Inquiry(self.asked.page, self.asked.question, self.conversation.exchanges)
        yield from self.desk.pipeline(inquiry, turn_id, self.watch, self.telling)

    def _finished(self, key: str) -> Iterator[Part]:
        """The end: the transcript is written before it is said, so that the next question finds it."""
        telling = self.telling
        if telling.failure is None:
            try:
                self.desk.talks.keep(self.conversation, telling.exchange(self.asked.question))
                self.kept = True
            except KnownError as fault:
                telling.failure = telling.failed(fault)
        if telling.failure is None and key and telling.worth_keeping:
            kept = KEPT_DEGRADED if telling.degraded else KEPT
            self.desk.cache.put(key, telling.answer(), self.desk.clock.now() + kept)
        yield Sections(tuple(telling.ids), final=telling.failure is None, language=telling.language)
        yield telling.failure or Finished()
