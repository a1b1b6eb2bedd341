"""The one covariance: that of estimates, from their influence values and the way that the cases were sampled.

An influence value is the derivative of a measure by the weight of a case, times the total weight. Cases that
count alike in a measure are a *cell*: one of the four counts, one class at one score, one place of a
confusion matrix, or a case by itself. With influence values psi, weights w and total weight W the estimate is
a weighted mean but for terms of second order, and its variance is that of sum w psi / W (Binder 1983,
International Statistical Review 51, 279-292): all that varies from design to design is what is added up
before squares are taken, and about which mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .. import kernels
from ..input.arguments import CLUSTERS, PERSONS
from ..input.messages import Note
from ..measures.families.bins import places_of_equal_mass
from ..measures.registry import ratio
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from ..summaries.passes import CASES, FOURTH, SPREAD, WEIGHT, PowerSums

CLASS_OF_CELL = np.array([1, 0, 1, 0])  # of true and false positives, false and true negatives
MOST_LEVERAGE = 0.9  # of a unit, the share of the weight of a class
LEAST_FREEDOM = 1.0
FEW_CELLS = 16  # of which the weights of units are held without gaps
SAME_MEAN = 1e-6  # of the sum of absolute influence values, below which their sum is 0
EQUAL = 1e-9  # relative difference of weights due to rounding


@dataclass(frozen=True, eq=False)
class Sampling:
    """How the cases of the cells of a summary were sampled.

    Parameters
    ----------
    weight, squares : array of shape (..., cells)
        The weight of the cases in each cell, and the sum of their squared weights. Cases of a cell are taken
        to weigh the same. Leading axes are of several tables.
    stratum : array of shape (cells,)
        The class of the cases of each cell, a whole number from 0 on.
    fixed : bool
        Whether the sizes of the classes are fixed (case-control).
    units : Dependence or None
        The units that were sampled, as clusters, where their cases depend on each other.
    together : array of shape (cells, cells), or None
        Where a case counts in several cells, as with several labels, the squared weights of the cases that
        count in two of them. The first cell then has all cases.
    """

    weight: np.ndarray
    squares: np.ndarray
    stratum: np.ndarray
    fixed: bool = False
    units: Dependence | None = None
    together: np.ndarray | None = None

    @property
    def total(self) -> Any:
        return self.weight.sum(-1) if self.together is None else self.weight[0]

    @property
    def single(self) -> bool:
        """Whether each cell is a case with the weight 1: a view of one number."""
        return self.weight.ndim == 1 and not self.weight.strides[0]

    @property
    def equal(self) -> Any:
        """Whether all cases weigh the same and are independent, so that nothing but counts is estimated."""
        if self.units is not None:
            return np.zeros(self.weight.shape[:-1], bool)
        with np.errstate(divide="ignore", invalid="ignore"):
            unit = self.squares / self.weight
        least, most = np.fmin.reduce(unit, axis=-1), np.fmax.reduce(unit, axis=-1)
        return ~(most - least > EQUAL * most)

    @property
    def varying(self) -> Any:
        """Whether the weights of the cases of a class vary."""
        code = codes_of(self.stratum)
        order, starts = np.argsort(code, kind="stable"), np.flatnonzero(np.diff(np.sort(code), prepend=-1))
        with np.errstate(divide="ignore", invalid="ignore"):
            unit = (self.squares / self.weight)[..., order]
        least, most = (extreme.reduceat(unit, starts, axis=-1) for extreme in (np.fmin, np.fmax))
        return (most - least > EQUAL * most).any(-1)

    def named(self, method: str | None) -> str | None:
        """The name of a method, after that of the units."""
        return f"{self.units.name.removesuffix('s')}-{method}" if method and self.units else method

    def effective(self, cells: np.ndarray) -> Any:
        """The effective number of units with cases in these cells, by Kish (1965): (sum w)^2 / sum w^2.

        cells: shape (cells,), 1 for those that count and 0 for others.
        """
        if self.units is not None:
            return self.units.effective(cells)
        # not by BLAS, whose threads take longer to start, and whose order of sums depends on the machine
        weight, squares = (np.einsum("...c,c->...", one, cells) for one in (self.weight, self.squares))
        return np.divide(weight**2, squares, out=np.zeros_like(squares), where=squares > 0)

    @cached_property
    def occupied(self) -> tuple[np.ndarray | slice, Sampling]:
        """The cells with cases, few of those of a large matrix, and the sampling of these cells alone."""
        there = self.weight > 0
        if self.units is not None or self.together is not None or there.all():
            return slice(None), self
        weight, squares, stratum = (part[there] for part in (self.weight, self.squares, self.stratum))
        return there, Sampling(weight, squares, stratum, self.fixed)

    def in_cells(self, cells: np.ndarray, stratum: np.ndarray) -> Sampling:
        """The same cases in other cells.

        cells: the number of the new cell of each; stratum: of the new ones.
        """
        each = (None,) if self.single else (self.weight, self.squares)
        weight, *squares = (np.bincount(cells, one, len(stratum)) * 1.0 for one in each)
        units = self.units and self.units.in_cells(cells, stratum)
        return Sampling(weight, squares[0] if squares else weight, stratum, self.fixed, units)

    def reweighted(self, factor: np.ndarray) -> Sampling:
        """The same cases with the weights of each cell times a factor, of shape (..., cells)."""
        units = None if self.units is None else self.units.reweighted(factor)
        return replace(self, weight=self.weight * factor, squares=self.squares * factor**2, units=units)


@dataclass(frozen=True, eq=False)
class Dependence:
    """Units whose cases depend on each other: clusters, or persons, of whom a case has one or two.

    Parameters
    ----------
    weight : array of shape (..., units, cells), or sparse array of shape (units, cells)
        The weight of the cases of each unit. Leading axes are of several tables.
    stratum : array of shape (cells,)
        The class of the cases of each cell.
    pairs : the same of shape (..., pairs, cells), or None
        Of persons, the weight of the cases of each two of them, which count in both.
    members : array of shape (pairs, 2), or None
        The persons of each pair; one person twice where a case has one only.
    """

    weight: Any
    stratum: np.ndarray
    pairs: Any = None
    members: np.ndarray | None = None

    @classmethod
    def of_cases(cls, units: np.ndarray, weight: np.ndarray, stratum: np.ndarray) -> Dependence:
        """Of cases, each a cell.

        units: from 0 on, the cluster of each case, or in two rows its two persons.
        """
        from scipy.sparse import csr_array

        size, cells = int(units.max()) + 1, np.arange(len(weight))

        def of(rows: np.ndarray, some: np.ndarray, number: int) -> Any:
            return csr_array((weight[some], (rows, some)), shape=(number, len(cells)))

        if units.ndim == 1:
            return cls(of(units, cells, size), stratum)
        low, high = np.sort(units.astype(np.int64), axis=0)
        codes, pair = np.unique(low * size + high, return_inverse=True)
        two = np.flatnonzero(low < high)
        each = of(np.append(low, high[two]), np.append(cells, two), size)
        members = np.stack(np.divmod(codes, size), axis=1)
        return cls(each, stratum, of(pair, cells, len(codes)), members)

    @property
    def name(self) -> str:
        """What they are."""
        return CLUSTERS if self.members is None else PERSONS

    @property
    def number(self) -> int:
        """How many there are."""
        return self.weight.shape[-2]

    @cached_property
    def alone(self) -> np.ndarray:
        """Whether each pair is one person, so that it counts in one unit only."""
        assert self.members is not None
        return np.asarray(self.members[:, 0] == self.members[:, 1])

    def in_cells(self, cells: np.ndarray, stratum: np.ndarray) -> Dependence:
        """The same units in other cells.

        cells: the number of the new cell of each present one, or its weight in each of them, of shape
        (cells, ..., new cells); stratum: of the new ones.
        """
        from scipy.sparse import csr_array

        many, among = len(stratum) > FEW_CELLS, cells
        if cells.ndim == 1 and many:
            among = csr_array(
                (np.ones(len(cells)), cells, np.arange(len(cells) + 1)), (len(cells), len(stratum))
            )
        elif cells.ndim == 1:
            among = np.eye(len(stratum))[cells]
        elif cells.ndim == 2 and many:
            among = csr_array(cells.astype(float))

        def summed(weight: Any) -> Any:
            if weight is None or among.ndim == 2:
                return weight if weight is None else weight @ among
            flat = weight @ among.reshape(len(among), -1)
            return np.moveaxis(flat.reshape(len(flat), *among.shape[1:]), 0, -2)

        return replace(self, weight=summed(self.weight), pairs=summed(self.pairs), stratum=stratum)

    def reweighted(self, factor: Any) -> Dependence:
        """The same with the weights times a factor, of shape (..., cells)."""
        factor = factor[..., None, :] if np.ndim(factor) > 1 else factor
        return replace(
            self, weight=self.weight * factor, pairs=None if self.pairs is None else self.pairs * factor
        )

    def rounded(self, least: float) -> Dependence:
        """The same without weights that are due to rounding: a part of the largest weight of their cells."""

        def large(weight: Any) -> Any:
            return None if weight is None else np.where(weight > least * weight.max(), weight, 0.0)

        return replace(self, weight=large(self.weight), pairs=large(self.pairs))

    def with_more(self, weight: Any, stratum: np.ndarray, joined: Callable[..., Any]) -> Dependence:
        """The same with more units, each of which shares no case with another.

        weight: of their cells, of shape (..., more, cells); joined: puts present and new weights together.
        """
        if self.members is None:
            return Dependence(joined(self.weight, weight), stratum)
        new = self.number + np.arange(weight.shape[-2])
        members = np.vstack([self.members, np.stack([new, new], axis=1)])
        return Dependence(joined(self.weight, weight), stratum, joined(self.pairs, weight), members)

    def drawn(self, times: np.ndarray) -> np.ndarray:
        """The weights of the cells in resamples, shape (replicates, cells).

        A case of two persons counts as often as the one times as often as the other. times: how often each
        unit is drawn, shape (replicates, units).
        """
        cells = self.weight
        if self.members is not None:
            first, second = (times[:, member] for member in self.members.T)
            cells, times = self.pairs, np.where(self.alone, first, first * second)
        return np.asarray((cells.T @ times.T).T)

    @cached_property
    def code(self) -> np.ndarray:
        """The class of each cell, numbered from 0 on."""
        return codes_of(self.stratum)

    @cached_property
    def sizes(self) -> np.ndarray:
        """The weight of each unit in each class, shape (..., units, classes)."""
        if isinstance(self.weight, np.ndarray):
            return sums_by(self.code, self.weight)
        from scipy.sparse import csr_array

        cells = np.arange(len(self.code))
        return (self.weight @ csr_array((np.ones(len(cells)), (cells, self.code)))).toarray()

    @cached_property
    def cases(self) -> np.ndarray:
        """The weight of each class, shape (..., classes); a pair counts once."""
        if self.pairs is None:
            return self.sizes.sum(-2)
        return sums_by(self.code, np.asarray(self.pairs.sum(-2 if isinstance(self.pairs, np.ndarray) else 0)))

    @cached_property
    def _corrected_weight(self) -> Any:
        """The weights times `_leverage_factor`."""
        factor = _leverage_factor(self.sizes, self.cases)
        if isinstance(self.weight, np.ndarray):
            return self.weight * factor[..., self.code]
        each = self.weight.tocoo()
        row, column = each.coords
        each.data = each.data * factor[row, self.code[column]]
        return each.tocsr()

    def totals(self, values: np.ndarray) -> np.ndarray:
        """What an estimate, times the total weight, changes by without a unit; shape (..., units, estimates).

        Times sqrt(1 - 1 / units), for the mean of all changes.

        What the unit has of the mean of each class counts for more by its share in all cases, and the rest by
        its share in the class: MacKinnon, Nielsen and Webb (2023), Journal of Applied Econometrics 38,
        671-694 (CV3).

        values: influence values about their mean, shape (estimates, ..., cells).
        """
        size = self.sizes.sum(-2)
        weight = self.weight.sum(-2) if isinstance(self.weight, np.ndarray) else self.weight.sum(0)
        of_class = sums_by(self.code, values * weight)
        mean = np.divide(of_class, size, out=np.zeros_like(of_class), where=size > 0)
        if len(self.code) == 1 or size.shape[-1] == 1:
            mean = mean * 0.0
        within = self._corrected_weight @ np.moveaxis(values - mean[..., self.code], 0, -1)
        between = self.sizes @ np.moveaxis(mean, 0, -1)
        factor = _leverage_factor(self.sizes.sum(-1)[..., None], self.cases.sum(-1, keepdims=True))
        return within + between * factor

    def effective(self, cells: np.ndarray) -> Any:
        """The effective number of units with cases in these cells.

        Of persons it is the number of independent cases: cases of the same persons are taken to be alike, and
        those that share one of two persons to have a correlation of 1/2.
        """
        size = self.weight @ cells
        total = size.sum(-1)
        if self.members is not None:
            of_pair, share = self.pairs @ cells, np.sqrt(0.5)
            total, size = of_pair.sum(-1), size * share
            size[..., self.members[self.alone, 0]] += (1 - share) * of_pair[..., self.alone]
        squares = (size**2).sum(-1)
        return np.divide(total**2, squares, out=np.zeros_like(squares), where=squares > 0)


def covariance(
    values: np.ndarray, sampling: Sampling, by_class: bool = False, unbiased: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """The covariance of estimates, and the degrees of freedom of their variances.

    Parameters
    ----------
    values : array of shape (estimates, ..., cells)
        The influence values.
    sampling : Sampling
        How the cases were sampled.
    by_class : bool, default False
        Whether the values are taken about their mean in each class, as where class sizes are fixed.
    unbiased : bool, default True
        Whether squares of independent cases are divided by n - 1, as for a sample variance, not by n, as for
        the maximum likelihood estimate of a variance of counts.

    Returns
    -------
    covariance : array of shape (estimates, estimates, ...)
        NaN where a class, or the whole, is a single case.
    df : array of shape (estimates, ...)
        Satterthwaite's degrees of freedom, at least 1: with the contributions d of n units, V = sum d^2
        estimates the variance, and sum d^4 - V^2 / n the variance of V. For a multiple of chi-square that is
        2 V^2 / df. Of units it is at most their number less 1.

    Notes
    -----
    Sources: Binder (1983); Satterthwaite (1946), Biometrics Bulletin 2, 110-114; of persons who take part in
    several comparisons: Aronow, Samii and Assenova (2015), Political Analysis 23, 564-577.
    """
    s = sampling
    with np.errstate(divide="ignore", invalid="ignore"):
        code, mean = _means(values, s, by_class)
        if s.units is not None:
            off = _about(values, s, code, mean)
            products, fourth, number = _of_units(off, s.units)
        elif s.together is not None:
            off = _about(values, s, code, mean)
            return off @ s.together @ off.T / s.total**2, np.full(len(values), np.inf)
        else:
            cases = s.weight
            if not s.single:
                cases = np.divide(s.weight**2, s.squares, out=s.squares * 0.0, where=s.squares > 0)
            n = sums_by(code, cases)
            times = np.sqrt(np.where(n > 1 + EQUAL, n / (n - 1), np.nan)) if unbiased else np.ones_like(n)

            def products_of(rows: slice) -> tuple[np.ndarray, np.ndarray]:
                """Sums of products of deviations, and of fourth powers."""
                at = code if len(code) == 1 else code[rows]
                off = values[..., rows] - mean[..., at]
                off *= times[..., at]
                if s.single:
                    return np.einsum("ic,jc->ij", off, off), np.square(np.square(off)).sum(-1)
                off = np.where(s.weight[..., rows] > 0, off * np.sqrt(s.squares[..., rows]), 0.0)
                each = np.divide(1.0, cases[..., rows], out=0 * cases[..., rows], where=cases[..., rows] > 0)
                both = np.einsum("i...c,j...c->ij...", off, off)
                return both, np.einsum("i...c,...c->i...", np.square(off**2), each)

            parts = kernels.stretches(products_of, values.shape[-1], kernels.BLOCK)
            products, fourth = (sum(part) for part in zip(*parts, strict=True))
            number = n.sum(-1)
        df = freedom(np.einsum("ii...->i...", products), fourth, number)
        if s.units is not None:
            in_one_unit, of_classes = _of_classes(off, s)
            products = np.where(in_one_unit | in_one_unit[:, None], np.nan, products)
            df = np.maximum(np.minimum(np.minimum(df, of_classes), number - 1), LEAST_FREEDOM)
        return products / s.total**2, df


def correlations(
    estimates: Sequence[tuple[np.ndarray, Sampling, np.ndarray]], by_class: bool = False
) -> np.ndarray:
    """(k, k): the correlations of k estimates from cases that may be in the same units.

    Of each its influence values, how its cases were sampled, and the numbers of its units among those of all
    together. NaN where one does not vary. by_class: as for `covariance`.
    """
    of_unit, of_pairs, of_several = [], [], []
    number = 1 + max(int(names.max()) for _, _, names in estimates)
    for values, s, names in estimates:
        units = s.units
        assert units is not None
        off = about(values[None], s, by_class) / s.total
        of_unit.append((names, units.totals(off)[:, 0]))
        if units.members is not None:
            low, high = np.sort(names[units.members].T, axis=0)
            pair, of_pair = low * number + high, units.pairs @ off[0]
            of_pairs.append((pair, of_pair))
            of_several.append((pair[~units.alone], of_pair[~units.alone]))
    together = _products(of_unit)
    if of_pairs:
        together = _at_least(together - _products(of_several), _products(of_pairs))
    spread = np.diagonal(together)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.clip(together / np.sqrt(np.outer(spread, spread)), -1, 1)
    return np.where(np.outer(spread > 0, spread > 0), found, np.nan)


def _at_least(products: np.ndarray, of_pairs: np.ndarray) -> np.ndarray:
    """The products of persons; those of independent pairs for estimates whose variance is at least theirs."""
    low = np.einsum("ii...->i...", products) < np.einsum("ii...->i...", of_pairs)
    return np.where(low | low[:, None], of_pairs, products)


def _products(rows: Sequence[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The inner products of rows, of each of which the numbers of some columns and their values are known."""
    from scipy.sparse import csr_array

    numbers, column = np.unique(np.concatenate([known for known, _ in rows]), return_inverse=True)
    ends = np.cumsum([0, *(len(known) for known, _ in rows)])
    values = np.concatenate([one for _, one in rows])
    every = csr_array((values, column, ends), shape=(len(rows), len(numbers)))
    return (every @ every.T).toarray()


