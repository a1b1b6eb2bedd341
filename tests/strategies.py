"""Inputs that several tests draw from: cases, and the summaries of them."""

import inspect
import itertools
import math

import numpy as np
from hypothesis import strategies as st

from tallymark import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from tallymark.measures.registry import all_measures

EVERY = list(all_measures())
# few, so that ties are common; 0 and 1, so that something certain is wrong
SCORES = (0.0, 0.1, 0.25, 0.5, 0.7, 0.9, 1.0)
THRESHOLD = 0.5
CELLS = ("tp", "fp", "fn", "tn")


def measures_of(*kinds):
    """The measures of these kinds of summary, of all kinds if none is named."""
    return [entry for entry in EVERY if not kinds or entry.summary in kinds]


def name(entry):
    """How a measure shows in the name of a test: its forms of other summaries by the kind of these, too."""
    plain, kind = getattr(entry, "name", None), getattr(entry, "summary", None)
    form = {ConfusionMatrix: "-matrix", ClassScores: "-classes", Residuals: "-residuals"}.get(kind)
    return f"{plain}{form}" if form and plain else plain


def whole(entry, parameter):
    """Whether a parameter must be a whole number, as a number of bins."""
    return inspect.signature(entry.function).parameters[parameter].annotation in (int, "int")


def says(entry, sentence):
    """Whether the docstring of a measure says this."""
    return sentence in " ".join(entry.function.__doc__.split())


def grid(*values):
    """Counts with every combination of these values in its cells: arrays of shape (len(values)**4,)."""
    return Counts(
        **dict(zip(CELLS, np.array(list(itertools.product(values, repeat=4)), float).T, strict=True))
    )


GRID = grid(0, 1, 2, 3, 7, 50, 1000)
UNEVEN = grid(0, 0.1, 0.3, 1, 7.7, 1234.5)
# no cell is 0
BUSY = Counts(**dict(zip(CELLS, np.random.default_rng(5).integers(1, 500, (4, 60)), strict=True)))
# small ties, many cases
BUSY_TABLE = RankingTable(np.arange(150, 0, -1) / 151, *np.random.default_rng(5).integers(0, 4, (2, 150)))


def matrix(weights):
    """The confusion matrix of these rows, its labels numbered."""
    weights = np.asarray(weights, float)
    return ConfusionMatrix(tuple(range(len(weights))), weights)


def of_two_classes(c):
    """The matrix of four counts, negative class first."""
    return matrix([[c.tn, c.fp], [c.fn, c.tp]])


def some_matrices(number, values=(0, 0, 0, 1, 2, 3, 7, 50, 1000), sizes=(1, 2, 3, 4, 6), seed=6):
    """Matrices of these sizes in turn, of at least one case, many cells empty, and some whole rows and
    columns."""
    random = np.random.default_rng(seed)
    for _, size in zip(range(number), itertools.cycle(sizes), strict=False):
        weights = random.choice(np.array(values, float), (size, size))
        weights *= np.outer(random.random(size) < 0.8, random.random(size) < 0.8)
        if not weights.any():
            weights[random.integers(size), random.integers(size)] = max(values)
        yield matrix(weights)


FRACTIONS = (0, 0, 0.1, 0.3, 0.7, 1, 7.7, 1234.5)


@st.composite
def cases(draw, min_size=1, max_size=12, scores=SCORES, both_classes=False):
    """Arrays (truth, score) of a few cases; the classes come in any mix, or both are there."""
    rows = draw(
        st.lists(st.tuples(st.integers(0, 1), st.sampled_from(scores)), min_size=min_size, max_size=max_size)
    )
    if both_classes:
        rows += [(0, draw(st.sampled_from(scores))), (1, draw(st.sampled_from(scores)))]
    truth, score = zip(*rows, strict=True)
    return np.array(truth), np.array(score)


def given_to(entry, truth, score):
    """The arguments that make the summary of an entry of two classes' cases, called positive from THRESHOLD
    on."""
    called = (score >= THRESHOLD).astype(int)
    return {
        Counts: {"truth": truth, "score": score, "threshold": THRESHOLD},
        RankingTable: {"truth": truth, "score": score},
        ConfusionMatrix: {"truth": truth, "predicted": called},
        IndicatorTable: {"truth": truth[:, None], "predicted": called[:, None]},
        ClassScores: {"truth": truth, "score": np.stack([1 - score, score], axis=1), "classes": (0, 1)},
        Residuals: {"truth": truth, "predicted": score},
    }[entry.summary]


OF_TWO_CLASSES = {"top_k_accuracy": {"k": 1}}  # both are always among the two highest


def measured(entry, truth, score, weight=None, **more):
    """The measure of two classes' cases."""
    return entry(**given_to(entry, truth, score), weight=weight, **OF_TWO_CLASSES.get(entry.name, {}), **more)


def weights(size, values=(0.3, 0.7, 1.0, 2.0)):
    """One weight for each of `size` cases."""
    return st.lists(st.sampled_from(values), min_size=size, max_size=size).map(np.array)


