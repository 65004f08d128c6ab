"""The MCP endpoint as HTTP sees it."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from chalicelib.api.mcp.server import VERSION
from tests.unit.mcp.desk import NEW, OLD, Desk

pytestmark = pytest.mark.promise("A4", "A5")


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_client_shakes_hands_in_the_old_era(desk: Desk) -> None:
    asked = {"protocolVersion": OLD, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    result = desk.send("initialize", asked).json["result"]
    assert result["protocolVersion"] == OLD
    assert result["serverInfo"]["name"] == "acervo"
    assert "tools" in result["capabilities"]


def test_a_client_discovers_in_the_new_era(desk: Desk) -> None:
    result = desk.send("server/discover", era=NEW).json["result"]
    assert result["supportedVersions"] == [NEW]
    assert result["cacheScope"] == "private"


@pytest.mark.parametrize(("era", "status"), [(OLD, 200), (NEW, 404)])
def test_an_unknown_method_is_refused_as_its_era_has_it(desk: Desk, era: str, status: int) -> None:
    answer = desk.send("resources/secret", era=era)
    assert (answer.status, answer.json["error"]["code"]) == (status, -32601)


def test_a_notification_is_taken_without_a_word(desk: Desk) -> None:
    answer = desk.world.web(
        "POST", "/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, token=desk.ana.token
    )
    assert (answer.status, answer.text) == (202, "")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_to_open_and_no_session_to_end(desk: Desk, method: str) -> None:
    answer = desk.world.web(method, "/mcp", token=desk.ana.token)
    assert (answer.status, answer.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
        (b'"text"', -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {"secret": 1}, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 7}', -32600),
    ],
)
@pytest.mark.parametrize("era", [OLD, NEW])
def test_what_is_no_message_is_refused_without_quoting_it(desk: Desk, body: bytes, code: int, era: str) -> None:
    answer = desk.world.web("POST", "/mcp", raw=body, token=desk.ana.token, headers={"mcp-protocol-version": era})
    assert (answer.status, answer.json["error"]["code"]) == (400, code)
    assert "pydantic" not in answer.text
    assert "secret" not in answer.text


def test_a_body_of_a_megabyte_is_too_large(desk: Desk) -> None:
    answer = desk.world.web("POST", "/mcp", raw=b" " * 1_000_001, token=desk.ana.token)
    assert (answer.status, answer.json["code"]) == (413, "payload_too_large")


@pytest.mark.promise("A2")
@pytest.mark.parametrize(
    "authorization", [None, "Bearer nonsense", "Basic YTpi", "Bearer acv_" + "0" * 26 + "_" + "x" * 43]
)
def test_without_a_valid_token_there_is_nothing(desk: Desk, authorization: str | None) -> None:
    headers = {"authorization": authorization} if authorization else {}
    answer = desk.world.web("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)
    assert (answer.status, answer.json["code"]) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


@pytest.mark.promise("A1")
def test_a_revoked_token_is_refused_in_the_next_request(desk: Desk) -> None:
    token = desk.token(desk.ana, "ordinary-full", "knowledge:read")
    assert desk.tools(token) == ["search_knowledge"]
    listed = desk.world.ok(desk.ana, "GET", "/api/v1/tokens")["tokens"]
    mine = next(each["id"] for each in listed if each["name"] == "ordinary-full token")
    desk.world.ok(desk.ana, "DELETE", f"/api/v1/tokens/{mine}")
    assert desk.send("tools/list", token=token).status == 401


@pytest.mark.promise("A2")
@pytest.mark.parametrize("era", [OLD, NEW])
def test_a_missing_scope_is_named_where_every_kind_of_client_looks(desk: Desk, era: str) -> None:
    token = desk.token(desk.ana, "ordinary-full", "memory:read")
    call = {"name": "search_knowledge", "arguments": {"query": "one"}}
    answer = desk.send("tools/call", call, token=token, era=era)
    assert answer.status == 403
    assert answer.headers["WWW-Authenticate"].endswith('error="insufficient_scope", scope="knowledge:read"')
    assert (answer.json["code"], answer.json["required"]) == ("insufficient_scope", ["knowledge:read"])
    assert answer.json["error"]["data"]["required"] == ["knowledge:read"]
    assert answer.json["id"] == 1


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost.evil.example"])
def test_pages_of_other_sites_may_not_call(desk: Desk, origin: str) -> None:
    answer = desk.send("tools/list", origin=origin, host="acervo.example")
    assert (answer.status, answer.json["code"]) == (403, "foreign_origin")


@pytest.mark.parametrize("origin", ["http://localhost:6274", "http://127.0.0.1:3000", "https://acervo.example"])
def test_pages_of_this_machine_and_of_this_host_may(desk: Desk, origin: str) -> None:
    assert desk.send("tools/list", origin=origin, host="acervo.example").status == 200


def test_an_origin_may_be_allowed_by_the_settings(desk: Desk) -> None:
    from dataclasses import replace

    desk.world.web.services = replace(desk.world.services, mcp_origins=frozenset({"https://ide.example"}))
    assert desk.send("tools/list", origin="https://ide.example", host="acervo.example").status == 200


def test_the_way_to_an_identity_provider_is_published_only_if_there_is_one(desk: Desk) -> None:
    from dataclasses import replace

    addresses = ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp")
    for each in addresses:
        answer = desk.world.web("GET", each)
        assert (answer.status, answer.json["code"]) == (404, "no_such_route")
    desk.world.web.services = replace(
        desk.world.services, oidc_issuer="https://id.example", public_url="https://a.example"
    )
    for each in addresses:
        found = desk.world.web("GET", each).json
        assert (found["resource"], found["authorization_servers"]) == ("https://a.example/mcp", ["https://id.example"])
    refused = desk.world.web("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert refused.status == 401
    assert refused.headers["WWW-Authenticate"].endswith(f'resource_metadata="https://a.example{addresses[0]}"')
    assert refused.json["resource_metadata"] == f"https://a.example{addresses[0]}"


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/html", ""])
def test_any_accept_will_do(desk: Desk, accept: str) -> None:
    assert desk.send("tools/list", accept=accept).status == 200


def test_blanks_around_header_values_do_no_harm(desk: Desk) -> None:
    headers = {"mcp-protocol-version": f" {OLD} "}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert desk.world.web("POST", "/mcp", message, token=desk.ana.token, headers=headers).status == 200


def test_an_answer_has_one_content_type(desk: Desk) -> None:
    answer = desk.send("tools/list")
    assert [name for name in answer.headers if name.lower() == "content-type"] == ["Content-Type"]


@pytest.mark.promise("H4")
def test_a_fault_of_ours_tells_a_request_id_and_nothing_else(desk: Desk) -> None:
    class Broken:
        def __call__(self, *_: object) -> Any:
            message = "secret detail"
            raise RuntimeError(message)

    from dataclasses import replace

    desk.world.web.services = replace(desk.world.services, retrieve=Broken())  # type: ignore[arg-type]
    answer = desk.send("tools/call", {"name": "search_knowledge", "arguments": {"query": "one"}})
    assert answer.json["error"]["code"] == -32603
    assert "request" in answer.json["error"]["message"]
    assert "secret" not in answer.text
    _, _, outcome = desk.world.journal.entries[-1]
    assert isinstance(outcome.fault, RuntimeError)


def test_the_server_says_the_version_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    assert project["project"]["version"] == VERSION


def test_nothing_of_the_sdk_is_imported_before_the_first_call() -> None:
    import subprocess
    import sys

    script = "import app, sys; print({'mcp', 'mcp_types', 'starlette', 'jwt'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=_ROOT)
    assert done.stdout.strip() == "set()"


_ROOT = Path(__file__).parents[3]
