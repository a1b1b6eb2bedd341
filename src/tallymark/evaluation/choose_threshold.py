"""`choose_threshold`: the threshold, its uncertainty, and the optimism of measures at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, nan
from typing import Any, Unpack

from ..inference import Estimate, Settings
from ..inference.interval import GIVEN_MIX, HELD
from ..input import validate
from ..input.calls import public
from ..input.errors import option
from ..input.messages import Note, Noted, Notes, joined
from ..input.results import Answer, ByName, InFull, Plotted, Tabular, head, plain
from ..input.sample import named
from ..measures import registry
from ..summaries import Counts
from .evaluate import (
    NOT_OF_ONE,
    MeasureArguments,
    checked_parameters,
    evaluate,
    names_of_measures,
    replicates_of,
    with_scores,
)
from .notices import Notice, without
from .results import BinaryEvaluation, Evaluation, in_unit_interval
from .thresholds import (
    DEFAULT,
    NOT_REPEATED,
    Choice,
    RuleSpec,
    choose,
    default_threshold,
    depends_on_mix,
    read_rule,
)

REPLICATES = 1_000
UNSTABLE = 0.20  # the interval of the threshold is wide if more than this share of all cases lies in it
NEVER_MET = Note("never-met")
RARELY = 0.95  # share of resamples on which a constraint should be met


@public(also=evaluate, but=tuple(name for name in NOT_OF_ONE if name != "measures"))
def choose_threshold(
    data: Any = None,
    /,
    *,
    rule: str = "youden",
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
    slope: float | None = None,
    k: float | None = None,
    measures: str | Sequence[str] | None = None,
    replicates: int = REPLICATES,
    **cases: Unpack[MeasureArguments],
) -> ThresholdChoice:
    """Choose a threshold by a stated rule, with its interval and optimism-corrected measures.

    Parameters
    ----------
    data : data frame, file, mapping of columns, RankingTable or evaluation, optional
        As for `evaluate`; the threshold of an evaluation is replaced.
    rule : str, default "youden"
        The name of a rule, as "youden", "cost" (with cost_fp and cost_fn), "top_k" (with k) or "roc_slope"
        (with slope, or with costs and prevalence); docs/names.md and `tallymark threshold --help` list all.
        Or a measure of counts to optimise, as "f1". Or constraints, as "sensitivity>=0.95" or "precision>=0.9
        and recall>=0.8", also after a measure or rule, as "f1 where precision>=0.9". Or
        "sensitivity.low>=0.95" for a limit that holds on other cases at the confidence level.
    cost_fp, cost_fn : float, optional
        Costs of one false positive and of one false negative.
    prevalence : float, optional
        Prevalence where the classifier will be used; by default that of these cases.
    slope : float, optional
        Slope of the rule "roc_slope".
    k : int, optional
        The number of cases that "top_k" predicts positive.
    measures : str or list of str, optional
        The measures of counts to show, by any of their names; by default a few, and with `.all` every one.
    replicates : int, default 1000
        Number of bootstrap resamples, at least 50. With 0 the threshold has no interval, and measures at it
        have neither a correction nor an interval.
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, regression
        As for `evaluate`.
    clusters, persons
        As for `evaluate`; they are resampled as wholes. Measures at the threshold then have no correction.
    predicted_positive, not_an_answer, higher_is_positive, score_kind, missing, where, memory, threshold
        As for `evaluate`; threshold is refused.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    ThresholdChoice
        With `threshold`, `interval`, `equally_good` and, by measure, the estimate, the optimism and the
        corrected value.

    Raises
    ------
    InputError
        For an unknown rule, where no threshold meets the rule or has a value, where one class is missing, for
        predicted, counts and threshold, and for whatever `evaluate` refuses.

    Notes
    -----
    With design="cohort" the class mix varies between resamples, and resamples without cases of one class are
    left out. With design="case-control" each class is resampled separately, and a threshold chosen by a rule
    that depends on the class mix, as accuracy or cost, is "given this class mix".

    What the rule optimised is what is measured: `expected_cost` has its costs, and `net_benefit` the odds
    that follow from these, or the other way round, unless `parameters` states others.

    A threshold is dominated if another allowed one has at least its sensitivity and specificity, and more of
    one of them. A rule that optimises never chooses such a one. "top_k", "prevalence_matched" and
    "equal_error" return what they promise, dominated or not; "top_k" predicts fewer than k cases positive
    where the next ones are tied. All equally good thresholds are listed, of constraints those that are not
    dominated. Of these, a constraint takes the one that is best in the constrained measure, several
    constraints the one with the largest Youden index; then the highest one is taken.

    Examples
    --------
    >>> import tallymark as tm
    >>> truth, score = [0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.7, 0.9]
    >>> tm.choose_threshold(truth=truth, score=score, rule="sensitivity>=0.9", replicates=0).threshold
    0.4
    """
    options = {"cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence, "slope": slope, "k": k}
    if isinstance(data, Evaluation):  # a limit on other cases is at its confidence level
        parameters, level = data.parameters, data.settings.level
    else:
        parameters = checked_parameters(cases.get("parameters"))
        level = validate.level(cases.get("level", Settings().level))
    chosen_rule = read_rule(rule, parameters, level, **options)
    if cases.pop("threshold", None) is not None:
        raise validate.InputError(
            "conflict", "threshold", "it is to be chosen here", "leave it out, or use evaluate"
        )
    names = None if measures is None else names_of_measures(measures)
    size = replicates_of(replicates, 50, 1e6)
    start = with_scores("choose_threshold", "a threshold", data, cases)
    choice = choose(
        start._ranking("rule"),
        chosen_rule,
        start.settings.seed,
        size,
        HELD if start.mix_is_fixed else start.settings.design,
        start.clusters,
    )
    sign = 1 if start.higher_is_positive else -1
    evaluation = start.at(sign * choice.value).chosen_by(chosen_rule)
    if not size:
        assert evaluation.threshold is not None
        evaluation = replace(evaluation, threshold=replace(evaluation.threshold, splits=0))
    return ThresholdChoice(evaluation if names is None else _selected(evaluation, names), choice, sign)


def _selected(evaluation: BinaryEvaluation, names: Sequence[str]) -> BinaryEvaluation:
    """The evaluation with these measures. Raises InputError for one that is not of counts at a threshold."""
    selected: BinaryEvaluation = evaluation[list(names)]
    for name in selected.shown:
        if selected.entry(name).summary is not Counts:
            raise validate.InputError(
                "unsupported",
                "measures",
                f"{name} is not a measure of the counts at a threshold",
                f"leave it out, or take {option('rule')} of evaluate",
            )
    return selected


@dataclass(frozen=True, eq=False)
class ThresholdChoice(Noted, ByName, Answer, Tabular, Plotted):
    """A chosen threshold, its interval, and the measures at it.

    Attributes
    ----------
    evaluation : BinaryEvaluation
        Every measure at the threshold.
    choice : Choice
        The thresholds that the rule chose on the table and on resamples.
    sign : int
        -1 where a lower score means positive, and the table stores negated scores; else 1.
    """

    ANSWER = "threshold"
    FORM = "measures.threshold_choice"
    FIGURE = "thresholds"

    evaluation: BinaryEvaluation
    choice: Choice
    sign: int = 1

    @property
    def all(self) -> InFull:
        """The same as it prints in full: every measure with its notes, and all notices."""
        return InFull(replace(self, evaluation=replace(self.evaluation, selected=None)))

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure at the threshold, by any of its names, as in an `Evaluation`."""
        return self.evaluation[name]

    @property
    def estimates(self) -> Mapping[str, Estimate]:
        """The estimates at the threshold."""
        return self.evaluation.estimates

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text."""
        return self.evaluation.conditions

    @property
    def threshold(self) -> float:
        """Cases with score >= threshold are predicted positive (<= where a lower score means positive).

        Infinite where no case, or every case, is predicted positive.
        """
        return self.sign * self.choice.value + 0.0

    @property
    def rule(self) -> RuleSpec:
        """The rule by which it was chosen; its `text` describes it."""
        return self.choice.rule.spec

    @property
    def interval(self) -> tuple[float, float]:
        """The percentile interval of the thresholds chosen on resamples, at the level of the settings."""
        return self._turned(self.choice.interval(self.evaluation.settings.level))

    @property
    def equally_good(self) -> list[tuple[float, float]]:
        """Intervals of thresholds that are equally good by the rule.

        They are open at the end where more cases are predicted positive.
        """
        return [self._turned(ends) for ends in self.choice.equally_good]

    @property
    def headline(self) -> str:
        """The threshold and what the rule optimised there, as a sentence."""
        from ..report.documents import measures

        return measures.sentence(self)

    @property
    def against(self) -> tuple[float, float] | None:
        """The usual threshold of such scores, and there the value of the first measure the rule is about.

        None where the scores have no usual threshold, and where it is the one chosen.
        """
        e, table = self.evaluation, self.choice.ranking
        usual = default_threshold(table, in_unit_interval(table, e.higher_is_positive), e.score_kind)
        if usual.rule != DEFAULT or usual.value is None or usual.value == self.threshold:
            return None
        entry = e.entry(self.choice.rule.measures[0])
        value = float(entry.function(e.at(usual.value).counts, **e.parameters_of(entry)))
        return usual.value, value

    @property
    def notes(self) -> Notes:
        """Notes on the threshold.

        Why it has no interval, and that it is for the class mix of the data, where the design or the weights
        fix that.
        """
        e, at = self.evaluation, self.choice.index + 1
        given = GIVEN_MIX if e.mix_is_fixed and depends_on_mix(self.choice.rule) else None
        ties, counts, sweep = None, self.choice.counts, self.choice.ranking.sweep()
        # fewer than the k of "top_k" are predicted positive, since the next cases are tied
        if self.rule.code == "top_k" and at < len(sweep.tp) and counts.tp + counts.fp < self.rule["k"]:
            before, after = (float(each.tp + each.fp) for each in (counts, sweep[at]))
            ties = Note("top-k-tied", k=self.rule["k"], predicted=before, tied=after - before)
        return joined(self.without_interval, given, ties)

    @property
    def without_interval(self) -> Note | None:
        """Why the threshold has no interval; None if it has one."""
        if not self.choice.replicates:
            return NOT_REPEATED
        return None if len(self.choice.thresholds) else NEVER_MET

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures of counts, or of those of the evaluation where it has a choice."""
        return tuple(self.evaluation.selected or (entry.name for entry in registry.find(Counts)))

    @cached_property
    def corrected(self) -> dict[str, float]:
        """By measure of counts, its value less the optimism of the choice of the threshold on these cases.

        NaN where that is unknown. A measure that does not depend on the threshold keeps its value.
        """
        return {name: _corrected(self.evaluation.estimates[name]) for name in self.measures}

    @property
    def optimism(self) -> dict[str, float]:
        """By measure of counts, its value less the corrected one."""
        return {name: self.evaluation.estimates[name].value - value for name, value in self.corrected.items()}

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Notices on the choice and on the data.

        Without the one that the threshold was chosen on these cases, which `corrected` accounts for.
        """
        own = []
        share, (low, high) = self.choice.share_between(self.evaluation.settings.level), self.interval
        if not self.without_interval and share > UNSTABLE:
            own.append(Notice("unstable-threshold", low=low, high=high, share=share))
        if self.choice.nothing_allowed > 1 - RARELY:
            own.append(Notice("rarely-met", share=self.choice.nothing_allowed, rule=self.rule))
        return (*own, *without(self.evaluation.notices, "threshold-chosen-here"))

    def to_dict(self) -> dict[str, Any]:
        """Plain values; infinite thresholds as the texts "inf" and "-inf"."""
        low, high = self.interval
        return {
            **head(self.ANSWER),
            "headline": {"text": self.headline},
            "data": self.evaluation.data.to_dict(),
            **named(self.evaluation.settings.design, self.evaluation.mix_fixed_by_weights),
            "rule": self.rule.to_dict(),
            "threshold": (
                {"value": plain(self.threshold, True), "low": plain(low, True), "high": plain(high, True)}
                | {"method": None if self.without_interval else "bootstrap", "note": self.note}
                | {"notes": plain(self.notes)}
            ),
            "equally_good": plain(self.equally_good, True),
            "resamples": len(self.choice.thresholds),
            "measures": {name: self._measure(name) for name in self.optimism},
            "notices": plain(self.notices),
            "counts": self.evaluation.counts.to_dict(),
        }

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per measure of counts at the threshold, as plain values."""
        return self.rows_in({"measures": {name: self._measure(name) for name in self.optimism}})

    def _measure(self, name: str) -> dict[str, Any]:
        more = {"corrected": self.corrected[name], "optimism": self.optimism[name]}
        known = {key: value if isfinite(value) else None for key, value in more.items()}
        plain = self.evaluation.estimates[name].to_dict()
        return {"value": plain["value"], "corrected": known["corrected"]} | plain | known

    def __repr__(self) -> str:
        low, high = self.interval
        ends = "" if self.without_interval else f" [{low:.4g}, {high:.4g}]"
        return f"<ThresholdChoice {self.threshold:.6g} by {self.rule}{ends}>"

    def _turned(self, ends: tuple[float, float]) -> tuple[float, float]:
        low, high = ends
        return (low, high) if self.sign > 0 else (0.0 - high, 0.0 - low)


def _corrected(estimate: Estimate) -> float:
    """The corrected value; the value itself where it does not depend on the threshold; NaN where unknown."""
    if estimate.corrected is not None:
        return estimate.corrected
    return estimate.value if estimate.has_interval and not estimate.undefined else nan
