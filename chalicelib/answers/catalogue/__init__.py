"""The closed catalogue: what an answer may be composed of. Nothing else is ever rendered.

No field of any component can hold an address or HTML: pictures and links are named by id, and the server resolves
them. This is the one place of the rooms that speaks Pydantic (decision 0045).
"""
