"""npm packages that tests need; fetched once, into `build/`."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def packages(*names: str) -> Path:
    """The folder that the packages are in, each named with its version. Raises SystemExit without npm."""
    home = ROOT / "build" / "npm" / "+".join(names).replace("/", "_").replace("@", "-")
    found = home / "node_modules"
    if found.exists():
        return found
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("Some tests use npm packages: install Node.js with npm first.")
    home.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(home), *names]
    subprocess.run(command, cwd=home, check=True)
    return found
