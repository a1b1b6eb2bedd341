"""Tests of correct and wrong predictions by two or more models on the same independent cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import erfc, log, nan, sqrt
from typing import Any, get_args

import numpy as np

from ...input import validate
from ...input.messages import Note
from ...input.options import McNemarMethod
from ...input.validate import InputError
from .calibration import Test

FEW_DISCORDANT = 10  # below which the chi-square distribution is a rough approximation
# cases that are not all alike, times models: Cochran's Q is near chi-square from there on (Tate and Brown,
# 1970)
FEW_FOR_Q = 24


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class McNemarResult(Test):
    """McNemar's test of two models on the same cases.

    Attributes
    ----------
    statistic : float
        The smaller of the two numbers of discordant cases ("exact", "mid-p"), or chi-square.
    p_value : float
        Two-sided.
    df : int or None
        1 for chi-square; None for the binomial forms.
    notes : tuple of Note
        What to consider, as that only few cases are discordant; `note` has the sentences.
    method : str
        "exact", "mid-p", "chi-square" or "corrected".
    first_only, second_only : int
        Number of cases that the first model alone, and the second model alone, has right.
    """

    method: str
    first_only: int
    second_only: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CochranQResult(Test):
    """Cochran's Q of two models or more on the same cases.

    Attributes
    ----------
    statistic : float
        Q, approximately chi-square with `df` degrees of freedom where the models are correct equally often.
    p_value : float
        Probability of the upper tail.
    df : int
        Number of models minus 1.
    notes : tuple of Note
        What to consider, as that the models differ on few cases; `note` has the sentences.
    right : tuple of int
        Number of cases that each model has right.
    discordant : int
        Number of cases that some of the models have right and others wrong; the other cases do not count.
    """

    right: tuple[int, ...]
    discordant: int


def mcnemar_of_counts(
    first_only: float, second_only: float, method: McNemarMethod = "mid-p"
) -> McNemarResult:
    """McNemar's test from the two numbers of discordant cases, as `tallymark.mcnemar` describes it."""
    b, c = (
        validate.whole(value, role, 0, 2.0**53)
        for value, role in ((first_only, "first_only"), (second_only, "second_only"))
    )
    validate.choice(method, FORMS, "method")
    name, pairs = f"mcnemar {method}", b + c
    result = partial(McNemarResult, name, method=method, first_only=b, second_only=c)
    df = None if method in ("exact", "mid-p") else 1
    if not pairs:
        return result(0.0, 1.0, df, (Note("no-discordant-case"),))
    if df is None:
        return result(float(min(b, c)), _binomial(b, c, half=method == "mid-p"))
    off = max(abs(b - c) - 1, 0) if method == "corrected" else abs(b - c)
    chi = off**2 / pairs
    few = (Note("few-discordant-cases", cases=pairs),) if pairs < FEW_DISCORDANT else ()
    return result(chi, erfc(sqrt(chi / 2)), df, few)


FORMS = get_args(McNemarMethod)


# Discordant cases: from here on the normal tail is the binomial one to 1e-6; old versions of SciPy err more.
NORMAL_FROM = 2.0**40


def _binomial(b: float, c: float, half: bool) -> float:
    """The two-sided binomial test with probability 1/2."""
    from scipy.special import betainc, gammaln, ndtr

    smaller, pairs = min(b, c), b + c
    if pairs > NORMAL_FROM:
        return float(min(2 * ndtr((2 * smaller + (0 if half else 1) - pairs) / pairs**0.5), 1.0))
    seen = (
        np.exp(gammaln(pairs + 1) - gammaln(smaller + 1) - gammaln(pairs - smaller + 1) - pairs * log(2))
        if half
        else 0.0
    )
    return float(min(2 * betainc(pairs - smaller, smaller + 1, 0.5) - seen, 1.0))


def cochran_q_of_right(right: Any) -> CochranQResult:
    """Cochran's Q, as `tallymark.cochran_q` describes it.

    right: (models, cases) booleans, True where a model has a case right. Raises InputError for fewer than two
    models.
    """
    table = np.asarray(right, bool)
    if table.ndim != 2 or len(table) < 2:
        raise InputError("wrong-shape", "right", "one row per model is needed, of two models or more")
    from scipy.special import chdtrc

    k, rows = len(table), table.sum(0, dtype=np.int64)
    columns, total = table.sum(1, dtype=np.int64), int(rows.sum())
    apart = int(k * total - (rows**2).sum())
    discordant = int(((rows > 0) & (rows < k)).sum())
    result = partial(CochranQResult, "cochran q", right=tuple(columns.tolist()), discordant=discordant)
    if not apart:
        return result(0.0, 1.0, k - 1, (Note("right-on-the-same-cases"),))
    q = (k - 1) * float(k * (columns**2).sum() - total**2) / apart
    few = (Note("few-cases-that-differ", cases=discordant),) if discordant * k < FEW_FOR_Q else ()
    return result(q, float(chdtrc(k - 1, q)), k - 1, few)


def not_made(name: str, reason: Note) -> Test:
    """A result without a test, and the reason."""
    return Test(name, nan, nan, notes=(reason,))
