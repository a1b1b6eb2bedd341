"""Scoring rules: what a reported probability is worth on average, and whether telling the true one pays best.

A rule R(y, q) pays for the report q once y has happened: 1 for the positive class, 0 for the negative.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Self

import numpy as np

from ..input.calls import public
from ..input.results import Result
from ..input.validate import InputError, choice, plain_array, shown
from ..measures.registry import find, get
from ..summaries import RankingTable

Rewards = Callable[[np.ndarray], np.ndarray]

STEPS = 400  # of the grid of probabilities
NEAR_THE_ENDS = 10.0 ** -np.arange(3, 7)  # further probabilities, from 0 and from 1
HALVINGS = 16  # of a step of the grid, for reports close to the truth
TO_NEIGHBOURS = 50  # halvings that bring a step of the grid down to two floats
JUMP = 1e-9  # from one float to the next, as a share of what a rule usually pays
ROUNDING = 64 * np.finfo(float).eps  # of an expected score, as a share of what it is added up from
JUST_INSIDE = (np.finfo(float).tiny, float(np.nextafter(1, 0)))  # where a rule gives NaN at 0 or 1


class Propriety(Result, str):
    """ "strictly proper", "proper" or "improper": a text that knows the case that shows it.

    true, reported: whoever believes `true` does not lose by reporting `reported`; gain: what that pays more than the truth does:
    above 0 if improper, 0 if proper. All None if strictly proper.
    """

    true: float | None
    reported: float | None
    gain: float | None

    def __new__(cls, verdict: str, true: float | None = None, reported: float | None = None, gain: float | None = None) -> Self:
        new = super().__new__(cls, verdict)
        new.true, new.reported, new.gain = true, reported, gain
        return new

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {"verdict": str(self), "true": self.true, "reported": self.reported, "gain": self.gain}

    def __repr__(self) -> str:
        if self.gain is None:
            return str(self)
        said = f"gains {self.gain:.4g}" if self.gain else "loses nothing"
        return f"{self} (who believes {self.true!r} {said} by reporting {self.reported!r})"

    __str__ = str.__str__


# Rules by name --------------------------------------------------------------------------------------------------------


class _Report:
    """One case as a loss of the catalogue sees it: the probability given to what happened, for an array of reports."""

    prior = 0.25  # what depends on the class mix is asked as where a quarter of the cases is positive

    def __init__(self, y: int, q: Any):
        self.p = q if y else 1 - q
        self.positive = np.full(np.shape(q), bool(y))

    def log(self, clip: float | None = None) -> Any:
        return np.log(np.maximum(self.p, clip or 0.0))


def quadratic(y: int, q: Any) -> Any:
    """1 - (y - q)^2."""
    return 1 - (y - q) ** 2


def accuracy(y: int, q: Any) -> Any:
    """1 where q is on the right side of 0.5, which is positive itself."""
    return (q >= 0.5) == y


def rules() -> dict[str, tuple[Callable[..., Any], str]]:
    """By name: every measure of probabilities that is the mean of a loss or reward per case, and two more; and what is better."""
    known = {
        entry.name: (partial(_charged, entry.loss), str(entry.better))
        for entry in find(RankingTable)
        if entry.needs_probabilities and entry.loss and not entry.of_mean
    }
    return {"quadratic": (quadratic, "higher"), "accuracy": (accuracy, "higher"), **known}


def _charged(loss: Callable[..., Any], y: int, q: Any, **parameters: Any) -> Any:
    return loss(_Report(y, q), **parameters)


# Questions ------------------------------------------------------------------------------------------------------------


@public()
def expected_score(rule: Callable[..., Any] | str, *, true: Any, reported: Any, **parameters: Any) -> Any:
    """What reporting a probability is worth on average: p R(1, q) + (1 - p) R(0, q), where 0 times infinity is 0.

    rule: a function of y (1 or 0) and of q, an array or a number, or the name of a measure of the catalogue that is a mean of
    losses, as "focal_loss", "quadratic" or "accuracy"; parameters: of the measure, as gamma=2; true: the true probability p of the
    positive class; reported: the q that is reported; numbers or arrays in [0, 1] that broadcast. A float, or an array of their
    common shape, of rewards or of losses, as the rule is. Raises InputError for what is no probability, and where the rule gives
    no number.

    Source: Berrar, introduction.
    """
    function, _ = _named(rule, None, parameters)
    p, q = _probabilities(true, "true"), _probabilities(reported, "reported")
    try:
        np.broadcast_shapes(p.shape, q.shape)
    except ValueError:
        raise InputError("wrong-shape", "true, reported", f"their shapes {p.shape} and {q.shape} do not fit together") from None
    paid = [_paid(function, y, q) for y in (0, 1)]
    for y, (never, pay) in enumerate(zip((p == 1, p == 0), paid, strict=True)):
        _refuse_gaps(np.isnan(pay) & ~never, y, q)
    value = _expected(p, paid)
    return value if np.ndim(value) else float(value)


@public()
def is_proper(rule: Callable[..., Any] | str, *, better: str | None = None, **parameters: Any) -> Propriety:
    """Whether nobody can do better on average than to report the probability that they believe.

    "strictly proper" where every other report is worse, "proper" where none is better, else "improper", with the belief and the
    report that gain most. The answer equals one of these texts, and shows the case that proves it.

    rule: a function of y (1 or 0) and of q, an array or a number, or the name of a measure of the catalogue that is a mean of
    losses, as "focal_loss", "quadratic" or "accuracy"; parameters: of the measure, as gamma=2. What depends on the class mix is
    asked for a share of positives of a quarter. better: whether a "higher" value is better (a reward, as functions are taken to
    be) or a "lower" one (a loss); names know it. Raises InputError where the rule gives no number between 0 and 1; at 0 and 1
    themselves the value just inside takes its place. Raises it, too, where better is left out and the function looks like a loss:
    the value of a certain report is lower when it is right than when it is wrong.

    It is a numerical check: beliefs and reports go in steps of 1/400, closer to 0, to 1 and to the truth, and to both sides of
    every jump. "improper" is sure, for its case can be checked by hand, if the rule computes in float64. The other answers say
    that nothing was found: a rule that can be cheated only between two steps, or by less than some 1e-14 of what it pays, passes
    for proper; one that pays the same for all reports of a stretch shorter than a step passes for strictly proper; and one that
    pays almost the same within a step, as the pseudospherical score of order 7 near 0, does not.

    Source: Berrar, introduction; by Gneiting and Raftery (2007), Theorem 1, a proper rule is strictly proper where
    R(1, q) - R(0, q) never stays the same as q rises.
    """
    function, known = _named(rule, better, parameters)
    steps = np.arange(STEPS + 1) / STEPS
    rewards = _rewards(function, 1.0 if known == "higher" else -1.0)
    paid = rewards(steps)
    if better is None and known == "higher":
        _refuse_loss((paid[:, [0, -1]] + 0.0).tolist())
    usual = float(_size(paid).mean())
    beliefs = np.unique(np.concatenate([steps, NEAR_THE_ENDS, 1 - NEAR_THE_ENDS, _around_jumps(rewards, steps, usual)]))
    return _improper(rewards, beliefs, usual) or _level(steps, paid, usual) or Propriety("strictly proper")


def _refuse_loss(certain: Sequence[Sequence[float]]) -> None:
    """Raises InputError where certain reports that are right get less than those that are wrong, as a loss does."""
    (zero_right, zero_wrong), (one_wrong, one_right) = certain
    if zero_right <= zero_wrong and one_right <= one_wrong and (zero_right, one_right) != (zero_wrong, one_wrong):
        y, right, wrong = (1, one_right, one_wrong) if one_right < one_wrong else (0, zero_right, zero_wrong)
        raise InputError(
            "ambiguous",
            "rule",
            f"it looks like a loss: for y = {y} the report {y} gets {right:g}, less than the {wrong:g} of the report {1 - y}",
            "pass better='lower' for a loss, or better='higher' if it is a reward all the same",
        )


def _improper(rewards: Rewards, p: np.ndarray, usual: float) -> Propriety | None:
    """The belief and the report that gain most; None where honesty pays best."""
    close = np.outer([-1, 1], 0.5 ** np.arange(1, HALVINGS + 1)).ravel() / STEPS
    near, shape = np.clip(p[:, None] + close, 0, 1), (len(p), len(p))
    honest, reports = rewards(p), np.concatenate([np.broadcast_to(p, shape), near], axis=1)
    others = np.concatenate([np.broadcast_to(honest[:, None], (2, *shape)), rewards(near)], axis=2)
    with np.errstate(invalid="ignore"):  # of two infinite ones
        gain = _expected(p[:, None], others) - _expected(p, honest)[:, None]
    doubt = ROUNDING * (_expected(p[:, None], _size(others)) + _expected(p, _size(honest))[:, None] + usual)
    gain = np.where(gain > doubt, gain, 0.0)
    i, j = np.unravel_index(gain.argmax(), gain.shape)
    return Propriety("improper", float(p[i]), float(reports[i, j]), float(gain[i, j])) if gain[i, j] else None


def _level(steps: np.ndarray, paid: np.ndarray, usual: float) -> Propriety | None:
    """The first stretch of reports that all pay the same; None where there is none."""
    with np.errstate(invalid="ignore"):
        rise = np.diff(paid[1] - paid[0])
    size = _size(paid).sum(axis=0)
    flat = ~(rise > ROUNDING * (size[1:] + size[:-1] + usual))
    if not flat.any():
        return None
    i = int(flat.argmax())
    j = i + int(np.append(flat[i:], False).argmin())
    return Propriety("proper", float(steps[i]), float(steps[j]), 0.0)


def _around_jumps(rewards: Rewards, steps: np.ndarray, usual: float) -> np.ndarray:
    """The floats on both sides of every jump: each step of the grid is halved towards the larger change."""
    low, high = steps[:-1], steps[1:]
    at_low, at_high = rewards(low), rewards(high)
    for _ in range(TO_NEIGHBOURS):
        middle = (low + high) / 2
        at_middle = rewards(middle)
        below = _change(at_low, at_middle) > _change(at_middle, at_high)
        low, high = np.where(below, low, middle), np.where(below, middle, high)
        at_low, at_high = np.where(below, at_low, at_middle), np.where(below, at_middle, at_high)
    jumps = _change(at_low, at_high) > JUMP * usual
    return np.concatenate([low[jumps], high[jumps]])


def _change(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        change: np.ndarray = np.nan_to_num(np.abs(a - b), nan=0.0, posinf=np.inf).sum(axis=0)
        return change


def _size(paid: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(paid), np.abs(paid), 0.0)


# Values of a rule -----------------------------------------------------------------------------------------------------


def _expected(p: np.ndarray, paid: np.ndarray | Sequence[np.ndarray]) -> np.ndarray:
    """paid: for y = 0 and for y = 1. What cannot happen counts nothing, even if it pays infinity."""
    with np.errstate(invalid="ignore"):
        return np.where(p < 1, (1 - p) * paid[0], 0.0) + np.where(p > 0, p * paid[1], 0.0)


def _rewards(function: Callable[..., Any], sign: float) -> Rewards:
    """A function of reports, which answers for y = 0 and for y = 1 what each pays, the more the better."""

    def of(q: np.ndarray) -> np.ndarray:
        paid = np.stack([_paid(function, y, q) for y in (0, 1)])
        for end, inside in zip((0.0, 1.0), JUST_INSIDE, strict=True):
            at_end = (q == end) & np.isnan(paid)
            if at_end.any():
                instead = np.array([_paid(function, y, np.array([inside]))[0] for y in (0, 1)])
                paid = np.where(at_end, instead.reshape(2, *[1] * q.ndim), paid)
        for y in (0, 1):
            _refuse_gaps(np.isnan(paid[y]), y, q)
        return sign * paid

    return of


def _paid(function: Callable[..., Any], y: int, q: np.ndarray) -> np.ndarray:
    """For every entry of q: at once if the function takes arrays, else one by one; NaN where it fails."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            paid = np.asarray(function(y, q))
            if paid.shape == q.shape and paid.dtype.kind in "buif":
                return paid.astype(np.float64)
        except Exception:  # whatever a function of numbers raises when it meets an array
            pass
        return np.array([_one(function, y, value) for value in q.ravel().tolist()], float).reshape(q.shape)


