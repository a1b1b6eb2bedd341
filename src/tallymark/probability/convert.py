"""From scores to probabilities, and from probabilities to labels: arrays in, arrays out.

Columns may be arrays, lists or series; tables arrays, lists of rows or data frames. Everything is computed in
float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..input import probabilities, validate
from ..input.calls import public
from ..input.results import Tabular
from ..input.spelling import option
from ..input.validate import InputError, shown
from ..summaries import logits
from .reading import as_scores, numbers_of, refuse_outside, table_of

ROUNDING = 4  # times the precision of the type: what the difference of two decimals may be off


@dataclass(frozen=True, slots=True, eq=False)
class Decisions(Tabular):
    """A label for every case, and which of them hang by a thread.

    labels: shape (n,); ambiguous: True where the case was too close to call, shape (n,); why: what that
    means, in words.
    """

    labels: np.ndarray
    ambiguous: np.ndarray
    why: str

    @property
    def number(self) -> int:
        """Of ambiguous cases."""
        return int(np.count_nonzero(self.ambiguous))

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def _columns(self) -> dict[str, np.ndarray]:
        """One row per case."""
        return {"label": self.labels, "ambiguous": self.ambiguous}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {"labels": self.labels.tolist(), "ambiguous": self.ambiguous.tolist(), "why": self.why}

    def __repr__(self) -> str:
        first = f", the first in {validate.row_at(int(self.ambiguous.argmax()))}" if self.number else ""
        return f"Decisions({len(self)} cases, {self.number} ambiguous: {self.why}{first})"


# Scores to probabilities
# ----------------------------------------------------------------------------------------------


@public()
def linear(score: Any, *, low: float, high: float) -> np.ndarray:
    """Map scores linearly from [low, high] to [0, 1]: (score - low) / (high - low).

    Parameters
    ----------
    score : array of shape (n,)
        Within low and high.
    low, high : float
        The lowest and the highest possible score, not those of these data; rounded to float32 if the scores
        are.

    Returns
    -------
    array of shape (n,)
        float64.

    Raises
    ------
    InputError
        For a score that is missing or outside, with its row, and unless low < high, both finite.

    References
    ----------
    Flemming.

    Examples
    --------
    >>> from tallymark import convert
    >>> convert.linear([0, 5, 10], low=0, high=10).tolist()
    [0.0, 0.5, 1.0]
    """
    column, scores = numbers_of(score, "score")
    low, high = (
        as_scores(validate.number(end, role, -np.inf, np.inf), scores)
        for end, role in ((low, "low"), (high, "high"))
    )
    width = high - low
    if not 0 < width < np.inf:
        raise InputError(
            "invalid-value",
            "low, high",
            f"{low:g} and {high:g} span no range",
            "give low < high, as far as scores can go",
        )
    hint = "give the range that scores can have, or use sigmoid for scores without one"
    refuse_outside(column, scores, (low, high), f"lies outside {low:g} to {high:g}; {hint}")
    return (scores.astype(np.float64) - low) / width


@public()
def sigmoid(score: Any) -> np.ndarray:
    """Map log-odds to probabilities: 1 / (1 + exp(-score)), without overflow.

    Parameters
    ----------
    score : array of shape (n,)
        Log-odds of the positive class; infinite ones are allowed.

    Returns
    -------
    array of shape (n,)
        float64 in [0, 1]: 0 and 1 for scores far out. The other class has sigmoid(-score).

    Raises
    ------
    InputError
        For a score that is missing.

    References
    ----------
    Flemming.

    Examples
    --------
    >>> from tallymark import convert
    >>> convert.sigmoid([-1000, 0, 1000]).tolist()
    [0.0, 0.5, 1.0]
    """
    found: np.ndarray = logits.sigmoid(numbers_of(score, "score")[1].astype(np.float64))
    return found


@public()
def softmax(score: Any) -> np.ndarray:
    """Map a score per class to probabilities: exp(score) over the sum of its row, without overflow.

    Parameters
    ----------
    score : array of shape (n, K)
        A row per case and a column per class, K >= 2; -inf rules a class out.

    Returns
    -------
    array of shape (n, K)
        float64, rows that add up to 1; of two scores the sigmoid of their difference.

    Raises
    ------
    InputError
        For a score that is missing, and for rows whose highest score is infinite.

    References
    ----------
    Flemming.

    Examples
    --------
    >>> from tallymark import convert
    >>> convert.softmax([[0, 0], [1000, 0]]).tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """
    table = table_of(score, "score", "a single score goes to sigmoid")[0].astype(np.float64)
    highest = table.max(axis=1, keepdims=True)
    endless = ~np.isfinite(highest[:, 0])
    if endless.any():
        row = int(endless.argmax())
        raise InputError(
            "invalid-value",
            "score",
            f"the highest in {validate.row_at(row)} is {highest[row, 0]}",
            "give every case a finite score, and none of inf",
            row=row,
            value=highest[row, 0],
        )
    with np.errstate(over="ignore"):  # a difference beyond all floats is -inf, whose exp is 0
        powers = np.exp(table - highest)
    shares: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
    return shares


# Probabilities to labels
# ----------------------------------------------------------------------------------------------


@public()
def to_labels(
    probability: Any,
    *,
    threshold: float = 0.5,
    margin: float = 0.0,
    labels: Any = (0, 1),
    ambiguous: str = "keep",
    ambiguous_label: Any = None,
) -> Decisions:
    """Give each case the second of two labels where probability >= threshold, else the first.

    Parameters
    ----------
    probability : array of shape (n,)
        In [0, 1] but for rounding.
    threshold : float, default 0.5
        In [0, 1], rounded to float32 if the probabilities are.
    margin : float, default 0
        A case is ambiguous where it is no further than this from the threshold: with the margin 0 exactly
        there, where the convention alone decides which label it gets. From 0 to 1.
    labels : two labels, default (0, 1)
        Of the negative and of the positive class.
    ambiguous : {"keep", "raise"}
        "keep" the label that the rule gives, or "raise" InputError.
    ambiguous_label : label, optional
        Ambiguous cases get this label instead.

    Returns
    -------
    Decisions
        With labels and ambiguous, one of each per case.

    Raises
    ------
    InputError
        For what is missing or no probability, with its row; and for ambiguous cases with ambiguous="raise".

    References
    ----------
    Flemming, with margin 0; there the threshold itself belongs to the negative class.

    Examples
    --------
    >>> from tallymark import convert
    >>> convert.to_labels([0.2, 0.5, 0.9], labels=("no", "yes")).labels.tolist()
    ['no', 'yes', 'yes']
    """
    column, p = numbers_of(probability, "probability")
    refuse_outside(
        column,
        p,
        (-probabilities.SLACK, 1 + probabilities.SLACK),
        "is no probability; turn scores into probabilities first, as with sigmoid",
    )
    threshold = validate.number(threshold, "threshold", 0.0, 1.0)
    limit = as_scores(threshold, p)
    margin = validate.number(margin, "margin", 0.0, 1.0)
    names = _names(labels, "labels", 2)
    exact = p.astype(np.float64)
    close = np.abs(exact - limit) <= _slack(margin, p, 1.0)
    why = (
        f"within {margin:g} of the threshold {threshold:g}"
        if margin
        else f"exactly at the threshold {threshold:g}"
    )
    return _decided((exact >= limit).astype(np.int64), names, close, why, ambiguous, ambiguous_label)


@public()
def argmax(
    probability: Any,
    *,
    margin: float = 0.0,
    classes: Any = None,
    ambiguous: str = "keep",
    ambiguous_label: Any = None,
) -> Decisions:
    """Give each case the class of the highest probability, the first of several equal ones.

    Parameters
    ----------
    probability : array of shape (n, K)
        A row per case and a column per class, K >= 2. Other scores are allowed, if the margin is meant in
        their unit.
    margin : float, default 0
        A case is ambiguous where the highest and the second highest differ by no more than this: with the
        margin 0, where they are equal.
    classes : list of labels, optional
        Labels of the columns, by default the names of a data frame's columns, else 0 to K - 1.
    ambiguous, ambiguous_label
        As for `to_labels`.

    Returns
    -------
    Decisions
        With labels and ambiguous, one of each per case.

    Raises
    ------
    InputError
        For what is missing; and for ambiguous cases with ambiguous="raise".

    References
    ----------
    Flemming, who takes such a case for one that the algorithm could not decide.

    Examples
    --------
    >>> from tallymark import convert
    >>> convert.argmax([[0.2, 0.8], [0.5, 0.5]]).ambiguous.tolist()
    [False, True]
    """
    table, found = table_of(probability, "probability", "a single probability goes to to_labels")
    margin = validate.number(margin, "margin", 0.0, np.inf)
    names = _names(found or range(table.shape[1]) if classes is None else classes, "classes", table.shape[1])
    two = np.partition(table.astype(np.float64), -2, axis=1)[:, -2:]
    size = np.where(np.isfinite(two), np.abs(two), 0.0).max(axis=1)
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf, of equal ones
        close = (two[:, 0] == two[:, 1]) | (two[:, 1] - two[:, 0] <= _slack(margin, table, size))
    why = f"the two highest differ by {margin:g} at most" if margin else "the two highest are equal"
    return _decided(table.argmax(axis=1), names, close, why, ambiguous, ambiguous_label)


def _decided(
    codes: np.ndarray, names: list[Any], close: np.ndarray, why: str, ambiguous: str, ambiguous_label: Any
) -> Decisions:
    validate.choice(ambiguous, ("keep", "raise"), "ambiguous")
    decisions = Decisions(_array(names)[codes], close, why)
    if ambiguous == "raise" and decisions.number:
        first = validate.row_at(int(close.argmax()))
        raise InputError(
            "ambiguous",
            None,
            f"{decisions.number} of {len(decisions)} cases are ambiguous ({why}), the first in {first}",
            f"pass {option('ambiguous', 'keep')} to let the rule decide, or give them an ambiguous_label",
        )
    if ambiguous_label is None:
        return decisions
    (ambiguous_label,) = validate.labels([ambiguous_label], "ambiguous_label")
    return Decisions(_array([*names, ambiguous_label])[np.where(close, len(names), codes)], close, why)


def _slack(margin: float, values: np.ndarray, size: Any) -> Any:
    """The margin, and what rounding may add to a difference: 0.55 lies within 0.05 of 0.5."""
    return margin + ROUNDING * float(np.finfo(values.dtype).eps) * size if margin else 0.0


def _array(labels: Sequence[Any]) -> np.ndarray:
    """As numbers or as text; objects where both are mixed, which NumPy would make text of."""
    text = [isinstance(label, (str, bytes)) for label in labels]
    return np.array(labels, object if any(text) and not all(text) else None)


def _names(labels: Any, role: str, size: int) -> list[Any]:
    """Distinct labels, as many as there are columns."""
    names = list(validate.labels(labels, role))
    if len(names) != size or len(set(map(str, names))) < size:
        raise InputError(
            "repeated", role, f"{shown(names)} are not {size} different labels", "give one for each class"
        )
    return names
