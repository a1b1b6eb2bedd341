"""Requirements that each group of the cases has to meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...evaluation.evaluate import evaluate
from ...evaluation.groups.table import GroupTable
from ...evaluation.results import Evaluation
from ...input.spelling import option
from ...input.validate import InputError
from .budget import shared
from .deciding import decide
from .requirement import Requirement
from .results import Finding, Verdict


def of_groups(
    data: Any,
    cases: Mapping[str, Any],
    by: Mapping[str, Any] | None,
    required: Sequence[Requirement],
    uses: int | None,
) -> Verdict:
    """The verdict where some requirements are of groups; the cases are read once. Raises InputError."""
    if isinstance(data, Evaluation):
        problem = "an evaluation does not hold the group of each case"
        raise InputError(
            "unsupported", "require", f"{problem}, which {_first(required).text!r} needs", "pass the cases"
        )
    columns = list(dict.fromkeys(name for one in required for name in one.by))
    table = evaluate(data, **cases, by=_columns(data, by, columns))
    whole = shared(table.whole, uses)
    every = (_findings(one, table, whole, uses) for one in required)
    return Verdict(tuple(finding for some in every for finding in some), whole, uses=uses)


def _first(required: Sequence[Requirement]) -> Requirement:
    return next(one for one in required if one.by)


def _columns(data: Any, by: Mapping[str, Any] | None, names: list[str]) -> Any:
    """The names of columns, or the arrays of these names."""
    if data is not None:
        refuse_by(by)
        return names
    lacking = next((name for name in names if name not in (by or {})), None)
    if by is None or lacking is not None:
        problem = f"without data, pass the column {lacking!r} that a requirement names"
        raise InputError("needed", "by", problem, "as by={'site': site}")
    return {name: by[name] for name in names}


def _findings(
    requirement: Requirement, table: GroupTable, whole: Evaluation, uses: int | None
) -> list[Finding]:
    """The finding of all cases, or one for each group."""
    if not requirement.by:
        return [decide(whole, requirement)]
    groups = table if requirement.by == table.by else table.regrouped(requirement.by)
    found = ((name, decide(shared(groups[name], uses), requirement)) for name in groups)
    return [
        replace(one, requirement=f"{one.requirement}: {name}", measured=f"{one.measured}, {name}")
        for name, one in found
    ]


def refuse_by(by: Any) -> None:
    """Raises InputError for arrays of groups that no requirement names."""
    if by is not None:
        problem = 'the groups are named in requirements, as "sensitivity >= 0.9 by site"'
        raise InputError(
            "conflict", "by", problem, f"leave {option('by')} out; it is for arrays without data"
        )
