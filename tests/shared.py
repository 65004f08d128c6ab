"""The test data beside the project: read where they lie, never copied."""

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[2] / "shared" / "data"


def shared(*parts: str) -> Path:
    """A file of the test data; the test is skipped, loudly, where they are not."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"TEST DATA MISSING: {path}")
    return path


def expected(of: str) -> dict[str, Any]:
    """What extraction must give: `files` or `text_files`, by name; empty where the data are missing."""
    path = SHARED / "docs" / "expected.json"
    return dict(json.loads(path.read_text())[of]) if path.exists() else {}
