"""tallymark biometric --persons: two columns of a file name the persons of each comparison."""

import json
from itertools import combinations

import numpy as np
import pytest

import tallymark


@pytest.fixture
def comparisons(tmp_path, monkeypatch):
    """A file of all comparisons of two samples of each of 8 persons."""
    monkeypatch.chdir(tmp_path)
    random, rows = np.random.default_rng(1), ["same,score,one,other"]
    for (one, _), (other, _) in combinations(
        [(person, sample) for person in "abcdefgh" for sample in (0, 1)], 2
    ):
        rows.append(f"{int(one == other)},{random.normal() + 2 * (one == other):.3f},{one},{other}")
    (tmp_path / "c.csv").write_text("\n".join(rows))


def test_the_same_as_in_python(run, comparisons):
    status, out, _ = run(
        "biometric", "c.csv", "--truth", "same", "--score", "score", "--persons", "one", "other", "--json"
    )
    wanted = tallymark.biometric("c.csv", truth="same", score="score", persons=("one", "other"))
    assert status == 0
    assert json.loads(out) == json.loads(wanted.to_json())
    assert json.loads(out)["comparisons"]["persons"] == 8


def test_without_persons_the_way_out_is_an_option(run, comparisons):
    _, out, _ = run("biometric", "c.csv", "--truth", "same", "--score", "score", "--all")
    assert "--persons ID1 ID2" in " ".join(out.split())


def test_what_is_refused(run, comparisons):
    status, _, said = run(
        "biometric",
        "--genuine",
        "c.csv",
        "--impostor",
        "c.csv",
        "--score",
        "score",
        "--persons",
        "one",
        "other",
    )
    assert status == 2
    assert "--persons: it names two columns of one file" in said
    status, _, said = run(
        "biometric", "c.csv", "--truth", "same", "--score", "score", "--persons", "one", "one"
    )
    assert status == 2
    assert "'one' is the column of both" in said
