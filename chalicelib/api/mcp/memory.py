"""The tools over memory records."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from chalicelib.access.scopes import Scope
from chalicelib.api.mcp.tools import Arguments, Call, Tool
from chalicelib.api.wire.memory import (
    AgentId,
    AnyBucket,
    AnyType,
    Bucket,
    ForgottenAnswer,
    MemoryAnswer,
    MemoryText,
    PackAnswer,
    Path,
    RecallBody,
    SearchText,
    TeamId,
)
from chalicelib.api.wire.words import Answer, Id
from chalicelib.domain.memory import MemoryType
from chalicelib.domain.quoting import fenced
from chalicelib.memory.recall import Kind, Recalled
from chalicelib.memory.records import DEFAULT_BUCKET, Changes, NewMemory
from chalicelib.memory.searching import Found, MemoryQuery

type MemoryId = Annotated[Id, Field(description="The record's id, mem_…")]


class RememberArguments(Arguments):
    """Something to keep in mind."""

    content: Annotated[
        MemoryText, Field(description="What to remember, in a sentence or a few that stand by themselves.")
    ]
    memory_type: Annotated[
        MemoryType,
        Field(
            description="episodic: what happened; semantic: what is so; procedural: how it is done; identity: who "
            "somebody is and prefers; working: for the task at hand, expires."
        ),
    ] = MemoryType.SEMANTIC
    path: Path = ""
    bucket: Bucket = DEFAULT_BUCKET
    team_id: TeamId = None
    agent_id: Annotated[AgentId, Field(description="Which agent this comes from.")] = None
    agent_instance_id: Annotated[AgentId, Field(description="Which run of that agent.")] = None


class RecallArguments(Arguments):
    """A question to recall context for."""

    query: Annotated[SearchText, Field(description="The question or task, in words.")]
    max_items: Annotated[int, Field(ge=1, le=50, description="At most so many pieces.")] = 8
    max_tokens: Annotated[int, Field(ge=50, le=20_000, description="About how long the whole text may be.")] = 1200
    path: Annotated[Path, Field(description="Only memory at this path or below it.")] = ""
    bucket: AnyBucket = None
    team_id: TeamId = None
    memory_type: AnyType = None
    prefer_working: Annotated[bool, Field(description="Put memory of the task at hand first.")] = False
    include_knowledge: Annotated[
        bool | None, Field(description="true asks for documents, false leaves them out; automatic if left out.")
    ] = None


class SearchMemoryArguments(Arguments):
    """What to look for."""

    query: Annotated[SearchText, Field(description="Words or a question.")]
    limit: Annotated[int, Field(ge=1, le=50, description="At most so many records.")] = 10
    path: Annotated[Path, Field(description="Only at this path or below it.")] = ""
    bucket: AnyBucket = None
    memory_type: AnyType = None
    team_id: TeamId = None


class UpdateMemoryArguments(Arguments):
    """What is to change; what is left out stays."""

    id: MemoryId
    content: Annotated[MemoryText | None, Field(description="The new text.")] = None
    memory_type: Annotated[MemoryType | None, Field(description="The new kind.")] = None
    path: Annotated[Path | None, Field(description="The new path.")] = None
    bucket: Annotated[Bucket | None, Field(description="The new drawer.")] = None


class OneMemory(Arguments):
    """Which record."""

    id: MemoryId


class FoundMemory(Answer):
    """A record that was found."""

    score: float
    memory: MemoryAnswer


class FoundMemories(Answer):
    """What was found, best first."""

    results: list[FoundMemory]

    @classmethod
    def of(cls, found: tuple[Found, ...]) -> "FoundMemories":
        """The shape of what was found."""
        return cls(results=[FoundMemory(score=each.score, memory=MemoryAnswer.of(each.memory)) for each in found])


def _remember(call: Call) -> MemoryAnswer:
    given: RememberArguments = call.arguments
    asked = NewMemory(
        content=given.content,
        type=given.memory_type,
        path=given.path,
        bucket=given.bucket,
        team_id=given.team_id,
        agent_id=given.agent_id,
        agent_instance_id=given.agent_instance_id,
    )
    return MemoryAnswer.of(call.services.notebook.remember(call.principal, asked))


def _recall(call: Call) -> PackAnswer:
    request = RecallBody(**call.arguments.model_dump()).request()
    pack = call.services.notebook.recall(call.principal, request)
    call.services.meter.count("recall", knowledge=pack.knowledge)
    return PackAnswer.of(replace(pack, items=tuple(map(_quoted, pack.items))))


def _quoted(piece: Recalled) -> Recalled:
    """What others wrote as documents is fenced wherever a model reads it."""
    if piece.kind is Kind.MEMORY:
        return piece
    return replace(piece, content=fenced(piece.content, f"knowledge {piece.reference}"))


def _search(call: Call) -> FoundMemories:
    given: SearchMemoryArguments = call.arguments
    asked = MemoryQuery(given.query, given.limit, given.team_id, given.path, given.bucket, given.memory_type)
    return FoundMemories.of(call.services.notebook.search(call.principal, asked))


def _update(call: Call) -> MemoryAnswer:
    given: UpdateMemoryArguments = call.arguments
    changes = Changes(given.content, given.memory_type, given.path, given.bucket)
    return MemoryAnswer.of(call.services.notebook.update(call.principal, given.id, changes))


def _forget(call: Call) -> ForgottenAnswer:
    memory = call.services.notebook.forget(call.principal, call.arguments.id)
    return ForgottenAnswer(id=memory.id, forgotten=True)


def _explain(call: Call) -> MemoryAnswer:
    return MemoryAnswer.of(call.services.notebook.explain(call.principal, call.arguments.id))


TOOLS = (
    Tool(
        name="recall_context",
        title="Recall context",
        description=(
            "Get what memory, and the team's documents, say about a question, as one pack of context within a budget. "
            "Call it at the beginning of a task, and whenever something may have been decided or learnt before. "
            "`knowledge.reason` says why documents are missing, if they are."
        ),
        scope=Scope.MEMORY_READ,
        arguments=RecallArguments,
        answer=PackAnswer,
        run=_recall,
        read_only=True,
    ),
    Tool(
        name="remember",
        title="Remember",
        description=(
            "Keep something for later conversations, whichever client they happen in: a decision, a preference, a "
            "convention, how a problem was solved. Use it when the user asks to remember, or when something will "
            "matter again. Secrets do not belong here. Remembering the same twice keeps one record."
        ),
        scope=Scope.MEMORY_WRITE,
        arguments=RememberArguments,
        answer=MemoryAnswer,
        run=_remember,
        idempotent=True,
    ),
    Tool(
        name="search_memory",
        title="Search memory",
        description=(
            "Find single records of memory, with ids, to read, change or forget them. For context to answer a "
            "question with, use recall_context."
        ),
        scope=Scope.MEMORY_READ,
        arguments=SearchMemoryArguments,
        answer=FoundMemories,
        run=_search,
        read_only=True,
    ),
    Tool(
        name="update_memory",
        title="Update a memory",
        description="Change a record of memory when what it says is no longer so. What is left out of the call stays.",
        scope=Scope.MEMORY_WRITE,
        arguments=UpdateMemoryArguments,
        answer=MemoryAnswer,
        run=_update,
        destructive=True,
        idempotent=True,
    ),
    Tool(
        name="forget",
        title="Forget a memory",
        description=(
            "Forget a record of memory for good. Do so only when the user asks for it. It is found no more from now "
            "on, and gone after thirty days."
        ),
        scope=Scope.MEMORY_WRITE,
        arguments=OneMemory,
        answer=ForgottenAnswer,
        run=_forget,
        destructive=True,
        idempotent=True,
    ),
    Tool(
        name="explain_memory",
        title="Explain a memory",
        description="Read a record of memory with where it came from: who and which client, when, and who changed it.",
        scope=Scope.MEMORY_READ,
        arguments=OneMemory,
        answer=MemoryAnswer,
        run=_explain,
        read_only=True,
    ),
)
