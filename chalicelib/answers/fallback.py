"""The port `AnswerModel` over two others: where the first is unavailable, the second takes the step."""

from collections.abc import Callable
from dataclasses import dataclass

from chalicelib.answers.ports import Source
from chalicelib.answers.steps import AnswerModel, Brief, Draft, Inquiry, Summary, Understood
from chalicelib.answers.watch import Watch
from chalicelib.domain.errors import ModelUnavailable
from chalicelib.domain.pages import Image, Topic
from chalicelib.domain.watching import Meter


@dataclass(frozen=True, slots=True)
class Fallback:
    """Step by step: a summary by one may be built upon by the other, since both come from the same passages."""

    first: AnswerModel
    second: AnswerModel
    meter: Meter

    def understand(self, inquiry: Inquiry, watch: Watch) -> Understood:
        """By the first that can."""
        return self._by("understand", lambda model: model.understand(inquiry, watch), watch)

    def select_topics(self, inquiry: Inquiry, understood: Understood, watch: Watch) -> tuple[str, ...]:
        """By the first that can."""
        return self._by("select_topics", lambda model: model.select_topics(inquiry, understood, watch), watch)

    def select_images(
        self, inquiry: Inquiry, understood: Understood, images: tuple[Image, ...], watch: Watch
    ) -> tuple[str, ...]:
        """By the first that can."""
        return self._by("select_images", lambda model: model.select_images(inquiry, understood, images, watch), watch)

    def summarise(
        self, inquiry: Inquiry, understood: Understood, topic: Topic, passages: tuple[Source, ...], watch: Watch
    ) -> Summary:
        """By the first that can."""
        return self._by("summarise", lambda model: model.summarise(inquiry, understood, topic, passages, watch), watch)

    def build(self, brief: Brief, watch: Watch) -> Draft:
        """By the first that can."""
        return self._by("build", lambda model: model.build(brief, watch), watch)

    def repair(self, brief: Brief, draft: Draft, mistakes: tuple[str, ...], watch: Watch) -> Draft:
        """By the second: the first has had its attempt."""
        return self.second.repair(brief, draft, mistakes, watch)

    def _by[T](self, step: str, call: Callable[[AnswerModel], T], watch: Watch) -> T:
        try:
            return call(self.first)
        except ModelUnavailable:
            watch.check()
            self.meter.count("answers.fallback", step=step)
            return call(self.second)
