"""Acervo: knowledge that keeps every version, and answers built from it.

Each folder below is a room; its `__init__` says what happens there and what does not.
"""
