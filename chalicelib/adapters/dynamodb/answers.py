"""Kept answers in DynamoDB, in the table of what expires."""

import json
from dataclasses import dataclass
from datetime import datetime

from chalicelib.adapters.dynamodb.tables import Key, Row, Tables
from chalicelib.answers.ports import KeptAnswer, KeptSection
from chalicelib.domain.errors import KnownError
from chalicelib.domain.time import Clock

_LARGEST = 300_000
"""Characters of an answer that is kept; a row holds 400 KB."""


@dataclass(frozen=True, slots=True)
class DynamoAnswers:
    """The port `AnswerCache` over the table `ephemeral`."""

    tables: Tables
    clock: Clock

    def get(self, key: str) -> KeptAnswer | None:
        """The answer, or None; also if the table does not answer, or what it holds is none."""
        try:
            row = self.tables.get(self.tables.ephemeral, _key(key))
        except KnownError:
            return None
        # DynamoDB deletes what has expired late.
        if row is None or row["expires_at"] <= self.clock.now().timestamp():
            return None
        return _answer(row)

    def put(self, key: str, answer: KeptAnswer, until: datetime) -> None:
        """Keep an answer until then, if the table takes it."""
        body = json.dumps([[each.component, dict(each.props), each.sources] for each in answer.sections])
        if len(body) > _LARGEST:
            return
        row = {
            **_key(key),
            "knowledge": answer.knowledge,
            "language": answer.language,
            "spoken": answer.spoken,
            "sections": body,
            "expires_at": int(until.timestamp()),
        }
        try:
            self.tables.put(self.tables.ephemeral, row)
        except KnownError:
            return


def _key(key: str) -> Key:
    return {"pk": f"answer#{key}"}


def _answer(row: Row) -> KeptAnswer:
    sections = tuple(KeptSection(name, props, tuple(sources)) for name, props, sources in json.loads(row["sections"]))
    return KeptAnswer(row["language"], row["spoken"], sections, row["knowledge"])
