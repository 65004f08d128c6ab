"""The keys: accounts, tokens, scopes, teams and who is in them.

Says who is asking and what their token may be used for. What a role allows is `domain/spaces`; which status a
refusal has at a door is the door's business.
"""
