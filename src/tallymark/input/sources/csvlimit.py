"""Lifts the field size limit of the csv module, 131,072 characters for the whole process."""

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
    """Allows fields of any length. The limit is restored when the last reader is done."""
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
