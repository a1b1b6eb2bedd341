"""What other tools answer about rankings, curves and thresholds (tests/oracles/ranking.json), and what
scikit-learn answers now."""

import json
import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from looping import for_each
from scipy.special import logit, ndtr
from sklearn import config_context, metrics
from strategies import empty

import tallymark as tm
from tallymark import RankingTable
from tallymark.curves import curve
from tallymark.evaluation.thresholds import read_rule
from tallymark.measures.registry import get

pytestmark = pytest.mark.full

ORACLES = Path(__file__).parents[1] / "oracles"
DATASETS = json.loads((ORACLES / "binary.json").read_text())["datasets"]
RANKING = json.loads((ORACLES / "ranking.json").read_text())
REASONS = RANKING["reasons"]

PR_AREAS = {  # their keys in binary.json
    "pr_area_trapezoid": "auc_pr_trapezoid",
    "pr_area_nonlinear": "auc_pr_integral",
    "pr_area_davis_goadrich": "auc_pr_davis_goadrich",
}
OF_PAIRS = {
    "pairs": lambda table: sum(table.pairs),
    "pairs_won": lambda table: table.pairs.concordant + table.pairs.tied / 2,
}


def number(value):
    """A tool's answer as a float; NaN where it has none."""
    return math.nan if value is None else float(value)


def near(ours, theirs, within=0.0):
    """To 1e-12, or what the tool states; NaN equals NaN."""
    return np.allclose(ours, theirs, rtol=1e-12, atol=max(within, 1e-12), equal_nan=True)


@cache
def ranked(dataset, weighted=False, scores="", turned=False):
    """The table of a data set; scores="llr": of the logarithms of the likelihood ratios that its
    probabilities imply."""
    case = DATASETS[dataset]
    truth, score = np.array(case["labels"]), np.array(case["scores"], float)
    if scores == "llr":
        score = logit(score) - logit(truth.mean())
    weight = np.array(case["weights"]) if weighted else None
    return RankingTable.from_arrays(truth=truth, score=-score if turned else score, weight=weight, positive=1)


def table_of(row, dataset, turned=False):
    return ranked(dataset, row["key"].endswith("_weighted"), row.get("scores", ""), turned)


def taken_apart(key, table):
    """The name and the parameters in "name(parameter=value, ...)_weighted"; a value may be made of the
    prevalence."""
    name, _, given = re.fullmatch(r"(\w+?)(\((.*)\))?(?:_weighted)?", key).groups()
    prevalence = table.positives / table.total
    return name, eval(f"dict({given or ''})", {"dict": dict, "prevalence": prevalence})


def measured(key, table):
    """Our value for the key of a row."""
    name, parameters = taken_apart(key, table)
    return OF_PAIRS[name](table) if name in OF_PAIRS else get(name)(table, **parameters)


def rescaled(row, ours):
    """Our value as the tool puts it: as a percentage, or as 1 minus it."""
    return row.get("plus", 0) + row.get("times", 1) * ours


def fits(row, dataset, theirs):
    """Whether the row's tool agrees here; and NaN stands exactly where the measure's documentation says
    so."""
    table = table_of(row, dataset)
    ours, name = measured(row["key"], table), taken_apart(row["key"], table)[0]
    undefined = not (table.positives and table.negatives) if name in OF_PAIRS else empty(get(name), table)
    if undefined and name in OF_PAIRS:  # there are none
        return math.isnan(theirs) or ours == theirs == 0
    if undefined:  # scikit-learn alone puts a number in its place
        return math.isnan(ours) and (math.isnan(theirs) or row["tool"] == "scikit-learn")
    one_class = not (table.positives and table.negatives)  # where a tool may refuse what is defined
    agree = near(rescaled(row, ours), theirs, row.get("within", 0.0)) or (one_class and math.isnan(theirs))
    return agree and not math.isnan(ours)


def from_binary():
    """The rows of binary.json on areas under the precision-recall curve, one per tool and key, in the form of
    ranking.json."""
    rows = {}
    for name, case in DATASETS.items():
        for row in case["values"]:
            plain = row["key"].removesuffix("_weighted")
            if plain in PR_AREAS and "deviates" not in row and not isinstance(row["value"], dict):
                key = row["key"].replace(plain, PR_AREAS[plain])
                new = {"key": key, "tool": row["tool"], "values": {}}
                rows.setdefault((key, row["tool"]), new)["values"][name] = row["value"]
    return list(rows.values())


