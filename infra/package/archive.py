"""Finishes Chalice's zip: compiled, without dead weight, the same bytes every time.

Lambda cannot write compiled files beside the code, so without them each cold start compiles every
module it imports. Unchecked-hash files hold no time stamps: the same source compiles to the same bytes.
"""

import compileall
import shutil
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

LAMBDA_ROOT = "/var/task"
EPOCH = (1980, 1, 1, 0, 0, 0)
DEAD_WEIGHT = (
    # opensearch-py asks for them and only its gRPC transport, which nothing here uses, imports them.
    "grpc",
    "grpcio-*.dist-info",
    "opensearch",
    "opensearch_protobufs-*.dist-info",
    "google/protobuf",
    "google/_upb",
    "protobuf-*.dist-info",
    # What only clients of the MCP SDK use, and what cffi needs to build, not to run.
    "attr",
    "attrs",
    "cffi",
    "httpcore2",
    "jsonschema",
    "jsonschema_specifications",
    "mcp/cli",
    "pycparser",
    "referencing",
    "rpds",
    "truststore",
    # Command line scripts of dependencies.
    "bin",
)

SERVICES = frozenset(
    {"bedrock-runtime", "dynamodb", "s3", "secretsmanager", "sns", "sqs", "ssm", "sso", "sso-oidc", "sts"}
)
"""The services whose descriptions botocore keeps: those that functions call. All 400 of them are 20 MB."""


def finish(archive: Path) -> Path:
    """Write the finished zip beside the one that Chalice made."""
    folder = archive.parent / "unpacked"
    unpack(archive, folder)
    for pattern in DEAD_WEIGHT:
        for path in folder.glob(pattern):
            shutil.rmtree(path)
    for path in folder.glob("botocore/data/*/"):
        if path.name not in SERVICES:
            shutil.rmtree(path)
    for stray in folder.rglob("*.pyc"):
        stray.unlink()
    compileall.compile_dir(
        folder,
        quiet=1,
        stripdir=str(folder),
        prependdir=LAMBDA_ROOT,
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
    )
    finished = archive.with_name("finished.zip")
    pack(folder, finished)
    return finished


def unpack(archive: Path, folder: Path) -> None:
    """Unpack with file modes, which zipfile leaves out."""
    with zipfile.ZipFile(archive) as source:
        for entry in source.infolist():
            path = Path(source.extract(entry, folder))
            mode = entry.external_attr >> 16
            if mode and path.is_file():
                path.chmod(mode & 0o777)


def pack(folder: Path, archive: Path) -> None:
    """Sorted names, one date, two modes."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100755 if path.stat().st_mode & 0o100 else 0o100644) << 16
            target.writestr(entry, path.read_bytes())