def _one(function: Callable[..., Any], y: int, q: float) -> float:
    try:
        return float(function(y, q))
    except (ArithmeticError, ValueError):  # as the logarithm of 0
        return np.nan
    except Exception as reason:
        raise InputError(
            "invalid-value", "rule", f"it fails for y = {y} and q = {q:g} ({shown(reason)})", "give a function of y and q"
        ) from reason


def _refuse_gaps(gaps: np.ndarray, y: int, q: np.ndarray) -> None:
    if gaps.any():
        first = float(np.broadcast_to(q, gaps.shape)[gaps][0])
        raise InputError(
            "invalid-value",
            "rule",
            f"it gives no number for y = {y} and q = {first:g}",
            "give it a value there, which may be infinite",
        )


def _named(rule: Any, better: str | None, parameters: dict[str, Any]) -> tuple[Callable[..., Any], str]:
    """The function, and whether a higher or a lower value is better."""
    name = rule if isinstance(rule, str) else getattr(rule, "name", None)
    if isinstance(name, str):
        known = rules()
        plain = name.strip().lower().replace(" ", "_").replace("-", "_")
        function, known_better = known[choice(plain, known, "rule")]
        if better is not None and not (isinstance(better, str) and better == known_better):
            raise InputError(
                "conflict", "better", f"a {known_better} {plain} is better, not {shown(better)}", "leave better= out", value=better
            )
        return partial(function, **_checked(plain, parameters)), known_better
    if not callable(rule):
        raise InputError(
            "invalid-value",
            "rule",
            f"{shown(rule)} is no rule",
            f"give a function of y (1 or 0) and q, or one of {', '.join(rules())}",
            value=rule,
        )
    if parameters:
        raise InputError(
            "conflict", next(iter(parameters)), "a function brings its own parameters", "bind them with functools.partial"
        )
    return rule, choice("higher" if better is None else better, ("higher", "lower"), "better")


def _checked(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    if not parameters:
        return {}
    if name in ("quadratic", "accuracy"):
        raise InputError("unknown-name", next(iter(parameters)), f"{name} has no parameters", "leave it out")
    return get(name, RankingTable).checked(parameters)


def _probabilities(value: Any, role: str) -> np.ndarray:
    array = plain_array(value, role)
    if array.dtype.kind not in "buif":
        raise InputError("invalid-value", role, f"{shown(value)} is not a number", "give probabilities, from 0 to 1", value=value)
    bad = ~((array >= 0) & (array <= 1))
    if bad.any():
        where = f" at {[int(i) for i in np.argwhere(bad)[0]]}" if array.ndim else ""
        raise InputError(
            "invalid-value", role, f"{float(array[bad].flat[0]):.10g}{where} is no probability", "give numbers from 0 to 1"
        )
    return array.astype(np.float64)
