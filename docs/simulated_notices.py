"""How often each notice appears for models without a fault: a part of `make coverage`, whose table is in
notices.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtr, ndtri
from simulate import ALARMS, Found, Judged, Part

from tallymark import IndicatorTable, RankingTable, evaluate
from tallymark.evaluation.notices import RULES

Draw = Callable[[np.random.Generator], set[str]]
PREVALENCES, AREAS, SIZES = (0.5, 0.2, 0.05, 0.01, 0.95), (0.6, 0.75, 0.9), (100, 300, 1_000, 5_000)
CLASSES = {"3 equal": (1, 1, 1), "6 equal": (1,) * 6, "3, one of 5 %": (12, 7, 1)}
SPREADS, CLASS_SIZES = (0.7, 2.0), (300, 1_000)
WEIGHTED = list(product((0.2, 0.05), (300, 1_000)))  # prevalence, cases
CLUSTERS = ("40 of 8", "100 lognormal")
ALIKE = 0.3  # correlation within clusters
SPREAD = 0.7  # of the logarithm of sampling weights
LABELS = (0.5, 0.2, 0.05)  # prevalence of each label
AREA = 0.75  # of models with weights, with clusters, with a fault
HIGHEST = 0.02  # share of false alarms
NORMAL = ndtri((np.arange(20_000) + 0.5) / 20_000)
FINDINGS = [rule.code for rule in RULES if rule.finding]
FACTS = [rule.code for rule in RULES if not rule.finding]
OF = {rule.code: rule.of for rule in RULES}
TASKS = {"several classes": "multiclass", "several labels": "multilabel", "amounts": "regression"}


# Models: the true logits are normal with mean m and standard deviation s
# ------------------------------------------------


@cache
def model(prevalence: float, area: float) -> tuple[float, float]:
    """m and s of a calibrated model with this prevalence and this area under the ROC curve."""
    s = brentq(lambda s: _area(_mean(prevalence, s), s) - area, 0.05, 8.0)
    return _mean(prevalence, s), s


def _mean(prevalence, s):
    return brentq(lambda m: expit(m + s * NORMAL).mean() - prevalence, -40, 40)


def _area(m, s):
    p = expit(m + s * NORMAL)
    below = np.cumsum(1 - p) - (1 - p) / 2
    return (p * below).sum() / (p.sum() * (1 - p).sum())


def codes(given, **more) -> set[str]:
    """Of the notices of an evaluation."""
    return {one.code for one in evaluate(given, **more).notices}


# Without a fault
# -----------------------------------------------------------------------------------------------------------


def of_calibrated(prevalence: float, area: float, size: int, labels: bool = False) -> Draw:
    """A cohort and calibrated probabilities; labels: predicted labels alone, at the threshold of the
    prevalence."""
    m, s = model(prevalence, area)

    def draw(rng):
        ranking = drawn(rng, size, m, s)
        return codes(ranking.counts_at(prevalence) if labels else ranking)

    return draw


def drawn(rng, size, m, s, given=None) -> RankingTable:
    """A cohort; given: what is made of the true logits."""
    z = rng.normal(m, s, size)
    truth = rng.random(size) < expit(z)
    return RankingTable.from_arrays(truth=truth, score=expit(z if given is None else given(z)))


def of_case_control(prevalence: float, size: int) -> Draw:
    """Half of the cases are positive; the probabilities are those of the cohort."""
    m, s = model(prevalence, AREA)

    def draw(rng):
        z = rng.normal(m, s, round(3 * size / prevalence))
        truth = rng.random(len(z)) < expit(z)
        kept = np.r_[np.flatnonzero(truth)[: size // 2], np.flatnonzero(~truth)[: size // 2]]
        return codes(None, truth=truth[kept], score=expit(z[kept]), design="case-control")

    return draw


def of_weighted(prevalence: float, size: int, how: str) -> Draw:
    """A calibrated model of cases with weights.

    how: "balanced" weights of a model that is calibrated for the cases; "for the mix": of one that is
    calibrated for the weighted cases; "sampling": weights that are independent of the rest.
    """
    m, s = model(prevalence, AREA)
    shift = np.log((1 - prevalence) / prevalence) if how == "for the mix" else 0.0

    def draw(rng):
        z = rng.normal(m, s, size)
        truth = rng.random(size) < expit(z)
        if truth.all() or not truth.any():
            return set()
        weight = size / 2 / np.bincount(truth)[truth.astype(int)]
        if how == "sampling":
            weight = rng.lognormal(0.0, SPREAD, size)
        return codes(None, truth=truth, score=expit(z + shift), weight=weight, weight_kind="importance")

    return draw


def of_clusters(prevalence: float, sizes: str) -> Draw:
    """Calibrated probabilities; they, and the classes given them, correlate within clusters."""
    m, s = model(prevalence, AREA)
    number, even = int(sizes.split()[0]), "of" in sizes

    def draw(rng):
        each = np.full(number, 8) if even else np.ceil(rng.lognormal(1.5, 1.0, number)).astype(int)
        group = np.repeat(np.arange(number), each)
        z, u = (
            np.sqrt(ALIKE) * rng.normal(size=number)[group] + np.sqrt(1 - ALIKE) * rng.normal(size=len(group))
            for _ in range(2)
        )
        p = expit(m + s * z)
        return codes(None, truth=ndtr(u) < p, score=p, clusters=group)

    return draw


def of_calibrated_classes(sizes: tuple, spread: float, size: int, fault=None) -> Draw:
    """A calibrated model of several classes, whose logits have this spread; fault: what is made of the
    logits."""
    prior = np.log(np.array(sizes) / sum(sizes))

    def draw(rng):
        logits = prior + rng.normal(0, spread, (size, len(prior)))
        truth = (logits + rng.gumbel(size=logits.shape)).argmax(1)
        score = _softmax(logits if fault is None else fault(logits))
        return codes(None, truth=truth, score=score, classes=range(len(prior)))

    return draw


def _softmax(logits):
    weight = np.exp(logits - logits.max(1, keepdims=True))
    return weight / weight.sum(1, keepdims=True)


def of_several_labels(size: int) -> Draw:
    """Labels predicted where their probability is at least their prevalence."""
    models = [model(prevalence, AREA) for prevalence in LABELS]

    def draw(rng):
        z = np.array([rng.normal(m, s, size) for m, s in models]).T
        truth = rng.random(z.shape) < expit(z)
        return codes(IndicatorTable.from_arrays(truth=truth, predicted=expit(z) >= LABELS))

    return draw


def of_amounts(size: int) -> Draw:
    """Predicted amounts with normal errors."""

    def draw(rng):
        amount = rng.normal(size=size)
        return codes(None, truth=amount, predicted=amount + rng.normal(size=size), regression=True)

    return draw


@cache
def flawless() -> dict[str, Draw]:
    """Settings by name: the kind, then what distinguishes it."""
    found = {
        f"{'labels alone' if labels else 'two classes'}: {share:g}, {area:g}, {size}": of_calibrated(
            share, area, size, labels
        )
        for share, area, size, labels in product(PREVALENCES, AREAS, SIZES, (False, True))
    }
    found |= {
        f"case-control: {share:g}, {size}": of_case_control(share, size)
        for share, size in product((0.5, 0.05), (100, 1_000))
    }
    found |= {
        f"several classes: {name}, {spread:g}, {size}": of_calibrated_classes(CLASSES[name], spread, size)
        for name, spread, size in product(CLASSES, SPREADS, CLASS_SIZES)
    }
    found |= {
        f"weights: {how}, {share:g}, {size}": of_weighted(share, size, how)
        for how, (share, size) in product(("balanced", "for the mix", "sampling"), WEIGHTED)
    }
    found |= {
        f"clusters: {share:g}, {sizes}": of_clusters(share, sizes)
        for share, sizes in product((0.5, 0.2), CLUSTERS)
    }
    found |= {f"several labels: {size}": of_several_labels(size) for size in (100, 1_000)}
    return found | {"amounts: 300": of_amounts(300)}


# Tables
# --------------------------------------------------------------------------------------------------------


def shares(samples: int, draw: Draw, seed: int) -> Counter:
    """By notice, the share of the samples in which it appears."""
    found = counted(draw, np.random.default_rng(seed), samples)
    return Counter({code: number / samples for code, (number,) in found.items()})


def counted(draw: Draw, rng: np.random.Generator, samples: int) -> Found:
    """By notice, in how many samples it appears."""
    number: Counter = Counter()
    for _ in range(samples):
        number.update(draw(rng))
    return {code: [float(times)] for code, times in number.items()}


def tables_of_flawless(found: Mapping[str, Found], samples: Mapping[str, int]) -> list[str]:
    """Each notice: the highest share over the settings of each kind, and where a finding is most frequent."""
    kinds = list(dict.fromkeys(name.partition(":")[0] for name in flawless()))
    rows = [f"| notice | kind | {' | '.join(kinds)} | most frequent |", "|---" * (len(kinds) + 3) + "|"]
    for code in [*FINDINGS, *FACTS]:
        by = {name: share_of(sums, code, samples[name]) for name, sums in found.items()}
        cells = [_highest(by, kind) if TASKS.get(kind, "binary") in OF[code] else "" for kind in kinds]
        where = max(by, key=by.__getitem__)
        at = where if code in FINDINGS and by[where] else ""
        kind = "finding" if code in FINDINGS else "fact"
        rows.append(f"| `{code}` | {kind} | {' | '.join(cells)} | {at} |")
    return rows


def share_of(sums: Found, code: str, samples: int) -> float:
    """Of the samples in which a notice appears."""
    return sums.get(code, [0.0])[0] / samples


def _highest(by, kind):
    shares = [share for name, share in by.items() if name.startswith(f"{kind}:")]
    return f"{100 * max(shares):.1f}" if shares else ""


def of_findings(sums: Found, samples: int) -> Iterator[Judged]:
    """Of findings, the samples in which they appear."""
    yield from (Judged(code, samples, number) for code, (number,) in sums.items() if code in FINDINGS)


FLAWLESS = Part(
    flawless, lambda name, rng, n: counted(flawless()[name], rng, n), tables_of_flawless,
    page="notices", judged=of_findings, limits=ALARMS,
)  # fmt: skip
