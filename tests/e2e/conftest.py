"""A deployed stack of its own for the end-to-end tests: own data, own port, IAM enforced."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from infra.local.laptop import Laptop, laptop
from infra.local.places import Places
from infra.local.stack import Stack
from infra.package import Package, build


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """Where the tests' laptop cloud lives; nothing of a cloud that `make up` runs is touched."""
    return Places(home=tmp_path_factory.mktemp("cloud"), environment=without_wishes(Places().environment))


@pytest.fixture(scope="session")
def running(places: Places) -> Iterator[Laptop]:
    """The laptop cloud, deployed by the same code as `make up`."""
    with laptop(places, persist=False) as started:
        yield started


@pytest.fixture(scope="session")
def stack(running: Laptop) -> Stack:
    """Addresses, outputs and administrator's sessions of the deployed stack."""
    return running.stack


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The package that goes to AWS."""
    return build(tmp_path_factory.mktemp("real"))


@pytest.fixture(scope="session")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packaged template."""
    return build(tmp_path_factory.mktemp("package"), thin=True).template


@pytest.fixture(scope="session")
def resources(packaged: Path) -> dict[str, Any]:
    """Its resources."""
    loaded: dict[str, Any] = yaml.safe_load(packaged.read_text())["Resources"]
    return loaded


@pytest.fixture
def fresh_places(places: Places, tmp_path: Path) -> Places:
    """Places for a second laptop cloud that a test starts and stops itself."""
    return replace(places, home=tmp_path)


def without_wishes(environment: Mapping[str, str]) -> dict[str, str]:
    """A port or an engine that the developer wants for `make up` is not for the tests."""
    return {name: value for name, value in environment.items() if not name.startswith("ACERVO_")}
