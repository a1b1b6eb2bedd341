"""Pairs on the cases that two test sets share: how often the gate passes a model that is worse by the margin,
and how wide the interval is beside that of independent sets. Run: python docs/simulated_releases.py"""

import numpy as np
from scipy.special import ndtr

import tallymark as tm

SAMPLES, SEED, WORSE, GOOD = 1_000, 20261127, 1.3, 1.5
KEY = b"the key of a simulation"
PROCESSES = {  # cases, share of positives, decimals of the scores, standard deviation of the positives
    "normal": (400, 0.3, 6, 1.0),
    "rare": (1_000, 0.05, 6, 1.0),
    "rounded": (400, 0.3, 1, 1.0),
    "skewed": (400, 0.3, 6, 2.0),
}


def scores(rng, positive, distances, correlation, decimals, spread):
    """Two models, whose scores are correlated within a class."""
    common = rng.normal(size=len(positive))
    own = rng.normal(size=(2, len(positive)))
    normal = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
    normal = np.where(positive, spread * normal + np.array(distances)[:, None], normal)
    return np.round(ndtr(normal - 1), decimals)


def areas(share, decimals, spread):
    """The areas of both models in the population."""
    rng = np.random.default_rng(1)
    positive = rng.random(2_000_000) < share
    both = scores(rng, positive, (WORSE, GOOD), 0.0, decimals, spread)
    return [tm.measures.roc_auc(tm.RankingTable.from_arrays(truth=positive, score=one)) for one in both]


def sample(rng, shared, size, share, correlation, decimals, spread):
    """The test set of the release with its scores, and that of the new model."""
    total = size + size - round(shared * size)
    positive = rng.random(total) < share
    new, old = scores(rng, positive, (WORSE, GOOD), correlation, decimals, spread)
    names = np.arange(total)
    return (
        {"id": names[:size], "y": positive[:size], "p": old[:size]},
        {"id": names[-size:], "y": positive[-size:], "p": new[-size:]},
    )


def main():
    """Prints a line for each setting."""
    columns = {"truth": "y", "score": "p"}
    for name, (size, share, decimals, spread) in PROCESSES.items():
        worse, good = areas(share, decimals, spread)
        for correlation in (0.3, 0.6, 0.9):
            for shared in (0.5, 0.75, 1.0):
                rng, passed, failed, widths = np.random.default_rng(SEED), 0, 0, []
                for i in range(SAMPLES):
                    old, new = sample(rng, shared, size, share, correlation, decimals, spread)
                    kept = tm.release(old, **columns, pair_by="id", key=KEY)
                    asked = {**columns, "no_worse_than": good - worse}
                    verdict = tm.check(new, **asked, pair_by="id", baseline=kept, key=KEY)
                    passed += verdict.findings[0].estimate.low >= worse - good
                    failed += verdict.findings[0].estimate.high < worse - good
                    if i < 100:
                        apart = tm.check(new, **asked, baseline=kept, paired=False).findings[0].estimate
                        pairs = verdict.findings[0].estimate
                        widths.append((pairs.high - pairs.low) / (apart.high - apart.low))
                print(
                    f"{name}, r = {correlation}, shared {shared:.0%}: passes {passed / SAMPLES:.1%},"
                    f" fails {failed / SAMPLES:.1%}, width {np.median(widths):.2f} of independent",
                    flush=True,
                )


if __name__ == "__main__":
    main()
