"""Requirements on a model as a test, for pytest, unittest and others."""

from __future__ import annotations

from typing import Any

from .studies.gate import Verdict, check

__all__ = ["assert_meets"]


def assert_meets(data: Any = None, /, **requirements: Any) -> Verdict:
    """Assert that a model meets requirements, as "roc_auc >= 0.80".

    Parameters
    ----------
    data : data frame, file, mapping of columns, summary or evaluation, optional
        As for `check`, also a gate file.
    **requirements
        The arguments of `check`, as require=, truth= and score=.

    Returns
    -------
    Verdict
        That of `check`, where it passes.

    Raises
    ------
    AssertionError
        With the requirements that are not met or undecided, their numbers and intervals. An undecided
        verdict passes with undecided="pass".
    InputError
        As for `check`.

    Examples
    --------
    >>> import tallymark as tm
    >>> from tallymark.testing import assert_meets
    >>> cells = tm.Counts(tp=45, fp=5, fn=5, tn=45)
    >>> assert_meets(cells, require=["sensitivity >= 0.7", "n >= 100"]).outcome
    'passed'
    """
    __tracebackhide__ = True  # by pytest
    verdict = check(data, **requirements)
    if not verdict:
        raise AssertionError("\n".join([verdict.summary, *verdict.unmet()]))
    return verdict
