"""A gate against a baseline: on different cases and on the same ones."""

from math import hypot

import numpy as np
import pandas as pd
import polars as pl
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark.inference.contrast import independent
from tallymark.studies.gate import RequirementError

RANDOM = np.random.default_rng(11)
TRUTH = np.repeat([1, 0], [80, 220])
SIGNAL = RANDOM.normal(1.5 * TRUTH - 1, 1)


def probabilities(noise):
    return np.round(1 / (1 + np.exp(-SIGNAL - RANDOM.normal(0, noise, 300))), 3)


NEW = pd.DataFrame({"y": TRUTH, "p": probabilities(0.1), "id": np.arange(300) + 5})
OLD = NEW.assign(p=probabilities(0.6)).sample(frac=1, random_state=3)
COLUMNS = {"truth": "y", "score": "p"}


def only(verdict):
    (finding,) = verdict.findings
    return finding


# Different cases
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each(
    "measure",
    ["roc_auc", "log_loss", "sensitivity", "error_rate", "f_beta(beta=2)", "tpr at specificity 0.9"],
)
@for_each("margin", [0.0, 0.01, 0.05, 0.2])
def test_different_cases(measure, margin):
    found = only(tm.check(NEW, **COLUMNS, baseline=OLD, no_worse_than=margin, measures=measure))
    parameters = {"f_beta": {"beta": 2}, "sensitivity_at_specificity": {"specificity": 0.9}}
    name = {"f_beta(beta=2)": "f_beta", "tpr at specificity 0.9": "sensitivity_at_specificity"}.get(
        measure, measure
    )
    a, b = (tm.evaluate(data, **COLUMNS, parameters=parameters)[name] for data in (NEW, OLD))
    expected = independent(a, b)
    assert (found.estimate.value, found.estimate.low) == (
        pytest.approx(a.value - b.value),
        pytest.approx(expected.low),
    )
    lower = name in ("log_loss", "error_rate")
    low, high = (-expected.high, -expected.low) if lower else (expected.low, expected.high)
    assert found.outcome == ("passed" if low >= -margin else "failed" if high < -margin else "undecided")
    assert (found.part, found.operator) == ("interval", "<=" if lower else ">=")
    assert found.limit == (margin if lower else -margin)
    front, _, bound = measure.partition(" at ")
    sign = f" {'+' if lower else '-'} {margin}" if margin else ""
    asked = f"{front} {found.operator} baseline{sign}{bound and f' at {bound}'}"
    same = only(tm.check(NEW, **COLUMNS, baseline=OLD, require=asked))
    assert (same.estimate, same.outcome, same.more) == (found.estimate, found.outcome, found.more)
    assert "on different cases" in found.how
    assert 0 < abs(found.compared) < 1


def test_the_bounds_by_hand():
    found = only(tm.check(NEW, **COLUMNS, baseline=OLD, no_worse_than=0.0)).estimate
    a, b = (tm.evaluate(data, **COLUMNS)["roc_auc"] for data in (NEW, OLD))
    assert found.low == pytest.approx(a.value - b.value - hypot(a.value - a.low, b.high - b.value), abs=1e-12)
    assert found.high == pytest.approx(
        a.value - b.value + hypot(a.high - a.value, b.value - b.low), abs=1e-12
    )


def test_the_baseline_may_be_an_evaluation_or_have_another_column():
    usual = tm.check(NEW, **COLUMNS, baseline=OLD, no_worse_than=0.05)
    evaluated = tm.check(
        NEW, **COLUMNS, baseline=tm.evaluate(OLD, **COLUMNS), no_worse_than=0.05, paired=False
    )
    both = tm.check(tm.evaluate(NEW, **COLUMNS), baseline=OLD, no_worse_than=0.05, paired=False, **COLUMNS)
    renamed = tm.check(
        NEW, **COLUMNS, baseline=OLD.rename(columns={"p": "q"}), baseline_score="q", no_worse_than=0.05
    )
    assert usual.to_dict() == evaluated.to_dict() == both.to_dict() == renamed.to_dict()
    assert "300 other cases, taken as independent" in usual.baseline


def test_what_is_required_is_compared():
    requirements = [
        "n >= 10",
        "recall >= 0 at fpr 0.1",
        "roc_auc.low >= 0",
        "roc_auc.high >= 0",
        "prevalence.low >= 0",
    ]
    verdict = tm.check(NEW, **COLUMNS, require=requirements, baseline=OLD, no_worse_than=0.1)
    assert [finding.measured for finding in verdict.findings[5:]] == [
        "recall at false_positive_rate <= 0.1, new - baseline", "roc_auc, new - baseline",
    ]  # fmt: skip
    assert len(tm.check(NEW, **COLUMNS, require=["n >= 10"], baseline=OLD, no_worse_than=0.1).findings) == 2


