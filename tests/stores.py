"""All stores of one kind, together."""

from collections.abc import Callable
from dataclasses import dataclass

from chalicelib.access.ports import DeviceStore, KeyStore, LimitStore, TeamStore
from chalicelib.access.provider_ports import AttemptStore
from chalicelib.access.session_ports import SessionStore
from chalicelib.ingest.ports import DocumentStore, Originals
from chalicelib.knowledge.ports import Blobs, KnowledgeStore, PurgeStore
from chalicelib.memory.ports import MemoryStore, NoteStore
from chalicelib.search.ports import Catalogue, SearchStates, Shelf


@dataclass(frozen=True, slots=True)
class Stores:
    """One implementation of each port."""

    knowledge: KnowledgeStore
    graves: PurgeStore
    shelf: Shelf
    states: SearchStates
    catalogue: Catalogue
    blobs: Blobs
    keys: KeyStore
    teams: TeamStore
    devices: DeviceStore
    sessions: SessionStore
    attempts: AttemptStore
    limits: LimitStore
    memories: MemoryStore
    notes: NoteStore
    documents: DocumentStore
    originals: Originals
    put_file: Callable[..., str]
    """Puts an object as an S3 client does (key, content, metadata by name), and gives its version."""
