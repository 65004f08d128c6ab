"""All tools of the MCP door."""

from chalicelib.api.mcp import knowledge

TOOLS = (*knowledge.TOOLS,)
