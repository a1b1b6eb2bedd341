"""Measures that combine several rates."""

from typing import Any

import numpy as np

from ...summaries import Counts
from ..registry import Leading, difference_of, function_of, measure, ratio, smaller_of
from .rates import accuracy, false_omission_rate, false_positive_rate, precision, sensitivity, specificity


@measure(
    aka=(
        "informedness",
        "bookmaker_informedness",
        "delta_p_prime",
        "peirce_skill_score",
        "true_skill_statistic",
        "hanssen_kuipers",
        "youden_index",
        "youden_j_statistic",
        "yi",
        "j_index",
        "j_statistic",
        "bm",
        "tss",
        "pss",
        "deltap_prime",
        "hanssen_kuipers_discriminant",
    ),
    terms=(
        "youden",
        "regression_coefficient",
    ),
    presets={"youden": {}},
    range=(-1.0, 1.0),
    interval=difference_of(sensitivity, false_positive_rate),
)
def youden_j(c: Counts) -> Any:
    """Sensitivity plus specificity minus 1, which is 0 for random predictions.

    sensitivity + specificity - 1 = (tp tn - fp fn) / ((tp + fn) (fp + tn))

    An alternative to f1 that counts true negatives.

    Undefined: no actual positives (tp + fn = 0), or no actual negatives (fp + tn = 0).
    Source: Berrar, Def. 8; Tharwat, section 2.7; as a skill score: Peirce (1884).
    Differs: Tharwat gives its range as 0 to 1, but it is negative for predictions worse than random;
    in PyCM it is BM, and J is another measure.
    """
    return ratio(c.tp * c.tn - c.fp * c.fn, (c.tp + c.fn) * (c.fp + c.tn))  # exactly 0 where it is


@measure(
    aka=("delta_p", "mk", "deltap"),
    range=(-1.0, 1.0),
    interval=difference_of(precision, false_omission_rate),
    terms=("regression_coefficient",),
)
def markedness(c: Counts) -> Any:
    """Precision plus negative predictive value minus 1, which is 0 for random predictions.

    precision + negative_predictive_value - 1 = (tp tn - fp fn) / ((tp + fp) (fn + tn))

    Undefined: no predicted positives (tp + fp = 0), or no predicted negatives (fn + tn = 0).
    Source: Tharwat, section 2.8; Wikipedia; Powers (2011).
    """
    return ratio(c.tp * c.tn - c.fp * c.fn, (c.tp + c.fp) * (c.fn + c.tn))


@measure(
    aka=(
        "balanced_classification_rate",
        "bacc",
        "bcr",
        "bal_accuracy",
        "bal_acc",
        "balanced_accuracy_score",
        "average_recall",
        "macro_recall",
        "unweighted_average_recall",
    ),
    interval=function_of(youden_j, lambda j: (1 + j) / 2),
    headline=Leading(75, "Balanced accuracy", labels_only=True),
)
def balanced_accuracy(c: Counts) -> Any:
    """Mean of sensitivity and specificity: the accuracy if both classes were equally frequent.

    (sensitivity + specificity) / 2

    Undefined: no actual positives (tp + fn = 0), or no actual negatives (fp + tn = 0).
    Source: Berrar, Def. 11; Tharwat, section 2.8.
    Differs: scikit-learn leaves out a class that does not occur and gives the rate of the other; PyCM names
    it AUC.
    """
    return (sensitivity(c) + specificity(c)) / 2


@measure(
    aka=("half_total_error_rate", "hter", "ber"),
    best=0.0,
    interval=function_of(youden_j, lambda j: (1 - j) / 2),
)
def balanced_error_rate(c: Counts) -> Any:
    """Mean of the error rates of the two classes.

    (false_positive_rate + false_negative_rate) / 2 = 1 - balanced_accuracy

    Undefined: no actual positives (tp + fn = 0), or no actual negatives (fp + tn = 0).
    Source: Tharwat, section 2.8.
    """
    return 1 - balanced_accuracy(c)


@measure(
    aka=(
        "tanimoto",
        "threat_score",
        "critical_success_index",
        "csi",
        "jaccard_index",
        "iou",
        "tanimoto_coefficient",
        "tanimoto_similarity_coefficient",
        "jaccard_score",
        "jaccard_similarity_coefficient",
        "intersection_over_union",
    ),
    interval="proportion",
)
def jaccard(c: Counts) -> Any:
    """Proportion of true positives among the cases that are actually or predicted positive.

    tp / (tp + fp + fn)

    Undefined: no case is positive, actual or predicted (tp + fp + fn = 0).
    Source: Tharwat, section 2.8; as a forecast score: Gilbert (1884).
    Differs: scikit-learn gives 0 where it is undefined, with a warning; in PyCM it is J.
    """
    return ratio(c.tp, c.tp + c.fp + c.fn)


@measure(
    aka=(
        "f_score",
        "f_measure",
        "f1_score",
        "dice",
        "f_meas",
        "f1_measure",
        "balanced_f_score",
        "dice_coefficient",
        "sorensen_dice_coefficient",
    ),
    interval=function_of(jaccard, lambda j: 2 * j / (1 + j)),
    headline=Leading(80, "F1", averages=("macro", "weighted")),
    terms=("harmonic_mean_of_precision_and_recall",),
)
def f1(c: Counts) -> Any:
    """Harmonic mean of precision and sensitivity.

    2 tp / (2 tp + fp + fn)

    Undefined: no case is positive, actual or predicted (tp + fp + fn = 0).
    Source: Berrar, Def. 12; Tharwat, Eq. 12.
    Differs: caret gives no value where precision or sensitivity is undefined; here F1 is then 0. QuData names
    it a geometric mean, but its formula is that of the harmonic mean.
    """
    return ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn)


