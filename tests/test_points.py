"""The ranking table as a table to read: the tables of two documents column by column, and the pairs as a
picture."""

import math
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from looping import for_each
from strategies import SCORES, cases, measures_of, same

from tallymark import ConfusionMatrix, Counts, InputError, RankingTable, evaluate
from tallymark.evaluation.results import MOST_PAIRS, USUAL, OperatingPoints, PairsMatrix
from tallymark.measures import roc_auc
from tallymark.measures.registry import get

EXAMPLES = {
    one["id"]: one
    for one in tomllib.loads((Path(__file__).parent / "worked_examples.toml").read_text())["example"]
}
FIGURE_2, TABLE_1 = EXAMPLES["berrar-figure-2"], EXAMPLES["tharwat-table-1"]
FIXED = ["threshold", "positives", "negatives", "tp", "fp", "fn", "tn"]
ENTRIES = measures_of(Counts)
ANY = (*SCORES, -2.5, 1e6, math.inf, -math.inf)


def of(example):
    return evaluate(truth=example["label"], score=example["score"])


def labelled(**how):
    """Cases of both classes."""
    return cases(both_classes=True, max_size=20, **how)


def rows_of(points):
    """The rows as they are printed, below the header."""
    return str(points).split("\n\n")[0].splitlines()[2:]


# The tables of the documents
# --------------------------------------------------------------------------------------------------


def test_berrars_figure_2():
    points, table = of(FIGURE_2).operating_points(), FIGURE_2["table"]
    assert points["threshold"].tolist() == [math.inf, *FIGURE_2["score"]]
    assert points["positives"].tolist() == [0, *FIGURE_2["label"]]
    assert points["negatives"].tolist() == [0, *(1 - label for label in FIGURE_2["label"])]
    assert points["tp"].tolist() == [0, *table["cumulative_class"]]
    printed = {
        "sensitivity": table["tpr"],
        "false_positive_rate": table["fpr"],
        "precision": [float(Fraction(one)) for one in table["precision_fraction"]],
        "lift": [float(Fraction(one)) for one in table["lift_fraction"]],
    }
    assert tuple(printed) == USUAL
    for name, values in printed.items():
        assert points[name][1:] == pytest.approx(values, rel=1e-14), name


def test_tharwats_table_1():
    points = of(TABLE_1).operating_points(
        "sensitivity", "false_positive_rate", "false_negative_rate", "precision", "accuracy"
    )
    tp, fp = np.array(TABLE_1["tp"]), np.array(TABLE_1["fp"])
    assert points["threshold"].tolist() == [math.inf, *TABLE_1["score"]]
    for name, cells in {"tp": tp, "fn": 10 - tp, "tn": 10 - fp, "fp": fp}.items():
        assert points[name].tolist() == cells.tolist(), name
    for name, rate in {
        "sensitivity": tp / 10,
        "false_positive_rate": fp / 10,
        "false_negative_rate": (10 - tp) / 10,
    }.items():
        assert points[name] == pytest.approx(rate, rel=1e-14), name
    assert np.abs(points["precision"][1:] - TABLE_1["precision_percent_from_second"]).max() <= 0.005 + 1e-12
    assert 100 * points["accuracy"] == pytest.approx(TABLE_1["accuracy_percent"])


def test_nobody_positive_leaves_precision_undefined():
    points = of(FIGURE_2).operating_points()
    assert np.isnan([points["precision"][0], points["lift"][0]]).all()
    assert rows_of(points)[0].split() == ["inf", "0", "0", "0", "0", "5", "5", "0.000", "0.000", "-", "-"]


# Any table
# --------------------------------------------------------------------------------------------------


@given(labelled(scores=ANY), st.booleans())
def test_each_row_counts_from_its_threshold_on(drawn, higher):
    truth, score = drawn
    points = evaluate(truth=truth, score=score, higher_is_positive=higher).operating_points()
    sign = 1 if higher else -1
    limits = points["threshold"] * sign
    assert (limits[0], len(limits)) == (math.inf, 1 + len(np.unique(score)))
    assert (np.diff(limits[1:]) < 0).all()
    for i, limit in enumerate(limits):
        called = (sign * score >= limit) if i else np.zeros(len(score), bool)
        here = (sign * score == limit) if i else called
        cells = [here & (truth == 1), here & (truth == 0), called & (truth == 1), called & (truth == 0)]
        cells += [~called & (truth == 1), ~called & (truth == 0)]
        assert [points[name][i] for name in FIXED[1:]] == [cell.sum() for cell in cells]


@for_each("entry", ENTRIES, ids=[entry.name for entry in ENTRIES])
def test_any_measure_of_counts_as_a_column(entry):
    found = of(TABLE_1)
    points = found.operating_points(entry.name)
    assert list(points) == [*FIXED, entry.name]
    for i, cells in enumerate(zip(*(points[name] for name in FIXED[3:]), strict=True)):
        wanted = entry.function(Counts(**dict(zip(FIXED[3:], map(float, cells), strict=True))))
        assert same(points[entry.name][i], wanted)


