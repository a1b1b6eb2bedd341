"""Exact values: the definitions in fractions, and in 50 digits where a root or a logarithm is drawn.

What rounding does to floating-point numbers can be seen against these. Weights are floats, taken as they are.
"""

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

DIGITS = 50
HALF = Fraction(1, 2)
ROOT_OF_3_OVER_PI = Decimal(3).sqrt() / Decimal("3.14159265358979323846264338327950288")

# Of four counts: numerator and denominator. 0/0 is undefined, anything else over 0 infinite.
RATIOS = {
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
    "error_rate": lambda tp, fp, fn, tn: (fp + fn, tp + fp + fn + tn),
    "sensitivity": lambda tp, fp, fn, tn: (tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: (tn, fp + tn),
    "false_positive_rate": lambda tp, fp, fn, tn: (fp, fp + tn),
    "false_negative_rate": lambda tp, fp, fn, tn: (fn, tp + fn),
    "precision": lambda tp, fp, fn, tn: (tp, tp + fp),
    "negative_predictive_value": lambda tp, fp, fn, tn: (tn, fn + tn),
    "false_discovery_rate": lambda tp, fp, fn, tn: (fp, tp + fp),
    "false_omission_rate": lambda tp, fp, fn, tn: (fn, fn + tn),
    "prevalence": lambda tp, fp, fn, tn: (tp + fn, tp + fp + fn + tn),
    "predicted_prevalence": lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn),
    "npr": lambda tp, fp, fn, tn: (fp + tn, tp + fn),
    "npr_predicted": lambda tp, fp, fn, tn: (fn + tn, tp + fp),
    "youden_j": lambda tp, fp, fn, tn: (tp * tn - fp * fn, (tp + fn) * (fp + tn)),
    "markedness": lambda tp, fp, fn, tn: (tp * tn - fp * fn, (tp + fp) * (fn + tn)),
    "balanced_accuracy": lambda tp, fp, fn, tn: (tp * (fp + tn) + tn * (tp + fn), 2 * (tp + fn) * (fp + tn)),
    "balanced_error_rate": lambda tp, fp, fn, tn: (
        fn * (fp + tn) + fp * (tp + fn),
        2 * (tp + fn) * (fp + tn),
    ),
    "jaccard": lambda tp, fp, fn, tn: (tp, tp + fp + fn),
    "f1": lambda tp, fp, fn, tn: (2 * tp, 2 * tp + fp + fn),
    "f_beta": lambda tp, fp, fn, tn: (5 * tp, 5 * tp + 4 * fn + fp),
    "lift": lambda tp, fp, fn, tn: (tp * (tp + fp + fn + tn), (tp + fp) * (tp + fn)),
    "positive_likelihood_ratio": lambda tp, fp, fn, tn: (tp * (fp + tn), fp * (tp + fn)),
    "negative_likelihood_ratio": lambda tp, fp, fn, tn: (fn * (fp + tn), tn * (tp + fn)),
    "diagnostic_odds_ratio": lambda tp, fp, fn, tn: (tp * tn, fp * fn),
    "corrected_odds_ratio": lambda tp, fp, fn, tn: ((tp + HALF) * (tn + HALF), (fp + HALF) * (fn + HALF)),
    "number_needed_to_diagnose": lambda tp, fp, fn, tn: ((tp + fn) * (fp + tn), tp * tn - fp * fn),
    "cohen_kappa": lambda tp, fp, fn, tn: (
        2 * (tp * tn - fp * fn),
        (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn),
    ),
    "equitable_threat_score": lambda tp, fp, fn, tn: (
        tp * tn - fp * fn,
        tp * tn - fp * fn + (fp + fn) * (tp + fp + fn + tn),
    ),
    "yule_q": lambda tp, fp, fn, tn: (tp * tn - fp * fn, tp * tn + fp * fn),
    "expected_cost": lambda tp, fp, fn, tn: (fp + fn, tp + fp + fn + tn),
    "net_benefit": lambda tp, fp, fn, tn: (tp - fp, tp + fp + fn + tn),
}
SQUARES = {  # the same for the square; that of a negative value is negative here
    "g_measure": lambda tp, fp, fn, tn: (tp * tp, (tp + fp) * (tp + fn)),
    "geometric_mean": lambda tp, fp, fn, tn: (tp * tn, (tp + fn) * (fp + tn)),
    "adjusted_f": lambda tp, fp, fn, tn: (25 * tp * tn, (5 * tp + 4 * fn + fp) * (5 * tn + fp + 4 * fn)),
    "matthews_correlation": lambda tp, fp, fn, tn: (
        (tp * tn - fp * fn) * abs(tp * tn - fp * fn),
        (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn),
    ),
}


def ratio(numerator, denominator):
    if denominator:
        return numerator / denominator
    return math.inf if numerator > 0 else -math.inf if numerator < 0 else math.nan


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def root(x):
    return decimal(abs(x)).sqrt().copy_sign(1 if x >= 0 else -1) if math.isfinite(x) else x


def discriminant_power(tp, fp, fn, tn):
    odds = ratio(tp * tn, fp * fn)
    return ROOT_OF_3_OVER_PI * decimal(odds).ln() if 0 < odds < math.inf else -math.inf if odds == 0 else odds


def yule_y(tp, fp, fn, tn):
    right, wrong = root(tp * tn), root(fp * fn)
    return ratio(right - wrong, right + wrong)