@measure(
    aka=("f_beta_score", "fbeta", "f_beta_measure"),
    interval="smooth",
    limits={"beta": (0.0, 1e6)},
    terms=(
        "f2",
        "f0_5",
    ),
    presets={"f2": {"beta": 2.0}, "f0_5": {"beta": 0.5}},
)
def f_beta(c: Counts, *, beta: float = 2.0) -> Any:
    """Weighted harmonic mean of precision and sensitivity.

    (1 + beta^2) tp / ((1 + beta^2) tp + beta^2 fn + fp)

    beta: how many times as important sensitivity is as precision; 2 by default, since 1 is f1; 0 gives
    the precision, where there are positives.

    Undefined: no case is positive, actual or predicted (tp + fp + fn = 0).
    Source: Berrar, Def. 13; Tharwat, Eq. 13.
    Differs: scikit-learn has no default for beta, and gives 0 where it is undefined.
    """
    hits = (1 + beta**2) * c.tp
    return ratio(hits, hits + beta**2 * c.fn + c.fp)


@measure(aka=("agf", "adjusted_f_measure", "adjusted_f_score"), interval="smooth", terms=("invf0_5",))
def adjusted_f(c: Counts) -> Any:
    """Geometric mean of the F2 of the positive class and the F0.5 of the negative class.

    sqrt(f_beta(beta = 2) * f_beta(beta = 0.5, classes swapped))

    Unlike f1, it takes account of the true negatives.

    Undefined: no case is positive, actual or predicted (tp + fp + fn = 0), or no case is negative, actual or
    predicted (fp + fn + tn = 0).
    Source: Tharwat, Eq. 14; Maratea, Petrosino and Manzo (2014).
    """
    return np.sqrt(f_beta(c, beta=2.0) * f_beta(c.swap_classes(), beta=0.5))


@measure(aka=("fowlkes_mallows", "fowlkes_mallows_index"), interval="smooth", terms=("g_beta_measure",))
def g_measure(c: Counts) -> Any:
    """Geometric mean of precision and sensitivity.

    sqrt(precision * sensitivity)

    Undefined: no predicted positives (tp + fp = 0), or no actual positives (tp + fn = 0).
    Source: Berrar, Def. 14; Fowlkes and Mallows (1983).
    Differs: scikit-learn's fowlkes_mallows_score compares two clusterings, and counts pairs of cases.
    """
    return np.sqrt(precision(c) * sensitivity(c))


@measure(aka=("g_mean", "gmean", "gm", "geometric_mean_score"), terms=("g_measure",), interval="score")
def geometric_mean(c: Counts) -> Any:
    """Geometric mean of sensitivity and specificity.

    sqrt(sensitivity * specificity)

    Undefined: no actual positives (tp + fn = 0), or no actual negatives (fp + tn = 0).
    Source: Tharwat, Eq. 15.
    """
    return np.sqrt(sensitivity(c) * specificity(c))


@measure(aka=("agm",), interval="smooth")
def adjusted_geometric_mean(c: Counts) -> Any:
    """Geometric mean of sensitivity and specificity, shifted towards the specificity.

    (geometric_mean + specificity * negatives) / (1 + negatives), or 0 where the sensitivity is 0

    The more negatives there are, the closer it is to the specificity. It depends on the number of cases, not
    on their shares alone.

    Undefined: no actual positives (tp + fn = 0), or no actual negatives (fp + tn = 0).
    Source: Tharwat, Eq. 16; Batuwita and Palade (2012).
    Differs: PyCM uses the proportion of the negatives where Tharwat uses their number, so that its value does
    not depend on the number of cases.
    """
    negatives = c.fp + c.tn
    shifted = ratio(geometric_mean(c) + specificity(c) * negatives, 1 + negatives)
    return np.where(c.tp == 0, 0 * shifted, shifted)[()]


def _imbalance(c: Counts) -> Any:
    return ratio(sensitivity(c) - specificity(c), sensitivity(c) + specificity(c))


@measure(
    aka=("optimized_precision", "op"),
    range=(-1.0, 1.0),
    interval=smaller_of(lambda c: accuracy(c) - _imbalance(c), lambda c: accuracy(c) + _imbalance(c)),
)
def optimization_precision(c: Counts) -> Any:
    """Accuracy minus the relative difference of sensitivity and specificity.

    accuracy - |sensitivity - specificity| / (sensitivity + specificity)

    Undefined: no actual positives (tp + fn = 0), no actual negatives (fp + tn = 0), or no case is predicted
    right (tp + tn = 0).
    Source: Tharwat, Eq. 17; Ranawana and Palade (2006).
    """
    return accuracy(c) - abs(_imbalance(c))


@measure(
    aka=("lift_score",),
    range=(0.0, np.inf),
    best=None,
    better="higher",
    interval="smooth",
    limits={"prior": (1e-9, 1.0)},
    terms=("null_model",),
)
def lift(c: Counts, *, prior: float | None = None) -> Any:
    """How many times as frequent positives are among the predicted positives as among all cases.

    precision / prevalence

    prior: the prevalence, as that of the training data; by default that of the cases evaluated.

    Undefined: no predicted positives (tp + fp = 0), or no actual positives (tp + fn = 0).
    Source: Berrar, Def. 16, with the prevalence of the training data.
    """
    if prior is not None:
        return ratio(c.tp, (c.tp + c.fp) * np.where(c.positives > 0, prior, np.nan))
    return ratio(c.tp * c.total, (c.tp + c.fp) * (c.tp + c.fn))
