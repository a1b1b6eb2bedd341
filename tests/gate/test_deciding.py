"""What a gate measures and decides: against `evaluate`, by brute force, and by simulation."""

import json
from math import isnan, nan

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses
from scipy.stats import norm

import tallymark as tm
from tallymark.evaluation.thresholds import read_rule
from tallymark.input.messages import Note
from tallymark.studies.gate import RequirementError, parse
from tallymark.studies.gate.checking import finding_of, read_at_best
from tallymark.studies.gate.power import met

RANDOM = np.random.default_rng(5)
TRUTH = np.repeat([1, 0], [60, 140])
SCORE = np.round(1 / (1 + np.exp(-RANDOM.normal(1.6 * TRUTH - 1, 1))), 2)
CASES = {"truth": TRUTH, "score": SCORE}
KINDS = RANDOM.choice(["cat", "dog", "eel"], 150)
OF_KINDS = RANDOM.dirichlet([1, 1, 1], 150) + 0.4 * (KINDS[:, None] == ["cat", "dog", "eel"])
MANY = {"truth": KINDS, "score": OF_KINDS, "classes": ["cat", "dog", "eel"]}


def required(part, operator, limit):
    return parse(f"sensitivity{'' if part == 'interval' else f'.{part}'} {operator} {limit}")


def one(require, **given):
    verdict = tm.check(**(given or CASES), require=require)
    (finding,) = verdict.findings
    assert verdict.passed is bool(verdict) is finding.passed
    return finding


# The numbers of evaluate
# --------------------------------------------------------------------------------------------------


@in_part(3)
@for_each("name", ["roc_auc", "average_precision", "brier_score", "sensitivity", "precision", "f1", "phi"])
@for_each("part", ["value", "low", "high", "width"])
@for_each("operator", [">=", ">", "<=", "<"])
@for_each("limit", [0.05, 0.3, 0.6, 0.85])
def test_a_finding_is_the_estimate_of_evaluate_compared(name, part, operator, limit):
    estimate = tm.evaluate(**CASES)[name]
    number = estimate.high - estimate.low if part == "width" else getattr(estimate, part)
    expected = {">=": number >= limit, ">": number > limit, "<=": number <= limit, "<": number < limit}[
        operator
    ]
    found = one(f"{name}.{part} {operator} {limit}")
    assert (found.estimate, found.compared, found.passed) == (estimate, number, expected)
    assert found.outcome == ("passed" if expected else "failed")


def test_settings_go_to_evaluate():
    given = {**CASES, "level": 0.8, "proportion": "clopper-pearson", "threshold": 0.3}
    assert one("sensitivity.low >= 0", **given).estimate == tm.evaluate(**given)["sensitivity"]
    parameters = {"f_beta": {"beta": 0.5}}
    assert (
        one("f_beta >= 0", **CASES, parameters=parameters).estimate
        == tm.evaluate(**CASES, parameters=parameters)["f_beta"]
    )


def test_parameters_of_one_requirement_are_its_own():
    requirements = [f"f_beta(beta={beta}).low >= 0.1" for beta in (0.5, 1, 2)]
    found = tm.check(**CASES, require=requirements).findings
    each = [tm.evaluate(**CASES, parameters={"f_beta": {"beta": beta}})["f_beta"] for beta in (0.5, 1, 2)]
    assert [finding.estimate for finding in found] == each
    assert len({finding.compared for finding in found}) == 3


def test_a_measure_that_is_named_by_its_parameter():
    named, plain = tm.check(**CASES, require=["f2.low >= 0.1", "f_beta(beta=2).low >= 0.1"]).findings
    assert named.compared == plain.compared
    assert (
        one("f2 >= 0.1 at rule youden", **CASES).compared
        == one("f_beta(beta=2) >= 0.1 at rule youden", **CASES).compared
    )
    both = {"truth": CASES["truth"], "score": [CASES["score"], CASES["score"] ** 3]}
    difference = tm.compare(**both, measures=["f2"])["f2"]
    again = tm.compare(**both, measures=["f_beta"], parameters={"f_beta": {"beta": 2}})["f_beta"]
    assert (difference.low, difference.high) == (again.low, again.high)


