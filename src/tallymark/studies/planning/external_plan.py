"""The result of planning an external validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ...input import validate
from ...input.by_name import ByName
from ...input.plain_values import rows_of
from ...input.results import Answer, Result, Tabular, head
from ...input.validate import InputError


@dataclass(frozen=True, repr=False)
class Criterion(Result):
    """The number of cases that one measure needs.

    Attributes
    ----------
    measure : str
        Its name.
    expected : float
        Its expected value.
    width : float
        The width asked for, from the low to the high end of the interval.
    standard_error : float
        The standard error that gives this width, of observed/expected on the log scale.
    n : int
        Number of cases.
    interval : pair of float
        The interval to expect with n cases.
    """

    measure: str
    expected: float
    width: float
    standard_error: float
    n: int
    interval: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {**asdict(self), "interval": list(self.interval)}


@dataclass(frozen=True, repr=False)
class ExternalPlan(ByName, Answer, Tabular):
    """The number of cases that an external validation needs.

    `plan["roc_auc"]` is the criterion of that measure.

    Attributes
    ----------
    n : int
        Number of cases, the largest of any criterion.
    events : int
        Positives among them on average.
    prevalence : float
        Proportion of positives.
    criteria : tuple of Criterion
        One per measure.
    level : float
        Confidence level of the intervals, above 0 and below 1.
    assumptions : tuple of str
        What must hold.
    design_effect, clusters : float and int, or None
        The factor on the number of cases, and the number of clusters, where cases come in clusters.
    design : str
        Always "cohort".
    """

    ANSWER = "external_validation"
    FORM = "studies.external_plan"
    HOLDS = None  # it has no estimates

    n: int
    events: int
    prevalence: float
    level: float
    criteria: tuple[Criterion, ...]
    design_effect: float | None = None
    clusters: int | None = None
    design: str = "cohort"
    assumptions: tuple[str, ...] = ()

    def keys(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(one.measure for one in self.criteria)

    def __getitem__(self, measure: str) -> Criterion:
        """The criterion of a measure, by name. Raises InputError for one that was not planned."""
        found = next((one for one in self.criteria if one.measure == measure), None)
        if found is None:
            raise InputError(
                "unknown-name",
                None,
                f"{validate.shown(measure)} was not planned",
                f"there are {', '.join(one.measure for one in self.criteria)}",
                value=measure,
            )
        return found

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per criterion, as plain values."""
        return self.rows_in({"criteria": [one.to_dict() for one in self.criteria]})

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, of the plain values."""
        ends = (dict(zip(("low", "high"), one["interval"], strict=True)) for one in plain["criteria"])
        return rows_of({**one, **end} for one, end in zip(plain["criteria"], ends, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        found, criteria = asdict(self), [one.to_dict() for one in self.criteria]
        return {**head(self.ANSWER), **found, "criteria": criteria, "assumptions": list(self.assumptions)}
