"""The date, the call and the fingerprint of an evaluation."""

import hashlib
import json
import os
import re

import numpy as np
import pytest

import tallymark as tm
from tallymark.cli import main
from tallymark.input import calls

CSV = b"y,p\n0,0.1\n1,0.7\n1,0.4\n0,0.3\n"


@pytest.fixture
def path(tmp_path):
    (tmp_path / "d.csv").write_bytes(CSV)
    return tmp_path / "d.csv"


@pytest.fixture(autouse=True)
def own_calls():
    token = calls.CALL.set(None)
    yield
    calls.CALL.reset(token)


def data_of(result):
    return json.loads(result.to_json())["data"]


def test_the_fingerprint_of_a_file_is_that_of_its_bytes(path):
    ev = tm.evaluate(path, truth="y", score="p")
    assert ev.fingerprint == data_of(ev)["sha256"] == hashlib.sha256(CSV).hexdigest()
    assert ev.at(0.2).fingerprint == ev.fingerprint


def test_of_several_files_it_is_that_of_their_fingerprints(path):
    again = path.with_name("e.csv")
    again.write_bytes(CSV)
    ev = tm.evaluate([path, again], truth="y", score="p")
    one = hashlib.sha256(CSV).hexdigest()
    assert ev.fingerprint == hashlib.sha256(f"{one}\n{one}".encode()).hexdigest()


def test_a_file_that_was_changed_since_has_the_fingerprint_of_its_cases(path):
    ev = tm.evaluate(path, truth="y", score="p")
    path.write_bytes(CSV + b"1,0.9\n")
    of_arrays = tm.evaluate(truth=[0, 1, 1, 0], score=[0.1, 0.7, 0.4, 0.3])
    assert ev.data.sha256 == ""
    assert ev.fingerprint == of_arrays.fingerprint


def test_the_fingerprint_of_arrays_depends_on_the_cases_and_not_on_their_order():
    rng = np.random.default_rng(0)
    truth, score = rng.integers(0, 2, 50), rng.random(50)
    one = tm.evaluate(truth=truth, score=score).fingerprint
    assert one == tm.evaluate(truth=truth[::-1], score=score[::-1]).fingerprint
    assert re.fullmatch("[0-9a-f]{64}", one)
    assert one != tm.evaluate(truth=1 - truth, score=score).fingerprint
    assert one != tm.evaluate(truth=truth, score=score, weight=np.linspace(1, 2, 50)).fingerprint


def test_every_task_has_a_fingerprint_that_tells_cases_apart():
    kinds = (
        lambda last: tm.evaluate(truth=["a", "b", "c", "a"], predicted=["a", "b", "c", last]),
        lambda last: tm.evaluate(truth=[0, 1, 1, 0], predicted=[0, 1, 1, int(last == "b")]),
        lambda last: tm.evaluate(
            truth=[1.5, 2, 3, 4], predicted=[1, 2, 3, 4.5 + (last == "b")], regression=True
        ),
        lambda last: tm.evaluate(
            truth=["a", "b", "c", last], score=np.eye(3)[[0, 1, 2, 0]], classes=list("abc")
        ),
    )
    for kind in kinds:
        assert kind("a").fingerprint == kind("a").fingerprint != kind("b").fingerprint


def test_the_call_has_no_folders_and_no_cases(path):
    ev = tm.evaluate(path, truth="y", score="p", rule="youden", measures=["f1"])
    assert ev.data.call == "tm.evaluate('d.csv', truth='y', score='p', rule='youden', measures=['f1'])"
    ev = tm.evaluate(truth=[0, 1, 1], score={"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1]}, positive=1)["a"]
    assert ev.data.call == "tm.evaluate(truth=..., score={'a': ..., 'b': ...}, positive=1)"
    assert tm.choose_threshold(
        truth=[0, 1], score=[0.1, 0.9], rule="youden", replicates=0
    ).evaluation.data.call == ("tm.choose_threshold(truth=..., score=..., rule='youden', replicates=0)")


def test_the_call_of_a_command(path, capsys):
    assert (
        main(["evaluate", str(path), "--truth=y", "--score", "p", "--where", "p < 5.5 or y = 1", "--json"])
        == 0
    )
    data = json.loads(capsys.readouterr().out)["data"]
    assert data["call"] == "tallymark evaluate d.csv --truth=y --score p --where 'p < 5.5 or y = 1' --json"


def test_the_date_can_be_fixed(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert data_of(tm.evaluate(truth=[0, 1], score=[0.1, 0.9]))["date"] == "1970-01-02"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", tm.evaluate(truth=[0, 1], score=[0.1, 0.9]).data.date)


def test_they_do_not_make_evaluations_of_the_same_cases_differ(path):
    one, other = (tm.evaluate(given, truth="y", score="p").data for given in (path, str(path)))
    os.utime(path, (0, 0))
    assert one == other == tm.evaluate(path, truth="y", score="p", level=0.95).data
