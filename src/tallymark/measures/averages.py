"""Measures that follow from those of the catalogue by their names: averages over classes, and set parameters.

"macro_f1" is the macro average of f1, "f2" is f_beta with beta = 2. They are measures like all others, of the
same lookup of names (`search`), and are made when they are named.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..input.messages.notes import Note
from ..summaries import ConfusionMatrix, Counts, IndicatorTable
from . import search
from .division import plain
from .entry import Measure
from .headline import Headline

AVERAGES = ("macro", "weighted", "micro")
TITLES = {
    "macro": ("Unweighted mean over the classes", "sum over the classes of {} / classes"),
    "weighted": ("Mean over the classes weighted by their actual cases", "sum of share of the class * {}"),
    "micro": ("Measure of the counts of all classes together", "{} of the sum of the counts"),
}  # and formula
NO_CLASS = Note("undefined-for-every-class")


@dataclass(frozen=True, eq=False, repr=False)
class Average(Measure):
    """The average over classes, or labels, of a measure of each against the rest.

    Attributes
    ----------
    kind_of_average : {"macro", "weighted", "micro"}
        The unweighted mean, the mean weighted by the actual cases of each class, or the measure of the sum of
        the counts.
    of : Measure
        The measure of one class.
    """

    kind_of_average: str = "macro"
    of: Any = None

    @property
    def base(self) -> Measure:
        """The measure whose parameters it has."""
        base: Measure = self.of
        return base

    def why_undefined(self, summary: Any) -> Note:
        """That no class has a value."""
        return NO_CLASS


def average_of(kind: str, function: Callable[..., Any], table: ConfusionMatrix | IndicatorTable) -> Any:
    """The value without an interval, over the classes for which the measure is defined."""
    counts = table.one_vs_rest()
    if kind == "micro":
        return plain(function(counts.sum()))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(function(counts), float)
        weight = np.where(np.isnan(values), 0.0, counts.positives if kind == "weighted" else 1.0)
        return plain(np.where(weight > 0, weight * values, 0.0).sum(-1) / weight.sum(-1))


def averages_of(entry: Measure, kind: str, name: str = "") -> Iterator[Average]:
    """Its average over the classes of a matrix, and over several labels.

    name: in place of that of the kind and the measure.
    """
    title, formula = (words.format(entry.name) for words in TITLES[kind])
    head = entry.headline
    for summary in (ConfusionMatrix, IndicatorTable):

        def function(table: Any, **parameters: Any) -> Any:
            return average_of(kind, partial(entry.function, **parameters), table)

        _dressed(function, name or f"{kind}_{entry.name}", entry, summary.__name__)
        function.__doc__ = (
            f"{title}: {entry.name}.\n\n{formula}\n\nA class for which it is undefined is left out.\n\n"
            f"Undefined: every class is left out.\nSource: {entry.source or 'Flemming.'}"
        )
        yield Average(
            function,
            () if name else tuple(f"{kind}_{other}" for other in entry.aliases),
            entry.range,
            entry.best,
            limits=entry.limits,
            better=entry.better,
            headline=None if head is None else Headline(head.place, f"{kind.capitalize()} {head.short}"),
            kind_of_average=kind,
            of=entry,
        )


def preset(entry: Measure, name: str) -> Measure:
    """The measure under the name that sets its parameters, as "f2"."""
    given = entry.presets[name]

    def function(table: Any) -> Any:
        return entry.function(table, **given)

    _dressed(function, name, entry, entry.summary.__name__, without=given)
    function.__doc__ = inspect.getdoc(entry.function)
    return replace(entry, function=function, aliases=(), limits={}, presets={}, headline=None)


def _dressed(function: Any, name: str, entry: Measure, summary: str, without: Iterable[str] = ()) -> None:
    """Gives the function what `Measure` reads: its name, its file, and the parameters of the measure."""
    table = inspect.Parameter("table", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=summary)
    more = [one for one in entry.signature_of_parameters if one.name not in without]
    function.__name__, function.__module__ = name, entry.function.__module__
    function.__signature__ = inspect.Signature([table, *more])


def _named(name: str) -> Iterator[Measure]:
    """The measures that follow from others and have this name."""
    of_counts = search.find(Counts)
    for entry in search.all_measures():
        if name in entry.presets:
            yield preset(entry, name)
        for kind, names in entry.names_of_averages.items():
            if name in names:
                yield from (one for one in averages_of(entry, kind, name) if one.summary is IndicatorTable)
    kind, _, rest = name.partition("_")
    if kind in AVERAGES and not search.ends_a_name(name):
        listed = {one.summary for one in search.listed_as(name)}  # macro_recall of one label per case
        for entry in [one for one in search.forms_of(rest) if one in of_counts][:1]:
            yield from (one for one in averages_of(entry, kind) if one.summary not in listed)


def _on_screen(summary: type) -> tuple[Measure, ...]:
    """The averages that have a place on the first screen."""
    return tuple(
        one
        for entry in search.find(Counts)
        if entry.headline is not None
        for kind in entry.headline.averages
        for one in search.forms_of(f"{kind}_{entry.name}")
        if one.fits(summary)
    )


search.derived_from_name.append(_named)
search.derived_for_summary.append(_on_screen)