@pytest.mark.parametrize("name", ["f_beta", "expected_cost"])
def test_measured_with_the_parameters_of_the_evaluation(name):
    """A row is what the evaluation says at its threshold."""
    parameters = {"f_beta": {"beta": 0.5}, "expected_cost": {"cost_fp": 1, "cost_fn": 5}}
    found = evaluate(truth=TABLE_1["label"], score=TABLE_1["score"], parameters=parameters)
    points = found.operating_points(name)
    at = [found.at(limit)[name].value for limit in points["threshold"]]
    assert points[name] == pytest.approx(at)


def test_names_of_measures():
    points = of(TABLE_1).operating_points("ppv", "MCC", "recall", "sensitivity")
    assert list(points) == [*FIXED, "precision", "matthews_correlation", "sensitivity"]


def test_weights():
    table = RankingTable.from_arrays(truth=[1, 0, 1, 0], score=[0.9, 0.5, 0.5, 0.1], weight=[2.5, 0.5, 1, 3])
    points = OperatingPoints(table)
    assert points["positives"].tolist() == [0, 2.5, 1, 0]
    assert points["fp"].tolist() == [0, 0, 0.5, 3.5]
    assert "2.5" in rows_of(points)[1].split()


def test_one_class():
    points = OperatingPoints(RankingTable.from_arrays(truth=[1, 1], score=[0.2, 0.1], positive=1))
    assert np.isnan(points["false_positive_rate"]).all()
    assert points["precision"][1:].tolist() == [1, 1]
    assert rows_of(points)[1].split()[0] == "0.2"


def test_a_score_per_class():
    truth, score = (
        [0, 1, 2, 0],
        np.array([[0.6, 0.2, 0.2], [0.3, 0.5, 0.2], [0.1, 0.1, 0.8], [0.2, 0.3, 0.5]]),
    )
    points = evaluate(truth=truth, score=score).one_vs_rest(0).operating_points("f1")
    assert points["threshold"].tolist() == [math.inf, 0.6, 0.3, 0.2, 0.1]
    assert points["tp"].tolist() == [0, 1, 1, 2, 2]


# As a mapping, a data frame, a text
# --------------------------------------------------------------------------------------------------


def test_a_mapping():
    points = of(TABLE_1).operating_points()
    assert list(points) == [*FIXED, *USUAL]
    assert len(points) == len(FIXED) + len(USUAL)
    assert "tp" in points
    assert "roc_auc" not in points
    assert {len(column) for column in points.values()} == {21}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame(library):
    points = of(TABLE_1).operating_points()
    frame = pytest.importorskip(library).DataFrame(dict(points))
    assert list(frame.columns) == list(points)
    assert frame["tp"].to_numpy().tolist() == TABLE_1["tp"]


def test_the_text():
    lines = str(of(TABLE_1).operating_points()).splitlines()
    assert lines[0].split() == [
        "threshold",
        "pos",
        "neg",
        "tp",
        "fp",
        "fn",
        "tn",
        "tpr",
        "fpr",
        "precision",
        "lift",
    ]
    assert len(lines) == 23
    assert lines[8].split() == ["0.6", "1", "0", "5", "1", "5", "9", "0.500", "0.100", "0.833", "1.667"]
    assert max(map(len, lines)) <= 80


def long(rows):
    truth = np.arange(rows) % 2
    return OperatingPoints(RankingTable.from_arrays(truth=truth, score=np.linspace(0, 1, rows)))


@pytest.mark.parametrize("rows", [20, 39, 12345])
def test_a_long_table_is_cut_when_printed(rows):
    points = long(rows)
    lines = str(points).splitlines()
    assert len(lines) <= 36
    assert max(map(len, lines)) <= 80
    assert ("more" in str(points)) == (rows > 33)
    assert len(points["tp"]) == rows + 1


def test_many_columns_stand_one_below_the_other():
    names = ("f1", "matthews_correlation", "diagnostic_odds_ratio", "cohen_kappa", "accuracy")
    text = str(of(TABLE_1).operating_points(*names).all)
    assert max(map(len, text.splitlines())) <= 80
    blocks = text.split("\n\n")
    assert len(blocks) > 1
    assert all(block.startswith("threshold ") for block in blocks)


@pytest.mark.parametrize(
    "show", [lambda found: str(found.operating_points()), lambda found: str(found.pairs_matrix)]
)
def test_no_score_is_minus_zero(show):
    text = show(evaluate(truth=[1, 0, 1, 0], score=[0.0, 0.2, 0.1, 0.0], higher_is_positive=False))
    assert not re.search(r"(?<![\w.])-0(?![\w.])", text), text


def refused(call, *parts):
    with pytest.raises(InputError) as reason:
        call()
    text = str(reason.value)
    assert "\n" not in text
    assert text.endswith(".")
    for part in parts:
        assert part in text, text


