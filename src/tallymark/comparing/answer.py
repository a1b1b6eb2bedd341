"""The answer of `compare`: differences with how sure they are, tests, and where the models agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import validate
from ..calibration_tests import Test
from ..calls import public
from ..curves import Curve, plain
from ..evaluation import Evaluation, RegressionEvaluation
from ..facts import Data, named
from ..notes import Note
from ..notices import Notice
from ..registry import forms
from ..results import Answer, Result, Tabular, head, rows_of
from ..uncertainty import Estimate
from ..uncertainty.evidence import Certain, Covariance, Evidence
from ..validate import InputError, shown

if TYPE_CHECKING:
    from .models import Model

BENEFIT = ("decision", "net_benefit")  # names of the curve of which a difference is drawn
POINTS = 401  # of a confidence curve
WIDEST, LEVELS = 0.999, (0.99, 0.95, 0.9, 0.5)  # level that it reaches, or, of few resamples, the first of these
NON_INFERIORITY, EQUIVALENCE = "non-inferiority", "equivalence"


@dataclass(frozen=True, slots=True, repr=False)
class Decision(Result):
    """Whether a margin is kept. shown: True, or False where the data leave it open, which does not show the contrary.

    reason: how it was decided, or why it could not be; low, high: the interval that decides, at `level`; p_value: of the hypothesis
    that the margin is not kept, one-sided.
    """

    hypothesis: str
    margin: float
    shown: bool
    reason: Note
    p_value: float
    low: float
    high: float
    level: float

    @property
    def text(self) -> str:
        """The sentence of the reason."""
        return self.reason.text

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON values."""
        return {name: _plain(getattr(self, name)) for name in self.__slots__} | {"reason": self.reason.to_dict()}


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Result):
    """The value of a model less that of the reference.

    estimate: with its interval and, where the method has one, its standard error; p_value: two-sided, of no difference; adjusted:
    for all differences of the comparison; test: what the p-value is of; decision: where a margin was given; models: what each of
    the two has by itself.
    """

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
    def value(self) -> float:
        return self.estimate.value

    @property
    def low(self) -> float:
        return self.estimate.low

    @property
    def high(self) -> float:
        return self.estimate.high

    @property
    def standard_error(self) -> float | None:
        """Of the difference, in the unit of the measure; None where the method has none, as a score or a permutation test."""
        return self.estimate.standard_error

    @property
    def statistic(self) -> float | None:
        """Of the test of no difference, above 0 where the model has the higher value: z, or Student's t with `df`, of which the
        p-value is twice the tail. None where resamples or permutations are counted, and where there is no test.

        Where there is a standard error it is the value over that, but by the method "mover", whose interval is not symmetric: there
        it is the value over its distance to the bound on the side of 0, times the normal quantile of the level, so that the test
        rejects where the interval leaves out 0.
        """
        return self.evidence.statistic

    @property
    def df(self) -> float | None:
        """The degrees of freedom of the statistic; None where it is normal, or there is none."""
        return self.evidence.df if isfinite(self.evidence.df) else None

    @property
    def covariance(self) -> Covariance | None:
        """The 2 x 2 covariance of the two areas, that of the model first, where DeLong's variance was used; None elsewhere."""
        return self.evidence.covariance

    def p_at(self, effect: Any) -> Any:
        """Two-sided p-values of the hypotheses that the true difference is each of these effects; a number gives a number."""
        found = self.evidence.p_at(effect)
        return found if np.ndim(found) else float(found)

    def interval(self, level: float) -> tuple[float, float]:
        """At another level."""
        low, high = self.evidence.bounds(level)
        return float(low), float(high)

    @property
    def curve(self) -> Curve:
        """The confidence curve: the p-value of every effect there might be, highest at the value.

        At height p it is as wide as the interval at level 1 - p, which is what `threshold` holds; so all intervals, one inside the
        other, can be read off it. Source: Birnbaum (1961); Schweder and Hjort (2016). Raises InputError without an interval.
        """
        title = f"difference of {self.measure}, {self.model} - {self.reference}"
        if isinstance(self.evidence, Certain):
            x = np.array([0.0])
        else:
            low, high = self._widest
            if isnan(low):
                raise InputError(
                    "no-result", "confidence_curve", f"{self.measure} has none", f"{self.estimate.note or self.estimate.undefined}"
                )
            x = np.unique(np.append(np.linspace(min(low, self.value), max(high, self.value), POINTS), self.value))
        p = np.asarray(self.evidence.p_at(x), float)
        return Curve("confidence", x, p, 1 - p, title, "p-value", dots=len(x) == 1)

    @property
    def _widest(self) -> tuple[float, float]:
        """The interval at the highest of some levels that has one: few resamples do not reach the highest ones."""
        found = (self.interval(level) for level in (WIDEST, *LEVELS))
        return next((one for one in found if not isnan(one[0])), (nan, nan))

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON values."""
        plain = {"measure": self.measure, "model": self.model, "reference": self.reference, **self.estimate.to_dict()}
        plain |= {"p_value": _plain(self.p_value), "adjusted_p_value": _plain(self.adjusted), "test": self.test}
        plain |= {"statistic": _plain(self.statistic), "df": self.df}
        if self.covariance:
            plain["covariance"] = [list(row) for row in self.covariance]
        values = {name: one.to_dict() for name, one in zip(("of_model", "of_reference"), self.models, strict=True)}
        return plain | values | {"decision": self.decision.to_dict() if self.decision else None}


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(Result):
    """How two models agree on the same cases.

    same: the share of cases that both answer alike; kappa: Cohen's, of the two columns of answers; spearman, kendall: rank
    correlations of the scores, NaN where one is constant, None without scores; right: how many cases "both", "first only",
    "second only" and "neither" have right.
    """

    first: str
    second: str
    same: Estimate
    kappa: Estimate
    spearman: float | None
    kendall: float | None
    right: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON values."""
        found = {"first": self.first, "second": self.second, "same": self.same.to_dict(), "kappa": self.kappa.to_dict()}
        return found | {"spearman": _plain(self.spearman), "kendall": _plain(self.kendall), "right": dict(self.right)}


