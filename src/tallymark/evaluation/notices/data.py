"""Notices on the data and the scores."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf
from typing import TYPE_CHECKING, Any

from ... import kernels
from ...inference.intervals.area import FEW_CASES
from ...input.data_info import Task
from ...input.labels import like_missing, similar
from ...summaries.by_score import ends_of
from .evidence import sizes
from .rules import BINARY, CLASSWISE, MULTICLASS, SCORED, Fields, among, fact, finding
from .words_of_data import NO_PROBABILITIES

if TYPE_CHECKING:
    from ...summaries import RankingTable, Residuals
    from ..results import BinaryEvaluation, ClasswiseEvaluation, Evaluation, MulticlassEvaluation

VALIDATION = "Vergouwe et al. 2005; Collins et al. 2016"
FEWEST_GRADES = 3
MANY_TIES = 0.10  # share of tied pairs of a positive and a negative


@fact(of=BINARY, severe=True)
def one_class(e: BinaryEvaluation) -> Fields:
    """There are no positives, or no negatives."""
    if e.both_classes:
        return None
    if not e.data.positives and not e.data.negatives:
        return {"missing": "both"}
    return {"missing": "positives" if not e.data.positives else "negatives"}


@fact(VALIDATION, of=(*BINARY, *CLASSWISE), severe=True)
def few_cases(e: Evaluation) -> Fields:
    """A class has fewer than ten cases; for validation studies 100 of each class are recommended."""
    return FEW[e.task](e)


def _few_of_two(e: BinaryEvaluation) -> Fields:
    named = zip(("positives", "negatives"), sizes(e), strict=True)
    few = {name: size for name, size in named if 0 < size < FEW_CASES}
    return {"limit": FEW_CASES, **few} if few else None


def _few_of_classes(e: ClasswiseEvaluation) -> Fields:
    sizes = zip(e.many.summary.labels, e.many.class_sizes.tolist(), strict=True)
    few = [label for label, size in sizes if 0 < size < FEW_CASES]
    return {"limit": FEW_CASES, **among(few)} if few else None


FEW: dict[Task, Callable[[Any], Fields]] = {
    "binary": _few_of_two,
    "multiclass": _few_of_classes,
    "multilabel": _few_of_classes,
}


@fact(severe=True)
def rows_dropped(e: Evaluation) -> Fields:
    """Rows with missing values were left out, as requested."""
    if not e.data.dropped:
        return None
    share = e.data.dropped / (e.data.rows + e.data.dropped)
    answers = {"unanswered": e.data.dropped_unanswered} if e.data.dropped_unanswered else {}
    labels = {"labels": True} if answers and getattr(e, "scored", e) is None else {}
    return {"dropped": e.data.dropped, "share": share, **answers, **labels}


@fact("Schuetz et al. 2012", of=SCORED, severe=True)
def no_answer(e: Evaluation) -> Fields:
    """Predicted values that name no class were named with `not_an_answer`, and occur."""
    if e.unanswered is None or not e.unanswered.value:
        return None
    found = e.unanswered
    interval = {"low": found.low, "high": found.high} if found.has_interval else {}
    return {"value": found.value, **interval, "of_classes": e.task == "multiclass"}


@fact(of=SCORED, severe=True)
def labels_alike(e: BinaryEvaluation | MulticlassEvaluation) -> Fields:
    """Labels differ only in case, blanks, zeros or the Unicode form."""
    found = similar(_labels(e))
    return (
        {"pairs": len(found), "first": next(iter(found)), "what": next(iter(found.values()))}
        if found
        else None
    )


@fact(of=SCORED)
def labels_like_missing(e: BinaryEvaluation | MulticlassEvaluation) -> Fields:
    """A class has a label such as "." or "?", which often stands for a missing value."""
    found = like_missing(_labels(e))
    return among(found) if found else None


def _labels(e: BinaryEvaluation | MulticlassEvaluation) -> tuple[Any, ...]:
    return e.labels if e.task == "binary" else e.matrix.labels


@fact(of=BINARY)
def positive_by_its_name(e: BinaryEvaluation) -> Fields:
    """The label "positive" is taken as the positive one, which was not named."""
    return {"label": e.labels[1]} if e.data.positive_by_name else None


@fact(of=MULTICLASS)
def grades_without_cases(e: MulticlassEvaluation) -> Fields:
    """Whole numbers as classes have gaps: measures of ordered classes take them as neighbours."""
    labels = e.matrix.labels
    if e.matrix.ordered or len(labels) < FEWEST_GRADES or not all(type(label) is int for label in labels):
        return None
    low, high = int(min(labels)), int(max(labels))
    if high - low >= 2 * len(labels):  # these are codes rather than grades
        return None
    absent = [grade for grade in range(low, high) if grade not in labels]
    return among(absent) if absent else None


@fact(of=MULTICLASS)
def columns_matched(e: MulticlassEvaluation) -> Fields:
    """The columns of scores were matched to the classes by a part of their names."""
    if e.scores is None or e.scores.affix is None:
        return None
    before, after = e.scores.affix
    return {"before": before, "after": after}


@fact(of=MULTICLASS)
def equal_highest_scores(e: MulticlassEvaluation) -> Fields:
    """With a score per class: some cases have the same highest score in several classes."""
    if e.scores is None:
        return None
    _, ambiguous = e.scores.predicted()
    return {"cases": ambiguous} if ambiguous else None


@fact()
def importance_weights(e: Evaluation) -> Fields:
    """There are importance weights: intervals use the effective number of cases."""
    if e.data.effective_rows is None:
        return {} if BY_FRACTIONS[e.task](e) else None
    if e.clusters:
        return None  # each case is drawn with its weight
    return {"rows": e.data.rows - e.data.weightless, "effective_rows": e.data.effective_rows}


def _without_squares(table: RankingTable | Residuals) -> bool:
    return table.weighted and table.squares is None


def _cells_not_whole(e: ClasswiseEvaluation) -> bool:
    counts = e.many.counts
    return any((cell != cell.round()).any() for cell in (counts.tp, counts.fp, counts.fn, counts.tn))


BY_FRACTIONS: dict[Task, Callable[[Any], bool]] = {  # whether it is a summary whose weights are not whole
    "binary": lambda e: e.ranking is not None and _without_squares(e.ranking),
    "multiclass": _cells_not_whole,
    "multilabel": _cells_not_whole,
    "regression": lambda e: _without_squares(e.residuals),
}


@fact(of=CLASSWISE)
def classes_without_cases(e: ClasswiseEvaluation) -> Fields:
    """Some classes are predicted but do not occur as actual classes."""
    return _classes_that_are(e, true=False, predicted=True)


@fact(of=CLASSWISE, severe=True)
def classes_never_predicted(e: ClasswiseEvaluation) -> Fields:
    """Some classes occur as actual classes but are never predicted."""
    return _classes_that_are(e, true=True, predicted=False)


@fact(of=CLASSWISE)
def classes_that_do_not_occur(e: ClasswiseEvaluation) -> Fields:
    """Some classes occur neither as actual nor as predicted classes."""
    return _classes_that_are(e, true=False, predicted=False)


def _classes_that_are(e: ClasswiseEvaluation, true: bool, predicted: bool) -> Fields:
    """The classes that occur, or do not, among the actual and the predicted labels."""
    counts = e.many.counts
    rows = zip(e.many.summary.labels, counts.positives, counts.tp + counts.fp, strict=True)
    found = [label for label, cases, called in rows if bool(cases) == true and bool(called) == predicted]
    return among(found) if found else None


# On the scores
# --------------------------------------------------------------------------------------------------------


@fact(of=BINARY)
def scores_in_bins(e: BinaryEvaluation) -> Fields:
    """The scores are known as bins; where these are not single scores, measures have bounds."""
    if e.binned is None:
        return None
    low, high = e.binned.low, e.binned.high
    several = low < high  # a bin of one infinite score has no width
    reach = float((high[several] / 2 - low[several] / 2).max(initial=0.0))
    return {"bins": len(e.binned), "exact": e.binned.single, "reach": reach, "memory": e.data.memory}


@fact(of=BINARY)
def scores_outside_unit_interval(e: BinaryEvaluation) -> Fields:
    """Scores lie outside [0, 1]: brier_score and log_loss are left out."""
    if e.ranking is None or e.probabilities:
        return None
    if not e.higher_is_positive:
        return {"because": "lower-is-positive"}
    if e.score_kind in NO_PROBABILITIES:
        return {"because": "score-kind", "score_kind": e.score_kind}
    return {"because": "range", "low": float(e.ranking.score[-1]), "high": float(e.ranking.score[0])}


@fact(of=BINARY)
def infinite_scores(e: BinaryEvaluation) -> Fields:
    """Some scores are infinite."""
    if e.ranking is None:
        return None
    # scores are sorted, so that infinite ones are the first and the last
    ends = (0, -1) if len(e.ranking) > 1 else (0,)
    cases = sum(e.ranking.positive[i] + e.ranking.negative[i] for i in ends if isinf(e.ranking.score[i]))
    return {"cases": cases} if cases else None


@fact(of=BINARY, severe=True)
def scores_look_like_labels(e: BinaryEvaluation) -> Fields:
    """The only scores are 0 and 1."""
    if e.ranking is None or e.in_bins or len(e.ranking) != 2 or not (e.ranking.score == (1, 0)).all():
        return None
    return {}


@finding(of=BINARY, severe=True)
def perfect_ranking(e: BinaryEvaluation) -> Fields:
    """Every positive has a higher score than every negative, with ten or more of each."""
    if e.ranking is None or min(sizes(e)) < FEW_CASES:  # with fewer this may well happen by chance
        return None
    mixed = ends_of(e.ranking.positive)[1] >= ends_of(e.ranking.negative)[0]
    return None if mixed else {}


@fact(of=BINARY)
def heavy_ties(e: BinaryEvaluation) -> Fields:
    """A tenth or more of the pairs of a positive and a negative have equal scores."""
    if e.ranking is None or not e.both_classes or e.in_bins:
        return None
    tied = kernels.dot(e.ranking.positive, e.ranking.negative)
    share = tied / (e.ranking.positives * e.ranking.negatives)
    return {"share": share, "scores": len(e.ranking)} if share >= MANY_TIES else None
