"""Locators made from titles, for writers who give none."""

import unicodedata

_LONGEST = 120


def locator_of(title: str) -> str:
    """A path-like label: letters, marks and digits of any script as they are, whatever is between them a hyphen."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    kept = "".join(each if unicodedata.category(each)[0] in "LMN" or each in "._" else " " for each in folded)
    return "-".join(kept.split())[:_LONGEST] or "item"
