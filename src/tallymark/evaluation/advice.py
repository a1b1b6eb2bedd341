"""The effect of the class mix on each measure, computed from the user's own table.

No list states which measures depend on the class mix. A summary is a table of weights: true classes by
predictions, or by scores. Rescaled rows give another class mix with the same rates; rows in proportion to the
column totals give predictions that are independent of the true class.

A rule has one or several answers, of which the first that applies is given. An answer has a condition and a
text, whose fields are facts of the `Situation` or values of measures: `{roc_auc:.3g}`. Where more must be
computed a function returns the text and the measures. The order of the advice is that of `RULES`.

The rules look at an evaluation, the stated need and the costs, and recommend measures to use and measures to
avoid; `mix` recomputes every measure with classes of equal size. docs/advice.md lists all rules.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from math import isclose, isfinite, isnan, log
from typing import Any, NamedTuple, Unpack, get_args

import numpy as np

from .. import kernels
from ..inference import Estimate
from ..inference.replicates import Statistic
from ..input import text, validate
from ..input.arguments import Need
from ..input.calls import public
from ..input.errors import either, option, series
from ..input.messages import Note
from ..input.names import listed
from ..input.results import Answer, Result, Tabular
from ..input.sample import conditions, named
from ..input.score_columns import of_one_model
from ..input.validate import InputError, shown
from ..measures import registry
from ..measures.titles import in_sentence, several, title
from ..summaries import ConfusionMatrix, Counts, LogitTable, RankingTable
from .evaluate import NOT_OF_ONE, EvaluateArguments, evaluate, evaluated
from .notices import Notice, number_of
from .results import (
    BinaryEvaluation,
    ClasswiseEvaluation,
    Evaluation,
    MulticlassEvaluation,
    MultilabelEvaluation,
    NotMeasuredError,
    RegressionEvaluation,
    ScoredEvaluation,
)

MOVED = 0.05  # a measure with a bounded range depends on the class mix where it changes by more than this,
TENTH = 0.10  # one with an unbounded range where it changes by more than this share of its larger value

MANY = 10_000  # scores
Values = dict[registry.Measure, float]


class Shift(NamedTuple):
    """A measure on these data and with classes of equal size.

    size: the change, divided by the largest change that is ignored; endless: whether its range is unbounded
    at one end; anchored: whether guessing has the same value in both tables.
    """

    name: str
    here: float
    there: float
    size: float
    endless: bool
    anchored: bool

    @property
    def moved(self) -> bool:
        return self.size > 1


def rows(summary: Any) -> np.ndarray:
    """Weights by true class (rows) and by prediction or score (columns)."""
    if isinstance(summary, Counts):
        return np.array([[summary.tp, summary.fn], [summary.fp, summary.tn]])
    if isinstance(summary, ConfusionMatrix):
        return summary.weights
    return np.array([summary.positive, summary.negative], float)


def _like(summary: Any, weights: np.ndarray) -> Any:
    """A summary of the same kind with these weights."""
    if isinstance(summary, Counts):
        (tp, fn), (fp, tn) = weights.tolist()
        return Counts.of(tp, fp, fn, tn)
    if isinstance(summary, ConfusionMatrix):
        return summary.with_weights(weights)
    return summary.of(summary.score, *weights)


def at_mix(summary: Any, *shares: float) -> Any:
    """The same rates and total with these shares of the classes; a class without cases stays empty."""
    weights = rows(summary)
    size = weights.sum(1)
    factor = np.divide(np.array(shares) * size.sum(), size, out=np.zeros_like(size), where=size > 0)
    return _like(summary, weights * factor[:, None])


def balanced(summary: Any) -> Any:
    """The same rates with equal sizes of the classes that occur."""
    there = rows(summary).sum(1) > 0
    return at_mix(summary, *(there / there.sum()).tolist())


def recalibrated(table: RankingTable, share: float) -> RankingTable:
    """The same cases with the probabilities that a calibrated model has where this share is positive.

    Other class sizes with unchanged probabilities would make any calibrated model miscalibrated. The odds are
    multiplied by the ratio of the odds of both class mixes. Source: Elkan (2001), section 4.
    """
    odds = share / (1 - share) / (table.positives / table.negatives)
    if isinstance(table, LogitTable):
        return table.of(table.score + np.log(odds), table.positive, table.negative)
    p = table.probability
    return RankingTable.of(p * odds / (p * odds + (1 - p)), table.positive, table.negative)


def guessing(summary: Any) -> Any:
    """The same class sizes and predicted frequencies, with predictions independent of the true class."""
    weights = rows(summary)
    return _like(summary, np.outer(weights.sum(1), weights.sum(0)) / weights.sum())


def answered(e: Evaluation) -> Any:
    """The table of predictions, where each case has one label; else None."""
    if isinstance(e, BinaryEvaluation):
        return e.counts
    return e.matrix if isinstance(e, MulticlassEvaluation) else None


def decided(e: Evaluation) -> Any:
    """The table of predictions, where there are cases of two classes or more; else None."""
    table = answered(e)
    return table if table is not None and _classes(table) > 1 else None


def shifts(e: Evaluation, need: str | None = None) -> list[Shift]:
    """How each measure that fits the need and the data would change with classes of equal size.

    Only measures for which a higher or a lower value is better. Those of a ranking are kept with its table,
    since several rules look at them.
    """
    every: list[Shift] = []
    ranking = e.ranking if need != "decision" and isinstance(e, BinaryEvaluation) else None
    for summary in (decided(e) if need in (None, "decision") else None, ranking):
        if summary is None or _classes(summary) < 2:
            continue
        entries = [
            entry
            for entry in registry.find(summary)
            if entry.better and entry.name in e.estimates and (summary is not ranking or _fits(entry, need))
        ]
        table = e.as_cases(summary) or summary
        key = f"shifts: {[(entry.name, e.parameters_of(entry)) for entry in entries]}"
        kept = table.kept if isinstance(table, RankingTable) else {}
        if key not in kept:
            kept[key] = _shifts(e, table, entries)
        every += kept[key]
    return every


def _shifts(e: Evaluation, table: Any, entries: list[registry.Measure]) -> list[Shift]:
    large = isinstance(table, RankingTable) and len(table) > MANY
    # fewer scores, on which the comparison of guesses in two class mixes does not depend
    blind = guessing(table.thinned() if large else table)
    statistics = [(entry, e.parameters_of(entry)) for entry in entries]

    def added_up() -> Values:
        """The values on these cases, after one pass for these and for their intervals."""
        e.add_up([entry.name for entry in entries])
        return _values(statistics, lambda _: table)

    here, there = kernels.together(added_up, partial(_values, statistics, _balanced(table)), when=large)
    guess, guess_there = _values(statistics, lambda _: blind), _values(statistics, _balanced(blind))
    return [
        Shift(
            entry.name,
            here[entry],
            there[entry],
            _size(here[entry], there[entry], endless := not all(map(isfinite, entry.range))),
            endless,
            isclose(guess[entry], guess_there[entry], abs_tol=1e-9),
        )
        for entry in entries
    ]


def _values(statistics: Sequence[Statistic], table_for: Callable[[bool], Any]) -> Values:
    """The values of measures, each on the table for those that need probabilities, or for the others."""
    return {
        entry: float(entry.function(table_for(entry.needs_probabilities), **parameters))
        for entry, parameters in statistics
    }


def _balanced(table: Any) -> Callable[[bool], Any]:
    """Classes of equal size, with the probabilities that belong to them where they are needed.

    Each table is made once, since measures share what they compute of it.
    """
    return cache(lambda probabilities: balanced(recalibrated(table, 0.5) if probabilities else table))


def _fits(entry: registry.Measure, need: str | None) -> bool:
    """Whether a measure of scores is one for the need.

    Calibration, and the parts of a score that are due to it, are asked of one population: they compare its
    outcomes with the probabilities.
    """
    if entry.needs_probabilities:
        return need in (None, "probabilities") and entry.loss is not None
    return need in (None, "ranking", "early_retrieval")


def _classes(summary: Any) -> int:
    return int((rows(summary).sum(1) > 0).sum())


def _size(here: float, there: float, endless: bool) -> float:
    change = abs(there - here)
    if not change or isnan(change):  # NaN: undefined, or infinite in both
        return 0.0
    return change / (TENTH * max(abs(here), abs(there)) if endless else MOVED)


def implied(e: Evaluation, cost_fp: float, cost_fn: float) -> float | None:
    """The threshold of calibrated probabilities with the smallest expected cost, in the unit of the scores.

    None where the scores are no probabilities, and where one of the errors costs nothing.
    """
    if not (isinstance(e, BinaryEvaluation) and e.probabilities and cost_fp and cost_fn):
        return None
    return log(cost_fp / cost_fn) if isinstance(e.ranking, LogitTable) else cost_fp / (cost_fp + cost_fn)


# The rules of `advise`: what each looks at, what it says, the measures to use and to avoid, and its source
# --------------------------------------------------------------------------------------------------


LISTS = ("use", "avoid", "within_mix")
SHOWN = 3  # how many measures a sentence lists with their values
ACCURACY = ("accuracy", "error_rate")
LOSSES = ("brier_score", "log_loss")
CALIBRATION = ("calibration_slope", "calibration_in_the_large")
ORDER = ("roc_auc", "average_precision")
ORDER_OF_CLASSES = ("macro_roc_auc", "pairwise_roc_auc")
BEYOND_CHANCE = ("matthews_correlation", "cohen_kappa", "youden_j")
RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")
# if it is found to be so
STABLE = ("sensitivity", "specificity", "youden_j", "balanced_accuracy", "geometric_mean", *RATIOS, "roc_auc")
TOP = (
    "average_precision",
    "precision_at_k",
    "recall_at_k",
    "enrichment_factor",
    "bedroc",
    "partial_auc_standardised",
)
FOR_IMBALANCE = ("balanced_cross_entropy", "focal_loss", "relative_information_score")
OF_ORDER = {
    "ranked_probability_score": (None, "probabilities"),
    "quadratic_weighted_kappa": (None, "decision"),
}
CLOSE = 0.10  # a small difference from a random prediction
NINE_TENTHS = 0.9  # Berrar, section 6: nine to one is highly imbalanced
WALD = 5  # Berrar, Def. 36: there must be more cases than this
NORMAL = 1.2533  # root mean squared over mean absolute error of normally distributed errors, sqrt(pi / 2)
BY_DESIGN = (0.4, 0.6)  # a share of positives that often results from sampling and is rare in populations
AT_ALL = 1e-6  # changes below are rounding
ELSEWHERE = 0.05  # the prevalence of Wikipedia's example

# a text, the measures to use, and those to avoid (or to compare within one class mix only, see Rule)
Names = tuple[str, ...]
Costs = tuple[float, float] | None  # of one false positive and of one false negative
Said = tuple[str, Names, Names]


@dataclass(frozen=True, slots=True, repr=False)
class Item(Result):
    """One piece of advice.

    use, avoid: names of measures; source: where the advice comes from; within_mix: measures whose values are
    comparable within one class mix only; disagreement: what another source says instead, empty if none does.
    """

    FORM = "measures.advice_item"

    code: str
    text: str
    use: tuple[str, ...]
    avoid: tuple[str, ...]
    source: str
    within_mix: tuple[str, ...] = ()
    disagreement: str = ""


@dataclass(frozen=True)
class Situation:
    """An evaluation, the stated need, the costs of errors, and facts that several rules look at."""

    e: Any
    need: str | None = None
    costs: Costs = None

    def __getitem__(self, name: str) -> Any:
        """A fact, or the value of a measure."""
        return getattr(self, name) if hasattr(self, name) else self.e[name].value

    @property
    def deciding(self) -> bool:
        """Whether a decision is needed, or anything."""
        return self.need in (None, "decision")

    @cached_property
    def two(self) -> bool:
        """Whether there are cases of both of two classes."""
        return isinstance(self.e, BinaryEvaluation) and self.e.both_classes

    @property
    def scored(self) -> bool:
        """Whether there are scores of two classes."""
        return isinstance(self.e, BinaryEvaluation) and self.e.ranking is not None

    @property
    def ranked(self) -> bool:
        """Whether there are scores of both of two classes."""
        return self.two and self.scored

    @property
    def many(self) -> bool:
        """Whether there are cases of many classes, or with several labels."""
        return isinstance(self.e, ClasswiseEvaluation) and bool(self.e.table_of_classes.total)

    @property
    def per_class(self) -> bool:
        """Whether there is a score per class."""
        return isinstance(self.e, MulticlassEvaluation) and self.e.scores is not None

    @property
    def share(self) -> float:
        """That of the positives."""
        cases = self.e.counts if self.e.ranking is None else self.e.ranking
        return float(cases.positives / cases.total)

    @property
    def without_scores(self) -> str:
        """What the evaluation has instead of scores, and the remedy."""
        if isinstance(self.e, MultilabelEvaluation):
            return (
                "several labels per case, which are measured without scores; evaluate one label at a time,"
                f" with {option('score')}"
            )
        return f"labels or counts only; pass {option('score')}"

    @property
    def unranked(self) -> str:
        """Why the cases of two classes have no ranking."""
        return "these cases are of one class" if self.scored else f"here are {self.without_scores}"

    @property
    def no_probabilities(self) -> str:
        """Why there are no probabilities, and the remedy."""
        if not isinstance(self.e, ScoredEvaluation) or self.e.scored is None:
            return f"here are {self.without_scores}"
        many, way = (
            (" of the classes", "tallymark.convert.softmax")
            if isinstance(self.e, MulticlassEvaluation)
            else ("", "a logistic curve")
        )
        return f"these scores{many} are not probabilities: convert them first, as by {way}"

    @cached_property
    def table(self) -> Any:
        """The table of predictions, where there are cases of two classes or more; else None."""
        return decided(self.e)

    @cached_property
    def classes(self) -> list[tuple[str, float, float]]:
        """Name, number of cases, and number of correct predictions, of each class that has cases."""
        every: list[tuple[str, float, float]] = []
        if isinstance(self.e, BinaryEvaluation):
            c: Any = self.e.counts
            every = [("positive", c.positives, c.tp), ("negative", c.negatives, c.tn)]
        elif isinstance(self.e, MulticlassEvaluation):
            m = self.e.matrix
            sizes, right = m.class_sizes.tolist(), m.weights.diagonal().tolist()
            every = list(zip((f"class {shown(label)}" for label in m.labels), sizes, right, strict=False))
        return [each for each in every if each[1] > 0]


Reply = Callable[[Situation], Said | None]


def answer(
    condition: Callable[[Situation], Any],
    text: str | Reply,
    use: Names = (),
    avoid: Names = (),
    **more: Any,
) -> Reply:
    """An answer with a text of fields, or None where the condition does not hold.

    text: or a function that returns it with the measures. more: further fields, each a function of the
    situation.
    """

    def of(s: Situation) -> Said | None:
        if not condition(s):
            return None
        if not isinstance(text, str):
            return text(s)
        fields = ChainMap({name: field(s) for name, field in more.items()}, s)  # type: ignore[arg-type]
        return text.format_map(fields), use, avoid

    return of


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: called with (evaluation, need, costs) it returns an Item, or None.

    when: the condition in words; within_mix: whether the measures that an answer names last are to compare
    within one class mix only, not to avoid; disagreement: what another source says instead.
    """

    code: str
    when: str
    source: str
    answers: tuple[Reply, ...]
    within_mix: bool = False
    disagreement: str = ""

    def __call__(self, s: Situation) -> Item | None:
        for of in self.answers:
            if (said := of(s)) is not None:
                text, use, against = said
                avoid, within = ((), against) if self.within_mix else (against, ())
                return Item(self.code, text, use, avoid, self.source, within, self.disagreement)
        return None


