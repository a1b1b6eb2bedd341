"""Cases without a score: as text the areas under the ROC curve."""

from __future__ import annotations

import numpy as np

from ...evaluation.unscored import Unscored
from ...measures.families.ranking import roc_auc


def as_text(found: Unscored) -> str:
    """The area of the scored cases, and of all by the score that the others get."""
    constant, area = found.best
    low, high = found.at(-np.inf), found.at(np.inf)
    return (
        f"without a score: {found.of_positives:.4g} of the positives, {found.of_negatives:.4g} of the"
        f" negatives\nroc_auc of the scored cases alone        {roc_auc(found.ranking):.4f}\nall others at"
        f" the bottom                 {low:.4f}\nall others at the top                    {high:.4f}\nall"
        f" others at {constant:<10.4g} (the best)      {area:.4f}"
    )
