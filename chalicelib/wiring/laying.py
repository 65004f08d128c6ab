"""The real pipes, as the settings name them. The one place that names an adapter."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chalicelib.answers.defence_ports import Allowance
from chalicelib.ingest.limits import MIB, Limits
from chalicelib.search.embedding import Remembering
from chalicelib.search.ports import (
    Embedder,
    EmbeddingModel,
    SearchIndex,
)
from chalicelib.settings import Settings, loader_environment
from chalicelib.wiring.identity import Oidc
from chalicelib.wiring.pipes import Pipes

if TYPE_CHECKING:
    from chalicelib.adapters.dynamodb.tables import Tables


def lay(settings: Settings, tables: "Tables | None" = None) -> Pipes:
    """The real pipes, over these tables if there are some. Nothing is sent through them yet."""
    import boto3
    from botocore.config import Config

    from chalicelib.adapters.dynamodb import defences, fuses, pages, sessions
    from chalicelib.adapters.dynamodb.devices import DynamoDevices, DynamoLimits
    from chalicelib.adapters.dynamodb.documents import DynamoDocuments
    from chalicelib.adapters.dynamodb.keys import DynamoKeys, DynamoTeams
    from chalicelib.adapters.dynamodb.knowledge import DynamoKnowledge
    from chalicelib.adapters.dynamodb.leaving import DynamoClosures, DynamoExports
    from chalicelib.adapters.dynamodb.memory import DynamoMemory
    from chalicelib.adapters.dynamodb.notes import DynamoNotes
    from chalicelib.adapters.dynamodb.purges import DynamoPurges
    from chalicelib.adapters.dynamodb.standing import DynamoKnowledgeState, DynamoShelf
    from chalicelib.adapters.machine import RandomIds, SystemClock, SystemSecrets
    from chalicelib.adapters.memory_search import IndexedMemory
    from chalicelib.adapters.powertools import EmbeddedMetrics
    from chalicelib.adapters.queues import EmbedQueue, ExtractQueue
    from chalicelib.adapters.s3 import S3Blobs, S3Maps, S3Originals, S3Pictures
    from chalicelib.adapters.sandbox import ChildSandbox

    config = Config(**_PATIENCE)
    tables = tables or tables_of(settings)
    shelf, made = DynamoShelf(tables), embedder(settings)
    storage = boto3.client("s3", config=config.merge(Config(signature_version="s3v4")))
    blobs, clock, secrets = S3Blobs(storage, settings.content_bucket), SystemClock(), SystemSecrets()
    originals = S3Originals(storage, blobs, clock)
    pictures = S3Pictures(originals)
    meter = EmbeddedMetrics(settings.stage)
    limits, oidc = limits_of(settings), Oidc(settings, clock) if settings.oidc_issuer else None
    queueing = cache(lambda: boto3.client("sqs", config=config))
    memory = IndexedMemory(engine(settings, None, "acervo-memory"))
    return Pipes(
        store=DynamoKnowledge(tables),
        graves=DynamoPurges(tables),
        blobs=blobs,
        keys=DynamoKeys(tables),
        teams=DynamoTeams(tables),
        devices=DynamoDevices(tables),
        sessions=sessions.DynamoSessions(tables),
        attempts=sessions.DynamoSessions(tables),
        rates=DynamoLimits(tables),
        shelf=shelf,
        states=shelf,
        catalogue=shelf,
        index=engine(settings, made.model),
        embedder=Remembering(made),
        later=EmbedQueue(queueing, settings.embed_queue_url),
        memories=DynamoMemory(tables),
        notes=DynamoNotes(tables),
        memory_search=memory,
        memory_index=memory,
        exports=DynamoExports(tables),
        parcels=blobs,
        closures=DynamoClosures(tables),
        identities=oidc,
        provider=oidc if settings.oidc_client_id else None,
        mcp_origins=frozenset(settings.mcp_origins.split()),
        sign_in_tries=settings.sign_in_tries,
        public_url=settings.public_url,
        answers_url=settings.answers_public_url.rstrip("/"),
        oidc_issuer=settings.oidc_issuer,
        clock=clock,
        ids=RandomIds(),
        secrets=secrets,
        meter=meter,
        sandbox=ChildSandbox(limits, meter, loader_environment()),
        limits=limits,
        documents=DynamoDocuments(tables),
        originals=originals,
        queue=ExtractQueue(queueing, settings.extract_queue_url),
        pages=pages.DynamoPages(tables),
        pictures=pictures,
        addresses=pictures,
        knowledge_state=DynamoKnowledgeState(tables),
        maps=S3Maps(blobs),
        fuses=fuses.DynamoFuses(tables),
        day_keys=defences.DynamoDayKeys(tables, secrets),
        allowance=Allowance(settings.daily_turns, settings.daily_tokens),
    )


_PATIENCE: dict[str, Any] = {
    "connect_timeout": 2,
    "read_timeout": 10,
    "retries": {"mode": "standard", "max_attempts": 3},
    "max_pool_connections": 25,
}


def tables_of(settings: Settings) -> "Tables":
    """The three tables behind a client."""
    import boto3
    from botocore.config import Config

    from chalicelib.adapters.dynamodb.tables import Tables

    return Tables(
        boto3.client("dynamodb", config=Config(**_PATIENCE)),
        settings.records_table,
        settings.revisions_table,
        settings.ephemeral_table,
    )


def limits_of(settings: Settings) -> Limits:
    """The limits of files, as the settings have them."""
    return Limits(
        document_bytes=settings.document_mib * MIB,
        unpacked_bytes=settings.unpacked_mib * MIB,
        pages=settings.document_pages,
        seconds=settings.extraction_seconds,
        memory_bytes=settings.extraction_memory_mib * MIB,
    )


def embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name."""
    given = EmbeddingModel(
        settings.embedding_model,
        settings.embedding_dimension,
        settings.embedding_query_prefix,
        settings.embedding_passage_prefix,
    )
    match settings.embedder:
        case "e5":
            from chalicelib.adapters.e5 import E5Embedder

            return E5Embedder()
        case "openai":
            from chalicelib.adapters.openai_compat import OpenAIEmbedder

            return OpenAIEmbedder(settings.embedding_url, given, _embedding_key(settings))
        case "bedrock":
            from chalicelib.adapters.bedrock import BedrockEmbedder

            model = EmbeddingModel(settings.embedding_model, settings.embedding_dimension)
            return BedrockEmbedder(model, lambda: _bedrock(1.5, 1), lambda: _bedrock(30.0, 8))
        case "none":
            from chalicelib.adapters.no_embeddings import NoEmbeddings

            return NoEmbeddings()


