"""How a prediction changes the odds that a case is positive."""

from typing import Any

import numpy as np

from ...summaries import Counts
from ..registry import IntervalSpec, Leading, function_of, measure, ratio
from .combined import youden_j
from .rates import (
    false_positive_rate,
    sensitivity,
)

INFINITE = np.inf


@measure(
    aka=("plr", "lr_plus", "positive_lr", "likelihood_ratio_positive", "lr_positive"),
    terms=("likelihood_ratio", "class_likelihood_ratios"),
    range=(0.0, INFINITE),
    best=INFINITE,
    interval="smooth",
    headline=Leading(100, "Likelihood ratio +", labels_only=True),
)
def positive_likelihood_ratio(c: Counts) -> Any:
    """Factor by which a positive prediction multiplies the odds that the case is positive.

    sensitivity / (1 - specificity)

    Infinite where there are true positives and no false positives.

    Undefined: no actual positives (tp + fn = 0), no actual negatives (fp + tn = 0), or no predicted positives
    (tp + fp = 0).
    Source: Berrar, Def. 9; Tharwat, Eq. 9.
    Differs: scikit-learn gives NaN instead of infinity.
    """
    return ratio(c.tp * (c.fp + c.tn), c.fp * (c.tp + c.fn))


@measure(
    aka=("nlr", "lr_minus", "negative_lr", "likelihood_ratio_negative", "lr_negative"),
    terms=("likelihood_ratio", "class_likelihood_ratios"),
    range=(0.0, INFINITE),
    best=0.0,
    interval="smooth",
    headline=Leading(110, "Likelihood ratio -", labels_only=True),
)
def negative_likelihood_ratio(c: Counts) -> Any:
    """Factor by which a negative prediction multiplies the odds that the case is positive.

    (1 - sensitivity) / specificity

    Infinite where there are false negatives and no true negatives.

    Undefined: no actual positives (tp + fn = 0), no actual negatives (fp + tn = 0), or no predicted negatives
    (fn + tn = 0).
    Source: Berrar, Def. 10; Tharwat, Eq. 9.
    Differs: scikit-learn gives NaN instead of infinity.
    """
    return ratio(c.fn * (c.fp + c.tn), c.tn * (c.tp + c.fn))


@measure(
    aka=("relative_risk", "risk_ratio", "likelihood_ratio_of_positive_predictions"),
    terms=("predictive_likelihood_ratio", "rr", "likelihood_ratio_for_prediction_values"),
    range=(0.0, INFINITE),
    best=INFINITE,
    interval="smooth",
)
def positive_predictive_ratio(c: Counts) -> Any:
    """How many times as frequent positives are among predicted positives as among predicted negatives.

    precision / (1 - negative_predictive_value)

    It is the likelihood ratio with the roles of actual and predicted class exchanged, and the relative risk
    of a positive prediction. Infinite where there are true positives and no false negatives.

    Undefined: no predicted positives (tp + fp = 0), no predicted negatives (fn + tn = 0), or no actual
    positives (tp + fn = 0).
    Source: Wikipedia, Contingency table (likelihood ratios for prediction values).
    """
    return ratio(c.tp * (c.fn + c.tn), c.fn * (c.tp + c.fp))


@measure(
    aka=("likelihood_ratio_of_negative_predictions",),
    terms=(
        "predictive_likelihood_ratio",
        "likelihood_ratio_for_prediction_values",
    ),
    range=(0.0, INFINITE),
    best=0.0,
    interval="smooth",
)
def negative_predictive_ratio(c: Counts) -> Any:
    """How many times as frequent negatives are among predicted positives as among predicted negatives.

    (1 - precision) / negative_predictive_value

    Infinite where there are false positives and no true negatives.

    Undefined: no predicted positives (tp + fp = 0), no predicted negatives (fn + tn = 0), or no actual
    negatives (fp + tn = 0).
    Source: Wikipedia, Contingency table (likelihood ratios for prediction values).
    """
    return ratio(c.fp * (c.fn + c.tn), c.tn * (c.tp + c.fp))


