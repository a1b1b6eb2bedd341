"""Every warning and every piece of advice, with its text: a code, and one sentence that says what to do.

A rule is a function of an `Evaluation` that answers a sentence, or None where it has nothing to say. Its code is its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import isinf, isnan

FEW_CASES = 10
MANY_LABELS, LONGEST_LABEL = 5, 20  # that a notice lists
RARE = 0.10  # share of the smaller class: nine to one. Source: Berrar, section 6
KNOWN_TO_MOVE = ("accuracy", "f1", "precision", "negative_predictive_value")  # that are read most
CLEAR = 0.20  # a difference that no reader overlooks
MANY_TIES = 0.10  # share of the pairs of a positive and a negative


class UndefinedMeasureWarning(UserWarning):
    """A measure is 0/0 on these data; the text says which part is empty."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a good statistician would say beside the numbers. source: where that is discussed, if it is not mere care."""

    code: str
    text: str
    source: str | None = None

    def __str__(self) -> str:
        return f"{self.text} [{self.code}]"

    def to_dict(self) -> dict:
        return asdict(self)


RULES: list[tuple[Callable, str | None]] = []


def rule(function: Callable) -> Callable:
    """Enters a rule."""
    RULES.append((function, None))
    return function


def rule_of(source: str) -> Callable:
    """Enters a rule that a source discusses."""

    def enter(function: Callable) -> Callable:
        RULES.append((function, source))
        return function

    return enter


def review(evaluation) -> tuple[Notice, ...]:
    """What every rule has to say of an evaluation, in the order of this page."""
    said = ((rule.__name__.replace("_", "-"), rule(evaluation), source) for rule, source in RULES)
    return tuple(Notice(code, text, source) for code, text, source in said if text)


def number_of(size: float, name: str, names: str | None = None) -> str:
    """As "1 case" or "7 cases"; names: of several, where it is not done with an s."""
    return f"{size:,.10g} {name if size == 1 else names or name + 's'}"


def some_of(labels: list) -> str:
    """The first few, and how many more."""
    said = ", ".join(str(label)[:LONGEST_LABEL] for label in labels[:MANY_LABELS])
    return said if len(labels) <= MANY_LABELS else f"{said} and {len(labels) - MANY_LABELS} more"


# On the data ----------------------------------------------------------------------------------------------------------


@rule
def one_class(e):
    if e.counts is None or (e.data.positives and e.data.negatives):
        return None
    if not e.data.positives and not e.data.negatives:
        return "There are no cases: every measure is undefined."
    missing = "positives" if not e.data.positives else "negatives"
    return (
        f"There are no {missing} in these data: every measure that compares the two classes is undefined; add cases of the "
        "other class, or check the positive label."
    )


@rule
def few_cases(e):
    if e.counts is None:
        return None
    scale = e.data.effective_rows / (e.data.positives + e.data.negatives) if e.data.effective_rows else 1
    sizes = {"positive": scale * e.data.positives, "negative": scale * e.data.negatives}
    few = [number_of(size, name) for name, size in sizes.items() if 0 < size < FEW_CASES]
    if not few:
        return None
    return f"Only {' and '.join(few)}: read the intervals rather than the values, and collect more cases before deciding."


@rule
def rows_dropped(e):
    if not e.data.dropped:
        return None
    share = e.data.dropped / (e.data.rows + e.data.dropped)
    return (
        f"{e.data.dropped} rows ({share:.1%}) with a missing value were left out, as missing='drop' asks: if values are missing "
        "for a reason that has to do with the class, every measure is biased."
    )


@rule
def weights_not_whole(e):
    if e.data.effective_rows is None:
        if not _weighted_by_fractions(e):
            return None
        return (
            "The table holds weights that are not whole numbers, and not how many cases they stand for: intervals take them as "
            "numbers of cases; evaluate the cases themselves if the weights are none."
        )
    return (
        f"The weights are not whole numbers, so they are no numbers of cases: intervals use Kish's effective sample size, "
        f"{e.data.effective_rows:.1f} of {e.data.rows} rows, and are approximate."
    )


def _weighted_by_fractions(e):
    """Whether a summary was given whose weights are not whole."""
    if e.ranking is not None:
        return e.ranking.weighted
    if e.many is None:
        return False
    return any((cell != cell.round()).any() for cell in e.many.counts._cells())


@rule
def classes_without_cases(e):
    if e.many is None:
        return None
    never = [label for label, cases in zip(e.many.table.labels, e.many.counts.positives, strict=True) if not cases]
    if not never:
        return None
    return (
        f"{number_of(len(never), 'class is', 'classes are')} predicted but never true ({some_of(never)}): sensitivity and what is "
        "made of it are undefined there, and left out of the macro and weighted averages."
    )


