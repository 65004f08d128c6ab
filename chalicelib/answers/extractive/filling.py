"""Components out of blocks: the form that the knowledge was written in decides which."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chalicelib.answers.extractive.blocks import Block, Listing, Prose, Table, sentences, shortened
from chalicelib.answers.extractive.finding import Find
from chalicelib.answers.extractive.intents import AMOUNT, PRICED, Intent
from chalicelib.domain.pages import Image

type Built = dict[str, Any]

_LABEL, _TITLE, _LINE, _PARAGRAPH = 80, 120, 300, 1200
_NEAR = 0.6
"""A block that is this much as good as the best one belongs to the answer."""
_SAME = 0.85
"""Of another passage, only what is hardly worse belongs to the same text."""
_DATE = re.compile(
    r"^(?P<when>(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?|\d{1,2}:\d{2}|(?:19|20)\d{2}|[^:–—]{0,24}\d[^:–—]{0,24}))"  # noqa: RUF001
    r"\s*[:–—-]\s+(?P<text>.+)$"  # noqa: RUF001
)
_CURRENCY = re.compile(r"[€$£¥]|\b(?:EUR|USD|GBP|CHF|MXN|BRL)\b")
_LEAD = re.compile(r"^(?P<title>[^.:!?]{2,80}?)[.:]\s+(?P<text>\S.+)$")


@dataclass(frozen=True, slots=True)
class Ask:
    """What the components are to answer."""

    intents: frozenset[Intent]
    finds: Sequence[Find]
    """Best first, at least one."""
    images: Sequence[Image]
    ids: Mapping[str, Sequence[str]]
    titles: Mapping[str, str]
    """For components whose blocks have none, by component."""

    @property
    def good(self) -> list[Find]:
        """The blocks that belong to the answer: the best one, and those hardly worse."""
        best = self.finds[0].share
        return [each for each in self.finds if each.share >= best * _NEAR]

    @property
    def around(self) -> list[Find]:
        """The blocks under the same heading as the best one, in the order in which they were written."""
        best = self.finds[0]
        same = [each for each in self.finds if each.source is best.source and each.block.heading == best.block.heading]
        return sorted(same, key=lambda each: each.order)


def components(ask: Ask) -> list[Built]:
    """One to three components, in order."""
    formed = _formed(ask)
    told = _text(ask, [] if formed is None else [formed[1]])
    found = [each for each in (told, formed[0] if formed else None, _further(ask)) if each is not None]
    return found[:3]


def _component(name: str, finds: Sequence[Find], **props: object) -> Built:
    sources = list(dict.fromkeys(each.source.reference for each in finds))
    kept = {key: each for key, each in props.items() if each}
    return {"component": name, "props": kept, "sources": sources}


def _formed(ask: Ask) -> tuple[Built, Find] | None:
    """What has a form of its own in the knowledge, and the block that it was made of."""
    order = sorted(ask.good, key=lambda each: not _suits(each.block, ask.intents))
    for find in (*order, *ask.around):
        built = _of_block(find, ask)
        if built is not None:
            return built, find
    return None


def _suits(block: Block, intents: frozenset[Intent]) -> bool:
    if Intent.PRICE in intents:
        return AMOUNT.search(block.text) is not None
    if Intent.STEPS in intents:
        return isinstance(block, Listing) and block.ordered
    return False


def _of_block(find: Find, ask: Ask) -> Built | None:
    block = find.block
    if isinstance(block, Table):
        return _prices(find, ask) or _comparison(find, ask)
    if isinstance(block, Listing):
        return _prices(find, ask) or _timeline(find, ask) or _steps(find, ask) or _highlights(find, ask)
    return _faq(find) if find.share >= ask.finds[0].share * _NEAR else None


def _title(find: Find, ask: Ask, component: str) -> str:
    return shortened(find.block.heading or ask.titles.get(component, ""), _TITLE)


def _prices(find: Find, ask: Ask) -> Built | None:
    if Intent.PRICE not in ask.intents:
        return None
    items = [each for each in _priced(find.block) if each is not None][:12]
    return _component("price_list", [find], title=_title(find, ask, "price_list"), items=items) if items else None


def _priced(block: Block) -> Iterator[dict[str, str] | None]:
    if isinstance(block, Table):
        for row in block.rows:
            at = next((number for number, cell in enumerate(row) if number and AMOUNT.search(cell)), 0)
            at = at or _column_of_prices(block.head)
            if 0 < at < len(row):
                others = ", ".join(cell for number, cell in enumerate(row) if cell and number not in {0, at})
                yield _price(row[0], _with_currency(row[at], block.head[at]), others)
    elif isinstance(block, Listing):
        for item in block.items:
            found = AMOUNT.search(item)
            if found:
                name = item[: found.start()].strip(" :–—-,(") or item[found.end() :].strip(" :–—-,.)")  # noqa: RUF001
                rest = item[found.end() :].strip(" :–—-,.()") if item[: found.start()].strip() else ""  # noqa: RUF001
                yield _price(name, found[0].strip(), rest)


def _column_of_prices(head: Sequence[str]) -> int:
    """The column that says that it holds prices; 0, which holds names, if there is none."""
    says = (number for number, cell in enumerate(head) if number and (PRICED.search(cell) or _CURRENCY.search(cell)))
    return next(says, 0)


def _with_currency(cell: str, head: str) -> str:
    """A bare number with the currency that its column is in."""
    sign = _CURRENCY.search(head)
    return f"{cell} {sign[0]}" if sign and cell.replace(".", "").replace(",", "").isdigit() else cell


def _price(name: str, price: str, detail: str) -> dict[str, str] | None:
    if not name or not price or len(price) > _LABEL:
        return None
    priced = {"name": shortened(name, _TITLE), "price": price}
    return {**priced, "detail": shortened(detail, _LINE)} if detail else priced


def _comparison(find: Find, ask: Ask) -> Built | None:
    table = find.block
    if not isinstance(table, Table) or not 2 <= len(table.head) <= 5:  # noqa: PLR2004 - a label and one to four columns
        return None
    cells = [cell or "–" for row in table.rows for cell in row]  # noqa: RUF001
    if any(len(row) != len(table.head) for row in table.rows) or any(len(each) > _LABEL for each in cells):
        return _points(find, ask, [": ".join(filter(None, row)) for row in table.rows])
    rows = [{"label": row[0] or "–", "values": [cell or "–" for cell in row[1:]]} for row in table.rows]  # noqa: RUF001
    columns = [each or "–" for each in table.head[1:]]  # noqa: RUF001
    return _component("comparison", [find], title=_title(find, ask, "comparison"), columns=columns, rows=rows[:10])


def _timeline(find: Find, ask: Ask) -> Built | None:
    items = find.block.items if isinstance(find.block, Listing) else ()
    matches = [match for each in items if (match := _DATE.match(each))]
    if len(matches) < 2 or len(matches) < len(items):  # noqa: PLR2004 - one date is no timeline
        return None
    events = [{"when": each["when"].strip(), "text": shortened(each["text"], _LINE)} for each in matches[:10]]
    return _component("timeline", [find], title=_title(find, ask, "timeline"), events=events)


def _steps(find: Find, ask: Ask) -> Built | None:
    listing = find.block
    if not isinstance(listing, Listing) or not listing.ordered or len(listing.items) < 2:  # noqa: PLR2004
        return None
    steps = [{"text": shortened(each, _LINE)} for each in listing.items[:10]]
    return _component("steps", [find], title=_title(find, ask, "steps"), steps=steps)


def _highlights(find: Find, ask: Ask) -> Built | None:
    return _points(find, ask, list(find.block.items)) if isinstance(find.block, Listing) else None


def _points(find: Find, ask: Ask, texts: Sequence[str]) -> Built:
    points = []
    for text in texts[:6]:
        led = _LEAD.match(text)
        parts = {"title": led["title"], "text": led["text"]} if led else {"text": text}
        points.append({**parts, "text": shortened(parts["text"], _LINE)})
    return _component("highlights", [find], title=_title(find, ask, "highlights"), points=points)


def _faq(find: Find) -> Built | None:
    block = find.block
    if not isinstance(block, Prose) or not block.heading.endswith("?") or block.text.endswith(":"):
        return None
    pair = {"question": shortened(block.heading, _LINE), "answer": shortened(block.text, _PARAGRAPH)}
    return _component("faq", [find], questions=[pair])


def _text(ask: Ask, without: Sequence[Find]) -> Built | None:
    """The best paragraphs, in the order in which they were written."""
    faq = [each for each in without if isinstance(each.block, Prose)]
    near_enough = ask.finds[0].share * _SAME
    good = [
        each
        for each in ask.good
        if isinstance(each.block, Prose)
        and each not in faq
        and (each.source is ask.finds[0].source or each.share >= near_enough)
    ]
    near = [each for each in ask.around if isinstance(each.block, Prose) and each not in (*good, *faq)]
    chosen = sorted([*good[:2], *near[: 2 - len(good[:2])]], key=lambda each: each.order)
    chosen = [each for each in chosen if not (each.block.text.endswith(":") and len(chosen) > 1)]
    if not chosen:
        return None
    paragraphs = [shortened(_ended(each.block.text), _PARAGRAPH) for each in chosen]
    title = shortened(chosen[0].block.heading, _TITLE)
    return _component("text", chosen, title=title, paragraphs=list(dict.fromkeys(paragraphs)))


def _ended(text: str) -> str:
    """A paragraph that led to something which is not shown ends as if there were more."""
    return f"{text[:-1]}…" if text.endswith(":") else text


def _further(ask: Ask) -> Built | None:
    """A picture that fits, or the way to reach people if that was asked for."""
    best = ask.finds[:1]
    links = list(ask.ids.get("link", ()))
    if Intent.CONTACT in ask.intents and links:
        return _component("contact", best, title=ask.titles.get("contact", ""), links=links[:5])
    pictures = [each.id for each in ask.images]
    if len(pictures) > 1:
        return _component("gallery", best, images=pictures[:6])
    return _component("image", best, image=pictures[0]) if pictures else None


def opening(find: Find) -> str:
    """The first sentence of a block, for where none stands out."""
    return _ended(next(iter(sentences(find.block.text)), ""))
