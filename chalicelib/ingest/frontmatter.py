"""Metadata that stand before a Markdown text: YAML between lines of `---`, TOML between lines of `+++`."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_MATTER = re.compile(
    r"\A(?P<fence>---|\+\+\+)[ \t]*\n(?P<matter>.*?)^(?:(?P=fence)|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE | re.DOTALL
)
_LONGEST = 16 * 1024
"""Characters of metadata that are read; what is longer stays text."""
_KEYS = 48


@dataclass(frozen=True, slots=True)
class Matter:
    """The metadata of a text, and the text without them."""

    text: str
    values: Mapping[str, str] = field(default_factory=dict)
    skipped: int = 0
    """Entries beyond the limit."""

    @property
    def title(self) -> str | None:
        """The title that the metadata give."""
        return self.values.get("title") or None


def split(text: str) -> Matter:
    """Take the metadata off a text; what cannot be read as such stays where it is."""
    found = _MATTER.match(text)
    if found is None or len(found["matter"]) > _LONGEST:
        return Matter(text)
    values = _toml(found["matter"]) if found["fence"] == "+++" else _yaml(found["matter"])
    if values is None:
        return Matter(text)
    flat = {str(name): _flat(each) for name, each in values.items()}
    kept = dict(list(flat.items())[:_KEYS])
    return Matter(text[found.end() :].lstrip("\n"), kept, len(flat) - len(kept))


def _toml(matter: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(matter)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _yaml(matter: str) -> dict[Any, Any] | None:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        # An alias makes a small text a large value.
        if any(isinstance(each, yaml.AliasEvent) for each in yaml.parse(matter, Loader=loader)):
            return None
        values = yaml.load(matter, Loader=loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else {} if values is None else None


def _flat(value: object) -> str:
    """A value as one line of text."""
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
        return ", ".join(map(str, value))
    if isinstance(value, bool | list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return " ".join(str(value).split())
