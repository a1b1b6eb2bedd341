"""Adjustment of p-values for multiple tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...input import validate
from ...input.names import listed
from ...input.options import Adjustment


def adjusted(p_values: Any, method: Adjustment = "holm") -> np.ndarray:
    """The adjusted p-values, in their order; NaN stays NaN, and does not count as a test.

    method: "holm", which controls the familywise error rate under any dependence; "benjamini-hochberg", which
    controls the false discovery rate under independence or positive dependence; "none". Raises InputError for
    another name, and for numbers outside [0, 1].
    Source: Holm (1979); Benjamini and Hochberg (1995).
    """
    how = METHODS[validate.choice(method, METHODS, "adjust")]
    found = np.array(p_values, float)
    if ((found < 0) | (found > 1)).any():
        raise validate.InputError(
            "invalid-value",
            "p_values",
            f"{found[(found < 0) | (found > 1)][0]:g} is not a p-value",
            "give numbers from 0 to 1",
        )
    there = np.flatnonzero(~np.isnan(found))
    order = there[np.argsort(found[there], kind="stable")]
    found[order] = how(found[order])
    return found


@listed(
    "test",
    "tm.compare(..., adjust='holm')",
    aka=("bonferroni_holm", "holm_bonferroni"),
    terms=("multiplicity", "multiple_comparisons"),
    command="tallymark compare --adjust holm",
)
def holm(ascending: np.ndarray) -> np.ndarray:
    """Holm's adjustment: the smallest times their number, the next times one less, kept ascending."""
    factors = np.arange(len(ascending), 0, -1)
    return np.minimum(np.maximum.accumulate(ascending * factors), 1.0) if len(ascending) else ascending


@listed(
    "test",
    "tm.compare(..., adjust='benjamini-hochberg')",
    name="benjamini-hochberg",
    aka=("fdr_adjustment", "fdr_correction"),
    terms=("multiplicity", "multiple_comparisons"),
    command="tallymark compare --adjust benjamini-hochberg",
)
def benjamini_hochberg(ascending: np.ndarray) -> np.ndarray:
    """Benjamini and Hochberg's adjustment, step up: each times their number over its rank, kept ascending."""
    factors = len(ascending) / np.arange(1, len(ascending) + 1)
    return (
        np.minimum(np.minimum.accumulate((ascending * factors)[::-1])[::-1], 1.0)
        if len(ascending)
        else ascending
    )


def none(ascending: np.ndarray) -> np.ndarray:
    """The p-values unchanged."""
    return ascending


METHODS = {"holm": holm, "benjamini-hochberg": benjamini_hochberg, "none": none}
