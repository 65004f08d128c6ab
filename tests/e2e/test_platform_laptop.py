"""`make up`, `make down` and `make reset`, as a person meets them (P4)."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from textwrap import indent

import httpx
import pytest

from chalicelib.access.scopes import Scope
from chalicelib.api.clients import configurations
from infra.local import emulation
from infra.local.__main__ import down, reset, up
from infra.local.emulator.__main__ import KNOWN_VERSION
from infra.local.places import ROOT, Places

pytestmark = pytest.mark.promise("P4")

UP = """
import signal, sys
from pathlib import Path
from infra.local.__main__ import interrupt, up
from infra.local.places import Places
signal.signal(signal.SIGTERM, interrupt)
# Also where the tests run in the background: a shell has its background jobs ignore Ctrl-C, and that is inherited.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(up(Places(home=Path(sys.argv[1]))))
"""
TELLING_LINE = "Ctrl-C stops it"


@contextmanager
def someone_ran_up(places: Places) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Another process that is up, and what it said until then."""
    command = [sys.executable, "-c", UP, str(places.home)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout
        said = ""
        for line in process.stdout:
            said += line
            if TELLING_LINE in line:
                break
        try:
            yield process, said
        finally:
            process.kill()
    emulation.end_orphan(places)


def test_up_shows_where_things_are_and_down_ends_it_from_another_shell(
    fresh_places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    with someone_ran_up(fresh_places) as (process, said):
        assert "API         http://127.0.0.1:" in said
        token = re.search(r"ACERVO_TOKEN=(acv_\S+)", said)
        assert token
        for pasted in configurations(re.search(r"MCP +(http://\S+/mcp)", said)[1], token[1]):  # type: ignore[index]
            assert indent(pasted.compact(), "    ") in said
        console = re.search(r"Console +(http://\S+/me)#sign-in=(\S+)", said)
        assert console
        assert f"{console[1]}  (later)" in said
        session = console[1].removesuffix("/me") + "/api/v1/session"
        signed = httpx.post(session, json={"link": console[2]}, timeout=30)
        assert len(signed.json()["scopes"]) == len(Scope)
        assert httpx.post(session, json={"link": console[2]}, timeout=30).status_code == 404
        kept = [
            fresh_places.home,
            fresh_places.index,
            *(each for each in fresh_places.data.rglob("*") if each.is_file()),
        ]
        assert [each for each in kept if each.stat().st_mode & 0o077] == []
        assert up(fresh_places) == 1
        assert f"already up, in process {process.pid}" in capsys.readouterr().out
        assert reset(fresh_places) == 1
        assert "`make down` first" in capsys.readouterr().out
        assert down(fresh_places) == 0
        assert process.wait(timeout=20) == 0
    assert emulation.running(fresh_places) is None
    assert down(fresh_places) == 0
    assert "Acervo is not up." in capsys.readouterr().out
    assert fresh_places.data.exists()
    assert reset(fresh_places) == 0
    assert not fresh_places.data.exists()


def test_up_cleans_up_after_a_run_that_was_killed(fresh_places: Places) -> None:
    with someone_ran_up(fresh_places) as (process, _):
        process.kill()
        process.wait()
        left = emulation.running(fresh_places)
        assert left
        with someone_ran_up(fresh_places) as (_, said):
            assert f"left its cloud behind (process {left})" in said
            assert emulation.running(fresh_places) not in {None, left}


def test_ctrl_c_stops_it_cleanly(fresh_places: Places) -> None:
    with someone_ran_up(fresh_places) as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
        assert process.stdout
        assert "What you put in stays" in process.stdout.read()
    assert emulation.running(fresh_places) is None


def test_the_mends_know_the_emulator_that_is_installed() -> None:
    pins = dict(line.split("==") for line in (ROOT / "requirements-local.txt").read_text().splitlines() if "==" in line)
    assert pins["ministack"] == KNOWN_VERSION
    assert version("localstack-client") == pins["localstack-client"]
