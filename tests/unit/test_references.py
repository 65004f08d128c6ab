"""The pages of the reference that are made from the code are current."""

import pytest

from infra.references import PAGES, ROOT

pytestmark = pytest.mark.promise("H2", "H3")


@pytest.mark.parametrize("name", PAGES)
def test_the_page_says_what_the_code_says(name: str) -> None:
    assert (ROOT / name).read_text() == PAGES[name](), "run `make docs`"