def test_what_is_checked_may_have_been_evaluated_before():
    e = tm.evaluate(**CASES)
    assert (
        tm.check(e, require="roc_auc.low >= 0.8").to_json()
        == tm.check(**CASES, require="roc_auc.low >= 0.8").to_json()
    )
    with refuses("conflict", argument="level"):
        tm.check(e, require="roc_auc.low >= 0.8", level=0.9)


def test_numbers_of_cases():
    assert [one(f"{name} >= {n}").passed for name, n in (("n", 200), ("rows", 201), ("positives", 60),
        ("negatives", 141))] == [
        True, False, True, False,
    ]  # fmt: skip
    assert one("n >= 200").compared == 200
    assert one("positives >= 5", truth=[0, 1], score=[0.1, 0.2]).sentence == "1 < 5"
    assert (
        one('positives[class "cat"] >= 5', truth=["cat", "a", "b"], predicted=["cat", "a", "b"]).sentence
        == "1 < 5"
    )
    assert one('positives[class "cat"] >= 0', **MANY).compared == (KINDS == "cat").sum()


def test_labels_alone():
    given = {"truth": TRUTH, "predicted": SCORE >= 0.5}
    assert one("accuracy.low >= 0.5", **given).estimate == tm.evaluate(**given)["accuracy"]
    assert one("accuracy.low >= 0.5", counts=tm.Counts(tp=9, fp=1, fn=1, tn=9)).passed is True


def test_amounts():
    given = {"truth": [1.0, 2.0, 3.0], "predicted": [1.5, 2.0, 3.5], "regression": True}
    assert one("mean_squared_error <= 0.2", **given).compared == pytest.approx(0.5 / 3)


# What is undefined
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("require", "given", "reason"),
    [
        (
            "roc_auc.low >= 0",
            {"truth": [0, 0, 0], "score": [0.1, 0.2, 0.3]},
            "undefined: no positives (positives = 0)",
        ),
        (
            "roc_auc < 1",
            {"truth": [0, 0, 0], "score": [0.1, 0.2, 0.3]},
            "undefined: no positives (positives = 0)",
        ),
        ("precision <= 1", {**CASES, "threshold": 2.0}, "undefined: no predicted positives (tp + fp = 0)"),
        (
            "sensitivity.low >= 0 at precision 1",
            {"truth": [1, 0], "score": [0.1, 0.2]},
            "no threshold meets 'precision >= 1'",
        ),
        ("f1 >= 0 at youden", {"truth": [1, 1], "score": [0.1, 0.2]}, "there is one class only"),
        (
            "precision.low >= 0 at precision 1",
            CASES,
            "no interval: every resample gives the same",
        ),
    ],
)
def test_what_is_undefined_is_undecided_with_the_reason(require, given, reason):
    found = one(require, **given)
    assert (found.outcome, found.passed, found.more) == ("undecided", False, None)
    assert isnan(found.compared)
    assert reason in found.reason.text
    assert found.sentence.startswith(found.reason.text)
    assert found.to_dict()["compared"] is None


@for_each("operator", [">=", ">", "<=", "<"])
@for_each("part", ["interval", "value", "low", "high", "width"])
def test_without_a_number_nothing_passes(operator, part):
    for estimate in (
        tm.Estimate(nan, undefined=Note("no-case-left")),
        tm.Estimate(0.5, notes=(Note("every-case-alike"),)),
        tm.Estimate(0.5),
    ):
        found = finding_of(required(part, operator, 0.5), estimate, 100)
        if part == "value" and not isnan(estimate.value):
            assert found.passed is (operator in (">=", "<="))
        else:
            assert (found.outcome, found.passed) == ("undecided", False)
            assert "no case was left" in found.reason.text or found.reason.text.startswith("no interval: ")


