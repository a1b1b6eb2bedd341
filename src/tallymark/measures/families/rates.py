"""Proportions of cases: each is one sum of counts divided by another."""

from typing import Any

import numpy as np

from ...summaries import Counts
from ..registry import Leading, function_of, measure, ratio


@measure(
    aka=(
        "fraction_correct",
        "acc",
        "fc",
        "correct_classification_rate",
        "accuracy_score",
        "overall_accuracy",
        "proportion_correct",
    ),
    terms=(
        "observed_agreement",
        "best_accuracy_threshold",
    ),
    interval="proportion",
    headline=Leading(70, "Accuracy"),
)
def accuracy(c: Counts) -> Any:
    """Proportion of all cases that are predicted correctly.

    (tp + tn) / (tp + fp + fn + tn)

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: Berrar, Def. 1; Tharwat, Eq. 1.
    """
    return ratio(c.tp + c.tn, c.tp + c.fp + c.fn + c.tn)


@measure(
    aka=(
        "misclassification_rate",
        "fraction_incorrect",
        "zero_one_loss",
        "err",
        "fic",
        "classification_error",
        "classification_error_rate",
    ),
    terms=("0_1_loss", "zero_one", "hamming_loss"),
    names_of_averages={"micro": ("hamming_loss",)},
    presets={"hamming_loss": {}},
    best=0.0,
    interval="proportion",
)
def error_rate(c: Counts) -> Any:
    """Proportion of all cases that are predicted incorrectly.

    (fp + fn) / (tp + fp + fn + tn)

    Of one label per case it is the Hamming loss; on the cases of the training it is the training error.

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: Berrar, Def. 2; Tharwat, after Eq. 1.
    """
    return ratio(c.fp + c.fn, c.tp + c.fp + c.fn + c.tn)


@measure(
    aka=(
        "recall",
        "true_positive_rate",
        "tpr",
        "hit_rate",
        "completeness",
        "sens",
        "recall_score",
        "probability_of_detection",
        "pod",
        "producer_accuracy",
    ),
    terms=(
        "power",
        "hit",
        "genuine_accept_rate",
        "gar",
        "true_accept_rate",
        "tar",
        "genuine_match_rate",
        "gmr",
    ),
    interval="proportion",
    headline=Leading(30, "Sensitivity (recall)", column=2),
)
def sensitivity(c: Counts) -> Any:
    """Proportion of the actual positives that are predicted positive.

    tp / (tp + fn)

    Undefined: no actual positives (tp + fn = 0).
    Source: Berrar, Def. 3; Tharwat, Eq. 2.
    Differs: scikit-learn gives 0 where it is undefined, with a warning.
    """
    return ratio(c.tp, c.tp + c.fn)


@measure(
    aka=(
        "true_negative_rate",
        "tnr",
        "selectivity",
        "inverse_recall",
        "spc",
        "spec",
        "correct_rejection_rate",
    ),
    interval="proportion",
    headline=Leading(40, "Specificity", column=3),
)
def specificity(c: Counts) -> Any:
    """Proportion of the actual negatives that are predicted negative.

    tn / (fp + tn)

    Undefined: no actual negatives (fp + tn = 0).
    Source: Berrar, Def. 4; Tharwat, Eq. 2.
    """
    return ratio(c.tn, c.fp + c.tn)


@measure(
    aka=(
        "fall_out",
        "false_alarm_rate",
        "fpr",
        "type_i_error_rate",
        "fallout",
        "far",
        "false_acceptance_rate",
        "false_accept_rate",
        "false_match_rate",
        "fmr",
        "probability_of_false_detection",
        "pofd",
    ),
    terms=(
        "false_alarm",
        "clients_and_imposters",
    ),
    best=0.0,
    interval="proportion",
)
def false_positive_rate(c: Counts) -> Any:
    """Proportion of the actual negatives that are predicted positive.

    fp / (fp + tn)

    With presentation attacks as the positives it is the BPCER of ISO/IEC 30107-3.

    Undefined: no actual negatives (fp + tn = 0).
    Source: Tharwat, Eq. 4.
    """
    return ratio(c.fp, c.fp + c.tn)


@measure(
    aka=(
        "miss_rate",
        "fnr",
        "type_ii_error_rate",
        "frr",
        "false_rejection_rate",
        "false_reject_rate",
        "false_recognition_rate",
        "false_non_match_rate",
        "fnmr",
    ),
    best=0.0,
    interval="proportion",
    terms=("clients_and_imposters",),
)
def false_negative_rate(c: Counts) -> Any:
    """Proportion of the actual positives that are predicted negative.

    fn / (tp + fn)

    With the attacks of one species as the positives it is their APCER in ISO/IEC 30107-3.

    Undefined: no actual positives (tp + fn = 0).
    Source: Tharwat, Eq. 5.
    """
    return ratio(c.fn, c.tp + c.fn)


