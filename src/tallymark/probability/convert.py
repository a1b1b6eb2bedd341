"""From scores to probabilities, and from probabilities to labels.

Columns may be arrays, lists or series; tables arrays, lists of rows or data frames. Everything is computed
in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, get_args

import numpy as np

from ..input import columns, text, validate
from ..input.calls import public
from ..input.errors import MissingValues, option
from ..input.names import listed
from ..input.results import Tabular
from ..input.score_columns import SLACK, score_columns
from ..input.validate import InputError, shown
from ..summaries import Counts, ranking

__all__ = ["Decisions", "argmax", "from_predictive_values", "linear", "sigmoid", "softmax", "to_labels"]

# Scores to probabilities
# ----------------------------------------------------------------------------------------------


@listed(
    "conversion",
    "tm.convert.linear(...)",
    aka=("linear_transform", "min_max_scaling", "scores_to_probabilities"),
    terms=(
        "score",
        "probability_like_score",
        "from_scores_to_probabilities",
        "classification_output",
        "linear_transform_of_bounded_scores",
    ),
)
@public()
def linear(score: Any, *, low: float, high: float) -> np.ndarray:
    """Map scores linearly from [low, high] to [0, 1]: (score - low) / (high - low).

    Parameters
    ----------
    score : array of shape (n,)
        Scores between low and high.
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
        For a score that is missing or outside the range, with its row, and unless low < high, both finite.

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


@listed(
    "conversion",
    "tm.convert.sigmoid(...)",
    aka=("logistic_function", "expit", "scores_to_probabilities_sigmoid"),
    terms=(
        "score",
        "probability_like_score",
        "from_scores_to_probabilities",
        "classification_output",
    ),
)
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
        float64 in [0, 1]: rounded to 0 and 1 for extreme scores. The other class has sigmoid(-score).

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
    return ranking.sigmoid(numbers_of(score, "score")[1].astype(np.float64))


@listed(
    "conversion",
    "tm.convert.softmax(...)",
    aka=("softmax_function", "normalised_exponential", "multinomial_logistic_function"),
    terms=(
        "score",
        "probability_like_score",
        "from_scores_to_probabilities",
        "classification_output",
    ),
)
@public()
def softmax(score: Any) -> np.ndarray:
    """Map a score per class to probabilities: exp(score) over the sum of its row, without overflow.

    Parameters
    ----------
    score : array of shape (n, K)
        A row per case and a column per class, K >= 2; -inf excludes a class.

    Returns
    -------
    array of shape (n, K)
        float64, with rows that add up to 1; for two scores the sigmoid of their difference.

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
    with np.errstate(over="ignore"):  # a difference that overflows is -inf, whose exp is 0
        powers = np.exp(table - highest)
    return powers / powers.sum(axis=1, keepdims=True)


# Probabilities to labels
# ----------------------------------------------------------------------------------------------


@listed(
    "conversion",
    "tm.convert.to_labels(...)",
    aka=("probabilities_to_labels", "apply_threshold", "thresholding"),
    terms=(
        "classification_output",
        "threshold_value_of_the_probability",
    ),
)
@public()
def to_labels(
    probability: Any,
    *,
    threshold: float = 0.5,
    margin: float = 0.0,
    labels: Any = (0, 1),
    ambiguous: Ambiguous = "keep",
    ambiguous_label: Any = None,
) -> Decisions:
    """Give each case the second of two labels where probability >= threshold, else the first.

    Parameters
    ----------
    probability : array of shape (n,)
        Values in [0, 1], but for rounding.
    threshold : float, default 0.5
        In [0, 1], rounded to float32 if the probabilities are.
    margin : float, default 0
        A case is ambiguous if it is at most this far from the threshold; with the margin 0 if it is exactly
        at the threshold, where its label depends on the convention. From 0 to 1.
    labels : two labels, default (0, 1)
        The labels of the negative and of the positive class.
    ambiguous : {"keep", "raise"}
        "keep" the label that the rule gives, or "raise" InputError.
    ambiguous_label : label, optional
        Ambiguous cases get this label instead.

    Returns
    -------
    Decisions
        The label of each case, and whether it is ambiguous.

    Raises
    ------
    InputError
        For values that are missing or not probabilities, with the row, and for ambiguous cases with
        ambiguous="raise".

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
        (-SLACK, 1 + SLACK),
        "is not a probability; turn scores into probabilities first, as with sigmoid",
    )
    threshold = validate.number(threshold, "threshold", 0.0, 1.0)
    limit = as_scores(threshold, p)
    margin = validate.number(margin, "margin", 0.0, 1.0)
    names = distinct(labels, "labels", 2)
    exact = p.astype(np.float64)
    close = np.abs(exact - limit) <= with_rounding(margin, p, 1.0)
    why = (
        f"within {margin:g} of the threshold {threshold:g}"
        if margin
        else f"exactly at the threshold {threshold:g}"
    )
    return decided((exact >= limit).astype(np.int64), names, close, why, ambiguous, ambiguous_label)


