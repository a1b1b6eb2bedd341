"""One row per measure and form, with a value worked out by hand. A new measure gets a row here; a test below
asks for it."""

from fractions import Fraction
from math import erf, exp, inf, log, log1p, log2, pi, sqrt
from statistics import NormalDist

import pytest
from looping import for_each
from strategies import EVERY, name

from tallymark import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from tallymark.measures.registry import get

# 9 positives and 11 negatives; 8 predicted positive and 12 predicted negative.
COUNTS = Counts(tp=6, fp=2, fn=3, tn=9)
# Scores .9 .8 .8 .4 .1 with labels + + - - +: 3 positives, 2 negatives.
TABLE = RankingTable.from_arrays(truth=[1, 1, 0, 0, 1], score=[0.9, 0.8, 0.8, 0.4, 0.1])
# Rows true, columns predicted: 7, 10 and 3 cases, of which 7, 8 and 5 are predicted as a, b and c; 13 of 20
# are right.
MATRIX = ConfusionMatrix(("a", "b", "c"), [[5, 1, 1], [2, 6, 2], [0, 1, 2]])
# Three cases of two labels, of which the first and the last are right in both.
INDICATORS = IndicatorTable.from_arrays(truth=[[1, 0], [1, 1], [0, 0]], predicted=[[1, 0], [1, 0], [0, 0]])
# Highest first, by the score for a: a b a b c; for b: b, a and b, c, a; for c: b, then a, b and c, a. Sizes
# 2, 2, 1.
OF_CLASSES = ClassScores.from_arrays(
    truth=["a", "a", "b", "b", "c"],
    score=[[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.4, 0.4, 0.5], [0.1, 0.3, 0.3]],
)
# Rows that add up to 1. The true class got .7 .3 .5 .4 .6; the highest is right, wrong, right, wrong (the
# first of two), right.
OF_PROBABILITIES = ClassScores.from_arrays(
    truth=["a", "a", "b", "b", "c"],
    score=[[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.4, 0.4, 0.2], [0.1, 0.3, 0.6]],
)
# 3 of 4 at .8 and 1 of 3 at .2 are positive: any line through two logits is met exactly.
TWO_SCORES = RankingTable([0.8, 0.2], [3, 1], [1, 2])
# Off by .5, -1, 0 and 2.
RESIDUALS = Residuals.from_arrays(truth=[1, 2, 3, 4], predicted=[1.5, 1, 3, 6])

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
# Each class's mistakes on both sides, as shares of its row and column together (14, 18 and 8 of 40);
# logarithms to 2 (3 - 1) = 4.
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
    """exp(-alpha rank / 5) over positives that rank first, second or third, and last; as a share of the way
    from least to most."""
    at = [exp(-alpha * rank / 5) for rank in (1, 2, 3, 4, 5)]
    return (at[0] + (at[1] + at[2]) / 2 + at[4] - sum(at[2:])) / (sum(at[:3]) - sum(at[2:]))


def of_noise(gap, deviation):
    """The mean of |x| of a normal x with this mean and standard deviation."""
    return gap * erf(gap / (deviation * sqrt(2))) + deviation * sqrt(2 / pi) * exp(
        -((gap / deviation) ** 2) / 2
    )


