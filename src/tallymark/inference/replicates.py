"""Values of measures in resamples, which are weights of units: cases, clusters, or the persons compared.

A resample says how often each unit is drawn, and so how often each case is; a summary of the cases takes
these numbers as weights with a leading axis. Sums in the kernels (areas, precisions, the extremes of the
rates' difference, losses, counts at a threshold) cost one pass over the bytes; every other measure is
computed by its formula on such summaries.

Each resample has its own stream of random numbers, from one seed, so that the draws do not depend on the
number of threads, and the first hundred of a thousand resamples are the same as a hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from math import exp, factorial, isfinite, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from .. import kernels
from ..input import validate
from ..input.arguments import DESIGNS, OF_UNITS, CaseResampling, Design
from ..input.messages import Note, joined
from ..input.names import listed
from ..input.sample import Sample
from ..input.weighting import are_ones
from ..measures.registry import Measure, get, ratio
from ..summaries import Counts, Residuals
from ..summaries.samples import ScoredCases, losses_of, resampled
from .covariance import deciding, of_squares
from .interval import ROUNDING, Scale, delong_variance, deviation
from .inverted import FEWEST_DECIDING
from .linear import parts
from .results import Interval, no_interval

CASES_AT_ONCE = kernels.STRETCH
DRAWN_AT_ONCE = 1 << 22  # bytes of a chunk of resamples for each thread, unless one takes more
MOST_DRAWN = 1 << 30  # bytes of such a chunk
CELLS_AT_ONCE = 1 << 20  # of summaries of resamples
BOOTSTRAP: CaseResampling = "bootstrap"
POISSON: CaseResampling = "poisson-bootstrap"
RESAMPLINGS = (BOOTSTRAP, POISSON)
MOST_THREADS = 1024
WORD = 1 << 64
POISSON_LIMITS, USUAL_LIMITS = 13, 7  # the probability of 13 draws or more is below 2^-32
SPARE = 4.0  # standard deviations of the number of Poisson draws below the number of cases
AT_A_TIME = 2  # classes that the kernel draws
MEANS = ("mean", "signed-mean")  # kinds of intervals of a mean loss
Statistic = tuple[Measure, Mapping[str, Any]]  # a measure with its parameters


# How often each case is drawn
# -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Draws:
    """How resamples are drawn.

    replicates: how many; design: "cohort", the class mix varies, or "case-control", the class sizes are
    fixed; resampling: "bootstrap", of Efron (1979), or "poisson-bootstrap", which draws every unit a
    Poisson(1) number of times: faster, and with many cases almost the same (Hanley and MacGibbon 2006), but
    the number of cases varies; seed: of 64 bits; threads: by default as many as processors; keeps_weights:
    the total weight of each class is fixed, as for class weights made from the sample.
    """

    replicates: int = 1000
    design: Design = "cohort"
    resampling: CaseResampling = BOOTSTRAP
    seed: int = 0
    threads: int | None = None
    keeps_weights: bool = False

    def __post_init__(self) -> None:
        validate.whole(self.replicates, "replicates", 1, 1e7)
        validate.choice(self.design, DESIGNS, "design")
        validate.choice(self.resampling, RESAMPLINGS, "resampling")
        validate.seed(self.seed)
        if self.threads is not None:
            validate.whole(self.threads, "threads", 1, MOST_THREADS)

    @property
    def keeps_classes(self) -> bool:
        """Whether every resample has the same number of cases, or weight, of each class."""
        return self.keeps_weights or self.design == "case-control"

    def by_class(self, units: np.ndarray | None) -> bool:
        """Whether each class is drawn separately; else fixed class sizes are those of reweighted cases."""
        return self.design == "case-control" and self.resampling == BOOTSTRAP and units is None


def draws(
    how: Draws,
    strata: np.ndarray,
    units: np.ndarray | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[np.ndarray]:
    """Chunks of resamples: how often each case is drawn, uint8 of shape (some replicates, cases).

    strata: the class of each case, a code or whether it is positive; units: the cluster of each case, a whole
    number from 0 on, all of whose cases are drawn together, or in two rows the two persons of a comparison,
    which is drawn as often as the one times as often as the other (Snijders and Borgatti 1999). progress:
    called with the number of resamples done after each chunk.
    """
    if units is None:
        step, drawn = _at_once(how, len(strata)), _drawer(how, strata)
        chunks = (drawn(i, min(step, how.replicates - i)) for i in range(0, how.replicates, step))
    else:
        of_units = draws(replace(how, design="cohort"), np.zeros(int(units.max()) + 1, np.uint8))
        step = max(1, DRAWN_AT_ONCE // max(len(strata), 1))
        chunks = (
            _of_cases(times[i : i + step], units) for times in of_units for i in range(0, len(times), step)
        )
    done = 0
    for times in chunks:
        yield times
        done += len(times)
        if progress is not None:
            progress(done)


def _of_cases(times: np.ndarray, units: np.ndarray) -> np.ndarray:
    """How often each case is drawn, by how often its units are."""
    if units.ndim == 1:
        return np.take(times, units, axis=1)
    first, second = (np.take(times, part, axis=1) for part in units)
    return np.where(units[0] == units[1], first, first * second)


def _at_once(how: Draws, cases: int) -> int:
    """The number of resamples in a chunk."""
    threads = how.threads or kernels.processors()
    return max(1, threads * DRAWN_AT_ONCE // max(cases, 1), min(threads, MOST_DRAWN // max(cases, 1)))


def _drawer(how: Draws, strata: np.ndarray) -> Callable[[int, int], np.ndarray]:
    seed = how.seed % WORD
    if how.resampling == POISSON:
        return lambda start, number: kernels.draw_poisson(
            seed, start, number, len(strata), _limits(1.0), how.threads
        )
    classes = _by_class(strata) if how.by_class(None) else []
    sizes = np.array([len(part) for part in classes] or [len(strata)])
    limit = np.stack([_limits(_first_mean(int(size))) for size in sizes])
    if len(classes) <= AT_A_TIME:
        place = np.concatenate(classes) if classes else None
        return lambda start, number: kernels.draw(seed, start, number, limit, sizes, place, how.threads)

    def drawn(start: int, number: int) -> np.ndarray:
        times = np.empty((number, len(strata)), np.uint8)
        for c, place in enumerate(classes):
            of_class = limit[c : c + 1], sizes[c : c + 1], None, how.threads
            times[:, place] = kernels.draw((seed + c) % WORD, start, number, *of_class)
        return times

    return drawn


def _by_class(strata: np.ndarray) -> list[np.ndarray]:
    """The cases of each class."""
    codes = _codes(strata)
    order = np.argsort(codes, kind="stable").astype(np.uint32)
    return [part for part in np.split(order, np.cumsum(np.bincount(codes))[:-1]) if len(part)]


def _codes(strata: np.ndarray) -> np.ndarray:
    """Codes of the classes; positives are the first."""
    return ~strata if strata.dtype == bool else strata


def _first_mean(size: int) -> float:
    """The mean of the Poisson draws, of which a resample of all has too many once in 30,000 times."""
    return max(0.0, 1 - SPARE / sqrt(max(size, 1)))


def _limits(mean: float) -> np.ndarray:
    """The usual and the rare limits of Poisson draws, as `kernels.draw_poisson` needs them."""
    expected = np.array([exp(-mean) * mean**k / factorial(k) for k in range(POISSON_LIMITS)]) * 2.0**16
    usual = np.floor(expected[:USUAL_LIMITS])
    rest = expected - np.pad(usual, (0, POISSON_LIMITS - USUAL_LIMITS))
    rare = np.cumsum(rest) / max(2.0**16 - usual.sum(), 1.0) * 2.0**32
    return np.append(np.cumsum(usual), np.minimum(np.rint(rare), 2.0**32 - 1)).astype(np.uint32)


# The values of measures
# -------------------------------------------------------------------------------------------------------


def replicates(
    statistics: Sequence[Statistic],
    models: Sequence[Any],
    how: Draws,
    *,
    thresholds: Sequence[float | None],
    clusters: np.ndarray | None = None,
    progress: Callable[[int], None] | None = None,
) -> np.ndarray:
    """The values in resamples, shape (models, measures, replicates); NaN where undefined.

    statistics: measures of the summaries of the models' cases, or of Counts at the threshold of the model;
    models: the same cases in the same order, with common resamples; clusters: the units of `draws`.
    """
    pairs = zip(models, thresholds, strict=True)
    measured = [Resampled.of(model, statistics, limit, how, clusters) for model, limit in pairs]
    parts = [
        [model.measure(times) for model in measured]
        for times in draws(how, models[0].strata, clusters, progress)
    ]
    return np.concatenate(parts, axis=-1)


def other_mixes(
    statistics: Sequence[Statistic], model: ScoredCases | Sample, threshold: float | None
) -> np.ndarray:
    """The measures with other numbers of the cases of the rarest class: shape (measures, 3).

    They are those of these cases alone, of the others, and with these counted twice.
    """
    sizes = np.bincount(model.strata)
    rarest = (model.strata == np.where(sizes > 0, sizes, len(model) + 1).argmin()).astype(np.uint8)
    return Resampled(model, statistics, threshold).measure(np.stack([rarest, 1 - rarest, 1 + rarest]))


def standard_errors(
    statistics: Sequence[Statistic],
    model: ScoredCases | Sample,
    how: Draws,
    threshold: float | None,
    clusters: np.ndarray | None = None,
) -> np.ndarray:
    """The standard errors of the measures, shape (measures, 1 + replicates).

    The first are for the cases, the others for the same resamples. NaN where none is known: known are
    DeLong's for the AUC, and those of proportions and of means of losses, of independent cases.
    """
    if clusters is not None:
        return np.full((len(statistics), 1 + how.replicates), np.nan)
    measured = Resampled.of(model, statistics, threshold, how)
    chunks = chain([np.ones((1, len(model)), np.uint8)], draws(how, model.strata))
    return np.concatenate([measured.errors(times) for times in chunks], axis=-1)


class Resampled:
    """Cases whose measures are computed in chunks of resamples.

    cases: of two classes with scores, or a sample; keeps_classes: the weight of each class is that of all
    cases.
    """

    def __init__(
        self,
        cases: ScoredCases | Sample,
        statistics: Sequence[Statistic],
        threshold: float | None = None,
        threads: int | None = None,
        keeps_classes: bool = False,
    ):
        self.cases: Any = cases
        self.statistics, self.threshold, self.threads = statistics, threshold, threads
        self.weight = cases.weight
        self.sizes = np.bincount(cases.strata, self.weight) if keeps_classes else None
        fast = not keeps_classes
        self.losses = _losses(cases, statistics) if fast else {}
        self.of_each = np.stack([np.ones(len(cases)), *self.losses.values()]) * self.weight
        scored = isinstance(cases, ScoredCases) and are_ones(cases.weight) and fast
        self.swept = {
            i: entry.name for i, (entry, _) in enumerate(statistics) if scored and entry.name in SWEPT
        }

    @classmethod
    def of(
        cls,
        cases: ScoredCases | Sample,
        statistics: Sequence[Statistic],
        threshold: float | None,
        how: Draws,
        units: np.ndarray | None = None,
    ) -> Resampled:
        """In resamples of these draws, whose class sizes are held by weights where the draws vary them."""
        held = how.keeps_classes and not (how.by_class(units) and are_ones(cases.weight))
        return cls(cases, statistics, threshold, how.threads, held)

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
        values = self._means(times) | self._swept(times) | self._counted(times)
        rest = [i for i in range(len(self.statistics)) if i not in values]
        if rest:
            blocks = [self._of_summaries(some, rest) for some in self._blocks(times)]
            values |= dict(zip(rest, np.concatenate(blocks, axis=-1), strict=True))
        return np.array([values[i] for i in range(len(self.statistics))])

    def _blocks(self, times: np.ndarray) -> Iterator[np.ndarray]:
        """A few resamples at a time, to limit the memory that their summaries need."""
        step = max(1, CELLS_AT_ONCE // max(len(self.cases), 1))
        return (times[i : i + step] for i in range(0, len(times), step))

    def _of_summaries(self, times: np.ndarray, rest: Sequence[int]) -> np.ndarray:
        held, scored = self.sizes, isinstance(self.cases, ScoredCases)
        weight = times if scored else times * self.weight
        if held is not None and not scored:
            sums = kernels.sums(self.cases.strata, weight, len(held))
            weight = weight * ratio(held, np.where(sums > 0, sums, np.inf))[:, self.cases.strata]
        summaries: Any = self.cases.resampled(weight) if scored else resampled(self.cases, weight)
        if held is not None and scored:
            summaries = summaries.with_class_sizes(*held)
        values = []
        with np.errstate(divide="ignore", invalid="ignore"):
            for entry, parameters in (self.statistics[i] for i in rest):
                summary = summaries if scored else next(each for each in summaries if entry.fits(type(each)))
                values.append(np.broadcast_to(entry.function(summary, **parameters), len(times)))
        if scored:
            summaries.__dict__.clear()  # reference cycles: freed now, not at the next garbage collection
        return np.array(values)

    def errors(self, times: np.ndarray) -> np.ndarray:
        """The standard errors of the same, NaN where none is known."""
        errors = np.full((len(self.statistics), len(times)), np.nan)
        for i, (entry, parameters) in enumerate(self.statistics):
            if i in self.losses:
                loss = self.losses[i]
                drawn, mean, square = kernels.weighed(times, np.stack([np.ones(len(loss)), loss, loss**2])).T
                errors[i] = np.sqrt(of_squares(np.maximum(square - mean**2 / drawn, 0.0), drawn, drawn))
            elif entry.name == "roc_auc":
                variances = [delong_variance(self.cases.resampled(some)) for some in self._blocks(times)]
                errors[i] = np.sqrt(np.concatenate(variances))
            elif entry.summary is Counts and entry.interval and entry.interval.kind == "proportion":
                x, n = parts(partial(entry.function, **parameters), self.cases.counts(times, self.threshold))
                errors[i] = np.sqrt(ratio(x * (n - x), n**3))
        return errors

    def _means(self, times: np.ndarray) -> dict[int, Any]:
        if not self.losses:
            return {}
        drawn, *sums = kernels.weighed(times, self.of_each).T
        return dict(zip(self.losses, ratio(np.array(sums), drawn), strict=True))

    def _swept(self, times: np.ndarray) -> dict[int, Any]:
        if not self.swept:
            return {}
        starts = self.cases.starts if self.cases.shared else None
        sums = kernels.swept(times, self.cases.order, *self.cases.positives_by_block, starts).T
        return {i: SWEPT[name](*sums) for i, name in self.swept.items()}

    def _counted(self, times: np.ndarray) -> dict[int, Any]:
        counted = {i: each for i, each in enumerate(self.statistics) if each[0].summary is Counts}
        if not counted:
            return {}
        assert self.threshold is not None
        counts = self.cases.counts(times, self.threshold)
        if self.sizes is not None:
            counts = counts.with_class_sizes(*self.sizes)
        with np.errstate(divide="ignore", invalid="ignore"):
            return {i: entry.function(counts, **parameters) for i, (entry, parameters) in counted.items()}


# of the sums of `kernels.swept`: positives, negatives, areas, precisions, highest and lowest difference
SWEPT: dict[str, Callable[..., Any]] = {
    "roc_auc": lambda p, n, area, precision, high, low: ratio(area, 2 * p * n),
    "average_precision": lambda p, n, area, precision, high, low: np.minimum(ratio(precision, p), 1.0),
    "youden_j_max": lambda p, n, area, precision, high, low: ratio(high, p * n),
    "kolmogorov_smirnov": lambda p, n, area, precision, high, low: ratio(np.maximum(high, -low), p * n),
}


def _losses(cases: ScoredCases | Sample, statistics: Sequence[Statistic]) -> dict[int, np.ndarray]:
    """By number, the loss of each case for measures that are the mean of one."""
    means = {
        i: partial(entry.loss, **(entry.defaults | dict(parameters)))
        for i, (entry, parameters) in enumerate(statistics)
        if entry.loss is not None and entry.interval is not None and entry.interval.kind in MEANS
    }
    if not isinstance(cases, ScoredCases):
        return {i: losses_of(cases, loss) for i, loss in means.items()}
    if not means or not are_ones(cases.weight):
        return {}
    return dict(zip(means, _charges(list(means.values()), cases), strict=True))


def _charges(losses: Sequence[Callable[..., Any]], cases: ScoredCases) -> np.ndarray:
    """The losses of each case, functions of `OutcomeProbabilities`, shape (losses, cases)."""
    charges = np.empty((len(losses), len(cases)))

    def charge(some: slice) -> None:
        single = np.ones((1, len(cases.score[some])))
        # a positive and a negative at every score, in the order of the cases
        outcomes = cases.kind.of(cases.score[some], single, single).given
        for i, loss in enumerate(losses):
            charges[i, some] = np.ravel(loss(outcomes)).reshape(-1, 2)[
                np.arange(single.size), 1 - cases.positive[some]
            ]
        # a reference cycle: freed now, not at the next garbage collection
        del outcomes.table.__dict__["given"]

    kernels.stretches(charge, len(cases), CASES_AT_ONCE)
    return charges


# Intervals from the values of a measure in bootstrap resamples
# --------------------------------------------------------------------------------------------------
#
# All except the percentiles are on the scale for the range of the measure (logit, log, ...), whose bounds
# stay within the range; where values are at an end of the range, on the untransformed scale, with bounds
# clipped. Source: Efron and Tibshirani (1993), chapters 12 to 14; Davison and Hinkley (1997), chapter 5.

FEWEST_BEYOND = 5  # resamples required beyond either end
MOST_UNDEFINED = 0.5  # proportion of resamples
# of resamples, and above: a bias of a quarter of the standard error (Efron and Tibshirani, section 10.3)
LEAST_BELOW = 0.4
SAME = Note("resamples-alike")
NEARLY_THE_SAME = Note("resamples-nearly-alike")
OUTSIDE = Note("value-outside")
LEAST = 1e-12  # smallest tail probability with a finite normal quantile on either side
NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Replicates:
    """A measure and its values in resamples.

    value: for the cases; values: in resamples, NaN where undefined; ends: its range; level: of the interval;
    skewness: of the sum of its influence values (BCa), 0 where these are unknown; error, errors: its standard
    error for the cases, and in each resample, NaN where unknown (studentised); clusters: the effective number
    of clusters, if these are drawn instead of cases.
    """

    value: float
    values: np.ndarray
    ends: tuple[float, float]
    level: float
    skewness: float = 0.0
    error: float = float("nan")
    errors: np.ndarray | None = None
    clusters: float = np.inf

    @property
    def tails(self) -> np.ndarray:
        """The probabilities below the two bounds.

        With few clusters they are further out, to allow for Student's t and for the variance of resamples,
        which is too small by (k - 1) / k for k clusters: Hesterberg (2015), The American Statistician 69,
        section 4.5.1.
        """
        outer = (1 - self.level) / 2
        if self.clusters < np.inf:
            outer = max(_expanded(outer, self.clusters), LEAST)
        return np.array([outer, 1 - outer])

    @property
    def below(self) -> float:
        """The proportion of resamples below the value, ties counting half.

        Sums in another order, which differ in the last digit, are ties.
        """
        same = np.abs(self.values - self.value) <= ROUNDING * max(1.0, abs(self.value))
        return float(np.mean((self.values < self.value) & ~same) + np.mean(same) / 2)

    def scaled(self, values: np.ndarray) -> tuple[Scale, np.ndarray]:
        """Values on a scale on which all of them, and the value itself, are finite."""
        for ends in (self.ends, (-np.inf, np.inf)):
            scale = Scale(ends)
            with np.errstate(divide="ignore", invalid="ignore"):
                found = scale.to(values)
                if np.isfinite(found).all() and isfinite(float(scale.to(self.value))):
                    break
        return scale, found


@listed(
    "interval",
    "tm.bootstrap(...).interval(..., method='percentile')",
    aka=("percentile_bootstrap", "bootstrap_percentile"),
    command="tallymark bootstrap --method percentile",
)
def percentile(s: Replicates) -> tuple[float, float]:
    """The middle of the resamples.

    Source: Berrar, Def. 38, there with retraining; Efron and Tibshirani, section 13.3.
    """
    low, high = np.quantile(s.values, s.tails)
    return float(low), float(high)


@listed(
    "interval",
    "tm.bootstrap(...).interval(..., method='basic')",
    aka=("basic_bootstrap", "pivotal_bootstrap", "reverse_percentile"),
    command="tallymark bootstrap --method basic",
)
def basic(s: Replicates) -> tuple[float, float]:
    """The value less the errors of the resamples, which corrects for their bias.

    Source: Davison and Hinkley, Eq. 5.6.
    """
    scale, values = s.scaled(s.values)
    high, low = np.quantile(values, s.tails)
    centre = float(scale.to(s.value))
    return scale.back(2 * centre - low), scale.back(2 * centre - high)


@listed(
    "interval",
    "tm.bootstrap(...).interval(..., method='bca')",
    aka=("bca_bootstrap", "bias_corrected_and_accelerated"),
    command="tallymark bootstrap --method bca",
)
def bca(s: Replicates) -> tuple[float, float]:
    """Percentiles corrected for bias and acceleration.

    The bias is the proportion of resamples below the value, ties counting half; the acceleration, the rate at
    which the standard error changes with the value, is a sixth of the skewness of the influence values.
    Source: Efron (1987); Efron and Tibshirani, Eqs. 14.9 to 14.15.
    """
    if not 0 < s.below < 1:
        return float("nan"), float("nan")
    bias, acceleration = NORMAL.inv_cdf(s.below), s.skewness / 6
    moved = [
        bias + z / max(1 - acceleration * z, ROUNDING)
        for z in (bias + NORMAL.inv_cdf(tail) for tail in s.tails)
    ]
    low, high = np.quantile(s.values, [NORMAL.cdf(z) for z in moved])
    return float(low), float(high)


@listed(
    "interval",
    "tm.bootstrap(...).interval(..., method='studentised')",
    aka=("bootstrap_t", "studentised_bootstrap"),
    command="tallymark bootstrap --method studentised",
)
def studentised(s: Replicates) -> tuple[float, float]:
    """The value less quantiles of (resampled - value) / its own standard error, times the standard error.

    Source: Efron and Tibshirani, section 12.5.
    """
    assert s.errors is not None
    scale, values = s.scaled(s.values)
    centre = float(scale.to(s.value))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (values - centre) / (s.errors * scale.slope(s.values))
    t = t[~np.isnan(t)]  # infinite for a resample that differs and has no spread
    if len(t) < len(values) * (1 - MOST_UNDEFINED):
        return float("nan"), float("nan")
    with np.errstate(invalid="ignore"):
        high, low = np.quantile(t, s.tails)
    error = s.error * scale.slope(s.value)
    return scale.back(centre - low * error), scale.back(centre - high * error)


METHODS: dict[str, Callable[[Replicates], tuple[float, float]]] = {
    "percentile": percentile,
    "basic": basic,
    "bca": bca,
    "studentised": studentised,
}


def interval(s: Replicates, method: str) -> Interval:
    """The interval by the method of that name, or none with the reason."""
    known, notes = s.values[~np.isnan(s.values)], _lost(s.values)
    endless = np.isinf(known)
    if len(known) < 2 or len(known) < (1 - MOST_UNDEFINED) * len(s.values) or endless.mean() > s.tails[0] / 2:
        return no_interval(joined(*notes) or Note("too-few-resamples"))
    if endless.any():  # so few that they lie beyond the bounds, where only their ranks matter
        known = np.clip(known, known[~endless].min(), known[~endless].max())
    if np.ptp(known) <= ROUNDING * max(1.0, abs(s.value)):
        return no_interval(SAME)
    errors = None if s.errors is None else s.errors[~np.isnan(s.values)]
    used = Replicates(s.value, known, s.ends, s.level, s.skewness, s.error, errors, s.clusters)
    low, high = METHODS[method](used)
    if not (isfinite(low) and isfinite(high)):
        return no_interval(OUTSIDE if method == "bca" else Note("errors-of-resamples-unknown"))
    low, high = (min(max(bound, s.ends[0]), s.ends[1]) for bound in (low, high))
    if not high - low > ROUNDING * max(1.0, abs(s.value)):
        return no_interval(joined(NEARLY_THE_SAME, *notes))
    if not LEAST_BELOW <= used.below <= 1 - LEAST_BELOW:
        notes.append(Note("resamples-lopsided", below=used.below))
    beyond = s.tails[0] * len(known)
    if beyond < FEWEST_BEYOND:
        notes.append(Note("few-resamples-beyond", resamples=len(known), beyond=beyond))
    if not low <= s.value <= high:
        notes.append(Note("resamples-biased"))
    return Interval(low, high, f"bootstrap-{method}", joined(*notes), deviation(s.values))


def _expanded(outer: float, clusters: float) -> float:
    from scipy.special import ndtr, stdtrit

    number = max(clusters, 2.0)
    df = number - 1
    return float(ndtr(stdtrit(df, outer) * np.sqrt(number / df)))


def _lost(values: np.ndarray) -> list[Note]:
    counted = {"undefined": np.isnan(values).sum(), "infinite": np.isinf(values).sum()}
    return [
        Note("resamples-lost", what=what, lost=int(lost), resamples=len(values))
        for what, lost in counted.items()
        if lost
    ]


# Limits of the bootstrap: measures without a valid interval, and numbers of cases that are too small
# --------------------------------------------------------------------------------------------------

# cases of a class for counts, or clusters or persons; of other measures; of maxima (docs/intervals.md)
FEW, FEW_RESAMPLED, FEW_OF_A_LARGEST = 30, 100, 2_000
DEVIATIONS = (
    "bins",
    "bins-of-equal-mass",
    "bins-of-answers",
    "bins-of-answers-of-equal-mass",
    "miscalibration",
    "smooth-deviations",
)
LARGEST = ("largest", "discrimination", "bins-between")


def why_none(
    entry: Measure, parameters: Mapping[str, Any], table: Any, fewest: int, units: str
) -> Note | None:
    """The reason why there can be no interval from resamples, or None; arguments as for `why_few`.

    Measures of the size of deviations are biased upwards in samples, and once more in resamples, so that no
    interval from resamples covers a small true value.
    """
    if kind_of(entry) in DEVIATIONS:
        return Note("deviations-larger-in-resamples")
    if entry.summary is Residuals and kind_of(entry) == "largest":
        return Note("largest-of-sample")
    return why_few(entry, parameters, table, fewest, units)


def why_few(
    entry: Measure, parameters: Mapping[str, Any], table: Any, fewest: int, units: str
) -> Note | None:
    """The reason why there are too few cases for an interval, or None.

    fewest, units: the number of cases, or clusters, of the rarer class, and their name.
    """
    if fewest < 2:
        return Note("too-few-units", units=units)
    if _decisive(entry, parameters, table) < FEWEST_DECIDING:
        return Note("fewer-deciding", limit=FEWEST_DECIDING)
    return None


def doubt(
    entry: Measure, parameters: Mapping[str, Any], table: Any, fewest: float, units: str
) -> Note | None:
    """The note on why an interval may be too narrow."""
    cases, kind = _decisive(entry, parameters, table), kind_of(entry)
    few = FEW if entry.summary is Counts or any(unit in units for unit in OF_UNITS) else FEW_RESAMPLED
    few = FEW_OF_A_LARGEST if kind in LARGEST else few
    if fewest < few and fewest <= cases:
        return deciding(fewest, units)
    return deciding(cases) if cases < FEW else None


def kind_of(entry: Measure) -> str | None:
    """The kind of the interval, or that of the measure which it is a function of."""
    made = entry.interval
    while made is not None and made.kind == "mapped":
        made = get(made.of[0].__name__, entry.summary).interval
    return None if made is None else made.kind


def _decisive(entry: Measure, parameters: Mapping[str, Any], table: Any) -> float:
    return (
        float("inf")
        if entry.effective_n is None
        else float(entry.effective_n(table, **(entry.defaults | dict(parameters))))
    )