@pytest.mark.parametrize(
    ("number", "limit"), [(0.1 + 0.2, 0.3), (1 - 0.9, 0.1), (1e9 + 1e-7, 1e9), (0.0, -0.0)]
)
def test_rounding_does_not_decide(number, limit):
    assert [met(number, operator, limit) for operator in (">=", ">", "<=", "<")] == [True, False, True, False]


def test_a_near_miss_shows_its_digits():
    found = finding_of(required("value", ">=", 0.8), tm.Estimate(0.7999999), 100)
    assert found.number == "0.7999999"
    assert found.sentence == "0.7999999 < 0.8"


def test_a_value_that_may_be_luck_is_said():
    assert "by the value alone" in one("roc_auc.value >= 0.8").sentence
    assert "by the value alone" not in one("roc_auc.value >= 0.5").sentence
    assert "by the value alone" not in one("roc_auc >= 0.8").sentence
    assert "by the value alone" not in one("roc_auc.low >= 0.5").sentence


# Thresholds
# --------------------------------------------------------------------------------------------------


def rates():
    limits = np.append(np.unique(SCORE), np.inf)
    said = SCORE[:, None] >= limits
    return said[TRUTH == 1].mean(0), 1 - said[TRUTH == 0].mean(0), limits


@pytest.mark.parametrize("bound", [0.0, 0.3, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0])
def test_sensitivity_at_specificity_by_brute_force(bound):
    sensitivity, specificity, limits = rates()
    allowed = specificity >= bound - 1e-12
    best = sensitivity[allowed].max()
    for require in (f"sensitivity >= 0 at specificity {bound}", f"tpr >= 0 at fpr <= {1 - bound:.2f}"):
        found = one(require)
        assert found.compared == best
        if best > 0:  # otherwise nobody is called positive, wherever above the scores that is
            limit = float(found.how.split()[2].rstrip(","))
            # with the largest specificity of them
            assert limit == limits[allowed & (sensitivity == best)].max()
    e = tm.evaluate(**CASES, parameters={"sensitivity_at_specificity": {"specificity": bound}})[
        "sensitivity_at_specificity"
    ]
    assert (found.estimate.low, found.estimate.high) == pytest.approx((e.low, e.high), nan_ok=True)


@pytest.mark.parametrize("bound", [0.3, 0.8, 0.9, 1.0])
def test_other_measures_at_a_bound_by_brute_force(bound):
    sensitivity, specificity, _ = rates()
    allowed = sensitivity >= bound - 1e-12
    # the largest specificity, and with it the largest sensitivity
    at = np.lexsort((sensitivity, specificity * allowed))[-1]
    assert one(f"specificity >= 0 at sensitivity {bound}").compared == pytest.approx(
        specificity[at], abs=1e-12
    )
    tp, fp = sensitivity[at] * 60, (1 - specificity[at]) * 140
    for require in (
        f"precision.value >= 0 at sensitivity {bound}",
        f"precision.value >= 0 at fnr <= {1 - bound:.2f}",
    ):
        found = one(require)
        assert found.compared == pytest.approx(tp / (tp + fp), abs=1e-12)
        assert found.estimate.low < found.compared < found.estimate.high
        assert "chosen on these cases" in found.how
        assert "which the interval counts in" in found.how


def test_a_given_threshold_is_that_of_evaluate():
    at = tm.evaluate(**CASES).at(0.42)
    for name in ("sensitivity", "f1", "precision"):
        assert one(f"{name}.low >= 0 at threshold 0.42").estimate == at[name]
    assert one("net_benefit >= 0 at threshold 0.42").estimate == at["net_benefit"]
    assert one("f1.low >= 0").estimate == tm.evaluate(**CASES)["f1"]


def test_where_a_lower_score_is_positive():
    turned = {"truth": TRUTH, "score": -SCORE, "higher_is_positive": False}
    for require in ("sensitivity >= 0 at specificity 0.9", "f1 >= 0 at youden", "f1 >= 0 at sensitivity 0.9"):
        there, here = one(require, **turned), one(require)
        assert (there.compared, there.estimate.low) == (here.compared, here.estimate.low)
        assert "at threshold -0." in there.how
    assert one("f1 >= 0 at threshold -0.42", **turned).estimate == one("f1 >= 0 at threshold 0.42").estimate


