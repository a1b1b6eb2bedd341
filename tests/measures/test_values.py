"""One row per measure and form, with a value worked out by hand. A new measure gets a row here; a test below asks for it."""

from fractions import Fraction
from math import exp, log, log1p, log2, pi, sqrt
from statistics import NormalDist

import pytest
from strategies import EVERY, name

from tallymark import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable
from tallymark.registry import get

# 9 positives and 11 negatives; 8 predicted positive and 12 predicted negative.
COUNTS = Counts(tp=6, fp=2, fn=3, tn=9)
# Scores .9 .8 .8 .4 .1 with labels + + - - +: 3 positives, 2 negatives.
TABLE = RankingTable.from_arrays(truth=[1, 1, 0, 0, 1], score=[0.9, 0.8, 0.8, 0.4, 0.1])
# Rows true, columns predicted: 7, 10 and 3 cases, of which 7, 8 and 5 are predicted as a, b and c; 13 of 20 are right.
MATRIX = ConfusionMatrix(("a", "b", "c"), [[5, 1, 1], [2, 6, 2], [0, 1, 2]])
# Three cases of two labels, of which the first and the last are right in both.
INDICATORS = IndicatorTable.from_arrays(truth=[[1, 0], [1, 1], [0, 0]], predicted=[[1, 0], [1, 0], [0, 0]])
# Highest first, by the score for a: a b a b c; for b: b, a and b, c, a; for c: b, then a, b and c, a. Sizes 2, 2, 1.
OF_CLASSES = ClassScores.from_arrays(
    truth=["a", "a", "b", "b", "c"],
    score=[[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.4, 0.4, 0.5], [0.1, 0.3, 0.3]],
)

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


def up_to(x):
    """The integral of c^2 (1 - c)^(2/3) from 0 to x, term by term in u = 1 - c."""
    term = lambda u: 3 / 5 * u ** (5 / 3) - 2 * 3 / 8 * u ** (8 / 3) + 3 / 11 * u ** (11 / 3)  # noqa: E731
    return term(1) - term(1 - x)


def from_there(x):
    """The integral of c (1 - c)^(5/3) from x to 1, likewise."""
    u = 1 - x
    return 3 / 8 * u ** (8 / 3) - 3 / 11 * u ** (11 / 3)


