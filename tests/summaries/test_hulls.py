"""The convex hull of a ROC curve, walked with pauses and without."""

import numpy as np
import pytest

from tallymark.measures.registry import get
from tallymark.summaries import RankingTable

OF_HULLS = ("auch", "h_measure", "average_cost", "min_cllr", "equal_error_rate_hull", "brier_discrimination")
OF_SEGMENTS = (
    "average_precision", "auc_pr_trapezoid", "auc_pr_min", "auc_pr_minmax", "auc_pr_max", "auc_pr_integral",
    "auc_pr_davis_goadrich", "partial_auc", "partial_auc_tpr", "recall_at_k", "recall_at_share",
)  # fmt: skip


def table(rows, scores, seed=0):
    """Weights of which many are 0; of the later rows the order is better, so that they have other numbers of
    corners."""
    rng = np.random.default_rng(seed)
    better = np.linspace(0, 3, rows)[:, None] * np.linspace(1, -1, scores)
    positive, negative = rng.poisson(np.exp(better)), rng.poisson(np.exp(-better))
    positive[:, -1], negative[:, 0] = 1, 1  # so that both classes are there
    return RankingTable.of(np.linspace(0.99, 0.01, scores), positive * 1.0, negative * 1.0)


@pytest.mark.parametrize("scores", [1, 2, 9, 40, 300])
def test_the_corners_are_the_points_of_the_hull(scores):
    several = table(6, scores)
    for one in (several, RankingTable.of(several.score, several.positive[2:3], several.negative[2:3])):
        walks = (np.stack([counts.fp, counts.tp], -1) for counts in (one.hull, one.corners))
        for hull, corners in zip(*walks, strict=True):
            np.testing.assert_array_equal(np.unique(hull, axis=0), np.unique(corners, axis=0))
            assert (np.diff(corners, axis=0) >= 0).all()


@pytest.mark.full
@pytest.mark.parametrize("name", [*OF_HULLS, *OF_SEGMENTS])
@pytest.mark.parametrize("scores", [1, 8, 60, 500])
def test_a_row_has_the_same_value_to_the_last_digit_whatever_rows_are_beside_it(name, scores):
    function, several = get(name, RankingTable).function, table(30, scores)
    parts = [
        several.of(several.score, several.positive[i : i + 3], several.negative[i : i + 3])
        for i in range(0, 30, 3)
    ]
    np.testing.assert_array_equal(function(several), np.concatenate([function(part) for part in parts]))


@pytest.mark.parametrize("name", [*OF_HULLS, *OF_SEGMENTS])
def test_a_row_has_the_value_of_the_table_by_itself(name):
    function, several = get(name, RankingTable).function, table(30, 60)
    alone = [
        function(RankingTable.of(several.score, *row))
        for row in zip(several.positive, several.negative, strict=True)
    ]
    np.testing.assert_allclose(function(several), alone, rtol=1e-12, atol=1e-14)
