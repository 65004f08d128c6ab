"""Validate, sanitise, ground, resolve: in this order, on the server, for each component; whatever fails is dropped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chalicelib.answers.catalogue.fields import SPOKEN
from chalicelib.answers.catalogue.schemas import MOST
from chalicelib.answers.grounding import Grounds
from chalicelib.answers.hosts import known_to
from chalicelib.answers.ports import KeptSection
from chalicelib.answers.resolve import Resolver, Unresolved, images_in
from chalicelib.answers.sanitise import props_sanitised, sanitised
from chalicelib.answers.steps import Draft
from chalicelib.answers.telling import Shown
from chalicelib.answers.validation import Rejected, Valid, shaped, valid
from chalicelib.domain.errors import KnownError
from chalicelib.domain.pages import LinkKind, Page


@dataclass(frozen=True, slots=True)
class Allowed:
    """What an answer may be made of."""

    page: Page
    ids: Mapping[str, Sequence[str]]
    """Ids that components may hold, by kind."""
    references: tuple[str, ...] = ()
    grounds: Grounds | None = None
    """What its figures must stand in; None for what the desk itself says."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of a draft."""

    spoken: str
    """Empty if it cannot be said."""
    shown: tuple[Shown, ...]
    mistakes: tuple[str, ...] = ()
    """Why the rest was dropped, for whoever is to mend it."""


@dataclass(slots=True)
class _Tally:
    """What an answer holds so far."""

    shown: list[Shown] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    slots: set[str] = field(default_factory=set)


def ids_of(page: Page, images: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The ids that an answer of the page may hold, with these pictures."""
    return {
        "image": tuple(images),
        "link": tuple(each.id for each in page.links),
        "action": tuple(each.id for each in page.links if each.kind is LinkKind.ACTION),
    }


@dataclass(frozen=True, slots=True)
class Checker:
    """Lets through what may be put before a visitor."""

    resolve: Resolver

    def __call__(self, draft: Draft, allowed: Allowed) -> Checked:
        """What of the draft may be shown, at most three components."""
        given = draft.get("components")
        tally = _Tally()
        if not isinstance(given, list | tuple):
            tally.mistakes.append("`components` has to be a list.")
            given = ()
        for each in given:
            if len(tally.shown) == MOST:
                tally.mistakes.append(f"An answer has at most {MOST} components.")
                break
            self._take(each, allowed, tally)
        spoken = self._spoken(draft.get("spoken"), allowed, tally)
        return Checked(spoken, tuple(tally.shown), tuple(tally.mistakes))

    def again(self, page: Page, kept: KeptSection) -> Shown | None:
        """A component that was shown before, checked as if it were new; None if it may not be shown any more."""
        ids = ids_of(page, [each.id for each in page.images if each.approved])
        given = {"component": kept.component, "props": kept.props, "sources": kept.sources}
        try:
            return self._shown(valid(given, ids, kept.sources), Allowed(page, ids))
        except Rejected:
            return None

    def _take(self, given: object, allowed: Allowed, tally: _Tally) -> None:
        try:
            component = valid(given, allowed.ids, allowed.references)
            if component.slot in tally.slots:
                raise Rejected(f"{component.component}: another component has its place already.")  # noqa: TRY301
            tally.shown.append(self._shown(component, allowed))
            tally.slots.add(component.slot)
        except Rejected as why:
            tally.mistakes.append(str(why))

    def _shown(self, component: Valid, allowed: Allowed) -> Shown:
        """The component as it is rendered. Raises Rejected."""
        name, known = component.component, known_to(allowed.page)
        clean = props_sanitised(component.props, known)
        props = shaped(name, _without_nothing(clean), allowed.ids)
        if allowed.grounds is not None and (loose := allowed.grounds.unsupported_in(props)):
            raise Rejected(f"{name}: these stand in none of the sources: {', '.join(loose)}")
        try:
            rendered = self.resolve(allowed.page, props, known)
        except (Unresolved, KnownError):
            raise Rejected(f"{name}: something that it names cannot be shown.") from None
        return Shown(name, component.slot, props, rendered, images_in(props), component.sources)

    def _spoken(self, given: object, allowed: Allowed, tally: _Tally) -> str:
        if not isinstance(given, str):
            tally.mistakes.append("`spoken` has to be a text.")
            return ""
        spoken = sanitised(given, known_to(allowed.page))
        if len(spoken) > SPOKEN:
            tally.mistakes.append(f"`spoken` may have {SPOKEN} characters.")
            return ""
        if allowed.grounds is not None and (loose := allowed.grounds.unsupported(spoken)):
            tally.mistakes.append(f"spoken: these stand in none of the sources: {', '.join(loose)}")
            return ""
        return spoken


def _without_nothing(value: Any) -> Any:  # noqa: ANN401 - props are JSON
    """Props without fields that nothing is left of; what was required is missed by who validates next."""
    if isinstance(value, Mapping):
        return {name: _without_nothing(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nothing(each) for each in value]
    return value
