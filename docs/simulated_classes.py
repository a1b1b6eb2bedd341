"""Coverage of the default intervals of several classes: measures of labels, averages over the classes, and of
a score per class.

Scores are normal; those of a case correlate, and that of its own class is higher by 1.5. Probabilities are a
softmax of these.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.special import softmax
from simulate import Found, Part, take
from simulated_defaults import row_of, tables

from tallymark import evaluate

DISTANCE, ALIKE, SCALE = 1.5, 0.3, 1.2
MANY = 300_000  # cases that stand for all
UNEVEN = 0.6  # of the size of a class to the one before
AVERAGED = ("sensitivity", "specificity", "precision", "f1", "jaccard", "matthews_correlation")
AVERAGES = ("macro", "weighted", "micro")
SETTINGS = {
    f"{design}, {cases} cases, {classes} {'uneven' if uneven else 'even'} classes": (
        design,
        cases,
        classes,
        uneven,
    )
    for classes, cases in ((3, 90), (3, 300), (3, 1000), (6, 300), (6, 1000))
    for uneven in (False, True)
    for design in ("cohort", "case-control")
}


def counted(name: str, rng: np.random.Generator, samples: int) -> Found:
    """The same sums as for two classes."""
    true = truths(name)
    found: Found = {measure: [0.0] * 6 for measure in true}
    for _ in range(samples):
        cases = drawn(SETTINGS[name], rng)
        evaluation = evaluate(**cases, classes=range(SETTINGS[name][2]), design=SETTINGS[name][0])
        for measure, value in true.items():
            take(found, measure, row_of(_of(evaluation, measure), value))
    return found


def _of(evaluation, measure):
    kind, _, name = measure.rpartition(" ")
    return evaluation.averages[kind][name] if kind else evaluation[name]


def drawn(setting: tuple, rng: np.random.Generator, many: int = 0) -> dict:
    """Labels and probabilities."""
    design, cases, classes, uneven = setting
    share = UNEVEN ** np.arange(classes) if uneven else np.ones(classes)
    share /= share.sum()
    truth = rng.choice(classes, many or cases, p=share)
    if design == "case-control":
        truth = np.repeat(
            np.arange(classes),
            np.diff(np.round(np.append(0.0, np.cumsum(share)) * (many or cases)).astype(int)),
        )
    score = np.sqrt(1 - ALIKE) * rng.normal(size=(len(truth), classes)) + np.sqrt(ALIKE) * rng.normal(
        size=(len(truth), 1)
    )
    score[np.arange(len(truth)), truth] += DISTANCE
    return {"truth": truth, "score": softmax(SCALE * score, axis=1)}


@cache
def truths(name: str) -> dict[str, float]:
    """Of all measures and averages, over many cases."""
    design, cases, classes, uneven = SETTINGS[name]
    evaluation = evaluate(
        **drawn((design, cases, classes, uneven), np.random.default_rng(classes), MANY), design=design
    )
    names = [*evaluation.keys(), *(f"{kind} {measure}" for kind in AVERAGES for measure in AVERAGED)]
    return {measure: value for measure in names if np.isfinite(value := _of(evaluation, measure).value)}


PART = Part(lambda: SETTINGS, counted, tables, 100)
