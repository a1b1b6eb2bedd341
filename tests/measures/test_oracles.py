"""What other tools answer. Their versions and calls, and where they contradict one another, are in tests/oracles."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from strategies import measures_of

from tallymark import Counts, RankingTable
from tallymark.registry import get

ORACLES = Path(__file__).parents[1] / "oracles"
TABLES = json.loads((ORACLES / "tables.json").read_text())["tables"]
DATASETS = json.loads((ORACLES / "binary.json").read_text())["datasets"]

NAMES = {entry.name for entry in measures_of()}
LOG_LOSSES = {"log_loss_clip_eps": {}, "log_loss_clip_1e-15": {"clip": 1e-15}, "log_loss_unclipped": {"clip": 0.0}}


def answer(row):
    """A tool's answer as a float; NaN where it has none."""
    value = row["value"]
    return math.nan if value is None or value == "None" or isinstance(value, dict) else float(value)


def rows(cases, key):
    """(case, key, the rows of all tools that can be compared), one per case and key that the catalogue knows."""
    for name, case in cases.items():
        fair = [row for row in case["values"] if "deviates" not in row]
        for wanted in dict.fromkeys(row[key] for row in fair):
            plain = wanted.removesuffix("_weighted")
            if plain in NAMES or plain in LOG_LOSSES:
                yield name, wanted, [row for row in fair if row[key] == wanted]


OF_TABLES, OF_DATASETS = list(rows(TABLES, "measure")), list(rows(DATASETS, "key"))


def text(part):
    return part if isinstance(part, str) else ""


def agree(ours, row):
    """To 1e-12; where the value is undefined or the tool has none, there is nothing to compare."""
    theirs = answer(row)
    return math.isnan(ours) or math.isnan(theirs) or ours == theirs or math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-15)


def check(ours, found, undefined):
    """Each tool agrees; and a value is NaN exactly where the documentation of the measure says so."""
    assert math.isnan(ours) == undefined
    assert [row for row in found if not agree(ours, row)] == []
    if undefined:  # scikit-learn alone puts a number in its place
        assert all(math.isnan(answer(row)) or row["tool"] == "scikit-learn" for row in found)


def empty(entry, summary):
    return any(sum(getattr(summary, part) for part in parts) == 0 for _, parts in entry.conditions)


@pytest.mark.parametrize(("table", "name", "found"), OF_TABLES, ids=text)
def test_table(table, name, found):
    entry = get(name)
    counts = Counts(**{cell: TABLES[table][cell] for cell in ("tp", "fp", "fn", "tn")})
    check(entry(counts), found, empty(entry, counts))


def columns(dataset, key):
    case = DATASETS[dataset]
    given = {"truth": np.array(case["labels"]), "score": np.array(case["scores"])}
    return given | ({"weight": np.array(case["weights"])} if key.endswith("_weighted") else {})


@pytest.mark.parametrize(("dataset", "key", "found"), OF_DATASETS, ids=text)
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
    """ModelMetrics and MLmetrics clip p at 1 - 1e-15 and charge -log(1 - p), in which 1 - (1 - 1e-15) is 9.99e-16."""
    wrong = table.negative[table.score == 1].sum()
    return wrong / table.total * (math.log(1e-15) - math.log(1 - (1 - 1e-15)))


def test_the_files_are_read():
    """Guards the tests above against comparing nothing."""
    assert {"roc_auc", "average_precision_weighted", "brier_score", *LOG_LOSSES} <= {key for _, key, _ in OF_DATASETS}
    assert {"sensitivity", "precision", "f1", "cohen_kappa", "matthews_correlation"} <= {key for _, key, _ in OF_TABLES}
    assert sum(len(found) for *_, found in OF_DATASETS + OF_TABLES) > 1700


@pytest.mark.parametrize("dataset", [name for name, case in DATASETS.items() if "weights" in case])
def test_whole_weights_stand_for_repeated_rows(dataset):
    case = DATASETS[dataset]
    repeat = np.rint(case["weights"]).astype(int)
    table = RankingTable.from_arrays(truth=case["labels"], score=case["scores"], weight=repeat)
    assert table == RankingTable.from_arrays(truth=np.repeat(case["labels"], repeat), score=np.repeat(case["scores"], repeat))
