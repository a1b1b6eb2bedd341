"""The areas under the ROC curves of two models that score the same cases."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np

from ...inference.intervals.scale import normal_quantile
from ...input import validate
from ...input.calls import public
from ...input.options import Design
from ...input.validate import InputError
from .areas import normal_scores, spread_of
from .clusters import clusters_of, in_clusters
from .design import sampled
from .difference_of_areas import room_of, sizes_of_difference
from .plan import ASSURANCE, INDEPENDENT, Plan, share_of
from .variances import Parts, binormal, binormal_covariance

NEAREST = 1e-12  # distance of an area from 0 and 1
DELONG = "The power is that of large samples, of DeLong's two-sided test; that of small ones is higher"


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
    areas = share_of(first, "first"), share_of(second, "second")
    for role, area in zip(("first", "second"), areas, strict=True):
        if not NEAREST <= area <= 1 - NEAREST:
            raise InputError(
                "invalid-value",
                role,
                f"{area:g} is too close to 0 or 1",
                f"give an area from {NEAREST:g} to 1 - {NEAREST:g}",
            )
    level = validate.level(level)
    z, spread = normal_quantile(level), spread_of(spread_ratio)
    margin = validate.number(margin, "margin", 0.0, 1.0)
    group = clusters_of(cluster_size, icc, cv)
    pair = Pair(areas, _correlations(correlation), spread, z)
    cases, room = (
        sampled(prevalence, negatives_per_positive, assurance, design),
        room_of(areas, margin, width),
    )
    goal, sizes, reached, wanted = sizes_of_difference(pair, cases, room, margin, width, power, level)
    both = sizes.positives, sizes.negatives
    step = z * float(pair.error(*both))
    found = Plan(
        f"Areas under the ROC curve expected to be {areas[0]:g} and {areas[1]:g}, on the same cases: {goal}",
        sum(both),
        float(level),
        "delong",
        power=reached,
        interval=(max(areas[0] - areas[1] - step, -1.0), min(areas[0] - areas[1] + step, 1.0)),
        assumptions=(
            normal_scores(spread),
            pair.said(*both),
            *([] if reached is None else [DELONG]),
            INDEPENDENT,
        ),
        **asdict(sizes),
    )
    return in_clusters(found, group, z, wanted)


@dataclass(frozen=True)
class Pair:
    """Two expected areas, and how the scores of the two models correlate.

    correlations: within positives and within negatives; z: the normal quantile of the level.
    """

    areas: tuple[float, float]
    correlations: tuple[float, float]
    spread: float
    z: float

    @property
    def alone(self) -> list[Parts]:
        """The variance of each area."""
        return [binormal(area, self.spread) for area in self.areas]

    @property
    def shared(self) -> Parts:
        """The covariance of the two areas."""
        return binormal_covariance(self.areas, self.correlations, self.spread)

    def error(self, positives: Any, negatives: Any) -> Any:
        """The standard error of the difference."""
        one, other = self.alone
        return np.sqrt((one + other + self.shared * -2)(positives, negatives))

    def fits(self, positives: Any, negatives: Any) -> Any:
        """True: DeLong's interval is used for any numbers of cases."""
        return np.full(np.shape(positives), True)

    def width(self, positives: Any, negatives: Any) -> Any:
        """The width of the interval, from its low to its high end."""
        return 2 * self.z * self.error(positives, negatives)

    def power(self, positives: Any, negatives: Any, room: float) -> Any:
        """The probability that the low end of the interval lies above the limit.

        room: the distance of the expected difference from the limit.
        """
        from scipy.special import ndtr

        return ndtr(room / self.error(positives, negatives) - self.z)

    def said(self, positives: int, negatives: int) -> str:
        """The correlations of the scores, and of the areas, in words."""
        one, other = (parts(positives, negatives) for parts in self.alone)
        of_areas = self.shared(positives, negatives) / sqrt(one * other)
        a, b = self.correlations
        scores = f"{a:g} in each class" if a == b else f"{a:g} among positives and {b:g} among negatives"
        return f"The models' scores correlate by {scores}, and so the areas by {of_areas:.2f}"


def _correlations(given: Any) -> tuple[float, float]:
    pair = given if isinstance(given, (tuple, list)) else (given, given)
    if len(pair) != 2:
        raise InputError(
            "invalid-value",
            "correlation",
            "give one number, or two: within the positives and within the negatives",
        )
    a, b = (validate.number(one, "correlation", 0.0, 1.0) for one in pair)
    if 1.0 in (a, b):
        raise InputError(
            "invalid-value",
            "correlation",
            "1 means that both models rank a class alike",
            "give numbers below 1",
        )
    return a, b
