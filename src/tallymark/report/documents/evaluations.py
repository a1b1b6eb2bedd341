"""Evaluations of two classes, many classes, several labels or amounts, and of several models; tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from math import isfinite
from typing import Any

import numpy as np

from ...inference import Estimate
from ...input import text
from ...input.spelling import either
from ...measures.headline import Headline
from .. import two_classes
from ..document import Cell, Column, Document, Table, Tile, pivot
from ..grid import estimate, here, level_of, rounded, short, title
from . import common, headlines
from .common import column, named

OF_CLASSES = ("sensitivity", "precision", "f1")
IN_FULL = (*OF_CLASSES, "specificity")
AVERAGED = ("sensitivity", "specificity", "precision", "f1", "jaccard")
RANKED = ("roc_auc", "average_precision")
MATRIX, WHOLE = 10, 30  # classes of a matrix on a screen, and in full
MISTAKES, CONFUSIONS = 5, 15  # the commonest mistakes on a screen, and in full
LABEL = 11  # characters of a label in a two-by-two table
MICRO = "With one label per case, micro sensitivity, precision and f1 are all the accuracy."
TILES = (
    ("roc_auc", "chance", 0.5),
    ("average_precision", "chance", None),
    ("brier_skill_score", "baseline", 0.0),
    ("calibration_slope", "ideal", 1.0),
    ("accuracy", "majority class", None),
    ("macro_f1", "", None),
    ("macro_auc", "chance", 0.5),
    ("top_label_calibration_error", "ideal", 0.0),
    ("r2", "always the mean", 0.0),
    ("root_mean_squared_error", "", None),
    ("mean_absolute_error", "", None),
    ("mean_error", "unbiased", 0.0),
)


def evaluation(e: Any, full: bool = False) -> Document:
    """The data, the matrix, the measures that most readers want; in full every measure with its method."""
    heads = headed(e)
    e.add_up([*heads, *e.shown] if full else heads)
    usual = _usual(e, heads)
    tables = [*_above(e), usual, *_classes(e, full)] if e.selected is None else [] if full else [usual]
    if full:
        tables.append(_every(e))
    return Document(
        kind=f"evaluation of {e.task}",
        title=e.data.called,
        headline="" if e.headline is None else headlines.sentence(e.headline),
        facts=_facts(e, full),
        notices=e.notices,
        tiles=_tiles(e) if full and e.selected is None else (),
        tables=tuple(tables),
        footnotes=(MICRO,) if full and _micro_is_accuracy(e) else (),
        rest="" if full or e.selected is not None else _rest(e, heads),
        panel=partial(two_classes.panel, e) if full and _moves(e) else None,
    )


def _moves(e: Any) -> bool:
    """Whether there are thresholds to move along, one of them its own, and measures that they change."""
    if e.task != "binary" or e.selected is not None or e.limit is None or not isfinite(e.limit):
        return False
    return bool(e.ranking and e.both_classes and not e.in_bins)


def every(e: Any) -> Document:
    """An evaluation with every measure, also where some were chosen."""
    return evaluation(e.all.result, True)


# Facts
# --------------------------------------------------------------------------------------------------


def _facts(e: Any, full: bool) -> tuple[str, ...]:
    """The data, the threshold and the conditions."""
    unusual = common.unusual_conditions(e)
    if not full:
        return tuple(part for part in (f"{e.data.head}{sizes(e)}".removesuffix(": "), unusual) if part)
    clusters = f" in {e.clusters.number:,} {e.clusters.what}" if e.clusters else ""
    facts = [f"{e.data.head}{common.cases(e.data)}{clusters}", sizes(e), e.conditions]
    ranking = getattr(e, "ranking", None)
    if ranking is not None and e.both_classes:
        pairs = ", ".join(f"{text.count(number)} {what}" for what, number in ranking.pairs._asdict().items())
        facts.append(f"pairs of a positive and a negative: {pairs}")
    if e.baselines:
        random, majority = e.baselines["random"], e.baselines["largest class"]
        facts.append(f"baseline accuracy: {random:.4g} (random), {majority:.4g} (majority class)")
    return tuple(one for one in facts if one)


def sizes(e: Any) -> str:
    """What the headline does not say of the data: the share of positives, the classes, the threshold."""
    if e.task == "binary":
        positives, negatives = e.data.positives or 0, e.data.negatives or 0
        of = positives + negatives
        return f"{f'{100 * positives / of:.3g} % positive' if of else 'no cases'}{threshold(e)}"
    if e.task == "multiclass" and e.scores is not None and len(e.scores) <= MATRIX:
        return f"{len(e.scores)} classes, scored in columns for {', '.join(map(str, e.scores.labels))}"
    return ""


def threshold(e: Any) -> str:
    """As "; positive where score >= 0.5 (default)"."""
    if e.threshold is None or e.threshold.value is None:
        return ""
    side = ">=" if e.higher_is_positive else "<="
    rule = "; ".join(part for part in (str(e.threshold.rule), promise(e)) if part)
    return f"; positive where score {side} {e.threshold.value:.4g} ({rule})"


def promise(e: Any) -> str:
    """In how many samples a rule on a confidence bound keeps its limit; empty for other rules."""
    at = e.threshold
    if at is None or not at.chosen or at.rule.code != "bound":
        return ""
    least = "about" if e.data.weight_kind == "importance" else "at least"
    return (
        f"the true {at.rule['measure']} meets this limit in {least} {100 * e.settings.level:.4g} % of samples"
    )


def circumstances(e: Any) -> str:
    """`sizes`, and the design and the weights unless they are the usual ones."""
    return "; ".join(part for part in (sizes(e), common.unusual_conditions(e)) if part)


def _rest(e: Any, shown: Iterable[str]) -> str:
    more = sum(name not in {*shown} for name in e.estimates)
    what = common.number_of(more, "more measure") if more else "methods and notes"
    curves = " with curves" * (getattr(e, "ranking", None) is not None)
    page = either('ev.save("page.html")', "--report page.html")
    return f"{what}: {either('ev.all', '--all')}; page{curves}: {page}"


# Measures
# --------------------------------------------------------------------------------------------------


def headed(e: Any) -> dict[str, Headline]:
    """The measures on the screen: those that were chosen, or those with a place there, in their order."""
    if e.selected is not None:
        return {name: e.entry(name).headline or Headline(0, title(name)) for name in e.selected}
    scored = getattr(e, "ranking", None) is not None
    every = ((name, e.entry(name).headline) for name in e.estimates)
    heads = {
        name: head
        for name, head in every
        if head is not None and head.place is not None and not (scored and head.labels_only)
    }
    return dict(sorted(heads.items(), key=lambda one: one[1].place or 0))


def _usual(e: Any, heads: Mapping[str, Headline]) -> Table:
    """A row per measure, with what it is compared with."""
    return usual(e, [(name, head, e[name]) for name, head in heads.items()])


def usual(e: Any, found: Iterable[tuple[str, Headline, Estimate]]) -> Table:
    """The same of any measures of an evaluation."""
    rows = [
        {"measure": Cell(head.label, name=name), "estimate": one, "beside": beside(e, name, head, one)}
        for name, head, one in found
    ]
    columns = [
        Column("measure", "measure", "name"),
        Column("estimate", level_of(e.settings.level), "estimate"),
        *([Column("beside", "", "text")] if any(row["beside"] for row in rows) else []),
    ]
    return Table("measures", tuple(columns), rows, kind="forest")


def beside(e: Any, name: str, head: Headline, found: Estimate) -> str:
    """The value on these cases, the threshold of a maximum, or what the value is compared with."""
    if found.corrected is not None:
        return here(found)
    if e.entry(name).attained is not None and found.threshold is not None:
        return f"at the threshold {text.exact(found.threshold)}"
    if head.next_to is None:
        known = name == "accuracy" and e.baselines
        return f"majority class {text.rounded(e.baselines['largest class'])}" if known else ""
    called, other = head.next_to
    return f"{called} {rounded(e.estimates[other])}" if other in e.estimates else ""


def _every(e: Any) -> Table:
    """Every measure with its method, by family."""
    rows = [
        {
            "family": e.entry(name).family.replace("_", " "),
            "measure": named(name),
            "estimate": found,
            "method": Cell(found, _attained(e.entry(name), found)),
        }
        for name, found in e.shown.items()
    ]
    columns = (
        Column("measure", "measure", "name"),
        Column("estimate", level_of(e.settings.level), "estimate"),
        Column("method", "method", "method"),
    )
    return Table("every measure", columns, rows, "Every measure", section="family")


def _attained(entry: Any, found: Estimate) -> str:
    return (
        f"; at the threshold {text.exact(found.threshold)}"
        if entry.attained is not None and found.threshold is not None
        else ""
    )


def _tiles(e: Any) -> tuple[Tile, ...]:
    found: list[Tile] = []
    for name, what, value in TILES:
        if name in e.estimates and len(found) < 4:
            known = e.baselines.get("largest class") if name == "accuracy" else value
            if name == "average_precision" and e.data.positives and e.data.negatives is not None:
                known = e.data.positives / (e.data.positives + e.data.negatives)
            against = f"{what} {known:.3g}" if what and known is not None else ""
            found.append(Tile(title(name), e.estimates[name], name, against))
    return tuple(found)


# Matrices and classes
# --------------------------------------------------------------------------------------------------


def _above(e: Any) -> list[Table]:
    """The tables of the task above the measures."""
    if e.task == "binary":
        return [_cells(e.two_by_two)]
    return [_matrix(e.matrix)] if e.task == "multiclass" and len(e.matrix) <= WHOLE else []


def _cells(c: Any) -> Table:
    """The counts with their margins, the positive class first."""
    short = text.labels(map(str, c.labels), LABEL)
    negative, positive = (short[str(label)] for label in c.labels)
    names = (f"actual {positive}", f"actual {negative}", "total")
    keys = ("positive", "negative", "total")
    columns = (
        Column("actual", "", "name"),
        Column("positive", f"predicted {positive}", "count"),
        Column("negative", f"predicted {negative}", "count"),
        Column("total", "total", "count"),
    )
    rows = [
        {"actual": name, **dict(zip(keys, row, strict=True))} for name, row in zip(names, c.rows, strict=True)
    ]
    return Table("matrix", columns, rows, kind="matrix")


def contingency(c: Any, full: bool = False) -> Document:
    """The counts with their margins and the eight ratios."""
    from ...evaluation.contingency import OF_COLUMNS, OF_ROWS

    share = c.counts.total and (c.counts.tp + c.counts.fn) / c.counts.total
    fixed = "which the design fixes at" if c.settings.design == "case-control" else "here"
    mix = (
        f"{fixed} {text.number(share)}"
        if fixed != "here"
        else f"{text.number(share) if c.counts.total else '-'} here"
    )
    said = ("These do not depend on the prevalence.", f"These depend on the prevalence, {mix}.")
    columns = (
        Column("measure", "measure", "name"),
        Column("estimate", level_of(c.settings.level), "estimate"),
        Column("complement", "complement", "name"),
        Column("other", "value", "number"),
    )
    tables = [
        Table(
            "ratios",
            columns,
            [
                {"measure": named(a), "estimate": x, "complement": named(b), "other": y.centre}
                for a, x, b, y in c.ratios(pairs)
            ],
            notes=(note,),
        )
        for pairs, note in zip((OF_ROWS, OF_COLUMNS), said, strict=True)
    ]
    return Document(kind="two-by-two table", tables=(_cells(c), *tables))


def counts(c: Any, full: bool = False) -> Document:
    """Four counts as a two-by-two table; arrays of them as they are."""
    from ...evaluation.contingency import Contingency
    from .rows import rows

    return rows(c, full) if np.ndim(c.tp) else contingency(Contingency(c), full)


def _matrix(matrix: Any) -> Table:
    """Actual classes as rows, predicted ones as columns."""
    answers = [*map(str, matrix.answers)]
    columns = [Column("actual", "actual \\ predicted", "name")]
    columns += [Column(("predicted", j), label, "count") for j, label in enumerate(answers)]
    rows = [
        {"actual": label, **{("predicted", j): n for j, n in enumerate(row)}}
        for label, row in zip(answers, matrix.weights.tolist(), strict=False)
    ][: len(matrix)]
    return Table("matrix", tuple(columns), rows, screen=None if len(matrix) <= MATRIX else 0, kind="matrix")


def confusion(matrix: Any, full: bool = False) -> Document:
    """A confusion matrix; of many classes the commonest mistakes with it."""
    many = len(matrix) > MATRIX
    tables = [_matrix(matrix)] if len(matrix) <= WHOLE else []
    return Document(
        kind="confusion matrix",
        facts=(f"{text.count(float(np.sum(matrix.weights)))} cases, {len(matrix):,} classes",)
        if many
        else (),
        tables=(*tables, *([_mistakes(matrix, full)] if many else [])),
        rest=".labels and .weights have all cells" if many and not full else "",
    )


def _mistakes(matrix: Any, full: bool) -> Table:
    """The commonest mistakes, but for those of one case."""
    weights = np.array(matrix.weights, float)
    off = np.where(np.eye(*weights.shape) > 0, 0.0, weights)
    order = np.argsort(-off, axis=None, kind="stable")[: CONFUSIONS if full else MISTAKES]
    labels = [*map(str, matrix.answers)]
    rows = [
        {"actual": labels[i], "predicted": labels[j], "cases": float(off[i, j])}
        for i, j in zip(*np.unravel_index(order, off.shape), strict=True)
        if off[i, j] > 1
    ]
    columns = (
        Column("actual", "most frequent mistakes", "name"),
        Column("predicted", "predicted as", "name"),
        Column("cases", "cases", "count"),
    )
    return Table("mistakes", columns, rows)


def _micro_is_accuracy(e: Any) -> bool:
    """Whether a case has one of the classes, and its predicted label is one, too."""
    return e.task == "multiclass" and e.matrix.unanswered is None


def _classes(e: Any, full: bool) -> list[Table]:
    """The averages, the classes with the lowest f1 first, and the commonest mistakes."""
    if e.task not in ("multiclass", "multilabel"):
        return []
    what = "class" if e.task == "multiclass" else "label"
    columns = IN_FULL if full else OF_CLASSES
    each = {name: e.many.each(name) for name in columns}
    labels, cases = list(e.table_of_classes.labels), e.many.counts.positives.tolist()
    f1 = [one.value for one in each["f1"]]
    order = sorted(range(len(labels)), key=lambda i: (f1[i] != f1[i], f1[i], i))
    rows = [
        {what: str(labels[i]), "cases": cases[i], **{name: found[i] for name, found in each.items()}}
        for i in order
    ]
    head = (Column(what, what, "name"), Column("cases", "cases", "count"))
    tables = [Table("classes", (*head, *map(column, columns)), rows, notes=("The lowest F1 stands first.",))]
    many = e.task == "multiclass" and len(e.matrix) > MATRIX
    tables += [_mistakes(e.matrix, full)] if e.task == "multiclass" and (many or full) else []
    if full:
        tables.insert(0, _averages(e))
        if e.task == "multiclass" and e.scores is not None:
            of_each = {label: e.one_vs_rest(label) for label in (labels[i] for i in order)}
            ranked = [
                {what: str(label), "cases": one.data.positives or 0, **{name: one[name] for name in RANKED}}
                for label, one in of_each.items()
            ]
            head = (Column(what, "class, by its score", "name"), Column("cases", "cases", "count"))
            tables.append(Table("ranking", (*head, *map(column, RANKED)), ranked))
    return tables


def _averages(e: Any) -> Table:
    rows = [
        {"measure": named(name), **{kind: e.averages[kind][name] for kind in e.averages}} for name in AVERAGED
    ]
    columns = (Column("measure", "average", "name"), *(Column(kind, kind, "estimate") for kind in e.averages))
    found = {name: e.averages["macro"][name].note for name in AVERAGED}
    notes = tuple(f"{title(name)}: {note}." for name, note in found.items() if note)
    return Table("averages", columns, rows, notes=notes)


# Models
# --------------------------------------------------------------------------------------------------

NO_MEASURE = "The models have no measure of the table in common; see each, as table['name']."


NO_DIFFERENCES = (
    "No differences between the models: they need each case, which sums, engines and cases beyond the memory"
    " do not have."
)


def _lacking(table: Any) -> tuple[str, ...]:
    if not table.measures:
        return (NO_MEASURE,)
    return () if len(table) < 2 or table.differences else (NO_DIFFERENCES,)


def models(table: Any, full: bool = False) -> Document:
    """A row for each model, the best first, and a row of its differences; in full each model, too."""
    first = next(iter(table.values()))
    said = {circumstances(one) for one in table.values()}
    each = [f"{common.name(name)}: {circumstances(one)}" for name, one in table.items()]
    d = first.data
    return Document(
        kind="models",
        title=d.called,
        headline=headline_of_models(table),
        facts=(
            f"{d.head}{common.number_of(len(table), 'model')} of {common.number_of(d.rows, 'case')}"
            + (f"; {said.pop()}" if len(said) == 1 and any(said) else ""),
            *(each if len({circumstances(one) for one in table.values()}) > 1 else []),
        ),
        notices=table.notices,
        tables=tuple([values(table), *differences(table)] if table.measures else []),
        footnotes=_lacking(table),
        parts={name: partial(every, one) for name, one in table.items()} if full else {},
        rest=""
        if full
        else either(
            f"All measures of one model: table[{next(iter(table))!r}]; of all: table.all",
            "All measures: --all",
        ),
    )


def values(table: Any) -> Table:
    """A row for each model, the best in the first measure first."""
    names = list(table)
    first = next(iter(table.values()))
    if table.measures and (better := first.entry(table.measures[0]).better):
        sign = 1 if better == "lower" else -1
        value = {name: sign * one[table.measures[0]].value for name, one in table.items()}
        names.sort(key=lambda name: (value[name] != value[name], value[name]))
    rows = pivot(
        (
            {"model": name, "measure": measure, "estimate": table[name][measure]}
            for name in names
            for measure in table.measures
        ),
        "measure",
    )
    columns = (Column("model", "model", "name"), *map(column, table.measures))
    return Table("models", columns, rows, notes=(common.level(first.settings.level),), kind="forest")


def differences(table: Any, subject: str = "Each model") -> list[Table]:
    """The differences from the reference, marked where the adjusted p-value shows one."""
    found = table.differences
    if not found:
        return []
    level = found[0].estimate.level
    shown = sum(one.adjusted < 1 - level for one in found)
    best = f", the best {title(table.measures[0])} here" * _is_best(table)
    limit = f"p < {1 - level:.3g}"
    said = (
        f"{subject} minus {common.name(table.compared_with)}{best}; paired, {100 * level:.4g}% intervals, not"
        f" simultaneous. Of {len(found)} differences"
        f" {f'{shown} with {limit}, marked with !' if shown else f'none with {limit}'} (p adjusted by Holm)."
    )
    rows = pivot(
        (
            {
                "model": one.model,
                "measure": one.measure,
                "estimate": Cell(one.estimate, "!" * (one.adjusted < 1 - level)),
            }
            for one in found
        ),
        "measure",
    )
    columns = (
        Column("model", "difference", "name"),
        *(column(one, "difference") for one in table.measures),
    )
    return [Table("differences", columns, rows, notes=(said,), kind="forest", baseline=0.0)]


def _is_best(table: Any) -> bool:
    """Whether the model compared with is the one that is best in the first measure."""
    first = next(iter(table.values()))
    return table.reference is None and first.entry(table.measures[0]).better is not None


def headline_of_models(table: Any) -> str:
    """Which model is best, and how many of the others are shown to differ from it."""
    if not table.measures or len(table) == 1:
        return ""
    measure = table.measures[0]
    known = {name: one[measure] for name, one in table.items() if not one[measure].undefined}
    if not known or not (better := next(iter(table.values())).entry(measure).better):
        return ""
    best = (min if better == "lower" else max)(known, key=lambda name: known[name].value)
    word = short(title(measure))
    said = f"{common.name(best)} has the best {word} of {len(table)} models, {estimate(known[best])}"
    found = [one for one in table.differences if one.measure == measure]
    if not found:
        return f"{said}."
    shown = sum(one.adjusted < 1 - one.estimate.level for one in found)
    against = "it" if table.compared_with == best else common.name(table.compared_with)
    others = common.of_others(shown, len(found))
    return f"{said}; {others} shown to differ from {against} (p adjusted by Holm)."


# Reports
# --------------------------------------------------------------------------------------------------


def classification_report(report: Any, full: bool = False) -> Document:
    """A row for each class, then the accuracy and the averages; in full with intervals."""
    whole = report.intervals or full

    def cell(found: Estimate) -> Any:
        if found.undefined:
            return found
        return estimate(found if whole else Estimate(found.centre), report.digits)

    rows = [
        {
            "class": f"{row.label}{' avg' * (row.kind == 'average')}",
            "support": row.support,
            **{
                name: cell(one)
                for name, one in (
                    {"f1": row.estimates["accuracy"]} if row.kind == "accuracy" else row.estimates
                ).items()
            },
        }
        for row in report.rows
    ]
    columns = (
        Column("class", "class", "name"),
        *(Column(key, name, "estimate" if whole else "value") for key, name in REPORT.items()),
        Column("support", "support", "count"),
    )
    return Document(
        kind="classification report",
        facts=(report.conditions,) if report.conditions and whole else (),
        notices=report.notices,
        tables=(Table("classes", columns, rows),),
    )


REPORT = {"precision": "precision", "recall": "recall", "f1": "f1-score"}


def operating_points(points: Any, full: bool = False) -> Document:
    """A row per threshold, from calling nobody positive on."""
    kinds = {
        "threshold": "exact",
        **dict.fromkeys(("positives", "negatives", "tp", "fp", "fn", "tn"), "count"),
    }
    columns = tuple(
        Column(name, SHORT.get(name, name), kinds.get(name, "number"), name)  # type: ignore[arg-type]
        for name in points.columns
    )
    size = len(points.columns["threshold"])
    rows = [
        {name: float(values[i]) for name, values in points.columns.items()}
        for i in range(size if full else min(size, MOST_POINTS))
    ]
    more = f"{size - len(rows):,} more thresholds: .table" if size > len(rows) else ""
    table = Table("operating points", columns, rows)
    return Document(kind="operating points", notices=points.notices, tables=(table,), rest=more)


SHORT = {"positives": "pos", "negatives": "neg", "sensitivity": "tpr", "false_positive_rate": "fpr"}
MOST_POINTS = 40
MARKS = {1.0: "#", 0.5: "/", 0.0: "."}


def pairs_matrix(pairs: Any, full: bool = False) -> Document:
    """A line per positive, a character per negative; the highest score first."""
    gap = " " if len(pairs.negatives) <= 30 else ""
    rows = [
        {"score": float(score), "pairs": gap.join(MARKS[cell] for cell in row)}
        for score, row in zip(pairs.positives.tolist(), pairs.cells.tolist(), strict=True)
    ]
    columns = (Column("score", "positives", "exact"), Column("pairs", "# right order, / tied, . wrong order"))
    below = ", ".join(f"{score:.4g}" for score in pairs.negatives.tolist())
    table = Table("pairs", columns, rows, notes=(f"Negatives, from the left: {below}",))
    return Document(kind="pairs of positives and negatives", tables=(table,))
