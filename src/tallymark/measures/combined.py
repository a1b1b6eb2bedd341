"""Two rates in one number."""

from ..registry import measure, ratio
from ..summaries import Counts
from .rates import sensitivity, specificity


@measure(aka=("informedness", "bookmaker_informedness", "delta_p_prime"), range=(-1.0, 1.0), interval="counts")
def youden_j(c: Counts):
    """Sensitivity and specificity above what guessing gives.

    sensitivity + specificity - 1

    Undefined: no real positives (tp + fn = 0), or no real negatives (fp + tn = 0).
    Source: Berrar, Def. 8; Tharwat, section 2.
    """
    return sensitivity(c) + specificity(c) - 1


@measure(aka=("balanced_classification_rate", "bacc"), interval="counts")
def balanced_accuracy(c: Counts):
    """Mean of sensitivity and specificity: the accuracy if both classes were equally frequent.

    (sensitivity + specificity) / 2

    Undefined: no real positives (tp + fn = 0), or no real negatives (fp + tn = 0).
    Source: Berrar, Def. 11; Tharwat, section 2.
    Differs: scikit-learn leaves out a class that does not occur and gives the rate of the other.
    """
    return (sensitivity(c) + specificity(c)) / 2


@measure(aka=("f_score", "f_measure", "f1_score", "dice"), interval="counts")
def f1(c: Counts):
    """Harmonic mean of precision and sensitivity.

    2 tp / (2 tp + fp + fn)

    Undefined: no case is positive, real or predicted (tp + fp + fn = 0).
    Source: Berrar, Def. 12; Tharwat, Eq. 12.
    Differs: PyCM and caret give no value where precision or sensitivity has none; here F1 is then 0.
    """
    return ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn)
