"""On the answers: what to mind, and what the measures can tell here."""

from math import isnan

from ..text import exact
from . import USUAL, number_of, rule, rule_of, some_of

RARE = 0.10  # share of the smaller class: nine to one. Source: Berrar, section 6
KNOWN_TO_MOVE = ("accuracy", "f1", "precision", "negative_predictive_value")  # that are read most
ENOUGH_THRESHOLDS = 10_000  # to see where the Youden index is about largest
CLEAR = 0.20  # a difference that no reader overlooks


@rule
def auc_below_half(e, terms=USUAL):
    auc = e.estimates.get("roc_auc")
    if auc is None or not auc.value < 0.5:
        return None
    direction, way_out = ("higher", terms.turned) if e.higher_is_positive else ("lower", terms.turned_back)
    return (
        f"roc_auc is {auc.value:.3g}, below 0.5: {terms.label}, and does a {direction} score mean {terms.means} "
        f"(else {way_out})? Nothing was flipped."
    )


@rule
def class_auc_below_half(e):
    if e.scores is None:
        return None
    worse = [label for label, area in e.class_areas.items() if area < 0.5]
    if not worse:
        return None
    order = ", ".join(map(str, e.scores.labels[:6])) + (", ..." if len(e.scores.labels) > 6 else "")
    return (
        f"By its own score roc_auc of {some_of(worse)} is below 0.5: do the columns of scores stand for the classes in this order, "
        f"{order}? Else name the class of each."
    )


@rule
def threshold_chosen_here(e):
    if e.threshold is None or not e.threshold.chosen:
        return None
    reason = "has the largest Youden index" if e.threshold.rule == "youden" else f"was chosen by the rule {e.threshold.rule!r}"
    return (
        f"The threshold {exact(e.threshold.value)} {reason} on these same cases, so the measures at it are "
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
    step = max(len(e.ranking) // ENOUGH_THRESHOLDS, 1)
    sweep = e.ranking.sweep()[::step]
    index = sweep.tp / e.data.positives - sweep.fp / e.data.negatives
    best = int(index.argmax())
    here = e.estimates["youden_j"].value
    if not index[best] - max(here, 0.0) > 0.3:
        return None
    limit = float(e.ranking.thresholds[step * best]) * (1 if e.higher_is_positive else -1)
    return (
        f"At the default threshold 0.5 youden_j is {here:.3g}, and at {limit:.3g} it would be {index[best]:.3g}: choose a "
        "threshold, on other data than these."
    )
