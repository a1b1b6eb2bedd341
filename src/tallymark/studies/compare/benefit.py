"""The difference of two models' net benefit over a range of thresholds, with pointwise and simultaneous
bands.

What a case adds to the net benefit at a threshold t is 1 if it is a positive predicted positive, -t / (1 - t)
if it is a negative predicted positive, else 0; the difference of two models on the same cases is the mean of
the differences of what each case adds, so that its covariance over the thresholds is that of these
differences. Sources: Vickers and Elkin (2006), Medical Decision Making 26, 565-574; Vickers, Cronin, Elkin
and Gonen (2008), BMC Medical Informatics and Decision Making 8, 53 (intervals, and the paired difference);
Kerr, Brown, Zhu and Janes (2016), Journal of Clinical Oncology 34, 2534-2540. The simultaneous band is the
sup-t band of Montiel Olea and Plagborg-Moller (2019), Journal of Applied Econometrics 34, 1-17.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...curves import Band, Curve
from ...curves.curve import POINTWISE, SIMULTANEOUS
from ...evaluation.results import BinaryEvaluation
from ...inference import Settings
from ...inference.bootstrap import bands
from ...inference.bootstrap.resampled_counts import HALF_A_CASE
from ...inference.fixed_sizes import GIVEN_MIX
from ...inference.intervals.scale import normal_quantile
from ...inference.units import effective_number
from ...inference.weighted_mix import HELD
from ...input import validate
from ...input.data_info import kind_of_weights
from ...input.messages.notes import Note, Notes, joined
from ...input.validate import InputError
from ...summaries import LogitTable
from ...summaries.logits import sigmoid
from .different_cases import with_cases
from .models import Model
from .same_cases import FEW_DISCORDANT, SAME_SCORES
from .study import deciding, few_of

KINDS = POINTWISE, SIMULTANEOUS
REGULAR = np.arange(1, 100) / 100  # thresholds, unless others are given
MOST = 2_000  # thresholds, whose covariance is a square
CELLS = 1 << 21  # of sums by unit and threshold that are held at a time


@dataclass(frozen=True, eq=False)
class Moments:
    """Of the net benefit, or of a difference, at each of T thresholds.

    value: (T,); covariance: (T, T); df: (T,) degrees of freedom; apart: (T,) how many cases are answered
    differently, infinite where models have different cases.
    """

    value: np.ndarray
    covariance: np.ndarray
    df: np.ndarray
    apart: np.ndarray

    @property
    def variance(self) -> np.ndarray:
        return np.diagonal(self.covariance)

    def less(self, other: Moments) -> Moments:
        """The difference of two on different cases, with Satterthwaite's degrees of freedom."""
        total = self.variance + other.variance
        parts = self.variance**2 / self.df + other.variance**2 / other.df
        df = np.divide(total**2, parts, out=np.ones_like(total), where=parts > 0)
        return Moments(
            self.value - other.value, self.covariance + other.covariance, df, np.full(len(total), np.inf)
        )


def thresholds_of(given: Any) -> np.ndarray:
    """Ascending thresholds, each once. Raises InputError for any that is not above 0 and below 1."""
    if given is None:
        return REGULAR
    found = np.unique(np.atleast_1d(np.asarray(validate.some(given, "thresholds", "numbers"), float)))
    if not len(found) or len(found) > MOST or not ((found > 0) & (found < 1)).all():
        raise InputError(
            "invalid-value",
            "thresholds",
            f"they lie above 0 and below 1, at most {MOST:,} of them",
            "as numpy.linspace(0.05, 0.5, 46)",
        )
    return found


def difference_curve(
    models: Sequence[Model], paired: bool, asked: Settings, band: str | None, thresholds: Any
) -> Curve:
    """The net benefit of the first of two models less that of the second, in the order of falling thresholds.

    asked: design, level and seed; band: "pointwise", "simultaneous" or None. Raises InputError where scores
    are no probabilities.
    """
    if band is not None:
        validate.choice(band, KINDS, "band")
    at = thresholds_of(thresholds)
    models = [model if paired else with_cases(model) for model in models]
    for model in models:
        _check(model)
    fixed = asked.design == HELD or all(model.evaluation.mix_fixed_by_weights for model in models)
    found = (
        _moments(models, at, fixed)
        if paired
        else _moments(models[:1], at, fixed).less(_moments(models[1:], at, fixed))
    )
    first, second = (model.name for model in models)
    drawn: dict[str, Any] = {}
    if band is not None:
        drawn = _banded(found, at, models, paired, asked, band, fixed)
        drawn["about"] = replace(
            drawn["about"], design=asked.design, weight_kind=kind_of_weights(_kinds(models))
        )
    return Curve(
        "decision_difference",
        at[::-1],
        found.value[::-1],
        at[::-1],
        "threshold",
        f"difference of net benefit, {first} - {second}",
        baseline=(0.0, 0.0),
        **drawn,
    )


