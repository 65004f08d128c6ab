"""What stands before public pages and remembers for them: for the streaming function alone."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from chalicelib.answers.addresses import Pseudonyms
from chalicelib.answers.conversation import Conversations
from chalicelib.answers.defence_ports import BotCheck
from chalicelib.answers.defences import Admit, Threshold
from chalicelib.answers.fuse import SpendTurn
from chalicelib.answers.ports import TopicReader
from chalicelib.answers.sessions import OpenSession
from chalicelib.answers.tokens import SessionTokens
from chalicelib.knowledge.content import ReadText
from chalicelib.settings import Settings
from chalicelib.wiring.pipes import Pipes
from chalicelib.wiring.services import topic_reader

if TYPE_CHECKING:
    from chalicelib.adapters.dynamodb.tables import Tables


@dataclass(frozen=True, slots=True)
class Gate:
    """The use cases of the defences, the conversations, and who reads topics."""

    admit: Admit
    open_session: OpenSession
    spend: SpendTurn
    conversations: Conversations
    read: TopicReader


def gate(settings: Settings, pipes: Pipes, tables: "Tables") -> Gate:
    """All of them, on the tables of the pipes."""
    from chalicelib.adapters.dynamodb.conversations import DynamoConversations
    from chalicelib.adapters.dynamodb.defences import DynamoBuckets, DynamoReplays

    keys, clock = pipes.day_keys, pipes.clock
    tokens = SessionTokens(keys, pipes.secrets, clock)
    threshold = Threshold(
        pipes.pages, DynamoBuckets(tables), Pseudonyms(keys), clock, pipes.meter, settings.trusted_proxies
    )
    return Gate(
        admit=Admit(threshold, tokens),
        open_session=OpenSession(threshold, check_of(settings), DynamoReplays(tables), tokens),
        spend=SpendTurn(pipes.fuses, pipes.allowance, clock, pipes.meter),
        conversations=Conversations(DynamoConversations(tables), pipes.ids, clock),
        read=topic_reader(pipes, ReadText(pipes.store, pipes.blobs)),
    )


def check_of(settings: Settings) -> BotCheck:
    """The bot check that the settings name."""
    match settings.proof:
        case "altcha":
            from chalicelib.adapters.altcha import AltchaCheck

            return AltchaCheck(settings.proof_cost)
        case "turnstile":
            import boto3

            from chalicelib.adapters.parameters import TurnstileSecret
            from chalicelib.adapters.turnstile import TurnstileCheck

            secret = TurnstileSecret(boto3.client("ssm"), settings.turnstile_secret_parameter)
            return TurnstileCheck(settings.turnstile_site_key, secret)
        case "none":
            from chalicelib.adapters.no_check import NoCheck

            return NoCheck()
        case never:
            assert_never(never)
