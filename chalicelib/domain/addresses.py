"""Addresses that an owner may register for a page: links, origins of sites. Each says in a sentence what is wrong."""

import re
from urllib.parse import SplitResult, urlsplit

LONGEST_URL = 2000
_URL = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+", re.ASCII)
"""Source: RFC 3986. Everything else has to be percent-encoded, a host in Punycode."""
_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*", re.ASCII
)
_MAIL = re.compile(
    r"mailto:[A-Za-z0-9.!#$&'*+/=?^_`{|}~-]{1,64}@(?P<host>[A-Za-z0-9.-]+)(?:\?(?P<fields>.*))?", re.ASCII
)
_FIELD = re.compile(r"(?:subject|body)=[^&]*", re.IGNORECASE)
_TEL = re.compile(r"tel:\+?[0-9][0-9().-]{1,30}(?:;ext=[0-9]{1,10})?", re.ASCII)
_NEAR = frozenset({"localhost", "127.0.0.1"})
_HTTPS = 443


def link(url: str) -> str:
    """The address of a link as it was given: https:, mailto: or tel:. Raises ValueError."""
    if len(url) > LONGEST_URL or not _URL.fullmatch(url):
        raise ValueError(
            f"must have at most {LONGEST_URL} characters, none of them blank, invisible or outside ASCII: write those "
            "percent-encoded, and the host in Punycode"
        )
    scheme = url.partition(":")[0].lower()
    match scheme:
        case "https":
            parts = _split(url)
            if parts.username is not None or parts.password is not None or "@" in parts.netloc:
                raise ValueError("must not hold a user or password")
            _host(parts)
        case "mailto":
            _mail(url)
        case "tel":
            if not _TEL.fullmatch(url):
                raise ValueError("must be a telephone number, such as tel:+34-600-000-000")
        case _:
            raise ValueError("must begin with https:, mailto: or tel:")
    return url


def _mail(url: str) -> None:
    found = _MAIL.fullmatch(url)
    if found is None or not _HOST.fullmatch(found["host"].lower()):
        raise ValueError("must be one mail address, such as mailto:hello@example.com")
    if found["fields"] and not all(_FIELD.fullmatch(each) for each in found["fields"].split("&")):
        raise ValueError("may hold a subject and a body, and nothing else")


def origin(text: str) -> str:
    """An origin as browsers send it: scheme, host, and port if it is not the usual one. Raises ValueError."""
    if not _URL.fullmatch(text):
        raise ValueError("must be an origin, such as https://example.com")
    parts = _split(text)
    host, port = _host(parts)
    if parts.path or parts.query or parts.fragment or text.endswith(("?", "#")) or "@" in parts.netloc:
        raise ValueError("must be an origin without path or user, such as https://example.com")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in _NEAR):
        raise ValueError("must be https; http is for localhost only")
    usual = _HTTPS if parts.scheme == "https" else 80
    return f"{parts.scheme}://{host}" + ("" if port in {None, usual} else f":{port}")


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        raise ValueError("must be an address, such as https://example.com") from None


def _host(parts: SplitResult) -> tuple[str, int | None]:
    try:
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        host, port = "", None
    if not _HOST.fullmatch(host) or parts.netloc.endswith(":"):
        raise ValueError("must name a host, such as https://example.com")
    return host, port
