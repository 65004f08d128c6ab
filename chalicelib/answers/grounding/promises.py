"""Promises that cost the owner something if they are wrong: free, guaranteed, refunded, discounted."""

import re
from collections.abc import Iterator, Mapping

_WORDS: Mapping[str, str] = {
    "free": r"free|for free|free of charge|complimentary|no charge|gratis|gratuit[oaes]{0,2}|sin coste|sin costo|sin cargo"
    r"|sem custo|sans frais|kostenlos\w{0,2}|kostenfrei\w{0,2}|unentgeltlich|grátis|gratuitamente",
    "guarantee": r"guarant(?:ee|ees|eed|y)|warrant(?:y|ies)|garantía|garantías|garantizad[oa]s?|garantizamos|garantiza"
    r"|garantia|garantido|garantimos|garantie|garanties|garanti[es]{0,2}|garantissons|garantiert\w?|garantieren|garanzia"
    r"|garantit[oaie]|garantiamo",
    "refund": r"refund\w{0,4}|money[- ]back|reimburs\w{2,7}|reembols\w{1,5}|devolución del dinero|te devolvemos"
    r"|devolvemos|rembours\w{2,7}|rückerstatt\w{2,4}|erstatten|rimbors\w{1,5}|devolução do dinheiro",
    "discount": r"discounts?|discounted|descuentos?|descontos?|remises?|rabatte?|sconto|sconti|ermäßigung\w{0,2}",
    "half": r"half|mitad|metade|moitié|hälfte|metà|half[- ]price",
    "double": r"double|twice|triple|doble|dobro|triplo|deux fois|doppelt\w{0,2}|doppio",
    "unlimited": r"unlimited|ilimitad[oa]s?|illimitée?s?|unbegrenzt\w{0,2}|unbeschränkt\w{0,2}|illimitat[oaie]",
}
_PATTERN = {
    name: re.compile(rf"(?<![^\W_])(?<![^\W_]-)(?:{words})(?![^\W_])", re.IGNORECASE) for name, words in _WORDS.items()
}
_NO = re.compile(
    r"(?i)(?<![^\W_])(?:no|not|never|without|non|cannot|can't|don't|doesn't|isn't|aren't|won't|nor|neither|sin|nunca|ni|não|sem|nem"
    r"|ne|pas|sans|jamais|aucune?|nicht|kein\w{0,2}|ohne|nie|senza|mai|nessun\w?)(?![^\W_])(?:\W+\w+){0,2}\W*$"
)
_AFTER = re.compile(
    r"(?i)^\W*(?:time|space|spaces|to|from|form|of (?!charge)|hand|software|room|rooms|bed|beds)(?![^\W_])"
)
_BEFORE = re.compile(r"(?i)(?:feel|set|for)\s+$|\w-$")
_CHECKED = frozenset({"free", "guarantee", "refund", "discount", "unlimited"})
"""Promises of which claims are made; the others are words for figures as well, and mean too many things."""


def promised(text: str) -> Iterator[tuple[str, str]]:
    """The promises of a text, as key and as the word that stands there; what is denied has a key of its own."""
    for name in _CHECKED:
        for match in _PATTERN[name].finditer(text):
            before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 20]
            if name == "free" and (_AFTER.match(after) or _BEFORE.search(before)) and match[0].lower() == "free":
                continue
            yield f"p:{name}:{'no' if _NO.search(before) else 'yes'}", match[0]