BRIER = (0.1**2 + 0.2**2 + 0.8**2 + 0.4**2 + 0.9**2) / 5
LOG_LOSS = -(log(0.9) + log(0.8) + log(0.2) + log(0.6) + log(0.1)) / 5
# Three rise above the share of their class, 3/5 or 2/5, and two fall below it.
INFORMATION = (log(0.9 / 0.6) + log(0.8 / 0.6) + log(0.4 / 0.9) + log(0.6 / 0.8) + log(0.6 / 0.4)) / 5

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
        "positive_predictive_ratio": Fraction(6, 8) / Fraction(3, 12),
        "negative_predictive_ratio": Fraction(2, 8) / Fraction(9, 12),
        "diagnostic_odds_ratio": Fraction(6 * 9, 2 * 3),
        "corrected_odds_ratio": Fraction(13 * 19, 5 * 7),
        # odds of 2 among the actual positives, 9/2 among the actual negatives
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
        "standardised_net_benefit": Fraction(6 - 2, 9),
        "interventions_avoided": Fraction(9 - 3, 20),
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
        "average_lift": (1 + Fraction(3, 4) + Fraction(2, 3) + Fraction(2, 4) + Fraction(3, 5))
        / 5
        / Fraction(3, 5),
        # At a cost of c, 2/5 (1 - c) is lost at .9 and 2/5 c with everybody called positive, which is better
        # from 1/2 on; without knowledge 2/5 c and 3/5 (1 - c), alike at 3/5. Of c ~ Beta(2, 1 + 2/3).
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
        "cllr": (
            sum(log1p(exp(-s)) for s in (0.9, 0.8, 0.1)) / 3 + sum(log1p(exp(s)) for s in (0.8, 0.4)) / 2
        )
        / 2
        / log(2),
        # all but the first are one block, of 2 positives and 2 negatives: 2/3 of the positives against all
        # negatives
        "min_cllr": (Fraction(2, 3) * log2(1 + 3 / 2) + log2(1 + 2 / 3)) / 2,
        # the means are 1.8 / 3 and 1.2 / 2
        "decidability": 0,
        # to what was true went .9 .8 .1 for positives and .2 .6 for negatives
        "mean_absolute_error": (0.1 + 0.2 + 0.9 + 0.8 + 0.4) / 5,
        "brier_score": BRIER,
        "root_mean_squared_error": sqrt(BRIER),
        "log_loss": LOG_LOSS,
        # a positive weighs 2/5, the share of the negatives, and a negative 3/5
        "balanced_cross_entropy": -(2 * log(0.9 * 0.8 * 0.1) + 3 * log(0.2 * 0.6)) / 25,
        "focal_loss": -(
            0.1**2 * log(0.9) + 0.2**2 * log(0.8) + 0.9**2 * log(0.1) + 0.8**2 * log(0.2) + 0.4**2 * log(0.6)
        )
        / 5,
        "information_score": INFORMATION,
        "relative_information_score": INFORMATION / entropy(3, 2),
        "spherical_score": (
            0.9 / sqrt(0.82) + 0.8 / sqrt(0.68) + 0.1 / sqrt(0.82) + 0.2 / sqrt(0.68) + 0.6 / sqrt(0.52)
        )
        / 5,
        "brier_skill_score": 1 - BRIER / 0.24,
        "log_loss_skill_score": 1 - LOG_LOSS / entropy(3, 2),
        # the likelihood to the power of 2 / 5, against that of the shares
        "cox_snell_r2": 1 - (0.6**3 * 0.4**2 / (0.9 * 0.8 * 0.1 * 0.2 * 0.6)) ** 0.4,
        "nagelkerke_r2": (
            (1 - (0.6**3 * 0.4**2 / (0.9 * 0.8 * 0.1 * 0.2 * 0.6)) ** 0.4) / (1 - (0.6**3 * 0.4**2) ** 0.4)
        ),
        # of two scores: (3 * .8 + .2) / 4 and (.8 + 2 * .2) / 3
        "discrimination_slope": Fraction(65, 100) - Fraction(40, 100),
        # short of 1 by .1 .2 .9, and of -1 by 1.8 1.4
        "hinge_loss": Fraction(44, 50),
        # every score has a bin of its own: positives less those expected are .1 and, of two cases, -.6; -.4;
        # .9
        "expected_calibration_error": Fraction(20, 50),
        "adaptive_calibration_error": Fraction(20, 50),
        # the nearest three quarters of the cases are two scores, through which the curve passes
        "integrated_calibration_index": Fraction(20, 50),
        "median_calibration_error": Fraction(3, 10),
        "e90_calibration_error": Fraction(9, 10),
        "maximum_calibration_error": Fraction(9, 10),
        "rms_calibration_error": sqrt((0.1**2 + 2 * 0.3**2 + 0.4**2 + 0.9**2) / 5),
        # one of two is positive, with a variance of 1/8; three bins of one case have none
        "debiased_ece": (2 * 2.0 - 0.1 - 0.4 - 0.9 - 2 * of_noise(0.3, sqrt(1 / 8))) / 5,
        "debiased_rmsce": sqrt((0.1**2 + 2 * (0.3**2 - 1 / 4) + 0.4**2 + 0.9**2) / 5),
        # of two scores: from logits of log 4 and -log 4 to those of 3/4 and 1/3, log 3 and -log 2
        "calibration_slope": (log(3) + log(2)) / (2 * log(4)),
        "calibration_intercept": (log(3) - log(2)) / 2,
        "observed_expected_ratio": 3 / (0.9 + 0.8 + 0.8 + 0.4 + 0.1),
        # of two scores, with u = exp(a): 4 * 4u / (4u + 1) + 3 * u / (u + 4) = 4 positives, or 12 u^2 - u -
        # 16 = 0
        "calibration_in_the_large": log((1 + sqrt(769)) / 24),
        # .9 twice, once right: 1 - 1.8; .8 twice, once right: 1 - 1.6; .6, right
        "top_label_ece": (0.8 + 0.6 + 0.4) / 5,
        "top_label_ace": (0.8 + 0.6 + 0.4) / 5,
        "top_label_mce": Fraction(4, 10),
        "top_label_rmsce": sqrt((2 * 0.4**2 + 2 * 0.3**2 + 0.4**2) / 5),
        # isotonic regression makes 1 of .9 and 1/2 of all four others, which then lose 1/4 or log 2 each
        "brier_miscalibration": BRIER - 0.2,
        "brier_discrimination": Fraction(24, 100) - Fraction(20, 100),
        "brier_uncertainty": Fraction(6, 25),
        "log_loss_miscalibration": LOG_LOSS - 4 / 5 * log(2),
        "log_loss_discrimination": entropy(3, 2) - 4 / 5 * log(2),
        "log_loss_uncertainty": entropy(3, 2),
        "brier_reliability": (0.1**2 + 2 * 0.3**2 + 0.4**2 + 0.9**2) / 5,
        # shares of 1, 1/2, 0 and 1, about 3/5
        "brier_resolution": (0.4**2 + 2 * 0.1**2 + 0.6**2 + 0.4**2) / 5,
    },
    ConfusionMatrix: {
        "accuracy": Fraction(13, 20),
        "error_rate": Fraction(7, 20),
        "balanced_accuracy": (Fraction(5, 7) + Fraction(6, 10) + Fraction(2, 3)) / 3,
        # 13 * 20 right, less 7 * 7 + 10 * 8 + 3 * 5 = 144; squares 49 + 64 + 25 predicted and 49 + 100 + 9
        # true
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
        # .7 beats 10 of the 10 scores for other classes, .3 twice 5.5, .5 beats 9.5, .4 8
        "micro_roc_auc": Fraction(77, 100),
        # at .7, .5, .4 and twice at .3
        "micro_average_precision": (1 + Fraction(2, 3) + Fraction(1, 2) + 2 * Fraction(5, 11)) / 5,
        # the second and the fourth are tied for the second place
        "top_k_accuracy": Fraction(4, 5),
        # of probabilities
        "log_loss": -log(0.7 * 0.3 * 0.5 * 0.4 * 0.6) / 5,
        # row by row: .3 .2 .1 off; .7 .4 .3; .2 .5 .3; .4 .6 .2; .1 .3 .4
        "brier_score": (0.14 + 0.74 + 0.38 + 0.56 + 0.26) / 5,
        # shares of 2/5, 2/5 and 1/5
        "brier_skill_score": 1 - 0.416 / 0.64,
        "log_loss_skill_score": 1 + log(0.7 * 0.3 * 0.5 * 0.4 * 0.6) / 5 / entropy(2, 2, 1),
        "spherical_score": (
            0.7 / sqrt(0.54) + 0.3 / sqrt(0.34) + 0.5 / sqrt(0.38) + 0.4 / sqrt(0.36) + 0.6 / sqrt(0.46)
        )
        / 5,
        # at most a, at most b: .3 .1 off; .7 .3; .2 .3; .4 .2; .1 .4
        "ranked_probability_score": (0.10 + 0.58 + 0.13 + 0.20 + 0.17) / 5 / 2,
        # right at .7, .6 and .5, wrong twice at .4
        "top_label_ece": (0.3 + 0.4 + 0.5 + 0.8) / 5,
        "top_label_ace": (0.3 + 0.4 + 0.5 + 0.8) / 5,
        "top_label_mce": Fraction(1, 2),
        "top_label_rmsce": sqrt((0.3**2 + 0.4**2 + 0.5**2 + 2 * 0.4**2) / 5),
    },
    IndicatorTable: {"exact_match": Fraction(2, 3)},
    Residuals: {
        "mean_squared_error": Fraction(1, 4) * (Fraction(1, 4) + 1 + 0 + 4),
        "mean_absolute_error": Fraction(35, 40),
        "root_mean_squared_error": sqrt(1.3125),
        # straight from 1.35 on: 2 * 1.35 * 2 - 1.35^2
        "huber_loss": (Fraction(1, 4) + 1 + 0 + Fraction(35775, 10_000)) / 4,
        "mean_error": Fraction(15, 40),
        "median_absolute_error": Fraction(3, 4),
        "largest_error": 2,
        # actual 1, 2, 3, 4 about 2.5: squares add up to 5, and predicted 1.5, 1, 3, 6 about 2.875 to 15.1875
        "r2": 1 - Fraction(21, 4) / 5,
        # errors .5, -1, 0, 2 about .375
        "explained_variance": 1 - (Fraction(21, 4) - 4 * Fraction(3, 8) ** 2) / 5,
        "correlation": (1.5 * 1.375 + 0.5 * 1.875 + 0.5 * 0.125 + 1.5 * 3.125) / sqrt(5 * 15.1875),
        "absolute_error_skill_score": 1 - Fraction(7, 2) / 4,
    },
}
SUMMARY = {
    Counts: COUNTS,
    RankingTable: TABLE,
    ConfusionMatrix: MATRIX,
    IndicatorTable: INDICATORS,
    ClassScores: OF_CLASSES,
}
SUMMARY |= {Residuals: RESIDUALS}
OF_TWO_SCORES = (
    "discrimination_slope",
    "calibration_slope",
    "calibration_intercept",
    "calibration_in_the_large",
)