@rule
def classes_never_predicted(e):
    if e.many is None:
        return None
    counts = e.many.counts
    never = [label for label, cases in zip(e.many.table.labels, counts.tp + counts.fp, strict=True) if not cases]
    if not never:
        return None
    return (
        f"{number_of(len(never), 'class is', 'classes are')} true but never predicted ({some_of(never)}): precision is undefined "
        "there and left out of the averages, which flatters them; f1 counts as 0."
    )


# On the scores --------------------------------------------------------------------------------------------------------


@rule
def scores_outside_unit_interval(e):
    if e.ranking is None or e.probabilities:
        return None
    if not e.higher_is_positive:
        return f"A lower score means positive here, so the scores are no probabilities: {' and '.join(e.left_out)} are left out."
    low, high = float(e.ranking.score[-1]), float(e.ranking.score[0])
    return (
        f"Scores range from {low:g} to {high:g}, outside [0, 1], so they are no probabilities: ranking measures stand, "
        f"{' and '.join(e.left_out)} are left out; turn the scores into probabilities first if you need them."
    )


@rule
def infinite_scores(e):
    if e.ranking is None:
        return None
    ends = (0, -1) if len(e.ranking) > 1 else (0,)  # scores are sorted: infinite ones are the first and the last
    cases = sum(e.ranking.positive[i] + e.ranking.negative[i] for i in ends if isinf(e.ranking.score[i]))
    if not cases:
        return None
    return (
        f"There is {number_of(cases, 'infinite score')}: such scores rank first or last, which is all that the ranking measures "
        "need; check their origin."
    )


@rule
def scores_look_like_labels(e):
    if e.ranking is None or len(e.ranking) != 2 or not (e.ranking.score == (1, 0)).all():
        return None
    return "The only scores are 0 and 1: if they are predicted labels, pass them as predicted= instead of score=."


@rule
def perfect_ranking(e):
    auc = e.estimates.get("roc_auc")
    if auc is None or auc.value != 1:
        return None
    return "Every positive scores above every negative: make sure that the score does not hold the label in some other form."


@rule
def heavy_ties(e):
    if e.ranking is None or not (e.data.positives and e.data.negatives):
        return None
    tied = float(e.ranking.positive.astype(float) @ e.ranking.negative)
    share = tied / (e.ranking.positives * e.ranking.negatives)
    if share < MANY_TIES:
        return None
    return (
        f"{share:.0%} of the pairs of a positive and a negative have equal scores "
        f"({number_of(len(e.ranking), 'distinct score')} in all): "
        "roc_auc counts each as one half; use unrounded scores if you have them."
    )


@rule
def log_loss_clipped(e):
    loss = e.estimates.get("log_loss")
    if loss is None or isnan(loss.value):
        return None
    p, weight = e.ranking.given_to_truth
    clipped = float(weight[p < e.ranking.epsilon].sum())
    if not clipped:
        return None
    return (
        f"{number_of(clipped, 'case')} gave what was true a probability below {e.ranking.epsilon:.2g}, the precision of the "
        "scores: log_loss counts it as that, an arbitrary cap; look at these cases first."
    )


# On the answers -------------------------------------------------------------------------------------------------------


@rule
def auc_below_half(e):
    auc = e.estimates.get("roc_auc")
    if auc is None or not auc.value < 0.5:
        return None
    direction, way_out = (
        ("higher", "pass higher_is_positive=False") if e.higher_is_positive else ("lower", "let a higher one do so")
    )
    return (
        f"roc_auc is {auc.value:.3g}, below 0.5: is the positive label right, and does a {direction} score mean positive "
        f"(else {way_out})? Nothing was flipped."
    )


@rule
def threshold_chosen_here(e):
    if e.threshold is None or not e.threshold.rule.startswith("youden"):
        return None
    return (
        f"The threshold {e.threshold.value:g} has the largest Youden index on these same cases, so the measures at it are "
        "optimistic; choose the threshold on other data, or give one."
    )


@rule_of("Berrar, section 6; Flemming, Correct Classification Rate")
def largest_class(e):
    if e.matrix is None or e.many is None:
        return None
    share, accuracy = e.matrix.weights.sum(1).max() / e.matrix.total, e.estimates["accuracy"].value
    if accuracy > share:
        return None
    largest = e.matrix.labels[int(e.matrix.weights.sum(1).argmax())]
    verdict = "no better than" if accuracy == share else "worse than"
    return (
        f"Accuracy {accuracy:.3g} is {verdict} always answering {some_of([largest])}, which gives {share:.3g}: judge this "
        "classifier by balanced_accuracy, matthews_correlation or cohen_kappa, which chance does not feed."
    )


