"""The measures of a comparison, the data behind a difference, and the choice of a method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isinf, isnan
from typing import Any, Literal, get_args

import numpy as np

from ...inference import Estimate
from ...inference.effective import LEAST, ONE_CASE, of_one_case
from ...inference.hypothesis.evidence import NO_WIDTH, Certain, Evidence, Split, Unknown
from ...inference.intervals.differences import one_reason
from ...inference.intervals.kinds import ROUNDING
from ...inference.intervals.of_counts import one_case_decides
from ...inference.replicates import Draws
from ...inference.results import known_error
from ...input import validate
from ...input.messages.notes import Note, Notes, SomeNotes, joined
from ...input.spelling import option
from ...input.validate import InputError
from ...input.weighting import effective
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import Counts, RankingTable
from ..results import RegressionEvaluation
from .models import Model

ComparisonMethod = Literal["auto", "delong", "score", "bootstrap", "basic-bootstrap", "permutation"]
METHODS = get_args(ComparisonMethod)
RANKING, OF_PROBABILITIES = ("roc_auc", "average_precision"), ("brier_score", "log_loss")
OF_AMOUNTS = ("mean_squared_error", "mean_absolute_error")
OF_LABELS = ("accuracy", "sensitivity", "specificity", "f1")
PER_CLASS = ("macro_roc_auc", *OF_PROBABILITIES, "accuracy")
OF_CLASSES = ("accuracy", "balanced_accuracy", "matthews_correlation", "cohen_kappa")
ENOUGH = 30  # cases of each class, or clusters (docs/compare.md)


@dataclass(frozen=True)
class ComparisonOptions:
    """The options of a comparison."""

    method: str
    level: float
    draws: Draws
    progress: Callable[[int], None] | None = None

    @property
    def resampling(self) -> str | None:
        """The kind of bootstrap, where one is asked for."""
        return self.method if self.method.endswith("bootstrap") else None

    @property
    def fixed(self) -> bool:
        """Whether the class sizes are fixed, or weights fix the class mix."""
        return self.draws.keeps_classes

    @property
    def permutes(self) -> bool:
        return self.method == "permutation"


def measures_of(wanted: Any, models: Sequence[Model], method: str, labels_too: bool) -> list[str]:
    """The names of the measures, in the form that all models have.

    Raises InputError for one that some model does not have.
    """
    if wanted is None:
        return _usual(models, method, labels_too)
    names = [wanted] if isinstance(wanted, str) else validate.some(wanted, "measures", "names")
    if not names:
        raise InputError(
            "needed",
            "measures",
            "none is named",
            f"leave it out for the usual ones, or name some, as {option('measures', ['roc_auc'])}",
        )
    found = [_own_name(name, model) for name in names for model in models]
    chosen = list(dict.fromkeys(found))
    if method in OF_METHOD:
        for name in chosen:
            if name not in OF_METHOD[method]:
                raise InputError(
                    "unsupported",
                    "method",
                    f"{method!r} compares {', '.join(OF_METHOD[method])}, not {name}",
                    "leave it out",
                )
    return chosen


PROPORTIONS = (
    "accuracy",
    "error_rate",
    "sensitivity",
    "false_negative_rate",
    "specificity",
    "false_positive_rate",
)
OF_METHOD = {"delong": ("roc_auc",), "score": PROPORTIONS}


def _own_name(name: str, model: Model) -> str:
    e = model.evaluation
    e[name]  # raises InputError with the reason
    return next(form.name for form in registry.forms(name) if form.name in e.estimates)


def _usual(models: Sequence[Model], method: str, labels_too: bool) -> list[str]:
    evaluations = [model.evaluation for model in models]
    if all(isinstance(e, RegressionEvaluation) for e in evaluations):
        return list(OF_AMOUNTS)
    if any(isinstance(e, RegressionEvaluation) for e in evaluations):
        raise InputError(
            "unsupported",
            "data",
            "some models predict amounts and others classes, which have no measure in common",
            "compare them separately",
        )
    wanted: list[str] = []
    if all(model.ranking is not None for model in models):
        wanted += RANKING
        wanted += OF_PROBABILITIES if all(e.probabilities for e in evaluations) else ()
    if all(model.per_class for model in models):
        wanted += PER_CLASS
    elif labels_too or not wanted:
        wanted += OF_LABELS if all(model.two_classes for model in models) else OF_CLASSES
    wanted = [name for name in wanted if all(name in e.estimates for e in evaluations)]
    if method in OF_METHOD:
        wanted = [name for name in wanted if name in OF_METHOD[method]]
    if not wanted:
        raise InputError(
            "unsupported",
            "measures",
            f"the models have none of the usual ones for method {method!r}",
            f"name some with {option('measures')}",
        )
    return wanted


def entry_of(model: Model, name: str) -> tuple[Measure, dict[str, Any]]:
    """The measure, with its parameters for that model."""
    entry = model.evaluation.entry(name)
    return entry, {**entry.defaults, **model.evaluation.parameters_of(entry)}


def without_interval(first: Model, second: Model, name: str) -> Notes:
    """Why there is no difference in a measure, or no interval by any method."""
    found = {model.name: model.evaluation[name] for model in (first, second)}
    gone = [
        Note("value-undefined", model=model, reason=one.undefined)
        for model, one in found.items()
        if isnan(one.value)
    ]
    if gone:
        return joined(*gone)
    endless = [model for model, one in found.items() if isinf(one.value)]
    if len(endless) == len(found) and len({one.value for one in found.values()}) == 1:
        return joined(Note("both-infinite"))
    return joined(Note("infinite-value", model=endless[0]) if endless else None)


def of_one_case_here(first: Model, second: Model, name: str) -> Note | None:
    """Why nothing is known of a difference that one case decides; None where more than one does."""
    return ONE_CASE if any(_shows_no_spread(model, name) for model in (first, second)) else None


def _shows_no_spread(model: Model, name: str) -> bool:
    """Whether one case has nearly all the weight in what the measure depends on; of ranks, in a class."""
    if model.weight is None or model.clusters is not None:
        return False
    entry, summary = model.evaluation.entry(name), model.evaluation.summary_of(name)
    if isinstance(summary, Counts):
        return bool(one_case_decides(entry.function, summary).any())
    ranks = isinstance(summary, RankingTable) and summary.weighted and entry.loss is None
    if ranks and min(summary.effective_positives, summary.effective_negatives) < LEAST:
        return True
    return of_one_case(summary)


def estimate_of(value: float, evidence: Evidence, level: float, ends: tuple[float, float]) -> Estimate:
    """The difference with its interval, clipped to `ends`, or with the reason why there is none."""
    if isnan(value):
        return Estimate(value, level=level, undefined=one_reason(evidence.notes))
    if isinstance(evidence, Certain):
        return Estimate(0.0, 0.0, 0.0, level, evidence.method, notes=evidence.notes)
    low, high = evidence.bounds(level)
    if isnan(low):
        few = Note("too-few-resamples-for-level", level=level)
        return Estimate(value, level=level, notes=evidence.notes if isinstance(evidence, Unknown) else (few,))
    low, high = min(max(float(low), ends[0]), value), max(min(float(high), ends[1]), value)
    error = known_error(evidence.standard_error)
    bounds = evidence.estimate.bounds if isinstance(evidence, Split) else None
    return Estimate(
        value,
        low,
        high,
        level,
        evidence.method,
        notes=evidence.notes,
        standard_error=error,
        bounds=bounds,
    )


def with_width(evidence: Evidence, value: float, level: float) -> Evidence:
    """The evidence; none where its interval has no width."""
    low, high = evidence.bounds(level)
    if isinstance(evidence, Certain) or isnan(low) or high - low > NO_WIDTH:
        return evidence
    return Unknown((Note("resamples-of-difference-nearly-alike"),), value=value)


def with_note(evidence: Evidence, notes: SomeNotes) -> Evidence:
    """The evidence with more notes, if there is an interval."""
    if isinstance(evidence, Unknown):
        return evidence
    return replace(evidence, notes=joined(evidence.notes, notes))  # type: ignore[type-var]  # all evidence is a dataclass


def few_of(model: Model, *more: Note | None) -> Notes:
    """The notes, with that on few cases of a class."""
    few = model.truth is not None and model.two_classes and model.sizes.min() < ENOUGH - ROUNDING
    return joined(*more, Note("few-in-a-class", limit=ENOUGH, counted="cases") if few else None)


def deciding(model: Model) -> float:
    """The effective number of cases of the smaller class, or of clusters if that is smaller."""
    cases = float(model.sizes[model.sizes > 0].min())
    if model.clusters is None:
        return cases
    sizes = np.bincount(model.clusters, model.weight)
    return min(cases, float(effective(sizes.sum(), (sizes**2).sum())))


def check_method(method: Any) -> str:
    """The method, if it is one of those known."""
    return validate.choice(method, METHODS, "method")