# Answers that compute more than a field
# --------------------------------------------------------------------------------------------------


def value(name: str, summary: Any, **parameters: Any) -> float:
    """A measure of a summary, by name."""
    return float(registry.get(name, type(summary)).function(summary, **parameters))


def same_whatever_is_predicted(positive: bool) -> Names:
    """The measures with the same value for all predictions, where there is one class only."""
    right, none = np.array([1.0, 2.0, 3.0]), np.zeros(3)
    wrong = right[::-1].copy()
    one = Counts.of(right, none, wrong, none) if positive else Counts.of(none, wrong, none, right)
    values = {entry.name: np.asarray(entry.function(one)) for entry in registry.find(Counts) if entry.better}
    return tuple(name for name, value in values.items() if np.isfinite(value).all() and np.ptp(value) == 0)


def blind_to_true_negatives() -> Names:
    """The measures that depend on tp, fp and fn, but not on tn."""
    cells: dict[str, Any] = {"tp": 30.0, "fp": 20.0, "fn": 10.0, "tn": 40.0}
    weighs = {}
    for entry in registry.find(Counts):
        before = entry.function(Counts(**cells))
        weighs[entry.name] = [
            cell for cell in cells if entry.function(Counts(**{**cells, cell: 400.0})) != before
        ]
    return tuple(name for name, changed in weighs.items() if changed == ["tp", "fp", "fn"])


