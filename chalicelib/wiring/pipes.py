"""Everything outside, behind the ports."""

from dataclasses import dataclass

from chalicelib.access.ports import DeviceStore, IdentityTokens, KeyStore, LimitStore, Secrets, TeamStore
from chalicelib.access.provider_ports import AttemptStore, IdentityProvider
from chalicelib.access.session_ports import SessionStore
from chalicelib.access.signing_in import TRIES
from chalicelib.answers.defence_ports import Allowance, DayKeys, FuseStore
from chalicelib.answers.ports import ImageAddresses, KnowledgeState, MapStore, PageStore, Pictures
from chalicelib.domain.ids import Ids
from chalicelib.domain.time import Clock
from chalicelib.domain.watching import Meter
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.ports import DocumentStore, Originals, Sandbox, WorkQueue
from chalicelib.knowledge.ports import Blobs, KnowledgeStore, PurgeStore
from chalicelib.memory.ports import MemoryIndex, MemorySearch, MemoryStore, NoteStore
from chalicelib.portability.ports import ClosureStore, ExportStore, Parcels
from chalicelib.search.ports import (
    Catalogue,
    Embedder,
    Later,
    SearchIndex,
    SearchStates,
    Shelf,
)


@dataclass(frozen=True, slots=True)
class Pipes:
    """Everything outside, behind the ports. Tests hand in others."""

    store: KnowledgeStore
    graves: PurgeStore
    blobs: Blobs
    keys: KeyStore
    teams: TeamStore
    devices: DeviceStore
    sessions: SessionStore
    attempts: AttemptStore
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
    pages: PageStore
    pictures: Pictures
    addresses: ImageAddresses
    knowledge_state: KnowledgeState
    maps: MapStore
    fuses: FuseStore
    day_keys: DayKeys
    allowance: Allowance
    identities: IdentityTokens | None = None
    """Tokens of an identity provider; None without one."""
    provider: IdentityProvider | None = None
    """Where people sign in at the console; None without one."""
    sign_in_tries: int = TRIES
    oidc_issuer: str = ""
    mcp_origins: frozenset[str] = frozenset()
    public_url: str = ""
    answers_url: str = ""
    """What addresses of public answers begin with, if that is known."""