@for_each("name", ["f1", "sensitivity", "matthews_correlation", "precision"])
@for_each("rule", ["youden", "f1", "closest_to_corner"])
def test_at_the_best_threshold_the_interval_is_that_of_evaluate(name, rule):
    chosen = tm.evaluate(**CASES, rule=rule)
    fixed, found = chosen.at(chosen.threshold.value)[name], one(f"{name}.low >= 0 at rule {rule}").estimate
    assert found == chosen[name]
    assert found.low < fixed.low < found.value == fixed.value <= found.high
    assert found.method == f"corrected-{fixed.method}"


def test_a_rule_on_a_bound_counts_as_a_choice():
    chosen = tm.evaluate(**CASES, rule="specificity.low>=0.8")
    assert one("f1.low >= 0", **CASES, rule="specificity.low>=0.8").estimate == chosen["f1"]


def test_a_threshold_that_evaluate_chose_is_chosen_too():
    raw = {"truth": TRUTH, "score": 10 * SCORE - 3}  # no probabilities: by the Youden index
    assert (
        one("sensitivity.low >= 0", **raw).estimate == one("sensitivity.low >= 0 at youden", **raw).estimate
    )
    assert (
        one("sensitivity.low >= 0", **CASES, rule="f1").estimate
        == one("sensitivity.low >= 0 at rule f1").estimate
    )
    of_bound = one("sensitivity.low >= 0", **CASES, rule="specificity>=0.9")
    assert of_bound.estimate == one("sensitivity.low >= 0 at specificity 0.9").estimate
    assert "chosen" not in (one("roc_auc.low >= 0", **raw).how or "")


def test_weights_that_are_whole_are_rows_twice():
    weight = 1 + np.arange(200) % 3
    for require in (
        "f1.low >= 0 at youden",
        "sensitivity.low >= 0 at specificity 0.9",
        "f1.low >= 0 at specificity 0.9",
    ):
        rows = one(require, truth=np.repeat(TRUTH, weight), score=np.repeat(SCORE, weight))
        assert one(require, **CASES, weight=weight, weight_kind="count").estimate == rows.estimate


def test_the_same_seed_gives_the_same_answer():
    again = [tm.check(**CASES, require="f1.low >= 0 at youden", rng=seed).to_json() for seed in (3, 3, 4)]
    assert again[0] == again[1] != again[2]


# Classes
# --------------------------------------------------------------------------------------------------


def test_a_class_and_averages():
    e = tm.evaluate(**MANY)
    assert one('sensitivity[class "cat"].low >= 0', **MANY).estimate == e.classes["cat"]["sensitivity"]
    assert (
        one("f_beta(beta=2)[class eel] >= 0", **MANY).estimate
        == (tm.evaluate(**MANY, parameters={"f_beta": {"beta": 2}}).classes["eel"]["f_beta"])
    )
    assert one("roc_auc[class dog].low >= 0", **MANY).estimate == e.one_vs_rest("dog")["roc_auc"]
    for average in ("macro", "weighted", "micro"):
        assert one(f"{average} f1.low >= 0", **MANY).estimate == e.averages[average]["f1"]
    assert one("accuracy.low >= 0", **MANY).estimate == e["accuracy"]
    single = {"truth": (KINDS == "dog").astype(int), "score": OF_KINDS[:, 1]}
    at = "sensitivity{}.low >= 0 at specificity 0.8"
    assert one(at.format("[class dog]"), **MANY).estimate == one(at.format(""), **single).estimate


def test_labels_that_are_numbers_are_classes():
    given = {"truth": [1, 2, 3, 3], "predicted": [1, 2, 3, 1]}
    assert one("sensitivity[class 3] >= 0", **given).compared == 0.5


