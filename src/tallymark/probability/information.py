"""The information score of each case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..input import CaseSpec, validate
from ..input.calls import public
from ..input.names import listed
from ..summaries.case_losses import information_of
from ..summaries.samples import read_sample
from .reading import numbers_of, refuse_outside


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
