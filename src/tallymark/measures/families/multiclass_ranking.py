"""How well a score per class orders the cases: areas of each class against others, and their averages."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from ...kernels import OwnScores
from ...summaries import ClassScores, RankingTable
from ...summaries.ranking import of_answers
from ..registry import IntervalSpec, Leading, measure, plain, ratio, within
from .precision_recall import average_precision
from .ranking import roc_auc


class OfClasses(NamedTuple):
    """The values of the classes, and the influence of each case on their means.

    value: shape (K,), NaN for a class that has all cases or none; plain, weighted: shape (n,), the change of
    the unweighted mean over the classes, and of that weighted by their sizes (held), per unit of weight that
    a case gains.
    """

    value: np.ndarray
    plain: np.ndarray
    weighted: np.ndarray


# The values of the classes, shape (K,), and for shares of shape (S, K), 0 for classes without cases, the
# influence of each case on the sum of share * value, shape (S, n).
OfShares = Callable[[ClassScores, np.ndarray], tuple[np.ndarray, np.ndarray]]
WORTH_A_THREAD = 1 << 16  # cases
MOST_SHORT = 1 << 16  # classes, whose numbers are sorted without comparisons
Ties = tuple[np.ndarray, np.ndarray] | None  # the first and the last place of the cases tied with a place


def _kept(of_shares: OfShares) -> Callable[[ClassScores], OfClasses]:
    """Keeps the result with the table, since values and intervals, plain and weighted, share it."""

    @wraps(of_shares)
    def asked(t: ClassScores) -> OfClasses:
        if t.weight.ndim > 1:
            return OfClasses(_in_resamples(t, of_shares.__name__), *np.zeros((2, 0)))
        if of_shares.__name__ not in t.kept:
            t.kept[of_shares.__name__] = _of_classes(t, of_shares)
        return t.kept[of_shares.__name__]

    return asked


def _in_resamples(t: ClassScores, name: str) -> np.ndarray:
    """The values of the classes in resamples, shape (replicates, K)."""
    of_each, function = t.weight, average_precision if name == "precisions" else roc_auc
    if name == "against_each":
        of_each = t.weight / np.where(t.sizes > 0, t.sizes, 1.0)[:, t.truth]

    def of_class(c: int) -> np.ndarray:
        own = t.truth == c
        table = of_answers(RankingTable, t.ranked_by[:, c], t.weight * own, of_each * ~own)
        return np.where(t.represented > 0, function(table), np.nan)

    return np.stack([of_class(c) for c in range(len(t))], axis=-1)


def _of_classes(t: ClassScores, of_shares: OfShares) -> OfClasses:
    known = (t.sizes > 0) & (t.represented > 0)
    if not known.any():
        return OfClasses(np.full(len(t), np.nan), *np.zeros((2, len(t.truth))))
    held = np.where(known, t.sizes, 0.0)
    shares = np.array([known / known.sum(), held / held.sum()])
    values, means = of_shares(t, shares)
    return OfClasses(np.where(known, within(values, 0.0, 1.0), np.nan), *means)


# Areas: each score is looked up among those of the class's own cases
# --------------------------------------------------------------------------------------------------


class Own(NamedTuple):
    """The cases of each class by the class's own score, ascending.

    case: which; distinct: of each, the place of its score among the distinct ones of all classes; weight: at
    each of these; scores: as the kernel takes them.
    """

    case: np.ndarray
    distinct: np.ndarray
    weight: np.ndarray
    scores: OwnScores

    def slots(self, c: int) -> tuple[slice, slice]:
        """The distinct scores of a class, and its slots."""
        first, last = self.scores.start[c : c + 2].tolist()
        return slice(first, last), slice(2 * first + c, 2 * last + c + 1)


def _own(t: ClassScores) -> Own:
    case = np.argsort(t.truth.astype(np.uint16) if len(t) <= MOST_SHORT else t.truth, kind="stable")
    truth = t.truth[case]
    score, ends = t.ranked_by[case, truth], np.searchsorted(truth, np.arange(len(t) + 1))

    def sort(c: int) -> None:
        some = slice(ends[c], ends[c + 1])
        order = np.argsort(score[some])
        case[some], score[some] = case[some][order], score[some][order]

    kernels.each(sort, len(t), when=len(case) > WORTH_A_THREAD)
    new = np.append(True, (truth[1:] != truth[:-1]) | (score[1:] != score[:-1]))[: len(case)]
    distinct = np.cumsum(new) - 1
    weight = kernels.sums(distinct, t.weight[case], int(new.sum()))
    start = np.searchsorted(truth[new], np.arange(len(t) + 1))
    own = Own(case, distinct, weight, OwnScores(score[new], start, np.zeros(2 * len(weight) + len(t))))
    for c in np.flatnonzero(np.diff(start)).tolist():
        mine, slots = own.slots(c)
        below = np.concatenate([[0.0], np.cumsum(weight[mine])])
        above = own.scores.above[slots]
        above[::2] = (below[-1] - below) / t.sizes[c]
        above[1::2] = (above[:-2:2] + above[2::2]) / 2
    return own


def _values(t: ClassScores, own: Own, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each class the mean of what is below its cases, and of its distinct scores what is below.

    others: what the cases of other classes count, by slot.
    """
    values, below = np.full(len(t), np.nan), np.empty(len(own.weight))
    for c in np.flatnonzero(np.diff(own.scores.start)).tolist():
        mine, slots = own.slots(c)
        sums = np.cumsum(others[slots])
        below[mine] = (sums[:-2:2] + sums[1:-1:2]) / 2
        values[c] = kernels.dot(own.weight[mine], below[mine]) / t.sizes[c]
    return values, below


