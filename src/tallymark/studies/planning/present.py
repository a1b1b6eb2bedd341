"""The precision that the data at hand give, and how many more cases another precision needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, isfinite, log
from typing import Any

from ...evaluation.notices import Notice
from ...evaluation.results import Evaluation, refuse_answers
from ...inference import Estimate, Settings, estimate
from ...inference.effective import as_cases, effective_rows
from ...inference.intervals.scale import normal_quantile
from ...input import text, validate
from ...input.calls import public
from ...input.data_info import conditions, named
from ...input.messages import Note, Notes, joined, text_of
from ...input.results import Answer, ByName, Result, Tabular, rows_of
from ...input.spelling import option
from ...input.validate import InputError
from ...measures import registry
from ...summaries import ConfusionMatrix, Counts, RankingTable
from .plan import MOST, NORMAL, POWER, power_of

SIZED = Note("depends-on-size")
CLOSE = 1e-4  # relative difference from the width asked for
ROUNDS = 12
USUAL = {
    Counts: ("sensitivity", "specificity", "accuracy"),
    RankingTable: ("roc_auc", "average_precision"),
    ConfusionMatrix: ("accuracy", "balanced_accuracy"),
}
GROUPED = Note("by-square-root-of-clusters")
TOO_MANY = Note("more-than-any-cases", limit=MOST)
NO_WIDTH = Note("no-finite-width")


@dataclass(frozen=True, repr=False)
class Reach(Result):
    """The precision of a measure now, and the number of cases that gives the precision asked for.

    Attributes
    ----------
    measure : str
        Its name.
    estimate : Estimate
        Its value and interval now.
    wanted : float or None
        The width asked for, from the low to the high end of the interval.
    factor : float or None
        The number of cases needed, over the present one.
    cases : int or None
        Number of cases needed.
    detectable : float or None
        The smallest difference from a fixed value that these data show with the power asked for.
    notes : tuple of Note
        Why a number is None, and what makes it approximate.
    """

    measure: str
    estimate: Estimate
    wanted: float | None = None
    factor: float | None = None
    cases: int | None = None
    detectable: float | None = None
    notes: Notes = ()

    @property
    def note(self) -> str | None:
        """The sentences of the notes, joined with semicolons; None where there are none."""
        return text_of(self.notes)

    @property
    def width(self) -> float:
        """The width of the interval now, from low to high."""
        return self.estimate.high - self.estimate.low

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        more = {
            "wanted": self.wanted,
            "factor": self.factor,
            "cases": self.cases,
            "detectable": self.detectable,
        }
        plain = {"measure": self.measure, "estimate": self.estimate.to_dict(), **more}
        width = self.width if isfinite(self.width) else None
        return {**plain, "note": self.note, "width": width, "notes": [note.to_dict() for note in self.notes]}


@dataclass(frozen=True, repr=False)
class Present(ByName, Answer, Tabular):
    """The precision of the measures of some data.

    Attributes
    ----------
    cases : float
        Number of cases.
    level, power : float
        Confidence level of the intervals, and the power for `detectable`.
    reach : tuple of Reach
        One per measure. `present["roc_auc"]` is that of this measure.
    design, weight_kind : str or None
        As in the intervals of `evaluate`.
    notices : tuple of Notice
        On the data.
    """

    ANSWER = "precision"
    FORM = "studies.present"

    cases: float
    level: float
    power: float
    reach: tuple[Reach, ...]
    design: str | None = "cohort"
    weight_kind: str | None = None
    notices: tuple[Notice, ...] = ()

    def keys(self) -> tuple[str, ...]:
        """The names of the measures."""
        return tuple(one.measure for one in self.reach)

    def __getitem__(self, name: str) -> Reach:
        """The `Reach` of a measure, by any of its names. Raises InputError for one not asked for."""
        names = {form.name for form in registry.forms(name)}
        for reach in self.reach:
            if reach.measure in names:
                return reach
        raise InputError(
            "unknown-name",
            None,
            f"{validate.shown(name)} was not asked for",
            f"{option('measures')} names {', '.join(self.keys())}",
            value=name,
        )

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text."""
        return conditions(self.design, self.weight_kind)

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, one per measure: its estimate, and what another width needs."""
        return rows_of({"measure": one["measure"], **one["estimate"], **one} for one in plain["measures"])

    @classmethod
    def estimates_in(cls, plain: Mapping[str, Any]) -> Mapping[Any, Mapping[str, Any]]:
        """The estimates by measure."""
        return {one["measure"]: one["estimate"] for one in plain["measures"]}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        facts = {
            "cases": self.cases,
            "level": self.level,
            "power": self.power,
            **named(self.design),
            "weight_kind": self.weight_kind,
        }
        return {**self._begin(), **facts, "measures": [one.to_dict() for one in self.reach]}


@public()
def present(
    data: Any,
    *,
    measures: str | tuple[str, ...] | None = None,
    width: float | None = None,
    power: float = POWER,
    settings: Settings | None = None,
) -> Present:
    """Precision of the measures of some data, and number of cases needed for another precision.

    Parameters
    ----------
    data : Evaluation, Counts, RankingTable or ConfusionMatrix
        The results of the data at hand.
    measures : str or tuple of str, optional
        Names of measures; by default a few usual ones.
    width : float, optional
        The width asked for, from the low to the high end of the interval; by default half the present one.
    power : float, default 0.8
        Power for the detectable difference, see `Reach`.
    settings : Settings, optional
        How the intervals of a summary are made, by default `Settings()`; an evaluation has its own.

    Returns
    -------
    Present
        With a `Reach` for each measure.

    Raises
    ------
    InputError
        For a measure that the data do not allow, for other kinds of data, and for settings with an
        evaluation, which has its own.

    Notes
    -----
    The interval is computed from the summary times k, with k such that the width is the one asked for, to a
    relative error of 1e-4. k is about (width now / width asked for)^2; it differs from that where cases are
    few. For cases in clusters, and at a threshold chosen on these cases, it is this ratio. The class mix, the
    scores and the threshold are assumed to stay the same.

    Examples
    --------
    >>> import tallymark as tm
    >>> found = tm.planning.present(tm.Counts(tp=90, fp=20, fn=10, tn=80), measures="sensitivity", width=0.1)
    >>> found.cases, found.reach[0].cases
    (200, 282)
    """
    wanted = None if width is None else validate.number(width, "width", 1e-9, 1e9)
    chance = power_of(power)
    evaluation = data if isinstance(data, Evaluation) else None
    if evaluation is not None and settings is not None:
        raise InputError("conflict", "settings", "the evaluation has its own", "leave it out")
    refuse_answers(data)
    if evaluation is None and not isinstance(data, tuple(USUAL)):
        raise InputError(
            "unsupported",
            "data",
            f"a {type(data).__name__} has no measures",
            "pass an Evaluation, as tallymark.evaluate gives it, or a summary",
        )
    if settings is not None:
        validate.of_type(settings, Settings, "settings")
    if measures is not None:
        several = [measures] if isinstance(measures, str) else measures
        names = tuple(validate.some(several, "measures", "names"))
    elif evaluation is None:
        names = next(names for kind, names in USUAL.items() if isinstance(data, kind))
    else:
        names = tuple(dict.fromkeys(name for usual in USUAL.values() for name in usual if name in evaluation))
    if not names:
        example = "sensitivity" if measures is not None else next(iter(data), "accuracy")
        raise InputError(
            "needed",
            "measures",
            "none is named",
            f"name one or several of these data, as {option('measures', [example])}",
        )
    settings = settings or Settings() if evaluation is None else evaluation.settings
    first = data if evaluation is None else evaluation.summaries[0]
    summary = first if evaluation is None else evaluation.as_cases(first) or first
    cases = text.whole(effective_rows(summary) or float(as_cases(summary).total))
    return Present(
        cases,
        settings.level,
        chance,
        tuple(_reach(data, settings, cases, name, wanted, chance) for name in names),
        settings.design if evaluation is None else evaluation.design,
        None if evaluation is None else evaluation.data.weight_kind,
        () if evaluation is None else evaluation.notices_of_data,
    )


def _reach(
    data: Any, settings: Settings, cases: float, name: str, width: float | None, power: float
) -> Reach:
    """The precision of one measure; its interval is of the summary with the effective number of cases."""
    summary, parameters, clustered, by_root = data, {}, False, False
    if isinstance(data, Evaluation):
        chosen = data[name].corrected is not None  # raises InputError with the reason
        entry = next(data.entry(form.name) for form in registry.forms(name) if form.name in data.estimates)
        summary = data.as_cases(data.summary_of(entry.name)) or data.summary_of(entry.name)
        parameters, clustered = data.parameters_of(entry), data.clusters is not None
        by_root = clustered or chosen
    else:
        entry = registry.get(name, type(data))
        entry.check(data)

    def times(k: float) -> Estimate:
        return estimate(entry, summary.repeated(k) if k != 1 else summary, settings, **parameters)

    now = data[entry.name] if by_root else times(1)
    wide = now.high - now.low
    twice = float(entry.function(summary * 2, **parameters))
    if now.undefined:
        return Reach(entry.name, now, notes=joined(now.undefined))
    if abs(twice - now.value) > 1e-9 * max(abs(now.value), 1.0):
        return Reach(entry.name, now, notes=joined(SIZED))
    if not isfinite(wide) or wide <= 0:
        return Reach(entry.name, now, notes=now.notes or joined(NO_WIDTH))
    detectable = wide / 2 * (1 + NORMAL.inv_cdf(power) / normal_quantile(settings.level))
    wanted = wide / 2 if width is None else width
    factor = (wide / wanted) ** 2 if by_root else _factor(times, wide, wanted)
    if factor is None or factor * cases > MOST:
        return Reach(entry.name, now, wanted, detectable=detectable, notes=(TOO_MANY,))
    notes = (GROUPED,) if clustered else now.notes
    return Reach(entry.name, now, wanted, factor, ceil(factor * cases - CLOSE), detectable, notes)


def _factor(times: Callable[[float], Estimate], wide: float, wanted: float) -> float | None:
    """The factor on the number of cases that makes the interval as narrow.

    First by the rule of the square root, then by the rate at which it was found to shrink.
    """
    k, width, power = 1.0, wide, -0.5
    for _ in range(ROUNDS):
        if abs(width / wanted - 1) <= CLOSE:
            break
        step = min((wanted / width) ** (1 / power), MOST)
        before, k = width, k * step
        if not 1e-9 < k < MOST:
            return None
        now = times(k)
        width = now.high - now.low
        if not isfinite(width) or width <= 0:
            return None
        if abs(step - 1) > CLOSE:  # without cases on one side the width is proportional to 1 / k
            power = min(max(log(width / before) / log(step), -1.0), -0.25)
    return k
