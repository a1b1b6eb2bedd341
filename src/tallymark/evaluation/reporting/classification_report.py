"""Precision, recall and f1 of every class with their averages, in the rows and columns of scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ...inference import Estimate
from ...inference.clustered import DependentCases, DependentTables
from ...input import validate
from ...input.calls import public
from ...input.data_info import conditions
from ...input.errors import InputError
from ...input.results import Result, Tabular, Writers
from ...input.text import json_label, whole
from ...measures import registry
from ...summaries import ConfusionMatrix
from ..class_measures import WITHHELD, ManyClasses
from ..notices import Notice
from ..results import BinaryEvaluation, ClasswiseEvaluation, Evaluation
from . import checked_evaluation

Kind = Literal["class", "accuracy", "average"]
MEASURES = {"precision": "precision", "recall": "sensitivity", "f1": "f1"}
MOST_DIGITS = 15


@dataclass(frozen=True, slots=True, repr=False)
class ReportRow(Result):
    """A row of a classification report.

    Attributes
    ----------
    label : object
        The class; of averages "micro", "macro" or "weighted", of the accuracy "accuracy".
    kind : {"class", "accuracy", "average"}
        What the row is of.
    estimates : mapping of str to Estimate
        "precision", "recall" and "f1"; of the accuracy "accuracy" alone.
    support : float
        The weight of the actual cases.
    """

    label: Any
    kind: Kind
    estimates: Mapping[str, Estimate]
    support: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        found = {name: one.to_dict() for name, one in self.estimates.items()}
        head = {"label": json_label(self.label), "kind": self.kind}
        return {**head, "estimates": found, "support": whole(self.support)}


@dataclass(frozen=True, eq=False, repr=False)
class ClassificationReport(Tabular):
    """Precision, recall and f1 of every class, with averages and the number of cases.

    Attributes
    ----------
    rows : tuple of ReportRow
        The classes, then the accuracy, or of several labels the micro average, and the macro and weighted
        averages.
    intervals : bool
        Whether the text shows intervals.
    digits : int
        Digits after the point of the text.
    design : {"cohort", "case-control"} or None
        What the intervals assume.
    weight_kind : {"count", "importance"} or None
        The kind of the weights; None without weights.
    notices : tuple of Notice
        On the data.
    """

    FORM = "evaluations.classification_report"
    WRITERS: ClassVar[Writers] = {**Tabular.WRITERS, ".txt": "text"}

    rows: tuple[ReportRow, ...]
    intervals: bool = False
    digits: int = 2
    design: str | None = None
    weight_kind: str | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text."""
        return conditions(self.design, self.weight_kind)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per class and average, as plain values, each measure with the ends of its interval."""
        names = (*MEASURES, "accuracy")
        return [
            {"label": row.label, "kind": row.kind}
            | {key: value for name in names for key, value in _ends(name, row.estimates.get(name))}
            | {"support": whole(row.support)}
            for row in self.rows
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        said = {"notices": [notice.to_dict() for notice in self.notices]} if self.notices else {}
        return {**said, "rows": [row.to_dict() for row in self.rows]}

    def __repr__(self) -> str:
        classes = sum(row.kind == "class" for row in self.rows)
        return f"<ClassificationReport of {classes} classes>"


def _ends(name: str, found: Estimate | None) -> Iterator[tuple[str, float | None]]:
    plain = {} if found is None else found.plain
    yield name, plain.get("value")
    for end in ("low", "high"):
        yield f"{name}_{end}", plain.get(end)


@public()
def classification_report(
    evaluation: Evaluation, /, *, intervals: bool = False, digits: int = 2
) -> ClassificationReport:
    """Precision, recall, f1 and number of cases of every class, with averages.

    Parameters
    ----------
    evaluation : BinaryEvaluation, MulticlassEvaluation or MultilabelEvaluation
        What `evaluate` returned.
    intervals : bool, default False
        Whether the text shows confidence intervals; `table` always has them.
    digits : int, default 2
        Digits after the point of the text.

    Returns
    -------
    ClassificationReport
        Its text has the rows and the columns of scikit-learn's function of this name.

    Raises
    ------
    InputError
        For predicted amounts, and for what is no evaluation.

    Notes
    -----
    Differs: scikit-learn shows 0 for a class that is never predicted; here its precision is undefined, shown
    as "-", as is an average over it. Of several labels there is no average over samples. At a threshold that
    was chosen on these cases, and with clusters, there are no intervals of single classes.

    Examples
    --------
    >>> import tallymark as tm
    >>> print(tm.classification_report(tm.evaluate(truth=[0, 1, 1, 1], predicted=[0, 1, 1, 0])))
    class         precision  recall  f1-score  support
    ------------  ---------  ------  --------  -------
    0                  0.50    1.00      0.67        1
    1                  1.00    0.67      0.80        3
    accuracy                             0.75        4
    macro avg          0.75    0.83      0.73        4
    weighted avg       0.88    0.75      0.77        4
    """
    e = checked_evaluation(evaluation, "classification_report")
    shown, places = validate.flag(intervals, "intervals"), validate.whole(digits, "digits", 1, MOST_DIGITS)
    many = _classes_of(e)
    sizes = many.counts.positives.tolist()
    rows = [
        ReportRow(label, "class", {name: many.each(own)[i] for name, own in MEASURES.items()}, size)
        for i, (label, size) in enumerate(zip(many.summary.labels, sizes, strict=True))
    ]
    found = (*rows, *_averages(e, many, sum(sizes)))
    return ClassificationReport(found, shown, places, e.design, e.data.weight_kind, e.notices_of_data)


def _classes_of(e: Evaluation) -> ManyClasses:
    """Every measure of every class. Raises InputError for amounts."""
    if isinstance(e, ClasswiseEvaluation):
        return e.many
    if not isinstance(e, BinaryEvaluation):
        problem = "classification_report is for classes, and these are predicted amounts"
        raise InputError("unsupported", "evaluation", problem, "print the evaluation")
    chosen, clusters = e.threshold is not None and e.threshold.chosen, None
    if isinstance(e.clusters, DependentCases):
        cases = e.clusters.cases
        called = cases.score >= cases.score.dtype.type(e.held_threshold)
        cells: dict[type, np.ndarray] = {ConfusionMatrix: 2 * cases.positive + called}
        clusters = DependentTables(e.clusters.units, cells, cases.weight)
    return ManyClasses(_matrix(e), e.settings, e.parameters, clusters, WITHHELD if chosen else None)


def _matrix(e: BinaryEvaluation) -> ConfusionMatrix:
    """The counts as a matrix of the negative and the positive class."""
    tables = [
        None if c is None else np.array([[c.tn, c.fp], [c.fn, c.tp]], float)
        for c in (e.counts, e.counts.squares)
    ]
    cells, squares = tables
    assert cells is not None
    return ConfusionMatrix(e.labels, cells, squares, ordered=True)


def _averages(e: Evaluation, many: ManyClasses, total: float) -> Iterator[ReportRow]:
    several = e.task == "multilabel"
    if not several:
        yield ReportRow("accuracy", "accuracy", {"accuracy": e.estimates["accuracy"]}, total)
    for kind in (*(["micro"] if several else []), "macro", "weighted"):
        of_kind = many.averages[kind]
        measured = {name: of_kind[registry.get(own).name] for name, own in MEASURES.items()}
        yield ReportRow(kind, "average", measured, total)
