"""The registry of kinds of intervals, and the settings of a user."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ...input import validate
from ...input.calls import constructor
from ...input.messages import Note
from ...input.options import DESIGNS, VALIDITIES, AucInterval, Design, Proportion, Validity
from ...measures.registry import Average, get, plain
from ...summaries import Counts
from ...summaries.passes import Sum
from ..covariance import Sampling, sampling_of
from ..results import Interval, no_interval
from . import area, proportion
from .scale import ROUNDING as ROUNDING, error_of_function

NO_SEQUENCE = Note("no-confidence-sequence")
INFINITE = ("mapped", "average")  # kinds of values that may be infinite, besides those of Counts


@constructor
@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of confidence intervals.

    Parameters
    ----------
    level : float, default 0.95
        Confidence level, above 0 and below 1.
    proportion : {"wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"}, default "wilson"
        Method for proportions.
    seed : int, default 0
        Seed of the resampling.
    auc_interval : {"delong-logit", "delong", "hanley-mcneil", "newcombe"}, default "delong-logit"
        Method for the area under the ROC curve and its functions.
    design : {"cohort", "case-control"}, default "cohort"
        "cohort": the class mix varies from sample to sample; "case-control": the class sizes are fixed.
    valid : {"fixed", "anytime"}, default "fixed"
        "anytime": confidence sequences, which hold at all numbers of cases together, and no interval for
        measures that have none.

    Raises
    ------
    InputError
        For a level or a seed out of range, and for an unknown name.
    """

    level: float = 0.95
    proportion: Proportion = "wilson"
    seed: int = 0
    auc_interval: AucInterval = "delong-logit"
    design: Design = "cohort"
    valid: Validity = "fixed"

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", validate.level(self.level))
        validate.choice(self.proportion, proportion.METHODS, "proportion")
        object.__setattr__(self, "seed", validate.seed(self.seed))
        validate.choice(self.auc_interval, area.METHODS, "auc_interval")
        validate.choice(self.design, DESIGNS, "design")
        validate.choice(self.valid, VALIDITIES, "valid")


@dataclass(frozen=True, slots=True)
class Question:
    """The input of an interval method: a measure with its parameters bound, its value and summary.

    cases: the effective number of cases for the proportion of positives, if it is not that of the summary;
    sampling: how the cases of the cells were sampled, by
    default independently.
    """

    entry: Any
    function: Callable[..., Any]
    summary: Any
    value: Any
    settings: Settings
    cases: float | None = None
    sampling: Sampling | None = None

    @property
    def fixed(self) -> bool:
        """Whether the class sizes are fixed."""
        return self.settings.design == "case-control"

    @property
    def sampled(self) -> Sampling:
        """How the cases of the cells were sampled."""
        return self.sampling or sampling_of(self.summary, self.fixed)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters of the measure."""
        return self.entry.defaults | getattr(self.function, "keywords", {})


Kind = Callable[[Question], Interval]
# what it needs of the rows of a table, for a measure with its parameters
Needed = Callable[[Any, Any, Mapping[str, Any]], Iterable[Sum]]
# by the name of the summary and of the kind; those of confidence sequences
KINDS: dict[tuple[str, str], Kind] = {}
SEQUENCES: dict[tuple[str, str], Kind] = {}
SUMS: dict[tuple[str, str], Needed] = {}


def kind(
    summary: str, name: str, sums: Needed | None = None, anytime: bool = False
) -> Callable[[Kind], Kind]:
    """Registers a function from a Question to an Interval, and the sums over a table that it is made from.

    For Counts it gets, and returns, arrays with one entry per table. anytime: of a confidence sequence.
    """

    def enter(function: Kind) -> Kind:
        (SEQUENCES if anytime else KINDS)[summary, name] = function
        if sums is not None:
            SUMS[summary, name] = sums
        return function

    return enter


def interval_of(question: Question) -> Interval:
    """The interval of the kind that the measure names."""
    entry = question.entry
    name = "average" if isinstance(entry, Average) else entry.interval and entry.interval.kind
    if name is None:
        return no_interval(Note("no-known-interval"))
    if entry.summary is not Counts and name not in INFINITE and np.isinf(question.value):
        return no_interval(Note("infinite"))
    if question.settings.valid == "anytime":
        found = SEQUENCES.get((entry.summary.__name__, name))
        return no_interval(NO_SEQUENCE) if found is None else found(question)
    return KINDS[entry.summary.__name__, name](question)


def inner_of(q: Question) -> Question:
    """The question of the measure that another one is a function of."""
    inner = get(q.entry.interval.of[0].__name__, q.entry.summary)
    given = {name: value for name, value in q.parameters.items() if name in inner.parameters}
    function = partial(inner.function, **given)
    return replace(q, entry=inner, function=function, value=plain(function(q.summary)))


def transform_of(q: Question) -> Callable[..., Any]:
    """The function of the other measure, and of a summary, by default that of the question."""
    transform, given = q.entry.interval.transform, q.parameters
    takes = inspect.signature(transform).parameters
    extra = {name: value for name, value in given.items() if name in takes}
    return lambda value, table=q.summary: transform(value, *(table,)[: len(takes) - 1], **extra)


@kind("Counts", "function")
@kind("Residuals", "mapped")
def mapped(q: Question) -> Interval:
    """The transformed bounds of another measure of the same summary."""
    return transformed(q, inner_of(q))


def transformed(q: Question, inner: Question) -> Interval:
    """The same, of this inner measure."""
    known, transform = interval_of(inner), transform_of(q)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends, error = np.sort([transform(known.low), transform(known.high)], axis=0), known.standard_error
        if error is not None:
            error = error_of_function(transform, inner.value, np.asarray(error, float))
    leaps = ~((ends[0] <= q.value + ROUNDING) & (q.value - ROUNDING <= ends[1])) & ~np.isnan(known.low)
    low, high = np.minimum(ends[0], q.value), np.maximum(ends[1], q.value)
    low, high = (np.where(leaps, np.nan, end) for end in (low, high))
    notes = known.notes
    if np.any(leaps):
        notes = noted(leaps, Note("leaps", measure=inner.entry.name), notes)
    return Interval(low, high, known.method, notes, error)


def noted(where: Any, note: Any, otherwise: Any = None) -> np.ndarray:
    """The note where it applies, else the other; each a note, None, or an array of as many."""
    notes = np.empty(np.shape(where), object)
    notes[...] = otherwise
    notes[where] = note[where] if isinstance(note, np.ndarray) else note
    return notes
