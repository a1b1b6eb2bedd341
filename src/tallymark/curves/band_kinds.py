"""Which curve has which band, and how bands by resampling are read from ROC curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..inference.bootstrap import bands
from ..input import validate
from ..input.spelling import option
from ..summaries import RankingTable
from .curve import POINTWISE, SIMULTANEOUS
from .names import CURVES, has_own_band

RESAMPLED = POINTWISE, SIMULTANEOUS
KOLMOGOROV = "kolmogorov-smirnov"  # simultaneous for any distribution of the scores
KINDS = *RESAMPLED, KOLMOGOROV


def _tpr_at_fpr(places: np.ndarray, rates: bands.Rates, highest: bool) -> np.ndarray:
    return bands.height(places, rates.fpr, rates.tpr, last=highest)


def _precision_at_tpr(places: np.ndarray, rates: bands.Rates, highest: bool) -> np.ndarray:
    fpr = bands.height(places, rates.tpr, rates.fpr, last=not highest)
    found, wrong = rates.share * places, (1 - rates.share) * fpr
    precision: np.ndarray = np.divide(found, found + wrong, out=np.ones_like(fpr), where=wrong > 0)
    return precision


def _tpr_at_taken(places: np.ndarray, rates: bands.Rates, highest: bool) -> np.ndarray:
    taken = rates.share * rates.tpr + (1 - rates.share) * rates.fpr
    return bands.height(places, taken, rates.tpr, last=highest)


class Axes(NamedTuple):
    """How a curve is read from an ROC curve.

    read: heights at some places, as proportions; units: x = 1 and y = 1 in the units of a table; kinds: the
    bands that the curve has.
    """

    read: Callable[[np.ndarray, bands.Rates, bool], np.ndarray]
    units: Callable[[RankingTable], tuple[float, float]] = lambda table: (1.0, 1.0)
    kinds: tuple[str, ...] = (POINTWISE, SIMULTANEOUS)


AXES = {
    "roc": Axes(_tpr_at_fpr, kinds=KINDS),
    "pr": Axes(_precision_at_tpr),
    "pr_interpolated": Axes(_precision_at_tpr),
    "gain": Axes(_tpr_at_taken, lambda table: (table.total, table.positives)),
}
DERIVED = {"det": "roc", "det_linear": "roc", "lift": "gain"}
OF_A_CLASS = {
    "sensitivity": "positives",
    "false_negative_rate": "positives",
    "specificity": "negatives",
    "false_positive_rate": "negatives",
}  # a distribution function of the scores of that class, or 1 minus it


def kinds_of(name: str) -> tuple[str, ...]:
    """The kinds of bands that the curve of this name has."""
    name = DERIVED.get(name, name)
    if name in AXES:
        return AXES[name].kinds
    if name in CURVES:
        return (POINTWISE, SIMULTANEOUS) if has_own_band(name) or name == "decision" else ()
    return KINDS if name in OF_A_CLASS else (POINTWISE,)


def check(name: str, kind: Any) -> str:
    """The kind of band. Raises InputError where the curve does not have it."""
    chosen = validate.choice(kind, KINDS, "band")
    if chosen in kinds_of(name):
        return chosen
    have = [one for one in (*CURVES, *OF_A_CLASS) if kind in kinds_of(one)]
    more = ", and any other measure of counts" if kind == POINTWISE else ""
    raise validate.InputError(
        "unsupported", "band", f"the curve {name!r} has no {kind} band", f"{', '.join(have)}{more} have one"
    )


def by_clusters(name: str, kind: str) -> bool:
    """Whether the band is made of resamples, so that clusters can be resampled as wholes."""
    return (DERIVED.get(name, name) in AXES or name == "decision") and kind in RESAMPLED


def not_by_clusters(name: str, kind: str, what: str) -> validate.InputError:
    """The error for a band that would take dependent cases as independent.

    what: "clusters" or "persons".
    """
    have = ", ".join(one for one in CURVES if by_clusters(one, POINTWISE))
    way = (
        f"take a {' or '.join(RESAMPLED)} band of {have}, with tied cases together"
        if what == "clusters"
        else f"leave {option('band')} out"
    )
    return validate.InputError(
        "unsupported",
        what,
        f"no valid {kind} band of {name!r} is known for cases that belong together",
        f"{way}, or evaluate at one threshold",
    )
