"""Two sets of predictions for the same cases, matched by a column that names the cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...input import Cases, CaseSpec, columns
from ...input import read as read_cases
from ...input.columns import Column
from ...input.errors import InputError
from ...input.labels import differ, plain, together
from ...input.persons import ROLES
from ...input.sources import Batch
from ...input.spelling import option
from ...input.validate import shown
from ..compare.overlap import one_truth

SAME = ("truth", "weight", "clusters", *ROLES)  # columns in which both must agree


def paired(new: Any, old: Any, spec: CaseSpec) -> tuple[Cases, dict[str, Column]]:
    """The cases of the new model, and the columns of both models in the same order.

    The columns are what both have in common, the scores, or labels, of the new model, and those of the
    baseline as "baseline_score". spec: of the cases; without baseline_score both have the same column. Raises
    InputError where a case occurs twice, is in one of the two only, or has two true labels.
    """
    if not isinstance(spec.pair_by, str) or new is None or old is None:
        raise InputError(
            "needed",
            "pair_by",
            "it names a column that both the data and the baseline have",
            "pass both as files or frames",
        )
    kind, named = spec.kind, spec.baseline_score is not None
    cases, mine = _read(new, spec.of_columns({"baseline_score": None}), "the data")
    _, other = _read(old, spec.of_columns({kind: None}) if named else spec, "the baseline")
    places = _places(mine["pair_by"], other["pair_by"])
    for role in SAME:
        if role in mine:
            _agree(mine, other, role, places)
    answers = {kind: mine[kind], "baseline_score": _moved(other["baseline_score" if named else kind], places)}
    return cases, {role: mine[role] for role in SAME if role in mine} | answers


def refuse_one_truth(new: Column, old: Column) -> None:
    """Raises InputError where two data sets that were read have the same labels in the same order.

    Such data sets are probably of the same cases.
    """
    one, other = new.values, old.values
    if one_truth(one, other):
        raise InputError(
            "ambiguous",
            "baseline",
            f"it has the same truth as the data in each of {len(one):,} rows, so that they seem the same"
            " cases",
            f"pass {option('pair_by')} for the paired comparison, or {option('paired', False)} if they are"
            " different ones",
        )


def _moved(column: Column, places: np.ndarray) -> Column:
    """A column of the baseline with its values in another order.

    Messages still state the original row of a value.
    """
    kept = places if column.kept is None else column.kept[places]
    return replace(
        column, values=column.values[places], kept=kept, file=column.file or "the baseline", index=None
    )


def _read(data: Any, spec: CaseSpec, where: str) -> tuple[Cases, Batch]:
    cases = read_cases(data, spec)
    batches = cases.sum(lambda batch: [_complete(batch, where)])
    return cases, {role: columns.joined([batch[role] for batch in batches]) for role in batches[0]}


def _complete(batch: Batch, where: str) -> Batch:
    for column in batch.values():
        gaps = column.gaps()
        if gaps.any():
            row = int(gaps.argmax())
            problem = f"the value in {column.row(row)} of {where} is missing"
            raise InputError(
                "missing-value",
                column,
                problem,
                "paired cases need all values, so leave it out of both",
                row=row,
            )
    return batch


def _places(mine: Column, other: Column) -> np.ndarray:
    """For each case of mine its row in the other."""
    if (mine.values.dtype.kind == "O") != (other.values.dtype.kind == "O"):
        raise InputError(
            "mismatch",
            mine,
            "it holds numbers in one of data and baseline and text in the other",
            "make both the same",
        )
    order, of_other = _order(mine, "the data"), _order(other, "the baseline")
    if len(order) != len(of_other) or differ(mine.values[order], other.values[of_other]).any():
        raise _alone(mine, other)
    places = np.empty(len(order), np.intp)
    places[order] = of_other
    return places


def _order(column: Column, where: str) -> np.ndarray:
    """The rows in the order of the cases' names. Raises InputError for a name that occurs twice."""
    order = np.argsort(column.values, kind="stable")
    again = np.flatnonzero(column.values[order][1:] == column.values[order][:-1])
    if len(again):
        first, second = (column.row(int(order[again[0] + step])) for step in (0, 1))
        name = shown(plain(column.values[order[again[0]]]))
        problem, row = f"{name} names two cases of {where}, in {first} and {second}", int(order[again[0] + 1])
        raise InputError("repeated", column, problem, "give each case its own name", row=row)
    return order


def _alone(mine: Column, other: Column) -> InputError:
    """The message on the first name that is in one of the two only."""
    _, (of_data, of_baseline) = together(mine.values, other.values)
    in_data, in_baseline = ~np.isin(of_data, of_baseline), ~np.isin(of_baseline, of_data)
    column, alone = (mine, in_data) if in_data.any() else (other, in_baseline)
    where, elsewhere = ("the data", "the baseline") if column is mine else ("the baseline", "the data")
    name, more = shown(plain(column.values[int(alone.argmax())])), int(alone.sum()) - 1
    others = f" (and {more:,} more)" if more else ""
    problem = f"{name}{others} is in {where} and not in {elsewhere}"
    return InputError(
        "mismatch", column, problem, "pair the same cases, or leave pair_by out", row=int(alone.argmax())
    )


def _agree(mine: Batch, other: Batch, role: str, places: np.ndarray) -> None:
    apart = differ(mine[role].values, other[role].values[places])
    if apart.any():
        row = int(apart.argmax())
        values = [shown(plain(one)) for one in (mine[role].values[row], other[role].values[places[row]])]
        raise InputError(
            "mismatch",
            mine[role],
            f"case {shown(plain(mine['pair_by'].values[row]))} has {values[0]} in the data and {values[1]} in"
            " the baseline",
            f"the same case has one {role}",
        )