@listed(
    "conversion",
    "tm.convert.argmax(...)",
    aka=("most_probable_class", "highest_probability", "arg_max"),
    terms=("classification_output",),
)
@public()
def argmax(
    probability: Any,
    *,
    margin: float = 0.0,
    classes: Any = None,
    ambiguous: Ambiguous = "keep",
    ambiguous_label: Any = None,
) -> Decisions:
    """Give each case the class of the highest probability, the first of several equal ones.

    Parameters
    ----------
    probability : array of shape (n, K)
        A row per case and a column per class, K >= 2. Other scores are allowed, with the margin in
        their unit.
    margin : float, default 0
        A case is ambiguous if the highest and the second highest differ by at most this; with the margin 0
        if they are equal.
    classes : list of labels, optional
        Labels of the columns, by default the names of a data frame's columns, else 0 to K - 1.
    ambiguous, ambiguous_label
        As for `to_labels`.

    Returns
    -------
    Decisions
        The label of each case, and whether it is ambiguous.

    Raises
    ------
    InputError
        For missing values, and for ambiguous cases with ambiguous="raise".

    References
    ----------
    Flemming, who regards such a case as undecided.

    Examples
    --------
    >>> from tallymark import convert
    >>> convert.argmax([[0.2, 0.8], [0.5, 0.5]]).ambiguous.tolist()
    [False, True]
    """
    table, found = table_of(probability, "probability", "a single probability goes to to_labels")
    margin = validate.number(margin, "margin", 0.0, np.inf)
    size = table.shape[1]
    names = distinct(found or range(size) if classes is None else classes, "classes", size)
    two = np.partition(table.astype(np.float64), -2, axis=1)[:, -2:]
    scale = np.where(np.isfinite(two), np.abs(two), 0.0).max(axis=1)
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf
        close = (two[:, 0] == two[:, 1]) | (two[:, 1] - two[:, 0] <= with_rounding(margin, table, scale))
    why = f"the two highest differ by {margin:g} at most" if margin else "the two highest are equal"
    return decided(table.argmax(axis=1), names, close, why, ambiguous, ambiguous_label)


OF_SHARES = 1e-9  # rounding of shares that are computed
APART = 1e-3  # the least difference that shares stated with three digits do not explain


@listed(
    "conversion",
    "tm.convert.from_predictive_values(...)",
    aka=("accuracy_from_predictive_values", "likelihood_ratios_from_predictive_values"),
)
@public()
def from_predictive_values(
    *,
    precision: float,
    negative_predictive_value: float,
    predicted_prevalence: float | None = None,
    prevalence: float | None = None,
    cases: float = 1.0,
) -> Counts:
    """Compute the two-by-two table from predictive values.

    Accuracy, likelihood ratios and all other measures of counts are computed from it.

    Parameters
    ----------
    precision : float
        The positive predictive value, from 0 to 1.
    negative_predictive_value : float
        From 0 to 1.
    predicted_prevalence : float, optional
        The proportion of cases that are predicted positive. This or `prevalence` is needed.
    prevalence : float, optional
        The proportion of actual positives. Given both, they must agree to 0.001.
    cases : float, optional
        The number of cases, from 1; by default the cells are shares.

    Returns
    -------
    Counts
        With cells that add up to `cases`. Intervals need the number of cases.

    Raises
    ------
    InputError
        For values outside 0 to 1, without a proportion, and where the values contradict each other: the
        prevalence lies between 1 - NPV and PPV.

    References
    ----------
    Tharwat, Eq. 8: accuracy = PPV * (TP + FP) / n + NPV * (TN + FN) / n.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.convert.from_predictive_values(
    ...     precision=0.75, negative_predictive_value=0.5, predicted_prevalence=0.4
    ... )
    >>> round(tm.measures.accuracy(result), 3)
    0.6
    >>> round(tm.measures.positive_likelihood_ratio(result), 3)
    2.0
    """
    ppv = validate.number(precision, "precision", 0, 1)
    npv = validate.number(negative_predictive_value, "negative_predictive_value", 0, 1)
    share, positives = (
        None if value is None else validate.number(value, role, 0, 1)
        for value, role in ((predicted_prevalence, "predicted_prevalence"), (prevalence, "prevalence"))
    )
    low, high = sorted((1 - npv, ppv))
    if share is not None:
        implied = share * ppv + (1 - share) * (1 - npv)
        if positives is not None and abs(implied - positives) > APART + OF_SHARES:
            raise _contradiction(positives, f"{implied:.4g} by the other three values")
    elif positives is None:
        raise InputError(
            "needed",
            "predicted_prevalence",
            "predictive values alone do not determine the table",
            f"give {option('predicted_prevalence')} or {option('prevalence')}",
        )
    elif not low - OF_SHARES <= positives <= high + OF_SHARES:
        raise _contradiction(positives, f"between {low:.4g} (1 - NPV, or PPV) and {high:.4g}")
    elif high - low <= OF_SHARES:
        raise InputError(
            "needed",
            "predicted_prevalence",
            "predicted positives and negatives have the same proportion of positives",
            f"give {option('predicted_prevalence')}, which these values do not determine",
        )
    else:
        share = min(max((positives - (1 - npv)) / (ppv - (1 - npv)), 0.0), 1.0)
    cases = validate.number(cases, "cases", 1, inf)
    above, below = cases * share, cases * (1 - share)
    return Counts(tp=above * ppv, fp=above * (1 - ppv), fn=below * (1 - npv), tn=below * npv)


