"""What an index looks like on the server: its fields, how they are scored, how soon they are searchable.

An index is made from here and from nowhere else; no template on the server can change it, and none has to be allowed.
The alias is what is read and written. A new layout is a new index beside the old one, then the alias moves.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from chalicelib.adapters.opensearch.documents import COUNTED, UNIT
from chalicelib.search.ports import EmbeddingModel

SCHEMA = 2
"""Of this layout *and* of how text becomes terms: change it with either, then the index is to be made anew."""
K1 = 1.2
_B = 0.75
_GRAVES = "15m"
"""How long the server remembers the version of a deleted passage, so that a writer who was overtaken cannot bring an
older one back. Longer than a function lives."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What an operator can choose of an index."""

    alias: str = "acervo"
    shards: int = 1
    model: EmbeddingModel | None = None
    """Whose vectors it holds; None for an index without."""
    neighbours: Literal["lucene", "faiss"] = "lucene"
    """What keeps the graph of the vectors."""
    refresh_ms: int = 250
    """How soon written passages are searchable, at most."""

    @property
    def first_index(self) -> str:
        """The index that is made where there is none."""
        return self.index(1)

    def index(self, number: int) -> str:
        """The index of this number among those that have been behind the alias."""
        return f"{self.alias}-v{SCHEMA}-{number:06}"

    @property
    def vector_field(self) -> str:
        """The field of the vectors, named after their model: in an index for another model the server finds none.

        So nobody compares vectors of two models, not even a process that has missed that an index was made anew.
        """
        model = None if self.model is None else asdict(self.model)
        return f"vector_{hashlib.sha256(json.dumps(model).encode()).hexdigest()[:12]}"

    @property
    def mark(self) -> dict[str, object]:
        """What an index remembers of how it was made."""
        return {"schema": SCHEMA, "model": None if self.model is None else asdict(self.model)}

    def body(self, *aliases: str) -> dict[str, Any]:
        """What makes such an index, under these aliases from the start."""
        return {
            "aliases": {each: {"is_write_index": True} for each in aliases},
            "settings": {"index": self._settings()},
            "mappings": {"dynamic": "strict", "_meta": {"acervo": self.mark}, **self._fields()},
        }

    def _settings(self) -> dict[str, Any]:
        return {
            "number_of_shards": self.shards,
            "auto_expand_replicas": "0-1",
            "refresh_interval": f"{self.refresh_ms}ms",
            "gc_deletes": _GRAVES,
            # What is erased is to leave the files at the next sweep, however little of a segment it is (rule K16).
            "merge.policy.expunge_deletes_allowed": 0,
            **({} if self.model is None else {"knn": True}),
            "similarity": {
                "words": {"type": "BM25", "k1": K1 * UNIT, "b": _B},
                "order": {"type": "BM25", "k1": K1, "b": _B},
            },
            "analysis": {
                "tokenizer": {"blanks": {"type": "whitespace", "max_token_length": 1024}},
                "filter": {"counts": {"type": "delimited_term_freq", "delimiter": COUNTED}},
                "analyzer": {
                    "counted": {"type": "custom", "tokenizer": "blanks", "filter": ["counts"]},
                    "terms": {"type": "custom", "tokenizer": "blanks"},
                },
            },
        }

    def _fields(self) -> dict[str, Any]:
        sequence = {"type": "text", "analyzer": "terms", "similarity": "order"}
        fields: dict[str, Any] = {
            **{name: {"type": "keyword"} for name in ("item_id", "base_id", "space_id", "revision_id")},
            "version": {"type": "long"},
            "position": {"type": "integer"},
            "heading_path": {"type": "keyword", "index": False, "doc_values": False},
            "content": {"type": "text", "index": False},
            "terms": {
                "type": "text",
                "analyzer": "counted",
                "search_analyzer": "terms",
                "similarity": "words",
                "index_options": "freqs",
            },
            "sequences": sequence,
            "about": sequence,
            "digest": {"type": "keyword", "index": False, "doc_values": False},
            "kept_vector": {"type": "binary"},
            # Of an item's card, which has none of the fields by which passages are found (`ledger.py`).
            "held": {"type": "integer", "index": False},
            "embedded": {"type": "integer", "index": False},
            "settled": {"type": "boolean"},
        }
        if self.model is not None:
            fields[self.vector_field] = self._vector(self.model)
        # Terms are made from the text again when an index is made anew; kept here, they would double it. Vectors are
        # kept in short.
        return {"properties": fields, "_source": {"excludes": ["terms", "sequences", "about", self.vector_field]}}

    def _vector(self, model: EmbeddingModel) -> dict[str, Any]:
        method = {"name": "hnsw", "space_type": "cosinesimil", "engine": self.neighbours}
        return {"type": "knn_vector", "dimension": model.dimension, "method": method}
