"""The stores of leaving on DynamoDB and S3: an account with everything in it, gone to the last row."""

import io
import zipfile
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.access.accounts import operator_for
from chalicelib.access.scopes import Scope
from chalicelib.access.tokens import NewToken
from chalicelib.adapters.dynamodb.defences import DynamoDayKeys
from chalicelib.adapters.dynamodb.devices import DynamoDevices, DynamoLimits
from chalicelib.adapters.dynamodb.documents import DynamoDocuments
from chalicelib.adapters.dynamodb.fuses import DynamoFuses
from chalicelib.adapters.dynamodb.keys import DynamoKeys, DynamoTeams
from chalicelib.adapters.dynamodb.knowledge import DynamoKnowledge
from chalicelib.adapters.dynamodb.leaving import DynamoClosures, DynamoExports
from chalicelib.adapters.dynamodb.memory import DynamoMemory
from chalicelib.adapters.dynamodb.notes import DynamoNotes
from chalicelib.adapters.dynamodb.pages import DynamoPages
from chalicelib.adapters.dynamodb.purges import DynamoPurges
from chalicelib.adapters.dynamodb.sessions import DynamoSessions
from chalicelib.adapters.dynamodb.standing import DynamoKnowledgeState, DynamoShelf
from chalicelib.adapters.dynamodb.tables import Tables, decode
from chalicelib.adapters.memory_search import IndexedMemory
from chalicelib.adapters.no_embeddings import NoEmbeddings
from chalicelib.adapters.s3 import S3Blobs, S3Maps, S3Originals, S3Pictures
from chalicelib.answers.defence_ports import Allowance
from chalicelib.answers.pages import NewPage
from chalicelib.domain.accounts import Closure, ClosureStatus, Export, ExportStatus, Leftover
from chalicelib.domain.errors import ConcurrentChange, NotFound
from chalicelib.domain.ids import Kind
from chalicelib.domain.pages import ImageKind
from chalicelib.domain.spaces import Principal
from chalicelib.ingest.limits import Limits
from chalicelib.memory.projects import NewProject
from chalicelib.memory.records import NewMemory
from chalicelib.memory.timeline import NewEvent
from chalicelib.memory.todos import NewTodo
from chalicelib.wiring import Pipes, Services, assemble
from tests.factories import new_id
from tests.fakes.files import MemoryQueue, OpenSandbox
from tests.fakes.machine import START, CountingIds, CountingSecrets, StillClock, Tally
from tests.fakes.search import MemoryIndex
from tests.pictures import png

pytestmark = pytest.mark.promise("A8")


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def wired(tables: Tables, s3: S3Blobs, clock: StillClock) -> Services:
    shelf, memory = DynamoShelf(tables), IndexedMemory(MemoryIndex())
    return assemble(
        Pipes(
            store=DynamoKnowledge(tables),
            graves=DynamoPurges(tables),
            blobs=s3,
            keys=DynamoKeys(tables),
            teams=DynamoTeams(tables),
            devices=DynamoDevices(tables),
            sessions=DynamoSessions(tables),
            attempts=DynamoSessions(tables),
            rates=DynamoLimits(tables),
            shelf=shelf,
            states=shelf,
            catalogue=shelf,
            index=MemoryIndex(),
            embedder=NoEmbeddings(),
            later=lambda _: None,
            memories=DynamoMemory(tables),
            notes=DynamoNotes(tables),
            memory_search=memory,
            memory_index=memory,
            exports=DynamoExports(tables),
            parcels=s3,
            closures=DynamoClosures(tables),
            clock=clock,
            ids=CountingIds(),
            secrets=CountingSecrets(),
            meter=Tally(),
            sandbox=OpenSandbox(),
            limits=Limits(),
            documents=DynamoDocuments(tables),
            originals=S3Originals(s3.client, s3, clock),
            queue=MemoryQueue(),
            pages=DynamoPages(tables),
            pictures=S3Pictures(S3Originals(s3.client, s3, clock)),
            addresses=S3Pictures(S3Originals(s3.client, s3, clock)),
            knowledge_state=DynamoKnowledgeState(tables),
            maps=S3Maps(s3),
            fuses=DynamoFuses(tables),
            day_keys=DynamoDayKeys(tables, CountingSecrets()),
            allowance=Allowance(1000, 1_000_000),
        )
    )


def _person(wired: Services, name: str) -> Principal:
    account = wired.create_account(name)
    issued = wired.issue_token(operator_for(account), NewToken("all", frozenset(Scope)))
    return wired.authenticate(issued.bearer, operator_for(account).door)


def _rows(tables: Tables) -> list[str]:
    pages = tables.client.get_paginator("scan").paginate(TableName="records")
    return [str(decode(row)) for page in pages for row in page["Items"]]


