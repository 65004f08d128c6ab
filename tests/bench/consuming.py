"""What people, agents and visitors do, once each and billed.

The real use cases on the real adapters: DynamoDB and S3 by moto, the embedded engine, vectors of a fake embedder.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from chalicelib.access.accounts import operator_for
from chalicelib.access.tokens import NewToken
from chalicelib.answers.asking import Asked
from chalicelib.answers.defences import Visitor
from chalicelib.answers.extractive.model import Extractive
from chalicelib.answers.fallback import Fallback
from chalicelib.answers.furnishing import TopicFacts
from chalicelib.answers.pages import NewPage
from chalicelib.answers.ports import Prompt, Reply
from chalicelib.answers.prompting import PromptedModel
from chalicelib.domain.errors import ModelUnavailable
from chalicelib.domain.items import Item
from chalicelib.domain.lifecycle import Move
from chalicelib.domain.pages import PageLimits
from chalicelib.domain.revisions import Provenance
from chalicelib.domain.spaces import Door, Principal
from chalicelib.knowledge.drafts import Edit, NewItem
from chalicelib.knowledge.listing import Order, Wanted
from chalicelib.knowledge.reading import Address
from chalicelib.search.request import SearchRequest
from chalicelib.settings import Settings
from chalicelib.wiring import Services, assemble, lay
from chalicelib.wiring.desk import AnswerDesk, assembled
from chalicelib.wiring.laying import tables_of
from tests.bench.capacity import Bill, Watching, watched
from tests.factories import once
from tests.fakes.machine import START, StillClock, Tally
from tests.fakes.search import MemoryEmbedder
from tests.unit.answers.gatekeeping import NOON, solved

ITEMS = 60
"""In the base, of some three thousand characters and six passages each."""
_SECTION = (
    "The clinic opens at nine and closes in the evening, and in August it closes earlier than in other months. Whoever "
    "needs a prescription brings the card, asks at the desk for the nurse on duty, and waits in the room on the left. "
    "Emergencies are seen all day. Appointments can be changed until two days before, by telephone or at the desk. "
)


class _Counted:
    """Something outside, with the calls that it gets counted."""

    def __init__(self, whom: Any, name: str, count: Callable[[str], None]) -> None:
        self._whom, self._name, self._count = whom, name, count

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._whom, name)
        if not callable(found):
            return found

        def call(*arguments: Any, **named: Any) -> Any:
            self._count(f"{self._name}.{name}")
            return found(*arguments, **named)

        return call


class _Listening:
    """The port `ChatModel`: notes how much it is asked, and has no answer, so that rules take each step."""

    def __init__(self) -> None:
        self.characters: list[tuple[str, int]] = []

    def ask(self, prompt: Prompt) -> Reply:
        asked = len(prompt.system) + len(prompt.user) + len(json.dumps(prompt.schema, ensure_ascii=False))
        self.characters.append((prompt.name, asked))
        raise ModelUnavailable


@dataclass(frozen=True, slots=True)
class Measured:
    """One thing done, and its bill."""

    what: str
    bill: Bill


class Consumption:
    """Does one thing after the other, and keeps the bills."""

    def __init__(self, watching: Watching, folder: Path) -> None:
        environment = {
            "ACERVO_RECORDS_TABLE": "records",
            "ACERVO_REVISIONS_TABLE": "revisions",
            "ACERVO_EPHEMERAL_TABLE": "ephemeral",
            "ACERVO_CONTENT_BUCKET": "content",
            "ACERVO_SEARCH": "sqlite",
            "ACERVO_SQLITE_PATH": str(folder / "index.sqlite"),
            "ACERVO_PROOF_COST": "1",
        }
        settings = Settings.read(environment)
        tables = tables_of(settings)
        pipes = lay(settings, tables)
        embedder = MemoryEmbedder()
        self.watching, self.measured = watching, list[Measured]()
        self.clock = StillClock(NOON)
        index = type(pipes.index)(folder / "index.sqlite", model=embedder.model)  # type: ignore[call-arg]
        self.pipes = replace(
            pipes,
            index=_Counted(index, "engine", self._note),
            embedder=_Counted(embedder, "embedder", self._note),
            later=lambda _: self._note("queue.send"),
            meter=Tally(),
            clock=self.clock,
        )
        self.services: Services = assemble(self.pipes)
        self.desk: AnswerDesk = assembled(settings, self.pipes, tables)
        self.chat = _Listening()

    def _note(self, what: str) -> None:
        self.watching.note(what)

    def bill[T](self, what: str, run: Callable[[], T]) -> T:
        """Do it, and bill it under that name."""
        self.clock.pass_(minutes=1)  # buckets of visitors are full again, as they are for whoever reads an answer
        with self.watching.billing() as bill:
            done = run()
        self.measured.append(Measured(what, bill))
        return done

    def all(self) -> None:
        """Everything, once."""
        account = self.services.create_account("Ana")
        operator = operator_for(account)
        issued = self.services.issue_token(operator, NewToken("laptop", operator.scopes, expires_in=timedelta(days=9)))
        self.services.authenticate(issued.bearer, Door.REST)  # its use is noted, for ten minutes
        principal = self.bill("a request's token", lambda: self.services.authenticate(issued.bearer, Door.REST))
        self._sign_in(issued.bearer, account.user_id)
        item = self._write(principal)
        self._read(principal, item)
        self._answer(principal, item.base_id)

    def _sign_in(self, bearer: str, user_id: str) -> None:
        door = self.services.entrance
        door.by_token(bearer, "203.0.113.8")  # the day's key of addresses is made once
        self.bill("sign in with a token", lambda: door.by_token(bearer, "203.0.113.7"))
        secret = door.make_link(user_id)
        signed_in = self.bill("sign in with a link", lambda: door.by_link(secret, "203.0.113.7"))
        self.bill("a request's session", lambda: door.authenticate(signed_in.secret))

    def _write(self, principal: Principal) -> Item:
        services, (space,) = self.services, principal.roles
        made = Provenance(principal.user_id, Door.REST)
        base = services.bases.create(principal, space, "Clinic", "How we run it", None)
        for number in range(2, ITEMS):
            new = NewItem(f"Guide {number}", f"guide-{number}.md", _text(number))
            item = services.create_item(principal, base.id, new, made, None)
            services.move_item(principal, item.id, Move.PUBLISH, None)
        self._index(base.id, principal)
        keys = (once(f"{number}", later=NOON - START) for number in range(9))
        new = NewItem("Guide 0", "guide-0.md", _text(0))
        item = self.bill("create a draft", lambda: services.create_item(principal, base.id, new, made, next(keys)))
        large = NewItem("Large", "large.md", "".join(map(_text, range(120))))
        what = f"create one of {len(large.content) // 1000} KB"
        self.bill(what, lambda: services.create_item(principal, base.id, large, made, next(keys)))
        edit = Edit(item.current_revision_id, _text(0) + "\nMore.\n")
        item = self.bill("edit a draft", lambda: services.edit_item(principal, item.id, edit, made, next(keys)))
        self.bill("publish", lambda: services.move_item(principal, item.id, Move.PUBLISH, next(keys)))
        self.bill("… the index follows", lambda: services.index_item(item.id))
        self.bill("… and the vectors", lambda: services.embed_item(item.id))
        again = Edit(item.current_revision_id, _text(0) + "\nMore, and more.\n")
        item = self.bill(
            "edit what is published", lambda: services.edit_item(principal, item.id, again, made, next(keys))
        )
        services.index_item(item.id)
        services.embed_item(item.id)
        return item

    def _index(self, base_id: str, principal: Principal) -> None:
        page = self.services.list_items(principal, base_id, Wanted(), None, ITEMS)
        for item in page.entries:
            self.services.index_item(item.id)
            self.services.embed_item(item.id)

    def _read(self, principal: Principal, item: Item) -> None:
        services = self.services
        request = SearchRequest("prescription at the desk")
        self.bill("search, ten results", lambda: services.retrieve(request, principal))
        address = Address(item.id, item.current_revision_id, 0, 20_000)
        self.bill("read by citation", lambda: services.read_by_address(principal, address))
        self.bill("list 50 items", lambda: self._list(principal, item.base_id, Wanted()))
        sorted_ = Wanted(order=Order.TITLE)
        self.bill(f"list 50 of {ITEMS}, sorted", lambda: self._list(principal, item.base_id, sorted_))

    def _list(self, principal: Principal, base_id: str, wanted: Wanted) -> None:
        """As the REST door does."""
        page = self.services.list_items(principal, base_id, wanted, None, 50)
        self.services.search_states(page.entries)
        self.services.names({(each.space_id, each.created_by) for each in page.entries})

    def _answer(self, principal: Principal, base_id: str) -> None:
        page_id = self._page(principal, base_id)
        visitor = Visitor(None, "https://answers.example", "203.0.113.7")
        opening = self.desk.open_session
        opening(page_id, visitor, solved(opening.challenge(page_id, visitor)))  # the day's keys are made once
        challenge = self.bill("a visitor's challenge", lambda: opening.challenge(page_id, visitor))
        session = self.bill("… and session", lambda: opening(page_id, visitor, solved(challenge)))
        visitor = replace(visitor, session=session.token)
        self._ask(page_id, visitor, "Is there a nurse?", None)  # compiles the base's map, begins the fuse's day
        question = "When does the clinic close in August?"
        talk = self.bill("an answer", lambda: self._ask(page_id, visitor, question, None))
        self.bill("… to the next question", lambda: self._ask(page_id, visitor, "And in May?", talk))
        self.bill("… kept, asked again", lambda: self._ask(page_id, visitor, question, None))

        self._listen()
        self._ask(page_id, visitor, "Who needs a prescription?", None)

    def _listen(self) -> None:
        """From now on a model is asked, and what it is asked noted."""
        meter, turn = self.pipes.meter, self.desk.take_turn
        model = Fallback(PromptedModel(self.chat, meter), Extractive(), meter)
        turn = replace(turn, pipeline=replace(turn.pipeline, model=model))
        self.desk = replace(self.desk, take_turn=turn)

    def _ask(self, page_id: str, visitor: Visitor, question: str, conversation_id: str | None) -> str:
        admitted = self.desk.admit(page_id, visitor, question, 100)
        deadline = self.desk.clock.now() + timedelta(seconds=60)
        asked = Asked(
            page=admitted.page,
            session_id=admitted.session_id,
            question=question,
            conversation_id=conversation_id,
            regenerate=False,
            deadline=deadline,
            has_left=lambda: False,
        )
        parts = list(self.desk.take_turn(asked))
        assert type(parts[-1]).__name__ == "Finished", parts[-1]
        return parts[0].conversation_id  # type: ignore[union-attr]

    def _page(self, principal: Principal, base_id: str) -> str:
        authoring, (space,) = self.services.authoring, principal.roles
        limits = PageLimits(turns_per_minute=60, burst=60, cooldown_s=0)
        page = authoring.create(principal, NewPage(space, "Clinic", "A clinic.", "en", limits=limits), None)
        facts = TopicFacts("Opening hours", "When the clinic is open, prescriptions, nurses, appointments.", (base_id,))
        authoring.put_topic(principal, page.id, None, facts, None)
        authoring.go_live(principal, page.id, None)
        return page.id


def _text(number: int) -> str:
    sections = (f"## Part {part} of guide {number}\n\n{_SECTION}{_SECTION[: 200 + part]}\n" for part in range(6))
    return f"# Guide {number}\n\n" + "\n".join(sections)


@contextmanager
def _cloud() -> Iterator[Watching]:
    """Tables and a bucket as the template makes them, by moto."""
    import boto3
    from moto import mock_aws

    from tests.contract.conftest import make_tables

    with mock_aws(), watched() as watching:
        region = "us-east-1"
        make_tables(boto3.client("dynamodb", region_name=region))
        storage = boto3.client("s3", region_name=region)
        storage.create_bucket(Bucket="content")
        storage.put_bucket_versioning(Bucket="content", VersioningConfiguration={"Status": "Enabled"})
        yield watching


def measured() -> Consumption:
    """Everything, on a cloud of its own. AWS's variables have to name a region and some keys."""
    with tempfile.TemporaryDirectory() as folder, _cloud() as watching:
        done = Consumption(watching, Path(folder))
        done.all()
        return done