@measure(aka=("dor", "odds_ratio"), range=(0.0, INFINITE), best=INFINITE, interval="smooth")
def diagnostic_odds_ratio(c: Counts) -> Any:
    """Odds of a positive prediction among actual positives, divided by those among actual negatives.

    (tp tn) / (fp fn) = positive_likelihood_ratio / negative_likelihood_ratio

    Infinite where one of the classes has no wrong predictions.

    Undefined: no predicted positives (tp + fp = 0), no actual positives (tp + fn = 0), no actual negatives
    (fp + tn = 0), or no predicted negatives (fn + tn = 0).
    Source: Tharwat, Eq. 10; Wikipedia; the interval: Woolf (1955).
    """
    return ratio(c.tp * c.tn, c.fp * c.fn)


@measure(
    aka=("haldane_anscombe_odds_ratio", "odds_ratio_with_halves"),
    terms=("odds_ratio",),
    range=(0.0, INFINITE),
    best=None,
    better="higher",
    interval=IntervalSpec("with halves", (diagnostic_odds_ratio,)),
)
def corrected_odds_ratio(c: Counts) -> Any:
    """Diagnostic odds ratio with half a case added to each count, so that it is never infinite.

    ((tp + 1/2) (tn + 1/2)) / ((fp + 1/2) (fn + 1/2))

    It depends on the number of cases, not on their shares alone.

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: Haldane (1956); Anscombe (1956); the interval: Gart (1966).
    """
    half = 0.5 * ratio(c.total, c.total)
    return ratio((c.tp + half) * (c.tn + half), (c.fp + half) * (c.fn + half))


@measure(
    aka=("dp",),
    range=(-INFINITE, INFINITE),
    best=INFINITE,
    interval=function_of(diagnostic_odds_ratio, lambda r: np.sqrt(3) / np.pi * np.log(r)),
)
def discriminant_power(c: Counts) -> Any:
    """Logarithm of the diagnostic odds ratio over the standard deviation of the logistic distribution.

    sqrt(3) / pi * (log(sensitivity / (1 - sensitivity)) + log(specificity / (1 - specificity)))

    Values below 1 are usually rated as poor, above 3 as good. Infinite where one of the classes has no wrong
    predictions, or no correct ones.

    Undefined: no predicted positives (tp + fp = 0), no actual positives (tp + fn = 0), no actual negatives
    (fp + tn = 0), or no predicted negatives (fn + tn = 0).
    Source: Tharwat, section 2.8; Blakeley and Oddone (1995).
    Differs: PyCM takes common logarithms, so that its value is 0.434 times as large.
    """
    with np.errstate(divide="ignore"):
        return np.sqrt(3) / np.pi * np.log(diagnostic_odds_ratio(c))


@measure(best=0.0, interval=function_of(positive_likelihood_ratio, lambda r: 1 / (1 + np.sqrt(r))))
def prevalence_threshold(c: Counts) -> Any:
    """Prevalence below which the precision falls most steeply as positives become rarer.

    sqrt(1 - specificity) / (sqrt(sensitivity) + sqrt(1 - specificity))

    This holds for predictions better than random, whose sensitivity exceeds the false positive rate.

    Undefined: no actual positives (tp + fn = 0), no actual negatives (fp + tn = 0), or no predicted positives
    (tp + fp = 0).
    Source: Balayla (2020).
    """
    alarm = np.sqrt(false_positive_rate(c))
    return ratio(alarm, np.sqrt(sensitivity(c)) + alarm)


@measure(
    aka=("nnd",),
    range=(-INFINITE, INFINITE),
    best=1.0,
    interval=function_of(youden_j, lambda j: ratio(1.0, j)),
)
def number_needed_to_diagnose(c: Counts) -> Any:
    """Number of positives, and as many negatives, to examine per positive detected beyond false alarms.

    1 / youden_j

    Infinite for random predictions, negative for worse ones.

    Undefined: no actual positives (tp + fn = 0), or no actual negatives (fp + tn = 0).
    Source: Linn and Grunau (2006).
    """
    return ratio(1.0, youden_j(c))
