"""The pipeline: understand, select, read each topic, build, check, tell; one generator of parts (rule N6).

It takes the same steps for every question. The model fills them in; what it gives is checked before it is used.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chalicelib.answers.checking import Allowed, Checked, Checker, ids_of
from chalicelib.answers.grounding import Grounds
from chalicelib.answers.hosts import known_to
from chalicelib.answers.languages import language_of
from chalicelib.answers.parts import Part, Progress, Stage, Status
from chalicelib.answers.phrases import Phrases, phrases
from chalicelib.answers.ports import TopicReader
from chalicelib.answers.sanitise import sanitised
from chalicelib.answers.selecting import Selector
from chalicelib.answers.standing import off_topic, unsupported
from chalicelib.answers.steps import AnswerModel, Brief, Draft, Inquiry, Summary, Understood
from chalicelib.answers.telling import Telling, tell
from chalicelib.answers.waiting import Together, together
from chalicelib.answers.watch import VisitorLeft, Watch
from chalicelib.domain.errors import AnswerFailed, KnownError, SearchUnavailable, TurnTimedOut
from chalicelib.domain.pages import Image, Topic
from chalicelib.domain.watching import Meter


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Answers one question."""

    model: AnswerModel
    read: TopicReader
    checker: Checker
    meter: Meter

    def __call__(self, inquiry: Inquiry, turn_id: str, watch: Watch, telling: Telling) -> Iterator[Part]:
        """The parts between the beginning and the list of the sections; what was told is noted in `telling`.

        A failure is noted there too, and is never raised, but for VisitorLeft.
        """
        telling.language = language_of(inquiry.question, inquiry.page.language)
        with together(watch) as calls:
            try:
                yield from _Run(self, inquiry, turn_id, watch, telling, calls).parts()
            except VisitorLeft:
                self.meter.count("answers.left")
                raise
            except KnownError as fault:
                self.meter.count("answers.failed", code=fault.code)
                telling.failure = telling.failed(fault)
            except Exception as fault:  # noqa: BLE001 - the stream has begun: it has to end in order
                self.meter.count("answers.failed", code="internal_error")
                telling.failure = telling.failed(AnswerFailed(), fault)


@dataclass(slots=True)
class _Run:
    """One question on its way."""

    desk: Pipeline
    inquiry: Inquiry
    turn_id: str
    watch: Watch
    telling: Telling
    calls: Together
    known: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.known = known_to(self.inquiry.page)

    @property
    def says(self) -> Phrases:
        return phrases(self.telling.language, self.inquiry.page.language)

    def parts(self) -> Iterator[Part]:
        yield Status(Stage.UNDERSTANDING)
        yield Progress(self.says.looking)
        understood = self._understood()
        self.telling.language = understood.language
        if not understood.on_topic:
            self.desk.meter.count("answers.off_topic")
            yield from self._standing(off_topic(self.inquiry.page, self.says, understood))
            return
        yield Status(Stage.SELECTING)
        topics, images = Selector(self.desk.model, self.desk.meter)(self.inquiry, understood, self.calls)
        yield Status(Stage.READING)
        yield Progress(self._reading(topics))
        summaries = self._summaries(topics, understood)
        supported = tuple(each for each in summaries if each.supported)
        yield Status(Stage.WRITING)
        if not supported:
            self.desk.meter.count("answers.unsupported")
            yield from self._standing(unsupported(self.inquiry.page, self.says))
            return
        yield Progress(self.says.writing)
        yield from self._built(Brief(self.inquiry, understood, supported, images, ids=self._ids(images)))
        self.telling.worth_keeping = len(summaries) == len(topics)
        self.telling.degraded = any(each.degraded for each in summaries)

    def _understood(self) -> Understood:
        given = self.calls.result(lambda: self.desk.model.understand(self.inquiry, self.watch))
        return given.checked(self.inquiry)

    def _reading(self, topics: Sequence[Topic]) -> str:
        titles = ", ".join(title for each in topics if (title := sanitised(each.title, self.known)))
        return f"{self.says.reading}: {titles}" if titles else self.says.looking

    def _ids(self, images: Sequence[Image]) -> dict[str, tuple[str, ...]]:
        return ids_of(self.inquiry.page, [each.id for each in images])

    def _summaries(self, topics: Sequence[Topic], understood: Understood) -> list[Summary]:
        """What is known of each topic; one that fails is left out. Raises what the last one failed with if all did."""
        futures = [self.calls.start(lambda topic=topic: self._summary(topic, understood)) for topic in topics]  # type: ignore[misc]
        self.calls.wait(*futures)
        found: list[Summary] = []
        why: BaseException | None = None
        for future in futures:
            fault = future.exception()
            if fault is None:
                found.append(future.result())
            elif isinstance(fault, VisitorLeft | TurnTimedOut):
                raise fault
            else:
                self.desk.meter.count("answers.topic_failed", fault=getattr(fault, "code", type(fault).__name__))
                why = fault
        if not found and why is not None:
            raise why if isinstance(why, KnownError) else SearchUnavailable from why
        return found

    def _summary(self, topic: Topic, understood: Understood) -> Summary:
        page = self.inquiry.page
        sources = self.desk.read(page, topic, understood.knowledge_query)
        if sources.degraded:
            self.desk.meter.count("answers.degraded", why=sources.degraded)
        if not sources.passages:
            return Summary(topic, "", supported=False, passages=(), degraded=sources.degraded)
        given = self.desk.model.summarise(self.inquiry, understood, topic, sources.passages, self.watch)
        return given.checked(topic, sources)

    def _built(self, brief: Brief) -> Iterator[Part]:
        """The answer: built once, and mended once if nothing of it can be shown."""
        grounds = Grounds.of(brief.passages, brief.understood.language)
        allowed = Allowed(self.inquiry.page, brief.ids, brief.references, grounds)
        draft = self.calls.result(lambda: self.desk.model.build(brief, self.watch))
        checked = self._checked(draft, allowed)
        if not checked.shown:
            self.desk.meter.count("answers.repaired")
            mistakes = checked.mistakes or ("There was no component.",)
            draft = self.calls.result(lambda: self.desk.model.repair(brief, draft, mistakes, self.watch))
            checked = self._checked(draft, allowed)
        if not checked.shown:
            raise AnswerFailed
        yield from self._tell(checked)

    def _checked(self, draft: Draft, allowed: Allowed) -> Checked:
        checked = self.desk.checker(draft, allowed)
        if checked.mistakes:
            self.desk.meter.count("answers.dropped", len(checked.mistakes))
        return checked

    def _standing(self, draft: Draft) -> Iterator[Part]:
        """What the desk says by itself."""
        page = self.inquiry.page
        yield from self._tell(self.desk.checker(draft, Allowed(page, ids_of(page, ()))))

    def _tell(self, checked: Checked) -> Iterator[Part]:
        spoken = checked.spoken or self.says.found
        yield from tell(spoken, checked.shown, self.inquiry.page, self.turn_id, self.telling)
