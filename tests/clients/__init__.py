"""Real MCP clients against the deployed stack: `make clients`."""
