"""The environment, read once into one frozen object. Nothing else reads it.

`docs/reference/settings.md` lists every setting; a test holds it complete.
"""

import os
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

PREFIX = "ACERVO_"


CLIENTS = frozenset({"ACERVO_URL", "ACERVO_TOKEN", "ACERVO_PORT"})
"""Names that the command line and the laptop cloud read; they mean nothing here, and may be there."""


class BadSettings(Exception):
    """Some settings cannot be used; all of them are named."""


class Settings(BaseModel):
    """What an operator can set. The variable of a field is its name in capitals, after `ACERVO_`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: Annotated[str, Field(description="Name of the deployment, in logs and metrics.", min_length=1)] = "local"
    records_table: Annotated[str, Field(description="DynamoDB table of records.", min_length=1)] = "acervo-records"
    revisions_table: Annotated[str, Field(description="DynamoDB table of revisions.", min_length=1)] = (
        "acervo-revisions"
    )
    ephemeral_table: Annotated[str, Field(description="DynamoDB table of what expires.", min_length=1)] = (
        "acervo-ephemeral"
    )
    content_bucket: Annotated[str, Field(description="S3 bucket of big content and files.", min_length=1)] = (
        "acervo-content"
    )
    search: Annotated[
        Literal["opensearch", "sqlite", "none"],
        Field(description="Engine: `opensearch`, a cluster; `sqlite`, one in a file; `none` answers 503 to searches."),
    ] = "none"
    sqlite_path: Annotated[str, Field(description="File of the embedded search engine.", min_length=1)] = (
        "/tmp/acervo-index.sqlite3"  # noqa: S108 - a Lambda has no other place to write
    )
    opensearch_url: Annotated[str, Field(description="Address of the cluster, for `opensearch`.")] = ""
    opensearch_signing: Annotated[
        Literal["none", "es"],
        Field(description="Sign its requests for AWS: `es` for an OpenSearch Service domain."),
    ] = "none"
    opensearch_shards: Annotated[int, Field(description="Shards of an index that is made.", ge=1, le=1000)] = 1
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"], Field(description="Least severe level that is logged.")
    ] = "INFO"

    @model_validator(mode="after")
    def _engine_has_an_address(self) -> Self:
        if self.search == "opensearch" and not self.opensearch_url.startswith(("http://", "https://")):
            message = f"{PREFIX}SEARCH is opensearch, so {PREFIX}OPENSEARCH_URL has to be its http(s) address"
            raise ValueError(message)
        return self

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The settings in the environment; an empty value counts as not set.

        Raises:
            BadSettings: some have values that cannot be used, or names that mean nothing; all are listed.
        """
        given = {
            name.removeprefix(PREFIX).lower(): value
            for name, value in environment.items()
            if name.startswith(PREFIX) and value and name not in CLIENTS
        }
        try:
            return cls.model_validate(given)
        except ValidationError as fault:
            lines = [_line(each["loc"], each["msg"]) for each in fault.errors()]
            message = "These settings cannot be used:\n" + "\n".join(lines)
            raise BadSettings(message) from None


def _line(place: tuple[int | str, ...], problem: str) -> str:
    return f"{PREFIX}{str(place[0]).upper()}: {problem}" if place else problem
