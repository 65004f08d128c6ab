"""A page with its defences over fakes."""

import base64
import json
from dataclasses import dataclass, field, replace
from typing import Any

import altcha

from chalicelib.adapters.altcha import AltchaCheck
from chalicelib.answers.addresses import Pseudonyms
from chalicelib.answers.defence_ports import Allowance, BotCheck
from chalicelib.answers.defences import Admit, Threshold, Visitor
from chalicelib.answers.fuse import SpendTurn
from chalicelib.answers.sessions import Challenge, OpenSession
from chalicelib.answers.tokens import SessionTokens
from chalicelib.domain.pages import Page
from tests.factories import a_page
from tests.fakes.machine import START, CountingSecrets, StillClock, Tally
from tests.fakes.pages import MemoryDefences, MemoryFuses, MemoryPages

NOON = START.replace(year=2099)
"""ALTCHA's library has a clock of its own besides; to that one, nothing of this has expired."""
OWN = "https://answers.example"
VISITOR = Visitor(origin="https://lola.example", own=OWN, peer="203.0.113.7")


def solved(challenge: Challenge) -> str:
    """What a browser makes of a challenge."""
    given = altcha.Challenge.from_dict(dict(challenge.facts))
    solution = altcha.solve_challenge(given)
    assert solution is not None
    payload = {"challenge": dict(challenge.facts), "solution": solution.to_dict()}
    return base64.b64encode(json.dumps(payload).encode()).decode()


@dataclass
class Gatehouse:
    """Everything before a turn, over fakes."""

    check: BotCheck = field(default_factory=lambda: AltchaCheck(cost=1))
    proxies: int = 0
    clock: StillClock = field(default_factory=lambda: StillClock(NOON))
    pages: MemoryPages = field(default_factory=MemoryPages)
    defences: MemoryDefences = field(default_factory=MemoryDefences)
    fuses: MemoryFuses = field(default_factory=MemoryFuses)
    meter: Tally = field(default_factory=Tally)
    allowance: Allowance = field(default_factory=lambda: Allowance(10, 1000))

    def __post_init__(self) -> None:
        self.page: Page = self.pages.add_page(a_page(), None)
        defences: Any = self.defences
        self.tokens = SessionTokens(defences, CountingSecrets(), self.clock)
        threshold = Threshold(self.pages, defences, Pseudonyms(defences), self.clock, self.meter, self.proxies)
        self.admit = Admit(threshold, self.tokens)
        self.open_session = OpenSession(threshold, self.check, defences, self.tokens)
        self.spend = SpendTurn(self.fuses, self.allowance, self.clock, self.meter)

    def visitor(self, **changes: Any) -> Visitor:
        """A visitor with a session of their own."""
        token, _ = self.tokens.new(self.page.id)
        return replace(VISITOR, **{"session": token, **changes})

    def ask(self, visitor: Visitor, question: str = "¿Hay piscina?", body_bytes: int = 100) -> str:
        return self.admit(self.page.id, visitor, question, body_bytes).session_id

    def refusals(self) -> list[tuple[str, str]]:
        return [(facts["what"], facts["code"]) for name, _, facts in self.meter.counted if name == "visitors_refused"]