def answers(row):
    return [(dataset, number(value)) for dataset, value in row["values"].items()]


def named(row):
    return (
        f"{row['tool']}-{row.get('key') or row.get('curve') or row.get('rule') or 'at'}"
        if isinstance(row, dict)
        else ""
    )


VALUES = [row for row in RANKING["values"] if "deviates" not in row] + from_binary()


@for_each("row", VALUES, ids=named)
def test_value(row):
    assert [(dataset, theirs) for dataset, theirs in answers(row) if not fits(row, dataset, theirs)] == []


# Where a tool differs, and why
# --------------------------------------------------------------------------------------------------


def turned(row, dataset, theirs):
    return (
        near(measured(row["key"], table_of(row, dataset, turned=True)), theirs)
        and measured("roc_auc", ranked(dataset)) < 0.5
    )


def wrong_end(row, dataset, theirs):
    """At 0.95 between two points of the curve, as far from the second as it should be from the first."""
    table = ranked(dataset, turned=measured("roc_auc", ranked(dataset)) < 0.5)
    points = curve("roc", table)
    x, y = (points.x, points.y) if row["key"].startswith("sens") else (1 - points.y[::-1], 1 - points.x[::-1])
    after = np.searchsorted(x, 0.05, side="right")
    way = (0.05 - x[after - 1]) / (x[after] - x[after - 1])
    return near(y[after] + way * (y[after - 1] - y[after]), theirs)


def one_class(row, dataset, theirs):
    return math.isnan(measured(row["key"], ranked(dataset))) and theirs == -1


def row_order(row, dataset, theirs):
    table = ranked(dataset)
    low, high = (2 * measured(f"roc_auc_{end}", table) - 1 for end in ("pessimistic", "optimistic"))
    return low - 1e-12 <= theirs <= high + 1e-12 or (math.isnan(low) and math.isnan(theirs))


def one_score(row, dataset, theirs):
    return len(ranked(dataset)) == 1 and measured(row["key"], ranked(dataset)) == 0 and math.isnan(theirs)


def below_chance(row, dataset, theirs):
    return math.isnan(theirs) and measured(row["key"], ranked(dataset)) < 0.5


def interpolated(row, dataset, theirs):
    """The highest point above this specificity on the lines of the ROC curve."""
    fpr = 1 - taken_apart(row["key"], ranked(dataset))[1]["specificity"]
    roc = curve("roc", ranked(dataset))
    after = np.searchsorted(roc.x, fpr + 1e-12, side="right")
    at = np.interp(fpr, roc.x[after - 1 : after + 1], roc.y[after - 1 : after + 1])
    return near(at, theirs) and measured(row["key"], ranked(dataset)) <= theirs + 1e-12


def bracket(row, dataset, theirs):
    fmr, fnmr = rates_at_scores(dataset)
    below = np.flatnonzero(fmr <= fnmr)
    if not len(below):
        return theirs == 1
    after = below[0]
    around = [after] if fmr[after] == fnmr[after] else [max(after - 1, 0), after]
    return near(min(fmr[i] + fnmr[i] for i in around) / 2, theirs)


def nearest_fmr(row, dataset, theirs):
    limit = taken_apart(row["key"], ranked(dataset))[1]["fmr"]
    fmr, fnmr = rates_at_scores(dataset)
    return (
        near(fnmr[np.argmin(np.abs(fmr - limit))], theirs) and measured(row["key"], ranked(dataset)) != theirs
    )


def rates_at_scores(dataset):
    """FMR and FNMR with each score as threshold, the lowest first."""
    roc = curve("roc", ranked(dataset))
    return roc.x[:0:-1], 1 - roc.y[:0:-1]


def not_the_lowest(row, dataset, theirs):
    """Their threshold breaks the limit, or ours is better."""
    name, limit = taken_apart(row["key"], ranked(dataset))
    other = "false_positive_rate" if name == "fnmr_at_fmr" else "false_negative_rate"
    (found,) = (one["values"][dataset] for one in RANKING["thresholds"] if one["call"] == row["call"][:-3])
    return found[other][0] > next(iter(limit.values())) or measured(row["key"], ranked(dataset)) < theirs


