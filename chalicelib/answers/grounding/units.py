"""Units and currencies, by the names that six languages have for them."""

import re
from collections.abc import Mapping

_NAMES: Mapping[str, str] = {
    "%": r"%|％|per ?cent|percent|por ?ciento|por ?cento|pour ?cents?|prozent|per ?cento|pct",
    "EUR": r"€|eur|euros?",
    "GBP": r"£|gbp|pounds sterling|libras? esterlinas?|livres? sterling|sterline",
    "pound": r"pounds?|libras?|livres?|pfund",
    "lb": r"lbs?",
    "JPY": r"¥|jpy|yen|yenes",
    "CHF": r"chf|fr\.|swiss francs?|francos?(?: suizos)?|francs?(?: suisses)?|schweizer franken|franken",
    "BRL": r"r\$|brl|reais",
    "USD": r"us\$|usd|us dollars?|dollars?|dólares|dólar|dolares|dólares estadounidenses|dollari|dollaro",
    "MXN": r"mxn|mx\$|pesos?(?: mexicanos)?",
    "$": r"\$",
    "cent": r"cents?|céntimos?|centavos?|cêntimos?|centimes?|centesimi",
    "year": r"years?|yrs?|años?|anos?|ans|années?|jahre?n?|anni|anno",
    "month": r"months?|mensualidad|mensualidades|mensualités?|mensalidades?|monatsmieten?|mensilità|mes|meses|mês|mois|monate?n?|mesi|mese",
    "week": r"weeks?|semanas?|semaines?|wochen?|settiman[ae]",
    "day": r"days?|días?|dias?|jours?|tagen?|tage|giorn[oi]",
    "night": r"nights?|noches?|noites?|nuits?|nächten?|nacht|nott[ei]",
    "hour": r"hours?|hrs?|h|horas?|heures?|stunden?|or[ae]|std",
    "minute": r"minutes?|mins?|minutos?|minuten?|minut[oi]",
    "second": r"seconds?|secs?|segundos?|secondes?|sekunden?|second[oi]|s",
    "ms": r"ms|milliseconds?|milisegundos?",
    "km": r"km|kilomet(?:er|re)s?|kilómetros?|quilómetros?|quilômetros?|kilomètres?|kilometern?|chilometr[oi]",
    "m": r"m|met(?:er|re)s?|metros?|mètres?|metern?|metr[oi]",
    "cm": r"cm|centimet(?:er|re)s?|centímetros?|centimètres?|zentimetern?|centimetr[oi]",
    "mm": r"mm|millimet(?:er|re)s?|milímetros?|millimètres?|millimetern?|millimetr[oi]",
    "mile": r"miles?|millas?|milhas?|milles|meilen?|migli[ao]",
    "mi2": r"square miles?|sq\.? ?mi|millas cuadradas|milhas quadradas|milles carrés|quadratmeilen|miglia quadrate",
    "km2": r"km²|km2|square kilomet(?:er|re)s|kilómetros cuadrados|quil[óô]metros quadrados|kilomètres carrés|quadratkilometern?|chilometri quadrati",
    "ha": r"ha|hectares?|hectáreas?|hektar|ettari",
    "ft": r"ft|feet|foot|pies|pés|pieds|fuß|piedi",
    "inch": r"inch(?:es)?|pulgadas?|polegadas?|pouces?|zoll|pollic[ei]",
    "yard": r"yards?|yd|yardas?|jardas?",
    "m2": r"m²|m2|sqm|square met(?:er|re)s?|metros cuadrados|metros quadrados|mètres carrés|quadratmetern?|qm|metri quadr(?:at)?i",
    "kg": r"kg|kilos?|kilograms?|kilogramos?|quilos?|quilogramas?|kilogrammes?|kilogramm|chil[oi]|chilogramm[oi]",
    "g": r"g|grams?|gramos?|gramas?|grammes?|gramm|gramm[oi]",
    "l": r"l|lit(?:er|re)s?|litros?|litres?|litern?|litr[oi]",
    "kB": r"kb|kib|kilobytes?",
    "MB": r"mb|mib|megabytes?|megas?",
    "GB": r"gb|gib|gigabytes?|gigas?",
    "TB": r"tb|tib|terabytes?",
    "°C": r"°\s?c|º\s?c|degrees celsius|grados centígrados|grad celsius",
    "°F": r"°\s?f|degrees fahrenheit",
    "°": r"°|º(?=\s|$)|degrees?|grados?|graus?|degrés?|grad|grad[oi]",
    "km/h": r"km/h|kmh|kph",
    "person": r"persons?|people|guests?|personas?|huéspedes|pessoas?|hóspedes|personnes?|personen?|gäste?n?|persone|persona|ospiti",
    "room": r"rooms?|habitación|habitaciones|quartos?|chambres?|zimmern?|camer[ae]",
}
SOFT = frozenset({"night", "person", "room"})
"""Things that are counted rather than measured with; a bare number may mean them."""
MONEY = frozenset({"pound", "EUR", "GBP", "JPY", "CHF", "BRL", "USD", "MXN", "$"})
_DOLLARS = frozenset({"USD", "MXN", "$"})
"""The sign stands for each of these."""
_CASED = re.compile(r"(?:[hsmgl]|MB|GB)\Z")

