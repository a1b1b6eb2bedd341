"""A loss of three embeddings."""

from __future__ import annotations

from math import inf
from typing import Any

from ...input import validate
from ...input.calls import public
from ...input.names import listed
from ..loss_input import Reduction, above_zero, cases_of, embeddings


@listed(
    "loss",
    "tm.losses.triplet(...)",
    aka=("triplet_margin_loss", "triplet_loss"),
    terms=("margin_between_positive_and_negative_pairs",),
)
@public()
def triplet(
    *,
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 0.2,
    normalise: bool = True,
    weight: Any = None,
    reduction: Reduction = "sum",
    check: bool = True,
) -> Any:
    """Triplet loss: an anchor should be nearer to a case of its class than to another one, by a margin.

    Parameters
    ----------
    anchor, positive, negative : array
        Embeddings, of shape (cases, dimensions).
    margin : float, default 0.2
        At least 0; 0.2 as in Schroff et al. (2015), whom Berrar cites.
    normalise : bool, default True
        Whether every embedding is scaled to length 1 first, as in the definition; one of zeros is not
        changed.
    weight : array, optional
        A number >= 0 per case; 2 is the case twice.
    reduction : {"sum", "mean", "none"}
        The sum by default, as in the definition.
    check : bool, default True
        Whether values are checked: labels, probabilities and weights; see the notes of the module.

    Returns
    -------
    array
        Of the library, type and device of the anchor: one value >= 0, or one per case with
        reduction="none".

    Raises
    ------
    InputError
        For shapes that differ, no cases, a margin out of range, and, unless check=False, weights that are
        negative or all 0.

    Notes
    -----
    max(0, |anchor - positive|^2 - |anchor - negative|^2 + margin), Euclidean; at most 4 + margin if
    normalised.

    Differs: PyTorch's triplet_margin_loss takes distances that are not squared, a margin of 1, and the mean.

    References
    ----------
    Berrar, Def. 34.

    Examples
    --------
    >>> from tallymark import losses
    >>> float(losses.triplet(anchor=[[1, 0]], positive=[[1, 0]], negative=[[0, 1]], margin=3.0))
    1.0
    """
    margin = validate.number(margin, "margin", 0.0, inf)
    validate.flag(normalise, "normalise")
    xp, *points = embeddings(anchor=anchor, positive=positive, negative=negative)
    if normalise:
        points = [_unit(xp, point) for point in points]
    near, far = (xp.sum((points[0] - other) ** 2, axis=-1) for other in points[1:])
    return cases_of(xp, near, weight, reduction, check).reduced(above_zero(xp, near - far + margin))


def _unit(xp: Any, points: Any) -> Any:
    """Each row scaled to length 1; one of zeros is unchanged, with a finite gradient."""
    largest = xp.max(xp.abs(points), axis=-1, keepdims=True)
    smallest = xp.full_like(largest, float(xp.finfo(points.dtype).smallest_normal))
    largest = xp.where(largest > 0, xp.maximum(largest, smallest), xp.ones_like(largest))
    # so that no square overflows or underflows; a floor has no gradient
    points = points * 2 ** -xp.floor(xp.log2(largest))
    square = xp.sum(points**2, axis=-1, keepdims=True)
    return points / xp.sqrt(xp.where(square > 0, square, xp.ones_like(square)))
