"""What the machine has to bring: Java, Maven, a user that is not root, folders which that user can reach."""

import os
import platform
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

VERSION = "2.19.1"
JAVA = range(17, 24)
"""OpenSearch 2.19 needs 17, and the security manager, which Java 24 took out."""
_LOOK_S = 20
_EVERYWHERE = Path("/var/cache/acervo")
"""Where root keeps what another user must read."""


class CannotRun(Exception):
    """OpenSearch cannot run here; the message says what is missing and how to get it."""


@dataclass(frozen=True, slots=True)
class User:
    """Who the server runs as."""

    name: str
    uid: int
    gid: int
    other: bool
    """Whether that is somebody else than who starts it."""

    def give(self, folder: Path) -> None:
        """Make the folder and all in it theirs alone."""
        folder.chmod(0o700)
        if self.other:
            for each in (folder, *folder.rglob("*")):
                os.chown(each, self.uid, self.gid)


def user() -> User:
    """The caller, or `nobody` where the caller is root, as which OpenSearch refuses to run."""
    if os.getuid() != 0:
        return User("", os.getuid(), os.getgid(), other=False)
    nobody = pwd.getpwnam("nobody")
    return User(nobody.pw_name, nobody.pw_uid, nobody.pw_gid, other=True)


def cache() -> Path:
    """The folder for what is downloaded once, outside the checkout, readable for who runs the server."""
    if os.getuid() == 0:
        return _EVERYWHERE
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "acervo"


def scratch() -> Path:
    """A folder for what lives as long as one run, which whoever runs the server can reach."""
    wanted = Path(tempfile.gettempdir()).resolve()
    return wanted if os.getuid() != 0 or is_open(wanted) else Path("/var/tmp")  # noqa: S108 - a folder of its own is made in it


def is_open(folder: Path) -> bool:
    """Whether everybody may pass through the folder and those above it."""
    return all(each.stat().st_mode & 0o001 for each in (folder, *folder.parents))


def java() -> Path:
    """A Java that runs OpenSearch. Raises CannotRun."""
    seen = []
    for candidate in _javas():
        version = _version(candidate)
        if version in JAVA:
            return candidate
        if version:
            seen.append(str(version))
    found = f" (found only {', '.join(sorted(set(seen)))})" if seen else ""
    raise CannotRun(
        f"OpenSearch {VERSION} needs Java {JAVA[0]} to {JAVA[-1]}{found}. "
        f"{_hint('openjdk-17-jre-headless', 'openjdk@17')}, or point JAVA_HOME to one."
    )


def maven() -> str:
    """Maven, which fetches the packages. Raises CannotRun."""
    found = shutil.which("mvn")
    if found is None:
        raise CannotRun(f"Fetching OpenSearch takes Maven, once. {_hint('maven', 'maven')}.")
    return found


def _javas() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home, "bin", "java")
    if found := shutil.which("java"):
        yield Path(found)
    for folder in ("/usr/lib/jvm", "/opt/homebrew/opt", "/usr/local/opt"):
        yield from sorted(Path(folder).glob("*/bin/java"))


def _version(candidate: Path) -> int:
    """Its major version, or 0 where it does not run: a name on the PATH may be a stub."""
    try:
        said = subprocess.run(
            [candidate, "-version"], capture_output=True, text=True, timeout=_LOOK_S, check=True
        ).stderr
    except (OSError, subprocess.SubprocessError):
        return 0
    match = re.search(r'version "(\d+)', said)
    return int(match[1]) if match else 0


def _hint(debian: str, homebrew: str) -> str:
    if platform.system() == "Darwin":
        return f"`brew install {homebrew}`"
    return f"On Debian and Ubuntu: `apt install {debian}`"
