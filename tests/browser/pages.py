"""Evaluations of two classes that differ in what their page has, and their pages."""

from functools import cache

import numpy as np

from tallymark import evaluate

EVIL = "<script>alert(1)</script>"
RANDOM = np.random.default_rng(7)
TRUTH = RANDOM.random(240) < 0.3
SCORE = np.clip(np.round(0.35 * TRUTH + 0.65 * RANDOM.random(240), 2), 0, 1)
TEN = {"truth": [0, 1, 0, 1, 1, 0, 0, 1, 0, 1], "score": [0.1, 0.9, 0.4, 0.35, 0.8, 0.2, 0.6, 0.7, 0.05, 0.5]}

CASES = {
    "probabilities": {"truth": np.where(TRUTH, "ill", "well"), "score": SCORE, "positive": "ill"},
    "ten cases": TEN,
    "margins": {"truth": TRUTH, "score": 8 * SCORE - 3, "threshold": 0.5},
    "lower is positive": {"truth": TRUTH, "score": -SCORE, "threshold": -0.5, "higher_is_positive": False},
    "weights": {"truth": TRUTH, "score": SCORE, "weight": np.sqrt(0.3 + SCORE)},
    "evil": {"truth": np.where(TRUTH, EVIL, "</script><b>"), "score": SCORE, "positive": EVIL},
    "perfect": {"truth": SCORE > 0.5, "score": SCORE},
}
SHORT = (
    "probabilities",
    "ten cases",
    "margins",
    "lower is positive",
    "weights",
)  # in CI; all in the slow tier


@cache
def evaluation(name):
    """The evaluation of this name."""
    return evaluate(**CASES[name])


@cache
def page(name):
    """Its page."""
    return evaluation(name).to_html()
