"""Tests of calibration: whether the labels are compatible with the predicted probabilities.

Both assume independent cases, and probabilities made on other data unless stated otherwise. With importance
weights the hypothesis is about the weighted population, and the variance of each case follows from its weight
(`case_weights`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from math import erfc, inf, isfinite, nan, sqrt
from typing import Any

import numpy as np

from ... import kernels
from ...input import validate
from ...input.messages import Note, Notes, joined, text_of
from ...input.names import listed
from ...input.results import Result, equal_as_tuples
from ...measures.families.bins import MOST, Bins, of_equal_mass, places_of_equal_mass
from ...summaries import RankingTable
from ..case_weights import case_weights
from ..intervals.quantiles import chi_square_tail

CERTAIN = 1e-9  # proportion of a group due to rounding
FEWEST_EXPECTED = 5.0  # of either class in a group, for the chi-square distribution


@dataclass(frozen=True, slots=True, repr=False)
class Test(Result):
    """A test statistic with its p-value.

    p_value: NaN where there is none; df: degrees of freedom of chi-square, None for a normal statistic;
    notes: conditions and limits of the test, each with a code; notices: on the data.
    """

    __test__ = False  # pytest must not collect it

    name: str
    statistic: float
    p_value: float
    df: float | None = None
    notes: Notes = ()
    notices: tuple[Any, ...] = field(default=(), compare=False, repr=False)

    __eq__ = equal_as_tuples

    @property
    def note(self) -> str | None:
        """The sentences of the notes, joined with semicolons; None without any."""
        return text_of(self.notes)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON: NaN and infinity become None; the notes as text and with their codes and fields."""
        plain = {
            name: _plain(getattr(self, name))
            for name in (one.name.replace("notes", "note") for one in fields(self) if one.name != "notices")
        }
        said = [notice.to_dict() for notice in self.notices]
        return {
            **plain,
            **({"notices": said} if said else {}),
            "notes": [note.to_dict() for note in self.notes],
        }


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return None if isinstance(value, float) and not isfinite(value) else value


@listed(
    "test",
    "tm.calibration(...).tests",
    aka=("spiegelhalter_z", "spiegelhalter_z_test"),
    command="tallymark calibration",
)
def spiegelhalter(table: RankingTable) -> Test:
    """Spiegelhalter's z: a two-sided test of whether the Brier score has its mean under calibration.

    z = sum of (y - p)(1 - 2p) / sqrt(sum of (1 - 2p)^2 p (1 - p)) is then standard normal. Above 0 the Brier
    score is larger than this mean, as for overconfident probabilities. Undefined where every p is 0, 1/2 or
    1. With importance weights the terms of the first sum are weighted, and each has the variance of weight
    times (y - p). Source: Spiegelhalter (1986), Statistics in Medicine 5, 421-433.
    """
    table = table.as_cases
    weights, (spreads, above) = case_weights(table), np.empty((2, len(table)))
    for some in kernels.blocks(len(table)):
        p, positive, slope = table.probability[some], table.positive[some], 1 - 2 * table.probability[some]
        spreads[some] = slope**2 * weights.of(some).variance(p)
        above[some] = (positive - (positive + table.negative[some]) * p) * slope
    spread, name = float(spreads.sum()), "spiegelhalter"
    if not spread > 0:
        return Test(name, nan, nan, notes=(Note("brier-score-fixed"),))
    z = float(above.sum()) / sqrt(spread)
    return Test(name, z, erfc(abs(z) / sqrt(2)))


