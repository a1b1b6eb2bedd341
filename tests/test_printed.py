"""What many classes look like in text and on the page: the commonest mistakes, all classes, bounds that hold
their value."""

import re

import numpy as np
import pytest

from tallymark import ConfusionMatrix, Counts, evaluate
from tallymark.report.documents import document
from tallymark.report.documents.evaluations import CONFUSIONS
from tallymark.report.output import page


def many(classes, cases=3000, seed=0):
    random = np.random.default_rng(seed)
    truth = random.integers(0, classes, cases)
    called = np.where(random.random(cases) < 0.75, truth, random.integers(0, classes, cases))
    return evaluate(truth=truth, predicted=called)


def confusions(found):
    """Those that are shown; a table without rows is none."""
    tables = [one for one in document(found, full=True).tables if one.name == "most frequent mistakes"]
    return [tuple(row.values()) for one in tables for row in one.rows]


def test_the_most_frequent_mistakes_come_first():
    matrix = ConfusionMatrix(range(10), np.diag([50.0] * 10) + np.eye(10, k=1) * np.arange(10))
    found = confusions(evaluate(matrix))
    assert found == [(str(i - 1), str(i), float(i)) for i in range(9, 1, -1)][:CONFUSIONS]


def test_single_mistakes_are_no_confusion():
    assert confusions(evaluate(ConfusionMatrix(range(10), np.diag([50.0] * 10) + np.eye(10, k=1)))) == []


def test_text_and_page_list_them_where_the_matrix_is_not():
    found = many(40)
    assert "predicted as" in str(found)
    assert "most frequent mistakes" in page(found)
    assert "predicted as" not in str(many(5))


@pytest.mark.parametrize("classes", [40, 200])
def test_the_page_lists_every_class_with_its_cases(classes):
    found = many(classes, 6000)
    written = page(found)
    assert all(f">{label}<" in written for label in found.classes)
    assert ">cases<" in written


def test_bounds_in_text_hold_their_value():
    """Also 0.9956 and 0.9962."""
    found = re.search(r"^Specificity\s+([\d.]+) +\[([\d.]+), ([\d.]+)\]", str(many(40).all), re.M)
    value, low, high = map(float, found.groups())
    assert low <= value <= high


def test_class_sizes_can_be_chosen():
    counts = Counts(tp=70, fp=20, fn=30, tn=80).with_class_sizes(10, 1000)
    assert counts == Counts(tp=7, fp=200, fn=3, tn=800)
    assert np.isnan(Counts(tp=0, fp=1, fn=0, tn=1).with_class_sizes(1, 1).tp)


def test_the_counts_of_every_class_are_told():
    found = many(5)
    for label, counts in found.class_counts.items():
        assert counts == found.matrix.one_vs_rest()[found.matrix.labels.index(label)]
        assert found.to_dict()["class_counts"][str(label)] == counts.to_dict()
    assert not hasattr(evaluate(Counts(tp=1, fp=1, fn=1, tn=1)), "class_counts")


def test_an_estimate_is_printed_on_one_line():
    ev = evaluate(truth=[0, 1, 1, 0, 1, 0] * 5, score=[0.1, 0.8, 0.6, 0.7, 0.9, 0.2] * 5)
    for name in ("partial_auc", "average_cost", "f1"):
        assert "\n" not in str(ev[name])
        assert f"{ev[name].value:.4g}" in str(ev[name])
