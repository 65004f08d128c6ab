"""What was said in a tab, as the server remembers it; what a client sends as history is ignored (rules N7, N8)."""

import hmac
import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import timedelta

from chalicelib.answers.asking import Asked
from chalicelib.answers.ports import Conversation, ConversationStore, Exchange
from chalicelib.domain.errors import ConcurrentChange, KnownError, NotFound, TurnUnderway
from chalicelib.domain.ids import Ids, Kind, is_id
from chalicelib.domain.time import Clock

KEPT = timedelta(hours=24)
"""After its last exchange."""
MOST = 50
"""Exchanges of one conversation; beyond these, the oldest are forgotten."""
MOST_BYTES = 200_000
_LONGEST = 4000
"""Characters of a question or spoken answer."""
_MOST_SHOWN = 200
"""Components, and images, of one exchange."""
_GRACE = timedelta(seconds=5)
"""A turn ends so much after its deadline, at the latest."""


@dataclass(frozen=True, slots=True)
class Conversations:
    """Where turns begin and end: one at a time in each conversation."""

    store: ConversationStore
    ids: Ids
    clock: Clock

    def begin(self, asked: Asked) -> Conversation:
        """The conversation to answer in; without the exchange that is to be replaced, for `regenerate`.

        A new one is nowhere yet: it is written with its first exchange. One that goes on is held until `keep` or
        `release`, at most until shortly after `asked.deadline`.

        Raises:
            NotFound: there is none with that id, of this page and this session, that has not expired.
            TurnUnderway: another turn of it is being answered.
        """
        now = self.clock.now()
        if asked.conversation_id is None:
            return Conversation(self.ids.new(Kind.CONVERSATION), asked.page.id, asked.session_id, (), 0, now + KEPT)
        found = self._found(asked, asked.conversation_id)
        if found.held_until is not None and found.held_until > now:
            raise TurnUnderway
        try:
            held = self.store.hold(found, asked.deadline + _GRACE)
        except ConcurrentChange:
            raise TurnUnderway from None
        return replace(held, exchanges=held.exchanges[:-1]) if asked.regenerate else held

    def _found(self, asked: Asked, conversation_id: str) -> Conversation:
        found = self.store.conversation(conversation_id) if is_id(conversation_id, Kind.CONVERSATION) else None
        # The row may outlive its moment by two days: DynamoDB removes it when it has time.
        if found is None or found.expires_at <= self.clock.now() or found.page_id != asked.page.id:
            raise NotFound
        if not hmac.compare_digest(found.session_id.encode(), asked.session_id.encode()):
            raise NotFound
        return found

    def keep(self, conversation: Conversation, exchange: Exchange) -> Conversation:
        """Add the exchange to the conversation that `begin` gave, and let it go.

        Raises ConcurrentChange or NotFound if another turn was let in meanwhile, or the conversation expired, which
        only happens after the deadline.
        """
        exchanges = _bounded((*conversation.exchanges, _shortened(exchange)))
        after = replace(conversation, exchanges=exchanges, expires_at=self.clock.now() + KEPT)
        return self.store.keep(conversation, after)

    def release(self, conversation: Conversation) -> None:
        """Let it go without an exchange, for a turn that failed; never raises."""
        if conversation.version:
            # It lets itself go a little later.
            with suppress(KnownError):
                self.store.release(conversation)


def _shortened(exchange: Exchange) -> Exchange:
    return replace(
        exchange,
        question=_unicode(exchange.question[:_LONGEST]),
        spoken=_unicode(exchange.spoken[:_LONGEST]),
        components=exchange.components[:_MOST_SHOWN],
        image_ids=exchange.image_ids[:_MOST_SHOWN],
    )


def _unicode(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON can hold and no table."""
    return text.encode(errors="replace").decode()


def _bounded(exchanges: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
    """The newest of them, as many as may be kept; at least the last."""
    kept, size = 0, 0
    for each in reversed(exchanges[-MOST:]):
        size += len(json.dumps(asdict(each), ensure_ascii=False).encode())
        if kept and size > MOST_BYTES:
            break
        kept += 1
    return exchanges[-kept:]
