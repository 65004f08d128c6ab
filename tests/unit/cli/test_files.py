"""Files on their way to items."""

from pathlib import Path

import pytest

from chalicelib.api.wire.limits import LimitsAnswer
from chalicelib.ingest.limits import Limits
from infra.cli.files import NotTaken, Source, Taken, sources
from infra.cli.output import show_table
from infra.cli.putting import Outcome, put
from tests.unit.api.world import World
from tests.unit.ingest.files import docx, paragraph
from tests.unit.ingest.test_documents import Bay

pytestmark = pytest.mark.promise("P5")

TAKEN = Taken.of(LimitsAnswer.of(Limits(text_bytes=100), "https://bucket.test").model_dump(mode="json"))


def test_what_is_named_and_cannot_be_taken_is_said_and_folders_are_picked_from(tmp_path: Path) -> None:
    (tmp_path / "a.MD").write_text("a")
    (tmp_path / "b.png").write_bytes(b"")
    (tmp_path / "c.PDF").write_bytes(b"")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "c.md").write_text("c")
    found = list(sources([tmp_path], TAKEN))
    assert [(each.locator, each.kind.uploaded) for each in found] == [("a.MD", False), ("c.PDF", True)]
    with pytest.raises(NotTaken, match="not of a kind"):
        list(sources([tmp_path / "b.png"], TAKEN))
    with pytest.raises(NotTaken, match="cannot be read"):
        Source(tmp_path / "gone.md", "x", TAKEN.kinds["md"]).content()
    (tmp_path / "large.md").write_text("x" * 101)
    with pytest.raises(NotTaken, match="larger than 100 bytes"):
        Source(tmp_path / "large.md", "x", TAKEN.kinds["md"]).content()


class Hand:
    """The command line's client, on a server in process whose worker is at hand."""

    def __init__(self, bay: Bay) -> None:
        self.bay = bay

    def call(self, method: str, path: str, body: object = None, query: dict[str, str] | None = None) -> object:
        asked = "&".join(f"{name}={each}" for name, each in (query or {}).items())
        return self.bay.world.ok(self.bay.ana, method, f"{path}?{asked}" if asked else path, body)

    def upload(self, _: str, fields: dict[str, str], content: bytes) -> None:
        self.bay.deliver(*self.bay.put(fields["key"], content))


def test_text_and_documents_are_put_made_again_and_told_apart(tmp_path: Path) -> None:
    bay = Bay()
    files = {"a.md": b"# A\n", "b.docx": docx(paragraph("One.")), "c.pdf": b"broken"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    seen: list[tuple[str, int, int]] = []

    def once() -> dict[str, tuple[str, str | None]]:
        hand = Hand(bay)
        taken = Taken.of(hand.call("GET", "/api/v1/limits"))  # type: ignore[arg-type]
        done = [
            put(hand, bay.base, each, publish=True, watch=lambda source, *far: seen.append((source.locator, *far)))  # type: ignore[arg-type]
            for each in sources([tmp_path], taken)
        ]
        return {each.source.locator: (each.outcome.value, each.why) for each in done}

    first = once()
    assert [each for each, _ in first.values()] == [Outcome.CREATED, Outcome.CREATED, Outcome.FAILED]
    assert "damaged" in str(first["c.pdf"][1])
    assert {each.status for each in bay.world.shelves.items_.values()} == {"published"}
    assert [each for each, _ in once().values()] == [Outcome.UNCHANGED, Outcome.UNCHANGED, Outcome.FAILED]
    (tmp_path / "b.docx").write_bytes(docx(paragraph("Two.")))
    assert [each for each, _ in once().values()] == [Outcome.UNCHANGED, Outcome.UPDATED, Outcome.FAILED]
    assert ("b.docx", 0, 0) in seen
    assert isinstance(bay.world, World)


def test_a_table_keeps_ids_in_one_piece(capsys: pytest.CaptureFixture[str]) -> None:
    show_table([{"id": "item_" + "0" * 60, "title": "T" * 60}], ["id", "title"], "none")
    assert "item_" + "0" * 60 in capsys.readouterr().out
