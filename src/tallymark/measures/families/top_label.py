"""Calibration of the probability of the predicted class, which is positive where p >= 0.5."""

from functools import partial
from typing import Any

from ...summaries import RankingTable
from ..registry import IntervalSpec, measure
from .bins import ANSWERS_BY_MASS, ANSWERS_BY_WIDTH, of_equal_mass, of_equal_width
from .calibration import BINS, largest_gap, mean_gap, root_mean_square_gap

top_label = partial(measure, best=0.0, limits=BINS, scores="probability")


@top_label(
    aka=("top_label_calibration_error", "confidence_calibration_error"),
    interval=IntervalSpec("bins-of-answers", (mean_gap,)),
    needs=ANSWERS_BY_WIDTH,
)
def top_label_ece(t: RankingTable, *, bins: int = 10) -> Any:
    """Mean absolute difference of probability and accuracy of the predicted class, over equal-width bins.

    sum over the bins of proportion of the cases * |accuracy - mean probability of the predicted class|

    bins: the number of bins. The predicted class is positive where p >= 0.5, with probability p, else
    negative, with 1 - p.

    Undefined: no cases (positives + negatives = 0).
    Source: Guo et al. (2017), On Calibration of Modern Neural Networks.
    Differs: expected_calibration_error uses the probability of the positive class for every case.
    """
    return mean_gap(of_equal_width(t.confidence, bins))


@top_label(
    aka=("top_label_adaptive_calibration_error",),
    interval=IntervalSpec("bins-of-answers-of-equal-mass", (mean_gap,)),
    needs=ANSWERS_BY_MASS,
)
def top_label_ace(t: RankingTable, *, bins: int = 10) -> Any:
    """Mean absolute difference of probability and accuracy of the predicted class, over equal-mass bins.

    sum over the bins of proportion of the cases * |accuracy - mean probability of the predicted class|

    bins: the number of bins. The predicted class is positive where p >= 0.5, with probability p, else
    negative, with 1 - p. Quantiles depend on the number of cases.

    Undefined: no cases (positives + negatives = 0).
    Source: Nixon et al. (2019), Measuring Calibration in Deep Learning.
    """
    return mean_gap(of_equal_mass(t.confidence, bins))


@top_label(
    aka=("top_label_maximum_calibration_error",),
    interval=IntervalSpec("bins-of-answers", (largest_gap,)),
    needs=ANSWERS_BY_WIDTH,
)
def top_label_mce(t: RankingTable, *, bins: int = 10) -> Any:
    """Largest absolute difference of probability and accuracy of the predicted class in a bin.

    max over the bins of |accuracy - mean probability of the predicted class|

    bins: the number of bins, of equal width. The predicted class is positive where p >= 0.5, with probability
    p, else negative, with 1 - p.

    Undefined: no cases (positives + negatives = 0).
    Source: Guo et al. (2017), On Calibration of Modern Neural Networks.
    """
    return largest_gap(of_equal_width(t.confidence, bins))


@top_label(
    aka=("top_label_root_mean_squared_calibration_error",),
    interval=IntervalSpec("bins-of-answers", (root_mean_square_gap,)),
    needs=ANSWERS_BY_WIDTH,
)
def top_label_rmsce(t: RankingTable, *, bins: int = 10) -> Any:
    """Root mean squared difference of probability and accuracy of the predicted class, over the bins.

    sqrt(sum over the bins of proportion of the cases * (accuracy - mean probability of the predicted
    class)^2)

    bins: the number of bins, of equal width. The predicted class is positive where p >= 0.5, with probability
    p, else negative, with 1 - p.

    Undefined: no cases (positives + negatives = 0).
    Source: Hendrycks, Mazeika and Dietterich (2019).
    """
    return root_mean_square_gap(of_equal_width(t.confidence, bins))
