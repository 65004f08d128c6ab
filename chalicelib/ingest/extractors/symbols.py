"""Signs of symbol fonts as the characters they show.

Source: the encoding of Adobe's Symbol font (Unicode Consortium, VENDORS/ADOBE/symbol.txt); of Wingdings, boxes and
ticks.
"""
# ruff: noqa: RUF001 - signs that look like letters are what this is about

_PRIVATE = 0xF000
_GREEK = dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)) | dict(
    zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)
)
_SIGNS = {
    0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "″",
    0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…",
    0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xCC: "⊂", 0xCE: "∈", 0xCF: "∉", 0xD1: "∇", 0xD5: "∏", 0xD6: "√", 0xD8: "¬",
    0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDC: "⇐", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_DINGS = {
    0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x76: "❖", 0xA7: "▪", 0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→",
    0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_FONTS = {"symbol": {**_GREEK, **_SIGNS}, "wingdings": _DINGS}


def shown(font: str, code: int) -> str:
    """The character that a sign shows; empty if that is not known."""
    code -= _PRIVATE if code >= _PRIVATE else 0
    table = _FONTS.get(font.lower())
    if table is None:
        return chr(code) if 0x20 <= code < 0xD800 and code != 0x7F else ""  # noqa: PLR2004 - no control, no surrogate
    if code < 0x40 and font.lower() == "symbol":  # noqa: PLR2004 - digits and punctuation are those of ASCII
        return chr(code) if code >= 0x20 else ""  # noqa: PLR2004
    return table.get(code, "")
