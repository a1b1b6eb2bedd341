"""The areas under the ROC curves of two models that score different cases."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ...inference.intervals.scale import normal_quantile
from ...input import validate
from ...input.calls import public
from ...input.options import Design
from .areas import (
    EXPONENTIAL,
    LARGE_SAMPLE,
    VARIANCES,
    AreaVariance,
    Shape,
    enough_cases,
    normal_scores,
    spread_of,
)
from .clusters import clusters_of, in_clusters
from .design import sampled
from .difference_of_areas import room_of, sizes_of_difference
from .plan import ASSURANCE, INDEPENDENT, Plan, share_of

TWO = 2


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
    areas, level = (share_of(first, "first"), share_of(second, "second")), validate.level(level)
    z, spread = (
        normal_quantile(level),
        spread_of(spread_ratio, validate.choice(variance, VARIANCES, "variance")),
    )
    for role, area in zip(("first", "second"), areas, strict=True):
        enough_cases(area, role)
    apart = Apart(Shape.of(areas[0], variance, spread, z), Shape.of(areas[1], variance, spread, z))
    cases, room = (
        sampled(prevalence, negatives_per_positive, assurance, design),
        room_of(areas, margin, width),
    )
    group = clusters_of(cluster_size, icc, cv)
    goal, sizes, reached, wanted = sizes_of_difference(apart, cases, room, margin, width, power, level)
    both = sizes.positives, sizes.negatives
    low, high = apart.interval(*both)
    scores = normal_scores(spread) if variance == "binormal" else EXPONENTIAL
    found = Plan(
        f"Areas under the ROC curve expected to be {areas[0]:g} and {areas[1]:g}, on different cases: {goal}",
        sum(both),
        float(level),
        "mover of delong-logit",
        power=reached,
        interval=(float(low), float(high)),
        sets=TWO,
        assumptions=(scores, *([] if reached is None else [LARGE_SAMPLE]), INDEPENDENT),
        **asdict(sizes),
    )
    return in_clusters(found, group, z, wanted)


@dataclass(frozen=True)
class Apart:
    """Two areas of different cases, with the same class sizes in both sets."""

    first: Shape
    second: Shape

    def fits(self, positives: Any, negatives: Any) -> Any:
        """Whether both intervals are DeLong's."""
        return self.first.fits(positives, negatives) & self.second.fits(positives, negatives)

    def interval(self, positives: Any, negatives: Any) -> tuple[Any, Any]:
        """The interval of the difference to expect."""
        (a, one), (b, other) = (
            (shape.areas[1], shape.interval(positives, negatives)) for shape in (self.first, self.second)
        )
        return a - b - np.hypot(a - one[0], other[1] - b), a - b + np.hypot(one[1] - a, b - other[0])

    def width(self, positives: Any, negatives: Any) -> Any:
        """The width of this interval, from its low to its high end."""
        low, high = self.interval(positives, negatives)
        return high - low

    def power(self, positives: Any, negatives: Any, room: float) -> Any:
        """The probability that the low end lies above the limit.

        room: the distance of the expected difference from the limit.
        """
        from scipy.special import ndtr

        low, _ = self.interval(positives, negatives)
        expected = self.first.areas[1] - self.second.areas[1]
        error = np.hypot(self.first.error(positives, negatives), self.second.error(positives, negatives))
        return ndtr((room - (expected - low)) / error)
