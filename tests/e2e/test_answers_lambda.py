"""The packaged streaming function with the real Lambda Web Adapter, on a double of Lambda's Runtime API.

What AWS does is done here: the zip unpacked, the adapter as an extension, the wrapper's one line, the template's
variables. Only Lambda itself is a double.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from infra.local.laptop import Laptop
from infra.local.places import free_port
from infra.package import Package
from infra.package.archive import unpack
from tests.e2e.lambda_adapter import adapter
from tests.e2e.lambda_runtime import Invocation, Runtime, url_event
from tests.e2e.visitors import Visited, visited

pytestmark = pytest.mark.package


def _variables(template: Path) -> dict[str, str]:
    """What the template sets on the function, without what stands for names that a stack has."""

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_multi_constructor("!", lambda *_: None)
    properties = yaml.load(template.read_text(), Loader)["Resources"]["Answers"]["Properties"]  # noqa: S506 - a subclass of it
    assert properties["Handler"] == "chalicelib/api/stream/run"
    variables: dict[str, str] = properties["Environment"]["Variables"]
    assert all(isinstance(value, str) for value in variables.values())
    return variables


@pytest.fixture(scope="module")
def page(running: Laptop) -> Visited:
    """A live page with something to say."""
    return visited(running)


@pytest.fixture(scope="module")
def function(running: Laptop, real: Package, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """The function, started as Lambda starts it."""
    task, path = tmp_path_factory.mktemp("task"), tmp_path_factory.mktemp("bin")
    unpack(real.archive, task)
    (path / "python3").symlink_to(Path(sys.executable).resolve())  # without the project's environment
    variables = _variables(real.template)
    port = str(free_port())
    environment = {
        "PATH": f"{path}:/usr/bin:/bin",
        "PYTHONPATH": str(task),
        "LAMBDA_TASK_ROOT": str(task),
        "_HANDLER": "chalicelib/api/stream/run",
        "AWS_LAMBDA_FUNCTION_NAME": "answers",
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
        "AWS_LAMBDA_LOG_GROUP_NAME": "answers",
        "AWS_LAMBDA_LOG_STREAM_NAME": "1",
        **running.stack.environment(),
        "ACERVO_EMBEDDER": "none",  # the laptop's is in the laptop's own environment
        **variables,
        "AWS_LWA_PORT": port,
    }
    runtime = Runtime()
    with runtime.serving() as address:
        started = [
            subprocess.Popen(command, cwd=task, env={**environment, "AWS_LAMBDA_RUNTIME_API": address})
            for command in ([str(adapter())], ["/bin/sh", "-c", 'exec -- "$LAMBDA_TASK_ROOT/$_HANDLER"'])
        ]
        try:
            assert runtime.asked.wait(60), "the adapter did not ask for work: the app is not ready"
            yield runtime
        finally:
            for process in started:
                process.terminate()
            for process in started:
                process.wait(20)


def _ended(invocation: Invocation) -> Invocation:
    assert invocation.ended.wait(60)
    assert invocation.error is None
    return invocation


def _asked(runtime: Runtime, page: Visited, question: str, **headers: str) -> Invocation:
    session = page.session_over(lambda method, path, body: _told(runtime, method, path, body))
    body = json.dumps({"question": question})
    given = {"x-acervo-session": session, **headers}
    return runtime.invoke(url_event("POST", f"/pages/{page.id}/turns", body, given, page.fresh_address()))


def _told(runtime: Runtime, method: str, path: str, body: str) -> Mapping[str, Any]:
    done = _ended(runtime.invoke(url_event(method, path, body)))
    told: Mapping[str, Any] = json.loads(done.body)
    return told


@pytest.mark.promise("N4", "P2")
def test_the_packaged_function_answers_with_a_stream(function: Runtime, page: Visited) -> None:
    answer = _ended(_asked(function, page, page.question))
    assert answer.status == 200
    assert answer.prelude["headers"]["content-type"] == "text/event-stream"
    assert answer.body.endswith(b"data: [DONE]\n\n")
    assert b'"type":"data-section"' in answer.body


@pytest.mark.promise("N4")
def test_events_arrive_as_they_are_made(function: Runtime, page: Visited) -> None:
    answer = _ended(_asked(function, page, page.question))
    first, last = answer.arrived[0], answer.arrived[-1]
    assert b'"type":"start"' in first[1]
    assert b"[DONE]" not in first[1]
    assert len(answer.arrived) > 2
    assert last[0] > first[0]


@pytest.mark.promise("N4", "N9")
def test_what_is_refused_keeps_its_status_and_has_a_body(function: Runtime, page: Visited) -> None:
    missing = _ended(function.invoke(url_event("POST", "/pages/page_none/turns", '{"question": "a"}')))
    assert (missing.status, json.loads(missing.body)["code"]) == (404, "not_found")
    sessionless = _ended(function.invoke(url_event("POST", f"/pages/{page.id}/turns", '{"question": "aa"}')))
    assert (sessionless.status, json.loads(sessionless.body)["code"]) == (403, "session_required")
    preflight = _ended(
        function.invoke(url_event("OPTIONS", f"/pages/{page.id}/turns", headers={"origin": page.origin}))
    )
    assert preflight.status == 200
    assert preflight.body
    assert preflight.prelude["headers"]["access-control-allow-origin"] == page.origin


@pytest.mark.promise("N4")
def test_the_page_and_its_files_come_whole(function: Runtime, page: Visited) -> None:
    html = _ended(function.invoke(url_event("GET", f"/p/{page.id}")))
    assert html.status == 200
    script = html.body.decode().split('src="')[1].split('"')[0]
    done = _ended(function.invoke(url_event("GET", script, headers={"accept-encoding": "gzip"})))
    assert done.status == 200
    assert done.body.startswith(b"\x1f\x8b")


@pytest.mark.promise("N5")
def test_a_function_that_is_about_to_be_ended_ends_its_turn_in_order(function: Runtime, page: Visited) -> None:
    session = page.session_over(lambda method, path, body: _told(function, method, path, body))
    event = url_event("POST", f"/pages/{page.id}/turns", json.dumps({"question": "?a"}), {"x-acervo-session": session})
    answer = _ended(function.invoke(event, deadline_s=2))  # of which the turn leaves two to end
    assert b'"final":false' in answer.body
    assert b'"type":"error"' in answer.body
    assert answer.body.endswith(b"data: [DONE]\n\n")


@pytest.mark.promise("N8")
def test_lambda_says_where_a_visitor_is_from_whatever_the_visitor_says(function: Runtime, page: Visited) -> None:
    """Twenty questions of one address with twenty forged headers share one bucket."""
    statuses = []
    for number in range(20):
        forged = {"x-forwarded-for": f"198.51.100.{number}", "x-amzn-request-context": '{"http": {"sourceIp": "::1"}}'}
        event = url_event("POST", f"/pages/{page.id}/turns", '{"question": "aa"}', forged, "203.0.113.77")
        statuses.append(_ended(function.invoke(event)).status)
    assert 429 in statuses


@pytest.mark.promise("N5")
def test_the_app_learns_that_a_visitor_left(function: Runtime, page: Visited) -> None:
    """Lambda does not stop a function whose reader is gone; the adapter's broken pipe does."""
    answer = _asked(function, page, page.slow_question)
    deadline = time.monotonic() + 20
    while not answer.arrived and time.monotonic() < deadline:
        time.sleep(0.01)
    answer.gone.set()
    # The next request is answered: nothing hangs, and the one before left no transcript.
    after = _ended(_asked(function, page, page.question))
    assert after.status == 200
    assert not answer.ended.is_set()


def test_the_adapter_is_the_layers_own_version() -> None:
    """The layer that the template names has version 1.0 of the adapter, whose release candidate the crate is."""
    assert os.access(adapter(), os.X_OK)
