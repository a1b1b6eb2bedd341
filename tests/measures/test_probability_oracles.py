"""What other tools answer about probabilities (tests/oracles/probability.json)."""

import json
import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from looping import for_each
from scipy.special import logit
from strategies import empty

from tallymark import ClassScores, RankingTable
from tallymark.curves import curve
from tallymark.inference import estimate
from tallymark.measures.families.bins import of_equal_width
from tallymark.measures.registry import get
from tallymark.summaries.ranking import LogitTable

pytestmark = pytest.mark.full

ORACLES = Path(__file__).parents[1] / "oracles"
DATASETS = json.loads((ORACLES / "binary.json").read_text())["datasets"]
PROBABILITY = json.loads((ORACLES / "probability.json").read_text())
MANY = PROBABILITY["multiclass"]


def number(value):
    """A tool's answer as a float, NaN where it has none; of several numbers their list."""
    if isinstance(value, list):
        return [number(one) for one in value]
    return math.nan if value is None else float(value)


def near(ours, theirs, within=0.0):
    """To 1e-12 of the value, or what the row states; NaN equals NaN."""
    return np.shape(ours) == np.shape(theirs) and np.allclose(
        ours, theirs, rtol=1e-12, atol=max(within, 1e-15), equal_nan=True
    )


def cases(dataset, weighted=False):
    """Labels, scores and weights of the cases that count."""
    data = DATASETS[dataset]
    weight = np.array(data["weights"], float) if weighted else np.ones(len(data["labels"]))
    return tuple(
        column[weight > 0] for column in (np.array(data["labels"]), np.array(data["scores"], float), weight)
    )


@cache
def table_of(dataset, weighted=False, scores="probability"):
    """The table of a data set, perhaps of margins or of logits. The tools take whole weights for numbers of
    cases."""
    truth, score, weight = cases(dataset, weighted)
    kind = LogitTable if scores == "logit" else RankingTable
    score = {"probability": score, "margin": 4 * score - 2, "logit": logit(score)}[scores]
    given = {"weight": weight} if weighted else {}
    if weighted and (weight == weight.round()).all():
        given["weight_kind"] = "count"
    return kind.from_arrays(truth=truth, score=score, positive=1, **given)


def taken_apart(key):
    """("name", {parameters}, weighted) of "name(parameter=value)_weighted"."""
    name, given, weighted = re.fullmatch(r"(\w+?)(?:\((.*)\))?(_weighted)?", key).groups()
    return name, eval(f"dict({given or ''})", {"dict": dict}), bool(weighted)


def measured(row, dataset, scores="probability"):
    """Our value, and whether it should be NaN by what the measure's documentation says."""
    name, parameters, weighted = taken_apart(row["key"])
    table, entry = (
        table_of(dataset, weighted, "margin" if name == "hinge_loss" else scores),
        get(name, RankingTable),
    )
    return entry(table, **parameters), empty(entry, table)


def fits(row, dataset, theirs, scores="probability"):
    """Whether both agree; NaN stands exactly where the documentation says so."""
    ours, undefined = measured(row, dataset, scores)
    # where our iteration stops
    within = max(row.get("within", 0.0), 2e-12 * row["key"].startswith("calibration_in_the_large"))
    return near(ours, theirs, within) and math.isnan(ours) == undefined


def answers(row):
    return [(dataset, number(value)) for dataset, value in row["values"].items()]


def fair(part, **where):
    """The rows that can be compared."""
    return [
        row
        for row in PROBABILITY[part]
        if "deviates" not in row and all(row[name] == value for name, value in where.items())
    ]


def tools(part):
    return sorted({row["tool"] for row in fair(part)})


@for_each("tool", tools("values"))
def test_values(tool):
    rows = fair("values", tool=tool)
    assert [(row["key"], found) for row in rows for found in answers(row) if not fits(row, *found)] == []


def on_an_edge(dataset, key):
    """Whether a score lies where bins of equal width meet, so that what it is rounded to may fall into
    either."""
    score = np.array(DATASETS[dataset]["scores"]) * taken_apart(key)[1].get("bins", math.nan)
    return (np.abs(score - score.round()) < 1e-9).any()


LOGITS = [dataset for dataset in DATASETS if not {0, 1} & set(DATASETS[dataset]["scores"])]
IN_BINARY = {"brier_score": "brier_score", "log_loss_unclipped": "log_loss", "log_loss_clip_eps": "log_loss"}


