"""The catalogue: measures, curves, rules, intervals, tests, losses and conversions, found by any name.

Names are declared where a thing is defined; this index reads the registries, which are complete once the
modules below are loaded.
"""

from __future__ import annotations

from typing import Any, overload

from ... import curves, probability  # noqa: F401  # they enter what they define
from ...curves import crossings  # noqa: F401
from ...evaluation import (  # noqa: F401
    advice,
    class_mix,
    class_weights,
    contingency,
    identification,
    prevalence,
    roc_points,
    significance,
    threshold_table,
    unscored,
)
from ...evaluation.paired import swapping  # noqa: F401
from ...evaluation.thresholds import rules  # noqa: F401
from ...inference.bootstrap import intervals  # noqa: F401
from ...inference.hypothesis import calibration, multiplicity  # noqa: F401
from ...inference.intervals import averages, paired  # noqa: F401
from ...input.calls import public
from ...input.listed import LISTED, Listed
from ...measures import registry
from ...measures.registry import Measure
from ...probability import convert, information, losses, scoring_rules  # noqa: F401
from ...studies import retraining  # noqa: F401
from ...studies.compare import paired_answers, reclassification  # noqa: F401
from ...summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from .matching import KINDS, Entry, matches

Summary = Counts | RankingTable | ConfusionMatrix | IndicatorTable | ClassScores | Residuals

__all__ = ["KINDS", "Entry", "Listed", "entries", "find"]


def entries() -> tuple[Entry, ...]:
    """Everything in the catalogue; of a measure with several forms, all of them."""
    others = sorted(LISTED.values(), key=lambda one: (KINDS.index(one.kind), one.name))
    return (*registry.all_measures(), *others)


@overload
def find(wanted: str) -> tuple[Entry, ...]: ...
@overload
def find(wanted: Summary | type[Summary]) -> tuple[Measure, ...]: ...


@public()
def find(wanted: Any) -> tuple[Entry, ...]:
    """Find measures, curves, rules, intervals, tests, losses and conversions.

    Parameters
    ----------
    wanted : str, summary or type of a summary
        A name in any spelling, an abbreviation, or words. For a summary, or the type of one: the measures
        that are computed from it.

    Returns
    -------
    tuple of Measure and Listed
        The best match first; several where the name is ambiguous. Empty if nothing is found.

    Notes
    -----
    Names and abbreviations are compared first, then names without words such as "score" and "curve", then
    names with a typing slip, then the words of titles.

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.find("phi")[0].name, "sensitivity" in [entry.name for entry in tm.find(tm.Counts)]
    ('matthews_correlation', True)
    >>> [(entry.kind, entry.name) for entry in tm.find("lift chart")]
    [('curve', 'lift')]
    """
    if not isinstance(wanted, str):
        return registry.find(wanted)
    return matches(wanted, entries())
