"""The same answer on any number of threads, of everything that is computed on several of them."""

import numpy as np
import pytest
from looping import for_each

import tallymark as tm
from tallymark.kernels import MANY, threads

N = MANY + MANY // 8  # more than a thread takes
RANDOM = np.random.default_rng(5)
TRUTH = (RANDOM.random(N) < 0.3).astype(int)
SCORE = RANDOM.random(N) * 0.6 + 0.4 * TRUTH * RANDOM.random(N)
OTHER = np.clip(SCORE + RANDOM.normal(0, 0.1, N), 0, 1)
CASES = {"truth": TRUTH, "score": SCORE}
ANSWERS = {
    "evaluate": lambda: str(tm.evaluate(**CASES)),
    "all measures": lambda: str(tm.evaluate(**CASES).all),
    "importance weights": lambda: str(tm.evaluate(**CASES, weight=1 + SCORE, weight_kind="importance")),
    "groups": lambda: str(tm.evaluate(**CASES, by=np.arange(N) % 7)),
    "models": lambda: str(tm.evaluate(truth=TRUTH, score={"one": SCORE, "other": OTHER})),
    "compare": lambda: str(tm.compare(truth=TRUTH, score={"one": SCORE.round(3), "other": OTHER})),
    "bootstrap": lambda: str(tm.bootstrap(**CASES, replicates=50, measures=["roc_auc", "f1"]).table),
    "predicted labels": lambda: str(tm.evaluate(truth=TRUTH, predicted=SCORE > 0.5)),
}


@pytest.mark.full
@for_each("answer", ANSWERS)
def test_the_answer_is_the_same_on_any_number_of_threads(answer, monkeypatch):
    found = {}
    for number in (1, 2, 16):
        monkeypatch.setattr(threads.os, "sched_getaffinity", lambda _, number=number: range(number))
        found[number] = ANSWERS[answer]()
    assert found[1] == found[2] == found[16]