def _check(model: Model) -> None:
    e = model.evaluation
    if model.cases is None or not isinstance(e, BinaryEvaluation) or e.ranking is None:
        raise InputError(
            "unsupported",
            "curve",
            "a decision curve needs probabilities of being positive, of two classes",
            "compare scores",
        )
    if not e.probabilities:
        raise InputError(
            "unsupported",
            "curve",
            "'decision' needs probabilities",
            f"{model.name}: {e.why_no_probabilities}",
        )


# Moments
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Answers:
    """Cases as one model, or two, answer them at ascending thresholds.

    positive: (n,) booleans; reached: of each model (n,), thresholds at which a case is predicted positive;
    weight: (n,); odds: (T,) of the thresholds; unit: (n,), which cases belong together; grouped: whether
    cases of a unit depend on one another. Else they are of one class and answered alike.
    """

    positive: np.ndarray
    reached: tuple[np.ndarray, ...]
    weight: np.ndarray
    odds: np.ndarray
    unit: np.ndarray
    grouped: bool

    @classmethod
    def of(cls, models: Sequence[Model], at: np.ndarray) -> Answers:
        one = models[0]
        positive, weight = one.truth == 1, np.ones(len(one.truth)) if one.weight is None else one.weight
        reached = tuple(_reached(model, at) for model in models)
        unit = _alike(positive, reached, len(at)) if one.clusters is None else one.clusters
        return cls(positive, reached, weight, at / (1 - at), unit, one.clusters is not None)

    def taken(self, rows: Any) -> Answers:
        reached = tuple(each[rows] for each in self.reached)
        return Answers(
            self.positive[rows], reached, self.weight[rows], self.odds, self.unit[rows], self.grouped
        )

    def added(self, row: Any, rows: int) -> np.ndarray:
        """(rows, T): the weighted sum of what the cases of a row add to the net benefit, or to the
        difference.

        At the k-th threshold those count that reach more than k: sums from the right of a histogram.
        """
        size = len(self.odds) + 1
        sums: list[np.ndarray] = []
        for of in (self.positive, ~self.positive):
            held = [np.bincount(row * size + each, self.weight * of, rows * size) for each in self.reached]
            steps = (held[0] - held[1] if len(held) > 1 else held[0]).reshape(rows, size)
            sums.append(np.cumsum(steps[:, ::-1], axis=1)[:, -2::-1])
        found: np.ndarray = sums[0] - self.odds * sums[1]
        return found

    @property
    def total(self) -> np.ndarray:
        """The same of all cases: (T,)."""
        found: np.ndarray = self.added(np.zeros(len(self.unit), np.int64), 1)[0]
        return found

    @property
    def half_cases(self) -> np.ndarray:
        """Of half a case of each class that either model alone calls positive at all thresholds, what it adds
        to the covariance.

        Without it an interval is too narrow where the models answer few positives differently, or none, and
        one would decide.
        """
        found: np.ndarray = (
            HALF_A_CASE
            * len(self.reached)
            * float((self.weight**2).mean())
            * (1 + np.outer(self.odds, self.odds))
        )
        return found

    @property
    def rarest(self) -> np.ndarray:
        """(T,): how many cases have the rarer answer of any model."""
        called = np.array([self._called(each) for each in self.reached])
        found: np.ndarray = np.minimum(called, len(self.unit) - called).min(axis=0)
        return found

    @property
    def apart(self) -> np.ndarray:
        """(T,): how many cases two models answer differently; infinite of one model."""
        if len(self.reached) < 2:
            return np.full(len(self.odds), np.inf)
        either, both = np.maximum(*self.reached), np.minimum(*self.reached)
        found: np.ndarray = self._called(either) - self._called(both)
        return found

    def _called(self, reached: np.ndarray) -> np.ndarray:
        """(T,): how many cases are predicted positive at each threshold."""
        found: np.ndarray = np.cumsum(np.bincount(reached, minlength=len(self.odds) + 1)[::-1])[-2::-1]
        return found


def _reached(model: Model, at: np.ndarray) -> np.ndarray:
    cases = model.cases
    score = sigmoid(cases.score.astype(float)) if issubclass(cases.kind, LogitTable) else cases.score
    found: np.ndarray = np.searchsorted(at.astype(score.dtype), score, side="right")
    return found


def _alike(positive: np.ndarray, reached: tuple[np.ndarray, ...], number: int) -> np.ndarray:
    """Cases of one class that are predicted positive at the same thresholds, by the same number."""
    code = positive.astype(np.int64)
    for each in reached:
        code = code * (number + 1) + each
    return np.unique(code, return_inverse=True)[1]


