"""Identification with rejection: outcomes counted one by one, the curve, the forms and the command."""

import json

import numpy as np
import pandas
import pytest
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark import identification
from tallymark.cli import main
from tallymark.inference.interval import wilson

pytestmark = pytest.mark.full

RANDOM = np.random.default_rng(2)
PERSONS = ["ann", "bob", "cy"]
TRUTH = RANDOM.choice([*PERSONS, "eve"], 80)
SCORE = np.round(RANDOM.random((80, 3)) + 0.5 * (TRUTH[:, None] == np.array(PERSONS)), 1)
GIVEN = {"truth": TRUTH, "score": SCORE, "classes": PERSONS}


def by_hand(threshold):
    """One sample after the other."""
    counts = dict.fromkeys(("identified", "misidentified", "rejected", "false_match", "rejected_unknown"), 0)
    for person, row in zip(TRUTH.tolist(), SCORE.tolist(), strict=True):
        named = [name for name, one in zip(PERSONS, row, strict=True) if one == max(row)]
        if max(row) < threshold:
            counts["rejected" if person in PERSONS else "rejected_unknown"] += 1
        elif person in PERSONS:
            counts["identified" if named == [person] else "misidentified"] += 1
        else:
            counts["false_match"] += 1
    return counts


def test_the_outcomes_are_those_counted_one_by_one():
    """Tharwat, section 6: the person with the highest score, unless that level is not reached."""
    found = identification(**GIVEN)
    for threshold in (-np.inf, 0.3, 0.85, 0.9, 1.2, 9.0):
        counts = by_hand(threshold)
        assert found.at(threshold).counts == counts
        assert sum(counts.values()) == len(TRUTH)
    assert found.counts == by_hand(-np.inf)
    assert min(by_hand(0.9).values()) > 0


def test_the_rates_and_their_intervals():
    found, c = identification(**GIVEN, threshold=0.9, level=0.9), by_hand(0.9)
    known, unknown = np.isin(TRUTH, PERSONS).sum(), (TRUTH == "eve").sum()
    accepted = c["identified"] + c["misidentified"] + c["false_match"]
    wanted = {
        "identification_rate": (c["identified"], known),
        "misidentification_rate": (c["misidentified"], known),
        "rejection_rate_of_enrolled": (c["rejected"], known),
        "false_positive_identification_rate": (c["false_match"], unknown),
        "false_negative_identification_rate": (c["misidentified"] + c["rejected"], known),
        "rejection_rate": (80 - accepted, 80),
        "accuracy_of_the_accepted": (c["identified"], accepted),
        "accuracy": (c["identified"] + c["rejected_unknown"], 80),
    }
    assert list(found) == list(wanted)
    for short, name in {"FNIR": "false_negative", "fpir": "false_positive"}.items():
        assert found[short] == found[f"{name}_identification_rate"]
    assert found["rank_1_identification_rate"] == found["TPIR"] == found["identification_rate"]
    for name, (x, n) in wanted.items():
        assert (found[name].value, found[name].low, found[name].high) == pytest.approx(
            (x / n, *map(float, wilson(x, n, 0.9)))
        )


def test_without_a_threshold_and_without_others_it_is_the_accuracy_of_the_classes():
    only = np.isin(TRUTH, PERSONS)
    score = SCORE[only] + 1e-3 * RANDOM.random((only.sum(), 3))  # without ties
    found = identification(truth=TRUTH[only], score=score, classes=PERSONS)
    predicted = np.array(PERSONS)[score.argmax(axis=1)]
    assert found["accuracy"].value == tm.evaluate(truth=TRUTH[only], predicted=predicted)["accuracy"].value
    assert "false_positive_identification_rate" not in found
    assert found["rejection_rate"].value == 0


