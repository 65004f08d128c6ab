"""What every store of device logins and limits does."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.access.ports import DeviceLogin, DeviceStatus
from chalicelib.domain.errors import ConcurrentChange, NotFound, StoreBusy
from tests.fakes.machine import START
from tests.stores import Stores

pytestmark = pytest.mark.promise("A1")

LOGIN = DeviceLogin(
    "0" * 64, "BCDFGHJK", "xmemo-skill", frozenset({"memory:read"}), START, START + timedelta(minutes=10)
)


def test_a_login_is_found_by_both_of_its_codes(stores: Stores) -> None:
    stores.devices.add_login(LOGIN)
    assert stores.devices.login(LOGIN.device_hash) == LOGIN
    assert stores.devices.login_of(LOGIN.user_code) == LOGIN
    assert stores.devices.login("1" * 64) is None
    assert stores.devices.login_of("") is None
    assert stores.devices.login_of("CCCCCCCC") is None


def test_a_code_in_use_is_not_given_twice(stores: Stores) -> None:
    stores.devices.add_login(LOGIN)
    with pytest.raises(StoreBusy):
        stores.devices.add_login(replace(LOGIN, device_hash="1" * 64))


def test_of_two_changes_one_wins_and_a_login_is_taken_once(stores: Stores) -> None:
    stores.devices.add_login(LOGIN)
    after = replace(
        LOGIN,
        version=2,
        status=DeviceStatus.APPROVED,
        polled_at=START,
        interval_s=10,
        page_hash="2" * 64,
        user_id="user_1",
        token_id="tok_1",
    )
    assert stores.devices.change_login(LOGIN, after) == after
    assert stores.devices.login_of(LOGIN.user_code) == after
    with pytest.raises(ConcurrentChange):
        stores.devices.change_login(LOGIN, after)
    with pytest.raises(ConcurrentChange):
        stores.devices.take_login(LOGIN)
    stores.devices.take_login(after)
    assert stores.devices.login(LOGIN.device_hash) is None
    assert stores.devices.login_of(LOGIN.user_code) is None
    with pytest.raises(NotFound):
        stores.devices.take_login(after)
    with pytest.raises(NotFound):
        stores.devices.change_login(after, after)


def test_hits_are_counted_by_name(stores: Stores) -> None:
    assert [stores.limits.hit("a", START) for _ in range(3)] == [1, 2, 3]
    assert stores.limits.hit("b", START) == 1