def prevalence_threshold(tp, fp, fn, tn):
    hits, alarms = root(ratio(tp, tp + fn)), root(ratio(fp, fp + tn))
    return ratio(alarms, hits + alarms) if tp + fn and fp + tn else math.nan


def adjusted_geometric_mean(tp, fp, fn, tn):
    mean = root(ratio(tp * tn, (tp + fn) * (fp + tn)))
    return (mean + decimal(tn)) / decimal(1 + fp + tn) if tp and fp + tn else 0 * mean


def optimization_precision(tp, fp, fn, tn):
    hits, spared = ratio(tp, tp + fn), ratio(tn, fp + tn)
    return (
        (tp + tn) / (tp + fp + fn + tn) - ratio(abs(hits - spared), hits + spared)
        if tp + fn and fp + tn
        else math.nan
    )


def symmetric_extremal_dependence(tp, fp, fn, tn):
    if 0 in (tp, fp, fn, tn):
        return ratio(tp * tn - fp * fn, abs(tp * tn - fp * fn))
    hit, missed, alarm, spared = (
        decimal(x).ln() for x in (tp / (tp + fn), fn / (tp + fn), fp / (fp + tn), tn / (fp + tn))
    )
    return (alarm - hit - spared + missed) / (alarm + hit + spared + missed)


OTHERS = {
    function.__name__: function
    for function in (
        discriminant_power,
        yule_y,
        prevalence_threshold,
        adjusted_geometric_mean,
        optimization_precision,
        symmetric_extremal_dependence,
    )
} | {
    "uncertainty_coefficient": lambda tp, fp, fn, tn: of_matrix(
        "uncertainty_coefficient", [[tn, fp], [fn, tp]]
    )
}
OF_TABLE = (*RATIOS, *SQUARES, *OTHERS)


def of_table(name, cells):
    """A measure, as a float, of (tp, fp, fn, tn); with parameters as they are by default."""
    exact = [Fraction(cell) for cell in cells]
    with localcontext(prec=DIGITS):
        if name in RATIOS:
            return float(ratio(*RATIOS[name](*exact)))
        return float(root(ratio(*SQUARES[name](*exact))) if name in SQUARES else OTHERS[name](*exact))


def of_class(name, weights, k):
    """A measure, as a float, of class k of rows of weights against the rest."""
    cells = [[Fraction(weight) for weight in row] for row in weights]
    tp, row, column = cells[k][k], sum(cells[k]), sum(row[k] for row in cells)
    return of_table(name, (tp, column - tp, row - tp, sum(map(sum, cells)) - row - column + tp))


# --- Of a matrix: from the shares of the cells, the rows and the columns.


def pairs(size):
    return itertools.product(range(size), repeat=2)


def accuracy(x, row, column):
    return sum(x[k][k] for k in range(len(x)))


def balanced_accuracy(x, row, column):
    found = [x[k][k] / row[k] for k in range(len(x)) if row[k]]
    return sum(found) / len(found)


def kappa_by(distance):
    def kappa(x, row, column):
        observed = sum(distance(i, j) * x[i][j] for i, j in pairs(len(x)))
        return 1 - ratio(observed, sum(distance(i, j) * row[i] * column[j] for i, j in pairs(len(x))))

    return kappa


def matthews_correlation(x, row, column):
    beyond = sum(x[k][k] - row[k] * column[k] for k in range(len(x)))
    return root(ratio(beyond * abs(beyond), (1 - sum(r * r for r in row)) * (1 - sum(c * c for c in column))))


def mutual_information(x, row, column):
    return sum(
        decimal(x[i][j]) * decimal(x[i][j] / (row[i] * column[j])).ln() for i, j in pairs(len(x)) if x[i][j]
    )


def uncertainty_coefficient(x, row, column):
    return ratio(mutual_information(x, row, column), -sum(decimal(r) * decimal(r).ln() for r in row if r))


def confusion_entropy(x, row, column):
    sides = [r + c for r, c in zip(row, column, strict=True)]
    wrong = [(i, j) for i, j in pairs(len(x)) if i != j and x[i][j]]
    value = -sum(decimal(x[i][j]) * decimal(x[i][j] ** 2 / (sides[i] * sides[j])).ln() for i, j in wrong)
    return value / (2 * Decimal(max(2 * (len(x) - 1), 2)).ln())


OF_MATRIX = {
    "accuracy": accuracy,
    "error_rate": lambda *shares: 1 - accuracy(*shares),
    "balanced_accuracy": balanced_accuracy,
    "cohen_kappa": kappa_by(lambda i, j: int(i != j)),
    "linear_weighted_kappa": kappa_by(lambda i, j: abs(i - j)),
    "quadratic_weighted_kappa": kappa_by(lambda i, j: (i - j) ** 2),
    "matthews_correlation": matthews_correlation,
    "mutual_information": mutual_information,
    "uncertainty_coefficient": uncertainty_coefficient,
    "confusion_entropy": confusion_entropy,
}


def of_matrix(name, weights, base=None):
    """A measure, as a float, of rows of weights; base: of its logarithm."""
    cells = [[Fraction(weight) for weight in row] for row in weights]
    total = sum(map(sum, cells))
    shares = [[cell / total for cell in row] for row in cells]
    with localcontext(prec=DIGITS):
        value = OF_MATRIX[name](
            shares, [sum(row) for row in shares], [sum(column) for column in zip(*shares, strict=True)]
        )
        return float(value / Decimal(base).ln() if base else value)
