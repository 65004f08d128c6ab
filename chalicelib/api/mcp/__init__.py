"""The MCP door: tools for agents, over the official SDK.

A tool is one row that names a use case (`table.py`). Knows nothing of Chalice; the SDK is imported at the first call.
"""