def _embedding_key(settings: Settings) -> Callable[[], str]:
    if not settings.embedding_key_parameter:
        return lambda: ""
    import boto3

    from chalicelib.adapters.parameters import EmbeddingKey

    return EmbeddingKey(boto3.client("ssm"), settings.embedding_key_parameter)


def _bedrock(seconds: float, attempts: int) -> Any:  # noqa: ANN401 - boto3's client
    """A client of Bedrock's runtime: so many seconds for an answer, so many attempts."""
    import boto3
    from botocore.config import Config

    retries: Any = {"mode": "standard", "total_max_attempts": attempts}
    config = Config(connect_timeout=seconds, read_timeout=seconds, retries=retries, max_pool_connections=10)
    return boto3.client("bedrock-runtime", config=config)


def engine(settings: Settings, model: EmbeddingModel | None, name: str = "acervo") -> SearchIndex:
    """The search engine that the settings name, for vectors of the model, with an index of that name."""
    match settings.search:
        case "sqlite":
            from chalicelib.adapters.sqlite_search.index import SqliteIndex

            path = Path(settings.sqlite_path)
            return SqliteIndex(path if name == "acervo" else path.with_name(f"{name}-{path.name}"), model=model)
        case "opensearch":
            from chalicelib.adapters.opensearch.cluster import Cluster, Patience, Signing, connect
            from chalicelib.adapters.opensearch.index import OpenSearchIndex
            from chalicelib.adapters.opensearch.layout import Layout

            signing = settings.opensearch_signing
            signed = None if signing == "none" else Signing(_region(), signing)
            cluster = Cluster(connect(settings.opensearch_url, signed), Patience())
            layout = Layout(
                alias=name, shards=settings.opensearch_shards, model=model, neighbours=settings.opensearch_neighbours
            )
            return OpenSearchIndex(cluster, layout)
        case "none":
            from chalicelib.adapters.no_search import NoSearch

            return NoSearch()


def _region() -> str:
    """The region of the process, as boto3 finds it."""
    import boto3

    return boto3.session.Session().region_name or ""
