"""The number of cases for the area under the ROC curve: of one model, and the difference of two.

The variance of an area, or the covariance of two, has three parts: of pairs of cases, of pairs that share
their negative, and of pairs that share their positive; Var = (pair + (positives - 1) same_negative +
(negatives - 1) same_positive) / (positives negatives), and that is exact. Source: Bamber (1975), Journal of
Mathematical Psychology 12, 387-415; Hanley and McNeil (1982), Radiology 143, 29-36, Eq. 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import asin, pi
from typing import Any, Literal, get_args

import numpy as np

from ...inference.intervals.area import FEW_MISPLACED
from ...inference.intervals.scale import normal_quantile
from ...input import validate
from ...input.calls import public
from ...input.options import Design
from ...input.spelling import option
from ...input.validate import InputError
from .plan import (
    ASSURANCE,
    INDEPENDENT,
    MOST,
    NORMAL,
    Clusters,
    Plan,
    class_sizes,
    in_clusters,
    not_beyond,
    power_of,
    share_of,
)

NODES = 64  # of the quadrature
NEAREST = 1e-12  # distance of an area from 0 and 1
AreaVariance = Literal["binormal", "hanley-mcneil"]
VARIANCES = get_args(AreaVariance)
LARGE_SAMPLE = "The power is that of large samples; that of small ones is up to 0.03 higher"
DELONG = "The power is that of large samples, of DeLong's two-sided test; that of small ones is higher"
FEWER = (
    "Fewer cases may be enough, but then few are misplaced and evaluate gives another, wider interval, for"
    " which there is no plan"
)


@public()
def roc_auc(
    *,
    expected: float,
    width: float | None = None,
    at_least: float | None = None,
    power: float | None = None,
    level: float = 0.95,
    variance: AreaVariance = "binormal",
    spread_ratio: float = 1.0,
    prevalence: float | None = None,
    negatives_per_positive: float | None = None,
    assurance: float = ASSURANCE,
    design: Design = "cohort",
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
) -> Plan:
    """Number of cases needed to estimate an area under the ROC curve.

    Parameters
    ----------
    expected : float
        True area, in (0, 1).
    width : float, optional
        Goal: an interval of at most this width, from its low to its high end, for the expected area.
    at_least : float, optional
        The other goal: the low end of the interval reaches this limit (0.5: better than guessing).
    power : float, default 0.8
        Probability of that; not used with width.
    level : float, default 0.95
        Confidence level of the two-sided interval.
    variance : {"binormal", "hanley-mcneil"}, default "binormal"
        "binormal": exact for scores that on some scale are normal in each class; "hanley-mcneil": for
        exponential ones.
    spread_ratio : float, default 1
        Standard deviation of the scores of the positives over that of the negatives, for binormal scores.
    prevalence : float, optional
        Proportion of positives where cases are taken as they come: the plan then has the number of cases to
        collect.
    negatives_per_positive : float, default 1
        Ratio of the class sizes; not used with prevalence.
    assurance : float, default 0.95
        Probability with which the cases to collect hold enough of each class.
    design : {"cohort", "case-control"}, default "cohort"
        "case-control": the class sizes are fixed, by prevalence or negatives_per_positive, and no assurance
        is needed.
    cluster_size, icc : float, optional
        Where cases come in clusters, as several of one patient: the mean number of cases in question per
        cluster, and their correlation within a cluster.
    cv : float, default 0
        Standard deviation of the cluster sizes over their mean.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        Unless exactly one goal is given, for power with width, where the limit is not below the expected
        area, and where more than 10^9 cases would be needed.

    Notes
    -----
    The interval is that of `evaluate`: DeLong's on the logit scale. Its estimated standard error depends on
    the estimated area, which the power allows for to first order; in simulations the power in small samples
    is up to 0.03 higher (docs/planning.md). Where fewer than two cases of the smaller class are misplaced,
    `evaluate` gives another, wider interval, so every plan has at least two on average. The variance of an
    area is conditional on the class sizes, so that the numbers of each class hold for both designs.

    With clusters the numbers are multiplied by the design effect 1 + ((cv^2 + 1) cluster_size - 1) icc, and
    increased for Student's t with that many clusters. The cases of a cluster are assumed to be of one class,
    and icc is the correlation of the proportions of the other class that they exceed. Where clusters hold
    both classes the number is conservative, since an effect common to all scores of a cluster changes the
    area less.

    Differs: pROC's power.roc.test plans a test on the untransformed scale, with the variance of ordinal
    ratings.

    References
    ----------
    Obuchowski, Lieber and Wians (2004), Clinical Chemistry 50, 1118-1125, for planning with a variance
    function. Eldridge, Ashby and Kerry (2006), International Journal of Epidemiology 35, 1292-1300, for
    clusters of unequal size.

    Examples
    --------
    >>> from tallymark import planning
    >>> plan = planning.roc_auc(expected=0.85, at_least=0.75)
    >>> plan.positives, plan.negatives
    (80, 80)
    """
    level, area = validate.level(level), share_of(expected, "expected")
    kind = validate.one_of({"width": width, "at_least": at_least})
    limit = share_of(width if kind == "width" else at_least, kind)
    areas = Areas.of({"expected": area}, variance, spread_ratio, normal_quantile(level))
    if kind == "at_least":
        not_beyond(limit, area, kind, True)
    return _plan(
        f"An area under the ROC curve expected to be {area:g}",
        f"{100 * level:.4g}% interval",
        areas,
        level,
        width,
        None if width is not None else limit,
        power,
        (kind, kind),
        Clusters.of(cluster_size, icc, cv),
        prevalence=prevalence,
        negatives_per_positive=negatives_per_positive,
        assurance=assurance,
        design=design,
    )


@public()
def paired_roc_auc(
    *,
    first: float,
    second: float,
    correlation: float | tuple[float, float],
    width: float | None = None,
    margin: float = 0.0,
    power: float | None = None,
    level: float = 0.95,
    spread_ratio: float = 1.0,
    prevalence: float | None = None,
    negatives_per_positive: float | None = None,
    assurance: float = ASSURANCE,
    design: Design = "cohort",
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
) -> Plan:
    """Number of cases needed to show a difference of two areas under the ROC curve on the same cases.

    The goal is that the first model has the larger area, or, with a margin, that it is not inferior.

    Parameters
    ----------
    first, second : float
        True areas, in (0, 1).
    correlation : float or (float, float)
        Correlation of the two models' scores within the positives and within the negatives, one number for
        both or a pair, from 0 to below 1. It is that on the scale on which scores are normal in each class,
        where a Spearman correlation r corresponds to 2 sin(pi r / 6).
    width : float, optional
        Goal: an interval of first - second of at most this width, from its low to its high end.
    margin : float, default 0
        The other goal, where no width is given: the interval lies above -margin (with a margin above 0: the
        first is not inferior).
    power : float, default 0.8
        Probability of that; not used with width.
    level : float, default 0.95
        Confidence level of the two-sided interval.
    spread_ratio, prevalence, negatives_per_positive, assurance, design, cluster_size, icc, cv
        As for `roc_auc`; icc is that of the difference between the models.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        For margin or power with width, where the expected difference does not lie above -margin, and where
        more than 10^9 cases would be needed.

    Notes
    -----
    The interval is DeLong's; its variance is the exact one of the bivariate binormal model. The power is that
    of large samples; in simulations with 36 cases of each class it is 0.05 higher (docs/planning.md).

    Differs: Hanley and McNeil (1983) take the correlation of the areas from a table; here it is computed
    from that of the scores.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988) for the interval. Obuchowski and McClish (1997), Statistics in
    Medicine 16, 1529-1542, for planning with binormal scores.

    Examples
    --------
    >>> from tallymark import planning
    >>> planning.paired_roc_auc(first=0.9, second=0.85, correlation=0.5).positives
    213
    """
    return _difference(
        first, second, width, margin, power, level, "binormal", spread_ratio, correlation,
        Clusters.of(cluster_size, icc, cv), prevalence=prevalence,
        negatives_per_positive=negatives_per_positive, assurance=assurance, design=design,
    )  # fmt: skip


@public()
def unpaired_roc_auc(
    *,
    first: float,
    second: float,
    width: float | None = None,
    margin: float = 0.0,
    power: float | None = None,
    level: float = 0.95,
    variance: AreaVariance = "binormal",
    spread_ratio: float = 1.0,
    prevalence: float | None = None,
    negatives_per_positive: float | None = None,
    assurance: float = ASSURANCE,
    design: Design = "cohort",
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
) -> Plan:
    """Number of cases needed to show a difference of two areas under the ROC curve on different cases.

    The goal is that the first model has the larger area, or, with a margin, that it is not inferior. Each
    model scores a data set of its own, as from two hospitals or two periods; the numbers are those of each
    set, and both sets have the same.

    Each model scores a set of its own, as two hospitals or two periods have; the numbers are those of each
    set, which are alike.

    Parameters
    ----------
    first, second : float
        Expected areas, in (0, 1).
    width : float, optional
        Goal: an interval of first - second of at most this width, from its low to its high end.
    margin : float, default 0
        The other goal, where no width is given: the interval lies above -margin (with a margin above 0: the
        first is not inferior).
    power : float, default 0.8
        Probability of that; not used with width.
    level : float, default 0.95
        Confidence level of the two-sided interval.
    variance, spread_ratio, prevalence, negatives_per_positive, assurance, design, cluster_size, icc, cv
        As for `roc_auc`.

    Returns
    -------
    Plan
        Its `sets` is 2.

    Raises
    ------
    InputError
        For margin or power with width, where the expected difference does not lie above -margin, and where
        more than 10^9 cases would be needed.

    Notes
    -----
    The interval is that of `compare` on different cases: both DeLong intervals on the logit scale, combined
    by MOVER. The power is that of large samples: the low end is approximately normal, with the variances of
    both areas.

    References
    ----------
    Zou and Donner (2008), Statistics in Medicine 27, 1693-1702. Obuchowski, Lieber and Wians (2004), Clinical
    Chemistry 50, 1118-1125.

    Examples
    --------
    >>> from tallymark import planning
    >>> planning.unpaired_roc_auc(first=0.9, second=0.8).positives
    110
    """
    return _difference(
        first, second, width, margin, power, level, variance, spread_ratio, None,
        Clusters.of(cluster_size, icc, cv), prevalence=prevalence,
        negatives_per_positive=negatives_per_positive, assurance=assurance, design=design,
    )  # fmt: skip


def _difference(
    first: float,
    second: float,
    width: float | None,
    margin: float,
    power: float | None,
    level: float,
    variance: str,
    spread_ratio: float,
    correlation: Any,
    clusters: Clusters | None,
    **sampling: Any,
) -> Plan:
    """The plan for first - second, on the same cases where the models' scores have a correlation."""
    a, b = share_of(first, "first"), share_of(second, "second")
    level, margin = validate.level(level), validate.number(margin, "margin", 0.0, 1.0)
    areas = Areas.of({"first": a, "second": b}, variance, spread_ratio, normal_quantile(level), correlation)
    if width is not None:
        if margin:
            raise InputError("conflict", "margin", "it is of a test", f"with {option('width')} leave it out")
        width = validate.number(width, "width", 1e-9, 2.0)
    elif a - b + margin <= 0:
        if margin:
            raise InputError(
                "no-result",
                "margin",
                f"{a:g} is expected, not above {b:g} - {margin:g}, and no number of cases can show it",
            )
        raise InputError(
            "no-result",
            "first",
            f"{a:g} is not above {b:g}, and no number of cases can show it",
            f"give a {option('margin')} that it may fall short by"
            if a == b
            else f"exchange the two, or give a {option('margin')}",
        )
    return _plan(
        f"Areas under the ROC curve expected to be {a:g} and {b:g}, on"
        f" {'different' if correlation is None else 'the same'} cases",
        f"{100 * level:.4g}% interval of their difference",
        areas,
        level,
        width,
        -margin if margin else 0.0,
        power,
        ("width", "first"),
        clusters,
        **sampling,
    )


