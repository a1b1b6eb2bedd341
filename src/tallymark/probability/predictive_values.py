"""The two-by-two table that belongs to predictive values."""

from __future__ import annotations

from math import inf

from ..input import text, validate
from ..input.calls import public
from ..input.names import listed
from ..input.spelling import option
from ..input.validate import InputError
from ..summaries import Counts

ROUNDING = 1e-9  # of shares that are computed
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
    >>> found = tm.convert.from_predictive_values(
    ...     precision=0.75, negative_predictive_value=0.5, predicted_prevalence=0.4
    ... )
    >>> round(tm.measures.accuracy(found), 3)
    0.6
    >>> round(tm.measures.positive_likelihood_ratio(found), 3)
    2.0
    """
    ppv = validate.number(precision, "precision", 0, 1)
    npv = validate.number(negative_predictive_value, "negative_predictive_value", 0, 1)
    share = _given(predicted_prevalence, "predicted_prevalence")
    positives = _given(prevalence, "prevalence")
    if share is None:
        share = _share_predicted(ppv, npv, positives)
    elif positives is not None:
        _agree(share * ppv + (1 - share) * (1 - npv), positives)
    cases = validate.number(cases, "cases", 1, inf)
    above, below = cases * share, cases * (1 - share)
    return Counts(tp=above * ppv, fp=above * (1 - ppv), fn=below * (1 - npv), tn=below * npv)


def _given(value: float | None, role: str) -> float | None:
    return None if value is None else validate.number(value, role, 0, 1)


def _share_predicted(ppv: float, npv: float, positives: float | None) -> float:
    """The proportion predicted positive, with which the positives add up."""
    if positives is None:
        raise InputError(
            "needed",
            "predicted_prevalence",
            "predictive values alone do not determine the table",
            f"give {option('predicted_prevalence')} or {option('prevalence')}",
        )
    among_negative = 1 - npv
    low, high = sorted((among_negative, ppv))
    if not low - ROUNDING <= positives <= high + ROUNDING:
        raise _contradiction(positives, f"between {low:.4g} (1 - NPV, or PPV) and {high:.4g}")
    if high - low <= ROUNDING:
        raise InputError(
            "needed",
            "predicted_prevalence",
            "predicted positives and negatives have the same proportion of positives",
            f"give {option('predicted_prevalence')}, which these values do not determine",
        )
    return min(max((positives - among_negative) / (ppv - among_negative), 0.0), 1.0)


def _agree(found: float, positives: float) -> None:
    """Raises InputError where the prevalence that follows is another one than the one given."""
    if abs(found - positives) > APART + ROUNDING:
        raise _contradiction(positives, f"{found:.4g} by the other three values")


def _contradiction(positives: float, instead: str) -> InputError:
    return InputError(
        "invalid-value",
        "prevalence",
        f"{text.exact(positives)} contradicts the predictive values: it is {instead}",
        "correct one of the values",
        value=positives,
    )
