"""One row per measure, with a value worked out by hand. A new measure gets a row here; a test below asks for it."""

from fractions import Fraction
from math import log, sqrt

import pytest

from tallymark import Counts, RankingTable, registry

COUNTS = Counts(tp=6, fp=2, fn=3, tn=9)  # 9 positives, 11 negatives; 8 predicted positive, 12 predicted negative
# Scores .9 .8 .8 .4 .1 with labels + + - - +: 3 positives, 2 negatives.
TABLE = RankingTable.from_arrays(truth=[1, 1, 0, 0, 1], score=[0.9, 0.8, 0.8, 0.4, 0.1])

VALUES = {
    "accuracy": Fraction(15, 20),
    "error_rate": Fraction(5, 20),
    "sensitivity": Fraction(6, 9),
    "specificity": Fraction(9, 11),
    "false_positive_rate": Fraction(2, 11),
    "false_negative_rate": Fraction(3, 9),
    "precision": Fraction(6, 8),
    "negative_predictive_value": Fraction(9, 12),
    "false_discovery_rate": Fraction(2, 8),
    "false_omission_rate": Fraction(3, 12),
    "prevalence": Fraction(9, 20),
    "predicted_prevalence": Fraction(8, 20),
    "npr": Fraction(11, 9),
    "npr_predicted": Fraction(12, 8),
    "youden_j": Fraction(6, 9) + Fraction(9, 11) - 1,
    "balanced_accuracy": (Fraction(6, 9) + Fraction(9, 11)) / 2,
    "f1": Fraction(12, 17),
    "matthews_correlation": (6 * 9 - 2 * 3) / sqrt(8 * 9 * 11 * 12),
    # agreement 15/20; by chance 9/20 * 8/20 + 11/20 * 12/20 = 204/400
    "cohen_kappa": (Fraction(15, 20) - Fraction(204, 400)) / (1 - Fraction(204, 400)),
    # .9 beats both negatives, .8 beats one and ties with one, .1 beats none: 2 + 1.5 + 0 of 6 pairs
    "roc_auc": Fraction(7, 12),
    # precision 1/1 at .9, 2/3 at .8, 3/5 at .1, each for one of three positives
    "average_precision": (1 + Fraction(2, 3) + Fraction(3, 5)) / 3,
    "brier_score": (0.1**2 + 0.2**2 + 0.8**2 + 0.4**2 + 0.9**2) / 5,
    "log_loss": -(log(0.9) + log(0.8) + log(0.2) + log(0.6) + log(0.1)) / 5,
}


@pytest.mark.parametrize("entry", registry.all_measures(), ids=lambda entry: entry.name)
def test_value_worked_out_by_hand(entry):
    assert entry.name in VALUES, f"{entry.name} has no row: add one to VALUES"
    assert entry({Counts: COUNTS, RankingTable: TABLE}[entry.summary]) == pytest.approx(float(VALUES[entry.name]), rel=1e-14)


def test_every_row_has_its_measure():
    assert set(VALUES) == {entry.name for entry in registry.all_measures()}
