"""The performance of a trained model on some cases, by any measure of classifiers.

The predictions become the summary that the measure is computed from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from ...input import columns, validate
from ...input.class_names import matched
from ...input.labels import listed
from ...input.messages.notes import Note
from ...input.validate import InputError, shown
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import ClassScores, ConfusionMatrix, Counts, RankingTable
from .cases import Cases, codes_of

OF_TWO = (Counts, RankingTable, ConfusionMatrix, ClassScores)
OF_MANY = (ConfusionMatrix, ClassScores)
NEEDED = {"probability": ("predict_proba",), "margin": ("decision_function",)}
ANY_SCORES = ("predict_proba", "decision_function")
HALF = 0.5


class Unable(InputError):  # noqa: N818  # like InputError, it names what is wrong
    """The estimator lacks the method that the measure needs, for every fit."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """A measure, its parameters, and the threshold (None: as the estimator predicts)."""

    entry: Measure
    parameters: Mapping[str, Any]
    threshold: float | None = None

    def value(self, model: Any, cases: Cases) -> tuple[float, Note | None]:
        """The value for a trained model, and the reason where it is NaN."""
        return self.of(self.summary(model, cases))

    def of(self, summary: Any) -> tuple[float, Note | None]:
        """The value for a summary, and the reason where it is NaN."""
        self.entry.check(summary)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(self.entry.function(summary, **self.parameters))
        return value, self.entry.why_undefined(summary) if isnan(value) else None

    def summary(self, model: Any, cases: Cases) -> Any:
        """Counts, a ranking table, a matrix or scores per class, as the measure needs it."""
        kind = self.entry.summary
        if kind is RankingTable:
            return RankingTable.from_arrays(
                truth=cases.truth == cases.positive, score=score_of(model, cases, self._methods)
            )
        if kind is ClassScores:
            weight = np.ones(len(cases))
            return ClassScores(
                tuple(cases.labels.tolist()),
                cases.truth.copy(),
                scores_of(model, cases, self._methods),
                weight,
            )
        if kind is Counts:
            return _counts(cases.truth == cases.positive, self._called_positive(model, cases))
        size = len(cases.labels)
        cells = np.bincount(cases.truth * size + predicted_of(model, cases), minlength=size * size)
        return ConfusionMatrix(tuple(cases.labels.tolist()), cells.reshape(size, size))

    @property
    def _methods(self) -> tuple[str, ...]:
        return NEEDED.get(self.entry.scores or "", ANY_SCORES)

    def _called_positive(self, model: Any, cases: Cases) -> np.ndarray:
        if self.threshold is None and hasattr(model, "predict"):
            return np.asarray(predicted_of(model, cases) == cases.positive)
        limit = self.threshold
        if limit is None:
            limit = HALF if hasattr(model, "predict_proba") else 0.0
        return score_of(model, cases, ANY_SCORES) >= limit


def scorer_of(measure: Any, cases: Cases, parameters: Mapping[str, Any] | None, threshold: Any) -> Scorer:
    """A measure in the form that fits the classes, checked. Raises InputError where there is none."""
    entry = _entry(measure, cases)
    if threshold is not None and entry.summary is not Counts:
        raise InputError(
            "conflict",
            "threshold",
            f"{entry.name} does not use one",
            "leave it out, or choose a measure of counts",
        )
    limit = None if threshold is None else validate.threshold(threshold)
    return Scorer(entry, entry.checked(parameters_of(parameters)), limit)


def parameters_of(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The parameters that are passed as a mapping. Raises InputError for anything else."""
    if given is not None and not isinstance(given, Mapping):
        problem = f"{shown(given)} is not understood"
        raise InputError("invalid-value", "parameters", problem, 'as {"beta": 0.5}', value=given)
    return dict(given or {})


def _entry(measure: Any, cases: Cases) -> Measure:
    name = measure if isinstance(measure, str) else getattr(measure, "name", measure)
    forms, many = registry.forms(name), cases.positive is None
    kinds = OF_MANY if many else OF_TWO
    entry = next((form for kind in kinds for form in forms if form.summary is kind), None)
    if entry is None:
        known = any(form.summary in OF_TWO for form in forms)
        why = (
            f"y has {len(cases.labels)} classes, and it is for two"
            if known
            else "it is not of classifiers with one label a case"
        )
        raise InputError(
            "unsupported",
            "measure",
            f"{forms[0].name} cannot be taken here, since {why}",
            "choose another (tallymark measures)",
        )
    check_scores(entry)
    return entry


def check_scores(entry: Measure) -> None:
    """Raises InputError for a measure of scores that no estimator gives."""
    if entry.scores == "llr":
        problem = f"{entry.name} needs likelihood ratios, which no estimator gives"
        raise InputError("unsupported", "measure", problem, "choose another, as log_loss")


def by_chance(summary: Any) -> Any:
    """The summary of every prediction combined with every true label, each pair with weight 1/n.

    Efron and Tibshirani (1997, Section 5) define the no-information error rate in this way.
    """
    if isinstance(summary, Counts):
        share = summary.positives / summary.total
        yes, no = summary.tp + summary.fp, summary.fn + summary.tn
        return Counts.of(share * yes, (1 - share) * yes, share * no, (1 - share) * no)
    if isinstance(summary, RankingTable):
        there, share = summary.positive + summary.negative, summary.prior
        return RankingTable.of(summary.score.copy(), share * there, (1 - share) * there)
    if isinstance(summary, ConfusionMatrix):
        cells = summary.weights
        return summary.with_weights(np.outer(cells.sum(1), cells.sum(0)) / cells.sum())
    size, cases = len(summary.labels), len(summary.truth)
    truth = np.repeat(np.arange(size), cases)
    weight = np.repeat(summary.sizes / summary.total, cases) * np.tile(summary.weight, size)
    return ClassScores(summary.labels, truth, np.tile(summary.score, (size, 1)), weight)


