"""All tools of the MCP door."""

from chalicelib.api.mcp import connector, knowledge, memory, notes

TOOLS = (*knowledge.TOOLS, *memory.TOOLS, *notes.TOOLS, *connector.TOOLS)
