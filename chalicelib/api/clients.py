"""Ready-made configuration for programs that speak MCP, to be pasted.

Formats are those that each program's documentation gives for Streamable HTTP with a bearer token (Cursor "mcp.json",
Claude Code "claude mcp add", VS Code "mcp.json", Codex "config.toml", Gemini CLI "settings.json"). In Gemini's, `url`
would mean the older SSE transport; in Codex's, a token may be named but not written.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

NAME = "acervo"
TOKEN_VARIABLE = "ACERVO_TOKEN"  # noqa: S105 - the name of a variable
"""Where Codex reads the token from."""

PLACEHOLDER = "acv_YOUR_TOKEN"
"""Stands where a token goes, for whoever makes one later."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """What to paste for one program, and where: a file, or a shell."""

    program: str
    where: str
    language: Literal["json", "toml", "bash"]
    text: str

    def compact(self) -> str:
        """The same in one line, where the language allows it."""
        return json.dumps(json.loads(self.text)) if self.language == "json" else self.text


def configurations(url: str, token: str) -> Sequence[Configuration]:
    """For the MCP endpoint `url` and a token that is written into them, except into Codex's."""
    bearer = f"Bearer {token}"
    server = {"url": url, "headers": {"Authorization": bearer}}
    return (
        _json("Cursor", "~/.cursor/mcp.json", {"mcpServers": {NAME: server}}),
        Configuration(
            "Claude Code",
            "a shell",
            "bash",
            f'claude mcp add --transport http {NAME} {url} --header "Authorization: {bearer}"',
        ),
        _json("VS Code", ".vscode/mcp.json", {"servers": {NAME: {"type": "http", **server}}}),
        Configuration(
            "Codex",
            "~/.codex/config.toml",
            "toml",
            f'[mcp_servers.{NAME}]\nurl = "{url}"\nbearer_token_env_var = "{TOKEN_VARIABLE}"',
        ),
        _json(
            "Gemini CLI",
            "~/.gemini/settings.json",
            {"mcpServers": {NAME: {"httpUrl": url, "headers": server["headers"]}}},
        ),
    )


def _json(program: str, where: str, content: Mapping[str, object]) -> Configuration:
    return Configuration(program, where, "json", json.dumps(content, indent=2))
