"""The catalogue: measures, curves, rules, intervals, tests, losses and conversions, found by any name.

Names are declared where a thing is defined; this index reads the registries, which are complete once the
modules below are loaded.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, overload

from ...input.calls import public
from ...input.names import LISTED, Listed, plain
from ...input.validate import nearest
from ...measures import registry
from ...measures.registry import Measure
from ...summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from .matching import KINDS, Entry, matches, near

for _module in (  # which enter what they define
    "curves", "curves.crossings", "evaluation.advice", "evaluation.class_mix", "evaluation.class_weights",
    "evaluation.contingency", "evaluation.identification", "evaluation.paired.comparison",
    "evaluation.paired.swapping",
    "evaluation.prevalence", "evaluation.roc_points", "evaluation.significance", "evaluation.threshold_table",
    "evaluation.thresholds", "evaluation.unscored", "inference.bootstrap.intervals",
    "inference.hypothesis", "inference.intervals.of_matrices",
    "probability.convert", "probability.losses",
    "probability.scoring_rules", "studies.compare.named_tests", "studies.compare.reclassification",
    "studies.retraining",
):  # fmt: skip
    import_module(f"...{_module}", __package__)

Summary = Counts | RankingTable | ConfusionMatrix | IndicatorTable | ClassScores | Residuals

__all__ = ["KINDS", "Entries", "Entry", "Listed", "entries", "find"]


class Entries(tuple[Entry, ...]):
    """The entries that a query names, the best first, or none and the ones near it.

    Attributes
    ----------
    near : tuple of Measure and Listed
        The entries that share words with the query, where it names none.
    """

    near: tuple[Entry, ...] = ()

    def __repr__(self) -> str:
        return super().__repr__() if self else f"<nothing in the catalogue{self.hint()}>"

    def hint(self) -> str:
        """The names of those near, in brackets."""
        named = [one.name if one.kind == "measure" else f"{one.name} ({one.kind})" for one in self.near]
        return f" (near it: {', '.join(named)})" if named else ""


def entries() -> tuple[Entry, ...]:
    """Everything in the catalogue; of a measure with several forms, all of them."""
    others = sorted(LISTED.values(), key=lambda one: (list(KINDS).index(one.kind), one.name))
    return (*registry.all_measures(), *others)


def instead_of(name: str, public_names: list[str]) -> str:
    """What to type in place of tallymark.NAME, for a name of an entry; else the nearest public name."""
    uses = [one.use for one in entries() if plain(name) in map(plain, one.names)]
    return f"; write {uses[0]}" if uses else nearest(name, public_names)


@overload
def find(wanted: str | None = None) -> Entries: ...
@overload
def find(wanted: Summary | type[Summary]) -> tuple[Measure, ...]: ...


@public()
def find(wanted: Any = None) -> tuple[Entry, ...]:
    """Find measures, curves, rules, intervals, tests, losses and conversions.

    Parameters
    ----------
    wanted : str, summary or type of a summary, optional
        A name in any spelling, an abbreviation, or words. For a summary, or the type of one: the measures
        that are computed from it. By default everything.

    Returns
    -------
    tuple of Measure and Listed
        The best match first; several where the name is ambiguous, or where the query joins several names by
        "and". If nothing has the name it is empty, and its attribute `near` has what shares words with it.

    Notes
    -----
    Names, abbreviations and citations ("Berrar Def. 31") are compared first, then names without words such as
    "score" and "curve", then names with a typing slip, then the words of names, families, titles and sources,
    of which rare ones count most.

    Examples
    --------
    >>> import tallymark as tm
    >>> tm.find("phi")[0].name, "sensitivity" in [entry.name for entry in tm.find(tm.Counts)]
    ('matthews_correlation', True)
    >>> [(entry.kind, entry.name) for entry in tm.find("lift chart")]
    [('curve', 'lift')]
    >>> tm.find("gold standard")
    <nothing in the catalogue (near it: contingency_table (function))>
    """
    if wanted is None:
        return Entries(entries())
    if not isinstance(wanted, str):
        return registry.find(wanted)
    named = registry.forms(wanted) if registry.known(wanted) else ()
    over_classes = (one for one in named if isinstance(one, registry.Average) and one.aliases)
    every = (*over_classes, *entries())
    found = Entries(matches(wanted, every))
    if not found:
        found.near = tuple(near(wanted, every))
    return found