def rounding(row, dataset, theirs):
    ours = measured(row["key"], ranked(dataset))
    others = [
        one for one in RANKING["values"] if one["key"] == row["key"] and one["version"] != row["version"]
    ]
    agreeing = [
        one["values"][dataset]
        for one in others
        if dataset in one["values"] and near(ours, one["values"][dataset])
    ]
    return len(agreeing) == 1 and abs(ours - theirs) < 1e-12


CHECKS = {check.__name__: check for check in (
    turned, wrong_end, one_class, row_order, one_score, below_chance, interpolated, bracket, nearest_fmr,
    not_the_lowest, rounding,
)}  # fmt: skip


@for_each("row", [row for row in RANKING["values"] if "deviates" in row], ids=named)
def test_deviation_is_explained(row):
    check = CHECKS[row["deviates"]]
    assert [(dataset, theirs) for dataset, theirs in answers(row) if not check(row, dataset, theirs)] == []


def test_every_reason_is_needed_and_checked():
    used = {
        row["deviates"] for part in ("values", "thresholds") for row in RANKING[part] if "deviates" in row
    }
    assert used == REASONS.keys() == CHECKS.keys() | {"finite_only"}


def above_half(table):
    return max(measured("roc_auc", table), 1 - measured("roc_auc", table))


def without_first_segment(name):
    def area(table):
        points = curve(name, table)
        y = points.y.copy()
        return float(np.diff(points.x[1:]) @ (y[1:-1] + y[2:]) / 2)

    return area


def without_first_recall(table):
    """The trapezoids without that from recall 0 to the first threshold."""
    pr = curve("pr", table)
    return measured("auc_pr_trapezoid", table) - pr.x[1] * (1 + pr.y[1]) / 2


def highest_at_each_recall(table):
    """Straight lines from (0, 1) through the highest precision at each recall.

    NaN where more than two positives are tied: there ROCR adds points between, those of the second gap in a
    wrong place.
    """
    recall = np.unique(curve("pr", table).x)
    if np.diff(recall).max() * table.positives > 2.5:
        return math.nan
    return measured("auc_pr_max", table) + recall[1] / 2


# (tool, key in binary.json): what they measure instead, and to how much.
INSTEAD = {
    ("caTools", "roc_auc"): (above_half, 0),
    ("hmeasure", "roc_auc"): (above_half, 0),
    ("pyeer", "roc_auc"): (without_first_segment("roc"), 0),
    ("bob.measure", "roc_auc"): (lambda table: measured("roc_auc", table), 5e-4),  # a grid of 2000 points
    ("confidenceinterval", "roc_auc"): (lambda table: measured("roc_auc", table), 1e-6),  # single precision
    # a grid of 1000 points
    ("precrec", "pr_area_nonlinear"): (lambda table: measured("auc_pr_integral", table), 1e-5),
    ("ROCR", "pr_area_rocr"): (highest_at_each_recall, 0),
    ("MLmetrics", "pr_area_mlmetrics"): (without_first_recall, 0),
}


@pytest.mark.parametrize(("tool", "key"), INSTEAD)
def test_deviating_area_is_explained(tool, key):
    ours, within = INSTEAD[tool, key]
    found = {
        name: row
        for name, case in DATASETS.items()
        for row in case["values"]
        if (row["tool"], row["key"]) == (tool, key)
    }
    theirs = {
        name: number(row["value"]) for name, row in found.items() if not isinstance(row["value"], (dict, str))
    }
    wanted = {name: ours(ranked(name)) for name in theirs}
    assert [
        name
        for name in theirs
        if not math.isnan(wanted[name] + theirs[name]) and not near(wanted[name], theirs[name], within)
    ] == []
    assert sum(not math.isnan(value) for value in wanted.values()) >= 5


def test_the_conventions_of_the_area_under_the_pr_curve_differ():
    """Where every score is the same, any mixture of answers has a precision of 0.4."""
    table = ranked("all_tied")
    honest = ("average_precision", "auc_pr_integral", "auc_pr_davis_goadrich", "mean_precision")
    assert all(near(measured(name, table), 0.4) for name in honest)
    assert near(measured("auc_pr_trapezoid", table), 0.7)
    assert all(near(measured(f"auc_pr_{name}", table), 0.2) for name in ("min", "minmax", "max"))


# Curves
# --------------------------------------------------------------------------------------------------


def columns(row):
    """(data set, {column: its values}), one per data set."""
    for dataset, values in row["values"].items():
        yield (
            dataset,
            {
                name: np.array([number(v) for v in part])
                for name, part in zip(row["columns"], values, strict=True)
            },
        )


