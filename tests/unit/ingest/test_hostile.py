"""Bombs and traps: each ends with a known error or harmless text, within bounds of time and memory (rules I5, I6)."""

import json
import resource
import struct
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from chalicelib.adapters import sandbox
from chalicelib.adapters.sandbox import ChildSandbox
from chalicelib.domain.errors import DocumentTooLarge, DocumentUnreadable, ExtractionTimeout, KnownError
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.limits import MIB, Limits
from tests.fakes.machine import Tally
from tests.shared import shared
from tests.unit.ingest.files import NAMES, W, docx, line, office, paragraph, pdf, pptx, shape, sheet, xlsx, zipped

pytestmark = pytest.mark.promise("I6")

SECONDS = 30
MEMORY = 1200
"""Bounds of every trap: seconds, and MiB of memory of the process that falls into it."""

LIMITS = Limits(seconds=20)


def _try(kind: str, content: bytes, limits: Limits = LIMITS) -> Extraction | KnownError:
    begun, before = time.monotonic(), _peak()
    try:
        return ChildSandbox(limits, Tally()).extract(kind, content, lambda _done, _total: None)
    except KnownError as error:
        return error
    finally:
        assert time.monotonic() - begun < SECONDS
        assert _peak() == before or _peak() < max(MEMORY, _own_peak())


def _peak() -> float:
    """MiB of the largest child of this process so far, which may be another test's."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def _own_peak() -> float:
    """MiB of this process at its largest, with some to spare: a child counts as large as what it was forked from."""
    return 1.1 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _code(kind: str, content: bytes) -> str:
    found = _try(kind, content)
    return found.code if isinstance(found, KnownError) else "text"


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 99}">' for n in range(10))
QUADRATIC = f'<!ENTITY q "{"x" * 100_000}">'
FILE = '<!ENTITY f SYSTEM "file:///etc/passwd">'
WEB = '<!ENTITY f SYSTEM "http://127.0.0.1:9/x">'


def _doctype(entities: str, body: str) -> bytes:
    return office(
        "docx",
        {"word/document.xml": f"<!DOCTYPE d [{entities}]><w:document {NAMES}><w:body>{body}</w:body></w:document>"},
    )


def _lying(content: bytes, size: int) -> bytes:
    """The zip with another unpacked size in all its headers."""
    made = bytearray(content)
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = made.find(mark)
        while at >= 0:
            struct.pack_into("<I", made, at + place, size)
            at = made.find(mark, at + 4)
    return bytes(made)


def _overlapping() -> bytes:
    """A zip whose many entries all point to the same packed bytes."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packed.compress(b"<" * 40_000_000) + packed.flush()
    names = [f"word/{number}.xml".encode() for number in range(2000)]
    head = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, len(body), 40_000_000, 1, 0) + b"x" + body
    central = b"".join(
        struct.pack(
            "<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, 0, len(body), 40_000_000, len(name), 0, 0, 0, 0, 0, 0
        )
        + name
        for name in names
    )
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, len(names), len(names), len(central), len(head), 0)
    return head + central + end