@dataclass(frozen=True, eq=False)
class Comparison(Answer, Tabular):
    """Two models or more, compared.

    evaluations: by model; differences: of every measure and pair; tests: McNemar's of every pair, Cochran's Q and DeLong's overall
    test where there are more than two models; agreement: of every pair on the same cases; assumes: what all of it rests on; adjust:
    how the p-values are adjusted; seed, replicates: of resampling; design: "cohort", the class mix varies from sample to sample, or
    "case-control", the class sizes are fixed, and every interval and p-value is conditional on them; compared: the models with
    their cases, where these are known.
    """

    ANSWER = "comparison"

    data: Data
    paired: bool
    evaluations: Mapping[str, Evaluation]
    differences: tuple[Difference, ...]
    tests: tuple[Test, ...]
    agreement: tuple[Agreement, ...]
    assumes: str
    adjust: str
    level: float
    replicates: int
    seed: int
    notices: tuple[Notice, ...] = ()
    design: str = "cohort"
    compared: tuple[Model, ...] = field(default=(), repr=False)

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self.evaluations)

    @property
    def of_amounts(self) -> bool:
        """Whether predicted amounts are compared, which have no classes, so that no design is named."""
        return any(isinstance(one, RegressionEvaluation) for one in self.evaluations.values())

    @property
    def mix_fixed_by_weights(self) -> bool:
        """Whether class weights fix the class mix in all models, so that differences are for this mix, whatever the design."""
        return all(one.mix_fixed_by_weights for one in self.evaluations.values())

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.measure for one in self.differences))

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Model and reference."""
        return tuple(dict.fromkeys((one.model, one.reference) for one in self.differences))

    def __getitem__(self, asked: str | tuple[Any, ...]) -> Difference:
        """comparison["roc_auc"], or of more than two models comparison["roc_auc", "b"] or comparison["roc_auc", "b", "a"].

        Raises InputError for a measure or a model that is not compared, and where there are several pairs to choose from.
        """
        measure, *pair = (asked if isinstance(asked, tuple) else (asked,)) or (None,)
        names = {form.name for form in forms(measure)}
        found = [one for one in self.differences if one.measure in names]
        if not found:
            raise InputError(
                "unknown-name",
                None,
                f"{shown(measure)} is not compared here",
                f"compared are {', '.join(self.measures)}",
                value=measure,
            )
        chosen = [one for one in found if [one.model, one.reference][: len(pair)] == pair]
        if len(chosen) != 1:
            known = ", ".join(f"[{measure!r}, {model!r}, {reference!r}]" for model, reference in self.pairs[:3])
            said = "several models are compared" if chosen else f"{shown(pair)} is no pair here"
            raise InputError("needed", measure, said, f"say which, as {known}")
        return chosen[0]

    @public()
    def confidence_curve(self, *asked: str) -> Curve:
        """p-value against effect: confidence_curve("roc_auc"), or ("roc_auc", "b") of more than two models."""
        return self[asked].curve

    @public()
    def curve(
        self, name: str, *pair: str, band: str | None = None, level: float | None = None, thresholds: Sequence[float] | None = None
    ) -> Curve:
        """The difference of two models' decision curves: curve("decision"), or ("decision", "b", "a") for b - a of more than two.

        name: "decision" (or "net_benefit"). band: "pointwise" holds the true difference at each threshold by itself with the
        probability `level` (by default that of the comparison), "simultaneous" at all thresholds at once; by the influence values
        of the cases, with weights, clusters and design as in the comparison. thresholds: above 0 and below 1; by default 0.01,
        0.02, ..., 0.99.

        Raises InputError for another name, for models that are not compared, and where scores are no probabilities.
        Sources: Vickers and Elkin (2006); Vickers and others (2008); Kerr and others (2016).
        """
        from .benefit import difference_curve

        if plain(name) not in BENEFIT:
            raise InputError(
                "unknown-name",
                "curve",
                f"{shown(name)} is not drawn of a difference",
                "take 'decision', or the curves of .evaluations",
                value=name,
            )
        chosen = self._pair(pair)
        known = {model.name: model for model in self.compared}
        level = self.level if level is None else validate.level(level)
        return difference_curve(
            [known[one] for one in chosen], self.paired, self.design, level, self.seed, band=band, thresholds=thresholds
        )

    def _pair(self, asked: tuple[str, ...]) -> tuple[str, str]:
        """Model and reference, of those that are compared."""
        found = [pair for pair in self.pairs if pair[: len(asked)] == asked]
        if len(found) != 1:
            known = ", ".join(f"('decision', {model!r}, {reference!r})" for model, reference in self.pairs[:3])
            said = "several models are compared" if found else f"{shown(list(asked))} is no pair here"
            raise InputError("needed", "curve", f"{said}; say which, as {known}", "on the command line pass two scores")
        return found[0]

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per difference, as plain values; shown: whether the margin is kept, where one was given."""
        return self.rows_in({"differences": [one.to_dict() for one in self.differences]})

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, of the plain values."""
        every = plain["differences"]
        return rows_of({**one, "decision": {}, "shown": one["decision"] and one["decision"]["shown"]} for one in every)

    @classmethod
    def estimates_in(cls, plain: Mapping[str, Any]) -> Mapping[Any, Mapping[str, Any]]:
        """The differences by measure; of several pairs of models by measure, model and reference."""
        several = len({(one["model"], one["reference"]) for one in plain["differences"]}) > 1
        names = ("measure", "model", "reference")
        return {tuple(one[name] for name in names) if several else one["measure"]: one for one in plain["differences"]}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            **head(self.ANSWER),
            "data": self.data.to_dict(),
            "paired": self.paired,
            "assumes": self.assumes,
            "models": list(self.models),
            "adjust": self.adjust,
            "level": self.level,
            "replicates": self.replicates,
            "seed": self.seed,
            **named(None if self.of_amounts else self.design, self.mix_fixed_by_weights),
            "selected": list(self.measures),
            "differences": [one.to_dict() for one in self.differences],
            "tests": [test.to_dict() for test in self.tests],
            "agreement": [one.to_dict() for one in self.agreement],
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        one = self.differences[0]
        p = "" if isnan(one.p_value) else f", p {one.p_value:.3g}"
        return f"<Comparison of {len(self.models)} models: {one.measure} {one.model} - {one.reference} {one.value:.4g}{p}>"

    def __str__(self) -> str:
        from .printed import text_of

        return text_of(self)


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value