def _plan(
    expectation: str,
    interval: str,
    areas: Areas,
    level: float,
    width: float | None,
    limit: float | None,
    power: float | None,
    arguments: tuple[str, str],
    clusters: Clusters | None,
    **sampling: Any,
) -> Plan:
    """The plan for an interval that is no wider than the width, or else reaches the limit with the power.

    expectation, interval: for the goal in words; arguments: those of the width and of the limit.
    """
    reached = wanted = None
    if width is not None:
        if power is not None:
            raise InputError(
                "conflict",
                "power",
                "a width is planned for what is expected",
                "leave power out, or plan for a limit instead",
            )
        sizes = class_sizes(
            lambda p, n: (np.minimum(p, n) >= areas.fewest) & (np.subtract(*areas.ends(p, n)[::-1]) <= width),
            arguments[0],
            **sampling,
        )
        goal = f"a {interval} no wider than {width:g} (from low to high)"
    else:
        wanted = power_of(power)
        sizes = class_sizes(
            lambda p, n: (np.minimum(p, n) >= areas.fewest) & (areas.power(p, n, limit) >= wanted),
            arguments[1],
            **sampling,
        )
        reached = float(areas.power(sizes["positives"], sizes["negatives"], limit))
        low_end = f"low end of the {interval} at least" if len(areas.values) == 1 else f"{interval} above"
        goal = f"the {low_end} {limit:g}"
    both = sizes["positives"], sizes["negatives"]
    low, high = areas.ends(*both)
    plan = Plan(
        f"{expectation}: {goal}",
        level=float(level),
        method=areas.method,
        power=reached,
        interval=(float(max(low, -1.0)), float(min(high, 1.0))),
        sets=2 if areas.method.startswith("mover") else 1,
        assumptions=(
            areas.scores,
            *areas.correlated(*both),
            *([] if reached is None else [LARGE_SAMPLE if areas.shared is None else DELONG]),
            *([FEWER] if len(areas.values) == 1 and min(both) == areas.fewest else []),
            INDEPENDENT,
        ),
        **sizes,
    )
    return in_clusters(plan, clusters, areas.z, wanted)


