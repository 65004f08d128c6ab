"""The index cards: cutting items into passages, asking the index, and dropping what may not be seen.

The index finds, the table decides: nothing leaves this room that the table does not call current, published
and readable. Writing items and reading them by address happen elsewhere.
"""
