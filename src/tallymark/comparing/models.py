"""The models that are compared, each with its evaluation and, where they are at hand, its cases one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

import numpy as np

from .. import adapters, validate
from ..arguments import only_two_classes
from ..columns import Column
from ..door import evaluate
from ..evaluation import Evaluation
from ..facts import Data
from ..labels import distinct, is_label, places
from ..reading import Reader
from ..summaries import ConfusionMatrix, LogitTable, RankingTable
from ..summaries.cases import POSITIVE_FROM, ScoredCases, content_order, rows_that_count
from ..uncertainty.clustered_matrix import ClusteredMatrix
from ..validate import InputError, shown

SCORES = "a comparison of scores"
LABELS = "compare predicted labels with predicted=, of any number of classes"


@dataclass(frozen=True, eq=False)
class Model:
    """A model on some cases.

    truth, answers: whole numbers, the true class and the predicted one, 0 and 1 where there are two; cases: of two classes, with
    scores, or with the answers as scores; limit: the threshold on them; clusters: which cases belong together; weight: of the
    cases, None where each counts once (whole weights are written out); labels: what the numbers stand for, of more than two
    classes. All None where only a summary is known.
    """

    name: str
    evaluation: Evaluation
    truth: Any = None
    answers: Any = None
    cases: Any = None
    limit: float = POSITIVE_FROM
    clusters: Any = None
    weight: Any = None
    labels: Any = None

    @property
    def of_matrix(self) -> tuple[tuple, np.ndarray, np.ndarray]:
        """The labels of its confusion matrix, and of each case the place of the true and of the predicted one among them."""
        matrix = self.evaluation.matrix
        assert matrix is not None
        known = {label: index for index, label in enumerate(matrix.labels)}
        place = np.array([known.get(label, -1) for label in self.labels])
        return matrix.labels, place[self.truth], place[self.answers]

    @property
    def content(self) -> tuple[bytes, ...]:
        """By which models are sorted before their cases are: what the summary of these holds."""
        if self.cases is None:
            assert self.evaluation.matrix is not None
            return (self.evaluation.matrix.weights.tobytes(),)
        table = self.evaluation.ranking or self.cases.table
        return tuple(np.asarray(array, float).tobytes() for array in (table.score, table.positive, table.negative))

    def taken(self, rows: np.ndarray) -> Model:
        """With its cases in this order."""
        truth, answers, clusters, weight = (
            None if array is None else array[rows] for array in (self.truth, self.answers, self.clusters, self.weight)
        )
        cases = None if self.cases is None else self.cases.taken(rows, one_by_one=False)
        return replace(self, truth=truth, answers=answers, cases=cases, clusters=clusters, weight=weight)

    @property
    def right(self) -> np.ndarray:
        return self.answers == self.truth


@dataclass(frozen=True)
class Reading:
    """How cases are read and measured: what `evaluate` takes beside the cases themselves."""

    missing: str = "reject"
    higher_is_positive: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    weight_kind: str | None = None


def read(data: Any, kind: str, named: Mapping[str, Any], reading: Reading, **others: Any) -> tuple[dict[str, Column], Data]:
    """The columns by role, and the facts. kind: "score" or "predicted"; named: by model; others: by role, as truth."""
    what, scores = (SCORES, named.values()) if kind == "score" else ("a comparison", ())
    only_two_classes(what, others["truth"], scores, data is not None, LABELS)
    roles = {f"{kind} {name}": values for name, values in named.items()}
    reader = Reader(adapters.read(data, {**others, **roles}), reading.missing, None, weight_kind=reading.weight_kind)
    return reader.columns(), reader.data(None, None)


def models_of(found: Mapping[str, Column], kind: str, reading: Reading, thresholds: Mapping[str, float | None]) -> list[Model]:
    """A model for each column of scores or answers; all are measured on the same rows."""
    names = {role: role.removeprefix(f"{kind} ") for role in found if role.startswith(f"{kind} ")}
    weight = found.get("weight")
    given: dict[str, Any] = {"truth": found["truth"], **({} if weight is None else {"weight": weight}), **reading.options}
    if kind == "score":
        given["higher_is_positive"] = reading.higher_is_positive
    of = {role: given | {kind: found[role]} | _threshold(thresholds.get(name)) for role, name in names.items()}
    evaluations = {role: _evaluated(one, found.get("clusters")) for role, one in of.items()}
    rows, left = _counting(weight)
    clusters = None if "clusters" not in found else codes_of(found["clusters"])[1]
    shared = {"clusters": None if clusters is None else np.unique(clusters[rows], return_inverse=True)[1], "weight": left}
    if kind == "score":
        return _in_order([_scored(name, evaluations[role], found, role, rows, reading, shared) for role, name in names.items()])
    return _labelled(names, evaluations, found, rows, shared)


def _in_order(models):
    """With their cases in an order that follows from the cases alone, whatever the order of the rows and of the models."""
    one = models[0]
    by_content = sorted(models, key=attrgetter("content"))
    answered = [-(model.answers if model.cases is None else model.cases.score) for model in by_content]
    order = content_order(*answered, -one.truth, one.weight, one.clusters)
    return [model.taken(order) for model in models]


def _evaluated(given, clusters):
    """With clusters where there are two classes; of more they follow once the cases are coded."""
    found = evaluate(**given)
    return found if clusters is None or found.counts is None else evaluate(**given, clusters=clusters)


def _threshold(value):
    return {} if value is None else {"threshold": value}


def _counting(weight):
    """The rows that count, as often as their counts say, and importance weights."""
    if weight is None:
        return slice(None), None
    rows, array = rows_that_count(weight), np.asarray(validate.weights(weight))
    return rows, None if validate.are_counts(weight) else array[rows]


def _scored(name, evaluation, found, role, rows, reading, shared):
    truth, score = is_label(found["truth"].values[rows], evaluation.labels[1]), validate.scores(found[role])[rows]
    sign = 1 if reading.higher_is_positive else -1
    limit = sign * evaluation.threshold.value
    kind = LogitTable if evaluation.score_kind == "logit" else RankingTable
    score = score + 0.0 if sign > 0 else 0.0 - score
    cases = ScoredCases(truth, score, shared["weight"], kind, "importance")
    with np.errstate(over="ignore"):
        answers = score >= score.dtype.type(limit)
    return Model(name, evaluation, truth.astype(np.int64), answers.astype(np.int64), cases, limit, **shared)


def _labelled(names, evaluations, found, rows, shared):
    """Labels of two classes by which one is positive, of more by their place in the order."""
    first = next(iter(evaluations.values()))
    if all(one.counts is not None for one in evaluations.values()):
        positive = first.labels[1]
        coded = {role: is_label(found[role].values, positive).astype(np.int64)[rows] for role in ("truth", *names)}
        score = {role: coded[role].astype(np.float32) for role in names}
        given = {"weight": shared["weight"], "weight_kind": "importance"}
        cases: dict[str, Any] = {role: ScoredCases(coded["truth"] == 1, score[role], **given) for role in names}
    else:
        return _of_classes(names, evaluations, found, rows, shared)
    return _in_order(
        [Model(name, evaluations[role], coded["truth"], coded[role], cases[role], **shared) for role, name in names.items()]
    )


def _of_classes(names, evaluations, found, rows, shared):
    """Models of three and more classes, which one of them at least predicts or the cases have."""
    labels = sorted(set().union(*(one.matrix.labels for one in evaluations.values())))
    evaluations = {role: one if one.counts is None else _with_classes(one, labels) for role, one in evaluations.items()}
    coded = {role: places(found[role].values, labels)[rows] for role in ("truth", *names)}
    shared = shared | {"labels": labels}
    models = _in_order([Model(name, evaluations[role], coded["truth"], coded[role], **shared) for role, name in names.items()])
    return models if shared["clusters"] is None else [replace(model, evaluation=_grouped(model)) for model in models]


def _with_classes(evaluation, labels):
    """An evaluation of two classes as one of all that other models know."""
    matrix = evaluation.matrix + ConfusionMatrix(tuple(labels), np.zeros(2 * [len(labels)]))
    return replace(evaluation, counts=None, matrix=matrix, labels=Evaluation.labels, clusters=None)


def _grouped(model):
    """Its evaluation with intervals of clusters."""
    labels, truth, answers = model.of_matrix
    return replace(model.evaluation, clusters=ClusteredMatrix(labels, truth, answers, model.clusters, model.weight))


def codes_of(column: Column) -> tuple[list, np.ndarray]:
    """The labels of a column in their order, and the place of each value. Raises InputError where one is missing."""
    values = column.values
    lost = np.array([value is None for value in values.tolist()]) if values.dtype.kind == "O" else column.gaps()
    if lost.any():
        raise InputError(f"{column}: the value in {column.row(int(lost.argmax()))} is missing; give one to every case.")
    labels = distinct(values)
    return labels, places(values, labels)


def names_of(values: Any, role: str, of_data: bool) -> dict[str, Any]:
    """By name of the model, the name of its column, or its array."""
    if isinstance(values, Mapping):
        return dict(zip(_different(map(str, values), role), values.values(), strict=True))
    if isinstance(values, str):
        return {values: values}
    if not of_data and isinstance(getattr(values, "shape", None), tuple) and hasattr(values, "columns"):
        columns = getattr(values, "column_names", values.columns)  # Arrow's own are the arrays themselves
        return {name: values[column] for name, column in zip(_different(map(str, columns), role), columns, strict=True)}
    if isinstance(values, np.ndarray) and values.ndim == 2:
        return {f"model {i + 1}": values[:, i] for i in range(values.shape[1])}
    if not isinstance(values, (list, tuple)):
        return {"model": values}
    if of_data:
        return {name: name for name in _different(values, role)}
    if any(isinstance(one, str) or not hasattr(one, "__len__") for one in values):
        return {"model": values}
    return {f"model {i + 1}": one for i, one in enumerate(values)}


def _different(values, role):
    names = list(values)
    odd = next((one for one in names if not isinstance(one, str)), None)
    if odd is not None:
        only_two_classes(SCORES, None, [odd], True, LABELS)
        raise InputError(f"{role}: with data given, name its columns, not a {type(odd).__name__}; or leave data out.")
    if len(set(names)) < len(names):
        raise InputError(f"{role}: {shown(names)} names a column twice; name each model once.")
    return names


def several(named: Mapping[str, Any], role: str) -> None:
    """Two models or more. Raises InputError."""
    if len(named) < 2:
        ways = f"as {role}=['a', 'b'], a second data set, or sample="
        raise InputError(f"{role}: one model only; give the columns or arrays of two or more, {ways}.")


def thresholds_of(given: Any, names: list[str]) -> dict[str, float | None]:
    """By model. Raises InputError where there are not as many as models."""
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in names]
        if unknown:
            raise InputError(f"threshold: {shown(unknown[0])} is no model here; the models are {', '.join(names)}.")
        return {name: given.get(name) for name in names}
    if isinstance(given, (list, tuple, np.ndarray)):
        if len(given) != len(names):
            raise InputError(f"threshold: {len(given)} thresholds for {len(names)} models; give one, or one for each.")
        return dict(zip(names, given, strict=True))
    return dict.fromkeys(names, given)
