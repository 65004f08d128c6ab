"""A server that tests can kill: `python -m tests.browser.mortal slow|quick PORT` prints its port and serves."""

import asyncio
import sys
import time
from collections.abc import Iterator

import uvicorn

from chalicelib.answers.asking import Asked
from chalicelib.answers.parts import Part, Progress
from tests.browser.test_answer_page import Checked
from tests.unit.stream.world import SCRIPT, door


class Slow(Checked):
    """A desk that begins to answer, and does not get on."""

    def take_turn(self, asked: Asked) -> Iterator[Part]:
        """The beginning of an answer."""
        yield SCRIPT[0]
        # Not the line that the page shows by itself while it asks: the server has been reached.
        yield Progress("Leo lo que hay…")
        while not asked.has_left():
            time.sleep(0.02)


def main() -> None:
    """Serve until killed."""
    desk, port = (Slow() if sys.argv[1] == "slow" else Checked()), int(sys.argv[2])
    config = uvicorn.Config(
        door(desk), host="127.0.0.1", port=port, access_log=False, log_level="error", lifespan="off"
    )
    socket = config.bind_socket()
    sys.stdout.write(f"{socket.getsockname()[1]}\n")
    sys.stdout.flush()
    asyncio.run(uvicorn.Server(config).serve(sockets=[socket]))


if __name__ == "__main__":
    main()
