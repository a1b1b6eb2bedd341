"""Maxima over the thresholds report the threshold at which they are."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import tallymark as tm

EXAMPLES = tomllib.loads((Path(__file__).parent / "worked_examples.toml").read_text(encoding="utf-8"))
MAXIMA = ("youden_j_max", "kolmogorov_smirnov")


def test_the_maximum_of_berrars_figure_5b_is_at_t6():
    """Below 0.50 and above 0.45: tpr 0.8 and fpr 0.2; a case is positive from 0.50 on."""
    cases = next(one for one in EXAMPLES["example"] if one["id"] == "berrar-figure-2")
    e = tm.evaluate(truth=cases["label"], score=cases["score"])
    assert [(e[name].value, e[name].threshold) for name in MAXIMA] == [(pytest.approx(0.6), 0.5)] * 2


def by_hand(truth, score, higher):
    """The largest gap, and of all thresholds with it the one that predicts the fewest cases positive."""
    best = []
    for limit in sorted(set(score), reverse=higher):
        called = score >= limit if higher else score <= limit
        gap = called[truth == 1].mean() - called[truth == 0].mean()
        best.append((gap, limit))
    largest = max(gap for gap, _ in best)
    return next(limit for gap, limit in best if gap > largest - 1e-12)


@pytest.mark.full
def test_thresholds_by_hand_in_both_directions():
    random, wrong = np.random.default_rng(7), []
    for number in range(30):
        truth = np.append([0, 1], random.integers(0, 2, 10))
        score = random.integers(0, 8, 12) / 8
        for higher in (True, False):
            e = tm.evaluate(truth=truth, score=score, higher_is_positive=higher)
            found = e["youden_j_max"]
            as_wanted = (
                found.threshold == by_hand(truth, score, higher),
                e.at(found.threshold)["youden_j"].value == pytest.approx(found.value, abs=1e-12),
                e["kolmogorov_smirnov"].to_dict()["threshold"] == e["kolmogorov_smirnov"].threshold,
            )
            wrong += [] if all(as_wanted) else [(number, higher, found.threshold)]
    assert wrong == []


def test_the_threshold_is_printed():
    e = tm.evaluate(truth=[0, 1, 1, 0, 1], score=[0.1, 0.4, 0.8, 0.5, 0.9])
    assert "at the threshold 0.8" in str(e[["youden_j_max"]])
    assert "at the threshold 0.8" in " ".join(str(e.all).split())
    assert "at the threshold 0.8" in e.to_html()
    assert "at the threshold" not in str(e[["roc_auc"]])


def test_of_one_class_there_is_none():
    e = tm.evaluate(truth=[1, 1], score=[0.1, 0.4], positive=1)
    assert e["youden_j_max"].undefined
    assert e["youden_j_max"].threshold is None
