"""`python -m infra.package`: build what `make deploy` sends to AWS, and say how big and how quick it is."""

import argparse
import sys
from pathlib import Path

from infra.package import PackageError, build
from infra.package.coldstart import import_ms
from infra.package.guards import MIB


def main() -> None:
    """Build, check, measure; the thin variant has nothing to measure."""
    parser = argparse.ArgumentParser(prog="python -m infra.package")
    parser.add_argument("--out", type=Path, default=Path("build") / "package")
    parser.add_argument("--thin", action="store_true", help="without the requirements")
    wanted = parser.parse_args()
    try:
        package = build(wanted.out, thin=wanted.thin)
    except PackageError as refused:
        sys.exit(str(refused))
    print(f"{package.archive}: {package.zipped / MIB:.1f} MB zipped, {package.unzipped / MIB:.1f} MB unzipped")
    if not wanted.thin:
        print(f"import of the REST function: {import_ms(package.archive):.0f} ms (median; the goal is 400 ms)")


if __name__ == "__main__":
    main()
