"""The number of cases for the area under the ROC curve of one model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from math import ceil, exp, log
from typing import Any, Literal, get_args

import numpy as np

from ...inference.intervals.area import FEW_MISPLACED
from ...inference.intervals.delong import hanley_mcneil_variance
from ...inference.intervals.scale import normal_quantile
from ...input import validate
from ...input.calls import public
from ...input.options import Design
from ...input.spelling import option
from ...input.validate import InputError
from .clusters import clusters_of, in_clusters
from .design import Sampling, Sizes, sampled
from .plan import ASSURANCE, INDEPENDENT, Plan, not_beyond, power_of, share_of
from .search import MOST
from .variances import binormal

STEP = 1e-4  # step of a numerical derivative, on the logit scale
AreaVariance = Literal["binormal", "hanley-mcneil"]
VARIANCES = get_args(AreaVariance)
LARGE_SAMPLE = "The power is that of large samples; that of small ones is up to 0.03 higher"
FEWER = (
    "Fewer cases may be enough, but then few are misplaced and evaluate gives another, wider interval, for"
    " which there is no plan"
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


def _sizes(shape: Shape, cases: Sampling, limit: float, power: float | None) -> tuple[Sizes, float | None]:
    """The smallest sizes that meet the goal, and the power that they have.

    Either the interval is no wider than the limit, or it reaches the limit with the power asked for.
    """
    if power is None:
        return cases.sizes(lambda p, n: shape.fits(p, n) & (shape.width(p, n) <= limit), "width"), None
    sizes = cases.sizes(lambda p, n: shape.fits(p, n) & (shape.power(p, n, limit) >= power), "at_least")
    return sizes, float(shape.power(sizes.positives, sizes.negatives, limit))


@dataclass(frozen=True)
class Shape:
    """An expected area, the variance of its estimate, and the same a little below and above it.

    Below and above are on the logit scale; z: the normal quantile of the level.
    """

    areas: tuple[float, ...]
    variances: tuple[Callable[[Any, Any], Any], ...]
    z: float

    @classmethod
    def of(cls, area: float, variance: str, spread: float, z: float) -> Shape:
        """From the name of the variance."""
        areas = tuple(_expit(_logit(area) + step) for step in (-STEP, 0.0, STEP))
        of = (
            partial(partial, hanley_mcneil_variance)
            if variance == "hanley-mcneil"
            else partial(binormal, spread_ratio=spread)
        )
        return cls(areas, tuple(map(of, areas)), z)

    @property
    def fewest(self) -> int:
        """The fewest cases of the smaller class: with fewer the interval is not DeLong's.

        That depends on how many cases are misplaced on average.
        """
        area = self.areas[1]
        return ceil(FEW_MISPLACED / min(area, 1 - area) - 1e-9)

    def fits(self, positives: Any, negatives: Any) -> Any:
        """Whether there are enough for DeLong's interval."""
        return np.minimum(positives, negatives) >= self.fewest

    def _errors(self, positives: Any, negatives: Any) -> list[Any]:
        """Standard errors of the logits of the three areas."""
        known = zip(self.areas, self.variances, strict=True)
        return [np.sqrt(variance(positives, negatives)) / (area * (1 - area)) for area, variance in known]

    def error(self, positives: Any, negatives: Any) -> Any:
        """The standard error of the area."""
        return np.sqrt(self.variances[1](positives, negatives))

    def interval(self, positives: Any, negatives: Any) -> tuple[Any, Any]:
        """The interval for the expected area."""
        centre, step = _logit(self.areas[1]), self.z * self._errors(positives, negatives)[1]
        return _expit(centre - step), _expit(centre + step)

    def width(self, positives: Any, negatives: Any) -> Any:
        """The width of this interval, from its low to its high end."""
        low, high = self.interval(positives, negatives)
        return high - low

    def power(self, positives: Any, negatives: Any, limit: float) -> Any:
        """The probability that the low end of the interval reaches the limit.

        The low end is u - z s(u), where the estimated logit u is about normal around the true one with
        standard deviation s. To first order it changes by 1 - z s' when u changes by 1; where that is 0 or
        less there are too few cases for this approximation, and the power is 0.
        """
        from scipy.special import ndtr

        below, error, above = self._errors(positives, negatives)
        follows = 1 - self.z * (above - below) / (2 * STEP)
        room = _logit(self.areas[1]) - _logit(limit) - self.z * error
        return np.where(follows > 0, ndtr(room / (error * np.where(follows > 0, follows, 1.0))), 0.0)


def enough_cases(area: float, role: str = "expected") -> None:
    """Raises InputError where even the fewest cases for an interval are more than can be planned."""
    if FEW_MISPLACED / min(area, 1 - area) > MOST:
        raise InputError(
            "no-result",
            role,
            f"{area:g} would need more than {MOST:.0e} cases",
            "give an area that is further from 0 and 1",
        )


def without_power(power: float | None) -> None:
    """Raises InputError where a power was given."""
    if power is not None:
        raise InputError(
            "conflict",
            "power",
            "a width is planned for what is expected",
            "leave power out, or plan for a limit instead",
        )


def spread_of(ratio: float, variance: str = "binormal") -> float:
    """The ratio of the standard deviations of normal scores, checked."""
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
    """The assumption about them, in words."""
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
