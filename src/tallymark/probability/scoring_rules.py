"""Scoring rules: the expected score of a reported probability, and whether the true one has the best.

A rule R(y, q) is the reward or the loss of the report q for the outcome y, 1 for the positive class and 0
for the negative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from ..input.calls import public
from ..input.names import listed
from ..input.results import Result
from ..input.validate import InputError
from ..measures.registry import Better
from .rules import Rewards, expected, named, paid_by, probabilities_of, refuse_gaps, rewards_of

STEPS = 400  # of the grid of probabilities
NEAR_THE_ENDS = 10.0 ** -np.arange(3, 7)  # further probabilities, from 0 and from 1
HALVINGS = 16  # of a step of the grid, for reports close to the true probability
TO_NEIGHBOURS = 50  # halvings that bring a step of the grid down to two floats
JUMP = 1e-9  # from one float to the next, relative to the mean absolute value of a rule
ROUNDING = 64 * np.finfo(float).eps  # of an expected score, relative to its terms


class Propriety(Result, str):
    """ "strictly proper", "proper" or "improper": a text with the case that shows it.

    Attributes
    ----------
    true : float or None
        The true probability. None if strictly proper.
    reported : float or None
        A report whose expected score is at least as good. None if strictly proper.
    gain : float or None
        The expected gain of the report over the true probability: above 0 if improper, 0 if proper. None if
        strictly proper.
    """

    true: float | None
    reported: float | None
    gain: float | None

    def __new__(
        cls, verdict: str, true: float | None = None, reported: float | None = None, gain: float | None = None
    ) -> Self:
        new = super().__new__(cls, verdict)
        new.true, new.reported, new.gain = true, reported, gain
        return new

    def to_dict(self) -> dict[str, Any]:
        """The verdict and the case as plain values."""
        return {"verdict": str(self), "true": self.true, "reported": self.reported, "gain": self.gain}

    def __repr__(self) -> str:
        if self.gain is None:
            return str(self)
        said = f"gains {self.gain:.4g}" if self.gain else "loses nothing"
        return f"{self} (who believes {self.true!r} {said} by reporting {self.reported!r})"

    __str__ = str.__str__


# Questions
# ------------------------------------------------------------------------------------------------------------


@listed(
    "function",
    "tm.expected_score(...)",
    aka=(
        "expected_reward",
        "expected_score_of_a_rule",
    ),
)
@public()
def expected_score(rule: Callable[..., Any] | str, *, true: Any, reported: Any, **parameters: Any) -> Any:
    """Compute the expected score p R(1, q) + (1 - p) R(0, q) of a reported probability q.

    Parameters
    ----------
    rule : callable or str
        A function of y (1 or 0) and of q, an array or a number, or the name of a measure of the catalogue
        that is a mean of losses, as "focal_loss", "quadratic" or "accuracy".
    true : float or array
        True probability p of the positive class, in [0, 1].
    reported : float or array
        The q that is reported, in [0, 1]; both broadcast.
    **parameters
        Parameters of the measure, as gamma=2.

    Returns
    -------
    float or array
        Of the common shape: rewards or losses, as the rule returns them.

    Raises
    ------
    InputError
        For values that are not probabilities, and where the rule returns no number.

    Notes
    -----
    0 times infinity counts as 0.

    References
    ----------
    Berrar, introduction.

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.expected_score("quadratic", true=0.5, reported=0.5)
    0.75
    """
    function, _ = named(rule, None, parameters)
    p, q = probabilities_of(true, "true"), probabilities_of(reported, "reported")
    try:
        np.broadcast_shapes(p.shape, q.shape)
    except ValueError:
        raise InputError(
            "wrong-shape", "true, reported", f"their shapes {p.shape} and {q.shape} do not fit together"
        ) from None
    paid = [paid_by(function, y, q) for y in (0, 1)]
    for y, (never, pay) in enumerate(zip((p == 1, p == 0), paid, strict=True)):
        refuse_gaps(np.isnan(pay) & ~never, y, q)
    value = expected(p, paid)
    return value if np.ndim(value) else float(value)


@listed(
    "function",
    "tm.is_proper(...)",
    aka=(
        "proper_scoring_rule",
        "strictly_proper",
        "propriety",
    ),
    terms=("scoring_function",),
)
@public()
def is_proper(
    rule: Callable[..., Any] | str, *, better: Better | None = None, **parameters: Any
) -> Propriety:
    """Test whether the true probability has the best expected score of all reports.

    Parameters
    ----------
    rule : callable or str
        A function of y (1 or 0) and of q, an array or a number, or the name of a measure of the catalogue
        that is a mean of losses, as "focal_loss", "quadratic" or "accuracy".
    better : {"higher", "lower"}, optional
        Whether a higher value is better (a reward, which is the default for functions) or a lower one (a
        loss); names determine it.
    **parameters
        Parameters of the measure, as gamma=2.

    Returns
    -------
    Propriety
        "strictly proper" where every other report is worse, "proper" where none is better, else "improper",
        with the true probability and the report that gain most. It equals one of these texts, and has the
        case that shows it as attributes.

    Raises
    ------
    InputError
        Where the rule returns no number between 0 and 1; and where better is left out and the function looks
        like a loss: the value of a certain report is lower when it is right than when it is wrong.

    Notes
    -----
    Where a rule returns no number at 0 or 1, the value just inside is used. A rule that depends on the class
    mix is examined with a prevalence of a quarter.

    It is a numerical check: probabilities and reports are on a grid with steps of 1/400, finer near 0, near
    1, near the true probability and at both sides of every jump. "improper" is certain if the rule computes
    in float64, since its case can be checked by hand. The other results mean that no counterexample was
    found: a rule that is improper only between two steps, or by less than about 1e-14 of its values, is
    reported as proper; one that is constant over reports within less than a step as strictly proper; and one
    that is almost constant within a step, such as the pseudospherical score of order 7 near 0, as proper
    only.

    References
    ----------
    Berrar, introduction. By Gneiting and Raftery (2007), Theorem 1, a proper rule is strictly proper if
    R(1, q) - R(0, q) is strictly increasing in q.

    Examples
    --------
    >>> import tallymark as tm
    >>> str(tm.is_proper("brier_score")), str(tm.is_proper("accuracy"))
    ('strictly proper', 'proper')
    """
    function, known = named(rule, better, parameters)
    steps = np.arange(STEPS + 1) / STEPS
    rewards = rewards_of(function, 1.0 if known == "higher" else -1.0)
    paid = rewards(steps)
    if better is None and known == "higher":
        _refuse_loss((paid[:, [0, -1]] + 0.0).tolist())
    usual = float(_size(paid).mean())
    beliefs = np.unique(
        np.concatenate([steps, NEAR_THE_ENDS, 1 - NEAR_THE_ENDS, _around_jumps(rewards, steps, usual)])
    )
    return _improper(rewards, beliefs, usual) or _level(steps, paid, usual) or Propriety("strictly proper")


def _refuse_loss(certain: Sequence[Sequence[float]]) -> None:
    """Raises InputError if certain reports score lower when right than when wrong, as losses do."""
    (zero_right, zero_wrong), (one_wrong, one_right) = certain
    if (
        zero_right <= zero_wrong
        and one_right <= one_wrong
        and (zero_right, one_right) != (zero_wrong, one_wrong)
    ):
        y, right, wrong = (1, one_right, one_wrong) if one_right < one_wrong else (0, zero_right, zero_wrong)
        raise InputError(
            "ambiguous",
            "rule",
            f"it looks like a loss: for y = {y} the report {y} gets {right:g}, less than the {wrong:g} of the"
            f" report {1 - y}",
            "pass better='lower' for a loss, or better='higher' if it is a reward all the same",
        )


def _improper(rewards: Rewards, p: np.ndarray, usual: float) -> Propriety | None:
    """The probability and the report that gain most; None where the true probability is best."""
    close = np.outer([-1, 1], 0.5 ** np.arange(1, HALVINGS + 1)).ravel() / STEPS
    near, shape = np.clip(p[:, None] + close, 0, 1), (len(p), len(p))
    honest, reports = rewards(p), np.concatenate([np.broadcast_to(p, shape), near], axis=1)
    others = np.concatenate([np.broadcast_to(honest[:, None], (2, *shape)), rewards(near)], axis=2)
    with np.errstate(invalid="ignore"):  # inf - inf
        gain = expected(p[:, None], others) - expected(p, honest)[:, None]
    doubt = ROUNDING * (expected(p[:, None], _size(others)) + expected(p, _size(honest))[:, None] + usual)
    gain = np.where(gain > doubt, gain, 0.0)
    i, j = np.unravel_index(gain.argmax(), gain.shape)
    return Propriety("improper", float(p[i]), float(reports[i, j]), float(gain[i, j])) if gain[i, j] else None


def _level(steps: np.ndarray, paid: np.ndarray, usual: float) -> Propriety | None:
    """The first interval of reports with equal values; None where there is none."""
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
        return np.nan_to_num(np.abs(a - b), nan=0.0, posinf=np.inf).sum(axis=0)


def _size(paid: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(paid), np.abs(paid), 0.0)
