"""What the steps of a turn take and give, and the port of the models that take them.

Whatever a model gives is untrusted: the pipeline checks each of these before it uses it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from chalicelib.answers.ports import Exchange, Source, Sources
from chalicelib.answers.watch import Watch
from chalicelib.domain.pages import Image, Page, Topic

_CODE = re.compile("[a-z]{2}")
_QUERY = 400
"""Characters of a query."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question on a page, with what was said before it."""

    page: Page
    question: str
    history: tuple[Exchange, ...] = ()
    """Oldest first."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What a question is about."""

    language: str
    """Of the visitor, an ISO 639-1 code; the answer's."""
    on_topic: bool
    knowledge_query: str
    """What to look for in the knowledge, in its language."""
    image_query: str
    courtesy: str = ""
    """Off topic: one sentence in the visitor's language that leads back to what the page is about."""

    def checked(self, inquiry: Inquiry) -> "Understood":
        """The same, with what a model may have got wrong put right, so that there is something to look for."""
        return Understood(
            language=self.language if _CODE.fullmatch(self.language) else inquiry.page.language,
            on_topic=self.on_topic,
            knowledge_query=self.knowledge_query.strip()[:_QUERY] or inquiry.question,
            image_query=self.image_query.strip()[:_QUERY] or inquiry.question,
            courtesy=self.courtesy,
        )


@dataclass(frozen=True, slots=True)
class Summary:
    """What the knowledge says of one topic."""

    topic: Topic
    text: str
    supported: bool
    """Whether the passages answer the question; if not, there is nothing to say."""
    passages: tuple[Source, ...]
    """All that were retrieved."""
    references: tuple[str, ...] = ()
    """Of the passages it was made of."""
    degraded: str | None = None

    def checked(self, topic: Topic, sources: Sources) -> "Summary":
        """The same, of this topic and these passages, with references of passages only that there are."""
        there = [each.reference for each in sources.passages]
        named = tuple(each for each in dict.fromkeys(self.references) if each in there)
        references = named or tuple(dict.fromkeys(there))
        supported = self.supported and bool(self.text.strip())
        return Summary(topic, self.text, supported, sources.passages, references, sources.degraded)


@dataclass(frozen=True, slots=True)
class Brief:
    """All that an answer may be built from."""

    inquiry: Inquiry
    understood: Understood
    summaries: tuple[Summary, ...]
    images: tuple[Image, ...]
    """The shortlist."""
    ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Ids that components may hold, by kind: `image`, `link`, `action`."""

    @property
    def references(self) -> tuple[str, ...]:
        """Of the passages that the summaries were made of, each once."""
        return tuple(dict.fromkeys(each for summary in self.summaries for each in summary.references))

    @property
    def passages(self) -> tuple[Source, ...]:
        """All passages that were retrieved for the summaries."""
        return tuple(each for summary in self.summaries for each in summary.passages)


type Draft = Mapping[str, Any]
"""A whole answer as a model gives it: `spoken`, and `components`, each with `component`, `props` and `sources`."""


class AnswerModel(Protocol):
    """Takes the steps of a turn. Each raises ModelUnavailable, and what `watch.check()` raises before it spends."""

    def understand(self, inquiry: Inquiry, watch: Watch) -> Understood:
        """The visitor's language, whether the question is on topic, and what to look for."""
        ...

    def select_topics(self, inquiry: Inquiry, understood: Understood, watch: Watch) -> tuple[str, ...]:
        """Ids of the topics to read, best first."""
        ...

    def select_images(
        self, inquiry: Inquiry, understood: Understood, images: tuple[Image, ...], watch: Watch
    ) -> tuple[str, ...]:
        """Ids of those of these images that fit, best first."""
        ...

    def summarise(
        self, inquiry: Inquiry, understood: Understood, topic: Topic, passages: tuple[Source, ...], watch: Watch
    ) -> Summary:
        """What the passages say about the question."""
        ...

    def build(self, brief: Brief, watch: Watch) -> Draft:
        """The whole answer, out of the brief alone."""
        ...

    def repair(self, brief: Brief, draft: Draft, mistakes: tuple[str, ...], watch: Watch) -> Draft:
        """The answer again, without these mistakes."""
        ...