def _means(values: np.ndarray, s: Sampling, by_class: bool) -> tuple[np.ndarray, np.ndarray]:
    """The class of each cell within which means are taken, 0 for all cases, and the means."""
    by_stratum = (by_class or s.fixed) and s.together is None
    code = codes_of(s.stratum) if by_stratum else np.zeros(1, int)
    size = sums_by(code, s.weight) if s.together is None else s.total[..., None]
    return code, sums_by(code, values if s.single else values * s.weight) / np.where(size, size, 1.0)


def about(values: np.ndarray, s: Sampling, by_class: bool = False) -> np.ndarray:
    """The values about their means, of each class where class sizes are fixed, or `by_class`."""
    return _about(values, s, *_means(values, s, by_class))


def _about(values: np.ndarray, s: Sampling, code: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """The values about their means; where cases are in several cells, each is in the first, too."""
    return values - (mean[..., code] if s.together is None else mean * np.eye(1, len(s.weight)))


def of_squares(squares: Any, number: Any, total: Any) -> Any:
    """The variance of a weighted mean of independent cases.

    squares: the sum of squares of weight times distance from the mean; number: of cases, the effective one;
    total: their weight.
    """
    return squares / (number - 1) / total * (number / total)


def of_sums(sums: PowerSums, fixed: bool = False) -> tuple[float, float]:
    """The standard error of one estimate of independent cases, and the degrees of freedom of its square.

    sums: of powers of their influence values, by class; fixed: whether these are taken about their mean in
    each class.
    """
    size = sums.sums[WEIGHT, :, 0]
    first = sums.centre * size + sums.unit * sums.sums[WEIGHT, :, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(size, first / size, 0.0) if fixed else np.full(len(size), first.sum() / size.sum())
        about = sums.about(mean)
        second, fourth, n = about.sums[SPREAD, :, 2], about.sums[FOURTH, :, 4], about.sums[CASES, :, 0]
        if not fixed:
            second, fourth, n = (part.sum(keepdims=True) for part in (second, fourth, n))
        times = np.where(n > 1 + EQUAL, n / (n - 1), np.where(n, np.nan, 0.0))
        variance = (second * times).sum()
        df = freedom(variance, (fourth * times**2).sum(), n.sum())
        return float(np.sqrt(variance) * (about.unit / size.sum())), float(df)


def freedom(variance: Any, fourth: Any, number: Any) -> Any:
    """Satterthwaite's degrees of freedom, from sums of second and fourth powers over so many units."""
    df = 2 / np.maximum(fourth / variance**2 - 1 / number, 2 * EQUAL)
    return np.where(np.isfinite(df), np.maximum(df, LEAST_FREEDOM), np.inf)


def pooled_freedom(variances: Sequence[Any], df: Sequence[Any]) -> Any:
    """Satterthwaite's degrees of freedom of a sum of independent variances, from those of each."""
    with np.errstate(divide="ignore"):  # infinite where no variance is estimated
        return sum(variances) ** 2 / sum(v**2 / free for v, free in zip(variances, df, strict=True))


def sampling_of(table: Any, fixed: bool = False) -> Sampling:
    """How the independent cases of the cells of a table were sampled.

    fixed: whether the sizes of the classes are. The cells of a table of labels are those of
    `IndicatorTable.by_cell`, those of scores per class the cases, and those of amounts the distinct pairs.
    """
    squared = table.squared
    if isinstance(table, Counts):
        return Sampling(cells_of(table), cells_of(squared), CLASS_OF_CELL, fixed)
    if isinstance(table, RankingTable):  # its positives from the highest score down, then its negatives
        weight, of_squares = (
            np.concatenate(both) * 1.0 for both in ((table.positive, table.negative), squared)
        )
        return Sampling(weight, of_squares, np.repeat([1, 0], len(table)), fixed)
    if isinstance(table, ConfusionMatrix):
        key = ("sampling", fixed)
        if key not in table.kept:  # by the measures of the whole matrix and the averages
            stratum = np.repeat(np.arange(len(table.weights)), len(table.weights))
            table.kept[key] = Sampling(table.weights.ravel(), squared.ravel(), stratum, fixed)
        return table.kept[key]
    if isinstance(table, IndicatorTable):
        weight, of_squares = (
            np.concatenate([[one.total, one.exact], one.together.diagonal()]) for one in (table, squared)
        )
        together = np.diag(of_squares)
        together[0] = together[:, 0] = of_squares
        together[2:, 2:] = squared.together
        return Sampling(weight, of_squares, np.zeros(len(weight), int), together=together)
    if isinstance(table, Residuals):
        if not hasattr(table, "weight"):  # sums from an engine, which do not tell one weight from another
            size = np.array([table.effective_total])
            return Sampling(size, size, np.zeros(1, int))
        return Sampling(table.weight * 1.0, squared * 1.0, np.zeros(len(table), int))
    assert isinstance(table, ClassScores)
    return Sampling(table.weight, squared, table.truth, fixed)


def cells_of(counts: Counts) -> np.ndarray:
    """True positives, false positives, false negatives and true negatives, shape (..., 4)."""
    return np.stack(np.broadcast_arrays(counts.tp, counts.fp, counts.fn, counts.tn), -1).astype(float)


def extended(sampling: Sampling, weight: np.ndarray, squares: np.ndarray, stratum: np.ndarray) -> Sampling:
    """With more cells, whose cases are units by themselves."""
    if not len(weight):
        return sampling
    together, units, size = sampling.together, sampling.units, len(sampling.weight)
    code = np.append(sampling.stratum, stratum)
    if together is not None:
        together = np.diag(np.append(np.zeros(size), squares))
        together[:size, :size] = sampling.together
    if units is not None:
        from scipy.sparse import block_diag, csr_array

        units = units.with_more(
            np.diag(np.sqrt(squares)), code, lambda *both: block_diag([*map(csr_array, both)], "csr")
        )
    return Sampling(
        np.append(sampling.weight, weight), np.append(sampling.squares, squares), code, sampling.fixed, units,
        together,
    )  # fmt: skip


def codes_of(stratum: np.ndarray) -> np.ndarray:
    """The strata, numbered from 0 on without gaps."""
    occur = np.bincount(stratum) > 0
    return stratum if occur.all() else np.cumsum(occur)[stratum] - 1


def sums_by(code: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The sums over the cells of each stratum, shape (..., strata); of a single one for all cells."""
    if len(code) == 1:
        return np.asarray(values.sum(-1, keepdims=True))
    if values.ndim <= 2 and len(code) > kernels.MANY:
        size, rows = int(code.max()) + 1, np.atleast_2d(values)
        parts = kernels.stretches(
            lambda some: [np.bincount(code[some], row[some], size) for row in rows], len(code), kernels.BLOCK
        )
        return np.sum(parts, axis=0).reshape(*values.shape[:-1], size)
    order = np.argsort(code, kind="stable")
    first = np.flatnonzero(np.diff(code[order], prepend=-1))
    return np.add.reduceat(values[..., order], first, axis=-1)


def _leverage_factor(size: np.ndarray, total: np.ndarray) -> np.ndarray:
    """sqrt(1 - 1 / n) / (1 - the share of each unit in the weight of each class), of n units that have some.

    size: shape (..., units, classes); total: of each class, shape (..., classes).
    """
    number = np.maximum((size > 0).sum(-2, keepdims=True), 2)
    share = size / np.maximum(total[..., None, :], np.finfo(float).tiny)
    return np.sqrt(1 - 1 / number) / (1 - np.minimum(share, MOST_LEVERAGE))


def _of_classes(off: np.ndarray, s: Sampling) -> tuple[np.ndarray, np.ndarray]:
    """Whether a class whose own mean an estimate depends on is in one unit, and the degrees of freedom.

    These are Satterthwaite's of a sum of variances of the classes, each with its effective number of units
    less 1.
    """
    units = s.units
    assert units is not None
    total, of_squares, in_one_unit = 0.0, 0.0, np.zeros(off.shape[:-1], bool)
    for stratum in range(units.sizes.shape[-1]):
        member = units.code == stratum
        of_class = np.where(member, off, 0.0)
        if units.pairs is None:
            size = np.abs((of_class * s.weight).sum(-1))
            spread = (np.abs(of_class) * s.weight).sum(-1)
            single = (units.sizes[..., stratum] > 0).sum(-1) < 2
            in_one_unit |= single & (spread > 0) & (size <= SAME_MEAN * spread)
        totals = np.moveaxis(units.totals(of_class), -1, 0)
        variance, number = (totals**2).sum(-1), units.effective(member * 1.0)
        total = total + variance
        of_squares = of_squares + variance**2 / np.maximum(number - 1, LEAST_FREEDOM / 2)
    return in_one_unit, np.where(total > 0, total**2 / of_squares, np.inf)


def _of_units(off: np.ndarray, units: Dependence) -> tuple[np.ndarray, np.ndarray, float]:
    """The sums of products of the totals of units, and of fourth powers, and the number of units."""
    parts = np.moveaxis(units.totals(off), -1, 0)
    number = float(parts.shape[-1])
    products, fourth = np.einsum("i...u,j...u->ij...", parts, parts), (parts**4).sum(-1)
    if units.pairs is None:
        return products, fourth, number
    of_pairs = np.moveaxis(units.pairs @ np.moveaxis(off, 0, -1), -1, 0)
    together, several = (
        np.einsum("i...p,j...p->ij...", some, some) for some in (of_pairs, of_pairs[..., ~units.alone])
    )
    products = _at_least(products - several, together)
    # the sum over persons varies, which is more than the difference by what is subtracted
    both, least = ((parts**2).sum(-1) ** 2, np.einsum("ii...->i...", products) ** 2)
    return products, fourth - (both - least) / number, number


# Where an interval may be too narrow: few cases decide it, and the sample may lack others of their kind
# --------------------------------------------------------------------------------------------------
#
# One rule for all measures, chosen by simulation (docs/intervals.md).

FEW = 8.0  # cases that are selected, as those above a cut
# skewness of a sum, with fewer degrees of freedom, and with any
FEW_DEGREES, SKEWED, VERY_SKEWED = 50.0, 0.28, 0.6


def deciding(cases: float, of: str = "cases") -> Note:
    """The note that so few cases decide, one or more."""
    return Note("few-deciding", cases=max(cases, 1.0), of=of)


def lacking(of: str = "heavy cases") -> Note:
    """The note that a sample may lack cases that would decide."""
    return Note("few-deciding", cases=0.0, of=of)


def skewed(skewness: Any, df: Any) -> Any:
    """Whether a sample may lack cases as heavy as those that have most of the influence on a sum."""
    return skewness > np.where(df < FEW_DEGREES, SKEWED, VERY_SKEWED)


def few_cases(cases: float, of: str = "cases") -> Note | None:
    """The note, if a measure depends on fewer than 8 cases that the sample selects."""
    return deciding(cases, of) if cases < FEW else None


def heavy(values: np.ndarray, df: Any, sampling: Sampling, by_class: bool = False) -> Any:
    """Whether a sample may lack cases as heavy as those that have most of the influence on an estimate.

    Its interval may then be too narrow. Weights vary in a class, or two persons take part in each case, and
    skewed sums have few degrees of freedom. For few degrees of freedom alone, such as those of clusters,
    Student's t allows.

    values: influence values, shape (..., cells); df: the degrees of freedom, shape (...).
    """
    few = np.asarray(df < FEW_DEGREES)
    if few.any():
        independent = sampling.units is None and sampling.together is None
        of_persons = sampling.units is not None and sampling.units.pairs is not None
        few = few & (sampling.varying if independent else of_persons)
    return few & skewed(np.abs(skewness(values, sampling, by_class)), df) if few.any() else few


def of_heavy(values: np.ndarray, df: Any, sampling: Sampling, by_class: bool = False) -> Note | None:
    """The note on heavy cases, of an estimate; no more decide than there are."""
    if not heavy(values, df, sampling, by_class):
        return None
    return deciding(min(float(df), float(sampling.effective(np.ones(len(sampling.stratum))))), unit(sampling))


def unit(sampling: Sampling) -> str:
    """What was sampled, in a note."""
    return "cases" if sampling.units is None else sampling.units.name


def skewness(values: np.ndarray, sampling: Sampling, by_class: bool = False) -> Any:
    """The skewness of an estimate, that of the sum of the influence values of cases, or of units."""
    s = sampling
    if s.units is not None:
        totals = s.units.totals(values[None])[..., 0]
        second, third = ((totals**power).sum(-1) for power in (2, 3))
        with np.errstate(invalid="ignore"):
            return third / second**1.5
    code = codes_of(s.stratum) if by_class or s.fixed else np.zeros(1, int)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums_by(code, values * s.weight) / sums_by(code, s.weight)
        there = s.weight > 0
        each = np.where(there, (values - mean[..., code]) * s.squares / s.weight, 0.0)  # of a case
        each /= np.abs(each).max(-1, initial=0.0, keepdims=True)  # so that no power overflows
        second, third = (
            np.where(there, s.weight**2 / s.squares * each**power, 0.0).sum(-1) for power in (2, 3)
        )
        return third / second**1.5


# Effective numbers of cases and of units, from the sums of the weights and of their squares
# --------------------------------------------------------------------------------------------------
#
# A cell whose cases have total weight w, and total squared weight w2, has the variance of w^2 / w2 cases of
# weight w2 / w each. The variance of a proportion p is linearised: sum of w_i^2 (y_i - p)^2 / (sum of w_i)^2,
# over the cases in the denominator. Source: Korn and Graubard (1998); Dean and Pacheco (2015).

LEAST = 2  # cases, in effective numbers, without which there is no spread
ONE_CASE = Note("weights-of-one-case")
SCALABLE = RankingTable, ClassScores, Residuals


def as_cases(summary: Any) -> Any:
    """The summary with its weights scaled to add up to the effective number of cases.

    Measures that depend on the number of cases use this number, so that a constant factor on all weights has
    no effect.
    """
    if isinstance(summary, (ClassScores, Residuals)):  # whose intervals do not depend on the scale of weights
        return summary
    if isinstance(summary, RankingTable):
        return summary.as_cases
    if summary.squares is None:
        return summary
    size = np.asarray(summary.effective_total, float)
    factor = np.divide(size, summary.total, out=np.ones_like(size), where=size > 0)
    return summary * (factor if factor.ndim else float(factor))


def effective_rows(summary: Any) -> float | None:
    """The effective number of cases, None where weights are numbers of cases."""
    size = summary.effective_total
    same = summary.squares is None or (isinstance(summary, SCALABLE) and size == summary.total)
    return None if same else float(size)


def of_one_case(summary: Any) -> bool:
    """Whether one case has nearly all the weight, so that the cases show no spread."""
    return summary.squares is not None and float(summary.effective_total) < LEAST


ENOUGH = 30  # units in effect (docs/intervals.md)


def effective_number(sizes: np.ndarray) -> float:
    """The number of units of equal size with the same variance.

    It is (sum of sizes)^2 / (sum of squared sizes), and G / (1 + Gamma) of Carter, Schnepel and Steigerwald
    (2017), Review of Economics and Statistics 99, 698-709, Eq. 6, with variances in proportion to the sizes.
    With variances in proportion to their squares (all cases of a unit alike) intervals would be conservative,
    two to five times as wide (docs/intervals.md).
    """
    sizes = np.asarray(sizes, float)
    total = float(sizes.sum())
    return total * total / kernels.dot(sizes, sizes) if total else 0.0


class Units(NamedTuple):
    """The units (clusters or persons) that contribute to an estimate, or the cases where these are drawn.

    effective: their effective number; number: how many; name: what they are.
    """

    effective: float
    number: int
    name: str

    @property
    def text(self) -> str:
        """The name; with the effective number where it is lower."""
        if self.effective > self.number - 0.5:
            return self.name
        return f"{self.name} in effect ({self.number:,} of unlike size count as {self.effective:.3g})"

    @property
    def few(self) -> Note | None:
        """The note, if there are few units."""
        return deciding(self.effective, self.name) if self.effective < ENOUGH - EQUAL else None


def units_of(
    units: np.ndarray, weight: np.ndarray, classes: Mapping[str, np.ndarray], what: str = "clusters"
) -> Units:
    """All units, or those with cases of a class, whichever are fewest in effect.

    units: the cluster of each case, or in two rows its two persons, who may be one; classes: by name, which
    cases; what: the name of the units.
    """
    first, *others = np.atleast_2d(units)

    def sums(sizes: np.ndarray) -> np.ndarray:
        both = (np.bincount(other, sizes * (other != first), units.max() + 1) for other in others)
        return sum(both, np.bincount(first, sizes, units.max() + 1))

    of = {what: sums(weight)} | {f"{what} with {name}": sums(weight * some) for name, some in classes.items()}
    return min(Units(effective_number(sizes), int((sizes > 0).sum()), name) for name, sizes in of.items())


# A model of importance weights that may depend on the class and on the score
# --------------------------------------------------------------------------------------------------
#
# The weight of a case is modelled as a factor of its class times a factor of its score, as for class weights,
# sampling weights of strata, and verification of only some of those predicted negative. Where probabilities p
# are calibrated in the weighted population, a case with that score is a positive of weight a b with
# probability q, or a negative of weight c b, and q a (1 - p) = (1 - q) c p. So its weight times (y - p) has
# mean 0 and variance a b c b p (1 - p): the design effect of Rao and Scott (1981), case by case.

BINS = 10  # of scores, for the factors of the classes
ROUNDS = 20
TINY = 1e-300


class CaseWeights(NamedTuple):
    """The factors of the weights.

    positive, negative: of the class; score: of each score; cases: the number of cases with each score.
    """

    positive: float
    negative: float
    score: np.ndarray
    cases: np.ndarray

    def of(self, rows: slice) -> CaseWeights:
        """Those of some scores."""
        return self._replace(score=self.score[rows], cases=self.cases[rows])

    def variance(self, probability: np.ndarray) -> np.ndarray:
        """At each score, the variance of the sum of weight times (y - p), if these p are calibrated."""
        return self.cases * self.positive * self.negative * self.score**2 * probability * (1 - probability)

    def fourth_cumulant(self, probability: np.ndarray) -> np.ndarray:
        """The fourth cumulant of this sum.

        For a case it is the square of its variance times (1 - 6 q (1 - q)) / (q (1 - q)).
        """
        variance, (positive, negative) = self.variance(probability), self._odds(probability)
        spread = np.where(variance > 0, positive * negative / (positive + negative) ** 2, 1.0)
        return variance**2 / self.cases * (1 - 6 * spread) / spread

    def sampled(self, probability: np.ndarray) -> np.ndarray:
        """The probability of a positive in the sample, from that in the weighted population."""
        positive, negative = self._odds(probability)
        return positive / (positive + negative)

    def _odds(self, probability: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The odds of a positive in the sample."""
        return probability * self.negative, (1 - probability) * self.positive


def case_weights(table: RankingTable) -> CaseWeights:
    """The factors for a table of probabilities; 1 without squared weights."""
    size = np.asarray(table.positive + table.negative, float)
    if table.squared.positive is table.positive:
        return CaseWeights(1.0, 1.0, np.ones(len(table)), size)
    positive, negative = _probability_by_class(table)
    score = ratio(sum(table.squared), positive * table.positive + negative * table.negative)
    return CaseWeights(
        positive, negative, score, (table.positive / positive + table.negative / negative) / score
    )


def _probability_by_class(table: RankingTable) -> list[float]:
    """The factors of the classes, from a model with factors of bins, too.

    The logarithms of the weights are the sum of both, fitted by alternating least squares. A class without
    cases has the factor of the other one.
    """
    place, weights = places_of_equal_mass(table, BINS), (table.positive, table.negative)
    units = [
        np.where(weight > 0, ratio(part, weight), 1.0)
        for part, weight in zip(table.squared, weights, strict=True)
    ]
    cases = np.stack(
        [np.bincount(place, weight / unit, BINS) for weight, unit in zip(weights, units, strict=True)]
    )
    logs = np.stack(
        [np.bincount(place, w / unit * np.log(unit), BINS) for w, unit in zip(weights, units, strict=True)]
    )
    there, of_class = cases.any(1), np.zeros(2)
    for _ in range(ROUNDS):
        of_bin = (logs - cases * of_class[:, None]).sum(0) / np.maximum(cases.sum(0), TINY)
        of_class = (logs - cases * of_bin).sum(1) / np.maximum(cases.sum(1), TINY)
    return np.exp(np.where(there, of_class, of_class[there].mean())).tolist()
