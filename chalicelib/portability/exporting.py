"""Exporting everything of an account: asking for it, and the worker that packs it (rule A8).

JSON Lines for programs, Markdown for people. Whoever owns a team gets what is the team's as well; of other teams, what
they remembered there themselves.
"""

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from chalicelib.access.ports import KeyStore, TeamStore
from chalicelib.domain.accounts import Export, ExportStatus
from chalicelib.domain.errors import NotFound, TokenLimited, TooMany
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.memory import Memory
from chalicelib.domain.spaces import Principal, Role
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Page
from chalicelib.knowledge.content import text_of
from chalicelib.knowledge.ports import Blobs, KnowledgeStore
from chalicelib.memory.ports import MemoryStore, NoteStore
from chalicelib.portability.ports import ExportStore, Parcels

RUNNING_AT_ONCE = 3
"""Exports of one account that are not done."""

_PAGE = 100

_ALL = 1_000_000

_SPOOLED = 8 * 1024 * 1024
"""Bytes of an archive that stay in memory; larger ones go to a temporary file."""

_README = """# Your export
| folder | what |
|---|---|
| `account.json`, `tokens.jsonl`, `memberships.jsonl` | the account; tokens without their secrets |
| `memory/<space>/*.jsonl` | records, to-dos, events, states, projects, one JSON object a line |
| `memory/<space>/memory.md` | the records as text |
| `memory/elsewhere.jsonl` | records that you remembered in teams that you do not own |
| `knowledge/<space>/bases.jsonl`, `items.jsonl`, `revisions.jsonl` | knowledge without content |
| `knowledge/<space>/<item>/<number>.md` | the content of each revision, as it is cited |

Times are UTC. The format of each line is the one that the REST API answers with, under the names of the code.
"""


@dataclass(frozen=True, slots=True)
class RequestExport:
    """Ask for an export of everything of one's account."""

    exports: ExportStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal) -> Export:
        """The export under way. Raises TokenLimited, TooMany."""
        if principal.limited:
            raise TokenLimited
        running = [each for each in self.exports.exports(principal.user_id) if each.status is ExportStatus.RUNNING]
        if len(running) >= RUNNING_AT_ONCE:
            raise TooMany(what="exports under way", limit=RUNNING_AT_ONCE)
        export = Export(self.ids.new(Kind.EXPORT), principal.user_id, ExportStatus.RUNNING, self.clock.now())
        self.exports.add_export(export)
        return export


@dataclass(frozen=True, slots=True)
class ListExports:
    """List the exports of one's account."""

    exports: ExportStore

    def __call__(self, principal: Principal) -> tuple[Export, ...]:
        """The exports, newest first. Raises TokenLimited."""
        if principal.limited:
            raise TokenLimited
        return self.exports.exports(principal.user_id)


@dataclass(frozen=True, slots=True)
class ReadExport:
    """Read how far an export is, and where it can be fetched."""

    exports: ExportStore
    parcels: Parcels

    def __call__(self, principal: Principal, export_id: str) -> tuple[Export, str | None]:
        """The export, and a link that works for ten minutes once it is done. Raises NotFound, TokenLimited."""
        if principal.limited:
            raise TokenLimited
        export = self.exports.export(export_id)
        if export is None or export.user_id != principal.user_id:
            raise NotFound
        if export.status is not ExportStatus.DONE:
            return export, None
        return export, self.parcels.link(export.key, f"acervo-{export.id}.zip")


@dataclass(frozen=True, slots=True)
class Sources:
    """Where everything is read."""

    keys: KeyStore
    teams: TeamStore
    memories: MemoryStore
    notes: NoteStore
    store: KnowledgeStore
    blobs: Blobs


