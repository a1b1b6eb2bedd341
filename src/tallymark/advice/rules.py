"""The rules: each looks at an evaluation, at what is needed and at the costs, and says what to use and what misleads.

Its code is its name, its condition the docstring, its source the decorator's. A rule answers a text, the measures to use and those
to avoid, in this order, or None where it has nothing to say. Advice comes in the order of this page.
"""

from __future__ import annotations

import numpy as np

from .. import kernels
from ..notices import number_of
from ..registry import get
from ..validate import shown
from .mix import MOVED, at_mix, decided, guessing, rows, shifts
from .rule import (
    SHOWN,
    blind_to_true_negatives,
    both,
    changes,
    classes,
    listed,
    mix_of,
    no_probabilities,
    rule,
    same_whatever_is_predicted,
    value,
    without_scores,
)

RARE = 0.10  # Berrar, section 6: nine to one is highly imbalanced
BY_DESIGN = (0.4, 0.6)  # a share of positives that is made more often than met
ELSEWHERE = 0.05  # the prevalence of Wikipedia's example
CLOSE = 0.10  # hardly above a random answer
WALD = 5  # Berrar, Def. 36: there must be more cases than this

ACCURACY = ("accuracy", "error_rate")
BEYOND_CHANCE = ("matthews_correlation", "cohen_kappa", "youden_j")
DECIDING = (None, "decision")
LOSSES = ("brier_score", "log_loss")
ORDER = ("roc_auc", "average_precision")
ORDER_OF_CLASSES = ("macro_roc_auc", "pairwise_roc_auc")
RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")
STABLE = ("sensitivity", "specificity", "youden_j", "balanced_accuracy", "geometric_mean", *RATIOS, "roc_auc")  # if found so

# On what is needed ----------------------------------------------------------------------------------------------------


@rule("Berrar, Defs. 3, 4 and 27")
def one_class(e, need, costs):
    """There are no positives, or no negatives."""
    if e.counts is None or both(e):
        return None
    if not e.counts.total:
        return "There are no cases, so no measure says anything.", (), ()
    positive = bool(e.counts.positives)
    use = ("sensitivity", "false_negative_rate") if positive else ("specificity", "false_positive_rate")
    same = same_whatever_is_predicted(positive)
    return (
        f"There are {'positives' if positive else 'negatives'} only: {listed(use)} can be read, and nothing that compares the "
        f"classes; {listed(same)} come out the same whatever is predicted. Add cases of the other class.",
        use,
        same,
    )


@rule("Berrar, section 1; Tharwat, section 2.2; Flemming, Choosing a Threshold; net benefit: Vickers and Elkin (2006)")
def costs_known(e, need, costs):
    """The costs of both kinds of error are given."""
    if costs is None or (e.counts is not None and not e.counts.total):
        return None
    if e.counts is None:
        return "Two costs belong to two classes: evaluate one class against the rest, with its costs.", ("expected_cost",), ()
    fp, fn = costs
    total = e.counts.total
    constant, answer = min((fn * e.counts.positives / total, "negative"), (fp * e.counts.negatives / total, "positive"))
    cut = f" Where probabilities hold, cost_fp / (cost_fp + cost_fn) = {fp / (fp + fn):.3g} cuts best." if e.probabilities else ""
    return (
        f"A false positive costs {fp:g} and a false negative {fn:g}: expected_cost is {e['expected_cost'].value:.3g} a case, and "
        f"always answering {answer} would cost {constant:.3g}.{cut}{' Accuracy counts both errors alike.' if fp != fn else ''}",
        ("expected_cost", "net_benefit") if fn else ("expected_cost",),
        ACCURACY if fp != fn else (),
    )


@rule("Berrar, sections 4 and 6; Tharwat, section 4; Flemming, Choosing a Threshold")
def order_needed(e, need, costs):
    """A ranking is needed."""
    if need != "ranking":
        return None
    if e.scores is not None:
        return (
            "Each class ranks the cases by its own score: macro_roc_auc averages the area over the classes, and pairwise_roc_auc "
            "over all pairs of classes, which does not depend on the class mix. Accuracy sees the highest score of a case alone.",
            ORDER_OF_CLASSES,
            ACCURACY,
        )
    if e.ranking is None or not both(e):
        why = "these cases are of one class" if e.ranking is not None else f"here are {without_scores(e)}"
        return f"An order is judged on the scores of two classes, and {why}.", ORDER, ACCURACY
    return (
        "roc_auc is the share of the pairs of a positive and a negative that the scores put in order, "
        f"{e['roc_auc'].value:.3g} here. A measure at one threshold sees one cut through this order. Curves that cross may have "
        "the same area, so look at curve('roc') as well.",
        ("roc_auc",),
        ACCURACY,
    )


