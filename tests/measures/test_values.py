"""One row per measure and form, with a value worked out by hand. A new measure gets a row here; a test below asks for it."""

from fractions import Fraction
from math import log, pi, sqrt

import pytest
from strategies import EVERY, name

from tallymark import ConfusionMatrix, Counts, IndicatorTable, RankingTable
from tallymark.registry import get

# 9 positives and 11 negatives; 8 predicted positive and 12 predicted negative.
COUNTS = Counts(tp=6, fp=2, fn=3, tn=9)
# Scores .9 .8 .8 .4 .1 with labels + + - - +: 3 positives, 2 negatives.
TABLE = RankingTable.from_arrays(truth=[1, 1, 0, 0, 1], score=[0.9, 0.8, 0.8, 0.4, 0.1])
# Rows true, columns predicted: 7, 10 and 3 cases, of which 7, 8 and 5 are predicted as a, b and c; 13 of 20 are right.
MATRIX = ConfusionMatrix(("a", "b", "c"), [[5, 1, 1], [2, 6, 2], [0, 1, 2]])
# Three cases of two labels, of which the first and the last are right in both.
INDICATORS = IndicatorTable.from_arrays(truth=[[1, 0], [1, 1], [0, 0]], predicted=[[1, 0], [1, 0], [0, 0]])

SENSITIVITY, SPECIFICITY, ALARM, MISS = Fraction(6, 9), Fraction(9, 11), Fraction(2, 11), Fraction(3, 9)


def information(cells, row, column, n):
    """The sum over the cells of their share times log(share / what independence gives)."""
    return sum(x / n * log(x * n / (r * c)) for x, r, c in zip(cells, row, column, strict=True))


def entropy(*sizes):
    return -sum(size / sum(sizes) * log(size / sum(sizes)) for size in sizes)


def of_shares(base, *shares):
    """- sum p log p."""
    return -sum(p * log(p, base) for p in shares)


OF_COUNTS = information((6, 2, 3, 9), (9, 11, 9, 11), (8, 8, 12, 12), 20)
OF_MATRIX = information((5, 1, 1, 2, 6, 2, 1, 2), (7, 7, 7, 10, 10, 10, 3, 3), (7, 8, 5, 7, 8, 5, 8, 5), 20)
# Each class's mistakes on both sides, as shares of its row and column together (14, 18 and 8 of 40); logarithms to 2 (3 - 1) = 4.
CONFUSION = (
    14 / 40 * of_shares(4, 1 / 14, 1 / 14, 2 / 14)
    + 18 / 40 * of_shares(4, 2 / 18, 2 / 18, 1 / 18, 1 / 18)
    + 8 / 40 * of_shares(4, 1 / 8, 1 / 8, 2 / 8)
)

