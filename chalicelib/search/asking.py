"""Putting a request to the engine, by words and by meaning, with whatever of both can be had (rules S4, S6)."""

from dataclasses import dataclass, replace
from enum import StrEnum

from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import (
    Embedder,
    EmbeddingMismatch,
    EmbeddingsUnavailable,
    Leg,
    Outcome,
    Question,
    SearchIndex,
    Within,
)
from chalicelib.search.request import SearchRequest


class Degraded(StrEnum):
    """Why less was done than asked for."""

    EMBEDDINGS_UNAVAILABLE = "embeddings_unavailable"
    """There is no embedder, or it does not answer."""
    EMBEDDING_MISMATCH = "embedding_mismatch"
    """The index holds vectors of another model: it has to be made anew."""
    SEMANTIC_UNAVAILABLE = "semantic_unavailable"
    """The engine did not search by meaning, or not in time."""
    LEXICAL_UNAVAILABLE = "lexical_unavailable"
    """The engine did not search by words, or not in time."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine offers. None for a leg that took no part."""

    lexical: Leg | None
    semantic: Leg | None


@dataclass(slots=True)
class Inquiry:
    """What of a request the engine can be asked; a leg that fails is left out from then on."""

    index: SearchIndex
    text: str
    question: Question
    degraded: Degraded | None = None
    asked: int = 0
    """Round trips to the engine."""
    fault: Exception | None = None
    """What kept the last leg from answering that did not."""

    @classmethod
    def of(cls, request: SearchRequest, index: SearchIndex, embedder: Embedder) -> "Inquiry":
        """The inquiry that the request makes. By words if its meaning cannot be had."""
        text = request.query
        if not request.by_meaning:
            return cls(index, text, Question(text))
        try:
            vector = embedder.query(text)
        except EmbeddingsUnavailable:
            return cls(index, text, Question(text), Degraded.EMBEDDINGS_UNAVAILABLE)
        return cls(index, text, Question(text if request.by_words else None, vector))

    def ask(self, within: Within, limit: int) -> Answer:
        """Ask it all, in one round trip. Raises SearchUnavailable if no leg answers."""
        question = self.question
        answer = self._put(question, within, limit)
        if answer.lexical is None and answer.semantic is None:
            if question.words is not None:
                raise SearchUnavailable from self.fault
            self.question = Question(self.text)
            return self.ask(within, limit)
        return answer

    def ask_words(self, within: Within, limit: int) -> Leg | None:
        """Ask by words alone; None if that fails."""
        return self._put(replace(self.question, vector=None), within, limit).lexical

    def ask_meaning(self, within: Within, limit: int) -> Leg | None:
        """Ask by meaning alone; None if that fails."""
        return self._put(replace(self.question, words=None), within, limit).semantic

    def _put(self, question: Question, within: Within, limit: int) -> Answer:
        self.asked += 1
        legs = self.index.search(question, within, limit)
        return Answer(
            None if question.words is None else self._taken(legs.lexical, Degraded.LEXICAL_UNAVAILABLE),
            None if question.vector is None else self._taken(legs.semantic, Degraded.SEMANTIC_UNAVAILABLE),
        )

    def _taken(self, outcome: Outcome, otherwise: Degraded) -> Leg | None:
        if isinstance(outcome, Leg):
            return outcome
        self.fault = outcome
        self.degraded = Degraded.EMBEDDING_MISMATCH if isinstance(outcome, EmbeddingMismatch) else otherwise
        return None