# Predictions and scores
# --------------------------------------------------------------------------------------------------


def predicted_of(model: Any, cases: Cases) -> np.ndarray:
    """The index of the predicted label of each case."""
    if not hasattr(model, "predict"):
        raise Unable(
            "estimator",
            "estimator",
            "it has no method predict, which the measure needs",
            "add one, or choose a measure of scores",
        )
    answers = np.asarray(model.predict(cases.X))
    column = columns.read(
        answers[:, 0] if answers.ndim == 2 and answers.shape[1] == 1 else answers, "predict"
    )
    validate.same_length(columns.read(cases.truth, "X"), column)
    validate.no_gaps(column)
    return codes_of(column, cases.labels)


def score_of(model: Any, cases: Cases, methods: tuple[str, ...]) -> np.ndarray:
    """One score per case; higher scores are for positives."""
    name, answers = _asked_of(model, cases, methods)
    if answers.ndim == 1:
        turned = cases.positive == 0
        return (1 - answers if name == "predict_proba" else -answers) if turned else answers
    return _by_class(name, answers, model, cases)[:, cases.positive]


def scores_of(model: Any, cases: Cases, methods: tuple[str, ...]) -> np.ndarray:
    """A score per case and class; for two classes with one score, p and 1 - p, or s and -s."""
    name, answers = _asked_of(model, cases, methods)
    if answers.ndim == 1:
        other = 1 - answers if name == "predict_proba" else -answers
        return np.column_stack([other, answers])
    if name == "decision_function" and _of_pairs(model):
        raise Unable(
            "estimator",
            "estimator",
            "its decision_function compares pairs of classes",
            "pass decision_function_shape='ovr' to it",
        )
    return _by_class(name, answers, model, cases)


def _of_pairs(model: Any) -> bool:
    """Whether the columns are for pairs of classes; three classes have as many pairs.

    A support vector machine has such a setting.
    """
    parameters = model.get_params(deep=True) if hasattr(model, "get_params") else {}
    return any(
        name.rpartition("__")[2] == "decision_function_shape" and value == "ovo"
        for name, value in parameters.items()
    )


def _asked_of(model: Any, cases: Cases, methods: tuple[str, ...]) -> tuple[str, np.ndarray]:
    name = next((name for name in methods if hasattr(model, name)), None)
    if name is None:
        needed = " or ".join(methods)
        raise Unable(
            "estimator",
            "estimator",
            f"it has no method {needed}, which the measure needs",
            "wrap it so that it has one, or choose another",
        )
    made = getattr(model, name)(cases.X)
    _check_names(name, list(getattr(made, "column_names", getattr(made, "columns", ()))), model)
    answers = np.asarray(made, np.float64)
    if answers.ndim not in (1, 2) or len(answers) != len(cases):
        raise InputError(
            "estimator", name, f"shape {answers.shape} for {len(cases)} cases", "one row per case is needed"
        )
    if np.isnan(answers).any():
        row = int(np.isnan(answers.reshape(len(answers), -1)).any(axis=1).argmax())
        raise InputError(
            "estimator",
            name,
            f"NaN in {validate.row_at(row)}, which cannot be ranked",
            "correct the estimator",
        )
    if answers.ndim == 1 and len(cases.labels) > 2:
        raise InputError(
            "estimator",
            name,
            f"one number per case for {len(cases.labels)} classes",
            "one per class is needed",
        )
    if answers.ndim == 1 and len(getattr(model, "classes_", cases.labels)) < 2:
        raise InputError("estimator", name, f"the estimator was trained on 1 of {len(cases.labels)} classes")
    return name, answers


def _check_names(name: str, names: list[Any], model: Any) -> None:
    """Raises InputError where a frame names its columns after the classes in another order than classes_."""
    if len(names) < 2 or not hasattr(model, "classes_"):
        return
    classes = np.asarray(model.classes_).tolist()
    if len(names) != len(classes):
        return
    order = matched(columns.read(classes, "classes_"), classes, [str(one) for one in names], classes).order
    if order != list(range(len(order))):
        problem = f"its columns are named {listed(names)}, and classes_ is {listed(classes)}"
        raise InputError("estimator", name, problem, "correct the estimator: both have the same order")


def _by_class(name: str, answers: np.ndarray, model: Any, cases: Cases) -> np.ndarray:
    """The columns in the order of the labels, with probability 0 for a class absent in training."""
    known = columns.read(np.asarray(getattr(model, "classes_", cases.labels)), "classes_")
    if answers.shape[1] != len(known):
        raise InputError(
            "estimator",
            name,
            f"{answers.shape[1]} columns for {len(known)} classes",
            "one per class is needed",
        )
    place = codes_of(known, cases.labels)
    if len(place) < len(cases.labels) and name != "predict_proba":
        raise InputError(
            "estimator", name, f"the estimator was trained on {len(place)} of {len(cases.labels)} classes"
        )
    full = np.zeros((len(answers), len(cases.labels)))
    full[:, place] = answers
    return full


def _counts(truth: np.ndarray, called: np.ndarray) -> Counts:
    tp, fp = float((truth & called).sum()), float((called & ~truth).sum())
    return Counts.of(tp, fp, float(truth.sum()) - tp, float((~truth).sum()) - fp)
