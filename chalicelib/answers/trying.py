"""Trying a page out: which topics and passages a question would pick, by retrieval alone."""

from collections.abc import Callable
from dataclasses import dataclass

from chalicelib.answers.pages import page_for
from chalicelib.answers.ports import PageStore, Sources, TopicReader
from chalicelib.domain.pages import Topic
from chalicelib.domain.spaces import Principal


@dataclass(frozen=True, slots=True)
class TryPage:
    """Shows an author what the page finds, live or not; costs no turn, and asks no language model."""

    pages: PageStore
    reader: Callable[[], TopicReader]
    """Made when it is needed: most processes never try a page."""

    def __call__(self, principal: Principal, page_id: str, question: str) -> list[tuple[Topic, Sources]]:
        """Every topic with what it has on the question, the best first.

        Raises NotFound, NotAllowed, SearchUnavailable.
        """
        page, read = page_for(self.pages, principal, page_id), self.reader()
        found = [(topic, read(page, topic, question)) for topic in page.topics]
        return sorted(found, key=lambda each: -max((one.score for one in each[1].passages), default=0.0))
