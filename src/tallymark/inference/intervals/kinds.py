"""The registry of kinds of intervals, and the settings of a user."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...input import validate
from ...input.calls import constructor
from ...input.options import DESIGNS, AucInterval, Design, Proportion
from ...summaries.passes import Sum
from ..covariance import Sampling, sampling_of
from . import area, proportion
from .scale import ROUNDING as ROUNDING

if TYPE_CHECKING:
    from ..results import Interval


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", validate.level(self.level))
        validate.choice(self.proportion, proportion.METHODS, "proportion")
        object.__setattr__(self, "seed", validate.seed(self.seed))
        validate.choice(self.auc_interval, area.METHODS, "auc_interval")
        validate.choice(self.design, DESIGNS, "design")


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


Kind = Callable[[Question], "Interval"]
# what it needs of the rows of a table, for a measure with its parameters
Needed = Callable[[Any, Any, Mapping[str, Any]], Iterable[Sum]]
KINDS: dict[tuple[str, str], Kind] = {}  # by the name of the summary and of the kind
SUMS: dict[tuple[str, str], Needed] = {}


def kind(summary: str, name: str, sums: Needed | None = None) -> Callable[[Kind], Kind]:
    """Registers a function from a Question to an Interval, and the sums over a table that it is made from.

    For Counts it gets, and returns, arrays with one entry per table.
    """

    def enter(function: Kind) -> Kind:
        KINDS[summary, name] = function
        if sums is not None:
            SUMS[summary, name] = sums
        return function

    return enter


def interval_of(question: Question) -> Interval:
    """The interval of the kind that the measure names."""
    entry = question.entry
    return KINDS[entry.summary.__name__, entry.interval.kind](question)
