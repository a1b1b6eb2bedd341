"""The sums of an `Accumulator` as a .tally file."""

from __future__ import annotations

from ...evaluation.accumulator import Accumulator
from ...input.sources import tally

check_installed = tally.needs_pyarrow


def as_bytes(accumulator: Accumulator) -> bytes:
    """The content of the file."""
    return accumulator._case_sums.to_bytes()
