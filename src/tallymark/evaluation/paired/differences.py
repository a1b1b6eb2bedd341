"""The results for two models: their difference, the decision on a margin, and their agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, isnan, nan
from typing import Any

import numpy as np

from ...curves import Curve
from ...inference import Estimate
from ...inference.contrast import Contrast, Covariance, Evidence, Unknown, span
from ...input import validate
from ...input.messages import Note, Notes, joined
from ...input.results import Result, equal_as_tuples, plain
from ...input.validate import InputError
from ...measures.registry import Measure, forms

POINTS = 401  # of a confidence curve
# level that it reaches, or, of few resamples, the first of these
WIDEST, LEVELS = 0.999, (0.99, 0.95, 0.9, 0.5)
NON_INFERIORITY, EQUIVALENCE = "non-inferiority", "equivalence"


@dataclass(frozen=True, slots=True, repr=False)
class Decision(Result):
    """Whether a difference lies within a margin.

    Attributes
    ----------
    hypothesis : str
        "non-inferiority" or "equivalence".
    margin : float
        The margin, above 0.
    shown : bool
        Whether the difference is shown to lie within the margin. False does not show the contrary.
    reason : Note
        How it was decided, or why it could not be.
    p_value : float
        One-sided, of the hypothesis that the difference lies beyond the margin.
    low, high, level : float
        The interval that decides, and its level.
    """

    hypothesis: str
    margin: float
    shown: bool
    reason: Note
    p_value: float
    low: float
    high: float
    level: float

    __eq__ = equal_as_tuples

    @property
    def text(self) -> str:
        """The sentence of the reason."""
        return self.reason.text


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Contrast):
    """The value of a model less that of the reference.

    Attributes
    ----------
    measure, model, reference : str
        Their names.
    estimate : Estimate
        The difference with its interval and, where the method has one, its standard error.
    p_value : float
        Two-sided, of the hypothesis of no difference.
    adjusted : float
        The p-value adjusted for all differences of the comparison.
    test : str
        The name of the test.
    models : pair of Estimate
        The values of the model and of the reference.
    evidence : Evidence
        Intervals at any level, and p-values for any effect.
    decision : Decision or None
        On a margin, where one was given.
    """

    PLAIN = (
        "measure model reference *estimate p_value adjusted_p_value=adjusted test statistic df covariance?"
        " decision"
    )

    measure: str
    model: str
    reference: str
    estimate: Estimate
    p_value: float
    adjusted: float
    test: str
    models: tuple[Estimate, Estimate]
    evidence: Evidence = field(repr=False)
    decision: Decision | None = None

    @property
    def standard_error(self) -> float | None:
        """The standard error of the difference, in the unit of the measure.

        None where the method has none, as a score or a permutation test.
        """
        return self.estimate.standard_error

    @property
    def statistic(self) -> float | None:
        """The statistic of the test of no difference, above 0 where the model has the higher value.

        It is z, or Student's t with `df`. None where resamples or permutations are counted, and where there
        is no test.

        Where there is a standard error, it is the value divided by that. For the method "mover", whose
        interval is not symmetric, it is the value divided by its distance to the bound on the side of 0,
        times the normal quantile of the level, so that the test rejects where the interval excludes 0.
        """
        return self.evidence.statistic

    @property
    def df(self) -> float | None:
        """The degrees of freedom of the statistic; None where it is normal, or there is none."""
        return self.evidence.df if isfinite(self.evidence.df) else None

    @property
    def covariance(self) -> Covariance | None:
        """The 2 x 2 covariance of the two areas, that of the model first, by DeLong's method.

        None for other methods.
        """
        return self.evidence.covariance

    def p_at(self, effect: Any) -> Any:
        """Two-sided p-values of the hypotheses that the true difference equals each of these effects.

        For a number it is a number.
        """
        found = self.evidence.p_at(effect)
        return found if np.ndim(found) else float(found)

    def interval(self, level: float) -> tuple[float, float]:
        """The interval at another level."""
        low, high = self.evidence.bounds(level)
        return float(low), float(high)

    @property
    def curve(self) -> Curve:
        """The confidence curve: the p-value of every possible effect, with its maximum at the value.

        At height p it is as wide as the interval at level 1 - p, and `threshold` holds these levels, so that
        the intervals of all levels can be read from it. Source: Birnbaum (1961); Schweder and Hjort (2016).
        Raises InputError without an interval.
        """
        title = f"difference of {self.measure}, {self.model} - {self.reference}"
        if isinstance(self.evidence, Unknown) and self.evidence.certain:
            x = np.array([0.0])
        else:
            low, high = self._widest
            if isnan(low):
                raise InputError(
                    "no-result",
                    "confidence_curve",
                    f"{self.measure} has none",
                    f"{self.estimate.note or self.estimate.undefined}",
                )
            x = np.unique(
                np.append(np.linspace(min(low, self.value), max(high, self.value), POINTS), self.value)
            )
        p = np.asarray(self.evidence.p_at(x), float)
        return Curve("confidence", x, p, 1 - p, title, "p-value", dots=len(x) == 1)

    @property
    def _widest(self) -> tuple[float, float]:
        """The interval at the highest of some levels that has one.

        With few resamples the highest levels have none.
        """
        found = (self.interval(level) for level in (WIDEST, *LEVELS))
        return next((one for one in found if not isnan(one[0])), (nan, nan))

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON values, with those of both models."""
        of_model, of_reference = plain(self.models)
        return {**super().to_dict(), "of_model": of_model, "of_reference": of_reference}


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(Result):
    """The agreement of two models on the same cases.

    Attributes
    ----------
    first, second : str
        The names of the models.
    same : Estimate
        The proportion of cases with the same prediction.
    kappa : Estimate
        Cohen's kappa of the predictions.
    spearman, kendall : float or None
        Rank correlations of the scores, NaN where one is constant, None without scores.
    right : mapping of str to float
        The number of cases that "both", "first only", "second only" and "neither" have right.
    """

    first: str
    second: str
    same: Estimate
    kappa: Estimate
    spearman: float | None
    kendall: float | None
    right: Mapping[str, float]

    __eq__ = equal_as_tuples


