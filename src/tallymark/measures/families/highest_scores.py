"""The cases with the highest scores, and the positives among them."""

from typing import Any

import numpy as np

from ...summaries import RankingTable
from ..division import ratio
from . import areas


def positives_among(t: RankingTable, k: Any) -> Any:
    """The positives among the k highest scores; cases tied at the last place are taken in random order."""
    counts = t.sweep()
    called = counts.tp + counts.fp
    if not len(t):
        return areas.plain(called[..., 0])
    # the highest score of which not all are taken
    last = np.clip((called <= k).sum(-1, keepdims=True) - 1, 0, len(t) - 1)
    before, above, here = (np.take_along_axis(part, last, -1) for part in (counts.tp, called, t.positive))
    size = np.take_along_axis(called, last + 1, -1) - above
    # a resample may have no case with that score
    share = np.where(size > 0, np.clip(ratio(k - above, size), 0.0, 1.0), 0.0)
    return areas.plain((before + here * share)[..., 0])


def cases_taken(t: RankingTable, k: float) -> Any:
    """k, or the number of cases where there are fewer."""
    return np.minimum(k, t.total * 1.0)
