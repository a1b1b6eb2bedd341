"""Curves of all thresholds of a ranking table, and of any measure of counts against the threshold."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from typing import Any

import numpy as np

from ..inference import Settings
from ..inference.fixed_sizes import with_fixed_mix
from ..input import validate
from ..input.messages import Note
from ..measures import registry
from ..summaries import Counts, RankingTable
from ..summaries.ranking import Squares

# The modules of the curves, in this order.
# isort: off
from . import of_rates, of_retrieval, of_costs, of_calibration  # noqa: F401

# isort: on
from . import bands
from .curve import CONSISTENCY, Band, BandKind, Curve, Ties
from .names import CAPTIONS, CURVES, OF_PROBABILITIES, Caption, has_own_band

__all__ = ["CAPTIONS", "CURVES", "OF_PROBABILITIES", "Band", "BandKind", "Caption", "Curve", "Ties", "curve"]

GROUPED = Note("clusters-as-independent")
TIES = ("together", "optimistic", "pessimistic")


def curve(
    name: str,
    table: RankingTable,
    *,
    ties: Ties = "together",
    band: BandKind | None = None,
    settings: Settings | None = None,
    clusters: Any = None,
    weight_kind: str | None = None,
    **parameters: Any,
) -> Curve:
    """The curve of that name, or of that measure of counts against the threshold.

    Parameters
    ----------
    name : str
        A curve, such as "roc", or a measure of counts.
    table : RankingTable
        The cases.
    ties : {"together", "optimistic", "pessimistic"}
        Cases with the same score come together, as with a real threshold; or the positives first, or the
        negatives, which shows how much the order of tied cases could change the curve.
    band : {"pointwise", "simultaneous", "kolmogorov-smirnov"}, optional
        "pointwise" covers the true height at each x separately, with the probability `level`; "simultaneous"
        the whole true curve, and so does "kolmogorov-smirnov", which is made without resampling and is wider.
        Its bounds are in the `band` of the curve, facts in `about`, and points are added where the band
        bends.
    settings : Settings, optional
        The level, the seed and the design of the band.
    clusters : optional
        The cases that belong together. Clusters are resampled as wholes where the band is made of resamples.
        Other bands are refused; intervals of reliability bins have a note that cases are taken as
        independent.
    weight_kind : str, optional
        The kind of the weights, "count", "importance" or "mixed", which is stated with the band.
    **parameters
        Parameters of the curve or of the measure.

    Returns
    -------
    Curve
        If a class has no cases, without a band; `about` then has the reason.

    Raises
    ------
    InputError
        For an unknown name, no cases, a band that the curve does not have, or that clusters do not allow.
    """
    validate.some_rows(len(table))
    table = apart(table, validate.choice(ties, TIES, "ties"))
    settings = with_fixed_mix(settings or Settings(), table) if clusters is None else settings or Settings()
    if has_own_band(plain(name)):
        chosen = band and bands.check(plain(name), band)
        if chosen and clusters is not None:
            raise bands.not_by_clusters(plain(name), chosen, clusters.what)
        found = _curve(name, table, {"level": settings.level, **parameters, "band": chosen})
    elif band is None:
        return _curve(name, table, parameters)
    else:
        settings = replace(settings, level=parameters.pop("level", settings.level))
        found = _curve(name, table, parameters)
        bands.check(found.name, band)
        if clusters is not None and not (ties == TIES[0] and bands.by_clusters(found.name, band)):
            raise bands.not_by_clusters(found.name, band, clusters.what)
        found, clusters = bands.with_band(found, table, band, settings, clusters, **parameters), None
    found = bands.in_design(
        found, settings, weight_kind or ("importance" if table.weighted else None), **parameters
    )
    if clusters is None or found.about is None or found.about.method == CONSISTENCY:
        return found if clusters is None else bands.noted(found, GROUPED)
    return of_calibration.in_units(found, clusters, settings)


def _curve(name: str, table: RankingTable, parameters: dict[str, Any]) -> Curve:
    drawn = CURVES.get(plain(name))
    if plain(name) == "net_benefit" and parameters.keys() <= {"thresholds"} and table.in_unit_interval:
        drawn = CURVES["decision"]  # the odds of each threshold are its cost
    if drawn is None:
        return _of_measure(_entry(name), table, parameters)
    takes = list(inspect.signature(drawn).parameters)[1:]
    for parameter in parameters:
        if parameter not in takes:
            has = f"; it takes {', '.join(takes)}" if takes else "; leave it out"
            raise validate.InputError(
                "unknown-name", parameter, f"the curve {plain(name)!r} has no such parameter{has}"
            )
    return drawn(table, **parameters)


def plain(name: Any) -> str:
    """The name of a curve from any spelling."""
    return re.sub(r"[\s-]+", "_", str(name).strip().lower())


def apart(table: RankingTable, ties: str) -> RankingTable:
    """The table with the two classes at a score one after the other.

    It is for curves alone, since its scores repeat.
    """
    if ties == "together":
        return table
    first = [1, 0] if ties == "optimistic" else [0, 1]
    weights = np.kron(table.positive, first), np.kron(table.negative, first[::-1])
    there = weights[0] + weights[1] > 0
    positive, negative = (weight[there] for weight in weights)
    squares = table.squares and Squares(
        *(np.kron(part, row)[there] for part, row in zip(table.squares, (first, first[::-1]), strict=True))
    )
    return table.of(np.repeat(table.score, 2)[there], positive, negative, squares)


def _entry(name: Any) -> registry.Measure:
    try:
        entry = registry.get(name, Counts)
    except validate.InputError:
        entry = None
    if entry is None or entry.summary is not Counts:
        hint = validate.nearest(str(name), [*CURVES, *(one.name for one in registry.find(Counts))])
        known = ", ".join(CURVES)
        raise validate.InputError(
            "unknown-name",
            "curve",
            f"{validate.shown(name)} is not known{hint}",
            f"choose from {known}, or any measure of counts",
            value=name,
        )
    return entry


def _of_measure(entry: registry.Measure, table: RankingTable, parameters: dict[str, Any]) -> Curve:
    values = np.asarray(entry.function(table.sweep(), **entry.checked(parameters)), float)
    limits = table.thresholds
    return Curve(entry.name, limits, values, limits, "threshold", entry.name, step="post")
