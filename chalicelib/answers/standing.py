"""What the desk answers by itself: that it cannot help, and what to do instead."""

from typing import Any

from chalicelib.answers.grounding import Grounds
from chalicelib.answers.phrases import LANGUAGES, Phrases
from chalicelib.answers.steps import Draft, Understood
from chalicelib.domain.pages import LinkKind, Page

_LINKS = 3
_TOPICS = 5


def off_topic(page: Page, says: Phrases, understood: Understood) -> Draft:
    """A courteous redirection; in the model's words only for languages that the desk has no words of its own in.

    These may say no figure: nothing was read that it could stand in.
    """
    nothing = Grounds.of((), understood.language)
    own = understood.language in LANGUAGES or not understood.courtesy or nothing.unsupported(understood.courtesy)
    return _answer(page, says, says.off_topic if own else understood.courtesy)


def unsupported(page: Page, says: Phrases) -> Draft:
    """That the knowledge does not say it, and a next step (rule N2)."""
    return _answer(page, says, says.unsupported)


def _answer(page: Page, says: Phrases, spoken: str) -> Draft:
    components = [_notice(page, says, spoken), _next_step(page, says)]
    return {"spoken": spoken, "components": [each for each in components if each is not None]}


def _notice(page: Page, says: Phrases, spoken: str) -> dict[str, Any]:
    titles = ", ".join(each.title for each in page.topics[:_TOPICS])
    offer = f"{says.can_answer}: {titles}."[:300] if titles else spoken
    return {"component": "notice", "props": {"tone": "information", "text": offer}}


def _next_step(page: Page, says: Phrases) -> dict[str, Any] | None:
    actions = [each.id for each in page.links if each.kind is LinkKind.ACTION]
    links = [*actions, *(each.id for each in page.links if each.id not in actions)][:_LINKS]
    if not links:
        return None
    return {"component": "contact", "props": {"title": says.get_in_touch, "links": links}}
