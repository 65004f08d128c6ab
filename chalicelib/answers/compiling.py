"""Topic maps before anybody asks: compiled by a worker when what is public, or what pages draw on, has changed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from chalicelib.answers.ports import PageStore
from chalicelib.domain.bases import BaseStatus
from chalicelib.domain.ids import Kind, is_id
from chalicelib.domain.pages import Page, PageStatus
from chalicelib.knowledge.ports import KnowledgeStore
from chalicelib.search.ports import Later

_TOGETHER = 25


class Maps(Protocol):
    """Where maps are compiled; `TopicMaps` is one."""

    def compile(self, base_id: str, space_id: str, going: Callable[[], bool]) -> int:
        """Have what is stored of a base as new as the table, while `going()`. Returns how often it was compiled."""
        ...


@dataclass(frozen=True, slots=True)
class CompileMaps:
    """Has the stored maps of the bases that live pages draw on as new as the table."""

    pages: PageStore
    store: KnowledgeStore
    maps: Callable[[], Maps]
    """Made when they are needed: most processes compile none."""
    later: Later

    def __call__(self, key: str, going: Callable[[], bool] = lambda: True) -> int:
        """Compile what has become old by a change of that base or page; what time is too short for, is asked for again.

        As often and in whatever order it is asked: what is compiled is what the table holds now. For a base that no
        live page draws on, nothing is done.

        Returns how often maps were compiled.

        Raises:
            KnownError: the table or the bucket does not answer.
        """
        compiled = sum(self.maps().compile(base_id, space_id, going) for base_id, space_id in self._drawn(key))
        if not going():
            self.later(key)
        return compiled

    def _drawn(self, key: str) -> list[tuple[str, str]]:
        """The bases whose maps are wanted, with their space."""
        if is_id(key, Kind.PAGE):
            page = self.pages.page(key)
            wanted = [] if page is None else sorted(_bases(page))
        else:
            wanted = [key]
        bases = [base for each in wanted if (base := self.store.base(each)) is not None]
        active = [(each.id, each.space_id) for each in bases if each.status is BaseStatus.ACTIVE]
        if is_id(key, Kind.PAGE):
            return active
        return [each for each in active if any(key in _bases(page) for page in self._pages(each[1]))]

    def _pages(self, space_id: str) -> Iterator[Page]:
        after = None
        while True:
            found = self.pages.pages(space_id, after, _TOGETHER)
            yield from found.entries
            after = found.after
            if after is None:
                return


def _bases(page: Page) -> set[str]:
    """The bases that visitors of the page are answered from."""
    if page.status is not PageStatus.LIVE:
        return set()
    return {base_id for topic in page.topics for base_id in topic.drawn_base_ids}
