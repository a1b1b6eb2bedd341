"""How cases of two classes are sampled: each class separately, or as they come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...inference.fixed_sizes import HELD
from ...input import validate
from ...input.options import DESIGNS, Design
from ...input.spelling import option
from ...input.validate import InputError
from .plan import share_of
from .search import smallest, to_collect

COHORT: Design = "cohort"
FEWEST = 2  # cases of a class: a single one has no variance


@dataclass(frozen=True)
class Sizes:
    """The numbers of cases in a plan: see `Plan`."""

    positives: int
    negatives: int
    prevalence: float | None = None
    on_average: int | None = None
    cases: int | None = None
    assurance: float | None = None
    design: Design = COHORT


@dataclass(frozen=True)
class Sampling:
    """A ratio of negatives to positives, or a prevalence and the assurance for it.

    assurance: the probability with which the cases to collect hold enough of each class; fixed: whether the
    class sizes are fixed by the prevalence, or cases are taken as they come.

    fixed: whether as many of each class are taken as the prevalence says, and not cases as they come.
    """

    ratio: float
    prevalence: float | None
    assurance: float
    fixed: bool = False

    def sizes(self, enough: Callable[[Any, Any], Any], asked: str) -> Sizes:
        """The smallest numbers of positives and negatives that are enough.

        enough: a condition on both that stays true for larger numbers.
        """

        def good(positives: Any, negatives: Any) -> Any:
            fewest = np.minimum(positives, negatives)
            return (fewest >= FEWEST) & enough(np.maximum(positives, FEWEST), np.maximum(negatives, FEWEST))

        if self.prevalence is None:
            positives = smallest(lambda n: good(n, self._negatives(n)), asked)
            return Sizes(positives, self._negatives(positives), design=HELD if self.fixed else COHORT)
        share = self.prevalence
        average = smallest(lambda n: good(*_split(n, share)), asked)
        positives, negatives = _split(average, share)
        if self.fixed:
            return Sizes(positives, negatives, share, cases=average, design=HELD)
        cases = to_collect(good, share, self.assurance, FEWEST, asked)
        return Sizes(positives, negatives, share, average, cases, self.assurance)

    def _negatives(self, positives: int) -> int:
        return int(np.ceil(positives * self.ratio - 1e-9))


def _split(cases: int, share: float) -> tuple[int, int]:
    """The number of cases of each class, on average."""
    positives = round(cases * share)
    return positives, cases - positives


def is_fixed(design: Design) -> bool:
    """Whether the class sizes are fixed."""
    return validate.choice(design, DESIGNS, "design") == HELD


def sampled(prevalence: float | None, ratio: float | None, assurance: float, design: Design) -> Sampling:
    """The design, with its arguments checked."""
    fixed = is_fixed(design)
    if prevalence is not None and ratio is not None:
        raise InputError(
            "conflict",
            "negatives_per_positive",
            f"{option('prevalence')} already determines the number of negatives",
            "leave one of them out",
        )
    ratio_or_one = 1.0 if ratio is None else validate.number(ratio, "negatives_per_positive", 1e-6, 1e6)
    return Sampling(
        ratio_or_one,
        None if prevalence is None else share_of(prevalence, "prevalence"),
        share_of(assurance, "assurance"),
        fixed,
    )
