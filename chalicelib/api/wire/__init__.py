"""The shapes on the wire: what requests may hold and what answers do hold.

The OpenAPI document is made from these very models.
"""
