"""Where the values of a measure of counts break a rule, in words; empty where they do not."""

import numpy as np
from strategies import CELLS, empty


def at(cells, wrong):
    """The first cells for which it is so, and how many others."""
    first, *others = np.flatnonzero(np.broadcast_to(wrong, np.shape(cells.tp)))
    said = ", ".join(f"{name}={float(getattr(cells, name).ravel()[first]):g}" for name in CELLS)
    return f"Counts({said})" + (f" and {len(others)} others" if others else "")


def one(values, wrong):
    """The first value for which it is so."""
    return f"{values.ravel()[np.flatnonzero(wrong)[0]]:g}"


def outside(entry, cells, **parameters):
    """Of the range."""
    values, (low, high) = np.asarray(entry(cells, **parameters)), entry.range
    wrong = ~((values >= low) & (values <= high) | np.isnan(values))
    return (
        f"{one(values, wrong)} lies outside range={low:g} to {high:g}, for {at(cells, wrong)}"
        if wrong.any()
        else ""
    )


def undocumented(entry, cells):
    """NaN where `Undefined:` says nothing, or a value where it says that there is none."""
    values, documented = np.asarray(entry(cells)), empty(entry, cells)
    missing, there = np.isnan(values) & ~documented, ~np.isnan(values) & documented
    if missing.any():
        return (
            f"NaN, which no case of Undefined: names (0/0 is NaN, x/0 is infinity), for {at(cells, missing)}"
        )
    return (
        f"{one(values, there)}, where Undefined: says that there is none, for {at(cells, there)}"
        if there.any()
        else ""
    )
