"""Association of the actual and the predicted class, beyond chance."""

from typing import Any

import numpy as np

from ...summaries import Counts
from ..registry import Leading, function_of, measure, ratio, within
from .likelihood import diagnostic_odds_ratio
from .rates import false_positive_rate, sensitivity


@measure(
    aka=("mcc", "phi", "matthews_corrcoef", "matthews_correlation_coefficient", "phi_coefficient", "r_phi"),
    range=(-1.0, 1.0),
    interval="smooth",
    headline=Leading(90, "MCC"),
    terms=("geometric_mean_of_the_regression_coefficients",),
)
def matthews_correlation(c: Counts) -> Any:
    """Correlation coefficient of the actual and the predicted class, each coded 0 and 1.

    (tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (fp + tn) (fn + tn)); its square is youden_j * markedness

    An alternative to f1 that counts true negatives.

    Undefined: no predicted positives (tp + fp = 0), no actual positives (tp + fn = 0), no actual negatives
    (fp + tn = 0), or no predicted negatives (fn + tn = 0).
    Source: Berrar, Def. 15; Tharwat, Eq. 11; Wikipedia.
    Differs: scikit-learn gives 0 where it is undefined.
    """
    # two square roots, since the product of all four margins would lose accuracy and could overflow
    margins = np.sqrt((c.tp + c.fp) * (c.tp + c.fn)) * np.sqrt((c.fp + c.tn) * (c.fn + c.tn))
    return within(ratio(c.tp * c.tn - c.fp * c.fn, margins), -1.0, 1.0)


@measure(
    aka=("kappa", "heidke_skill_score", "kap", "cohen_kappa_score", "kappa_statistic", "hss"),
    range=(-1.0, 1.0),
    interval="smooth",
    terms=("probability_of_random_agreement",),
)
def cohen_kappa(c: Counts) -> Any:
    """Agreement of the actual and the predicted class beyond chance, relative to the largest possible.

    (p_o - p_e) / (1 - p_e) = 2 (tp tn - fp fn) / ((tp + fp) (fp + tn) + (tp + fn) (fn + tn))

    An alternative to f1 that counts true negatives.

    Undefined: every case is a true positive (fp + fn + tn = 0), or every case is a true negative (tp + fp +
    fn = 0).
    Source: Berrar, Def. 24; as a skill score: Heidke (1926).
    Differs: the interval is that of Fleiss, Cohen and Everitt; epiR and PyCM have simpler ones.
    """
    return ratio(
        2 * (c.tp * c.tn - c.fp * c.fn), (c.tp + c.fp) * (c.fp + c.tn) + (c.tp + c.fn) * (c.fn + c.tn)
    )


@measure(
    aka=("gilbert_skill_score", "ets"),
    range=(-1 / 3, 1.0),
    interval=function_of(cohen_kappa, lambda k: k / (2 - k)),
)
def equitable_threat_score(c: Counts) -> Any:
    """Threat score (jaccard) corrected for the true positives expected by chance.

    (tp - r) / (tp + fp + fn - r), r = (tp + fp) (tp + fn) / (tp + fp + fn + tn)

    Undefined: every case is a true positive (fp + fn + tn = 0), or every case is a true negative (tp + fp +
    fn = 0).
    Source: Gilbert (1884); Schaefer (1990).
    """
    # multiplied by the number of cases, so that tp - r is a difference of products, not of rounded numbers
    beyond = c.tp * c.tn - c.fp * c.fn
    return within(ratio(beyond, beyond + (c.fp + c.fn) * c.total), -1 / 3, 1.0)


