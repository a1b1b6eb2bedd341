"""Measures at another prevalence: sensitivity and specificity stay, the rest is computed again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from ..inference import Estimate, Settings, estimate
from ..inference.effective import as_cases, numbers
from ..inference.fixed_sizes import HELD
from ..inference.intervals.of_counts import FEW_IN_A_CELL, ONE_CELL
from ..input import validate
from ..input.by_name import ByName
from ..input.calls import public
from ..input.data_info import conditions, kind_of_summary, named
from ..input.errors import by_position
from ..input.listed import listed
from ..input.messages.notes import Note, joined
from ..input.plain_values import rows_of
from ..input.results import Answer, Tabular
from ..measures import registry
from ..summaries import Counts
from .behaviour import changes_with_class_mix, depends_on_size, one_table
from .given_prevalence import Share, share_of
from .notices import Notice, of_data
from .simulated_rates import drawn_tables, mixed_counts, percentile_estimate
from .thresholds import Optimism, around_corrected, depends_on_threshold, less

SIZELESS = Note("rates-without-size")
UNKNOWN = Note("rates-without-cases")


@dataclass(frozen=True, eq=False, repr=False)
class AtPrevalence(ByName, Answer, Tabular):
    """Every measure of counts at another prevalence.

    Attributes
    ----------
    prevalence : float
        Share of positives, in (0, 1).
    counts : Counts
        The expected counts, of as many cases in total as measured (of `cases`, by default one, where
        only rates were given; the effective number, with importance weights).
    measured : Counts or None
        The counts that were given; None for rates.
    settings : Settings
        How intervals are made.
    share : Share
        The prevalence, known or estimated.
    gained : Optimism, Note or None
        The optimism of a threshold that was chosen on these cases, or why it is unknown; else None.
    weight_kind : str or None
        The kind of the weights of the cases, "count" or "importance"; None without weights.
    notices : tuple of Notice
        On the data.
    estimates : dict of str to Estimate
        By measure name.
    """

    ANSWER: ClassVar[str] = "at_prevalence"
    FORM: ClassVar[str] = "measures.at_prevalence"

    prevalence: float
    counts: Counts
    measured: Counts | None
    settings: Settings
    share: Share
    gained: Optimism | Note | None = None
    weight_kind: str | None = None
    notices: tuple[Notice, ...] = ()
    estimates: dict[str, Estimate] = field(init=False)

    def __post_init__(self) -> None:
        draws = None if self.measured is None else drawn_tables(self.measured, self.share, self.settings)
        found = {entry.name: self._estimate(entry, draws) for entry in registry.find(Counts)}
        object.__setattr__(self, "estimates", found if self.gained is None else self._corrected(found))

    def _corrected(self, found: dict[str, Estimate]) -> dict[str, Estimate]:
        """The estimates, corrected for the choice of the threshold on these cases where they depend on it."""
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
        """The design of the intervals: "case-control", whether the class sizes were fixed or not.

        None where rates were given.
        """
        return None if self.measured is None else self.settings.design

    @property
    def conditions(self) -> str:
        """The conditions of the intervals, as a line of text; empty without intervals.

        The class sizes are fixed whatever the design of the cases: they do not say what the prevalence is.
        """
        if self.measured is None:
            return ""
        sizes = f"{conditions(self.design, None)}, since the prevalence is given"
        return "; ".join(part for part in (sizes, conditions(None, self.weight_kind)) if part)

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure of counts, by any of its names. Raises InputError for other measures."""
        entry = registry.get(name)
        if entry.name not in self.estimates:
            raise validate.InputError(
                "unsupported",
                None,
                f"{entry.name} is not measured on counts, so it cannot be worked out for another prevalence",
            )
        return self.estimates[entry.name]

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
        # For the smaller of two functions the bounds of both are used.
        functions = made.of if made is not None and made.kind == "smaller" else (entry.function,)
        found = [
            percentile_estimate(function, draws, float(function(self.counts)), level)
            for function in functions
        ]
        few = ONE_CELL if self._few() and found[0].has_interval else None
        low, high = (min(getattr(one, end) for one in found) for end in ("low", "high"))
        error = min(found, key=float).standard_error
        ends = {"low": low, "high": min(high, entry.range[1])}
        return replace(
            found[0], value=value, **ends, notes=joined(few or found[0].notes), standard_error=error
        )

    def _few(self) -> bool:
        """Whether a rate is based on few cases; in simulations the coverage then falls to 88 %.

        docs/intervals.md has the figures.
        """
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
            **self._begin(),
            "prevalence": self.prevalence,
            "prevalence_estimated": None if self.share.known else self.share.to_dict(),
            "counts": self.counts.to_dict(),
            "measured": measured,
            **named(self.design),
            "weight_kind": self.weight_kind,
            "measures": {name: found.to_dict() for name, found in self.estimates.items()},
        }


