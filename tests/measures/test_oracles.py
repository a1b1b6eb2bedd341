"""What other tools answer. Their versions and calls, and where they contradict one another, are in
tests/oracles."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from looping import for_each
from scipy.stats import norm
from strategies import empty, matrix, measures_of

from tallymark import ConfusionMatrix, Counts, RankingTable, evaluate
from tallymark.inference import estimate
from tallymark.measures.registry import get

pytestmark = pytest.mark.full

ORACLES = Path(__file__).parents[1] / "oracles"
TABLES = json.loads((ORACLES / "tables.json").read_text())["tables"]
MATRICES = json.loads((ORACLES / "multiclass.json").read_text())["matrices"]
DATASETS = json.loads((ORACLES / "binary.json").read_text())["datasets"]

NAMES = {entry.name for entry in measures_of()}
AVERAGES = ("macro", "weighted", "micro")
LOG_LOSSES = {
    "log_loss_clip_eps": {},
    "log_loss_clip_1e-15": {"clip": 1e-15},
    "log_loss_unclipped": {"clip": 0.0},
}
Z = norm.ppf(0.975)  # of the intervals that are recorded


def taken_apart(key):
    """("macro", "f_beta", {"beta": 2.0}) of "macro f_beta(beta=2)"; the average and the parameter are usually
    not there."""
    average, name, parameter, value = re.fullmatch(r"(?:(\w+) )?([\w-]+)(?:\((\w+)=(.+)\))?", key).groups()
    return average, name.removesuffix("_weighted"), {parameter: float(value)} if parameter else {}


def answer(row, part="value"):
    """A tool's answer as a float; NaN where it has none."""
    value = row.get(part)
    return math.nan if value is None or value == "None" or isinstance(value, dict) else float(value)


def rows(cases, key, kind="values"):
    """(case, key, the rows of all tools that can be compared), one per case and key that the catalogue
    knows."""
    for name, case in cases.items():
        fair = [row for row in case[kind] if "deviates" not in row]
        for wanted in dict.fromkeys(row[key] for row in fair):
            if taken_apart(wanted)[1] in NAMES | LOG_LOSSES.keys():
                yield name, wanted, [row for row in fair if row[key] == wanted]


OF_TABLES, OF_DATASETS = list(rows(TABLES, "measure")), list(rows(DATASETS, "key"))
OF_MATRICES = list(rows(MATRICES, "measure"))
INTERVALS = [*rows(TABLES, "measure", "intervals"), *rows(MATRICES, "measure", "intervals")]


def text(part):
    return part if isinstance(part, str) else ""


def same(ours, theirs):
    return ours == theirs or math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-15)


def agree(ours, row):
    """To 1e-12; where the value is undefined or the tool has none, there is nothing to compare."""
    theirs = answer(row)
    return math.isnan(ours) or math.isnan(theirs) or same(ours, theirs)


def check(ours, found, undefined):
    """Each tool agrees; and a value is NaN exactly where the documentation of the measure says so."""
    assert math.isnan(ours) == undefined
    assert [row for row in found if not agree(ours, row)] == []
    if undefined:  # scikit-learn alone puts a number in its place
        assert all(math.isnan(answer(row)) or row["tool"] == "scikit-learn" for row in found)


def counts_of(table):
    return Counts(**{cell: TABLES[table][cell] for cell in ("tp", "fp", "fn", "tn")})


@for_each(("table", "key", "found"), OF_TABLES, ids=text)
def test_table(table, key, found):
    _, name, parameters = taken_apart(key)
    entry, counts = get(name, Counts), counts_of(table)
    check(entry(counts, **parameters), found, empty(entry, counts))


@for_each(("case", "key", "found"), OF_MATRICES, ids=text)
def test_matrix(case, key, found):
    average, name, parameters = taken_apart(key)
    m = matrix(MATRICES[case]["matrix"])
    ours = (
        evaluate(m).averages[average][name].value if average else get(name, ConfusionMatrix)(m, **parameters)
    )
    check(ours, found, undefined=False)


def columns(dataset, key):
    case = DATASETS[dataset]
    given = {"truth": np.array(case["labels"]), "score": np.array(case["scores"])}
    return given | ({"weight": np.array(case["weights"])} if key.endswith("_weighted") else {})