@dataclass(frozen=True)
class Areas:
    """One expected area, or two that are subtracted, with the variances of their estimates.

    values: the areas; variances: the parts of the variance of each; slopes: their derivatives by the area;
    shared: the parts of the covariance of two areas of the same cases; z: the normal quantile of the level;
    scores: what is assumed about them.
    """

    values: tuple[float, ...]
    variances: tuple[np.ndarray, ...]
    slopes: tuple[np.ndarray, ...]
    shared: np.ndarray | None
    correlations: tuple[float, float]
    z: float
    scores: str

    @classmethod
    def of(
        cls, areas: dict[str, float], variance: str, spread_ratio: float, z: float, correlation: Any = None
    ) -> Areas:
        """From arguments that are checked here; areas: by the name of their argument."""
        validate.choice(variance, VARIANCES, "variance")
        spread = validate.number(spread_ratio, "spread_ratio", 0.01, 100.0)
        binormal = variance == "binormal"
        if spread != 1 and not binormal:
            raise InputError(
                "conflict",
                "spread_ratio",
                "it is of normal scores",
                f"with {option('variance', 'hanley-mcneil')} leave it out",
            )
        for role, area in areas.items():
            if correlation is None and FEW_MISPLACED / min(area, 1 - area) > MOST:
                raise InputError(
                    "no-result",
                    role,
                    f"{area:g} would need more than {MOST:.0e} cases",
                    "give an area that is further from 0 and 1",
                )
            if not NEAREST <= area <= 1 - NEAREST:
                raise InputError(
                    "invalid-value",
                    role,
                    f"{area:g} is too close to 0 or 1",
                    f"give an area from {NEAREST:g} to 1 - {NEAREST:g}",
                )
        values = tuple(areas.values())
        parts = [variance_parts(area, spread if binormal else None) for area in values]
        pair = (0.0, 0.0) if correlation is None else _correlations(correlation)
        spreads = (
            "with the same spread"
            if spread == 1
            else f"the positives' with {spread:g} times the standard deviation"
        )
        return cls(
            values,
            tuple(variance for variance, _ in parts),
            tuple(slope for _, slope in parts),
            None if correlation is None else binormal_covariance(values, pair, spread),  # type: ignore[arg-type]
            pair,
            z,
            f"On some scale the scores are normal in each class, {spreads}"
            if binormal
            else "On some scale the scores are exponential in each class",
        )

    @property
    def method(self) -> str:
        """The method of the interval."""
        if self.shared is not None:
            return "delong"
        return "delong-logit" if len(self.values) == 1 else "mover of delong-logit"

    @property
    def fewest(self) -> int:
        """The fewest cases of the smaller class: with fewer misplaced ones the interval is another one."""
        if self.shared is not None:
            return 0
        return max(int(np.ceil(FEW_MISPLACED / min(a, 1 - a) - 1e-9)) for a in self.values)

    def error(self, positives: Any, negatives: Any) -> Any:
        """The standard error of the area, or of the difference."""
        parts = sum(self.variances) - (0.0 if self.shared is None else 2 * self.shared)
        return np.sqrt(variance_of(parts, positives, negatives))

    def ends(self, positives: Any, negatives: Any) -> tuple[Any, Any]:
        """The interval to expect.

        DeLong's; on the logit scale, and with two of them by MOVER, unless both are of the same cases.
        """
        from scipy.special import expit, logit

        if self.shared is not None:
            difference, step = self.values[0] - self.values[1], self.z * self.error(positives, negatives)
            return difference - step, difference + step
        steps = [
            self.z * np.sqrt(variance_of(parts, positives, negatives)) / (a * (1 - a))
            for a, parts in zip(self.values, self.variances, strict=True)
        ]
        ends = [
            (expit(logit(a) - step), expit(logit(a) + step))
            for a, step in zip(self.values, steps, strict=True)
        ]
        if len(ends) == 1:
            return ends[0]
        (a, b), (one, other) = self.values, ends
        return a - b - np.hypot(a - one[0], other[1] - b), a - b + np.hypot(one[1] - a, b - other[0])

    def power(self, positives: Any, negatives: Any, limit: Any) -> Any:
        """The probability that the low end of the interval reaches the limit.

        The low end is about normal around the expected one, with the standard error of the estimate. On the
        logit scale it is u - z s(u): to first order it changes by 1 - z s' when u changes by 1; where that is
        0 or less there are too few cases for this approximation, and the power is 0.
        """
        from scipy.special import logit, ndtr

        low, error = self.ends(positives, negatives)[0], self.error(positives, negatives)
        if len(self.values) > 1:
            return ndtr((low - limit) / error)
        area, change = self.values[0], variance_of(self.slopes[0], positives, negatives)
        of_logit = error / (area * (1 - area))
        follows = 1 - self.z * (change / (2 * error) - of_logit * (1 - 2 * area))
        room = logit(low) - logit(limit)
        return np.where(follows > 0, ndtr(room / (of_logit * np.where(follows > 0, follows, 1.0))), 0.0)

    def correlated(self, positives: int, negatives: int) -> list[str]:
        """The correlations of the scores and of the areas, in words."""
        if self.shared is None:
            return []
        one, other, both = (variance_of(p, positives, negatives) for p in (*self.variances, self.shared))
        a, b = self.correlations
        scores = f"{a:g} in each class" if a == b else f"{a:g} among positives and {b:g} among negatives"
        return [
            f"The models' scores correlate by {scores}, and so the areas by {both / np.sqrt(one * other):.2f}"
        ]


