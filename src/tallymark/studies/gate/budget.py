"""A test set that is used for several decisions: the level of each, and the sentence on it."""

from __future__ import annotations

from dataclasses import replace

from ...evaluation.results import Evaluation
from ...input.text import count


def shared(e: Evaluation, uses: int | None) -> Evaluation:
    """The evaluation with its intervals at 1 - (1 - level) / uses; unchanged without a number of uses."""
    if uses is None:
        return e
    return replace(e, settings=replace(e.settings, level=1 - (1 - e.settings.level) / uses))


def overall(level: float, uses: int) -> float:
    """The level of all decisions together, from that of each."""
    return round(1 - (1 - level) * uses, 12)


def sentence(level: float, uses: int | None) -> str:
    """What the level of the intervals means for a test set that is used again."""
    rate = f"{50 * (1 - overall(level, uses or 1)):.4g}%"
    if uses is None:
        return (
            f"First use of these cases: a model at a limit passes in about {rate} of samples; further uses"
            " add to that (uses)"
        )
    many = f"{count(uses)} uses of these cases in all" if uses > 1 else "a single use of these cases"
    return (
        f"Intervals at {100 * level:.6g}%, for {many}: models at a limit pass in about {rate} of samples at"
        " most (Bonferroni)"
    )