def curves_of(*names):
    return [row for row in RANKING["curves"] if row["curve"].removesuffix("_weighted") in names]


def place(table, threshold):
    """Which point of the sweep a threshold makes: how many scores it reaches."""
    return np.searchsorted(-table.score, -np.asarray(threshold, float), side="right") if len(table) else 0


def lines(table):
    """Every column that a tool may have, by its name, at each threshold of ours."""
    counts, roc, pr, det = table.sweep(), curve("roc", table), curve("pr", table), curve("det", table)
    cells = {cell: getattr(counts, cell) for cell in ("tp", "fp", "fn", "tn")}
    rates = {
        "false_positive_rate": roc.x,
        "sensitivity": roc.y,
        "specificity": 1 - roc.x,
        "recall": pr.x,
        "precision": pr.y,
    }
    return cells | rates | {"false_negative_rate": 1 - roc.y, "det_x": ndtr(det.x), "det_y": ndtr(det.y)}


@for_each("row", curves_of("roc", "pr", "det", "counts"), ids=named)
def test_curve(row):
    for dataset, found in columns(row):
        table = ranked(dataset, row["curve"].endswith("_weighted"))
        ours, limits = lines(table), found.pop("threshold")
        at = place(table, np.where(np.isposinf(limits), np.inf, limits))
        assert len(set(at)) == len(limits)
        # which leaves out where a rate stays 0
        assert len(limits) >= len(table) or row["curve"].startswith("det")
        for name, theirs in found.items():
            there = at > 0 if name == "precision" else slice(None)  # at infinity they draw 1
            assert near(ours[name][at][there], theirs[: len(at)][there]), (dataset, name)
        if row["curve"].startswith("det"):
            assert near(ours["det_x"][at], found["false_positive_rate"])
            assert near(ours["det_y"][at], found["false_negative_rate"])


@for_each("row", curves_of("measure"), ids=lambda row: row["columns"][1])
def test_measure_against_the_threshold(row):
    """ROCR's 15 performances by cutoff; its cutoffs are our thresholds."""
    name = row["columns"][1]
    for dataset, found in columns(row):
        table = ranked(dataset)
        ours = getattr(tm.measures, name)(table.sweep())
        # made of a precision of 0/0, where ours is made of counts
        if name == "f1" and np.isnan(found[name][0]):
            ours[0] = np.nan
        assert near(table.thresholds, found["threshold"])
        assert near(ours, found[name])


@pytest.mark.parametrize("row", curves_of("hull"), ids=named)
def test_hull(row):
    for dataset, found in columns(row):
        hull = curve("roc_hull", ranked(dataset))
        theirs = np.column_stack(
            [found["false_positive_rate"], found.get("sensitivity", 1 - found.get("false_negative_rate", 0))]
        )
        if "false_negative_rate" in found:  # from the lowest threshold to the highest
            theirs = theirs[::-1]
        assert near(np.column_stack([hull.x, hull.y]), theirs), dataset


@pytest.mark.parametrize("row", curves_of("cost"), ids=named)
def test_cost(row):
    """The lower envelope at their corners; and the area under it, from their corners, is the average cost."""
    for dataset, found in columns(row):
        x, y = found["probability_cost"], found["expected_cost"]
        ours = curve("cost", ranked(dataset))
        assert near(np.interp(x, ours.x, ours.y), y), dataset
        assert near(np.interp(ours.x, x, y), ours.y), dataset
        assert near(np.diff(x) @ (y[1:] + y[:-1]) / 2, measured("average_cost", ranked(dataset)))


@pytest.mark.parametrize("row", curves_of("precision_at_k", "recall_at_k"), ids=named)
def test_among_the_highest(row):
    """precrec's measures at each rank: tied cases in even proportion."""
    name = row["curve"].removesuffix("_k")
    for dataset, found in columns(row):
        table, theirs = ranked(dataset), found[row["columns"][1]]
        assert near([measured(f"{name}_k(k={k})", table) for k in found["k"]], theirs), dataset
        assert near(
            [measured(f"{name}_share(share={k / table.total})", table) for k in found["k"]], theirs
        ), dataset


