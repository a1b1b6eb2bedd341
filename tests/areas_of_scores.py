"""DeLong's areas of several models, from each positive against each negative."""

from typing import NamedTuple

import numpy as np


class Areas(NamedTuple):
    value: np.ndarray
    covariance: np.ndarray

    def difference(self, model, reference):
        """The difference of two areas, and its standard error."""
        row = np.eye(len(self.value))[model] - np.eye(len(self.value))[reference]
        return row @ self.value, np.sqrt(row @ self.covariance @ row)

    def overall(self):
        """Chi-square and its degrees of freedom for equal areas."""
        rows = np.eye(len(self.value))[1:] - np.eye(len(self.value))[0]
        apart = rows @ self.value
        return apart @ np.linalg.solve(rows @ self.covariance @ rows.T, apart), len(apart)


def areas(positive, scores):
    positive = np.asarray(positive, bool)
    wins = [
        (score[positive][:, None] > score[~positive]) + 0.5 * (score[positive][:, None] == score[~positive])
        for score in map(np.asarray, scores)
    ]
    shares = [np.cov([win.mean(axis) for win in wins]) / wins[0].shape[1 - axis] for axis in (1, 0)]
    return Areas(np.array([win.mean() for win in wins]), sum(shares))
