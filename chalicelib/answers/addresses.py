"""Where a visitor comes from: as far as it is to be believed, and never so that it can be told later (rule N8)."""

import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from chalicelib.answers.defence_ports import DayKeys, Purpose

NOWHERE = "unknown"
"""All addresses that are none share one bucket."""
_SITE = 64
"""Bits of an IPv6 address that one subscriber cannot choose. Source: RFC 6177."""


def believed(peer: str, forwarded: str, proxies: int) -> str:
    """The address of whoever asked, with so many proxies of ours before us.

    Each of them adds, at the end of X-Forwarded-For, whom it was asked by; what stands before that is what somebody
    says. A request with fewer entries came another way, and its own address counts.
    """
    entries = [each.strip() for each in forwarded.split(",")] if forwarded.strip() else []
    return entries[-proxies] if 0 < proxies <= len(entries) else peer


def bucket_of(address: str) -> str:
    """Whose bucket an address is in: the address, of IPv6 its /64 network; `unknown` for what is none."""
    text = address.strip()
    host, colon, port = text.rpartition(":")
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif colon and port.isdecimal() and ":" not in host:
        text = host
    try:
        found: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    except ValueError:
        return NOWHERE
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found) >> _SITE << _SITE, _SITE)))


@dataclass(slots=True)
class Pseudonyms:
    """Names for addresses that hold for a day. Without the day's key, which is forgotten, none leads to an address."""

    keys: DayKeys
    _today: tuple[date, bytes] | None = field(default=None, init=False)

    def __call__(self, address: str, now: datetime) -> str:
        """The name of an address's bucket, 128 bits in hexadecimal."""
        day = now.astimezone(UTC).date()
        if self._today is None or self._today[0] != day:
            self._today = (day, self.keys.key(Purpose.ADDRESS, day))
        return hmac.new(self._today[1], bucket_of(address).encode(), hashlib.sha256).hexdigest()[:32]
