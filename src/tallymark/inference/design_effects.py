"""Design effects: the variance in a sample over that of independent cases of equal weight.

For maxima, hulls and areas under the precision-recall curve influence values give no valid interval, since
their bias depends on the true value. They use the method for independent cases with fewer of them: the class
sizes at which the variance equals that of the sample. Kish (1965), Survey Sampling, section 8.2; with weights
that depend on the scores, as in two-phase verification, Korn and Graubard (1998), Survey Methodology 24,
193-201.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..input.messages import Note
from ..measures.registry import ratio
from ..summaries import RankingTable
from ..summaries.ranking import Squares
from . import influence
from .covariance import CLASS_OF_CELL, EQUAL, Sampling, covariance, sampling_of
from .doubt import deciding, heavy
from .intervals.kinds import ROUNDING, Question
from .intervals.scale import normal_quantile, student_quantile


def weights_vary(table: RankingTable) -> bool:
    """Whether the cases of a class differ in weight."""
    if table.squared.positive is table.positive:
        return False
    return any(len(unit) and np.ptp(unit) > EQUAL * unit.max() for unit in unit_weights(table))


def unit_weights(table: RankingTable) -> list[np.ndarray]:
    """The weights of the cases of each class, at the scores where it has some."""
    weights = table.positive, table.negative
    return [ratio(part[w > 0], w[w > 0]) for part, w in zip(table.squared, weights, strict=True)]


def with_effective_sizes(q: Question) -> tuple[Question, Note | None]:
    """The question with classes of their effective sizes, and the note if few degrees of freedom decide it.

    Where weights are equal in each class and cases independent, it is the same.
    """
    table = q.summary
    if q.sampling is None and not weights_vary(table):
        return q, None
    base = table if q.sampling is not None else influence.thinned(table)
    sampling = q.sampling or sampling_of(base)
    of_class = np.stack([sampling.stratum == one for one in (1, 0)]) * 1.0
    values = influence.of_table(q.entry, q.function, q.parameters, base).ravel() * of_class
    together, df = covariance(values, sampling, by_class=True)
    unit = ratio(of_class @ sampling.squares, of_class @ sampling.weight) @ of_class
    of_equal = np.diag(
        covariance(values, replace(sampling, squares=sampling.weight * unit, units=None), by_class=True)[0]
    )
    both = np.trace(together)
    common = max(float(together.sum()), 0.0) / both if both else 1.0  # what the classes share of units
    kish = Sampling(sampling.weight, sampling.squares, sampling.stratum)
    limits = [kish.effective(one) / sampling.effective(one) for one in of_class]  # cases of a unit are equal
    spread = of_equal > ROUNDING**2
    effects = common * np.where(spread, np.diag(together) / np.where(spread, of_equal, 1.0), limits)
    if q.sampling is not None:
        effects = np.maximum(effects, 1.0)
    fewest = float(np.min(np.where(spread, df, np.inf)))  # of rounding there are none
    wider = (student_quantile(q.settings.level, fewest) / normal_quantile(q.settings.level)) ** 2
    squares = Squares(
        *(part * wider * effect for part, effect in zip(table.squared, effects.tolist(), strict=True))
    )
    reduced = table.of(table.score, table.positive * 1.0, table.negative * 1.0, squares)
    lacking = heavy(values.sum(0), np.array(fewest), sampling, by_class=True)
    few = deciding(min(fewest, float(table.effective_total))) if lacking else None
    cases = (cases_of_share(q) if q.cases is None else q.cases) / wider
    return replace(q, summary=reduced, cases=cases, sampling=None), few


def cases_of_share(q: Question) -> float:
    """The effective number of cases for the proportion p of positives: p (1 - p) / variance.

    At most that of independent cases.
    """
    p, sampling = float(q.summary.prior), replace(of_classes(q), fixed=False)
    values = 1.0 * (CLASS_OF_CELL == 1)[None]
    variances = [
        float(covariance(values, replace(sampling, units=units), unbiased=False)[0][0, 0])
        for units in {None, sampling.units}
    ]
    return p * (1 - p) / max(variances)


def of_classes(q: Question) -> Sampling:
    """How the cases were sampled, in four cells: positives are true positives, negatives true negatives."""
    table, fixed, cells = q.summary, q.fixed, np.array([0, 3])
    if q.sampling is None:
        sums: list[Any] = [(table.positives, table.negatives), [float(part.sum()) for part in table.squared]]
        weight, squares = (np.array([float(p), 0.0, 0.0, float(n)]) for p, n in sums)
        return Sampling(weight, squares, CLASS_OF_CELL, fixed)
    s, units = q.sampling, q.sampling.units
    assert units is not None
    cell = np.eye(4)[np.where(s.stratum == 1, *cells)]
    units = units.in_cells(cell, CLASS_OF_CELL)
    return Sampling(s.weight @ cell, s.squares @ cell, CLASS_OF_CELL, fixed, units)