@rule("Berrar, sections 3 and 6; Flemming, Log Loss and From Scores to Probabilities")
def probabilities_needed(e, need, costs):
    """Probabilities are needed."""
    if need != "probabilities":
        return None
    order = ORDER if e.scores is None else ORDER_OF_CLASSES
    if not e.probabilities:
        return f"Probabilities from 0 to 1 are needed, and {no_probabilities(e)}.", LOSSES, order
    if e.scores is not None:
        return (
            f"brier_score is {e['brier_score'].value:.3g} and log_loss {e['log_loss'].value:.3g}, over all classes; "
            f"brier_skill_score and log_loss_skill_score compare them with giving each case the shares of the classes. "
            f"{listed(order)} see the order alone, and accuracy the highest probability of each case.",
            LOSSES,
            (*order, *ACCURACY),
        )
    t = e.ranking
    share, mean = t.positives / t.total, kernels.dot(t.score, t.positive + t.negative) / t.total
    return (
        f"brier_score is {e['brier_score'].value:.3g}, and {share * (1 - share):.3g} if each case is given the share of positives. "
        f"This share is {share:.3g}, the mean probability {mean:.3g}: they should agree, over all cases and wherever scores are "
        "alike. roc_auc and average_precision see the order alone, and accuracy one cut.",
        LOSSES,
        (*ORDER, *ACCURACY),
    )


@rule("Flemming, Choosing a Threshold; QuData, ROC")
def order_is_no_decision(e, need, costs):
    """A decision is needed, and there are scores."""
    if need != "decision" or e.ranking is None:
        return None
    sign = ">=" if e.higher_is_positive else "<="
    return (
        f"What is decided is score {sign} {e.threshold.value:.4g} (threshold: {e.threshold.rule}). roc_auc and average_precision "
        "judge the order of the scores at every threshold: they tell neither how good this one is nor which would be better.",
        (),
        ORDER,
    )


@rule("Tharwat, sections 2.2 and 2.7; Flemming, Choosing a Threshold")
def both_kinds_of_error(e, need, costs):
    """Decisions count, between two classes, and the costs of errors are not known."""
    if need not in DECIDING or costs or not both(e):
        return None
    c = e.counts
    return (
        f"{number_of(c.fn, 'positive')} of {c.positives:,.10g} and {number_of(c.fp, 'negative')} of {c.negatives:,.10g} are "
        "predicted wrong. Report both rates: one number hides which error is made (0.7 and 0.8 have the youden_j of 0.9 and 0.6). "
        "Where you know what each error costs, pass cost_fp= and cost_fn=.",
        ("sensitivity", "specificity"),
        (),
    )


@rule("Berrar, section 6; Tharwat, section 1")
def scores_say_more(e, need, costs):
    """There are scores, and nothing special is needed."""
    if need is not None or e.ranking is None or not both(e):
        return None
    use = ("roc_auc", *(LOSSES if e.probabilities else ()))
    return (
        f"There are scores, and {listed(use)} judge{'s' * (len(use) == 1)} all of them: classifiers that agree at one threshold "
        "can still be told apart. The curves, as curve('roc') and curve('pr'), tell more than any number.",
        use,
        (),
    )


@rule("Flemming, Balanced accuracy and Binary Metrics for Multiclass Classification; Tharwat, section 2.9.2")
def many_classes(e, need, costs):
    """There are more than two classes, or several labels a case."""
    if e.many is None or not e.many.table.total:
        return None
    if need in ("ranking", "probabilities"):
        if e.scores is not None:
            return "To see one class against the others, with its curves, take .one_vs_rest(label).", (), ()
        what = "class against the rest" if e.matrix is not None else "label at a time"
        return f"Scores belong to two classes: evaluate one {what}, with score=.", (), ()
    found = zip(e.many.each("sensitivity"), e.many.table.labels, strict=True)
    each = [(one.value, shown(label)) for one, label in found if not one.undefined]
    if not each:
        return None
    worst, label = min(each)
    mean, weighed = (e.averages[kind]["f1"].value for kind in ("macro", "weighted"))
    alike = " Averaged over the cases (micro), precision, recall and f1 are nothing but accuracy." if e.matrix is not None else ""
    return (
        f"Look at each class (.classes): the lowest sensitivity is {worst:.3g}, of class {label}. Over the classes "
        f"f1 is {mean:.3g} on average (macro), and {weighed:.3g} with each weighed by its size.{alike}",
        ("balanced_accuracy", "matthews_correlation") if e.matrix is not None else (),
        (),
    )