@pytest.mark.parametrize("row", curves_of("gain", "lift"), ids=named)
def test_gain_and_lift(row):
    for dataset, found in columns(row):
        table, share = ranked(dataset), found["percent_tested"] / 100
        if row["curve"] == "gain":
            ours = curve("gain", table)
            assert near(ours.x / table.total, share)
            assert near(ours.y / table.positives, found["percent_found"] / 100)
            assert near(
                [measured(f"recall_at_share(share={s})", table) for s in share[1:]],
                found["percent_found"][1:] / 100,
            )
        else:
            ours = curve("lift", table)
            assert near(ours.x[-len(share) + 1 :] / table.total, share[1:])
            assert near(ours.y[-len(share) + 1 :], found["lift"][1:])
            assert near(
                [measured(f"enrichment_factor(share={s})", table) for s in share[1:]], found["lift"][1:]
            )


@pytest.mark.parametrize("row", curves_of("decision"), ids=named)
def test_decision(row):
    for dataset, found in columns(row):
        table, limits = ranked(dataset), found["threshold"]
        ours = [get("net_benefit")(table.counts_at(limit), threshold=limit) for limit in limits]
        assert near(ours, found["net_benefit"]), dataset
        decision = curve("decision", table)
        at, theirs = np.nonzero(decision.threshold[:, None] == limits)
        assert near(decision.y[at], found["net_benefit"][theirs]), dataset


# Thresholds
# --------------------------------------------------------------------------------------------------


def of(name):
    return lambda counts: getattr(tm.measures, name)(counts)


def both(first, second, join):
    return lambda counts: join(of(first)(counts), of(second)(counts))


def gap(a, b):
    return np.abs(a - b)


def squares(a, b):
    return (1 - a) ** 2 + (1 - b) ** 2


def weighted_errors(miss, false_alarm):
    return both("false_negative_rate", "false_positive_rate", lambda fnr, fpr: miss * fnr + false_alarm * fpr)


SENSITIVITY_SPECIFICITY = ("sensitivity", "specificity")
PREDICTIVE_VALUES = ("precision", "negative_predictive_value")
RULES = {  # what is made as large as it can be, or as small
    "youden": (max, of("youden_j")),
    "youden_cost5_prevalence0.1": (
        max,
        both(*SENSITIVITY_SPECIFICITY, lambda a, b: a + (1 - 0.1) / (5 * 0.1) * b),
    ),
    "closest_topleft": (min, both(*SENSITIVITY_SPECIFICITY, squares)),
    "distance_topleft": (min, both(*SENSITIVITY_SPECIFICITY, lambda a, b: np.sqrt(squares(a, b)))),
    "equal_rates": (min, both(*SENSITIVITY_SPECIFICITY, gap)),
    "product_of_rates": (max, both(*SENSITIVITY_SPECIFICITY, np.multiply)),
    "smaller_rate": (max, both(*SENSITIVITY_SPECIFICITY, np.minimum)),
    "accuracy": (max, of("accuracy")),
    "error_rate": (min, of("error_rate")),
    "f1": (max, of("f1")),
    "mcc": (max, of("matthews_correlation")),
    "cohen_kappa": (max, of("cohen_kappa")),
    "sum_of_predictive_values": (max, both(*PREDICTIVE_VALUES, np.add)),
    "product_of_predictive_values": (max, both(*PREDICTIVE_VALUES, np.multiply)),
    "equal_predictive_values": (min, both(*PREDICTIVE_VALUES, gap)),
    "closest_predictive_values": (min, both(*PREDICTIVE_VALUES, squares)),
    "prevalence_matching": (min, both("prevalence", "predicted_prevalence", gap)),
    "most_frequent_error": (min, lambda counts: np.maximum(counts.fp, counts.fn)),
    "cost_miss5_fa1": (min, lambda counts: 5 * counts.fn + counts.fp),
    "cost_miss0.9_fa0.1": (min, weighted_errors(0.9, 0.1)),
    "cost_miss0.99_fa0.01": (min, weighted_errors(0.99, 0.01)),
    "odds_ratio": (max, of("diagnostic_odds_ratio")),
}
ALL_OF_THEM = ("pROC", "cutpointr")  # of several equally good thresholds; the others give one
OUR_RULES = {  # what choose_threshold calls them
    "youden": {"rule": "youden"},
    "youden_cost5_prevalence0.1": {"rule": "roc_slope", "cost_fn": 5, "cost_fp": 1, "prevalence": 0.1},
    "closest_topleft": {"rule": "closest_to_corner"},
    "equal_rates": {"rule": "equal_error"},
    "accuracy": {"rule": "accuracy"},
    "error_rate": {"rule": "error_rate"},
    "f1": {"rule": "f1"},
    "mcc": {"rule": "matthews_correlation"},
    "cohen_kappa": {"rule": "cohen_kappa"},
    "prevalence_matching": {"rule": "prevalence_matched"},
    "cost_miss5_fa1": {"rule": "cost", "cost_fn": 5, "cost_fp": 1},
    "cost_miss0.9_fa0.1": {"rule": "cost", "cost_fn": 0.9, "cost_fp": 0.1, "prevalence": 0.5},
    "cost_miss0.99_fa0.01": {"rule": "cost", "cost_fn": 0.99, "cost_fp": 0.01, "prevalence": 0.5},
}


