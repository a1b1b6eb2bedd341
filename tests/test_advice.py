"""Which measure to use: what each rule says, to whom, and that what it says of a measure is so when it is
worked out."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import strategies
from catalogue import restored_afterwards
from hypothesis import given, strategies as st
from looping import for_each, in_part

import tallymark as tm
from tallymark import ConfusionMatrix, Counts, InputError, RankingTable, evaluate
from tallymark.evaluation.advice import (
    RULES,
    STABLE,
    Situation,
    advise,
    at_mix,
    balanced,
    blind_to_true_negatives,
    guessing,
    same_whatever_is_predicted,
    shifts,
)
from tallymark.measures import registry
from tallymark.measures.titles import title

PAGE = Path(__file__).parents[1] / "docs" / "advice.md"
NEEDS = (None, "decision", "ranking", "early_retrieval", "probabilities")
RANDOM = np.random.default_rng(11)

EVEN = Counts(tp=70, fp=20, fn=30, tn=80)  # Tharwat, section 2.9.1
UNEVEN = Counts(tp=70, fp=200, fn=30, tn=800)  # the same, with ten times the negatives
GOOD = Counts(tp=950, fp=60, fn=50, tn=940)
RARE_AND_GOOD = Counts(tp=90, fp=10, fn=10, tn=890)
PERFECT = Counts(tp=50, fp=0, fn=0, tn=50)

ALTERNATE = np.arange(400) % 2
SEEN = np.clip(0.3 * ALTERNATE + 0.7 * RANDOM.random(400), 0, 1)
FEW = (np.arange(2000) % 40 == 0).astype(int)  # one in forty
SEEN_FEW = np.clip(0.3 * FEW + 0.7 * RANDOM.random(2000), 0, 1)
SCORES = {"truth": ALTERNATE, "score": SEEN}
RARE = {"truth": FEW, "score": SEEN_FEW}
UNSURE = {"truth": FEW, "score": SEEN_FEW / 3}  # positives, too, are given low probabilities
MATRIX = ConfusionMatrix(("A", "B", "C"), np.array([[80, 15, 5], [15, 70, 15], [6, 10, 84]]))
# Flemming's example
ALWAYS_C = ConfusionMatrix(("A", "B", "C"), np.array([[0, 0, 5], [0, 0, 10], [0, 0, 85]]))
LABELS = {"truth": RANDOM.integers(0, 2, (300, 3)), "predicted": RANDOM.integers(0, 2, (300, 3))}
PER_CLASS = {
    "truth": np.array(list("abc"))[RANDOM.integers(0, 3, 300)],
    "score": RANDOM.dirichlet([1, 1, 1], 300),
}
GRADES = {"truth": np.arange(300) % 4, "score": RANDOM.dirichlet([1, 1, 1, 1], 300)}
AMOUNTS = {"truth": RANDOM.normal(size=60), "predicted": RANDOM.normal(size=60), "regression": True}
ONE = {"truth": [1] * 40, "predicted": [1] * 30 + [0] * 10}
COSTS = {"cost_fp": 1, "cost_fn": 5}

FIRES = {
    "one-class": [ONE, {"counts": Counts(tp=0, fp=9, fn=0, tn=80)}, {"counts": Counts.zero()}],
    "costs-known": [{"counts": EVEN, **COSTS}, {**SCORES, **COSTS}, {"matrix": MATRIX, **COSTS}],
    "scores-say-more": [SCORES],
    "order-needed": [{**SCORES, "need": "ranking"}, {"counts": EVEN, "need": "ranking"}],
    "comparable-curves": [{**SCORES, "need": "ranking"}],
    "largest-distance-is-noisy": [{**SCORES, "need": "ranking"}],
    "fewer-positives": [RARE, {**RARE, "need": "ranking"}],
    "early-retrieval": [{**RARE, "need": "early_retrieval"}, {"counts": EVEN, "need": "early_retrieval"},
        {**PER_CLASS, "need": "early_retrieval"}],
    "probabilities-needed": [{"need": "probabilities", **SCORES}, {"need": "probabilities", "counts": EVEN}],
    "loss-of-the-larger-class": [{**RARE, "need": "probabilities"}],
    "losses-for-imbalance": [{**RARE, "need": "probabilities"}],
    "order-is-no-decision": [{**SCORES, "need": "decision"}],
    "both-kinds-of-error": [{"counts": EVEN}, {"counts": EVEN, "need": "decision"}],
    "odds-ratio": [{"counts": EVEN, "need": "decision"}, {"counts": PERFECT, "need": "decision"}],
    "many-classes": [{"matrix": MATRIX}, {"matrix": MATRIX, "need": "ranking"}, LABELS],
    "scores-of-many-classes": [PER_CLASS, {**PER_CLASS, "need": "probabilities"},
        {**PER_CLASS, "need": "ranking"}],
    "classes-in-order": [GRADES, {**GRADES, "need": "decision"}, {**GRADES, "need": "probabilities"}],
    "size-of-errors": [AMOUNTS],
    "class-mix": [{"counts": UNEVEN}, {"matrix": ALWAYS_C}, {**RARE, "need": "ranking"},
        {**UNSURE, "need": "probabilities"}],
    "another-population": [{"counts": EVEN}],
    "accuracy-close-to-guessing": [{"counts": UNEVEN}, {"matrix": ALWAYS_C},
        {"counts": Counts(tp=55, fp=45, fn=45, tn=55)}],
    "agreement-by-chance": [{"counts": UNEVEN}, {"matrix": ALWAYS_C}],
    "true-negatives-ignored": [{"counts": EVEN}, {"counts": Counts(tp=800, fp=90, fn=100, tn=10)}],
    "few-cases": [{"counts": Counts(tp=5, fp=20, fn=30, tn=80)}, {"matrix": ALWAYS_C},
        {"counts": PERFECT, "need": "ranking"}],
    "custom-of-the-field": [{"counts": EVEN}],
    "several-measures": [{"counts": EVEN}, {"matrix": MATRIX}, LABELS],
    "same-measure-in-training": [{"counts": EVEN, "need": "decision"}, {**SCORES, "need": "ranking"}],
}  # fmt: skip
SILENT = {
    "one-class": [{"counts": EVEN}, {"matrix": MATRIX}],
    "costs-known": [{"counts": EVEN}, {"counts": Counts.zero(), **COSTS}],
    "scores-say-more": [{**SCORES, "need": "decision"}, {"counts": EVEN}],
    "order-needed": [SCORES, {**SCORES, "need": "decision"}],
    "comparable-curves": [SCORES, {**SCORES, "need": "decision"}],
    "largest-distance-is-noisy": [SCORES, {"counts": EVEN, "need": "ranking"}],
    "fewer-positives": [SCORES, {"counts": RARE_AND_GOOD}, {**RARE, "need": "decision"}],
    "early-retrieval": [RARE, {**RARE, "need": "ranking"}],
    "probabilities-needed": [SCORES, {**SCORES, "need": "ranking"}],
    "loss-of-the-larger-class": [
        {**SCORES, "need": "probabilities"},
        RARE,
        {"truth": FEW, "score": np.full(2000, 0.001), "need": "probabilities"},
    ],
    "losses-for-imbalance": [{**SCORES, "need": "probabilities"}, RARE],
    "order-is-no-decision": [SCORES, {"counts": EVEN, "need": "decision"}],
    "both-kinds-of-error": [{"counts": EVEN, **COSTS}, {"counts": EVEN, "need": "ranking"},
        {"matrix": MATRIX}, ONE],
    "odds-ratio": [{"counts": EVEN}, {"counts": EVEN, "need": "ranking"},
        {"matrix": MATRIX, "need": "decision"}],
    "many-classes": [SCORES, {"counts": EVEN}],
    "scores-of-many-classes": [{"matrix": MATRIX}, {**PER_CLASS, "need": "decision"}, SCORES],
    "classes-in-order": [PER_CLASS, {"matrix": MATRIX}, {**GRADES, "need": "ranking"}],
    "size-of-errors": [SCORES, {"truth": [1.0, 2.0], "predicted": [1.0, 2.0], "regression": True}],
    "class-mix": [{"counts": EVEN}, {"counts": PERFECT}, {**SCORES, "need": "ranking"}, ONE],
    "another-population": [{"counts": UNEVEN}, {"counts": PERFECT}, {"counts": EVEN, "need": "ranking"}],
    "accuracy-close-to-guessing": [{"counts": EVEN}, {"counts": RARE_AND_GOOD, "need": "ranking"},
        {"matrix": MATRIX}],
    "agreement-by-chance": [{"counts": EVEN}, {"matrix": MATRIX}, {"counts": UNEVEN, "need": "ranking"}],
    "true-negatives-ignored": [ONE, {"counts": EVEN, "need": "ranking"}, {"matrix": MATRIX}],
    "few-cases": [{"counts": Counts(tp=6, fp=20, fn=30, tn=80)}, {"matrix": MATRIX}, LABELS],
    "custom-of-the-field": [{"counts": EVEN, "need": "decision"}, {"matrix": MATRIX}],
    "several-measures": [{"counts": EVEN, "need": "decision"}, ONE],
    "same-measure-in-training": [{"counts": EVEN}, SCORES],
}  # fmt: skip
EVERY = [case for cases in FIRES.values() for case in cases]


def asked(case):
    """The advice on a case of the tables above."""
    case = dict(case)
    return advise(case.pop("matrix", None), **case)


def item(advice, code):
    return next(item for item in advice.items if item.code == code)


def exists(name):
    return registry.get(name).name == name


# The rules
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each(("code", "case"), [(code, case) for code, cases in FIRES.items() for case in cases])
def test_a_rule_speaks_where_there_is_cause(code, case):
    found = [item for item in asked(case).items if item.code == code]
    assert len(found) == 1
    assert found[0].text.endswith(".")
    assert "\n" not in found[0].text
    assert "nan" not in found[0].text


@pytest.mark.full
@for_each(("code", "case"), [(code, case) for code, cases in SILENT.items() for case in cases])
def test_a_rule_is_silent_otherwise(code, case):
    assert code not in [item.code for item in asked(case).items]


def test_every_rule_has_data_made_for_it_and_others_on_which_it_is_silent():
    assert [rule.code for rule in RULES] == list(FIRES) == list(SILENT)


@in_part(3)
@for_each("case", EVERY)
@for_each("need", NEEDS)
def test_names_are_of_the_catalogue_and_on_one_side_only(case, need):
    if case.get("regression") and need is not None:
        return
    advice = asked({**case, "need": need})
    assert all(map(exists, (*advice.use, *advice.avoid)))
    named = [*advice.use, *advice.avoid, *advice.within_mix]
    assert len(set(named)) == len(named)
    assert list(advice.use) == list(dict.fromkeys(name for item in advice.items for name in item.use))
    assert set(advice.estimates) == set(named)


def test_the_page_shows_every_rule():
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    for rule in RULES:
        assert f"| `{rule.code}` | {rule.when.rstrip('.')} |" in page
        assert f"| {rule.source} |" in page
        assert rule.disagreement in page


def test_rules_do_without_costs_and_need():
    assert RULES[-2](Situation(evaluate(counts=EVEN))).code == "several-measures"


PLACE = re.compile(  # of a document, or a publication with its year
    r"(sections?|Defs?)\.? \d|introduction|Basic metrics|AUC|ROC|Alternative metrics|Single metrics|Impact of"
    r" prevalence|Binary Metrics|Balanced accuracy|Log Loss|Choosing a Threshold|Correct Classification Rate"
    r"|Precision and Recall|Mean Squared Error|\(\d{4}\)"
)


def test_every_rule_has_its_place_in_a_source():
    for rule in RULES:
        for one in rule.source.split("; "):
            assert PLACE.search(one), (rule.code, one)


# The class mix
# --------------------------------------------------------------------------------------------------


def test_the_numbers_of_tharwat():
    advice = advise(UNEVEN)
    assert (
        "Precision is 0.259 and would be 0.778 with classes of equal size" in item(advice, "class-mix").text
    )
    for name in ("accuracy", "precision", "negative_predictive_value", "f1", "jaccard"):
        here, there = advice.shifts[name]
        assert here == registry.get(name)(UNEVEN)
        assert there == pytest.approx(registry.get(name)(EVEN))
        assert name in (*advice.avoid, *advice.within_mix)
    assert {"precision", "negative_predictive_value", "f1", "jaccard"} <= set(advice.within_mix)
    assert set(STABLE) - {"roc_auc"} <= set(advice.use)


def test_measures_that_chance_leaves_at_one_value_are_told_apart():
    advice = advise(UNEVEN)
    assert "matthews_correlation" in advice.use
    assert {"markedness", "cohen_kappa", "lift"}.isdisjoint(advice.avoid)
    text = item(advice, "class-mix").text
    assert "Cohen's kappa is 0.283 and would be 0.5 " in text
    assert "MCC 0.334 and 0.503" in text


@pytest.mark.full
@given(strategies.counts())
def test_what_class_mix_recommends_does_not_depend_on_it(counts):
    advice = advise(counts)
    equal = balanced(counts)
    for found in (item for item in advice.items if item.code == "class-mix"):
        for name in found.use:
            entry = registry.get(name)
            here, there = (float(entry.function(table)) for table in (counts, equal))
            assert here == pytest.approx(there, rel=1e-9, nan_ok=True)
        for name in found.within_mix:
            entry = registry.get(name)
            here, there = (float(entry.function(table)) for table in (counts, equal))
            assert here != there
        assert not found.avoid


@pytest.mark.parametrize("name", [name for name in STABLE if name != "roc_auc"])
def test_measures_called_stable_are_so_at_any_mix(name):
    for share in (0.001, 0.2, 0.5, 0.9):
        assert registry.get(name)(at_mix(UNEVEN, share, 1 - share)) == pytest.approx(
            registry.get(name)(UNEVEN)
        )


def test_the_order_does_not_depend_on_the_mix_and_average_precision_does():
    table = RankingTable.from_arrays(**RARE)
    found = {shift.name: shift for shift in shifts(evaluate(table), "ranking")}
    assert not found["roc_auc"].moved
    assert found["roc_auc"].there == pytest.approx(found["roc_auc"].here)
    assert found["average_precision"].moved
    repeated = RankingTable.from_arrays(
        truth=np.r_[FEW, np.ones(38 * 50)], score=np.r_[SEEN_FEW, np.repeat(SEEN_FEW[FEW == 1], 38)]
    )
    assert found["average_precision"].there == pytest.approx(registry.get("average_precision")(repeated))


def test_every_measure_of_counts_is_asked_also_one_of_the_day():
    known = {entry.name for entry in tm.find(Counts) if entry.better}
    assert set(advise(UNEVEN, need="decision").shifts) == known
    with restored_afterwards():

        @registry.measure(interval="proportion")
        def share_of_hits(c: Counts):
            """Share of all cases that are hits.

            tp / (tp + fp + fn + tn)
            """
            return c.tp / c.total

        assert "share_of_hits" in advise(UNEVEN).within_mix


@pytest.mark.parametrize(
    "table",
    [UNEVEN, MATRIX, ALWAYS_C, RankingTable.from_arrays(**RARE)],
    ids=lambda table: type(table).__name__,
)
def test_another_mix_keeps_the_rates_and_the_number_of_cases(table):
    equal = balanced(table)
    assert equal.total == pytest.approx(table.total)
    blind = guessing(table)
    assert blind.total == pytest.approx(table.total)
    if isinstance(table, RankingTable):
        assert equal.positives == pytest.approx(equal.negatives)
        assert registry.get("roc_auc")(blind) == pytest.approx(0.5)
    if isinstance(table, ConfusionMatrix):
        assert equal.weights.sum(1) == pytest.approx([table.total / 3] * 3)
        assert equal.weights.diagonal() / equal.weights.sum(1) == pytest.approx(
            table.weights.diagonal() / table.weights.sum(1)
        )
    if isinstance(table, Counts):
        assert (equal.positives, equal.tp / equal.positives) == (pytest.approx(550), pytest.approx(0.7))
        assert registry.get("matthews_correlation")(blind) == pytest.approx(0, abs=1e-12)


def test_a_class_without_cases_stays_without():
    table = ConfusionMatrix(("a", "b", "c"), np.array([[8, 1, 1], [0, 0, 0], [5, 5, 20]]))
    assert balanced(table).weights.sum(1).tolist() == [20, 0, 20]
    assert "2 classes of 10 to 30 cases" in item(advise(table), "class-mix").text


def test_another_population_has_wikipedias_numbers():
    text = item(advise(Counts(tp=990, fp=10, fn=10, tn=990)), "another-population").text
    assert "precision, 0.99 here" in text
    assert "with 5% positives it would be 0.839" in text


# What guessing gets
# --------------------------------------------------------------------------------------------------


def test_a_majority_voter_nine_to_one():
    advice = advise(Counts(tp=0, fp=0, fn=100, tn=900))
    assert "Accuracy is 0.9, but always predicting negative has 0.9, and a random prediction 0.5" in str(
        item(advice, "accuracy-close-to-guessing")
    )
    assert "balanced accuracy, 0.5 here, both have 0.5" in str(item(advice, "accuracy-close-to-guessing"))
    assert set(advice.avoid) >= {"accuracy", "error_rate"}


def test_the_three_classes_of_flemming():
    text = item(advise(ALWAYS_C), "accuracy-close-to-guessing").text
    assert "Accuracy is 0.85, but always predicting class 'C' has 0.85, and a random prediction 0.333" in text
    assert "balanced accuracy, 0.333 here, both have 0.333" in text
    assert {"accuracy", "error_rate"} <= set(advise(ALWAYS_C).avoid)


def test_hardly_better_than_random_is_said_but_does_not_condemn_accuracy():
    advice = advise(Counts(tp=55, fp=45, fn=45, tn=55), need="decision")
    assert "Accuracy is 0.55" in item(advice, "accuracy-close-to-guessing").text
    assert "accuracy" not in advice.avoid


def test_kappa_is_what_accuracy_has_beyond_chance():
    text = item(advise(UNEVEN), "agreement-by-chance").text
    chance = (270 * 100 + 830 * 1000) / 1100**2
    assert f"in {chance:.0%} of the cases" in text
    assert f"Cohen's kappa, {(870 / 1100 - chance) / (1 - chance):.3g}" in text


def test_the_measures_that_ignore_true_negatives_are_found():
    assert set(blind_to_true_negatives()) >= {"f1", "f_beta", "jaccard", "g_measure"}
    for name in blind_to_true_negatives():
        values = [registry.get(name)(Counts(tp=70, fp=20, fn=30, tn=tn)) for tn in (0, 80, 8000)]
        assert values == [values[0]] * 3
    advice = advise(Counts(tp=800, fp=90, fn=100, tn=10))
    assert (
        f"always predicting positive would have {1800 / 1900:.3g}"
        in item(advice, "true-negatives-ignored").text
    )
    assert {"f1", "jaccard"} <= set(advice.avoid)
    better = advise(Counts(tp=850, fp=10, fn=50, tn=90))  # than 1800 / 1900
    assert {"f1", "jaccard"}.isdisjoint(better.avoid)


def test_one_class_leaves_measures_that_say_nothing():
    assert {"precision", "false_discovery_rate", "lift"} <= set(same_whatever_is_predicted(positive=True))
    advice = asked(ONE)
    assert advice.use == ("sensitivity", "false_negative_rate")
    assert "precision" in advice.avoid
    assert not advice.shifts
    other = advise(Counts(tp=0, fp=9, fn=0, tn=80))
    assert other.use == ("specificity", "false_positive_rate")
    assert {"precision", "negative_predictive_value"} <= set(other.avoid)


def test_labels_that_never_occur():
    assert "many-classes" not in [
        item.code for item in advise(truth=np.zeros((5, 2)), predicted=np.zeros((5, 2))).items
    ]
    table = ConfusionMatrix(("a", "b", "c"), np.array([[8, 1, 1], [0, 0, 0], [5, 5, 20]]))
    assert "the lowest sensitivity is 0.667, of class 'c'" in item(advise(table), "many-classes").text


def test_no_cases():
    advice = advise(Counts.zero())
    assert [item.code for item in advice.items] == ["one-class"]
    assert (advice.use, advice.avoid) == ((), ())


# Needs and costs
# --------------------------------------------------------------------------------------------------


def test_a_decision_is_not_judged_by_the_order():
    advice = advise(**RARE, need="decision")
    assert {"roc_auc", "average_precision"} <= set(advice.avoid)
    assert {"sensitivity", "specificity", "balanced_accuracy"} <= set(advice.use)
    assert "score >= 0.5 (threshold: default)" in item(advice, "order-is-no-decision").text
    turned = advise(truth=FEW, score=1 - SEEN_FEW, higher_is_positive=False, need="decision")
    assert "score <= 0.5" in item(turned, "order-is-no-decision").text


def test_an_order_is_not_judged_by_accuracy():
    advice = advise(**RARE, need="ranking")
    assert advice.use[:1] == ("roc_auc",)
    assert "average_precision" in advice.use
    assert {"accuracy", "error_rate"} <= set(advice.avoid)
    assert "brier_score" not in advice.shifts
    assert "average_precision" not in advise(**SCORES, need="ranking").use
    assert "kolmogorov_smirnov" in advice.avoid
    assert "truncated_average_ks" in advice.use


def test_probabilities():
    advice = advise(**SCORES, need="probabilities")
    assert len(advice.use) == 6
    text = item(advice, "probabilities-needed").text
    assert "the Brier score of predicting the prevalence for each case is 0.25" in text
    assert f"the mean probability {SEEN.mean():.3g}" in text
    assert {"average_precision", "accuracy"} <= set(advice.avoid)
    assert advice.use[:6] == (
        "calibration_slope",
        "calibration_in_the_large",
        "log_loss",
        "brier_score",
        "net_benefit",
        "roc_auc",
    )


def test_what_the_data_do_not_allow_is_said():
    for need, names in (
        ("ranking", ("roc_auc", "average_precision")),
        ("probabilities", ("brier_score", "log_loss")),
    ):
        advice = advise(EVEN, need=need)
        assert advice.use[:2] == names
        assert "score=" in advice.items[0].text
        assert [advice.estimates[name].text for name in names] == ["there are no scores"] * 2
        assert "there are no scores" in str(advice)
    raw = advise(truth=ALTERNATE, score=9 * SEEN, need="probabilities")
    assert "logistic" in raw.items[0].text
    assert (
        raw.estimates["brier_score"].text
        == "the scores are not probabilities; pass score_kind='logit' if they are logits"
    )
    one = advise(truth=[1] * 20, score=SEEN[:20], need="ranking")
    assert "of one class" in item(one, "order-needed").text


def test_the_larger_class_makes_the_loss():
    text = item(advise(**RARE, need="probabilities"), "loss-of-the-larger-class").text
    of_negatives = -np.log(1 - SEEN_FEW[FEW == 0])
    of_positives = -np.log(SEEN_FEW[FEW == 1])
    share = of_negatives.sum() / (of_negatives.sum() + of_positives.sum())
    assert f"{share:.0%} of log loss comes from the negatives, 98% of the cases" in text
    assert f"A positive loses {of_positives.mean():.3g} and a negative {of_negatives.mean():.3g}" in text


def test_costs():
    advice = advise(EVEN, cost_fp=1, cost_fn=5)
    assert advice.use[:2] == ("expected_cost", "net_benefit")
    assert advice.estimates["expected_cost"].value == pytest.approx((20 + 150) / 200)
    assert advice.estimates["net_benefit"].value == pytest.approx((70 - 20 / 5) / 200)
    assert advice.estimates["expected_cost"].has_interval
    assert {"accuracy", "error_rate"} <= set(advice.avoid)
    text = item(advice, "costs-known").text
    assert "expected cost is 0.85 per case, and always predicting positive would cost 0.5." in text
    of_scores = advise(**SCORES, **COSTS, need="decision")
    assert "0.167" in item(of_scores, "costs-known").text
    # of the decisions at the threshold that the costs imply, not at 0.5
    at = evaluate(**SCORES, threshold=1 / 6, parameters={"expected_cost": COSTS})
    for name in ("net_benefit", "expected_cost"):
        assert of_scores.estimates[name].value == at[name].value
        assert of_scores.estimates[name].threshold == pytest.approx(1 / 6)
    assert of_scores.estimates["diagnostic_odds_ratio"] == at["diagnostic_odds_ratio"]
    assert "threshold = 0.166667" in " ".join(str(of_scores).split())
    assert "the costs imply this threshold" in item(of_scores, "order-is-no-decision").text
    given = advise(evaluate(**SCORES, threshold=0.5), **COSTS)
    assert given.estimates["net_benefit"].threshold == 0.5  # as it was stated, and what the other would give
    cost, benefit = at["expected_cost"].value, at["net_benefit"].value
    said = f"at 0.167 it would be {cost:.3g}, and the net benefit {benefit:.3g}"
    assert said in item(given, "costs-known").text
    logits = {"truth": ALTERNATE, "score": np.log(SEEN / (1 - SEEN)), "score_kind": "logit"}
    for one in (advise(**logits, **COSTS), advise(**logits, threshold=0.0, **COSTS)):
        assert (
            f"{at['net_benefit'].value:.3g}"
            in f"{one.estimates['net_benefit'].value:.3g}{item(one, 'costs-known').text}"
        )
    assert advice.shifts["expected_cost"] == pytest.approx((0.85, 0.85))


def test_equal_costs_leave_accuracy_and_no_cost_of_a_miss_leaves_no_net_benefit():
    assert "accuracy" not in advise(EVEN, cost_fp=2, cost_fn=2).avoid
    assert item(advise(EVEN, cost_fp=2, cost_fn=0), "costs-known").use == ("expected_cost",)


@pytest.mark.full
def test_parameters_of_the_evaluation_are_kept():
    plain = evaluate(counts=UNEVEN, parameters={"f_beta": {"beta": 0.5}})
    advice = advise(plain, **COSTS)
    assert advice.estimates["f_beta"] == plain["f_beta"]
    assert advice.shifts["f_beta"][1] == pytest.approx(tm.measures.f_beta(EVEN, beta=0.5))
    low = evaluate(**RARE, threshold=0.2)
    assert advise(low).shifts["net_benefit"] == (
        low["net_benefit"].value,
        pytest.approx(tm.measures.net_benefit(balanced(low.counts), threshold=0.2)),
    )


# What goes in
# --------------------------------------------------------------------------------------------------


def test_all_ways_in_give_the_same():
    truth, called = ALTERNATE, (SEEN >= 0.5).astype(int)
    matrix = ConfusionMatrix.from_arrays(truth=truth, predicted=called)
    ways = [
        advise(evaluate(truth=truth, predicted=called)),
        advise(truth=truth, predicted=called),
        advise(matrix),
        advise(matrix.counts()),
        advise(counts=matrix.counts()),
        advise({"y": truth, "p": called}, truth="y", predicted="p"),
    ]
    assert all(advice.to_dict() == ways[0].to_dict() for advice in ways)
    table = RankingTable.from_arrays(**SCORES)
    assert advise(table).to_dict() == advise(**SCORES).to_dict()


def test_settings_go_to_evaluate():
    advice = advise(UNEVEN, level=0.9, proportion="clopper-pearson")
    assert (advice.estimates["sensitivity"].level, advice.estimates["sensitivity"].method) == (
        0.9,
        "clopper-pearson",
    )
    assert "[90% interval]" in str(advice)


def test_weights_that_are_not_whole_count_as_fewer_cases():
    weight = np.where(np.arange(400) < 10, 50.0, 0.1)
    assert "few-cases" in [item.code for item in advise(**SCORES, weight=weight, need="decision").items]
    assert "few-cases" not in [item.code for item in advise(**SCORES, weight=np.full(400, 0.5)).items]


@for_each(
    ("call", "said"),
    [
        (lambda: advise(), "Pass an evaluation"),
        (lambda: advise(ALTERNATE, SEEN), "arrays are passed by name"),
        (lambda: advise(EVEN, need="sorting"), "need: 'sorting' is not known"),
        (lambda: advise(**AMOUNTS, need="ranking"), "need: it is for classes"),
        (lambda: advise(**AMOUNTS, **COSTS), "cost_fp, cost_fn: it is for classes"),
        (lambda: advise(EVEN, need="rankng"), "did you mean 'ranking'"),
        (lambda: advise(EVEN, cost_fp=-1, cost_fn=2), "cost_fp: -1 is not possible"),
        (lambda: advise(EVEN, cost_fp=1, cost_fn=float("nan")), "cost_fn: nan is not possible"),
        (lambda: advise(EVEN, cost_fp=1, cost_fn="x"), "cost_fn: 'x' is not possible"),
        (lambda: advise(EVEN, cost_fp=1), "cost_fn: it is missing"),
        (lambda: advise(EVEN, cost_fn=1), "cost_fp: it is missing"),
        (lambda: advise(EVEN, cost_fp=0, cost_fn=0), "both are 0"),
        (lambda: advise(evaluate(counts=EVEN), level=0.9), "level: an evaluation has its own cases"),
        (lambda: advise(EVEN, truth=[0, 1]), "truth: counts describe all cases"),
        (lambda: advise(EVEN, cost_pf=1),
            "cost_pf: advise takes no argument of this name .did you mean 'cost_fp'"),
        (lambda: advise(truth=ALTERNATE), "exactly one of score=, predicted="),
        (lambda: advise(Counts(tp=[1, 2], fp=1, fn=1, tn=1)), "these hold arrays"),
    ],
)  # fmt: skip
def test_errors_are_one_sentence(call, said):
    with pytest.raises(InputError, match=said) as found:
        call()
    assert "\n" not in str(found.value)


# What comes out
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each("case", EVERY)
def test_text_fits_80_columns_and_shows_every_item(case):
    advice = asked(case)
    assert max(map(len, str(advice.all).splitlines())) <= 80
    assert str(advice.all).isascii()
    flat = " ".join(str(advice.all).split())
    for found in advice.items:
        assert f"[{found.code}; {found.source}]" in flat


@pytest.mark.full
@for_each("need", NEEDS)
@for_each("case", EVERY)
def test_one_screen(case, need):
    """At most 36 lines of 80 columns; what does not fit is in `all`."""
    if case.get("regression") and need is not None:
        return
    advice = asked({**case, "need": need})
    lines = str(advice).splitlines()
    assert len(lines) <= 36
    assert max(map(len, lines)) <= 80
    whole = str(advice.all)
    for found in advice.items:
        assert found.code in whole
    for names in (advice.use, advice.avoid):
        assert all(title(name).split(" (")[0].lower() in str(advice).lower() for name in names[:1])


def test_text_shows_ones_own_values():
    text = str(advise(UNEVEN).all)
    assert re.search(r"Sensitivity \(recall\) +0.700 +\[0.604, 0.781\]", text)
    assert re.search(r"Precision \(PPV\) +0.259 +~?\[.*\] +0.778", text)
    undefined = str(advise(Counts(tp=0, fp=0, fn=10, tn=90)).all)
    assert "no predicted positives" in undefined


@pytest.mark.full
@for_each("case", EVERY)
def test_json_is_strict(case):
    advice = asked(case)
    written = json.dumps(advice.to_dict(), allow_nan=False)
    read = json.loads(written)
    head, rest = ["schema", "tallymark", "answer"], ["measures", "unavailable", "equal_classes"]
    head += ["need", "costs", *(["design"] if advice.design else [])]
    assert list(read) == [*head, "use", "avoid", "within_mix", "items", *rest]
    assert read == advice.to_dict()
    of_item = ["code", "text", "use", "avoid", "source", "within_mix", "disagreement"]
    assert all(list(one) == of_item for one in read["items"])
    named = {*read["use"], *read["avoid"], *read["within_mix"]}
    assert {*read["measures"], *read["unavailable"]} == named
    assert not read["measures"].keys() & read["unavailable"].keys()


def test_a_notebook_shows_labels_escaped():
    table = ConfusionMatrix(("<script>", "b", "c"), np.array([[1, 9, 9], [2, 30, 2], [1, 1, 30]]))
    html = advise(table).to_html()
    assert "<script>" not in html
    assert "<script>" not in advise(table)._repr_html_()
    assert "&lt;script&gt;" in html
    assert "Balanced accuracy" in html


def test_long_labels_fit():
    table = ConfusionMatrix(("x" * 300, "b", "c"), np.array([[1, 9, 9], [2, 30, 2], [1, 1, 30]]))
    assert max(map(len, str(advise(table)).splitlines())) <= 80


@given(
    strategies.counts(), st.sampled_from(NEEDS), st.sampled_from([{}, COSTS, {"cost_fp": 3, "cost_fn": 0}])
)
def test_any_counts_get_advice(counts, need, costs):
    advice = advise(counts, need=need, **costs)
    assert advice.items
    assert max(map(len, str(advice).splitlines())) <= 80
    assert not set(advice.use) & set(advice.avoid)
    json.dumps(advice.to_dict(), allow_nan=False)


@given(strategies.tables(), st.sampled_from(NEEDS))
def test_any_table_gets_advice(table, need):
    advice = advise(table, need=need)
    assert max(map(len, str(advice).splitlines())) <= 80
    json.dumps(advice.to_dict(), allow_nan=False)
    found = evaluate(table)
    for name, (here, _) in advice.shifts.items():
        assert found[name].value == pytest.approx(here, nan_ok=True)


def test_advice_is_frozen():
    advice = advise(EVEN)
    with pytest.raises(AttributeError):
        advice.items = ()
    assert repr(advice).startswith("<Advice: use ")


def test_costs_are_not_to_be_avoided_for_depending_on_the_mix():
    """They are asked of one population, with its mix."""
    advice = advise(UNEVEN)
    assert {"expected_cost", "net_benefit"}.isdisjoint((*advice.avoid, *advice.within_mix))
    assert advice.shifts["net_benefit"][0] != advice.shifts["net_benefit"][1]
