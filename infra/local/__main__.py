"""`python -m infra.local up | down | reset`: what the Makefile's verbs of the same names do."""

import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from botocore.exceptions import BotoCoreError

from infra.deployment import DeploymentError
from infra.local import emulation, seed
from infra.local.emulation import EmulationError
from infra.local.laptop import Laptop, laptop
from infra.local.locks import Lock
from infra.local.logs import TROUBLE, TURNS, Followed, Picked
from infra.local.places import ROOT, PlaceError, Places
from infra.package import PackageError

GLANCE_S = 0.5
DOWN_S = 30.0


def up(places: Places) -> int:
    """Start, show the addresses, follow the logs until Ctrl-C or `make down`."""
    foreground = Lock(places.home / "up.lock")
    if not foreground.acquire():
        print(f"Acervo is already up, in process {foreground.holder()}. `make down` ends it.")
        return 1
    if orphan := emulation.running(places):
        print(f"A run before this one was killed and left its cloud behind (process {orphan}); ending that first.")
        emulation.end_orphan(places)
    started = time.monotonic()
    try:
        with laptop(places, persist=True) as running:
            planted = seed.plant(running.stack, running.answering.url)
            running.emulation.checkpoint()
            _announce(running, planted, time.monotonic() - started)
            return _follow(running)
    except KeyboardInterrupt:
        print("\nStopped. What you put in stays; `make reset` deletes it.", flush=True)
        return 0
    finally:
        foreground.release()


def _announce(running: Laptop, planted: Sequence[tuple[str, str]], seconds: float) -> None:
    print(f"\nAcervo is up after {seconds:.1f} s.\n")
    for label, value in (("API", running.stack.api_url), ("Cloud", running.stack.endpoint_url), *planted):
        print(f"  {label:12}{value}")
    print("\nCtrl-C stops it. What the functions log:\n", flush=True)


def _follow(running: Laptop) -> int:
    followed = Followed(running.stack.admin_session().client("logs"), f"/acervo/{running.stack.name}/")
    troubles = Picked(running.emulation.places.log, "cloud", TROUBLE)
    answers = Picked(running.answering.log, "answers", TURNS)
    while running.emulation.alive():
        with suppress(BotoCoreError):  # it may end in the middle of an answer
            for line in (*followed.fresh(), *troubles.fresh(), *answers.fresh()):
                print(line, flush=True)
        time.sleep(GLANCE_S)
    print(f"The laptop cloud ended by itself:\n{emulation.tail(running.emulation.places.log)}")
    return 1


def down(places: Places) -> int:
    """End what `make up` started, from any shell; data stay."""
    foreground = Lock(places.home / "up.lock")
    pid = foreground.holder()
    if pid is None and emulation.running(places) is None:
        print("Acervo is not up.")
        return 0
    if pid is not None:
        emulation.ask_to_end(pid)
        deadline = time.monotonic() + DOWN_S
        while foreground.holder() == pid and time.monotonic() < deadline:
            time.sleep(0.05)
    emulation.end_orphan(places)
    print("Acervo is down. What you put in stays; `make reset` deletes it.")
    return 0


def reset(places: Places) -> int:
    """Delete the laptop cloud's data: tables, objects, the search index."""
    if Lock(places.home / "up.lock").holder() or emulation.running(places):
        print("Acervo is up: `make down` first, then `make reset`.")
        return 1
    for name in ("data", "build", "tmp"):
        shutil.rmtree(places.home / name, ignore_errors=True)
    for path in (*places.home.glob("index.sqlite3*"), places.home / "session.json"):
        path.unlink(missing_ok=True)
    print("The laptop cloud's data are gone. `make up` starts afresh.")
    return 0


VERBS: Mapping[str, Callable[[Places], int]] = {"up": up, "down": down, "reset": reset}


def interrupt(*_: object) -> None:
    """A polite signal ends it as Ctrl-C does."""
    raise KeyboardInterrupt


def main() -> int:
    """Run one verb; problems a person can solve are one sentence, not a traceback."""
    verb = VERBS.get(" ".join(sys.argv[1:]))
    if verb is None:
        print(f"usage: python -m infra.local {' | '.join(VERBS)}")
        return 2
    signal.signal(signal.SIGTERM, interrupt)
    if not (ROOT / "app.py").exists():
        print(f"There is no app.py in {ROOT}.")
        return 1
    try:
        return verb(Places())
    except (PlaceError, EmulationError, PackageError, DeploymentError) as problem:
        print(problem)
        return 1


if __name__ == "__main__":
    sys.exit(main())
