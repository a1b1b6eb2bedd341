"""Sums over the cases that several measures need, collected in one pass over the rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..measures.registry import Measure, of_name
from ..summaries import RankingTable
from ..summaries.passes import Sum, collect, has_blocks
from .interval import SUMS

Measures = Mapping[Measure, Mapping[str, Any]]  # with their parameters


def add_up(summary: Any, measures: Measures) -> None:
    """Collects what measures of two classes, and their intervals, need of the rows of a large table."""
    if not (measures and isinstance(summary, RankingTable) and has_blocks(summary)):
        return
    table = summary.as_cases
    every = [(entry, given) for one in measures.items() for entry, given in _with_inner(*one)]
    collect(table, [one for entry, given in every for one in _of_cases(table, entry, given)])
    answers = [one for entry, given in every for one in _of_measure(entry, given, answers=True)]
    if answers:
        collect(table.confidence, answers)


def _with_inner(entry: Measure, given: Mapping[str, Any]) -> Iterator[tuple[Measure, Mapping[str, Any]]]:
    """A measure, and those that its interval is made from."""
    yield entry, given
    for function in entry.interval.of if entry.interval is not None else ():
        inner = of_name(getattr(function, "__name__", ""), entry.summary)
        if inner is not None:
            yield inner, {name: given[name] for name in inner.parameters if name in given}


def _of_cases(table: RankingTable, entry: Measure, given: Mapping[str, Any]) -> Iterator[Sum]:
    yield from _of_measure(entry, given, answers=False)
    kind = (entry.summary.__name__, entry.interval.kind) if entry.interval is not None else None
    if kind in SUMS:
        yield from SUMS[kind](table, entry, given)


def _of_measure(entry: Measure, given: Mapping[str, Any], answers: bool) -> Iterator[Sum]:
    if entry.needs is not None and entry.needs.answers == answers:
        yield from entry.needs.wanted((entry.defaults | dict(given)).get("bins", 0))
