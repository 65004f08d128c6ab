"""Taking a turn: the conversation, the cache, the fuse, the pipeline, the transcript."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
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

    def __call__(self) -> None:
        """Take one of today's turns. Raises DailyLimitReached, DefencesUnavailable."""
        ...

    def spent(self, page_id: str, spending: Spending) -> None:
        """Add the turn and its tokens to what its page used; never raises."""
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
        conversation = self.talks.begin(asked)
        watch = Watch(self.clock, asked.deadline, asked.has_left)
        turn = _Turn(self, asked, conversation, watch, Telling(asked.page.language))
        try:
            yield from turn.parts(self._looked_up(asked))
        finally:
            turn.end()

    def _looked_up(self, asked: Asked) -> "_Kept":
        """What is kept for the question; nothing if more than an opening question decides."""
        if asked.conversation_id is not None or asked.regenerate:
            return _Kept()
        key = cache_key(asked.page, asked.question, self.flavour)
        with ThreadPoolExecutor(1) as aside:  # the first event waits for both, and neither needs the other
            found = aside.submit(self.cache.get, key)
            knowledge = self.read.knowledge_version(asked.page)
        answer = found.result()
        return _Kept(key, knowledge, answer if answer is not None and answer.knowledge == knowledge else None)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the cache has for a question."""

    key: str = ""
    """Where the answer is to be kept; empty for nowhere."""
    knowledge: str = ""
    """The version of what the page may draw on, as the turn begins."""
    answer: KeptAnswer | None = None
    """One that was made of that very version."""


@dataclass(slots=True)
class _Turn:
    """One turn on its way."""

    desk: TakeTurn
    asked: Asked
    conversation: Conversation
    watch: Watch
    telling: Telling
    kept: _Kept = field(default_factory=_Kept)
    written: bool = False
    fused: bool = False

    def parts(self, kept: _Kept) -> Iterator[Part]:
        self.kept = kept
        self.desk.meter.count("answers.turn", answer="replayed" if kept.answer else "made")
        if kept.answer is None:
            self.desk.fuse()
            self.fused = True
        turn_id = self.desk.ids.new(Kind.TURN)
        yield Began(self.conversation.id, turn_id)
        with suppress(VisitorLeft):
            yield from self._told(turn_id, kept.answer)
            yield from self._finished()

    def end(self) -> None:
        """Whatever became of it: nothing more is spent, and the conversation is free again."""
        self.watch.stop()
        if self.fused:
            self.desk.fuse.spent(self.asked.page.id, self.watch.spending)
        if not self.written:
            self.desk.talks.release(self.conversation)

    def _told(self, turn_id: str, replayed: KeptAnswer | None) -> Iterator[Part]:
        if replayed is not None:
            yield from self.desk.replay(self.asked.page, replayed, turn_id, self.telling)
            return
        inquiry = Inquiry(self.asked.page, self.asked.question, self.conversation.exchanges)
        yield from self.desk.pipeline(inquiry, turn_id, self.watch, self.telling)

    def _finished(self) -> Iterator[Part]:
        """The end: the transcript is written before it is said, so that the next question finds it."""
        telling = self.telling
        if telling.failure is None:
            try:
                self.desk.talks.keep(self.conversation, telling.exchange(self.asked.question))
                self.written = True
            except KnownError as fault:
                telling.failure = telling.failed(fault)
        if telling.failure is None and telling.worth_keeping:
            self._keep()
        yield Sections(tuple(telling.ids), final=telling.failure is None, language=telling.language)
        yield telling.failure or Finished()

    def _keep(self) -> None:
        """Keep the answer for whoever opens with the same question."""
        if self.kept.key:
            until = self.desk.clock.now() + (KEPT_DEGRADED if self.telling.degraded else KEPT)
            self.desk.cache.put(self.kept.key, self.telling.answer(self.kept.knowledge), until)