@for_each("dataset", LOGITS)
def test_values_of_logits(dataset):
    """The same answers of the table that holds the logits, where no score is on the edge of a bin."""
    rows = [row for row in fair("values") if dataset in row["values"] and not row["key"].startswith("hinge")]
    rows += [
        {"key": row["key"].replace(key, name), "values": {dataset: row["value"]}}
        for row in DATASETS[dataset]["values"]
        for key, name in IN_BINARY.items()
        if row["key"].removesuffix("_weighted") == key and not isinstance(row["value"], dict)
    ]
    rows = [row for row in rows if not on_an_edge(dataset, row["key"])]
    assert [
        row["key"] for row in rows if not fits(row, dataset, number(row["values"][dataset]), "logit")
    ] == []
    assert len(rows) > 20


# Standard errors
# --------------------------------------------------------------------------------------------------


def spread_of_mean(name, table):
    """The standard error on the measure's own scale behind its interval, which is symmetric on the logit
    scale; 0 without one."""
    found = estimate(name, table)
    if not found.has_interval:
        return 0.0
    return found.standard_error


@pytest.mark.parametrize("tool", tools("standard_errors"))
def test_standard_errors(tool):
    wrong = []
    for row in fair("standard_errors", tool=tool):
        name, _, weighted = taken_apart(row["key"])
        if name.startswith("calibration"):  # theirs assume that the true curve is logistic
            continue
        for dataset, theirs in answers(row):
            ours = spread_of_mean(name, table_of(dataset, weighted))
            wrong += (
                [] if near(ours, theirs, row.get("within", 0.0)) else [(row["key"], dataset, ours, theirs)]
            )
    assert wrong == []


# Tests of calibration
# --------------------------------------------------------------------------------------------------


JOINED = {"groups-joined", "few-expected", "too-few-uncertain-groups"}


def results_of(row, dataset):
    """Our statistic, degrees of freedom and p-value, as far as the tool has them."""
    from tallymark.inference import hypothesis as calibration_tests

    name, parameters, _ = taken_apart(row["test"])
    found = getattr(calibration_tests, name)(table_of(dataset), **parameters)
    if name == "hosmer_lemeshow" and {note.code for note in found.notes} & JOINED:
        return None  # which the tools do not do
    return [getattr(found, column) for column in row["columns"]]


@pytest.mark.parametrize("tool", tools("tests"))
def test_tests_of_calibration(tool):
    wrong, compared = [], 0
    for row in fair("tests", tool=tool):
        for dataset, found in row["values"].items():
            ours, theirs = results_of(row, dataset), number(found)
            compared += ours is not None
            wrong += (
                []
                if ours is None or near(ours, theirs, row.get("within", 0.0))
                else [(row["test"], dataset, ours, theirs)]
            )
    assert wrong == []
    assert compared


def test_small_p_values():
    """Down to 1e-55, and not merely 0."""
    (row,) = fair("tests", test="spiegelhalter", tool="stats")
    found = {
        dataset: (results_of(row, dataset)[1], number(value)[1]) for dataset, value in row["values"].items()
    }
    assert all(
        math.isnan(theirs) or math.isclose(ours, theirs, rel_tol=1e-10) for ours, theirs in found.values()
    )
    assert min(theirs for _, theirs in found.values() if theirs == theirs) < 1e-50


# Curves
# --------------------------------------------------------------------------------------------------


def points(name, table):
    """Our curve from the lowest probability; the isotonic one by pieces of one share, with the mean
    probability of each."""
    share = of_equal_width(table, 10).share
    if not name.endswith("isotonic"):
        found = curve(name, table, bins=10)
        return {"x": found.x, "y": found.y, "share": share[share > 0]}
    found, weight = curve(name, table), (table.positive + table.negative)[::-1]
    y, block = np.unique(found.y.round(12), return_inverse=True)
    return {"x": np.bincount(block, weight * found.x) / np.bincount(block, weight), "y": y}


@pytest.mark.parametrize("row", fair("curves"), ids=lambda row: f"{row['tool']}-{row['curve']}")
def test_curve(row):
    wrong, weighted = [], row["curve"].endswith("_weighted")
    for dataset, found in row["values"].items():
        ours = points(row["curve"].removesuffix("_weighted"), table_of(dataset, weighted))
        wrong += [
            (dataset, name)
            for name, theirs in zip(row["columns"], found, strict=True)
            if not near(ours[name], theirs, 1e-12)
        ]
    assert wrong == []


# Where a tool differs, and why
# --------------------------------------------------------------------------------------------------


