"""Values of measures in resamples: of one model, or of several on the same cases.

Sums in the kernels (areas, precisions, the extremes of the rates' difference, losses, counts at a threshold)
cost one pass over the bytes that state how often each case was drawn; every other measure is computed by its
formula on tables with a leading axis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from ... import kernels
from ...measures.registry import Measure, ratio
from ...summaries import Counts, RankingTable
from ...summaries.cases import ScoredCases
from ..influence_values import charges
from ..intervals.delong import delong_variance
from ..intervals.of_counts import parts
from .draws import Draws, draws, left_out, without

CELLS_AT_ONCE = 1 << 20  # of tables of resamples
Asked = tuple[Measure, Mapping[str, Any]]


def replicates(
    asked: Sequence[Asked],
    models: Sequence[ScoredCases],
    how: Draws,
    *,
    thresholds: Sequence[float | None],
    clusters: np.ndarray | None = None,
    progress: Callable[[int], None] | None = None,
) -> np.ndarray:
    """The values in resamples, shape (models, measures, replicates); NaN where undefined.

    asked: measures of a RankingTable, or of Counts at the threshold of the model, each with its parameters;
    models: the same cases in the same order, with common resamples; clusters: as in `draws`.
    """
    pairs = zip(models, thresholds, strict=True)
    measured = [
        Resampled(model, asked, limit, how.threads, how.keeps_classes and clusters is None)
        for model, limit in pairs
    ]
    parts = [
        [model.measure(times) for model in measured]
        for times in draws(how, models[0].positive, clusters, progress)
    ]
    return np.concatenate(parts, axis=-1)


def influences(
    asked: Sequence[Asked],
    model: ScoredCases,
    how: Draws,
    threshold: float | None,
    clusters: np.ndarray | None = None,
) -> np.ndarray:
    """The jackknife influence of each case, cluster or part: shape (measures, parts).

    The parts are those of `left_out`. Where the class sizes are fixed, the mean over a class is 0, since the
    effect of its proportion is not part of the spread.
    """
    measured = Resampled(model, asked, threshold, how.threads, how.keeps_classes and clusters is None)
    part, of_class = left_out(how, model.positive, clusters)
    values = np.concatenate([measured.measure(times) for times in without(part, how)], axis=-1)
    values[~np.isfinite(values)] = np.nan
    for c in np.unique(of_class):
        some = values[:, of_class == c]
        mean = ratio(np.nansum(some, -1), (~np.isnan(some)).sum(-1))[:, None]
        values[:, of_class == c] = (mean - some) * (1 - 1 / some.shape[1])
    return values


def other_mixes(asked: Sequence[Asked], model: ScoredCases, threshold: float | None) -> np.ndarray:
    """The measures of one class alone, and with the positives counted twice: shape (measures, 3).

    The first two are of the positives, and of the negatives.
    """
    positive = model.positive.astype(np.uint8)
    return Resampled(model, asked, threshold).measure(np.stack([positive, 1 - positive, 1 + positive]))


def standard_errors(
    asked: Sequence[Asked],
    model: ScoredCases,
    how: Draws,
    threshold: float | None,
    clusters: np.ndarray | None = None,
) -> np.ndarray:
    """The standard errors of the measures, shape (measures, 1 + replicates).

    The first are for the cases, the others for the same resamples. NaN where none is known: known are
    DeLong's for the AUC, and those of proportions and of means of losses, of independent cases.
    """
    if clusters is not None:
        return np.full((len(asked), 1 + how.replicates), np.nan)
    measured = Resampled(model, asked, threshold, how.threads, how.keeps_classes)
    chunks = chain([np.ones((1, len(model)), np.uint8)], draws(how, model.positive))
    return np.concatenate([measured.errors(times) for times in chunks], axis=-1)


class Resampled:
    """A model whose measures are computed in chunks of resamples.

    keeps_classes: the weight of each class is kept that of the cases.
    """

    def __init__(
        self,
        cases: ScoredCases,
        asked: Sequence[Asked],
        threshold: float | None,
        threads: int | None = None,
        keeps_classes: bool = False,
    ):
        self.cases, self.asked, self.threshold, self.threads = cases, asked, threshold, threads
        self.sizes = (
            (cases.table.positives, cases.table.negatives)
            if keeps_classes and cases.weight is not None
            else None
        )
        self.losses = _losses(cases, asked) if cases.weight is None else {}
        self.swept = [entry.name for entry, _ in asked if entry.name in SWEPT] if cases.weight is None else []

    def measure(self, times: np.ndarray) -> np.ndarray:
        """The values, shape (measures, replicates).

        times: how often each case is drawn, shape (replicates, cases).
        """
        if self.swept:  # what all threads need
            _ = self.cases.positives_by_block, self.cases.starts if self.cases.shared else None
        self._counted(times[:1])
        number = max(min(self.threads or kernels.processors(), times.size // kernels.STRETCH, len(times)), 1)
        ends = [len(times) * i // number for i in range(number + 1)]
        return np.concatenate(
            kernels.each(lambda i: self._in_one_thread(times[ends[i] : ends[i + 1]]), number), axis=-1
        )

    @kernels.at_most(1)
    def _in_one_thread(self, times: np.ndarray) -> np.ndarray:
        found = self._losses(times) | self._swept(times) | self._counted(times)
        rest = [(i, entry, given) for i, (entry, given) in enumerate(self.asked) if i not in found]
        if rest:
            found |= dict(
                zip([i for i, *_ in rest], self._of_tables(times, [one[1:] for one in rest]), strict=True)
            )
        return np.array([found[i] for i in range(len(self.asked))])

    def errors(self, times: np.ndarray) -> np.ndarray:
        """The standard errors of the same, NaN where none is known."""
        found = np.full((len(self.asked), len(times)), np.nan)
        for i, (entry, given) in enumerate(self.asked):
            if i in self.losses:
                drawn = self._drawn(times)
                mean, square = self._sums(times, [self.losses[i], self.losses[i] ** 2]) / drawn
                found[i] = np.sqrt(np.maximum(square - mean**2, 0.0) / (drawn - 1))
            elif entry.name == "roc_auc":
                found[i] = self._in_parts(times, lambda table: np.sqrt(delong_variance(table)))
            elif (
                entry.summary is Counts
                and entry.interval
                and entry.interval.kind == "proportion"
                and self.threshold is not None
            ):
                x, n = parts(partial(entry.function, **given), self.cases.counts(times, self.threshold))
                found[i] = np.sqrt(ratio(x * (n - x), n**3))
        return found

    def _drawn(self, times: np.ndarray) -> np.ndarray:
        """The number of cases in each resample."""
        found: np.ndarray = kernels.among(times, np.ones((1, len(self.cases)), np.uint8))[:, 0].astype(
            np.float64
        )
        return found

    def _sums(self, times: np.ndarray, numbers: Sequence[np.ndarray]) -> np.ndarray:
        found: np.ndarray = kernels.weighed(times, np.stack(numbers)).T
        return found

    def _losses(self, times: np.ndarray) -> dict[int, Any]:
        if not self.losses:
            return {}
        sums = self._sums(times, list(self.losses.values()))
        return dict(zip(self.losses, ratio(sums, self._drawn(times)), strict=True))

    def _swept(self, times: np.ndarray) -> dict[int, Any]:
        if not self.swept:
            return {}
        starts = self.cases.starts if self.cases.shared else None
        sums = kernels.swept(times, self.cases.order, *self.cases.positives_by_block, starts).T
        return {
            i: SWEPT[entry.name](*sums) for i, (entry, _) in enumerate(self.asked) if entry.name in self.swept
        }

    def _counted(self, times: np.ndarray) -> dict[int, Any]:
        wanted = {i: one for i, one in enumerate(self.asked) if one[0].summary is Counts}
        if not wanted:
            return {}
        assert self.threshold is not None
        counts = self.cases.counts(times, self.threshold)
        if self.sizes is not None:
            counts = counts.with_class_sizes(*self.sizes)
        with np.errstate(divide="ignore", invalid="ignore"):
            return {i: entry.function(counts, **given) for i, (entry, given) in wanted.items()}

    def _of_tables(self, times: np.ndarray, wanted: Sequence[Asked]) -> np.ndarray:
        def measured(table: RankingTable) -> np.ndarray:
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.array(
                    [
                        np.broadcast_to(entry.function(table, **given), len(table.positive))
                        for entry, given in wanted
                    ]
                )

        return self._in_parts(times, measured)

    def _in_parts(self, times: np.ndarray, measured: Callable[[RankingTable], Any]) -> np.ndarray:
        """The values from the tables of a few resamples at a time, to limit the memory needed."""
        step = max(1, CELLS_AT_ONCE // max(len(self.cases), 1))
        starts = range(0, len(times), step)
        return np.concatenate(
            [measured(self._table(times[start : start + step])) for start in starts], axis=-1
        )

    def _table(self, times: np.ndarray) -> RankingTable:
        table = self.cases.resampled(times)
        return table if self.sizes is None else table.with_class_sizes(*self.sizes)


def _area(
    positives: np.ndarray,
    negatives: np.ndarray,
    area: np.ndarray,
    precision: np.ndarray,
    high: np.ndarray,
    low: np.ndarray,
) -> Any:
    return ratio(area, 2 * positives * negatives)


def _average_precision(
    positives: np.ndarray,
    negatives: np.ndarray,
    area: np.ndarray,
    precision: np.ndarray,
    high: np.ndarray,
    low: np.ndarray,
) -> Any:
    return np.minimum(ratio(precision, positives), 1.0)


def _largest_difference(
    positives: np.ndarray,
    negatives: np.ndarray,
    area: np.ndarray,
    precision: np.ndarray,
    high: np.ndarray,
    low: np.ndarray,
) -> Any:
    return ratio(high, positives * negatives)


def _largest_distance(
    positives: np.ndarray,
    negatives: np.ndarray,
    area: np.ndarray,
    precision: np.ndarray,
    high: np.ndarray,
    low: np.ndarray,
) -> Any:
    return ratio(np.maximum(high, -low), positives * negatives)


SWEPT = {
    "roc_auc": _area,
    "average_precision": _average_precision,
    "youden_j_max": _largest_difference,
    "kolmogorov_smirnov": _largest_distance,
}


def _losses(cases: ScoredCases, asked: Sequence[Asked]) -> dict[int, np.ndarray]:
    """By number, the loss of each case for measures that are the mean of one."""
    means = {i: one for i, one in enumerate(asked) if _is_mean(one[0])}
    if not means:
        return {}
    losses = [
        partial(entry.loss, **(entry.defaults | dict(given)))
        for entry, given in means.values()
        if entry.loss is not None
    ]
    return dict(zip(means, charges(losses, cases), strict=True))


def _is_mean(entry: Measure) -> bool:
    return (
        entry.loss is not None
        and entry.interval is not None
        and entry.interval.kind == "mean"
        and entry.summary is RankingTable
    )
