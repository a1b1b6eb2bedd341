"""How closely truth and prediction go together, beyond chance."""

import numpy as np

from ..registry import measure, ratio, within
from ..summaries import Counts


@measure(aka=("mcc", "phi", "matthews_corrcoef"), range=(-1.0, 1.0), interval="counts")
def matthews_correlation(c: Counts):
    """Correlation of truth and prediction, each coded 0 and 1.

    (tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (fp + tn) (fn + tn))

    Undefined: no predicted positives (tp + fp = 0), no real positives (tp + fn = 0), no real negatives (fp + tn = 0),
    or no predicted negatives (fn + tn = 0).
    Source: Berrar, Def. 15; Tharwat, Eq. 11.
    Differs: scikit-learn gives 0 where it is undefined.
    """
    # Two roots: the product of all four margins would lose accuracy, and could overflow, before its root is drawn.
    margins = np.sqrt((c.tp + c.fp) * (c.tp + c.fn)) * np.sqrt((c.fp + c.tn) * (c.fn + c.tn))
    return within(ratio(c.tp * c.tn - c.fp * c.fn, margins), -1.0, 1.0)


@measure(aka=("kappa",), range=(-1.0, 1.0), interval="counts")
def cohen_kappa(c: Counts):
    """Agreement of truth and prediction beyond chance, as a share of the agreement that chance leaves open.

    (p_o - p_e) / (1 - p_e) = 2 (tp tn - fp fn) / ((tp + fp) (fp + tn) + (tp + fn) (fn + tn))

    Undefined: every case is a true positive (fp + fn + tn = 0), or every case is a true negative (tp + fp + fn = 0).
    Source: Berrar, Def. 24.
    """
    return ratio(2 * (c.tp * c.tn - c.fp * c.fn), (c.tp + c.fp) * (c.fp + c.tn) + (c.tp + c.fn) * (c.fn + c.tn))
