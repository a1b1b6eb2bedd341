"""The evaluations of two classes, of several classes, of several labels, and of predicted amounts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ...inference import Estimate
from ...inference.binned import estimate_binned
from ...inference.clustered import DependentCases, DependentTables
from ...inference.fixed_sizes import with_fixed_mix
from ...input import validate
from ...input.calls import public
from ...input.messages import Note
from ...input.options import Band, Ties
from ...input.spelling import IN_FORMATS
from ...input.text import whole
from ...input.validate import InputError
from ...measures import registry
from ...measures.families.multiclass_ranking import against_the_rest
from ...measures.registry import Measure
from ...summaries import (
    BinnedTable,
    ClassScores,
    ConfusionMatrix,
    Counts,
    IndicatorTable,
    LogitTable,
    RankingTable,
    Residuals,
)
from ...summaries.amounts_in_engines import EachNeeded
from ...summaries.ranking import sigmoid
from ..availability import LOWER_IS_POSITIVE, NO_PROBABILITIES, kind_needed, why_not_in_order
from ..class_measures import WITHHELD, ManyClasses
from ..contingency import Contingency
from ..threshold_table import OperatingPoints, PairsMatrix
from ..thresholds import (
    GIVEN,
    HIGHEST_SCORE,
    PREDICTED,
    Optimism,
    Rule,
    RuleSpec,
    Threshold,
    default_threshold,
    depends_on_threshold,
    estimate_at_chosen,
    highest_of_the_best,
    optimism_of,
    parameters_of,
)
from .base import ClasswiseEvaluation, Evaluation, ScoredEvaluation, guessed
from .lacking import LABELS, NO_CLASS_SCORES, no_scores, no_threshold

if TYPE_CHECKING:
    from ...curves import Curve


# at the threshold of the decisions, where this is a probability
BENEFITS = ("net_benefit", "standardised_net_benefit", "interventions_avoided")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BinaryEvaluation(ScoredEvaluation):
    """Every measure of two classes.

    Attributes
    ----------
    counts : Counts
        True and false positives and negatives, at the threshold or of predicted labels.
    ranking : RankingTable or None
        The table of scores; None where only labels or counts were given.
    binned : BinnedTable or None
        The bins of the scores, where these alone are known; `ranking` then has a row for each bin.
    threshold : Threshold or None
        The threshold and how it was chosen; its value is None for predicted labels. None where counts were
        given.
    labels : tuple
        The negative and the positive one.
    higher_is_positive : bool
        The direction of the scores.
    score_kind : str or None
        The stated kind of the scores, as "logit" or "llr".

    The other attributes are as in `Evaluation`.
    """

    FIGURE = "roc"

    task = "binary"
    AGAIN = (
        "keep the summary with ev.ranking.to_json(), of labels with ev.counts.to_json(), or evaluate again"
    )
    summary_types = (RankingTable, Counts)

    counts: Counts
    ranking: RankingTable | None = None
    binned: BinnedTable | None = None
    threshold: Threshold | None = None
    labels: tuple[Any, Any] = ("negative", "positive")
    higher_is_positive: bool = True
    clusters: DependentCases | None = None

    @property
    def summaries(self) -> tuple[Any, ...]:
        """The table of scores, where there is one, and the counts."""
        return tuple(one for one in (self.ranking, self.counts) if one is not None)

    @property
    def scored(self) -> RankingTable | None:
        """The table of scores; None where only labels or counts were given."""
        return self.ranking

    @property
    def two_by_two(self) -> Contingency:
        """The counts with their margins and the eight ratios."""
        return Contingency(self.counts, self.labels, self.settings, self.estimates)

    @property
    def both(self) -> ManyClasses:
        """Every measure of both classes, each against the other."""
        clusters = None
        if isinstance(self.clusters, DependentCases):
            cases = self.clusters.cases
            called = cases.score >= cases.score.dtype.type(self.held_threshold)
            cells: dict[type, np.ndarray] = {ConfusionMatrix: 2 * cases.positive + called}
            clusters = DependentTables(self.clusters.units, cells, cases.weight)
        weights, squared = (
            None if one is None else np.array([[one.tn, one.fp], [one.fn, one.tp]], float)
            for one in (self.counts, self.counts.squares)
        )
        assert weights is not None
        matrix = ConfusionMatrix(self.labels, weights, squared, ordered=True)
        chosen = self.threshold is not None and self.threshold.chosen
        return ManyClasses(matrix, self.settings, self.parameters, clusters, WITHHELD if chosen else None)

    @property
    def usual_figure(self) -> str:
        """The ROC curve, or the confusion matrix where there are no scores, or only one class."""
        return self.FIGURE if self.ranking is not None and self.both_classes else "confusion"

    @property
    def both_classes(self) -> bool:
        """Whether there are cases of both classes."""
        return bool(self.data.positives and self.data.negatives)

    @property
    def limit(self) -> float | None:
        """The threshold as a number; None where labels were predicted, or counts were given."""
        return None if self.threshold is None else self.threshold.value

    @property
    def probabilities(self) -> bool:
        """Whether the scores are stated to be logits, or may be probabilities.

        They may be where all lie in [0, 1] and no other kind is stated.
        """
        inside = self.binned is None or self.binned.in_unit_interval
        return self.higher_is_positive and inside and super().probabilities

    @property
    def in_bins(self) -> BinnedTable | None:
        """The bins, where scores are known only as bins of several of them."""
        return None if self.binned is None or self.binned.single else self.binned

    def need_each_score(self, what: str) -> None:
        """Raises InputError where scores are in bins. what: what then cannot be done."""
        if self.in_bins:
            raise InputError(
                "unsupported",
                "data",
                f"{what} needs the score of each case, and these are in {len(self.in_bins):,} bins",
                "pass the cases, or a RankingTable of them",
            )

    @property
    def baselines(self) -> dict[str, float]:
        """The accuracy of classifiers that ignore the cases, "random" and "largest class".

        "random" predicts all classes equally often, "largest class" always that one.
        """
        return guessed([self.data.positives, self.data.negatives])

    # Thresholds and curves
    # ----------------------------------------------------------------------------------------------

    @public()
    def at(self, threshold: float) -> BinaryEvaluation:
        """The evaluation of the same scores at another threshold.

        Parameters
        ----------
        threshold : float
            Cases with score >= threshold are predicted positive; with higher_is_positive=False those with
            score <= threshold.

        Raises
        ------
        InputError
            Without scores, for a threshold that is not a number, and for one inside a bin of scores.
        """
        if self.ranking is None:
            raise InputError("unsupported", "threshold", no_threshold(LABELS).format(**IN_FORMATS))
        limit = validate.threshold(threshold)
        known = self.ranking if self.binned is None else self.binned
        counts = counts_at(known, limit, self.higher_is_positive)
        at = replace(self.threshold or Threshold(limit, GIVEN), value=limit, rule=GIVEN, by=None)
        return replace(self, threshold=at, counts=counts)

    @public()
    def chosen_by(self, rule: str | Rule) -> BinaryEvaluation:
        """The same evaluation, with the rule by which the threshold was chosen on these cases.

        Parameters
        ----------
        rule : str or Rule
            With a rule, the intervals of measures of counts allow for the choice. With a description in words
            there are none, since the choice cannot be repeated on other cases.

        Raises
        ------
        InputError
            Where counts were given, which have no threshold.
        """
        if self.threshold is None:
            raise InputError("unsupported", "threshold", no_threshold(LABELS).format(**IN_FORMATS))
        spec, by = (rule.spec, rule) if isinstance(rule, Rule) else (RuleSpec("stated", words=rule), None)
        return replace(self, threshold=replace(self.threshold, rule=spec, by=by))

    @public()
    def operating_points(self, *measures: str) -> OperatingPoints:
        """The ranking table: every threshold with its counts; prints as a table.

        Parameters
        ----------
        *measures : str
            Measures of counts to show in further columns, as "f1".

        Raises
        ------
        InputError
            Without scores, and for a measure that is not computed from counts.
        """
        return OperatingPoints(
            self._ranking("operating_points"),
            *measures,
            sign=self._sign,
            parameters=self.parameters,
            notices=self.notices_of_data,
        )

    @property
    def pairs_matrix(self) -> PairsMatrix:
        """Every pair of a positive and a negative, as a picture.

        Raises InputError without scores, or for many cases.
        """
        return PairsMatrix(self._ranking("pairs_matrix"), sign=self._sign)

    @public()
    def curve(
        self, name: str, *, ties: Ties = "together", band: Band | None = None, **parameters: Any
    ) -> Curve:
        """A curve over all thresholds.

        Parameters
        ----------
        name : str
            "roc", "pr", "det", "gain", ..., or any measure of counts, as "f1".
        ties : {"together", "optimistic", "pessimistic"}, default "together"
            How tied scores are drawn.
        band : {"pointwise", "simultaneous", "kolmogorov-smirnov"}, optional
            Add a confidence band, at level=; see `curves.curve`.
        **parameters
            Parameters of the measure, as beta=2, and of the decision curve thresholds=[0.05, 0.1], above 0
            and below 1: those for which a simultaneous band holds; by default all.

        Raises
        ------
        InputError
            For an unknown name, for a band that the curve does not have, and without scores.
        """
        from ... import curves  # not loaded by a first call that draws none: 4 of 85 ms

        ranking, plain = self._ranking("curve", repr(name)), curves.plain(name)
        if plain in curves.OF_PROBABILITIES and not self.probabilities:
            raise InputError(
                "unsupported",
                "curve",
                f"{plain!r} needs probabilities of being positive: {self.why_no_probabilities}",
            )
        if plain not in curves.CURVES and registry.known(name):
            parameters = {**self.parameters.get(registry.get(name).name, {}), **parameters}
        drawn = curves.curve(
            name, ranking, ties=ties, band=band, settings=self.settings, clusters=self.clusters,
            weight_kind=self.data.weight_kind, **parameters,
        )  # fmt: skip
        drawn = replace(drawn, origin=self)
        return drawn if self.higher_is_positive else drawn.turned()

    def _ranking(self, argument: str, what: str = "it") -> RankingTable:
        if self.ranking is None:
            raise InputError("unsupported", argument, no_scores(LABELS, what))
        return self.ranking

    @property
    def _sign(self) -> int:
        return 1 if self.higher_is_positive else -1

    # The estimates
    # ------------------------------------------------------------------------------------------------------

    def why_not(self, entry: registry.Measure) -> Note:
        """Why a measure is not available, and how to get it."""
        if self.ranking is None or entry.summary is not RankingTable:
            return super().why_not(entry)
        if entry.needs_probabilities:
            return self.why_no_probabilities
        return kind_needed(entry) or why_not_in_order(entry)

    @property
    def why_no_probabilities(self) -> Note:
        """Why the scores are not taken as probabilities."""
        if not self.higher_is_positive:
            return LOWER_IS_POSITIVE
        if self.score_kind not in (None, "probability", "logit"):
            return Note("other-score-kind", score_kind=self.score_kind)
        return NO_PROBABILITIES

    @cached_property
    def optimism_of_choice(self) -> Optimism | Note | None:
        """The optimism of the threshold chosen on these cases, or why it is unknown.

        None where the threshold was not chosen on these cases.
        """
        if self.threshold is None or not self.threshold.chosen or self.ranking is None:
            return None
        return optimism_of(self.threshold, self.ranking, self.settings.seed, self.clusters is not None)

    def _estimate(self, entry: registry.Measure, summary: Any) -> Estimate:
        if entry.summary is not Counts:
            if self.in_bins:
                result = estimate_binned(entry, self.in_bins, self.settings, **self.parameters_of(entry))
            else:
                result = super()._estimate(entry, summary)
            known = entry.attained is not None and result.bounds is None
            return replace(result, threshold=self._attained(entry)) if known else result
        parameters = self.parameters_of(entry)
        probability = parameters.get("threshold", 0.5) if entry.name in BENEFITS else 0.5
        if not 0 <= probability <= 1 or (probability == 1 and entry.name in BENEFITS[:2] and not summary.fp):
            why = Note("threshold-no-probability", threshold=probability)
            return Estimate(nan, level=self.settings.level, undefined=why, threshold=self.limit)
        gained = self.optimism_of_choice
        if gained is None or (self.clusters is not None and not self._moves(entry)):
            result = super()._estimate(entry, summary)
        else:
            result = estimate_at_chosen(entry, summary, gained, self.settings, **parameters)
        return replace(result, threshold=self.limit)

    def add_up(self, names: Iterable[str]) -> None:
        """Collects the sums that these measures need, unless scores are in bins."""
        if not self.in_bins:
            super().add_up(names)

    def _attained(self, entry: registry.Measure) -> float | None:
        """The threshold of a maximum, the highest of equally good ones; None where it is undefined."""
        if self.ranking is None or entry.attained is None or not self.both_classes:
            return None
        at = highest_of_the_best(entry.attained(self.ranking.sweep()))
        return self._sign * float(self.ranking.score[at])

    def _moves(self, entry: registry.Measure) -> bool:
        return depends_on_threshold(partial(entry.function, **self.parameters_of(entry)), self.counts)

    def parameters_of(self, entry: registry.Measure) -> dict[str, Any]:
        """The parameters that the measure is computed with.

        Those given; else those of the rule that chose the threshold, as its costs; for the net benefit and
        what derives from it else the threshold itself, where the scores are probabilities.
        """
        name = "net_benefit" if entry.name in BENEFITS else entry.name
        own = {} if self.threshold is None else parameters_of(self.threshold.rule).get(name, {})
        if name == "net_benefit" and not own and (limit := self._probability) is not None:
            own = {"threshold": limit}
        return {**own, **super().parameters_of(entry)}

    @property
    def _probability(self) -> float | None:
        """The threshold as a probability; None where the scores are none."""
        if self.limit is None or not self.probabilities:
            return None
        return float(sigmoid(self.limit)) if isinstance(self.ranking, LogitTable) else self.limit

    @property
    def held_threshold(self) -> float:
        """The threshold on the scores as they are stored.

        They are negated where a lower one means positive; predicted labels are stored as 0 and 1.
        """
        return super().held_threshold if self.limit is None else self._sign * self.limit

    # Plain values
    # -------------------------------------------------------------------------------------------------------

    def _head(self) -> dict[str, Any]:
        threshold = {} if self.threshold is None else {"threshold": self.threshold.to_dict()}
        bins = self.binned
        binned = {} if bins is None else {"binned": {"bins": len(bins), "exact": bins.single}}
        about = {"score_kind": self.score_kind, **binned, **threshold}
        return super()._head() | about | {"counts": self.counts.to_dict()}

    def _more(self) -> dict[str, Any]:
        pairs = (
            {}
            if self.ranking is None or self.in_bins
            else {"pairs": {name: whole(n) for name, n in self.ranking.pairs._asdict().items()}}
        )
        return pairs if self.selected is not None else pairs | {"table": self.two_by_two.to_dict()}


def counts_at(ranking: RankingTable | BinnedTable, threshold: float, higher_is_positive: bool) -> Counts:
    """The counts at a threshold in the units of the user; a table of reversed scores stores them negated."""
    if isinstance(ranking, BinnedTable):
        return ranking.counts_at(threshold, 1 if higher_is_positive else -1)
    return ranking.counts_at(threshold if higher_is_positive else -threshold)


def in_unit_interval(table: RankingTable | BinnedTable, higher_is_positive: bool) -> bool:
    """Whether every score, in the units of the user, lies in [0, 1]."""
    if higher_is_positive:
        return bool(table.in_unit_interval)
    highest, lowest = (
        (table.score[0], table.score[-1])
        if isinstance(table, RankingTable)
        else (table.high[0], table.ranking.score[-1])
    )
    return bool(highest <= 0 and lowest >= -1)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MulticlassEvaluation(ScoredEvaluation, ClasswiseEvaluation):
    """Every measure of more than two classes.

    Attributes
    ----------
    matrix : ConfusionMatrix
        The K x K matrix of the predicted labels, or of the classes with the highest score.
    scores : ClassScores or None
        The scores of every class; None where only labels were given.
    score_kind : str or None
        The stated kind of the scores, as "logit".

    The other attributes are as in `Evaluation`.
    """

    FIGURE = "confusion"

    task = "multiclass"
    AGAIN = (
        "keep the summary with ev.matrix.to_json(), of a score per class with ev.scores.to_json(), or"
        " evaluate again"
    )
    summary_types = (ClassScores, ConfusionMatrix)

    matrix: ConfusionMatrix
    scores: ClassScores | None = None

    @property
    def summaries(self) -> tuple[Any, ...]:
        """The table of scores, where there is one, and the matrix."""
        return tuple(one for one in (self.scores, self.matrix) if one is not None)

    @property
    def scored(self) -> ClassScores | None:
        """The table of the scores; None where only labels were given."""
        return self.scores

    @property
    def table_of_classes(self) -> ConfusionMatrix:
        """The matrix."""
        return self.matrix

    @property
    def baselines(self) -> dict[str, float]:
        """The accuracy of classifiers that ignore the cases, "random" and "largest class".

        "random" predicts all classes equally often, "largest class" always that one.
        """
        return guessed(self.many.counts.positives.tolist())

    @property
    def class_areas(self) -> dict[Any, float]:
        """By label, the roc_auc of the class against all others by its own score; empty without scores."""
        if self.scores is None:
            return {}
        return dict(zip(self.scores.labels, against_the_rest(self.scores).value.tolist(), strict=True))

    @public()
    def one_vs_rest(self, label: Any) -> BinaryEvaluation:
        """The evaluation of one class against all others, by the score of that class.

        Parameters
        ----------
        label : object
            One of the labels of the scores.

        Returns
        -------
        BinaryEvaluation
            At the threshold 0.5 for scores in [0, 1], else at that of the largest Youden index.

        Raises
        ------
        InputError
            Without a score per class, and for an unknown label.
        """
        if self.scores is None:
            raise InputError("unsupported", "one_vs_rest", NO_CLASS_SCORES.format(**IN_FORMATS))
        if not validate.hashable(label) or label not in self.scores.labels:
            known = ", ".join(map(str, self.scores.labels))
            raise InputError(
                "unknown-name",
                "label",
                f"{validate.shown(label)} is not a class here",
                f"the classes are {known}",
                value=label,
            )
        ranking = self.scores.one_vs_rest(label)
        kind = "logit" if isinstance(ranking, LogitTable) else None
        chosen = default_threshold(ranking, ranking.in_unit_interval, kind)
        return BinaryEvaluation(
            data=replace(self.data, positives=ranking.positives, negatives=ranking.negatives),
            settings=with_fixed_mix(self.settings, self.scores),
            parameters=self.parameters,
            threshold=chosen,
            counts=ranking.counts_at(chosen.value if chosen.value is not None else 0.5),
            ranking=ranking,
            labels=("other", label),
            score_kind=kind,
        )

    def why_not(self, entry: registry.Measure) -> Note:
        """Why a measure is not available, and how to get it."""
        if entry.ordered and self.matrix.unanswered is not None:
            return Note("answers-without-order")
        if self.scores is not None and entry.summary is RankingTable:
            return Note("needs-two-classes")
        if self.scores is None or entry.summary is not ClassScores:
            return super().why_not(entry)
        if entry.name in self.left_out:
            return Note("no-probabilities", because=self.scores.why_no_probabilities)
        return kind_needed(entry) or why_not_in_order(entry)

    @property
    def _has_order(self) -> bool:
        return bool(self.matrix.has_order)

    def _head(self) -> dict[str, Any]:
        rule = PREDICTED if self.scores is None else HIGHEST_SCORE
        return super()._head() | {"score_kind": self.score_kind, "rule": rule.to_dict()}

    def _more(self) -> dict[str, Any]:
        return super()._more() | {"matrix": self.matrix.to_dict()}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MultilabelEvaluation(ClasswiseEvaluation):
    """Every measure of cases that may have several labels.

    Attributes
    ----------
    indicators : IndicatorTable
        How often each of the labels is right, wrong and missed.

    The other attributes are as in `Evaluation`.
    """

    task = "multilabel"
    AGAIN = "keep the summary with ev.indicators.to_json(), or evaluate again"
    summary_types = (IndicatorTable,)

    indicators: IndicatorTable

    @property
    def summaries(self) -> tuple[IndicatorTable]:
        """The table of labels."""
        return (self.indicators,)

    @property
    def table_of_classes(self) -> IndicatorTable:
        """The table of labels."""
        return self.indicators


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RegressionEvaluation(Evaluation):
    """Every measure of predicted amounts.

    Attributes
    ----------
    residuals : Residuals
        The differences from the true amounts, with their weights.

    The other attributes are as in `Evaluation`.
    """

    FIGURE = "predicted"

    task = "regression"
    AGAIN = "keep the summary with ev.residuals.to_json(), or evaluate again"
    summary_types = (Residuals,)

    residuals: Residuals

    @property
    def summaries(self) -> tuple[Residuals]:
        """The residuals."""
        return (self.residuals,)

    def _estimate(self, entry: Measure, summary: Residuals) -> Estimate:
        try:
            return super()._estimate(entry, summary)
        except EachNeeded:
            return Estimate(nan, level=self.settings.level, undefined=Note("needs-each-amount"))

    def why_not(self, entry: Measure) -> Note:
        """Why a measure is not available: all measures of amounts are."""
        return Note("needs-classes")

    @property
    def design(self) -> None:
        """None: amounts have no classes."""
        return None
