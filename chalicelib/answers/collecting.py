"""All parts of a turn at once, for whoever waits for the end of it (rule N6)."""

from collections.abc import Iterable
from dataclasses import dataclass

from chalicelib.answers.parts import Began, Failed, Finished, Part, Section, Sections, Spoken


@dataclass(frozen=True, slots=True)
class Answer:
    """A turn that has ended."""

    conversation_id: str
    turn_id: str
    spoken: str
    sections: tuple[Section, ...]
    language: str
    failure: Failed | None
    """None if the turn ended in order."""
    complete: bool
    """Whether the turn reached its end, in order or not; False if the visitor was gone."""


def collect(parts: Iterable[Part]) -> Answer:
    """The same answer that a stream of these parts shows. Raises what keeps the turn from being taken."""
    told = list(parts)
    began = next(each for each in told if isinstance(each, Began))
    arrived = {each.id: each for each in told if isinstance(each, Section)}
    last = next((each for each in told if isinstance(each, Sections)), None)
    return Answer(
        conversation_id=began.conversation_id,
        turn_id=began.turn_id,
        spoken="".join(each.text for each in told if isinstance(each, Spoken)),
        sections=tuple(arrived[each] for each in last.ids) if last else tuple(arrived.values()),
        language=last.language if last else "",
        failure=next((each for each in told if isinstance(each, Failed)), None),
        complete=isinstance(told[-1], Finished | Failed),
    )
