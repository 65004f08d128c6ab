"""Knowledge bases."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from chalicelib.domain.errors import IllegalMove


class BaseStatus(StrEnum):
    """An archived base suspends all retrieval of its items (rule K15)."""

    ACTIVE = "active"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Base:
    """A named container of items in one space."""

    id: str
    space_id: str
    name: str
    description: str
    status: BaseStatus
    version: int
    """Counts the writes of this record; a write states the one it saw."""
    created_by: str
    created_at: datetime
    updated_at: datetime


def archive(base: Base, now: datetime) -> Base:
    """The base, archived. Raises IllegalMove if it is already."""
    return _moved(base, BaseStatus.ACTIVE, BaseStatus.ARCHIVED, now)


def restore(base: Base, now: datetime) -> Base:
    """The base, active again. Raises IllegalMove if it is not archived."""
    return _moved(base, BaseStatus.ARCHIVED, BaseStatus.ACTIVE, now)


def _moved(base: Base, source: BaseStatus, target: BaseStatus, now: datetime) -> Base:
    if base.status is not source:
        raise IllegalMove(source=base.status, target=target)
    return replace(base, status=target, version=base.version + 1, updated_at=now)