def test_an_account_goes_to_the_last_row_and_object(
    wired: Services, tables: Tables, s3: S3Blobs, clock: StillClock
) -> None:
    ana, bob = _person(wired, "Ana"), _person(wired, "Bob")
    team = wired.create_team(bob, "Ops", None).id
    wired.set_member(replace(bob, roles={**bob.roles, team: "owner"}), team, ana.user_id, "member")  # type: ignore[dict-item,arg-type]
    account = wired.keys.account(ana.user_id)
    assert account
    ana = replace(ana, roles={each.space_id: each.role for each in account[1]})
    notebook = wired.notebook
    for number in range(30):
        notebook.remember(ana, NewMemory(f"Fact {number}"))
    kept = notebook.remember(ana, NewMemory("For the team", team_id=team))
    notebook.create_todo(ana, NewTodo("Task"))
    notebook.record_event(ana, NewEvent("Event"))
    notebook.save_state(ana, "k", "State", None)
    notebook.projects.create(ana, NewProject("X", "projects/x"), None)
    base = wired.bases.create(ana, str(ana.personal_space_id), "Base", "", None)
    page = wired.authoring.create(ana, NewPage(str(ana.personal_space_id), "Casa", "A hotel", "es"), None)
    image, form = wired.authoring.announce_image(ana, page.id, "image/png")
    s3.client.put_object(Bucket=s3.bucket, Key=form.fields["key"], Body=png())
    wired.authoring.take_image(ana, page.id, image, ImageKind.PHOTO, "The sea")
    s3.client.put_object(Bucket=s3.bucket, Key=form.fields["key"], Body=png())
    assert s3.count(f"pages/{page.id}/") == 1
    export = wired.run_export(wired.request_export(ana).id)
    assert wired.read_export(ana, export.id)[1]
    names = zipfile.ZipFile(io.BytesIO(s3.get(export.key))).namelist()
    assert f"memory/{ana.personal_space_id}/records.jsonl" in names
    closure = wired.close_account(ana, "Ana")
    done = closure
    for _ in range(3):
        done = wired.run_closure(closure.id, lambda: True)
        for purge in done.purges:
            wired.run_purge(purge, lambda: True)
    assert done.status is ClosureStatus.DONE
    assert (done.removed.memories, done.removed.notes, done.removed.tokens, done.removed.exports) == (30, 4, 1, 1)
    left = [row for row in _rows(tables) if ana.user_id in row or str(ana.personal_space_id) in row or base.id in row]
    # Receipts stay, and what is the team's, with who said it.
    assert {row.split("'sk': '")[1].partition("'")[0] for row in left} <= {"closure", "purge", "memory"}
    assert notebook.explain(replace(bob, roles={team: "owner"}), kept.id) == kept  # type: ignore[dict-item]
    assert [s3.count(folder) for folder in ("exports/", "pages/", "incoming/")] == [0, 0, 0]
    assert not [row for row in _rows(tables) if page.id in row]
    assert notebook.forget(replace(bob, roles={team: "owner"}), kept.id).version == 2  # type: ignore[dict-item]
    assert [each.user_id for each in DynamoTeams(tables).members(team)] == [bob.user_id]
    clock.moment += timedelta(minutes=16)
    assert wired.run_closure(closure.id, lambda: True).status is ClosureStatus.SETTLED
    assert DynamoClosures(tables).open_closures() == ()


def test_a_closure_is_advanced_by_one_at_a_time(wired: Services, tables: Tables) -> None:
    ana = _person(wired, "Ana")
    closures = DynamoClosures(tables)
    closure = wired.close_account(ana, "Ana")
    found = wired.keys.account(ana.user_id)
    assert found is None
    assert closures.closure(closure.id) == closure
    assert closures.open_closures() == (closure,)
    after = closure.checkpoint((Leftover("a", "event#b"), Leftover("a", "memory#c", "c")), closure.removed, START)
    assert closures.advance_closure(closure, after) == after
    assert closures.closure(closure.id) == after
    with pytest.raises(ConcurrentChange):
        closures.advance_closure(closure, after)
    assert closures.closure(new_id(Kind.CLOSURE)) is None


def test_an_account_is_buried_once(wired: Services, tables: Tables) -> None:
    ana = _person(wired, "Ana")
    found = wired.keys.account(ana.user_id)
    assert found
    closure = wired.close_account(ana, "Ana")
    again: Closure = replace(closure, id=new_id(Kind.CLOSURE))
    with pytest.raises(NotFound):
        DynamoClosures(tables).bury_account(found[0], again)


def test_an_export_that_is_gone_is_not_finished(tables: Tables) -> None:
    exports = DynamoExports(tables)
    export = Export(new_id(Kind.EXPORT), "user_1", ExportStatus.RUNNING, START)
    with pytest.raises(NotFound):
        exports.finish_export(export)
    exports.add_export(export)
    done = export.done(7, START)
    exports.finish_export(done)
    assert exports.export(export.id) == done
    assert exports.exports("user_1") == (done,)
    assert exports.export(new_id(Kind.EXPORT)) is None
