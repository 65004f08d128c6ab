"""Shapes of ready-made configuration."""

from typing import Annotated, Literal, Self

from pydantic import Field

from chalicelib.api.clients import PLACEHOLDER, Configuration, configurations
from chalicelib.api.wire.words import Answer


class ClientAnswer(Answer):
    """What to paste for one program."""

    program: str
    where: Annotated[str, Field(description="The file that it goes into, or `a shell`.")]
    language: Literal["json", "toml", "bash"]
    text: str

    @classmethod
    def of(cls, configuration: Configuration) -> Self:
        """The shape of a configuration."""
        made = configuration
        return cls(program=made.program, where=made.where, language=made.language, text=made.text)


class ClientsAnswer(Answer):
    """What to paste into programs that speak MCP."""

    mcp_url: str
    placeholder: Annotated[str, Field(description="Stands in the texts where a token goes; not in every one.")]
    clients: list[ClientAnswer]

    @classmethod
    def at(cls, mcp_url: str) -> Self:
        """The shapes for an address of the MCP door."""
        made = [ClientAnswer.of(each) for each in configurations(mcp_url, PLACEHOLDER)]
        return cls(mcp_url=mcp_url, placeholder=PLACEHOLDER, clients=made)