def _moments(models: Sequence[Model], at: np.ndarray, fixed: bool) -> Moments:
    """Of the net benefit of one model, or of the first less the second on the same cases."""
    all_of = Answers.of(models, at)
    both = all_of.positive.any() and not all_of.positive.all()
    parts = [all_of.taken(all_of.positive), all_of.taken(~all_of.positive)] if fixed and both else [all_of]
    weight = float(all_of.weight.sum())
    found = [_scatter(part) for part in parts]
    covariance = (sum(squares for squares, _ in found) + all_of.half_cases) / weight**2
    spread = sum(np.diagonal(squares) ** 2 / max(free, 1.0) for squares, free in found) / weight**4
    free = np.divide(np.diagonal(covariance) ** 2, spread, out=np.full(len(at), np.inf), where=spread > 0)
    df = np.maximum(np.minimum(free, np.minimum(deciding(models[0]), all_of.rarest) - 1), 1.0)
    return Moments(all_of.total / weight, covariance, df, all_of.apart)


def _scatter(part: Answers) -> tuple[np.ndarray, float]:
    """The sum of squares and products of the units' deviations from the mean, without bias, and its degrees
    of freedom."""
    part = part.taken(np.argsort(part.unit, kind="stable"))
    known, row = np.unique(part.unit, return_inverse=True)
    size = np.bincount(row, part.weight)
    mean = part.total / part.weight.sum()
    # of independent cases
    times = np.ones(len(known)) if part.grouped else np.bincount(row, part.weight**2) / size**2
    found, step = np.zeros((len(mean),) * 2), max(CELLS // (len(mean) + 1), 1)
    for start in range(0, len(known), step):
        some, here = slice(*np.searchsorted(row, [start, start + step])), slice(start, start + step)
        off = part.taken(some).added(row[some] - start, len(size[here])) - size[here, None] * mean
        found += (off * times[here, None]).T @ off
    effective = effective_number(size if part.grouped else part.weight)
    cases = float(len(known)) if part.grouped else effective
    return found * (cases / (cases - 1) if cases > 1 else np.nan), effective - 1


# Bands
# --------------------------------------------------------------------------------------------------


def _banded(
    found: Moments,
    at: np.ndarray,
    models: Sequence[Model],
    paired: bool,
    asked: Settings,
    band: str,
    fixed: bool,
) -> dict[str, Any]:
    """The band and what it is, as fields of a curve."""
    level = asked.level
    missing = [
        name
        for name, there in (("positives", True), ("negatives", False))
        if not all(_has(one, there) for one in models)
    ]
    if missing:
        return {"about": Band(band, level, None, (Note("no-cases-of-a-class", missing=missing[0]),))}
    if not np.isfinite(found.covariance).all():
        return {"about": Band(band, level, None, (Note("no-spread-of-band"),))}
    if paired and _same_scores(models):
        nothing = np.zeros(len(at))
        return {"band": (nothing, nothing), "about": Band(band, level, "certain", (SAME_SCORES,))}
    largest = np.maximum(1.0, at / (1 - at))
    tail = (1 + level) / 2 if band == POINTWISE else _sup_t(found.covariance, level, asked.seed)
    reach = _quantile(tail, found.df) * np.sqrt(found.variance)
    low, high = np.maximum(found.value - reach, -largest), np.minimum(found.value + reach, largest)
    method = (
        f"{'paired' if paired else 'independent'} influence values{', sup-t' if band == SIMULTANEOUS else ''}"
    )
    return {"band": (low[::-1], high[::-1]), "about": Band(band, level, method, _notes(found, models, fixed))}


def _has(model: Model, positive: bool) -> bool:
    return bool(((model.truth == 1) == positive).any())


def _kinds(models: Sequence[Model]) -> list[str | None]:
    return [model.evaluation.data.weight_kind for model in models]


def _same_scores(models: Sequence[Model]) -> bool:
    one, other = models
    return np.array_equal(one.cases.score, other.cases.score)


def _quantile(tail: float, df: np.ndarray) -> np.ndarray:
    from scipy.special import ndtri, stdtrit

    found: np.ndarray = np.where(np.isinf(df), ndtri(tail), stdtrit(np.where(np.isinf(df), 1.0, df), tail))
    return found


def _sup_t(covariance: np.ndarray, level: float, seed: int) -> float:
    """The probability up to which each threshold's quantile reaches, so that all of a normal process lie
    within with that level."""
    from scipy.special import ndtr

    error = np.sqrt(np.diagonal(covariance))
    sizes, directions = np.linalg.eigh(covariance / np.outer(error, error))
    # the symmetric one, whatever the signs of directions
    root = (directions * np.sqrt(np.maximum(sizes, 0.0))) @ directions.T
    draws = np.random.default_rng(seed).standard_normal((bands.replicates(level), len(error)))
    furthest = np.quantile(np.abs(draws @ root).max(axis=1), level)
    return float(ndtr(max(float(furthest), normal_quantile(level))))


def _notes(found: Moments, models: Sequence[Model], fixed: bool) -> Notes:
    few = int((found.apart < FEW_DISCORDANT).sum())
    where = Note(
        "few-answered-differently-at-thresholds", thresholds=few, of=len(found.apart), limit=FEW_DISCORDANT
    )
    of_models = dict.fromkeys(note for model in models for note in few_of(model))
    return joined(where if few else None, tuple(of_models), GIVEN_MIX if fixed else None)