TRAPS: dict[str, tuple[str, Callable[[], bytes], set[str]]] = {
    "xml bomb": ("docx", lambda: _doctype(BOMB, paragraph("&e9;")), {"document_unreadable"}),
    "quadratic entity": ("docx", lambda: _doctype(QUADRATIC, paragraph("&q;" * 10_000)), {"document_unreadable"}),
    "a file by an entity": ("docx", lambda: _doctype(FILE, paragraph("&f;seen")), {"text"}),
    "an address by an entity": ("docx", lambda: _doctype(WEB, paragraph("&f;seen")), {"text"}),
    "a DTD from elsewhere": ("docx", lambda: office("docx", {"word/document.xml": f'<!DOCTYPE d SYSTEM "http://127.0.0.1:9/"><w:document {NAMES}><w:body>{paragraph("x")}</w:body></w:document>'}), {"text"}),
    "zip bomb in the body": ("docx", lambda: docx(paragraph("y" * 200_000_000)), {"document_too_large", "document_unreadable"}),
    "zip bomb of spaces": ("xlsx", lambda: office("xlsx", {"xl/workbook.xml": " " * 100_000_000}), {"document_too_large"}),
    "a size that lies": ("docx", lambda: _lying(docx(paragraph("z" * 3_000_000)), 10), {"document_unreadable"}),
    "entries over one another": ("docx", _overlapping, {"document_unreadable"}),
    "10,000 entries and more": ("docx", lambda: zipped({f"{number}": "" for number in range(10_500)}), {"document_too_large"}),
    "a zip in a zip": ("docx", lambda: zipped({"a.zip": zipped({"b.zip": zipped({"c": "x" * 999_999})})}), {"document_unreadable"}),
    "names that climb": ("docx", lambda: docx(paragraph("x"), rows=(("s", "styles", "../../../../etc/passwd"),), parts={"../../etc/cron.d/x": "x"}), {"text"}),
    "nesting without end": ("docx", lambda: docx("<w:sdt><w:sdtContent>" * 5000 + paragraph("x") + "</w:sdtContent></w:sdt>" * 5000), {"document_unreadable"}),
    "tables in tables": ("docx", lambda: docx("<w:tbl><w:tr><w:tc>" * 80 + paragraph("x") + "</w:tc></w:tr></w:tbl>" * 80), {"text", "document_unreadable"}),
    "cells that span a million": ("docx", lambda: docx("<w:tbl>" + "<w:tr><w:tc><w:tcPr><w:gridSpan w:val='9999999'/></w:tcPr><w:p/></w:tc></w:tr>" * 3 + f"<w:tr><w:tc>{paragraph('x')}</w:tc></w:tr></w:tbl>"), {"text"}),
    "styles in a circle": ("docx", lambda: docx(paragraph("x", "<w:pStyle w:val='a'/>"), rows=(("s", "styles", "s.xml"),), parts={"word/s.xml": f"<w:styles xmlns:w='{W}'><w:style w:styleId='a'><w:basedOn w:val='b'/></w:style><w:style w:styleId='b'><w:basedOn w:val='a'/></w:style></w:styles>"}), {"text"}),
    "an attribute without end": ("docx", lambda: docx(f"<w:p w:x='{'y' * 20_000_000}'/>" + paragraph("x")), {"text", "document_unreadable"}),
    "a sheet of endless dimensions": ("xlsx", lambda: xlsx("S||<s:dimension ref='A1:XFD1048576'/><s:cols><s:col min='1' max='99999999' hidden='0'/></s:cols>" + sheet("<s:c r='A1'><s:v>1</s:v></s:c>")), {"text"}),
    "hidden columns without end": ("xlsx", lambda: xlsx("S||<s:cols>" + "<s:col min='1' max='99999999' hidden='1'/>" * 2000 + "</s:cols>" + sheet("<s:c r='A1'><s:v>1</s:v></s:c>")), {"document_empty", "document_has_no_text"}),
    "a diagonal of cells": ("xlsx", lambda: xlsx("S||<s:sheetData>" + "".join(f"<s:row r='{n}'><s:c r='{_column(n)}{n}'><s:v>1</s:v></s:c></s:row>" for n in range(1, 5000)) + "</s:sheetData>"), {"document_too_large"}),
    "50,000 merged cells": ("xlsx", lambda: xlsx("S||" + sheet("<s:c r='A1'><s:v>1</s:v></s:c>") + "<s:mergeCells>" + "".join(f"<s:mergeCell ref='A{n}:B{n}'/>" for n in range(50_000)) + "</s:mergeCells>"), {"text"}),
    "a format without end": ("xlsx", lambda: xlsx("S||" + sheet("<s:c s='0'><s:v>1.5</s:v></s:c>"), styles=f"<s:numFmts><s:numFmt numFmtId='200' formatCode='{'0' * 9_000_000}'/></s:numFmts><s:cellXfs><s:xf numFmtId='200'/></s:cellXfs>"), {"text"}),
    "a number without end": ("xlsx", lambda: xlsx("S||" + sheet(f"<s:c s='0'><s:v>{'9' * 1_000_000}</s:v></s:c><s:c s='0'><s:v>1e999999999</s:v></s:c>"), styles="<s:cellXfs><s:xf numFmtId='4'/></s:cellXfs>"), {"text", "document_unreadable"}),
    "texts that are shared a million times": ("xlsx", lambda: xlsx("S||" + sheet(*["<s:c t='s'><s:v>0</s:v></s:c>" * 100] * 500), strings=f"<s:si><s:t>{'x' * 30_000}</s:t></s:si>"), {"document_too_large"}),
    "groups in groups": ("pptx", lambda: pptx("<p:grpSp>" * 200 + shape("x") + "</p:grpSp>" * 200), {"text", "document_unreadable"}),
    "a slide that is its own layout": ("pptx", lambda: pptx(shape("x"), rows=(("l", "slideLayout", "s0.xml"), ("m", "slideMaster", "s0.xml"))), {"text"}),
    "a name that lies: pdf": ("pdf", lambda: docx(paragraph("x")), {"unsupported_format"}),
    "a name that lies: xlsx": ("xlsx", lambda: docx(paragraph("x")), {"unsupported_format"}),
    "a name that lies: png": ("docx", lambda: b"\x89PNG\r\n\x1a\n" + bytes(100), {"unsupported_format"}),
    "an older format": ("docx", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(5000), {"unsupported_format"}),
    "an encrypted file": ("xlsx", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "EncryptedPackage".encode("utf-16-le"), {"document_encrypted"}),
    "pages that are their own parents": ("pdf", lambda: pdf(line("x")).replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]"), {"document_unreadable", "document_empty"}),
    "a count of pages that lies": ("pdf", lambda: pdf(line("x")).replace(b"/Count 1 ", b"/Count 99999999 "), {"text", "document_too_large", "document_unreadable"}),
    "a stream that unpacks for ever": ("pdf", lambda: _deflated(b"0 0 1 1 re f " * 20_000_000), {"document_has_no_text", "document_too_large", "extraction_timeout", "document_unreadable", "document_empty"}),
    "a million words on a page": ("pdf", lambda: pdf("".join(line(f"w{n}", n % 590, n % 790, 4) for n in range(100_000))), {"text", "extraction_timeout", "document_too_large"}),
    "forms in forms": ("pdf", lambda: pdf("/X Do").replace(b"/Font <<", b"/XObject << /X 5 0 R >> /Font <<").replace(b"<< /Length", b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length"), {"document_empty", "document_has_no_text", "document_unreadable"}),
    "parentheses without end": ("pdf", lambda: pdf("(" * 2_000_000), {"document_empty", "document_has_no_text", "document_unreadable"}),
    "arrays without end": ("pdf", lambda: pdf("[" * 2_000_000), {"document_empty", "document_has_no_text", "document_unreadable"}),
    "html nested without end": ("html", lambda: b"<div>" * 300_000 + b"x", {"document_unreadable", "document_too_large", "extraction_timeout"}),
    "html of attributes": ("html", lambda: b"<p " + b" ".join(b"a%d=1" % n for n in range(200_000)) + b">x</p>", {"text"}),
    "html of entities": ("html", lambda: b"<p>" + b"&lt;b>" * 300_000, {"text", "document_too_large", "extraction_timeout"}),
}  # fmt: skip


def _column(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _deflated(content: bytes) -> bytes:
    """A PDF whose page is a stream that is small only as long as it is packed."""
    packed = zlib.compress(content, 9).decode("latin-1")
    return pdf(packed).replace(b"<< /Length", b"<< /Filter /FlateDecode /Length")


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_ends_with_a_known_error_or_harmless_text(name: str) -> None:
    kind, make, ends = TRAPS[name]
    assert _code(kind, make()) in ends


def test_nothing_of_this_machine_comes_along() -> None:
    found = _try("docx", _doctype(FILE, paragraph("&f;seen")))
    assert isinstance(found, Extraction)
    assert "seen" in found.text
    assert "root" not in found.text


def test_an_archive_with_a_link_is_refused() -> None:
    for path in sorted(shared("security").glob("*.zip")):
        assert _code("docx", path.read_bytes()) == "document_unreadable"


def test_a_parser_that_never_ends_is_ended() -> None:
    content = pdf(*(line("x" * 90, 10, n % 790, 3) for n in range(4000)))
    begun = time.monotonic()
    found = _try("pdf", content, replace(LIMITS, seconds=1))
    assert isinstance(found, ExtractionTimeout)
    assert found.seconds == 1
    assert time.monotonic() - begun < 10


def test_more_memory_than_there_may_be_is_a_clear_refusal() -> None:
    found = _try("docx", docx(paragraph("m" * 9_000_000)), replace(LIMITS, memory_bytes=120 * MIB, output_bytes=MIB))
    assert isinstance(found, DocumentTooLarge | DocumentUnreadable)


CONFINED = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from chalicelib.ingest import child
from chalicelib.ingest.limits import Limits

child._confine(Limits())
import socket
child._close_the_door()
tried = {}
def attempt(name, call):
    try:
        call()
        tried[name] = "done"
    except OSError as error:
        tried[name] = type(error).__name__
attempt("read", lambda: open("/etc/hostname").read())
attempt("write", lambda: open("/tmp/acervo-escaped", "w").write("x"))
attempt("connect", lambda: socket.create_connection(("127.0.0.1", 9), 1))
attempt("listen", lambda: socket.socket())
attempt("run", lambda: __import__("os").popen("true"))
print(json.dumps(tried))
"""


def test_the_child_can_open_no_file_and_no_connection_and_start_nothing() -> None:
    path = json.dumps([each for each in sys.path if each])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", CONFINED, path], capture_output=True, text=True, check=True, env={}
    )
    assert set(json.loads(done.stdout).values()) == {"OSError"}
    assert not Path("/tmp/acervo-escaped").exists()  # noqa: S108 - it is not there


def test_the_child_has_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    started = sandbox._start(json_order(), {})
    environment = Path(f"/proc/{started.pid}/environ")
    if environment.exists():
        assert environment.read_bytes() == b""
    sandbox._end(started)
    started.stdin.close()  # type: ignore[union-attr]


def json_order() -> str:
    return json.dumps({"extension": "html", "limits": asdict(Limits())})


def test_a_child_that_dies_is_told_apart_by_how_it_died() -> None:
    parent = ChildSandbox(LIMITS, Tally())
    assert isinstance(parent._failure({}, -24), ExtractionTimeout)
    assert isinstance(parent._failure({}, -9), DocumentTooLarge)
    assert isinstance(parent._failure({}, -11), DocumentUnreadable)


def test_damaged_files_of_every_kind_never_end_in_anything_unknown() -> None:
    whole = {
        "docx": docx(paragraph("text")),
        "pptx": pptx(shape("text")),
        "xlsx": xlsx("S||" + sheet("<s:c><s:v>1</s:v></s:c>")),
        "pdf": pdf(line("text")),
    }
    for kind, content in whole.items():
        for place in range(0, len(content), max(1, len(content) // 6)):
            for damaged in (content[:place], content[:place] + b"\xff\x00" + content[place + 2 :]):
                _try(kind, damaged)


def test_parts_that_are_missing_are_no_fault_of_ours() -> None:
    with zipfile.ZipFile(shared("docs", "pandoc_notes.docx")) as whole:
        parts = {each: whole.read(each) for each in whole.namelist()}
    for missing in parts:
        _try("docx", zipped({name: each for name, each in parts.items() if name != missing}))