def test_what_is_refused():
    found = of(TABLE_1)
    points = found.operating_points()
    refused(lambda: points["tpp"], "column: 'tpp' is not known", "did you mean 'tp'?", "threshold, positives")
    refused(lambda: points["f1"], "column: 'f1' is not known")
    refused(lambda: found.operating_points("presision"), "'presision'", "did you mean 'precision'?")
    refused(lambda: found.operating_points("roc_auc"), "roc_auc", "Counts")
    labels = evaluate(truth=[0, 1], predicted=[1, 1])
    for asked in (
        labels.operating_points,
        lambda: labels.pairs_matrix,
        evaluate(counts=Counts(tp=1, fp=2, fn=3, tn=4)).operating_points,
    ):
        refused(asked, "it needs scores; there are only labels or counts here")


@pytest.mark.parametrize("measure", ["accuracy", "cohen_kappa"])
def test_a_measure_that_is_also_one_of_matrices_is_that_of_counts(measure):
    assert get(measure, ConfusionMatrix).summary is ConfusionMatrix
    assert np.isfinite(of(TABLE_1).operating_points(measure)[measure]).all()


# Pairs
# --------------------------------------------------------------------------------------------------


@given(labelled(scores=ANY), st.booleans())
def test_the_mean_of_the_cells_is_the_area(drawn, higher):
    truth, score = drawn
    found = evaluate(truth=truth, score=score, higher_is_positive=higher)
    pairs = found.pairs_matrix
    assert pairs.cells.shape == ((truth == 1).sum(), (truth == 0).sum())
    assert pairs.cells.mean() == pytest.approx(found["roc_auc"].value, abs=1e-14)
    for i, positive in enumerate(pairs.positives):
        for j, negative in enumerate(pairs.negatives):
            won = positive > negative if higher else positive < negative
            assert pairs.cells[i, j] == won + (positive == negative) / 2


@given(labelled(scores=ANY))
def test_the_best_come_first(drawn):
    truth, score = drawn
    pairs = evaluate(truth=truth, score=score).pairs_matrix
    assert pairs.positives.tolist() == sorted(score[truth == 1], reverse=True)
    assert pairs.negatives.tolist() == sorted(score[truth == 0])
    assert (np.diff(pairs.cells, axis=0) <= 0).all()
    assert (np.diff(pairs.cells, axis=1) <= 0).all()


def test_the_picture():
    text = str(evaluate(truth=[1, 1, 0, 1, 0, 0], score=[0.95, 0.8, 0.8, 0.1, 0.3, 0.1]).pairs_matrix)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines[2:5] == ["0.95 # # #", "0.8 # # /", "0.1 / . ."]
    assert lines[5] == "Negatives, from the left: 0.1, 0.3, 0.8"
    assert lines[0] == "positives # right order, / tied, . wrong order"


def test_the_picture_of_distances():
    pairs = evaluate(truth=[1, 1, 0, 0], score=[1, 3, 2, 4], higher_is_positive=False).pairs_matrix
    lines = [" ".join(line.split()) for line in str(pairs).splitlines()]
    assert lines[2:] == ["1 # #", "3 # .", "Negatives, from the left: 4, 2"]


def of_sizes(positives, negatives, weight=None, weight_kind=None):
    truth = np.repeat([1, 0], [positives, negatives])
    score = np.arange(positives + negatives) * 0.125
    return PairsMatrix(
        RankingTable.from_arrays(truth=truth, score=score, weight=weight, positive=1, weight_kind=weight_kind)
    )


@pytest.mark.parametrize("sizes", [(MOST_PAIRS, MOST_PAIRS), (1, MOST_PAIRS), (MOST_PAIRS, 1), (1, 1)])
def test_the_picture_fits_a_terminal(sizes):
    pairs = of_sizes(*sizes)
    assert pairs.cells.shape == sizes
    assert max(map(len, str(pairs).splitlines())) <= 80


@pytest.mark.parametrize("sizes", [(MOST_PAIRS + 1, 1), (1, MOST_PAIRS + 1), (10**5, 10**5)])
def test_too_many_cases(sizes):
    refused(
        lambda: of_sizes(*sizes),
        "pairs: ",
        f"up to {MOST_PAIRS} positives and negatives",
        f"{sizes[0]:,} and {sizes[1]:,}",
    )


def test_a_whole_weight_is_so_many_cases():
    pairs = of_sizes(2, 1, weight=[2, 1, 3], weight_kind="count")
    assert pairs.positives.tolist() == [0.125, 0, 0]
    assert pairs.negatives.tolist() == [0.25] * 3
    refused(lambda: of_sizes(2, 1, weight=[MOST_PAIRS, 1, 1], weight_kind="count"), f"{MOST_PAIRS + 1} and 1")


def test_weights_that_are_not_whole():
    refused(lambda: of_sizes(2, 1, weight=[0.5, 1, 1]), "pairs: ", "whole", "1.5 and 1")


def test_pairs_of_one_class():
    pairs = of_sizes(2, 0)
    assert pairs.cells.shape == (2, 0)
    assert str(pairs).startswith("positives  ")


@given(labelled())
def test_scores_in_single_precision(drawn):
    truth, score = drawn
    table = RankingTable.from_arrays(truth=truth, score=score.astype(np.float32))
    assert PairsMatrix(table).cells.mean() == pytest.approx(roc_auc(table), abs=1e-12)
    assert OperatingPoints(table)["threshold"].dtype == np.float32
