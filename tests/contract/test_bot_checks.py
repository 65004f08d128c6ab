"""What bot checks do on their wires: ALTCHA by its own library, Turnstile by a server that answers as Cloudflare's."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import altcha
import boto3
import pytest

from chalicelib.adapters.altcha import AltchaCheck
from chalicelib.adapters.parameters import TurnstileSecret
from chalicelib.adapters.turnstile import TurnstileCheck
from chalicelib.domain.errors import ProofRejected, ProofUnavailable
from infra.local.places import free_port
from tests.contract.test_embedders import serving
from tests.unit.answers.gatekeeping import NOON

pytestmark = pytest.mark.promise("N9")

PAGE = "page_01m9kywk2y0000000000xsnjjy"
KEYS = (b"k" * 32, b"o" * 32)


def test_altchas_own_solver_meets_what_is_asked_at_the_real_cost() -> None:
    check = AltchaCheck()
    facts = dict(check.challenge(PAGE, KEYS[0], NOON))
    json.dumps(facts, allow_nan=False)
    challenge = altcha.Challenge.from_dict(facts)
    solution = altcha.solve_challenge(challenge)
    assert solution is not None
    proof = altcha.Payload(challenge, solution).to_base64()
    proven = check.verify(proof, PAGE, (KEYS[1], KEYS[0]), NOON)
    assert proven is not None
    assert len(proven.once) == 64
    with pytest.raises(ProofRejected):
        check.verify(proof, PAGE, KEYS[1:], NOON)
    wrong = altcha.Payload(challenge, altcha.Solution(solution.counter + 1, solution.derived_key)).to_base64()
    with pytest.raises(ProofRejected):
        check.verify(wrong, PAGE, KEYS, NOON)


@pytest.mark.parametrize("proof", ["", "x" * 5000, "not base64", base64.b64encode(b"[" * 3000).decode()])
def test_altcha_refuses_rubbish(proof: str) -> None:
    with pytest.raises(ProofRejected):
        AltchaCheck().verify(proof, PAGE, KEYS, NOON)


@contextmanager
def cloudflare(answer: object, seen: list[dict[str, Any]]) -> Iterator[TurnstileCheck]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            seen.append({**json.loads(body), "type": self.headers["content-type"]})
            said = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with serving(Handler) as url:
        yield TurnstileCheck("site", lambda: "secret", url, 2.0)


def test_turnstile_is_asked_without_the_visitors_address_and_bound_to_the_page() -> None:
    seen: list[dict[str, Any]] = []
    with cloudflare({"success": True, "action": PAGE, "hostname": "lola.example"}, seen) as check:
        proven = check.verify("token", PAGE, KEYS, NOON)
        assert proven is not None
        assert "token" not in proven.once
        with pytest.raises(ProofRejected):
            check.verify("token", "page_other", KEYS, NOON)
    assert seen[0] == {"secret": "secret", "response": "token", "type": "application/json"}
    assert check.challenge(PAGE, KEYS[0], NOON) == {"site_key": "site", "action": PAGE}


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        ({"success": False, "error-codes": ["invalid-input-response"]}, ProofRejected),
        ({"success": False, "error-codes": ["timeout-or-duplicate"]}, ProofRejected),
        ({"success": False}, ProofRejected),
        ({"success": "true", "action": PAGE}, ProofRejected),
        ({"success": True}, ProofRejected),
        ({"success": False, "error-codes": ["invalid-input-secret"]}, ProofUnavailable),
        ({"success": False, "error-codes": ["internal-error"]}, ProofUnavailable),
        ([], ProofUnavailable),
        (b"<html>", ProofUnavailable),
    ],
)
def test_what_turnstile_does_not_vouch_for_is_refused(answer: object, refusal: type[Exception]) -> None:
    with cloudflare(answer, []) as check, pytest.raises(refusal):
        check.verify("token", PAGE, KEYS, NOON)


def test_a_turnstile_that_does_not_answer_closes_the_page() -> None:
    check = TurnstileCheck("site", lambda: "secret", f"http://127.0.0.1:{free_port()}", 1.0)
    with pytest.raises(ProofUnavailable):
        check.verify("token", PAGE, KEYS, NOON)
    for proof in ("", "x" * 3000):
        with pytest.raises(ProofRejected):
            check.verify(proof, PAGE, KEYS, NOON)


def test_the_secret_of_turnstile_is_read_from_its_parameter(aws: None) -> None:
    client = boto3.client("ssm")
    client.put_parameter(Name="/turnstile", Value="0x4AAA", Type="SecureString")
    secret = TurnstileSecret(client, "/turnstile")
    assert secret() == secret() == "0x4AAA"
    with pytest.raises(ProofUnavailable):
        TurnstileSecret(client, "/none")()
