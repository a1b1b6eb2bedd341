"""Tests of one model, and of two models or more on the same independent cases; adjustment for several tests.

Those of calibration ask whether the labels are compatible with the predicted probabilities, which they take
to be made on other data unless stated otherwise. With importance weights the hypothesis is about the weighted
population, and the variance of each case follows from its weight (`case_weights`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import erfc, inf, log, nan, sqrt
from typing import Any, Literal, get_args

import numpy as np

from ... import kernels
from ...input import validate
from ...input.arguments import Adjustment, McNemarMethod
from ...input.messages import Note, Noted, Notes, joined
from ...input.names import listed
from ...input.results import Result, equal_as_tuples
from ...input.validate import InputError
from ...measures.families.bins import MOST, Bins, of_equal_mass, places_of_equal_mass
from ...summaries import Counts, RankingTable
from ..covariance import case_weights
from ..interval import chi_square_tail

CERTAIN = 1e-9  # proportion of a group due to rounding
FEWEST_EXPECTED = 5.0  # of either class in a group, for the chi-square distribution


@dataclass(frozen=True, slots=True, repr=False)
class Test(Noted, Result):
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


Alternative = Literal["two-sided", "greater", "less"]
ALIKE = 1e-7  # tables whose probabilities differ by less, relatively, are equally likely, as in R
MOST_TABLES = 10_000_000  # of the same margins
EXACT_BELOW = 50  # cases of each class, without ties, as in R


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FisherResult(Test):
    """Fisher's exact test of whether predicted and actual class are independent.

    Attributes
    ----------
    statistic : float
        The odds ratio tp tn / (fp fn) of the table.
    p_value : float
        Of the alternative.
    alternative : str
        "two-sided", "greater" (more agreement than by chance) or "less".
    """

    alternative: str

    __eq__ = equal_as_tuples


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MannWhitneyResult(Test):
    """Mann and Whitney's test of whether positives and negatives have the same distribution of scores.

    Attributes
    ----------
    statistic : float
        U, the number of pairs in which the positive has the higher score; ties count one half.
    p_value : float
        Of the alternative.
    roc_auc : float
        U over the number of pairs: the area under the ROC curve.
    alternative : str
        "two-sided", "greater" (positives have higher scores) or "less".
    method : str
        "exact", or "normal" with correction for ties and for continuity.
    """

    roc_auc: float
    alternative: str
    method: str

    __eq__ = equal_as_tuples


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NoInformationResult(Test):
    """The binomial test of whether accuracy exceeds the share of the largest class.

    Attributes
    ----------
    statistic : float
        The number of correct predictions.
    p_value : float
        The probability of at least as many where each is correct with the probability `no_information_rate`.
    accuracy : float
        The share of correct predictions.
    no_information_rate : float
        The accuracy of predicting the largest class for every case.
    cases : int
        The number of cases.
    """

    accuracy: float
    no_information_rate: float
    cases: int

    __eq__ = equal_as_tuples


def fisher_of_counts(counts: Counts, alternative: Alternative) -> FisherResult:
    """Fisher's test from four whole numbers, as `tallymark.fisher_exact` describes it."""
    tp, fp, fn, tn = (whole(getattr(counts, name), name) for name in ("tp", "fp", "fn", "tn"))
    first, total, predicted = tp + fn, tp + fp + fn + tn, tp + fp
    low, high = max(0, predicted - (total - first)), min(first, predicted)
    if high - low >= MOST_TABLES:
        problem = f"there are {high - low + 1:,} tables with these margins"
        raise InputError("unsupported", "counts", problem, "take the interval of the odds ratio")
    odds = tp * tn / (fp * fn) if fp * fn else (inf if tp * tn else nan)
    p = _tail(np.arange(low, high + 1), tp, (first, total, predicted), alternative)
    notes = (Note("one-table-possible"),) if low == high else ()
    return FisherResult("fisher exact", odds, p, notes=notes, alternative=alternative)


def whole(value: float, name: str) -> int:
    """The number of cases. Raises InputError for a weight that is not whole."""
    if np.ndim(value) or not float(value).is_integer():
        problem = f"{value!r} is not a number of cases"
        raise InputError("unsupported", name, problem, "the test is for cases of weight 1")
    return int(value)


def _tail(cells: np.ndarray, seen: int, margins: tuple[int, int, int], alternative: Alternative) -> float:
    """The probability of the tables that are as extreme, under the hypergeometric distribution."""
    from scipy.special import gammaln

    first, total, predicted = margins

    def ways(n: int, k: np.ndarray) -> np.ndarray:
        return gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)

    log_p = ways(first, cells) + ways(total - first, predicted - cells)
    share = np.exp(log_p - log_p.max())
    share /= share.sum()
    here = share[int(seen - cells[0])]
    extreme = {
        "greater": cells >= seen,
        "less": cells <= seen,
        "two-sided": share <= here * (1 + ALIKE),
    }[alternative]
    return float(min(share[extreme].sum(), 1.0))