@for_each(
    ("require", "given", "character", "said"),
    [
        ("sensitivity >= 0", MANY, 1, 'as sensitivity[class "cat"]'),
        ("sensitivity[class rat] >= 0", MANY, 19, "did you mean 'cat'"),
        ("f1[class rat] >= 0", CASES, 10, "there are two classes"),
        ("positives[class rat] >= 0", CASES, 17, "there are two classes"),
        ("macro f1 >= 0", CASES, 7, "take f1"),
        ("positives >= 0", MANY, 1, "there are not two classes here"),
        ("positives[class rat] >= 0", MANY, 17, "is not a class here"),
        ("roc_auc >= 0", {"truth": [0, 1], "predicted": [0, 1]}, 1, "there are no scores"),
        ("f1 >= 0 at youden", {"truth": [0, 1], "predicted": [0, 1]}, 9, "put among scores"),
        (
            "f1[class b] >= 0 at youden",
            {"truth": list("abc"), "predicted": list("abc")},
            1,
            "needs a score per class",
        ),
        ("brier_score >= 0", {"truth": [0, 1], "score": [1.0, 3.0]}, 1, "the scores are not probabilities"),
    ],
)
def test_what_the_data_do_not_allow(require, given, character, said):
    with pytest.raises(RequirementError, match=f"^require, character {character}: ") as caught:
        tm.check(**given, require=require)
    assert said in str(caught.value).split("\n")[0]


@pytest.mark.parametrize("require", [(), []])
def test_something_must_be_required(require):
    with refuses("needed", argument="require"):
        tm.check(**CASES, require=require)


@pytest.mark.parametrize("wrong", [None, 3, b"n >= 1", {"n >= 1": 1}])
def test_what_is_no_text_is_said(wrong):
    with refuses("invalid-value", argument="require"):
        tm.check(**CASES, require=wrong)
    if wrong is not None:  # None: what is usual
        with refuses("invalid-value", argument="measures"):
            tm.check(**CASES, baseline_score=SCORE, no_worse_than=0, measures=wrong)


def test_arrays_go_by_name():
    with refuses("by-position", argument="truth"):
        tm.check(TRUTH, SCORE, require="roc_auc >= 0.5")


# By simulation
# --------------------------------------------------------------------------------------------------


def passes(number, of, nominal=0.025):
    """Whether a share is no larger than it should be, but for three standard errors."""
    return number / of <= nominal + 3 * np.sqrt(nominal * (1 - nominal) / of)


@pytest.mark.full
@pytest.mark.parametrize(("positives", "negatives"), [(30, 100), (200, 200)])
def test_a_model_at_the_limit_rarely_passes(positives, negatives):
    random, shift = np.random.default_rng(1), np.sqrt(2) * norm.ppf(0.8)  # so that the true roc_auc is 0.8
    truth, asked = np.repeat([1, 0], [positives, negatives]), parse("roc_auc.low >= 0.8")
    passed = 0
    for _ in range(1_000):
        table = tm.RankingTable.from_arrays(truth=truth, score=random.normal(shift * truth, 1))
        estimate = tm.estimate("roc_auc", table)
        passed += finding_of(asked, estimate, 100).passed
    assert passed > 0
    assert passes(passed, 1_000)


@pytest.mark.full
def test_at_the_best_threshold_the_low_end_is_rarely_above_the_truth_of_that_threshold():
    random, rule, truth = np.random.default_rng(2), read_rule("youden"), np.repeat([1, 0], [30, 60])
    fixed = counted = 0
    for _ in range(200):
        e = tm.evaluate(truth=truth, score=random.normal(1.5 * truth, 1), rule="youden")
        true = norm.sf(e.threshold.value - 1.5)
        fixed += e.at(e.threshold.value)["sensitivity"].low > true
        counted += read_at_best(e, tm.find("sensitivity")[0], rule, {}).low > true
    assert passes(counted, 200)
    assert not passes(fixed, 200)  # a threshold taken as given promises too much


# The verdict
# --------------------------------------------------------------------------------------------------


