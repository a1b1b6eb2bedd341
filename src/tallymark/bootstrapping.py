"""The bootstrap by name: intervals of any measure from resampled cases, or resampled groups of cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from . import casewise, registry, text, validate
from .arguments import check_score_kind, checked_parameters, kind_of_table, only_two_classes, seed_of
from .calls import public
from .casewise import Casewise
from .evaluation import in_unit_interval
from .facts import Data, conditions, kind_of_summary
from .registry import Measure
from .summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from .summaries.cases import ScoredCases
from .text import AsJson
from .thresholds import default_threshold, depends_on_threshold
from .uncertainty import Estimate, with_parameters
from .uncertainty import bootstrap_intervals as intervals
from .uncertainty import bootstrap_limits as limits
from .uncertainty.bootstrap_intervals import Sample
from .uncertainty.draws import WEIGHTS, Draws, check_design
from .uncertainty.fixed_sizes import GIVEN_MIX
from .uncertainty.kinds import ROUNDING
from .uncertainty.replicates import Asked, influences, other_mixes, replicates, standard_errors
from .uncertainty.units import Resting, resting_groups
from .validate import InputError
from .version import __version__

USUAL = ("roc_auc", "average_precision", "kolmogorov_smirnov", "brier_score", "log_loss")
AT_A_THRESHOLD = ("accuracy", "sensitivity", "specificity", "precision", "f1", "matthews_correlation")
SHARED = ("_influences", "_errors", "_mixes")  # by intervals of every method, once they are worked out
CHOSEN = "no interval: the threshold was chosen on these cases; give threshold=, or see evaluate, which counts the choice in"
MIX = "it depends on the class mix, which the case-control design fixes; design='cohort' lets it vary"


@public()
def bootstrap(
    data: Any = None,
    /,
    *misplaced: Any,
    truth: Any = None,
    score: Any = None,
    weight: Any = None,
    weight_kind: str | None = None,
    groups: Any = None,
    positive: Any = None,
    higher_is_positive: bool = True,
    missing: str = "reject",
    score_kind: str | None = None,
    threshold: float | None = None,
    measures: str | Sequence[str] | None = None,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    method: str = "bca",
    design: str = "cohort",
    draw: str = "multinomial",
    replicates: int = 1000,
    level: float = 0.95,
    rng: int | np.random.Generator = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Bootstrap:
    """Measures with intervals from bootstrap resamples of the cases.

    data, truth, score, weight, weight_kind, positive, higher_is_positive, missing, score_kind, threshold, parameters: as of
    `evaluate`; data may be a RankingTable. measures: names of measures of scores, or of counts at the threshold; by default a few;
    "all" for every one.
    groups: what cases belong together, as the patient or the site of each: whole groups are drawn (the clustered bootstrap).
    method: "percentile", "basic", "bca" (bias-corrected and accelerated) or "studentised", which needs a standard error for every
    resample and is known for roc_auc, proportions and means of losses of independent cases; other measures then get "bca", and say
    so. design: "cohort" draws cases as they come, so that the class mix varies; "case-control" draws as many of each class as there
    are. draw: "multinomial", the bootstrap itself, or "poisson", every case a Poisson(1) number of times: faster, nearly the same
    for many cases. replicates: resamples. rng: a seed or a NumPy Generator; the same seed gives the same on any number of threads
    (by default one per processor). progress: called with the number of resamples done.

    In a case-control design an interval of what depends on the class mix, as precision or log_loss, is "given this class mix".
    A case of a count of 2 is two cases, and of weight 0 none; of an importance weight it is drawn as one case, with its weight.
    Cases, or groups, are taken to be independent of each other.
    Resamples on which a measure is undefined, as without a positive, are counted in its note. Where no bootstrap interval holds, as
    of calibration errors, or of what rests on a single positive, there is none, and the reason is told; docs/intervals.md says how
    often the others hold. Raises InputError for whatever `evaluate` refuses, for unknown measures and methods, and for measures of
    probabilities where the scores are none.
    """
    if misplaced:
        raise InputError("Pass arrays by name, as truth= and score=, so that they cannot be swapped.")
    validate.choice(method, intervals.METHODS, "method")
    validate.level(level)
    validate.choice(draw, WEIGHTS, "draw")
    check_design(design, groups, draw)
    how = Draws(validate.whole(replicates, "replicates", 50, 1e7), design, draw, seed_of(rng), threads)
    check_score_kind(score_kind, higher_is_positive)
    if isinstance(data, RankingTable):
        score_kind = kind_of_table(data, score_kind, higher_is_positive)
        validate.only(data, truth=truth, score=score, weight=weight, weight_kind=weight_kind, groups=groups, positive=positive)
        validate.some_rows(bool(data.total))
        cases = _of_table(data, higher_is_positive)
    else:
        _given(data, truth, score)
        cases = casewise.read(
            data, truth=truth, score=score, weight=weight, weight_kind=weight_kind, groups=groups, positive=positive,
            higher_is_positive=higher_is_positive, missing=missing, score_kind=score_kind,
        )  # fmt: skip
    model = cases.model
    limit, chosen = _threshold(model, threshold, cases.sign, score_kind)
    asked = _asked(model, measures, checked_parameters(parameters), score_kind, cases.sign)
    found = _replicated(asked, model, how, limit, cases.groups, progress)
    return Bootstrap(cases, how, tuple(asked), limit, found, method, level, chosen)


def _given(data, truth, score):
    if isinstance(data, (Counts, ConfusionMatrix, ClassScores, IndicatorTable, Residuals)):
        raise InputError(f"data: a {type(data).__name__} holds no scores of two classes; pass the cases, or a RankingTable.")
    if truth is None:
        raise InputError("truth: the real labels are missing; pass truth=.")
    if score is None:
        raise InputError("score: the scores are missing; pass score=.")
    only_two_classes("bootstrap", truth, [score], data is not None, "use evaluate, which has intervals for many classes")


def _replicated(asked, model, how, limit, groups, progress):
    return replicates(asked, [model], how, thresholds=[limit], groups=groups, progress=validate.function(progress, "progress"))[0]


def _of_table(table, higher_is_positive):
    model = ScoredCases.from_table(table if higher_is_positive else table.turned())
    kind = kind_of_summary(table.weighted)
    data = Data(text.whole(table.total), table.positives, table.negatives, table.weighted, type(table).__name__, weight_kind=kind)
    return Casewise(model, None, data, ("negative", "positive"), 1 if higher_is_positive else -1)


def _threshold(model, given, sign, score_kind):
    """As `evaluate` chooses it, on the scores as they are held, and whether it was chosen on these cases."""
    if given is not None:
        return sign * validate.threshold(given), False
    chosen = default_threshold(model.table, in_unit_interval(model.table, sign > 0), score_kind)
    assert chosen.value is not None
    return sign * chosen.value if chosen.rule == "default" else chosen.value, chosen.chosen


def _asked(model, measures, parameters, score_kind, sign) -> list[Asked]:
    probabilities = sign > 0 and score_kind in (None, "probability", "logit") and model.table.in_unit_interval
    if measures is None:
        names: Sequence[str] = [name for name in USUAL if probabilities or not registry.get(name).needs_probabilities]
        names = [*names, *AT_A_THRESHOLD]
    elif isinstance(measures, str) and measures == "all":
        names = [entry.name for entry in registry.all_measures() if entry.summary in (RankingTable, Counts)]
        names = [name for name in names if _fits(_entry(name), probabilities, score_kind)]
    else:
        names = _named(measures)
    entries = list(dict.fromkeys(_entry(name) for name in names))
    for entry in entries:
        if not _fits(entry, probabilities, score_kind):
            need = "probabilities" if entry.needs_probabilities else f"score_kind={entry.scores!r}"
            raise InputError(f"measures: {entry.name} needs {need}, which the scores are not; leave it out, or say what they are.")
    return [(entry, parameters.get(entry.name, {})) for entry in entries]


def _named(measures):
    names = [measures] if isinstance(measures, str) else validate.some(measures, "measures", "names")
    if not names:
        raise InputError(f'measures: {validate.shown(measures)} names none; as "roc_auc", ["roc_auc", "f1"], or "all".')
    return names


def _entry(name) -> Measure:
    forms = [form for form in registry.forms(name) if form.summary in (RankingTable, Counts)]
    if not forms:
        raise InputError(f"measures: {name} is measured neither on scores nor on counts; leave it out.")
    return forms[0]


def _fits(entry, probabilities, score_kind):
    if entry.needs_probabilities:
        return probabilities
    return entry.scores in (None, score_kind)


@dataclass(frozen=True, eq=False)
class Bootstrap(AsJson):
    """Measures of cases and of their resamples; `["roc_auc"]` is an `Estimate`.

    cases: what was read; how: how resamples were drawn; asked: the measures with their parameters; threshold: positive when score
    >= threshold, of the scores as they are held; values: of the measures on resamples, shape (measures, replicates); method,
    level: of the intervals; chosen: whether the threshold was chosen on these cases.
    """

    cases: Casewise
    how: Draws
    asked: tuple[Asked, ...]
    threshold: float
    values: np.ndarray
    method: str = "bca"
    level: float = 0.95
    chosen: bool = False

    @property
    def model(self) -> ScoredCases:
        """The cases with their scores."""
        return self.cases.model

    def __iter__(self):
        return (entry.name for entry, _ in self.asked)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and registry.known(name) and self._place(name) is not None

    def keys(self) -> list[str]:
        """The names of the measures."""
        return list(self)

    def __len__(self) -> int:
        return len(self.asked)

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure, by any of its names. Raises InputError for one that was not asked for."""
        return self._estimates[self._number(name)]

    def replicates(self, name: str) -> np.ndarray:
        """A measure on every resample, NaN where undefined."""
        return self.values[self._number(name)]

    def by(self, method: str, level: float | None = None) -> Bootstrap:
        """The same resamples with intervals by another method, or at another level."""
        validate.choice(method, intervals.METHODS, "method")
        new = replace(self, method=method, level=self.level if level is None else validate.level(level))
        new.__dict__.update({name: self.__dict__[name] for name in SHARED if name in self.__dict__})
        return new

    @cached_property
    def _estimates(self):
        return [self._estimate(i, entry, given) for i, (entry, given) in enumerate(self.asked)]

    def _estimate(self, i, entry, given):
        summary = self.model.table if entry.summary is RankingTable else self._counts
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(entry.function(summary, **given))
        if value != value:
            return Estimate(value, level=self.level, undefined=entry.why_undefined(summary))
        if not np.isfinite(value):
            return Estimate(value, level=self.level, note="infinite")
        found = self._interval(i, entry, given, value)
        note = with_parameters(entry, found.note, given)
        return Estimate(value, found.low, found.high, self.level, found.method or None, note=note)

    @cached_property
    def _counts(self):
        return self.model.table.counts_at(self.threshold)

    def _interval(self, i, entry, given, value):
        of_table, rests = (entry, given, self.model.table), self._resting(i, value)
        reason = limits.why_none(*of_table, rests.number, rests.name)
        if self.chosen and entry.summary is Counts and depends_on_threshold(partial(entry.function, **given), self._counts):
            reason = CHOSEN
        if reason:
            return intervals.no_interval(reason)
        method, notes = self.method, []
        if method == "studentised" and not np.isfinite(self._errors[i, 0]):
            method, notes = "bca", ["no standard error is known for it, so not studentised"]
        groups = np.inf if self.cases.groups is None else rests.effective
        pulls = self._influences[i] if method == "bca" else None
        sample = Sample(value, self.values[i], entry.range, self.level, pulls, groups=groups)
        if method == "studentised":
            sample = replace(sample, error=float(self._errors[i, 0]), errors=self._errors[i, 1:])
        found = intervals.interval(sample, method)
        mixed = self.how.keeps_classes and _differ(self._mixes[i, 2], value)
        if not found.method:
            return intervals.no_interval(MIX) if mixed and found.note.startswith(intervals.SAME) else found
        doubt, mix = limits.doubt(*of_table, rests.effective, rests.text), GIVEN_MIX if mixed else None
        notes += [note for note in (found.note, doubt, mix) if note]
        return replace(found, note="; ".join(notes) or None)

    @cached_property
    def _influences(self):
        return influences(self.asked, self.model, self.how, self.threshold, self.cases.groups)

    @cached_property
    def _mixes(self):
        return other_mixes(self.asked, self.model, self.threshold)

    def _resting(self, i, value):
        """The cases, or groups, of the rarer class on which the measure rests."""
        positive, groups = self.model.positive, self.cases.groups
        classes = {"positives": (positive, self._mixes[i, 1]), "negatives": (~positive, self._mixes[i, 0])}
        found = {name: some for name, (some, without) in classes.items() if _differ(without, value)}
        if groups is None:
            number, name = min(((int(some.sum()), name) for name, some in found.items()), default=(len(positive), "cases"))
            return Resting(number, number, name)
        return resting_groups(groups, self.model.weight, found)

    @cached_property
    def _errors(self):
        return standard_errors(self.asked, self.model, self.how, self.threshold, self.cases.groups)

    def _number(self, name):
        found = self._place(name)
        if found is None:
            raise InputError(f"{name}: it was not asked for; name it in measures=.")
        return found

    def _place(self, name):
        wanted = {form.name for form in registry.forms(name)}
        return next((i for i, (entry, _) in enumerate(self.asked) if entry.name in wanted), None)

    @property
    def table(self) -> list[dict]:
        """One row per measure, as plain values."""
        return [{"measure": name, **self[name].to_dict()} for name in self]

    def to_dict(self) -> dict:
        """Plain values; of the resamples only their number."""
        sizes = {"groups": self.cases.group_count} if self.cases.groups is not None else {}
        return {
            "schema": 1,
            "tallymark": __version__,
            "data": self.cases.data.to_dict() | sizes,
            "threshold": self.cases.sign * self.threshold + 0.0,
            "replicates": self.how.replicates,
            "design": self.how.design,
            "draw": self.how.weights,
            "seed": self.how.seed,
            "measures": {name: self[name].to_dict() for name in self},
        }

    def __repr__(self) -> str:
        return f"<Bootstrap of {self.cases.data.rows} cases: {len(self)} measures, {self.how.replicates:,} resamples>"

    def __str__(self) -> str:
        d, groups = self.cases.data, self.cases.group_count
        drawn = f"{groups:,} groups" if groups else "cases of each class" if self.how.keeps_classes else "cases"
        side = ">=" if self.cases.sign > 0 else "<="
        head = [
            f"{text.count(d.rows)} cases: {text.count(d.positives or 0)} positive, {text.count(d.negatives or 0)} negative",
            f"positive when score {side} {text.exact(self.cases.sign * self.threshold + 0.0)}",
            f"{self.how.replicates:,} resamples of {drawn}; {self.how.weights} weights; seed {self.how.seed}",
            text.paragraph(conditions(self.how.design, d.weight_kind), first=""),
        ]
        rows = [self._row(name) for name in self]
        return (
            "\n".join(head)
            + "\n\n"
            + text.table(["measure", "value", f"{100 * self.level:.4g}% interval", "method"], rows, right=(1,))
        )

    def _row(self, name):
        found = self[name]
        if found.undefined:
            return [name, "-", "undefined", found.undefined]
        interval = f"{text.number(found.low)} to {text.number(found.high)}" if found.has_interval else "none"
        return [name, text.number(found.value), interval, "; ".join(part for part in (found.method, found.note) if part)]


def _differ(one, other):
    return not abs(one - other) <= ROUNDING * max(1.0, abs(other))
