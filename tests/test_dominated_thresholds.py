"""No rule that optimises takes a threshold where another one that it allows has more sensitivity or
specificity, and at least as much of both; those that promise a number or equal rates take what they promise.

By brute force over all thresholds, with every rule of the registry: those by name, the best value of every
measure of counts, and constraints on every measure in both directions.
"""

import json
import math

import numpy as np
import pytest
from looping import for_each
from strategies import measures_of
from test_threshold_rules import EXACT, RULES, dominates, points, preferred, some_cases
from test_threshold_values import VALUES

from tallymark import Counts, InputError, RankingTable, biometric, check, choose_threshold, evaluate
from tallymark.cli import main
from tallymark.evaluation.thresholds import by_rule, choose, read_rule
from tallymark.inference.resampled import multinomial
from tallymark.measures.registry import get

INF = math.inf
CONSTANT = ("prevalence", "npr")  # at every threshold, so that a constraint on them is refused
BY_NAME = [(name.split()[0], options) for name, (options, _) in RULES.items()]
BY_NAME += [(name, options) for name, (options, _) in VALUES.items() if name not in dict(BY_NAME)]
BEST = [(entry.name, {}) for entry in measures_of(Counts) if entry.better]
BOUNDED = [
    (entry, sign) for entry in measures_of(Counts) if entry.name not in CONSTANT for sign in (">=", "<=")
]
EXAMPLE = {"truth": [0, 0, 1, 1], "score": [1, 2, 3, 4]}
# at 4 a part of the positives, at 2 all, with one false positive
MISSED = {"truth": [0, 1, 1, 1, 0], "score": [5, 4, 3, 2, 1]}

OPPOSITE = {"truth": [0, 0, 1, 1, 0], "score": [5, 4, 3, 2, 1]}
MATCHED = {"truth": [1, 0, 0, 1], "score": [4, 3, 2, 1]}


def worths(rule, found):
    """Of each point what the rule makes of it, and whether it is allowed."""
    counts = Counts.of(
        *(np.array([float(getattr(point, cell)) for point in found]) for cell in ("tp", "fp", "fn", "tn"))
    )
    with np.errstate(all="ignore"):
        allowed = np.ones(len(found), bool) if rule.allowed is None else rule.allowed(counts)
        return (
            np.nan_to_num(np.asarray(rule.objective(counts), float), nan=-INF, posinf=INF, neginf=-INF),
            allowed,
        )


def at_fault(cases, text, options):
    """What is wrong with the threshold that the rule takes."""
    rule, found = read_rule(text, **options), list(points(cases))
    found = found[1:] if found[1].limit == INF else found
    worth, allowed = worths(rule, found)
    allowed = np.flatnonzero(allowed)
    rivals = [j for j in allowed if worth[j] == worth[allowed].max()] if text in EXACT else allowed
    free = [i for i in allowed if worth[i] > -INF and not any(dominates(found[j], found[i]) for j in rivals)]
    try:
        value = by_rule(cases.table, rule).value
    except InputError:
        return "refused, though a threshold is allowed" if free else None
    at = next((i for i, point in enumerate(found) if point.limit == value), None)
    if at not in free:
        return (
            f"{value} is not allowed, or dominated by"
            f" {[found[j].limit for j in allowed if dominates(found[j], found[at])]}"
        )
    if worth[at] < worth[free].max() - 1e-10 * max(1, abs(worth[at])):
        return f"{value} is not the best"
    return None


