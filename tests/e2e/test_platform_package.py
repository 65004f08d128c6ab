"""The package: guards, and the real zip once (P2, P3)."""

import compileall
import hashlib
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest

from infra.local.places import ROOT
from infra.package import Package, PackageError, build
from infra.package.archive import finish, pack, unpack
from infra.package.coldstart import import_ms, total_ms
from infra.package.guards import MAX_UNZIPPED, MAX_ZIPPED, check_archive, check_log

HEAVY = frozenset(
    {
        "aws_lambda_powertools",
        "boto3",
        "botocore",
        "bs4",
        "chardet",
        "cryptography",
        "httpx2",
        "jwt",
        "lxml",
        "markdown_it",
        "mcp",
        "numpy",
        "opensearchpy",
        "pypdfium2",
        "snowballstemmer",
        "starlette",
        "ulid",
        "whatlang",
    }
)


def zipped(folder: Path, files: dict[str, bytes]) -> Path:
    """A zip with these files."""
    archive = folder / "deployment.zip"
    with zipfile.ZipFile(archive, "w") as target:
        for name, content in files.items():
            target.writestr(name, content)
    return archive


@pytest.mark.promise("P2")
def test_a_requirement_that_was_left_out_stops_the_package() -> None:
    check_log("Creating deployment package.\n")
    with pytest.raises(PackageError, match="left requirements out"):
        check_log("Could not install dependencies:\npydantic==2\n")


@pytest.mark.promise("P2")
def test_a_wheel_built_on_this_machine_stops_the_package(tmp_path: Path) -> None:
    wheel = b"Wheel-Version: 1.0\nTag: cp312-cp312-linux_x86_64\n"
    with pytest.raises(PackageError, match="broken in Lambda"):
        check_archive(zipped(tmp_path, {"pillow-1.dist-info/WHEEL": wheel}))


@pytest.mark.promise("P2")
@pytest.mark.parametrize("tag", ["py3-none-any", "cp312-cp312-manylinux_2_17_x86_64"])
def test_wheels_for_lambda_pass(tmp_path: Path, tag: str) -> None:
    check_archive(zipped(tmp_path, {"some-1.dist-info/WHEEL": f"Tag: {tag}\n".encode()}))


@pytest.mark.promise("P2")
def test_compiled_files_with_time_stamps_stop_the_package(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "app.py").write_text("x = 1\n")
    compileall.compile_dir(tmp_path / "code", quiet=1, invalidation_mode=PycInvalidationMode.TIMESTAMP)
    pack(tmp_path / "code", tmp_path / "deployment.zip")
    with pytest.raises(PackageError, match="time stamp"):
        check_archive(tmp_path / "deployment.zip")


@pytest.mark.promise("P2")
def test_a_package_that_is_too_big_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "deployment.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("big", bytes(MAX_UNZIPPED + 1))
    with pytest.raises(PackageError, match="unzipped"):
        check_archive(archive)
    archive.write_bytes(archive.read_bytes() + bytes(1))


@pytest.mark.promise("P2")
def test_finishing_gives_the_same_bytes_whenever_it_runs(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        files = {"app.py": b"x = 1\n", "grpc/__init__.py": b"", "__pycache__/app.cpython-312.pyc": b"old"}
        finish(zipped(folder, files))
    assert (first / "finished.zip").read_bytes() == (second / "finished.zip").read_bytes()
    with zipfile.ZipFile(first / "finished.zip") as made:
        assert made.namelist() == ["__pycache__/app.cpython-312.pyc", "app.py"]
        assert made.read("__pycache__/app.cpython-312.pyc") != b"old"


@pytest.mark.promise("P2")
def test_a_handler_that_is_not_there_stops_the_package(tmp_path: Path) -> None:
    hidden = "from chalice.app import Chalice\n\napp = Chalice(app_name='acervo')\n\n"
    hidden += (
        "def make():\n    @app.lambda_function(name='index')\n    def inner(event, context):\n        return 1\n\n"
    )
    hidden += "make()\n"
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "app.py").write_text(hidden)
    shutil.copytree(ROOT / ".chalice", tmp_path / "source" / ".chalice")
    with pytest.raises(PackageError, match=r"app\.inner"):
        build(tmp_path / "out", thin=True, source=tmp_path / "source")


@pytest.mark.promise("P3")
def test_the_import_time_is_read_from_the_log() -> None:
    assert total_ms("import time:  120 |  100 |   os\nimport time:  2000 |  31000 | app\n") == 31.0


@pytest.mark.promise("P2")
@pytest.mark.package
def test_the_real_package_is_small_and_complete(real: Package) -> None:
    assert real.zipped < MAX_ZIPPED
    assert real.unzipped < MAX_UNZIPPED
    assert import_ms(real.archive, runs=1) > 0


@pytest.mark.promise("P2")
@pytest.mark.package
def test_two_builds_are_the_same_bytes(real: Package, tmp_path: Path) -> None:
    again = build(tmp_path)
    assert digest(again.archive) == digest(real.archive)
    assert digest(again.template) == digest(real.template)


@pytest.mark.promise("P3")
@pytest.mark.package
def test_the_rest_function_imports_nothing_heavy_before_it_is_asked(real: Package, tmp_path: Path) -> None:
    """How long it takes is what `make package` prints; what would make it long is held here."""
    unpack(real.archive, tmp_path)
    code = "import sys; sys.path.insert(0, sys.argv[1]); import app; print(*sorted(sys.modules))"
    command = [sys.executable, "-I", "-S", "-B", "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin"})
    heavy = {
        "boto3",
        "botocore",
        "opensearchpy",
        "mcp",
        "starlette",
        "httpx2",
        "jwt",
        "cryptography",
        "lxml",
        "pypdfium2",
    }
    heavy |= {
        "bs4",
        "chardet",
        "markdown_it",
        "nh3",
        "snowballstemmer",
        "whatlang",
        "numpy",
        "ulid",
        "aws_lambda_powertools",
    }
    assert heavy.isdisjoint(done.stdout.split())


@pytest.mark.promise("P3")
def test_no_shape_of_a_request_or_an_answer_is_built_before_it_is_asked_for() -> None:
    """To build the validators of two hundred shapes is a sixth of the import, and a request needs some three."""
    code = (
        "import app\n"
        "from pydantic import BaseModel\n"
        "from chalicelib.settings import Settings\n"
        "def below(cls):\n"
        "    for each in cls.__subclasses__():\n"
        "        yield each\n"
        "        yield from below(each)\n"
        "ours = [each for each in below(BaseModel) if each.__module__.startswith('chalicelib.')]\n"
        "print(len(ours), *(each.__name__ for each in ours if each.__pydantic_complete__ and each is not Settings))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    many, *built = done.stdout.split()
    assert int(many) > 100
    assert built == []


@pytest.mark.promise("P2")
@pytest.mark.package
def test_what_is_imported_at_its_first_use_is_in_the_package(real: Package, tmp_path: Path) -> None:
    """MCP, tokens of an issuer, and the services behind both, as `import app` alone would not show."""
    unpack(real.archive, tmp_path)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import app, boto3, jwt.algorithms\n"
        "from chalicelib.api.mcp import bridge, server\n"
        "from chalicelib.adapters import oidc\n"
        "made = server.server()\n"
        "[boto3.client(each, region_name='eu-west-1') for each in ('dynamodb', 's3', 'sqs')]\n"
    )
    command = [sys.executable, "-I", "-S", "-B", "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr


def digest(path: Path) -> str:
    """What a file holds, in short."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