@for_each(("dataset", "key", "found"), OF_DATASETS, ids=text)
def test_dataset(dataset, key, found):
    plain, given = key.removesuffix("_weighted"), columns(dataset, key)
    entry = get("log_loss" if plain in LOG_LOSSES else plain)
    if entry.summary is Counts:
        given |= {"threshold": DATASETS[dataset]["threshold"]}
    summary = entry.summary.from_arrays(**given)
    ours = entry(summary, **LOG_LOSSES.get(plain, {}))
    if plain == "log_loss_clip_1e-15":
        ours += rounding_of_the_complement(summary)
    check(ours, found, empty(entry, summary))


def rounding_of_the_complement(table):
    """ModelMetrics and MLmetrics clip p at 1 - 1e-15 and charge -log(1 - p), in which 1 - (1 - 1e-15) is
    9.99e-16."""
    wrong = table.negative[table.score == 1].sum()
    return wrong / table.total * (math.log(1e-15) - math.log(1 - (1 - 1e-15)))


# Intervals
# ------------------------------------------------------------------------------------------------------------


@for_each(("case", "name", "found"), INTERVALS, ids=text)
def test_interval(case, name, found):
    summary = counts_of(case) if case in TABLES else matrix(MATRICES[case]["matrix"])
    ours = estimate(name, summary)
    if "kappa" in name and "1/2 is added" in (ours.note or ""):  # the tools have it of no such table
        halves = estimate(name, summary + Counts(tp=0.5, fp=0.5, fn=0.5, tn=0.5))
        ends = min(halves.low, ours.value), max(halves.high, ours.value)
        assert (ours.low, ours.high) == pytest.approx(ends, rel=1e-9)
        return
    has_their_interval = has_their_standard_error if "kappa" in name else has_their_bounds
    assert [row for row in found if not has_their_interval(ours, row)] == []


def has_their_bounds(ours, row):
    """Where halves are added to the counts, the tools have no interval; or one near it, in which a share of 1
    counts as certain."""
    low, high = answer(row, "low"), answer(row, "high")
    if ours.undefined or "1/2 is added" in (ours.note or ""):
        near = low and max(abs(math.log(low / ours.low)), abs(math.log(high / ours.high))) < 0.25
        return not low < high < math.inf or near
    return same(ours.low, low) and same(ours.high, high)


def has_their_standard_error(ours, row):
    """Of kappa: they put it on kappa's own scale, here it goes on Fisher's z scale. Rounding may leave 1e-8
    of none."""
    low, high = answer(row, "low"), answer(row, "high")
    error = answer(row, "standard_error") if "standard_error" in row else (high - low) / (2 * Z)
    if ours.undefined or not error > 1e-7:
        return bool(ours.undefined) or "standard error is 0" in ours.note
    step = Z * error / (1 - ours.value**2)
    wanted = [math.tanh(math.atanh(ours.value) + side * step) for side in (-1, 1)]
    return same(ours.low, wanted[0]) and same(ours.high, wanted[1])


# The files
# ------------------------------------------------------------------------------------------------------------


def test_the_files_are_read():
    """Guards the tests above against comparing nothing."""
    assert {"roc_auc", "average_precision_weighted", "brier_score", *LOG_LOSSES} <= {
        key for _, key, _ in OF_DATASETS
    }
    assert len({taken_apart(key)[1] for _, key, _ in OF_TABLES}) > 30
    assert {"confusion_entropy", "quadratic_weighted_kappa"} <= {
        taken_apart(key)[1] for _, key, _ in OF_MATRICES
    }
    assert {taken_apart(key)[0] for _, key, _ in OF_MATRICES} == {None, *AVERAGES}
    assert sum(len(found) for *_, found in OF_DATASETS + OF_TABLES + OF_MATRICES) > 2700
    assert sum(len(found) for *_, found in INTERVALS) > 150


@pytest.mark.parametrize("dataset", [name for name, case in DATASETS.items() if "weights" in case])
def test_whole_weights_stand_for_repeated_rows(dataset):
    case = DATASETS[dataset]
    repeat = np.rint(case["weights"]).astype(int)
    table = RankingTable.from_arrays(
        truth=case["labels"], score=case["scores"], weight=repeat, weight_kind="count"
    )
    assert table == RankingTable.from_arrays(
        truth=np.repeat(case["labels"], repeat), score=np.repeat(case["scores"], repeat)
    )
