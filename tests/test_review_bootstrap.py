"""The bootstrap by name and intervals of clusters, as a newcomer and a statistician try them."""

import pickle

import numpy as np
import pytest
from scipy import stats

import tallymark as tm
from tallymark import InputError, LogitTable, RankingTable, bootstrap, evaluate
from tallymark.cli import main

RANDOM = np.random.default_rng(21)
TRUTH = np.arange(120) % 2
LOGIT = RANDOM.normal(size=120) + 1.5 * TRUTH - 0.7
SCORE = 1 / (1 + np.exp(-LOGIT))
PLAIN = {"truth": TRUTH, "score": SCORE}

# The threshold is that of evaluate
# -----------------------------------------------------------------------------------

THRESHOLDS = {
    "probabilities": PLAIN,
    "a low probability is positive": {"truth": TRUTH, "score": 1 - SCORE, "higher_is_positive": False},
    "a low number is positive": {"truth": TRUTH, "score": -LOGIT, "higher_is_positive": False},
    "a low margin is positive": {
        "truth": TRUTH,
        "score": -LOGIT,
        "higher_is_positive": False,
        "score_kind": "margin",
    },
    "logits": {"truth": TRUTH, "score": LOGIT, "score_kind": "logit"},
}


@pytest.mark.parametrize("given", THRESHOLDS.values(), ids=THRESHOLDS)
def test_the_threshold_is_that_of_evaluate(given):
    ours, wanted = bootstrap(**given, replicates=50), evaluate(**given)
    assert ours.to_dict()["threshold"] == wanted.threshold.value
    for name in ("sensitivity", "specificity"):
        assert ours[name].value == wanted[name].value


@pytest.mark.parametrize(
    ("table", "more"),
    [
        (LogitTable.from_arrays(truth=TRUTH, score=LOGIT), {}),
        (RankingTable.from_arrays(truth=TRUTH, score=1 - SCORE), {"higher_is_positive": False}),
    ],
)
def test_the_threshold_of_a_table(table, more):
    ours, wanted = bootstrap(table, replicates=50, **more), evaluate(table, **more)
    assert ours.to_dict()["threshold"] == wanted.threshold.value
    assert ours["sensitivity"].value == wanted["sensitivity"].value


# What is refused
# -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"truth": TRUTH}, "exactly one of score=, predicted="),
        ({"score": SCORE}, "^truth: the actual labels are missing"),
        (PLAIN | {"score": np.stack([SCORE, SCORE], axis=1)}, "^score: in row 0 .* the two columns hold"),
        (PLAIN | {"resampling": "uniform"}, "^resampling: 'uniform' is not known"),
        (PLAIN | {"design": "pairs", "clusters": TRUTH}, "^design: 'pairs' is not known"),
        (PLAIN | {"measures": []}, "^measures: "),
        (PLAIN | {"measures": 5}, "^measures: 5"),
    ],
)
def test_one_sentence(given, sentence):
    with pytest.raises(InputError, match=sentence):
        bootstrap(**given)


@pytest.mark.parametrize(
    ("data", "more", "sentence"),
    [
        (
            tm.IndicatorTable.from_arrays(truth=[[0, 1], [1, 1]], predicted=[[0, 1], [1, 0]]),
            {},
            "how often each two occur together, not the cases",
        ),
        (
            LogitTable.from_arrays(truth=TRUTH, score=LOGIT),
            {"higher_is_positive": False},
            "higher_is_positive",
        ),
        (RankingTable.from_arrays(truth=TRUTH, score=LOGIT), {"score_kind": "logit"}, "holds no logits"),
        (
            RankingTable.from_arrays(truth=TRUTH, score=LOGIT),
            {"score_kind": "probability"},
            "they are not probabilities",
        ),
    ],
)
def test_tables_that_do_not_fit(data, more, sentence):
    with pytest.raises(InputError, match=sentence):
        bootstrap(data, **more)


def test_names_are_found_by_in():
    found = bootstrap(**PLAIN, measures={"roc_auc"}, replicates=50)
    assert "auc" in found
    assert "gini" not in found
    assert "no such measure" not in found


def test_a_parameter_that_nobody_gave_is_told():
    found = bootstrap(**PLAIN, measures=["precision_at_k"], replicates=50)["precision_at_k"]
    assert found.note.startswith("k = 10")