def best_of(values, choose=max):
    """The thresholds, by their place in the sweep, that are as good as the best but for rounding; and how
    good that is."""
    best = choose(values[~np.isnan(values)])
    return set(np.flatnonzero(np.isclose(values, best, rtol=1e-12, atol=1e-12))), best


@for_each("name", OUR_RULES)
def test_our_rules_choose_what_theirs_are_said_to(name):
    choose, criterion = RULES[name]
    for dataset in DATASETS:
        table, counts = ranked(dataset), ranked(dataset).sweep()
        theirs = criterion(counts)
        if table.positives and table.negatives and not np.isnan(theirs).all():
            worth = np.asarray(read_rule(**OUR_RULES[name]).objective(counts), float)
            assert best_of(worth)[0] == best_of(theirs, choose)[0], dataset


@for_each("row", RANKING["thresholds"], ids=named)
def test_rates_at_their_thresholds(row):
    for dataset, found in row["values"].items():
        table = ranked(dataset)
        for name in found.keys() - {"threshold", "best"}:
            at = [get(name)(table.counts_at(number(limit))) for limit in found["threshold"]]
            assert near(at, [number(value) for value in found[name]]), (dataset, name)


@for_each("row", [row for row in RANKING["thresholds"] if row["rule"]], ids=named)
def test_thresholds_by_rule(row):
    """Each of theirs is one of the best of ours, and is as good as they say."""
    choose, criterion = RULES[row["rule"]]
    for dataset, found in row["values"].items():
        table = ranked(dataset)
        values = criterion(table.sweep())
        if row.get("deviates") == "finite_only":
            values = np.where(np.isfinite(values), values, np.nan)
        if row.get("candidates") == "observed":
            values[0] = np.nan
        (ours, best), theirs = best_of(values, choose), set(place(table, thresholds(found)))
        assert ours == theirs if row["tool"] in ALL_OF_THEM else theirs <= ours, dataset
        assert "best" not in found or near(
            rescaled(row, best), number(found["best"]), row.get("within", 0)
        ), dataset


def thresholds(found):
    return [number(limit) for limit in found["threshold"]]


# scikit-learn, live
# --------------------------------------------------------------------------------------------------

LARGE = 1e30  # in place of infinity, which scikit-learn refuses
SIZES = (2, 2, 3, 3, 4, 5, 8, 12, 20, 50)
MAX_FPR = (0.1, 0.25, 1 / 3, 0.5)


def some_scores(random, size):
    """All different, few, all the same, whole numbers, or with infinite ones among them."""
    few = random.choice([-math.inf, -2.0, 0.0, 0.1, 0.25, 0.5, 0.9, 1.0, math.inf], size)
    kinds = (
        random.random(size),
        random.random(size).round(1),
        np.full(size, random.random()),
        random.integers(-3, 4, size),
        few,
    )
    return np.asarray(kinds[random.choice(5, p=(0.25, 0.2, 0.05, 0.2, 0.3))], float)


def some_weights(random, size, truth):
    """None, whole ones with zeros, or fractional ones over eight decades; each class keeps some."""
    weight = (None, random.integers(0, 4, size), random.random(size) ** random.choice([1, 8]) + 1e-6)[
        random.integers(3)
    ]
    if weight is not None:
        weight = weight.astype(float)
        for label in (0, 1):
            weight[np.flatnonzero(truth == label)[0]] += 1
    return weight


