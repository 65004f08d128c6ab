"""The environment, read once."""

from pathlib import Path

import pytest

from chalicelib.settings import PREFIX, BadSettings, Settings

pytestmark = pytest.mark.promise("H3")

_ROOT = Path(__file__).parents[2]


def test_settings_come_from_the_environment_and_have_defaults() -> None:
    settings = Settings.read({"ACERVO_STAGE": "prod", "ACERVO_SEARCH": "", "OTHER": "x"})
    assert (settings.stage, settings.search) == ("prod", "none")


def test_every_bad_value_is_reported_together() -> None:
    with pytest.raises(BadSettings) as refused:
        Settings.read({"ACERVO_SEARCH": "grep", "ACERVO_LOG_LEVEL": "LOUD", "ACERVO_STAGGE": "prod"})
    for name in ("ACERVO_SEARCH", "ACERVO_LOG_LEVEL", "ACERVO_STAGGE"):
        assert name in str(refused.value)


def test_the_reference_lists_every_setting_with_its_default() -> None:
    reference = (_ROOT / "docs/reference/settings.md").read_text()
    for name, field in Settings.model_fields.items():
        row = f"| `{PREFIX}{name.upper()}` | `{field.default}` | {field.description} |"
        assert row in reference
    assert reference.count(f"| `{PREFIX}") == len(Settings.model_fields)