MULTIPLIERS: Mapping[str, int] = {
    "mil millones": 10**9, "miles de millones": 10**9, "thousand": 10**3, "mil": 10**3, "mille": 10**3, "mila": 10**3,
    "tausend": 10**3, "k": 10**3, "million": 10**6, "millions": 10**6, "millón": 10**6, "millones": 10**6,
    "milhão": 10**6, "milhões": 10**6, "millionen": 10**6, "mio": 10**6, "milione": 10**6, "milioni": 10**6,
    "M": 10**6, "billion": 10**9, "billions": 10**9, "bn": 10**9, "milliarde": 10**9, "milliarden": 10**9,
    "milliards": 10**9, "milliard": 10**9, "miliardi": 10**9, "miliardo": 10**9, "bilhão": 10**9, "bilhões": 10**9,
}  # fmt: skip

_ORDER = sorted(_NAMES, key=lambda unit: -max(map(len, _NAMES[unit].split("|"))))
BEFORE = re.compile(r"(?P<unit>US\$|MX\$|R\$|[€£¥$]|\b(?:EUR|USD|GBP|CHF|MXN|BRL|JPY))\s?[-–]?$", re.IGNORECASE)
_AFTER = [(unit, re.compile(rf"[\s\u00a0\u202f-]?(?:{_NAMES[unit]})(?![^\W_]|\d)", re.IGNORECASE)) for unit in _ORDER]
_TIMES = re.compile(
    rf"[\s\u00a0]?(?P<word>{'|'.join(sorted(MULTIPLIERS, key=len, reverse=True))})(?![^\W_])(?:\s+(?:de|di|d'|of))?",
    re.IGNORECASE,
)


def unit_after(text: str, at: int) -> tuple[str, int]:
    """The unit that begins at a place of the text, and where it ends; empty if there is none."""
    best, end = "", at
    for unit, pattern in _AFTER:
        match = pattern.match(text, at)
        if (
            match
            and match.end() > end
            and not (
                _CASED.match(match[0].strip().lower()) and match[0].strip().isupper() and len(match[0].strip()) == 1
            )
        ):
            best, end = unit, match.end()
    return best, end


def unit_named(text: str) -> str:
    """The unit that a text names, as the head of a column does; empty if it names none."""
    for match in re.finditer(r"[€£¥$%°]|(?<![^\W_])[^\W\d_]+[²2]?", text):
        unit, _ = unit_after(text, match.start())
        if unit and (len(match[0]) > 1 or not match[0].isalpha()):
            return unit
    return ""


def multiplier_after(text: str, at: int) -> tuple[int, int]:
    """What the word at a place multiplies a number with, and where it ends; one if there is none."""
    match = _TIMES.match(text, at)
    if match is None:
        return 1, at
    word = match["word"]
    glued = match.start("word") == at
    if word.lower() in {"m", "k"}:
        return (
            (MULTIPLIERS[word if word == "M" else word.lower()], match.end("word"))
            if glued and word in "Mk"
            else (1, at)
        )
    return MULTIPLIERS[word.lower()], match.end()


def same(unit: str) -> tuple[str, ...]:
    """The units that an amount in this one may stand in."""
    if unit == "$":
        return tuple(_DOLLARS)
    if unit == "pound":
        return ("pound", "GBP", "lb")
    return (unit, "$") if unit in _DOLLARS else (unit, "pound") if unit in {"GBP", "lb"} else (unit,)