def some_cases(seed, number=252):
    """(truth, score, weight) with both classes; often only one positive."""
    random = np.random.default_rng(seed)
    for _ in range(number):
        size = random.choice(SIZES)
        truth = (random.random(size) < random.choice([0.0, 0.3, 0.5, 0.9])).astype(int)
        truth[random.permutation(size)[:2]] = 0, 1
        yield truth, some_scores(random, size), some_weights(random, size, truth)


def areas(truth, score, weights, max_fpr, pr):
    """scikit-learn's areas, by our names."""
    yield "roc_auc", metrics.roc_auc_score(truth, score, **weights)
    yield "average_precision", metrics.average_precision_score(truth, score, **weights)
    yield "auc_pr_trapezoid", metrics.auc(pr[1], pr[0])
    yield (
        f"partial_auc_standardised(high={max_fpr})",
        metrics.roc_auc_score(truth, score, max_fpr=max_fpr, **weights),
    )


def points(truth, score, weights, pr):
    """scikit-learn's curves: thresholds and columns, from the highest threshold to the lowest."""
    fpr, tpr, limits = metrics.roc_curve(truth, score, drop_intermediate=False, **weights)
    yield limits, {"false_positive_rate": fpr, "sensitivity": tpr}
    precision, recall, limits = pr
    yield limits[::-1], {"precision": precision[-2::-1], "recall": recall[-2::-1]}
    fpr, fnr, limits = metrics.det_curve(truth, score, **weights)
    yield limits[::-1], {"det_x": fpr[::-1], "det_y": fnr[::-1]}
    if hasattr(metrics, "confusion_matrix_at_thresholds"):  # not in all versions
        tn, fp, fn, tp, limits = metrics.confusion_matrix_at_thresholds(truth, score, **weights)
        yield limits, {"tn": tn, "fp": fp, "fn": fn, "tp": tp}


def against(table, truth, score, weights, max_fpr):
    """The names of what differs by more than 1e-12."""
    pr = metrics.precision_recall_curve(truth, score, **weights)
    for key, theirs in areas(truth, score, weights, max_fpr, pr):
        if abs(measured(key, table) - theirs) > 1e-12:
            yield key
    ours, finite = (
        lines(table),
        RankingTable.of(np.clip(table.score, -LARGE, LARGE), table.positive, table.negative),
    )
    for limits, columns in points(truth, score, weights, pr):
        at = place(finite, limits)
        if (
            len(at) > len(table) + 1
            or not (np.diff(at) == 1).all()
            or not (finite.thresholds[at] == limits).all()
        ):
            yield f"thresholds of {', '.join(columns)}"
        else:
            scale = max(table.total, 1) if "tp" in columns else 1
            yield from (
                name
                for name, theirs in columns.items()
                if np.abs(ours[name][at] - theirs).max() > 1e-12 * scale
            )


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))]
)
def test_scikit_learn(seed):
    """2,016 tables: areas, every point of the ROC, precision-recall and DET curve, and the counts at every
    threshold."""
    random, wrong = np.random.default_rng(seed), []
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for truth, score, weight in some_cases(seed):
            table = RankingTable.from_arrays(truth=truth, score=score, weight=weight, positive=1)
            max_fpr = random.choice(MAX_FPR)
            differing = [
                *against(table, truth, np.clip(score, -LARGE, LARGE), {"sample_weight": weight}, max_fpr)
            ]
            wrong += [(differing, truth, score, weight, max_fpr)] if differing else []
    assert wrong == []


def test_the_curves_of_an_evaluation_are_those_of_its_table():
    for truth, score, weight in some_cases(9, 5):
        table = RankingTable.from_arrays(truth=truth, score=score, weight=weight, positive=1)
        evaluation = tm.evaluate(truth=truth, score=score, weight=weight, positive=1)
        for name in ("roc", "pr", "det"):
            assert np.array_equal([*evaluation.curve(name)], [*curve(name, table)], equal_nan=True)


# The file
# --------------------------------------------------------------------------------------------------


def test_the_file_is_read():
    """Guards the tests above against comparing nothing."""
    sizes = {
        part: sum(len(row["values"]) for row in RANKING[part]) for part in ("values", "thresholds", "curves")
    }
    assert all(
        sizes[part] > least for part, least in {"values": 900, "thresholds": 450, "curves": 150}.items()
    )
    assert sum(len(row["values"]) for row in VALUES) > 850
    assert {row["tool"] for part in sizes for row in RANKING[part]} > {
        "pROC",
        "PYLLR",
        "hmeasure",
        "scikit-learn",
        "cutpointr",
    }
