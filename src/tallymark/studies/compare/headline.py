"""The headline of a comparison as values; `report.documents.headlines` makes one sentence of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ...evaluation.paired.differences import Difference
from ...inference import Estimate
from ...inference.clustered import DependentCases
from ...inference.hypothesis.calibration import Test
from ...input.results import Result, equal_as_tuples
from ...measures import registry
from ...summaries import Counts
from .common_mix import of_mix
from .named_tests import AREAS_EQUAL, NAMED, OF_ALL

if TYPE_CHECKING:
    from .answer import Comparison

Reading = Literal["better", "worse", "higher", "lower", "unclear", "class mix"]


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ComparisonHeadline(Result):
    """What a comparison shows: its first difference, or of more than two models the range and the joint test.

    Attributes
    ----------
    difference : Difference
        The first difference, with its models and its interval.
    cases : float
        The number of cases; for a rate of one class those of this class.
    level : float
        The confidence level.
    p_value : float
        The p-value, adjusted where there are several.
    adjusted : bool
        Whether it is adjusted.
    of_class : str or None
        The class that the measure is a rate of, "positive" or "negative".
    groups : tuple of str and int, or None
        What these cases belong to and how many there are of these, as ("clusters", 40).
    opposite : Difference or None
        The difference of the rate of the other class, where both are shown and go apart.
    values : dict of str to Estimate
        The measure by model, of more than two models.
    joint : Test or None
        The test that all models are equal, of more than two.
    shown : int
        Of how many differences in this measure the p-value shows a difference.
    differences : int
        The number of differences in this measure.
    """

    FORM = "headlines.headline"

    difference: Difference
    cases: float
    level: float
    p_value: float
    adjusted: bool
    of_class: str | None = None
    groups: tuple[str, int] | None = None
    opposite: Difference | None = None
    values: dict[str, Estimate] = field(default_factory=dict)
    joint: Test | None = None
    shown: int = 0
    differences: int = 1

    __eq__ = equal_as_tuples

    @property
    def reading(self) -> Reading | None:
        """Whether the model is "better" or "worse" than the reference; "unclear" if no difference is shown.

        "higher" or "lower" of a measure of which no value is better, and of a rate of one class; "class mix"
        where it depends on a class mix that differs; None for an undefined difference, and for one without a
        test.
        """
        one = self.difference
        if one.estimate.undefined or isnan(self.p_value):
            return None
        if of_mix(one.estimate):
            return "class mix"
        if not self.p_value < 1 - self.level:
            return "unclear"
        form = next((form for form in registry.forms(one.measure) if form.better is not None), None)
        if form is None or self.of_class is not None:
            return "higher" if one.value > 0 else "lower"
        return "better" if (one.value > 0) == (form.better == "higher") else "worse"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, with the sentence as `text`."""
        one = self.difference
        several = {
            "values": {name: found.to_dict() for name, found in self.values.items()},
            "joint": None if self.joint is None else self.joint.to_dict(),
            "shown": self.shown,
            "differences": self.differences,
        }
        return {
            "text": str(self),
            "measure": one.measure,
            "model": one.model,
            "reference": one.reference,
            "difference": one.estimate.to_dict(),
            "p_value": None if isnan(self.p_value) else self.p_value,
            "adjusted": self.adjusted,
            "reading": self.reading,
            "cases": self.cases,
            "of_class": self.of_class,
            "opposite": None if self.opposite is None else self.opposite.measure,
            **(several if self.values else {}),
        }


def headline_of(c: Comparison) -> ComparisonHeadline:
    """The headline of a comparison."""
    first = c.differences[0]
    adjusted = c.adjust != "none" and len(c.differences) > 1

    def p(one: Difference) -> float:
        return one.adjusted if adjusted else one.p_value

    same = [one for one in c.differences if one.measure == first.measure]
    positive, alpha = OF_ALL.get(first.measure), 1 - c.level
    other = next((one for one in c.differences if _go_apart(first, one)), None)
    several = len(c.models) > 2
    return ComparisonHeadline(
        difference=first,
        cases=c.data.rows if positive is None else _size(c, positive),
        level=c.level,
        p_value=p(first),
        adjusted=adjusted,
        of_class=None if positive is None else ("positive" if positive else "negative"),
        groups=_groups(c, positive),
        opposite=other if other and p(first) < alpha and p(other) < alpha else None,
        values={name: e[first.measure] for name, e in c.evaluations.items()} if several else {},
        joint=_joint(c, first.measure),
        shown=sum(p(one) < alpha for one in same),
        differences=len(same),
    )


def _size(c: Comparison, positive: int) -> float:
    """The number of cases of the class, of all models together on different cases."""
    size = c.data.positives if positive else c.data.negatives
    return c.data.rows if size is None else size


def _groups(c: Comparison, positive: int | None) -> tuple[str, int] | None:
    """The clusters of the cases that count; None without clusters, and on different cases."""
    clusters = next(iter(c.evaluations.values())).clusters
    if clusters is None or not c.paired:
        return None
    if positive is None or not isinstance(clusters, DependentCases):
        return clusters.what, clusters.number
    return clusters.what, len(np.unique(clusters.units[..., clusters.cases.positive == bool(positive)]))


def _go_apart(one: Difference, other: Difference) -> bool:
    """Whether they are rates of the two classes, of the same models, of which one is better, one worse."""
    classes = OF_ALL.get(one.measure), OF_ALL.get(other.measure)
    if (
        None in classes
        or classes[0] == classes[1]
        or (one.model, one.reference) != (other.model, other.reference)
    ):
        return False
    better = [
        (each.value > 0) == (registry.get(each.measure, Counts).better == "higher") for each in (one, other)
    ]
    return better[0] != better[1]


def _joint(c: Comparison, measure: str) -> Test | None:
    """The test that all of more than two models are equal in this measure."""
    if len(c.models) < 3:
        return None
    of = NAMED[OF_ALL[measure]] if measure in OF_ALL else None
    name = AREAS_EQUAL if measure == "roc_auc" else f"cochran q, {of}"
    return next((test for test in c.tests if test.name == name and not isnan(test.p_value)), None)
