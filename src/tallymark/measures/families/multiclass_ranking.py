"""How well a score per class orders the cases: areas of each class against others, and their averages."""

from collections.abc import Callable
from functools import wraps
from typing import NamedTuple

import numpy as np

from ...summaries import ClassScores
from ..headline import Headline
from ..registry import measure, ratio, within
from . import areas


class OfClasses(NamedTuple):
    """The values of the classes, and the influence of each case on their means.

    value: shape (K,), NaN for a class that has all cases or none; plain, weighted: shape (n,), the change of
    the unweighted mean over the classes, and of that weighted by their sizes (held), per unit of weight that
    a case gains.
    """

    value: np.ndarray
    plain: np.ndarray
    weighted: np.ndarray


class Block(NamedTuple):
    """Some classes, a row each: their values, the influences of the cases, and the cases in score order."""

    value: np.ndarray
    gain: np.ndarray
    place: np.ndarray


OfBlock = Callable[[ClassScores, slice], Block]
Ties = tuple[np.ndarray, np.ndarray] | None  # the first and the last place of the cases tied with a place


def _kept(of_block: OfBlock) -> Callable[[ClassScores], OfClasses]:
    """Keeps the result with the table, since values and intervals, plain and weighted, share it."""

    @wraps(of_block)
    def asked(t: ClassScores) -> OfClasses:
        if of_block.__name__ not in t.kept:
            t.kept[of_block.__name__] = _over_blocks(t, of_block)
        kept: OfClasses = t.kept[of_block.__name__]
        return kept

    return asked


def _over_blocks(t: ClassScores, of_block: OfBlock) -> OfClasses:
    known = (t.sizes > 0) & (t.represented > 0)
    shares = np.array(
        [ratio(known * 1.0, known.sum() * 1.0), ratio(np.where(known, t.sizes, 0.0), t.sizes[known].sum())]
    )
    values, means = np.full(len(t), np.nan), np.zeros((2, len(t.truth)))
    if known.any():
        for block in t.blocks():
            found = of_block(t, block)
            values[block] = np.where(known[block], within(found.value, 0.0, 1.0), np.nan)
            gains = np.where(known[block][:, None], influence(found), 0.0)
            # not by BLAS, whose order of sums depends on the machine
            means += np.einsum("sk,kn->sn", shares[:, block], gains)
    return OfClasses(values, *means)


def influence(found: Block) -> np.ndarray:
    """The influence of each case on the values, a row per class, in the order of the cases."""
    ordered = np.empty_like(found.gain)
    np.put_along_axis(ordered, found.place, found.gain, 1)
    return ordered


def _sorted(t: ClassScores, block: slice) -> tuple[np.ndarray, Ties, np.ndarray, np.ndarray, np.ndarray]:
    """The cases in score order, the ties, which are of the class itself, their class and their weight."""
    place, ties = t.ranks(block)
    truth, weight = t.truth[place], t.weight[place]
    own = truth == np.arange(len(t))[block][:, None]
    return place, ties, own, truth, weight


def _areas(
    t: ClassScores, block: slice, of_others: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, ...]:
    """Of each class the weighted proportion of other cases below its own.

    of_others: the factor of the weight of each case as one of the others.
    """
    place, ties, own, truth, weight = _sorted(t, block)
    mine = np.where(own, weight, 0.0)
    other = np.where(own, 0.0, of_others(place) * weight)
    sizes = t.sizes[block][:, None]
    below = _half_tied(other[:, ::-1], _mirrored(ties))[:, ::-1]
    above = ratio(_half_tied(mine, ties), sizes)
    return place, truth, weight, own, below, above, ratio(_sums(mine * below)[:, -1:], sizes)


def _sums(weight: np.ndarray) -> np.ndarray:
    """The cumulative sums of each row, from 0."""
    sums = np.zeros((len(weight), weight.shape[1] + 1))
    np.cumsum(weight, axis=1, out=sums[:, 1:])
    return sums


def _mirrored(ties: Ties) -> Ties:
    """The ties with every row reversed."""
    if ties is None:
        return None
    first, last = (ties[0].shape[1] - 1 - end[:, ::-1] for end in reversed(ties))
    return first, last


def _half_tied(weight: np.ndarray, ties: Ties) -> np.ndarray:
    """Along each row the weight at higher places, plus half of that of tied cases, itself included."""
    sums = _sums(weight)
    if ties is None:
        both: np.ndarray = sums[:, :-1] + sums[:, 1:]
    else:
        first, last = ties
        both = np.take_along_axis(sums, first, 1) + np.take_along_axis(sums, last + 1, 1)
    half: np.ndarray = both / 2
    return half


