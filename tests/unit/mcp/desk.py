"""An MCP client in a few lines, over the whole REST function in process."""

from typing import Any

from tests.unit.api.world import Person, World
from tests.web import Answered

OLD, NEW = "2025-11-25", "2026-07-28"
_META = "io.modelcontextprotocol"


class Desk:
    """A world with one person in it, and their MCP client."""

    def __init__(self) -> None:
        self.world = World()
        self.ana = self.world.person("Ana")

    def token(self, person: Person, profile: str, *scopes: str, **more: object) -> str:
        body = {"name": f"{profile} token", "scopes": list(scopes), "profile": profile, **more}
        return str(self.world.ok(person, "POST", "/api/v1/tokens", body)["token"])

    def send(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        token: str | None = None,
        era: str = OLD,
        **headers: str,
    ) -> Answered:
        """One request in the form of an era."""
        sent = {"mcp-protocol-version": era, "accept": "application/json, text/event-stream", **headers}
        params = dict(params or {})
        if era == NEW:
            sent |= {"mcp-method": method}
            if "name" in params:
                sent |= {"mcp-name": params["name"]}
            params["_meta"] = {f"{_META}/protocolVersion": NEW, f"{_META}/clientCapabilities": {}}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.world.web("POST", "/mcp", message, token=token or self.ana.token, headers=sent)

    def tools(self, token: str | None = None, era: str = OLD) -> list[str]:
        return [each["name"] for each in self.send("tools/list", token=token, era=era).json["result"]["tools"]]

    def call(self, name: str, token: str | None = None, era: str = OLD, **arguments: object) -> Any:
        """The result of a tool call."""
        answer = self.send("tools/call", {"name": name, "arguments": arguments}, token=token, era=era)
        return answer.json["result"]

    def ok(self, name: str, token: str | None = None, **arguments: object) -> Any:
        """The structured content of a call that has to go well."""
        result = self.call(name, token, OLD, **arguments)
        assert not result["isError"], result
        return result["structuredContent"]
