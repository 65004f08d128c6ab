"""The front doors: REST, MCP and the stream. Here a request becomes a call of a use case, and its result an answer.

Nothing is decided here that a use case could decide.
"""
