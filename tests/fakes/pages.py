"""Pages, their defences and conversations, in memory; safe to use from many threads."""

import threading
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, datetime

from chalicelib.answers.defence_ports import Allowance, Fuse, Purpose, Rate, Usage
from chalicelib.answers.ports import Conversation
from chalicelib.domain import writes
from chalicelib.domain.errors import ConcurrentChange, IdempotencyKeyReused, ImageRefused, NotFound, UploadMissing
from chalicelib.domain.files import Form
from chalicelib.domain.pages import Image, Page
from chalicelib.domain.writes import KEPT, Once


class MemoryPages:
    """The port `PageStore`."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.pages_: dict[str, Page] = {}
        self.removed: dict[str, datetime] = {}
        self.once: dict[str, tuple[Once, str]] = {}

    def page(self, page_id: str) -> Page | None:
        return self.pages_.get(page_id)

    def pages(self, space_id: str, after: str | None, limit: int) -> writes.Page[Page]:
        with self._lock:
            found = [each for each in self.pages_.values() if each.space_id == space_id]
        ordered = sorted(found, key=lambda each: each.id, reverse=True)
        rest = [each for each in ordered if after is None or each.id < after]
        return writes.Page(tuple(rest[:limit]), rest[limit - 1].id if len(rest) > limit else None)

    def add_page(self, page: Page, once: Once | None) -> Page:
        with self._lock:
            if once and (seen := self.replayed_page(once)):
                return seen
            return self._put(page, once)

    def change_page(self, before: Page, after: Page, once: Once | None) -> Page:
        with self._lock:
            if once and (seen := self.replayed_page(once)):
                return seen
            self._expect(before)
            return self._put(after, once)

    def remove_page(self, page: Page, now: datetime) -> None:
        with self._lock:
            self._expect(page)
            del self.pages_[page.id]
            self.removed[page.id] = now

    def replayed_page(self, once: Once) -> Page | None:
        if once.key not in self.once:
            return None
        first, page_id = self.once[once.key]
        if first.expires_at <= once.expires_at - KEPT:
            return None
        if first.fingerprint != once.fingerprint:
            raise IdempotencyKeyReused
        if page_id not in self.pages_:
            raise NotFound
        return self.pages_[page_id]

    def removed_pages(self) -> tuple[tuple[str, datetime], ...]:
        return tuple(sorted(self.removed.items()))

    def settle_page(self, page_id: str) -> None:
        self.removed.pop(page_id, None)

    def _put(self, page: Page, once: Once | None) -> Page:
        self.pages_[page.id] = page
        if once:
            self.once[once.key] = (once, page.id)
        return page

    def _expect(self, before: Page) -> None:
        actual = self.pages_.get(before.id)
        if actual is None:
            raise NotFound
        if actual.version != before.version:
            raise ConcurrentChange(expected=before.version, actual=actual.version)


class MemoryDefences:
    """The ports `Buckets`, `DayKeys` and `Replays`."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.tokens: dict[str, tuple[float, datetime]] = {}
        """Of each bucket: how many it held at that moment."""
        self.keys: dict[tuple[Purpose, date], bytes] = {}
        self.made = 0
        self.used: dict[str, datetime] = {}

    def take(self, name: str, rate: Rate, now: datetime) -> float:
        with self._lock:
            held, at = self.tokens.get(name, (float(rate.burst), now))
            held = min(float(rate.burst), held + (now - at).total_seconds() / rate.interval_s)
            if held < 1 - 1e-9:
                self.tokens[name] = (held, now)
                return (1 - held) * rate.interval_s
            self.tokens[name] = (held - 1, now)
            return 0.0

    def key(self, purpose: Purpose, day: date) -> bytes:
        with self._lock:
            if (purpose, day) not in self.keys:
                self.made += 1
                self.keys[purpose, day] = f"{self.made:032d}".encode()
            return self.keys[purpose, day]

    def known(self, purpose: Purpose, day: date) -> bytes | None:
        return self.keys.get((purpose, day))

    def forget(self, purpose: Purpose, day: date) -> None:
        self.keys.pop((purpose, day), None)

    def first(self, name: str, until: datetime) -> bool:
        with self._lock:
            fresh = name not in self.used
            self.used.setdefault(name, until)
            return fresh


