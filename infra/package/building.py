"""From sources to zip and template."""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import yaml

from infra.package.archive import finish
from infra.package.guards import PackageError, check_archive, check_log

__all__ = ["Package", "PackageError", "build"]

ROOT = Path(__file__).resolve().parents[2]
MERGED = ROOT / "infra" / "template.yaml"
SHIPPED = ("app.py", "chalicelib", ".chalice", "requirements.txt")
NOT_SHIPPED = shutil.ignore_patterns("__pycache__", "*.pyc", "deployed", "deployments", ".DS_Store")
CHALICE = "import sys; from chalice.cli import main; sys.exit(main())"
FIND_HANDLERS = """
import importlib, sys
for handler in sys.argv[1:]:
    module, name = handler.rsplit(".", 1)
    assert callable(getattr(importlib.import_module(module), name, None)), handler
"""
FUNCTION = "AWS::Serverless::Function"
LOG_LINES = 12
ANY_REGION = "eu-west-1"
"""Chalice asks for a region; the template it writes is the same for all."""


@dataclass(frozen=True)
class Package:
    """What `build` made."""

    archive: Path
    template: Path
    zipped: int
    unzipped: int


def build(out: Path, *, thin: bool = False, source: Path = ROOT) -> Package:
    """Package the sources into `out`; raises PackageError if the result would not run on Lambda."""
    if sys.version_info[:2] != (3, 12):
        raise PackageError("Package with Python 3.12: the interpreter that packages decides which wheels are taken.")
    with tempfile.TemporaryDirectory() as folder:
        stage, made = Path(folder) / "stage", Path(folder) / "made"
        _stage(source, stage, thin=thin)
        check_log(_chalice(stage, made))
        archive = finish(made / "deployment.zip")
        unzipped = check_archive(archive)
        template = (made / "sam.yaml").read_text()
        _check_handlers(stage, template)
        out.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(archive, out / "deployment.zip")
    (out / "sam.yaml").write_text(_through_the_alias(template))
    package = out / "deployment.zip"
    return Package(package, out / "sam.yaml", package.stat().st_size, unzipped)


def _stage(source: Path, stage: Path, *, thin: bool) -> None:
    stage.mkdir()
    for name in SHIPPED:
        origin = source / name
        if origin.is_dir():
            shutil.copytree(origin, stage / name, ignore=NOT_SHIPPED)
        elif origin.exists():
            shutil.copyfile(origin, stage / name)
    if thin:
        (stage / "requirements.txt").write_text("")


def _chalice(stage: Path, made: Path) -> str:
    command = [sys.executable, "-c", CHALICE, "package", "--stage", "dev", "--merge-template", str(MERGED), str(made)]
    environment = {**os.environ, "AWS_DEFAULT_REGION": ANY_REGION, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=stage, env=environment, capture_output=True, text=True, check=False)
    log = done.stdout + done.stderr
    if done.returncode != 0:
        raise PackageError("`chalice package` failed:\n" + _last_lines(log))
    return log


def _check_handlers(stage: Path, template: str) -> None:
    """Chalice names handlers by where they were defined; nobody looks before Lambda does whether they are there."""
    resources = yaml.safe_load(template)["Resources"].values()
    handlers = {each["Properties"]["Handler"] for each in resources if each.get("Type") == FUNCTION}
    programs = {each for each in handlers if "/" in each}
    command = [sys.executable, "-B", "-c", FIND_HANDLERS, *sorted(handlers - programs)]
    done = subprocess.run(command, cwd=stage, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PackageError("A handler is not where the template says:\n" + _last_lines(done.stderr))
    for program in programs:
        if not os.access(stage / program, os.X_OK):
            raise PackageError(f"The template names the program {program}, which is not there or may not be run.")


def _last_lines(log: str) -> str:
    return "\n".join(log.strip().splitlines()[-LOG_LINES:])


def _through_the_alias(template: str) -> str:
    """The API calls the alias: behind it a version, and for SnapStart a snapshot, can stand."""
    return template.replace("${APIHandler.Arn}/invocations", "${APIHandlerAliaslive}/invocations")
