"""Which blocks of the passages answer a question, and whether any does."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chalicelib.answers.extractive.blocks import Block, Table, blocks, lines
from chalicelib.answers.extractive.words import Word, content_words, forms, met
from chalicelib.answers.languages import language_of
from chalicelib.answers.ports import Source

ENOUGH = 0.5
"""Share of what a question is about that a block, with its headings, must hold to answer it."""
_FOREIGN = 0.55
"""Score from which on a passage in another language than the question's is believed to answer it."""
_GIVEN = 0.3
"""What a word counts that is said of the page itself."""
_FIRST = 0.15
"""How much better a sentence of another block than the best must be."""
_ROW = 0.2
"""And a row of a table: out of it, it says little."""
_ABOVE = 0.8
"""What a word counts that stands in a heading or title, and not in the block itself."""


@dataclass(frozen=True, slots=True)
class Find:
    """A block, and how well it answers."""

    block: Block
    source: Source
    share: float
    """0 to 1: of what the question is about."""
    order: int
    """Place among all blocks, best passage first."""


@dataclass(frozen=True, slots=True)
class Finder:
    """Weighs blocks for one question."""

    words: tuple[Word, ...]
    weights: dict[Word, float]

    @classmethod
    def of(cls, question: str, passages: Sequence[Source], given: str = "") -> "Finder":
        """Words that all passages hold tell little; words that none holds tell that there is no answer.

        Args:
            question: or what it comes to.
            passages: that were found.
            given: what the page is about anyway, so that its words tell little: the hotel, on a hotel's page.
        """
        known = forms(given)
        words = content_words(question)
        texts = [forms(_whole(each)) for each in passages]
        total = len(texts)

        def weight(word: Word) -> float:
            held = sum(not word.isdisjoint(each) for each in texts)
            rarity = math.log(1 + (total + 1) / (held + 0.5)) if held else 1.2
            return rarity if word.isdisjoint(known) else rarity * _GIVEN

        return cls(words, {word: weight(word) for word in words})

    def share(self, text: str, above: str = "") -> float:
        """Of what the question is about, how much the text holds; with what stands above it."""
        total = sum(self.weights.values())
        inside = met(self.words, forms(text))
        outside = met(self.words, forms(above)) - inside if above else frozenset()
        found = sum(self.weights[each] for each in inside) + _ABOVE * sum(self.weights[each] for each in outside)
        return found / total if total else 0.0

    def finds(self, passages: Sequence[Source]) -> list[Find]:
        """The blocks of the passages, best first."""
        found: list[Find] = []
        for source in passages:
            above = " ".join((source.title, *source.heading_path))
            for block in blocks(source.content, source.heading_path[-1] if source.heading_path else source.title):
                share = self.share(block.text, f"{above} {block.heading}")
                found.append(Find(block, source, share, len(found)))
        return sorted(found, key=lambda each: (-round(each.share, 2), each.order))

    def best_sentence(self, finds: Sequence[Find]) -> str:
        """The sentence that holds most of what the question is about, of the item with the best block if it has one."""
        same = [each for each in finds if each.source.item_id == finds[0].source.item_id]
        return self._best_of(same) or self._best_of(finds)

    def _best_of(self, finds: Iterable[Find]) -> str:
        best, most = "", 0.0
        for number, find in enumerate(finds):
            for sentence in lines(find.block):
                share = self.share(sentence) and self.share(sentence) + (0 if number else _FIRST)
                share -= _ROW if isinstance(find.block, Table) and number else 0
                if share > most + 0.01 and not sentence.endswith(":"):
                    best, most = sentence, share
        return best


def supported(finds: Sequence[Find], language: str) -> bool:
    """Whether the best of these answers the question."""
    return any(_answers(each, language) for each in finds)


def _answers(find: Find, language: str) -> bool:
    if find.share >= ENOUGH:
        return True
    return find.source.score >= _FOREIGN and language_of(find.source.content, language) != language


def _whole(source: Source) -> str:
    return " ".join((source.title, *source.heading_path, source.content))
