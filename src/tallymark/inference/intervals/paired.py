"""Areas under ROC curves of several models on the same cases, with DeLong's covariance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan

import numpy as np

from ... import kernels
from ...input.listed import listed
from ...summaries.by_score import running
from ..effective_units import effective_number

ROUNDING = 1e-9  # eigenvalues of a correlation below this, relative to the largest, are 0


@dataclass(frozen=True, eq=False)
class Areas:
    """Areas of k models, with their covariance.

    value: (k,) areas; covariance: (k, k), NaN where a class has a single case (or cluster); of_classes: its
    two terms, of the positives and of the negatives, and cases: the numbers of these; None with clusters.
    """

    value: np.ndarray
    covariance: np.ndarray
    of_classes: np.ndarray | None = None
    cases: tuple[float, float] | None = None

    @listed(
        "test",
        "tm.compare(..., method='delong')",
        name="delong",
        aka=("roc_test", "comparison_of_areas", "delong_test_of_two_areas"),
        command="tallymark compare --method delong",
    )
    def difference(self, model: int, reference: int) -> tuple[float, float]:
        """The difference of two areas on the same cases, and its standard error by DeLong's covariance.

        Source: DeLong, DeLong and Clarke-Pearson (1988).
        """
        variance = float(_of_difference(self.covariance, model, reference))
        return float(self.value[model] - self.value[reference]), float(
            np.sqrt(max(variance, 0.0))
        ) if variance == variance else nan

    def covariance_of(self, model: int, reference: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """The covariance of these two areas."""
        (a, b), (c, d) = self.covariance[np.ix_([model, reference], [model, reference])].tolist()
        return (a, b), (c, d)

    def degrees_of_freedom(self, model: int, reference: int) -> float:
        """The degrees of freedom of a difference's variance, by Satterthwaite.

        The variance is a sum over two classes; infinite with clusters. Sources: Satterthwaite (1946),
        Biometrics Bulletin 2, 110-114; Brunner and Munzel (2000), Biometrical Journal 42, 17-25, for one
        area.
        """
        if self.of_classes is None or self.cases is None:
            return inf
        positive, negative = (float(_of_difference(part, model, reference)) for part in self.of_classes)
        spread = positive**2 / (self.cases[0] - 1) + negative**2 / (self.cases[1] - 1)
        return (positive + negative) ** 2 / spread if spread > 0 else inf

    def overall(self) -> tuple[float, int]:
        """Chi-square and its degrees of freedom for the hypothesis that all areas are equal.

        (0, 0) where they cannot differ. NaN where a class has a single case, and where areas differ without
        variance, as for a perfect and a constant model.

        The statistic is from the contrasts of each model with the first, weighted by the pseudo-inverse of
        their covariance, whose rank is the degrees of freedom: models that coincide add none. Source: DeLong,
        DeLong and Clarke-Pearson (1988), Eq. 5.
        """
        contrast = np.hstack([-np.ones((len(self.value) - 1, 1)), np.eye(len(self.value) - 1)])
        found, spread = contrast @ self.value, contrast @ self.covariance @ contrast.T
        if not np.isfinite(spread).all():
            return nan, 0
        sizes, directions = np.linalg.eigh(spread)
        least = ROUNDING * max(float(np.trace(self.covariance)), 0.0)
        free, along = sizes > least, directions.T @ found
        if (along[~free] ** 2 > least + ROUNDING**2).any():
            return nan, 0
        return float((along[free] ** 2 / sizes[free]).sum()), int(free.sum())


def areas(
    positive: np.ndarray,
    places: Sequence[np.ndarray],
    weight: np.ndarray | None = None,
    clusters: np.ndarray | None = None,
) -> Areas:
    """Areas of k models with their covariance.

    positive: (n,) booleans; places: of each model (n,) whole numbers from 0 on, 0 for the highest score, the
    same for tied ones (`ScoredCases.place`); weight: (n,), importance weights, on any
    scale; clusters: (n,) whole numbers from 0 on, the same for cases that belong together, as those of a
    patient. The covariances over the cases of the placements (see `placements`), divided by the class sizes,
    are added; with weights the linearised ones of the weighted mean of each class, by its effective number of
    cases. Source: DeLong, DeLong and Clarke-Pearson (1988); by ranks, Sun and Xu (2014); with clusters,
    Obuchowski (1997), Biometrics 53, 567-578, Eqs. 3 and 4.
    """
    w = np.broadcast_to(1.0, len(positive)) if weight is None else np.asarray(weight, float)
    shares = kernels.each(lambda i: placements(positive, places[i], w), len(places))
    return areas_of_placements(positive, shares, w, clusters)


def areas_of_placements(
    positive: np.ndarray, shares: Sequence[np.ndarray], w: np.ndarray, clusters: np.ndarray | None = None
) -> Areas:
    """The same from the placements of each model. w: the weights, (n,)."""
    masks = positive, ~positive
    own = w * positive
    value = np.array([kernels.dot(one, own) for one in shares]) / float(np.add.reduce(own))
    if clusters is not None:
        off = np.array([one - area for one, area in zip(shares, value, strict=True)])
        return Areas(value, _between_clusters(positive, off, w, clusters))
    parts = [_covariance_of_mean(shares, value, w, one) for one in masks]
    cases = [_effective(w, one) for one in masks]
    return Areas(value, parts[0] + parts[1], np.array(parts), (cases[0], cases[1]))


def _of_difference(covariance: np.ndarray, one: int, other: int) -> float:
    found: float = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
    return found


def placements(positive: np.ndarray, place: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """For each case the proportion of the other class that it is ranked correctly against.

    A tie counts one half.
    """
    if not weight.strides[0]:  # each case weighs 1
        rows = int(place.max()) + 1
        own = np.bincount(place[positive], minlength=rows), np.bincount(place[~positive], minlength=rows)
    else:
        own = np.bincount(place, weight * positive), np.bincount(place, weight * ~positive)
    beaten, beating = (running(one) for one in own[::-1])
    total = beating[-1], beaten[-1]

    def share(rows: slice) -> None:
        beaten[rows] = (total[1] - beaten[rows] + own[1][rows] / 2) / total[1]
        beating[rows] = (beating[rows] - own[0][rows] / 2) / total[0]

    found = np.empty(len(place))

    def of_cases(rows: slice) -> None:
        found[rows] = np.where(positive[rows], beaten[place[rows]], beating[place[rows]])

    with np.errstate(invalid="ignore"):
        kernels.stretches(share, len(beaten))
        kernels.stretches(of_cases, len(place))
    return found


def _covariance_of_mean(
    shares: Sequence[np.ndarray], means: np.ndarray, weight: np.ndarray, cases: np.ndarray
) -> np.ndarray:
    """The covariance of the weighted means of some cases, in blocks of rows. cases: which ones."""
    number = _effective(weight, cases)
    total = float(weight.sum(where=cases)) if weight.strides[0] else number
    if number <= 1 + ROUNDING:
        return np.full(2 * [len(means)], nan)

    def of_rows(rows: slice) -> np.ndarray:
        there = cases[rows]
        off = np.array([one[rows][there] for one in shares]) - means[:, None]
        off *= weight[rows][there]
        return _products(off, off)

    found: np.ndarray = np.add.reduce(kernels.stretches(of_rows, len(cases)))
    return found / (number - 1) / total * (number / total)


def _effective(weight: np.ndarray, cases: np.ndarray) -> float:
    """The effective number of these cases."""
    return effective_number(weight[cases]) if weight.strides[0] else float(np.count_nonzero(cases))


def _products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The products of each row of a with each of b, without BLAS, so that they are reproducible."""
    found: np.ndarray = np.einsum("in,jn->ij", a, b)
    return found


def _between_clusters(
    positive: np.ndarray, off: np.ndarray, weight: np.ndarray, clusters: np.ndarray
) -> np.ndarray:
    """The covariance from the sums of the deviations in each cluster.

    It includes the covariance of both classes within clusters.
    """
    k, number = len(off), int(clusters.max()) + 1
    sums = [
        np.array([np.bincount(clusters, row * weight * one, number) for row in off])
        for one in (positive, ~positive)
    ]
    sizes = [float((weight * one).sum()) for one in (positive, ~positive)]
    having = [np.unique(clusters[one]).size for one in (positive, ~positive)]
    if min(having) < 2:
        return np.full((k, k), nan)
    means = [part / size for part, size in zip(sums, sizes, strict=True)]
    alone = sum(n / (n - 1) * _products(part, part) for n, part in zip(having, means, strict=True))
    across = number / (number - 1) * _products(*means)
    return alone + across + across.T
