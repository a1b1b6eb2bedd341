"""The interval of kappa, plain or weighted."""

from __future__ import annotations

import numpy as np


def kappa_error(weights: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """The standard error of kappa in large samples, not assuming that there is no agreement.

    weights: of the cells, shape (..., K, K); worth: (K, K), what agreement is worth in each cell, 1 on the diagonal.
    Source: Fleiss, Cohen and Everitt (1969), Eq. 13; plain kappa is the case of an identity matrix.
    """
    n = weights.sum((-2, -1))
    shares = weights / n[..., None, None]
    row, column = shares.sum(-1), shares.sum(-2)
    of_row, of_column = column @ worth.T, row @ worth  # the mean worth in each row, and in each column, by chance
    observed, by_chance = (shares * worth).sum((-2, -1)), (row * of_row).sum(-1)
    left = 1 - by_chance
    term = worth * left[..., None, None] - (of_row[..., :, None] + of_column[..., None, :]) * (1 - observed)[..., None, None]
    spread = (shares * term**2).sum((-2, -1)) - (observed * by_chance - 2 * by_chance + observed) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(np.maximum(spread, 0) / n) / left**2
