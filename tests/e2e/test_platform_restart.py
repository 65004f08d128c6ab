"""Data that survive stops, kills and restarts (P4)."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from infra.local import emulation
from infra.local.emulation import EmulationError
from infra.local.laptop import Laptop, laptop
from infra.local.locks import Lock
from infra.local.places import PlaceError, Places, free_port, is_free
from tests.e2e.people import until

PATIENCE_S = 20.0


def row(started: Laptop, pk: str) -> dict[str, Any] | None:
    """A row of the records table."""
    table = started.stack.admin_session().resource("dynamodb").Table(started.stack.outputs["RecordsTable"])
    found: dict[str, Any] | None = table.get_item(Key={"pk": pk, "sk": "probe"}).get("Item")
    return found


def put_row(started: Laptop, pk: str) -> None:
    """Write one."""
    table = started.stack.admin_session().resource("dynamodb").Table(started.stack.outputs["RecordsTable"])
    table.put_item(Item={"pk": pk, "sk": "probe"})


@pytest.mark.promise("P4")
def test_a_restart_finds_everything_as_it_was(fresh_places: Places) -> None:
    with laptop(fresh_places, persist=True) as first:
        put_row(first, "kept")
        storage, bucket = first.stack.admin_session().client("s3"), first.stack.outputs["ContentBucket"]
        old = storage.put_object(Bucket=bucket, Key="content/kept", Body=b"one")["VersionId"]
        storage.put_object(Bucket=bucket, Key="content/kept", Body=b"two")
        gone = storage.put_object(Bucket=bucket, Key="content/gone", Body=b"three")["VersionId"]
        storage.delete_object(Bucket=bucket, Key="content/gone", VersionId=gone)
        with closing(sqlite3.connect(fresh_places.index)) as index, index:
            index.execute("CREATE TABLE IF NOT EXISTS probe (x)")
    started = time.monotonic()
    with laptop(fresh_places, persist=True) as second:
        assert time.monotonic() - started < 10
        assert second.stack == first.stack
        assert row(second, "kept")
        storage = second.stack.admin_session().client("s3")
        assert storage.get_object(Bucket=bucket, Key="content/kept")["Body"].read() == b"two"
        assert storage.get_object(Bucket=bucket, Key="content/kept", VersionId=old)["Body"].read() == b"one"
        assert not storage.list_object_versions(Bucket=bucket, Prefix="content/gone").get("Versions")
    with closing(sqlite3.connect(fresh_places.index)) as index:
        assert index.execute("SELECT name FROM sqlite_master WHERE name = 'probe'").fetchall()
    assert not [path for path in fresh_places.data.rglob("*") if path.is_file() and b"three" in path.read_bytes()]


def _holds(file: Path, word: bytes) -> bool:
    return file.exists() and word in file.read_bytes()


@pytest.mark.promise("P4")
def test_a_kill_loses_nothing_that_was_checkpointed(fresh_places: Places) -> None:
    with laptop(fresh_places, persist=True) as first:
        put_row(first, "kept")
        state = fresh_places.data / "state"
        first.emulation.checkpoint()
        wait_for(lambda: _holds(state / "dynamodb.json", b"kept") and _holds(state / "iam.json", b"AnswersRole"))
        first.emulation.process.kill()
    with laptop(fresh_places, persist=True) as second:
        assert row(second, "kept")


@pytest.mark.promise("P4")
def test_a_stop_leaves_no_process_and_no_scratch_files(fresh_places: Places) -> None:
    with laptop(fresh_places, persist=False) as started:
        functions = started.stack.admin_session().client("lambda")
        functions.invoke(FunctionName=started.stack.function_name("Sweep"), Payload=b"{}")
        pid = started.emulation.process.pid
        assert emulation.running(fresh_places) == pid
    assert emulation.running(fresh_places) is None
    assert not fresh_places.temporary.exists()
    # What was killed may take a moment to be gone.
    assert until(lambda: not [stat for stat in Path("/proc").glob("[0-9]*/stat") if group_of(stat) == pid])


def group_of(stat: Path) -> int | None:
    """The process group of a process, as Linux tells it."""
    try:
        return int(stat.read_text().rpartition(")")[2].split()[2])
    except (OSError, IndexError):
        return None


@pytest.mark.promise("P4")
def test_two_clouds_cannot_share_a_folder(fresh_places: Places) -> None:
    held = Lock(fresh_places.home / "cloud.lock")
    assert held.acquire()
    with pytest.raises(EmulationError, match="already running"):
        emulation.start(fresh_places, persist=False)
    held.release()
    assert held.holder() is None


@pytest.mark.promise("P4")
def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    port = free_port()
    assert is_free(port)
    places = Places(home=tmp_path, environment={"ACERVO_PORT": str(port)})
    assert places.port() == port
    for wrong in ("no-port", "70000"):
        with pytest.raises(PlaceError, match=wrong):
            Places(home=tmp_path, environment={"ACERVO_PORT": wrong}).port()


@pytest.mark.promise("P4")
def test_a_missing_environment_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlaceError, match="make up"):
        emulation.start(Places(home=tmp_path, python=tmp_path / "python"), persist=False)


def wait_for(condition: Callable[[], bool]) -> None:
    """Bounded; says so if it takes too long."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
