"""The standard error of kappa, plain or weighted."""

from __future__ import annotations

import numpy as np


def kappa_error(weights: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """The standard error of kappa in large samples, not assuming that there is no agreement.

    weights: of the cells, shape (..., K, K); worth: (K, K), what agreement is worth in each cell, 1 on the diagonal.
    Source: Fleiss, Cohen and Everitt (1969); plain kappa is the case of an identity matrix. Written with what is lost instead of
    1 - what is gained, and as a variance around its mean: no difference of nearly equal numbers where one class holds nearly all.
    """
    n = weights.sum((-2, -1))
    shares = weights / n[..., None, None]
    row, column = shares.sum(-1), shares.sum(-2)
    of_row, of_column = (
        np.einsum("...j,ij->...i", column, worth),
        np.einsum("...i,ij->...j", row, worth),
    )  # the mean worth in each row, and in each column, by chance
    lost = (shares * (1 - worth)).sum((-2, -1))
    left = (row[..., :, None] * column[..., None, :] * (1 - worth)).sum((-2, -1))
    term = worth * left[..., None, None] - (of_row[..., :, None] + of_column[..., None, :]) * lost[..., None, None]
    mean = (shares * term).sum((-2, -1))
    spread = (shares * (term - mean[..., None, None]) ** 2).sum((-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(spread / n) / left**2
