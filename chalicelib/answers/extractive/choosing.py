"""Topics and pictures by the words that they have in common with a question."""

from collections.abc import Sequence

from chalicelib.answers.extractive.words import Word, content_words, forms, met
from chalicelib.domain.pages import Image, Topic


def best_topics(query: str, topics: Sequence[Topic], most: int) -> tuple[Topic, ...]:
    """The topics to read, best first: those that share words with the question, then others while there is room.

    A description may use other words than the question does, and reading costs no model; so there is always something
    to read.
    """
    return _ranked(query, topics, [forms(f"{each.title} {each.description}") for each in topics])[:most]


def best_images(query: str, images: Sequence[Image], most: int) -> tuple[Image, ...]:
    """The pictures whose description shares most with the question, best first, also such as share nothing."""
    return _ranked(query, images, [forms(each.shows) for each in images])[:most]


def fitting_images(query: str, images: Sequence[Image], most: int) -> tuple[Image, ...]:
    """The pictures that show what the question is about: at least half of its words."""
    words = content_words(query)
    shares = [(len(met(words, forms(each.shows))), each) for each in images]
    fitting = sorted((each for each in shares if words and each[0] * 2 >= len(words)), key=lambda each: -each[0])
    return tuple(image for _, image in fitting)[:most]


def _ranked[T](query: str, things: Sequence[T], texts: Sequence[frozenset[str]]) -> tuple[T, ...]:
    """The things, best first; a word that few of them hold counts more."""
    words = content_words(query)

    def weight(word: Word) -> float:
        return 1 / (1 + sum(not word.isdisjoint(each) for each in texts))

    scores = [sum(map(weight, met(words, each))) for each in texts]
    order = sorted(range(len(things)), key=lambda number: (-scores[number], number))
    return tuple(things[number] for number in order)
