"""The cases of any task one by one, with the units that are drawn, of columns, a summary or an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...inference import Settings
from ...inference.clustered import DependentCases
from ...input import CaseSpec, validate
from ...input.arguments import OF_UNITS
from ...input.data_info import DataInfo
from ...input.sample import Sample, name_of_units
from ...input.spelling import option
from ...input.validate import InputError
from ...summaries import RankingTable
from ...summaries.cases import ScoredCases, content_order
from ...summaries.ranking import Squares
from ...summaries.samples import read_sample, scored_cases
from ...summaries.value import Summary
from ..applicable import form_of, refuse
from ..arguments import EvaluationOptions
from ..evaluate import evaluate
from ..evaluations import evaluate_sample
from ..from_evaluation import refuse_arguments
from ..results import BinaryEvaluation, Evaluation, MulticlassEvaluation, RegressionEvaluation, refuse_answers

SUMS = (
    "some cases are alike, and of importance weights the evaluation holds their sum, not the weight of each"
    " case"
)
PAIRS_OF_LABELS = "of several labels an evaluation holds how often each two occur together, not the cases"
NO_SCORES = "it is for scores of two classes, which these cases do not have"
NO_CLASSES = "'case-control' fixes the class sizes, and these cases have no classes"


@dataclass(frozen=True, eq=False)
class Sampled:
    """Cases with the units that are drawn.

    model: the cases, of two classes highest score first; units: the cluster of each case, or in two rows the
    persons of each comparison, None where cases are drawn; evaluation: of all cases.
    """

    model: Any
    units: np.ndarray | None
    evaluation: Evaluation

    @property
    def data(self) -> DataInfo:
        """The facts about the cases."""
        return self.evaluation.data

    @property
    def scored(self) -> bool:
        """Whether the cases are of two classes and have scores."""
        return isinstance(self.evaluation, BinaryEvaluation) and self.evaluation.ranking is not None

    @property
    def sign(self) -> int:
        """-1 where scores are held negated, since a lower one means positive."""
        lower = isinstance(self.evaluation, BinaryEvaluation) and not self.evaluation.higher_is_positive
        return -1 if lower else 1

    def at(self, threshold: Any) -> Sampled:
        """The same at another threshold. Raises InputError without scores of two classes."""
        if not isinstance(self.evaluation, BinaryEvaluation) or not self.scored:
            raise InputError("unsupported", "threshold", NO_SCORES, "leave it out")
        return replace(self, evaluation=self.evaluation.at(validate.threshold(threshold)))

    @property
    def limit(self) -> float:
        """The threshold on the scores as they are stored."""
        return self.evaluation.held_threshold

    @property
    def chosen(self) -> bool:
        """Whether the threshold was chosen on these cases."""
        at = self.evaluation.threshold if isinstance(self.evaluation, BinaryEvaluation) else None
        return at is not None and at.chosen

    @property
    def what(self) -> str:
        """The name of the units."""
        return "cases" if self.units is None else name_of_units(self.units)

    @property
    def cluster_count(self) -> int:
        """The number of units; 0 if there are none."""
        return 0 if self.units is None else int(self.units.max()) + 1


def sampled(data: Any, spec: CaseSpec, design: Any, parameters: Mapping[str, Mapping[str, Any]]) -> Sampled:
    """The cases. Raises InputError for fixed class sizes where there are no classes."""
    refuse_answers(data)
    if isinstance(data, Evaluation):
        refuse_arguments(_given(spec))
        return _of_evaluation(data, design)
    if isinstance(data, Summary):
        found = _of_summary(data, spec, parameters)
        return _of_evaluation(found, found.settings.design, sums=False)
    cases = _of_cases(
        data, spec, EvaluationOptions(Settings(design=design), parameters, score_kind=spec.score_kind)
    )
    if design == "case-control" and getattr(cases.model, "task", "") in ("regression", "multilabel"):
        raise InputError("conflict", "design", NO_CLASSES, f"use {option('design', 'cohort')}")
    return cases


# From columns
# -------------------------------------------------------------------------------------------------------


def _of_cases(data: Any, spec: CaseSpec, options: EvaluationOptions) -> Sampled:
    independent = spec.of_columns(dict.fromkeys(OF_UNITS))
    refuse(form_of(spec, data is None), independent, options)
    sample = read_sample(data, spec)
    evaluation = evaluate_sample(replace(sample, index={}), 0, options)
    if sample.task != "binary":
        found = in_order(sample.one_by_one() if sample.units is None else sample)
        return Sampled(found, found.units, evaluation)
    model, order = scored_cases(sample)
    return Sampled(model, None if sample.units is None else sample.units[..., order], evaluation)


def in_order(sample: Sample) -> Sample:
    """The cases in an order of their own; of amounts in that of the errors."""
    truth, output = sample.truth, sample.output[0]
    keys = [output - truth] if sample.task == "regression" else [*output.T] if output.ndim > 1 else [output]
    classes = [*truth.T] if truth.ndim > 1 else [truth]
    units = () if sample.units is None else np.atleast_2d(sample.units)
    return sample.take(content_order(*keys, *classes, sample.weight, *units))


# From a summary or an evaluation
# -------------------------------------------------------------------------------------------------------


def _of_summary(data: Any, spec: CaseSpec, parameters: Mapping[str, Mapping[str, Any]]) -> Evaluation:
    """Its evaluation. Raises InputError for arguments that do not apply to a summary."""
    return evaluate(
        data, **spec.given, weight_kind=spec.weight_kind, positive=spec.positive, classes=spec.classes,
        higher_is_positive=spec.higher_is_positive, score_kind=spec.score_kind, parameters=parameters,
    )  # fmt: skip


def _given(spec: CaseSpec) -> dict[str, Any]:
    """The arguments given in addition to the evaluation, with None for those that have their default."""
    options = {name: getattr(spec, name) for name in ("weight_kind", "positive", "classes", "score_kind")}
    usual = {
        "higher_is_positive": None if spec.higher_is_positive else False,
        "missing": None if spec.missing == "reject" else "drop",
        "regression": spec.regression or None,
    }
    return {**spec.given, **options, **usual}


def _of_evaluation(e: Evaluation, design: str, sums: bool = True) -> Sampled:
    """The cases of an evaluation. sums: whether importance weights may be sums over cases with equal scores.

    Raises InputError for a design other than theirs, for importance weights that are only known as sums over
    cases, and for several labels.
    """
    if e.settings.design != design:
        way_out = f"pass {option('design', e.settings.design)}, or the cases"
        raise InputError(
            "mismatch", "design", f"{design!r}, but the evaluation has {e.settings.design!r}", way_out
        )
    held: Any = e.clusters
    units = None if held is None else held.units
    about: dict[str, Any]
    each: tuple[Any, ...]
    if isinstance(e, BinaryEvaluation):
        if e.ranking is not None:
            e.need_each_score("bootstrap")
        table = e.ranking if e.ranking is not None else _of_counts(e)
        apart = np.count_nonzero(table.positive) + np.count_nonzero(table.negative)
        if held is None and sums and table.weighted and apart < e.data.rows - e.data.weightless:
            raise InputError("unsupported", "data", SUMS, "pass the cases")
        model = held.cases if isinstance(held, DependentCases) else ScoredCases.from_table(table)
        return Sampled(model, units, e)
    if isinstance(e, MulticlassEvaluation) and e.scores is not None:
        s: Any = e.scores
        each = s.truth, s.score, s.weight
        about = {"task": "multiclass", "kind": "score", "score_kind": e.score_kind, "affix": s.affix}
    elif isinstance(e, MulticlassEvaluation):
        s = e.matrix
        places = np.indices(s.weights.shape).reshape(2, -1)
        each = *places, s.weights.ravel()
        about = {"task": "multiclass", "kind": "predicted", "no_answer": (s.unanswered is not None,)}
    elif isinstance(e, RegressionEvaluation):
        s = e.residuals
        truth = np.zeros(len(s)) if s.truth is None else s.truth
        each = truth, truth + s.error, s.weight
        about = {"task": "regression", "kind": "predicted"}
    else:
        raise InputError("unsupported", "data", PAIRS_OF_LABELS, "pass the cases")
    if isinstance(e, MulticlassEvaluation):
        about |= {"labels": e.matrix.labels, "ordered": e.matrix.ordered}
    rows = np.flatnonzero(each[2]) if held is None else held.cells[type(s)]
    truth, output, weight = (one[rows] for one in each)
    if held is not None:
        weight, squares = held.weight, np.square(held.weight)
    else:
        squares = weight if s.squares is None else s.squares.ravel()[rows]
    if squares is not weight and not np.allclose(squares, np.square(weight), rtol=1e-9):
        raise InputError("unsupported", "data", SUMS, "pass the cases")
    sample = Sample(
        truth=truth, output=(output,), weight=weight, squares=squares, **{"labels": (), **about},
        models=(None,), index={}, info=e.data,
    )  # fmt: skip
    return Sampled(sample if held is not None else in_order(sample.one_by_one()), units, e)


def _of_counts(e: BinaryEvaluation) -> RankingTable:
    """The predicted labels as scores, 1 if positive."""
    c, s = e.counts, e.counts.squares
    kind = np.int64 if s is None else np.float64
    positive, negative = (np.array(part, kind) for part in ([c.tp, c.fn], [c.fp, c.tn]))
    squares = None if s is None else Squares(np.array([s.tp, s.fn], float), np.array([s.fp, s.tn], float))
    return RankingTable.of(np.array([1.0, 0.0]), positive, negative, squares)
