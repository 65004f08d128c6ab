"""What every store of the defences does; exact, however many ask at once."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chalicelib.answers.defence_ports import Allowance, Purpose, Rate, Usage
from tests.contract.conftest import Gates
from tests.fakes.machine import START

pytestmark = pytest.mark.promise("N9")

TODAY = date(2026, 11, 30)
TOMORROW = TODAY + timedelta(days=1)
CLIENTS = 64
PLENTY = Allowance(1000, 1000)


def at_once[R](call: Callable[[int], R], times: int = CLIENTS) -> list[R]:
    """What so many callers get that start together."""
    barrier = threading.Barrier(times)

    def one(number: int) -> R:
        barrier.wait()
        return call(number)

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(one, range(times)))


def test_a_bucket_gives_its_burst_and_then_a_token_each_interval(gates: Gates) -> None:
    rate = Rate(6.0, 5)
    take = gates.buckets.take
    assert [take("a", rate, START) for _ in range(5)] == [0.0] * 5
    assert take("a", rate, START) == pytest.approx(6.0)
    assert take("a", rate, START + timedelta(seconds=2)) == pytest.approx(4.0)
    assert take("b", rate, START) == 0.0
    assert take("a", rate, START + timedelta(seconds=6)) == 0.0
    assert take("a", rate, START + timedelta(seconds=6)) == pytest.approx(6.0)
    later = START + timedelta(hours=1)
    assert [take("a", rate, later) for _ in range(6)][:5] == [0.0] * 5


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(
    st.lists(st.floats(0, 30), min_size=1, max_size=25),
    st.integers(1, 5),
    st.sampled_from([0.5, 1.0, 6.0, 7.3]),
    st.uuids(),
)
def test_no_stretch_of_time_gets_more_than_burst_and_refill(
    gates: Gates, gaps: list[float], burst: int, interval: float, name: object
) -> None:
    now, admitted = START, []
    for gap in gaps:
        now += timedelta(milliseconds=round(gap * 1000))
        if gates.buckets.take(f"{name}", Rate(interval, burst), now) == 0:
            admitted.append(now)
    for first, begun in enumerate(admitted):
        for last in range(first, len(admitted)):
            passed = (admitted[last] - begun).total_seconds()
            assert last - first + 1 <= burst + passed / interval + 1e-6


@pytest.mark.parametrize("burst", [1, 5, 20])
def test_of_64_at_once_exactly_the_burst_passes(gates: Gates, burst: int) -> None:
    waits = at_once(lambda _: gates.buckets.take("a", Rate(6.0, burst), START))
    assert waits.count(0.0) == burst
    assert all(0 < each <= 6.0 for each in waits if each)


def test_a_key_is_the_same_for_all_who_ask_at_once_and_another_every_day(gates: Gates) -> None:
    keys = set(at_once(lambda _: gates.keys.key(Purpose.ADDRESS, TODAY)))
    assert len(keys) == 1
    (key,) = keys
    assert len(key) == 32
    assert gates.keys.known(Purpose.ADDRESS, TODAY) == key
    assert gates.keys.known(Purpose.SESSION, TODAY) is None
    others = [gates.keys.key(Purpose.SESSION, TODAY), gates.keys.key(Purpose.ADDRESS, TOMORROW)]
    assert len({key, *others}) == 3


def test_a_forgotten_key_does_not_come_back(gates: Gates) -> None:
    key = gates.keys.key(Purpose.ADDRESS, TODAY)
    gates.keys.forget(Purpose.ADDRESS, TODAY)
    gates.keys.forget(Purpose.ADDRESS, TODAY)
    assert gates.keys.known(Purpose.ADDRESS, TODAY) is None
    gates.keys.key(Purpose.SESSION, TODAY)
    assert gates.keys.key(Purpose.ADDRESS, TODAY) != key


def test_of_64_who_use_the_same_once_one_does(gates: Gates) -> None:
    assert at_once(lambda _: gates.replays.first("a", START)).count(True) == 1
    assert gates.replays.first("b", START)


def test_of_64_turns_at_once_exactly_the_allowance_passes(gates: Gates) -> None:
    taken = at_once(lambda _: gates.fuses.take(TODAY, Allowance(10, 1000)))
    assert taken.count(True) == 10
    assert gates.fuses.fuse(TODAY).used == Usage(10, 0)


def test_of_64_turns_at_once_at_midnight_none_is_lost_and_the_day_is_recorded(gates: Gates) -> None:
    for _ in range(3):
        gates.fuses.take(TODAY, PLENTY)
    taken = at_once(lambda number: gates.fuses.take(TOMORROW, PLENTY) if number % 2 else gates.fuses.reset(TOMORROW))
    assert taken.count(True) == CLIENTS // 2
    assert [each for each in taken if isinstance(each, tuple)] in ([(TODAY, Usage(3, 0))], [])
    assert gates.fuses.fuse(TOMORROW).used == Usage(CLIENTS // 2, 0)
    assert gates.fuses.recorded(TODAY) == Usage(3, 0)


def test_tokens_are_counted_exactly_and_blow_the_fuse(gates: Gates) -> None:
    assert gates.fuses.take(TODAY, Allowance(100, 640))
    at_once(lambda _: gates.fuses.add(TODAY, 10))
    assert gates.fuses.fuse(TODAY).used == Usage(1, 640)
    assert not gates.fuses.take(TODAY, Allowance(100, 640))
    assert gates.fuses.take(TODAY, Allowance(100, 641))


def test_the_new_day_begins_by_itself(gates: Gates) -> None:
    one = Allowance(1, 100)
    assert gates.fuses.take(TODAY, one)
    assert not gates.fuses.take(TODAY, one)
    assert gates.fuses.fuse(TOMORROW).used == Usage()
    assert gates.fuses.take(TOMORROW, one)
    assert gates.fuses.recorded(TODAY) == Usage(1, 0)
    assert not gates.fuses.take(TODAY, one), "a clock that is behind counts on the day that has begun"


def test_a_reset_records_the_day_once(gates: Gates) -> None:
    assert gates.fuses.reset(TODAY) is None
    gates.fuses.take(TODAY, PLENTY)
    gates.fuses.add(TODAY, 7)
    assert gates.fuses.reset(TOMORROW) == (TODAY, Usage(1, 7))
    assert gates.fuses.reset(TOMORROW) is None
    assert gates.fuses.recorded(TODAY) == Usage(1, 7)
    assert gates.fuses.recorded(TOMORROW) is None


def test_an_operator_blows_the_fuse_and_mends_it(gates: Gates) -> None:
    few = Allowance(2, 100)
    assert gates.fuses.take(TODAY, few)
    gates.fuses.blow(TODAY)
    assert not gates.fuses.take(TODAY, few)
    assert gates.fuses.fuse(TODAY).blown
    assert gates.fuses.fuse(TOMORROW).blown
    assert not gates.fuses.take(TOMORROW, few), "a reset does not mend what an operator blew"
    gates.fuses.mend(TOMORROW)
    assert [gates.fuses.take(TOMORROW, few) for _ in range(3)] == [True, True, False]
    gates.fuses.mend(TOMORROW)
    assert gates.fuses.take(TOMORROW, few), "mended, it has a whole allowance again"
    fuse = gates.fuses.fuse(TOMORROW)
    assert (fuse.used, fuse.counted, fuse.blown) == (Usage(3, 0), Usage(1, 0), False)


def test_what_a_page_used_is_counted_by_day(gates: Gates) -> None:
    at_once(lambda _: gates.fuses.count_page("page_1", TODAY, Usage(1, 5)))
    assert gates.fuses.page_days("page_1", [TODAY])[TODAY] == Usage(64, 320)
    assert gates.fuses.page_days("page_1", [TOMORROW])[TOMORROW] == Usage()
    gates.fuses.count_page("page_1", TOMORROW, Usage(2, 0))
    both = gates.fuses.page_days("page_1", [TOMORROW, TODAY])
    assert list(both.items()) == [(TOMORROW, Usage(2, 0)), (TODAY, Usage(64, 320))]
    assert gates.fuses.page_days("page_2", [TODAY])[TODAY] == Usage()