# On the class mix -----------------------------------------------------------------------------------------------------


@rule("Tharwat, sections 2.1 and 2.9.1; Flemming, Balanced accuracy; Wikipedia, Impact of prevalence on prediction values")
def class_mix(e, need, costs):
    """A measure would be another with classes of equal size: by more than 0.05, or by a tenth where its range has no end."""
    asked = shifts(e, need)
    moved = sorted((shift for shift in asked if shift.moved), key=lambda shift: (shift.endless, -shift.size))
    if not moved:
        return None
    misleading, anchored = ([shift for shift in moved if shift.anchored == which] for which in (False, True))
    anchored.sort(key=lambda shift: shift.name not in BEYOND_CHANCE)  # those that people know come first
    parts = [f"Here are {mix_of(e)}."]
    if misleading:
        parts.append(f"{changes(misleading)}. Such values hold for this class mix alone.")
    if anchored:
        parts.append(f"{changes(anchored)}: guessing gets the same in either mix, so read them here, but compare within one mix.")
    stable = {shift.name for shift in asked if not shift.moved}
    avoid = tuple(shift.name for shift in misleading if get(shift.name).family != "cost")  # costs are asked of one population
    return " ".join(parts), tuple(name for name in STABLE if name in stable), avoid


@rule("Wikipedia, Impact of prevalence on prediction values; QuData, Basic metrics; Tharwat, section 2.6")
def another_population(e, need, costs):
    """Decisions count, both classes are about as frequent, and precision would be another where positives are rarer."""
    if need not in DECIDING or not both(e):
        return None
    share = e.counts.positives / e.counts.total
    here, there = (value("precision", table) for table in (e.counts, at_mix(e.counts, ELSEWHERE, 1 - ELSEWHERE)))
    if not BY_DESIGN[0] <= share <= BY_DESIGN[1] or not abs(here - there) > MOVED:
        return None
    return (
        f"{share:.0%} of these cases are positive. If they were picked so, precision, {here:.3g} here, does not carry over: where "
        f"{ELSEWHERE:.0%} are positive it would be {there:.3g}. Likelihood ratios do: they multiply whatever odds there are.",
        RATIOS,
        (),
    )


@rule("Berrar, section 6 and Def. 32; Tharwat, section 5")
def rare_positives(e, need, costs):
    """An order counts, and at most a tenth of the cases are positive."""
    if need not in (None, "ranking") or e.ranking is None or not both(e) or e.ranking.positives > RARE * e.ranking.total:
        return None
    t = e.ranking
    return (
        f"Positives are rare: {t.positives:,.10g} of {t.total:,.10g}. average_precision, {e['average_precision'].value:.3g} where "
        f"a random order gets {t.positives / t.total:.3g}, and curve('pr') show the top of the order, where they are looked for; "
        f"roc_auc, {e['roc_auc'].value:.3g}, counts the order far below as much. Compare average_precision within one class mix.",
        ("average_precision",),
        (),
    )


@rule("Berrar, section 3 (after Def. 20) and section 6")
def loss_of_the_larger_class(e, need, costs):
    """Probabilities are needed, and nine tenths of the cases or more are of one class, which makes up most of log_loss."""
    if need != "probabilities" or not e.probabilities or not both(e):
        return None
    t, given = e.ranking, e.parameters.get("log_loss", {})
    none = np.zeros_like(t.positive)
    positives = value("log_loss", t.of(t.score, t.positive, none), **given)
    negatives = value("log_loss", t.of(t.score, none, t.negative), **given)
    larger, cases, loss = max(("positives", t.positives, positives), ("negatives", t.negatives, negatives), key=lambda one: one[1])
    total = t.total * e["log_loss"].value
    if cases < (1 - RARE) * t.total or cases * loss <= total / 2:
        return None
    return (
        f"{cases * loss / total:.0%} of log_loss comes from the {larger}, {cases / t.total:.0%} of the cases. A positive loses "
        f"{positives:.3g} and a negative {negatives:.3g} on average: read it by class.",
        (),
        (),
    )


# On what guessing gets ------------------------------------------------------------------------------------------------


