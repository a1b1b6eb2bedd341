"""Classifiers in ROC space: dominance, the hull, costs; figure and command."""

import json
import re

import numpy as np
import pytest
from refusals import refuses

import tallymark as tm
from tallymark import Counts, InputError, roc_points

pytestmark = pytest.mark.full

# of 100 cases of each class: (false positive rate, sensitivity) in per cent
PLACES = {"a": (10, 60), "b": (20, 50), "c": (40, 90), "d": (60, 30), "e": (25, 75), "f": (10, 60)}
COUNTS = {name: Counts(tp=tpr, fp=fpr, fn=100 - tpr, tn=100 - fpr) for name, (fpr, tpr) in PLACES.items()}


def test_a_point_is_better_than_all_points_to_the_southeast():
    """Tharwat, Fig. 5."""
    found = roc_points(COUNTS)
    assert {name: one.dominated_by for name, one in found.items()} == {
        "a": (), "b": ("a", "f"), "c": (), "d": ("a", "b", "c", "e", "f"), "e": (), "f": (),
    }  # fmt: skip
    for name, counts in COUNTS.items():
        assert found[name].sensitivity == tm.estimate("sensitivity", counts)
        assert found[name].false_positive_rate == tm.estimate("false_positive_rate", counts)


def test_the_slopes_of_the_hull():
    """(0, 0), (.1, .6), (.4, .9), (1, 1): slopes of 6, 1 and 1/6; e lies on a side and is no corner."""
    found = roc_points(COUNTS)
    assert found["a"].slopes == pytest.approx((1, 6))
    assert found["c"].slopes == pytest.approx((1 / 6, 1))
    assert found["a"].slopes == found["f"].slopes
    assert [found[name].slopes for name in "bde"] == [None] * 3


def test_within_its_slopes_a_classifier_costs_least():
    random = np.random.default_rng(3)
    for _ in range(30):
        cells = random.integers(0, 21, (5, 2)).tolist()
        tables = {str(i): Counts(tp=tp, fp=fp, fn=20 - tp, tn=20 - fp) for i, (tp, fp) in enumerate(cells)}
        found = roc_points(tables)
        for ratio in random.uniform(0.05, 20, 20):
            cost = {name: ratio * one.place[0] + 1 - one.place[1] for name, one in found.items()}
            least = min([*cost.values(), 1.0, ratio])  # and of those who answer the same to all
            best = {name for name, value in cost.items() if value <= least}
            assert best == {
                name for name, one in found.items() if one.slopes and one.slopes[0] <= ratio <= one.slopes[1]
            }


def test_a_classifier_at_a_corner_of_the_space_is_best_at_no_cost_unless_it_is_perfect():
    everything, nothing = Counts(tp=5, fp=5, fn=0, tn=0), Counts(tp=0, fp=0, fn=5, tn=5)
    found = roc_points({"everything": everything, "nothing": nothing})
    assert [one.slopes for one in found.values()] == [(0, 1), (1, np.inf)]
    perfect = roc_points({"perfect": Counts(tp=5, fp=0, fn=0, tn=5), "everything": everything})
    assert perfect["perfect"].slopes == (0, np.inf)
    assert perfect["everything"].slopes is None


def test_evaluations_of_labels_and_of_scores():
    truth, random = np.arange(40) % 2, np.random.default_rng(1)
    labels = {name: np.where(random.random(40) < 0.7, truth, 1 - truth) for name in ("one", "other")}
    found = roc_points(tm.evaluate(truth=truth, predicted=labels))
    for name, predicted in labels.items():
        assert found[name].place[1] == predicted[truth == 1].mean()
        assert found[name].place[0] == predicted[truth == 0].mean()
    scored = tm.evaluate(truth=truth, score=random.random(40), threshold=0.3)
    assert roc_points({"scored": scored})["scored"].sensitivity == scored["sensitivity"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "has no named classifiers"),
        (3, "has no named classifiers"),
        ({"a": 1}, "'a' is 'int', not a table or an evaluation of two classes"),
        ({"a": Counts(tp=0, fp=1, fn=0, tn=2)}, "'a' has no sensitivity: no actual positives"),
        ({"a": Counts(tp=[1, 2], fp=1, fn=0, tn=2)}, "Counts of four numbers"),
        ({"a": tm.evaluate(truth=["a", "b", "c"], predicted=["a", "b", "c"])}, "evaluation of two classes"),
    ],
)
def test_what_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        roc_points(given)


def test_the_forms():
    found = roc_points(COUNTS)
    assert max(map(len, str(found).splitlines())) <= 80
    assert [row["dominated_by"] for row in found.table] == [None, "a, f", None, "a, b, c, e, f", None, None]
    assert json.loads(found.to_json()) == found.to_dict()
    read = tm.RocPoints.from_json(found.to_json())
    assert read.table == found.table
    lines = found.plot().ax_.get_lines()
    hull = next(one for one in lines if one.get_label() == "convex hull").get_xydata()
    assert hull == pytest.approx(np.array([(0, 0), (0.1, 0.6), (0.4, 0.9), (1, 1)]))
    with refuses("unknown-name", "'z'"):
        _ = found["z"]


def test_the_command(tmp_path, monkeypatch, capsys):
    from tallymark.cli import main

    monkeypatch.chdir(tmp_path)
    rows = [(i % 2, int(i % 3 > 0), int(i % 5 > 1), i / 40) for i in range(40)]
    (tmp_path / "c.csv").write_text("\n".join(["y,a,b,p", *(",".join(map(str, row)) for row in rows)]))
    call = ["roc-points", "c.csv", "--truth", "y"]
    assert main([*call, "--predicted", "a", "--predicted", "b", "--json"]) == 0
    truth, a, b, score = map(list, zip(*rows, strict=True))
    wanted = roc_points(tm.evaluate(truth=truth, predicted={"a": a, "b": b})).to_dict()
    assert json.loads(capsys.readouterr().out) == wanted
    figure = ["--model", "m=p", "--threshold", "0.4", "--plot", "p.png", "-o", "p.csv"]
    assert main([*call, *figure]) == 0
    shown, saved, _ = capsys.readouterr().out.partition("\n\nReport: p.csv\n")
    assert shown == str(roc_points(tm.evaluate(truth=truth, score={"m": score}, threshold=0.4)))
    assert re.search(r"^m +0\.600 \[0\.387, 0\.781\] +0\.600 \[0\.387, 0\.781\] +never$", shown, re.M)
    assert saved
    assert (tmp_path / "p.png").stat().st_size > 1000
    assert (tmp_path / "p.csv").read_text().count("\n") == 2
    assert sum(score) > 0
    for wrong, said in (
        ([], "exactly one of --score, --predicted"),
        (["--predicted", "a", "--model", "m=p"], "leave out --predicted, or --model"),
    ):
        assert main([*call, *wrong]) == 2
        assert said in capsys.readouterr().err
