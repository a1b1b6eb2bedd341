"""Simulates how often each notice appears for models without a fault and with one; writes the tables of
notices.md.

python docs/coverage_notices.py             # about ten minutes on one core; the seed is fixed, so the same
tables come again python docs/coverage_notices.py multiclass  # some of the tables, by name
"""

import re
import sys
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtri

from tallymark import RankingTable, evaluate
from tallymark.evaluation.notices import RULES

PAGE = Path(__file__).parent / "notices.md"
SEED, SAMPLES = 14, 1_000  # the standard error of a share of 2 % is 0.4 %
FAULTY = 100  # samples of a model with a fault: the standard error of a share of 50 % is 5 %
PREVALENCES, AREAS, SIZES = (0.5, 0.2, 0.05, 0.01), (0.6, 0.75, 0.9), (100, 300, 1_000, 5_000)
CLASSES, SPREADS = (
    {"3 equal classes": (1, 1, 1), "6 equal classes": (1,) * 6, "3 classes, one of 5 %": (12, 7, 1)},
    (0.7, 2.0),
)
CLASS_SIZES = (300,)
BALANCED = list(product((0.2, 0.05), (0.75,), (300, 1_000)))  # prevalence, area, cases
NORMAL = ndtri((np.arange(20_000) + 0.5) / 20_000)
FINDINGS = [rule.code for rule in RULES if rule.finding]
FACTS = [rule.code for rule in RULES if not rule.finding]


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


FAULTS = {  # by name: the notice that is expected, and the logits given as a function of the true ones
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
    "direction reversed, labels only": ("agreement-below-chance", _with_slope(-1.0)),
    "shift +8": ("one-answer", _shifted(8.0)),
}


def drawn(rng, size: int, m: float, s: float, given=None) -> RankingTable:
    """A cohort: the class mix varies with it."""
    z = rng.normal(m, s, size)
    truth = rng.random(size) < expit(z)
    return RankingTable.from_arrays(truth=truth, score=expit(z if given is None else given(z)))


def codes(ranking: RankingTable, threshold: float | None = None) -> set[str]:
    """The notices of the scores; with a threshold, of the counts at it, as where labels alone are known."""
    return {
        one.code for one in evaluate(ranking if threshold is None else ranking.counts_at(threshold)).notices
    }


def shares(samples: int, draw, seed: int) -> Counter:
    """By notice, the share of the samples in which it appears."""
    rng, found = np.random.default_rng((SEED, seed)), Counter()
    for _ in range(samples):
        found.update(draw(rng))
    return Counter({code: number / samples for code, number in found.items()})


# Flawless models
# -----------------------------------------------------------------------------------------------------------


def of_calibrated(prevalence: float, area: float, size: int, labels: bool = False):
    """A draw of a calibrated model; labels: of its predicted labels alone, at the threshold of the
    prevalence."""
    m, s = model(prevalence, area)
    return lambda rng: codes(drawn(rng, size, m, s), prevalence if labels else None)


def of_calibrated_classes(sizes: tuple, spread: float, size: int):
    """A draw of a calibrated model of several classes, whose logits have this spread."""
    prior = np.log(np.array(sizes) / sum(sizes))

    def draw(rng):
        logits = prior + rng.normal(0, spread, (size, len(prior)))
        truth = (logits + rng.gumbel(size=logits.shape)).argmax(1)
        return {
            one.code
            for one in evaluate(truth=truth, score=_softmax(logits), classes=range(len(prior))).notices
        }

    return draw


def _softmax(logits):
    weight = np.exp(logits - logits.max(1, keepdims=True))
    return weight / weight.sum(1, keepdims=True)


@cache
def _flawless():
    settings = [(*one, labels) for one in product(PREVALENCES, AREAS, SIZES) for labels in (False, True)]
    return {one: shares(SAMPLES, of_calibrated(*one), seed) for seed, one in enumerate(settings)}


def flawless() -> list[str]:
    """Each finding on calibrated models of two classes: the highest and the mean share."""
    found = _flawless()
    rows = ["| finding | highest share | prevalence, AUC, cases | mean share |", "|---" * 4 + "|"]
    for code in FINDINGS:
        (*worst, labels), highest = max(
            ((one, share[code]) for one, share in found.items()), key=lambda pair: pair[1]
        )
        where = f"{', '.join(map(str, worst))}{', labels only' * labels}" if highest else ""
        rows.append(
            f"| `{code}` | {_percent(highest)} | {where} |"
            f" {np.mean([share[code] for share in found.values()]):.2%} |"
        )
    return rows


