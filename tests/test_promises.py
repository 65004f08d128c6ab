"""The manifest itself."""

import ast
from pathlib import Path

import pytest

from tests.promises import PROMISES

pytestmark = pytest.mark.promise("H1")

_TESTS = Path(__file__).parent


def _named() -> set[str]:
    """The promises that any test names: the arguments of every `promise(...)` in the tests."""
    found: set[str] = set()
    for path in _TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "promise":
                found |= {str(each.value) for each in node.args if isinstance(each, ast.Constant)}
    return found


def test_every_promise_that_is_not_for_later_has_a_test() -> None:
    assert {name for name, each in PROMISES.items() if not each.later} <= _named()


def test_no_promise_that_has_a_test_is_still_marked_later() -> None:
    assert not {name for name, each in PROMISES.items() if each.later} & _named()