def _one_class(s: Situation) -> Said:
    if not s.e.counts.total:
        return "There are no cases, so that every measure is undefined.", (), ()
    positive = bool(s.e.counts.positives)
    use = ("sensitivity", "false_negative_rate") if positive else ("specificity", "false_positive_rate")
    same = same_whatever_is_predicted(positive)
    text = (
        f"There are {'positives' if positive else 'negatives'} only: {several(use)} are meaningful, and no"
        f" measure that compares the classes; {several(same)} are the same whatever is predicted. Add cases"
        " of the other class."
    )
    return text, use, same


def _at_costs(s: Situation) -> Said:
    if not isinstance(s.e, BinaryEvaluation):
        text = "Two costs apply to two classes: evaluate one class against the rest, with its costs."
        return text, ("expected_cost",), ()
    assert s.costs is not None
    (fp, fn), e, total = s.costs, s.e, s.e.counts.total
    constant, always = min(
        (fn * s.e.counts.positives / total, "negative"), (fp * s.e.counts.negatives / total, "positive")
    )
    cut = implied(e, fp, fn)
    at = f" at {e.limit:.3g}" if e.limit is not None else ""
    best = ""
    if e.probabilities:
        best = (
            " With calibrated probabilities the best threshold is cost_fp / (cost_fp + cost_fn) ="
            f" {fp / (fp + fn):.3g}"
        )
        if cut is not None and e.limit != cut:
            there = e.at(cut)
            best += (
                f"; at {float(cut):.3g} it would be {there['expected_cost'].value:.3g}, and the net benefit"
                f" {there['net_benefit'].value:.3g}"
            )
        best += "."
    text = (
        f"A false positive costs {fp:g} and a false negative {fn:g}: the expected cost{at} is"
        f" {s['expected_cost']:.3g} per case, and always predicting {always} would cost"
        f" {constant:.3g}.{best}{' Accuracy weights both errors equally.' if fp != fn else ''}"
    )
    use = ("expected_cost", "net_benefit") if fn else ("expected_cost",)
    return text, use, ACCURACY if fp != fn else ()


def _scores_say_more(s: Situation) -> Said:
    use: Names = ("roc_auc", *LOSSES) if s.e.probabilities else ("roc_auc",)
    calibration = CALIBRATION if s.e.probabilities else ()
    right = f" {several(calibration)} show whether the probabilities are right." if calibration else ""
    text = (
        f"There are scores, and {several(use)} judge{'s' * (len(use) == 1)} all of them: classifiers that"
        f" agree at one threshold can still be distinguished.{right} The curves, as curve('roc') and"
        " curve('pr'), show more than any number."
    )
    return text, (*use, *calibration), ()


def _calibrated(s: Situation) -> str:
    """The calibration in a sentence, where it is known."""
    slope, large = (s.e[name] for name in CALIBRATION)
    if slope.undefined or large.undefined:
        return ""
    return (
        f" Calibration slope is {slope.value:.3g} and calibration in the large {large.value:.3g}; 1 and 0 are"
        " those of calibrated probabilities."
    )


def _loss_of_the_larger_class(s: Situation) -> Said | None:
    t, parameters = s.e.ranking, s.e.parameters.get("log_loss", {})
    none = np.zeros_like(t.positive)
    positives = value("log_loss", t.of(t.score, t.positive, none), **parameters)
    negatives = value("log_loss", t.of(t.score, none, t.negative), **parameters)
    cases, loss, larger = max((t.positives, positives, "positives"), (t.negatives, negatives, "negatives"))
    total = t.total * s["log_loss"]
    if cases < NINE_TENTHS * t.total or cases * loss <= total / 2:
        return None
    text = (
        f"{cases * loss / total:.0%} of log loss comes from the {larger}, {cases / t.total:.0%} of the cases."
        f" A positive loses {positives:.3g} and a negative {negatives:.3g} on average: report it by class."
    )
    return text, (), ()


