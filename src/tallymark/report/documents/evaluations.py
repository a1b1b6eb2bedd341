"""Evaluations of two classes, many classes, several labels or amounts, and of several models; tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from ...inference import Estimate
from ...input import text
from ...input.errors import either
from ...measures.registry import Leading
from ...measures.titles import in_sentence, title, words
from ..document import (
    BELOW,
    HERE,
    Cell,
    Column,
    Document,
    Kind,
    Table,
    Tile,
    estimate,
    level_of,
    no_figures,
    rounded,
)
from . import common, headlines, part
from .common import column, named

if TYPE_CHECKING:
    from ..two_classes import Panel

OF_CLASSES = ("sensitivity", "precision", "f1")
IN_FULL = (*OF_CLASSES, "specificity")
OF_CLASS = (*IN_FULL, "negative_predictive_value", "matthews_correlation")
AVERAGED = ("sensitivity", "specificity", "precision", "f1", "jaccard")
RANKED = ("roc_auc", "average_precision")
MATRIX, WHOLE = 10, 30  # classes of a matrix on a screen, and in full
MISTAKES, CONFUSIONS = 5, 15  # the commonest mistakes on a screen, and in full
LABEL = 11  # characters of a label in a two-by-two table
MICRO = "With one label per case, micro sensitivity, precision and F1 are all the accuracy."
CLASSES = 12  # with the lowest F1, which a page shows closer
TILES = {  # by task, or of scores: with what each measure is compared
    "scores": (
        ("roc_auc", "chance", 0.5),
        ("average_precision", "chance", None),
        ("brier_skill_score", "baseline", 0.0),
        ("calibration_slope", "ideal", 1.0),
    ),
    "binary": (
        ("accuracy", "majority class", None),
        ("balanced_accuracy", "chance", 0.5),
        ("sensitivity", "", None),
        ("specificity", "", None),
    ),
    "multiclass": (
        ("accuracy", "majority class", None),
        ("macro_f1", "", None),
        ("macro_roc_auc", "chance", 0.5),
        ("top_label_ece", "ideal", 0.0),
    ),
    "multilabel": (("exact_match", "", None), ("macro_precision", "", None), ("macro_f1", "", None)),
    "regression": (
        ("r2", "always the mean", 0.0),
        ("root_mean_squared_error", "", None),
        ("mean_absolute_error", "", None),
        ("mean_error", "unbiased", 0.0),
    ),
}


def evaluation(e: Any, full: bool = False) -> Document:
    """The data, the matrix, the measures that most readers want; in full every measure with its method."""
    heads = headed(e)
    e.add_up([*heads, *e.shown] if full else heads)
    whole = e.selected is None
    most = [usual(e, [(name, head, e[name]) for name, head in heads.items()])] if whole or not full else []
    if whole:
        matrix = e.task == "multiclass" and len(e.matrix) <= WHOLE
        above = [cells(e.two_by_two)] if e.task == "binary" else [_matrix(e.matrix)] if matrix else []
        most = [*above, *most, *_classes(e, full)]
    # a case has one of the classes, and its predicted label is one, too
    micro_is_accuracy = e.task == "multiclass" and e.matrix.unanswered is None
    closer = _worst(e)[:CLASSES] if full and whole and e.task == "multiclass" else ()
    return Document(
        kind=f"evaluation of {e.task}",
        title=e.data.called,
        headline="" if e.headline is None else headlines.sentence(e.headline),
        facts=_facts(e, full),
        notices=e.notices,
        tiles=_tiles(e) if full and whole else (),
        tables=(*most, *([_every(e)] if full else [])),
        footnotes=(MICRO,) if full and micro_is_accuracy else (),
        rest="" if full or not whole else _rest(e, heads),
        panel=partial(_panel, e) if full and whole and _moves(e) else None,
        closer={str(label): partial(_class, e, label) for label in closer},
    )


def _moves(e: Any) -> bool:
    """Whether there are thresholds to move along, one of them its own, and measures that they change."""
    known = e.task == "binary" and e.limit is not None and isfinite(e.limit)
    return bool(known and e.ranking and e.both_classes and not e.in_bins)


def _panel(e: Any, coarse: int = 0) -> Panel:
    """What the threshold moves; coarse: as of `to_html`."""
    from ..two_classes import panel

    return panel(e, coarse)


def together(evaluations: Mapping[str, Any]) -> Callable[[], Panel] | None:
    """What one threshold moves of several models that have the same one."""
    same = len({(one.limit, one.higher_is_positive) for one in evaluations.values() if _moves(one)}) == 1
    if not same or len(evaluations) < 2 or not all(map(_moves, evaluations.values())):
        return None
    from .. import two_classes

    return partial(two_classes.together, evaluations)


def every(e: Any) -> Document:
    """An evaluation with every measure, also where some were chosen."""
    return part(e.all.result)


# Facts
# --------------------------------------------------------------------------------------------------


def _facts(e: Any, full: bool) -> tuple[str, ...]:
    """The data, the threshold and the conditions."""
    unusual = common.unusual_conditions(e)
    if not full:
        return f"{e.data.head}{sizes(e)}".removesuffix(": "), unusual
    units = common.in_units(*e.units) if e.units else ""
    facts = [f"{e.data.head}{common.cases(e.data)}{units}", sizes(e), e.conditions]
    ranking = getattr(e, "ranking", None)
    if ranking is not None and e.both_classes:
        pairs = ", ".join(f"{text.count(number)} {what}" for what, number in ranking.pairs._asdict().items())
        facts.append(f"pairs of a positive and a negative: {pairs}")
    if e.baselines:
        random, majority = e.baselines["random"], e.baselines["largest class"]
        facts.append(f"baseline accuracy: {random:.4g} (random), {majority:.4g} (majority class)")
    return tuple(facts)


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
    least = "at least" if e.data.counted else "about"
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


def headed(e: Any) -> dict[str, Leading]:
    """The measures on the screen: those that were chosen, or those with a place there, in their order."""
    if e.selected is not None:
        return {name: e.entry(name).headline or Leading(0, title(name)) for name in e.selected}
    scored = getattr(e, "ranking", None) is not None
    every = ((name, e.entry(name).headline) for name in e.estimates)
    heads = {
        name: head
        for name, head in every
        if head is not None and head.place is not None and not (scored and head.labels_only)
    }
    return dict(sorted(heads.items(), key=lambda one: one[1].place or 0))


def usual(e: Any, found: Iterable[tuple[str, Leading, Estimate]]) -> Table:
    """A row per measure, with what it is compared with."""
    found = [*found]
    here = {Column("here", HERE, "number"): lambda _, __, one: None if one.corrected is None else one.value}
    columns: common.Columns = {
        Column("measure", "measure", "name"): lambda name, head, _: Cell(head.label, name=name),
        Column("estimate", level_of(e.settings.level), "estimate"): lambda _, __, one: one,
        **(here if any(one.corrected is not None for _, _, one in found) else {}),
        Column("beside", ""): partial(beside, e),
    }
    kind: Any = "rows" if e.task == "regression" else "forest"  # which have no scale in common
    return common.table("measures", found, columns, kind=kind)


def beside(e: Any, name: str, head: Leading, found: Estimate) -> str:
    """The threshold of a maximum, or what the value is compared with."""
    if found.corrected is not None:
        return ""
    if attained := _attained(e.entry(name), found):
        return attained
    if head.next_to is None:
        known = name == "accuracy" and e.baselines
        return f"majority class {text.rounded(e.baselines['largest class'])}" if known else ""
    called, other = head.next_to
    known = other in e.estimates and not e.estimates[other].undefined
    return f"{called} {rounded(e.estimates[other])}" if known else ""


def _attained(entry: Any, found: Estimate) -> str:
    """The threshold of a maximum over the thresholds."""
    known = entry.attained is not None and found.threshold is not None
    return f"at the threshold {text.exact(found.threshold or 0.0)}" if known else ""


def _every(e: Any) -> Table:
    """Every measure with its method, by family."""
    found = common.measures(e.shown.items(), level_of(e.settings.level), "every measure", "Every measure")
    rows = []
    for (name, one), row in zip(e.shown.items(), found.rows, strict=True):
        entry = e.entry(name)
        at = f"; {attained}" if (attained := _attained(entry, one)) else ""
        rows.append({**row, "family": words(entry.family), "method": Cell(one, at)})
    return replace(found, rows=rows, section="family")


def _tiles(e: Any) -> tuple[Tile, ...]:
    against: dict[str, float | None] = {"accuracy": e.baselines.get("largest class")}
    if e.data.positives and e.data.negatives is not None:
        against["average_precision"] = e.data.positives / (e.data.positives + e.data.negatives)
    found = []
    of = "scores" if getattr(e, "ranking", None) is not None else e.task
    for name, what, usual in TILES.get(of, ()):
        if name not in e.estimates or e.estimates[name].undefined:
            continue
        known = against.get(name, usual)
        beside = f"{what} {known:.3g}" if what and known is not None else ""
        found.append(Tile(title(name), e.estimates[name], name, beside))
    return tuple(found)


# Matrices and classes
# --------------------------------------------------------------------------------------------------


def cells(c: Any) -> Table:
    """The counts with their margins, the positive class first."""
    short = text.labels(map(str, c.labels), LABEL)
    negative, positive = (short[str(label)] for label in c.labels)
    columns: common.Columns = {
        Column("actual", "", "name"): lambda name, _: name,
        Column("positive", f"predicted {positive}", "count"): lambda _, row: row[0],
        Column("negative", f"predicted {negative}", "count"): lambda _, row: row[1],
        Column("total", "total", "count"): lambda _, row: row[2],
    }
    rows = zip((f"actual {positive}", f"actual {negative}", "total"), c.rows, strict=True)
    return common.table("confusion matrix", rows, columns, kind="matrix")


def contingency(c: Any, full: bool = False) -> Document:
    """The counts with their margins and the eight ratios."""
    from ...evaluation.results import OF_COLUMNS, OF_ROWS

    share = text.number((c.counts.tp + c.counts.fn) / c.counts.total) if c.counts.total else "-"
    mix = f"{share} here"
    if c.settings.design == "case-control":
        mix = f"which the design fixes at {share}"
    columns: common.Columns = {
        Column("measure", "measure", "name"): lambda a, x, b, y: named(a),
        Column("estimate", level_of(c.settings.level), "estimate"): lambda a, x, b, y: x,
        Column("complement", "complement", "name"): lambda a, x, b, y: named(b),
        Column("other", "value", "number"): lambda a, x, b, y: y.centre,
    }
    said = {
        "These do not depend on the prevalence.": OF_ROWS,
        f"These depend on the prevalence, {mix}.": OF_COLUMNS,
    }
    ratios = (common.table("ratios", c.ratios(pairs), columns, notes=(one,)) for one, pairs in said.items())
    return Document(kind="two-by-two table", tables=(cells(c), *ratios))


def counts(c: Any, full: bool = False) -> Document:
    """Four counts as a two-by-two table; arrays of them as they are."""
    from ...evaluation.results import Contingency

    return common.rows(c, full) if np.ndim(c.tp) else contingency(Contingency(c), full)


def _matrix(matrix: Any) -> Table:
    """Actual classes as rows, predicted ones as columns."""
    answers = [*map(str, matrix.answers)]
    columns = [Column("actual", "actual \\ predicted", "name")]
    columns += [Column(("predicted", j), label, "count") for j, label in enumerate(answers)]
    rows = [
        {"actual": label, **{("predicted", j): n for j, n in enumerate(row)}}
        for label, row in zip(answers, matrix.weights.tolist(), strict=False)
    ][: len(matrix)]
    return Table(
        "confusion matrix", tuple(columns), rows, screen=None if len(matrix) <= MATRIX else 0, kind="matrix"
    )


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
    columns: common.Columns = {
        Column("actual", "most frequent mistakes", "name"): lambda i, j: labels[i],
        Column("predicted", "predicted as", "name"): lambda i, j: labels[j],
        Column("cases", "cases", "count"): lambda i, j: float(off[i, j]),
    }
    pairs = zip(*np.unravel_index(order, off.shape), strict=True)
    return common.table("most frequent mistakes", [pair for pair in pairs if off[pair] > 1], columns)


def _classes(e: Any, full: bool) -> list[Table]:
    """The averages, the classes with the lowest f1 first, and the commonest mistakes."""
    if e.task not in ("multiclass", "multilabel"):
        return []
    what = "class" if e.task == "multiclass" else "label"
    each = {name: e.many.each(name) for name in (IN_FULL if full else OF_CLASSES)}
    labels, cases = list(e.table_of_classes.labels), e.many.counts.positives.tolist()
    worst = _worst(e)
    columns: common.Columns = {
        Column(what, what, "name"): lambda i: str(labels[i]),
        Column("cases", "cases", "count"): cases.__getitem__,
        **{column(name): found.__getitem__ for name, found in each.items()},
    }
    notes: tuple[str, ...] = ("The lowest F1 stands first.",)
    tables = [common.table("classes", map(labels.index, worst), columns, notes=notes, kind="forest")]
    if e.task == "multiclass" and (full or len(e.matrix) > MATRIX):
        tables.append(_mistakes(e.matrix, full))
    if full:
        tables.insert(0, _averages(e))
    if full and e.task == "multiclass" and e.scores is not None:
        scored: common.Columns = {
            Column(what, "class, by its score", "name"): lambda label, _: str(label),
            Column("cases", "cases", "count"): lambda _, one: one.data.positives or 0,
            **{column(name): lambda _, one, name=name: one[name] for name in RANKED},
        }
        ranked = [(label, e.one_vs_rest(label)) for label in worst[:WHOLE]]
        notes = (f"Of {len(labels):,} classes the {WHOLE} with the lowest F1.",)
        notes *= len(labels) > WHOLE
        called = "Classes by their scores"
        tables.append(common.table("ranking", ranked, scored, called, notes=notes, screen=0))
    return tables


def _worst(e: Any) -> list[Any]:
    """The labels, that with the lowest F1 first."""
    labels, f1 = list(e.table_of_classes.labels), [one.value for one in e.many.each("f1")]
    return [labels[i] for i in sorted(range(len(labels)), key=lambda i: (f1[i] != f1[i], f1[i], i))]


def _class(e: Any, label: Any) -> Document:
    """A class against the others, as predicted: its matrix, its measures, and what it is confused with."""
    from ...evaluation.results import Contingency

    i, answers = list(e.matrix.labels).index(label), [*map(str, e.matrix.answers)]
    counts, found = e.many.counts[i], {name: e.classes[label][name] for name in OF_CLASS}
    figures: Any = no_figures
    if e.scores is not None:
        ranked = e.one_vs_rest(label)
        found |= {name: ranked[name] for name in RANKED}
        figures = partial(_roc, e, label)
    columns: common.Columns = {
        Column("measure", "measure", "name"): lambda name, _: named(name),
        Column("estimate", level_of(e.settings.level), "estimate"): lambda _, one: one,
    }
    weights = np.array(e.matrix.weights, float)
    out, into = weights[i], np.append(weights[:, i], np.zeros(weights.shape[1] - len(weights)))
    mistaken: common.Columns = {
        Column("other", "confused with", "name"): answers.__getitem__,
        Column("as", f"{common.name(label)} predicted as it", "count"): lambda j: float(out[j]),
        Column("from", f"it predicted as {common.name(label)}", "count"): lambda j: float(into[j]),
    }
    others = [j for j in np.argsort(-(out + into), kind="stable") if j != i and out[j] + into[j] > 0]
    return Document(
        kind="class",
        headline=f"{text.count(counts.tp)} of {text.count(counts.tp + counts.fn)} cases are predicted as it,"
        f" and {text.count(counts.fp)} others.",
        tables=(
            cells(Contingency(counts, ("other", str(label)))),
            common.table("measures", found.items(), columns, kind="forest"),
            common.table("mistakes", others[:CONFUSIONS], mistaken),
        ),
        figures=figures,
    )


def _roc(e: Any, label: Any, only: Any = ()) -> Any:
    from ..figures import figures

    return figures(e, "roc", classes=[label], band=None)


def _averages(e: Any) -> Table:
    columns: common.Columns = {
        Column("measure", "average", "name"): named,
        **{Column(kind, kind, "estimate"): found.__getitem__ for kind, found in e.averages.items()},
    }
    found = {
        name: [note.text for note in e.averages["macro"][name].notes if note.kind not in BELOW]
        for name in AVERAGED
    }
    notes = tuple(f"{title(name)}: {'; '.join(texts)}." for name, texts in found.items() if texts)
    return common.table("averages", AVERAGED, columns, notes=notes)


# Models
# --------------------------------------------------------------------------------------------------

NO_MEASURE = "The models have no measure of the table in common; see each, as table['name']."


NO_DIFFERENCES = (
    "No differences between the models: they need each case, which sums, engines and cases beyond the memory"
    " do not have."
)


def models(table: Any, full: bool = False) -> Document:
    """A row for each model, the best first, and a row of its differences; in full each model, too."""
    first, *others = table.values()
    d = first.data
    lacking = not table.measures or (others and not table.differences)
    shown = [values(table)] if table.measures else []
    order = [row["model"] for one in shown for row in one.rows] or table
    way = f"All measures of one model: table[{next(iter(table))!r}]; of all: table.all"
    return Document(
        kind="models",
        title=d.called,
        headline=headline_of_models(table),
        facts=common.of_each(
            f"{d.head}{common.number_of(len(table), 'model')} of {common.number_of(d.rows, 'case')}",
            {name: circumstances(one) for name, one in table.items()},
            "; ",
        ),
        notices=table.notices,
        tables=(*shown, *differences(table)) if shown else (),
        footnotes=(NO_DIFFERENCES if table.measures else NO_MEASURE,) if lacking else (),
        parts={name: partial(every, table[name]) for name in order} if full else {},
        together=together(dict(table)) if full else None,
        rest="" if full else either(way, "All measures: --all"),
    )


def values(table: Any) -> Table:
    """A row for each model, the best in the first measure first."""
    names = list(table)
    first = next(iter(table.values()))
    if better := first.entry(table.measures[0]).better:
        sign = 1 if better == "lower" else -1
        value = {name: sign * one[table.measures[0]].value for name, one in table.items()}
        names.sort(key=lambda name: (value[name] != value[name], value[name]))
    columns: common.Columns = {
        Column("model", "model", "name"): lambda name: name,
        **{column(one): lambda name, one=one: table[name][one] for one in table.measures},
    }
    return common.table("models", names, columns, notes=(common.level(first.settings.level),), kind="forest")


def differences(table: Any, subject: str = "Each model") -> list[Table]:
    """The differences from the reference, marked where the adjusted p-value shows one."""
    found = table.differences
    if not found:
        return []
    level = found[0].estimate.level
    best = f", the best {title(table.measures[0])} here" * table.is_chosen
    together = "not simultaneous"
    if table.is_chosen and len(table) > 2:
        together = "which allow for its choice (all pairs of models together, by measure)"
    said = (
        f"{subject} minus {common.name(table.compared_with)}{best}; paired, {100 * level:.4g}% intervals,"
        f" {together}. {common.shown_of(found)} (p adjusted by Holm)."
    )
    return [common.differences(found, table.measures, notes=(said,))]


def headline_of_models(table: Any) -> str:
    """Which model is best, and how many of the others are shown to differ from it."""
    if not table.measures or len(table) == 1:
        return ""
    measure = table.measures[0]
    known = {name: one[measure] for name, one in table.items() if not one[measure].undefined}
    if not known or not (better := next(iter(table.values())).entry(measure).better):
        return ""
    best = (min if better == "lower" else max)(known, key=lambda name: known[name].value)
    word = in_sentence(measure)
    said = f"{common.name(best)} has the best {word} of {len(table)} models, {estimate(known[best])}"
    found = [one for one in table.differences if one.measure == measure]
    if not found:
        return f"{said}."
    shown = sum(map(common.is_shown, found))
    against = "it" if table.compared_with == best else common.name(table.compared_with)
    others = common.of_others(shown, len(found))
    more = headlines.not_worse(table.not_worse) if len(table) > 2 else ""
    return f"{said}; {others} shown to differ from {against} (p adjusted by Holm).{more}"


# Reports
# --------------------------------------------------------------------------------------------------


def classification_report(report: Any, full: bool = False) -> Document:
    """A row for each class, then the accuracy and the averages; in full with intervals."""
    whole = report.intervals or full

    def cell(row: Any, name: str) -> Any:
        result = row.estimates.get("accuracy" if row.kind == "accuracy" and name == "f1" else name)
        if result is None or result.undefined:
            return result
        return estimate(result if whole else Estimate(result.centre))

    columns: common.Columns = {
        Column("class", "class", "name"): lambda row: f"{row.label}{' avg' * (row.kind == 'average')}",
        **{
            Column(key, name, "estimate" if whole else "value"): partial(cell, name=key)
            for key, name in REPORT.items()
        },
        Column("support", "support", "count"): lambda row: row.support,
    }
    with text.with_digits(report.digits):
        table = common.table("classes", report.rows, columns)
    return Document(
        kind="classification report",
        facts=(report.conditions,) if whole else (),
        notices=report.notices,
        tables=(table,),
    )


REPORT = {"precision": "precision", "recall": "recall", "f1": "f1-score"}


def operating_points(points: Any, full: bool = False) -> Document:
    """A row per threshold, from calling nobody positive on."""
    kinds: dict[str, Kind] = {"threshold": "exact", **dict.fromkeys(COUNTS, "count")}
    columns: common.Columns = {
        Column(name, SHORT.get(name, name), kinds.get(name, "number"), name): (
            lambda i, values=values: float(values[i])
        )
        for name, values in points.columns.items()
    }
    size = len(points.columns["threshold"])
    shown = size if full else min(size, MOST_POINTS)
    return Document(
        kind="operating points",
        notices=points.notices,
        tables=(common.table("operating points", range(shown), columns),),
        rest=f"{size - shown:,} more thresholds: .table" if size > shown else "",
    )


COUNTS = ("positives", "negatives", "tp", "fp", "fn", "tn")
SHORT = {"positives": "pos", "negatives": "neg", "sensitivity": "tpr", "false_positive_rate": "fpr"}
MOST_POINTS = 40
MARKS = {1.0: "#", 0.5: "/", 0.0: "."}


def pairs_matrix(pairs: Any, full: bool = False) -> Document:
    """A line per positive, a character per negative; the highest score first."""
    gap = " " if len(pairs.negatives) <= 30 else ""
    columns: common.Columns = {
        Column("score", "positives", "exact"): lambda score, _: float(score),
        Column("pairs", "# right order, / tied, . wrong order"): lambda _, row: gap.join(
            MARKS[cell] for cell in row
        ),
    }
    rows = zip(pairs.positives.tolist(), pairs.cells.tolist(), strict=True)
    below = ", ".join(f"{score:.4g}" for score in pairs.negatives.tolist())
    table = common.table("pairs", rows, columns, notes=(f"Negatives, from the left: {below}",))
    return Document(kind="pairs of positives and negatives", tables=(table,))
