"""Where an interval may be too narrow: few cases decide it, and the sample may lack others of their kind.

One rule for all measures, chosen by simulation (docs/intervals.md).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..input.messages import Note
from .covariance import Sampling, codes_of, sums_by

FEW = 8.0  # cases that are selected, as those above a cut
# skewness of a sum, with fewer degrees of freedom, and with any
FEW_DEGREES, SKEWED, VERY_SKEWED = 50.0, 0.28, 0.6


def deciding(cases: float, of: str = "cases") -> Note:
    """The note that so few cases decide, one or more."""
    return Note("few-deciding", cases=max(cases, 1.0), of=of)


def lacking(of: str = "heavy cases") -> Note:
    """The note that a sample may lack cases that would decide."""
    return Note("few-deciding", cases=0.0, of=of)


def skewed(skewness: Any, df: Any) -> Any:
    """Whether a sample may lack cases as heavy as those that have most of the influence on a sum."""
    return skewness > np.where(df < FEW_DEGREES, SKEWED, VERY_SKEWED)


def few_cases(cases: float, of: str = "cases") -> Note | None:
    """The note, if a measure depends on fewer than 8 cases that the sample selects."""
    return deciding(cases, of) if cases < FEW else None


def heavy(values: np.ndarray, df: Any, sampling: Sampling, by_class: bool = False) -> Any:
    """Whether a sample may lack cases as heavy as those that have most of the influence on an estimate.

    Its interval may then be too narrow. Weights vary in a class, or two persons take part in each case, and
    skewed sums have few degrees of freedom. For few degrees of freedom alone, such as those of clusters,
    Student's t allows.

    values: influence values, shape (..., cells); df: the degrees of freedom, shape (...).
    """
    few = np.asarray(df < FEW_DEGREES)
    if few.any():
        independent = sampling.units is None and sampling.together is None
        of_persons = sampling.units is not None and sampling.units.pairs is not None
        few = few & (sampling.varying if independent else of_persons)
    return few & skewed(np.abs(skewness(values, sampling, by_class)), df) if few.any() else few


def of_heavy(values: np.ndarray, df: Any, sampling: Sampling, by_class: bool = False) -> Note | None:
    """The note on heavy cases, of an estimate; no more decide than there are."""
    if not heavy(values, df, sampling, by_class):
        return None
    return deciding(min(float(df), float(sampling.effective(np.ones(len(sampling.stratum))))), unit(sampling))


def unit(sampling: Sampling) -> str:
    """What was sampled, in a note."""
    return "cases" if sampling.units is None else sampling.units.name


def skewness(values: np.ndarray, sampling: Sampling, by_class: bool = False) -> Any:
    """The skewness of an estimate, that of the sum of the influence values of cases, or of units."""
    s = sampling
    if s.units is not None:
        totals = s.units.totals(values[None])[..., 0]
        second, third = ((totals**power).sum(-1) for power in (2, 3))
        with np.errstate(invalid="ignore"):
            return third / second**1.5
    code = codes_of(s.stratum) if by_class or s.fixed else np.zeros(1, int)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums_by(code, values * s.weight) / sums_by(code, s.weight)
        there = s.weight > 0
        each = np.where(there, (values - mean[..., code]) * s.squares / s.weight, 0.0)  # of a case
        each /= np.abs(each).max(-1, initial=0.0, keepdims=True)  # so that no power overflows
        second, third = (
            np.where(there, s.weight**2 / s.squares * each**power, 0.0).sum(-1) for power in (2, 3)
        )
        return third / second**1.5