def in_bins(truth, score, weight, edges, lower):
    """Weights, shares of positives and mean scores of the bins with cases; lower: whether a bin holds its
    lower edge.

    If so, what is at the last edge is a bin of its own.
    """
    at = (
        np.searchsorted(edges, score, side="right") - 1
        if lower
        else np.searchsorted(edges[1:-1], score, side="left")
    )
    total = np.bincount(at, weight)
    there = total > 0
    return total[there], *(np.bincount(at, weight * part)[there] / total[there] for part in (truth, score))


def one_class(row, dataset, theirs):
    return measured(row, dataset)[1] and len(set(DATASETS[dataset]["labels"])) == 1 and theirs < -1e15


def taken_for_negative(row, dataset, theirs):
    """The hinge loss with the one class that occurs as the negative one."""
    truth, score, _ = cases(dataset)
    return len(set(truth)) == 1 and near(np.maximum(0, 1 + (4 * score - 2)).mean(), theirs)


def no_line(row, dataset, theirs):
    """The classes do not overlap, or one of them is missing; ours is NaN, theirs where the iteration
    stopped."""
    truth, score, _ = cases(dataset)
    apart = [
        score[truth == i].min() >= score[truth == 1 - i].max() for i in (0, 1) if 0 < truth.sum() < len(truth)
    ]
    needs_overlap = not row["key"].endswith("in_the_large")
    ours = measured(row, dataset)[0]
    return math.isnan(ours) and math.isfinite(theirs) and (not apart or (needs_overlap and any(apart)))


def mid_point(row, dataset, theirs):
    """The scores replaced by the middle of their bins."""
    truth, score, _ = cases(dataset)
    middle = np.searchsorted(np.linspace(0, 1, 11)[1:-1], score, side="left") / 10 + 0.05
    n, rate, middles = in_bins(truth, middle, np.ones(len(truth)), np.linspace(0, 1, 11), lower=False)
    wanted = {
        "brier_score": ((truth - middle) ** 2).mean(),
        "brier_reliability(bins=10)": n @ (rate - middles) ** 2 / len(truth),
    }
    return near(wanted[row["key"]], theirs)


