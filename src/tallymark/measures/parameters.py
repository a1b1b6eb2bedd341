"""The parameters of a measure, as numbers within their limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..input.calls import unknown
from ..input.spelling import either
from ..input.validate import InputError, number, whole

if TYPE_CHECKING:
    from .entry import Measure

NARROWEST = 1e-10  # range of a rate


def checked_parameters(entry: Measure, given: dict[str, Any]) -> dict[str, Any]:
    """The parameters as numbers. Raises InputError for one that is unknown or outside its limits."""
    checked = {}
    for name, value in given.items():
        if name not in entry.parameters:
            if not entry.parameters:
                way_out = either(f"leave out {name}=", "leave it out of --set")
                raise InputError("unknown-name", None, f"{entry.name} has no parameters", way_out)
            raise unknown(entry.name, [name], entry.parameters)
        if value is not None or entry.defaults[name] is not None:
            as_it_must = whole if entry._signature[name].annotation in ("int", int) else number
            checked[name] = as_it_must(
                value, f"{entry.name}: {name}", *entry.limits.get(name, (-np.inf, np.inf))
            )
    ends = entry.defaults | checked
    if "low" in ends and not ends["high"] - ends["low"] >= NARROWEST:
        problem = f"low {ends['low']:g} is not below high {ends['high']:g}"
        raise InputError("invalid-value", entry.name, problem, "give both ends of a range")
    return checked
