"""Lifts the limit of the csv module, which in the whole process refuses fields of more than 131,072
characters."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from .blocks import LONGEST_RECORD

_lock = Lock()
_state = {"readers": 0, "before": 0}


@contextmanager
def lifted() -> Iterator[None]:
    """Fields may be as long as records. The limit is as before when the last reader is done."""
    with _lock:
        before = csv.field_size_limit()
        if not _state["readers"]:
            _state["before"] = before
        csv.field_size_limit(max(before, 2 * LONGEST_RECORD))
        _state["readers"] += 1
    try:
        yield
    finally:
        with _lock:
            _state["readers"] -= 1
            if not _state["readers"]:
                csv.field_size_limit(_state["before"])
