"""Measures of many classes: every measure of every class, and the averages, computed on demand."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import replace
from functools import partial
from itertools import islice
from math import nan
from typing import Any, TypeVar

import numpy as np

from ..inference import Estimate, Settings, estimate_each, measured
from ..inference.clustered import DependentTables
from ..inference.covariance import CLASS_OF_CELL, as_cases, sampling_of
from ..inference.interval import with_fixed_mix
from ..input import text
from ..input.messages import Note
from ..input.validate import InputError, NoSuchEntry, hashable, nearest, shown
from ..measures import registry
from ..summaries import ConfusionMatrix, Counts, IndicatorTable

K = TypeVar("K")
V = TypeVar("V")

SHOWN = 6  # number of keys that a message lists
MOST_ROWS = 100  # that are printed
USUAL = ("sensitivity", "precision", "f1")
WITHHELD = Note("not-for-classes-here")


def nothing(key: Any) -> Any:
    """The value for no key."""


def itself(key: Any) -> Any:
    """The key itself."""
    return key


class OnDemand(Mapping[K, V]):
    """A mapping whose values are computed on demand, by a function of the key.

    The functions are bound methods or partials of named functions, so that a mapping can be pickled and
    copied.
    """

    def __init__(
        self,
        keys: Iterable[K],
        value_of: Callable[[Any], V] = nothing,
        known_as: Callable[[Any], Any] = itself,
        before_all: Callable[[Any], Any] = nothing,
    ):
        """before_all: is called with the keys before all values are computed, which may share work."""
        self._before_all = before_all
        self._keys = keys if isinstance(keys, dict) else dict.fromkeys(keys)
        self._value_of, self._known_as = value_of, known_as

    def __getitem__(self, key: Any) -> V:
        known = self._known_as(key) if hashable(key) else key
        if not hashable(key) or known not in self._keys:
            some = ", ".join(map(str, list(self)[:SHOWN]))
            more = f" and {len(self) - SHOWN} more" if len(self) > SHOWN else ""
            raise NoSuchEntry(
                "unknown-name",
                None,
                f"{shown(key)} is not here{nearest(key, self._keys)}",
                f"there are {some or 'no entries'}{more}",
                value=key,
            )
        return self._value_of(known)

    def __iter__(self) -> Iterator[K]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def items(self) -> ItemsView[K, V]:
        """The keys with the values."""
        self._before_all(self._keys)
        return super().items()

    def values(self) -> ValuesView[V]:
        """The values."""
        self._before_all(self._keys)
        return super().values()

    def __contains__(self, key: object) -> bool:
        try:
            return hashable(key) and self._known_as(key) in self._keys
        except InputError:
            return False

    def __str__(self) -> str:
        """A row for each entry: an estimate, or of each class or average the usual measures."""
        each: list[tuple[Any, Any]] = list(islice(self.items(), MOST_ROWS))
        if not each or not all(isinstance(one, (Estimate, OnDemand)) for _, one in each):
            return repr(self)
        usual = USUAL if isinstance(each[0][1], OnDemand) else ()
        head = ["", *usual] if usual else ["measure", "value and interval"]
        rows = [
            [str(key), *(_cell(one[name]) for name in usual)] if usual else [str(key), _cell(one)]
            for key, one in each
        ]
        more = [f"{len(self) - len(each):,} more"] if len(self) > len(each) else []
        return "\n".join([text.blocks(head, rows), *more])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What an interactive shell and a notebook show."""
        printer.text(str(self))

    def __repr__(self) -> str:
        return f"<{len(self)} entries: {', '.join(map(str, list(self)[:4]))}{', …' * (len(self) > 4)}>"


class ManyClasses:
    """The estimates of every class of a table, and their averages.

    table: of K classes, or of L labels; parameters: of measures, by name; clusters: those of the cases;
    withheld: why there are no intervals.
    """

    def __init__(
        self,
        table: ConfusionMatrix | IndicatorTable,
        settings: Settings,
        parameters: Mapping[str, Mapping[str, Any]],
        clusters: DependentTables | None = None,
        withheld: Note | None = None,
    ):
        self._known = itself if withheld is None else partial(_without_interval, withheld)
        self.clusters = clusters
        self.summary, self.settings, self.parameters = table, with_fixed_mix(settings, table), parameters
        self.counts = table.one_vs_rest()
        self.as_cases = as_cases(table)
        self.names = [entry.name for entry in registry.find(Counts)]
        self._each: dict[str, list[Estimate]] = {}
        self._averages: dict[tuple[str, str], Estimate] = {}
        self._place = {label: i for i, label in enumerate(table.labels)}

    def each(self, name: str) -> list[Estimate]:
        """A measure of every class against the rest, in the order of the labels."""
        if name not in self._each:
            several, given = isinstance(self.summary, ConfusionMatrix), dict(self.parameters.get(name, {}))
            if self.clusters is not None:
                found = self.clusters.each(name, self.summary, self.settings, given)
            else:
                counts = self.as_cases.one_vs_rest()
                found = estimate_each(name, counts, self.settings, of_classes=several, **given)
            self._each[name] = list(map(self._known, found))
        return self._each[name]

    @property
    def class_sizes(self) -> np.ndarray:
        """The effective number of actual cases of each class."""
        return sampling_of(self.counts).effective(CLASS_OF_CELL * 1.0)

    @property
    def classes(self) -> OnDemand[Any, OnDemand[str, Estimate]]:
        """By label, the estimates by measure."""
        return OnDemand(self.summary.labels, self._of_class)

    @property
    def averages(self) -> OnDemand[str, OnDemand[str, Estimate]]:
        """By kind of average ("macro", "weighted", "micro"), the estimates by measure."""
        return OnDemand(registry.AVERAGES, self._of_kind)

    def _of_class(self, label: Any) -> OnDemand[str, Estimate]:
        return OnDemand(self.names, partial(self._in_class, label), _own_name)

    def _in_class(self, label: Any, name: str) -> Estimate:
        return self.each(name)[self._place[label]]

    def _of_kind(self, kind: str) -> OnDemand[str, Estimate]:
        return OnDemand(self.names, partial(self._average, kind), _own_name)

    def _average(self, kind: str, name: str) -> Estimate:
        if (kind, name) not in self._averages:
            entry, given = (
                registry.get(f"{kind}_{name}", type(self.summary)),
                dict(self.parameters.get(name, {})),
            )
            found = measured(entry, self.summary, self.settings, given, self.clusters)
            self._averages[kind, name] = self._known(found)
        return self._averages[kind, name]


def _cell(found: Any) -> str:
    """The value with its interval."""
    if found.undefined:
        return "-"
    places = text.digits_of(found.low, found.high) if found.has_interval else None
    ends = f" {text.interval(found.low, found.high)}" if found.has_interval else ""
    return f"{text.rounded(found.centre, places)}{ends}"


def _own_name(name: str) -> str:
    return registry.get(name, Counts).name


def _without_interval(why: Note, found: Estimate) -> Estimate:
    """The estimate without its interval, which the cases do not allow."""
    notes = found.notes if found.undefined else (why,)
    return replace(found, low=nan, high=nan, method=None, notes=notes, standard_error=None)