def test_the_verdict_as_text_and_json():
    verdict = tm.check(**CASES, require=["roc_auc.low >= 0.5", "precision <= 1 at threshold 2", "f1 >= 1"])
    assert [finding.outcome for finding in verdict.findings] == ["passed", "undecided", "failed"]
    shown = str(verdict)
    assert max(map(len, shown.splitlines())) <= 80
    firsts = [line.split(maxsplit=1)[0] for line in shown.splitlines() if line]
    assert [one for one in firsts if one.lower() in ("passed", "failed", "undecided")] == [
        "FAILED", "UNDECIDED", "passed",
    ]  # fmt: skip
    assert shown.startswith("FAILED: 1 of 3 requirements met, 1 undecided.")
    first, *failed = repr(verdict).split(" | ")
    assert first == "<Verdict FAILED: 1 of 3 requirements met, 1 undecided"
    assert [one.split(":")[0] for one in failed] == ["f1 >= 1", "precision <= 1 at threshold 2"]
    found = json.loads(verdict.to_json(), parse_constant=lambda name: pytest.fail(name))
    assert found == verdict.to_dict()
    assert (found["passed"], found["level"], found["seed"], found["baseline"]) == (False, 0.95, 0, None)
    assert found["findings"][0]["estimate"] == tm.evaluate(**CASES)["roc_auc"].to_dict()
    assert tm.check(**CASES, require="n >= 1").summary == "passed: the requirement is met"


def test_an_interval_that_is_open_has_no_high_end():
    open_above = tm.Estimate(0.5, 0.4, nan, method="some", notes=(Note("every-case-alike"),))
    assert finding_of(required("low", ">=", 0.4), open_above, 100).passed
    for part in ("interval", "high", "width"):
        found = finding_of(required(part, ">=", 0.0), open_above, 100)
        assert (found.outcome, found.reason.text) == (
            "undecided",
            "no interval: the difference is the same in every case",
        )


# Clusters
# --------------------------------------------------------------------------------------------------


def test_groups_are_those_of_evaluate():
    clusters = np.arange(200) // 4
    given = {**CASES, "clusters": clusters}
    e = tm.evaluate(**given)
    for name in ("roc_auc", "f1"):
        assert one(f"{name}.low >= 0", **given).estimate == e[name]
    at = tm.evaluate(**given, parameters={"sensitivity_at_specificity": {"specificity": 0.9}})[
        "sensitivity_at_specificity"
    ]
    assert one("sensitivity.low >= 0 at specificity 0.9", **given).estimate.low == at.low
    for require in ("f1.low >= 0 at youden", "f1.low >= 0 at specificity 0.9"):
        found = one(require, **given)
        assert (found.outcome, found.reason.text) == (
            "undecided", "no interval: with clusters no measure is corrected for the choice of the threshold",
        )  # fmt: skip
    alone = one("f1 >= 0 at youden")
    assert one("f1 >= 0 at youden", **given).compared == alone.estimate.value
    assert alone.compared == alone.estimate.corrected  # the value that its interval belongs to


def test_a_threshold_chosen_before_is_measured_by_its_own_rule():
    """With the parameters of the rule, which its name does not tell; by words alone there is no interval."""
    costs = {"cost_fp": 1, "cost_fn": 3}
    chosen = tm.choose_threshold(truth=TRUTH, score=SCORE, rule="cost", **costs, replicates=100).evaluation
    (found,) = tm.check(chosen, require="f1 >= 0.01").findings
    assert found.estimate.value == chosen["f1"].value
    assert found.estimate.method == chosen["f1"].method == "corrected-wilson"
    in_words = (
        tm.evaluate(truth=TRUTH, score=SCORE).at(chosen.threshold.value).chosen_by("cost, of somebody else")
    )
    (found, plain) = tm.check(in_words, require=["f1.value >= 0.01", "f1 >= 0.01"]).findings
    assert (found.passed, found.estimate.has_interval) == (True, False)
    assert (plain.outcome, plain.more) == ("undecided", None)
    assert plain.sentence.startswith(f"{plain.reason.text}; value ")
    assert [note.code for note in found.estimate.notes] == ["rule-unknown"]