@measure(aka=("sedi", "symmetric_extremal_dependence_index"), range=(-1.0, 1.0), interval="score")
def symmetric_extremal_dependence(c: Counts) -> Any:
    """Association of the actual and the predicted class that stays informative for rare events.

    (log F - log H - log(1 - F) + log(1 - H)) / (log F + log H + log(1 - F) + log(1 - H)), H = sensitivity, F
    = false_positive_rate

    Where H or F is 0 or 1 it is the limit, 1 or -1.

    Undefined: no predicted positives (tp + fp = 0), no actual positives (tp + fn = 0), no actual negatives
    (fp + tn = 0), or no predicted negatives (fn + tn = 0).
    Source: Ferro and Stephenson (2011).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        hit, alarm = np.log(sensitivity(c)), np.log(false_positive_rate(c))
        missed, spared = np.log(ratio(c.fn, c.tp + c.fn)), np.log(ratio(c.tn, c.fp + c.tn))
        inside = np.divide(alarm - hit - spared + missed, alarm + hit + spared + missed)
    beyond = c.tp * c.tn - c.fp * c.fn
    at_the_end = (c.tp == 0) | (c.fp == 0) | (c.fn == 0) | (c.tn == 0)
    # -0 becomes 0
    return within(np.where(at_the_end, ratio(beyond, abs(beyond)), inside)[()] + 0.0, -1.0, 1.0)


@measure(
    aka=("proficiency", "theils_u", "entropy_coefficient", "uc"),
    interval="association",
)
def uncertainty_coefficient(c: Counts) -> Any:
    """Proportion of the entropy of the actual class that the prediction explains.

    mutual information of actual and predicted class / entropy of the actual class

    Undefined: no actual positives (tp + fn = 0), or no actual negatives (fp + tn = 0).
    Source: Theil (1970); Wikipedia, whose printed denominator is not the entropy (docs/errata.md).
    """
    p, n, called, spared = c.tp + c.fn, c.fp + c.tn, c.tp + c.fp, c.fn + c.tn
    # cell * total - row * column, in the cells of the diagonal
    beyond = c.tp * c.tn - c.fp * c.fn
    shared = _shared(c.tp, beyond, p * called, p + n) + _shared(c.tn, beyond, n * spared, p + n)
    shared = shared + _shared(c.fp, -beyond, n * called, p + n) + _shared(c.fn, -beyond, p * spared, p + n)
    return within(ratio(shared, _surprise(p, n) + _surprise(n, p)), 0.0, 1.0)


@measure(
    aka=("yule_coefficient_of_association",),
    range=(-1.0, 1.0),
    interval=function_of(diagnostic_odds_ratio, lambda r: 1 - 2 / (1 + r)),
)
def yule_q(c: Counts) -> Any:
    """Odds ratio on a scale from -1 to 1: concordant minus discordant pairs of cases, over their sum.

    (tp tn - fp fn) / (tp tn + fp fn)

    Undefined: no predicted positives (tp + fp = 0), no actual positives (tp + fn = 0), no actual negatives
    (fp + tn = 0), or no predicted negatives (fn + tn = 0).
    Source: Yule (1900).
    """
    return ratio(c.tp * c.tn - c.fp * c.fn, c.tp * c.tn + c.fp * c.fn)


@measure(
    aka=("coefficient_of_colligation",),
    range=(-1.0, 1.0),
    interval=function_of(diagnostic_odds_ratio, lambda r: 1 - 2 / (1 + np.sqrt(r))),
)
def yule_y(c: Counts) -> Any:
    """Phi coefficient of the table that has the same odds ratio and all margins equal.

    (sqrt(tp tn) - sqrt(fp fn)) / (sqrt(tp tn) + sqrt(fp fn))

    Undefined: no predicted positives (tp + fp = 0), no actual positives (tp + fn = 0), no actual negatives
    (fp + tn = 0), or no predicted negatives (fn + tn = 0).
    Source: Yule (1912).
    """
    right, wrong = np.sqrt(c.tp * c.tn), np.sqrt(c.fp * c.fn)
    return ratio(right - wrong, right + wrong)


def _shared(cell: Any, beyond: Any, by_chance: Any, total: Any) -> Any:
    """The part of a cell in total * mutual information: cell log(cell total / (row column)), or 0."""
    with np.errstate(invalid="ignore"):
        return np.where(cell == 0, 0.0, cell * log_of_dependence(cell * total, beyond, by_chance))[()]


def log_of_dependence(observed: Any, beyond: Any, by_chance: Any) -> np.ndarray:
    """log(observed / by_chance) without loss of digits. beyond: observed - by_chance."""
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = np.divide(beyond, by_chance)
        # log1p where the quotient is near 1, as near independence; log where the cell is nearly empty
        return np.where(
            excess > -0.5, np.log1p(np.maximum(excess, -0.5)), np.log(np.divide(observed, by_chance))
        )


def _surprise(part: Any, other: Any) -> Any:
    """The part of a class in total * entropy: -part log(part / total)."""
    return (part * np.log1p(np.where(np.equal(part, 0), 0.0, ratio(other, part))))[()]
