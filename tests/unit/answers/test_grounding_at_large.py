"""Figures in texts that nobody wrote for this: 240 paragraphs in Spanish and English (rule N2)."""

import json
import random
import re
from collections.abc import Iterator

import pytest

from chalicelib.answers.extractive.blocks import sentences
from chalicelib.answers.grounding import Grounds
from tests.fakes.answers import source
from tests.shared import shared

pytestmark = pytest.mark.promise("N2")

_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)\b")
"""No claim is made of these (decision 0047)."""


def paragraphs(language: str) -> list[str]:
    data = json.loads(shared("ir", "xquad", f"xquad.{language}.json").read_text())["data"]
    return [each["context"] for article in data for each in article["paragraphs"]]


def changed(language: str, chance: random.Random) -> Iterator[tuple[Grounds, str]]:
    """Sentences with one figure changed to one that does not stand in their paragraph."""
    for paragraph in paragraphs(language):
        grounds = Grounds.of([source(paragraph, title="T")], language)
        for sentence in sentences(_ORDINAL.sub("", paragraph)):
            for number in re.finditer(r"\d+", sentence):
                other = str(int(number[0]) + chance.choice([1, 3, 10, 100]))
                if not re.search(rf"(?<!\d){other}(?!\d)", paragraph):
                    yield grounds, sentence[: number.start()] + other + sentence[number.end() :]


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_sentence_is_supported_by_its_paragraph(language: str) -> None:
    loose = []
    for paragraph in paragraphs(language):
        grounds = Grounds.of([source(paragraph, title="T")], language)
        loose += [(each, found) for each in sentences(paragraph) if (found := grounds.unsupported(each))]
    assert loose == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_figure_that_was_changed_is_found(language: str) -> None:
    cases = list(changed(language, random.Random(2)))
    passed = [text for grounds, text in cases if not grounds.unsupported(text)]
    assert len(cases) > 700
    assert len(passed) <= len(cases) // 200, passed


@pytest.mark.parametrize(("of", "by"), [("es", "en"), ("en", "es")])
def test_translations_are_supported_by_each_other_almost_always(of: str, by: str) -> None:
    """Translators convert units and write `two-thirds` for `dos tercios`: some of what is left are not the same."""
    every, loose = 0, 0
    for mine, other in zip(paragraphs(of), paragraphs(by), strict=True):
        grounds = Grounds.of([source(other, title="T")], of)
        for sentence in sentences(mine):
            every += bool(re.search(r"\d", sentence))
            loose += bool(re.search(r"\d", sentence) and grounds.unsupported(sentence))
    assert loose / every < 0.12, (loose, every)
