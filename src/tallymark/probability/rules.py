"""The rules that `expected_score` and `is_proper` take, by name or as functions, and their values."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..input.validate import InputError, choice, plain_array, shown
from ..measures.registry import find, get
from ..summaries import RankingTable

Rewards = Callable[[np.ndarray], np.ndarray]

JUST_INSIDE = (np.finfo(float).tiny, float(np.nextafter(1, 0)))  # used where a rule returns NaN at 0 or 1

# Rules by name
# --------------------------------------------------------------------------------------------------------


class _Report:
    """One case, for a loss of the catalogue: the predicted probabilities of its actual class."""

    prior = 0.25  # the class mix for rules that depend on it

    def __init__(self, y: int, q: Any):
        self.p = q if y else 1 - q
        self.positive = np.full(np.shape(q), bool(y))

    def log(self, clip: float | None = None) -> Any:
        return np.log(np.maximum(self.p, clip or 0.0))


def quadratic(y: int, q: Any) -> Any:
    """1 - (y - q)^2."""
    return 1 - (y - q) ** 2


def accuracy(y: int, q: Any) -> Any:
    """1 where q >= 0.5 for y = 1, or q < 0.5 for y = 0; else 0."""
    return (q >= 0.5) == y


def zero_one_loss(y: int, q: Any) -> Any:
    """0 where q >= 0.5 for y = 1, or q < 0.5 for y = 0; else 1."""
    return 1.0 * ((q >= 0.5) != y)


def hinge_loss(y: int, q: Any) -> Any:
    """max(0, 1 - y s) for y = 1 and -1, with the signed distance s = 2 q - 1 from the boundary at 0.5."""
    return np.maximum(0.0, 1 - (2 * y - 1) * (2 * q - 1))


def squared_difference(y: int, q: Any) -> Any:
    """(y - q)^2: of two ordered classes the ranked probability score; its mean under the root of RMSE."""
    return (y - q) ** 2


OF_TWO_OUTCOMES = {
    "zero_one_loss": zero_one_loss,
    "hinge_loss": hinge_loss,
    "ranked_probability_score": squared_difference,
    "root_mean_squared_error": squared_difference,
}


def rules() -> dict[str, tuple[Callable[..., Any], str]]:
    """The rules by name, and whether a higher or a lower value is better.

    These are the measures of probabilities that are means of a loss or reward per case, "quadratic",
    "accuracy", and the losses of `OF_TWO_OUTCOMES`. A root of a mean is best where the mean is.
    """
    known = {
        entry.name: (partial(_charged, entry.loss), str(entry.better))
        for entry in find(RankingTable)
        if entry.needs_probabilities and entry.loss and not entry.of_mean
    }
    losses = {name: (function, "lower") for name, function in OF_TWO_OUTCOMES.items()}
    return {"quadratic": (quadratic, "higher"), "accuracy": (accuracy, "higher"), **losses, **known}


def _charged(loss: Callable[..., Any], y: int, q: Any, **parameters: Any) -> Any:
    return loss(_Report(y, q), **parameters)


# Values of a rule
# -----------------------------------------------------------------------------------------------------


def expected(p: np.ndarray, paid: np.ndarray | Sequence[np.ndarray]) -> np.ndarray:
    """The expected value. paid: for y = 0 and for y = 1; an infinite value with probability 0 counts as 0."""
    with np.errstate(invalid="ignore"):
        return np.where(p < 1, (1 - p) * paid[0], 0.0) + np.where(p > 0, p * paid[1], 0.0)


def rewards_of(function: Callable[..., Any], sign: float) -> Rewards:
    """A function of reports that returns the reward of each for y = 0 and for y = 1, higher being better."""

    def of(q: np.ndarray) -> np.ndarray:
        paid = np.stack([paid_by(function, y, q) for y in (0, 1)])
        for end, inside in zip((0.0, 1.0), JUST_INSIDE, strict=True):
            at_end = (q == end) & np.isnan(paid)
            if at_end.any():
                instead = np.array([paid_by(function, y, np.array([inside]))[0] for y in (0, 1)])
                paid = np.where(at_end, instead.reshape(2, *[1] * q.ndim), paid)
        for y in (0, 1):
            refuse_gaps(np.isnan(paid[y]), y, q)
        return sign * paid

    return of


def paid_by(function: Callable[..., Any], y: int, q: np.ndarray) -> np.ndarray:
    """The values for all q: at once if the function takes arrays, else one by one; NaN where it fails."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            paid = np.asarray(function(y, q))
            if paid.shape == q.shape and paid.dtype.kind in "buif":
                return paid.astype(np.float64)
        except Exception:  # a function of numbers may raise anything for an array
            pass
        return np.array([_one(function, y, value) for value in q.ravel().tolist()], float).reshape(q.shape)


