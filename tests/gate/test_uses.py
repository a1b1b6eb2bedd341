"""A test set that decides several times: `uses=` of the gate."""

import json

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark import Counts, InputError

RNG = np.random.default_rng(0)
TRUTH = RNG.random(300) < 0.4
SCORE, OTHER = RNG.normal(1.3 * TRUTH), RNG.normal(1.2 * TRUTH)
CASES = {"truth": TRUTH, "score": SCORE}
REQUIRED = ["roc_auc.low >= 0.7", "sensitivity.low >= 0.5 at threshold 0.5", "specificity.low >= 0.5"]


def numbers(verdict):
    return [(one.outcome, one.estimate.low, one.estimate.high) for one in verdict.findings]


@for_each("more", [
    {},
    {"baseline_score": OTHER, "no_worse_than": 0.05, "measures": ["roc_auc"]},
    {"baseline": {"truth": TRUTH[:200], "score": OTHER[:200]}, "no_worse_than": 0.05,
        "measures": ["roc_auc"]},
])  # fmt: skip
def test_the_intervals_are_at_the_level_of_each_use(more):
    if isinstance(more.get("baseline"), dict):
        more = {**more, "baseline": tm.evaluate(**more["baseline"])}
        five = tm.check(tm.evaluate(**CASES), require=REQUIRED, uses=5, **more)
        each = tm.check(
            tm.evaluate(**CASES, level=0.99), require=REQUIRED,
            **{**more, "baseline": tm.evaluate(truth=TRUTH[:200], score=OTHER[:200], level=0.99)},
        )  # fmt: skip
    else:
        five, each = (
            tm.check(**CASES, require=REQUIRED, **more, **how) for how in ({"uses": 5}, {"level": 0.99})
        )
    assert np.allclose([one[1:] for one in numbers(five)], [one[1:] for one in numbers(each)])
    assert [one.outcome for one in five.findings] == [one.outcome for one in each.findings]
    assert {one.estimate.level for one in five.findings} == {five.evaluation.settings.level}
    assert five.evaluation.settings.level == pytest.approx(0.99)


def test_an_evaluation_and_cases_in_groups():
    clusters = np.arange(300) // 3
    e = tm.evaluate(**CASES, clusters=clusters)
    five, each = (
        tm.check(e, require=REQUIRED[0], uses=5),
        tm.check(**CASES, clusters=clusters, level=0.99, require=REQUIRED[0]),
    )
    assert np.allclose(numbers(five)[0][1:], numbers(each)[0][1:])


def test_every_output_states_it():
    verdict = tm.check(**CASES, require=REQUIRED, uses=5)
    budget = (
        "Intervals at 99%, for 5 uses of these cases in all: models at a limit pass in about 2.5% of samples"
        " at most (Bonferroni)"
    )
    assert verdict.budget == (
        f"{budget}; this does not hold for 1 of the 3 requirements on an interval, which is approximate, or"
        " at the best threshold on these cases"
    )
    budget = verdict.budget
    assert budget in " ".join(str(verdict).split())
    assert budget in verdict.to_markdown().replace("\\", "")
    assert f'<property name="budget" value="{budget}"/>' in verdict.to_junit()
    found = json.loads(verdict.to_json())
    assert (found["uses"], found["overall_level"], found["budget"]) == (5, 0.95, budget)
    assert found["level"] == pytest.approx(0.99)
    at_90 = tm.check(**CASES, require=REQUIRED, uses=2, level=0.9)
    assert "Intervals at 95%, for 2 uses" in at_90.budget
    assert "5% of samples" in at_90.budget


def test_without_a_number_it_is_the_first_use():
    verdict = tm.check(**CASES, require=REQUIRED)
    assert verdict.budget.startswith(
        "First use of these cases: a model at a limit passes in about 2.5% of samples"
    )
    assert (verdict.uses, verdict.to_dict()["uses"], verdict.to_dict()["overall_level"]) == (None, None, None)
    assert "First use" in str(verdict)
    single = tm.check(**CASES, require=REQUIRED, uses=1)
    assert numbers(single) == numbers(verdict)
    assert "for a single use" in single.budget


def test_what_no_interval_decides_has_no_rate():
    verdict = tm.check(**CASES, require=["roc_auc.value >= 0.7", "n >= 100"], uses=5)
    assert verdict.budget is None
    assert "use of these cases" not in str(verdict)


@for_each(
    ("uses", "text"),
    [(0, "uses: 0 is not possible"), (2.5, "uses: 2.5 is not"), ("5", "uses: '5' is not possible")],
)
def test_a_number_of_uses_is_whole(uses, text):
    with pytest.raises(InputError, match=text):
        tm.check(**CASES, require=REQUIRED, uses=uses)


@pytest.mark.full
def test_of_all_uses_together_no_more_pass_than_of_one():
    """Five models at the limit on one test set, with errors that are independent, or mostly shared."""
    rng = np.random.default_rng(1)
    level = tm.check(
        Counts(tp=80, fn=20, fp=1, tn=1), require="sensitivity.low >= 0.8", uses=5
    ).evaluation.settings.level
    for shared in (0.0, 0.5):
        right = _right(rng, 4_000, 200, 5, shared)
        passed = {one: _passed(right, one) for one in (0.95, level)}
        assert passed[level].any(1).mean() <= 0.025 + 3 * np.sqrt(0.025 * 0.975 / 4_000)
        assert passed[0.95].any(1).mean() > (0.08 if not shared else 0.06)


def _right(rng, samples, positives, models, shared):
    """How many positives each model has right: each is easy or hard for all with the probability `shared`,
    else for one alone."""
    common = rng.random((samples, positives)) < shared
    easy = rng.random((samples, positives)) < 0.8
    alone = [np.where(common, easy, rng.random((samples, positives)) < 0.8).sum(1) for _ in range(models)]
    return np.stack(alone, 1)


def _passed(right, level):
    found = tm.estimate_each(
        "sensitivity", Counts(tp=right.ravel(), fn=200 - right.ravel(), fp=0, tn=1), tm.Settings(level=level)
    )
    return np.array([one.low >= 0.8 for one in found]).reshape(right.shape)
