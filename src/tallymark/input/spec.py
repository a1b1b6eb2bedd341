"""What cases are: the arguments that every entry point shares, checked as far as they can be before anything is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .. import validate
from ..errors import InputError
from ..summaries.indicators import is_indicator
from ..summaries.score_columns import named, score_columns, several_columns
from .declared import CaseArguments as CaseArguments
from .declared import DeclaredCases
from .persons import both_persons

NO_DIRECTION = "higher_is_positive: predicted labels have no direction; leave it out."
TURNED = "higher_is_positive: a higher probability, or logit, means more positive; leave it out, or turn the scores."
NO_TRUTH = "truth: the real labels are missing; pass truth=."
PROBABILITIES = ("probability", "logit")
SCORE_KINDS = (*PROBABILITIES, "margin", "llr")
COLUMNS = ("truth", "score", "predicted", "baseline_score", "weight", "clusters", "sample", "pair_by")  # arguments that are columns
AMOUNTS = ("truth", "predicted")  # of a regression


@dataclass(frozen=True, eq=False, kw_only=True)
class CaseSpec(DeclaredCases):
    """Columns are arrays, or where there is data the names of its columns.

    truth, predicted: labels; score: a column, one per class, or a mapping of models to columns; baseline_score: of the model in
    use, scores or labels as those of the new one; weight, weight_kind: what a case counts; clusters: which cases belong together;
    persons: the two persons of each comparison; sample: which of several samples a case is of; pair_by: the name of each case;
    positive: the positive label; classes: all labels; higher_is_positive: the direction of scores; score_kind: what they are;
    missing: "reject" or "drop"; regression: whether truth and predicted are amounts; numbers: roles that hold numbers, besides
    scores, weights and these amounts. Raises InputError.
    """

    numbers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        validate.choice(self.missing, ("reject", "drop"), "missing")
        validate.flag(self.regression, "regression")
        validate.label_of(self.positive, "positive")
        check_score_kind(self.score_kind, self.higher_is_positive)

    @property
    def kind(self) -> str:
        """ "score" or "predicted". Raises InputError where not exactly one is given."""
        return validate.one_of({"score": self.score, "predicted": self.predicted})

    @property
    def given(self) -> dict[str, Any]:
        """The columns that are given, by the name of the argument."""
        return {name: getattr(self, name) for name in COLUMNS if getattr(self, name) is not None}

    @property
    def amounts(self) -> tuple[str, ...]:
        """The roles that hold numbers, besides scores and weights."""
        return self.numbers + (AMOUNTS if self.regression else ())

    def of_columns(self, columns: Mapping[str, Any]) -> CaseSpec:
        """The same cases with these columns, by the name of the argument, in the place of theirs."""
        return replace(self, **columns)

    def columns(self, arrays: bool) -> dict[str, Any]:
        """By role the columns to read: "score", or "score 1", ... per class, or "score NAME" per model."""
        return {role: one for name, values in self.given.items() for role, one in _by_role(name, values, arrays)} | both_persons(
            self.persons
        )


def _by_role(name: str, values: Any, arrays: bool) -> list[tuple[str, Any]]:
    if isinstance(values, Mapping) and name in ("score", "predicted"):
        return [(f"{name} {model}", one) for model, one in values.items()]
    if name == "score" and several_columns(values, arrays):
        parts = score_columns(values, arrays)
        return [(role, named(one, role) if arrays else one) for role, one in parts.items()]
    return [(name, values)]


def check_score_kind(score_kind: str | None, higher_is_positive: bool) -> None:
    """Whether it is known, and fits the direction. Raises InputError."""
    validate.flag(higher_is_positive, "higher_is_positive")
    if score_kind is not None:
        validate.choice(score_kind, SCORE_KINDS, "score_kind")
        if score_kind in PROBABILITIES and not higher_is_positive:
            raise InputError(TURNED)


def one_model(spec: CaseSpec) -> None:
    """Raises InputError where columns of several models are given."""
    for name in ("score", "predicted"):
        if isinstance(getattr(spec, name), Mapping):
            kind = type(getattr(spec, name)).__name__
            raise InputError(
                f"{name}: a mapping ({kind}) names several models, which compare takes; pass one list, array or column."
            )


def only_two_classes(what: str, truth: Any, scores: Iterable[Any], of_data: bool, otherwise: str = "") -> None:
    """Raises InputError, with what to use instead, where there is a score per class, or where cases have several labels.

    what: what needs two classes; scores: one column, or a score per class, of each model; of_data: whether columns are named;
    otherwise: another way out.
    """
    if not of_data and is_indicator(truth):
        raise InputError(
            f"truth: {what} needs two classes, and several labels per case are not supported; take one label at a time, as "
            "truth[:, 0], or measure all of them with evaluate(truth=, predicted=)."
        )
    if any(several_columns(one, not of_data) for one in scores):
        raise InputError(
            f"score: {what} needs two classes, and a score per class is not supported; take one class against the rest, as "
            f"truth == label with the score of that label{otherwise and ', or '}{otherwise}."
        )


def no_clusters(clusters: Any, why: str) -> None:
    """Raises InputError where cases are said to belong together, and what is asked takes them one by one."""
    if clusters is not None:
        raise InputError(f"clusters: {why}; leave clusters out, or use evaluate or bootstrap, which resample whole clusters.")
