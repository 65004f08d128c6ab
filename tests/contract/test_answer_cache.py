"""What every cache of answers does."""

from datetime import timedelta

import pytest
from botocore.exceptions import EndpointConnectionError

from chalicelib.adapters.dynamodb.answers import DynamoAnswers
from chalicelib.adapters.dynamodb.tables import Tables
from chalicelib.answers.ports import AnswerCache, KeptAnswer, KeptSection
from tests.fakes.answers import MemoryCache
from tests.fakes.machine import START, StillClock

pytestmark = pytest.mark.promise("N9")

ANSWER = KeptAnswer(
    "es",
    "Cuesta 80 €.",
    (
        KeptSection("text", {"paragraphs": ["Cuesta 80 €."], "title": "Precio"}, ("knowledge:item_1@rev_1",)),
        KeptSection("price_list", {"items": [{"name": "x", "price": "80 €"}]}, ()),
    ),
    "k1",
)


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture(params=["dynamodb", "memory"])
def cache(request: pytest.FixtureRequest, clock: StillClock) -> AnswerCache:
    if request.param == "memory":
        return MemoryCache(clock)
    return DynamoAnswers(request.getfixturevalue("tables"), clock)


def test_an_answer_comes_back_as_it_was_until_it_expires(cache: AnswerCache, clock: StillClock) -> None:
    assert cache.get("a" * 64) is None
    cache.put("a" * 64, ANSWER, START + timedelta(hours=1))
    assert cache.get("a" * 64) == ANSWER
    assert cache.get("b" * 64) is None
    cache.put("a" * 64, KeptAnswer("en", "x", (), "k1"), START + timedelta(hours=1))
    kept = cache.get("a" * 64)
    assert kept is not None
    assert kept.language == "en"
    clock.pass_(hours=1)
    assert cache.get("a" * 64) is None, "DynamoDB deletes late, so the clock decides"


def test_what_is_too_large_is_not_kept(tables: Tables, clock: StillClock) -> None:
    cache = DynamoAnswers(tables, clock)
    cache.put("a" * 64, KeptAnswer("en", "x", (KeptSection("text", {"paragraphs": ["x" * 400_000]}, ()),), "k1"), START)
    assert cache.get("a" * 64) is None


def test_a_table_that_does_not_answer_is_a_cache_without_the_answer(clock: StillClock) -> None:
    class Broken:
        def get_item(self, **_: object) -> None:
            raise EndpointConnectionError(endpoint_url="x")

        put_item = get_item

    cache = DynamoAnswers(Tables(Broken(), "r", "v", "e"), clock)  # type: ignore[arg-type]
    cache.put("a" * 64, ANSWER, START)
    assert cache.get("a" * 64) is None
