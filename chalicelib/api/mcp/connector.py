"""The two tools that ChatGPT's connectors look for by name, over memory.

Source of the shapes: OpenAI, "Building MCP servers for ChatGPT and API integrations".
"""

from typing import Annotated

from pydantic import Field

from chalicelib.access.scopes import Scope
from chalicelib.api.mcp.tools import Arguments, Call, Tool
from chalicelib.api.wire.memory import SearchText
from chalicelib.api.wire.words import Answer, Id
from chalicelib.domain.errors import NotFound
from chalicelib.domain.memory import Memory
from chalicelib.memory.searching import MemoryQuery

_TITLE = 80
"""Characters of a title."""


class SearchArguments(Arguments):
    """What to look for."""

    query: Annotated[SearchText, Field(description="Words or a question.")]


class FetchArguments(Arguments):
    """What to read."""

    id: Annotated[Id, Field(description="The id of a search result.")]


class Result(Answer):
    """One result."""

    id: str
    title: str
    url: str


class Results(Answer):
    """What was found, best first."""

    results: list[Result]


class Metadata(Answer):
    """What is known of a record besides its text."""

    path: str
    memory_type: str
    created_at: str
    client: str


class Document(Answer):
    """One record as a document."""

    id: str
    title: str
    text: str
    url: str
    metadata: Metadata


def _search(call: Call) -> Results:
    found = call.services.notebook.search(call.principal, MemoryQuery(call.arguments.query))
    return Results(
        results=[Result(id=each.memory.id, title=_title(each.memory), url=_url(call, each.memory)) for each in found]
    )


def _fetch(call: Call) -> Document:
    memory = call.services.notebook.explain(call.principal, call.arguments.id)
    if not memory.live(call.services.clock.now()):
        raise NotFound
    metadata = Metadata(
        path=memory.path,
        memory_type=memory.type,
        created_at=memory.created_at.isoformat(),
        client=memory.source.client,
    )
    return Document(id=memory.id, title=_title(memory), text=memory.content, url=_url(call, memory), metadata=metadata)


def _title(memory: Memory) -> str:
    first = next(line.strip() for line in memory.content.splitlines() if line.strip())
    return first if len(first) <= _TITLE else f"{first[: _TITLE - 1]}…"


def _url(call: Call, memory: Memory) -> str:
    return f"{call.base_url}/v1/memories/{memory.id}/explain"


TOOLS = (
    Tool(
        name="search",
        title="Search memory",
        description="Find records of memory that match words or a question; fetch reads one of them by its id.",
        scope=Scope.MEMORY_READ,
        arguments=SearchArguments,
        answer=Results,
        run=_search,
        read_only=True,
    ),
    Tool(
        name="fetch",
        title="Read a memory",
        description="Read one record of memory whole, by the id that search gave, with its text and metadata.",
        scope=Scope.MEMORY_READ,
        arguments=FetchArguments,
        answer=Document,
        run=_fetch,
        read_only=True,
    ),
)
