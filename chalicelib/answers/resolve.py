"""Ids become data: a picture's becomes an address in our bucket, a link's what the owner registered (rule N1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from chalicelib.answers.catalogue.fields import ImageId, LinkId
from chalicelib.answers.ports import ImageAddresses
from chalicelib.answers.sanitise import sanitised
from chalicelib.domain.pages import Page

SCHEMES = ("https://", "mailto:", "tel:")


class Unresolved(Exception):
    """An id stands for nothing that may be shown."""


@dataclass(frozen=True, slots=True)
class Resolver:
    """Puts data in the place of ids."""

    addresses: ImageAddresses

    def __call__(self, page: Page, props: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
        """The props as they are rendered. Raises Unresolved."""
        return {name: self._resolved(page, each, known) for name, each in props.items()}

    def _resolved(self, page: Page, value: Any, known: frozenset[str]) -> Any:  # noqa: ANN401 - props are JSON
        if isinstance(value, ImageId):
            return self._image(page, value, known)
        if isinstance(value, LinkId):
            return _link(page, value, known)
        if isinstance(value, StrEnum):
            return str(value)
        if isinstance(value, Mapping):
            return self(page, value, known)
        if isinstance(value, list):
            return [self._resolved(page, each, known) for each in value]
        return value

    def _image(self, page: Page, image_id: str, known: frozenset[str]) -> dict[str, Any]:
        image = page.image(image_id)
        if image is None or not image.approved:
            raise Unresolved
        alt = sanitised(image.shows, known)
        return {"url": self.addresses.url(image), "alt": alt, "width": image.width, "height": image.height}


def _link(page: Page, link_id: str, known: frozenset[str]) -> dict[str, Any]:
    link = page.link(link_id)
    if link is None or not link.url.startswith(SCHEMES):
        raise Unresolved
    label = sanitised(link.label, known)
    if not label:
        raise Unresolved
    return {"label": label, "url": link.url, "kind": str(link.kind)}


def images_in(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - props are JSON
    """Ids of the pictures in props, in order, each once."""
    if isinstance(value, ImageId):
        return (str(value),)
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return tuple(dict.fromkeys(image for each in inner for image in images_in(each)))