def variance_of(parts: Any, positives: Any, negatives: Any) -> Any:
    """The variance of its parts for these class sizes, numbers or arrays."""
    pair, same_negative, same_positive = parts
    many = pair + (positives - 1) * same_negative + (negatives - 1) * same_positive
    return many / (positives * negatives)


def variance_parts(area: float, spread_ratio: float | None) -> tuple[np.ndarray, np.ndarray]:
    """The parts of the variance of an area, and their derivatives by the area.

    spread_ratio: of scores that are normal in each class, None for exponential ones. Source of those: Hanley
    and McNeil (1982), Eq. 1 and 2.
    """
    from scipy.special import ndtr

    a = area
    if spread_ratio is None:
        slopes = [1 - 2 * a, 2 / (2 - a) ** 2 - 2 * a, 2 * a * (2 + a) / (1 + a) ** 2 - 2 * a]
        return a * (1 - a) * np.array([1.0, (1 - a) / (2 - a), a / (1 + a)]), np.array(slopes)
    share = spread_ratio**2 / (1 + spread_ratio**2)
    r = np.array([1.0, 1 - share, share])
    slopes = 2 * (ndtr(NORMAL.inv_cdf(a) * np.sqrt((1 - r) / (1 + r))) - a)
    return binormal_covariance((a, a), (1.0, 1.0), spread_ratio), slopes