def summary_for(entry):
    """What the value was worked out for."""
    if entry.summary is ClassScores and entry.needs_probabilities:
        return OF_PROBABILITIES
    return (
        TWO_SCORES
        if entry.summary is RankingTable and entry.name in OF_TWO_SCORES
        else SUMMARY[entry.summary]
    )


WITH_PARAMETERS = [
    # beta = 0: no weight on the sensitivity; 1: as much as on the precision
    (Counts, "f_beta", {"beta": 0}, Fraction(6, 8)),
    (Counts, "f_beta", {"beta": 0.5}, Fraction(5 * 6, 5 * 6 + 3 + 4 * 2)),
    (Counts, "f_beta", {"beta": 1}, Fraction(12, 17)),
    (Counts, "expected_cost", {"cost_fn": 10}, Fraction(2 + 30, 20)),
    (Counts, "expected_cost", {"cost_fp": 0, "cost_fn": 0.5}, Fraction(3, 40)),
    (Counts, "expected_cost", {"cost_fn": 10, "prevalence": 0.5}, Fraction(5, 3) + Fraction(1, 11)),
    # at a threshold of 1/5 a true positive is worth four false ones; at 0, false ones cost nothing
    (Counts, "net_benefit", {"threshold": 0.2}, (6 - Fraction(2, 4)) / 20),
    (Counts, "net_benefit", {"threshold": 1}, -inf),
    (Counts, "standardised_net_benefit", {"threshold": 0.2}, (6 - Fraction(2, 4)) / 9),
    (Counts, "interventions_avoided", {"threshold": 0.2}, Fraction(9 - 3 * 4, 20)),
    (Counts, "net_benefit", {"threshold": 0}, Fraction(6, 20)),
    (Counts, "lift", {"prior": 0.25}, Fraction(6, 8) * 4),
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
    (
        RankingTable,
        "partial_auc_tpr",
        {"low": 0, "high": 0.5},
        Fraction(1, 3) + Fraction(1, 6) * Fraction(7, 8),
    ),
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
    (
        RankingTable,
        "balanced_cross_entropy",
        {"alpha": 0.75},
        -(0.75 * log(0.9 * 0.8 * 0.1) + 0.25 * log(0.2 * 0.6)) / 5,
    ),
    (
        RankingTable,
        "balanced_cross_entropy",
        {"base": 2},
        -(2 * log2(0.9 * 0.8 * 0.1) + 3 * log2(0.2 * 0.6)) / 25,
    ),
    (
        RankingTable,
        "balanced_cross_entropy",
        {"clip": 0.15},
        -(2 * log(0.9 * 0.8 * 0.15) + 3 * log(0.2 * 0.6)) / 25,
    ),
    (RankingTable, "focal_loss", {"gamma": 0}, LOG_LOSS),
    (
        RankingTable,
        "focal_loss",
        {"gamma": 1},
        -(0.1 * log(0.9) + 0.2 * log(0.8) + 0.9 * log(0.1) + 0.8 * log(0.2) + 0.4 * log(0.6)) / 5,
    ),
    (
        RankingTable,
        "focal_loss",
        {"gamma": 0, "alpha": 0.75},
        -(0.75 * log(0.9 * 0.8 * 0.1) + 0.25 * log(0.2 * 0.6)) / 5,
    ),
    (RankingTable, "focal_loss", {"gamma": 0, "base": 10}, LOG_LOSS / log(10)),
    # the factor (1 - p)^2 is not clipped
    (
        RankingTable,
        "focal_loss",
        {"clip": 0.15},
        -(0.1**2 * log(0.9) + 0.2**2 * log(0.8) + 0.9**2 * log(0.15) + 0.8**2 * log(0.2) + 0.4**2 * log(0.6))
        / 5,
    ),
    (RankingTable, "information_score", {"base": 2}, INFORMATION / log(2)),
    # of positives .9 and .8 rise above 1/2, .2 falls below; of negatives .6 rises, .1 falls
    (
        RankingTable,
        "information_score",
        {"prior": 0.5},
        (log(1.8) + log(1.6) + log(0.5 / 0.8) + log(1.2) + log(0.5 / 0.9)) / 5,
    ),
    # up to 1/2: one positive of two, .5 expected; above: two of three, 2.5 expected
    (RankingTable, "expected_calibration_error", {"bins": 2}, Fraction(10, 50)),
    (RankingTable, "maximum_calibration_error", {"bins": 2}, Fraction(1, 4)),
    (RankingTable, "rms_calibration_error", {"bins": 2}, sqrt(Fraction(1, 24))),
    (RankingTable, "brier_reliability", {"bins": 2}, Fraction(1, 24)),
    (
        RankingTable,
        "brier_resolution",
        {"bins": 2},
        (2 * Fraction(1, 10) ** 2 + 3 * Fraction(1, 15) ** 2) / 5,
    ),
    (
        RankingTable,
        "debiased_ece",
        {"bins": 2},
        2 / 5 - (2 * of_noise(1 / 4, sqrt(1 / 4 / 2)) + 3 * of_noise(1 / 6, sqrt(2 / 9 / 3))) / 5,
    ),
    # .1 and .4 by themselves; of the three above 2/3 two are positive, and 1/9 is expected of chance
    (RankingTable, "debiased_rmsce", {"bins": 3}, sqrt((0.9**2 + 0.4**2 + 3 * (1 / 36 - 1 / 9)) / 5)),
    # chance makes more of it than there is: 1/16 and 1/36 against 1/4 and 1/9
    (RankingTable, "debiased_rmsce", {"bins": 2}, 0),
    # .9 alone, since 4 of 5 lie below it; the others are two positives, 2.1 expected
    (RankingTable, "adaptive_calibration_error", {"bins": 2}, Fraction(2, 50)),
    # every answer is above 1/2: three right, 4 expected
    (RankingTable, "top_label_ece", {"bins": 2}, Fraction(1, 5)),
    (RankingTable, "top_label_mce", {"bins": 2}, Fraction(1, 5)),
    (RankingTable, "top_label_rmsce", {"bins": 2}, Fraction(1, 5)),
    # .9 twice, once right; of .8 .8 .6 two, 2.2 expected
    (RankingTable, "top_label_ace", {"bins": 2}, Fraction(8 + 2, 50)),
    (ClassScores, "top_k_accuracy", {"k": 1}, Fraction(1, 2)),
    (ClassScores, "log_loss", {"base": 2}, -log2(0.7 * 0.3 * 0.5 * 0.4 * 0.6) / 5),
    (ClassScores, "log_loss", {"clip": 0.45}, -log(0.7 * 0.45 * 0.5 * 0.45 * 0.6) / 5),
    # above 1/2 two are right, 1.3 expected; up to there one of three, 1.3 expected
    (ClassScores, "top_label_ece", {"bins": 2}, Fraction(7 + 3, 50)),
    (ClassScores, "top_label_ace", {"bins": 2}, Fraction(7 + 3, 50)),
    (ClassScores, "top_label_mce", {"bins": 2}, Fraction(35, 100)),
    (ClassScores, "top_label_rmsce", {"bins": 2}, sqrt((2 * 0.35**2 + 3 * 0.1**2) / 5)),
    (Residuals, "huber_loss", {"epsilon": 1}, (Fraction(1, 4) + 1 + 0 + 3) / 4),
]