def facts() -> list[str]:
    """Each fact that appears on calibrated models of two classes, by prevalence and cases; the highest over
    the areas."""
    found = {one: share for one, share in _flawless().items() if not one[-1]}
    cells = list(product(PREVALENCES, SIZES))
    rows = [
        "| fact | " + " | ".join(f"{prevalence:g}, {size}" for prevalence, size in cells) + " |",
        "|---" * (1 + len(cells)) + "|",
    ]
    for code in FACTS:
        highest = [
            max(found[prevalence, area, size, False][code] for area in AREAS) for prevalence, size in cells
        ]
        rows += (
            [f"| `{code}` | " + " | ".join(f"{share:.0%}" for share in highest) + " |"]
            if any(highest)
            else []
        )
    return rows


def multiclass() -> list[str]:
    """Each notice on calibrated models of several classes: the highest share."""
    settings = list(product(CLASSES, SPREADS, CLASS_SIZES))
    found = {
        (name, *rest): shares(SAMPLES, of_calibrated_classes(CLASSES[name], *rest), 1_000 + seed)
        for seed, (name, *rest) in enumerate(settings)
    }
    rows = ["| notice | kind | highest share | classes, SD of the logits, cases |", "|---" * 4 + "|"]
    for code in [*FINDINGS, *FACTS]:
        worst, highest = max(((one, share[code]) for one, share in found.items()), key=lambda pair: pair[1])
        if highest:
            rows.append(
                f"| `{code}` | {'finding' if code in FINDINGS else 'fact'} | {_percent(highest)} |"
                f" {', '.join(map(str, worst))} |"
            )
    return rows


def of_balanced(prevalence: float, area: float, size: int, for_mix: bool):
    """A draw of a model whose cases have weights that balance the classes. for_mix: it is calibrated for the
    weighted cases, not for the cases as they come."""
    m, s = model(prevalence, area)
    shift = np.log((1 - prevalence) / prevalence) if for_mix else 0.0

    def draw(rng):
        z = rng.normal(m, s, size)
        truth = rng.random(size) < expit(z)
        if truth.all() or not truth.any():
            return {"one-class"}
        weight = size / 2 / np.bincount(truth)[truth.astype(int)]
        return {
            one.code
            for one in evaluate(
                truth=truth, score=expit(z + shift), weight=weight, weight_kind="importance"
            ).notices
        }

    return draw


def balanced() -> list[str]:
    """Each notice on calibrated models whose cases have class weights: the highest share, by what they are
    calibrated for."""
    rows = ["| notice | kind | calibrated for the cases | for the weighted cases |", "|---" * 4 + "|"]
    found = [
        [shares(SAMPLES // 2, of_balanced(*one, for_mix), 3_000 + seed) for seed, one in enumerate(BALANCED)]
        for for_mix in (False, True)
    ]
    for code in [*FINDINGS, *FACTS]:
        highest = [max(share[code] for share in part) for part in found]
        if any(highest):
            rows.append(
                f"| `{code}` | {'finding' if code in FINDINGS else 'fact'} | {highest[0]:.1%} |"
                f" {highest[1]:.1%} |"
            )
    return rows


# Models with a fault
# --------------------------------------------------------------------------------------------------------


def of_fault(name: str, prevalence: float, area: float, size: int):
    """A draw of a model with a fault."""
    m, s = model(prevalence, area)
    given, labels = FAULTS[name][1](m, s), name.endswith("labels only")
    return lambda rng: codes(drawn(rng, size, m, s, given), 0.5 if labels else None)


def power() -> list[str]:
    """How often the expected finding appears, and which others appear in more than 5 % of the largest
    samples."""
    rows = [
        "| fault | prevalence | finding | " + " | ".join(map(str, SIZES)) + f" | others, at {SIZES[-1]} |",
        "|---" * (4 + len(SIZES)) + "|",
    ]
    for seed, (name, prevalence) in enumerate(product(FAULTS, PREVALENCES[::2])):
        expected = FAULTS[name][0]
        found = [
            shares(FAULTY, of_fault(name, prevalence, 0.75, size), 2_000 + 10 * seed + i)
            for i, size in enumerate(SIZES)
        ]
        others = [
            f"`{code}` {found[-1][code]:.0%}"
            for code in FINDINGS
            if code != expected and found[-1][code] > 0.05
        ]
        cells = " | ".join(f"{share[expected]:.0%}" for share in found)
        rows.append(f"| {name} | {prevalence:g} | `{expected}` | {cells} | {', '.join(others)} |")
    return rows


def _percent(share):
    return f"{share:.1%} ± {np.sqrt(share * (1 - share) / SAMPLES):.1%}"


def main() -> None:
    """Puts each table, or those named, between its marks."""
    for part in (flawless, facts, multiclass, balanced, power):
        if not sys.argv[1:] or part.__name__ in sys.argv[1:]:
            mark, text = f"<!-- {part.__name__} -->", "\n".join(part())
            page = PAGE.read_text(encoding="utf-8")
            page = re.sub(
                f"{mark}.*?{mark}",
                lambda _, mark=mark, text=text: f"{mark}\n{text}\n{mark}",
                page,
                flags=re.S,
            )
            PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