def _one(function: Callable[..., Any], y: int, q: float) -> float:
    try:
        return float(function(y, q))
    except (ArithmeticError, ValueError):  # as the logarithm of 0
        return np.nan
    except Exception as reason:
        raise InputError(
            "invalid-value",
            "rule",
            f"it fails for y = {y} and q = {q:g} ({shown(reason)})",
            "give a function of y and q",
        ) from reason


def refuse_gaps(gaps: np.ndarray, y: int, q: np.ndarray) -> None:
    """Raises InputError with the first report for which the rule returns no number."""
    if gaps.any():
        first = float(np.broadcast_to(q, gaps.shape)[gaps][0])
        raise InputError(
            "invalid-value",
            "rule",
            f"it gives no number for y = {y} and q = {first:g}",
            "give it a value there, which may be infinite",
        )


def named(rule: Any, better: str | None, parameters: dict[str, Any]) -> tuple[Callable[..., Any], str]:
    """The function, and whether a higher or a lower value is better."""
    name = rule if isinstance(rule, str) else getattr(rule, "name", None)
    if isinstance(name, str):
        known = rules()
        plain = name.strip().lower().replace(" ", "_").replace("-", "_")
        function, known_better = known[choice(plain, known, "rule")]
        if better is not None and not (isinstance(better, str) and better == known_better):
            raise InputError(
                "conflict",
                "better",
                f"a {known_better} {plain} is better, not {shown(better)}",
                "leave better= out",
                value=better,
            )
        return partial(function, **_checked(plain, parameters)), known_better
    if not callable(rule):
        raise InputError(
            "invalid-value",
            "rule",
            f"{shown(rule)} is not a rule",
            f"give a function of y (1 or 0) and q, or one of {', '.join(rules())}",
            value=rule,
        )
    if parameters:
        raise InputError(
            "conflict",
            next(iter(parameters)),
            "a function brings its own parameters",
            "bind them with functools.partial",
        )
    return rule, choice("higher" if better is None else better, ("higher", "lower"), "better")


def _checked(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    if not parameters:
        return {}
    if name in ("quadratic", "accuracy", *OF_TWO_OUTCOMES):
        raise InputError("unknown-name", next(iter(parameters)), f"{name} has no parameters", "leave it out")
    return get(name, RankingTable).checked(parameters)


def probabilities_of(value: Any, role: str) -> np.ndarray:
    """Numbers from 0 to 1. Raises InputError."""
    array = plain_array(value, role)
    if array.dtype.kind not in "buif":
        raise InputError(
            "invalid-value",
            role,
            f"{shown(value)} is not a number",
            "give probabilities, from 0 to 1",
            value=value,
        )
    bad = ~((array >= 0) & (array <= 1))
    if bad.any():
        where = f" at {[int(i) for i in np.argwhere(bad)[0]]}" if array.ndim else ""
        raise InputError(
            "invalid-value",
            role,
            f"{float(array[bad].flat[0]):.10g}{where} is not a probability",
            "give numbers from 0 to 1",
        )
    return array.astype(np.float64)
