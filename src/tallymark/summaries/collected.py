"""Cases of two classes collected one by one, for resampling, comparing and intervals with clusters.

A case with a count of 2 is two cases; one with an importance weight is drawn as one, with its weight. The
cases are sorted by descending score (then by class, weight and cluster), so that resamples do not depend on
the order of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..input import probabilities, validate
from ..input.answers import same_words
from ..input.cases import Cases
from ..input.columns import Column
from ..input.data_info import DataInfo
from ..input.errors import InputError
from ..input.labels import BinaryLabels, Coded, distinct, not_swapped
from ..input.persons import numbers_of
from ..input.spec import CaseSpec
from ..input.spelling import option
from . import LogitTable, RankingTable
from .cases import ScoredCases, content_order, rows_that_count
from .counts import tally


@dataclass(frozen=True, eq=False)
class TwoClassCases:
    """Cases of two classes, with what was read.

    model: the cases with their scores; clusters: the number of the cluster of each case, or None; data: facts
    of the input; labels: the negative and the positive one; sign: -1 where scores are held negated, since a
    lower one means positive; persons: the numbers of the two persons of each comparison; unanswered: the
    cases with a score of 1 where the predicted label is no class, else 0, and their clusters, or None.
    """

    model: ScoredCases
    clusters: np.ndarray | None
    data: DataInfo
    labels: tuple[Any, Any]
    sign: int = 1
    persons: tuple[np.ndarray, np.ndarray] | None = None
    unanswered: tuple[ScoredCases, np.ndarray] | None = None

    @property
    def cluster_count(self) -> int:
        """The number of clusters; 0 if there are none."""
        return 0 if self.clusters is None else int(self.clusters.max()) + 1


def collect(cases: Cases) -> TwoClassCases:
    """Collect cases; predicted labels are held as scores, 1 for the positive one, else 0.

    Raises InputError as a RankingTable does, for cases without a cluster or a person, and for mated
    comparisons of two persons or non-mated ones of one.
    """
    return of_columns(cases.columns(), cases.spec, cases.data)


@dataclass
class Encoding:
    """The labels of cases, encoded once for all models."""

    labels: BinaryLabels
    coded: Coded | None = None

    def of(self, truth: Column) -> Coded:
        """The codes of the actual labels, which are the same for every model."""
        self.coded = self.labels.coded(truth) if self.coded is None else self.coded
        return self.coded


def of_columns(
    columns: Mapping[str, Column],
    spec: CaseSpec,
    data: Callable[[float, float], DataInfo],
    encoding: Encoding | None = None,
) -> TwoClassCases:
    """Collect the cases of columns that are read already.

    data: the facts, by the weight of positives and of negatives; encoding: of the truth, shared by models of
    the same cases.
    """
    truth, weight, clusters = columns["truth"], columns.get("weight"), columns.get("clusters")
    encoding = Encoding(BinaryLabels(spec.positive, spec.classes)) if encoding is None else encoding
    labels = encoding.labels
    score = (
        score_of(spec, columns["score"], truth)
        if spec.predicted is None
        else _as_scores(labels, truth, columns["predicted"])
    )
    model = ScoredCases.from_coded(labels, encoding.of(truth), score, weight, kind_of_table(spec))
    pair = () if spec.persons is None else numbers_of(columns, model.positive)
    taken, numbered, pair = in_order(model, weight, None if clusters is None else clusters.values, pair)
    about = data(model.table.positives, model.table.negatives)
    found = TwoClassCases(taken, numbered, about, labels.pair(), sign_of(spec), pair or None)
    called = columns.get("predicted")
    if called is None or called.unanswered is None or clusters is None:
        return found
    absent = replace(called, values=called.unanswered.astype(np.float64))
    cases = ScoredCases.from_coded(labels, encoding.of(truth), absent, weight)
    ordered, of_each, _ = in_order(cases, weight, clusters.values)
    assert of_each is not None
    return replace(found, unanswered=(ordered, of_each))


def kind_of_table(spec: CaseSpec) -> type[RankingTable]:
    """The type of the tables of its scores."""
    return LogitTable if spec.score_kind == "logit" else RankingTable


def sign_of(spec: CaseSpec) -> int:
    """-1 where a lower score means positive."""
    return 1 if spec.higher_is_positive else -1


def score_of(spec: CaseSpec, score: Column, truth: Column) -> Column:
    """The scores of cases, higher for positives. Raises InputError for probabilities outside [0, 1]."""
    not_swapped(truth, score)
    if spec.score_kind == "probability":
        validate.no_gaps(score)
        probabilities.check(score)
    return score if spec.higher_is_positive else replace(score, values=0.0 - validate.scores(score))


def in_order(
    model: ScoredCases, weight: Column | None, clusters: np.ndarray | None, pair: tuple[np.ndarray, ...] = ()
) -> tuple[ScoredCases, np.ndarray | None, tuple[Any, ...]]:
    """The cases, the numbers of their clusters, and their persons, in an order of their own.

    The order depends on the cases alone. A case with a count of 2 is two; with clusters or persons a case
    stays one, with its weight.
    """
    one_by_one = clusters is None and not pair
    table = model.table
    if weight is not None:
        rows = rows_that_count(weight, one_by_one)
        model, pair = model.taken(rows, one_by_one), tuple(one[rows] for one in pair)
        clusters = None if clusters is None else clusters[rows]
    numbered = None if clusters is None else np.unique(clusters, return_inverse=True)[1].astype(np.int64)
    order = content_order(-model.score, ~model.positive, model.weight, numbered, *pair)
    taken = model.taken(order, one_by_one=False)
    if one_by_one:
        taken, table = taken.in_cases(), table.as_cases
    return (
        taken.with_table(table),
        None if numbered is None else numbered[order],
        tuple(one[order] for one in pair),
    )


def _as_scores(known: BinaryLabels, truth: Column, predicted: Column) -> Column:
    """Predicted labels as scores: 1 if positive, else 0. Raises InputError for other labels than of truth."""
    found = distinct(truth.values)
    if known.wanted is None and len(found) > 2:
        raise InputError(
            "unsupported",
            truth,
            f"{len(found)} classes, but {option('clusters')} needs two",
            "take one class against the rest, as truth == label and predicted == label, or leave"
            " clusters out",
        )
    same_words(truth, found, distinct(predicted.values), known.wanted)
    codes, positive = known.encode(predicted)
    tally(known, truth, predicted, codes, positive, None)  # checks the labels of both columns together
    called = codes == positive
    if predicted.unanswered is not None:  # wrong, whichever class the case is of
        called = np.where(predicted.unanswered, ~known.coded(truth).is_positive, called)
    return replace(predicted, values=called.astype(np.float64))