def faults(number, seed):
    """Every rule on so many tables."""
    for cases in some_cases(number, seed=seed, ends=(-INF, INF)):
        for name, options in (*BY_NAME, *BEST):
            if wrong := at_fault(cases, name, options):
                yield name, options, wrong, cases.plain
        for entry, sign in BOUNDED:
            values = entry.function(cases.table.sweep())
            known = values[np.isfinite(values)]
            bound = float(known[len(known) // 2]) if len(known) else 0.5
            bound = min(max(bound, entry.range[0]), entry.range[1])
            if wrong := at_fault(cases, f"{entry.name}{sign}{bound!r}", {}):
                yield f"{entry.name}{sign}{bound!r}", {}, wrong, cases.plain


@pytest.mark.full
@for_each("seed", [11])
def test_no_rule_takes_a_dominated_threshold_few(seed):
    with np.errstate(all="ignore"):
        assert list(faults(6, seed)) == []


@pytest.mark.slow
@for_each("seed", [12, 13, 14])
def test_no_rule_takes_a_dominated_threshold(seed):
    with np.errstate(all="ignore"):
        assert list(faults(50, seed)) == []


@pytest.mark.slow
def test_every_resample_takes_what_the_rule_takes_of_its_cases():
    """`choose` looks at all resamples at once; here each is a table of its own."""
    rules = [
        "youden",
        "equal_error",
        "prevalence_matched",
        "specificity>=0.5",
        "sensitivity>=0.5",
        "accuracy>=0.6",
        "precision",
    ]
    rules += ["optimization_precision", "uncertainty_coefficient", "mcc"]
    wrong = []
    for cases in some_cases(25, seed=16, ends=(-INF, INF)):
        base, (resamples,) = multinomial(cases.table, 3, 20)
        for text in rules:
            try:
                found = choose(cases.table, read_rule(text), 3, 20)
            except InputError:
                continue
            alone = [_alone(base, resamples, i, read_rule(text)) for i in range(len(resamples.positive))]
            wanted = [pair for pair in alone if pair]
            taken = list(zip(found.resampled.tp.tolist(), found.resampled.fp.tolist(), strict=True))
            wrong += [] if np.allclose(taken, wanted) else [(text, cases.plain)]
    assert wrong == []


def _alone(base, resamples, i, rule):
    """The true and false positives of the threshold of one resample; None where none is allowed."""
    positive, negative = resamples.positive[i], resamples.negative[i]
    there = positive + negative > 0
    table = RankingTable(base.score[there], positive[there], negative[there])
    try:
        counts = table.counts_at(by_rule(table, rule).value)
    except InputError:
        return None
    return counts.tp, counts.fp


# By every way in
# -----------------------------------------------------------------------------------------------------------

WAYS = {
    "evaluate": lambda rule, **cases: evaluate(**cases, rule=rule).threshold.value,
    "choose_threshold": lambda rule, **cases: choose_threshold(**cases, rule=rule, replicates=50).threshold,
    "lower is positive": lambda rule, truth, score: (
        -evaluate(truth=truth, score=[-s for s in score], rule=rule, higher_is_positive=False).threshold.value
    ),
}


@for_each("way", WAYS)
@for_each(
    ("rule", "cases", "threshold"),
    [
        ("specificity>=0.5", EXAMPLE, 3),
        ("specificity>=0.5", MISSED, 2),
        ("sensitivity>=0.5", EXAMPLE, 3),
        ("fpr<=0.9", EXAMPLE, 3),
        ("precision>=0.6", EXAMPLE, 3),
        ("predicted_prevalence<=0.8", EXAMPLE, 3),
        ("sensitivity<=0.5", EXAMPLE, 4),
        ("specificity", EXAMPLE, 3),
        ("precision", EXAMPLE, 3),
        ("sensitivity", EXAMPLE, 3),
        ("sensitivity", MISSED, 2),
        # more information at 4, where two negatives are predicted positive
        ("uncertainty_coefficient", OPPOSITE, 2),
        # though 4 dominates: half of both classes are wrong, and as many are predicted positive as there are
        ("equal_error", MATCHED, 3),
        ("prevalence_matched", MATCHED, 3),
    ],
)
def test_by_hand(way, rule, cases, threshold):
    assert WAYS[way](rule, **cases) == threshold


def test_all_that_are_equal_in_the_objective_are_reported():
    assert choose_threshold(**EXAMPLE, rule="precision", replicates=50).equally_good == [(2, 4)]
    # 2 has the largest sensitivity, too, and 4 the largest specificity: 3 dominates both
    assert choose_threshold(**EXAMPLE, rule="specificity>=0.5", replicates=50).equally_good == [(2, 3)]


def test_the_gate_measures_there():
    (found,) = check(require="precision.value >= 0.9 at specificity 0.5", **EXAMPLE).findings
    assert found.compared == 1
    assert "at threshold 3," in found.how


@pytest.mark.full
@for_each(
    ("options", "rows", "threshold"),
    [
        (["--rule", "specificity>=0.5"], "0,1\n0,2\n1,3\n1,4\n", 3),
        (["--rule", "equal_error"], "1,4\n0,3\n0,2\n1,1\n", 3),
        (["--rule", "top_k", "--k", "3"], "1,4\n0,3\n0,2\n1,1\n", 2),
        (["--rule", "top_k", "--k", "3", "--lower-is-positive"], "1,1\n0,2\n0,3\n1,4\n", 3),
        (["--rule", "top_k", "--k", "1"], "0,4\n1,3\n0,2\n1,1\n", 4),
    ],
)
def test_the_command_line_takes_it(tmp_path, capsys, options, rows, threshold):
    file = tmp_path / "cases.csv"
    file.write_text("y,s\n" + rows)
    cases = [str(file), "--truth", "y", "--score", "s", *options, "--json"]
    assert main(["threshold", *cases]) == 0
    assert json.loads(capsys.readouterr().out)["threshold"]["value"] == threshold
    if "--k" not in options:
        assert main(["evaluate", *cases]) == 0
        assert json.loads(capsys.readouterr().out)["threshold"]["value"] == threshold


@pytest.mark.full
def test_measures_at_a_bound_are_those_of_the_threshold_that_the_rule_takes():
    """The catalogue's measures at a bound, and the thresholds of false match rates, agree with the rules."""
    at = {
        "sensitivity_at_specificity": ("specificity", ">=", "sensitivity"),
        "specificity_at_sensitivity": ("sensitivity", ">=", "specificity"),
        "recall_at_precision": ("precision", ">=", "sensitivity"),
        "fnmr_at_fmr": ("false_positive_rate", "<=", "false_negative_rate"),
        "fmr_at_fnmr": ("false_negative_rate", "<=", "false_positive_rate"),
    }
    wrong = []
    for cases in some_cases(40, seed=17):
        for name, (bounded, sign, wanted) in at.items():
            (parameter,) = get(name).parameters
            ours = evaluate(**cases._asdict(), positive=1, parameters={name: {parameter: 0.5}})[name].value
            try:
                there = evaluate(**cases._asdict(), positive=1, rule=f"{bounded}{sign}0.5")[wanted].value
            except InputError:  # no threshold has that precision
                there = 0.0
            wrong += [] if math.isclose(there, ours, abs_tol=1e-12) else [(name, cases.plain)]
        mated, others = (cases.score[cases.truth == label] for label in (1, 0))
        if cases.weight is None:
            limit = biometric(genuine=mated, impostor=others, fmr=[0.5]).fnmr_at[0.5][1]
            allowed = [point for point in points(cases) if point.fp <= 0.5 * (point.fp + point.tn)]
            best = [point for point in allowed if point.tp == max(other.tp for other in allowed)]
            wrong += [] if limit in (preferred(best).limit, INF) else [("fmr", cases.plain)]
    assert wrong == []
