"""An OpenID Connect issuer: its tokens, verified with its published keys, and signing in with it.

Nothing here is imported before somebody comes with one of its tokens, or to sign in.
"""