def _classes_one_by_one(s: Situation) -> Said | None:
    e, one_label = s.e, isinstance(s.e, MulticlassEvaluation)
    each = [
        (sensitivity.value, shown(label))
        for sensitivity, label in zip(e.many.each("sensitivity"), e.table_of_classes.labels, strict=True)
        if not sensitivity.undefined
    ]
    if not each:
        return None
    worst, label = min(each)
    mean, weighed = (e.averages[kind]["f1"].value for kind in ("macro", "weighted"))
    micro = " Averaged over the cases (micro), precision, recall and F1 are equal to accuracy."
    text = (
        f"Look at each class (.classes): the lowest sensitivity is {worst:.3g}, of class {label}. Over the"
        f" classes F1 is {mean:.3g} on average (macro), and {weighed:.3g} with each weighted by its"
        f" size.{micro if one_label else ''}"
    )
    return text, ("balanced_accuracy", "matthews_correlation") if one_label else (), ()


def _scores_of_many_classes(s: Situation) -> Said | None:
    order = (*ORDER_OF_CLASSES, "mean_average_precision") if s.need in (None, "ranking") else ()
    losses = (*LOSSES, "top_label_ece") if s.need in (None, "probabilities") and s.e.probabilities else ()
    use = tuple(name for name in (*order, *losses) if name in s.e.estimates)
    if not use:
        return None
    text = (
        f"Over all classes: {', '.join(f'{in_sentence(name)} {s[name]:.3g}' for name in use)}. Each class has"
        f" its own curve: {either('.one_vs_rest(label).curve(...)', 'tallymark curve --class')}. Averages"
        " over classes hide the class that is ranked worst."
    )
    return text, use, ()


def _classes_in_order(s: Situation) -> Said | None:
    known = [name for name, needs in OF_ORDER.items() if s.need in needs and name in s.e.estimates]
    if not known:
        return None
    values = " and ".join(f"{in_sentence(name)}, {s[name]:.3g}," for name in known)
    text = (
        f"If the order of the classes, {series(map(shown, s.e.matrix.labels))}, has a meaning, take {values}"
        " where an error between distant classes counts more than one between neighbours; other measures"
        " count both alike."
    )
    return text, (), ()


def changes(moved: Sequence[Shift]) -> str:
    """The first few changes in words.

    Of measures that change by the same amount, as precision and its complement, only the first.
    """
    first, *others = list({round(shift.size, 6): shift for shift in reversed(moved)}.values())[::-1][:SHOWN]
    text = (
        f"{title(first.name).split(' (')[0]} is {first.here:.3g} and would be {first.there:.3g} with classes"
        " of equal size"
    )
    text += "".join(f", {in_sentence(each.name)} {each.here:.3g} and {each.there:.3g}" for each in others)
    more = len(moved) - 1 - len(others)
    return f"{text}, and {more} more change" if more else text


def _class_mix(s: Situation) -> Said | None:
    every = shifts(s.e, s.need)
    moved = sorted((shift for shift in every if shift.moved), key=lambda shift: (shift.endless, -shift.size))
    if not moved:
        return None
    misleading, anchored = ([shift for shift in moved if shift.anchored == which] for which in (False, True))
    anchored.sort(key=lambda shift: shift.name not in BEYOND_CHANCE)  # the best known measures come first
    sizes = [size for _, size, _ in s.classes]
    here = (
        f"{number_of(s.e.data.positives or 0, 'positive')} and"
        f" {number_of(s.e.data.negatives or 0, 'negative')}"
        if isinstance(s.e, BinaryEvaluation)
        else f"{len(sizes)} classes of {min(sizes):,.10g} to {max(sizes):,.10g} cases"
    )
    parts = [f"Here are {here}."]
    if misleading:
        parts.append(f"{changes(misleading)}. Such values hold for this class mix only.")
    if anchored:
        parts.append(
            f"{changes(anchored)}: guessing has the same value in either mix, so they can be used here, but "
            "compare them within one class mix only."
        )
    parts.append(
        f"Counted are changes of more than {MOVED:g}, or of a tenth of the value where a range has no end."
    )
    stable = {shift.name for shift in every if not shift.moved}
    if s.need == "early_retrieval":
        stable.discard("roc_auc")  # of the whole ranking
    # of those that change at all; costs are those of one population
    within = tuple(
        shift.name
        for shift in every
        if shift.size > AT_ALL and not shift.anchored and registry.get(shift.name).family != "cost"
    )
    return " ".join(parts), tuple(name for name in STABLE if name in stable), within


def _another_population(s: Situation) -> Said | None:
    share = s.e.counts.positives / s.e.counts.total
    here, there = (
        value("precision", table) for table in (s.e.counts, at_mix(s.e.counts, ELSEWHERE, 1 - ELSEWHERE))
    )
    if not BY_DESIGN[0] <= share <= BY_DESIGN[1] or not abs(here - there) > MOVED:
        return None
    text = (
        f"{share:.0%} of these cases are positive, between {BY_DESIGN[0]:.0%} and {BY_DESIGN[1]:.0%} as in"
        f" many selected samples. If they were selected so, precision, {here:.3g} here, does not apply"
        f" elsewhere: with {ELSEWHERE:.0%} positives it would be {there:.3g}. Likelihood ratios do: they"
        " multiply the odds of any population."
    )
    return text, RATIOS, ()


def _accuracy_close_to_guessing(s: Situation) -> Said | None:
    accuracy = value("accuracy", s.table)
    name, largest, _ = max(s.classes, key=lambda each: each[1])
    majority, random = largest / rows(s.table).sum(), 1 / len(s.classes)
    fed = majority - random >= max(MOVED, (accuracy - random) / 2)
    if not fed and accuracy - random >= CLOSE:
        return None
    by_size = (
        f": {majority - random:.3g} of its {accuracy - random:.3g} above that, half or more, is due to the"
        " class sizes"
    )
    text = (
        f"Accuracy is {accuracy:.3g}, but always predicting {name} has {majority:.3g}, and a random"
        f" prediction {random:.3g}{by_size if fed else ''}. On balanced accuracy,"
        f" {value('balanced_accuracy', s.table):.3g} here, both have {random:.3g}."
    )
    return text, ("balanced_accuracy",), ACCURACY if fed else ()


def _agreement_by_chance(s: Situation) -> Said | None:
    chance, equal = value("accuracy", guessing(s.table)), 1 / len(s.classes)
    if chance < equal + CLOSE:
        return None
    text = (
        f"Random predictions with the same frequencies would be right in {chance:.0%} of the cases,"
        f" {chance - equal:.0%} more than with equal frequencies. Cohen's kappa,"
        f" {value('cohen_kappa', s.table):.3g}, is the excess of accuracy, {value('accuracy', s.table):.3g},"
        " over that, as a share of the largest possible excess: 0 is chance, 1 perfect. MCC is 0 by chance,"
        " too."
    )
    return text, ("cohen_kappa", "matthews_correlation"), ()


