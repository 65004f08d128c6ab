"""What the workers do with what they are woken by."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from chalicelib.domain.errors import ConcurrentChange, KnownError, NotFound
from chalicelib.domain.ids import Kind, is_id
from chalicelib.domain.purges import PurgeStatus
from chalicelib.domain.watching import Journal
from chalicelib.wiring import Services
from chalicelib.workers.stream import Failures, changed, each

WIND_DOWN_MS = 20_000
"""Time that is left for ending in order."""

SLICE_S = 20.0
"""Time for one purge before the next one has its turn; what is unfinished wakes the worker again by itself."""


def index(event: Mapping[str, Any], services: Services, journal: Journal) -> Failures:
    """Keep the search indexes in step with the items and memory records that changed, in their order.

    Changes that make topic maps old are handed on: a map takes its time, and its failure is no reason not to index.
    """
    for key, _ in changed(event, "changes", "page"):
        _hand_on(key, services, journal)

    def follow(key: str) -> None:
        if is_id(key, Kind.MEMORY):
            services.notebook.index(key)
        else:
            services.index_item(key)

    return each(changed(event, "item", "memory"), follow, "index", journal)


def embed(
    event: Mapping[str, Any], milliseconds_left: Callable[[], int], services: Services, journal: Journal
) -> Failures:
    """Give the items of a queue's messages the vectors that they lack, and bases and pages their topic maps."""
    messages = [(record["body"], record["messageId"]) for record in event["Records"]]

    def going() -> bool:
        return milliseconds_left() > WIND_DOWN_MS

    def run(key: str) -> None:
        if is_id(key, Kind.ITEM):
            outcome = services.embed_item(key, going)
            services.meter.count("items_embedded", 1, outcome=outcome)
        else:
            services.meter.count("maps_compiled", services.compile_maps(key, going))

    return each(messages, run, "embed", journal)


def purge(
    event: Mapping[str, Any], milliseconds_left: Callable[[], int], services: Services, journal: Journal
) -> Failures:
    """Go on with the deletions for good that were asked for, or have come a step further."""

    def run(key: str) -> None:
        until = time.monotonic() + SLICE_S

        def going() -> bool:
            return milliseconds_left() > WIND_DOWN_MS and time.monotonic() < until

        # Another worker is on it, or it is gone: either way there is nothing to do.
        with suppress(ConcurrentChange, NotFound):
            if is_id(key, Kind.CLOSURE):
                services.run_closure(key, going)
                return
            done = services.run_purge(key, going)
            if done.item_id is not None and done.status is not PurgeStatus.RUNNING:
                _hand_on(done.base_id, services, journal)  # its topic map went too

    return each(changed(event, "purge", "closure"), run, "purge", journal)


def _hand_on(key: str, services: Services, journal: Journal) -> None:
    """Have the topic maps that a change of this base or page made old compiled soon.

    Never raises: until then, or without it, whoever reads a map compiles it.
    """
    with journal.entry("compile_later", key) as outcome:
        try:
            services.later(key)
        except KnownError as fault:
            outcome.failed(fault.code, fault)


def export(event: Mapping[str, Any], services: Services, journal: Journal) -> Failures:
    """Pack the exports that were asked for."""

    def run(export_id: str) -> None:
        with suppress(NotFound):  # the account went meanwhile
            services.run_export(export_id)

    return each(changed(event, "export"), run, "export", journal)


def reconcile(milliseconds_left: Callable[[], int], services: Services) -> dict[str, int]:
    """Compare the search index with the table, and mend it. Returns what was found."""
    drift = services.reconcile(lambda: milliseconds_left() > WIND_DOWN_MS)
    for kind, many in drift.counts.items():
        services.meter.count("index_drift", many, kind=kind)
    return {**drift.counts, "compared": drift.compared, "finished": int(drift.finished)}


def sweep(services: Services) -> dict[str, int]:
    """Wake deletions and documents that got stuck, and deletions that are due for their second pass; tidy up."""
    done = {
        "purges_woken": len(services.sweep_purges()),
        "closures_woken": len(services.sweep_closures()),
        "objects_removed": services.sweep_objects(),
        "documents_woken": services.sweep_documents(),
        "pages_settled": services.authoring.sweep(),
    }
    for name, many in done.items():
        services.meter.count(name, many)
    return done


def reset(services: Services) -> dict[str, int]:
    """Begin a new day of public pages. Returns what the day before used; nothing if it had begun already."""
    recorded = services.reset_day()
    return {} if recorded is None else {"turns": recorded[1].turns, "tokens": recorded[1].tokens}
