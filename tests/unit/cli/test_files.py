"""Files on their way to items."""

from pathlib import Path

import pytest

from infra.cli.files import NotTaken, Source, sources
from infra.cli.output import show_table

pytestmark = pytest.mark.promise("P5")


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("---\ntitle: no-unused-vars\nrule_type: problem\n---\n\n## Rule Details\n", "no-unused-vars"),
        ("---\ntitle: 'Quoted: yes'\n---\n# Heading\n", "Quoted: yes"),
        ("---\nauthor: x\n---\n# Heading #\n", "Heading"),
        ("Some text.\n\n# The  heading\n", "The heading"),
        ("## Only a section\n", "no-file-name"),
        ("", "no-file-name"),
        ("# " + "x" * 400, "x" * 300),
    ],
)
def test_the_title_is_what_the_file_says_it_is_or_its_name(content: str, title: str) -> None:
    assert Source(Path("no-file-name.md"), "x").title(content) == title


def test_what_is_named_and_cannot_be_taken_is_said_and_folders_are_picked_from(tmp_path: Path) -> None:
    (tmp_path / "a.MD").write_text("a")
    (tmp_path / "b.png").write_bytes(b"")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "c.md").write_text("c")
    assert [each.locator for each in sources([tmp_path])] == ["a.MD"]
    with pytest.raises(NotTaken, match="not of a kind"):
        list(sources([tmp_path / "b.png"]))
    with pytest.raises(NotTaken, match="cannot be read"):
        Source(tmp_path / "gone.md", "x").content()


def test_a_table_keeps_ids_in_one_piece(capsys: pytest.CaptureFixture[str]) -> None:
    show_table([{"id": "item_" + "0" * 60, "title": "T" * 60}], ["id", "title"], "none")
    assert "item_" + "0" * 60 in capsys.readouterr().out