def lower_edge(row, dataset, theirs):
    """From bins that hold their lower edge; torchmetrics has one more for a score of 1."""
    name, parameters, weighted = taken_apart(row["key"])
    truth, score, weight = cases(dataset, weighted)
    edges = np.linspace(0, 1, parameters["bins"] + 1)
    if row["tool"] == "torchmetrics":  # torch counts the upper half of the edges back from 1
        up = np.arange(len(edges)) * (1 / (len(edges) - 1))
        edges = np.where(np.arange(len(edges)) < len(edges) // 2, up, 1 - up[::-1])
    if row["tool"] == "netcal":
        score = np.minimum(score, 1 - np.finfo(float).eps)
    n, rate, mean = in_bins(truth, score, weight, edges, lower=True)
    gap = np.abs(rate - mean)
    wanted = {"expected": n @ gap / n.sum(), "root": math.sqrt(n @ gap**2 / n.sum()), "maximum": gap.max()}
    return near(wanted[name.split("_")[0]], theirs) and not near(measured(row, dataset)[0], theirs)


def mean_of_bins(row, dataset, theirs):
    """Each bin counts alike, however many cases it has."""
    truth, score, weight = cases(dataset)
    score = np.minimum(score, 1 - np.finfo(float).eps)
    _, rate, mean = in_bins(truth, score, weight, np.linspace(0, 1, 11), lower=True)
    return near(np.abs(rate - mean).mean(), theirs)


def bin_of_one(row, dataset, theirs):
    """Bins of a single case count 0, where ours have their squared distance, which has no variance to be
    taken off."""
    n, rate, mean = in_bins(*cases(dataset), np.linspace(0, 1, 11), lower=False)
    squares = (rate - mean) ** 2 - rate * (1 - rate) / np.maximum(n - 1, 1)
    alone = n == 1
    left_out, kept = n[~alone] @ squares[~alone] / n.sum(), n @ squares / n.sum()
    ours = measured(row, dataset)[0]
    return alone.any() and near(math.sqrt(max(left_out, 0)), theirs) and near(math.sqrt(max(kept, 0)), ours)


def lower_quantile_edge(row, dataset, theirs):
    """From groups between quantiles that hold their lower edge; with their upper edge it is ours."""
    truth, score, weight = cases(dataset, weighted=True)
    truth, score = (np.repeat(column, weight.astype(int)) for column in (truth, score))
    edges = np.quantile(score, np.linspace(0, 1, 11))
    errors = {}
    for lower in (True, False):
        n, rate, mean = in_bins(truth, score, np.ones(len(truth)), edges, lower)
        errors[lower] = n @ np.abs(rate - mean) / n.sum()
    return (
        near(errors[True], theirs)
        and near(errors[False], measured(row, dataset)[0])
        and not near(errors[False], theirs)
    )


def empty_group(row, dataset, theirs):
    _, score, _ = cases(dataset)
    groups = taken_apart(row["test"])[1]["hl_groups"]
    held = np.histogram(score, np.quantile(score, np.linspace(0, 1, groups + 1)))[0]
    ours = results_of(row, dataset)
    if ours is None:
        return 0 in held and math.isnan(theirs[0])
    statistic, df, p = ours
    return 0 in held and math.isnan(theirs[0]) and math.isfinite(statistic) and 0 < p < 1 and df == theirs[1]


def shifted(row, dataset, theirs):
    truth, score, _ = cases(dataset)
    return len(set(score)) == 1 and near(np.abs(score - truth.mean()).max(), theirs[0])


def unclipped(row, dataset, theirs):
    """Something certain did not happen, which costs infinitely much unless it is clipped."""
    return theirs == get("log_loss")(table_of(dataset), clip=0.0) == math.inf > measured(row, dataset)[0]


def weight_of_0(row, dataset, theirs):
    return (
        math.isnan(theirs) and math.isfinite(measured(row, dataset)[0]) and 0 in DATASETS[dataset]["weights"]
    )


CHECKS = {
    check.__name__: check
    for check in (
        one_class,
        taken_for_negative,
        no_line,
        mid_point,
        lower_edge,
        mean_of_bins,
        bin_of_one,
        lower_quantile_edge,
        empty_group,
        shifted,
        unclipped,
        weight_of_0,
    )
}
DEVIATING = [
    row
    for part in ("values", "standard_errors", "tests", "curves")
    for row in PROBABILITY[part]
    if "deviates" in row
]


@for_each("reason", CHECKS)
def test_deviation_is_explained(reason):
    rows = [row for row in DEVIATING if row["deviates"] == reason]
    assert [
        (row["key"], found) for row in rows for found in answers(row) if not CHECKS[reason](row, *found)
    ] == []


def test_every_reason_is_needed_and_checked():
    assert {row["deviates"] for row in DEVIATING} == PROBABILITY["reasons"].keys() == CHECKS.keys()


# More than two classes
# --------------------------------------------------------------------------------------------------


def class_scores(weighted):
    weight = MANY["weights"] if weighted else None
    return ClassScores.from_arrays(
        truth=MANY["truth"], score=np.array(MANY["scores"]).T, weight=weight, classes=range(3)
    )


def of_many(row):
    name, parameters, weighted = taken_apart(row["key"])
    return get(name, ClassScores)(class_scores(weighted), **parameters)


@pytest.mark.parametrize("tool", sorted({row["tool"] for row in MANY["values"]}))
def test_many_classes(tool):
    rows = [row for row in MANY["values"] if row["tool"] == tool and "debiased" not in row["key"]]
    assert [row["key"] for row in rows if not near(of_many(row), row["value"], row.get("within", 0.0))] == []
    assert rows


def test_calibration_of_the_top_label_as_of_two_classes():
    """Whether the class with the highest score is the true one, by that score."""
    score = np.array(MANY["scores"])
    right = (score.argmax(axis=0) == MANY["truth"]).astype(int)
    table = RankingTable.from_arrays(truth=right, score=score.max(axis=0), positive=1)
    rows = [row for row in MANY["values"] if row["key"].startswith("top_label_")]
    for row in rows:
        name, parameters, _ = taken_apart(
            row["key"].replace("top_label_calibration", "top_label_expected_calibration")
        )
        ours = get(name.removeprefix("top_label_"), RankingTable)(table, **parameters)
        assert near(ours, row["value"], row.get("within", 0.0)), (row["tool"], row["key"])
    assert len(rows) > 12


# The file
# --------------------------------------------------------------------------------------------------


def test_the_file_is_read():
    """Guards the tests above against comparing nothing."""
    sizes = {
        part: sum(len(row["values"]) for row in PROBABILITY[part])
        for part in ("values", "standard_errors", "tests", "curves")
    }
    assert all(
        sizes[part] > least
        for part, least in {"values": 600, "standard_errors": 80, "tests": 40, "curves": 55}.items()
    )
    assert sum(len(row["values"]) for row in fair("values")) > 550
    assert len(tools("values")) == 12
    assert len(MANY["values"]) > 20
