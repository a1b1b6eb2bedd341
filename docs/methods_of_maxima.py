"""Methods for intervals of maxima, hulls, precision-recall areas and early retrieval, compared by
coverage_maxima.py."""

from __future__ import annotations

import numpy as np

from tallymark.inference import interval, inverted as rankings, linear, resampled
from tallymark.inference.interval import KINDS, Scale
from tallymark.summaries import RankingTable

LEVEL, Z = 0.95, 1.959963984540054
MAXIMA = (
    "kolmogorov_smirnov",
    "youden_j_max",
    "auch",
    "h_measure",
    "min_cllr",
    "equal_error_rate_hull",
    "average_cost",
)
RETRIEVAL = (
    "average_precision", "mean_precision", "auc_pr_trapezoid", "auc_pr_min", "auc_pr_minmax", "auc_pr_max",
    "auc_pr_integral", "auc_pr_davis_goadrich", "precision_at_recall", "enrichment_factor",
)  # fmt: skip
BEFORE = dict.fromkeys(MAXIMA, "corrected") | dict.fromkeys(RETRIEVAL, "resampled")
BEFORE |= {"average_precision": "binomial", "enrichment_factor": "of taken"}


def before(q):
    """What the measure had so far."""
    return OLD[BEFORE[q.entry.name]](q)


def corrected(q):
    """The basic bootstrap, by class, with Bayesian weights, on the logit scale."""
    base, drawn = resampled.bayesian(q.summary, q.settings.seed)
    scale = Scale(q.entry.range)
    with np.errstate(all="ignore"):
        spread = scale.to(np.asarray(q.function(drawn), float)) - scale.to(float(q.function(base)))
        at = scale.to(q.value)
    spread = spread[np.isfinite(spread)]
    if not np.isfinite(at) or len(spread) < 500:
        return _Ends(np.nan, np.nan)
    low, high = np.quantile(spread, [0.025, 0.975])
    return _Ends(min(scale.back(at - high), q.value), max(scale.back(at - low), q.value))


def binomial(q):
    """As if the measure were a share of the positives."""
    return _Ends(*interval.wilson(q.value * q.summary.positives, q.summary.positives, LEVEL))


def of_taken(q):
    """Wilson's interval of the precision, over the share of positives."""
    share = q.function.keywords["share"]
    taken, prior = share * q.summary.total, q.summary.prior
    low, high = interval.wilson(q.value * prior * taken, taken, LEVEL)
    return _Ends(low / prior, min(high / prior, 1 / share))


def spread(q):
    """The standard deviation of Bayesian bootstrap resamples by class, on the logit scale."""
    return KINDS["RankingTable", "resampled"](q)


OLD = {"corrected": corrected, "binomial": binomial, "of taken": of_taken, "resampled": spread}


def inverted(q):
    """Inversion along the smooth family."""
    return KINDS["RankingTable", "mapped" if q.entry.name == "enrichment_factor" else "inverted"](q)


def _smooth(q):
    found = rankings.drawn(q.summary, q.settings.seed)
    at, scale = int(np.flatnonzero(found.tilt == found.family.side)[0]), rankings.scale_of(q)
    with np.errstate(all="ignore"):
        values = scale.to(np.asarray(q.function(found.samples), float)[at])
    true = scale.to(float(np.asarray(q.function(found.populations))[at]))
    return scale, values[np.isfinite(values)] - true


def _back(q, scale, x):
    return float(np.clip(scale.back(x), *q.entry.range))


def smoothed(q):
    """Smoothed bootstrap: the quantiles of the errors in samples of the fit, taken off."""
    scale, errors = _smooth(q)
    high, low = np.quantile(errors, [0.025, 0.975])
    return _Ends(_back(q, scale, scale.to(q.value) - low), _back(q, scale, scale.to(q.value) - high))


def m_out_of_n(q):
    """n^0.7 cases of each class; errors shrink with the square root, their mean with the power 2/3."""
    t, rng = q.summary, np.random.default_rng(q.settings.seed)
    m = [round(size**0.8) for size in (t.positives, t.negatives)]
    weights = [
        rng.multinomial(few, part / part.sum(), 300) * (part.sum() / few)
        for few, part in zip(m, (t.positive, t.negative), strict=True)
    ]
    scale = rankings.scale_of(q)
    with np.errstate(all="ignore"):
        errors = scale.to(np.asarray(q.function(RankingTable.of(t.score, *weights)), float)) - scale.to(
            q.value
        )
    errors = errors[np.isfinite(errors)]
    factor = min(t.positives, t.negatives) ** -0.2
    middle, spread = scale.to(q.value) - errors.mean() * factor ** (2 / 3), errors.std() * factor**0.5
    return _Ends(_back(q, scale, middle - Z * spread), _back(q, scale, middle + Z * spread))


def band(q):
    """Dvoretzky, Kiefer and Wolfowitz (1956), Massart (1990): both distribution functions at once."""
    if q.entry.name not in MAXIMA[:2]:
        return _Ends(np.nan, np.nan)
    step = sum(
        np.sqrt(np.log(4 / (1 - LEVEL)) / 2 / size) for size in (q.summary.positives, q.summary.negatives)
    )
    return _Ends(max(q.value - step, 0.0), min(q.value + step, 1.0))


def at_the_best(q):
    """The delta method at the best threshold, the bias of the smooth fit taken off."""
    if q.entry.name not in MAXIMA[:2]:
        return _Ends(np.nan, np.nan)
    counts = q.summary.sweep()
    best = int(np.argmax(np.abs(counts.tp / counts.tp[-1] - counts.fp / counts.fp[-1])))
    p, n = counts.tp[-1], counts.fp[-1]
    yes, no = (counts.tp[best] + 0.5) / (p + 1), (counts.fp[best] + 0.5) / (n + 1)
    scale, errors = _smooth(q)
    value = np.clip(q.value, 0.5 / p, 1 - 0.5 / p)
    spread = np.sqrt(yes * (1 - yes) / p + no * (1 - no) / n) / (value * (1 - value))
    middle = scale.to(q.value) - errors.mean()
    return _Ends(_back(q, scale, middle - Z * spread), _back(q, scale, middle + Z * spread))


def influence(q):
    """Influence values on the logit scale."""
    known = q.entry.name in ("average_precision", "mean_precision") and 0 < q.value < 1
    return linear.linear(q) if known else _Ends(np.nan, np.nan)


class _Ends:
    def __init__(self, low, high):
        self.low, self.high = float(low), float(high)


METHODS = {
    **dict.fromkeys(MAXIMA, (before, inverted, smoothed, m_out_of_n, band, at_the_best)),
    **dict.fromkeys(RETRIEVAL, (before, inverted, smoothed, influence)),
}


def chosen(q):
    """The default of the measure."""
    return KINDS["RankingTable", q.entry.interval.kind](q)
