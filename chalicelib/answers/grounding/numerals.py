"""Number words of six languages as digits: `twenty-five` becomes `25`."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

_SMALL = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "es": "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho "
    "diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve",
    "pt": "um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove",
    "fr": "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
    "de": "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "it": "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
}
"""One, two, three … by language."""
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "fr": "vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
}
_MORE = {
    "en": {"hundred": 100},
    "es": {
        "cien": 100, "ciento": 100, "doscientos": 200, "doscientas": 200, "trescientos": 300, "trescientas": 300,
        "cuatrocientos": 400, "cuatrocientas": 400, "quinientos": 500, "quinientas": 500, "seiscientos": 600,
        "seiscientas": 600, "setecientos": 700, "setecientas": 700, "ochocientos": 800, "ochocientas": 800,
        "novecientos": 900, "novecientas": 900, "veintiún": 21, "veintiuna": 21, "dieciseis": 16, "un": 1, "una": 1,
    },
    "pt": {
        "cem": 100, "cento": 100, "duzentos": 200, "duzentas": 200, "trezentos": 300, "trezentas": 300,
        "quatrocentos": 400, "quinhentos": 500, "quinhentas": 500, "seiscentos": 600, "setecentos": 700,
        "oitocentos": 800, "novecentos": 900, "duas": 2, "uma": 1, "dezasseis": 16, "dezassete": 17, "dezanove": 19,
        "quatorze": 14,
    },
    "fr": {"cent": 100, "cents": 100, "quatre-vingt": 80, "une": 1, "septante": 70, "huitante": 80, "nonante": 90},
    "de": {"hundert": 100, "eine": 1, "einen": 1, "einem": 1, "einer": 1, "eins": 1, "zwo": 2, "dreissig": 30},
    "it": {"cento": 100, "duecento": 200, "trecento": 300, "quattrocento": 400, "cinquecento": 500, "un": 1, "una": 1},
}  # fmt: skip
_AND = {"en": "and", "es": "y", "pt": "e", "fr": "et", "de": "und", "it": "e"}
_TIMES = frozenset({"hundred", "cent", "cents", "hundert"})
"""Words that multiply what stands before them."""
_OTHERWISE = frozenset({"neuf", "sei", "second", "elf"})
"""Words that mean something else as often; no claim is made of them."""


@cache
def _table(language: str) -> Mapping[str, int]:
    """Words of a language that are a number by themselves."""
    small = {word: number for number, word in enumerate(_SMALL[language].split(), 1)}
    tens = {word: 20 + 10 * number for number, word in enumerate(_TENS[language].split())}
    return {**small, **tens, **_MORE[language], **dict(_compounds(language, small, tens))}


def _compounds(language: str, small: Mapping[str, int], tens: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    below = [(word, number) for word, number in small.items() if number < 10]
    for ten, value in tens.items():
        for word, number in below:
            yield from ((said, value + number) for said in _JOINED.get(language, _apart)(ten, word))
    if language == "fr":
        for base, value in (("soixante", 60), ("quatre-vingt", 80)):
            yield from ((f"{base}-{word}", value + number) for word, number in small.items() if number > 9)


def _apart(*_: str) -> tuple[str, ...]:
    """Spanish and Portuguese write them apart."""
    return ()


def _italian(ten: str, word: str) -> tuple[str, ...]:
    stem = ten[:-1] if word in {"uno", "otto"} else ten
    return (stem + word, f"{stem}tré") if word == "tre" else (stem + word,)


def _french(ten: str, word: str) -> tuple[str, ...]:
    return () if ten.endswith("-dix") else (f"{ten.rstrip('s')}-{word}", f"{ten}-et-{word}")


_JOINED: Mapping[str, Callable[[str, str], tuple[str, ...]]] = {
    "en": lambda ten, word: (f"{ten}-{word}",),
    "de": lambda ten, word: (f"{word}und{ten}",),
    "it": _italian,
    "fr": _french,
}


@cache
def _pattern(language: str) -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, _table(language)), key=len, reverse=True))
    joint = rf"(?:[ \u00a0-]|[ \u00a0]{_AND[language]}[ \u00a0])"
    return re.compile(rf"(?<![\w-])(?:{words})(?:{joint}(?:{words}))*(?![\w-])", re.IGNORECASE)


def with_digits(text: str, language: str, *, ones: bool) -> str:
    """The text with its number words in digits.

    Args:
        text: of any kind.
        language: whose words are looked for; nothing happens for one that is not known here.
        ones: also `one` and words that mean something else as often: so for what supports, not for what claims.
    """
    if language not in _TENS:
        return text
    table = _table(language)

    def put(match: re.Match[str]) -> str:
        said = match[0].lower()
        if said in table:
            skipped = not ones and (table[said] == 1 or said in _OTHERWISE)
            return match[0] if skipped else str(table[said])
        return " ".join(_added(said, table)) or match[0]

    return _pattern(language).sub(put, text)


def _added(said: str, table: Mapping[str, int]) -> Iterator[str]:
    """The numbers of a sequence of number words: those that make one number together are added up."""
    known = sorted(map(re.escape, table), key=len, reverse=True)
    total = 0
    for word in re.findall(rf"(?<![^\W_])(?:{'|'.join(known)})(?![^\W_])", said):
        value = table[word]
        if word in _TIMES and 0 < total < 100:
            total *= 100
        elif total and not _fits(total, value):
            yield str(total)
            total = value
        else:
            total += value
    if total:
        yield str(total)


def _fits(total: int, value: int) -> bool:
    """Whether a smaller number can be said after a greater one to add to it."""
    if value < 10:
        return total % 10 == 0 and total % 100 != 10
    return value < 100 and total % 100 == 0
