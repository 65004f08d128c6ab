"""What visitors leave behind: searched for in every table, and in what is logged (rules N8, N9)."""

import io
import json
from contextlib import redirect_stdout
from typing import Any

import pytest

from chalicelib.adapters.altcha import AltchaCheck
from chalicelib.adapters.dynamodb.tables import Tables
from chalicelib.adapters.machine import SystemSecrets
from chalicelib.adapters.powertools import EmbeddedMetrics
from chalicelib.answers.addresses import Pseudonyms
from chalicelib.answers.asking import Asked
from chalicelib.answers.conversation import Conversations
from chalicelib.answers.defence_ports import Allowance
from chalicelib.answers.defences import Admit, Threshold, Visitor
from chalicelib.answers.fuse import ResetDay, SpendTurn
from chalicelib.answers.ports import Exchange, Spending
from chalicelib.answers.sessions import OpenSession
from chalicelib.answers.tokens import SessionTokens
from chalicelib.domain.errors import KnownError
from tests.contract.conftest import Gates, gates_on
from tests.factories import a_page
from tests.fakes.machine import CountingIds, StillClock
from tests.unit.answers.gatekeeping import NOON, solved

pytestmark = pytest.mark.promise("N8")

ADDRESS, SIXTH = "203.0.113.77", "2001:db8:abcd:12:9999:8888:7777:6666"
QUESTION = "¿Cuál es el teléfono de mi abuela Eulalia?"


def _everything(tables: Tables) -> list[dict[str, Any]]:
    names = (tables.records, tables.revisions, tables.ephemeral)
    return [row for name in names for row in tables.client.scan(TableName=name)["Items"]]


def test_no_address_token_or_question_is_in_a_key_and_no_address_or_token_anywhere(tables: Tables) -> None:
    gates: Gates = gates_on(tables)
    clock, out = StillClock(NOON), io.StringIO()
    page = gates.pages.add_page(a_page(), None)
    tokens = SessionTokens(gates.keys, SystemSecrets(), clock)
    with redirect_stdout(out):
        meter = EmbeddedMetrics("test")
        threshold = Threshold(gates.pages, gates.buckets, Pseudonyms(gates.keys), clock, meter, 1)
        opening = OpenSession(threshold, AltchaCheck(1), gates.replays, tokens)
        admit, talks = Admit(threshold, tokens), Conversations(gates.conversations, CountingIds(), clock)
        spend = SpendTurn(gates.fuses, Allowance(10, 1000), clock, meter)
        said: list[str] = []
        for address in (ADDRESS, SIXTH):
            visitor = Visitor("https://lola.example", "https://own.example", "10.0.0.1", f"198.51.100.1, {address}")
            proof = solved(opening.challenge(page.id, visitor))
            session = opening(page.id, visitor, proof)
            asking = Visitor(visitor.origin, visitor.own, visitor.peer, visitor.forwarded, session.token)
            admitted = admit(page.id, asking, QUESTION, 100)
            for broken in (Visitor("null", "", address), Visitor(None, "", address, "", f"{session.token}x")):
                with pytest.raises(KnownError):
                    admit(page.id, broken, QUESTION, 100)
            asked = Asked(page, admitted.session_id, QUESTION, None, False, clock.now(), lambda: False)  # noqa: FBT003
            talk = talks.keep(talks.begin(asked), Exchange(QUESTION, "No lo sé.", ("notice",), (), "es"))
            talks.release(talks.begin(Asked(page, admitted.session_id, QUESTION, talk.id, True, NOON, lambda: False)))  # noqa: FBT003
            spend()
            spend.spent(page.id, Spending(1, 1))
            said += [session.token, session.token.rpartition(".")[2], proof]
    rows = _everything(tables)
    keys = json.dumps([[row["pk"], row.get("sk")] for row in rows], ensure_ascii=False)
    whole, logged = json.dumps(rows, ensure_ascii=False), out.getvalue()
    assert '"visitors_refused"' in logged
    network = "2001:db8:abcd:12"
    for secret in (ADDRESS, SIXTH, network, "198.51.100.1", "10.0.0.1", *said):
        assert secret not in whole
        assert secret not in logged
    for word in ("abuela", "Eulalia", "teléfono"):
        assert word not in keys
        assert word not in logged
    assert "Eulalia" in whole, "the transcript itself is kept, for a day"
    expiring = [row for row in rows if row["pk"]["S"].partition("#")[0] in {"bucket", "daykey", "used", "conversation"}]
    assert len(expiring) >= 8
    latest = int(NOON.timestamp()) + 48 * 3600
    assert all(int(row["expires_at"]["N"]) <= latest for row in expiring), "all of it is gone within two days"


def test_after_midnight_nobody_can_tell_whose_bucket_it_was(tables: Tables) -> None:
    gates, clock = gates_on(tables), StillClock(NOON)
    name = Pseudonyms(gates.keys)(ADDRESS, clock.now())
    clock.pass_(hours=12)
    ResetDay(gates.fuses, gates.keys, clock, EmbeddedMetrics("test"))()
    secrets = [row["secret"]["S"] for row in _everything(tables) if "secret" in row]
    assert secrets == []
    assert Pseudonyms(gates.keys)(ADDRESS, NOON) != name, "the key is not made again from anything"
