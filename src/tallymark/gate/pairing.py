"""Two sets of predictions for the same cases, put side by side by what names the cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .. import columns
from ..adapters.paths import STANDARD_INPUT
from ..columns import Column
from ..comparing.alike import one_truth
from ..input import Cases, CaseSpec
from ..input import read as read_cases
from ..labels import differ, plain, together
from ..validate import InputError, shown

SAME = ("truth", "weight", "clusters")  # what both must say of a case


def paired(new: Any, old: Any, spec: CaseSpec, old_column: str) -> tuple[Cases, dict[str, Column]]:
    """The cases of the new model, and the columns: what both say of the cases, and the scores, or labels, of both in the order of
    the new one's.

    spec: of the cases, as the new model has them; old_column: the name of the baseline's. Raises InputError where a case is named
    twice, is in one of the two only, or has two truths.
    """
    if not isinstance(spec.pair_by, str) or new is None or old is None:
        raise InputError("pair_by: it names a column that both the data and the baseline have; pass both as files or frames.")
    kind = spec.kind
    cases, mine = _read(new, spec, "the data")
    _, other = _read(old, spec.of_columns({kind: old_column}), "the baseline")
    places = _places(mine["pair_by"], other["pair_by"])
    for role in SAME:
        if role in mine:
            _agree(mine, other, role, places)
    answers = {f"{kind} new": mine[kind], f"{kind} baseline": replace(other[kind], values=other[kind].values[places])}
    return cases, {role: mine[role] for role in SAME if role in mine} | answers


def refuse_one_truth(new: Any, old: Any, truth: Any, missing: str) -> None:
    """Raises InputError where two data sets, read once more, have the same labels in the same order: hardly different cases.

    Standard input cannot be read twice, and is let through.
    """
    if not isinstance(truth, str) or new is None or any(map(_is_input, (new, old))):
        return
    one, other = (_truth(data, truth, missing) for data in (new, old))
    if one_truth(one, other):
        raise InputError(
            f"baseline: it has the same truth as the data in each of {len(one):,} rows, so that they seem the same cases; pass "
            "pair_by= for the paired comparison, or paired=False if they are different ones."
        )


def _is_input(data):
    return any(isinstance(one, str) and one == STANDARD_INPUT for one in (data if isinstance(data, (list, tuple)) else [data]))


def _truth(data, name, missing):
    cases = read_cases(data, CaseSpec(truth=name, missing=missing))
    return columns.joined(cases.sum(lambda batch: [batch["truth"]])).values


def _read(data, spec, where):
    cases = read_cases(data, spec)
    batches = cases.sum(lambda batch: [_complete(batch, where)])
    return cases, {role: columns.joined([batch[role] for batch in batches]) for role in batches[0]}


def _complete(batch, where):
    for column in batch.values():
        gaps = column.gaps()
        if gaps.any():
            row = f"{column.row(int(gaps.argmax()))} of {where}"
            raise InputError(f"{column}: the value in {row} is missing; paired cases need all values, so leave it out of both.")
    return batch


def _places(mine: Column, other: Column) -> np.ndarray:
    """For each case of mine its row in the other."""
    if (mine.values.dtype.kind == "O") != (other.values.dtype.kind == "O"):
        raise InputError(f"{mine}: it holds numbers in one of data and baseline and text in the other; make both the same.")
    order, of_other = _order(mine, "the data"), _order(other, "the baseline")
    if len(order) != len(of_other) or differ(mine.values[order], other.values[of_other]).any():
        raise InputError(_alone(mine, other))
    places = np.empty(len(order), np.intp)
    places[order] = of_other
    return places


def _order(column, where):
    """The rows by name of the case; every name stands once."""
    order = np.argsort(column.values, kind="stable")
    again = np.flatnonzero(column.values[order][1:] == column.values[order][:-1])
    if len(again):
        first, second = (column.row(int(order[again[0] + step])) for step in (0, 1))
        name = shown(plain(column.values[order[again[0]]]))
        raise InputError(f"{column}: {name} names two cases of {where}, in {first} and {second}; give each case its own name.")
    return order


def _alone(mine, other):
    """The sentence on the first name that is in one of the two only."""
    _, (of_data, of_baseline) = together(mine.values, other.values)
    in_data, in_baseline = ~np.isin(of_data, of_baseline), ~np.isin(of_baseline, of_data)
    column, alone = (mine, in_data) if in_data.any() else (other, in_baseline)
    where, elsewhere = ("the data", "the baseline") if column is mine else ("the baseline", "the data")
    name, more = shown(plain(column.values[int(alone.argmax())])), int(alone.sum()) - 1
    others = f" (and {more:,} more)" if more else ""
    return f"{column}: {name}{others} is in {where} and not in {elsewhere}; pair the same cases, or leave pair_by out."


def _agree(mine, other, role, places):
    apart = differ(mine[role].values, other[role].values[places])
    if apart.any():
        row = int(apart.argmax())
        values = [shown(plain(one)) for one in (mine[role].values[row], other[role].values[places[row]])]
        raise InputError(
            f"{mine[role]}: case {shown(plain(mine['pair_by'].values[row]))} has {values[0]} in the data and {values[1]} in the "
            f"baseline; the same case has one {role}."
        )
