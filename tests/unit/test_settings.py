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


@pytest.mark.parametrize("issuer", ["https://id.example", "http://127.0.0.1:9000", "http://localhost:9000/realm"])
def test_an_issuer_speaks_https_or_is_on_this_machine(issuer: str) -> None:
    given = {"ACERVO_OIDC_ISSUER": issuer, "ACERVO_OIDC_AUDIENCE": "a", "ACERVO_OIDC_CLIENT_ID": "c"}
    assert Settings.read(given).oidc_issuer == issuer


@pytest.mark.parametrize(
    "given",
    [
        {"ACERVO_OIDC_ISSUER": "http://id.example", "ACERVO_OIDC_AUDIENCE": "a"},
        {"ACERVO_OIDC_ISSUER": "http://127.0.0.1.evil.example", "ACERVO_OIDC_AUDIENCE": "a"},
        {"ACERVO_OIDC_ISSUER": "https://id.example"},
        {"ACERVO_OIDC_CLIENT_ID": "c"},
    ],
)
def test_an_issuer_that_would_let_anybody_in_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(BadSettings, match="ACERVO_OIDC_ISSUER"):
        Settings.read(given)
