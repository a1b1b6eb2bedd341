"""The Brier score and the log loss as miscalibration - discrimination + uncertainty.

As in CORP, the probabilities are compared with those from isotonic regression, which needs no bins. These
are the slopes of the convex hull of the ROC curve: between two corners the proportion of positives is
constant.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...input.validate import frozen
from ...summaries import BinnedTable, Counts, RankingTable
from ...summaries.passes import HULL, entropy, log_error, squared_error, sums_of_loss
from ..registry import IntervalSpec, Needs, get, mapped, measure, ratio, within
from . import areas
from .bins import BY_WIDTH, of_equal_width
from .calibration import BINS, rms_calibration_error
from .probability import UNBOUNDED, brier_score, log_loss

QUARTER = (0.0, 0.25)
NATS = (0.0, float(np.log(2)))


def _recalibrated(corners: Counts) -> tuple[np.ndarray, np.ndarray]:
    """The positives and the negatives between the corners of the hull."""
    return np.diff(corners.tp), np.diff(corners.fp)


def isotonic(t: RankingTable) -> np.ndarray:
    """The probability of each score by isotonic regression; of replicates, one row each."""
    if t.positive.ndim == 1 and "isotonic" not in t.kept:
        t.kept["isotonic"] = frozen(_isotonic(t))
    return t.kept["isotonic"] if t.positive.ndim == 1 else _isotonic(t)


def _isotonic(t: RankingTable) -> np.ndarray:
    if t.positive.ndim == 1:
        corners = t.ends_of_blocks
        positive, size = np.diff(corners.tp), np.diff(corners.tp + corners.fp)
        if (size > 0).all():
            return np.repeat(positive / size, np.diff(corners.place))
    positive, negative = _recalibrated(t.hull)
    size = positive + negative
    # a block ends where the hull moves; a score has the proportion of the block that ends at it or next after
    ends = np.where(size > 0, np.arange(len(t)), len(t) - 1)
    block = np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]
    return np.take_along_axis(ratio(positive, size), block, -1)


def _squares(t: RankingTable) -> Any:
    """The Brier score after isotonic regression: r (1 - r) in a block with the proportion r."""
    positive, negative = _recalibrated(t.corners)
    with np.errstate(divide="ignore", invalid="ignore"):
        lost = np.where(positive * negative > 0, positive * (negative / (positive + negative)), 0.0)
    return ratio(areas.total(lost), areas.plain(t.total * 1.0))


def _logarithms(t: RankingTable) -> Any:
    """The log loss after isotonic regression: in a block the entropy of its proportion."""
    positive, negative = _recalibrated(t.corners)
    size = positive + negative
    lost = size * entropy(np.where(size > 0, ratio(positive, size), 0.0))
    return ratio(areas.total(lost), areas.plain(t.total * 1.0))


def _miscalibration_at_ends(loss: str, recalibrated: Callable[..., Any], binned: BinnedTable) -> list[float]:
    """A loss less that after isotonic regression: of both the lower and the upper bound are known."""
    losses = get(loss).bounds_of(binned)
    least = [recalibrated(table) for table in binned.bracket()]
    return [_not_below_0(one - other) for one, other in zip(losses, least, strict=True)]


def _not_below_0(value: Any) -> Any:
    return areas.plain(np.maximum(value, 0.0))


def _variance(prior: Any) -> Any:
    return prior * (1 - prior)


@measure(
    aka=("brier_mcb",),
    best=0.0,
    interval=IntervalSpec("miscalibration", (_squares, squared_error)),
    scores="probability",
    needs=Needs((HULL, sums_of_loss(squared_error))),
    bounds=partial(_miscalibration_at_ends, "brier_score", _squares),
)
def brier_miscalibration(t: RankingTable) -> Any:
    """Reduction of the Brier score by isotonic recalibration of the probabilities.

    brier_score - brier_score of the probabilities after isotonic regression

    Undefined: no cases (positives + negatives = 0).
    Source: Dimitriadis, Gneiting and Jordan (2021), CORP: MCB.
    Bounds: from those of the Brier score, and of the one after isotonic regression.
    """
    return _not_below_0(brier_score(t) - _squares(t))


@measure(
    aka=("brier_dsc",),
    range=QUARTER,
    best=None,
    better="higher",
    interval="discrimination",
    scores="probability",
    needs=areas.OF_HULL,
    bounds="roc",
)
def brier_discrimination(t: RankingTable) -> Any:
    """Reduction of the Brier score from predicting the prevalence to the recalibrated probabilities.

    prevalence (1 - prevalence) - brier_score of the probabilities after isotonic regression

    Undefined: no cases (positives + negatives = 0).
    Source: Dimitriadis, Gneiting and Jordan (2021), CORP: DSC.
    Bounds: isotonic regression has the smallest mean loss of all monotone maps; where a positive scores
    higher or a negative lower, the map before loses no more than before, and the best one now no more
    than that.
    """
    return within(brier_uncertainty(t) - _squares(t), *QUARTER)


@measure(
    range=QUARTER,
    best=None,
    interval=IntervalSpec("of-prior", (_variance,)),
    scores="probability",
    bounds="roc",
)
def brier_uncertainty(t: RankingTable) -> Any:
    """Brier score of predicting the prevalence for every case.

    prevalence (1 - prevalence)

    Undefined: no cases (positives + negatives = 0).
    Source: Murphy (1973).
    """
    return areas.plain(_variance(t.prior))


@measure(
    aka=("log_loss_mcb",),
    range=UNBOUNDED,
    best=0.0,
    interval=IntervalSpec("miscalibration", (_logarithms, log_error)),
    scores="probability",
    needs=Needs((HULL, sums_of_loss(log_error))),
    bounds=partial(_miscalibration_at_ends, "log_loss", _logarithms),
)
def log_loss_miscalibration(t: RankingTable) -> Any:
    """Reduction of the log loss by isotonic recalibration of the probabilities.

    log_loss - log_loss of the probabilities after isotonic regression

    Undefined: no cases (positives + negatives = 0).
    Source: Dimitriadis, Gneiting and Jordan (2021), CORP: MCB.
    Bounds: from those of the log loss, and of the one after isotonic regression.
    """
    return _not_below_0(log_loss(t) - _logarithms(t))


@measure(
    aka=("log_loss_dsc",),
    range=NATS,
    best=None,
    better="higher",
    interval="discrimination",
    scores="probability",
    needs=areas.OF_HULL,
    bounds="roc",
)
def log_loss_discrimination(t: RankingTable) -> Any:
    """Reduction of the log loss from predicting the prevalence to the recalibrated probabilities.

    entropy of the class mix - log_loss of the probabilities after isotonic regression

    Undefined: no cases (positives + negatives = 0).
    Source: Dimitriadis, Gneiting and Jordan (2021), CORP: DSC.
    Bounds: as for brier_discrimination.
    """
    return within(log_loss_uncertainty(t) - _logarithms(t), *NATS)


@measure(
    range=NATS,
    best=None,
    interval=IntervalSpec("of-prior", (entropy,)),
    scores="probability",
    terms=("entropy",),
    bounds="roc",
)
def log_loss_uncertainty(t: RankingTable) -> Any:
    """Log loss of predicting the prevalence for every case: the entropy of the class mix.

    -prevalence log prevalence - (1 - prevalence) log(1 - prevalence)

    Undefined: no cases (positives + negatives = 0).
    Source: Dimitriadis, Gneiting and Jordan (2021), CORP: UNC.
    """
    return within(areas.plain(entropy(t.prior)), *NATS)


def _square(value: Any, table: RankingTable) -> Any:
    return value**2


@measure(
    aka=("murphy_reliability",),
    best=0.0,
    interval=mapped(rms_calibration_error, _square),
    limits=BINS,
    scores="probability",
    needs=BY_WIDTH,
)
def brier_reliability(t: RankingTable, *, bins: int = 10) -> Any:
    """Reliability term of Murphy's decomposition of the Brier score, with bins of equal width.

    sum over the bins of proportion of the cases * (proportion of positives - mean probability)^2

    bins: the number of bins. brier_reliability - brier_resolution + brier_uncertainty equals the Brier score
    if all probabilities of a bin are the same; brier_miscalibration needs no bins.

    Undefined: no cases (positives + negatives = 0).
    Source: Murphy (1973).
    """
    return rms_calibration_error(t, bins=bins) ** 2


@measure(
    aka=("murphy_resolution",),
    range=QUARTER,
    best=None,
    better="higher",
    interval=IntervalSpec("bins-between"),
    limits=BINS,
    scores="probability",
    needs=BY_WIDTH,
)
def brier_resolution(t: RankingTable, *, bins: int = 10) -> Any:
    """Resolution term of Murphy's decomposition of the Brier score, with bins of equal width.

    sum over the bins of proportion of the cases * (proportion of positives there - prevalence)^2

    bins: the number of bins.

    Undefined: no cases (positives + negatives = 0).
    Source: Murphy (1973).
    """
    b = of_equal_width(t, bins)
    apart = np.where(b.weight > 0, b.rate - areas.column(t.prior), 0.0)
    return within(ratio(areas.total(b.weight * apart**2), areas.total(b.weight)), *QUARTER)
