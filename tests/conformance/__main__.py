"""`make conformance`: the official suite at both protocol eras, on the bridge with the fixture server.

Needs npm. The suite and the Node it wants are installed once, into `build/conformance`.
"""

import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

from tests.conformance.serving import serve

ROOT = Path(__file__).parents[2]
HOME = ROOT / "build" / "conformance"
PACKAGES = ("@modelcontextprotocol/conformance@0.2.0-alpha.12", "node@24")
REVISIONS = ("2026-07-28", "2025-11-25")
_LINE = re.compile(r"^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed", re.MULTILINE)


def install() -> None:
    """Put suite and Node in place, unless they are."""
    if (HOME / "node_modules" / ".bin" / "conformance").exists():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("The conformance suite is an npm package: install Node.js with npm first.")
    HOME.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(HOME), *PACKAGES]
    subprocess.run(command, cwd=HOME, check=True)


def required(revision: str) -> set[str]:
    """The scenarios that a revision requires of a server, as the suite lists them."""
    folder = HOME / "node_modules" / "@modelcontextprotocol" / "conformance" / "requirements"
    text = (folder / f"{revision}.yaml").read_text()
    servers = text[text.index("\nserver:\n") : text.index("\nclient:\n")]
    return set(re.findall(r"^  - ([\w-]+)$", servers, flags=re.MULTILINE))


def run(url: str, revision: str) -> bool:
    """Run what a revision requires. Returns whether nothing failed that was not expected to."""
    binaries = HOME / "node_modules" / ".bin"
    command = [str(binaries / "node"), str(binaries / "conformance"), "server", "--url", url]
    expected = Path(__file__).with_name(f"expected-failures.{revision}.yaml")
    command += ["--requirements", revision, "--expected-failures", str(expected)]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False, timeout=300)
    summary = done.stdout[done.stdout.rfind("=== SUMMARY ===") :]
    needed = required(revision)
    scored = [each for each in _LINE.findall(summary) if each[1] in needed]
    failed = [name for mark, name, _, _ in scored if mark == "✗"]
    passed = len(scored) - len(failed)
    print(f"{revision}: {passed} of {len(scored)} required scenarios pass; not: {', '.join(failed) or 'none'}")  # noqa: T201
    if done.returncode != 0:
        print(summary + done.stderr[-2000:])  # noqa: T201
    return done.returncode == 0


def main() -> int:
    """Run both revisions."""
    install()
    running = serve()
    threading.Thread(target=running.serve_forever, daemon=True).start()
    try:
        results = [run(f"http://127.0.0.1:{running.server_port}/mcp", each) for each in REVISIONS]
    finally:
        running.shutdown()
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
