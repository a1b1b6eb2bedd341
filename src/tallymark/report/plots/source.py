"""What a figure is of: evaluations by the name of the model, group or class, and the facts on their cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...evaluation.calibration import Calibration
from ...evaluation.folds.table import FoldTable
from ...evaluation.groups.of_models import GroupTables
from ...evaluation.results import BinaryEvaluation, Evaluation, EvaluationTable, MulticlassEvaluation
from ...evaluation.thresholds.choose_threshold import ThresholdChoice
from ...input import text
from ...input.results import Result
from ...input.validate import InputError
from ...studies.compare.answer import Comparison

MOST = 28  # series of one figure, which style distinguishes
LONGEST = 32  # characters of a name
ALONE = ""  # the name of an evaluation that is alone
NOUNS = {"": "evaluations", "model": "evaluations", "group": "groups", "fold": "folds", "class": "classes"}


@dataclass(frozen=True, eq=False)
class Source:
    """The result, and its evaluations by name; `by` says what the names are of."""

    result: Result
    parts: Mapping[str, Evaluation]
    by: str = ""

    @property
    def alone(self) -> bool:
        """Whether there is one evaluation."""
        return len(self.parts) == 1

    @property
    def same_cases(self) -> bool:
        """Whether all have the same numbers of cases."""
        return len({_sizes(one) for one in self.parts.values()}) == 1

    @property
    def facts(self) -> tuple[str, ...]:
        """The cases, and the level of the intervals."""
        first = next(iter(self.parts.values()))
        said = sizes_of(first) if self.same_cases else f"{len(self.parts)} {self._noun}"
        if isinstance(self.result, GroupTables):
            said = f"{len(self.result)} models, {len(self.result.first)} groups"
        if self.by == "class":
            said = f"{text.count(first.data.rows)} cases, each class against the others"
        if isinstance(self.result, FoldTable):
            said = f"{len(self.parts)} folds of {sizes_of(self.result.whole)}"
        return said, f"{100 * first.settings.level:.4g} % intervals"

    @property
    def _noun(self) -> str:
        return NOUNS[self.by]

    @cached_property
    def shown_names(self) -> dict[str, str]:
        """The names, shortened so that they remain distinct."""
        return text.labels(self.parts, LONGEST)

    def label(self, name: str, said: str = "") -> str:
        """The name of a series, with its number of cases where these differ, and what is said of it."""
        e = self.parts[name]
        shown = self.shown_names[name]
        if name != ALONE and self.by != "fold" and not self.same_cases:
            number = e.data.positives if self.by == "class" else e.data.rows
            shown = f"{shown} (n = {text.count(number or 0)})"
        return ": ".join(part for part in (shown, said) if part)


def sizes_of(e: Evaluation) -> str:
    """The numbers of cases, and of two classes those of each, with the label of the positives."""
    rows = e.data.rows
    said = f"{text.count(rows)} case{'s' * (rows != 1)}"
    if not isinstance(e, BinaryEvaluation):
        return said
    label = "" if e.labels[1] in (1, True, "positive") else f" ({text.label(e.labels[1], LONGEST)})"
    return f"{said}: {text.count(e.data.positives or 0)} positive{label}"


def _sizes(e: Evaluation) -> tuple[Any, ...]:
    return e.data.rows, e.data.positives, e.data.negatives


def fits(result: Result, of: tuple[type, ...]) -> bool:
    """Whether the result has evaluations of these types, or of classes that give them."""
    parts = evaluations_of(result)
    of_classes = BinaryEvaluation in of
    kinds = (*of, MulticlassEvaluation) if of_classes else of
    return bool(parts) and all(isinstance(one, kinds) for one in parts.values())


def source_of(result: Result, of: tuple[type, ...], classes: Any = None) -> Source:
    """The evaluations of a result that fits.

    classes: of a score per class those that are drawn. Raises InputError.
    """
    parts = evaluations_of(result)
    if all(isinstance(one, of) for one in parts.values()):
        return Source(result, parts, _what_of(result, parts))
    if len(parts) == 1:
        return _per_class(result, next(iter(parts.values())), classes)
    names = _listed(classes)
    if len(names) != 1:
        raise InputError(
            "needed",
            "classes",
            f"{len(parts)} models with several classes are drawn of one class against the others",
            f"name it, as classes={_labels(next(iter(parts.values())))[0]!r}",
        )
    chosen = {name: _against_rest(one, names[0]) for name, one in parts.items()}
    return Source(result, chosen, _what_of(result, parts))


def _what_of(result: Result, parts: Mapping[str, Evaluation]) -> str:
    """What the names are of."""
    if ALONE in parts:
        return ""
    if isinstance(result, GroupTables):
        return "group"
    return result.OF if isinstance(result, EvaluationTable) else "model"


def evaluations_of(result: Result) -> dict[str, Evaluation]:
    """By name; empty for a result of another kind."""
    if isinstance(result, Evaluation):
        return {ALONE: result}
    if isinstance(result, (Calibration, ThresholdChoice)):
        return {ALONE: result.evaluation}
    if isinstance(result, GroupTables):
        return {f"{model}, {name}": one[name] for model, one in result.items() for name in one}
    if isinstance(result, FoldTable):
        return {f"fold {name}": one for name, one in result.items()}
    if isinstance(result, (EvaluationTable, Comparison)):
        several = result if isinstance(result, EvaluationTable) else result.evaluations
        return {str(name): one for name, one in several.items()}
    return {}


def _per_class(result: Result, e: Evaluation, classes: Any) -> Source:
    chosen = _listed(classes) or _labels(e)
    if len(chosen) > MOST:
        raise InputError(
            "needed",
            "classes",
            f"there are {len(chosen):,} classes, and one figure shows {MOST} at most",
            f"name some, as classes={chosen[:3]!r}",
        )
    return Source(result, {str(label): _against_rest(e, label) for label in chosen}, "class")


def _against_rest(e: Evaluation, label: Any) -> Evaluation:
    return e.one_vs_rest(label) if isinstance(e, MulticlassEvaluation) else e


def _labels(e: Evaluation) -> list[Any]:
    return list(e.matrix.labels) if isinstance(e, MulticlassEvaluation) else []


def _listed(classes: Any) -> Sequence[Any]:
    """One class, or several, as a list."""
    if classes is None:
        return []
    return list(classes) if isinstance(classes, (list, tuple)) else [classes]
