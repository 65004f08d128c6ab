"""Every use case, over whatever pipes there are."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from chalicelib.access.accounts import CreateAccount, ReadAccount
from chalicelib.access.device import DecideDeviceLogin, PollDeviceLogin, ReviewDeviceLogin, StartDeviceLogin
from chalicelib.access.identities import AuthenticateIdentity
from chalicelib.access.limits import Limit
from chalicelib.access.ports import KeyStore
from chalicelib.access.teams import AddMember, CreateTeam, ListMembers, ListSpaces, RemoveMember, SetMember
from chalicelib.access.tokens import Authenticate, IssueToken, ListTokens, RevokeToken
from chalicelib.answers.authoring import Authoring, Outside
from chalicelib.answers.compiling import CompileMaps
from chalicelib.answers.defence_ports import Allowance
from chalicelib.answers.fuse import OperateFuse, ResetDay
from chalicelib.answers.ports import TopicReader
from chalicelib.answers.trying import TryPage
from chalicelib.domain.items import Item
from chalicelib.domain.time import Clock
from chalicelib.domain.watching import Meter
from chalicelib.ingest.documents import (
    DeleteDocument,
    LinkOriginal,
    ListDocuments,
    NameDocuments,
    ReadDocument,
    RequestUpload,
    RetryDocument,
)
from chalicelib.ingest.extracting import ExtractDocument, FailAtOnce
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.putting import CreateFromFile, EditFromFile
from chalicelib.ingest.reading import ReadFile
from chalicelib.ingest.snapshot import Snapshot
from chalicelib.ingest.taking import SweepDocuments, TakeObject
from chalicelib.knowledge.bases import Bases
from chalicelib.knowledge.content import ReadText
from chalicelib.knowledge.drafts import CreateItem, EditItem, FindItem, NameItems, ReadItem
from chalicelib.knowledge.history import CompareRevisions, ListRevisions, ReadRevision, RestoreRevision
from chalicelib.knowledge.listing import CountBase, CountItem, ListItems
from chalicelib.knowledge.merging import MergeEdit
from chalicelib.knowledge.publishing import MoveItem
from chalicelib.knowledge.purging import DeleteBase, DeleteItem, ReadPurge, RunPurge, SweepObjects, SweepPurges
from chalicelib.knowledge.reading import ReadByAddress
from chalicelib.memory.notebook import Desk, Notebook, notebook
from chalicelib.portability.closing import CloseAccount, RunClosure, SweepClosures
from chalicelib.portability.exporting import ListExports, ReadExport, RequestExport, RunExport, Sources
from chalicelib.portability.ports import ClosureStore
from chalicelib.search.embedding import EmbedItem
from chalicelib.search.indexing import IndexItem
from chalicelib.search.ports import Later, SearchState
from chalicelib.search.rebuilding import Reconcile, Reindex
from chalicelib.search.retrieve import Retrieve
from chalicelib.wiring.entrance import Entrance, entrance
from chalicelib.wiring.pipes import Pipes

if TYPE_CHECKING:
    from chalicelib.answers.mapping import TopicMaps


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
    entrance: Entrance
    list_spaces: ListSpaces
    create_team: CreateTeam
    list_members: ListMembers
    add_member: AddMember
    set_member: SetMember
    remove_member: RemoveMember
    names: Callable[[Collection[tuple[str, str]]], Mapping[str, str]]
    """Names by user id of those of the people, each a space and a user id, who are in that space."""
    bases: Bases
    limits: Limits
    create_from_file: CreateFromFile
    edit_from_file: EditFromFile
    create_item: CreateItem
    edit_item: EditItem
    read_item: ReadItem
    list_items: ListItems
    count_base: CountBase
    count_item: CountItem
    find_item: FindItem
    name_items: NameItems
    move_item: MoveItem
    list_revisions: ListRevisions
    read_revision: ReadRevision
    compare_revisions: CompareRevisions
    merge_edit: MergeEdit
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
    compile_maps: CompileMaps
    later: Later
    reindex: Reindex
    reconcile: Reconcile
    request_upload: RequestUpload
    read_document: ReadDocument
    list_documents: ListDocuments
    name_documents: NameDocuments
    link_original: LinkOriginal
    upload_origin: Callable[[], str]
    """Where uploads are posted to: scheme, host and port."""
    retry_document: RetryDocument
    delete_document: DeleteDocument
    take_object: TakeObject
    extract_document: ExtractDocument
    sweep_documents: SweepDocuments
    search_states: Callable[[Sequence[Item]], dict[str, SearchState]]
    notebook: Notebook
    request_export: RequestExport
    list_exports: ListExports
    read_export: ReadExport
    run_export: RunExport
    close_account: CloseAccount
    run_closure: RunClosure
    sweep_closures: SweepClosures
    closures: ClosureStore
    authoring: Authoring
    try_page: TryPage
    operate_fuse: OperateFuse
    reset_day: ResetDay
    allowance: Allowance
    mcp_origins: frozenset[str]
    public_url: str
    answers_url: str
    oidc_issuer: str


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
        entrance=entrance(pipes),
        list_spaces=ListSpaces(teams),
        create_team=CreateTeam(teams, keys, ids, clock),
        list_members=ListMembers(teams),
        add_member=AddMember(set_member),
        set_member=set_member,
        remove_member=RemoveMember(teams),
        names=teams.names,
        bases=Bases.over(store, ids, clock),
        limits=pipes.limits,
        create_from_file=CreateFromFile(read_file, create_item),
        edit_from_file=EditFromFile(read_file, edit_item),
        create_item=create_item,
        edit_item=edit_item,
        read_item=ReadItem(store),
        list_items=ListItems(store),
        count_base=CountBase(store, graves),
        count_item=CountItem(store, graves),
        find_item=FindItem(store),
        name_items=NameItems(store),
        move_item=MoveItem(store, clock),
        list_revisions=ListRevisions(store),
        read_revision=read_revision,
        compare_revisions=CompareRevisions(read_revision),
        merge_edit=MergeEdit(read_revision),
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
        compile_maps=CompileMaps(pipes.pages, store, cache(lambda: topic_maps(pipes, text)), pipes.later),
        later=pipes.later,
        reindex=Reindex(pipes.catalogue, text, index, index_item, pipes.embedder, clock),
        reconcile=Reconcile(pipes.catalogue, index, index_item, pipes.embedder, pipes.later, clock),
        request_upload=RequestUpload(store, documents, originals, pipes.limits, ids, clock),
        read_document=ReadDocument(documents),
        list_documents=ListDocuments(store, documents),
        name_documents=NameDocuments(documents),
        link_original=LinkOriginal(documents, originals),
        upload_origin=originals.origin,
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
        list_exports=ListExports(pipes.exports),
        read_export=ReadExport(pipes.exports, pipes.parcels),
        run_export=RunExport(
            pipes.exports, pipes.parcels, Sources(keys, teams, pipes.memories, pipes.notes, store, blobs), clock
        ),
        close_account=CloseAccount(keys, teams, pipes.closures, ids, clock),
        run_closure=RunClosure(pipes.closures, store, graves, teams, blobs, pipes.memory_index, ids, clock),
        sweep_closures=SweepClosures(pipes.closures, clock),
        closures=pipes.closures,
        authoring=Authoring.over(
            Outside(
                pages=pipes.pages,
                store=store,
                pictures=pipes.pictures,
                addresses=pipes.addresses,
                fuses=pipes.fuses,
                allowance=pipes.allowance,
                ids=ids,
                clock=clock,
            )
        ),
        try_page=TryPage(pipes.pages, cache(lambda: topic_reader(pipes, text))),
        operate_fuse=OperateFuse(pipes.fuses, clock),
        reset_day=ResetDay(pipes.fuses, pipes.day_keys, clock, pipes.meter),
        allowance=pipes.allowance,
        mcp_origins=pipes.mcp_origins,
        public_url=pipes.public_url,
        answers_url=pipes.answers_url,
        oidc_issuer=pipes.oidc_issuer,
    )


def topic_reader(pipes: Pipes, text: ReadText) -> TopicReader:
    """Who reads what pages know; one for a process, since it holds the topic maps."""
    from chalicelib.answers.retrieval import ReadTopic

    return ReadTopic(topic_maps(pipes, text), pipes.index, pipes.embedder, pipes.knowledge_state)


def topic_maps(pipes: Pipes, text: ReadText) -> "TopicMaps":
    """The topic maps. What compiles them takes its time to import."""
    from chalicelib.answers.mapping import TopicMaps

    return TopicMaps(pipes.store, text, pipes.knowledge_state, pipes.maps)
