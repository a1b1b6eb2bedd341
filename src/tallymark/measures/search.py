"""The measures of the catalogue, and searches in it by name and by summary.

No list of measures is kept anywhere else. A search is cached until the catalogue changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from ..input.names import plain
from ..input.validate import InputError, nearest, shown

if TYPE_CHECKING:
    from .registry import Measure

_measures: dict[tuple[str, type], Measure] = {}  # by name and summary: a name has one form per summary
_names: dict[str, dict[str, None]] = {}  # names of measures by name or alias: several if of other summaries
_titles: dict[str, str] = {}  # names of measures by the title under which they are printed
# of measures that follow from others: by the name that they are made for, and those of a summary that every
# evaluation has
derived_from_name: list[Callable[[str], Iterable[Measure]]] = []
derived_for_summary: list[Callable[[type], Iterable[Measure]]] = []


def enter(entry: Measure) -> None:
    """Enters a measure under its name and its aliases. Raises ValueError where one is taken."""
    for name in entry.names:
        other = next((one for one in forms_of(name) if one.summary is entry.summary), None)
        if other is not None:
            raise ValueError(f"{name} is already a name of {other.name}")
    for name in entry.names:
        _names.setdefault(name, {})[entry.name] = None
    if entry.headline is not None:
        _titles[plain(entry.headline.label)] = entry.name
    _measures[entry.name, entry.summary] = entry
    forget_searches()


def of_name(name: str, summary: type) -> Measure | None:
    """The measure of exactly this name and summary."""
    return _measures.get((name, summary))


def listed_as(name: str) -> list[Measure]:
    """Those of the catalogue with this name, alias or title, as it is spelled."""
    wanted = _names.get(name) or ([_titles[name]] if name in _titles else ())
    return [entry for entry in _measures.values() if entry.name in wanted]


@cache
def forms_of(name: str) -> tuple[Measure, ...]:
    """All measures of this name, alias or title as it is spelled, each of another summary."""
    found = listed_as(name)
    # a measure with this name comes before those with this alias, and one that the others are forms of first
    named = {entry.name: {one.name for one in found if entry.name in one.names} for entry in found}
    found.sort(key=lambda entry: (entry.name != name, -len(named[entry.name])))
    return (*found, *(one for derive in derived_from_name for one in derive(name)))


@cache
def _of(summary: type) -> tuple[Measure, ...]:
    return tuple(entry for entry in _measures.values() if entry.fits(summary))


@cache
def _allowed(summary: type, scores: frozenset[str | None], ordered: bool) -> tuple[Measure, ...]:
    return tuple(entry for entry in _of(summary) if entry.scores in scores and (ordered or not entry.ordered))


@cache
def measured_on(
    summaries: tuple[type, ...], scores: frozenset[str | None], ordered: bool
) -> dict[str, tuple[Measure, int]]:
    """By name the measures that any of these summaries allows, each with the place of its summary.

    scores: the kinds of scores that the summaries may hold; ordered: whether the classes have an order.
    """
    found: dict[str, tuple[Measure, int]] = {}
    for place, one in enumerate(summaries):
        derived = (entry for of_summary in derived_for_summary for entry in of_summary(one))
        found |= {entry.name: (entry, place) for entry in (*_allowed(one, scores, ordered), *derived)}
    return found


def forget_searches() -> None:
    """Clears the caches, as after a change of the catalogue."""
    for search in (forms_of, _of, _allowed, measured_on):
        search.cache_clear()


def all_measures() -> tuple[Measure, ...]:
    """Every measure, family by family, in the order of definition."""
    return tuple(_measures.values())


def is_listed(entry: Measure) -> bool:
    """Whether the catalogue lists the measure; it does not follow from another one by its name."""
    return _measures.get((entry.name, entry.summary)) is entry


def ends_a_name(name: str) -> bool:
    """Whether this is the end of a name or alias, as weighted_kappa, which is linear or quadratic."""
    return any(one.endswith(f"_{name}") for one in _names)


def known(name: Any) -> bool:
    """Whether a measure has this name, alias or title."""
    return isinstance(name, str) and bool(forms_of(plain(name)))


def get(name: str, summary: type | None = None) -> Measure:
    """The measure of this name, alias or title, in any spelling.

    summary: where there are several forms, the type of summary of the one wanted. Raises InputError with the
    nearest name.
    """
    key = plain(name if isinstance(name, str) else shown(name))
    if not forms_of(key):
        raise InputError(
            "unknown-name",
            None,
            f"{shown(name)} is not a measure in the catalogue{nearest(key, _names)}",
            "`tallymark measures` lists them",
            value=name,
        )
    return next((entry for entry in forms_of(key) if entry.fits(summary)), forms_of(key)[0])


def forms(name: str) -> tuple[Measure, ...]:
    """All measures of this name or alias, in any spelling. Raises InputError with the nearest name."""
    get(name)  # refuses an unknown name
    return forms_of(plain(name))


def find(wanted: Any) -> tuple[Measure, ...]:
    """The measures that are computed from a summary, or from summaries of a type."""
    return _of(wanted if isinstance(wanted, type) else type(wanted))
