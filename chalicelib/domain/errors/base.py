"""What can go wrong and is known to: each error carries a stable code and its facts.

A code is the class name in snake case. Which status a code has at which door is `api/errors.py`'s business.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import ClassVar

_WORD = re.compile(r"(?<!^)(?=[A-Z])")


class KnownError(Exception):
    """An error with a code, a sentence that says what to do, and facts as fields."""

    code: ClassVar[str] = "known_error"
    advice: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.code = _WORD.sub("_", cls.__name__).lower()

    def facts(self) -> Mapping[str, object]:
        """The fields of the error, for the answer's body."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]

    def __str__(self) -> str:
        facts = self.facts().items()
        return self.advice.format(**{name: _words(each) for name, each in facts})


def _words(fact: object) -> object:
    """A fact as a sentence says it."""
    return ", ".join(str(each) for each in fact) if isinstance(fact, tuple) else fact
