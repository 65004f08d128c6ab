"""What was said in a tab, as the server remembers it; what a client sends as history is ignored (rules N7, N8)."""

from dataclasses import dataclass

from chalicelib.answers.asking import Asked
from chalicelib.answers.ports import Conversation, Exchange


@dataclass(frozen=True, slots=True)
class Conversations:
    """Where turns begin and end: one at a time in each conversation."""

    def begin(self, asked: Asked) -> Conversation:
        """The conversation to answer in; without the exchange that is to be replaced, for `regenerate`.

        A new one is nowhere yet: it is written with its first exchange. One that goes on is held until `keep` or
        `release`, at most until shortly after `asked.deadline`.

        Raises:
            NotFound: there is none with that id, of this page and this session, that has not expired.
            TurnUnderway: another turn of it is being answered.
        """
        raise NotImplementedError

    def keep(self, conversation: Conversation, exchange: Exchange) -> Conversation:
        """Add the exchange to the conversation that `begin` gave, and let it go.

        Raises ConcurrentChange if another turn was let in meanwhile, which only happens after the deadline.
        """
        raise NotImplementedError

    def release(self, conversation: Conversation) -> None:
        """Let it go without an exchange, for a turn that failed; never raises."""
        raise NotImplementedError
