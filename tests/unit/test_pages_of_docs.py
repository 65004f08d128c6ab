"""Pages of the docs lead somewhere, and say the same in both languages."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md"])
PAIRS = (
    ("tutorials/console.md", "tutorials/consola.md"),
    ("how-to/write-in-the-console.md", "how-to/escribir-en-la-consola.md"),
    ("how-to/run-a-team.md", "how-to/llevar-un-equipo.md"),
    ("how-to/keep-an-answer-page.md", "how-to/llevar-una-pagina.md"),
)
NO_BUTTONS = {
    "citation",
    "cita",
    "draft",
    "borrador",
    "Images",
    "Imágenes",
    "as a call",
    "como llamada",
    "side by side",
    "a la vez",
}
"""Bold for what they mean, or a part of what a control says."""


@pytest.mark.promise("H1")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_addresses_of_files_lead_to_files(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for address in re.findall(r"\]\(([^)\s]+)\)", text):
        where = address.partition("#")[0]
        if where and not re.match(r"[a-z]+:", where):
            assert (page.parent / where).exists(), address


@pytest.mark.promise("H1")
@pytest.mark.parametrize("pair", PAIRS)
def test_a_page_and_its_translation_name_each_other_and_have_the_same_sections(pair: tuple[str, str]) -> None:
    one, other = (DOCS / each for each in pair)
    texts = [each.read_text(encoding="utf-8") for each in (one, other)]
    assert f"({other.name})" in texts[0].splitlines()[1]
    assert f"({one.name})" in texts[1].splitlines()[1]
    levels = [re.findall(r"^(#+) ", text, flags=re.MULTILINE) for text in texts]
    assert levels[0] == levels[1]


@pytest.mark.promise("H1")
@pytest.mark.parametrize(
    ("page", "language"),
    [(each, language) for pair in PAIRS for each, language in zip(pair, ("en", "es"), strict=True)],
)
def test_buttons_are_called_what_the_console_calls_them(page: str, language: str) -> None:
    catalogue = (ROOT / "chalicelib/web/console" / f"{language}.js").read_text(encoding="utf-8")
    said = set(re.findall(r'"([^"]*)"', catalogue))
    bold = set(
        re.findall(
            r"\*\*([^*]+)\*\*", re.sub(r"```.*?```", "", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL)
        )
    )
    names = {" ".join(each.split()) for each in bold} - NO_BUTTONS
    assert names - said - {"Español"} == set()


@pytest.mark.promise("H2")
def test_the_list_of_routes_names_every_part_of_an_address() -> None:
    listed = (DOCS / "reference" / "rest.md").read_text(encoding="utf-8")
    for address in json.loads((DOCS / "reference" / "openapi.json").read_text(encoding="utf-8"))["paths"]:
        for part in re.findall(r"/([a-z][a-z.-]+)", re.sub(r"\{\w+\}", "", address)):
            assert re.search(rf"\b{re.escape(part)}\b", listed), address