def test_undefined_on_one_side_does_not_pass():
    found = only(tm.check(NEW, **COLUMNS, baseline=OLD[OLD.y == 0], no_worse_than=1))
    assert (found.outcome, found.passed) == ("undecided", False)
    assert "second value is undefined (no positives" in found.reason.text


# The same cases
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
@for_each(
    "measure", ["roc_auc", "log_loss", "accuracy", "sensitivity at threshold 0.4", "tpr at specificity 0.9"]
)
@for_each("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_the_same_cases_are_those_of_compare(measure, frame):
    old = OLD.sort_values("id")["p"].to_numpy()
    given = {
        "accuracy": {}, "roc_auc": {}, "log_loss": {}, "sensitivity at threshold 0.4": {"threshold": 0.4},
        "tpr at specificity 0.9": {"parameters": {"sensitivity_at_specificity": {"specificity": 0.9}}},
    }[measure]  # fmt: skip
    name = {
        "sensitivity at threshold 0.4": "sensitivity",
        "tpr at specificity 0.9": "sensitivity_at_specificity",
    }.get(measure, measure)
    arrays = {"truth": NEW["y"].to_numpy(), "score": {"baseline": old, "new": NEW["p"].to_numpy()}}
    expected = tm.compare(**arrays, measures=[name], **given).differences[0].estimate
    one = {column: NEW[column].to_numpy() for column in NEW}
    other = {column: OLD[column].to_numpy() for column in OLD}
    by_id = only(
        tm.check(
            frame(one), **COLUMNS, baseline=frame(other), pair_by="id", no_worse_than=0.01, measures=measure
        )
    )
    side_by_side = only(
        tm.check(
            frame({**one, "q": old}), **COLUMNS, baseline_score="q", no_worse_than=0.01, measures=measure
        )
    )
    of_arrays = only(
        tm.check(truth=TRUTH, score=NEW["p"], baseline_score=old, no_worse_than=0.01, measures=measure)
    )
    for found in (by_id, side_by_side, of_arrays):
        assert found.estimate == expected
        assert "on the same cases" in found.how
    far = only(tm.check(NEW, **COLUMNS, baseline=OLD, no_worse_than=0.01, measures=measure)).estimate
    assert expected.high - expected.low < far.high - far.low  # what is easy for one is easy for the other


def test_averages_over_classes_on_the_same_cases():
    random = np.random.default_rng(5)
    kind = random.integers(0, 3, 300)
    new, old = (
        np.where(random.random(300) < right, kind, random.integers(0, 3, 300)) for right in (0.8, 0.7)
    )
    cases = pd.DataFrame({"kind": kind, "called": new, "id": range(300)})
    given = {"truth": "kind", "predicted": "called", "pair_by": "id", "no_worse_than": 0.05}
    measures = ["macro f1", "weighted_f1", "macro f_beta(beta=2)"]
    verdict = tm.check(cases, baseline=cases.assign(called=old), **given, measures=measures)
    both = {"truth": kind, "predicted": {"old": old, "new": new}, "reference": "old"}
    found = tm.compare(**both, measures=["macro_f1", "weighted_f1"])
    twice = tm.compare(**both, measures=["macro_f_beta"], parameters={"f_beta": {"beta": 2}})
    wanted = [found["macro_f1"], found["weighted_f1"], twice["macro_f_beta"]]
    assert [one.compared for one in verdict.findings] == [one.value for one in wanted]
    assert [one.estimate.low for one in verdict.findings] == [one.low for one in wanted]


def test_labels_on_the_same_cases():
    new, old = (frame.assign(said=(frame.p >= 0.5).astype(int)) for frame in (NEW, OLD))
    given = {
        "truth": "y",
        "predicted": "said",
        "baseline": old,
        "pair_by": "id",
        "no_worse_than": 0.05,
        "measures": "accuracy",
    }
    arrays = {"baseline": old.sort_values("id")["said"].to_numpy(), "new": new["said"].to_numpy()}
    expected = tm.compare(truth=TRUTH, predicted=arrays, measures=["accuracy"]).differences[0].estimate
    assert only(tm.check(new, **given)).estimate == expected


def test_a_model_with_the_same_scores_may_differ_on_other_cases():
    """By the rule of three."""
    again = {"baseline": NEW.sample(frac=1, random_state=1), "pair_by": "id"}
    found = only(tm.check(NEW, **COLUMNS, **again, no_worse_than=0.05))
    assert found.passed
    assert found.estimate.value == 0
    assert -0.05 < found.estimate.low < 0 < found.estimate.high < 0.05
    assert not only(tm.check(NEW, **COLUMNS, **again, no_worse_than=0)).passed
    apart = tm.check(NEW, **COLUMNS, baseline=NEW.copy(), no_worse_than=0, paired=False)
    assert not only(apart).passed  # by chance it might be worse


def test_data_sets_with_one_truth_are_not_taken_as_different_cases(tmp_path):
    same_truth = NEW.assign(p=probabilities(0.6))
    asked = {**COLUMNS, "no_worse_than": 0.05}
    with refuses("ambiguous", "300", "paired=False", argument="baseline"):
        tm.check(NEW, baseline=same_truth, **asked)
    with refuses("ambiguous", argument="baseline"):
        tm.check(NEW, baseline=same_truth, **asked, missing="drop")
    NEW.to_csv(tmp_path / "new.csv", index=False)
    same_truth.to_csv(tmp_path / "old.csv", index=False)
    with refuses("ambiguous", argument="baseline"):
        tm.check(str(tmp_path / "new.csv"), baseline=str(tmp_path / "old.csv"), **asked)
    apart = tm.check(NEW, baseline=same_truth, **asked, paired=False)
    other_order = tm.check(NEW, baseline=same_truth.iloc[::-1], **asked)
    assert apart.to_dict() == other_order.to_dict()
    assert (
        only(tm.check(NEW, baseline=same_truth, **asked, pair_by="id")).estimate.low
        > only(apart).estimate.low
    )


def test_names_of_cases_may_be_text_in_several_files(tmp_path):
    pytest.importorskip("duckdb")
    new, old = (frame.assign(id=[f"case {i:04}" for i in frame.id]) for frame in (NEW, OLD))
    new.to_csv(tmp_path / "new.csv", index=False)
    old[:100].to_parquet(tmp_path / "old-1.parquet")
    old[100:].to_parquet(tmp_path / "old-2.parquet")
    paths = str(tmp_path / "new.csv"), str(tmp_path / "old-*.parquet")
    found = only(tm.check(paths[0], **COLUMNS, baseline=paths[1], pair_by="id", no_worse_than=0.01))
    assert (
        found.estimate
        == only(tm.check(NEW, **COLUMNS, baseline=OLD, pair_by="id", no_worse_than=0.01)).estimate
    )


def flipped(frame):
    return frame.assign(y=np.where(frame.id == 12, 1 - frame.y, frame.y))


@pytest.mark.parametrize(
    ("new", "old", "said"),
    [
        (NEW, flipped(OLD), "truth (column 'y'): case 12 has 1 in the data and 0 in the baseline"),
        (NEW, OLD[OLD.id >= 156], "300 cases, 149 of them are among the 149 of the baseline, less than half"),
        (NEW[151:], OLD, "149 cases, 149 of them are among the 300 of the baseline, less than half"),
        (
            pd.concat([NEW, NEW[:2]]),
            OLD,
            "5 names two cases of the data, in row 0 (counted from 0) and row 300 (counted from 0)",
        ),
        (
            NEW,
            pd.concat([OLD, OLD[:1]]),
            "names two cases of the baseline, in row 0 (counted from 0) and row 300 (counted from 0)",
        ),
        (NEW, OLD.assign(id=OLD.id.astype(str)), "numbers in one of data and baseline and text in the other"),
        (NEW, OLD.assign(p=OLD.p.where(OLD.id != 12)), "is missing; paired cases need all values"),
        (NEW.drop(columns="id"), OLD, "no column 'id'"),
    ],
    ids=[
        "another truth",
        "missing there",
        "missing here",
        "twice here",
        "twice there",
        "text",
        "no score",
        "no names",
    ],
)
def test_cases_that_are_not_the_same(new, old, said):
    with pytest.raises(tm.InputError) as caught:
        tm.check(new, **COLUMNS, baseline=old, pair_by="id", no_worse_than=0.01)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_weights_must_agree():
    new, old = NEW.assign(w=1 + NEW.id % 2), OLD.assign(w=1 + (OLD.id + (OLD.id == 12)) % 2)
    given = {**COLUMNS, "weight": "w", "pair_by": "id", "no_worse_than": 0.01}
    with refuses("mismatch", "'w'", "12", argument="weight"):
        tm.check(new, baseline=old, **given)
    assert only(tm.check(new, baseline=OLD.assign(w=1 + OLD.id % 2), **given)).passed


# Calls that are wrong
# --------------------------------------------------------------------------------------------------


@for_each(
    ("given", "said"),
    [
        ({"baseline": OLD}, "no_worse_than: by how much"),
        ({"no_worse_than": 0.01}, "no_worse_than: it is for a baseline"),
        ({"pair_by": "id", "require": "n >= 1"}, "pair_by: it is for a baseline"),
        ({"measures": "f1", "require": "n >= 1"}, "measures: it is for a baseline"),
        ({"baseline": OLD, "no_worse_than": -0.01}, "no_worse_than: -0.01 is not possible"),
        ({"baseline": NEW, "no_worse_than": 0.01}, "baseline: it is the data itself"),
        ({"baseline": OLD, "no_worse_than": 0.01, "measures": "roc_auk"}, "did you mean 'roc_auc'"),
        ({"baseline": OLD, "no_worse_than": 0.01, "measures": "roc_auc.low"}, "expected the end"),
        (
            {"baseline": OLD, "no_worse_than": 0.01, "measures": "prevalence"},
            "neither better high nor better low",
        ),
        ({"baseline": OLD, "no_worse_than": 0.01, "measures": "n"}, "does not depend on the model"),
        ({"baseline": OLD, "no_worse_than": 0.01, "pair_by": ["id"]}, "names a column that both"),
        (
            {"baseline": OLD, "no_worse_than": 0.01, "pair_by": "id", "rule": "f1"},
            "rule: two models on the same cases",
        ),
        (
            {"baseline": OLD, "no_worse_than": 0.01, "pair_by": "id", "missing": "drop"},
            "missing: paired cases",
        ),
        (
            {"baseline": OLD, "no_worse_than": 0.01, "pair_by": "id", "measures": "f1 at youden"},
            "as 'at threshold 0.5'",
        ),
    ],
)
def test_calls_that_are_wrong(given, said):
    with pytest.raises(tm.InputError) as caught:
        tm.check(NEW, **COLUMNS, **given)
    assert said in str(caught.value).split("\n")[0]


@pytest.mark.parametrize(
    ("data", "given"),
    [
        (tm.evaluate(NEW, **COLUMNS), {"baseline": OLD, "pair_by": "id"}),
        (tm.evaluate(NEW, **COLUMNS), {"baseline_score": "q"}),
        (NEW, {**COLUMNS, "baseline": tm.evaluate(OLD, **COLUMNS), "pair_by": "id"}),
        (tm.evaluate(NEW, **COLUMNS).ranking, {"baseline": OLD, "pair_by": "id"}),
    ],
)
def test_a_summary_has_no_cases_to_pair(data, given):
    with refuses("unsupported", argument="pair_by"):
        tm.check(data, **given, no_worse_than=0.1)


def test_of_raw_scores_the_threshold_must_be_put():
    raw = NEW.assign(p=10 * NEW.p)
    given = {"baseline": OLD.assign(p=10 * OLD.p), "no_worse_than": 0.05, "measures": "f1"}
    assert "widened for the choice" not in only(tm.check(raw, **COLUMNS, **given)).estimate.method
    with pytest.raises(RequirementError, match="chosen anew for each model"):
        tm.check(raw, **COLUMNS, **given, pair_by="id")
    with refuses("needed", argument="measures"):
        tm.check(
            truth=[0, 1],
            predicted=[0, 1],
            baseline=tm.evaluate(truth=[0, 1], predicted=[1, 1]),
            paired=False,
            no_worse_than=0.1,
        )


def test_groups_on_the_same_cases():
    new, old = (frame.assign(g=frame.id // 3) for frame in (NEW, OLD))
    given = {**COLUMNS, "clusters": "g", "pair_by": "id", "no_worse_than": 0.05, "measures": "roc_auc"}
    arrays = {"baseline": old.sort_values("id")["p"].to_numpy(), "new": new["p"].to_numpy()}
    expected = (
        tm.compare(truth=TRUTH, score=arrays, clusters=new["g"].to_numpy(), measures=["roc_auc"])
        .differences[0]
        .estimate
    )
    assert only(tm.check(new, baseline=old, **given)).estimate == expected
    with refuses("mismatch", "'g'", "12", argument="clusters"):
        tm.check(new, baseline=old.assign(g=old.g + (old.id == 12)), **given)
