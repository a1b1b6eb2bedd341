"""Inputs that several tests draw from: cases, and the summaries of them."""

import itertools

import numpy as np
from hypothesis import strategies as st

from tallymark import Counts, RankingTable
from tallymark.registry import all_measures

EVERY = list(all_measures())
SCORES = (0.0, 0.1, 0.25, 0.5, 0.7, 0.9, 1.0)  # few, so that ties are common; 0 and 1, so that something certain is wrong
THRESHOLD = 0.5


def measures_of(*kinds):
    """The measures of these kinds of summary, of all kinds if none is named."""
    return [entry for entry in EVERY if not kinds or entry.summary in kinds]


def name(entry):
    """How a measure shows in the name of a test."""
    return getattr(entry, "name", None)


def grid(*values):
    """Counts with every combination of these values in its cells: arrays of shape (len(values)**4,)."""
    return Counts(**dict(zip(("tp", "fp", "fn", "tn"), np.array(list(itertools.product(values, repeat=4)), float).T, strict=True)))


@st.composite
def cases(draw, min_size=1, max_size=12, scores=SCORES, both_classes=False):
    """Arrays (truth, score) of a few cases; the classes come in any mix, or both are there."""
    rows = draw(st.lists(st.tuples(st.integers(0, 1), st.sampled_from(scores)), min_size=min_size, max_size=max_size))
    if both_classes:
        rows += [(0, draw(st.sampled_from(scores))), (1, draw(st.sampled_from(scores)))]
    truth, score = zip(*rows, strict=True)
    return np.array(truth), np.array(score)


def weights(size, values=(0.3, 0.7, 1.0, 2.0)):
    """One weight for each of `size` cases."""
    return st.lists(st.sampled_from(values), min_size=size, max_size=size).map(np.array)


@st.composite
def tables(draw, fractional=None, **how):
    """A ranking table of a few cases, with weights that are whole, or fractional, or (None) either."""
    truth, score = draw(cases(**how))
    weighted = draw(st.booleans()) if fractional is None else fractional
    return RankingTable.from_arrays(truth=truth, score=score, weight=draw(weights(len(truth))) if weighted else None)


def counts(values=(0, 0, 0, 1, 2, 3, 5, 20, 400)):
    """Four small counts, often zero, of at least one case."""
    cell = st.sampled_from(values)
    return st.builds(Counts, tp=cell, fp=cell, fn=cell, tn=cell).filter(lambda c: c.total > 0)


def summaries(kind):
    """Summaries of this kind, of at least one case."""
    return {Counts: counts, RankingTable: tables}[kind]()


def nothing(kind):
    """The summary of no cases."""
    return {Counts: Counts.zero, RankingTable: RankingTable.empty}[kind]()


def tables_at_the_ends(rounds):
    """Tables of fractional weights that are perfectly in order, inverted, wholly tied, or lose the same in every case."""
    random = np.random.default_rng(3)
    for _ in range(rounds):
        weight, none = random.random(4), np.zeros(4)
        ordered = np.concatenate([weight, none]), np.concatenate([none, random.random(4)])
        score = np.linspace(1, 0, 8)
        yield RankingTable(score, *ordered)
        yield RankingTable(score, *ordered[::-1])
        yield RankingTable([0.5], weight[:1], weight[1:2])
        yield RankingTable([0.7, 0.3], [weight[2], 0], [0, weight[3]])
