"""The arguments of `check` on requirements and on a baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...evaluation.results import Evaluation
from ...input import validate
from ...input.spelling import option
from ...input.validate import InputError
from ...measures import registry
from .grammar import parse_quantity
from .requirement import Requirement

USUAL = "roc_auc"  # the measure compared by default


SHOWN = 4  # measures that a message names


def several(given: Any, role: str) -> list[Any]:
    """One or several texts or requirements, as a list."""
    if isinstance(given, (str, Requirement)):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping)):
        raise InputError(
            "invalid-value", role, f"{validate.shown(given)} is not a string", "write one, or a list of them"
        )
    return validate.some(given, role, "texts")


def against(
    same_data: bool,
    baseline: Any,
    baseline_score: Any,
    pair_by: Any,
    paired: bool | None,
    no_worse_than: float | None,
    measures: str | Sequence[str] | None,
) -> tuple[float | None, list[Requirement]]:
    """The margin, None where there is no baseline, and the measures that were asked for."""
    given = {
        "baseline_score": baseline_score,
        "pair_by": pair_by,
        "paired": paired,
        "no_worse_than": no_worse_than,
        "measures": measures,
    }
    if baseline is None and baseline_score is None:
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    "conflict",
                    name,
                    "it is for a baseline, and there is none",
                    f"pass {option('baseline')}, or leave it out",
                )
        return None, []
    if no_worse_than is None:
        raise InputError(
            "needed",
            "no_worse_than",
            f"by how much may the new model be worse? As {option('no_worse_than', 0.01)}, or 0 for not"
            " at all",
        )
    _check_paired(paired, pair_by is not None or baseline is None)
    if pair_by is None and same_data:
        raise InputError(
            "conflict",
            "baseline",
            "it is the data itself",
            f"leave it out, and pass {option('baseline_score')} to compare two scores there",
        )
    margin = validate.number(no_worse_than, "no_worse_than", 0.0, float("inf"))
    return margin, [
        parse_quantity(one) for one in ([] if measures is None else several(measures, "measures"))
    ]


def _check_paired(paired: bool | None, same_cases: bool) -> None:
    """Raises InputError where `paired` contradicts how the baseline is given."""
    if paired is None or validate.flag(paired, "paired") == same_cases:
        return
    how = (
        f"name the column of the cases with {option('pair_by')}"
        if paired
        else f"leave out {option('paired', False)}, or pass other cases as {option('baseline')}"
    )
    raise InputError("mismatch", "paired", f"{paired} does not fit how the baseline is given", how)


def same_source(data: Any, baseline: Any) -> bool:
    """Whether the baseline is the data that are checked: the same object, or the same path."""
    if data is None or isinstance(baseline, Evaluation):
        return False
    return data is baseline or (
        isinstance(data, (str, Path)) and isinstance(baseline, (str, Path)) and str(data) == str(baseline)
    )


def by_default(requirements: list[Requirement], e: Evaluation) -> list[Requirement]:
    """The measures that the requirements name, once each."""
    wanted = {
        one.quantity: one
        for one in reversed(requirements)
        if not one.quantity.is_of_rows and _has_direction(one.quantity.name)
    }
    if wanted:
        return list(wanted.values())[::-1]
    if USUAL not in e:
        known = ", ".join(list(e.estimates)[:SHOWN])
        raise InputError(
            "needed",
            "measures",
            f"say what is to be no worse, of {known}, ...",
            "roc_auc, the usual one, needs one score per case",
        )
    return [parse_quantity(USUAL)]


def _has_direction(name: str) -> bool:
    return any(form.better for form in registry.forms(name))
