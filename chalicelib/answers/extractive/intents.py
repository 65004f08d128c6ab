"""What kind of answer a question asks for, by the words it asks with."""

import re
from enum import StrEnum


class Intent(StrEnum):
    """A kind of answer."""

    PRICE = "price"
    STEPS = "steps"
    DATES = "dates"
    CONTACT = "contact"


_WORDS = {
    Intent.PRICE: (
        r"how much|price|prices|pricing|cost|costs|fee|fees|rate|rates|charge"
        r"|cuánto (?:cuesta|cuestan|vale|valen|es)|cuanto (?:cuesta|cuestan|vale|es)|precios?|tarifas?|coste|costo|cuesta"
        r"|quanto custa|quanto custam|preços?|tarifas?|combien|prix|tarifs?|coûte|coûtent"
        r"|wie ?viel kostet|was kostet|kosten|kostet|preise?|quanto costa|quanto costano|prezz[oi]|tariff[ae]"
    ),
    Intent.STEPS: (
        r"how (?:do|can|should|to|would)|steps?|what (?:do|should) i do|cómo|como (?:puedo|se|hago|hacer)|pasos?"
        r"|qué (?:debo|tengo que) hacer|qué hago|passos?|comment|étapes?|wie (?:kann|mache|geht|soll)|schritte?"
        r"|come (?:posso|si|faccio)|passi"
    ),
    Intent.DATES: (
        r"when|what (?:time|day|date)|opening hours|schedule|timetable|cuándo|cuando|a qué hora|qué día|fechas?|horarios?"
        r"|quando|a que horas|datas?|horários?|quand|à quelle heure|horaires?|wann|termine?|uhrzeit|öffnungszeiten"
        r"|a che ora|orari"
    ),
    Intent.CONTACT: (
        r"contact|phone|telephone|e-?mail|reach you|call you|write to you|book|booking|reserve|contactar|contacto|teléfono"
        r"|telefono|correo|llamar|reservar|reserva|contacto|telefone|ligar|contacter|téléphone|appeler|réserver|kontakt"
        r"|kontaktieren|telefonnummer|anrufen|buchen|reservieren|contattare|contatto|chiamare|prenotare"
    ),
}
_PATTERNS = {intent: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for intent, words in _WORDS.items()}

PRICED = _PATTERNS[Intent.PRICE]
"""Words that speak of prices."""
AMOUNT = re.compile(
    r"(?:[€$£¥]|US\$|R\$|\b(?:EUR|USD|GBP|CHF|MXN|BRL)\b)\s?\d[\d.,'’ \u00a0\u202f]*\d?"
    r"|\b\d[\d.,'’\u00a0\u202f]*\s?(?:[€$£¥]|(?:EUR|USD|GBP|CHF|MXN|BRL|euros?|dollars?|dólares|pounds?|libras|pesos|reais)\b)",
    re.IGNORECASE,
)
"""A price, as it stands in a sentence."""


def intents(question: str) -> frozenset[Intent]:
    """The kinds of answer that the question asks for; none if it is open."""
    return frozenset(each for each, pattern in _PATTERNS.items() if pattern.search(question))
