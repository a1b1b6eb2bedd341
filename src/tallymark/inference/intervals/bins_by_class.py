"""Calibration errors over bins in a case-control design: populations and samples with fixed class sizes.

Positives and negatives are drawn by themselves, with the proportions found in the bins. The members of the
family differ in the mean probability of a bin, not in its proportion of positives, which would change the
class mix.
"""

from __future__ import annotations

import numpy as np

from ...measures.families.bins import Bins


def populations(bins: Bins, cases: np.ndarray, gaps: np.ndarray) -> Bins:
    """The members of the family: the bins with these gaps, one row for each.

    cases: the effective number in each bin. Each bin gets one more case, of the class mix of all cases, so
    that none is without a class.
    """
    weight = bins.weight * (1 + 1 / np.maximum(cases, 1.0))
    share = float(bins.positive.sum() / bins.weight.sum())
    positive = bins.positive + (weight - bins.weight) * share
    mean = np.clip(positive / weight - gaps, 0.0, 1.0)
    return Bins(np.broadcast_to(weight, gaps.shape), np.broadcast_to(positive, gaps.shape), mean * weight)


def samples(members: Bins, sizes: tuple[float, float], replicates: int, seed: int) -> Bins:
    """Samples with these effective class sizes: axes member, replicate, bin.

    The cases are the same for all members, and drawn once.
    """
    random = np.random.default_rng(seed)
    parts = members.positive[0], members.weight[0] - members.positive[0]
    positive, negative = (_drawn(random, *part, replicates) for part in zip(parts, sizes, strict=True))
    weight = np.broadcast_to(positive + negative, (len(members.weight), *positive.shape))
    mean = members.expected / members.weight
    return Bins(weight, np.broadcast_to(positive, weight.shape), weight * mean[:, None])


def _drawn(random: np.random.Generator, weight: np.ndarray, size: float, replicates: int) -> np.ndarray:
    cases, total = max(round(size), 1), float(weight.sum())
    if not total:  # no case of the class
        return np.zeros((replicates, len(weight)))
    found: np.ndarray = random.multinomial(cases, weight / total, replicates) * (total / cases)
    return found
