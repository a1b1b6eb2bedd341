"""Every output says what was left out: severe notices, dropped rows, a class mix that differs."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm

RANDOM = np.random.default_rng(8)
N = 600
TRUTH = RANDOM.random(N) < 0.3
SCORE = 1 / (1 + np.exp(-RANDOM.normal(2 * TRUTH - 1, 1.0)))
HOLES = np.where(TRUTH & (SCORE < 0.4), np.nan, SCORE)  # no score where the model would be wrong
DROPPED = int(np.isnan(HOLES).sum())
REQUIRED = "roc_auc.low >= 0.8"


def texts(verdict):
    """What is shown, by format, in full."""
    return {
        "text": " ".join(str(verdict).split()),
        "json": verdict.to_json(),
        "junit": verdict.to_junit(),
        "annotations": verdict.to_annotations(),
        "markdown": verdict.to_markdown(),
        "page": verdict.to_html(),
    }


def test_dropped_rows_stand_in_every_output_of_a_gate():
    verdict = tm.check(truth=TRUTH, score=HOLES, missing="drop", require=REQUIRED)
    assert verdict.passed
    for name, shown in texts(verdict).items():
        assert "rows-dropped" in shown, name
        assert f"{DROPPED} rows" in shown, name
    found = json.loads(verdict.to_json())
    assert found["data"]["dropped"] == DROPPED
    assert "rows-dropped" in [one["code"] for one in found["notices"]]
    assert str(verdict).index("rows-dropped") < str(verdict).index("roc_auc.low")
    properties = {one.get("name") for one in ElementTree.fromstring(verdict.to_junit()).iter("property")}
    assert "dropped" in properties


def test_whole_weights_stand_in_every_output_of_a_gate():
    weight = np.round(RANDOM.lognormal(size=N) * 1500)
    given = {"truth": TRUTH, "score": SCORE, "weight": weight, "require": REQUIRED}
    for name, shown in texts(tm.check(**given)).items():
        assert "whole-weights" in shown, name
    for kind in ("count", "importance"):
        assert "whole-weights" not in texts(tm.check(**given, weight_kind=kind))["text"]
    whole, plain = (
        tm.evaluate(truth=TRUTH, score=SCORE, weight=w)["roc_auc"] for w in (weight, weight + 0.1)
    )
    assert whole.high - whole.low == pytest.approx(plain.high - plain.low, rel=1e-3)


@in_part(4, ("fast", "full"))
@for_each("verb", ["evaluate", "compare", "calibration", "choose_threshold"])
def test_whole_weights_stand_in_the_text_and_page_of_every_verb(verb):
    cases = {"truth": TRUTH, "weight": np.arange(N) % 3 + 1}
    score = {"a": SCORE, "b": SCORE**2} if verb == "compare" else SCORE
    more = {"rule": "youden"} if verb == "choose_threshold" else {}
    found = getattr(tm, verb)(**cases, score=score, **more)
    for shown in (str(found), found.to_html(), found.to_json()):
        assert "whole-weights" in shown
    if verb != "evaluate":
        assert str(found).index("whole-weights") < str(found).index("----")


EV = tm.evaluate(truth=TRUTH, score=HOLES, missing="drop")
GIVEN = {"truth": TRUTH, "score": HOLES, "missing": "drop"}
VERBS = {
    "advise": lambda: tm.advise(EV),
    "at_prevalence": lambda: tm.at_prevalence(EV, prevalence=0.1),
    "unscored": lambda: tm.unscored(**GIVEN, share=0.1),
    "class_mix_sensitivity": lambda: tm.class_mix_sensitivity(EV),
    "present": lambda: tm.planning.present(EV, measures="sensitivity"),
    "bootstrap": lambda: tm.bootstrap(**GIVEN, replicates=100, measures="accuracy"),
    "curve": lambda: EV.curve("roc"),
    "operating_points": lambda: EV.operating_points(),
    "groups": lambda: tm.evaluate(**GIVEN, by=np.arange(N) % 2),
    "fairness": lambda: tm.evaluate(**GIVEN, by=np.arange(N) % 2).fairness,
    "folds": lambda: tm.evaluate(**GIVEN, fold=np.arange(N) % 3),
    "models": lambda: tm.evaluate(truth=TRUTH, score={"a": HOLES, "b": HOLES}, missing="drop"),
    "compare": lambda: tm.compare(truth=TRUTH, score={"a": HOLES, "b": HOLES**2}, missing="drop"),
    "calibration": lambda: tm.calibration(**GIVEN),
    "choose_threshold": lambda: tm.choose_threshold(**GIVEN, rule="youden"),
    "biometric": lambda: tm.biometric(**GIVEN),
    "classification_report": lambda: tm.classification_report(EV),
}


LABELS = np.where(np.isnan(HOLES), None, (SCORE > 0.5).astype(int))
TESTS = {
    "mann_whitney": lambda: tm.mann_whitney(**GIVEN),
    "no_information_test": lambda: tm.no_information_test(**GIVEN),
    "fisher_exact": lambda: tm.fisher_exact(**GIVEN),
    "mcnemar": lambda: tm.mcnemar(
        truth=TRUTH.astype(int), predicted=[LABELS, (SCORE > 0.4).astype(int)], missing="drop"
    ),
    "reclassification": lambda: tm.reclassification(
        truth=TRUTH, score={"a": SCORE, "b": HOLES}, missing="drop"
    ),
}


@for_each("test", TESTS)
def test_dropped_rows_stand_in_every_output_of_a_test(test):
    found = TESTS[test]()
    for shown in (str(found), found.to_json(), found.to_html()):
        assert "rows-dropped" in shown


@in_part(4, ("fast", "full"))
@for_each("verb", VERBS)
def test_dropped_rows_stand_in_every_output_of_every_verb(verb):
    found = VERBS[verb]()
    for shown in (str(found), found.to_json(), found.to_html()):
        assert "rows-dropped" in shown
    assert "left out" in found.to_markdown()


@pytest.mark.parametrize("rows", [[(1, 1, 40), (1, 0, 10), (0, 1, 5), (0, 0, 45)]])
def test_the_cells_of_a_table_are_counts(rows, tmp_path):
    truth, predicted, number = zip(*rows, strict=True)
    counted = tm.evaluate(truth=truth, predicted=predicted, weight=number)
    assert counted.data.weight_kind == "count"
    assert not [one for one in counted.notices if one.severe]
    assert counted["sensitivity"] == tm.evaluate(tm.Counts(tp=40, fn=10, fp=5, tn=45))["sensitivity"]
    path = tmp_path / "cells.csv"
    path.write_text("y,d,n\n" + "".join(f"{a},{b},{n}\n" for a, b, n in rows))
    assert tm.evaluate(path, truth="y", predicted="d", weight="n")["f1"] == counted["f1"]
    matrix = tm.ConfusionMatrix.from_arrays(truth=truth, predicted=predicted, weight=number)
    assert matrix.squares is None
    of_rows = tm.evaluate(truth=truth * 2, predicted=predicted * 2, weight=number * 2)
    assert of_rows.data.weight_kind == "importance"


def test_missing_is_a_quantity_with_an_interval():
    given = {"truth": TRUTH, "score": HOLES, "missing": "drop"}
    failed, passed, sure = tm.check(
        **given, require=["missing <= 1%", "missing <= 0.5", "missing.low >= 0.01"]
    ).findings
    assert (failed.outcome, passed.outcome, sure.outcome) == ("failed", "passed", "passed")
    assert failed.estimate.value == DROPPED / N
    assert failed.estimate.method == "wilson"
    assert tm.check(truth=TRUTH, score=SCORE, require="missing.high <= 0.01").passed
    clustered = tm.check(**given, clusters=np.arange(N) // 5, require="missing.high <= 0.9")
    assert clustered.findings[0].outcome == "undecided"
    for wrong in (
        "missing <= 2",
        "missing <= 0.1 at threshold 0.5",
        'missing[class "a"] <= 0.1',
        "missing <= 0.1 by site",
    ):
        with refuses("invalid-value", "character"):
            tm.check(**given, require=wrong)


# Models on different cases
# --------------------------------------------------------------------------------------------------


def sample(share, seed, n=1500):
    random = np.random.default_rng(seed)
    truth = random.random(n) < share
    return {"y": truth.astype(int), "p": 1 / (1 + np.exp(-random.normal(1.3 * truth, 1)))}


OLD, NEW = sample(0.19, 1), sample(0.43, 2)
MEASURES = ["average_precision", "precision", "sensitivity", "roc_auc"]
BY = {"truth": "y", "score": "p"}


def codes(found):
    return [one.code for one in found.notices if one.severe]


def test_a_class_mix_that_differs_is_no_better_model():
    found = tm.compare(OLD, NEW, **BY, measures=MEASURES)
    assert codes(found) == ["class-mix-differs"]
    (notice,) = (one for one in found.notices if one.severe)
    assert notice["measures"] == ("average_precision", "precision")
    assert "is better" not in str(found)
    assert found.headline.reading == "class mix"
    for one in found.differences:
        notes = [note for note in one.estimate.notes if note.code == "at-common-mix"]
        assert bool(notes) is (one.measure in notice["measures"])
        if notes:  # the same model: no difference at a common mix
            assert notes[0]["low"] < 0 < notes[0]["high"]
            assert not one.low <= 0 <= one.high
    shown = str(found)
    assert shown.index("class-mix-differs") < shown.index("----")


def test_the_difference_at_a_common_mix_is_that_of_weighted_cases():
    found = tm.compare(OLD, NEW, **BY, measures="precision")["precision"]
    (note,) = (one for one in found.estimate.notes if one.code == "at-common-mix")
    values = []
    for data in (NEW, OLD):
        e = tm.evaluate(data, **BY)
        at = tm.at_prevalence(e.counts, prevalence=note["share"])
        values.append(at["precision"].value)
    assert note["value"] == pytest.approx(values[0] - values[1])
    truth = np.concatenate([OLD["y"], NEW["y"]])
    assert note["share"] == pytest.approx(truth.mean())


def test_many_classes_and_labels():
    random = np.random.default_rng(3)

    def labels(shares):
        truth = random.choice(list("abc"), 900, p=shares)
        right = random.random(900) < np.where(truth == "a", 0.9, 0.6)
        return {"y": truth, "d": np.where(right, truth, random.choice(list("abc"), 900))}

    old, new = labels([0.2, 0.4, 0.4]), labels([0.6, 0.2, 0.2])
    found = tm.compare(old, new, truth="y", predicted="d", measures=["accuracy", "balanced_accuracy"])
    (notice,) = (one for one in found.notices if one.severe)
    assert (notice["measures"], notice["label"]) == (("accuracy",), "a")
    assert codes(tm.compare(old, labels([0.2, 0.4, 0.4]), truth="y", predicted="d")) == []


def test_the_same_mix_has_no_notice_nor_have_models_on_the_same_cases():
    assert codes(tm.compare(sample(0.3, 5), sample(0.3, 6), **BY, measures=MEASURES)) == []
    both = tm.compare(truth=OLD["y"], score={"a": OLD["p"], "b": OLD["p"] ** 2}, measures=MEASURES)
    assert codes(both) == []


@pytest.mark.full
def test_false_alarms_of_the_mix_are_few():
    from tallymark.studies.compare import CommonMix

    random = np.random.default_rng(9)
    counts = random.binomial(200, 0.3, (400, 2))
    alarms = [
        CommonMix(
            {
                name: tm.evaluate(tm.Counts(tp=k, fp=0, fn=0, tn=200 - k))
                for name, k in zip("ab", pair, strict=True)
            }
        ).label
        is not None
        for pair in counts
    ]
    assert np.mean(alarms) < 0.04  # nominal 0.02, +- 0.014


def test_a_gate_with_a_baseline_of_another_mix_says_so():
    verdict = tm.check(NEW, **BY, baseline=OLD, no_worse_than=0.01, measures=["average_precision", "roc_auc"])
    assert codes(verdict) == ["class-mix-differs"]
    first, second = verdict.findings
    assert "different class mix" in first.sentence
    assert "different class mix" not in second.sentence
    for name, shown in texts(verdict).items():
        assert "class-mix-differs" in shown, name


# The verdict
# --------------------------------------------------------------------------------------------------


def test_an_assertion_shows_the_requirements_that_are_not_met():
    verdict = tm.check(truth=TRUTH, score=SCORE, require=["roc_auc >= 0.5", "roc_auc.low >= 0.99"])
    with pytest.raises(AssertionError, match=r"roc_auc\.low >= 0\.99: low 0\.\d+ < 0\.99"):
        assert verdict, repr(verdict)
    assert "roc_auc >= 0.5" not in repr(verdict)


def test_the_promise_is_of_requirements_for_which_it_holds():
    given = {"truth": TRUTH, "score": SCORE}
    assert tm.check(**given, require="sensitivity.low >= 0.1 at rule youden").budget is None
    both = tm.check(**given, require=["sensitivity.low >= 0.1 at rule youden", "roc_auc.low >= 0.5"]).budget
    assert "2.5%" in both
    assert "1 of the 2" in both
    assert "does not hold" not in tm.check(**given, require="roc_auc.low >= 0.5").budget


def test_simulation_error_is_stated_near_the_limit_only():
    given = {"truth": TRUTH, "score": SCORE}
    low = tm.check(**given, require="sensitivity.low >= 0 at specificity 0.9").findings[0].compared
    near = tm.check(**given, require=f"sensitivity.low >= {low:.4f} at specificity 0.9").findings[0]
    assert len(near.other_seeds) == 4
    assert "simulation error" in near.sentence
    assert min(near.other_seeds) < max(near.other_seeds)
    far = tm.check(**given, require=f"sensitivity.low >= {low - 0.1:.4f} at specificity 0.9").findings[0]
    assert far.other_seeds == ()
    exact = tm.check(**given, require="roc_auc.low >= 0").findings[0].compared
    assert tm.check(**given, require=f"roc_auc.low >= {exact:.6f}").findings[0].other_seeds == ()


@for_each("rule", ["sensitivity>=0.8", '"sensitivity >= 0.8"'])
def test_a_bound_is_a_rule(rule):
    wanted = tm.check(truth=TRUTH, score=SCORE, require="specificity >= 0 at sensitivity 0.8").findings[0]
    found = tm.check(truth=TRUTH, score=SCORE, require=f"specificity >= 0 at rule {rule}").findings[0]
    assert found.estimate == wanted.estimate


@for_each("require", ['roc_auc >= 0.5 "', "roc_auc >= 0.5 ~"])
def test_a_sentence_ends_in_one_full_stop(require):
    with pytest.raises(tm.InputError) as wrong:
        tm.check(truth=TRUTH, score=SCORE, require=require)
    assert ".." not in str(wrong.value)
