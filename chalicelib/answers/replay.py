"""An answer that was given before, given again: its ids are resolved anew (rules N3, N9)."""

from collections.abc import Iterator
from dataclasses import dataclass

from chalicelib.answers.checking import Checker
from chalicelib.answers.parts import Part, Stage, Status
from chalicelib.answers.ports import KeptAnswer
from chalicelib.answers.telling import Telling, tell
from chalicelib.domain.pages import Page


@dataclass(frozen=True, slots=True)
class Replay:
    """Tells a kept answer as if it had just been built; what cannot be shown any more is left out."""

    checker: Checker

    def __call__(self, page: Page, answer: KeptAnswer, turn_id: str, telling: Telling) -> Iterator[Part]:
        """The parts between the beginning and the list of the sections."""
        telling.language, telling.worth_keeping = answer.language, False
        yield Status(Stage.WRITING)
        shown = [each for kept in answer.sections if (each := self.checker.again(page, kept)) is not None]
        yield from tell(answer.spoken, shown, page, turn_id, telling)
