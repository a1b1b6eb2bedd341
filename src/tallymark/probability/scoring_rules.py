"""Scoring rules: the expected score of a reported probability, and whether the true one has the best.

A rule R(y, q) is the reward or the loss of the report q for the outcome y, 1 for the positive class and 0
for the negative.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Self

import numpy as np

from ..input import CaseSpec, validate
from ..input.calls import public
from ..input.names import listed
from ..input.results import Result
from ..input.validate import InputError, choice, plain_array, shown
from ..measures.registry import Better, find, get
from ..summaries import RankingTable
from ..summaries.passes import information_of
from ..summaries.samples import read_sample
from .convert import numbers_of, refuse_outside

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

    PLAIN = "verdict=__str__ true reported gain"

    true: float | None
    reported: float | None
    gain: float | None

    def __new__(
        cls, verdict: str, true: float | None = None, reported: float | None = None, gain: float | None = None
    ) -> Self:
        new = super().__new__(cls, verdict)
        new.true, new.reported, new.gain = true, reported, gain
        return new

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


# Each with whether a higher or a lower value is better. The hinge loss has the signed distance s = 2 q - 1
# from the boundary at 0.5. (y - q)^2 is the ranked probability score of two ordered classes, and its mean
# stands under the root of the root mean squared error, which is best where the mean is.
OF_TWO_OUTCOMES: dict[str, tuple[Callable[..., Any], str]] = {
    "quadratic": (lambda y, q: 1 - (y - q) ** 2, "higher"),
    "accuracy": (lambda y, q: (q >= 0.5) == y, "higher"),
    "zero_one_loss": (lambda y, q: 1.0 * ((q >= 0.5) != y), "lower"),
    "hinge_loss": (lambda y, q: np.maximum(0.0, 1 - (2 * y - 1) * (2 * q - 1)), "lower"),
    "ranked_probability_score": (lambda y, q: (y - q) ** 2, "lower"),
    "root_mean_squared_error": (lambda y, q: (y - q) ** 2, "lower"),
}


def rules() -> dict[str, tuple[Callable[..., Any], str]]:
    """The rules by name, and whether a higher or a lower value is better.

    These are the measures of probabilities that are means of a loss or reward per case, and those of
    `OF_TWO_OUTCOMES`.
    """

    def value(loss: Callable[..., Any], y: int, q: Any, **parameters: Any) -> Any:
        return loss(_Report(y, q), **parameters)

    return OF_TWO_OUTCOMES | {
        entry.name: (partial(value, entry.loss), str(entry.better))
        for entry in find(RankingTable)
        if entry.needs_probabilities and entry.loss and not entry.of_mean
    }


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
        values = []
        for each in q.ravel().tolist():
            try:
                values.append(float(function(y, each)))
            except (ArithmeticError, ValueError):  # as the logarithm of 0
                values.append(np.nan)
            except Exception as reason:
                raise InputError(
                    "invalid-value",
                    "rule",
                    f"it fails for y = {y} and q = {each:g} ({shown(reason)})",
                    "give a function of y and q",
                ) from reason
        return np.array(values).reshape(q.shape)


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
        if parameters and plain in OF_TWO_OUTCOMES:
            first = next(iter(parameters))
            raise InputError("unknown-name", first, f"{plain} has no parameters", "leave it out")
        if parameters:
            parameters = get(plain, RankingTable).checked(parameters)
        return partial(function, **parameters), known_better
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


@listed(
    "conversion",
    "tm.information_scores(...)",
    aka=("information_score_per_case", "information_terms"),
)
@public()
def information_scores(
    *,
    truth: Any,
    score: Any,
    positive: Any = None,
    classes: Sequence[Any] | None = None,
    prior: float | None = None,
    base: float = np.e,
) -> np.ndarray:
    """Compute the information score of each case, whose mean is the measure `information_score`.

    Parameters
    ----------
    truth : array of shape (n,)
        The actual classes.
    score : array of shape (n,)
        The predicted probability of the positive class.
    positive : label, optional
        The label of the positive class; needed where it is not known, as 1 of 0 and 1.
    classes : list of labels, optional
        Both labels, where one of them has no cases.
    prior : float, optional
        The proportion of positives, as that of the training data; by default that of these cases.
    base : float, default e
        Of the logarithm; 2 gives bits.

    Returns
    -------
    array of shape (n,)
        log(q / c) where q >= c, else log((1 - c) / (1 - q)), with the predicted probability q of the actual
        class, and the proportion c of that class.

    Raises
    ------
    InputError
        For scores that are missing or not probabilities, and for one class only without `prior`.

    References
    ----------
    Berrar, Def. 23, after Kononenko and Bratko (1991).

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.information_scores(truth=[1, 0], score=[0.95, 0.75], base=2).round(3).tolist()
    [0.926, -0.585]
    """
    column, p = numbers_of(score, "score")
    refuse_outside(column, p, (0, 1), "is not a probability; map scores to probabilities with tm.convert")
    base = validate.number(base, "base", 1.0001, 1e6)
    spec = CaseSpec(truth=truth, score=score, positive=positive, classes=classes)
    is_positive = read_sample(None, spec).truth
    share = is_positive.mean() if prior is None else validate.number(prior, "prior", 1e-9, 1 - 1e-9)
    if not 0 < share < 1:
        raise validate.InputError(
            "needed", "prior", "the cases are of one class", "give the proportion of positives as prior="
        )
    p = p.astype(np.float64)
    q, own = np.where(is_positive, [p, np.full(len(p), share)], [1 - p, np.full(len(p), 1 - share)])
    return information_of(q, own, base)