def margins_of(
    non_inferior_by: Any, equivalent_within: Any, names: Sequence[str], level: float
) -> tuple[str | None, dict[str, float]]:
    """The hypothesis, and the margin by measure.

    Raises InputError for both hypotheses at once, and for margins that are not above 0.
    """
    given = {NON_INFERIORITY: non_inferior_by, EQUIVALENCE: equivalent_within}
    wanted = [name for name, value in given.items() if value is not None]
    if len(wanted) > 1:
        raise InputError(
            "conflict", "equivalent_within", "non_inferior_by is given already", "ask for one of the two"
        )
    if not wanted:
        return None, {}
    if wanted == [EQUIVALENCE] and not level > 0.5:
        raise InputError(
            "invalid-value",
            "level",
            f"{level:g} is too low for equivalence, which is judged at 2 level - 1",
            "give more than 0.5",
        )
    role = "non_inferior_by" if wanted == [NON_INFERIORITY] else "equivalent_within"
    value = given[wanted[0]]
    found = value if isinstance(value, Mapping) else dict.fromkeys(names, value)
    compared = {_compared(name, names, role): one for name, one in found.items()}
    return wanted[0], {form.name: _margin(one, role, form) for form, one in compared.items()}


def _compared(name: Any, names: Sequence[str], role: str) -> Measure:
    """The measure that is compared."""
    called = next((form for form in forms(name) if form.name in names), None)
    if called is None:
        raise InputError(
            "unknown-name",
            role,
            f"{validate.shown(name)} is not compared here",
            f"compared are {', '.join(names)}",
            value=name,
        )
    return called


def _margin(value: Any, role: str, measure: Measure) -> float:
    found = validate.positive(value, role, "give the smallest difference that matters, a number above 0")
    largest = span(measure.range)[1]
    if found >= largest:
        problem = (
            f"no values of {measure.name} differ by more than {largest:g}, so that {found:g} excludes nothing"
        )
        raise InputError("invalid-value", role, problem, f"give a number below {largest:g}", value=value)
    return found


def decision_of(
    hypothesis: str, margin: float, better: str | None, found: Estimate, evidence: Evidence, level: float
) -> Decision:
    """The decision whether the interval lies within the margin.

    For non-inferiority it is the two-sided interval at the level, so that the one-sided error is (1 - level)
    / 2, on the side where the model is worse. For equivalence it is the interval at 2 level - 1, on both
    sides: two one-sided tests at 1 - level each (Schuirmann 1987). The p-value is that of the one-sided test,
    or the larger one of the two.
    """
    if hypothesis == EQUIVALENCE:
        return _equivalent(margin, found, evidence, 2 * level - 1)
    if better is None:
        return _open(hypothesis, margin, level, joined(Note("without-better-side")))
    low, high = map(float, evidence.bounds(level))
    if isnan(low):
        return _open(hypothesis, margin, level, joined(found.undefined, found.notes))
    worse, side, limit = (low, "low", -margin) if better == "higher" else (high, "high", margin)
    kept = worse > limit if better == "higher" else worse < limit
    reason = Note("non-inferior", shown=bool(kept), side=side, end=float(worse), limit=limit, level=level)
    return Decision(
        hypothesis, margin, bool(kept), reason, one_sided(found, evidence, limit), low, high, level
    )


def _equivalent(margin: float, found: Estimate, evidence: Evidence, level: float) -> Decision:
    low, high = map(float, evidence.bounds(level))
    if isnan(low):
        return _open(EQUIVALENCE, margin, level, joined(found.undefined, found.notes))
    kept = -margin < low and high < margin
    reason = Note("equivalent", shown=bool(kept), low=low, high=high, margin=margin, level=level)
    p = max(one_sided(found, evidence, limit) for limit in (-margin, margin))
    return Decision(EQUIVALENCE, margin, bool(kept), reason, p, low, high, level)


def one_sided(found: Estimate, evidence: Evidence, limit: float) -> float:
    """The one-sided p-value of the hypothesis that the difference lies beyond the limit."""
    half = float(evidence.p_at(limit)) / 2
    inside = found.value > limit if limit < 0 else found.value < limit
    return half if inside else 1 - half


def _open(hypothesis: str, margin: float, level: float, reason: Notes) -> Decision:
    return Decision(hypothesis, margin, False, Note("undecided", because=reason), nan, nan, nan, level)
