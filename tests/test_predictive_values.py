"""The table that belongs to predictive values: against tables themselves, and Tharwat's equation 8."""

import numpy as np
import pytest
from refusals import refuses

import tallymark as tm
from tallymark import Counts, InputError, measures

from_predictive_values = tm.convert.from_predictive_values

SAME = "accuracy", "sensitivity", "specificity", "positive_likelihood_ratio", "negative_likelihood_ratio"


def test_accuracy_is_tharwats_equation_8():
    """Berrar's table: tp 3, fp 1, fn 2, tn 4; accuracy 3/4 * 4/10 + 4/6 * 6/10 = 0.7."""
    found = from_predictive_values(precision=0.75, negative_predictive_value=4 / 6, predicted_prevalence=0.4)
    assert measures.accuracy(found) == pytest.approx(0.7)
    assert measures.positive_likelihood_ratio(found) == pytest.approx(3)
    assert measures.negative_likelihood_ratio(found) == pytest.approx(0.5)


@pytest.mark.full
def test_tables_come_back_from_either_proportion():
    random, wrong = np.random.default_rng(4), []
    for cells in random.integers(1, 30, (50, 4)):
        table = Counts(**dict(zip(("tp", "fp", "fn", "tn"), map(float, cells), strict=True)))
        values = {
            name: measures.__getattr__(name)(table) for name in ("precision", "negative_predictive_value")
        }
        for name in ("prevalence", "predicted_prevalence"):
            if name == "prevalence" and abs(measures.markedness(table)) < 1e-9:
                continue
            found = from_predictive_values(**values, **{name: measures.__getattr__(name)(table)})
            ours, theirs = ([measures.__getattr__(one)(each) for one in SAME] for each in (found, table))
            wrong += [] if ours == pytest.approx(theirs, rel=1e-9) else [(name, cells.tolist())]
        both = {name: measures.__getattr__(name)(table) for name in ("prevalence", "predicted_prevalence")}
        assert from_predictive_values(**values, **both).tp == pytest.approx(table.tp / table.total)
    assert wrong == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"prevalence": 0.8}, r"prevalence: 0.8 contradicts the predictive values: it is between 0.5"),
        ({"prevalence": 0.55, "predicted_prevalence": 0.4}, r"it is 0.6 by the other three values"),
        ({}, "give predicted_prevalence= or prevalence="),
        ({"predicted_prevalence": 1.2}, "predicted_prevalence"),
        ({"predicted_prevalence": 0.4, "cases": 0}, "cases: 0 is not possible; give a number from 1 on"),
        ({"prevalence": 0.601001, "predicted_prevalence": 0.4}, "0.601001 contradicts .* it is 0.6 by"),
    ],
)
def test_contradictions_are_refused(given, said):
    with pytest.raises(InputError, match=said):
        tm.convert.from_predictive_values(precision=0.75, negative_predictive_value=0.5, **given)


def test_what_rounding_to_three_digits_explains_is_no_contradiction():
    values = {"precision": 0.75, "negative_predictive_value": 0.5, "predicted_prevalence": 0.4}
    assert from_predictive_values(**values, prevalence=0.601).total == pytest.approx(1)


def test_with_the_number_of_cases_the_cells_are_counts():
    found = from_predictive_values(
        precision=0.75, negative_predictive_value=4 / 6, predicted_prevalence=0.4, cases=10
    )
    assert (found.tp, found.fp, found.fn, found.tn) == pytest.approx((3, 1, 2, 4))


def test_alike_on_both_sides_needs_the_share_predicted():
    with refuses("needed", argument="predicted_prevalence"):
        from_predictive_values(precision=0.3, negative_predictive_value=0.7, prevalence=0.3)
