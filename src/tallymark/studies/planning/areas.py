"""The area under the ROC curve of one model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from math import ceil, exp, log
from typing import Any

import numpy as np

from ...inference.intervals.area import FEW_MISPLACED
from ...inference.intervals.delong import hanley_mcneil_variance
from ...inference.intervals.scale import normal_quantile
from ...input import validate
from ...input.calls import public
from ...input.spelling import option
from ...input.validate import InputError
from .clusters import clusters_of, in_clusters
from .design import Design, Sizes, sampled
from .plan import ASSURANCE, INDEPENDENT, Plan, not_beyond, power_of, share_of
from .search import MOST
from .variances import binormal

STEP = 1e-4  # of a numerical slope, on the logit scale
VARIANCES = ("binormal", "hanley-mcneil")
LARGE_SAMPLE = "The power is that of large samples; that of small ones is up to 0.03 higher"
FEWER = (
    "Fewer cases may do, but then few are misplaced, evaluate gives another and wider interval, and nothing"
    " is planned for that"
)
EXPONENTIAL = "On some scale the scores are exponential in each class"


@public()
def roc_auc(
    *,
    expected: float,
    width: float | None = None,
    at_least: float | None = None,
    power: float | None = None,
    level: float = 0.95,
    variance: str = "binormal",
    spread_ratio: float = 1.0,
    prevalence: float | None = None,
    negatives_per_positive: float | None = None,
    assurance: float = ASSURANCE,
    design: str = "cohort",
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
) -> Plan:
    """Number of cases that show an area under the ROC curve.

    Parameters
    ----------
    expected : float
        True area, in (0, 1).
    width : float, optional
        Goal: an interval no wider, from its low to its high end, for the expected area.
    at_least : float, optional
        The other goal: the low end of the interval reaches this limit (0.5: better than guessing).
    power : float, optional
        Chance of that, 0.8 unless given.
    level : float, default 0.95
        Confidence level of the two-sided interval.
    variance : {"binormal", "hanley-mcneil"}
        "binormal": exact for scores that on some scale are normal in each class; "hanley-mcneil": for
        exponential ones.
    spread_ratio : float, default 1
        Standard deviation of the scores of positives over that of the negatives, of binormal scores.
    prevalence : float, optional
        Share of positives where cases are taken as they come: the number to collect is then enough with the
        probability assurance.
    negatives_per_positive : float, optional
        1 unless given: the numbers of each class, however they come in.
    assurance : float, default 0.95
        Probability with which enough cases of each class come in.
    design : {"cohort", "case-control"}
        "case-control": as many of each class are taken as prevalence or negatives_per_positive gives, and
        nothing is left to chance.
    cluster_size, icc, cv : float, optional
        Where cases come in clusters, as several of one patient: how many of those in question a cluster has
        on average, their correlation within a cluster, and the standard deviation of the sizes over their
        mean (0 unless given).

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        Unless exactly one goal is given, for power with width, where the limit is not below what is expected,
        and where more than 10^9 cases would be needed.

    Notes
    -----
    The interval is that of `evaluate`: DeLong's on the logit scale. Its estimated standard error grows with
    the estimated area, which the power follows to first order; simulation finds that of small samples up to
    0.03 higher (docs/planning.md). Where fewer than two cases of the smaller class are misplaced, `evaluate`
    gives another, wider interval: no plan has fewer on average. The variance of an area is that of the class
    sizes that come in, so that the numbers of each class are good for both designs.

    With clusters the numbers are multiplied by the design effect 1 + ((cv^2 + 1) cluster_size - 1) icc, and
    by what Student's t takes for that many clusters. Here the cases of a cluster are of one class, and icc is
    the correlation of the shares of the other class that they exceed; of clusters that hold both classes the
    number is cautious, for what all scores of a cluster share moves the area less.

    Differs: pROC's power.roc.test is of a test on the plain scale, with the variance of ordinal ratings.

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
    level = validate.level(level)
    area, z = share_of(expected, "expected"), normal_quantile(level)
    kind = validate.one_of({"width": width, "at_least": at_least})
    limit = share_of(width if kind == "width" else at_least, kind)
    spread = spread_of(spread_ratio, validate.choice(variance, VARIANCES, "variance"))
    enough_cases(area)
    group = clusters_of(cluster_size, icc, cv)
    shape, cases = (
        Shape.of(area, variance, spread, z),
        sampled(prevalence, negatives_per_positive, assurance, design),
    )
    interval = f"{100 * level:.4g}% interval"
    if kind == "width":
        without_power(power)
        goal, wanted = f"a {interval} no wider than {limit:g} (from low to high)", None
    else:
        not_beyond(limit, area, kind, True)
        goal, wanted = f"the low end of the {interval} at least {limit:g}", power_of(power)
    sizes, reached = _sizes(shape, cases, limit, wanted)
    low, high = shape.interval(sizes.positives, sizes.negatives)
    scores = normal_scores(spread) if variance == "binormal" else EXPONENTIAL
    few = [FEWER] if min(sizes.positives, sizes.negatives) == shape.fewest else []
    found = Plan(
        f"An area under the ROC curve expected to be {area:g}: {goal}", sizes.positives + sizes.negatives,
        float(level), "delong-logit", power=reached, interval=(float(low), float(high)),
        assumptions=(scores, *([] if reached is None else [LARGE_SAMPLE]), *few, INDEPENDENT),
        **asdict(sizes),
    )  # fmt: skip
    return in_clusters(found, group, z, wanted)