def binormal_covariance(
    areas: tuple[float, float], correlations: tuple[float, float], spread_ratio: float
) -> np.ndarray:
    """The parts of the covariance of two areas, for scores that are normal and correlate within each class.

    spread_ratio: the standard deviation of the positives' scores over that of the negatives'. With two equal
    areas and correlations of 1 it is the variance.

    Whether a pair is in order depends on the difference of its scores, which is normal. The differences of
    two pairs that share a case, or both, correlate by the share of their variance that is of this case, times
    the correlation of its two scores.
    """
    h, k = (NORMAL.inv_cdf(area) for area in areas)
    share = spread_ratio**2 / (1 + spread_ratio**2)  # the positives' part of the variance of a difference
    by_positive, by_negative = share * correlations[0], (1 - share) * correlations[1]
    return np.array([joint_excess(h, k, r) for r in (by_positive + by_negative, by_negative, by_positive)])


def joint_excess(h: float, k: float, correlation: float) -> float:
    """P(X <= h, Y <= k) - P(X <= h) P(Y <= k) of standard normal X and Y.

    1 / (2 pi) times the integral of exp(-(h^2 + k^2 - 2 h k sin t) / (2 cos^2 t)) from 0 to
    arcsin(correlation).
    Source: Drezner and Wesolowsky (1990), Journal of Statistical Computation and
    Simulation 35, 101-107, Eq. 3.
    """
    nodes, weights = _gauss()
    top = asin(min(correlation, 1.0))
    t = top / 2 * (1 + nodes)
    return (
        float(weights @ np.exp(-(h * h + k * k - 2 * h * k * np.sin(t)) / (2 * np.cos(t) ** 2)))
        * top
        / (4 * pi)
    )


@cache
def _gauss() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(NODES)


def _correlations(value: Any) -> tuple[float, float]:
    pair = value if isinstance(value, (tuple, list)) else (value, value)
    if len(pair) != 2:
        raise InputError(
            "invalid-value",
            "correlation",
            "give one number, or two: within the positives and within the negatives",
        )
    a, b = (validate.number(each, "correlation", 0.0, 1.0) for each in pair)
    if 1.0 in (a, b):
        raise InputError(
            "invalid-value",
            "correlation",
            "1 means that both models rank a class alike",
            "give numbers below 1",
        )
    return a, b