def _true_negatives_ignored(s: Situation) -> Said:
    f1, always = value("f1", s.e.counts), 2 * s.e.counts.positives / (s.e.counts.positives + s.e.counts.total)
    blind = blind_to_true_negatives()
    text = (
        f"F1 is {f1:.3g}, and always predicting positive would have {always:.3g}: {several(blind)} do not"
        f" depend on how many negatives are predicted correctly. {several(BEYOND_CHANCE)} do, and are 0 for"
        " guessing."
    )
    return text, BEYOND_CHANCE, blind if always >= f1 else ()


def _few_cases(s: Situation) -> Said | None:
    effective = s.e.data.effective_rows
    scale = effective / rows(answered(s.e)).sum() if effective else 1.0
    few = [
        f"{scale * right:.4g} of {scale * size:.4g} ({name})"
        for name, size, right in s.classes
        if scale * min(right, size - right) <= WALD
    ]
    if not few:
        return None
    more = f", as in {len(few) - SHOWN} more classes" if len(few) > SHOWN else ""
    text = (
        f"Predicted right are {series(few[:SHOWN])}{more}. Wald's interval needs more than {WALD} cases right"
        f" and more than {WALD} wrong, so it is not valid here: report every value with the interval that is"
        f" shown here, or an exact one ({option('proportion', 'clopper-pearson')})."
    )
    return text, (), ()


# The rules
# --------------------------------------------------------------------------------------------------

