"""Coverage of the intervals of `with_judge`, and their width: the tables of docs/judges.md.

python docs/simulated_judges.py            # prints the tables; 10 minutes
python docs/simulated_judges.py --few      # of a tenth of the samples
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

import tallymark as tm
from tallymark.inference.interval import normal_quantile, wilson
from tallymark.inference.prediction_powered import bounds

LEVEL, SEED = 0.95, 20261127
# sensitivity and specificity; None is a judge who says yes as often as the label, by chance
JUDGES = {
    "perfect": (1.0, 1.0),
    ".97/.97": (0.97, 0.97),
    ".9/.9": (0.9, 0.9),
    ".95/.7": (0.95, 0.7),
    ".6/.6": (0.6, 0.6),
    "noise": None,
    "never yes": (0.0, 1.0),
}
RATES, LABELLED, CASES = (0.5, 0.9, 0.99), (20, 50, 100, 300), (1_000, 100_000)


def drawn(rng, samples, rate, judge, labelled, cases):
    """Counts of samples, shape (samples, 3, 2): as `bounds` takes them."""
    sensitivity, specificity = (rate, 1 - rate) if JUDGES[judge] is None else JUDGES[judge]
    yes, no = (
        rate * np.array([1 - sensitivity, sensitivity]),
        (1 - rate) * np.array([specificity, 1 - specificity]),
    )
    known = rng.multinomial(labelled, [*yes, *no], samples)
    others = rng.multinomial(cases - labelled, [*yes, *no], samples)
    return np.stack([known[:, :2], known[:, 2:], others[:, :2] + others[:, 2:]], 1).astype(float)


def joined(counts):
    """The same, where a class of the judge without labelled cases is joined to the other."""
    lacking = (counts[:, :2].sum(1) == 0).any(-1)[:, None, None]
    both = np.stack([counts.sum(-1), np.zeros(counts.shape[:2])], -1)
    return np.where(lacking, both, counts)


def ends_of(counts):
    """The interval of each sample; with one class of the judge that has no cases, of the other alone."""
    single = counts[:, :, 1].sum(-1) == 0
    low, high = np.empty(len(counts)), np.empty(len(counts))
    for some, classes in ((single, 1), (~single, 2)):
        if some.any():
            low[some], high[some] = bounds(counts[some][..., :classes], normal_quantile(LEVEL))
    return low, high


def of_labels(samples):
    """By setting: the coverage with the judge, and the median width over that of the labels alone."""
    rng = np.random.default_rng(SEED)
    for labelled, cases, rate in product(LABELLED, CASES, RATES):
        cells = []
        for judge in JUDGES:
            counts = joined(drawn(rng, samples, rate, judge, labelled, cases))
            low, high = ends_of(counts)
            alone = wilson(counts[:, 0].sum(-1), np.full(samples, float(labelled)), LEVEL)
            width = np.median(high - low) / np.median(alone[1] - alone[0])
            cells.append(f"{np.mean((low <= rate) & (rate <= high)):.3f}, {width:.2f}")
        print(f"| {labelled} | {cases:,} | {rate:g} | {' | '.join(cells)} |", flush=True)


def case_by_case(rng, kind, labelled, cases):
    """Truth, the judge and clusters or weights of a sample, with the true rate or mean."""
    if kind.startswith("amounts"):
        latent = rng.normal(size=cases)
        noise = {"amounts": 0.5, "amounts, noise": 1e6, "amounts, skewed": 0.5}[kind]
        judge = latent + noise * rng.normal(size=cases)
        truth = np.exp(latent) if "skewed" in kind else latent + 0.3 * rng.normal(size=cases)
        return truth, judge, {"regression": True}, np.exp(0.5) if "skewed" in kind else 0.0
    more = {}
    chance = np.full(cases, 0.8)
    if kind == "clusters":
        more["clusters"] = np.arange(cases) // 5
        chance = rng.beta(4, 1, cases // 5 + 1)[np.arange(cases) // 5]
    truth = rng.random(cases) < chance
    judge = np.where(rng.random(cases) < 0.85, truth, ~truth)
    rate = 0.8
    if kind == "weights":  # which rise with the label
        more["weight"] = np.where(truth, 1.0, 2.0) * rng.gamma(2.0, 1.0, cases)
        rate = 0.8 / (0.8 + 2 * 0.2)
    return truth * 1.0, judge * 1, more, rate


KINDS = ("amounts", "amounts, noise", "amounts, skewed", "clusters", "weights")


def of_cases(samples):
    """By kind of data: coverage and width, through `with_judge`; of labels also Rogan-Gladen."""
    rng = np.random.default_rng(SEED)
    for kind, labelled in product(KINDS, (50, 100, 300)):
        hits, widths, corrected, alarms = [], [], [], 0
        for _ in range(samples):
            truth, judge, more, right = case_by_case(rng, kind, labelled, 1_000)
            known = np.arange(1_000) < labelled  # whole clusters
            found = tm.with_judge(truth=np.where(known, truth, np.nan), judge=judge, **more)
            one, alone = found["with_judge"], found["labels_alone"]
            hits.append(one.low <= right <= one.high)
            widths.append((one.high - one.low, alone.high - alone.low))
            other = found.estimates.get("rogan_gladen", one)
            corrected.append(other.low <= right <= other.high)
            alarms += any(notice.code == "judge-differs" for notice in found.notices)
        width = np.divide(*np.median(widths, 0))
        print(
            f"| {kind} | {labelled} | {np.mean(hits):.3f} | {width:.2f} | {np.mean(corrected):.3f} |"
            f" {alarms / samples:.3f} |", flush=True,
        )  # fmt: skip


def of_rogan_gladen(samples):
    """Coverage of Rogan-Gladen, case by case as `with_judge` does it, for judges and rates."""
    rng = np.random.default_rng(SEED)
    for rate, judge in product((0.5, 0.9), (".9/.9", ".6/.6")):
        hits = []
        for _ in range(samples):
            yes, no = JUDGES[judge]
            truth = rng.random(1_000) < rate
            called = np.where(truth, rng.random(1_000) < yes, rng.random(1_000) >= no)
            found = tm.with_judge(truth=np.where(np.arange(1_000) < 100, truth, np.nan), judge=called * 1)
            one = found.estimates.get("rogan_gladen")
            hits.append(one is None or bool(one.undefined) or one.low <= rate <= one.high)
        print(f"| {rate:g} | {judge} | {np.mean(hits):.3f} |", flush=True)


def of_differences(samples):
    """Coverage of the difference of two models that answer the same questions."""
    rng = np.random.default_rng(SEED)
    for labelled, like in product((50, 100), (0.0, 0.8, 0.98)):
        hits, widths = [], []
        for _ in range(samples):
            first = rng.random(1_000) < 0.8
            second = np.where(rng.random(1_000) < like, first, rng.random(1_000) < 0.75)
            right = (1 - like) * 0.05
            truth = np.concatenate([first, second])
            judge = np.where(rng.random(2_000) < 0.9, truth, ~truth)
            question = np.tile(np.arange(1_000), 2)
            found = tm.with_judge(
                truth=np.where(question < labelled, truth, np.nan), judge=judge * 1, clusters=question,
                by=np.repeat(["a", "b"], 1_000), reference="b",
            )  # fmt: skip
            one = found.differences[0].estimate
            hits.append(one.low <= right <= one.high)
            widths.append(one.high - one.low)
        print(f"| {labelled} | {like:g} | {np.mean(hits):.3f} | {np.median(widths):.3f} |", flush=True)


if __name__ == "__main__":
    part = 10 if "--few" in sys.argv else 1
    for name, samples in {
        "labels": 4_000,
        "cases": 1_000,
        "rogan_gladen": 1_000,
        "differences": 200,
    }.items():
        if not {"labels", "cases", "rogan_gladen", "differences"} & {*sys.argv} or name in sys.argv:
            print(name, flush=True)
            globals()[f"of_{name}"](samples // part)
