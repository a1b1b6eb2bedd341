"""How often a gate tells a model from itself, on random halves of the cases."""

import json

import numpy as np
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm

RNG = np.random.default_rng(11)
TRUTH = RNG.random(300) < 0.4
SCORE = 1 / (1 + np.exp(-RNG.normal(2 * TRUTH - 1)))
CASES = {"truth": TRUTH, "score": SCORE}
SITE = np.where(np.arange(300) < 280, RNG.choice(["a", "b"], 300), "c")


def test_a_row_for_each_requirement_on_a_measure():
    data = {"y": TRUTH, "p": SCORE, "site": SITE}
    required = ["roc_auc >= 0.8", "n >= 10", "specificity >= 0.5 by site (n >= 50)", "f1.value >= 0.7"]
    found = tm.self_test(
        data, truth="y", score="p", require=required, no_worse_than=0.02, measures="f1", splits=20
    )
    assert [one.requirement for one in found.tested] == [
        "roc_auc >= 0.8",
        *(f"specificity >= 0.5 by site (n >= 50): {one}" for one in "ab"),
        "f1.value >= 0.7", "f1 >= baseline - 0.02",
    ]  # fmt: skip
    for one in found.tested:
        assert one.passed + one.failed + one.undecided == pytest.approx(1)
    assert found.tested[3].undecided == 0  # a value alone always passes or fails
    assert (found.splits, found.level, found.apart_promised) == (20, 0.95, 0.05)
    assert found.data.rows == 300
    again = tm.self_test(
        data, truth="y", score="p", require=required, no_worse_than=0.02, measures="f1", splits=20
    )
    assert again.to_dict()["tested"] == found.to_dict()["tested"]
    said = " ".join(str(found).split())
    assert "Two random halves of the same cases are found different in" in said
    assert "of 20 splits (nominal 5%)" in said
    assert "halves differ" in said
    assert len(found.table) == 5


def test_what_it_counts_is_what_check_says_of_the_halves():
    """Ten splits of 2 x 2 groups of cases of equal scores, counted anew with `check` and `compare`."""
    found = tm.self_test(**CASES, require="sensitivity >= 0.8 at threshold 0.5", splits=10).tested[0]
    outcomes, apart, rng = [], [], np.random.default_rng(0)
    for _ in range(10):
        order, half = rng.permutation(300), np.empty(300, bool)
        half[order] = np.arange(300) % 2 == 0
        both = [{"truth": TRUTH[rows], "score": SCORE[rows]} for rows in (half, ~half)]
        outcomes += [tm.check(**one, require="sensitivity >= 0.8 at threshold 0.5").outcome for one in both]
        new, old = (tm.evaluate(**one, threshold=0.5) for one in both)
        (at,) = tm.check(new, baseline=old, paired=False, require="sensitivity >= baseline").findings
        apart.append(not at.estimate.low <= 0 <= at.estimate.high)
    assert found.passed == outcomes.count("passed") / 20
    assert found.undecided == outcomes.count("undecided") / 20
    assert found.apart == np.mean(apart)


