"""Columns, rows and sentences that kinds of results share, and results without a maker of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import PurePath
from typing import Any

from ...evaluation.notices import number_of as number_of
from ...input import text
from ...input.arguments import PERSONS
from ...input.sample import DataInfo, conditions
from ...measures import registry
from ...measures.titles import title, words
from ..document import Cell, Column, Document, Kind, Table, in_full as in_full

Columns = Mapping[Column, Callable[..., Any]]  # and what each has of an item
LONGEST = 40  # characters of a name in a sentence
KINDS: Mapping[str, Kind] = {
    "p_value": "p",
    "adjusted_p_value": "p",
    "adjusted": "p",
    "p": "p",
    "level": "share",
}
SCREEN = 100


def name(label: object) -> str:
    """A name from data in a sentence."""
    return text.label(label, LONGEST)


def in_units(what: str, number: int) -> str:
    """As " in 40 clusters" or " of 40 persons", after the number of cases."""
    return f" {'of' if what == PERSONS else 'in'} {number_of(number, what.removesuffix('s'))}"


def cases(data: DataInfo) -> str:
    """As "16 cases: 7 positive, 9 negative"; of importance weights the share of positives."""
    said = number_of(data.rows, "case")
    if data.positives is None or data.negatives is None:
        return said
    if not data.counted:
        total = data.positives + data.negatives
        return f"{said}, weighted {data.positives / total:.1%} positive" if total else said
    return f"{said}: {text.count(data.positives)} positive, {text.count(data.negatives)} negative"


def of_others(shown: int, number: int) -> str:
    """As "2 of 4 others are", before what is shown of them."""
    if number == 1:
        return f"the other is{'' if shown else ' not'}"
    return f"{shown or 'none'} of {number} others {'is' if shown == 1 else 'are'}"


def named(measure: str) -> Cell:
    """A measure in a column of names."""
    return Cell(title(measure), name=measure)


def table(
    name: str,
    items: Iterable[Any],
    columns: Columns,
    heading: str = "",
    **more: Any,
) -> Table:
    """A row per item, with what the function of each column gives for it; of a tuple, for its parts.

    A column without a title is left out where it is empty.
    """
    rows = [
        {one.key: value(*item) if type(item) is tuple else value(item) for one, value in columns.items()}
        for item in items
    ]
    shown = (one for one in columns if one.title or any(row[one.key] not in (None, "") for row in rows))
    return Table(name, tuple(shown), rows, heading, **more)


def column(measure: str, kind: Any = "estimate") -> Column:
    """A column of the estimates of a measure."""
    return Column(measure, title(measure).split(" (")[0], kind, measure)


def level(level: float) -> str:
    """A sentence on intervals."""
    return f"Intervals: {100 * level:.4g}%."


def measures(
    estimates: Iterable[tuple[str, Any]], head: str, called: str = "measures", heading: str = "", **more: Any
) -> Table:
    """A row per measure, with its estimate and method. head: of the estimates."""
    columns = {
        Column("measure", "measure", "name"): lambda one, _: named(one),
        Column("estimate", head, "estimate"): lambda _, found: found,
        Column("method", "method", "method"): lambda _, found: found,
    }
    return table(called, estimates, columns, heading, **more)


def unusual_conditions(e: Any) -> str:
    """The design and the weights, but for a cohort, which is the usual design."""
    usual = e.design == "cohort" and not e.mix_fixed_by_weights
    return conditions(None, e.data.weight_kind) if usual else str(e.conditions)


def tests(found: Iterable[Any]) -> Table:
    """A row per statistical test."""
    columns: Columns = {
        Column("test", "test", "name"): lambda one: Cell(_test(one.name), name=one.name),
        Column("statistic", "statistic", "number"): lambda one: one.statistic,
        Column("df", "df"): lambda one: None if one.df is None else f"{one.df:.4g}",
        Column("p", "p", "p"): lambda one: one.p_value,
        Column("note", ""): lambda one: one.note,
    }
    return table("tests", found, columns)


def _test(name: str) -> str:
    """As "McNemar's mid-p, Accuracy: a - b", of a name with that of a measure."""
    test, comma, of = name.partition(", ")
    measure, colon, models = of.partition(": ")
    known = title(measure) if registry.known(measure) else measure
    return f"{words(test)}{comma}{known}{colon}{models}"


def capital(sentence: str) -> str:
    """With its first letter as a capital."""
    return f"{sentence[:1].upper()}{sentence[1:]}"


def of_each(fact: str, more: Mapping[str, str], joint: str = ", ") -> tuple[str, ...]:
    """A fact with what is more to say of every model; on lines of their own where the models differ."""
    if len({*more.values()}) > 1:
        return fact, *(f"{name(model)}: {one}" for model, one in more.items())
    return (joint.join(filter(None, (fact, next(iter(more.values()))))),)


def is_shown(one: Any) -> bool:
    """Whether the adjusted p-value shows a difference."""
    return bool(one.adjusted < 1 - one.estimate.level)


def shown_of(found: Sequence[Any]) -> str:
    """How many of the differences are shown."""
    shown, limit = sum(map(is_shown, found)), f"p < {1 - found[0].estimate.level:.3g}"
    which = f"{shown} with {limit}, marked with !" if shown else f"none with {limit}"
    return f"Of {len(found)} differences {which}"


def differences(
    found: Iterable[Any],
    measures: Iterable[str],
    called: str = "differences",
    head: str = "difference",
    of: Callable[[Any], str] = attrgetter("model"),
    shown: Callable[[Any], bool] = is_shown,
    kind: Kind = "difference",
    baseline: float = 0.0,
    **more: Any,
) -> Table:
    """A row per model or other thing, a column per measure, marked where a difference is shown."""
    rows: dict[str, dict[str, Any]] = {}
    for one in found:
        row = rows.setdefault(of(one), {"name": of(one)})
        row[one.measure] = Cell(one.estimate, "!" * shown(one))
    columns = (Column("name", head, "name"), *(column(one, kind) for one in measures))
    return Table(called, columns, [*rows.values()], kind="forest", baseline=baseline, **more)


# Results without a maker of their own
# --------------------------------------------------------------------------------------------------


def rows(result: Any, full: bool = False) -> Document:
    """The short form, and the rows."""
    table = getattr(result, "table", None)
    said = repr(result).removeprefix("<").removesuffix(">")
    lead = getattr(result, "headline", None)
    if not (table or lead or result.conditions or result.notices):
        return Document(kind="sentence", headline=said)
    return Document(
        kind=type(result).__name__,
        headline="" if lead is None else str(lead),
        facts=(said, *([result.conditions] if result.conditions else [])),
        notices=result.notices,
        tables=(of_rows(table if full else table[:SCREEN]),) if table else (),
        rest=f"{text.count(len(table) - SCREEN)} more rows; .table has all."
        if table and len(table) > SCREEN and not full
        else "",
    )


def of_rows(found: Sequence[Mapping[str, Any]], called: str = "rows") -> Table:
    """Rows of plain values, without columns that are empty."""
    keys = [key for key in (found[0] if found else ()) if any(row[key] is not None for row in found)]
    columns = [Column(key, key, _kind(key, [row[key] for row in found])) for key in keys]
    return Table(called, tuple(columns), found)


def _kind(key: str, values: Sequence[Any]) -> Kind:
    if key in KINDS:
        return KINDS[key]
    known = [value for value in values if value is not None]
    if any(isinstance(value, bool) or not isinstance(value, (int, float)) for value in known):
        return "name" if key in ("model", "group", "fold", "class", "measure", "requirement") else "text"
    return "count" if all(float(value).is_integer() for value in known) else "number"


def saved(result: Any, full: bool = False) -> Document:
    """What the answer showed, where its file has that, or its figures."""
    shown: Document | None = result._document(full)
    if shown is not None:
        return shown
    data = result.to_dict().get("data") or {}
    source = PurePath(data.get("source", "")).name
    return replace(rows(result, full), title=data.get("name") or ("" if source.isidentifier() else source))


def curve(found: Any, full: bool = False) -> Document:
    """What a curve is, what its band is for, and why there is none."""
    why = found.about.note if found.about is not None else None
    facts = (repr(found), str(why or ""), found.conditions)
    points = replace(of_rows(found.table, "points"), screen=0)
    return Document(
        kind="curve",
        title=found.name,
        facts=tuple(one for one in facts if one),
        notices=found.notices,
        tables=(points,),
    )


def whole(found: Any, full: bool = True) -> Document:
    """A result in full."""
    from . import document

    return document(found.result, full=True)
