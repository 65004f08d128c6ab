"""One half of a search at a time, straight from an engine; a half that fails raises its fault."""

from chalicelib.search.ports import Candidate, Leg, Outcome, Question, SearchIndex, Vector, Within


def by_words(index: SearchIndex, query: str, within: Within, limit: int) -> tuple[Candidate, ...]:
    return _candidates(index.search(Question(query), within, limit).lexical)


def by_meaning(index: SearchIndex, vector: Vector, within: Within, limit: int) -> tuple[Candidate, ...]:
    return _candidates(index.search(Question(None, vector), within, limit).semantic)


def _candidates(outcome: Outcome) -> tuple[Candidate, ...]:
    if isinstance(outcome, Leg):
        return outcome.candidates
    raise outcome
