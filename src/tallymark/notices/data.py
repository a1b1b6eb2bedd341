"""On the data and the scores."""

from math import isinf

from .. import kernels
from . import BINARY, CLASSWISE, FEW_CASES, MULTICLASS, USUAL, fact, finding, number_of, some_of
from .evidence import sizes

NO_PROBABILITIES = {"margin": "margins", "llr": "log-likelihood ratios"}
ENOUGH = 100  # cases of each class that are asked of a validation. Source: VALIDATION
VALIDATION = "Vergouwe et al. 2005; Collins et al. 2016"
MANY_TIES = 0.10  # share of the pairs of a positive and a negative


@fact(of=BINARY)
def one_class(e):
    if e.both_classes:
        return None
    if not e.data.positives and not e.data.negatives:
        return "There are no cases: every measure is undefined."
    missing = "positives" if not e.data.positives else "negatives"
    return (
        f"There are no {missing} in these data: every measure that compares the two classes is undefined; add cases of the "
        "other class, or check the positive label."
    )


@fact(VALIDATION, of=(*BINARY, *CLASSWISE))
def few_cases(e, terms=USUAL):
    return FEW[e.task](e, terms)


def _few_of_two(e, terms):
    named = zip((terms.positive, terms.negative), sizes(e), strict=True)
    few = [number_of(size, name) for name, size in named if 0 < size < FEW_CASES]
    if not few:
        return None
    wanted = f" (validation studies are asked for {ENOUGH} or more of each class)" if terms is USUAL else ""
    return f"Only {' and '.join(few)}: read the intervals rather than the values, and collect more cases before deciding{wanted}."


def _few_of_classes(e, terms):
    sizes = zip(e.many.summary.labels, e.many.class_sizes.tolist(), strict=True)
    few = [label for label, size in sizes if 0 < size < FEW_CASES]
    if not few:
        return None
    return (
        f"{number_of(len(few), 'class has', 'classes have')} fewer than {FEW_CASES} real cases ({some_of(few)}): read the "
        "intervals rather than the values there, and collect more cases before deciding."
    )


FEW = {"binary": _few_of_two, "multiclass": _few_of_classes, "multilabel": _few_of_classes}


@fact()
def rows_dropped(e, terms=USUAL):
    if not e.data.dropped:
        return None
    share = e.data.dropped / (e.data.rows + e.data.dropped)
    return (
        f"{e.data.dropped} rows ({share:.1%}) with a missing value were left out, as missing='drop' asks: if values are missing "
        f"for a reason that has to do with {terms.classes}, every measure is biased."
    )


@fact(of=MULTICLASS)
def columns_matched(e):
    if e.scores is None or e.scores.affix is None:
        return None
    before, after = e.scores.affix
    parts = [f"{part!r} at the {end}" for part, end in ((before, "beginning"), (after, "end")) if part]
    return f"The columns of scores are matched to the classes by their names, without {' and '.join(parts)} of each name."


@fact(of=MULTICLASS)
def equal_highest_scores(e):
    if e.scores is None:
        return None
    _, ambiguous = e.scores.predicted()
    if not ambiguous:
        return None
    return (
        f"{number_of(ambiguous, 'case has', 'cases have')} the same highest score in several classes, and the matrix counts the "
        "first of these in the order of the classes: it depends on that order, the areas do not."
    )


@fact()
def weights_not_whole(e):
    if e.data.effective_rows is None:
        if not BY_FRACTIONS[e.task](e):
            return None
        return (
            "The table holds weights that are not whole numbers, and not how many cases they stand for: intervals take them as "
            "numbers of cases; evaluate the cases themselves if the weights are none."
        )
    if e.clusters:
        return None  # each case is drawn with its weight
    return (
        f"The weights are importance weights, no numbers of cases: the {e.data.rows - e.data.weightless} rows are worth "
        f"{e.data.effective_rows:.1f} cases of one weight (Kish), and intervals count in how the weights vary."
    )


def _without_squares(table):
    return table.weighted and table.squares is None