VALUES = {
    Counts: {
        "accuracy": Fraction(15, 20),
        "error_rate": Fraction(5, 20),
        "sensitivity": SENSITIVITY,
        "specificity": SPECIFICITY,
        "false_positive_rate": ALARM,
        "false_negative_rate": MISS,
        "precision": Fraction(6, 8),
        "negative_predictive_value": Fraction(9, 12),
        "false_discovery_rate": Fraction(2, 8),
        "false_omission_rate": Fraction(3, 12),
        "prevalence": Fraction(9, 20),
        "predicted_prevalence": Fraction(8, 20),
        "npr": Fraction(11, 9),
        "npr_predicted": Fraction(12, 8),
        "youden_j": Fraction(66 + 81 - 99, 99),
        "markedness": Fraction(6, 8) + Fraction(9, 12) - 1,
        "balanced_accuracy": Fraction(66 + 81, 2 * 99),
        "balanced_error_rate": (ALARM + MISS) / 2,
        "jaccard": Fraction(6, 11),
        "f1": Fraction(12, 17),
        # beta = 2: sensitivity counts four times
        "f_beta": Fraction(5 * 6, 5 * 6 + 4 * 3 + 2),
        # the second factor is of the classes swapped: 9 found, 3 false ones, 2 missed, with beta^2 = 1/4
        "adjusted_f": sqrt(Fraction(30, 44) * Fraction(5 * 9, 5 * 9 + 2 + 4 * 3)),
        "g_measure": sqrt(Fraction(6, 8) * SENSITIVITY),
        "geometric_mean": sqrt(SENSITIVITY * SPECIFICITY),
        "adjusted_geometric_mean": (sqrt(Fraction(6, 11)) + 9) / 12,
        "optimization_precision": Fraction(15, 20) - Fraction(81 - 66, 81 + 66),
        "lift": Fraction(6, 8) / Fraction(9, 20),
        "positive_likelihood_ratio": SENSITIVITY / ALARM,
        "negative_likelihood_ratio": MISS / SPECIFICITY,
        "diagnostic_odds_ratio": Fraction(6 * 9, 2 * 3),
        "corrected_odds_ratio": Fraction(13 * 19, 5 * 7),
        # odds of 2 among the real positives, 9/2 among the real negatives
        "discriminant_power": sqrt(3) / pi * (log(2) + log(4.5)),
        "prevalence_threshold": sqrt(ALARM) / (sqrt(SENSITIVITY) + sqrt(ALARM)),
        "number_needed_to_diagnose": Fraction(99, 48),
        "matthews_correlation": (6 * 9 - 2 * 3) / sqrt(8 * 9 * 11 * 12),
        # agreement 15/20; by chance 9/20 * 8/20 + 11/20 * 12/20 = 204/400
        "cohen_kappa": (Fraction(15, 20) - Fraction(204, 400)) / (1 - Fraction(204, 400)),
        # chance gives 8 * 9 / 20 = 3.6 hits
        "equitable_threat_score": Fraction(60 - 36, 110 - 36),
        "symmetric_extremal_dependence": (log(2 / 11) - log(2 / 3) - log(9 / 11) + log(1 / 3))
        / log(2 / 11 * 2 / 3 * 9 / 11 * 1 / 3),
        "uncertainty_coefficient": OF_COUNTS / entropy(9, 11),
        "yule_q": Fraction(54 - 6, 54 + 6),
        # sqrt(54) is three times sqrt(6)
        "yule_y": Fraction(3 - 1, 3 + 1),
        # each mistake costs 1
        "expected_cost": Fraction(5, 20),
        # at the threshold 1/2 a false positive undoes a true one
        "net_benefit": Fraction(6 - 2, 20),
    },
    RankingTable: {
        # .9 beats both negatives, .8 beats one and ties with one, .1 beats none: 2 + 1.5 + 0 of 6 pairs
        "roc_auc": Fraction(7, 12),
        # precision 1/1 at .9, 2/3 at .8, 3/5 at .1, each for one of three positives
        "average_precision": (1 + Fraction(2, 3) + Fraction(3, 5)) / 3,
        "brier_score": (0.1**2 + 0.2**2 + 0.8**2 + 0.4**2 + 0.9**2) / 5,
        "log_loss": -(log(0.9) + log(0.8) + log(0.2) + log(0.6) + log(0.1)) / 5,
    },
    ConfusionMatrix: {
        "accuracy": Fraction(13, 20),
        "error_rate": Fraction(7, 20),
        "balanced_accuracy": (Fraction(5, 7) + Fraction(6, 10) + Fraction(2, 3)) / 3,
        # 13 * 20 right, less 7 * 7 + 10 * 8 + 3 * 5 = 144; squares 49 + 64 + 25 predicted and 49 + 100 + 9 true
        "matthews_correlation": (260 - 144) / sqrt((400 - 138) * (400 - 158)),
        "cohen_kappa": Fraction(260 - 144, 400 - 144),
        # off by one 1 + 2 + 2 + 1 and by two 1 of 20; by chance (56 + 70 + 50 + 24) and (35 + 21) of 400
        "linear_weighted_kappa": 1 - Fraction(6 + 2 * 1, 20) / Fraction(200 + 2 * 56, 400),
        "quadratic_weighted_kappa": 1 - Fraction(6 + 4 * 1, 20) / Fraction(200 + 4 * 56, 400),
        "mutual_information": OF_MATRIX,
        "uncertainty_coefficient": OF_MATRIX / entropy(7, 10, 3),
        "confusion_entropy": CONFUSION,
    },
    IndicatorTable: {"exact_match": Fraction(2, 3)},
}
SUMMARY = {Counts: COUNTS, RankingTable: TABLE, ConfusionMatrix: MATRIX, IndicatorTable: INDICATORS}

WITH_PARAMETERS = [
    # beta = 0: no weight on the sensitivity; 1: as much as on the precision
    (Counts, "f_beta", {"beta": 0}, Fraction(6, 8)),
    (Counts, "f_beta", {"beta": 0.5}, Fraction(5 * 6, 5 * 6 + 3 + 4 * 2)),
    (Counts, "f_beta", {"beta": 1}, Fraction(12, 17)),
    (Counts, "expected_cost", {"cost_fn": 10}, Fraction(2 + 30, 20)),
    (Counts, "expected_cost", {"cost_fp": 0, "cost_fn": 0.5}, Fraction(3, 40)),
    # at a threshold of 1/5 a true positive is worth four false ones; at 0, false ones cost nothing
    (Counts, "net_benefit", {"threshold": 0.2}, (6 - Fraction(2, 4)) / 20),
    (Counts, "net_benefit", {"threshold": 0}, Fraction(6, 20)),
    (ConfusionMatrix, "mutual_information", {"base": 2}, OF_MATRIX / log(2)),
    (RankingTable, "log_loss", {"base": 2}, -log(0.9 * 0.8 * 0.2 * 0.6 * 0.1, 2) / 5),
    (RankingTable, "log_loss", {"clip": 0.15}, -log(0.9 * 0.8 * 0.2 * 0.6 * 0.15) / 5),
]


@pytest.mark.parametrize("entry", EVERY, ids=name)
def test_value_worked_out_by_hand(entry):
    assert entry.name in VALUES[entry.summary], f"{entry.name} of {entry.summary.__name__} has no row: add one to VALUES"
    assert entry(SUMMARY[entry.summary]) == pytest.approx(float(VALUES[entry.summary][entry.name]), rel=1e-14)


@pytest.mark.parametrize(("kind", "name", "parameters", "value"), WITH_PARAMETERS)
def test_value_with_parameters_worked_out_by_hand(kind, name, parameters, value):
    assert get(name, kind)(SUMMARY[kind], **parameters) == pytest.approx(float(value), rel=1e-14)


def test_every_row_has_its_measure():
    assert {(kind, name) for kind in VALUES for name in VALUES[kind]} == {(entry.summary, entry.name) for entry in EVERY}


def test_every_parameter_has_a_row():
    there = {(entry.name, parameter) for entry in EVERY for parameter in entry.parameters}
    assert there == {(name, parameter) for _, name, parameters, _ in WITH_PARAMETERS for parameter in parameters}
