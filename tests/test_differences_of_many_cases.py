"""Standard errors of differences on many cases come from a random sample of them; values stay exact."""

import numpy as np
import pytest

from tallymark import compare
from tallymark.evaluation.paired import same_cases

N = 6_000
random = np.random.default_rng(7)
Y = (random.random(N) < 0.2).astype(int)
A, B = (1 / (1 + np.exp(-random.normal(1.5 * Y - 1, s, N) - 0.5 * random.normal(size=N))) for s in (1, 1.3))
SCORES = {"a": A, "b": B.round(3)}
# the area, influence values of ranks, losses, one with the prevalence, functions of counts
SAMPLED = "roc_auc", "average_precision", "brier_score", "log_loss", "brier_skill_score", "precision", "f1"
EXACT = "accuracy", "sensitivity", "specificity"  # counted


def compared(rng=0, **given):
    found = compare(truth=Y, score=SCORES, measures=SAMPLED + EXACT, rng=rng, **given)
    return {one.measure: one for one in found.differences}


def sample(patch):
    """From 2,000 cases on, all positives and 1,500 negatives, a third of them."""
    patch.setattr(same_cases, "MANY_CASES", 2_000)
    patch.setattr(same_cases, "SAMPLED", 1_500)
    patch.setattr(same_cases, "LEAST_FREEDOM", 200)


@pytest.mark.full
@pytest.mark.parametrize("design", ["cohort", "case-control"])
def test_standard_errors_have_at_most_the_error_that_their_degrees_of_freedom_state(design, monkeypatch):
    exact = compared(design=design)
    sample(monkeypatch)
    samples = [compared(rng, design=design) for rng in range(20)]
    for name in SAMPLED:
        apart = [one[name].standard_error / exact[name].standard_error - 1 for one in samples]
        stated = 1 / np.sqrt(2 * samples[0][name].df)
        assert 0 < np.sqrt(np.mean(np.square(apart))) < stated, name
        assert max(map(abs, apart)) < 3 * stated, name
    for one in samples:
        assert [one[name].value for name in SAMPLED] == [exact[name].value for name in SAMPLED]
        assert [one[name].to_dict() for name in EXACT] == [exact[name].to_dict() for name in EXACT]


def test_a_sample_follows_from_the_seed(monkeypatch):
    sample(monkeypatch)
    first, again, other = (compared(seed)["roc_auc"].to_dict() for seed in (0, 0, 1))
    assert first == again
    assert first["standard_error"] != other["standard_error"]


@pytest.mark.parametrize("given", [{"weight": random.random(N)}, {"clusters": np.arange(N) // 2}])
def test_weights_and_clusters_take_all_cases(given, monkeypatch):
    exact = compare(truth=Y, score=SCORES, measures=["roc_auc", "brier_score"], **given).to_dict()
    sample(monkeypatch)
    assert compare(truth=Y, score=SCORES, measures=["roc_auc", "brier_score"], **given).to_dict() == exact


def test_models_that_differ_in_few_cases_take_all_cases(monkeypatch):
    """A sample may miss these cases."""
    given = {"truth": Y, "score": {"a": A, "b": np.append(A[:-3], 1 - A[-3:])}}
    given |= {"measures": ["roc_auc", "average_precision", "brier_score"]}
    exact = compare(**given).to_dict()
    sample(monkeypatch)
    assert compare(**given).to_dict() == exact