def mann_whitney_of_table(table: RankingTable, alternative: Alternative) -> MannWhitneyResult:
    """The test from a table of scores, as `tallymark.mann_whitney` describes it."""
    positive, negative = (np.asarray(part, float) for part in (table.positive, table.negative))
    m, n = whole(positive.sum(), "positives"), whole(negative.sum(), "negatives")
    below = negative.sum() - np.cumsum(negative)  # scores are highest first
    u = float((positive * (below + negative / 2)).sum())
    both = positive + negative
    exact = max(m, n) < EXACT_BELOW and both.max() <= 1
    p = _exact(m, n, u, alternative) if exact else _normal(m, n, u, both, alternative)
    return MannWhitneyResult(
        "mann whitney",
        u,
        p,
        notes=(Note("equal-distributions"),),
        roc_auc=u / (m * n),
        alternative=alternative,
        method="exact" if exact else "normal",
    )


def _exact(m: int, n: int, u: float, alternative: Alternative) -> float:
    """From the distribution of U over all orders of the cases."""
    share = np.zeros((n + 1, m * n + 1))
    share[:, 0] = 1.0  # without positives U is 0
    for i in range(1, m + 1):
        row = np.zeros_like(share)
        row[0, 0] = 1.0
        for j in range(1, n + 1):
            last = i / (i + j)  # the highest of i positives and j negatives is a positive, above j negatives
            row[j, j:] = last * share[j, : m * n + 1 - j]
            row[j] += (1 - last) * row[j - 1]
        share = row
    of_u = share[n]
    at = round(u)
    upper, lower = float(of_u[at:].sum()), float(of_u[: at + 1].sum())
    return {"greater": upper, "less": lower, "two-sided": min(2 * min(upper, lower), 1.0)}[alternative]


def _normal(m: int, n: int, u: float, both: np.ndarray, alternative: Alternative) -> float:
    """By the normal distribution, with the variance for ties and half a pair for continuity."""
    total = m + n
    ties = float((both**3 - both).sum()) / (total * (total - 1)) if total > 1 else 0.0
    spread = sqrt(max(m * n / 12 * (total + 1 - ties), 0.0))
    if not spread:
        return 1.0
    off = u - m * n / 2
    signed = {"greater": off - 0.5, "less": -off - 0.5, "two-sided": max(abs(off) - 0.5, 0.0)}[alternative]
    tail = erfc(signed / spread / sqrt(2)) / 2
    return min(2 * tail, 1.0) if alternative == "two-sided" else tail


def no_information(correct: float, sizes: np.ndarray) -> NoInformationResult:
    """The test from the number of correct predictions and the class sizes."""
    from scipy.special import betainc

    cases, right = whole(float(sizes.sum()), "cases"), whole(correct, "correct")
    rate = float(sizes.max() / sizes.sum())
    p = 1.0 if right == 0 or rate == 1 else float(betainc(right, cases - right + 1, rate))
    return NoInformationResult(
        "accuracy against the no-information rate",
        float(right),
        p,
        notes=(Note("rate-from-same-cases"),),
        accuracy=right / cases,
        no_information_rate=rate,
        cases=cases,
    )


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


def adjusted(p_values: Any, method: Adjustment = "holm", together: Sequence[Any] | None = None) -> np.ndarray:
    """The adjusted p-values, in their order; NaN stays NaN, and does not count as a test.

    together: of each the tests that it is adjusted with already, as the name of a measure; these count as one
    test for Holm.

    method: "holm", which controls the familywise error rate under any dependence; "benjamini-hochberg", which
    controls the false discovery rate under independence or positive dependence; "none". Raises InputError for
    another name, and for numbers outside [0, 1].
    Source: Holm (1979); Benjamini and Hochberg (1995).
    """
    how = METHODS[validate.choice(method, METHODS, "adjust")]
    result = np.array(p_values, float)
    if ((result < 0) | (result > 1)).any():
        raise validate.InputError(
            "invalid-value",
            "p_values",
            f"{result[(result < 0) | (result > 1)][0]:g} is not a p-value",
            "give numbers from 0 to 1",
        )
    there = np.flatnonzero(~np.isnan(result))
    order = there[np.argsort(result[there], kind="stable")]
    if together is None or how is not holm:
        result[order] = how(result[order])
    else:
        names = np.unique(np.asarray(together)[order], return_inverse=True)[1]
        number = [len(np.unique(names[i:])) for i in range(len(names))]
        result[order] = holm(result[order], np.array(number))
    return result


@listed(
    "test",
    "tm.compare(..., adjust='holm')",
    aka=("bonferroni_holm", "holm_bonferroni"),
    terms=("multiplicity", "multiple_comparisons"),
    command="tallymark compare --adjust holm",
)
def holm(ascending: np.ndarray, number: np.ndarray | None = None) -> np.ndarray:
    """Holm's adjustment: the smallest times their number, the next times one less, kept ascending.

    number: of tests from each p-value on, where several count as one.
    """
    factors = np.arange(len(ascending), 0, -1) if number is None else number
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
