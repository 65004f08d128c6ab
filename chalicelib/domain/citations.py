"""References: the citation of one revision, `knowledge:<item-id>@<revision-id>`."""

import re

from chalicelib.domain.ids import Kind, is_id

_SHAPE = re.compile(r"knowledge:(?P<item>[a-z0-9_]+)@(?P<revision>[a-z0-9_]+)")


def cite(item_id: str, revision_id: str) -> str:
    """The reference of a revision."""
    return f"knowledge:{item_id}@{revision_id}"


def parse(reference: str) -> tuple[str, str]:
    """The item id and revision id that a reference names.

    Raises:
        ValueError: the text is not a reference.
    """
    shape = _SHAPE.fullmatch(reference)
    if shape is None or not is_id(shape["item"], Kind.ITEM) or not is_id(shape["revision"], Kind.REVISION):
        message = "A reference looks like knowledge:<item-id>@<revision-id>."
        raise ValueError(message)
    return shape["item"], shape["revision"]
