"""From scores to probabilities, and from probabilities to labels.

Columns may be arrays, lists or series; tables arrays, lists of rows or data frames. Everything is computed
in float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..input import probabilities, validate
from ..input.calls import public
from ..input.names import listed
from ..input.validate import InputError
from ..summaries import ranking
from .decisions import Ambiguous, Decisions, decided, distinct, with_rounding
from .predictive_values import from_predictive_values as from_predictive_values
from .reading import as_scores, numbers_of, refuse_outside, table_of

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
        (-probabilities.SLACK, 1 + probabilities.SLACK),
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