class MemoryFuses:
    """The port `FuseStore`."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.state: Fuse | None = None
        self.past: dict[date, Usage] = {}
        self.of_pages: dict[tuple[str, date], Usage] = {}

    def take(self, today: date, allowance: Allowance) -> bool:
        with self._lock:
            fuse = self._begun(today)
            holds = fuse.counted.turns < allowance.turns and fuse.counted.tokens < allowance.tokens
            if fuse.blown or not holds:
                return False
            self._count(fuse, Usage(turns=1))
            return True

    def add(self, today: date, tokens: int) -> None:
        with self._lock:
            self._count(self._begun(today), Usage(tokens=tokens))

    def fuse(self, today: date) -> Fuse:
        if self.state is None or self.state.day < today:
            return Fuse(today, Usage(), Usage(), blown=bool(self.state and self.state.blown))
        return self.state

    def blow(self, today: date) -> None:
        with self._lock:
            self.state = replace(self._begun(today), blown=True)

    def mend(self, today: date) -> None:
        with self._lock:
            self.state = replace(self._begun(today), blown=False, counted=Usage())

    def reset(self, today: date) -> tuple[date, Usage] | None:
        with self._lock:
            before = self.state
            if before is not None and before.day >= today:
                return None
            self.state = Fuse(today, Usage(), Usage(), blown=bool(before and before.blown))
            if before is None:
                return None
            self.past[before.day] = before.used
            return before.day, before.used

    def recorded(self, day: date) -> Usage | None:
        return self.past.get(day)

    def count_page(self, page_id: str, day: date, usage: Usage) -> None:
        with self._lock:
            self.of_pages[page_id, day] = _sum(self.of_pages.get((page_id, day), Usage()), usage)

    def page_days(self, page_id: str, days: Collection[date]) -> Mapping[date, Usage]:
        return {day: self.of_pages.get((page_id, day), Usage()) for day in days}

    def _begun(self, today: date) -> Fuse:
        self.reset(today)
        assert self.state is not None
        return self.state

    def _count(self, fuse: Fuse, usage: Usage) -> None:
        self.state = replace(fuse, used=_sum(fuse.used, usage), counted=_sum(fuse.counted, usage))


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(one.turns + other.turns, one.tokens + other.tokens)


class MemoryConversations:
    """The port `ConversationStore`."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.conversations: dict[str, Conversation] = {}

    def conversation(self, conversation_id: str) -> Conversation | None:
        return self.conversations.get(conversation_id)

    def hold(self, conversation: Conversation, until: datetime) -> Conversation:
        with self._lock:
            stored = self._expected(conversation)
            self.conversations[stored.id] = replace(stored, version=stored.version + 1, held_until=until)
        return replace(conversation, version=conversation.version + 1, held_until=until)

    def release(self, conversation: Conversation) -> None:
        with self._lock:
            stored = self._expected(conversation)
            self.conversations[stored.id] = replace(stored, version=stored.version + 1, held_until=None)

    def keep(self, before: Conversation, after: Conversation) -> Conversation:
        with self._lock:
            if before.version:
                self._expected(before)
            elif before.id in self.conversations:
                raise ConcurrentChange(expected=0, actual=self.conversations[before.id].version)
            kept = replace(after, version=before.version + 1, held_until=None)
            self.conversations[after.id] = kept
            return kept

    def _expected(self, before: Conversation) -> Conversation:
        stored = self.conversations.get(before.id)
        if stored is None:
            raise NotFound
        if stored.version != before.version:
            raise ConcurrentChange(expected=before.version, actual=stored.version)
        return stored


class MemoryPictures:
    """The ports `Pictures` and `ImageAddresses`."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[str, bytes]] = {}

    def form(self, key: str, media_type: str, size: int, expires_at: datetime) -> Form:
        return Form("https://bucket.test/", {"key": key, "Content-Type": media_type, "size": str(size)}, expires_at)

    def fetch(self, key: str, most: int) -> bytes:
        if key not in self.files:
            raise UploadMissing
        content = self.files[key][1]
        if len(content) > most:
            raise ImageRefused(reason=f"it has {len(content)} bytes, and at most {most} are taken")
        return content

    def put(self, key: str, media_type: str, content: bytes) -> None:
        self.files[key] = (media_type, content)

    def erase(self, prefix: str) -> None:
        for key in [each for each in self.files if each.startswith(prefix)]:
            self.files.pop(key, None)

    def url(self, image: Image) -> str:
        return f"https://bucket.test/{image.key}?signed"


class MemoryMaps:
    """The port `MapStore`."""

    def __init__(self) -> None:
        self.maps: dict[str, bytes] = {}

    def map(self, base_id: str) -> bytes:
        if base_id not in self.maps:
            raise NotFound
        return self.maps[base_id]

    def put_map(self, base_id: str, content: bytes) -> None:
        self.maps[base_id] = content
