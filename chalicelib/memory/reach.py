"""Where somebody's memory lies: their own in their personal space, a team's in the team's."""

from chalicelib.domain.errors import NotFound, TokenLimited
from chalicelib.domain.memory import Memory, Source
from chalicelib.domain.spaces import Action, Principal, demand, may
from chalicelib.memory.ports import MemoryStore


def writes_to(principal: Principal, team_id: str | None) -> str:
    """The space that what is written goes to.

    Raises:
        TokenLimited: one's own memory, and the token does not reach it.
        NotFound: no such team for the caller.
        NotAllowed: the role is too small.
    """
    space = team_id or _own(principal)
    demand(principal, Action.WRITE_MEMORY, space)
    return space


def reads_from(principal: Principal, team_id: str | None) -> frozenset[str]:
    """The spaces that are read: the team's, or else one's own and those of all one's teams.

    Raises:
        NotFound: no such team for the caller.
    """
    if team_id is not None:
        demand(principal, Action.READ, team_id)
        return frozenset({team_id})
    return frozenset(space for space in principal.roles if may(principal, Action.READ, space))


def lists_from(principal: Principal, team_id: str | None) -> str:
    """The one space that a list is of. Raises TokenLimited, NotFound."""
    space = team_id or _own(principal)
    demand(principal, Action.READ, space)
    return space


def memory_for(store: MemoryStore, principal: Principal, memory_id: str, action: Action = Action.READ) -> Memory:
    """The record, if the caller may do that in its space. Raises NotFound, NotAllowed."""
    memory = store.memory(memory_id)
    if memory is None:
        raise NotFound
    demand(principal, action, memory.space_id)
    return memory


def source_of(principal: Principal, agent_id: str | None = None, agent_instance_id: str | None = None) -> Source:
    """What is noted of where something came from."""
    return Source(
        user_id=principal.user_id,
        door=principal.door,
        client=principal.profile,
        token_name=principal.token_name,
        agent_id=agent_id,
        agent_instance_id=agent_instance_id,
    )


def _own(principal: Principal) -> str:
    space = principal.personal_space_id
    if space is None or space not in principal.roles:
        raise TokenLimited
    return space
