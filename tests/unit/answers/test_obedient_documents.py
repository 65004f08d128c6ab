"""Injections inside files of each type: read as they are when they are uploaded, answered from by a model that obeys."""

from xml.sax.saxutils import escape

import pytest

from chalicelib.answers.prompting import PromptedModel
from chalicelib.domain.text import canonical
from chalicelib.ingest.extractors import extractor_for
from chalicelib.ingest.limits import Limits
from tests.fakes.answers import MemoryReader, Surroundings, source
from tests.unit.answers.attacks import OWN
from tests.unit.answers.test_obedient import PAGE, Obedient, assert_clean
from tests.unit.ingest.files import docx, line, paragraph, pdf, pptx, shape, sheet, xlsx

pytestmark = pytest.mark.promise("N1")

XML = [each for each in OWN if all(char in "\t\n" or " " <= char < "\ud800" or char > "\udfff" for char in each)]
"""Payloads that XML can hold at all."""
LATIN = [each for each in XML if each.isascii() and "\n" not in each and len(each) < 80]
"""Payloads that a line of a PDF in Helvetica can show."""


def _file(kind: str, payload: str) -> bytes:
    text = escape(payload)
    match kind:
        case "docx":
            return docx(paragraph("Rooms") + paragraph(f"A room is nice. {text}"))
        case "pptx":
            return pptx(shape(f"Rooms\n{text}"))
        case "xlsx":
            cell = f"<s:c t='inlineStr'><s:is><s:t xml:space='preserve'>{text}</s:t></s:is></s:c>"
            return xlsx("Rooms||" + sheet(cell))
        case _:
            return pdf(line("Rooms", top=720, size=20) + line(payload))


@pytest.mark.parametrize("kind", ["docx", "pptx", "xlsx", "pdf", "md"])
def test_what_a_file_of_any_type_tells_a_model_to_say_is_not_said(kind: str) -> None:
    payloads = {"pdf": LATIN, "md": XML}.get(kind, XML)
    assert len(payloads) > 20
    for payload in payloads:
        if kind == "md":
            text = canonical(f"# Rooms\n\nA room is nice. {payload}\n")
        else:
            text = canonical(extractor_for(kind)(_file(kind, payload), Limits(), lambda _done, _total: None).text)
        passages = (source(text, 1, "Rooms"),)
        desk = Surroundings(reader=MemoryReader({"topic_rooms": passages, "topic_area": passages}))
        for said in (payload, text):
            desk.model = PromptedModel(Obedient(said), desk.meter)
            assert_clean(desk.parts("How is the room and the beach?", PAGE))
