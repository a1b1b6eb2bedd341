"""How often each notice appears for models without a fault, and with one: two parts of `make coverage`, whose
tables are in notices.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import product

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtr, ndtri
from simulate import Found, Part

from tallymark import IndicatorTable, RankingTable, evaluate
from tallymark.evaluation.notices import RULES

Draw = Callable[[np.random.Generator], set[str]]
PREVALENCES, AREAS, SIZES = (0.5, 0.2, 0.05, 0.01), (0.6, 0.75, 0.9), (100, 300, 1_000, 5_000)
CLASSES = {"3 equal": (1, 1, 1), "6 equal": (1,) * 6, "3, one of 5 %": (12, 7, 1)}
SPREADS, CLASS_SIZES = (0.7, 2.0), (300, 1_000)
WEIGHTED = list(product((0.2, 0.05), (300, 1_000)))  # prevalence, cases
CLUSTERS = ("40 of 8", "100 lognormal")
ALIKE = 0.3  # correlation within clusters
SPREAD = 0.7  # of the logarithm of sampling weights
LABELS = (0.5, 0.2, 0.05)  # prevalence of each label
AREA = 0.75  # of models with weights, with clusters and with a fault
OFTEN, HIGHEST = 0.05, 0.02  # of other findings that are named; of false alarms
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


def _calibrated_in_the_large(given, m, s):
    """given, shifted so that the calibration in the large is 0."""
    grid = given(m + s * NORMAL, m)
    off = brentq(lambda c: (expit(c + grid) - expit(m + s * NORMAL)).mean(), -60, 60)
    return lambda z: given(z, m) + off


def _with_slope(slope):
    return lambda m, s: _calibrated_in_the_large(lambda z, m: m + (z - m) / slope, m, s)


def _shifted(shift):
    return lambda m, s: lambda z: z + shift


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
        ranking = _ranking(rng, size, m, s)
        return codes(ranking.counts_at(prevalence) if labels else ranking)

    return draw


def _ranking(rng, size, m, s, given=None):
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


# With a fault
# --------------------------------------------------------------------------------------------------------

FAULTS = {  # of two classes, by name: the notice that is expected, and the logits given, of the true ones
    **{
        f"slope {b:g}": ("over-confident" if b < 1 else "under-confident", _with_slope(b))
        for b in (0.6, 0.8, 1.25, 1.67)
    },
    **{
        f"shift {d:+g}": ("overestimation" if d > 0 else "underestimation", _shifted(d))
        for d in (-0.8, -0.4, 0.4, 0.8)
    },
    "unrelated to the truth": ("worse-than-guessing", lambda m, s: lambda z: np.roll(z, 1)),
    "direction reversed": ("auc-below-half", _with_slope(-1.0)),
    "direction reversed, labels alone": ("agreement-below-chance", _with_slope(-1.0)),
    "shift +8": ("one-answer", _shifted(8.0)),
}
FAULTS_OF_CLASSES = {  # of three equal classes
    "logits times 1.67": ("over-confident", lambda logits: 1.67 * logits),
    "logits times 0.6": ("under-confident", lambda logits: 0.6 * logits),
    "columns in another order": ("class-auc-below-half", lambda logits: np.roll(logits, 1, axis=1)),
    "logits times -1": ("agreement-below-chance", lambda logits: -logits),
    "unrelated to the truth": ("worse-than-guessing", lambda logits: np.roll(logits, 1, axis=0)),
}
LEAK = "the score contains the truth"
NEVER = "always the smallest of three classes"


def of_fault(name: str, prevalence: float, area: float, size: int) -> Draw:
    """A model of two classes with a fault."""
    m, s = model(prevalence, area)
    given, labels = FAULTS[name][1](m, s), name.endswith("labels alone")

    def draw(rng):
        ranking = _ranking(rng, size, m, s, given)
        return codes(ranking.counts_at(0.5) if labels else ranking)

    return draw


def of_leak(prevalence: float, size: int) -> Draw:
    """Positives have a probability above a half, negatives one below."""

    def draw(rng):
        truth = rng.random(size) < prevalence
        return codes(None, truth=truth, score=(truth + rng.random(size)) / 2)

    return draw


def _always_the_last(logits):
    return logits + np.array([0.0, 0.0, 100.0])


@cache
def faulty() -> dict[str, tuple[str, Draw]]:
    """By name: the notice that is expected, and a draw."""
    found = {
        f"{name} | {share:g} | {size}": (FAULTS[name][0], of_fault(name, share, AREA, size))
        for name, share, size in product(FAULTS, PREVALENCES[::2], SIZES)
    }
    found |= {
        f"{LEAK} | {share:g} | {size}": ("perfect-ranking", of_leak(share, size))
        for share, size in product(PREVALENCES[::2], SIZES)
    }
    found |= {
        f"{name} | 3 equal | {size}": (code, of_calibrated_classes((1, 1, 1), 1.0, size, fault))
        for (name, (code, fault)), size in product(FAULTS_OF_CLASSES.items(), SIZES)
    }
    uneven = CLASSES["3, one of 5 %"]
    return found | {
        f"{NEVER} | 3, one of 5 % | {size}": (
            "one-answer",
            of_calibrated_classes(uneven, 1.0, size, _always_the_last),
        )
        for size in SIZES
    }


# Tables
# --------------------------------------------------------------------------------------------------------


def shares(samples: int, draw: Draw, seed: int) -> Counter:
    """By notice, the share of the samples in which it appears."""
    found = _counted(draw, np.random.default_rng(seed), samples)
    return Counter({code: number / samples for code, (number,) in found.items()})


def _counted(draw, rng, samples) -> Found:
    number: Counter = Counter()
    for _ in range(samples):
        number.update(draw(rng))
    return {code: [float(times)] for code, times in number.items()}


def tables_of_flawless(found: Mapping[str, Found], samples: Mapping[str, int]) -> list[str]:
    """Each notice: the highest share over the settings of each kind, and where a finding is most frequent."""
    kinds = list(dict.fromkeys(name.partition(":")[0] for name in flawless()))
    rows = [f"| notice | kind | {' | '.join(kinds)} | most frequent |", "|---" * (len(kinds) + 3) + "|"]
    for code in [*FINDINGS, *FACTS]:
        by = {name: _share(sums, code, samples[name]) for name, sums in found.items()}
        cells = [_highest(by, kind) if TASKS.get(kind, "binary") in OF[code] else "" for kind in kinds]
        where = max(by, key=by.__getitem__)
        at = where if code in FINDINGS and by[where] else ""
        kind = "finding" if code in FINDINGS else "fact"
        rows.append(f"| `{code}` | {kind} | {' | '.join(cells)} | {at} |")
    return rows


def _share(sums, code, samples):
    return sums.get(code, [0.0])[0] / samples


def _highest(by, kind):
    shares = [share for name, share in by.items() if name.startswith(f"{kind}:")]
    return f"{100 * max(shares):.1f}" if shares else ""


def tables_of_faulty(found: Mapping[str, Found], samples: Mapping[str, int]) -> list[str]:
    """How often the expected finding appears, and which others do in the largest samples."""
    rows = [
        f"| fault | of | finding | {' | '.join(map(str, SIZES))} | others, at {SIZES[-1]} |",
        "|---" * (4 + len(SIZES)) + "|",
    ]
    for fault in dict.fromkeys(name.rpartition(" | ")[0] for name in found):
        names = [f"{fault} | {size}" for size in SIZES if f"{fault} | {size}" in found]
        expected = faulty()[names[0]][0]
        cells = " | ".join(f"{_share(found[name], expected, samples[name]):.0%}" for name in names)
        last = {code: _share(found[names[-1]], code, samples[names[-1]]) for code in FINDINGS}
        others = [f"`{code}` {x:.0%}" for code, x in last.items() if code != expected and x > OFTEN]
        rows.append(f"| {fault} | `{expected}` | {cells} | {', '.join(others)} |")
    return rows


FLAWLESS = Part(
    flawless, lambda name, rng, n: _counted(flawless()[name], rng, n), tables_of_flawless, page="notices"
)
FAULTY = Part(
    faulty, lambda name, rng, n: _counted(faulty()[name][1], rng, n), tables_of_faulty, page="notices"
)
