"""The environment, read once."""

import pytest

from chalicelib.settings import BadSettings, Settings

pytestmark = pytest.mark.promise("H3")


def test_settings_come_from_the_environment_and_have_defaults() -> None:
    settings = Settings.read({"ACERVO_STAGE": "prod", "ACERVO_SEARCH": "", "OTHER": "x", "ACERVO_URL": "x"})
    assert (settings.stage, settings.search) == ("prod", "none")


def test_every_bad_value_is_reported_together() -> None:
    with pytest.raises(BadSettings, match="ACERVO_OPENSEARCH_URL"):
        Settings.read({"ACERVO_SEARCH": "opensearch"})
    with pytest.raises(BadSettings) as refused:
        Settings.read({"ACERVO_SEARCH": "grep", "ACERVO_LOG_LEVEL": "LOUD", "ACERVO_STAGGE": "prod"})
    for name in ("ACERVO_SEARCH", "ACERVO_LOG_LEVEL", "ACERVO_STAGGE"):
        assert name in str(refused.value)