@listed(
    "test",
    "tm.calibration(...).tests",
    aka=("hl_test", "hoslem_test", "goodness_of_fit"),
    command="tallymark calibration",
)
def hosmer_lemeshow(table: RankingTable, hl_groups: int = 10, fitted: bool = False) -> Test:
    """Hosmer and Lemeshow's test of calibration over groups of equal size.

    The groups are cut at quantiles of type 7 of the probabilities. The statistic, chi-square, is the sum over
    them of (observed - expected)^2 / (expected (1 - expected / n)), from the numbers of positives. With
    importance weights each term is divided by its design effect, the variance of the weighted observed -
    expected over the one above, and the sum and its degrees of freedom by a number that gives the sum its
    variance, from the fourth cumulants of the cases (Rao and Scott 1981; the groups are independent, so that
    no common factor is needed). hl_groups: how many, 2 or more; ties may leave fewer, groups whose
    probabilities are all 0 or all 1 do not count, and neighbours are joined until 5 of each class are
    expected. fitted: whether the probabilities come from a model fitted to these same cases, which takes 2
    degrees of freedom. Source: Hosmer and Lemeshow (1980). Differs: R's hoslem.test cuts the same groups, but
    always takes the 2, counts groups that cannot vary, joins none with few expected, and merges the cases of
    the lowest probability with the next group where they fill the first one.
    """
    table = table.as_cases
    bins = of_equal_mass(table, validate.whole(hl_groups, "hl_groups", 2, MOST))
    there, name = bins.weight > 0, "hosmer_lemeshow"
    sums = _sums(table, hl_groups, bins)[:, there]
    n, expected, observed = sums[:3]
    varies = expected * (1 - expected / n) > 0
    if (~varies & (np.abs(observed - expected) > CERTAIN * n)).any():
        return Test(
            name, inf, 0.0, max(int(varies.sum()) - 2 * bool(fitted), 0), (Note("certain-group-wrong"),)
        )
    starts = _enough(sums[3:5, varies].T)
    n, expected, observed, positives, negatives, weighted, plain, fourth = (
        np.add.reduceat(sums[:, varies], starts, axis=1) if len(starts) else sums[:, :0]
    )
    df: float = len(n) - 2 * bool(fitted)
    if df < 1:
        return Test(name, nan, nan, max(df, 0), (Note("too-few-uncertain-groups"),))
    chi = float(((observed - expected) ** 2 / (expected * (1 - expected / n) * weighted / plain)).sum())
    if table.squares is not None:
        scale = 1 + max(float((fourth / weighted**2).sum()), 0.0) / (2 * len(n))
        chi, df = chi / scale, df / scale
    notes = None
    if min(positives.min(), negatives.min()) < FEWEST_EXPECTED:
        notes = Note("few-expected", groups=1, of=1, limit=FEWEST_EXPECTED)
    elif len(n) < varies.sum():
        notes = Note("groups-joined", groups=len(n), of=int(varies.sum()), limit=FEWEST_EXPECTED)
    return Test(name, chi, chi_square_tail(chi, df), df, joined(notes))


def _enough(expected: np.ndarray) -> np.ndarray:
    """The first of each run of groups in which enough of both classes are expected; the last takes the rest.

    expected: the cases of both classes, one row per group.
    """
    starts: list[int] = []
    sums = np.full(2, inf)
    for group, both in enumerate(expected):
        if sums.min() >= FEWEST_EXPECTED:
            starts, sums = [*starts, group], np.zeros(2)
        sums = sums + both
    return np.array(starts[:-1] if len(starts) > 1 and sums.min() < FEWEST_EXPECTED else starts, int)


def _sums(table: RankingTable, groups: int, bins: Bins) -> np.ndarray:
    """Sums over each group, one row per quantity.

    They are the weight, the expected and the observed positives, the expected cases of both classes, the
    variance of observed - expected, that with weights of 1, and its fourth cumulant. Where weights are
    numbers of cases both variances are taken to be 1, and the cumulant is not used.
    """
    rows: list[np.ndarray] = [bins.weight, bins.expected, bins.positive]
    if table.squares is None:
        ones = np.ones(len(bins.weight))
        return np.stack([*rows, bins.expected, bins.weight - bins.expected, ones, ones, 0 * ones])
    weights, place = case_weights(table), places_of_equal_mass(table, groups)
    p, total = table.probability, np.asarray(table.positive + table.negative, float)
    positives = weights.cases * weights.sampled(p)
    each = (positives, weights.cases - positives, weights.variance(p), total * p * (1 - p))
    return np.stack(
        [*rows, *(np.bincount(place, part, groups) for part in (*each, weights.fourth_cumulant(p)))]
    )
