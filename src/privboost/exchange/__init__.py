"""Models as files that can be read, checked and kept: strict JSON, never pickle."""

from privboost.exchange.archive import ModelRecord, dumps, loads, read_model, write_model
from privboost.exchange.text import tree_text

__all__ = ["ModelRecord", "dumps", "loads", "read_model", "tree_text", "write_model"]