@_kept
def against_the_rest(t: ClassScores, block: slice) -> Block:
    """The area under the ROC curve of each class against all others, by the score of that class."""
    sizes = t.sizes[block][:, None]
    others = ratio(1.0, t.total - sizes)
    place, _, _, own, below, above, value = _areas(t, block, lambda place: others)
    # `below` and `above` are the proportions of the others below a case, and of the class above one
    gain = np.where(own, ratio(below - value, sizes), ratio(above - value, t.total - sizes))
    return Block(value[:, 0], gain, place)


@_kept
def against_each(t: ClassScores, block: slice) -> Block:
    """Of each class the mean over the other classes of the area under the ROC curve against one of them."""
    sizes, occurring = t.sizes, t.represented
    others = ratio(ratio(1.0, sizes), occurring)[t.truth]
    place, truth, weight, own, below, above, value = _areas(t, block, lambda place: others[place])
    columns = len(place)
    column = np.arange(columns)[:, None]
    cell = (truth * columns + column).ravel()  # of the column's class against the row's
    pair = np.bincount(cell, (weight * above).ravel(), len(t) * columns).reshape(len(t), columns)
    pair = ratio(pair, sizes[:, None])
    gain = np.where(
        own,
        ratio(below - value, sizes[block][:, None]),
        ratio(above - pair[truth, column], sizes[truth] * occurring),
    )
    return Block(value[:, 0], gain, place)


@_kept
def precisions(t: ClassScores, block: slice) -> Block:
    """The average precision of each class against all others, by the score of that class."""
    place, ties, own, _, weight = _sorted(t, block)
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
    return Block(value[:, 0], gain, place)


def _up_to(weight: np.ndarray, ties: Ties) -> np.ndarray:
    """Along each row the sum up to the last case tied with each."""
    sums = np.cumsum(weight, axis=1)
    return sums if ties is None else np.take_along_axis(sums, ties[1], 1)


def _from_here(weight: np.ndarray, ties: Ties) -> np.ndarray:
    """Along each row the sum from the first case tied with each to the end."""
    sums = _sums(weight)
    rest: np.ndarray = sums[:, -1:] - (sums[:, :-1] if ties is None else np.take_along_axis(sums, ties[0], 1))
    return rest


def _mean(t: ClassScores, of_classes: OfClasses, weights: np.ndarray | None = None) -> float:
    known = ~np.isnan(of_classes.value)
    weight = known if weights is None else np.where(known, weights, 0.0)
    mean: float = areas.plain(
        ratio(float(weight @ np.where(known, of_classes.value, 0.0)), float(weight.sum()))
    )
    return mean


@measure(aka=("macro_auc", "one_vs_rest_auc"), interval="of-classes", headline=Headline(10, "Macro ROC AUC"))
def macro_roc_auc(t: ClassScores) -> float:
    """Unweighted mean over the classes of the area under the ROC curve of the class against all others.

    mean over the classes of roc_auc(class against the rest)

    Classes without cases are left out.

    Undefined: no two classes (represented = 0).
    Source: scikit-learn's roc_auc_score(multi_class="ovr"); Fawcett (2006).
    """
    return _mean(t, against_the_rest(t))


@measure(aka=("prior_weighted_auc", "provost_domingos_auc", "weighted_auc"), interval="of-classes-weighted")
def weighted_roc_auc(t: ClassScores) -> float:
    """Mean of the areas under the ROC curves of the classes against all others, weighted by class size.

    sum over the classes of proportion(class) * roc_auc(class against the rest)

    Undefined: no two classes (represented = 0).
    Source: Tharwat, section 4, after Provost and Domingos (2001).
    """
    return _mean(t, against_the_rest(t), t.sizes)


@measure(aka=("hand_till_auc", "m_measure", "one_vs_one_auc"), interval="of-pairs")
def pairwise_roc_auc(t: ClassScores) -> float:
    """Mean area under the ROC curve over all pairs of classes.

    2 / (K (K - 1)) * sum over the pairs i < j of (A(i | j) + A(j | i)) / 2

    A(i | j) is the area under the ROC curve of class i against class j alone, by the score of class i. The
    mean does not depend on the class mix. Classes without cases are left out.

    Undefined: no two classes (represented = 0).
    Source: Hand and Till (2001); Tharwat, section 4.
    """
    return _mean(t, against_each(t))


@measure(aka=("map", "macro_average_precision"), interval="of-precisions")
def mean_average_precision(t: ClassScores) -> float:
    """Unweighted mean over the classes of the average precision of the class against all others.

    mean over the classes of average_precision(class against the rest)

    Classes without cases are left out.

    Undefined: no two classes (represented = 0).
    Source: Berrar, after Def. 33.
    """
    return _mean(t, precisions(t))


@measure(interval="of-precisions-weighted")
def weighted_average_precision(t: ClassScores) -> float:
    """Mean of the average precisions of the classes against all others, weighted by class size.

    sum over the classes of proportion(class) * average_precision(class against the rest)

    Undefined: no two classes (represented = 0).
    Source: scikit-learn's average_precision_score(average="weighted").
    """
    return _mean(t, precisions(t), t.sizes)
