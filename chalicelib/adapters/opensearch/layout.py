"""What an index looks like on the server: its fields, how they are scored, how soon they are searchable.

An index is made from here and from nowhere else; no template on the server can change it, and none has to be allowed.
The alias is what is read and written. A new layout is a new index beside the old one, then the alias moves.
"""

from dataclasses import dataclass
from typing import Any, Literal

from chalicelib.adapters.opensearch.documents import COUNTED, UNIT

SCHEMA = 1
"""Of this layout *and* of how text becomes terms: change it with either, then the index is to be made anew."""
_K1 = 1.2
_B = 0.75
_GRAVES = "15m"
"""How long the server remembers the version of a deleted passage, so that a writer who was overtaken cannot bring an
older one back. Longer than a function lives."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """What the vectors of an index are; those of another model mean nothing beside them."""

    model: str
    dimension: int
    engine: Literal["lucene", "faiss"] = "lucene"


@dataclass(frozen=True, slots=True)
class Layout:
    """What an operator can choose of an index."""

    alias: str = "acervo"
    shards: int = 1
    vectors: Vectors | None = None
    refresh_ms: int = 250
    """How soon written passages are searchable, at most."""

    @property
    def first_index(self) -> str:
        """The index that is made where there is none."""
        return f"{self.alias}-v{SCHEMA}-000001"

    @property
    def mark(self) -> dict[str, object]:
        """What an index remembers of how it was made."""
        model = None if self.vectors is None else {"model": self.vectors.model, "dimension": self.vectors.dimension}
        return {"schema": SCHEMA, "vectors": model}

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
            **({} if self.vectors is None else {"knn": True}),
            "similarity": {
                "words": {"type": "BM25", "k1": _K1 * UNIT, "b": _B},
                "order": {"type": "BM25", "k1": _K1, "b": _B},
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
            # Of an item's card, which has none of the fields by which passages are found (`ledger.py`).
            "held": {"type": "integer", "index": False},
            "vectored": {"type": "boolean", "index": False},
            "settled": {"type": "boolean"},
        }
        if self.vectors is not None:
            fields["vector"] = _vector(self.vectors)
        # Terms and vectors are made from the text again when an index is made anew; kept here, they would double it.
        return {"properties": fields, "_source": {"excludes": ["terms", "sequences", "about", "vector"]}}


def _vector(vectors: Vectors) -> dict[str, Any]:
    method = {"name": "hnsw", "space_type": "cosinesimil", "engine": vectors.engine}
    return {"type": "knn_vector", "dimension": vectors.dimension, "method": method}
