"""What becomes of a batch of table changes once its function has answered.

Lambda's rules for stream sources, without any emulator: partial failures move the reading place
to the first failed change, an error splits the batch until the bad change stands alone, and only
a change that stands alone uses up its tries and ends among the dead letters.
"""

from dataclasses import dataclass, replace

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 1.0
DOUBLINGS = 10


@dataclass(frozen=True)
class Rules:
    """What the event source mapping asks for; negative retries mean for ever."""

    batch_size: int
    retries: int
    bisect: bool
    partial: bool


@dataclass(frozen=True)
class Progress:
    """Where a mapping stands with the change at its reading place."""

    tries: int = 0
    width: int | None = None


@dataclass(frozen=True)
class Verdict:
    """Move `advance` changes on; if `dead`, they went to the dead letters; then pause."""

    advance: int
    progress: Progress
    dead: bool = False
    pause_s: float = 0.0


def width(rules: Rules, progress: Progress) -> int:
    """How many changes to read next."""
    return progress.width or rules.batch_size


def succeeded(size: int) -> Verdict:
    """The whole batch was handled."""
    return Verdict(advance=size, progress=Progress())


def failed(size: int, first_failed: int, rules: Rules, progress: Progress) -> Verdict:
    """The change at `first_failed` was not handled; those before it were."""
    if first_failed > 0:
        narrowed = max(1, (size - first_failed) // 2) if rules.bisect else None
        return Verdict(advance=first_failed, progress=Progress(width=narrowed))
    if rules.bisect and size > 1:
        return Verdict(advance=0, progress=replace(progress, width=size // 2))
    tries = progress.tries + 1
    if 0 <= rules.retries < tries:
        return Verdict(advance=size, progress=Progress(), dead=True)
    pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(tries - 1, DOUBLINGS))
    return Verdict(advance=0, progress=replace(progress, tries=tries), pause_s=pause)


def first_failed(numbers: list[str], reported: list[str]) -> int | None:
    """Index of the first change reported as failed; an unknown report condemns the whole batch."""
    if not reported:
        return None
    places = [numbers.index(number) if number in numbers else 0 for number in reported]
    return min(places)
