"""Groups of cases, and folds of a cross-validation: of one model, and of several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...input import text
from ...input.spelling import either
from ..document import Cell, Column, Document, Table, pivot
from ..grid import estimate, short, title
from . import common, evaluations
from .common import column, name, named, number_of

FEWEST = 10  # cases of a class, of groups that are ranked
SMALL = f"* fewer than {FEWEST} cases of a class: not ranked"
SHOWN = 20  # groups on a screen, the largest ones
ALL = "all cases"  # the row of these; a group with this name is in quotation marks
NO_MEASURE = "The folds have no measure of the table; see each, as table.whole."
MEAN, POOLED = "mean", "pooled"
CRITERIA = {"calibration_within_groups": "calibration"}
IN_GROUPS = {
    "calibration_in_the_large": "in the large (0)",
    "calibration_slope": "slope (1)",
    "expected_calibration_error": "ECE (0)",
}


# Groups
# --------------------------------------------------------------------------------------------------


def groups(table: Any, full: bool = False) -> Document:
    """A row for each group, then the differences; in full each group, too."""
    names = list(table) if full else largest(table)
    found = table.differences_of(names) if table.measures else ()
    tables = _of_groups(table, names, found, full) if table.measures else []
    return Document(
        kind="groups",
        title=table.whole.data.called,
        headline=_headline(table, names, found),
        facts=(_facts(table),),
        notices=table.notices,
        tables=tuple(tables),
        parts={one: partial(evaluations.every, table[one]) for one in table} if full else {},
        rest="" if full else _rest(table),
    )


def largest(table: Any) -> list[str]:
    """The groups with most cases, in the order of the table."""
    kept = set(sorted(table, key=lambda name: -table.sizes[name])[:SHOWN])
    return [name for name in table if name in kept]


def _headline(table: Any, names: Sequence[str], found: Sequence[Any]) -> str:
    """From the lowest to the highest value of the first measure, and which differences exclude 0."""
    if not table.measures:
        return ""
    measure = table.measures[0]
    known = {
        one: table[one][measure]
        for one in names
        if not table[one][measure].undefined and not table.is_small(one)
    }
    if len(known) < 2:
        return ""
    ends = (pick(known, key=lambda one: known[one].value) for pick in (min, max))
    low, high = (f"{estimate(known[one])} ({name(one)})" for one in ends)
    whole = table.whole[measure]
    here = "" if whole.undefined else f", {text.rounded(whole.centre)} on all cases"
    of = f" in the {len(names)} largest groups" if len(names) < len(table) else ""
    return f"{title(measure).split(' (')[0]} is between {low} and {high}{of}{here}; {_apart(found)}."


def _apart(found: Sequence[Any]) -> str:
    """How many differences are shown."""
    shown = sum(one.excludes_zero for one in found)
    which = f"{shown or 'none'} of {number_of(len(found), 'difference')}"
    return f"{which} {'excludes' if shown < 2 else 'exclude'} 0"


def _facts(table: Any) -> str:
    d = table.whole.data
    many = f"{number_of(len(table), 'group')} by {', '.join(table.by)}"
    more = evaluations.circumstances(table.whole)
    return f"{d.head}{many}, {number_of(d.rows, 'case')}{', ' * bool(more)}{more}"


def _rest(table: Any) -> str:
    first = next(iter(table))
    return either(
        f"One group: table[{first!r}]; each with all measures: table.all", "Each with all measures: --all"
    )


def group_name(one: str | None) -> str:
    """The name of a group, in quotation marks where it is that of the row of all cases."""
    return ALL if one is None else repr(one) if one == ALL else one


def _of_groups(table: Any, names: Sequence[str], found: Any, full: bool) -> list[Table]:
    """The values, and the differences, of one model."""
    positive = full and table.whole.task == "binary"
    each = [(group_name(one), table[one], table.is_small(one)) for one in names]
    left = len(table) - len(names)
    fewer = (f"{number_of(left, 'more group')}, with fewer cases: {common.in_full()}",) if left else ()
    rows = [
        {
            "group": Cell(one, "*" * small),
            "cases": e.data.rows,
            **({"positive": _share(e)} if positive else {}),
            **{measure: e[measure] for measure in table.measures},
        }
        for one, e, small in ((ALL, table.whole, False), *each)
    ]
    columns = [Column("group", ", ".join(table.by), "name"), Column("cases", "cases", "count")]
    columns += [Column("positive", "positive", "share")] * positive
    level = f"Intervals: {100 * table.whole.settings.level:.4g}%, not simultaneous."
    notes = (*([SMALL] if any(small for _, _, small in each) else []), level, *fewer)
    values = Table("groups", (*columns, *map(column, table.measures)), rows, notes=notes, kind="forest")
    return [values, *_differences(table, found)]


def _share(e: Any) -> float | None:
    positives, negatives = e.data.positives or 0, e.data.negatives or 0
    return positives / (positives + negatives) if positives + negatives else None


def _differences(table: Any, found: Any) -> list[Table]:
    if not found:
        return []
    rows = pivot(
        ({"group": group_name(one.group), "measure": one.measure, "estimate": _marked(one)} for one in found),
        "measure",
    )
    columns = (
        Column("group", "difference", "name"),
        *(column(one, "difference") for one in table.measures),
    )
    said = f"Each group minus {group_name(table.reference)}. {simultaneous(found)}"
    return [Table("differences", columns, rows, notes=(said,), kind="forest", baseline=0.0)]


def _marked(one: Any) -> Cell:
    """A difference, marked where its interval excludes 0."""
    return Cell(one.estimate, "!" * one.excludes_zero)


def simultaneous(*models: Any) -> str:
    """How the intervals of the differences between groups hold together, of one model or several."""
    apart = sum(one.excludes_zero for found in models for one in found)
    which = f"{apart} exclude{'s' * (apart == 1)} 0, marked with !" if apart else "none excludes 0"
    number = f"{len(models[0])} differences{' of a model' * (len(models) > 1)} together (Sidak)"
    level = f"{100 * models[0].level:.4g}%"
    return f"Intervals: {level} for {'the' if len(models) > 1 else 'all'} {number}; {which}."


def group_differences(found: Any, full: bool = False) -> Document:
    """A row for each difference."""
    rows = [
        {
            "group": group_name(one.group),
            "minus": group_name(one.reference),
            "measure": named(one.measure),
            "estimate": _marked(one),
        }
        for one in found
    ]
    columns = (
        Column("group", "group", "name"),
        Column("minus", "minus", "name"),
        Column("measure", "measure", "name"),
        Column("estimate", f"difference [{100 * found.level:.4g}% together]", "difference"),
    )
    return Document(
        kind="differences of groups",
        headline=f"{_apart(found)[:1].upper()}{_apart(found)[1:]}." if len(found) else "",
        tables=(Table("differences", columns, rows, kind="forest", baseline=0.0),),
        footnotes=(simultaneous(found),),
        rest="" if full else f"{number_of(len(found), 'row')} in all: .table",
    )


def group_tables(table: Any, full: bool = False) -> Document:
    """Of each model a row for each group and the differences; and the differences of the models."""
    alike = table.choose(list(table.measures))
    first = alike.first
    each = {evaluations.circumstances(one.whole) for one in alike.values()}
    d = first.whole.data
    tables: list[Table] = []
    if alike.measures:
        tables = [_by_model(alike, of_values, full) for of_values in (True, False)]
        tables += evaluations.differences(alike.whole, f"On {ALL} each model")
    rest = f"The models in one group: table.of_group({next(iter(first))!r})"
    lines = [f"{name(one)}: {evaluations.circumstances(table[one].whole)}" for one in table]
    return Document(
        kind="models on groups",
        title=d.called,
        headline=evaluations.headline_of_models(alike.whole),
        facts=(
            f"{d.head}{len(table)} models, {number_of(len(first), 'group')} by {', '.join(table.by)},"
            f" {text.count(d.rows)} cases{f', {each.copy().pop()}' if len(each) == 1 and any(each) else ''}",
            *(lines if len(each) > 1 else []),
        ),
        notices=table.notices,
        tables=tuple(one for one in tables if one.rows),
        footnotes=() if alike.measures else (evaluations.NO_MEASURE,),
        parts={one: partial(groups, found, True) for one, found in table.items()} if full else {},
        rest="" if full else either(rest, ""),
    )


def _by_model(table: Any, values: bool, full: bool) -> Table:
    """The rows of the groups of each model below its name."""
    kind = "estimate" if values else "difference"
    names = list(table.first) if full else largest(table.first)
    rows = []
    notes: dict[str, None] = {}
    every = [one.differences_of(names) for one in table.values()]
    for (model, one), apart in zip(table.items(), every, strict=True):
        found = _of_groups(one, names, apart, False)
        for part in found[:1] if values else found[1:]:
            rows += [{"model": model, **row} for row in part.rows]
            notes |= dict.fromkeys(part.notes if values else ())
    if not values and any(every):
        notes = {f"Each group minus {group_name(table.first.reference)}. {simultaneous(*every)}": None}
    head = Column("group", ", ".join(table.by) if values else "difference", "name")
    columns = (
        head,
        *([Column("cases", "cases", "count")] if values else []),
        *(column(one, kind) for one in table.measures),
    )
    return Table(
        "groups" if values else "differences of groups", columns, rows, notes=tuple(notes), section="model"
    )


def fairness(found: Any, full: bool = False) -> Document:
    """A row for each criterion, and which groups are furthest apart; calibration within the groups."""
    rows = [
        {
            "criterion": Cell(CRITERIA.get(key, key.replace("_", " ")), name=key),
            "difference": one.difference,
            "ratio": one.ratio,
            "highest": one.highest or "-",
            "lowest": one.lowest or "-",
        }
        for key, one in found.items()
    ]
    columns = (
        Column("criterion", "criterion", "name"),
        Column("difference", "difference", "estimate"),
        Column("ratio", "ratio", "estimate"),
        Column("highest", "highest", "name"),
        Column("lowest", "lowest", "name"),
    )
    few = len(found.left_out)
    left = f" {number_of(few, 'group')} with fewer than {FEWEST} cases of a class left out." if few else ""
    within = " Within the groups all intervals hold together." if found.calibration else ""
    said = (
        f"Highest minus lowest, and lowest by highest. Intervals: {100 * found.level:.4g}% for each"
        f" criterion, from those of the differences of each two groups together (Sidak).{left} Calibration"
        f" is in the large: differences of log odds, and the ratio of odds.{within}"
    )
    tables = [Table("criteria", columns, rows)]
    if found.calibration:
        of_groups = [
            {"group": group, **{key: one[group] for key, one in found.calibration.items()}}
            for group in found.groups
        ]
        head = [Column(key, IN_GROUPS.get(key, key), "estimate", key) for key in found.calibration]
        tables.append(
            Table(
                "calibration",
                (Column("group", "group", "name"), *head),
                of_groups,
                "Calibration within groups",
            )
        )
    return Document(
        kind="fairness",
        headline=f"Fairness between {number_of(len(found.groups), 'group')} by {', '.join(found.by)}.",
        notices=found.notices,
        tables=tuple(tables),
        footnotes=(said,),
    )


# Folds
# --------------------------------------------------------------------------------------------------


def folds(table: Any, full: bool = False) -> Document:
    """A row for each measure with its mean and its value pooled, then a row for each fold."""
    d = table.whole.data
    cases = "predictions" if table.repeated else "case" + "s" * (d.rows != 1)
    more = evaluations.sizes(table.whole)
    return Document(
        kind="cross-validation",
        title=d.called,
        headline=_of_folds(table),
        facts=(f"{d.head}{len(table)} folds, {text.count(d.rows)} {cases}{', ' * bool(more)}{more}",),
        notices=table.notices,
        tables=tuple(_tables_of_folds(table)) if table.measures else (),
        footnotes=() if table.measures else (NO_MEASURE,),
        parts={one: partial(evaluations.every, table[one]) for one in table} if full else {},
        rest=""
        if full
        else either(
            f"One fold: table[{next(iter(table))!r}]; all test cases: table.whole", "Each fold: --all"
        ),
    )


def _of_folds(table: Any) -> str:
    if not table.measures:
        return ""
    measure = table.measures[0]
    mean, pooled = table.means[measure], table.pooled[measure]
    if mean.undefined:
        return f"{title(measure)} is undefined: {mean.undefined.text}."
    return (
        f"{title(measure)} is {estimate(mean)} in the mean of {len(table)} folds, and {estimate(pooled)} of"
        " all test cases together."
    )


def _tables_of_folds(table: Any) -> list[Table]:
    rows = [
        {
            "measure": named(one),
            MEAN: table.means[one],
            POOLED: _pooled(table.pooled[one]),
            "range": _between(table.values_of(one)),
        }
        for one in table.measures
    ]
    columns = (
        Column("measure", "measure", "name"),
        Column(MEAN, "mean of folds", "estimate"),
        Column(POOLED, "pooled", "estimate"),
        Column("range", "folds", "text"),
    )
    each = [
        {
            "fold": one,
            "cases": e.data.rows,
            **{measure: e.estimates[measure].value for measure in table.measures},
        }
        for one, e in table.evaluations.items()
    ]
    head = (Column("fold", ", ".join(table.columns), "name"), Column("cases", "cases", "count"))
    return [
        Table("measures", columns, rows, notes=tuple(sentences(table)), kind="forest"),
        Table("folds", (*head, *(column(one, "number") for one in table.measures)), each),
    ]


def _pooled(found: Any) -> Cell:
    """The estimate, marked where it puts scores of several models together."""
    return Cell(found, "^" * any(note.code == "scores-of-several-models" for note in found.notes))


def _between(values: np.ndarray) -> str:
    known = values[~np.isnan(values)].tolist()
    return f"{min(known):.3f} to {max(known):.3f}" if known else "-"


def sentences(table: Any) -> list[str]:
    """What the intervals of folds are, and which folds are left out."""
    least, most = (text.count(int(size)) for size in (table.trained.min(), table.trained.max()))
    cases = least if least == most else f"{least} to {most}"
    said = (
        f"Intervals: {100 * table.whole.settings.level:.4g}%, approximate, for models trained on"
        f" {cases} cases (corrected resampled t, which allows for shared training cases; no exact variance"
        " is known)."
    )
    notes = [
        note
        for one in table.measures
        for found in (table.means[one], table.pooled[one])
        for note in found.notes
    ]
    left = dict.fromkeys(note.text for note in notes if note.code == "folds-left-out")
    pooled = any(note.code == "scores-of-several-models" for note in notes)
    several = ["^ compares scores of several models."] if pooled else []
    return [said, *(f"{one[0].upper()}{one[1:]}." for one in left), *several]


def fold_tables(table: Any, full: bool = False) -> Document:
    """A row for each model, as means and pooled, then the differences; in full the folds of each model."""
    alike = table.choose(list(table.measures))
    first = alike.first
    d = first.whole.data
    more = {evaluations.sizes(one.whole) for one in alike.values()}
    cases = "predictions" if first.repeated else "cases"
    line = f"{d.head}{len(table)} models, {len(first)} folds, {text.count(d.rows)} {cases}"
    every: Mapping[str, Any] = {one.brief: one for one in (*_once(table), *table.notices)}
    return Document(
        kind="models on folds",
        title=d.called,
        headline=_best_of_folds(alike),
        facts=(f"{line}, {more.pop()}" if len(more) == 1 and any(more) else line,),
        notices=tuple(sorted(every.values(), key=lambda one: not one.severe)),
        tables=tuple(_tables_of_models(alike)) if alike.measures else (),
        footnotes=() if alike.measures else (evaluations.NO_MEASURE,),
        parts={one: partial(folds, found, True) for one, found in alike.items()} if full else {},
        rest="" if full else either(f"The folds of one model: table[{next(iter(table))!r}]", ""),
    )


def _once(table: Any) -> Iterable[Any]:
    """The notices on the folds, which all models share."""
    return {one.code: one for found in table.values() for one in found.notices if "model" not in one}.values()


def _best_of_folds(table: Any) -> str:
    if not table.measures:
        return ""
    measure, best = table.measures[0], table.compared_with
    found = [one for one in table.differences if one.measure == measure and one.part == MEAN]
    shown = sum(map(is_shown, found))
    return (
        f"{name(best)} has the {'best ' * _is_best(table)}mean {short(title(measure))}"
        f" {estimate(table[best].means[measure])} over {len(table.first)} folds;"
        f" {common.of_others(shown, len(found))} shown to differ from it (p adjusted by Holm)."
    )


def _is_best(table: Any) -> bool:
    """Whether the model that others are compared with was chosen as the best in the first measure."""
    return table.reference is None and table.first.whole.entry(table.measures[0]).better is not None


def _tables_of_models(table: Any) -> list[Table]:
    found, level = table.differences, table.first.whole.settings.level
    apart, limit = sum(map(is_shown, found)), f"p < {1 - level:.3g}"
    shown = f"{apart} with {limit}, marked with !" if apart else f"none with {limit}"
    best = f", the best mean {title(table.measures[0])} here" * _is_best(table)
    said = (
        f"Minus {name(table.compared_with)}{best}, on the same folds. Intervals: {100 * level:.4g}%, paired"
        f" by folds, not simultaneous. Of {len(found)} differences {shown} (p adjusted by Holm for the means,"
        " and for the pooled values)."
    )
    notes = tuple(dict.fromkeys(line for one in table.values() for line in sentences(one)))
    tables = []
    for part, head in ((MEAN, "mean of folds"), (POOLED, "pooled")):
        rows = [
            {
                "model": one,
                **{
                    measure: each.means[measure] if part == MEAN else _pooled(each.pooled[measure])
                    for measure in table.measures
                },
            }
            for one, each in table.items()
        ]
        columns = (Column("model", head, "name"), *map(column, table.measures))
        tables.append(Table(part, columns, rows, notes=notes if part == POOLED else (), kind="forest"))
    for part, head in ((MEAN, "of means"), (POOLED, "of pooled")):
        rows = pivot(
            (
                {
                    "model": one.model,
                    "measure": one.measure,
                    "estimate": Cell(one.estimate, "!" * is_shown(one)),
                }
                for one in found
                if one.part == part
            ),
            "measure",
        )
        columns = (
            Column("model", f"difference {head}", "name"),
            *(column(one, "difference") for one in table.measures),
        )
        below = (said,) if part == POOLED else ()
        tables.append(Table(f"differences {head}", columns, rows, notes=below, kind="forest", baseline=0.0))
    return tables


def is_shown(one: Any) -> bool:
    """Whether the adjusted p-value shows a difference."""
    return bool(one.adjusted < 1 - one.estimate.level)
