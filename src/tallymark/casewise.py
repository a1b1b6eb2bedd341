"""Cases kept one by one, with their scores: what resampling, and intervals of whole clusters, need.

A case of a count of 2 is two cases; one of an importance weight is drawn as one, with its weight. The cases are held by falling
score (then by class, weight and cluster), so that resamples do not depend on the order of the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import adapters, probabilities, validate
from .facts import Data
from .labels import BinaryLabels, distinct
from .persons import both_persons, numbers_of
from .reading import Reader
from .summaries import LogitTable, RankingTable
from .summaries.cases import ScoredCases, content_order, rows_that_count
from .summaries.counts import tally
from .validate import InputError


@dataclass(frozen=True, eq=False)
class Casewise:
    """model: the cases with their scores; clusters: per case the number of its cluster, or None; data: what was read; labels: the
    negative and the positive one; sign: -1 where the scores are held negated, since a lower one means positive; persons: of each
    comparison the numbers of its two persons."""

    model: ScoredCases
    clusters: np.ndarray | None
    data: Data
    labels: tuple
    sign: int = 1
    persons: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def cluster_count(self) -> int:
        """How many clusters there are; 0 without."""
        return 0 if self.clusters is None else int(self.clusters.max()) + 1


def read(
    data: Any,
    *,
    truth: Any,
    score: Any = None,
    predicted: Any = None,
    weight: Any = None,
    weight_kind: str | None = None,
    clusters: Any = None,
    persons: Any = None,
    positive: Any = None,
    higher_is_positive: bool = True,
    missing: str = "reject",
    score_kind: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Casewise:
    """From arrays, a frame or files, as `evaluate` takes them. Predicted labels are held as scores: 1 for the positive one, else 0.

    persons: the two persons of each comparison, as two columns or arrays. Raises InputError for what a RankingTable refuses, for
    cases without a cluster or a person, and for mated comparisons of two persons or non-mated ones of one.
    """
    given = {"truth": truth, "score": score, "predicted": predicted, "weight": weight, "clusters": clusters} | both_persons(persons)
    validate.choice(missing, ("reject", "drop"), "missing")
    validate.function(progress, "progress")
    validate.weight_kind(weight_kind, weight)
    reader = Reader(adapters.read(data, given), missing, progress, weight_kind=weight_kind)
    columns = reader.columns()
    known, kind = BinaryLabels(positive), LogitTable if score_kind == "logit" else RankingTable
    if score_kind == "probability":
        probabilities.check(columns["score"])
    column = columns["score"] if predicted is None else _as_scores(known, columns["truth"], columns["predicted"])
    model = ScoredCases.from_columns(known, columns["truth"], column, columns.get("weight"), kind)
    if not higher_is_positive:
        model.score = 0.0 - model.score
    of_cluster = columns.get("clusters")
    weights = columns.get("weight")
    one_by_one = of_cluster is None and persons is None
    rows = None if weights is None else rows_that_count(weights, one_by_one)
    pair = () if persons is None else numbers_of(columns, model.positive)
    model = model if rows is None else model.taken(rows, one_by_one)
    pair = pair if rows is None else tuple(one[rows] for one in pair)
    numbered = None if of_cluster is None else _numbered(of_cluster.values if rows is None else of_cluster.values[rows])
    order = content_order(-model.score, ~model.positive, model.weight, numbered, *pair)
    taken = model.taken(order, one_by_one=False)
    return Casewise(
        taken.in_cases() if one_by_one else taken,
        None if numbered is None else numbered[order],
        reader.data(model.table.positives, model.table.negatives),
        known.pair(),
        1 if higher_is_positive else -1,
        (pair[0][order], pair[1][order]) if pair else None,
    )


def _as_scores(known, truth, predicted):
    """Predicted labels as scores: 1 where positive, else 0. Raises InputError where they are not the labels of truth."""
    found = distinct(truth.values)
    if known.wanted is None and len(found) > 2:
        raise InputError(
            f"{truth}: {len(found)} classes, but clusters= needs two; take one class against the rest, as truth == label and "
            "predicted == label, or leave clusters out."
        )
    codes, positive = known.encode(predicted)
    tally(known, truth, predicted, codes, positive, None)  # checks the labels of both columns together
    return replace(predicted, values=(codes == positive).astype(np.float64))


def _numbered(clusters: np.ndarray) -> np.ndarray:
    """Each case's cluster as a number from 0 on."""
    return np.unique(clusters, return_inverse=True)[1].astype(np.int64)
