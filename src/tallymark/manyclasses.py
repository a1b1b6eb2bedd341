"""Many classes: every measure of every class, and its averages, each worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from . import registry
from .summaries import ConfusionMatrix, Counts, IndicatorTable
from .uncertainty import Estimate, Settings, estimate_each
from .uncertainty.averages import Averages

AVERAGES = ("macro", "weighted", "micro")


class OnDemand(Mapping):
    """A mapping whose values are worked out when they are asked for, by a function of the key."""

    def __init__(self, keys: Sequence, value_of: Callable[[Any], Any] = lambda key: None):
        self._keys, self._value_of = dict.fromkeys(keys), value_of

    def __getitem__(self, key: Any) -> Any:
        if key not in self._keys:
            raise KeyError(key)
        return self._value_of(key)

    def __iter__(self) -> Iterator:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __repr__(self) -> str:
        return f"<{len(self)} entries: {', '.join(map(str, list(self)[:4]))}{', …' * (len(self) > 4)}>"


class ManyClasses:
    """The estimates of every class of a table, and their averages.

    table: of K classes, or of L labels; scale: what its weights are multiplied with for intervals (the effective sample size over
    their sum); parameters: of measures, by name.
    """

    def __init__(self, table: ConfusionMatrix | IndicatorTable, settings: Settings, scale: float, parameters: Mapping):
        self.table, self.settings, self.scale, self.parameters = table, settings, scale, parameters
        self.counts = table.one_vs_rest()
        self.names = [entry.name for entry in registry.find(Counts)]
        self._each: dict[str, list[Estimate]] = {}
        self._averages: dict[tuple[str, str], Estimate] = {}
        self._place = {label: i for i, label in enumerate(table.labels)}

    def each(self, name: str) -> list[Estimate]:
        """A measure of every class against the rest, in the order of the labels."""
        if name not in self._each:
            like = None if self.scale == 1 else self.counts * self.scale
            given = self.parameters.get(name, {})
            self._each[name] = estimate_each(name, self.counts, self.settings, like, **given)
        return self._each[name]

    @property
    def classes(self) -> OnDemand:
        """By label, the estimates by measure."""
        return OnDemand(self.table.labels, lambda label: OnDemand(self.names, lambda name: self.each(name)[self._place[label]]))

    @property
    def averages(self) -> OnDemand:
        """By kind of average ("macro", "weighted", "micro"), the estimates by measure."""
        return OnDemand(AVERAGES, lambda kind: OnDemand(self.names, lambda name: self._average(kind, name)))

    def _average(self, kind, name):
        if (kind, name) not in self._averages:
            entry = registry.get(name, Counts)
            function = partial(entry.function, **self.parameters.get(name, {}))
            of_measure = Averages(entry, function, self.each(name), self.table, self.settings)
            self._averages[kind, name] = getattr(of_measure, kind)(self.scale * self.table.total)
        return self._averages[kind, name]
