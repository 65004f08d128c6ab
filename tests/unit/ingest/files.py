"""Documents that tests make themselves, as small as can be."""

import io
import zipfile
from collections.abc import Mapping

_OFFICE = "http://schemas.openxmlformats.org"
_TYPES = f"{_OFFICE}/package/2006/content-types"
_RELATIONS = f"{_OFFICE}/package/2006/relationships"
_R = f"{_OFFICE}/officeDocument/2006/relationships"
W = f"{_OFFICE}/wordprocessingml/2006/main"
A = f"{_OFFICE}/drawingml/2006/main"
P = f"{_OFFICE}/presentationml/2006/main"
S = f"{_OFFICE}/spreadsheetml/2006/main"
NAMES = (
    f'xmlns:w="{W}" xmlns:a="{A}" xmlns:p="{P}" xmlns:r="{_R}" '
    f'xmlns:mc="{_OFFICE}/markup-compatibility/2006" xmlns:m="{_OFFICE}/officeDocument/2006/math" '
    f'xmlns:dgm="{_OFFICE}/drawingml/2006/diagram" xmlns:c="{_OFFICE}/drawingml/2006/chart" '
    f'xmlns:wp="{_OFFICE}/drawingml/2006/wordprocessingDrawing" xmlns:wps="urn:wps" '
    f'xmlns:xdr="{_OFFICE}/drawingml/2006/spreadsheetDrawing"'
)
_KINDS = {
    "docx": ("word/document.xml", "wordprocessingml.document.main"),
    "pptx": ("ppt/presentation.xml", "presentationml.presentation.main"),
    "xlsx": ("xl/workbook.xml", "spreadsheetml.sheet.main"),
}


def zipped(parts: Mapping[str, bytes | str], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def relations(part: str, *rows: tuple[str, str, str]) -> tuple[str, str]:
    """The part of a part's relations: id, kind and target of each."""
    folder, _, name = part.rpartition("/")
    listed = "".join(
        f'<Relationship Id="{each}" Type="{_R}/{kind}" Target="{target}"'
        f"{' TargetMode="External"' if '://' in target else ''}/>"
        for each, kind, target in rows
    )
    path = f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels"
    return path, f'<Relationships xmlns="{_RELATIONS}">{listed}</Relationships>'


def office(kind: str, parts: Mapping[str, bytes | str]) -> bytes:
    """An Office file of a kind with these parts."""
    main, content_type = _KINDS[kind]
    types = (
        f'<Types xmlns="{_TYPES}"><Override PartName="/{main}" '
        f'ContentType="application/vnd.openxmlformats-officedocument.{content_type}+xml"/></Types>'
    )
    return zipped({"[Content_Types].xml": types, **dict([relations("", ("r1", "officeDocument", main))]), **parts})


def docx(body: str, *, parts: Mapping[str, str] | None = None, rows: tuple[tuple[str, str, str], ...] = ()) -> bytes:
    """A text document with this body."""
    main = "word/document.xml"
    document = f"<w:document {NAMES}><w:body>{body}</w:body></w:document>"
    return office("docx", {main: document, **dict([relations(main, *rows)]), **(parts or {})})


def paragraph(text: str, properties: str = "", run: str = "") -> str:
    """A paragraph of a text document."""
    return (
        f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
    )


def pptx(*slides: str, parts: Mapping[str, str] | None = None, rows: tuple[tuple[str, str, str], ...] = ()) -> bytes:
    """A presentation with these shapes on its slides; parts and relations are of its first slide."""
    main = "ppt/presentation.xml"
    ids = "".join(f'<p:sldId id="{256 + number}" r:id="s{number}"/>' for number in range(len(slides)))
    deck = f'<p:presentation {NAMES}><p:sldIdLst>{ids}</p:sldIdLst><p:sldSz cx="9000" cy="6000"/></p:presentation>'
    made: dict[str, str] = {
        main: deck,
        **dict([relations(main, *((f"s{number}", "slide", f"slides/s{number}.xml") for number in range(len(slides))))]),
    }
    for number, shapes in enumerate(slides):
        attributes, _, rest = shapes.partition("|") if shapes.startswith("show=") else ("", "", shapes)
        made[f"ppt/slides/s{number}.xml"] = (
            f"<p:sld {NAMES} {attributes}><p:cSld><p:spTree>{rest}</p:spTree></p:cSld></p:sld>"
        )
    made |= dict([relations("ppt/slides/s0.xml", *rows)])
    return office("pptx", {**made, **(parts or {})})


def shape(text: str, *, place: str = "", properties: str = "", run: str = "", attributes: str = "") -> str:
    """A shape with a paragraph for each line."""
    lines = "".join(f"<a:p><a:r><a:rPr>{run}</a:rPr><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="x" {attributes}/><p:nvPr>{place}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{properties}</p:spPr><p:txBody>{lines}</p:txBody></p:sp>"
    )


def xlsx(
    *sheets: str, styles: str = "", strings: str = "", parts: Mapping[str, str] | None = None, book: str = ""
) -> bytes:
    """A workbook with these insides of its sheets: `name|attributes|content`."""
    main = "xl/workbook.xml"
    listed, made = "", {}
    rows: list[tuple[str, str, str]] = [("st", "styles", "styles.xml"), ("ss", "sharedStrings", "sharedStrings.xml")]
    for number, each in enumerate(sheets):
        name, attributes, content = each.split("|", 2)
        listed += f'<s:sheet name="{name}" sheetId="{number + 1}" r:id="s{number}" {attributes}/>'
        rows.append((f"s{number}", "worksheet", f"worksheets/s{number}.xml"))
        made[f"xl/worksheets/s{number}.xml"] = f'<s:worksheet xmlns:s="{S}" {NAMES}>{content}</s:worksheet>'
    workbook = f'<s:workbook xmlns:s="{S}" {NAMES}>{book}<s:sheets>{listed}</s:sheets></s:workbook>'
    made |= {
        main: workbook,
        "xl/styles.xml": f'<s:styleSheet xmlns:s="{S}">{styles}</s:styleSheet>',
        "xl/sharedStrings.xml": f'<s:sst xmlns:s="{S}">{strings}</s:sst>',
        **dict([relations(main, *rows)]),
    }
    return office("xlsx", {**made, **(parts or {})})


def sheet(*rows: str) -> str:
    """The data of a sheet: each row's cells."""
    data = "".join(f'<s:row r="{number}">{cells}</s:row>' for number, cells in enumerate(rows, 1))
    return f"<s:sheetData>{data}</s:sheetData>"


def pdf(*pages: str, size: tuple[int, int] = (600, 800), extra: str = "", more: tuple[str, ...] = ()) -> bytes:
    """A PDF whose pages have these content streams, with Helvetica as /F1; `more` objects follow them."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, content in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size[0]} {size[1]}] {extra} "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(content.encode('latin-1'))} >>\nstream\n{content}\nendstream")
    objects += more
    out, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{each}\nendobj\n".encode("latin-1")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{each:010d} 00000 n \n".encode() for each in places)
    return out + f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()


def line(text: str, left: float = 50, top: float = 700, size: float = 12, *, before: str = "") -> str:
    """A line of text in a content stream."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT {before} /F1 {size} Tf {left} {top} Td ({escaped}) Tj ET\n"
