"""An evaluation as text: the data, tables of 80 columns, notices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from itertools import groupby

import numpy as np

from ..evaluation.results import (
    BinaryEvaluation,
    ClasswiseEvaluation,
    Evaluation,
    MulticlassEvaluation,
    MultilabelEvaluation,
)
from ..inference import Estimate
from ..input import text
from ..input.spelling import either
from ..input.terminal import RED, coloured
from ..measures.registry import Measure
from . import parts

FEW_CLASSES = 8  # whose matrix is still read at a glance
MANY_CLASSES = 24  # of which all are listed; of more, the worst and the best
WORST, BEST = 12, 4
CONFUSIONS = 8  # that are listed where the matrix is not
BRIEF = 2  # digits after the point, at least, in tables with a row per class
CLASS_COLUMNS = ("sensitivity", "specificity", "precision", "f1")
FEWER_COLUMNS = ("sensitivity", "precision", "f1")  # as many as fit 80 columns with their intervals
AVERAGED = ("sensitivity", "specificity", "precision", "f1", "jaccard")
LISTED = "Listed are the lowest and the highest f1; {} has all."
MICRO = "With one label per case, micro sensitivity, precision and f1 are all the accuracy."


def text_of(e: Evaluation) -> str:
    """What `print` shows."""
    e.add_up(e.shown)
    sentence = "" if e.headline is None else text.paragraph(str(e.headline), first="")
    severe = coloured("\n".join(parts.flagged(notice for notice in e.notices if notice.severe)), RED)
    others = parts.flagged(notice for notice in e.notices if not notice.severe)
    return "\n\n".join(part for part in (sentence, _head(e), severe, *_tables(e), *others) if part)


@singledispatch
def _tables(e: Evaluation) -> list[str]:
    """Those of the task, in their order; some may be empty."""
    return [_measure_table(e)]


@_tables.register
def _(e: BinaryEvaluation) -> list[str]:
    return [str(e.two_by_two), _measure_table(e)]


@_tables.register
def _(e: ClasswiseEvaluation) -> list[str]:
    return [_measure_table(e), _average_table(e), class_table(e)]


@_tables.register
def _(e: MulticlassEvaluation) -> list[str]:
    few = len(e.matrix) <= FEW_CLASSES
    ranked = "" if e.scores is None else _ranking_table(e)
    each = [_measure_table(e), _average_table(e), class_table(e), ranked]
    return [str(e.matrix), *each] if few else [*each, confusion_table(e)]


def _head(e: Evaluation) -> str:
    d = e.data
    lines = [
        *([text.paragraph(d.called, first="")] if d.called else []),
        text.paragraph(f"{text.count(d.rows)} case{'s' * (d.rows != 1)}{in_clusters(e)}{sizes(e)}", first=""),
        *_of_scores(e),
    ]
    lines += [text.paragraph(e.conditions, first="")] if e.conditions else []
    if e.baselines:
        lines.append(text.paragraph(f"baseline accuracy: {guessing(e)}", first=""))
    return "\n".join(lines)


@singledispatch
def _of_scores(e: Evaluation) -> list[str]:
    """Lines on one score per case, and on its threshold."""
    return []


@_of_scores.register
def _(e: BinaryEvaluation) -> list[str]:
    lines = []
    if e.ranking is not None and e.both_classes:
        pairs = ", ".join(
            f"{text.count(number)} {name}" for name, number in e.ranking.pairs._asdict().items()
        )
        lines.append(text.paragraph(f"pairs of a positive and a negative: {pairs}", first=""))
    if e.threshold is not None and e.threshold.value is not None:
        side = ">=" if e.higher_is_positive else "<="
        at = f"positive when score {side} {text.exact(e.threshold.value)} (threshold: {e.threshold.rule})"
        lines.append(text.paragraph(at, first=""))
        if said := parts.promise(e):
            lines.append(text.paragraph(said, first=""))
    return lines


def in_clusters(e: Evaluation) -> str:
    """How many clusters the cases belong to, where that is said."""
    return (
        f" in {e.clusters.number:,} {e.clusters.what[: -1 if e.clusters.number == 1 else None]}"
        if e.clusters
        else ""
    )


def guessing(e: Evaluation) -> str:
    """What accuracy a classifier gets that knows nothing."""
    return f"{e.baselines['random']:.4g} (random), {e.baselines['largest class']:.4g} (majority class)"


def names_of(e: ClasswiseEvaluation) -> dict[str, str]:
    """By label, as text: how every table writes it, shortened and distinct from all other classes."""
    return text.labels(map(str, e.many.summary.labels), LONGEST_LABEL)


@singledispatch
def sizes(e: Evaluation) -> str:
    """How many cases or classes there are of what."""
    return ""


@sizes.register
def _(e: BinaryEvaluation) -> str:
    return parts.classes(e.data)


@sizes.register
def _(e: MulticlassEvaluation) -> str:
    if e.scores is None or len(e.scores) > FEW_CLASSES:
        return f": {len(e.matrix)} classes"
    names = names_of(e)
    labels = ", ".join(names[str(label)] for label in e.scores.labels)
    return f": {len(e.scores)} classes, scored in columns for {labels}"


@sizes.register
def _(e: MultilabelEvaluation) -> str:
    return f": {len(e.indicators)} labels, any number of them per case"


def _measure_table(e: Evaluation) -> str:
    if not e.estimates:
        return ""
    rows: list[list[str]] = []
    remarks: dict[str, str] = {}
    for family, found in groupby(e.estimates.items(), key=lambda item: e.entry(item[0]).family):
        rows += [
            [f"[{family.replace('_', ' ')}]", "", "", ""],
            *([name, *_cells(e.entry(name), one, remarks)] for name, one in found),
        ]
    table = text.table(["measure", "value", parts.level_of(e.settings.level), "method"], rows, right=(1,))
    return "\n".join([table, *parts.below(remarks)])


def _cells(entry: Measure, found: Estimate, remarks: dict[str, str]) -> list[str]:
    """Value, interval and method; of a maximum with its threshold."""
    value, ends, said = parts.cells(found, remarks)
    at = parts.at_threshold(entry, found)
    return [value, ends, f"{said}; {at}" if at else said]


def _average_table(e: ClasswiseEvaluation) -> str:
    kinds = list(e.averages)
    rows = [[name, *(parts.estimate(e.averages[kind][name]) for kind in kinds)] for name in AVERAGED]
    notes = [
        text.paragraph(f"{name}: {note}.", first="")
        for name in AVERAGED
        if (note := e.averages["macro"][name].note)
    ]
    table = text.fitted(["average", *kinds], rows, right=range(1, 1 + len(kinds)))
    return "\n".join([table, *notes, *([text.paragraph(MICRO, first="")] if micro_is_accuracy(e) else [])])


def micro_is_accuracy(e: ClasswiseEvaluation) -> bool:
    """Whether a case has one of the classes, and its predicted label is one, too."""
    return isinstance(e, MulticlassEvaluation) and e.matrix.unanswered is None


def shown_classes(e: ClasswiseEvaluation, most: int = MANY_CLASSES) -> tuple[Sequence[int], int]:
    """Which classes are listed, and how many are not.

    All up to `most`; of more those with the lowest and the highest f1.
    """
    values = [found.value for found in e.many.each("f1")]
    if len(values) <= most:
        return range(len(values)), 0
    order = sorted((i for i, value in enumerate(values) if value == value), key=lambda i: (values[i], i))
    worst, best = (WORST, BEST) if most > WORST + BEST else (most - most // 4, most // 4)
    if len(order) <= worst + best:
        return order, len(values) - len(order)
    return [*order[:worst], *order[-best:]], len(values) - worst - best


def confusions(e: MulticlassEvaluation) -> list[tuple[str, str, float]]:
    """The most frequent mistakes: true class, predicted class, cases; those of one case are left out."""
    off = np.where(np.eye(len(e.matrix.weights)) > 0, 0.0, e.matrix.weights)
    order = np.argsort(-off, axis=None, kind="stable")[:CONFUSIONS]
    places = zip(*np.unravel_index(order, off.shape), strict=True)
    labels = e.matrix.answers
    return [(str(labels[i]), str(labels[j]), float(off[i, j])) for i, j in places if off[i, j] > 1]


def confusion_table(e: MulticlassEvaluation) -> str:
    """The most frequent mistakes."""
    names = names_of(e)
    rows = [[names[a], names.get(b, b), text.count(n)] for a, b, n in confusions(e)]
    return text.fitted(["true", "predicted as", "cases"], rows, right=(2,)) if rows else ""


def class_table(
    e: ClasswiseEvaluation, most: int = MANY_CLASSES, columns: Sequence[str] = CLASS_COLUMNS
) -> str:
    """A line for each class that is listed; in two tables where four measures do not fit.

    Of more classes, fewer measures.
    """
    listed, more = shown_classes(e, most)
    columns = FEWER_COLUMNS if more else columns
    names, cases = list(names_of(e).values()), e.many.counts.positives.tolist()
    each = [e.many.each(name) for name in columns]
    rows = [
        [names[i], text.count(cases[i]), *(parts.estimate(found[i], BRIEF) for found in each)] for i in listed
    ]
    if more:
        rows.insert(_place_of_others(e, listed), [f"({more:,} more)", "", *("" for _ in each)])
    head = ["class" if isinstance(e, MulticlassEvaluation) else "label", "cases", *columns]
    said = text.paragraph(LISTED.format(either(".classes", "--json")), first="") + "\n" if more else ""
    return said + _in_two(head, rows)


def _in_two(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The table; of four measures that do not fit, the first two with the cases, and the others below."""
    if len(head) <= len(FEWER_COLUMNS) + 2 or text.fits(text.aligned(head, rows)):
        return text.fitted(head, rows, right=range(1, len(head)))
    halves = [[[*row[:4]] for row in (head, *rows)], [[row[0], *row[4:]] for row in (head, *rows)]]
    tables = (text.fitted(half[0], half[1:], right=range(1, len(half[0]))) for half in halves)
    return "\n\n".join(tables)


def _place_of_others(e: ClasswiseEvaluation, listed: Sequence[int]) -> int:
    """Where the classes that are left out stand: between the worst and the best, or last without an f1."""
    defined = sum(found.value == found.value for found in e.many.each("f1"))
    return len(listed) - len(listed) // 4 if defined > len(listed) else len(listed)


def _ranking_table(e: MulticlassEvaluation) -> str:
    """How each class ranks by its own score; as many classes as the table above lists."""
    listed, _ = shown_classes(e)
    names = names_of(e)
    each = [(label, e.one_vs_rest(label)) for label in (e.many.summary.labels[i] for i in listed)]
    rows = [
        [
            names[str(label)],
            text.count(one.data.positives or 0),
            *(parts.estimate(one[name]) for name in RANKED),
        ]
        for label, one in each
    ]
    return text.fitted(["class, by its score", "cases", *RANKED], rows, right=range(1, 2 + len(RANKED)))


RANKED = ("roc_auc", "average_precision")
LONGEST_LABEL = 12
