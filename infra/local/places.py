"""Where the laptop cloud keeps its things, and what it reads from the environment - both only here."""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
REGION = "eu-west-1"
STAGE = "dev"
ANSWERS = ("ACERVO_ANSWERS_", "ACERVO_DAILY_", "ACERVO_PROOF", "ACERVO_TRUSTED_PROXIES", "ACERVO_TURNSTILE_")
"""What names of settings of public answers begin with."""
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "SYSTEMROOT")


class PlaceError(Exception):
    """The laptop cannot be used as asked; the message says what to do."""


@dataclass(frozen=True)
class Places:
    """One laptop cloud: a folder, and the interpreter its functions run under."""

    home: Path = ROOT / ".acervo"
    python: Path = ROOT / ".venv-cloud" / "bin" / "python"
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)

    @property
    def data(self) -> Path:
        """All that `make reset` deletes."""
        return self.home / "data"

    @property
    def index(self) -> Path:
        """The embedded search engine's file."""
        return self.home / "index.sqlite3"

    @property
    def build(self) -> Path:
        """Package and template as deployed last."""
        return self.home / "build"

    @property
    def temporary(self) -> Path:
        """Scratch space of the emulator and its workers; gone after a stop."""
        return self.home / "tmp"

    @property
    def log(self) -> Path:
        """What the emulator says."""
        return self.home / "cloud.log"

    def port(self) -> int:
        """Of the cloud: ACERVO_PORT if set, else the port of the last time if it is free, else any free one."""
        return self._port("ACERVO_PORT", self.home / "port")

    def answers_port(self) -> int:
        """Of public answers: ACERVO_ANSWERS_PORT if set, else as for the cloud."""
        return self._port("ACERVO_ANSWERS_PORT", self.home / "answers-port")

    def answers_url(self) -> str:
        """What addresses of public answers begin with: ACERVO_ANSWERS_PUBLIC_URL if set, else by their port."""
        return self.environment.get("ACERVO_ANSWERS_PUBLIC_URL") or f"http://{HOST}:{self.answers_port()}"

    def _port(self, variable: str, memory: Path) -> int:
        wanted = self.environment.get(variable, "")
        if wanted:
            return self._wanted_port(variable, wanted)
        last = memory.read_text().strip() if memory.exists() else ""
        port = int(last) if last.isdigit() and is_free(int(last)) else free_port()
        self.home.mkdir(parents=True, exist_ok=True)
        memory.write_text(f"{port}\n")
        return port

    @staticmethod
    def _wanted_port(variable: str, wanted: str) -> int:
        if not wanted.isdigit() or not 0 < int(wanted) < 1 << 16:
            raise PlaceError(f"{variable} is {wanted!r}, which is no port number.")
        if not is_free(int(wanted)):
            raise PlaceError(f"Port {wanted} ({variable}) is in use. Free it, name another, or leave it unset.")
        return int(wanted)

    def passed_on(self) -> dict[str, str]:
        """What a process that is started needs of the caller's environment."""
        return {name: self.environment[name] for name in PASSED_ON if name in self.environment}

    def wishes(self) -> dict[str, str]:
        """Settings of public answers that the caller chose."""
        return {
            name: value
            for name, value in self.environment.items()
            if name.startswith(ANSWERS) and name != "ACERVO_ANSWERS_PORT"
        }

    def emulator_environment(self, port: int, *, persist: bool) -> dict[str, str]:
        """Nothing of the caller's own cloud settings reaches the emulator or a function."""
        return self.passed_on() | {
            "LAPTOP_CLOUD_LOCK": str(self.home / "cloud.lock"),
            "AUTH": "true",
            "BIND_HOST": HOST,
            "GATEWAY_PORT": str(port),
            "IOT_MTLS_ENABLED": "0",
            "LAMBDA_EXECUTOR": "local",
            "MINISTACK_HOST": HOST,
            "MINISTACK_REGION": REGION,
            "PERSIST_STATE": "1" if persist else "0",
            "PYTHONUNBUFFERED": "1",
            "S3_DATA_DIR": str(self.data / "objects"),
            "S3_PERSIST": "1" if persist else "0",
            "SFTP_ENABLED": "0",
            "STATE_DIR": str(self.data / "state"),
            "TMPDIR": str(self.temporary),
        }


def is_free(port: int) -> bool:
    """Whether a server could listen on the port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port
