"""External validation of a prediction model with a binary outcome.

The criteria are calibration, the area under the ROC curve, and net benefit, from the distribution of the
predicted probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import asinh, ceil, exp, sqrt
from typing import Any

import numpy as np

from ...inference.intervals.delong import newcombe_variance
from ...inference.intervals.scale import normal_quantile
from ...input import columns, validate
from ...input.calls import public
from ...input.options import Design
from ...input.results import Answer, ByName, Result, Tabular, head, rows_of
from ...input.spelling import option
from ...input.validate import InputError
from .plan import INDEPENDENT, MOST, TOO_MANY, Clusters, is_fixed, share_of, smallest

POINTS = 20_001  # quantiles that approximate a distribution
MIDDLES = (np.arange(POINTS) + 0.5) / POINTS
CALIBRATED = "The probabilities are calibrated: a slope of 1, and as many positives as they add up to"
LARGE = (
    "The intervals are those of large samples, value +- z standard errors; of observed/expected on the log"
    " scale"
)
NO_MIX = "calibration and net benefit depend on the prevalence, which a case-control design fixes"
APART = 0.1  # relative difference of mean probability and prevalence, from which on there is a note


@dataclass(frozen=True, repr=False)
class Criterion(Result):
    """The number of cases that one measure needs.

    Attributes
    ----------
    measure : str
        Its name.
    expected : float
        Its expected value.
    width : float
        The width asked for, from the low to the high end of the interval.
    standard_error : float
        The standard error that gives this width, of observed/expected on the log scale.
    n : int
        Number of cases.
    interval : pair of float
        The interval to expect with n cases.
    """

    measure: str
    expected: float
    width: float
    standard_error: float
    n: int
    interval: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {**asdict(self), "interval": list(self.interval)}


@dataclass(frozen=True, repr=False)
class ExternalPlan(ByName, Answer, Tabular):
    """The number of cases that an external validation needs.

    `plan["roc_auc"]` is the criterion of that measure.

    Attributes
    ----------
    n : int
        Number of cases, the largest of any criterion.
    events : int
        Positives among them on average.
    prevalence : float
        Proportion of positives.
    criteria : tuple of Criterion
        One per measure.
    level : float
        Confidence level of the intervals, above 0 and below 1.
    assumptions : tuple of str
        What must hold.
    design_effect, clusters : float and int, or None
        The factor on the number of cases, and the number of clusters, where cases come in clusters.
    design : str
        Always "cohort".
    """

    ANSWER = "external_validation"
    FORM = "studies.external_plan"
    HOLDS = None  # it has no estimates

    n: int
    events: int
    prevalence: float
    level: float
    criteria: tuple[Criterion, ...]
    design_effect: float | None = None
    clusters: int | None = None
    design: str = "cohort"
    assumptions: tuple[str, ...] = ()

    def keys(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(criterion.measure for criterion in self.criteria)

    def __getitem__(self, measure: str) -> Criterion:
        """The criterion of a measure, by name. Raises InputError for one that was not planned."""
        for criterion in self.criteria:
            if criterion.measure == measure:
                return criterion
        raise InputError(
            "unknown-name",
            None,
            f"{validate.shown(measure)} was not planned",
            f"there are {', '.join(self.keys())}",
            value=measure,
        )

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, one per criterion."""
        return rows_of(
            {**each, **dict(zip(("low", "high"), each["interval"], strict=True))}
            for each in plain["criteria"]
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        criteria = [criterion.to_dict() for criterion in self.criteria]
        return {
            **head(self.ANSWER),
            **asdict(self),
            "criteria": criteria,
            "assumptions": list(self.assumptions),
        }


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
    z, clusters = normal_quantile(level), Clusters.of(cluster_size, icc, cv)
    area = None if auc is None else share_of(auc, "auc")
    share = None if prevalence is None else share_of(prevalence, "prevalence")
    risks = risks_of(share, area, logit_normal, probability_beta, probabilities)
    share = risks.mean if share is None else share
    area = risks.area if area is None else area
    a, both, b = risks.information
    widths = {
        "ratio_width": (ratio_width, 100.0),
        "slope_width": (slope_width, 100.0),
        "auc_width": (auc_width, 1.0),
    }
    # measure, value, and the variance with one case, None where it is not proportional to 1 / n
    rows: dict[str, tuple[str, float, float | None]] = {
        "ratio_width": ("observed/expected", 1.0, (1 - share) / share),
        "slope_width": ("calibration_slope", 1.0, a / (a * b - both**2)),
        "auc_width": ("roc_auc", area, None),
    }
    if threshold is not None:
        rates = risks.rates(share_of(threshold, "threshold"))
        sens, spec = (
            implied if value is None else validate.number(value, role, 0.0, 1.0)
            for role, value, implied in zip(
                ("sensitivity", "specificity"), (sensitivity, specificity), rates, strict=True
            )
        )
        widths["net_benefit_width"] = net_benefit_width, 100.0
        w, wrong = (1 - share) / share * threshold / (1 - threshold), 1 - spec
        rows["net_benefit_width"] = (
            "standardised net benefit",
            sens - w * wrong,
            sens * (1 - sens) / share + w**2 * (spec * wrong / (1 - share) + wrong**2 / share / (1 - share)),
        )
    for role, value in (("sensitivity", sensitivity), ("specificity", specificity)):
        if threshold is None and value is not None:
            raise InputError(
                "conflict", role, "it is that at a threshold", f"give {option('threshold')}, or leave it out"
            )
    criteria = []
    for argument, (given, most) in widths.items():
        if given is None:
            continue
        measure, value, variance = rows[argument]
        half = validate.number(given, argument, 1e-6, most) / 2
        log = argument == "ratio_width"  # exp(z SE) - exp(-z SE) = width
        step = asinh(half) if log else half
        error = step / z
        if variance is None:
            n = smallest(
                lambda n, error=error: bool(newcombe_variance(area, n * share, n * (1 - share)) <= error**2),  # type: ignore[misc]
                argument,
                2,
            )
        elif variance / error**2 > MOST:
            raise InputError("no-result", measure, TOO_MANY, "ask for less")
        else:
            n = max(ceil(variance / error**2 - 1e-9), 2)
        n = n if clusters is None else clusters.cases(n, z)
        ends = (exp(-step), exp(step)) if log else (value - step, value + step)
        criteria.append(Criterion(measure, value, float(given), error, n, ends))
    if not criteria:
        raise InputError(
            "needed",
            "ratio_width, slope_width, auc_width",
            "nothing is planned",
            f"give one of them, or {option('threshold')}",
        )
    n = max(criterion.n for criterion in criteria)
    mean = f"The probabilities have a mean of {risks.mean:.4g}, which is not the prevalence given: check both"
    return ExternalPlan(
        n,
        ceil(n * share - 1e-9),
        share,
        float(level),
        tuple(criteria),
        None if clusters is None else clusters.effect,
        None if clusters is None else clusters.number(n),
        design,
        (
            risks.assumption,
            *([mean] if abs(risks.mean - share) > APART * share else []),
            CALIBRATED,
            LARGE,
            *((INDEPENDENT,) if clusters is None else clusters.assumptions(n)),
        ),
    )


@dataclass(frozen=True, eq=False)
class Risks:
    """The distribution of the predicted probabilities of a model.

    Probabilities in ascending order, without ties, with weights that add up to 1; assumption: what they are
    based on, in words.
    """

    probability: np.ndarray
    weight: np.ndarray
    assumption: str

    @classmethod
    def of(cls, probability: np.ndarray, assumption: str, weight: np.ndarray | None = None) -> Risks:
        """Sorted, with ties merged."""
        values, place = np.unique(probability, return_inverse=True)
        weights = np.bincount(place, weight, len(values))
        return cls(values, weights / weights.sum(), assumption)

    @property
    def mean(self) -> float:
        """The prevalence, if the probabilities are calibrated."""
        return float(self.weight @ self.probability)

    @property
    def classes(self) -> tuple[np.ndarray, np.ndarray]:
        """The distribution within the positives and within the negatives, if they are calibrated."""
        both = self.weight * self.probability, self.weight * (1 - self.probability)
        return both[0] / both[0].sum(), both[1] / both[1].sum()

    @property
    def area(self) -> float:
        """The area under the ROC curve, if the probabilities are calibrated."""
        positive, negative = self.classes
        return float(positive @ (np.cumsum(negative) - negative / 2))

    def rates(self, threshold: float) -> tuple[float, float]:
        """The sensitivity and the specificity at a threshold, if the probabilities are calibrated."""
        positive, negative = self.classes
        above = self.probability >= threshold
        return float(positive[above].sum()), float(negative[~above].sum())

    @property
    def information(self) -> tuple[float, float, float]:
        """The information of one case on the logistic recalibration: intercept, both, and slope.

        It is E p(1-p) (1, logit p, (logit p)^2).
        """
        from scipy.special import logit

        inside = (self.probability > 0) & (self.probability < 1)
        p, weight = self.probability[inside], self.weight[inside]
        known, x = weight * p * (1 - p), logit(p)
        return float(known.sum()), float(known @ x), float(known @ x**2)


def risks_of(
    share: float | None, area: float | None, logit_normal: Any, probability_beta: Any, probabilities: Any
) -> Risks:
    """The distribution, from the arguments given."""
    from scipy.special import betaincinv, expit, logit, ndtri

    given = {
        "logit_normal": logit_normal,
        "probability_beta": probability_beta,
        "probabilities": probabilities,
    }
    if any(value is not None for value in given.values()):
        kind = validate.one_of(given)
        if kind == "logit_normal":
            mean, spread = _pair(logit_normal, kind, (-50.0, 1e-6), (50.0, 50.0))
            words = (
                f"The logits of the probabilities are normal with mean {mean:g} and standard deviation"
                f" {spread:g}"
            )
            return Risks.of(expit(mean + spread * ndtri(MIDDLES)), words)
        if kind == "probability_beta":
            a, b = _pair(probability_beta, kind, (1e-3, 1e-3), (1e6, 1e6))
            words = f"The probabilities follow a beta distribution with parameters {a:g} and {b:g}"
            return Risks.of(betaincinv(a, b, MIDDLES), words)
        return _sample(probabilities)
    if share is None or area is None:
        raise InputError(
            "needed",
            "prevalence, auc",
            "both are needed where the distribution of the probabilities is not given",
            f"or give it, as {option('logit_normal', (-2, 1))}",
        )
    if area <= 0.5:
        raise InputError(
            "invalid-value",
            "auc",
            f"{area:g} does not determine the probabilities",
            "give one above 0.5, or their distribution",
        )
    apart = 2 * ndtri(area) ** 2  # the variance, and the distance of the means
    values = logit(share) - apart / 2 + sqrt(apart) * ndtri(MIDDLES)
    words = (
        "The logits of the probabilities are normal in each class with the same variance, as the prevalence"
        " and the area imply"
    )
    weights = np.repeat([1 - share, share], POINTS)
    return Risks.of(expit(np.concatenate([values, values + apart])), words, weights)


def _sample(given: Any) -> Risks:
    column = columns.read(given, "probabilities")
    values = np.asarray(validate.scores(column), np.float64)
    if len(values) < 2:
        raise InputError(
            "invalid-value",
            "probabilities",
            f"{validate.shown(given)} is not a sample",
            "give the probabilities of 2 cases or more",
        )
    bad = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(bad):
        raise InputError(
            "invalid-value",
            "probabilities",
            f"{values[bad[0]]:g} in {column.row(int(bad[0]))} is not a probability",
            "give numbers from 0 to 1",
            row=int(bad[0]),
            value=values[bad[0]],
        )
    if len(np.unique(values[(values > 0) & (values < 1)])) < 2:
        raise InputError(
            "invalid-value",
            "probabilities",
            "no two different ones lie between 0 and 1, and a slope needs them",
            "give others",
        )
    return Risks.of(values, f"The probabilities are distributed as in the sample of {len(values):,}")


def _pair(
    given: Any, role: str, least: tuple[float, float], most: tuple[float, float]
) -> tuple[float, float]:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise InputError(
            "invalid-value",
            role,
            f"{validate.shown(given)} is not two numbers",
            f"give two, as {role}=(-2, 1)",
        )
    first, second = (validate.number(one, role, *ends) for one, *ends in zip(given, least, most, strict=True))
    return first, second
