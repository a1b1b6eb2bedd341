"""The standard error of macro-averaged F1 is that of Takahashi and others (2022)."""

import numpy as np
import pytest
from looping import for_each

import tallymark as tm

TABLES = [
    [[80, 15, 5], [15, 70, 15], [0, 10, 90]],
    [[30, 4, 0, 1], [6, 20, 3, 2], [1, 5, 40, 4], [2, 2, 6, 24]],
]


def by_formula(matrix):
    """Delta method on the multinomial cells: Theorem 2 of the paper, with the derivatives written out."""
    p = matrix / matrix.sum()
    rows, columns, right = p.sum(1), p.sum(0), p.diagonal()
    f1 = 2 * right / (rows + columns)
    slope = np.zeros_like(p)
    for k in range(len(p)):
        for i, j in np.ndindex(*p.shape):
            own = 2.0 * (i == j == k) - f1[k] * ((i == k) + (j == k))
            slope[i, j] += own / (rows[k] + columns[k]) / len(p)
    variance = ((p * slope**2).sum() - (p * slope).sum() ** 2) / matrix.sum()
    return f1.mean(), np.sqrt(variance)


def by_jackknife(matrix):
    values, times = [], []
    for i, j in np.argwhere(matrix > 0):
        less = matrix.astype(float)
        less[i, j] -= 1
        values.append((2 * less.diagonal() / (less.sum(0) + less.sum(1))).mean())
        times.append(matrix[i, j])
    values, n = np.repeat(values, times), matrix.sum()
    return np.sqrt((n - 1) / n * np.sum((values - values.mean()) ** 2))


@for_each("table", TABLES, ids=lambda table: str(len(table)))
def test_the_standard_error(table):
    matrix = np.array(table)
    found = tm.evaluate(tm.ConfusionMatrix(tuple("abcd"[: len(matrix)]), matrix)).averages["macro"]["f1"]
    value, error = by_formula(matrix)
    assert found.value == pytest.approx(value)
    assert found.standard_error == pytest.approx(error, rel=1e-6)
    assert found.standard_error == pytest.approx(by_jackknife(matrix), rel=0.02)
