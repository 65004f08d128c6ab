"""What the desk says by itself, in the visitor's language; one catalogue of texts."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """The desk's own sentences in one language. None of them says a figure."""

    looking: str
    reading: str
    """Progress; the titles of topics follow."""
    writing: str
    found: str
    """Spoken where a model's own line cannot be."""
    unsupported: str
    off_topic: str
    only_in: str
    """Spoken where the knowledge has it in another language only."""
    can_answer: str
    """The titles of topics follow."""
    get_in_touch: str
    summary: str
    prices: str
    steps: str
    dates: str
    questions: str
    timed_out: str
    unavailable: str
    broke: str

    def failed(self, code: str) -> str:
        """The sentence for people when a turn fails with that code."""
        if code == "turn_timed_out":
            return self.timed_out
        return self.unavailable if code in _PASSING else self.broke


_PASSING = frozenset({"model_unavailable", "search_unavailable", "store_busy", "knowledge_runtime_disabled"})

_TEXTS: Mapping[str, Phrases] = {
    "en": Phrases(
        looking="Looking into your question",
        reading="Reading about",
        writing="Writing the answer",
        found="Here is what I found.",
        unsupported="I could not find an answer to that in what I know.",
        off_topic="I am afraid that is not something I can help with here.",
        only_in="I have this in another language only; here it is as it was written.",
        can_answer="I can answer questions about",
        get_in_touch="Get in touch",
        summary="In short",
        prices="Prices",
        steps="Step by step",
        dates="Dates",
        questions="Questions and answers",
        timed_out="The answer took too long. Please ask again, perhaps with a simpler question.",
        unavailable="I cannot look that up right now. Please try again in a moment.",
        broke="The answer could not be finished. Please ask again, or in other words.",
    ),
    "es": Phrases(
        looking="Estudiando tu pregunta",
        reading="Leyendo sobre",
        writing="Escribiendo la respuesta",
        found="Esto es lo que he encontrado.",
        unsupported="No he encontrado una respuesta a eso en lo que sé.",
        off_topic="Lo siento, aquí no puedo ayudarte con eso.",
        only_in="Solo lo tengo en otro idioma; aquí está tal como se escribió.",
        can_answer="Puedo responder preguntas sobre",
        get_in_touch="Contacto",
        summary="En resumen",
        prices="Precios",
        steps="Paso a paso",
        dates="Fechas",
        questions="Preguntas y respuestas",
        timed_out="La respuesta ha tardado demasiado. Pregunta de nuevo, quizá de forma más sencilla.",
        unavailable="Ahora mismo no puedo consultarlo. Inténtalo de nuevo en un momento.",
        broke="No se ha podido terminar la respuesta. Pregunta de nuevo, o con otras palabras.",
    ),
    "pt": Phrases(
        looking="A estudar a sua pergunta",
        reading="A ler sobre",
        writing="A escrever a resposta",
        found="Isto é o que encontrei.",
        unsupported="Não encontrei uma resposta para isso no que sei.",
        off_topic="Lamento, mas aqui não posso ajudar com isso.",
        only_in="Só tenho isto noutra língua; aqui está tal como foi escrito.",
        can_answer="Posso responder a perguntas sobre",
        get_in_touch="Contacto",
        summary="Em resumo",
        prices="Preços",
        steps="Passo a passo",
        dates="Datas",
        questions="Perguntas e respostas",
        timed_out="A resposta demorou demasiado. Pergunte de novo, talvez de forma mais simples.",
        unavailable="Neste momento não consigo consultar isso. Tente de novo daqui a pouco.",
        broke="Não foi possível terminar a resposta. Pergunte de novo, ou por outras palavras.",
    ),
    "fr": Phrases(
        looking="J’étudie votre question",  # noqa: RUF001
        reading="Je lis sur",
        writing="J’écris la réponse",  # noqa: RUF001
        found="Voici ce que j’ai trouvé.",  # noqa: RUF001
        unsupported="Je n’ai pas trouvé de réponse à cela dans ce que je sais.",  # noqa: RUF001
        off_topic="Désolé, je ne peux pas vous aider ici sur ce sujet.",
        only_in="Je ne l’ai que dans une autre langue ; le voici tel qu’il a été écrit.",  # noqa: RUF001
        can_answer="Je peux répondre aux questions sur",
        get_in_touch="Contact",
        summary="En bref",
        prices="Prix",
        steps="Étape par étape",
        dates="Dates",
        questions="Questions et réponses",
        timed_out="La réponse a pris trop de temps. Reposez la question, peut-être plus simplement.",
        unavailable="Je ne peux pas consulter cela pour le moment. Réessayez dans un instant.",
        broke="La réponse n’a pas pu être terminée. Reposez la question, ou autrement.",  # noqa: RUF001
    ),
    "de": Phrases(
        looking="Ich sehe mir Ihre Frage an",
        reading="Ich lese über",
        writing="Ich schreibe die Antwort",
        found="Das habe ich gefunden.",
        unsupported="Dazu habe ich in dem, was ich weiß, keine Antwort gefunden.",
        off_topic="Dabei kann ich hier leider nicht helfen.",
        only_in="Das habe ich nur in einer anderen Sprache; hier steht es, wie es geschrieben wurde.",
        can_answer="Ich beantworte Fragen über",
        get_in_touch="Kontakt",
        summary="Kurz gesagt",
        prices="Preise",
        steps="Schritt für Schritt",
        dates="Termine",
        questions="Fragen und Antworten",
        timed_out="Die Antwort hat zu lange gedauert. Bitte fragen Sie noch einmal, vielleicht einfacher.",
        unavailable="Das kann ich gerade nicht nachsehen. Bitte versuchen Sie es gleich noch einmal.",
        broke="Die Antwort wurde nicht fertig. Bitte fragen Sie noch einmal, oder mit anderen Worten.",
    ),
    "it": Phrases(
        looking="Sto esaminando la tua domanda",
        reading="Leggo su",
        writing="Scrivo la risposta",
        found="Ecco che cosa ho trovato.",
        unsupported="Non ho trovato una risposta in quello che so.",
        off_topic="Mi dispiace, qui non posso aiutarti con questo.",
        only_in="Lo ho solo in un’altra lingua; eccolo come è stato scritto.",  # noqa: RUF001
        can_answer="Posso rispondere a domande su",
        get_in_touch="Contatti",
        summary="In breve",
        prices="Prezzi",
        steps="Passo per passo",
        dates="Date",
        questions="Domande e risposte",
        timed_out="La risposta ha richiesto troppo tempo. Riprova, magari con una domanda più semplice.",
        unavailable="In questo momento non posso consultarlo. Riprova tra poco.",
        broke="Non è stato possibile finire la risposta. Riprova, o con altre parole.",
    ),
}

LANGUAGES = frozenset(_TEXTS)


def phrases(language: str, otherwise: str = "en") -> Phrases:
    """The sentences in a language; in the other one, else in English, where there are none."""
    return _TEXTS.get(language) or _TEXTS.get(otherwise) or _TEXTS["en"]
