"""In which language somebody asks, and a passage is written.

Questions are short: small words tell more than trigrams do, so those of six languages are counted first. For longer
texts, and other languages, whatlang is believed where it is sure of itself.
"""

import re
import unicodedata
from functools import cache, lru_cache

from chalicelib.search.stemming import detected

_SMALL = {
    "en": "the is are was of to and in what how when where why which who do does did can could would should i you my "
    "your we our it this that there for with from on at be have has much many a an if or not will any",
    "es": "el la los las un una unos unas de del que qué y en es son está están hay cómo cuándo cuánto cuánta cuántos "
    "cuántas dónde por para con sin mi su tu puedo puede pueden se lo al más o si quién cuál cuáles tengo tiene "
    "quiero cuesta como hola cuanto donde cuando",
    "pt": "o os as um uma de do da dos das que e em é são está não como quando quanto quanta quantos onde por para com "
    "sem meu minha seu sua posso pode você vocês se ao à mais ou qual quais tem há no na custa são",
    "fr": "le la les un une des de du que qui quoi et en est sont il elle y a comment quand combien où pourquoi pour "
    "avec sans mon ma mes votre vos je vous nous peut puis-je est-ce qu quel quelle quels quelles ce cette au aux ou "
    "pas ne d l c coûte",
    "de": "der die das den dem ein eine einen und in ist sind was wie wann wo warum wer welche welcher wieviel viel "
    "kann ich sie wir mein meine ihr ihre für mit ohne von zu auf bei es gibt nicht oder haben hat wird kostet im am",
    "it": "il lo la i gli le un una di del della dei che e in è sono c'è ci come quando quanto quanta dove perché chi "
    "per con senza mio mia suo posso può possono si al più o qual quale quali ho ha avete costa nel nella non",
}
"""Words that hardly any sentence of the language does without."""
_VAGUE = (
    "get got need want know tell give find please let know using use there here me about hello hi thanks "
    "quiero quisiera necesito hacer hago saber decir dime dar tener tengo haber pasa favor hola gracias sobre "
    "quero preciso fazer saber dizer dar ter favor ola obrigado sobre veux voudrais besoin faire savoir dire avoir "
    "bonjour merci plait sur mochte brauche machen wissen sagen geben haben bitte hallo danke uber voglio vorrei "
    "bisogno fare sapere dire dare avere ciao grazie favore su"
)
"""Words that say what somebody wants of the answer, and not what it is about; without accents."""
_HINTS = {
    "¿": "es",
    "¡": "es",
    "ñ": "es",
    "ã": "pt",
    "õ": "pt",
    "ß": "de",
    "œ": "fr",
}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")  # noqa: RUF001
_SETS = {language: frozenset(words.split()) for language, words in _SMALL.items()}
_ISO = {
    "eng": "en", "spa": "es", "por": "pt", "fra": "fr", "deu": "de", "ita": "it", "cat": "ca", "nld": "nl",
    "swe": "sv", "dan": "da", "nob": "no", "fin": "fi", "pol": "pl", "ces": "cs", "ron": "ro", "hun": "hu",
    "tur": "tr", "rus": "ru", "ukr": "uk", "ell": "el", "heb": "he", "ara": "ar", "pes": "fa", "hin": "hi",
    "jpn": "ja", "cmn": "zh", "kor": "ko", "tha": "th", "vie": "vi", "ind": "id",
}  # fmt: skip
"""Languages of whatlang that are told apart here, ISO 639-3 to 639-1."""
_LONG = 120
"""Characters from which on trigrams are believed rather than small words."""
_SCRIPTS = frozenset({"ru", "uk", "el", "he", "ar", "fa", "hi", "ja", "zh", "ko", "th"})
"""Languages that their script tells, however short the text."""


@lru_cache(1024)
def language_of(text: str, otherwise: str) -> str:
    """The language of a text, an ISO 639-1 code; `otherwise` if it does not tell."""
    return _told(text) or otherwise


def _told(text: str) -> str:
    found = detected(text)
    code, sure = (_ISO.get(found[0], ""), found[1]) if found else ("", False)
    if code in _SCRIPTS or (code and sure and len(text) >= _LONG):
        return code
    return _by_small_words(text) or (code if sure else "")


def _by_small_words(text: str) -> str:
    """The language with most small words in the text, and clearly so; empty if there is none."""
    words = [each.lower().replace("’", "'") for each in _WORD.findall(text)]  # noqa: RUF001
    votes = {language: float(sum(word in known for word in words)) for language, known in _SETS.items()}
    for sign, language in _HINTS.items():
        if sign in text.lower():
            votes[language] += 1.5
    best, second = sorted(votes, key=lambda each: -votes[each])[:2]
    return best if votes[best] > votes[second] else ""


@cache
def small_words() -> frozenset[str]:
    """Small words of all languages here, without accents, which say nothing of what a text is about."""
    folded = (unicodedata.normalize("NFD", word) for known in _SETS.values() for word in known)
    bare = {"".join(each for each in word if not unicodedata.combining(each)) for word in folded}
    return frozenset(bare | set(_VAGUE.split()) | {part for word in bare for part in re.split("['-]", word)})