@rule("Berrar, section 6; Flemming, Correct Classification Rate; QuData, Basic metrics")
def accuracy_beside_guessing(e, need, costs):
    """Decisions count; half or more of what accuracy has above a random answer is class sizes, or it is hardly above one."""
    if need not in DECIDING or (table := decided(e)) is None:
        return None
    accuracy, each = value("accuracy", table), classes(e)
    name, largest, _ = max(each, key=lambda one: one[1])
    majority, random = largest / rows(table).sum(), 1 / len(each)
    fed = majority - random >= max(MOVED, (accuracy - random) / 2)
    if not fed and accuracy - random >= CLOSE:
        return None
    return (
        f"accuracy is {accuracy:.3g}, but always answering {name} gets {majority:.3g}, and a random answer {random:.3g}"
        f"{': the sizes of the classes feed it' if fed else ''}. On balanced_accuracy, {value('balanced_accuracy', table):.3g} "
        f"here, both get {random:.3g}.",
        ("balanced_accuracy",),
        ACCURACY if fed else (),
    )


@rule("Berrar, Defs. 15 and 24")
def agreement_by_chance(e, need, costs):
    """Decisions count, and predictions as frequent as these, but blind, would be right clearly more often than a random answer."""
    if need not in DECIDING or (table := decided(e)) is None:
        return None
    chance = value("accuracy", guessing(table))
    if chance < 1 / len(classes(e)) + CLOSE:
        return None
    return (
        f"Predicting each class as often as here, but blindly, would be right in {chance:.0%} of the cases. cohen_kappa, "
        f"{value('cohen_kappa', table):.3g}, is what accuracy, {value('accuracy', table):.3g}, has beyond that, as a share of what "
        "chance leaves to gain: 0 is chance, 1 perfect. matthews_correlation is 0 by chance, too.",
        ("cohen_kappa", "matthews_correlation"),
        (),
    )


@rule("Wikipedia, Alternative metrics; Tharwat, sections 2.8 and 5")
def true_negatives_ignored(e, need, costs):
    """Decisions count, and always answering positive would get half of f1 or more."""
    if need not in DECIDING or not both(e):
        return None
    f1, always = value("f1", e.counts), 2 * e.counts.positives / (e.counts.positives + e.counts.total)
    if always < f1 / 2:
        return None
    blind = blind_to_true_negatives()
    return (
        f"f1 is {f1:.3g}, and always answering positive would get {always:.3g}: {listed(blind)} do not see how many negatives "
        f"are predicted right. {listed(BEYOND_CHANCE)} do, and are 0 for guessing.",
        BEYOND_CHANCE,
        blind,
    )


# On how sure it is, and how to report it ------------------------------------------------------------------------------


@rule("Berrar, Defs. 36 and 37")
def few_cases(e, need, costs):
    """In some class five cases or fewer are predicted right, or five or fewer wrong."""
    table = e.counts if e.counts is not None else e.matrix
    if table is None:
        return None
    scale = e.data.effective_rows / rows(table).sum() if e.data.effective_rows else 1.0
    each = [(name, scale * size, scale * right) for name, size, right in classes(e)]
    few = [f"{right:.4g} of {size:.4g} ({name})" for name, size, right in each if min(right, size - right) <= WALD]
    if not few:
        return None
    return (
        f"Predicted right are {listed(few[:SHOWN])}{f', and {len(few) - SHOWN} more classes are like them' * (len(few) > SHOWN)}. "
        f"Wald's interval needs more than {WALD} cases right and more than {WALD} wrong, so it will not do: with every value give "
        "the interval that is shown here, or an exact one (proportion='clopper-pearson').",
        (),
        (),
    )


@rule("Wikipedia, introduction; Berrar, section 1; Flemming, Precision and Recall")
def custom_of_the_field(e, need, costs):
    """Two classes, and nothing special is needed."""
    if need is not None or not both(e):
        return None
    return (
        "Medicine reports sensitivity and specificity; computer science precision and recall, which is sensitivity by another "
        "name. The first two are of the classifier alone, precision is of the class mix, too: report the mix with it.",
        ("sensitivity",),
        (),
    )


@rule("Berrar, section 6")
def several_measures(e, need, costs):
    """Nothing special is needed."""
    if need is not None or (decided(e) is None and e.many is None):
        return None
    return (
        "No measure answers every question. Say what the classifier is for (need='decision', 'ranking' or 'probabilities') to see "
        "which matter; where that is open, report several, with their intervals.",
        (),
        (),
    )