RULES = (
    Rule(
        "one-class",
        "There are no positives, or no negatives.",
        "Berrar, Defs. 3, 4 and 27",
        (answer(lambda s: isinstance(s.e, BinaryEvaluation) and not s.two, _one_class),),
    ),
    Rule(
        "costs-known",
        "The costs of both kinds of error are given.",
        "Berrar, section 1; Tharwat, section 2.2; Flemming, Choosing a Threshold; net benefit: Vickers and"
        " Elkin (2006)",
        (
            answer(
                lambda s: s.costs and not (isinstance(s.e, BinaryEvaluation) and not s.e.counts.total),
                _at_costs,
            ),
        ),
    ),
    Rule(
        "scores-say-more",
        "There are scores, and no special need is stated.",
        "Berrar, section 6; Tharwat, section 1",
        (answer(lambda s: s.need is None and s.ranked, _scores_say_more),),
    ),
    Rule(
        "order-needed",
        "A ranking is needed.",
        "Berrar, sections 4 and 6; Tharwat, section 4; Flemming, Choosing a Threshold",
        (
            answer(
                lambda s: s.need == "ranking" and s.ranked,
                "ROC AUC is the share of pairs of a positive and a negative that the scores rank correctly,"
                " {roc_auc:.3g} here. A measure at one threshold depends on one cut through this ranking."
                " Curves that cross may have the same area, so look at curve('roc') as well.",
                ("roc_auc",),
                ACCURACY,
            ),
            answer(
                lambda s: s.need == "ranking" and s.per_class,
                "Each class ranks the cases by its own score: macro ROC AUC averages the area over the"
                " classes, and pairwise ROC AUC over all pairs of classes, which does not depend on the class"
                " mix. Accuracy depends on the highest score of each case only.",
                ORDER_OF_CLASSES,
                ACCURACY,
            ),
            answer(
                lambda s: s.need == "ranking",
                "A ranking is measured on the scores of two classes, and {unranked}.",
                ORDER,
                ACCURACY,
            ),
        ),
    ),
    Rule(
        "comparable-curves",
        "A ranking is needed.",
        "Tharwat, section 3 (last paragraph) and section 4; Flemming, Definition of AUC",
        (
            answer(
                lambda s: s.need == "ranking",
                "ROC curves of several classifiers can be compared on the same cases, or on data sets of the"
                " same size and class ratio. Scores may have different ranges. A classifier with the smaller"
                " area can be better in a part of the curve: compare(..., method='delong') tests the areas,"
                " plot('roc') of several models marks where they cross.",
            ),
        ),
        disagreement="Tharwat (section 3) requires data sets of the same class ratio although ROC curves do"
        " not change with it, and holds that scores of different ranges cannot be compared; only ranks count"
        " (Flemming).",
    ),
    Rule(
        "largest-distance-is-noisy",
        "A ranking is needed, and there are scores of both classes.",
        "Berrar, section 4 (after Def. 30) and Def. 31",
        (
            answer(
                lambda s: s.need == "ranking" and s.ranked,
                "{largest}, {kolmogorov_smirnov:.3g} here, is one distance of two curves and sensitive to"
                " noise; it is not recommended for evaluation and comparison. Truncated average KS,"
                " {truncated_average_ks:.3g}, averages all distances.",
                ("truncated_average_ks",),
                ("kolmogorov_smirnov",),
                largest=lambda s: title("kolmogorov_smirnov"),
            ),
        ),
        disagreement="Berrar does not say this of the largest Youden index (Def. 8), which is the same"
        " distance where sensitivity is the larger rate.",
    ),
    Rule(
        "fewer-positives",
        "A ranking is needed, and positives are the smaller class.",
        "Berrar, section 6 and Def. 32; Tharwat, section 5",
        (
            answer(
                lambda s: (
                    s.need in (None, "ranking") and s.ranked and s.e.ranking.positives < s.e.ranking.negatives
                ),
                "Positives are the smaller class: {e.ranking.positives:,.10g} of {e.ranking.total:,.10g}."
                " Average precision, {average_precision:.3g} where a random ranking has {share:.3g}, and"
                " curve('pr') show the top of the ranking, where positives should be; ROC AUC, {roc_auc:.3g},"
                " weights the rest of the ranking as much. Compare average precision within one class mix."
                " The rarer positives are, the more the two differ.",
                ("average_precision",),
            ),
        ),
        disagreement="Berrar (section 6) prefers precision-recall curves for imbalanced classes, Tharwat"
        " (section 5) warns that they change with the class mix, as ROC curves do not.",
    ),
    Rule(
        "early-retrieval",
        "Only the highest scores are used.",
        "Berrar, section 6 (early retrieval problem); partial areas: McClish (1989); bedroc: Truchon and"
        " Bayly (2007)",
        (
            answer(
                lambda s: s.need == "early_retrieval" and s.ranked,
                "Average precision, {average_precision:.3g} where a random ranking has {share:.3g}, and"
                " curve('pr') emphasise the top of the ranking; precision at k, recall at k and enrichment"
                " factor count the highest scores only, where k is the number of cases that can be followed"
                " up; the standardised partial AUC is the area at low false positive rates. ROC AUC,"
                " {roc_auc:.3g}, also reflects the rest of the ranking.",
                TOP,
                ("roc_auc", *ACCURACY),
            ),
            answer(
                lambda s: s.need == "early_retrieval" and isinstance(s.e, BinaryEvaluation),
                "A ranking is measured on the scores of two classes, and {unranked}.",
                ORDER,
                ACCURACY,
            ),
            answer(
                lambda s: s.need == "early_retrieval" and isinstance(s.e, MulticlassEvaluation),
                "The top of a ranking is measured on the scores of two classes: one class against the rest.",
                TOP,
                ACCURACY,
            ),
            answer(
                lambda s: s.need == "early_retrieval",
                "The top of a ranking is measured on the scores of two classes: {without_scores}.",
                TOP,
                ACCURACY,
            ),
        ),
        disagreement="Tharwat (section 5) warns that precision-recall curves change with the class mix:"
        " precision and enrichment at the top are values of one class mix.",
    ),
    Rule(
        "probabilities-needed",
        "Probabilities are needed.",
        "Van Calster and others (2025); Berrar, sections 3 and 6; Flemming, Log Loss and From Scores to"
        " Probabilities",
        (
            answer(
                lambda s: (
                    s.need == "probabilities" and isinstance(s.e, BinaryEvaluation) and s.e.probabilities
                ),
                "The prevalence is {share:.3g}, the mean probability {mean:.3g}: they should agree, over all"
                " cases and among cases with similar scores (the curve of {calibration}).{calibrated} Log"
                " loss, {log_loss:.3g}, and the Brier score, {brier_score:.3g}, are proper; the Brier score"
                " of predicting the prevalence for each case is {constant:.3g}. Net benefit shows what"
                " decisions are worth, by threshold in {curve}; ROC AUC the ranking next to them. Average"
                " precision depends on the ranking and the class mix, accuracy on one threshold.",
                (*CALIBRATION, *LOSSES[::-1], "net_benefit", "roc_auc"),
                ("average_precision", *ACCURACY),
                mean=lambda s: (
                    kernels.dot(s.e.ranking.score, s.e.ranking.positive + s.e.ranking.negative)
                    / s.e.ranking.total
                ),
                calibration=lambda s: either("tallymark.calibration", "tallymark calibration"),
                calibrated=_calibrated,
                constant=lambda s: s.share * (1 - s.share),
                curve=lambda s: either("curve('decision')", "tallymark curve decision"),
            ),
            answer(
                lambda s: (
                    s.need == "probabilities" and isinstance(s.e, MulticlassEvaluation) and s.e.probabilities
                ),
                "The Brier score is {brier_score:.3g} and log loss {log_loss:.3g}, over all classes; Brier"
                " skill score and log loss skill score compare them with predicting the class shares for each"
                " case. {order} show the ranking next to them; accuracy depends on the highest probability of"
                " each case only.",
                (*LOSSES, *ORDER_OF_CLASSES),
                ACCURACY,
                order=lambda s: several(ORDER_OF_CLASSES),
            ),
            answer(
                lambda s: s.need == "probabilities",
                "Probabilities from 0 to 1 are needed, and {no_probabilities}.",
                LOSSES,
            ),
        ),
        disagreement="Berrar (section 6) and Flemming measure probabilities by losses only, and the area"
        " under the ROC curve for a ranking; Van Calster and others (2025) ask for the area, the calibration"
        " and the net benefit together: a loss does not show whether ranking or calibration is at fault.",
    ),
    Rule(
        "loss-of-the-larger-class",
        "Probabilities are needed, and the larger class makes up most of log_loss. That class has nine tenths"
        " of the cases or more.",
        "Berrar, section 3 (after Def. 20) and section 6",
        (
            answer(
                lambda s: s.need == "probabilities" and s.ranked and s.e.probabilities,
                _loss_of_the_larger_class,
            ),
        ),
    ),
    Rule(
        "losses-for-imbalance",
        "Probabilities are needed, and one class is larger.",
        "Berrar, section 1 (proper scoring rules) and Defs. 21 to 23; Van Calster and others (2025)",
        (
            answer(
                lambda s: (
                    s.need == "probabilities"
                    and s.ranked
                    and s.e.probabilities
                    and s.e.ranking.positives != s.e.ranking.negatives
                ),
                "Balanced cross entropy, {balanced_cross_entropy:.3g}, focal loss, {focal_loss:.3g}, and"
                " relative information score, {relative_information_score:.3g}, are made for imbalanced"
                " classes and are not proper (tallymark.is_proper): probabilities that are too high or too"
                " extreme can score better than the true ones. Use them only to compare with a training"
                " loss.",
                (),
                FOR_IMBALANCE,
            ),
        ),
        disagreement="Berrar (section 6) recommends the three for imbalanced classes, and (section 1) proper"
        " scoring rules; Van Calster and others (2025) advise against improper measures.",
    ),
    Rule(
        "order-is-no-decision",
        "A decision is needed, and there are scores.",
        "Flemming, Choosing a Threshold; QuData, ROC",
        (
            answer(
                lambda s: s.need == "decision" and s.scored and s.e.threshold is not None,
                "The decision is score {sign} {e.limit:.4g} ({why}). ROC AUC and average precision measure"
                " the ranking over all thresholds: they show neither how good this threshold is nor which"
                " would be better.",
                (),
                ORDER,
                sign=lambda s: ">=" if s.e.higher_is_positive else "<=",
                why=lambda s: (
                    "the costs imply this threshold"
                    if s.costs and s.e.limit == implied(s.e, *s.costs)
                    else f"threshold: {s.e.threshold.rule}"
                ),
            ),
        ),
        disagreement="Berrar (section 6) prefers measures of probabilities to those at one threshold: they"
        " distinguish models before a threshold is chosen.",
    ),
    Rule(
        "both-kinds-of-error",
        "A decision between two classes is needed, and the costs of errors are not known.",
        "Tharwat, sections 2.2 and 2.7; Flemming, Choosing a Threshold",
        (
            answer(
                lambda s: s.deciding and not s.costs and s.two,
                "{missed} of {e.counts.positives:,.10g} and {alarms} of {e.counts.negatives:,.10g} are"
                " predicted incorrectly. Report both rates: one number does not show which error is made (0.7"
                " and 0.8 have Youden's J of 0.9 and 0.6). Where you know what each error costs, pass"
                " {cost_fp} and {cost_fn}.",
                ("sensitivity", "specificity"),
                missed=lambda s: number_of(s.e.counts.fn, "positive"),
                alarms=lambda s: number_of(s.e.counts.fp, "negative"),
                cost_fp=lambda s: option("cost_fp"),
                cost_fn=lambda s: option("cost_fn"),
            ),
        ),
    ),
    Rule(
        "odds-ratio",
        "A decision between two classes is needed, as the stated need.",
        "Wikipedia, Single metrics; Tharwat, section 2.6",
        (
            answer(
                lambda s: s.need == "decision" and s.two,
                "As one number the diagnostic odds ratio, {odds} here, has a meaning as a ratio of odds and"
                " does not change with the class mix. It does not show which error is made, and it is"
                " infinite where one kind of error does not occur; the corrected odds ratio is finite.",
                ("diagnostic_odds_ratio",),
                odds=lambda s: (
                    "undefined"
                    if s.e["diagnostic_odds_ratio"].undefined
                    else f"{s['diagnostic_odds_ratio']:.3g}"
                ),
            ),
        ),
        disagreement="Tharwat (section 2.7) objects to the Youden index that it hides the difference of both"
        " rates; that holds here, too.",
    ),
    Rule(
        "many-classes",
        "There are more than two classes, or several labels per case.",
        "Flemming, Balanced accuracy and Binary Metrics for Multiclass Classification; Tharwat, section"
        " 2.9.2",
        (
            answer(lambda s: s.many and s.deciding, _classes_one_by_one),
            answer(
                lambda s: s.many and not s.deciding and s.per_class,
                "To see one class against the others, take {way}.",
                way=lambda s: either(".one_vs_rest(label)", "tallymark curve --class"),
            ),
            answer(
                lambda s: s.many and not s.deciding,
                "Scores are for two classes: evaluate one {what}, with {score}.",
                what=lambda s: (
                    "class against the rest" if isinstance(s.e, MulticlassEvaluation) else "label at a time"
                ),
                score=lambda s: option("score"),
            ),
        ),
    ),
    Rule(
        "scores-of-many-classes",
        "There are more than two classes with a score for each, and no decision is the stated need.",
        "Tharwat, section 4; Berrar, section 4 (after Def. 33); Flemming, Log Loss",
        (answer(lambda s: s.per_class, _scores_of_many_classes),),
        disagreement="Tharwat (section 4) describes the sum of areas weighted by class size (weighted ROC"
        " AUC) and says that it changes with the class mix; pairwise ROC AUC does not.",
    ),
    Rule(
        "classes-in-order",
        "The labels of more than two classes have an order, as numbers do, or one is stated.",
        "Berrar, section 3 (after Def. 18)",
        (
            answer(
                lambda s: isinstance(s.e, MulticlassEvaluation) and s.e.matrix.has_order, _classes_in_order
            ),
        ),
    ),
    Rule(
        "size-of-errors",
        "Amounts are predicted.",
        "Flemming, Mean Squared Error, Mean Absolute Error and Huber Loss",
        (
            answer(
                lambda s: isinstance(s.e, RegressionEvaluation) and s["mean_absolute_error"] > 0,
                "The root mean squared error is {root_mean_squared_error:.3g} and the mean absolute error"
                " {mean_absolute_error:.3g}. Their quotient is {quotient:.3g}; normally distributed errors"
                " have {normal:.3g}, a few large errors more. Squares are best for normal errors and"
                " sensitive to outliers, absolute errors are not. The Huber loss is quadratic for small"
                " errors and linear for large ones, and takes the limit in the unit of the amounts (1.35"
                " after scaling).",
                ("root_mean_squared_error", "mean_absolute_error", "huber_loss"),
                quotient=lambda s: s["root_mean_squared_error"] / s["mean_absolute_error"],
                normal=lambda s: NORMAL,
            ),
        ),
    ),
    Rule(
        "class-mix",
        "A measure would change with classes of equal size. The change is larger than 0.05, or than a tenth"
        " of the value where the range is unbounded.",
        "Tharwat, sections 2.1 and 2.9.1; Flemming, Balanced accuracy; Wikipedia, Impact of prevalence on"
        " prediction values",
        (_class_mix,),
        within_mix=True,
    ),
    Rule(
        "another-population",
        "A decision is needed, the classes are similar in size, and rarer positives would lower precision.",
        "Wikipedia, Impact of prevalence on prediction values; QuData, Basic metrics; Tharwat, section 2.6",
        (answer(lambda s: s.deciding and s.two, _another_population),),
    ),
    Rule(
        "accuracy-close-to-guessing",
        "A decision is needed, and accuracy is close to that of guessing. Half or more of its difference from"
        " a random prediction is due to class sizes, or the difference is small.",
        "Berrar, section 6; Flemming, Correct Classification Rate; QuData, Basic metrics",
        (answer(lambda s: s.deciding and s.table is not None, _accuracy_close_to_guessing),),
        disagreement="Tharwat (section 2.2) reports a paper that found accuracy suitable for imbalanced data;"
        " its values agreed there because the sums of correct predictions did.",
    ),
    Rule(
        "agreement-by-chance",
        "A decision is needed, and random predictions of the same frequencies would often be right. That is"
        " clearly more often than predictions of each class with equal probability.",
        "Berrar, Defs. 15 and 24",
        (answer(lambda s: s.deciding and s.table is not None, _agreement_by_chance),),
        disagreement="Berrar (after Def. 15) calls MCC suitable for imbalanced data, Tharwat (section 2.8)"
        " sensitive to it: it is 0 for guessing at any mix, and its value changes with the mix.",
    ),
    Rule(
        "true-negatives-ignored",
        "A decision between two classes is needed.",
        "Wikipedia, Alternative metrics; Tharwat, sections 2.8 and 5",
        (answer(lambda s: s.deciding and s.two, _true_negatives_ignored),),
    ),
    Rule(
        "few-cases",
        "In some class five cases or fewer are predicted correctly, or five or fewer incorrectly.",
        "Berrar, Defs. 36 and 37",
        (answer(lambda s: answered(s.e) is not None, _few_cases),),
    ),
    Rule(
        "custom-of-the-field",
        "There are two classes, and no special need is stated.",
        "Wikipedia, introduction; Berrar, section 1; Flemming, Precision and Recall",
        (
            answer(
                lambda s: s.need is None and s.two,
                "In medicine sensitivity and specificity are reported, in computer science precision and"
                " recall, which is another name of sensitivity. The first two depend on the classifier only,"
                " precision also on the class mix: report the class mix with it.",
                ("sensitivity",),
            ),
        ),
    ),
    Rule(
        "several-measures",
        "No special need is stated.",
        "Berrar, section 6",
        (
            answer(
                lambda s: s.need is None and (s.table is not None or isinstance(s.e, ClasswiseEvaluation)),
                "No single measure answers every question. State what the classifier is for ({example},"
                " 'ranking' or 'probabilities') to see which measures matter; if that is open, report"
                " several, with their intervals.",
                example=lambda s: option("need", "decision"),
            ),
        ),
    ),
    Rule(
        "same-measure-in-training",
        "A need is stated.",
        "Berrar, section 6 (last paragraph)",
        (
            answer(
                lambda s: s.need is not None,
                "Choose the model by the measure that it is reported by: one trained for another measure is"
                " not expected to be good at this one.",
            ),
        ),
    ),
)