@rule_of("Berrar, section 6; Flemming, Correct Classification Rate")
def majority_class(e):
    if e.counts is None or not (e.data.positives and e.data.negatives):
        return None
    majority = max(e.data.positives, e.data.negatives) / (e.data.positives + e.data.negatives)
    accuracy = e.estimates["accuracy"].value
    if accuracy > majority:
        return None
    verdict = "no better than" if accuracy == majority else "worse than"
    larger = "positive" if e.data.positives > e.data.negatives else "negative"
    return (
        f"Accuracy {accuracy:.3g} is {verdict} always answering {larger}, which gives {majority:.3g}: judge this "
        "classifier by measures that chance does not feed, as balanced_accuracy or matthews_correlation."
    )


# On what the measures can tell here ---------------------------------------------------------------------------------------


def _two(e):
    return bool(e.counts is not None and e.data.positives and e.data.negatives)


@rule_of("Berrar, after Def. 15; QuData, AUC metric")
def one_answer(e):
    if not _two(e):
        return None
    c = e.counts
    if c.tp + c.fp and c.fn + c.tn:
        return None
    always = "negative" if not c.tp + c.fp else "positive"
    return (
        f"Every case is predicted {always}: measures that need both answers are undefined, and the others are those of a constant; "
        "look at the threshold, or at what went wrong in training."
    )


@rule_of("Wikipedia, Alternative metrics; Tharwat, section 2.8")
def f1_beside_guessing(e):
    if not _two(e) or e.estimates["f1"].undefined:
        return None
    f1, always = e.estimates["f1"].value, 2 * e.data.positives / (2 * e.data.positives + e.data.negatives)
    larger = max(e.data.positives, e.data.negatives) / (e.data.positives + e.data.negatives)
    if f1 > always or e.estimates["accuracy"].value <= larger:  # majority_class has said it
        return None
    return (
        f"f1 {f1:.3g} is no better than always answering positive, which gets {always:.3g}: f1 does not see the true negatives; "
        "look at youden_j or matthews_correlation."
    )


@rule_of("Berrar, section 6")
def auc_and_precision(e):
    auc, precision = (e.estimates.get(name) for name in ("roc_auc", "precision"))
    if auc is None or not _two(e) or e.data.positives > RARE * (e.data.positives + e.data.negatives):
        return None
    if not (auc.value >= 0.9 and precision.value < 0.5):
        return None
    return (
        f"roc_auc is {auc.value:.3g}, and yet only {precision.value:.0%} of the predicted positives are real ones, since positives "
        f"are rare ({number_of(e.data.positives, 'case')} of {e.data.positives + e.data.negatives:,.10g}): judge by "
        "average_precision and curve('pr')."
    )


@rule_of("Tharwat, sections 2.1 and 2.9.1; Wikipedia, Impact of prevalence on prediction values")
def class_mix(e):
    if not _two(e) or min(e.data.positives, e.data.negatives) > RARE * (e.data.positives + e.data.negatives):
        return None
    if auc_and_precision(e):
        return None
    equal = {name: value for name, value in e.with_equal_classes.items() if name in KNOWN_TO_MOVE and not isnan(value)}
    name = max(equal, key=lambda name: abs(equal[name] - e.estimates[name].value))
    here = e.estimates[name].value
    if not abs(equal[name] - here) > CLEAR:
        return None
    return (
        f"With {number_of(e.data.positives, 'positive')} and {number_of(e.data.negatives, 'negative')} {name} is {here:.3g}; with "
        f"classes of equal size it would be {equal[name]:.3g}: tallymark.advise tells which measures hold for this mix only."
    )


@rule_of("Berrar, section 3 and Def. 18")
def brier_beside_guessing(e):
    brier = e.estimates.get("brier_score")
    if brier is None or not _two(e):
        return None
    share = e.data.positives / (e.data.positives + e.data.negatives)
    if brier.value < share * (1 - share):
        return None
    return (
        f"brier_score {brier.value:.3g} is no better than giving every case the share of positives, which gets "
        f"{share * (1 - share):.3g}: whatever the order is worth, do not read these scores as probabilities."
    )


@rule_of("QuData, ROC; Flemming, Choosing a Threshold")
def default_threshold_far(e):
    if not _two(e) or e.threshold is None or e.threshold.rule != "default":
        return None
    sweep = e.ranking.sweep()
    index = sweep.tp / e.data.positives - sweep.fp / e.data.negatives
    best = int(index.argmax())
    here = e.estimates["youden_j"].value
    if not index[best] - max(here, 0.0) > 0.3:
        return None
    limit = float(e.ranking.thresholds[best]) * (1 if e.higher_is_positive else -1)
    return (
        f"At the default threshold 0.5 youden_j is {here:.3g}, and at {limit:.3g} it would be {index[best]:.3g}: choose a "
        "threshold, on other data than these."
    )
