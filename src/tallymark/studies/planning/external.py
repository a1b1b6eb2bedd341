"""External validation of a prediction model with a binary outcome.

The criteria are calibration, the area under the ROC curve, and net benefit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import asinh, ceil, exp
from typing import Any

from ...inference.intervals.delong import newcombe_variance
from ...inference.intervals.scale import normal_quantile
from ...input import validate
from ...input.calls import public
from ...input.options import Design
from ...input.spelling import option
from ...input.validate import InputError
from .clusters import Clusters, clusters_of
from .design import is_fixed
from .external_plan import Criterion, ExternalPlan
from .plan import INDEPENDENT, share_of
from .risks import Risks, risks
from .search import MOST, smallest

RATIO, SLOPE, AREA, BENEFIT = "observed/expected", "calibration_slope", "roc_auc", "standardised net benefit"
CALIBRATED = "The probabilities are calibrated: a slope of 1, and as many positives as they add up to"
LARGE = (
    "The intervals are those of large samples, value +- z standard errors; of observed/expected on the log"
    " scale"
)
NO_MIX = "calibration and net benefit depend on the prevalence, which a case-control design fixes"
APART = 0.1  # relative difference of mean probability and prevalence, from which on there is a note


@public()
def external_validation(
    *,
    prevalence: float | None = None,
    auc: float | None = None,
    logit_normal: tuple[float, float] | None = None,
    probability_beta: tuple[float, float] | None = None,
    probabilities: object = None,
    ratio_width: float | None = 0.2,
    slope_width: float | None = 0.2,
    auc_width: float | None = 0.1,
    threshold: float | None = None,
    sensitivity: float | None = None,
    specificity: float | None = None,
    net_benefit_width: float = 0.2,
    level: float = 0.95,
    cluster_size: float | None = None,
    icc: float | None = None,
    cv: float | None = None,
    design: Design = "cohort",
) -> ExternalPlan:
    """Number of cases needed for the external validation of a prediction model.

    The outcome is binary. There are four criteria, each the width of an interval; the largest number counts.
    Calibration is assumed to be perfect.

    Four criteria, each the width of an interval; the largest number counts. Calibration is taken to be
    perfect.

    Parameters
    ----------
    prevalence : float, optional
        Proportion of positives in the population of the validation, by default the mean of the probabilities.
    auc : float, optional
        Expected area under the ROC curve, by default the one that the distribution of the probabilities
        implies.
    logit_normal : (mean, standard deviation), optional
        Parameters of a normal distribution of the logits of the probabilities in that population.
    probability_beta : (a, b), optional
        Parameters of a beta distribution of the probabilities.
    probabilities : array_like, optional
        Probabilities of a sample of that population. Without any of these three `prevalence` and `auc` are
        needed, and the logits are assumed to be normal in each class, with the same variance.
    ratio_width, slope_width, auc_width : float or None, default 0.2, 0.2 and 0.1
        Largest widths, from low to high, of the intervals of observed/expected, of the calibration slope and
        of the area; None leaves one out.
    threshold : float, optional
        Threshold of the probability at which the model will be used: adds the standardised net benefit (net
        benefit / prevalence).
    sensitivity, specificity : float, optional
        Expected rates at the threshold, by default those which the distribution implies.
    net_benefit_width : float, default 0.2
        Largest width of the interval of the standardised net benefit.
    level : float, default 0.95
        Confidence level of the intervals.
    cluster_size, icc, cv : float, optional
        Cases that come in clusters, such as hospitals: see `roc_auc`.
    design : {"cohort"}, default "cohort"
        Observed/expected, the intercept and net benefit have no meaning where the class sizes are fixed, so
        that "case-control" is refused; `roc_auc` plans for the area.

    Returns
    -------
    ExternalPlan

    Raises
    ------
    InputError
        Where the distribution is not given in one way, where nothing is planned, for sensitivity without
        threshold, where more than 10^9 cases would be needed, and for design="case-control".

    Notes
    -----
    SE(log O/E)^2 = (1 - prevalence) / (n prevalence); SE(slope)^2 = I_a / (n (I_a I_b - I_ab^2)) with the
    information I = E p(1-p) (1, logit p, (logit p)^2) of one case; the area by Newcombe's variance; of the
    net benefit SE^2 = (se (1 - se) / prevalence + w^2 sp (1 - sp) / (1 - prevalence) + w^2 (1 - sp)^2 /
    (prevalence (1 - prevalence))) / n with w = (1 - prevalence) / prevalence * threshold / (1 - threshold).
    `roc_auc` plans for the interval of the area that `evaluate` gives.

    References
    ----------
    Riley, Debray, Collins et al. (2021), Statistics in Medicine 40, 4230-4251. Newcombe (2006), Statistics in
    Medicine 25, 559-573.

    Examples
    --------
    >>> from tallymark import planning
    >>> planning.external_validation(prevalence=0.2, auc=0.8).n
    2671
    """
    if is_fixed(design):
        raise InputError("unsupported", "design", NO_MIX, "plan a cohort, or the area alone with roc_auc")
    level = validate.level(level)
    given = None if auc is None else share_of(auc, "auc")
    found, share = risks(prevalence, given, logit_normal, probability_beta, probabilities)
    area = found.area if given is None else given
    planned = _Planned(found, share, area, normal_quantile(level), clusters_of(cluster_size, icc, cv))
    widths = ((planned.ratio, ratio_width), (planned.slope, slope_width), (planned.auc, auc_width))
    rates = _rates(found, threshold, sensitivity, specificity)
    criteria = [planned_for(width) for planned_for, width in widths if width is not None]
    if rates is not None:
        criteria.append(planned.net_benefit(net_benefit_width, *rates))
    if not criteria:
        raise InputError(
            "needed",
            "ratio_width, slope_width, auc_width",
            "nothing is planned",
            f"give one of them, or {option('threshold')}",
        )
    n = max(one.n for one in criteria)
    group = planned.clusters
    differs = abs(found.mean - share) > APART * share
    mean = (
        [f"The probabilities have a mean of {found.mean:.4g}, which is not the prevalence given: check both"]
        if differs
        else []
    )
    said = (found.said, *mean, CALIBRATED, LARGE, *((INDEPENDENT,) if group is None else group.said(n)))
    effect, number = (None, None) if group is None else (group.effect, group.number(n))
    return ExternalPlan(
        n, ceil(n * share - 1e-9), share, float(level), tuple(criteria), effect, number, design, said
    )


Ends = Callable[[float], tuple[float, float]]  # the ends of an interval, from its half-width


@dataclass(frozen=True)
class _Planned:
    """The criteria, each a function of the width asked for."""

    risks: Risks
    prevalence: float
    area: float
    z: float
    clusters: Clusters | None

    def ratio(self, width: float) -> Criterion:
        """O/E, on the log scale: exp(z SE) - exp(-z SE) = width."""
        error = asinh(_wide(width, "ratio_width", 100.0) / 2) / self.z
        one = (1 - self.prevalence) / self.prevalence
        return self._found(RATIO, 1.0, width, error, one, lambda step: (exp(-step), exp(step)))

    def slope(self, width: float) -> Criterion:
        """From the information of one case."""
        a, both, b = self.risks.information
        error = _wide(width, "slope_width", 100.0) / 2 / self.z
        return self._found(SLOPE, 1.0, width, error, a / (a * b - both**2))

    def auc(self, width: float) -> Criterion:
        """By Newcombe's variance, which is not exactly proportional to 1 / n."""
        area = self.area
        error = _wide(width, "auc_width", 1.0) / 2 / self.z

        def narrow(n: int) -> bool:
            return bool(newcombe_variance(area, n * self.prevalence, n * (1 - self.prevalence)) <= error**2)

        return self._criterion(
            AREA,
            area,
            width,
            error,
            smallest(narrow, "auc_width", 2),
            lambda step: (area - step, area + step),
        )

    def net_benefit(
        self, width: float, threshold: float, sensitivity: float, specificity: float
    ) -> Criterion:
        """The net benefit over the prevalence."""
        share, wrong = self.prevalence, 1 - specificity
        w = (1 - share) / share * threshold / (1 - threshold)
        one = sensitivity * (1 - sensitivity) / share + w**2 * (
            specificity * wrong / (1 - share) + wrong**2 / share / (1 - share)
        )
        error = _wide(width, "net_benefit_width", 100.0) / 2 / self.z
        return self._found(BENEFIT, sensitivity - w * wrong, width, error, one)

    def _found(
        self, measure: str, expected: float, width: float, error: float, one: float, ends: Ends | None = None
    ) -> Criterion:
        """A criterion. one: the variance of a single case."""
        n = one / error**2
        if n > MOST:
            raise InputError("no-result", measure, "more than 10^9 cases would be needed", "ask for less")
        return self._criterion(
            measure,
            expected,
            width,
            error,
            max(ceil(n - 1e-9), 2),
            ends or (lambda step: (expected - step, expected + step)),
        )

    def _criterion(
        self, measure: str, expected: float, width: float, error: float, n: int, ends: Ends
    ) -> Criterion:
        cases = n if self.clusters is None else self.clusters.cases(n, self.z)
        return Criterion(measure, expected, float(width), error, cases, ends(self.z * error))


def _wide(width: Any, role: str, most: float) -> float:
    return validate.number(width, role, 1e-6, most)


def _rates(
    found: Risks, threshold: Any, sensitivity: Any, specificity: Any
) -> tuple[float, float, float] | None:
    """The threshold and the rates there, None without a threshold."""
    if threshold is None:
        for role, value in (("sensitivity", sensitivity), ("specificity", specificity)):
            if value is not None:
                raise InputError(
                    "conflict",
                    role,
                    "it is that at a threshold",
                    f"give {option('threshold')}, or leave it out",
                )
        return None
    at = share_of(threshold, "threshold")
    implied = found.rates(at)
    rates = zip(("sensitivity", "specificity"), (sensitivity, specificity), implied, strict=True)
    a, b = (one if value is None else validate.number(value, role, 0.0, 1.0) for role, value, one in rates)
    return at, a, b
