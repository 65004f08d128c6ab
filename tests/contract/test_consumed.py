"""What things consume: the rules, and that the page about it is current (P7)."""

from typing import Any

import pytest

from tests.bench.capacity import read_units, size, write_units
from tests.bench.consumed import PAGE, page_with
from tests.bench.consuming import measured

pytestmark = pytest.mark.promise("P7")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"pk": {"S": "ab"}}, 4),
        ({"ñ": {"S": "ñ"}}, 4),
        ({"n": {"N": "1"}}, 3),
        ({"n": {"N": "-12345"}}, 6),
        ({"n": {"N": "1000"}}, 3),
        ({"n": {"N": "0"}}, 3),
        ({"b": {"BOOL": True}}, 2),
        ({"b": {"B": b"1234"}}, 5),
        ({"l": {"L": [{"S": "ab"}, {"N": "7"}]}}, 1 + 3 + 3 + 3),
        ({"m": {"M": {"k": {"S": "v"}}}}, 1 + 3 + 1 + 1 + 1),
        ({"s": {"SS": ["ab", "c"]}}, 4),
    ],
)
def test_a_row_is_as_large_as_dynamodb_counts_it(row: dict[str, Any], expected: int) -> None:
    """Amazon DynamoDB, "DynamoDB item sizes and formats"."""
    assert size(row) == expected


def test_units_are_rounded_up_and_never_none() -> None:
    assert [read_units(each) for each in (0, 1, 4096, 4097)] == [1, 1, 1, 2]
    small, large = {"a": {"S": "x" * 1023}}, {"a": {"S": "x" * 1024}}
    assert [write_units(None, small), write_units(None, large), write_units(large, small), write_units(None, None)] == [
        1,
        2,
        2,
        1,
    ]


def test_the_page_about_scale_says_what_is_measured(aws: None) -> None:
    """`python -m tests.bench.consumed --write` writes it anew; what became more should be worth it."""
    page = PAGE.read_text()
    assert page == page_with(measured(), page)
