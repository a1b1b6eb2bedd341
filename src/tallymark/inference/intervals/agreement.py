"""The standard error of kappa, plain or weighted."""

from __future__ import annotations

import numpy as np


def kappa_error(
    weights: np.ndarray, agreement: np.ndarray, squares: np.ndarray | None = None, sizes_held: bool = False
) -> np.ndarray:
    """The standard error of kappa in large samples, without assuming that kappa is 0.

    weights: of the cells, shape (..., K, K); agreement: of each cell, shape (K, K), 1 on the diagonal;
    squares: the sums of the squared weights of cases, None where weights are numbers of cases; sizes_held:
    whether the row sums are fixed, so that only the variation within rows counts.
    Source: Fleiss, Cohen and
    Everitt (1969); plain kappa is the case of an identity matrix. It is computed from disagreement instead of
    1 - agreement, and as a variance around its mean, to avoid cancellation where one class holds nearly all
    cases.
    """
    term, left, n = _slopes(weights, agreement)
    shares = weights / n[..., None, None]
    squared = shares if squares is None else squares / n[..., None, None]
    spread = (squared * centred(shares, term, sizes_held) ** 2).sum((-2, -1))
    return _error(spread, left, n)


def kappa_error_by_class(
    truth: np.ndarray, place: np.ndarray, size: int, weight: np.ndarray | None = None
) -> float:
    """That of kappa of the predictions of two models, where the sizes of the actual classes are fixed.

    Only the variation within classes counts. truth: the number of the actual class of each case; place: of
    its cell, `size` times the class that one model predicts plus the one that the other does; weight: None
    for one each.
    """
    w = np.ones(len(truth)) if weight is None else weight
    cells = np.bincount(place, w, size * size).reshape(size, size)
    term, left, n = _slopes(cells, np.eye(size))
    slope = term.ravel()[place]
    mean = np.bincount(truth, w * slope) / np.maximum(np.bincount(truth, w), np.finfo(float).tiny)
    return float(_error(np.sum((w * (slope - mean[truth])) ** 2) / n, left, n))


def _slopes(weights: np.ndarray, agreement: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How each cell moves kappa, the disagreement by chance, and the number of cases."""
    n = weights.sum((-2, -1))
    shares = weights / n[..., None, None]
    row, column = shares.sum(-1), shares.sum(-2)
    of_row, of_column = (
        np.einsum("...j,ij->...i", column, agreement),
        np.einsum("...i,ij->...j", row, agreement),
    )  # the mean agreement in each row, and in each column, by chance
    lost = (shares * (1 - agreement)).sum((-2, -1))
    left = (row[..., :, None] * column[..., None, :] * (1 - agreement)).sum((-2, -1))
    term = (
        agreement * left[..., None, None]
        - (of_row[..., :, None] + of_column[..., None, :]) * lost[..., None, None]
    )
    return term, left, n


def _error(spread: np.ndarray, left: np.ndarray, n: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: np.ndarray = np.sqrt(spread / n) / left**2
        return found


def centred(weights: np.ndarray, slopes: np.ndarray, sizes_held: bool) -> np.ndarray:
    """The slopes less their weighted mean over all cells, or over each row for fixed row sums.

    Shape (..., K, K).
    """
    along = -1 if sizes_held else (-2, -1)
    sums, total = ((part * weights).sum(along, keepdims=True) for part in (slopes, 1.0))
    found: np.ndarray = slopes - np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
    return found
