"""Public answers on the laptop: the app that Lambda streams from, under uvicorn. That is the function URL here.

`python -m infra.local.answering PORT` serves until a signal, or until whoever started it is gone.
"""

import os
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from infra.local.emulation import end, tail
from infra.local.places import HOST, ROOT, PlaceError, Places
from infra.local.stack import KEY, Stack

READY_S = 20.0
GLANCE_S = 0.5


@dataclass
class Answering:
    """The app as a process that this one started."""

    url: str
    log: Path
    process: subprocess.Popen[bytes]

    def alive(self) -> bool:
        """Whether it still runs."""
        return self.process.poll() is None

    def stop(self) -> None:
        """End it."""
        end(self.process.pid, self.alive)
        self.process.wait()


def start(places: Places, stack: Stack) -> Answering:
    """Start the app with the function's own role, and wait until it answers."""
    port = places.answers_port()
    log = places.home / "answers.log"
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [str(places.python), "-m", "infra.local.answering", str(port)],
            cwd=ROOT,
            env={**places.passed_on(), **_as_the_function(places, stack), **places.wishes()},
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=0o077,
        )
    answering = Answering(f"http://{HOST}:{port}", log, process)
    try:
        _wait_until_ready(answering)
    except BaseException:
        answering.stop()
        raise
    return answering


def _as_the_function(places: Places, stack: Stack) -> dict[str, str]:
    """The environment of somebody who may do what the function may. Its keys end; the SDK gets new ones."""
    config = places.home / "answers-aws.ini"
    config.write_text(
        f"[profile owner]\naws_access_key_id = {KEY}\naws_secret_access_key = {KEY}\n"
        f"[profile answers]\nsource_profile = owner\nrole_arn = {stack.role_arn('Answers')}\n"
    )
    environment = stack.environment()
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        del environment[name]
    environment["ACERVO_PUBLIC_URL"] = stack.api_url
    return {**environment, "AWS_CONFIG_FILE": str(config), "AWS_PROFILE": "answers"}


def _wait_until_ready(answering: Answering) -> None:
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        if not answering.alive():
            raise PlaceError(f"Public answers ended at once:\n{tail(answering.log)}")
        try:
            with urllib.request.urlopen(f"{answering.url}/healthz", timeout=5):  # noqa: S310 - an address made here
                return
        except OSError:
            time.sleep(0.05)
    raise PlaceError(f"Public answers were not ready within {READY_S:.0f} s:\n{tail(answering.log)}")


def _end_with(parent: int) -> None:
    """A process that nobody waits for any more would keep its port for ever."""
    while os.getppid() == parent:
        time.sleep(GLANCE_S)
    os._exit(0)


def main() -> None:
    """Serve on the port that is given."""
    import uvicorn

    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    uvicorn.run(
        "chalicelib.api.stream.serving:answers",
        factory=True,
        host=HOST,
        port=int(sys.argv[1]),
        access_log=False,  # it would hold visitors' addresses
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        timeout_graceful_shutdown=2,
    )


if __name__ == "__main__":
    main()
