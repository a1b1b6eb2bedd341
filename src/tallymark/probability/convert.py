"""From scores to probabilities, and from probabilities to labels: arrays in, arrays out.

Columns may be arrays, lists or series; tables arrays, lists of rows or data frames. Everything is computed in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..input import columns, probabilities, validate
from ..input.calls import public
from ..input.results import Tabular
from ..input.spelling import option
from ..input.validate import InputError, shown
from ..summaries import logits

ROUNDING = 4  # times the precision of the type: what the difference of two decimals may be off


@dataclass(frozen=True, slots=True, eq=False)
class Decisions(Tabular):
    """A label for every case, and which of them hang by a thread.

    labels: shape (n,); ambiguous: True where the case was too close to call, shape (n,); why: what that means, in words.
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


# Scores to probabilities ----------------------------------------------------------------------------------------------


@public()
def linear(score: Any, *, low: float, high: float) -> np.ndarray:
    """(score - low) / (high - low): from [low, high] to [0, 1].

    score: shape (n,); low, high: the lowest and the highest that a score can be, not those of these data; they are rounded to
    float32 if the scores are. float64, shape (n,). Raises InputError for a score that is missing or outside, with its row.

    Source: Flemming.
    """
    column, scores = _column(score, "score")
    low, high = (_as_scores(validate.number(end, role, -np.inf, np.inf), scores) for end, role in ((low, "low"), (high, "high")))
    width = high - low
    if not 0 < width < np.inf:
        raise InputError(
            "invalid-value", "low, high", f"{low:g} and {high:g} span no range", "give low < high, as far as scores can go"
        )
    hint = "give the range that scores can have, or use sigmoid for scores without one"
    _inside(column, scores, (low, high), f"lies outside {low:g} to {high:g}; {hint}")
    return (scores.astype(np.float64) - low) / width


@public()
def sigmoid(score: Any) -> np.ndarray:
    """1 / (1 + exp(-score)), without overflow: 0 and 1 for scores far out. The other class has sigmoid(-score).

    score: shape (n,), log-odds of the positive class; infinite ones are fine. float64 in [0, 1], shape (n,). Raises InputError for
    a score that is missing.

    Source: Flemming.
    """
    found: np.ndarray = logits.sigmoid(_column(score, "score")[1].astype(np.float64))
    return found


@public()
def softmax(score: Any) -> np.ndarray:
    """exp(score) over the sum of its row, without overflow; of two scores the sigmoid of their difference.

    score: shape (n, K), a row per case and a column per class, K >= 2; -inf rules a class out. float64, rows that add up to 1,
    shape (n, K). Raises InputError for a score that is missing, and for rows whose highest score is infinite.

    Source: Flemming.
    """
    table = _table(score, "score", "a single score goes to sigmoid")[0].astype(np.float64)
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


# Probabilities to labels ----------------------------------------------------------------------------------------------


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
    """The second of two labels where probability >= threshold, else the first.

    probability: shape (n,), in [0, 1] but for rounding; threshold: in [0, 1], rounded to float32 if the probabilities are; labels:
    of the negative and of the positive class. A case is ambiguous where it is no further than `margin` from the threshold: with the
    margin 0 exactly there, where the convention alone decides which label it gets. ambiguous: "keep" the label that the rule gives,
    or "raise" InputError; ambiguous_label: give these cases this label instead.
    Raises InputError for what is missing or no probability, with its row.

    Source: Flemming, with margin 0; there the threshold itself belongs to the negative class.
    """
    column, p = _column(probability, "probability")
    _inside(
        column,
        p,
        (-probabilities.SLACK, 1 + probabilities.SLACK),
        "is no probability; turn scores into probabilities first, as with sigmoid",
    )
    threshold = validate.number(threshold, "threshold", 0.0, 1.0)
    limit = _as_scores(threshold, p)
    margin = validate.number(margin, "margin", 0.0, 1.0)
    names = _names(labels, "labels", 2)
    exact = p.astype(np.float64)
    close = np.abs(exact - limit) <= _slack(margin, p, 1.0)
    why = f"within {margin:g} of the threshold {threshold:g}" if margin else f"exactly at the threshold {threshold:g}"
    return _decided((exact >= limit).astype(np.int64), names, close, why, ambiguous, ambiguous_label)


