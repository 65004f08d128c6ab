"""PDF documents, by PDFium: page after page, each a section with its number, so that a passage can say its page.

Fields of forms say what is filled in; remarks stand after their page. Left out by rule, and counted: invisible text
(which is also what text recognition lays under a scan), and attachments.
"""

import ctypes
import re
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from chalicelib.domain.errors import (
    DocumentEmpty,
    DocumentEncrypted,
    DocumentTooLarge,
    DocumentUnreadable,
    UnsupportedFormat,
)
from chalicelib.domain.files import sniffed
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.extractors.output import Output
from chalicelib.ingest.extractors.pdf_glyphs import Page, read
from chalicelib.ingest.extractors.pdf_layout import blocks
from chalicelib.ingest.extractors.pdf_sight import Frame, look
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.markdown import quiet, sentence
from chalicelib.ingest.ports import Progress

EXTRACTOR = f"acervo-pdf/1 pdfium/{pdfium.PDFIUM_INFO.build}"

_HEAD = 1024
"""Bytes that may stand before the header, as readers have it."""
_DRAWN = frozenset({raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP})
_REMARKS = frozenset(
    {raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE, raw.FPDF_ANNOT_STRIKEOUT}
)
_NO_TITLE = re.compile(
    r"^(untitled|microsoft word|microsoft powerpoint|.*\.(docx?|pptx?|xlsx?|pdf|tex|indd|dvi)$)", re.IGNORECASE
)
_REMARK = 2000
"""Characters of a remark that are told."""


def extract(content: bytes, limits: Limits, progress: Progress) -> Extraction:
    """The document as Markdown.

    Raises DocumentEncrypted, DocumentUnreadable, DocumentTooLarge, DocumentEmpty, DocumentHasNoText,
    UnsupportedFormat.
    """
    with closing(_opened(content)) as document:
        pages = len(document)
        if pages > limits.pages:
            raise DocumentTooLarge(what="pages", limit=limits.pages)
        output = Output(limits, {"pages": str(pages)})
        reader = _Reader(output)
        for number in range(pages):
            reader.page(document, number)
            progress(number + 1, pages)
        if pages and output.left_out["unreadable_pages"] == pages:
            raise DocumentUnreadable
        output.left_out["attachments"] += max(0, raw.FPDFDoc_GetAttachmentCount(document))
        said = " ".join(document.get_metadata_value("Title").split())
    title = said if len(said) > 3 and not _NO_TITLE.match(said) else reader.heading  # noqa: PLR2004
    return output.extraction(EXTRACTOR, title or None, pictures=reader.objects)


def _opened(content: bytes) -> pdfium.PdfDocument:
    if not content.strip():
        raise DocumentEmpty
    if b"%PDF-" not in content[:_HEAD]:
        if found := sniffed(content):
            raise UnsupportedFormat(found=f"{found} named pdf", instead="a name whose extension fits the content")
        raise DocumentUnreadable
    try:
        return pdfium.PdfDocument(content)
    except pdfium.PdfiumError as fault:
        if getattr(fault, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            raise DocumentEncrypted from None
        raise DocumentUnreadable from None


@dataclass
class _Reader:
    output: Output
    heading: str | None = None
    """The first heading of the first page."""
    objects: bool = False
    """Whether anything is drawn that is no text."""
    sizes: Counter[float] = field(default_factory=Counter)
    """Characters by the height of their lines, to know the usual one."""

    def page(self, document: pdfium.PdfDocument, number: int) -> None:
        """Write one page; one that cannot be read is counted, and the others are read all the same."""
        try:
            found, remarks = self._opened(document, number)
        except pdfium.PdfiumError:
            self.output.left_out["unreadable_pages"] += 1
            return
        for run in found.runs:
            self.sizes[round(run.size * 2) / 2] += len(run.text)
        if found.runs or found.aslant or remarks:
            self.output.add(f"## Page {number + 1}", ours=True)
        self._write(found, first=number == 0)
        for each in remarks:
            self.output.add(f"> Comment: {quiet(each)}")

    def _write(self, found: Page, *, first: bool) -> None:
        body = self.sizes.most_common(1)[0][0] if self.sizes else 0
        for text, close, is_heading in blocks(found.runs, body):
            if is_heading and first and self.heading is None:
                self.heading = text.lstrip("# ")
            self.output.add(text, close=close)
        for each in found.aslant:
            self.output.add(sentence(" ".join(each.split())))

    def _opened(self, document: pdfium.PdfDocument, number: int) -> tuple[Page, list[str]]:
        with closing(document[number]) as page:
            remarks, drawn = _remarks(page)
            if not drawn:
                return self._read(page), remarks
        with closing(document[number]) as page:
            return self._read(page), remarks

    def _read(self, page: pdfium.PdfPage) -> Page:
        frame = Frame.of(page)
        sight = look(page, frame)
        self.objects = self.objects or sight.objects > 0
        text_page = page.get_textpage()
        with closing(text_page):
            return read(text_page, frame, sight, self.output.left_out)


def _remarks(page: pdfium.PdfPage) -> tuple[list[str], bool]:
    """What people remarked on the page; and whether fields and stamps have been drawn on it, to be read with it."""
    remarks, drawn = [], False
    for index in range(max(0, raw.FPDFPage_GetAnnotCount(page))):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        drawn = drawn or kind in _DRAWN
        text = _string(annotation, "Contents") if kind in _REMARKS else ""
        raw.FPDFPage_CloseAnnot(annotation)
        if text:
            remarks.append(text)
    if drawn:
        # What is drawn shows once the page is opened again.
        drawn = raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_SUCCESS
    return remarks, drawn


def _string(annotation: Any, name: str) -> str:  # noqa: ANN401 - ctypes
    key = name.encode()
    size = raw.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if not 2 < size <= 4 * _REMARK:  # noqa: PLR2004 - an empty text is its own end
        return ""
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return " ".join(buffer.raw[:-2].decode("utf-16-le", "replace").split())[:_REMARK]