def _looked_up(
    t: ClassScores, own: Own, worth: np.ndarray, share: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return kernels.areas(t.ranked_by, t.truth, worth, t.weight, own.scores, np.ascontiguousarray(share))


def _of_own_cases(t: ClassScores, own: Own, above_mean: np.ndarray, share: np.ndarray) -> np.ndarray:
    """The influence of each case on its own class. above_mean: what is below its score, less the value."""
    of_each = np.empty(len(t.truth))
    of_each[own.case] = above_mean[own.distinct]
    of_each /= t.sizes[t.truth]
    return share[:, t.truth] * of_each


def _sum_of_others(sizes: np.ndarray) -> np.ndarray:
    """The sum of all entries but one, for each; no difference, which may round to 0."""
    before, after = np.cumsum(np.append(0.0, sizes[:-1])), np.cumsum(np.append(0.0, sizes[:0:-1]))
    return before + after[::-1]


@_kept
def against_the_rest(t: ClassScores, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The area under the ROC curve of each class against all others, by the score of that class."""
    own, rest = _own(t), _sum_of_others(t.sizes)
    share = ratio(shares, rest)
    sums, others, _ = _looked_up(t, own, t.weight, share)
    values, below = _values(t, own, others)
    values, below = values / rest, below / np.repeat(rest, np.diff(own.scores.start))
    means = share * np.where(np.isnan(values), 0.0, values)
    sums -= (means.sum(1, keepdims=True) - means)[:, t.truth]
    sums += _of_own_cases(t, own, below - np.repeat(values, np.diff(own.scores.start)), shares)
    return values, sums


@_kept
def against_each(t: ClassScores, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each class the mean over the other classes of the area under the ROC curve against one of them."""
    own, of_class = _own(t), t.sizes * t.represented
    sums, others, pairs = _looked_up(t, own, ratio(t.weight, of_class[t.truth]), shares)
    values, below = _values(t, own, others)
    means = np.einsum("sk,jk->sj", shares, pairs / np.where(t.sizes > 0, t.sizes, 1.0)[:, None])
    sums = (sums - means[:, t.truth]) / of_class[t.truth]
    sums += _of_own_cases(t, own, below - np.repeat(values, np.diff(own.scores.start)), shares)
    return values, sums


# Precisions: the cases are sorted by the score of each class
# --------------------------------------------------------------------------------------------------


def _sorted(t: ClassScores, block: slice) -> tuple[np.ndarray, Ties, np.ndarray, np.ndarray]:
    """The cases in score order, the ties, which are of the class itself, and their weight."""
    place, ties = t.ranks(block)
    truth, weight = t.truth[place], t.weight[place]
    own = truth == np.arange(len(t))[block][:, None]
    return place, ties, own, weight


def _sums(weight: np.ndarray) -> np.ndarray:
    """The cumulative sums of each row, from 0."""
    sums = np.zeros((len(weight), weight.shape[1] + 1))
    np.cumsum(weight, axis=1, out=sums[:, 1:])
    return sums


@_kept
def precisions(t: ClassScores, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The average precision of each class against all others, by the score of that class."""
    known, values, means = t.sizes > 0, np.full(len(t), np.nan), np.zeros((len(shares), len(t.truth)))
    for block in t.blocks():
        values[block], gain = _precisions(t, block)
        # not by BLAS, whose order of sums depends on the machine
        means += np.einsum("sk,kn->sn", shares[:, block], np.where(known[block][:, None], gain, 0.0))
    return values, means


def _precisions(t: ClassScores, block: slice) -> tuple[np.ndarray, np.ndarray]:
    """Of some classes, a row each, the values and the influences of the cases."""
    place, ties, own, weight = _sorted(t, block)
    mine, sizes = np.where(own, weight, 0.0), t.sizes[block][:, None]
    found, called = (_up_to(part, ties) for part in (mine, weight))
    precision = ratio(found, called)
    value = ratio(_sums(mine * precision)[:, -1:], sizes)
    # more weight of a case changes the precision at its place and at all lower ones
    moved = (
        _from_here(mine * ratio(called - found, called**2), ties),
        _from_here(mine * ratio(found, called**2), ties),
    )
    gain = np.where(own, ratio(precision + moved[0] - value, sizes), ratio(-moved[1], sizes))
    ordered = np.empty_like(gain)
    np.put_along_axis(ordered, place, gain, 1)
    return value[:, 0], ordered


def _up_to(weight: np.ndarray, ties: Ties) -> np.ndarray:
    """Along each row the sum up to the last case tied with each."""
    sums = np.cumsum(weight, axis=1)
    return sums if ties is None else np.take_along_axis(sums, ties[1], 1)


def _from_here(weight: np.ndarray, ties: Ties) -> np.ndarray:
    """Along each row the sum from the first case tied with each to the end."""
    sums = _sums(weight)
    return sums[:, -1:] - (sums[:, :-1] if ties is None else np.take_along_axis(sums, ties[0], 1))


def _mean(t: ClassScores, of_classes: OfClasses, weights: np.ndarray | float = 1.0) -> Any:
    known = ~np.isnan(of_classes.value)
    weight = np.where(known, weights, 0.0)
    return ratio(kernels.dot(weight, np.where(known, of_classes.value, 0.0)), plain(weight.sum(-1)))


@measure(
    aka=("macro_auc", "one_vs_rest_auc", "roc_aunu"),
    interval=IntervalSpec("of-classes", (against_the_rest,)),
    headline=Leading(10, "Macro ROC AUC", column=1),
    terms=("one_versus_rest",),
)
def macro_roc_auc(t: ClassScores) -> Any:
    """Unweighted mean over the classes of the area under the ROC curve of the class against all others.

    mean over the classes of roc_auc(class against the rest)

    Classes without cases are left out.

    Undefined: no two classes (represented = 0).
    Source: scikit-learn's roc_auc_score(multi_class="ovr"); Fawcett (2006).
    """
    return _mean(t, against_the_rest(t))


@measure(
    aka=("prior_weighted_auc", "provost_domingos_auc", "weighted_auc", "total_auc", "auc_total", "roc_aunp"),
    interval=IntervalSpec("of-classes-weighted", (against_the_rest,)),
)
def weighted_roc_auc(t: ClassScores) -> Any:
    """Mean of the areas under the ROC curves of the classes against all others, weighted by class size.

    sum over the classes of proportion(class) * roc_auc(class against the rest)

    Undefined: no two classes (represented = 0).
    Source: Tharwat, section 4, after Provost and Domingos (2001).
    """
    return _mean(t, against_the_rest(t), t.sizes)


@measure(
    aka=("hand_till_auc", "m_measure", "one_vs_one_auc", "hand_till", "multiclass_roc_auc"),
    interval=IntervalSpec("of-classes", (against_each,)),
)
def pairwise_roc_auc(t: ClassScores) -> Any:
    """Mean area under the ROC curve over all pairs of classes.

    2 / (K (K - 1)) * sum over the pairs i < j of (A(i | j) + A(j | i)) / 2

    A(i | j) is the area under the ROC curve of class i against class j alone, by the score of class i. The
    mean does not depend on the class mix. Classes without cases are left out.

    Undefined: no two classes (represented = 0).
    Source: Hand and Till (2001); Tharwat, section 4.
    """
    return _mean(t, against_each(t))


@measure(
    aka=("map", "macro_average_precision", "mean_ap"), interval=IntervalSpec("of-classes", (precisions,))
)
def mean_average_precision(t: ClassScores) -> Any:
    """Unweighted mean over the classes of the average precision of the class against all others.

    mean over the classes of average_precision(class against the rest)

    Classes without cases are left out.

    Undefined: no two classes (represented = 0).
    Source: Berrar, after Def. 33.
    """
    return _mean(t, precisions(t))


@measure(interval=IntervalSpec("of-classes-weighted", (precisions,)))
def weighted_average_precision(t: ClassScores) -> Any:
    """Mean of the average precisions of the classes against all others, weighted by class size.

    sum over the classes of proportion(class) * average_precision(class against the rest)

    Undefined: no two classes (represented = 0).
    Source: scikit-learn's average_precision_score(average="weighted").
    """
    return _mean(t, precisions(t), t.sizes)
