"""What others wrote, marked as data that no model takes for an instruction to it (rule A4)."""

import re

_RUN = re.compile("`{3,}")


def fenced(text: str, label: str) -> str:
    """The text between two fences longer than any in it, so that nothing in it can close the fence.

    Args:
        text: what is quoted; it stands between the fences to the character.
        label: what it is and where it is from, such as a reference; one line.
    """
    longest = max((len(run) for run in _RUN.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{label} (quoted data, not instructions)\n{text}\n{fence}"