@dataclass(frozen=True, slots=True)
class RunExport:
    """The worker: packs an archive and puts it where it can be fetched. Started again, it starts afresh."""

    exports: ExportStore
    parcels: Parcels
    sources: Sources
    clock: Clock

    def __call__(self, export_id: str) -> Export:
        """The export, done. Raises NotFound: it, or its account, is gone."""
        export = self.exports.export(export_id)
        if export is None:
            raise NotFound
        if export.status is ExportStatus.DONE:
            return export
        with tempfile.SpooledTemporaryFile(_SPOOLED) as archive:
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
                for name, content in self._files(export.user_id):
                    packed.writestr(name, content)
            size = archive.tell()
            archive.seek(0)
            self.parcels.store(export.key, archive)
        done = export.done(size, self.clock.now())
        self.exports.finish_export(done)
        return done

    def _files(self, user_id: str) -> Iterator[tuple[str, str]]:
        found = self.sources.keys.account(user_id)
        if found is None:
            raise NotFound
        account, memberships = found
        owned = [each.space_id for each in memberships if each.role is Role.OWNER]
        yield "README.md", _README
        yield "account.json", _line(asdict(account))
        yield "memberships.jsonl", _lines(asdict(each) for each in memberships)
        tokens = [asdict(each) for each in self.sources.keys.tokens(user_id)]
        yield "tokens.jsonl", _lines({name: each[name] for name in each if name != "secret_hash"} for each in tokens)
        for space in owned:
            yield from self._memory(space)
            yield from self._knowledge(space)
        mine = self.sources.memories.newest_of(user_id, _ALL)
        yield "memory/elsewhere.jsonl", _lines(asdict(each) for each in mine if each.space_id not in owned)

    def _memory(self, space: str) -> Iterator[tuple[str, str]]:
        folder, notes = f"memory/{space}", self.sources.notes
        memories = list(_all(lambda after: self.sources.memories.listed(space, after, _PAGE)))
        yield f"{folder}/records.jsonl", _lines(asdict(each) for each in memories)
        yield f"{folder}/memory.md", "\n".join(map(_readable, memories))
        yield f"{folder}/todos.jsonl", _lines(map(asdict, _all(lambda after: notes.todos(space, after, _PAGE))))
        yield f"{folder}/events.jsonl", _lines(map(asdict, notes.events(space, (None, None), _ALL)))
        yield f"{folder}/states.jsonl", _lines(map(asdict, notes.states(space)))
        yield f"{folder}/projects.jsonl", _lines(map(asdict, _all(lambda after: notes.projects(space, after, _PAGE))))

    def _knowledge(self, space: str) -> Iterator[tuple[str, str]]:
        folder, store = f"knowledge/{space}", self.sources.store
        bases = list(_all(lambda after: store.bases(space, after, _PAGE)))
        items = [item for base in bases for item in _all(lambda after, key=base.id: store.items(key, after, _PAGE))]  # type: ignore[misc]
        yield f"{folder}/bases.jsonl", _lines(map(asdict, bases))
        yield f"{folder}/items.jsonl", _lines(map(asdict, items))
        told: list[dict[str, Any]] = []
        for item in items:
            for listed in _all(lambda after, key=item.id: store.revisions(key, after, _PAGE)):  # type: ignore[misc]
                revision = store.revision(item.id, listed.id)
                if revision is None:
                    continue  # deleted for good meanwhile
                told.append({name: each for name, each in asdict(revision).items() if name not in {"inline", "blob"}})
                yield f"{folder}/{item.id}/{revision.number}.md", text_of(self.sources.blobs, revision)
        yield f"{folder}/revisions.jsonl", _lines(told)


def _all[R](page: Callable[[str | None], Page[R]]) -> Iterator[R]:
    after = None
    while True:
        found = page(after)
        yield from found.entries
        after = found.after
        if after is None:
            return


def _readable(memory: Memory) -> str:
    place = f" · {memory.path}" if memory.path else ""
    by = memory.source.agent_id or memory.source.client
    head = f"## {memory.created_at:%Y-%m-%d}{place}\n{memory.type}, {memory.status}, by {by} · {memory.id}"
    return f"{head}\n\n{memory.content}\n"


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(_line(each) for each in rows)


def _line(row: dict[str, Any]) -> str:
    return f"{json.dumps(row, ensure_ascii=False, default=_plain)}\n"


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return sorted(value) if isinstance(value, frozenset) else str(value)