@public()
def argmax(
    probability: Any, *, margin: float = 0.0, classes: Any = None, ambiguous: str = "keep", ambiguous_label: Any = None
) -> Decisions:
    """The class of the highest probability of each case, the first of several equal ones.

    probability: shape (n, K), a row per case and a column per class, K >= 2; any scores will do, if the margin is meant in their
    unit. classes: the labels of the columns, by default the names of a data frame's columns, else 0 to K - 1. A case is ambiguous
    where the highest and the second highest differ by no more than `margin`: with the margin 0, where they are equal.
    ambiguous, ambiguous_label: as for `to_labels`. Raises InputError for what is missing.

    Source: Flemming, who takes such a case for one that the algorithm could not decide.
    """
    table, found = _table(probability, "probability", "a single probability goes to to_labels")
    margin = validate.number(margin, "margin", 0.0, np.inf)
    names = _names(found or range(table.shape[1]) if classes is None else classes, "classes", table.shape[1])
    two = np.partition(table.astype(np.float64), -2, axis=1)[:, -2:]
    size = np.where(np.isfinite(two), np.abs(two), 0.0).max(axis=1)
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf, of equal ones
        close = (two[:, 0] == two[:, 1]) | (two[:, 1] - two[:, 0] <= _slack(margin, table, size))
    why = f"the two highest differ by {margin:g} at most" if margin else "the two highest are equal"
    return _decided(table.argmax(axis=1), names, close, why, ambiguous, ambiguous_label)


def _decided(codes: np.ndarray, names: list[Any], close: np.ndarray, why: str, ambiguous: str, ambiguous_label: Any) -> Decisions:
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
        raise InputError("repeated", role, f"{shown(names)} are not {size} different labels", "give one for each class")
    return names


# Reading --------------------------------------------------------------------------------------------------------------


def _column(values: Any, role: str, name: str | None = None) -> tuple[columns.Column, np.ndarray]:
    """The column, and its numbers as float32 or float64."""
    column = columns.read(values, role, name)
    gaps = column.gaps()
    if gaps.any():
        number, row = int(gaps.sum()), int(gaps.argmax())
        said = "1 value is" if number == 1 else f"{number} values are"
        problem = f"{said} missing (NaN or null), the first in {column.row(row)}"
        raise InputError("missing-value", column, problem, "leave such cases out", row=row)
    return column, validate.scores(column, "only numbers can be converted")


def _as_scores(value: float, scores: np.ndarray) -> float:
    """Rounded to their type, so that a float32 score of 0.7 is what 0.7 is."""
    with np.errstate(over="ignore"):
        return float(scores.dtype.type(value))


def _inside(column: columns.Column, numbers: np.ndarray, ends: tuple[float, float], said: str) -> None:
    outside = ~((numbers >= ends[0]) & (numbers <= ends[1]))
    if outside.any():
        row = int(outside.argmax())
        raise InputError("invalid-value", column, f"{float(numbers[row]):.10g} in {column.row(row)} {said}", row=row)


def _table(values: Any, role: str, hint: str) -> tuple[np.ndarray, list[str] | None]:
    """Numbers of shape (n, K), and the names of the columns of a data frame, else None."""
    parts, names = _columns(values, role)
    if len(parts) < 2:
        raise InputError("wrong-shape", role, f"a column per class is needed, two at least, not {len(parts)}", hint)
    return np.stack([_column(part, role, name)[1] for name, part in parts], axis=1), names


def _columns(values: Any, role: str) -> tuple[list[tuple[str, Any]], list[str] | None]:
    """(name, column) for every column, and the names, if it is a data frame that gives them."""
    frame = _as_frame(values)
    if frame is not None:
        return [(str(part.name), part.to_native()) for part in frame.iter_columns()], list(frame.columns)
    try:
        array = np.asanyarray(values) if hasattr(values, "dtype") else np.asarray(values, object)
    except ValueError:
        array = np.empty(0)
    except Exception as reason:  # whatever a foreign array raises
        raise InputError(
            "unreadable", role, f"a {type(values).__name__} that NumPy cannot read ({shown(reason)})", "give an array"
        ) from reason
    if array.ndim != 2:
        raise InputError(
            "wrong-shape", role, "a row of numbers per case is needed, one for each class", "give an array of two dimensions"
        )
    lists = array.dtype == object
    return [(str(i), part.tolist() if lists else part) for i, part in enumerate(array.T)], None


def _as_frame(values: Any) -> Any:
    if not hasattr(type(values), "columns"):
        return None
    import narwhals.stable.v2 as nw

    try:
        frame = nw.from_native(values, eager_only=True, pass_through=True)
    except Exception as reason:  # whatever it finds wrong, as two columns of one name
        raise InputError(
            "unreadable", None, f"A {type(values).__name__} cannot be read ({shown(reason)})", "pass an array of its values"
        ) from reason
    return frame if isinstance(frame, nw.DataFrame) else None