@listed(
    "function",
    "tm.at_prevalence(...)",
    terms=(
        "class_mix",
        "class_ratio",
        "impact_of_prevalence_on_prediction_values",
        "ppv_from_sensitivity_specificity_and_prevalence",
    ),
    command="tallymark prevalence",
)
@public()
def at_prevalence(
    counts: Counts | None = None,
    /,
    *,
    sensitivity: float | None = None,
    specificity: float | None = None,
    prevalence: float | tuple[float, float] | Estimate | None = None,
    npr: float | None = None,
    cases: float | None = None,
    level: float = 0.95,
    rng: int = 0,
) -> AtPrevalence:
    """Compute every measure of counts at another prevalence, with the same sensitivity and specificity.

    Parameters
    ----------
    counts : Counts, evaluation or ThresholdChoice, optional
        The counts at the prevalence of the data. An evaluation or a threshold choice also shows whether the
        threshold was chosen on the same cases.
    sensitivity, specificity : float, optional
        In place of counts; then there are no intervals.
    prevalence : float, (positives, cases) or Estimate, optional
        The prevalence, in (0, 1). A number is taken as known. For a prevalence estimated on cases other than
        the counts, pass (positives, cases) or an `Estimate` with an interval; then its uncertainty is
        included.
    npr : float, optional
        In place of prevalence: the ratio of negatives to positives, so that prevalence = 1 / (1 + npr).
    cases : float, optional
        With rates: the number of cases of the expected counts, by default one.
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.
    rng : int or numpy.random.Generator, default 0
        Seed of the simulation.

    Returns
    -------
    AtPrevalence
        An `Estimate` for each measure, by name.

    Raises
    ------
    InputError
        For values that are out of range, missing or in conflict.

    Notes
    -----
    Measures that do not depend on the prevalence keep the intervals of the counts in a case-control design.
    For the others, sensitivity, specificity, and a prevalence from counts, are drawn from their posterior
    (Beta, with Jeffreys' prior); a prevalence with an interval is drawn as normal on the logit scale, with a
    spread for each side. So the bounds of precision differ a little from those that follow from the interval
    of the likelihood ratio.

    With importance weights, each rate has the effective number of cases that matches its linearised variance.
    Where the threshold was chosen on the same cases, the rates are corrected for optimism: `corrected` is the
    value at the corrected rates, and the intervals are for these; or there are none, with the reason. The
    intervals assume fixed class sizes (`design` "case-control"), whether these were fixed or not, since the
    prevalence is given.

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
    if isinstance(counts, Real):
        raise by_position("sensitivity", "specificity", "rates")
    share = share_of(prevalence, npr)
    settings = Settings(level=level, seed=validate.seed(rng), design=HELD)
    if counts is None:
        total = 1.0 if cases is None else validate.positive(cases, "cases")
        rates = _rate(sensitivity, "sensitivity"), _rate(specificity, "specificity")
        return _of_rates(*rates, share, settings, total)
    if cases is not None:
        problem = "the counts say how many cases there are"
        raise validate.InputError("conflict", "cases", problem, "leave it out, or give rates")
    if sensitivity is not None or specificity is not None:
        raise validate.InputError(
            "conflict",
            "sensitivity, specificity",
            "they follow from the counts",
            "give counts or rates, not both",
        )
    return _of_counts(counts, share, settings)


def _rate(value: Any, role: str) -> float:
    if value is None:
        raise validate.InputError("needed", role, "it is needed with the other rate", "or pass the counts")
    return validate.number(value, role, 0.0, 1.0)


def _of_rates(
    sensitivity: float, specificity: float, share: Share, settings: Settings, total: float
) -> AtPrevalence:
    """Values without intervals. Raises InputError for a prevalence that was estimated."""
    if not share.known:
        raise validate.InputError(
            "needed",
            "prevalence",
            "its interval needs the counts behind sensitivity and specificity, too",
            "give these, or a number",
        )
    counts = mixed_counts(sensitivity, specificity, share.value, total)
    return AtPrevalence(share.value, counts, None, settings, share)


def _of_counts(given: Any, share: Share, settings: Settings) -> AtPrevalence:
    """Of a table with both classes, an evaluation or a threshold choice; else raises InputError."""
    if getattr(given, "clusters", None) is not None:
        raise validate.InputError(
            "unsupported",
            "clusters",
            "intervals at another prevalence take cases as independent",
            "pass its .counts if they are",
        )
    given = getattr(given, "evaluation", given)  # for a threshold choice
    about = getattr(given, "data", None) if hasattr(given, "counts") else None  # an array has `data`, too
    counts = one_table(given)
    _check_both_classes(counts)
    weight_kind = about.weight_kind if about else kind_of_summary(counts.squares is not None)
    return _at(
        counts, share, settings, getattr(given, "optimism_of_choice", None), weight_kind, of_data(about)
    )


def _check_both_classes(counts: Counts) -> None:
    """Raises InputError where a class has no cases."""
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


def _at(
    counts: Counts,
    share: Share,
    settings: Settings,
    gained: Optimism | Note | None = None,
    weight_kind: str | None = None,
    notices: tuple[Notice, ...] = (),
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
        notices,
    )
