"""What every sandbox does; and what the real one makes sure of, whatever a parser does in it."""

import pytest

from chalicelib.adapters.sandbox import ChildSandbox
from chalicelib.domain.errors import DocumentEmpty, DocumentUnreadable
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.ports import Sandbox
from tests.fakes.files import OpenSandbox
from tests.fakes.machine import Tally

pytestmark = pytest.mark.promise("I6")


def _quietly(_done: int, _total: int) -> None:
    pass


@pytest.fixture(params=["child", "open"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return ChildSandbox(Limits(), Tally()) if request.param == "child" else OpenSandbox()


def test_a_file_comes_out_as_markdown_with_its_facts(sandbox: Sandbox) -> None:
    found = sandbox.extract("html", "<title>Ti</title><h1>Héllo</h1><p>wörld &lt;b>".encode("utf-16"), _quietly)
    assert (found.text, found.title, found.metadata) == ("# Héllo\n\nwörld \\<b>\n", "Ti", {"encoding": "utf-16"})
    assert found.extractor.startswith("markdownify/")


def test_a_known_error_comes_out_as_itself(sandbox: Sandbox) -> None:
    with pytest.raises(DocumentEmpty):
        sandbox.extract("html", b"<p>  </p>", _quietly)


def test_whatever_else_a_parser_raises_is_the_files_fault(sandbox: Sandbox) -> None:
    with pytest.raises(DocumentUnreadable):
        sandbox.extract("html", b"<div>" * 20_000 + b"x", _quietly)
