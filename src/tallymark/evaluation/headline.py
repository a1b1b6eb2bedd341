"""The headline of an evaluation as values: the measure that leads, what it is compared with, what is unsure.

`report.documents.headlines` makes one sentence of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, Literal

from ..inference import Estimate
from ..input.results import Result, equal_as_tuples
from ..input.sample import Task

if TYPE_CHECKING:
    from .results import ClasswiseEvaluation, Evaluation

Reading = Literal["better", "worse", "unclear"]
RATES = ("sensitivity", "specificity")


@dataclass(frozen=True, slots=True, repr=False)
class Figure(Result):
    """A measure in a headline.

    Attributes
    ----------
    measure : str
        Its name in the catalogue.
    estimate : Estimate
        The value with its interval.
    label : object
        The class that it is of; None where it is of all cases.
    cases : float or None
        How many cases it rests on, where they are not all.
    """

    INFINITE = True  # a label

    measure: str
    estimate: Estimate
    label: Any = None
    cases: float | None = None


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Headline(Result):
    """What an evaluation shows in one sentence; `str` is the sentence.

    Attributes
    ----------
    task : str
        The task of the evaluation.
    main : Figure
        The measure that leads: the first of those that were chosen, or that of the task.
    cases : float
        The number of cases.
    weighted : bool
        Whether the cases have importance weights.
    positives : float or None
        The number of positives, of two classes without such weights.
    classes : int or None
        The number of classes or labels, of several.
    groups : tuple of str and int, or None
        What the cases belong to and how many there are of these, as ("clusters", 40).
    chance : float or None
        The value of the measure for predictions that ignore the cases.
    threshold : float or None
        The threshold of the further measures.
    chosen : bool
        Whether the threshold was chosen on these cases.
    largest_class : float or None
        The accuracy of always predicting the largest class, of several classes.
    further : tuple of Figure
        The measures that follow in the sentence.
    least_certain : Figure or None
        Of the further measures or of the classes, the one with the widest interval.
    """

    FORM = "headlines.headline"
    PLAIN = (
        "text=__str__ task main cases weighted positives classes groups chance reading threshold chosen"
        " largest_class further least_certain"
    )
    INFINITE = True

    task: Task
    main: Figure
    cases: float
    weighted: bool = False
    positives: float | None = None
    classes: int | None = None
    groups: tuple[str, int] | None = None
    chance: float | None = None
    threshold: float | None = None
    chosen: bool = False
    largest_class: float | None = None
    further: tuple[Figure, ...] = ()
    least_certain: Figure | None = None

    __eq__ = equal_as_tuples

    @property
    def reading(self) -> Reading | None:
        """Whether the interval lies above the value of chance, "better", or below it, "worse".

        "unclear" where it contains that value; None without an interval, and without such a value.
        """
        found = self.main.estimate
        if self.chance is None or found.undefined or not found.has_interval:
            return None
        return "better" if found.low > self.chance else "worse" if found.high < self.chance else "unclear"


def headline_of(e: Any) -> Headline | None:
    """The headline of an evaluation; None where it has no measure."""
    every = e.selected or (*LEADS[e.task], *e.estimates)
    name = next((one for one in every if one in e.estimates), None)
    if name is None:
        return None
    whole, counted = e.selected is None, e.data.counted
    binary, classwise = e.task == "binary", e.task in ("multiclass", "multilabel")
    sizes = (e.data.positives, e.data.negatives) if binary and counted else ()
    held = dict(zip(RATES, sizes, strict=False))
    known = [one for one in FURTHER[e.task] if whole and one != name and one in e and not e[one].undefined]
    further = tuple(Figure(one, e[one], None, held.get(one)) for one in known)
    about: dict[str, Any] = {}
    if whole and binary:
        chosen = e.threshold is not None and e.threshold.chosen
        about |= {"threshold": e.limit, "chosen": chosen}
    if whole and e.task == "multiclass":
        about |= {"largest_class": e.baselines.get("largest class")}
    if classwise:
        about |= {"classes": len(e.table_of_classes.labels)}
    among = further if binary and len(further) > 1 else _by_class(e) if whole and classwise else ()
    return Headline(
        task=e.task,
        main=Figure(name, e.estimates[name]),
        cases=_cases(e),
        weighted=not counted,
        positives=e.data.positives if counted else None,
        groups=e.units,
        chance=_chance(e, name),
        further=further,
        least_certain=_widest(among),
        **about,
    )


LEADS: dict[Task, tuple[str, ...]] = {
    "binary": ("roc_auc", "balanced_accuracy"),
    "multiclass": ("macro_roc_auc", "balanced_accuracy"),
    "multilabel": ("exact_match",),
    "regression": ("r2", "root_mean_squared_error"),
}
# what follows the measure that leads, where none is chosen
FURTHER: dict[Task, tuple[str, ...]] = {
    "binary": RATES,
    "multiclass": ("accuracy",),
    "multilabel": ("macro_f1",),
    "regression": ("root_mean_squared_error", "mean_error"),
}


def _cases(e: Any) -> float:
    """The number of cases, also where a row stands for several; with other weights the rows that count."""
    if e.data.counted and e.task in TOTALS:
        return float(TOTALS[e.task](e))
    return float(e.data.rows - e.data.weightless)


TOTALS: dict[Task, Callable[[Any], float]] = {
    "binary": lambda e: e.data.positives + e.data.negatives,
    "multiclass": lambda e: e.matrix.total,
    "regression": lambda e: e.residuals.total,
}


def _chance(e: Evaluation, name: str) -> float | None:
    """The value of the measure for predictions that do not depend on the truth."""
    if name in ("roc_auc", "macro_roc_auc"):
        return 0.5
    if name == "balanced_accuracy":
        occurring = len(_occurring(e))
        return 1 / occurring if occurring > 1 else None
    return 0.0 if name == "r2" else None


def _occurring(e: Any) -> list[float]:
    """The sizes of the classes of which there are cases."""
    sizes = [e.data.positives, e.data.negatives] if e.task == "binary" else e.many.counts.positives.tolist()
    return [size for size in sizes if size]


def _by_class(e: ClasswiseEvaluation) -> Iterator[Figure]:
    """The sensitivity of every class."""
    labels, sizes = e.many.summary.labels, e.many.counts.positives.tolist()
    for label, size, found in zip(labels, sizes, e.many.each("sensitivity"), strict=True):
        yield Figure("sensitivity", found, label, size)


def _widest(figures: Iterable[Figure]) -> Figure | None:
    """The one with the widest interval, the first of equal ones; None without intervals."""
    known = [one for one in figures if one.estimate.has_interval and not isnan(one.estimate.value)]
    return max(known, key=lambda one: one.estimate.high - one.estimate.low, default=None)
