"""The Lambda Web Adapter as AWS's layer ships it, built from its crate; once, into a cache outside the checkout."""

import shutil
import subprocess
from pathlib import Path

from infra.opensearch.machine import cache

CRATE = "lambda_web_adapter"
VERSION = "1.0.0-rc1"


class NoCargo(Exception):
    """The adapter cannot be built here."""


def adapter() -> Path:
    """The adapter's program, built if it is not there yet (one to three minutes). Raises NoCargo."""
    home = cache() / f"{CRATE}-{VERSION}"
    program = home / "bin" / "lambda-adapter"
    if program.exists():
        return program
    cargo = shutil.which("cargo")
    if cargo is None:
        message = "The Lambda Web Adapter is built from its crate: install Rust's cargo first."
        raise NoCargo(message)
    command = [cargo, "install", "--quiet", "--locked", "--root", str(home), "--version", VERSION, CRATE]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return program