@st.composite
def tables(draw, fractional=None, **how):
    """A ranking table of a few cases, with weights that are whole, or fractional, or (None) either."""
    truth, score = draw(cases(**how))
    weighted = draw(st.booleans()) if fractional is None else fractional
    return RankingTable.from_arrays(
        truth=truth, score=score, weight=draw(weights(len(truth))) if weighted else None
    )


def counts(values=(0, 0, 0, 1, 2, 3, 5, 20, 400)):
    """Four small counts, often zero, of at least one case."""
    cell = st.sampled_from(values)
    return st.builds(Counts, tp=cell, fp=cell, fn=cell, tn=cell).filter(lambda c: c.total > 0)


@st.composite
def matrices(draw, values=(0, 0, 0, 1, 2, 3, 5, 20, 400), min_classes=1, max_classes=4):
    """The matrix of a few classes, many of its cells empty, of at least one case."""
    size = draw(st.integers(min_classes, max_classes))
    cells = st.lists(st.sampled_from(values), min_size=size * size, max_size=size * size).filter(any)
    return matrix(np.reshape(draw(cells), (size, size)))


@st.composite
def indicators(draw):
    """A few cases that may have each of three labels."""
    size = draw(st.integers(1, 8))
    rows = st.lists(st.booleans(), min_size=3 * size, max_size=3 * size).map(
        lambda drawn: np.reshape(drawn, (size, 3))
    )
    return IndicatorTable.from_arrays(truth=draw(rows), predicted=draw(rows))


@st.composite
def class_scores(draw, fractional=None, min_size=1, max_size=10):
    """A score per class of a few cases, often tied; some of the classes may have no case."""
    size, number = draw(st.integers(2, 4)), draw(st.integers(min_size, max_size))
    truth = draw(st.lists(st.integers(0, size - 1), min_size=number, max_size=number))
    drawn = np.reshape(
        draw(st.lists(st.integers(0, 4), min_size=number * size, max_size=number * size)), (number, size)
    )
    drawn[drawn.sum(1) == 0] = 1
    score = drawn / drawn.sum(1, keepdims=True)
    weighted = draw(st.booleans()) if fractional is None else fractional
    cases_ = {"truth": truth, "score": score, "classes": range(size)}
    return ClassScores.from_arrays(**cases_, weight=draw(weights(number)) if weighted else None)


@st.composite
def residuals(draw, fractional=None, min_size=1, max_size=10):
    """The errors of a few predicted numbers, often 0 or equal."""
    number = draw(st.integers(min_size, max_size))
    amounts = st.lists(
        st.sampled_from((-2.0, 0.0, 0.1, 1.0, 1.5, 7.7, 1234.5)), min_size=number, max_size=number
    )
    weighted = draw(st.booleans()) if fractional is None else fractional
    cases_ = {"truth": draw(amounts), "predicted": draw(amounts)}
    return Residuals.from_arrays(**cases_, weight=draw(weights(number)) if weighted else None)


def summaries(kind):
    """Summaries of this kind, of at least one case."""
    of_kind = {Counts: counts, RankingTable: tables, ConfusionMatrix: matrices, IndicatorTable: indicators}
    return (of_kind | {ClassScores: class_scores, Residuals: residuals})[kind]()


def nothing(kind):
    """The summary of no cases."""
    if kind is IndicatorTable:
        return IndicatorTable(("a",), np.zeros((3, 3)), 0.0, 0.0)
    if kind is ClassScores:
        return ClassScores((0, 1, 2), np.empty(0, np.int64), np.empty((0, 3)), np.empty(0))
    empty_of = {Counts: Counts.zero, RankingTable: RankingTable.empty, ConfusionMatrix: ConfusionMatrix.empty}
    return (empty_of | {Residuals: Residuals.empty})[kind]()


def tables_at_the_ends(rounds):
    """Tables of fractional weights that are perfectly in order, inverted, wholly tied, or lose the same in
    every case."""
    random = np.random.default_rng(3)
    for _ in range(rounds):
        weight, none = random.random(4), np.zeros(4)
        ordered = np.concatenate([weight, none]), np.concatenate([none, random.random(4)])
        score = np.linspace(1, 0, 8)
        yield RankingTable(score, *ordered)
        yield RankingTable(score, *ordered[::-1])
        yield RankingTable([0.5], weight[:1], weight[1:2])
        yield RankingTable([0.7, 0.3], [weight[2], 0], [0, weight[3]])


def same(a, b, within=1e-12):
    """Equal up to rounding; NaN equals NaN."""
    return np.allclose(a, b, rtol=within, atol=within, equal_nan=True)


def empty(entry, summary):
    """Where one of the parts that the docstring names adds up to nothing."""
    parts = [sum(getattr(summary, part) for part in parts) == 0 for _, parts in entry.conditions]
    return np.logical_or.reduce(parts)


def reasoned(found):
    """An interval around the value, or words instead."""
    if found.undefined:
        return math.isnan(found.value) and not found.has_interval
    if not found.has_interval:
        return bool(found.note)
    return found.low <= found.value <= found.high and found.low < found.high and bool(found.method)
