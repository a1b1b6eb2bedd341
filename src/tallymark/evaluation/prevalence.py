"""Measures at another prevalence: sensitivity and specificity stay, the rest is computed again.

The prevalence is known, estimated from counts, or an estimate with an interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from ..inference import Estimate, Settings
from ..inference.covariance import Sampling, as_cases, sampling_of
from ..inference.interval import FIXED, HELD, METHODS, Question, interval_of
from ..inference.linear import single
from ..inference.results import Interval, no_interval, with_interval
from ..input import validate
from ..input.calls import ARRAYS, public
from ..input.errors import by_position, option
from ..input.messages import Note, of_code
from ..input.names import listed
from ..input.results import Answer, ByName, Result, Tabular, rows_of
from ..input.sample import conditions, kind_of_summary, named
from ..measures import registry
from ..summaries import Counts
from .class_mix import depends_on_size, one_table
from .notices import Notice, of_data
from .thresholds import Optimism, around_corrected, depends_on_threshold, less

HALF_A_CASE = 0.5  # added to both cells: Jeffreys' prior of each rate


@dataclass(frozen=True)
class Share(Result):
    """A prevalence: known, or estimated, from counts or as an estimate with an interval."""

    value: float
    events: float | None = None
    cases: float | None = None
    estimate: Estimate | None = None

    @property
    def known(self) -> bool:
        """Whether it is taken as known, without uncertainty."""
        return self.cases is None and self.estimate is None

    def interval(self, settings: Settings) -> Estimate:
        """The estimate of the prevalence itself."""
        if self.cases is None or self.events is None:
            assert self.estimate is not None
            return self.estimate
        low, high = METHODS[settings.proportion](self.events, self.cases, settings.level)
        return Estimate(self.value, float(low), float(high), settings.level, settings.proportion)


def share_of(prevalence: Any, npr: Any) -> Share:
    """The prevalence, from the arguments of `at_prevalence`. Raises InputError."""
    if (prevalence is None) == (npr is None):
        raise validate.InputError(
            "conflict",
            "prevalence",
            f"give either {option('prevalence')}, a share between 0 and 1, or {option('npr')}, negatives per"
            " positive",
        )
    if npr is not None:
        return Share(1 / (1 + validate.number(npr, "npr", 1e-12, 1e12)))
    if isinstance(prevalence, Estimate):
        return _estimated(prevalence)
    if isinstance(prevalence, (tuple, list)):
        return _counted(prevalence)
    share = validate.number(prevalence, "prevalence", 0.0, 1.0)
    if share < validate.SMALLEST or share == 1.0:
        raise validate.InputError(
            "invalid-value", "prevalence", f"{share:g} leaves one class only", "give a share between 0 and 1"
        )
    return Share(share)


def _counted(given: Sequence[Any]) -> Share:
    """A prevalence from (positives, cases)."""
    numbers = [validate.real(one) for one in given]
    if len(numbers) != 2 or not 0 <= numbers[0] <= numbers[1] < 2.0**53 or numbers[1] < 1:
        raise validate.InputError(
            "invalid-value",
            "prevalence",
            f"{validate.shown(given)} is not (positives, cases)",
            "give both as (12, 340), or one number between 0 and 1",
        )
    events, cases = numbers
    if events in (0.0, cases):
        raise validate.InputError(
            "empty",
            "prevalence",
            f"{events:g} positives of {cases:g} cases leave one class only",
            "give a sample that has both, or a number",
        )
    return Share(events / cases, events, cases)


def _estimated(given: Estimate) -> Share:
    """A prevalence from an estimate with an interval inside (0, 1)."""
    if not (given.has_interval and 0 < given.low <= given.value <= given.high < 1):
        raise validate.InputError(
            "no-result",
            "prevalence",
            f"{given} has no interval between 0 and 1",
            "give another estimate, or (positives, cases)",
        )
    return Share(given.value, estimate=given)


SIZELESS = Note("rates-without-size")
UNKNOWN, GIVEN = Note("rates-without-cases"), Note("given")
ROUNDING = 1e-12  # relative difference of values that are equal
POINTS = 33  # of a prevalence, at which a measure is evaluated, since it may have a maximum inside


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
    sampling : Sampling or None
        How the cases of the counts were sampled; None for rates.
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
    sampling: Sampling | None = None
    estimates: dict[str, Estimate] = field(init=False)

    def __post_init__(self) -> None:
        found = {entry.name: self._estimate(entry) for entry in registry.find(Counts)}
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
        counts = less(self.measured, self.gained)
        expected = _at(counts, self.share, self.settings, sampling_of(counts, fixed=True)).estimates
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

    def _estimate(self, entry: registry.Measure) -> Estimate:
        level = self.settings.level
        if self.measured is None and depends_on_size(entry):
            return Estimate(float("nan"), level=level, undefined=SIZELESS)
        value = float(entry.function(self.counts))
        if np.isnan(value):
            return Estimate(value, level=level, undefined=entry.why_undefined(self.counts))
        if self.measured is None:
            return Estimate(value, level=level, notes=(UNKNOWN,))
        if entry.name == "prevalence" and not self.share.known:
            return self.share.interval(self.settings)
        assert self.sampling is not None
        made = self._interval(entry, value, self.prevalence, self.sampling)
        if not self.share.known:
            made = self._with_share(entry, value, made)
        fixed = of_code(made.notes, FIXED.code)  # as the prevalence itself
        return with_interval(value, made, level, GIVEN if fixed else made.notes)

    def _interval(
        self, entry: registry.Measure, value: float, prevalence: float, sampling: Sampling
    ) -> Interval:
        """The interval at a known prevalence: of cases that have the weights of their class there."""
        sizes = np.array([sampling.weight @ (sampling.stratum == one) for one in (0, 1)])
        factor = np.array([1 - prevalence, prevalence]) * float(self.counts.total) / sizes
        of = sampling.reweighted(factor[sampling.stratum])
        counts = Counts.of(*of.weight.tolist())
        if entry.interval is None:
            return no_interval(Note("no-known-interval"))
        made = interval_of(Question(entry, entry.function, counts, value, self.settings, sampling=of))
        return replace(single(made), method=of.named(made.method))

    def _with_share(self, entry: registry.Measure, value: float, made: Interval) -> Interval:
        """The bounds, combined with those of a prevalence that was estimated on other cases.

        Zou and Donner (2008).
        """
        total, share = float(self.counts.total), self.share.interval(self.settings)
        between = np.linspace(share.low, share.high, POINTS)
        values = np.asarray(
            entry.function(self.counts.with_class_sizes(between * total, (1 - between) * total))
        )
        if not values.max() > values.min() + ROUNDING * abs(value):  # also where all are infinite
            return made
        low = value - np.hypot(value - made.low, value - min(float(values.min()), value))
        high = value + np.hypot(made.high - value, max(float(values.max()), value) - value)
        low, high = max(low, entry.range[0]), min(high, entry.range[1])
        return replace(made, low=low, high=high, method=f"{made.method}-mover", standard_error=None)

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


OF_CASES = "pass the evaluation of the cases: at_prevalence(tm.evaluate(truth=y, score=p), prevalence=0.1)"


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
@public(instead=dict.fromkeys(("data", *ARRAYS, "predicted_positive", "positive"), OF_CASES))
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
        Seed of the correction for a threshold that was chosen on the same cases.

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
    For the others the cases of each class have the weights that make up the prevalence, and the class sizes
    are fixed, as in a weighted case-control study; cases in clusters may depend on each other. The bounds of
    a prevalence that was estimated are combined with these (Zou and Donner 2008).

    Where the threshold was chosen on the same cases, the rates are corrected for optimism: `corrected` is the
    value at the corrected rates, and the intervals are for these; or there are none, with the reason. The
    intervals assume fixed class sizes (`design` "case-control"), whether these were fixed or not, since the
    prevalence is given.

    References
    ----------
    Wikipedia; QuData, whose forms with npr are the same numbers. Zou and Donner (2008), Statistics in
    Medicine 27, 1693-1702.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.at_prevalence(tm.Counts(tp=90, fp=20, fn=10, tn=80), prevalence=0.1)
    >>> round(result["precision"].value, 4)
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
    positives, negatives = share.value * total, (1 - share.value) * total
    counts = Counts.of(
        positives * sensitivity,
        negatives * (1 - specificity),
        positives * (1 - sensitivity),
        negatives * specificity,
    )
    return AtPrevalence(share.value, counts, None, settings, share)


def _of_counts(given: Any, share: Share, settings: Settings) -> AtPrevalence:
    """Of a table with both classes, an evaluation or a threshold choice; else raises InputError."""
    given = getattr(given, "evaluation", given)  # for a threshold choice
    about = getattr(given, "data", None) if hasattr(given, "counts") else None  # an array has `data`, too
    counts = one_table(given)
    _check_both_classes(counts)
    weight_kind = about.weight_kind if about else kind_of_summary(counts.squares is not None)
    clusters, sampling = getattr(given, "clusters", None), sampling_of(counts, fixed=True)
    if clusters is not None:
        sampling = clusters.sampling(given.held_threshold, HELD)
    optimism = getattr(given, "optimism_of_choice", None)
    return _at(counts, share, settings, sampling, optimism, weight_kind, of_data(about))


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
    sampling: Sampling,
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
        sampling,
    )
