"""Choosing topics and pictures, at the same time (step 2 of the pipeline)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chalicelib.answers.extractive.choosing import best_images, best_topics
from chalicelib.answers.steps import AnswerModel, Inquiry, Understood
from chalicelib.answers.waiting import Together
from chalicelib.domain.errors import KnownError, TurnTimedOut
from chalicelib.domain.pages import Image, Topic
from chalicelib.domain.watching import Meter

TOPICS = 3
"""Topics that a language model is to choose at most: each costs a call."""
MOST_TOPICS = 8
"""Topics that are read for one question at most, whoever chose them."""
SHORTLIST = 40
"""Pictures that a model chooses from; of more, those whose words fit best."""
PICTURES = 4
"""Pictures that an answer may be built with."""


@dataclass(frozen=True, slots=True)
class Selector:
    """Has the model choose, and checks that it chose from what there is."""

    model: AnswerModel
    meter: Meter

    def __call__(
        self, inquiry: Inquiry, understood: Understood, calls: Together
    ) -> tuple[tuple[Topic, ...], tuple[Image, ...]]:
        """The topics to read and the pictures that may be shown; one choice that fails does not sink the other."""
        topics, images = inquiry.page.topics, self._fresh(inquiry, understood)
        watch = calls.watch
        chosen = calls.start(lambda: self.model.select_topics(inquiry, understood, watch)) if len(topics) > 1 else None
        shown = calls.start(lambda: self.model.select_images(inquiry, understood, images, watch)) if images else None
        calls.wait(*(each for each in (chosen, shown) if each is not None))
        if chosen is None:
            read = topics
        else:
            try:
                read = _known(chosen.result(), topics, MOST_TOPICS)
            except KnownError as fault:
                self._failed("topics", fault)
                read = best_topics(understood.knowledge_query, topics, TOPICS)
        try:
            pictures = _known(shown.result(), images, PICTURES) if shown is not None else ()
        except KnownError as fault:
            self._failed("images", fault)
            pictures = ()
        return read, pictures

    def _failed(self, what: str, fault: KnownError) -> None:
        if isinstance(fault, TurnTimedOut):
            raise fault
        self.meter.count("answers.selection_failed", what=what, code=fault.code)

    def _fresh(self, inquiry: Inquiry, understood: Understood) -> tuple[Image, ...]:
        """Pictures that are approved and were not shown yet; a model never sees the others."""
        shown = {image for exchange in inquiry.history for image in exchange.image_ids}
        fresh = tuple(each for each in inquiry.page.images if each.approved and each.id not in shown)
        return fresh if len(fresh) <= SHORTLIST else best_images(understood.image_query, fresh, SHORTLIST)


def _known[T: (Topic, Image)](ids: Iterable[object], there: Sequence[T], most: int) -> tuple[T, ...]:
    """Those of the ids that there are, in the order given, each once."""
    by_id = {each.id: each for each in there}
    wanted = dict.fromkeys(each for each in ids if isinstance(each, str) and each in by_id)
    return tuple(by_id[each] for each in wanted)[:most]