# Which measures to use: what the literature advises, applied to the data at hand
# --------------------------------------------------------------------------------------------------


__all__ = ["RULES", "Advice", "Item", "Rule", "advise", "balanced", "shifts"]

NEEDS = get_args(Need)
LONGEST = 60  # characters of a list of measures in the short form


@dataclass(frozen=True, eq=False)
class Advice(Answer, Tabular):
    """The measures to use and those that mislead on these data, with reasons.

    Attributes
    ----------
    items : tuple of Item
        The pieces of advice, each with its code, text, source, the measures to use, to avoid and to compare
        within one class mix only, and what another source says instead.
    need : str or None
        "decision" (the predicted labels are used), "ranking" (the order of the scores is used),
        "early_retrieval" (the highest scores only are used), "probabilities" (the scores are used as
        probabilities), or None for decision, ranking and probabilities.
    costs : pair of float, or None
        Of one false positive and of one false negative.
    estimates : dict of str to Estimate or Note
        For each measure that is named, its value on these data with the interval, or a note that says why
        there is none.
    shifts : dict of str to pair of float
        By measure, its value here and with classes of equal size.
    design : {"cohort", "case-control"} or None
        What the intervals assume; None without classes.
    weight_kind : {"count", "importance"} or None
        The kind of the weights; None without weights.
    notices : tuple of Notice
        On the data.
    """

    ANSWER = "advice"
    FORM = "measures.advice"

    items: tuple[Item, ...]
    need: str | None = None
    costs: Costs = None
    estimates: dict[str, Estimate | Note] = field(default_factory=dict, repr=False)
    shifts: dict[str, tuple[float, float]] = field(default_factory=dict, repr=False)
    design: str | None = None
    weight_kind: str | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text."""
        return conditions(self.design, self.weight_kind)

    @property
    def use(self) -> tuple[str, ...]:
        """The measures to use, in the order of the items."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.use))

    @property
    def avoid(self) -> tuple[str, ...]:
        """The measures that mislead on these data; none of them is in `use`."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.avoid))

    @property
    def within_mix(self) -> tuple[str, ...]:
        """The measures whose values hold for the class mix of these data only; the others are not in it."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.within_mix))

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, one per piece of advice, with names of measures separated by commas."""
        return [{**one, **{name: ", ".join(one[name]) for name in LISTS}} for one in plain["items"]]

    def __repr__(self) -> str:
        use, avoid = (text.label(", ".join(names) or "nothing", LONGEST) for names in (self.use, self.avoid))
        return f"<Advice: use {use}; avoid {avoid}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for strict JSON: None for what is undefined or infinite."""
        measures, unavailable = (
            {name: each.to_dict() for name, each in self.estimates.items() if isinstance(each, kind)}
            for kind in (Estimate, Note)
        )
        return {
            **self._begin(),
            "need": self.need,
            "costs": dict(zip(("cost_fp", "cost_fn"), self.costs, strict=True)) if self.costs else None,
            **named(self.design),
            **{name: list(getattr(self, name)) for name in LISTS},
            "items": [item.to_dict() for item in self.items],
            "measures": measures,
            "unavailable": unavailable,
            "equal_classes": {
                name: [value if isfinite(value) else None for value in pair]
                for name, pair in self.shifts.items()
            },
        }


