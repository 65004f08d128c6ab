"""The daily fuse: so many turns and model tokens a day, in this whole deployment, and not one more (rule N9)."""

from dataclasses import dataclass

from chalicelib.answers.ports import Spending


@dataclass(frozen=True, slots=True)
class SpendTurn:
    """Counts what turns cost. Answers from the cache cost nothing, so it is asked after the cache missed."""

    def __call__(self, page_id: str) -> None:
        """Take one turn of today's.

        Raises:
            DailyLimitReached: there are none left, or no tokens, or an operator blew the fuse.
            DefencesUnavailable: it cannot be counted.
        """
        raise NotImplementedError

    def spent(self, page_id: str, spending: Spending) -> None:
        """Add the tokens of a turn that was taken; never raises: the turn has been answered by then."""
        raise NotImplementedError
