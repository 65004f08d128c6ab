"""From packages to a distribution: fetched with Maven, laid out as the server expects it, once per version."""

import fcntl
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from infra.opensearch import machine
from infra.opensearch.machine import VERSION, CannotRun

POM = Path(__file__).with_name("pom.xml")
_LAYOUT = 3
"""Change it with anything below or in the pom, and machines make the folder anew."""
_FETCH_S = 900
_DESCRIPTOR = """\
description=The {name} module, from its package
version={version}
name={name}
classname={classname}
java.version=11
opensearch.version={version}
has.native.controller=false
"""


@dataclass(frozen=True, slots=True)
class _Module:
    """A part of the server whose package carries no descriptor of its own."""

    classname: str
    policy: str = ""


_MODULES: Mapping[str, _Module] = {
    "analysis-common": _Module("org.opensearch.analysis.common.CommonAnalysisPlugin"),
    "lang-painless": _Module(
        "org.opensearch.painless.PainlessPlugin",
        'permission java.lang.RuntimePermission "createClassLoader";\n'
        'permission java.lang.RuntimePermission "getClassLoader";\n'
        'permission java.lang.RuntimePermission "accessDeclaredMembers";\n',
    ),
    "reindex": _Module(
        "org.opensearch.index.reindex.ReindexPlugin",
        'permission java.net.SocketPermission "*", "connect";\n'
        'permission java.lang.RuntimePermission "accessDeclaredMembers";\n'
        'permission java.lang.reflect.ReflectPermission "suppressAccessChecks";\n'
        'permission java.net.NetPermission "getProxySelector";\n',
    ),
    "transport-netty4": _Module(
        "org.opensearch.transport.Netty4Plugin",
        'permission java.net.SocketPermission "*", "accept,connect,resolve";\n'
        'permission java.lang.RuntimePermission "getClassLoader";\n'  # its threads need it, or the end hangs
        'permission java.lang.RuntimePermission "setContextClassLoader";\n',
    ),
}
_PLUGINS = ("opensearch-knn", "neural-search")


def distribution() -> Path:
    """The folder of the server, fetched and laid out if it is not there yet. Raises CannotRun."""
    home = machine.cache() / f"opensearch-{VERSION}-{_LAYOUT}"
    if home.exists():
        return home
    try:
        with _one_at_a_time(home.with_name("opensearch.lock")):
            if not home.exists():
                _make(home)
    except OSError as fault:
        raise CannotRun(f"OpenSearch cannot be put into {home.parent}: {fault}") from fault
    return home


@contextmanager
def _one_at_a_time(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _make(home: Path) -> None:
    """Lay it out beside its place and move it there, so that the folder is whole or not there at all."""
    print(f"Fetching OpenSearch {VERSION} into {home} (once, about 60 MB).", flush=True)
    draft = home.with_name(f"{home.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    _fetch("lib", draft / "lib")
    for name in _MODULES:
        _add_module(name, draft)
    _fetch("plugins", draft / "zips", "-DexcludeTransitive=true")
    for name in _PLUGINS:
        with zipfile.ZipFile(draft / "zips" / f"{name}-{VERSION}.0.zip") as packed:
            packed.extractall(draft / "plugins" / name)
    shutil.rmtree(draft / "zips")
    for name in ("bin", "extensions"):  # it does not start without them
        (draft / name).mkdir()
    _open_up(draft)
    draft.rename(home)


def _add_module(name: str, draft: Path) -> None:
    folder = draft / "modules" / name
    _fetch(name, folder)
    shared = {each.name for each in (draft / "lib").iterdir()}
    for each in list(folder.iterdir()):
        if each.name in shared:  # the server refuses a class that is there twice
            each.unlink()
    module = _MODULES[name]
    descriptor = _DESCRIPTOR.format(name=name, version=VERSION, classname=module.classname)
    (folder / "plugin-descriptor.properties").write_text(descriptor)
    if module.policy:
        (folder / "plugin-security.policy").write_text(f"grant {{\n{module.policy}}};\n")


def _fetch(profile: str, folder: Path, *options: str) -> None:
    environment = os.environ | {"JAVA_HOME": str(machine.java().resolve().parents[1])}
    command = [
        *(machine.maven(), "-q", "-B", "-ntp", "-f", str(POM), "-P", profile),
        *("dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder}", *options),
    ]
    try:
        subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_FETCH_S, check=True)
    except subprocess.TimeoutExpired as fault:
        raise CannotRun(f"Maven did not fetch OpenSearch within {_FETCH_S} s.") from fault
    except subprocess.CalledProcessError as fault:
        said = "\n".join((fault.stdout + fault.stderr).strip().splitlines()[:8])
        raise CannotRun(f"Maven could not fetch OpenSearch:\n{said}") from fault


def _open_up(folder: Path) -> None:
    """Let whoever runs the server read it, whatever the umask."""
    for each in (folder.parent, folder, *folder.rglob("*")):
        each.chmod(0o755 if each.is_dir() else 0o644)