def _contradiction(positives: float, instead: str) -> InputError:
    return InputError(
        "invalid-value",
        "prevalence",
        f"{text.exact(positives)} contradicts the predictive values: it is {instead}",
        "correct one of the values",
        value=positives,
    )


Ambiguous = Literal["keep", "raise"]
ROUNDING = 4  # times the precision of the type: the rounding error of a difference of two decimals


@dataclass(frozen=True, slots=True, eq=False)
class Decisions(Tabular):
    """A label for every case, and which cases are ambiguous.

    Parameters
    ----------
    labels : array, shape (n,)
        The label of each case.
    ambiguous : array of bool, shape (n,)
        True where the case is within the margin.
    why : str
        When a case is ambiguous, in words.
    """

    labels: np.ndarray
    ambiguous: np.ndarray
    why: str

    @property
    def number(self) -> int:
        """The number of ambiguous cases."""
        return int(np.count_nonzero(self.ambiguous))

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def _columns(self) -> dict[str, np.ndarray]:
        """One row per case."""
        return {"label": self.labels, "ambiguous": self.ambiguous}

    def __repr__(self) -> str:
        first = f", the first in {validate.row_at(int(self.ambiguous.argmax()))}" if self.number else ""
        return f"Decisions({len(self)} cases, {self.number} ambiguous: {self.why}{first})"


def decided(
    codes: np.ndarray, names: list[Any], close: np.ndarray, why: str, ambiguous: str, ambiguous_label: Any
) -> Decisions:
    """The labels of these codes. close: which cases are ambiguous. Raises InputError with "raise"."""
    validate.choice(ambiguous, get_args(Ambiguous), "ambiguous")
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


def with_rounding(margin: float, values: np.ndarray, scale: Any) -> Any:
    """The margin with the rounding error of a difference: 0.55 lies within 0.05 of 0.5."""
    return margin + ROUNDING * float(np.finfo(values.dtype).eps) * scale if margin else 0.0


def _array(labels: Sequence[Any]) -> np.ndarray:
    """An array of numbers or of text; of objects where both are mixed, which NumPy would turn into text."""
    text = [isinstance(label, (str, bytes)) for label in labels]
    return np.array(labels, object if any(text) and not all(text) else None)


def distinct(labels: Any, role: str, size: int) -> list[Any]:
    """The labels as a list. Raises InputError unless they are `size` different ones."""
    names = list(validate.labels(labels, role))
    if len(names) != size or len(set(map(str, names))) < size:
        raise InputError(
            "repeated", role, f"{shown(names)} are not {size} different labels", "give one for each class"
        )
    return names


def numbers_of(values: Any, role: str) -> tuple[columns.Column, np.ndarray]:
    """The column, and its numbers as float32 or float64."""
    column = columns.read(values, role)
    refuse_gaps(column)
    return column, validate.scores(column, "only numbers can be converted")


def refuse_gaps(column: columns.Column) -> None:
    """Raises InputError with the number of missing values and the first row."""
    gaps = column.gaps()
    if gaps.any():
        raise MissingValues(column, int(gaps.sum()), int(gaps.argmax())).without_option()


def as_scores(value: float, scores: np.ndarray) -> float:
    """The value rounded to the type of the scores, so that 0.7 equals a float32 score of 0.7."""
    with np.errstate(over="ignore"):
        return float(scores.dtype.type(value))


def refuse_outside(column: columns.Column, numbers: np.ndarray, ends: tuple[float, float], said: str) -> None:
    """Raises InputError with the first number outside the ends and its row."""
    outside = ~((numbers >= ends[0]) & (numbers <= ends[1]))
    validate.refuse_rows(column, outside, f"{{value:.10g}} in {{row}} {said}", "", numbers)


def table_of(values: Any, role: str, hint: str) -> tuple[np.ndarray, list[str] | None]:
    """Numbers of shape (n, K), and the names of the columns of a data frame, else None."""
    parts = list(score_columns(values, True, role).values())
    if len(parts) < 2:
        raise InputError(
            "wrong-shape", role, f"a column per class is needed, two at least, not {len(parts)}", hint
        )
    of_frame = isinstance(parts[0], tuple)
    named = dict(parts if of_frame else zip(map(str, range(len(parts))), parts, strict=True))
    numbers = [numbers_of(columns.read(part, role, name), role)[1] for name, part in named.items()]
    return np.stack(numbers, axis=1), list(named) if of_frame else None
