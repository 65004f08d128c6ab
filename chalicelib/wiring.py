"""The fuse box: settings in, use cases out. The one place that names an adapter."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from chalicelib.access.accounts import CreateAccount, ReadAccount
from chalicelib.access.device import DecideDeviceLogin, PollDeviceLogin, ReviewDeviceLogin, StartDeviceLogin
from chalicelib.access.identities import AuthenticateIdentity
from chalicelib.access.limits import Limit
from chalicelib.access.ports import DeviceStore, Identity, IdentityTokens, KeyStore, LimitStore, Secrets, TeamStore
from chalicelib.access.teams import AddMember, CreateTeam, ListMembers, ListSpaces, RemoveMember, SetMember
from chalicelib.access.tokens import Authenticate, IssueToken, ListTokens, RevokeToken
from chalicelib.domain.ids import Ids
from chalicelib.domain.items import Item
from chalicelib.domain.time import Clock
from chalicelib.domain.watching import Journal, Meter
from chalicelib.ingest.documents import DeleteDocument, ListDocuments, ReadDocument, RequestUpload, RetryDocument
from chalicelib.ingest.extracting import ExtractDocument, FailAtOnce
from chalicelib.ingest.limits import MIB, Limits
from chalicelib.ingest.ports import DocumentStore, Originals, Sandbox, WorkQueue
from chalicelib.ingest.putting import CreateFromFile, EditFromFile
from chalicelib.ingest.reading import ReadFile
from chalicelib.ingest.snapshot import Snapshot
from chalicelib.ingest.taking import SweepDocuments, TakeObject
from chalicelib.knowledge.bases import Bases
from chalicelib.knowledge.content import ReadText
from chalicelib.knowledge.drafts import CreateItem, EditItem, FindItem, ListItems, ReadItem
from chalicelib.knowledge.history import CompareRevisions, ListRevisions, ReadRevision, RestoreRevision
from chalicelib.knowledge.ports import Blobs, KnowledgeStore, PurgeStore
from chalicelib.knowledge.publishing import MoveItem
from chalicelib.knowledge.purging import DeleteBase, DeleteItem, ReadPurge, RunPurge, SweepObjects, SweepPurges
from chalicelib.knowledge.reading import ReadByAddress
from chalicelib.memory.notebook import Desk, Notebook, notebook
from chalicelib.memory.ports import MemoryIndex, MemorySearch, MemoryStore, NoteStore
from chalicelib.portability.closing import CloseAccount, RunClosure, SweepClosures
from chalicelib.portability.exporting import ReadExport, RequestExport, RunExport, Sources
from chalicelib.portability.ports import ClosureStore, ExportStore, Parcels
from chalicelib.search.embedding import EmbedItem, Remembering
from chalicelib.search.indexing import IndexItem
from chalicelib.search.ports import (
    Catalogue,
    Embedder,
    EmbeddingModel,
    Later,
    SearchIndex,
    SearchState,
    SearchStates,
    Shelf,
)
from chalicelib.search.rebuilding import Reconcile, Reindex
from chalicelib.search.retrieve import Retrieve
from chalicelib.settings import Settings, loader_environment


@dataclass(frozen=True, slots=True)
class Services:
    """Every use case, wired, with the few plugs that doors and operators need themselves."""

    clock: Clock
    keys: KeyStore
    meter: Meter
    authenticate: Authenticate
    create_account: CreateAccount
    read_account: ReadAccount
    issue_token: IssueToken
    list_tokens: ListTokens
    revoke_token: RevokeToken
    start_device_login: StartDeviceLogin
    review_device_login: ReviewDeviceLogin
    decide_device_login: DecideDeviceLogin
    poll_device_login: PollDeviceLogin
    list_spaces: ListSpaces
    create_team: CreateTeam
    list_members: ListMembers
    add_member: AddMember
    set_member: SetMember
    remove_member: RemoveMember
    bases: Bases
    limits: Limits
    create_from_file: CreateFromFile
    edit_from_file: EditFromFile
    create_item: CreateItem
    edit_item: EditItem
    read_item: ReadItem
    list_items: ListItems
    find_item: FindItem
    move_item: MoveItem
    list_revisions: ListRevisions
    read_revision: ReadRevision
    compare_revisions: CompareRevisions
    restore_revision: RestoreRevision
    read_by_address: ReadByAddress
    retrieve: Retrieve
    delete_base: DeleteBase
    delete_item: DeleteItem
    read_purge: ReadPurge
    run_purge: RunPurge
    sweep_purges: SweepPurges
    sweep_objects: SweepObjects
    index_item: IndexItem
    embed_item: EmbedItem
    reindex: Reindex
    reconcile: Reconcile
    request_upload: RequestUpload
    read_document: ReadDocument
    list_documents: ListDocuments
    retry_document: RetryDocument
    delete_document: DeleteDocument
    take_object: TakeObject
    extract_document: ExtractDocument
    sweep_documents: SweepDocuments
    search_states: Callable[[Sequence[Item]], dict[str, SearchState]]
    notebook: Notebook
    request_export: RequestExport
    read_export: ReadExport
    run_export: RunExport
    close_account: CloseAccount
    run_closure: RunClosure
    sweep_closures: SweepClosures
    closures: ClosureStore
    mcp_origins: frozenset[str]
    public_url: str
    oidc_issuer: str


@dataclass(frozen=True, slots=True)
class Pipes:
    """Everything outside, behind the ports. Tests hand in others."""

    store: KnowledgeStore
    graves: PurgeStore
    blobs: Blobs
    keys: KeyStore
    teams: TeamStore
    devices: DeviceStore
    rates: LimitStore
    shelf: Shelf
    states: SearchStates
    catalogue: Catalogue
    index: SearchIndex
    embedder: Embedder
    later: Later
    memories: MemoryStore
    notes: NoteStore
    memory_search: MemorySearch
    memory_index: MemoryIndex
    exports: ExportStore
    parcels: Parcels
    closures: ClosureStore
    clock: Clock
    ids: Ids
    secrets: Secrets
    meter: Meter
    sandbox: Sandbox
    limits: Limits
    documents: DocumentStore
    originals: Originals
    queue: WorkQueue
    identities: IdentityTokens | None = None
    """Tokens of an identity provider; None without one."""
    oidc_issuer: str = ""
    mcp_origins: frozenset[str] = frozenset()
    public_url: str = ""


def assemble(pipes: Pipes) -> Services:
    """The use cases over whatever pipes there are."""
    from chalicelib.adapters.memory_search import RetrievedKnowledge, by_worth

    store, blobs, graves, keys, teams = pipes.store, pipes.blobs, pipes.graves, pipes.keys, pipes.teams
    index, clock, ids = pipes.index, pipes.clock, pipes.ids
    read_revision, text = ReadRevision(store, blobs), ReadText(store, blobs)
    set_member = SetMember(teams, keys, clock)
    index_item = IndexItem(pipes.shelf, text, index, pipes.states, pipes.embedder, pipes.later)
    retrieve = Retrieve(index, pipes.embedder, pipes.shelf, store)
    issue = IssueToken(keys, pipes.secrets, ids, clock)
    identity = None if pipes.identities is None else AuthenticateIdentity(keys, pipes.identities, ids, clock)
    devices, limit = pipes.devices, Limit(pipes.rates, clock)
    create_item, edit_item = CreateItem(store, blobs, ids, clock), EditItem(store, blobs, ids, clock)
    read_file = ReadFile(pipes.sandbox, pipes.limits)
    documents, originals = pipes.documents, pipes.originals
    extract = ExtractDocument(
        store=store,
        documents=documents,
        originals=originals,
        keys=keys,
        read=read_file,
        snapshot=Snapshot(store, blobs, documents, originals, ids, clock),
        limits=pipes.limits,
        clock=clock,
        meter=pipes.meter,
    )
    fail = FailAtOnce(documents, clock, pipes.meter)
    return Services(
        clock=clock,
        keys=keys,
        meter=pipes.meter,
        authenticate=Authenticate(keys, clock, identity),
        create_account=CreateAccount(keys, ids, clock),
        read_account=ReadAccount(keys),
        issue_token=issue,
        list_tokens=ListTokens(keys),
        revoke_token=RevokeToken(keys, clock),
        start_device_login=StartDeviceLogin(devices, limit, pipes.secrets, clock),
        review_device_login=ReviewDeviceLogin(devices, keys, limit, pipes.secrets, clock),
        decide_device_login=DecideDeviceLogin(devices, keys, clock),
        poll_device_login=PollDeviceLogin(devices, keys, issue, clock),
        list_spaces=ListSpaces(teams),
        create_team=CreateTeam(teams, keys, ids, clock),
        list_members=ListMembers(teams),
        add_member=AddMember(set_member),
        set_member=set_member,
        remove_member=RemoveMember(teams),
        bases=Bases.over(store, ids, clock),
        limits=pipes.limits,
        create_from_file=CreateFromFile(read_file, create_item),
        edit_from_file=EditFromFile(read_file, edit_item),
        create_item=create_item,
        edit_item=edit_item,
        read_item=ReadItem(store),
        list_items=ListItems(store),
        find_item=FindItem(store),
        move_item=MoveItem(store, clock),
        list_revisions=ListRevisions(store),
        read_revision=read_revision,
        compare_revisions=CompareRevisions(read_revision),
        restore_revision=RestoreRevision(store, blobs, ids, clock),
        read_by_address=ReadByAddress(store, blobs),
        retrieve=retrieve,
        delete_base=DeleteBase(store, graves, ids, clock),
        delete_item=DeleteItem(store, graves, ids, clock),
        read_purge=ReadPurge(graves),
        run_purge=RunPurge(graves, blobs, index, clock),
        sweep_purges=SweepPurges(graves, clock),
        sweep_objects=SweepObjects(store, graves, blobs, clock),
        index_item=index_item,
        embed_item=EmbedItem(pipes.shelf, text, index, pipes.embedder, pipes.later),
        reindex=Reindex(pipes.catalogue, text, index, index_item, pipes.embedder, clock),
        reconcile=Reconcile(pipes.catalogue, index, index_item, pipes.embedder, pipes.later, clock),
        request_upload=RequestUpload(store, documents, originals, pipes.limits, ids, clock),
        read_document=ReadDocument(documents),
        list_documents=ListDocuments(store, documents),
        retry_document=RetryDocument(documents, pipes.queue, clock),
        delete_document=DeleteDocument(documents, originals),
        take_object=TakeObject(store, documents, originals, extract, fail, clock, pipes.meter),
        extract_document=extract,
        sweep_documents=SweepDocuments(documents, pipes.queue, fail, clock),
        search_states=pipes.states.states,
        notebook=notebook(
            Desk(
                store=pipes.memories,
                notes=pipes.notes,
                search=pipes.memory_search,
                index=pipes.memory_index,
                knowledge=RetrievedKnowledge(retrieve),
                fusion=by_worth,
                ids=ids,
                clock=clock,
            )
        ),
        request_export=RequestExport(pipes.exports, ids, clock),
        read_export=ReadExport(pipes.exports, pipes.parcels),
        run_export=RunExport(
            pipes.exports, pipes.parcels, Sources(keys, teams, pipes.memories, pipes.notes, store, blobs), clock
        ),
        close_account=CloseAccount(keys, teams, pipes.closures, ids, clock),
        run_closure=RunClosure(pipes.closures, store, graves, teams, blobs, pipes.memory_index, ids, clock),
        sweep_closures=SweepClosures(pipes.closures, clock),
        closures=pipes.closures,
        mcp_origins=pipes.mcp_origins,
        public_url=pipes.public_url,
        oidc_issuer=pipes.oidc_issuer,
    )


def lay(settings: Settings) -> Pipes:
    """The real pipes. Nothing is sent through them yet."""
    import boto3
    from botocore.config import Config

    from chalicelib.adapters.dynamodb.devices import DynamoDevices, DynamoLimits
    from chalicelib.adapters.dynamodb.documents import DynamoDocuments
    from chalicelib.adapters.dynamodb.keys import DynamoKeys, DynamoTeams
    from chalicelib.adapters.dynamodb.knowledge import DynamoKnowledge
    from chalicelib.adapters.dynamodb.leaving import DynamoClosures, DynamoExports
    from chalicelib.adapters.dynamodb.memory import DynamoMemory
    from chalicelib.adapters.dynamodb.notes import DynamoNotes
    from chalicelib.adapters.dynamodb.purges import DynamoPurges
    from chalicelib.adapters.dynamodb.standing import DynamoShelf
    from chalicelib.adapters.dynamodb.tables import Tables
    from chalicelib.adapters.extract_queue import SqsQueue
    from chalicelib.adapters.machine import RandomIds, SystemClock, SystemSecrets
    from chalicelib.adapters.memory_search import IndexedMemory
    from chalicelib.adapters.powertools import EmbeddedMetrics
    from chalicelib.adapters.s3 import S3Blobs, S3Originals
    from chalicelib.adapters.sandbox import ChildSandbox

    config = Config(
        connect_timeout=2, read_timeout=10, retries={"mode": "standard", "max_attempts": 3}, max_pool_connections=25
    )
    tables = Tables(
        boto3.client("dynamodb", config=config),
        settings.records_table,
        settings.revisions_table,
        settings.ephemeral_table,
    )
    shelf, made = DynamoShelf(tables), embedder(settings)
    storage = boto3.client("s3", config=config.merge(Config(signature_version="s3v4")))
    blobs, clock = S3Blobs(storage, settings.content_bucket), SystemClock()
    meter = EmbeddedMetrics(settings.stage)
    limits = limits_of(settings)
    memory = IndexedMemory(engine(settings, None, "acervo-memory"))
    return Pipes(
        store=DynamoKnowledge(tables),
        graves=DynamoPurges(tables),
        blobs=blobs,
        keys=DynamoKeys(tables),
        teams=DynamoTeams(tables),
        devices=DynamoDevices(tables),
        rates=DynamoLimits(tables),
        shelf=shelf,
        states=shelf,
        catalogue=shelf,
        index=engine(settings, made.model),
        embedder=Remembering(made),
        later=later(settings),
        memories=DynamoMemory(tables),
        notes=DynamoNotes(tables),
        memory_search=memory,
        memory_index=memory,
        exports=DynamoExports(tables),
        parcels=blobs,
        closures=DynamoClosures(tables),
        identities=identities(settings),
        mcp_origins=frozenset(settings.mcp_origins.split()),
        public_url=settings.public_url,
        oidc_issuer=settings.oidc_issuer,
        clock=clock,
        ids=RandomIds(),
        secrets=SystemSecrets(),
        meter=meter,
        sandbox=ChildSandbox(limits, meter, loader_environment()),
        limits=limits,
        documents=DynamoDocuments(tables),
        originals=S3Originals(storage, blobs, clock),
        queue=SqsQueue(lambda: boto3.client("sqs", config=config), settings.extract_queue_url),
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


def identities(settings: Settings) -> IdentityTokens | None:
    """The identity provider that the settings name. PyJWT is imported with its first token."""
    if not settings.oidc_issuer:
        return None
    return _Oidc(settings)


class _Oidc:
    """The port `IdentityTokens`, made at the first token: what checks signatures takes its time to import."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._tokens: IdentityTokens | None = None

    def verify(self, token: str) -> Identity:
        """Who it stands for. Raises Unauthenticated."""
        if self._tokens is None:
            from chalicelib.adapters.machine import SystemClock
            from chalicelib.adapters.oidc import IssuerKeys, OidcTokens, published

            given = self._settings
            self._tokens = OidcTokens(
                given.oidc_issuer,
                frozenset(given.oidc_audience.split()),
                frozenset(given.oidc_scopes.split()),
                IssuerKeys(published(given.oidc_issuer, given.oidc_keys_url), SystemClock()),
            )
        return self._tokens.verify(token)


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


def later(settings: Settings) -> Later:
    """How embeddings are asked for."""
    if not settings.embed_queue_url:
        return lambda _: None
    import boto3

    from chalicelib.adapters.embed_queue import SqsLater

    return SqsLater(boto3.client("sqs"), settings.embed_queue_url)


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


@cache
def settings() -> Settings:
    """The settings of this process. Raises BadSettings."""
    return Settings.read()


@cache
def services() -> Services:
    """The use cases of this process, made at the first call."""
    return assemble(lay(settings()))


@cache
def journal() -> Journal:
    """The journal of this process."""
    from chalicelib.adapters.powertools import LogJournal

    return LogJournal(settings().stage, settings().log_level)
