"""The sample knowledge of the laptop, as a page reads it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from chalicelib.answers.extractive.words import content_words, forms, met
from chalicelib.answers.ports import Source, Sources
from chalicelib.domain.pages import Page, Topic
from chalicelib.search.passages import passages

FOLDER = Path(__file__).parents[3] / "infra" / "local" / "sample"


@cache
def shelf() -> tuple[Source, ...]:
    """Every passage of every page."""
    return tuple(_passages())


def _passages() -> Iterator[Source]:
    for number, file in enumerate(sorted(FOLDER.glob("*/*.md"))):
        text = file.read_text()
        title = text.split("\n", 1)[0].strip("# ")
        for each in passages(text):
            yield Source(f"item_{number}", "kb_1", "rev_1", title, each.heading_path, each.content, 0.5)


class SampleReader:
    """The port `TopicReader`: the eight passages that share most words with the query."""

    def __call__(self, page: Page, topic: Topic, query: str) -> Sources:
        words = content_words(query)
        shares = [
            (len(met(words, forms(" ".join((each.title, *each.heading_path, each.content))))), each) for each in shelf()
        ]
        found = sorted((each for each in shares if each[0]), key=lambda each: -each[0])
        return Sources(tuple(each for _, each in found[:8]))

    def knowledge_version(self, page: Page) -> str:
        return "sample"