@measure(
    aka=("positive_predictive_value", "ppv", "precision_score", "pos_pred_value", "user_accuracy"),
    interval="proportion",
    headline=Leading(50, "Precision (PPV)", averages=("macro",), column=4),
    terms=(
        "pre",
        "predictive_value",
    ),
)
def precision(c: Counts) -> Any:
    """Proportion of the predicted positives that are actual positives.

    tp / (tp + fp)

    Undefined: no predicted positives (tp + fp = 0).
    Source: Berrar, Def. 5; Tharwat, Eq. 6.
    Differs: scikit-learn gives 0 where it is undefined, with a warning.
    """
    return ratio(c.tp, c.tp + c.fp)


@measure(
    aka=("npv", "inverse_precision", "true_negative_accuracy", "tna", "neg_pred_value"),
    interval="proportion",
    headline=Leading(60, "NPV"),
    terms=("predictive_value",),
)
def negative_predictive_value(c: Counts) -> Any:
    """Proportion of the predicted negatives that are actual negatives.

    tn / (fn + tn)

    Undefined: no predicted negatives (fn + tn = 0).
    Source: Berrar, Def. 6; Tharwat, Eq. 7.
    """
    return ratio(c.tn, c.fn + c.tn)


@measure(aka=("fdr", "false_alarm_ratio"), terms=("far",), best=0.0, interval="proportion")
def false_discovery_rate(c: Counts) -> Any:
    """Proportion of the predicted positives that are actual negatives.

    fp / (tp + fp)

    Undefined: no predicted positives (tp + fp = 0).
    Source: Berrar, Def. 7; Tharwat, Eq. 6.
    """
    return ratio(c.fp, c.tp + c.fp)


@measure(aka=("for_rate", "for"), best=0.0, interval="proportion")
def false_omission_rate(c: Counts) -> Any:
    """Proportion of the predicted negatives that are actual positives.

    fn / (fn + tn)

    Undefined: no predicted negatives (fn + tn = 0).
    Source: Tharwat, Eq. 7.
    """
    return ratio(c.fn, c.fn + c.tn)


@measure(
    aka=("base_rate", "event_rate", "prior_probability"),
    best=None,
    interval="proportion",
    terms=(
        "class_proportions",
        "random_performance_level",
    ),
)
def prevalence(c: Counts) -> Any:
    """Proportion of all cases that are actual positives.

    (tp + fn) / (tp + fp + fn + tn)

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: QuData; Wikipedia.
    """
    return ratio(c.tp + c.fn, c.tp + c.fp + c.fn + c.tn)


@measure(
    aka=(
        "predicted_positive_rate",
        "detection_prevalence",
        "selection_rate",
        "rate_of_positive_predictions",
        "rpp",
        "alarm_rate",
        "alert_rate",
    ),
    best=None,
    interval="proportion",
)
def predicted_prevalence(c: Counts) -> Any:
    """Proportion of all cases that are predicted positive.

    (tp + fp) / (tp + fp + fn + tn)

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: QuData; Wikipedia.
    """
    return ratio(c.tp + c.fp, c.tp + c.fp + c.fn + c.tn)


@measure(
    aka=("negatives_per_positive", "negative_positive_rate", "negative_positive_ratio", "class_ratio"),
    range=(0.0, np.inf),
    best=None,
    interval=function_of(prevalence, lambda p: ratio(1 - p, p)),
)
def npr(c: Counts) -> Any:
    """Actual negatives per actual positive: the class ratio.

    (fp + tn) / (tp + fn)

    Infinite if there are no actual positives.

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: QuData.
    """
    return ratio(c.fp + c.tn, c.tp + c.fn)


@measure(
    aka=("predicted_negatives_per_positive",),
    range=(0.0, np.inf),
    best=None,
    interval=function_of(predicted_prevalence, lambda p: ratio(1 - p, p)),
    terms=("npr_prime",),
)
def npr_predicted(c: Counts) -> Any:
    """Predicted negatives per predicted positive.

    (fn + tn) / (tp + fp)

    Infinite if there are no predicted positives.

    Undefined: no cases (tp + fp + fn + tn = 0).
    Source: QuData.
    """
    return ratio(c.fn + c.tn, c.tp + c.fp)
