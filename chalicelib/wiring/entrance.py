"""Signing in with a browser, over whatever pipes there are."""

from dataclasses import dataclass
from functools import partial

from chalicelib.access.identities import AdmitIdentity
from chalicelib.access.limits import Limit
from chalicelib.access.provider_sign_in import BEGINNINGS, DepartToProvider, ReturnFromProvider
from chalicelib.access.sessions import AuthenticateSession, BeginSession, EndSession
from chalicelib.access.signing_in import MakeLink, SignInByLink, SignInByToken, SignInLimit
from chalicelib.access.tokens import Authenticate
from chalicelib.answers.addresses import Pseudonyms
from chalicelib.wiring.pipes import Pipes


@dataclass(frozen=True, slots=True)
class Provider:
    """Signing in with an identity provider."""

    depart: DepartToProvider
    come_back: ReturnFromProvider


@dataclass(frozen=True, slots=True)
class Entrance:
    """Every use case of browsers that sign in."""

    authenticate: AuthenticateSession
    end: EndSession
    by_token: SignInByToken
    by_link: SignInByLink
    make_link: MakeLink
    provider: Provider | None
    """None where no identity provider is configured."""


def entrance(pipes: Pipes) -> Entrance:
    """The use cases of browsers that sign in."""
    keys, sessions, clock = pipes.keys, pipes.sessions, pipes.clock
    limited = partial(SignInLimit, Limit(pipes.rates, clock), Pseudonyms(pipes.day_keys), clock)
    begin, tries = BeginSession(sessions, pipes.secrets, clock), limited("sign-in", pipes.sign_in_tries)
    provider = None
    if pipes.provider is not None:
        beginnings = limited("sign-in-begun", pipes.sign_in_tries * BEGINNINGS)
        admit = AdmitIdentity(keys, pipes.ids, clock)
        provider = Provider(
            DepartToProvider(beginnings, pipes.attempts, pipes.provider, pipes.secrets, clock),
            ReturnFromProvider(tries, pipes.attempts, pipes.provider, admit, begin, clock),
        )
    return Entrance(
        authenticate=AuthenticateSession(sessions, keys, clock),
        end=EndSession(sessions),
        by_token=SignInByToken(tries, Authenticate(keys, clock), keys, begin),
        by_link=SignInByLink(tries, keys, sessions, begin, clock),
        make_link=MakeLink(keys, sessions, pipes.secrets, clock),
        provider=provider,
    )
