"""Device login when two things happen at once, or somebody is gone by then."""

from dataclasses import replace

import pytest

from chalicelib.access.device import PollDeviceLogin, StartDeviceLogin, Started
from chalicelib.access.limits import Limit
from chalicelib.access.ports import DeviceLogin, DeviceStatus
from chalicelib.access.tokens import Issued, IssueToken
from chalicelib.domain.errors import AccessDenied, AuthorizationPending, ConcurrentChange, ExpiredToken, NotFound
from tests.fakes.keys import MemoryKeys
from tests.fakes.machine import CountingIds, CountingSecrets, StillClock

pytestmark = pytest.mark.promise("A1")


class Racing(MemoryKeys):
    """A store in which somebody else is always faster."""

    fault: Exception | None = None

    def change_login(self, before: DeviceLogin, after: DeviceLogin) -> DeviceLogin:
        if self.fault:
            raise self.fault
        return super().change_login(before, after)

    def take_login(self, login: DeviceLogin) -> None:
        if self.fault:
            raise self.fault
        super().take_login(login)


@pytest.fixture
def keys() -> Racing:
    return Racing()


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def started(keys: Racing, clock: StillClock) -> Started:
    start = StartDeviceLogin(keys, Limit(keys, clock), CountingSecrets(), clock)
    return start("xmemo-skill", frozenset({"memory:read"}), "192.0.2.1")


def polled(keys: Racing, clock: StillClock, started: Started) -> Issued:
    return PollDeviceLogin(keys, keys, IssueToken(keys, CountingSecrets(), CountingIds(), clock), clock)(
        started.device_code
    )


def decide(keys: Racing, started: Started, **changes: object) -> None:
    login = keys.logins[started.login.device_hash]
    keys.logins[login.device_hash] = replace(login, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("fault", [NotFound(), ConcurrentChange(expected=1, actual=2)])
def test_a_device_that_asks_while_somebody_decides_waits_on(
    keys: Racing, clock: StillClock, started: Started, fault: Exception
) -> None:
    keys.fault = fault
    with pytest.raises(AuthorizationPending):
        polled(keys, clock, started)


@pytest.mark.parametrize("fault", [NotFound(), ConcurrentChange(expected=1, actual=2)])
def test_a_login_is_used_up_once(keys: Racing, clock: StillClock, started: Started, fault: Exception) -> None:
    decide(keys, started, status=DeviceStatus.APPROVED, user_id="user_ana")
    keys.fault = fault
    with pytest.raises(ExpiredToken):
        polled(keys, clock, started)


def test_who_came_by_an_identity_provider_lets_a_device_in_and_not_after_they_have_left(
    keys: Racing, clock: StillClock, started: Started
) -> None:
    decide(keys, started, status=DeviceStatus.APPROVED, user_id="user_gone")
    with pytest.raises(AccessDenied):
        polled(keys, clock, started)
