"""HTML as Markdown, by markdownify on Beautiful Soup. Scripts, styles and what is hidden do not come along."""

import re
from importlib.metadata import version

from bs4 import BeautifulSoup, Comment, Tag
from markdownify import MarkdownConverter

from chalicelib.domain.errors import DocumentEmpty
from chalicelib.ingest.decoding import Decoded, decode, warm
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.inert import inert
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.ports import Progress
from chalicelib.ingest.textfiles import encoding_facts, lines_of

EXTRACTOR = f"markdownify/{version('markdownify')}"

# Whatever loads at its first use has to be loaded by now.
warm()
inert("<b>")

_UNSHOWN = ("title", "script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "canvas", "head")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])", re.IGNORECASE)
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)


def extract(content: bytes, _: Limits, __: Progress) -> Extraction:
    """The page as Markdown.

    Raises DocumentEmpty, UnsupportedFormat, UndecodableText.
    """
    decoded = _decoded(content)
    soup = BeautifulSoup(lines_of(decoded.text), "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else None
    for each in soup.find_all(_UNSHOWN):
        each.decompose()
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    hidden = _unhide(soup)
    text = MarkdownConverter(heading_style="ATX", bullets="-", escape_underscores=False).convert_soup(soup)
    if not text.strip():
        raise DocumentEmpty
    facts = encoding_facts(decoded) | ({"invisible_left_out": str(hidden)} if hidden else {})
    return Extraction(inert(text.strip() + "\n"), EXTRACTOR, title, facts)


def _decoded(content: bytes) -> Decoded:
    """By the page's own word where it is no UTF-8 and names an encoding that fits."""
    named = _CHARSET.search(content[:4096])
    try:
        return Decoded(content.decode("utf-8-sig"), "utf-8", 1.0) if content else decode(content)
    except UnicodeDecodeError:
        pass
    if named:
        try:
            return Decoded(content.decode(named[1].decode()), named[1].decode().lower(), 1.0)
        except (UnicodeDecodeError, LookupError):
            pass
    return decode(content)


def _unhide(soup: BeautifulSoup) -> int:
    """Take out what a browser would not show; how many characters that was."""
    hidden = 0
    for each in soup.find_all(lambda tag: isinstance(tag, Tag) and _is_hidden(tag)):
        if not each.decomposed:
            hidden += len(each.get_text(strip=True))
            each.decompose()
    return hidden


def _is_hidden(tag: Tag) -> bool:
    return tag.has_attr("hidden") or bool(_HIDDEN.search(str(tag.get("style") or "")))