def early(alpha):
    """exp(-alpha rank / 5) over positives that rank first, second or third, and last; as a share of the way from least to most."""
    at = [exp(-alpha * rank / 5) for rank in (1, 2, 3, 4, 5)]
    return (at[0] + (at[1] + at[2]) / 2 + at[4] - sum(at[2:])) / (sum(at[:3]) - sum(at[2:]))


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
        "roc_auc_optimistic": Fraction(4, 6),
        "roc_auc_pessimistic": Fraction(3, 6),
        "gini": Fraction(1, 6),
        # 3 pairs in order, 2 not, 1 tied
        "goodman_kruskal_gamma": Fraction(1, 5),
        # the hull goes up to (0, 1/3) and straight to (1, 1), through (1/2, 2/3)
        "auch": Fraction(2, 3),
        "d_prime": sqrt(2) * NormalDist().inv_cdf(7 / 12),
        # tpr - fpr is 1/3, 1/6, -1/3, 0
        "kolmogorov_smirnov": Fraction(1, 3),
        "truncated_average_ks": Fraction(1, 18),
        "youden_j_max": Fraction(1, 3),
        # 1, 1.5, 2, 2, 3 positives among the first 1 ... 5 cases, against .6, 1.2, 1.8, 2.4, 3
        "average_gain": Fraction(4 + 3 + 2 - 4, 10) / 5,
        "average_lift": (1 + Fraction(3, 4) + Fraction(2, 3) + Fraction(2, 4) + Fraction(3, 5)) / 5 / Fraction(3, 5),
        # At a cost of c, 2/5 (1 - c) is lost at .9 and 2/5 c with everybody called positive, which is better from 1/2 on; without
        # knowledge 2/5 c and 3/5 (1 - c), alike at 3/5. Of c ~ Beta(2, 1 + 2/3).
        "h_measure": 1 - 2 * (up_to(0.5) + from_there(0.5)) / (2 * up_to(0.6) + 3 * from_there(0.6)),
        # 2/3 x at .9 up to x = 3/5, then 1 - x
        "average_cost": Fraction(12, 100) + Fraction(8, 100),
        # precision 1/1 at .9, 2/3 at .8, 3/5 at .1, each for one of three positives
        "average_precision": (1 + Fraction(2, 3) + Fraction(3, 5)) / 3,
        # and 2/4 at .4
        "mean_precision": (1 + Fraction(2, 3) + Fraction(2, 4) + Fraction(3, 5)) / 4,
        "auc_pr_trapezoid": (1 + (1 + Fraction(2, 3)) / 2 + (Fraction(2, 4) + Fraction(3, 5)) / 2) / 3,
        # from 0 at recall 0 to 1 at 1/3, to 1/2 or 2/3 at 2/3, to 3/5 at 1
        "auc_pr_min": (Fraction(1, 2) + Fraction(3, 4) + Fraction(11, 20)) / 3,
        "auc_pr_minmax": (Fraction(1, 2) + Fraction(5, 6) + Fraction(11, 20)) / 3,
        "auc_pr_max": (Fraction(1, 2) + Fraction(5, 6) + Fraction(19, 30)) / 3,
        # no two positives have one score
        "auc_pr_davis_goadrich": (1 + Fraction(5, 6) + Fraction(11, 20)) / 3,
        # integrals of 1, of t / (2 t - 1) from 1 to 2, of t / (t + 2) from 2 to 3
        "auc_pr_integral": (1 + 1 / 2 + log(3) / 4 + 1 - 2 * log(5 / 4)) / 3,
        # tpr rises from 1/3 by 2/3 of fpr
        "partial_auc": Fraction(1, 10) * (Fraction(1, 3) + Fraction(1, 30)),
        "partial_auc_standardised": Fraction(2, 3),
        # the last positive comes after every negative
        "partial_auc_tpr": 0,
        "partial_auc_tpr_standardised": (1 - Fraction(5, 95)) / 2,
        "precision_at_k": Fraction(3, 5),
        "recall_at_k": 1,
        # half of the first case
        "precision_at_share": 1,
        "recall_at_share": Fraction(1, 6),
        "enrichment_factor": Fraction(5, 3),
        "bedroc": early(20),
        "recall_at_precision": Fraction(1, 3),
        "precision_at_recall": Fraction(3, 5),
        "sensitivity_at_specificity": Fraction(1, 3),
        "specificity_at_sensitivity": 0,
        # fmr = 2/3 - 2/3 fmr between .9 and .8
        "equal_error_rate": Fraction(2, 5),
        # at .8: 1/2 and 1/3
        "equal_error_rate_nearest": Fraction(5, 12),
        "equal_error_rate_hull": Fraction(2, 5),
        "fnmr_at_fmr": Fraction(2, 3),
        "fmr_at_fnmr": 1,
        "min_dcf": Fraction(1, 100) * Fraction(2, 3),
        "min_dcf_normalised": Fraction(2, 3),
        "cllr": (sum(log1p(exp(-s)) for s in (0.9, 0.8, 0.1)) / 3 + sum(log1p(exp(s)) for s in (0.8, 0.4)) / 2) / 2 / log(2),
        # all but the first are one block, of 2 positives and 2 negatives: 2/3 of the positives against all negatives
        "min_cllr": (Fraction(2, 3) * log2(1 + 3 / 2) + log2(1 + 2 / 3)) / 2,
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
    ClassScores: {
        # a beats 3 + 2 of 6 pairs, b 3 + 2.5 of 6, c 2 of 4
        "macro_roc_auc": (Fraction(5, 6) + Fraction(11, 12) + Fraction(1, 2)) / 3,
        "weighted_roc_auc": (2 * Fraction(5, 6) + 2 * Fraction(11, 12) + Fraction(1, 2)) / 5,
        # a against b, b against a; a and c; b and c
        "pairwise_roc_auc": (Fraction(3, 4) + Fraction(7, 8) + 1 + Fraction(3, 4) + 1 + Fraction(1, 4)) / 6,
        # 1/1 and 2/3; 1/1 and 2/3; 1/4
        "mean_average_precision": (Fraction(5, 6) + Fraction(5, 6) + Fraction(1, 4)) / 3,
        "weighted_average_precision": (2 * Fraction(5, 6) + 2 * Fraction(5, 6) + Fraction(1, 4)) / 5,
    },
    IndicatorTable: {"exact_match": Fraction(2, 3)},
}
SUMMARY = {Counts: COUNTS, RankingTable: TABLE, ConfusionMatrix: MATRIX, IndicatorTable: INDICATORS, ClassScores: OF_CLASSES}

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
    # c ~ Beta(2, 2): 2/5 min(c, 1 - c) gives 1/48, and min(2/5 c, 3/5 (1 - c)) gives .0248
    (RankingTable, "h_measure", {"severity_ratio": 1}, 1 - Fraction(1, 48) / Fraction(248, 10_000)),
    # of density 2 x, and 2 (1 - x)
    (RankingTable, "average_cost", {"alpha": 2}, Fraction(96, 1000) + Fraction(1, 3) - Fraction(216, 1000)),
    (RankingTable, "average_cost", {"beta": 2}, Fraction(144, 1000) + Fraction(2, 3) * Fraction(64, 1000)),
    (RankingTable, "partial_auc", {"low": 0.05}, Fraction(5, 100) * (Fraction(1, 3) + Fraction(5, 100))),
    (RankingTable, "partial_auc", {"high": 1}, Fraction(7, 12)),
    (RankingTable, "partial_auc_standardised", {"low": 0.05}, Fraction(2, 3)),
    (RankingTable, "partial_auc_standardised", {"high": 1}, Fraction(7, 12)),
    # tpr = 1/2 at fpr = 1/4; 2/3 at 1/2
    (RankingTable, "partial_auc_tpr", {"low": 0.5}, Fraction(1, 6) * Fraction(5, 8)),
    (RankingTable, "partial_auc_tpr", {"low": 0, "high": 0.5}, Fraction(1, 3) + Fraction(1, 6) * Fraction(7, 8)),
    (RankingTable, "partial_auc_tpr_standardised", {"low": 0.5}, (1 - Fraction(1, 48) / Fraction(3, 8)) / 2),
    (RankingTable, "partial_auc_tpr_standardised", {"low": 0, "high": 0.5}, (1 + Fraction(5, 6)) / 2),
    (RankingTable, "precision_at_k", {"k": 2}, Fraction(3, 4)),
    (RankingTable, "recall_at_k", {"k": 2}, Fraction(1, 2)),
    # 2.5 of the cases: the first, and 1.5 of the two tied ones
    (RankingTable, "precision_at_share", {"share": 0.5}, Fraction(175, 250)),
    (RankingTable, "recall_at_share", {"share": 0.5}, Fraction(175, 300)),
    (RankingTable, "enrichment_factor", {"share": 0.5}, Fraction(175, 250) / Fraction(3, 5)),
    (RankingTable, "bedroc", {"alpha": 5}, early(5)),
    (RankingTable, "recall_at_precision", {"precision": 0.6}, 1),
    (RankingTable, "precision_at_recall", {"recall": 0.5}, Fraction(2, 3)),
    (RankingTable, "sensitivity_at_specificity", {"specificity": 0.5}, Fraction(2, 3)),
    (RankingTable, "specificity_at_sensitivity", {"sensitivity": 0.5}, Fraction(1, 2)),
    (RankingTable, "fnmr_at_fmr", {"fmr": 0.5}, Fraction(1, 3)),
    (RankingTable, "fmr_at_fnmr", {"fnmr": 0.5}, Fraction(1, 2)),
    (RankingTable, "min_dcf", {"prior": 0.5}, Fraction(1, 3)),
    # it is better to call everybody positive
    (RankingTable, "min_dcf", {"cost_miss": 1000}, Fraction(99, 100)),
    (RankingTable, "min_dcf", {"cost_fa": 0.001}, Fraction(99, 100_000)),
    (RankingTable, "min_dcf_normalised", {"prior": 0.5}, Fraction(2, 3)),
    (RankingTable, "min_dcf_normalised", {"cost_miss": 1000}, 1),
    (RankingTable, "min_dcf_normalised", {"cost_fa": 0.01}, Fraction(2, 300) / Fraction(99, 10_000)),
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
