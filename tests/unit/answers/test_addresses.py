"""Whose address is believed, whose bucket it is, and that nobody can tell later (rules N8, N9)."""

from datetime import timedelta
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.answers.addresses import NOWHERE, Pseudonyms, believed, bucket_of
from tests.fakes.machine import START
from tests.fakes.pages import MemoryDefences

pytestmark = [pytest.mark.promise("N8"), pytest.mark.promise("N9")]


@pytest.mark.parametrize(
    ("forwarded", "proxies", "expected"),
    [
        ("", 0, "peer"),
        ("a, b", 0, "peer"),
        ("", 1, "peer"),
        ("a", 1, "a"),
        ("a, b", 1, "b"),
        ("a, b", 2, "a"),
        ("spoofed, a, b", 2, "a"),
        ("a", 2, "peer"),
        (" ,b ", 1, "b"),
        ("b,", 1, ""),
    ],
)
def test_only_what_our_proxies_added_is_believed(forwarded: str, proxies: int, expected: str) -> None:
    assert believed("peer", forwarded, proxies) == expected


@pytest.mark.parametrize(
    ("address", "bucket"),
    [
        ("203.0.113.7", "203.0.113.7"),
        (" 203.0.113.7:4711 ", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", NOWHERE),
        ("unknown", NOWHERE),
        ("_hidden", NOWHERE),
        ("1.2.3", NOWHERE),
        ("01.2.3.4", NOWHERE),
        ("[", NOWHERE),
        ("1.2.3.4:5:6", NOWHERE),
    ],
)
def test_an_address_is_in_the_bucket_of_its_subscriber(address: str, bucket: str) -> None:
    assert bucket_of(address) == bucket


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_addresses_of_one_64_share_a_bucket_and_others_do_not(address: IPv6Address, host: int) -> None:
    if address.ipv4_mapped is not None:
        return
    neighbour = IPv6Address(int(address) >> 64 << 64 | host)
    assert neighbour.ipv4_mapped is not None or bucket_of(str(neighbour)) == bucket_of(str(address))
    stranger = IPv6Address(int(address) ^ 1 << 64)
    assert bucket_of(str(stranger)) != bucket_of(str(address))


@given(st.ip_addresses(v=4), st.ip_addresses(v=4))
def test_each_address_of_version_4_has_its_own(one: IPv4Address, other: IPv4Address) -> None:
    assert (bucket_of(str(one)) == bucket_of(str(other))) == (one == other)


@given(st.text(max_size=60))
def test_any_text_has_a_bucket(text: str) -> None:
    assert bucket_of(text)


def test_a_name_holds_for_a_day_and_tells_nothing() -> None:
    keys = MemoryDefences()
    names = Pseudonyms(keys)
    name = names("203.0.113.7", START)
    assert name == names("203.0.113.7", START + timedelta(hours=11)) == Pseudonyms(keys)("203.0.113.7", START)
    assert len(name) == 32
    assert "203" not in name or "113" not in name
    tomorrow = names("203.0.113.7", START + timedelta(hours=12))
    assert tomorrow != name
    keys.keys.clear()
    assert len({Pseudonyms(keys)("203.0.113.7", START + timedelta(days=each)) for each in range(3)}) == 3
