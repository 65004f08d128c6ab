"""Client profiles: which tools a client is shown (rule A3).

A profile is a choice of what to show, not a permission: what a token may do is its scopes' business. A client that is
shown few tools picks the right one more often, and a public client is not shown what its store has not reviewed.
"""

from collections.abc import Mapping
from enum import StrEnum


class Profile(StrEnum):
    """Every client profile there is."""

    CURSOR_PLUGIN = "cursor-plugin"
    ORDINARY_FULL = "ordinary-full"
    CHATGPT_PUBLIC = "chatgpt-public"
    GENERIC_PUBLIC = "generic-public"


_RECORDS = ("recall_context", "remember", "search_memory", "update_memory", "forget", "explain_memory")
_TODOS = ("create_memory_todo", "list_memory_todos", "complete_memory_todo")
_TIMELINE = ("record_event", "get_timeline")
_STATE = ("save_state", "restore_state")

TOOLS: Mapping[Profile, tuple[str, ...]] = {
    # An editor's own list of tools is long already, so what a coding session seldom needs is left out.
    Profile.CURSOR_PLUGIN: ("search_knowledge", *_RECORDS, *_TODOS, *_STATE),
    Profile.ORDINARY_FULL: ("search_knowledge", *_RECORDS, *_TODOS, *_TIMELINE, *_STATE),
    # `search` and `fetch` are what its connectors look for by name.
    Profile.CHATGPT_PUBLIC: ("search", "fetch", "recall_context", "remember"),
    Profile.GENERIC_PUBLIC: (*_RECORDS, *_TODOS, *_TIMELINE, *_STATE),
}
"""The names of the tools that each profile shows, in the order in which they are listed."""