# Intervals of clusters
# -------------------------------------------------------------------------------------------------


def test_few_groups_of_a_class():
    """200 clusters, of which three have positives: what rests on positives is as unsure as three clusters
    leave it, by Student's t."""
    truth, group = (np.arange(1000) < 15).astype(int), np.arange(1000) // 5
    score = np.random.default_rng(1).random(1000) + 0.6 * truth
    ev = evaluate(truth=truth, score=score, clusters=group, threshold=0.7)
    value = ev["sensitivity"].value
    held = np.array([score[(group == one) & (truth == 1)] >= 0.7 for one in range(3)]).mean(1)
    error = np.std(held, ddof=1) / np.sqrt(3)
    size = value * (1 - value) / error**2 * (1.96 / stats.t.ppf(0.975, 2)) ** 2
    wanted = tm.estimate("accuracy", tm.Counts(tp=value * size, fp=0, fn=(1 - value) * size, tn=0))
    found = ev["sensitivity"]
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=0.02)


def test_one_group_of_a_class():
    truth, group = (np.arange(200) < 4).astype(int), np.arange(200) // 4
    ev = evaluate(truth=truth, score=RANDOM.random(200) + truth / 2, clusters=group, threshold=0.7)
    for name in ("roc_auc", "sensitivity"):
        assert not ev[name].high - ev[name].low < 0.6, name
        assert ev[name].notes, name


def test_near_the_end_of_the_range_groups_count_as_cases():
    """38 of 40 right: an eighth of the resamples have no mistake, so that their logits have no spread to
    speak of."""
    truth = np.repeat([1, 0], 40)
    predicted = np.where(np.arange(80) < 2, 0, np.where(np.arange(80) >= 70, 1, truth))
    alone = evaluate(truth=truth, predicted=predicted)["sensitivity"]
    clusters = evaluate(truth=truth, predicted=predicted, clusters=np.arange(80))["sensitivity"]
    assert (clusters.low, clusters.high) == pytest.approx((alone.low, alone.high), abs=0.01)
    assert clusters.method.startswith("cluster-wilson")


def test_groups_of_unlike_size_stand_for_fewer():
    """One group of 91 cases and nine of one: little more than one group, so hardly anything is known."""
    group = np.r_[np.zeros(91), np.arange(1, 10)]
    found = evaluate(truth=np.ones(100), predicted=np.ones(100), positive=1, clusters=group)["accuracy"]
    alike = evaluate(truth=np.ones(100), predicted=np.ones(100), positive=1, clusters=np.arange(100) // 10)[
        "accuracy"
    ]
    effective = 100**2 / (91**2 + 9)
    assert found.low == pytest.approx(effective / (effective + 1.959963984540054**2))
    assert found.low < alike.low


def test_parameters_are_told_with_groups():
    ev = evaluate(**PLAIN, clusters=np.arange(120) // 2, parameters={"f_beta": {"beta": 2}})
    assert "beta = 2" in ev["f_beta"].note
    assert ev["precision_at_k"].note.startswith("k = 10")


def test_a_pickle_holds_no_resamples():
    group = np.arange(120) // 2
    ev = evaluate(**PLAIN, clusters=group)
    before = len(pickle.dumps(ev))
    known = ev["average_precision"], ev["accuracy"]
    assert len(pickle.dumps(ev)) < before + 10_000
    again = pickle.loads(pickle.dumps(ev))
    assert (again["average_precision"], again["accuracy"]) == known


def test_a_threshold_beyond_single_precision():
    ev = evaluate(truth=TRUTH, score=SCORE.astype(np.float32), clusters=np.arange(120) // 2, threshold=1e300)
    assert ev["sensitivity"].value == 0


# The command
# ---------------------------------------------------------------------------------------------------------


def test_classes_are_refused_in_a_sentence(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    path.write_text("y,p\n1,0.7\n0,0.2\n")
    status = main(["bootstrap", str(path), "--truth", "y", "--score", "p", "--classes", "a", "b"])
    printed = capsys.readouterr()
    assert (status, printed.out) == (2, "")
    assert "0, in line 3, is not one of the classes in --classes ('a', 'b')" in printed.err
    assert printed.err.count("\n") == 1
