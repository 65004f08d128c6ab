"""Where a browser signs in."""


def console_at(base_url: str) -> str:
    """The console's address in a deployment."""
    return f"{base_url.rstrip('/')}/me"


def link_to(base_url: str, secret: str) -> str:
    """A link that signs somebody in. What stands after `#` is told to no server, log or other page."""
    return f"{console_at(base_url)}#sign-in={secret}"
