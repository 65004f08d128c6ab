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
from contextlib import contextmanager
from itertools import pairwise
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
from tests.e2e.model_server import model_server
from tests.e2e.visitors import Visited, visited

pytestmark = pytest.mark.package


def _variables(template: Path) -> dict[str, str]:
    """What the template sets on the function, without what stands for names that a stack has."""

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_multi_constructor("!", lambda *_: None)
    properties = yaml.load(template.read_text(), Loader)["Resources"]["Answers"]["Properties"]  # noqa: S506 - a subclass of it
    assert properties["Handler"] == "chalicelib/api/stream/run"
    variables: dict[str, Any] = properties["Environment"]["Variables"]
    return {name: value for name, value in variables.items() if isinstance(value, str)}


@pytest.fixture(scope="module")
def page(running: Laptop) -> Iterator[Visited]:
    """A live page with something to say."""
    with visited(running) as made:
        yield made


@contextmanager
def started(running: Laptop, task: Path, template: Path, **settings: str) -> Iterator[Runtime]:
    """The function, started as Lambda starts it."""
    environment = {
        "PATH": f"{task.parent / 'bin'}:/usr/bin:/bin",
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
        **_variables(template),
        **settings,
        "AWS_LWA_PORT": str(free_port()),
    }
    runtime = Runtime()
    with runtime.serving() as address:
        processes = [
            subprocess.Popen(command, cwd=task, env={**environment, "AWS_LAMBDA_RUNTIME_API": address})
            for command in ([str(adapter())], ["/bin/bash", "-c", 'exec -- "${LAMBDA_TASK_ROOT}/${_HANDLER}"'])
        ]
        try:
            while not runtime.asked.wait(0.1):
                assert all(each.poll() is None for each in processes), "adapter or app ended at once"
            yield runtime
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(20)


@pytest.fixture(scope="module")
def task(real: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked zip, and beside it the interpreter without the project's environment."""
    home = tmp_path_factory.mktemp("lambda")
    unpack(real.archive, home / "task")
    (home / "bin").mkdir()
    (home / "bin" / "python3").symlink_to(Path(sys.executable).resolve())
    return home / "task"


@pytest.fixture(scope="module")
def function(running: Laptop, real: Package, task: Path) -> Iterator[Runtime]:
    """The function."""
    with started(running, task, real.template) as runtime:
        yield runtime


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
def test_lambda_says_where_a_visitor_is_from_whatever_the_visitor_says(function: Runtime, running: Laptop) -> None:
    """Questions of one address with as many forged headers share one bucket."""
    statuses = []
    with visited(running, limits={"turns_per_minute": 1, "burst": 3, "cooldown_s": 0}) as strict:
        for number in range(5):
            told = {"x-forwarded-for": f"198.51.100.{number}", "x-amzn-request-context": "{}"}
            event = url_event("POST", f"/pages/{strict.id}/turns", '{"question": "aa"}', told, "203.0.113.77")
            statuses.append(_ended(function.invoke(event)).status)
    assert statuses == [403, 403, 403, 429, 429]


@pytest.mark.promise("N4", "N5")
def test_events_arrive_as_they_are_made_and_a_visitor_who_leaves_stops_the_spending(
    running: Laptop, real: Package, task: Path, page: Visited
) -> None:
    """Lambda does not stop a function whose reader is gone; what the adapter then cannot write does."""
    with model_server(delay_s=1.0) as model:
        settings = {
            "ACERVO_ANSWERS_MODEL": "openai",
            "ACERVO_ANSWERS_MODEL_NAME": "slow",
            "ACERVO_ANSWERS_URL": model.url,
        }
        with started(running, task, real.template, **settings) as runtime:
            stayed = _ended(_asked(runtime, page, "A first question?"))
            assert stayed.status == 200
            calls = len(model.asked)
            assert calls > 1
            moments = [moment for moment, _ in stayed.arrived]
            assert b"[DONE]" not in stayed.arrived[0][1]
            assert max(after - before for before, after in pairwise(moments)) > model.delay_s / 2
            model.asked.clear()
            model.begun.clear()
            left = _asked(runtime, page, "A second question?")
            left.gone.set()
            assert model.begun.wait(20)
            time.sleep(4)
            assert len(model.asked) == 1, f"of {calls} calls, the first alone was on its way"
            assert not left.ended.is_set()


@pytest.mark.promise("N4")
def test_the_adapter_is_the_layers_own_version() -> None:
    """The layer that the template names has version 1.0 of the adapter, whose release candidate the crate is."""
    assert os.access(adapter(), os.X_OK)