@for_each("entry", EVERY, ids=name)
def test_value_worked_out_by_hand(entry):
    assert entry.name in VALUES[entry.summary], (
        f"add a value worked out by hand to VALUES[{entry.summary.__name__}] in {__file__}"
    )
    assert entry(summary_for(entry)) == pytest.approx(float(VALUES[entry.summary][entry.name]), rel=1e-14)


@for_each(("kind", "name", "parameters", "value"), WITH_PARAMETERS)
def test_value_with_parameters_worked_out_by_hand(kind, name, parameters, value):
    entry = get(name, kind)
    assert entry(summary_for(entry), **parameters) == pytest.approx(float(value), rel=1e-14)


def test_every_row_has_its_measure():
    rows = {(kind, name) for kind in VALUES for name in VALUES[kind]}
    assert not rows - {(entry.summary, entry.name) for entry in EVERY}  # the test above asks for the others


def test_every_parameter_has_a_row():
    there = {(entry.summary, entry.name, parameter) for entry in EVERY for parameter in entry.parameters}
    rows = {
        (kind, name, parameter) for kind, name, parameters, _ in WITH_PARAMETERS for parameter in parameters
    }
    assert not there - rows, (
        f"add rows with another value of these parameters to WITH_PARAMETERS in {__file__}: {there - rows}"
    )
    assert not rows - there