@for_each(
    "more",
    [
        {"truth": RNG.integers(0, 3, 300), "score": RNG.dirichlet([1, 1, 1], 300),
            "require": "macro f1 >= 0.1"},
        {"truth": RNG.integers(0, 3, 300), "score": None, "predicted": RNG.integers(0, 3, 300),
            "require": "sensitivity[every class] >= 0.1"},
        {"truth": RNG.random((300, 2)) < 0.5, "score": None, "predicted": RNG.random((300, 2)) < 0.5,
            "require": "micro f1 >= 0.1", "design": "case-control"},
        {"truth": RNG.random(300), "score": None, "predicted": RNG.random(300), "regression": True,
            "require": "mean_absolute_error <= 0.5"},
        {"weight": RNG.random(300) + 0.5, "require": "roc_auc >= 0.7"},
        {"clusters": np.arange(300) // 3, "require": "roc_auc >= 0.7"},
        {"design": "case-control", "require": "accuracy >= 0.7", "threshold": 0.4},
        {"rule": "youden", "require": "f1 >= 0.7"},
        {"require": "sensitivity >= 0.7 at specificity 0.8"},
        {"require": "sensitivity >= 0.7 by site", "by": {"site": SITE}},
        {"require": "accuracy >= 0.7", "valid": "anytime", "uses": 5},
    ],
)  # fmt: skip
def test_every_task_and_design(more):
    found = tm.self_test(**{**CASES, **more}, splits=10)
    assert found.tested
    assert all(one.passed + one.failed + one.undecided == pytest.approx(1) for one in found.tested)


def test_whole_clusters_are_in_one_half():
    """With a cluster of half of the cases no half has both classes of it: the other half has none of it."""
    clusters = np.where(TRUTH, 0, 1 + np.arange(300))
    found = tm.self_test(
        **CASES, clusters=clusters, require="sensitivity.value >= 0.01 at threshold 0", splits=10
    )
    assert found.tested[0].undecided == 0.5


def test_one_cluster_has_no_halves():
    with refuses("no-result", "clusters: all cases are of one cluster, and two are needed"):
        tm.self_test(**CASES, clusters=np.zeros(300), require="roc_auc >= 0.7", splits=10)


@for_each(
    ("more", "code", "said"),
    [
        ({"splits": 5}, "invalid-value", "splits"),
        ({"require": ()}, "needed", "no requirement is on a measure"),
        ({"require": "n >= 5"}, "needed", "no requirement is on a measure"),
        ({"require": "f >= 5"}, "invalid-value", "not a measure"),
        ({"persons": (np.arange(300), np.arange(300) + 1)}, "unsupported", "leave the self-test out"),
        ({"requires": "f1 >= 0"}, "unknown-name", "require"),
    ],
)
def test_what_is_wrong(more, code, said):
    with refuses(code, said):
        tm.self_test(**{**CASES, "require": "roc_auc >= 0.7", **more})
    with refuses("unsupported", "A summary does not hold the cases"):
        tm.self_test(tm.evaluate(**CASES), require="roc_auc >= 0.7")


def test_a_gate_file_and_the_command_line(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(["y,p", *(f"{y},{p}" for y, p in zip(TRUTH * 1, SCORE, strict=True))])
    (tmp_path / "cases.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "gate.toml").write_text(
        'data = "cases.csv"\ntruth = "y"\nscore = "p"\nrequire = ["roc_auc >= 0.8"]\nuses = 2\nstate = "s"\n',
        encoding="utf-8",
    )
    found = tm.self_test("gate.toml", splits=20)
    assert found.level == 0.975
    assert not (tmp_path / "s").exists()  # it is no use
    assert "for use 1 of 2: models at a limit" in " ".join(str(found).split())
    assert run("check", "gate.toml", "--self-test", "--splits", 20)[:2] == (0, f"{found}\n")
    as_json = json.loads(run("check", "gate.toml", "--self-test", "--splits", 20, "--json")[1])
    assert as_json["tested"] == found.to_dict()["tested"]
    assert run("check", "gate.toml", "--self-test", "--splits", 3)[0] == 2
    assert "a self-test has no verdict" in run("check", "gate.toml", "--self-test", "--junit", "a.xml")[2]


@pytest.mark.full
def test_a_model_is_told_from_itself_as_often_as_promised():
    """30 data sets of 200 cases, 60 splits each, of four measures: about 5 %, known to 0.9 points or so."""
    rng, found = np.random.default_rng(1), []
    required = [
        "roc_auc >= 0.8",
        "brier_score <= 0.2",
        "sensitivity >= 0.7 at threshold 0.5",
        "f1 >= 0.7 at threshold 0.5",
    ]
    for _ in range(30):
        truth = rng.random(200) < 0.4
        score = 1 / (1 + np.exp(-rng.normal(2 * truth - 1)))
        tested = tm.self_test(truth=truth, score=score, require=required, splits=60).tested
        found.append([(one.apart, one.contradicted) for one in tested])
    apart, contradicted = np.mean(found, axis=0).T
    assert apart.min() > 0.01
    assert apart.max() < 0.08
    assert contradicted.max() < 0.01