def test_the_curve_has_the_rates_at_every_threshold():
    found = identification(**GIVEN)
    curve = found.curve
    assert (np.diff(curve.threshold) < 0).all()
    for i in (0, len(curve) // 2, len(curve) - 1):
        here = found.at(curve.threshold[i])
        for name, line in curve.lines.items():
            assert line[i] == here[name.replace(" ", "_")].value
    assert "false positive identification rate" in curve.lines
    assert curve.plot().ax_.get_xlabel() == "threshold"


def test_frames_files_and_two_persons(tmp_path):
    frame = pandas.DataFrame(SCORE[:, :2], columns=["ann", "bob"]).assign(who=TRUTH)
    frame.to_csv(tmp_path / "c.csv", index=False)
    wanted = identification(truth=TRUTH, score=SCORE[:, :2], classes=["ann", "bob"], threshold=0.9)
    for data in (frame, str(tmp_path / "c.csv")):
        found = identification(data, truth="who", score=["ann", "bob"], threshold=0.9)
        assert found.to_dict() == wanted.to_dict()
    frame.loc[3, "ann"] = np.nan
    with refuses("missing-value", "missing", argument="score 1"):
        identification(frame, truth="who", score=["ann", "bob"])
    assert sum(identification(frame, truth="who", score=["ann", "bob"], missing="drop").counts.values()) == 79


@for_each(
    ("changes", "said"),
    [
        ({"classes": None}, "classes: the columns have no names"),
        ({"classes": ["ann", "bob"]}, "2 different labels for 3 columns"),
        ({"classes": ["ann", "ann", "bob"]}, "2 different labels for 3 columns"),
        ({"score": SCORE[:, 0]}, "a column per enrolled person is needed, two at least"),
        ({"truth": None}, "the actual labels are missing"),
        ({"threshold": "high"}, "threshold"),
        ({"level": 2}, "level"),
    ],
)
def test_what_is_refused(changes, said):
    with pytest.raises(tm.InputError) as refused:
        identification(**{**GIVEN, **changes})
    assert said in str(refused.value)


def test_the_forms():
    found = identification(**GIVEN, threshold=0.9)
    assert max(map(len, str(found).splitlines())) <= 80
    read = tm.Identification.from_json(found.to_json())
    assert read["accuracy"].value == found["accuracy"].value
    assert json.loads(identification(**GIVEN).to_json())["threshold"] == "-inf"
    with refuses("unknown-name"):
        _ = found["recall"]


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pandas.DataFrame(SCORE, columns=PERSONS).assign(who=TRUTH).to_csv("c.csv", index=False)
    columns = [word for name in PERSONS for word in ("--score", name)]
    call = ["identify", "c.csv", "--truth", "who", *columns]
    assert main([*call, "--threshold", "0.9", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == identification(**GIVEN, threshold=0.9).to_dict()
    assert main([*call, "-o", "rates.csv", "--plot", "rates.svg"]) == 0
    saved = ["Report: rates.csv", "Rates against the threshold: rates.svg"]
    assert capsys.readouterr().out == "\n\n".join([str(identification(**GIVEN)), *saved]) + "\n"
    assert (tmp_path / "rates.svg").exists()
    assert (tmp_path / "rates.csv").read_text().startswith("measure,value")
    assert main([*call, "--clusters", "who"]) == 2
    assert "assume independent samples; leave it out" in capsys.readouterr().err
    assert main(call[:-4]) == 2
    assert "two at least" in capsys.readouterr().err


def test_the_rates_within_each_rank():
    """The cumulative match characteristic: persons with the same score share the lower rank."""
    known = np.isin(TRUTH, PERSONS)
    own = SCORE[known, [PERSONS.index(name) for name in TRUTH[known]]]
    for threshold in (None, 0.9):
        found = identification(**GIVEN, threshold=threshold)
        hits = own >= (-np.inf if threshold is None else threshold)
        wanted = [(hits & ((SCORE[known] >= own[:, None]).sum(1) <= k)).mean() for k in (1, 2, 3)]
        assert found.cmc.y.tolist() == wanted
        assert found.cmc.x.tolist() == [1, 2, 3]
        for k, value in enumerate(wanted, 1):
            one = found[f"rank_{k}_identification_rate"]
            assert one.value == value
            bounds = wilson(round(value * known.sum()), known.sum(), 0.95)
            assert (one.low, one.high) == pytest.approx(tuple(map(float, bounds)))
    assert found["rank_1_identification_rate"].value == found["identification_rate"].value
    with refuses("unknown-name"):
        found["rank_4_identification_rate"]
    only = identification(truth=["eve", "eve"], score=[[0.1, 0.2], [0.3, 0.1]], classes=["ann", "bob"])
    with refuses("needed", argument="truth"):
        only.cmc  # noqa: B018