def _sizes(shape: Shape, cases: Design, limit: float, power: float | None) -> tuple[Sizes, float | None]:
    """The smallest sizes whose interval is no wider than the limit, or with a power reaches it; and the power
    that they have."""
    if power is None:
        return cases.sizes(lambda p, n: shape.fits(p, n) & (shape.width(p, n) <= limit), "width"), None
    sizes = cases.sizes(lambda p, n: shape.fits(p, n) & (shape.power(p, n, limit) >= power), "at_least")
    return sizes, float(shape.power(sizes.positives, sizes.negatives, limit))


@dataclass(frozen=True)
class Shape:
    """An area, the variance of its estimate, and the same a little below and above it on the logit scale; z:
    of the level."""

    areas: tuple[float, ...]
    variances: tuple[Callable[[Any, Any], Any], ...]
    z: float

    @classmethod
    def of(cls, area: float, variance: str, spread: float, z: float) -> Shape:
        """By the name of the variance."""
        areas = tuple(_expit(_logit(area) + step) for step in (-STEP, 0.0, STEP))
        of = (
            partial(partial, hanley_mcneil_variance)
            if variance == "hanley-mcneil"
            else partial(binormal, spread_ratio=spread)
        )
        return cls(areas, tuple(map(of, areas)), z)

    @property
    def fewest(self) -> int:
        """Cases of the smaller class, of which so many are misplaced on average that the interval is
        DeLong's."""
        area = self.areas[1]
        return ceil(FEW_MISPLACED / min(area, 1 - area) - 1e-9)

    def fits(self, positives: Any, negatives: Any) -> Any:
        """Whether there are."""
        return np.minimum(positives, negatives) >= self.fewest

    def _errors(self, positives: Any, negatives: Any) -> list[Any]:
        """Standard errors of the logits."""
        known = zip(self.areas, self.variances, strict=True)
        return [np.sqrt(variance(positives, negatives)) / (area * (1 - area)) for area, variance in known]

    def error(self, positives: Any, negatives: Any) -> Any:
        """The standard error of the area."""
        return np.sqrt(self.variances[1](positives, negatives))

    def interval(self, positives: Any, negatives: Any) -> tuple[Any, Any]:
        """As expected."""
        centre, step = _logit(self.areas[1]), self.z * self._errors(positives, negatives)[1]
        return _expit(centre - step), _expit(centre + step)

    def width(self, positives: Any, negatives: Any) -> Any:
        """From its low to its high end."""
        low, high = self.interval(positives, negatives)
        return high - low

    def power(self, positives: Any, negatives: Any, limit: float) -> Any:
        """The chance that the low end of the interval reaches the limit.

        The low end is u - z s(u), where the estimated logit u is about normal around the true one with
        standard deviation s. To first order it moves by 1 - z s' when u moves by 1; where that is 0 or less
        there are too few cases for this, and it is 0.
        """
        from scipy.special import ndtr

        below, error, above = self._errors(positives, negatives)
        follows = 1 - self.z * (above - below) / (2 * STEP)
        room = _logit(self.areas[1]) - _logit(limit) - self.z * error
        return np.where(follows > 0, ndtr(room / (error * np.where(follows > 0, follows, 1.0))), 0.0)


def enough_cases(area: float, role: str = "expected") -> None:
    """Raises InputError where even the fewest cases that an interval takes are more than are planned for."""
    if FEW_MISPLACED / min(area, 1 - area) > MOST:
        raise InputError(
            "no-result",
            role,
            f"{area:g} would take more than {MOST:.0e} cases",
            "give an area that is further from 0 and 1",
        )


def without_power(power: float | None) -> None:
    """Raises InputError where it was given."""
    if power is not None:
        raise InputError(
            "conflict",
            "power",
            "a width is planned for what is expected",
            "leave power out, or plan for a limit instead",
        )


def spread_of(ratio: float, variance: str = "binormal") -> float:
    """Of the standard deviations of normal scores."""
    found = validate.number(ratio, "spread_ratio", 0.01, 100.0)
    if found != 1 and variance != "binormal":
        raise InputError(
            "conflict",
            "spread_ratio",
            "it is of normal scores",
            f"with {option('variance', 'hanley-mcneil')} leave it out",
        )
    return found


def normal_scores(spread: float) -> str:
    """What is assumed of them."""
    alike = (
        "with the same spread"
        if spread == 1
        else f"the positives' with {spread:g} times the standard deviation"
    )
    return f"On some scale the scores are normal in each class, {alike}"


def _logit(p: float) -> float:
    return log(p / (1 - p))


def _expit(x: Any) -> Any:
    return 1 / (1 + (np.exp(-x) if np.ndim(x) else exp(-x)))