def _cells_not_whole(e):
    return any((cell != cell.round()).any() for cell in e.many.counts._cells())


BY_FRACTIONS = {  # whether a summary was given whose weights are not whole
    "binary": lambda e: e.ranking is not None and _without_squares(e.ranking),
    "multiclass": _cells_not_whole,
    "multilabel": _cells_not_whole,
    "regression": lambda e: _without_squares(e.residuals),
}


@fact(of=CLASSWISE)
def classes_without_cases(e):
    never = _classes_that_are(e, true=False, predicted=True)
    return never and (
        f"{number_of(len(never), 'class is', 'classes are')} predicted but never true ({some_of(never)}): sensitivity is "
        "undefined there and left out of the averages; f1 is 0 there and lowers the macro average."
    )


@fact(of=CLASSWISE)
def classes_never_predicted(e):
    never = _classes_that_are(e, true=True, predicted=False)
    return never and (
        f"{number_of(len(never), 'class is', 'classes are')} true but never predicted ({some_of(never)}): precision is undefined "
        "there and left out of the averages, which flatters them; f1 counts as 0."
    )


@fact(of=CLASSWISE)
def classes_that_do_not_occur(e):
    never = _classes_that_are(e, true=False, predicted=False)
    return never and (
        f"{number_of(len(never), 'class is', 'classes are')} neither true nor predicted ({some_of(never)}): sensitivity, precision "
        "and f1 are undefined there and left out of the averages, which are those of the other classes."
    )


def _classes_that_are(e, true, predicted):
    """Of many classes those that occur, or do not, in truth and in the predictions."""
    counts = e.many.counts
    rows = zip(e.many.summary.labels, counts.positives, counts.tp + counts.fp, strict=True)
    return [label for label, cases, called in rows if bool(cases) == true and bool(called) == predicted]


# On the scores --------------------------------------------------------------------------------------------------------


@fact(of=BINARY)
def scores_outside_unit_interval(e):
    if e.ranking is None or e.probabilities:
        return None
    if not e.higher_is_positive:
        return (
            "A lower score means positive here, so the scores are no probabilities: log_loss, brier_score, calibration and all "
            "else that needs probabilities are left out."
        )
    if e.score_kind in NO_PROBABILITIES:
        return (
            f"The scores are said to be {NO_PROBABILITIES[e.score_kind]}, so they are no probabilities: log_loss, brier_score, "
            "calibration and all else that needs probabilities are left out."
        )
    low, high = float(e.ranking.score[-1]), float(e.ranking.score[0])
    return (
        f"Scores range from {low:g} to {high:g}, outside [0, 1], so they are no probabilities: ranking measures stand, "
        "log_loss, brier_score, calibration and all else that needs probabilities are left out; turn the scores into probabilities "
        "(tallymark.convert.sigmoid), or say score_kind='logit' if they are logits."
    )


@fact(of=BINARY)
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


@fact(of=BINARY)
def scores_look_like_labels(e):
    if e.ranking is None or len(e.ranking) != 2 or not (e.ranking.score == (1, 0)).all():
        return None
    return "The only scores are 0 and 1: if they are predicted labels, pass them as predicted= instead of score=."


@finding(of=BINARY)
def perfect_ranking(e):
    if e.ranking is None or min(sizes(e)) < FEW_CASES:  # few may well rank first by chance
        return None
    if len(e.ranking) - (e.ranking.positive[::-1] > 0).argmax() > (e.ranking.negative > 0).argmax():
        return None
    return "Every positive scores above every negative: make sure that the score does not hold the label in some other form."


@fact(of=BINARY)
def heavy_ties(e):
    if e.ranking is None or not e.both_classes:
        return None
    tied = kernels.dot(e.ranking.positive, e.ranking.negative)
    share = tied / (e.ranking.positives * e.ranking.negatives)
    if share < MANY_TIES:
        return None
    return (
        f"{share:.0%} of the pairs of a positive and a negative have equal scores "
        f"({number_of(len(e.ranking), 'distinct score')} in all): "
        "roc_auc counts each as one half; use unrounded scores if you have them."
    )
