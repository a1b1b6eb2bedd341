"""Tests on answers that are right or wrong, of two or more models on the same cases, which are taken as independent."""

from __future__ import annotations

from math import erfc, log, nan, sqrt
from typing import Any

import numpy as np

from . import validate
from .calibration_tests import Test
from .validate import InputError

FEW_DISCORDANT = 10  # below which the chi-square distribution is a rough guide
FEW_FOR_Q = 24  # cases that are not all alike, times models: Cochran's Q is near chi-square from there on (Tate and Brown, 1970)


def mcnemar(first_only: float, second_only: float, method: str = "mid-p") -> Test:
    """McNemar's test: whether two models are right equally often, from the cases that one alone gets right.

    first_only, second_only: the numbers b and c of cases that only the first, or only the second, has right; the others tell
    nothing. method: "exact" (binomial, twice the smaller tail: never rejects too often), "mid-p" (the same with half the
    probability of what was seen: less cautious, and rejects at the level all but never too often), "chi-square"
    ((b - c)^2 / (b + c)), "corrected" (max(|b - c| - 1, 0)^2 / (b + c), close to the exact one). Without discordant cases p = 1.
    Raises InputError for numbers that are not whole.
    Source: McNemar (1947); Edwards (1948); Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13, 91.
    Differs: statsmodels' corrected statistic is (0 - 1)^2 / (b + c) where b = c, and its chi-square gives p = 0 without
    discordant cases; R gives NaN there.
    """
    b, c = (validate.whole(value, role, 0, 2.0**53) for value, role in ((first_only, "first_only"), (second_only, "second_only")))
    validate.choice(method, FORMS, "method")
    name, pairs = f"mcnemar {method}", b + c
    if not pairs:
        return Test(name, 0.0, 1.0, note="no case that only one of the models gets right")
    if method in ("exact", "mid-p"):
        return Test(name, float(min(b, c)), _binomial(b, c, half=method == "mid-p"))
    off = max(abs(b - c) - 1, 0) if method == "corrected" else abs(b - c)
    chi = off**2 / pairs
    few = f"approximate: only {pairs} cases that one model alone gets right" if pairs < FEW_DISCORDANT else None
    return Test(name, chi, erfc(sqrt(chi / 2)), 1, few)


FORMS = ("exact", "mid-p", "chi-square", "corrected")


def _binomial(b, c, half):
    """Two-sided, of a fair coin."""
    from scipy.special import bdtr, gammaln

    smaller, pairs = min(b, c), b + c
    seen = np.exp(gammaln(pairs + 1) - gammaln(smaller + 1) - gammaln(pairs - smaller + 1) - pairs * log(2)) if half else 0.0
    return float(min(2 * bdtr(smaller, pairs, 0.5) - seen, 1.0))


def cochran_q(right: Any) -> Test:
    """Cochran's Q: whether k models are right equally often; with two it is McNemar's chi-square.

    right: (k, n) booleans, True where a model has a case right. Q = (k - 1) (k sum of C^2 - T^2) / (k T - sum of R^2), C right
    answers per model, R per case, T of all; chi-square with k - 1 degrees of freedom, also where models coincide, then cautious.
    Where every case is right for all or wrong for all, p = 1. Source: Cochran (1950), Biometrika 37, 256-266.
    Raises InputError for fewer than two models.
    """
    table = np.asarray(right, bool)
    if table.ndim != 2 or len(table) < 2:
        raise InputError("right: one row per model is needed, of two models or more.")
    from scipy.special import chdtrc

    k, rows = len(table), table.sum(0, dtype=np.int64)
    columns, total = table.sum(1, dtype=np.int64), int(rows.sum())
    apart = int(k * total - (rows**2).sum())
    if not apart:
        return Test("cochran q", 0.0, 1.0, k - 1, "the models are right and wrong on the same cases")
    q = (k - 1) * float(k * (columns**2).sum() - total**2) / apart
    telling = int(((rows > 0) & (rows < k)).sum())
    few = f"approximate: only {telling} cases on which the models differ" if telling * k < FEW_FOR_Q else None
    return Test("cochran q", q, float(chdtrc(k - 1, q)), k - 1, few)


def not_made(name: str, reason: str) -> Test:
    """No test, and why."""
    return Test(name, nan, nan, note=reason)