@listed(
    "function",
    "tm.advise(...)",
    aka=(
        "advice",
        "which_measure",
    ),
    command="tallymark advise",
)
@public(also=evaluate, but=NOT_OF_ONE)
def advise(
    evaluation: Any = None,
    /,
    *,
    need: Need | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    **cases: Unpack[EvaluateArguments],
) -> Advice:
    """Recommend measures for these data, and show which mislead.

    Parameters
    ----------
    evaluation : Evaluation, or as data of `evaluate`, optional
        An evaluation, or whatever `evaluate` takes as data (a summary, a data frame, a path). Without it
        pass the arguments of `evaluate` by name, as truth and score.
    need : {"decision", "ranking", "early_retrieval", "probabilities"}, optional
        "decision": the predicted labels are used; "ranking": the order of the scores is used;
        "early_retrieval": only the highest scores are used, as if few cases can be followed up;
        "probabilities": the scores are used as probabilities. None for decision, ranking and probabilities;
        not for amounts.

    cost_fp, cost_fn : float, optional
        Costs of one false positive and of one false negative, if known.
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, regression
        As for `evaluate`.
    clusters, persons, predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
        As for `evaluate`.
    where, memory, threshold, rule, replicates
        As for `evaluate`.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    Advice
        With `use`, `avoid`, `within_mix` (measures to compare within one class mix only), `items`, and the
        estimate of each measure that they name.

    Raises
    ------
    InputError
        For unknown or invalid arguments, for a need or costs of amounts, and where `evaluate` raises it.

    Examples
    --------
    >>> import tallymark as tm
    >>> advice = tm.advise(counts=tm.Counts(tp=9, fp=10, fn=1, tn=980), need="decision")
    >>> "accuracy" in advice.avoid
    True
    """
    if need is not None:
        validate.choice(need, NEEDS, "need")
    costs = _costs(cost_fp, cost_fn)
    e = _evaluated(evaluation, cases)
    for name, value in (("need", need), ("cost_fp, cost_fn", costs)):
        if isinstance(e, RegressionEvaluation) and value is not None:
            raise InputError(
                "unsupported", name, "it is for classes, and these are predicted amounts", "leave it out"
            )
    e = _at_cost(e, costs)
    situation = Situation(e, need, costs)
    items = [item for rule in RULES if (item := rule(situation))]
    # each measure has one verdict: use before avoid before within one class mix
    used = {name for item in items for name in item.use}
    avoided = {name for item in items for name in item.avoid} - used
    items = [
        replace(
            item,
            avoid=tuple(name for name in item.avoid if name not in used),
            within_mix=tuple(name for name in item.within_mix if name not in used | avoided),
        )
        for item in items
    ]
    names = dict.fromkeys(name for item in items for name in (*item.use, *item.avoid, *item.within_mix))
    moves = {shift.name: (shift.here, shift.there) for shift in shifts(e, need)}
    estimates = {name: _estimate(e, name) for name in names}
    return Advice(
        tuple(items), need, costs, estimates, moves, e.design, e.data.weight_kind, e.notices_of_data
    )


def _costs(cost_fp: float | None, cost_fn: float | None) -> Costs:
    given = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    missing = [name for name, cost in given.items() if cost is None]
    if len(missing) == 2:
        return None
    if missing:
        raise InputError(
            "needed", missing[0], "it is missing", "only both costs together say what a decision costs"
        )
    fp, fn = (validate.number(cost, name, 0, validate.LARGEST) for name, cost in given.items())
    if not fp and not fn:
        raise InputError(
            "conflict", "cost_fp, cost_fn", "both are 0, so no decision costs anything", "leave them out"
        )
    return fp, fn


def _evaluated(evaluation: Any, cases: Mapping[str, Any]) -> Evaluation:
    if evaluation is None and not cases:
        raise InputError(
            "needed",
            None,
            f"Pass an evaluation, counts or another summary, or the cases by name, as {option('truth')} and"
            f" {option('score')}",
        )
    return evaluated(evaluation, of_one_model("advise", cases))


def _at_cost(e: Evaluation, costs: Costs) -> Evaluation:
    """The evaluation with these costs as parameters of the measures that take them.

    Its threshold is the one that the costs imply, unless one was given or chosen.
    """
    if costs is None or not isinstance(e, BinaryEvaluation):
        return e
    fp, fn = costs
    cut = implied(e, fp, fn)
    if cut is not None and e.threshold is not None and e.threshold.rule.code == "default":
        e = e.at(cut)
    named = {"expected_cost": {"cost_fp": fp, "cost_fn": fn}} | (
        {"net_benefit": {"threshold": fp / (fp + fn)}} if fn else {}
    )
    return replace(e, parameters={**e.parameters, **named})


def _estimate(e: Evaluation, name: str) -> Estimate | Note:
    """The value of a measure on these data with its interval, or why there is none."""
    try:
        return e[name]
    except NotMeasuredError as missing:
        return missing.why
