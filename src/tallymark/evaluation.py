"""The answer of `evaluate`: every measure with its interval, and what must be said beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any

from . import curves, notices, registry, validate
from .calls import public
from .contingency import Contingency
from .facts import Data, conditions, named
from .manyclasses import ManyClasses, OnDemand
from .measures.multiclass_ranking import against_the_rest
from .notes import Note
from .points import OperatingPoints, PairsMatrix
from .results import Tabular, head, rows_of
from .summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, LogitTable, RankingTable, Residuals
from .summaries.cases import POSITIVE_FROM
from .summaries.logits import sigmoid
from .text import whole
from .thresholds import (
    GIVEN,
    Optimism,
    Rule,
    RuleSpec,
    Threshold,
    default_threshold,
    depends_on_threshold,
    estimate_at_chosen,
    optimism_of,
)
from .uncertainty import Estimate, Settings, estimate
from .uncertainty.clustered import Clusters
from .uncertainty.clustered_matrix import ClusteredMatrix
from .uncertainty.effective import as_cases
from .uncertainty.persons import Persons
from .uncertainty.weighted_mix import fixed_by_weights, with_fixed_mix
from .unmeasured import NotMeasuredError, why_no_probabilities, why_not
from .validate import InputError

TASKS: dict[str, tuple[type, ...]] = {
    "binary": (RankingTable, Counts),
    "multiclass": (ClassScores, ConfusionMatrix),
    "multilabel": (IndicatorTable,),
    "regression": (Residuals,),
}


@dataclass(frozen=True, eq=False)
class Evaluation(Tabular):
    """Every measure that the data allow, each an `Estimate`.

    data: what was measured; ranking: the table of scores (None without scores); counts: at the threshold (None for more than two
    classes); matrix: of predicted labels; indicators: where a case may have several labels; labels: the negative and the positive
    one; parameters: of measures, by measure and name; score_kind: what the scores are said to be, as "logit" or "llr";
    scores: of every class, where there are three or more; residuals: of predicted amounts; clusters: the cases in clusters,
    where these are said; estimates: by measure name, each worked out when it is asked for; notices: warnings and remarks.
    """

    data: Data
    settings: Settings
    threshold: Threshold | None = None
    ranking: RankingTable | None = None
    counts: Counts | None = None
    matrix: ConfusionMatrix | None = None
    labels: tuple = ("negative", "positive")
    higher_is_positive: bool = True
    indicators: IndicatorTable | None = None
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    score_kind: str | None = None
    scores: ClassScores | None = None
    residuals: Residuals | None = None
    clusters: Clusters | ClusteredMatrix | Persons | None = None
    estimates: OnDemand = field(init=False)
    _measured: dict[str, tuple[registry.Measure, Any]] = field(init=False, repr=False)
    _found: dict[str, Estimate] = field(init=False, repr=False)

    def __post_init__(self):
        whole = self.matrix if self.counts is None else None  # of two classes the counts tell all
        measured = [one for one in (*self._summaries, whole) if one is not None]
        of = {entry.name: (entry, summary) for summary in measured for entry in registry.find(type(summary)) if self._fits(entry)}
        object.__setattr__(self, "_measured", of)
        object.__setattr__(self, "_found", {})
        object.__setattr__(self, "estimates", OnDemand(list(of), self._estimated))

    @cached_property
    def notices(self) -> tuple[notices.Notice, ...]:
        """What must be read with the numbers; worked out when it is asked for, as the estimates are."""
        return notices.review(self)

    @property
    def conditions(self) -> str:
        """What the intervals rest on, as a line of text: the design, and the kind of the weights."""
        return conditions(self.design, self.data.weight_kind, fixed_by_weights=self.mix_fixed_by_weights)

    @property
    def design(self) -> str | None:
        """What varies from sample to sample, "cohort" or "case-control"; None of predicted amounts, which have no classes."""
        return None if self.residuals is not None else self.settings.design

    @property
    def mix_fixed_by_weights(self) -> bool:
        """Whether class weights fix the class mix, so that intervals are for this mix, whatever the design; never of clusters."""
        return self.clusters is None and any(map(fixed_by_weights, (self.ranking, self.scores, self.matrix, self.counts)))

    @property
    def _summaries(self):
        return self.ranking, self.scores, self.counts, self.indicators, self.residuals

    def __reduce__(self):
        return Evaluation, tuple(getattr(self, one.name) for one in fields(self) if one.init)

    @cached_property
    def many(self) -> ManyClasses | None:
        """Every measure of every class, where there are more than two or a case may have several."""
        table = self.indicators if self.matrix is None else self.matrix
        if table is None or self.counts is not None:
            return None
        return ManyClasses(table, self.settings, self.parameters, grouped=self.clusters is not None)

    @property
    def two_by_two(self) -> Contingency | None:
        """The counts with their margins and the eight ratios; None with more than two classes."""
        return None if self.counts is None else Contingency(self.counts, self.labels, self.settings, self.estimates)

    @property
    def classes(self) -> OnDemand:
        """By label, the estimates of the class against the rest; empty with two classes."""
        return self.many.classes if self.many else OnDemand(())

    @property
    def class_counts(self) -> dict[Any, Counts]:
        """By label, the four counts of the class against the rest; empty with two classes."""
        return {label: self.many.counts[i] for i, label in enumerate(self.many.summary.labels)} if self.many else {}

    @property
    def class_areas(self) -> dict[Any, float]:
        """By label, roc_auc of the class against all others by its own score; empty without a score per class."""
        if self.scores is None:
            return {}
        return dict(zip(self.scores.labels, against_the_rest(self.scores).value.tolist(), strict=True))

    @public()
    def one_vs_rest(self, label: Any) -> Evaluation:
        """A class against all others, by the score of that class: an evaluation of two classes, with all its curves.

        The threshold is 0.5 for scores in [0, 1], else that of the largest Youden index. Raises InputError without such scores.
        """
        if self.scores is None:
            raise InputError("one_vs_rest: it needs a score per class; evaluate with score= an array of one column per class.")
        if label not in self.scores.labels:
            known = ", ".join(map(str, self.scores.labels))
            raise InputError(f"one_vs_rest: {validate.shown(label)} is no class here; the classes are {known}.")
        ranking = self.scores.one_vs_rest(label)
        data = replace(self.data, positives=ranking.positives, negatives=ranking.negatives)
        kind = "logit" if isinstance(ranking, LogitTable) else None
        chosen = default_threshold(ranking, ranking.in_unit_interval, kind)
        counts = ranking.counts_at(chosen.value if chosen.value is not None else 0.5)
        return replace(
            self,
            data=data,
            threshold=chosen,
            ranking=ranking,
            counts=counts,
            matrix=None,
            scores=None,
            settings=with_fixed_mix(self.settings, self.scores),
            labels=("other", label),
            score_kind=kind,
        )

    @property
    def averages(self) -> OnDemand:
        """By kind ("macro", "weighted", "micro"), the averages of the measures over the classes; empty with two classes."""
        return self.many.averages if self.many else OnDemand(())

    @property
    def probabilities(self) -> bool:
        """Whether the scores may be probabilities, or are said to be their logits: all lie in [0, 1], and nothing else is said."""
        if self.score_kind not in (None, "probability", "logit") or not self.higher_is_positive:
            return False
        table = self.scores if self.ranking is None else self.ranking
        return table is not None and table.in_unit_interval

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """The measures that need probabilities, where the scores are none."""
        table = self.scores if self.ranking is None else self.ranking
        if self.probabilities or table is None:
            return ()
        return tuple(entry.name for entry in registry.find(type(table)) if entry.needs_probabilities)

    def _fits(self, entry):
        if entry.ordered and self.matrix is not None and not self.matrix.has_order:
            return False
        return entry.name not in self.left_out and entry.scores in (None, "probability", self.score_kind)

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure, by any of its names. Raises InputError where the data do not allow it."""
        forms = registry.forms(name)
        entry = next((form for form in forms if form.name in self.estimates), None)
        if entry is None:
            entry = next((form for form in forms if any(form.fits(type(one)) for one in self._summaries)), forms[0])
            raise NotMeasuredError(entry.name, why_not(self, entry))
        return self.estimates[entry.name]

    def entry(self, name: str) -> registry.Measure:
        """The measure behind an estimate, in the form that was measured."""
        return self._measured[name][0]

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and any(form.name in self.estimates for form in registry.forms(name))
        except InputError:
            return False

    def __iter__(self) -> Iterator[str]:
        """The names of the measures, so that dict(ev) holds them all."""
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    def keys(self) -> Iterable[str]:
        """The names of the measures."""
        return self.estimates.keys()

    @public()
    def at(self, threshold: float) -> Evaluation:
        """The same scores at another threshold: scores >= threshold are called positive.

        With higher_is_positive=False, scores <= threshold are. Raises InputError where there are no scores.
        """
        if self.ranking is None:
            raise InputError("threshold: there are no scores here, only labels or counts; evaluate with score= to choose one.")
        limit = validate.threshold(threshold)
        counts = counts_at(self.ranking, limit, self.higher_is_positive)
        return replace(self, threshold=Threshold(limit, GIVEN), counts=counts)

    @public()
    def chosen_by(self, rule: str | Rule) -> Evaluation:
        """The same, with the rule by which the threshold was chosen on these cases, or its name in words.

        Measures of counts have intervals that count the choice in. With words alone they have none, since the choice cannot be
        repeated on other cases.
        """
        assert self.threshold
        spec, by = (rule.spec, rule) if isinstance(rule, Rule) else (RuleSpec("stated", words=rule), None)
        return replace(self, threshold=Threshold(self.threshold.value, spec, by))

    @public()
    def operating_points(self, *measures: str) -> OperatingPoints:
        """The ranking table: every threshold with its counts and these measures of counts; prints as a table.

        Raises InputError where there are no scores.
        """
        sign = 1 if self.higher_is_positive else -1
        return OperatingPoints(self._ranking("operating_points"), *measures, sign=sign, parameters=self.parameters)

    @property
    def pairs_matrix(self) -> PairsMatrix:
        """Every pair of a positive and a negative, as a picture. Raises InputError without scores, or of many cases."""
        return PairsMatrix(self._ranking("pairs_matrix"), sign=1 if self.higher_is_positive else -1)

    @property
    def baselines(self) -> dict[str, float]:
        """The accuracy of classifiers that know nothing: "random", all classes alike, and "largest class", always that one."""
        sizes = [self.data.positives, self.data.negatives] if self.counts else []
        if self.many and self.matrix is not None:
            sizes = self.many.counts.positives.tolist()
        occurring = [size for size in sizes if size]
        return {"random": 1 / len(occurring), "largest class": max(occurring) / sum(occurring)} if len(occurring) > 1 else {}

    def _ranking(self, asked, what="it"):
        if self.scores is not None:
            raise InputError(
                f"{asked}: there is a score per class here; take one class against the rest first, one_vs_rest(label)."
            )
        if self.ranking is None:
            here = "predicted amounts" if self.residuals is not None else "labels or counts"
            raise InputError(f"{asked}: {what} needs scores; there are only {here} here.")
        return self.ranking

    @public()
    def curve(self, name: str, *, ties: str = "together", band: str | None = None, **parameters: Any) -> curves.Curve:
        """A curve over all thresholds, by name: "roc", "pr", "det", "gain", ..., or any measure of counts, as "f1".

        ties, and band with level=: see `curves.curve`; band="pointwise" or "simultaneous" puts an interval around it. parameters:
        of the measure, as beta=2. Raises InputError for an unknown name, for a band that it has not, and without scores.
        """
        self._ranking("curve", repr(name))
        assert self.ranking is not None
        plain = curves.plain(name)
        if plain in curves.OF_PROBABILITIES and not self.probabilities:
            raise InputError(f"curve: {plain!r} needs probabilities of being positive: {why_no_probabilities(self)}.")
        if plain not in curves.CURVES and registry.known(name):
            parameters = {**self.parameters.get(registry.get(name).name, {}), **parameters}
        found = curves.curve(
            name, self.ranking, ties=ties, band=band, settings=self.settings, clusters=self.clusters,
            weight_kind=self.data.weight_kind, **parameters,
        )  # fmt: skip
        return found if self.higher_is_positive else found.turned()

    @property
    def table(self) -> list[dict]:
        """One row per measure, as plain values."""
        return rows_of({"measure": name, **found.plain} for name, found in self.estimates.items())

    def to_dict(self) -> dict:
        """The answer as plain values, in the layout of docs/json.md (version 2)."""
        clusters = {self.clusters.what: self.clusters.number} if self.clusters else {}
        answer = head("evaluation") | {"task": self.task, "data": self.data.to_dict() | clusters}
        answer |= {**named(self.design, self.mix_fixed_by_weights), **self._of_task()}
        answer["measures"] = {name: found.to_dict() for name, found in self.estimates.items()}
        answer |= {"selected": "all", "unavailable": {name: why.to_dict() for name, why in self.unavailable.items()}}
        answer["notices"] = [notice.to_dict() for notice in self.notices]
        return answer | ({"baselines": self.baselines} if self.baselines else {}) | self._more()

    @property
    def task(self) -> str:
        """ "binary", "multiclass", "multilabel" or "regression"."""
        if self.residuals is not None:
            return "regression"
        return "binary" if self.counts is not None else "multiclass" if self.matrix is not None else "multilabel"

    @property
    def unavailable(self) -> dict[str, Note]:
        """By name, why the data do not allow a measure of the task."""
        every = (entry for kind in TASKS[self.task] for entry in registry.find(kind))
        return {entry.name: why_not(self, entry) for entry in every if entry.name not in self.estimates}

    def _of_task(self):
        """The entries of the task before the measures."""
        if self.counts is None:
            of_scores = {"score_kind": self.score_kind, "rule": self.threshold.rule.to_dict()} if self.matrix else {}
            return of_scores
        threshold = {"threshold": self.threshold.to_dict()} if self.threshold else {}
        return {"score_kind": self.score_kind, **threshold, "counts": self.counts.to_dict()}

    def _more(self):
        """The entries of the task after all others."""
        if self.counts is not None:
            pairs = {name: whole(number) for name, number in self.ranking.pairs._asdict().items()} if self.ranking else None
            return ({"pairs": pairs} if pairs else {}) | {"table": self.two_by_two.to_dict()}
        if self.many is None:
            return {}
        counts = {str(label): counts.to_dict() for label, counts in self.class_counts.items()}
        of_classes = {"classes": _all(self.classes), "averages": _all(self.averages), "class_counts": counts}
        return of_classes | ({"matrix": self.matrix.to_dict()} if self.matrix else {})

    def __str__(self) -> str:
        from .printed import text_of

        return text_of(self)

    def __repr__(self) -> str:
        return f"<Evaluation of {self.data.rows} cases: {len(self.estimates)} measures, {len(self.notices)} notices>"

    def _html(self) -> str:
        from .report.page import body

        return body(self)

    def _estimated(self, name):
        if name not in self._found:
            entry, summary = self._measured[name]
            limit = self.threshold.value if entry.summary is Counts and self.threshold else None
            self._found[name] = replace(self._estimate(entry, summary), threshold=limit)
        return self._found[name]

    @cached_property
    def optimism_of_choice(self) -> Optimism | Note | None:
        """Of the choice of the threshold on these cases, or why it is unknown; None where it was not chosen on them."""
        if self.threshold is None or not self.threshold.chosen or self.ranking is None:
            return None
        return optimism_of(self.threshold, self.ranking, self.settings.seed, self.clusters is not None)

    def _estimate(self, entry, summary):
        gained = self.optimism_of_choice if entry.summary is Counts else None
        if gained is not None and (self.clusters is None or self._moves(entry, summary)):
            return estimate_at_chosen(entry, summary, gained, self.settings, **self.parameters_of(entry))
        if self.clusters is not None:
            return self.clusters.estimate(entry, summary, self.settings, self.parameters_of(entry), self._held_threshold)
        return estimate(entry, summary, self.settings, **self.parameters_of(entry))

    def _moves(self, entry, counts):
        return depends_on_threshold(partial(entry.function, **self.parameters_of(entry)), counts)

    def as_cases(self, summary: Any) -> Any:
        """The summary with weights that add up to the effective number of cases; None where they do anyway."""
        found = as_cases(summary)
        return None if found is summary else found

    def parameters_of(self, entry: registry.Measure) -> dict[str, Any]:
        """Those it is measured with: as given; and for net_benefit the threshold itself, where the scores are probabilities."""
        given = dict(self.parameters.get(entry.name, {}))
        limit = self.threshold.value if self.threshold and self.probabilities else None
        if limit is not None and isinstance(self.ranking, LogitTable):
            limit = float(sigmoid(limit))
        if entry.name == "net_benefit" and limit is not None and 0 <= limit < 1:
            return {"threshold": limit, **given}
        return given

    @property
    def _held_threshold(self):
        """On the scores as they are held: negated where a lower one means positive; predicted labels are held as 0 and 1."""
        limit = POSITIVE_FROM if self.threshold is None or self.threshold.value is None else self.threshold.value
        return limit if self.higher_is_positive else -limit


def counts_at(ranking: RankingTable, threshold: float, higher_is_positive: bool) -> Counts:
    """The counts at a threshold as the user sees it; a table of turned scores holds them negated."""
    return ranking.counts_at(threshold if higher_is_positive else -threshold)


def in_unit_interval(ranking: RankingTable, higher_is_positive: bool) -> bool:
    """Whether every score, as the user sees it, lies in [0, 1]."""
    return ranking.in_unit_interval if higher_is_positive else bool(ranking.score[0] <= 0 and ranking.score[-1] >= -1)


def _all(groups):
    return {str(key): {name: found.to_dict() for name, found in group.items()} for key, group in groups.items()}
