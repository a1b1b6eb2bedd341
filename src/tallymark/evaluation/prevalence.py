"""The same classifier on another class mix: sensitivity and specificity stay, the rest is worked out anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, KeysView
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from ..inference import Estimate, Settings, estimate
from ..inference.bootstrap import resampled_counts
from ..inference.effective import as_cases, effective_parts, numbers
from ..inference.fixed_sizes import HELD
from ..inference.intervals.notes_of_counts import FEW_IN_A_CELL, ONE_CELL
from ..inference.results import known_error
from ..input import validate
from ..input.calls import public
from ..input.data_info import conditions, kind_of_summary, named
from ..input.errors import by_position
from ..input.messages.notes import Note, joined
from ..input.results import Answer, Tabular, head, rows_of
from ..measures import registry
from ..summaries import Counts
from .behaviour import changes_with_class_mix, depends_on_size, one_table
from .given_prevalence import HALF_A_CASE, Share, share_of
from .thresholds import Optimism, around_corrected, depends_on_threshold, less

GIVEN = Note("given")
SIZELESS = Note("rates-without-size")
UNKNOWN = Note("rates-without-cases")


@dataclass(frozen=True, eq=False, repr=False)
class AtPrevalence(Answer, Tabular):
    """Every measure of counts at another prevalence.

    Attributes
    ----------
    prevalence : float
        Share of positives, in (0, 1).
    counts : Counts
        As they would be, of as many cases as before (of one, where only rates were given; of importance
        weights the effective number).
    measured : Counts or None
        The counts that it was worked out from; None for rates.
    settings : Settings
        How intervals are made.
    share : Share
        The prevalence, known or estimated.
    gained : Optimism, Note or None
        The optimism of a threshold chosen on the cases measured, or why it is unknown; else None.
    weight_kind : str or None
        Of the weights of the cases measured, "count" or "importance"; None without any.
    estimates : dict of str to Estimate
        By measure name.
    """

    ANSWER: ClassVar[str] = "at_prevalence"
    FORM: ClassVar[str] = "at_prevalence"

    prevalence: float
    counts: Counts
    measured: Counts | None
    settings: Settings
    share: Share
    gained: Optimism | Note | None = None
    weight_kind: str | None = None
    estimates: dict[str, Estimate] = field(init=False)

    def __post_init__(self) -> None:
        draws = None if self.measured is None else _draws(self.measured, self.share, self.settings)
        found = {entry.name: self._estimate(entry, draws) for entry in registry.find(Counts)}
        object.__setattr__(self, "estimates", found if self.gained is None else self._corrected(found))

    def _corrected(self, found: dict[str, Estimate]) -> dict[str, Estimate]:
        """Counted in that the threshold was chosen on the cases measured, where that matters."""
        moved = {name: not one.undefined and depends_on_threshold(registry.get(name, Counts).function,
        self.counts)
                 for name, one in found.items()}  # fmt: skip
        assert self.measured
        assert self.gained
        if isinstance(self.gained, Note):
            none = (self.gained,)
            return {
                name: Estimate(one.value, level=one.level, notes=none) if moved[name] else one
                for name, one in found.items()
            }
        expected = _at(less(self.measured, self.gained), self.share, self.settings).estimates
        return {
            name: around_corrected(one, expected[name], self.gained) if moved[name] else one
            for name, one in found.items()
        }

    @property
    def design(self) -> str | None:
        """What intervals are for: "case-control", the class sizes of the counts, however their cases were
        taken; None of rates."""
        return None if self.measured is None else self.settings.design

    @property
    def conditions(self) -> str:
        """What the intervals rest on, as a line of text; empty without intervals."""
        return conditions(self.design, self.weight_kind)

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure of counts, by any of its names. Raises InputError for others."""
        entry = registry.get(name)
        if entry.name not in self.estimates:
            raise validate.InputError(
                "unsupported",
                None,
                f"{entry.name} is not measured on counts, so it cannot be worked out for another prevalence",
            )
        return self.estimates[entry.name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    def keys(self) -> KeysView[str]:
        """The names of the measures."""
        return self.estimates.keys()

    def _estimate(self, entry: registry.Measure, draws: Counts | None) -> Estimate:
        level = self.settings.level
        if draws is None and depends_on_size(entry):
            return Estimate(float("nan"), level=level, undefined=SIZELESS)
        value = float(entry.function(self.counts))
        if np.isnan(value):
            return Estimate(value, level=level, undefined=entry.why_undefined(self.counts))
        if draws is None:
            return Estimate(value, level=level, notes=(UNKNOWN,))
        if entry.name == "prevalence" and not self.share.known:
            return self.share.interval(self.settings)
        if not changes_with_class_mix(entry):
            return estimate(entry, self.measured, self.settings)
        made = entry.interval
        # Of the smaller of two functions it takes their own bounds.
        functions = made.of if made is not None and made.kind == "smaller" else (entry.function,)
        found = [_percentiles(function, draws, float(function(self.counts)), level) for function in functions]
        few = ONE_CELL if self._few() and found[0].has_interval else None
        low, high = (min(getattr(one, end) for one in found) for end in ("low", "high"))
        error = min(found, key=float).standard_error
        ends = {"low": low, "high": min(high, entry.range[1])}
        return replace(
            found[0], value=value, **ends, notes=joined(few or found[0].notes), standard_error=error
        )

    def _few(self) -> bool:
        """Whether a rate rests on so few cases that simulation finds intervals to cover as little as 88 %
        (docs/intervals.md)."""
        assert self.measured
        fewest: float = numbers(self.measured).min()
        return fewest < FEW_IN_A_CELL

    def __repr__(self) -> str:
        return f"<AtPrevalence {self.prevalence:.4g}: {len(self)} measures>"

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per measure, as plain values."""
        return rows_of({"measure": name, **found.to_dict()} for name, found in self.estimates.items())

    def to_dict(self) -> dict[str, Any]:
        """Plain values, strict JSON."""
        measured = self.measured.to_dict() if self.measured else None
        return {
            **head(self.ANSWER),
            "prevalence": self.prevalence,
            "prevalence_estimated": None if self.share.known else self.share.to_dict(),
            "counts": self.counts.to_dict(),
            "measured": measured,
            **named(self.design),
            "weight_kind": self.weight_kind,
            "measures": {name: found.to_dict() for name, found in self.estimates.items()},
        }


@public()
def at_prevalence(
    counts: Counts | None = None,
    /,
    *misplaced: Any,
    sensitivity: float | None = None,
    specificity: float | None = None,
    prevalence: float | tuple[float, float] | Estimate | None = None,
    npr: float | None = None,
    level: float = 0.95,
    rng: int = 0,
) -> AtPrevalence:
    """Compute every measure of counts at another prevalence, with the sensitivity and specificity of these
    counts.

    Parameters
    ----------
    counts : Counts, evaluation or ThresholdChoice, optional
        What was measured. An evaluation or a threshold choice shows whether the threshold was chosen on the
        same cases.
    sensitivity, specificity : float, optional
        In place of counts, which leaves no intervals.
    prevalence : float, (positives, cases) or Estimate, optional
        Share of positives, in (0, 1), which counts as known. A prevalence that was estimated itself, on cases
        other than the counts, is given as (positives, cases), or as an `Estimate` with an interval: then its
        uncertainty is included.
    npr : float, optional
        In place of prevalence: negatives per positive, prevalence = 1 / (1 + npr).
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.
    rng : int or numpy.random.Generator, default 0
        Seed of the simulation.

    Returns
    -------
    AtPrevalence
        By the name of the measure an `Estimate`.

    Raises
    ------
    InputError
        For numbers that are out of range, missing or in conflict.

    Notes
    -----
    Measures that do not depend on the prevalence keep the intervals of the counts in a case-control design.
    For the others sensitivity, specificity, and a prevalence from counts, are drawn from what the counts
    leave likely (Beta with Jeffreys' prior); a prevalence with an interval is drawn as normal on the logit
    scale, each side with its own spread. So the bounds of precision differ a little from those of the
    likelihood ratio turned into it.

    Importance weights count as so many cases of one weight as give each rate its linearised variance. Where
    the threshold was chosen on the cases measured, intervals are those of the rates less the optimism of the
    choice, and `corrected` is the value there; or there are none, with the reason. Intervals are for the
    class sizes of the counts (`design` "case-control"), whether these were fixed or not: the prevalence is
    what is given.

    References
    ----------
    Wikipedia; QuData, whose forms with npr are the same numbers. Mossman and Berger (2001), Medical Decision
    Making 21, 498-507, for the simulation with an estimated prevalence.

    Examples
    --------
    >>> import tallymark as tm
    >>> found = tm.at_prevalence(tm.Counts(tp=90, fp=20, fn=10, tn=80), prevalence=0.1)
    >>> round(found["precision"].value, 4)
    0.3333
    """
    if misplaced or isinstance(counts, Real):
        raise by_position("sensitivity", "specificity", "rates")
    share = share_of(prevalence, npr)
    of = share.value
    settings = Settings(level=level, seed=validate.seed(rng), design=HELD)
    if counts is None:
        rates = _rate(sensitivity, "sensitivity"), _rate(specificity, "specificity")
        if not share.known:
            raise validate.InputError(
                "needed",
                "prevalence",
                "its interval needs the counts behind sensitivity and specificity, too",
                "give these, or a number",
            )
        return AtPrevalence(of, _mixed(*rates, of, 1.0), None, settings, share)
    if sensitivity is not None or specificity is not None:
        raise validate.InputError(
            "conflict",
            "sensitivity, specificity",
            "they follow from the counts",
            "give counts or rates, not both",
        )
    if getattr(counts, "clusters", None) is not None:
        raise validate.InputError(
            "unsupported",
            "clusters",
            "intervals at another prevalence take cases as independent",
            "pass its .counts if they are",
        )
    counts = getattr(counts, "evaluation", counts)  # of a threshold choice
    gained = getattr(counts, "optimism_of_choice", None)
    about = getattr(counts, "data", None) if hasattr(counts, "counts") else None  # an array has `data`, too
    counts = one_table(counts)
    for size, missing, unknown in (
        (counts.positives, "positives", "sensitivity"),
        (counts.negatives, "negatives", "specificity"),
    ):
        if not size:
            raise validate.InputError(
                "empty",
                "counts",
                f"there are no {missing}, so the {unknown} is unknown",
                "add cases of that class",
            )
    return _at(
        counts,
        share,
        settings,
        gained,
        about.weight_kind if about else kind_of_summary(counts.squares is not None),
    )


def _at(
    counts: Counts,
    share: Share,
    settings: Settings,
    gained: Optimism | Note | None = None,
    weight_kind: str | None = None,
) -> AtPrevalence:
    total, of = as_cases(counts).total, share.value
    return AtPrevalence(
        of,
        counts.with_class_sizes(of * total, (1 - of) * total),
        counts,
        settings,
        share,
        gained,
        weight_kind,
    )


def _rate(value: Any, role: str) -> float:
    if value is None:
        raise validate.InputError("needed", role, "it is needed with the other rate", "or pass the counts")
    return validate.number(value, role, 0.0, 1.0)


def _mixed(sensitivity: Any, specificity: Any, share: Any, total: float) -> Counts:
    positives, negatives = share * total, (1 - share) * total
    return Counts.of(
        positives * sensitivity,
        negatives * (1 - specificity),
        positives * (1 - sensitivity),
        negatives * specificity,
    )


def _draws(counts: Counts, share: Share, settings: Settings) -> Counts:
    """Tables at that prevalence, with rates that the counts leave likely."""
    rng = np.random.default_rng(settings.seed)
    sensitivity, specificity = (
        _likely(rng, *effective_parts(registry.get(name, Counts).function, counts))
        for name in ("sensitivity", "specificity")
    )
    return _mixed(
        sensitivity, specificity, share.draws(rng, resampled_counts.REPLICATES), as_cases(counts).total
    )


def _likely(rng: np.random.Generator, found: float, cases: float) -> np.ndarray:
    return rng.beta(found + HALF_A_CASE, cases - found + HALF_A_CASE, resampled_counts.REPLICATES)


def _percentiles(function: Callable[..., Any], draws: Counts, value: float, level: float) -> Estimate:
    with np.errstate(divide="ignore", invalid="ignore"):
        values = function(draws)
    values = values[~np.isnan(values)]
    if not values.size or np.ptp(values) <= 1e-12 * max(abs(value), 1e-300):
        return Estimate(value, level=level, notes=(GIVEN,))
    low, high = resampled_counts.percentiles(values, level)
    error = known_error(resampled_counts.deviation(values))
    return Estimate(
        value, min(float(low), value), max(float(high), value), level, "simulation", standard_error=error
    )
