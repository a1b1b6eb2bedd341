"""Groups of cases, and folds of a cross-validation: of one model, and of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from ...input import text
from ...input.errors import either
from ...measures.titles import in_sentence, title
from ..document import Cell, Column, Document, Table, estimate
from . import common, evaluations, headlines
from .common import capital, column, name, named, number_of

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
    names = ordered(table) if full else largest(table)
    found = table.differences_of(names) if table.measures else ()
    d, more = table.whole.data, evaluations.circumstances(table.whole)
    one = f"One group: table[{next(iter(table))!r}]; each with all measures: table.all"
    return Document(
        kind="groups",
        title=d.called,
        headline=_headline(table, names, found),
        facts=(
            f"{d.head}{number_of(len(table), 'group')} by {', '.join(table.by)}, {number_of(d.rows, 'case')}"
            f"{', ' * bool(more)}{more}",
        ),
        notices=table.notices,
        tables=(_values(table, names, full), *_differences(table, found)) if table.measures else (),
        parts={one: partial(evaluations.every, table[one]) for one in table} if full else {},
        rest="" if full else either(one, "Each with all measures: --all"),
    )


def largest(table: Any) -> list[str]:
    """The groups with most cases, in the order of the table."""
    kept = set(sorted(table, key=lambda name: -table.sizes[name])[:SHOWN])
    return [name for name in table if name in kept]


def ordered(table: Any) -> list[str]:
    """The groups as in the table; of many the lowest in the first measure first, small ones last."""
    if len(table) <= SHOWN or not table.measures:
        return list(table)
    value = {name: one[table.measures[0]].value for name, one in table.items()}
    return sorted(table, key=lambda one: (table.is_small(one), value[one] != value[one], value[one]))


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


def group_name(one: str | None) -> str:
    """The name of a group, in quotation marks where it is that of the row of all cases."""
    return ALL if one is None else repr(one) if one == ALL else one


def _values(table: Any, names: Sequence[str], full: bool) -> Table:
    """The values of one model."""
    each = [(group_name(one), table[one], table.is_small(one)) for one in names]
    left = len(table) - len(names)
    columns: common.Columns = {
        Column("group", ", ".join(table.by), "name"): lambda one, e, small: Cell(one, "*" * small),
        Column("cases", "cases", "count"): lambda one, e, small: e.data.rows,
        **(
            {Column("positive", "positive", "share"): lambda one, e, small: _share(e)}
            if full and table.whole.task == "binary"
            else {}
        ),
        **{column(one): lambda _, e, small, one=one: e[one] for one in table.measures},
    }
    notes = (
        SMALL * any(small for _, _, small in each),
        f"Intervals: {100 * table.whole.settings.level:.4g}%, not simultaneous.",
        f"{number_of(left, 'more group')}, with fewer cases: {common.in_full()}" * bool(left),
    )
    rows = [(ALL, table.whole, False), *each]
    whole: Any = {one: table.whole[one].value for one in table.measures}
    below = tuple(filter(None, notes))
    return common.table("groups", rows, columns, notes=below, kind="forest", baseline=whole)


def _share(e: Any) -> float | None:
    positives, negatives = e.data.positives or 0, e.data.negatives or 0
    return positives / (positives + negatives) if positives + negatives else None


def _differences(table: Any, found: Any) -> list[Table]:
    if not found:
        return []
    said = f"Each group minus {group_name(table.reference)}. {simultaneous(found)}"
    of, shown = (lambda one: group_name(one.group)), attrgetter("excludes_zero")
    return [common.differences(found, table.measures, of=of, shown=shown, notes=(said,))]


def simultaneous(*models: Any) -> str:
    """How the intervals of the differences between groups hold together, of one model or several."""
    apart = sum(one.excludes_zero for found in models for one in found)
    which = f"{apart} exclude{'s' * (apart == 1)} 0, marked with !" if apart else "none excludes 0"
    number = f"{len(models[0])} differences{' of a model' * (len(models) > 1)} together (Sidak)"
    level = f"{100 * models[0].level:.4g}%"
    return f"Intervals: {level} for {'the' if len(models) > 1 else 'all'} {number}; {which}."


def group_differences(found: Any, full: bool = False) -> Document:
    """A row for each difference."""
    columns: common.Columns = {
        Column("group", "group", "name"): lambda one: group_name(one.group),
        Column("minus", "minus", "name"): lambda one: group_name(one.reference),
        Column("measure", "measure", "name"): lambda one: named(one.measure),
        Column("estimate", f"difference [{100 * found.level:.4g}% together]", "difference"): (
            lambda one: Cell(one.estimate, "!" * one.excludes_zero)
        ),
    }
    return Document(
        kind="differences of groups",
        headline=f"{capital(_apart(found))}." if len(found) else "",
        tables=(common.table("differences", found, columns, kind="forest", baseline=0.0),),
        footnotes=(simultaneous(found),),
        rest="" if full else f"{number_of(len(found), 'row')} in all: .table",
    )


def group_tables(table: Any, full: bool = False) -> Document:
    """Of each model a row for each group and the differences; and the differences of the models."""
    alike = table.choose(list(table.measures))
    first = alike.first
    d = first.whole.data
    return Document(
        kind="models on groups",
        title=d.called,
        headline=evaluations.headline_of_models(alike.whole),
        facts=common.of_each(
            f"{d.head}{len(table)} models, {number_of(len(first), 'group')} by {', '.join(table.by)},"
            f" {text.count(d.rows)} cases",
            {one: evaluations.circumstances(table[one].whole) for one in table},
        ),
        notices=table.notices,
        tables=(*_by_model(alike, full), *evaluations.differences(alike.whole, f"On {ALL} each model"))
        if alike.measures
        else (),
        footnotes=() if alike.measures else (evaluations.NO_MEASURE,),
        parts={one: partial(groups, found, True) for one, found in table.items()} if full else {},
        rest="" if full else either(f"The models in one group: table.of_group({next(iter(first))!r})", ""),
    )


def _by_model(table: Any, full: bool) -> list[Table]:
    """The values and the differences of the groups of each model below its name."""
    names = list(table.first) if full else largest(table.first)
    found = {model: one.differences_of(names) for model, one in table.items()}
    values = {model: _values(one, names, False) for model, one in table.items()}
    apart = {model: one for model in table for one in _differences(table[model], found[model])}
    notes = tuple(dict.fromkeys(note for one in values.values() for note in one.notes))
    said = ""
    if apart:
        said = f"Each group minus {group_name(table.first.reference)}. {simultaneous(*found.values())}"
    return [
        Table(
            name,
            next(iter(each.values())).columns,
            [{"model": model, **row} for model, one in each.items() for row in one.rows],
            notes=below,
            section="model",
        )
        for name, each, below in (("groups", values, notes), ("differences of groups", apart, (said,)))
        if each
    ]


def fairness(found: Any, full: bool = False) -> Document:
    """A row for each criterion, and which groups are furthest apart; calibration within the groups."""
    columns: common.Columns = {
        Column("criterion", "criterion", "name"): (
            lambda key, _: Cell(CRITERIA.get(key, key.replace("_", " ")), name=key)
        ),
        Column("difference", "difference", "estimate"): lambda _, one: one.difference,
        Column("ratio", "ratio", "estimate"): lambda _, one: one.ratio,
        Column("highest", "highest", "name"): lambda _, one: one.highest or "-",
        Column("lowest", "lowest", "name"): lambda _, one: one.lowest or "-",
    }
    few = len(found.left_out)
    left = f" {number_of(few, 'group')} with fewer than {FEWEST} cases of a class left out." if few else ""
    within = " Within the groups all intervals hold together." if found.calibration else ""
    said = (
        f"Highest minus lowest, and lowest by highest. Intervals: {100 * found.level:.4g}% for each"
        f" criterion, from those of the differences of each two groups together (Sidak).{left} Calibration"
        f" is in the large: differences of log odds, and the ratio of odds.{within}"
    )
    of_groups: common.Columns = {
        Column("group", "group", "name"): lambda group: group,
        **{
            Column(key, IN_GROUPS.get(key, key), "estimate", key): one.__getitem__
            for key, one in (found.calibration or {}).items()
        },
    }
    return Document(
        kind="fairness",
        headline=f"Fairness between {number_of(len(found.groups), 'group')} by {', '.join(found.by)}.",
        notices=found.notices,
        tables=(
            common.table("criteria", found.items(), columns),
            common.table(
                "calibration",
                found.groups if found.calibration else (),
                of_groups,
                "Calibration within groups",
            ),
        ),
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
        parts={
            f"{', '.join(table.columns)} {one}": partial(evaluations.every, table[one])
            for one in (table if full else ())
        },
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
    columns: common.Columns = {
        Column("measure", "measure", "name"): named,
        Column(MEAN, "mean of folds", "estimate"): table.means.__getitem__,
        Column(POOLED, "pooled", "estimate"): lambda one: _pooled(table.pooled[one]),
        Column("range", "range"): lambda one: _between(table.values_of(one)),
    }
    of_each: common.Columns = {
        Column("fold", ", ".join(table.columns), "name"): lambda fold, _: fold,
        Column("cases", "cases", "count"): lambda _, e: e.data.rows,
        **{column(one, "number"): lambda _, e, one=one: e.estimates[one].value for one in table.measures},
    }
    return [
        common.table("measures", table.measures, columns, notes=tuple(sentences(table)), kind="forest"),
        common.table("folds", table.evaluations.items(), of_each),
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
    # the notices on the folds, which all models share
    once = {one.code: one for found in table.values() for one in found.notices if "model" not in one}
    every: Mapping[str, Any] = {one.brief: one for one in (*once.values(), *table.notices)}
    return Document(
        kind="models on folds",
        title=d.called,
        headline=_best_of_folds(alike),
        facts=(", ".join(filter(None, (line, *(more if len(more) == 1 else ())))),),
        notices=tuple(sorted(every.values(), key=lambda one: not one.severe)),
        tables=tuple(_tables_of_models(alike)) if alike.measures else (),
        footnotes=() if alike.measures else (evaluations.NO_MEASURE,),
        parts={one: partial(folds, found, True) for one, found in alike.items()} if full else {},
        rest="" if full else either(f"The folds of one model: table[{next(iter(table))!r}]", ""),
    )


def _best_of_folds(table: Any) -> str:
    if not table.measures:
        return ""
    measure, best = table.measures[0], table.compared_with
    found = [one for one in table.differences if one.measure == measure and one.part == MEAN]
    shown = sum(map(common.is_shown, found))
    return (
        f"{name(best)} has the {'best ' * table.is_chosen}mean {in_sentence(measure)}"
        f" {estimate(table[best].means[measure])} over {len(table.first)} folds;"
        f" {common.of_others(shown, len(found))} shown to differ from it (p adjusted by Holm)."
        f"{headlines.not_worse(table.not_worse) if len(table) > 2 else ''}"
    )


def _tables_of_models(table: Any) -> list[Table]:
    found, level = table.differences, table.first.whole.settings.level
    best = f", the best mean {title(table.measures[0])} here" * table.is_chosen
    together = "not simultaneous"
    if table.is_chosen and len(table) > 2:
        together = "which allow for its choice (all pairs of models together, by measure)"
    said = (
        f"Minus {name(table.compared_with)}{best}, on the same folds. Intervals: {100 * level:.4g}%, paired"
        f" by folds, {together}. {common.shown_of(found)} (p adjusted by Holm for the means,"
        " and for the pooled values)."
    )
    notes = tuple(dict.fromkeys(line for one in table.values() for line in sentences(one)))
    values = {
        (MEAN, "mean of folds"): lambda each, one: each.means[one],
        (POOLED, "pooled"): lambda each, one: _pooled(each.pooled[one]),
    }
    tables = []
    for (part, head), value in values.items():
        columns: common.Columns = {
            Column("model", head, "name"): lambda model, _: model,
            **{column(one): lambda _, each, one=one, value=value: value(each, one) for one in table.measures},
        }
        below = notes if part == POOLED else ()
        tables.append(common.table(part, table.items(), columns, notes=below, kind="forest"))
    for part, head in ((MEAN, "of means"), (POOLED, "of pooled")):
        of_part = [one for one in found if one.part == part]
        below = (said,) if part == POOLED else ()
        called = f"differences {head}"
        tables.append(common.differences(of_part, table.measures, called, f"difference {head}", notes=below))
    return tables
