"""Every measure of counts and of rankings, and every curve, as one class grows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_args

import numpy as np

from ..curves import CURVES, OF_PROBABILITIES, Curve
from ..input import validate
from ..input.calls import public
from ..input.names import listed
from ..input.options import GrownClass
from ..input.results import Answer, Tabular
from ..measures import registry
from ..summaries import Counts, RankingTable
from .behaviour import GROWTH, changes_with_class_mix, changes_with_growth, multiplied, one_table
from .notices import Notice


@cache
def curve_changes(name: str) -> bool:
    """Whether the points of a curve at the same thresholds change as one class grows."""
    return changes_with_growth(lambda table: _points(CURVES[name](table)), RankingTable)


def _points(curve: Curve) -> list[np.ndarray]:
    return [curve.x, *curve.lines.values()]


@dataclass(frozen=True, slots=True, repr=False)
class ClassMix(Answer, Tabular):
    """Each measure of counts, and with scores each measure of rankings, as one class grows.

    Attributes
    ----------
    growth : tuple of float
        The factors by which the class is multiplied.
    grown : str
        The class, "negative" or "positive".
    values : dict of str to tuple of float
        By measure one value per factor.
    changes : dict of str to bool
        By measure whether it changes for any table.
    curves : dict of str to bool
        By curve whether its points at the same thresholds change; empty without scores.
    threshold : float or None
        On the score, for the measures of counts; None without scores.
    notices : tuple of Notice
        On the data.
    """

    ANSWER = "class_mix"
    FORM = "measures.class_mix"
    HOLDS = None  # the values have no intervals

    growth: tuple[float, ...]
    grown: str
    values: dict[str, tuple[float, ...]]
    changes: dict[str, bool]
    curves: dict[str, bool] = field(default_factory=dict)
    threshold: float | None = None
    notices: tuple[Notice, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<ClassMix of {len(self.values)} measures, {self.grown}s times"
            f" {', '.join(f'{g:g}' for g in self.growth[:6])}>"
        )

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, one per measure and factor; None for an undefined or infinite value."""
        return [
            {
                "measure": name,
                "grown": plain["grown"],
                "growth": growth,
                "value": value,
                "changes": plain["changes"][name],
            }
            for name, values in plain["values"].items()
            for growth, value in zip(plain["growth"], values, strict=True)
        ]


@listed(
    "function",
    "tm.class_mix_sensitivity(...)",
    aka=(
        "sensitivity_to_class_mix",
        "class_imbalance_sensitivity",
    ),
    terms=(
        "class_mix",
        "imbalanced_data",
        "change_of_the_class_distribution",
        "metrics_sensitive_to_imbalanced_data",
        "classification_metrics_with_imbalanced_data",
        "prevalence_independent",
    ),
    command="tallymark class-mix",
)
@public()
def class_mix_sensitivity(
    counts: Any, *, growth: tuple[float, ...] = GROWTH, grown: GrownClass = "negative"
) -> ClassMix:
    """Compute every measure as one class grows and the rates within the classes stay the same.

    Measures that stay the same are columnar ratios: they compare cells of one actual class only.

    Parameters
    ----------
    counts : Counts or evaluation
        The cells must be numbers, not arrays. An evaluation of scores also has the measures of rankings and
        the curves, computed again from its scores with the class multiplied.
    growth : tuple of float, default (1, 2, 5, 10, 100)
        Factors by which the number of cases of the class is multiplied.
    grown : {"negative", "positive"}, default "negative"
        The class that grows.

    Returns
    -------
    ClassMix
        With `values`, by measure one value per factor, and `changes`, by measure whether it changes for any
        table; and `curves`, by name whether the points of the curve at the same thresholds change.

    Raises
    ------
    InputError
        For counts of arrays, and for invalid growth or grown.

    References
    ----------
    Tharwat, section 2.1.

    Examples
    --------
    >>> import tallymark as tm
    >>> mix = tm.class_mix_sensitivity(tm.Counts(tp=90, fp=20, fn=10, tn=80), growth=(1, 10))
    >>> mix.changes["precision"], mix.changes["sensitivity"]
    (True, False)
    """
    ranking = getattr(counts, "ranking", None)
    scored = [entry for entry in registry.find(RankingTable) if ranking is not None and entry.name in counts]
    table = one_table(counts)
    validate.choice(grown, get_args(GrownClass), "grown")
    factors = tuple(
        validate.number(factor, "growth", 1e-9, 1e9) for factor in validate.some(growth, "growth", "numbers")
    )
    if not factors:
        raise validate.InputError(
            "invalid-value",
            "growth",
            f"{validate.shown(growth)} is not possible",
            "give several numbers, as (1, 10, 100)",
            value=growth,
        )
    values = _of_counts(table, grown, factors)
    said = getattr(counts, "notices_of_data", ())
    changes = {name: changes_with_class_mix(registry.get(name, Counts)) for name in values}
    if ranking is None:
        return ClassMix(factors, grown, values, changes, notices=said)
    rankings = [multiplied(ranking, **{f"{grown}s": factor}) for factor in factors]
    with np.errstate(all="ignore"):
        more = {entry.name: tuple(float(entry.function(one)) for one in rankings) for entry in scored}
    changes |= {entry.name: changes_with_class_mix(entry) for entry in scored}
    curves = [name for name in CURVES if ranking.in_unit_interval or name not in OF_PROBABILITIES]
    of_curves = {name: curve_changes(name) for name in curves}
    return ClassMix(factors, grown, values | more, changes, of_curves, counts.limit, said)


def _of_counts(counts: Counts, grown: str, factors: tuple[float, ...]) -> dict[str, tuple[float, ...]]:
    """Each measure of counts, one value per factor."""
    sizes = {"negatives": np.ones(len(factors)), "positives": np.ones(len(factors))}
    tables = multiplied(counts, **{**sizes, f"{grown}s": np.array(factors)})
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            entry.name: tuple(np.asarray(entry.function(tables), float).tolist())
            for entry in registry.find(Counts)
        }
