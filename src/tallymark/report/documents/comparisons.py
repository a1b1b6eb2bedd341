"""Comparisons of models, of their classifications, and of estimators that are trained again."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from ...input import text
from ...input.data_info import conditions
from ...input.messages.notes import text_of, without_codes
from ..document import Cell, Column, Document, Table
from ..grid import estimate, level_of, title
from . import common, headlines
from .common import name, named, number_of

ADJUSTED = {"holm": "Holm", "benjamini-hochberg": "BH", "none": ""}
OUT_OF_BAG = {
    "out_of_bag": "out-of-bag",
    "632": ".632",
    "632_plus": ".632+",
    "apparent": "apparent",
    "no_information": "by chance",
}
IMPROVEMENTS = ("nri", "nri_positives", "nri_negatives", "idi")


def comparison(c: Any, full: bool = False) -> Document:
    """The values of all models, their differences with tests, decisions, and how far they agree."""
    several = len(c.models) > 2
    d = c.data
    where = "the same" if c.paired else "different cases, together"
    facts = [f"{d.head}{len(c.models)} models on {where} {common.cases(d)}"]
    limits = {one: limit for one, e in c.evaluations.items() if (limit := _threshold(e))}
    if len(set(limits.values())) == 1 < len(limits):
        limits = {"all": next(iter(limits.values()))}
    facts += [f"{name(one)}: positive when score {limit}" for one, limit in limits.items()]
    together = several and len({reference for _, reference in c.pairs}) == 1
    tables = [_by_model(c)] if together else [_values(c)]
    tables += [_differences(c)] if full or not together else []
    tables += [common.tests(c.tests)] if c.tests else []
    tables += _agreement(c) if full or not several else []
    return Document(
        kind="comparison",
        title=d.called,
        headline=headlines.of_comparison(c.headline),
        facts=tuple(facts),
        notices=c.notices,
        tables=tuple(tables),
        footnotes=(*_decisions(c), *_said_of_agreement(c, full or not several), _assumed(c)),
        rest="" if full else f"methods and notes: {common.in_full()}",
    )


def _threshold(e: Any) -> str:
    if getattr(e, "ranking", None) is None or e.threshold is None or e.threshold.value is None:
        return ""
    side = ">=" if e.higher_is_positive else "<="
    return f"{side} {text.exact(e.threshold.value)} (threshold: {e.threshold.rule})"


def _values(c: Any) -> Table:
    """A row per measure, a column per model."""
    rows = [
        {"measure": named(one), **{("model", model): e[one] for model, e in c.evaluations.items()}}
        for one in c.measures
    ]
    names = text.labels(c.models, 14)
    columns = (
        Column("measure", "value", "name"),
        *(Column(("model", one), names[one], "estimate") for one in c.models),
    )
    return Table("values", columns, rows, notes=(common.level(c.level),))


def _by_model(c: Any) -> Table:
    """A row for each model in each measure: its value, and its difference from the reference."""
    reference = c.pairs[0][1]
    found = {(one.measure, one.model): one for one in c.differences}
    rows = [
        {
            "measure": named(measure),
            "model": model,
            "estimate": c.evaluations[model][measure],
            "difference": "reference" if one is None else _marked(c, one),
            "p": None if one is None else _p(c, one),
        }
        for measure in c.measures
        for model in c.models
        for one in (found.get((measure, model)),)
    ]
    columns = (
        Column("measure", "measure", "name"),
        Column("model", "model", "name"),
        Column("estimate", "value", "estimate"),
        Column("difference", f"minus {text.label(reference, 10)}", "difference"),
        Column("p", ADJUSTED[c.adjust] if is_adjusted(c) else "p", "p"),
    )
    ways = dict.fromkeys(f"{one.estimate.method} ({title(one.measure)})" for one in c.differences if one.test)
    return Table("models", columns, rows, notes=(f"{common.level(c.level)} Methods: {', '.join(ways)}.",))


def _marked(c: Any, one: Any) -> Cell:
    """A difference, marked where its p-value shows one."""
    return Cell(one.estimate, "!" * bool(_p(c, one) < 1 - c.level))


def _differences(c: Any) -> Table:
    """A row per measure and pair: the difference with its interval and p-values."""
    several = len(c.pairs) > 1
    references = {reference for _, reference in c.pairs}
    one_reference = len(references) == 1
    rows = [
        {
            "measure": named(one.measure),
            "models": one.model if one_reference else f"{one.model} - {one.reference}",
            "estimate": _marked(c, one),
            "p": one.p_value,
            "adjusted": one.adjusted,
            "method": one.estimate,
        }
        for one in c.differences
    ]
    first, reference = (text.label(one, 14) for one in c.pairs[0])
    head = level_of(c.level, "difference")
    if one_reference:
        head = f"minus {reference}" if several else f"{first} - {reference}"
    columns = [Column("measure", "measure", "name")]
    columns += [Column("models", "model" if one_reference else "models", "name")] * several
    columns += [Column("estimate", head, "difference"), Column("p", "p", "p")]
    columns += [Column("adjusted", ADJUSTED[c.adjust], "p")] * is_adjusted(c)
    columns += [Column("method", "method", "method")]
    return Table("differences", tuple(columns), rows, kind="forest", baseline=0.0)


def is_adjusted(c: Any) -> bool:
    """Whether p-values are adjusted for each other."""
    return bool(ADJUSTED[c.adjust]) and len(c.differences) > 1


def _p(c: Any, one: Any) -> float:
    return float(one.adjusted if is_adjusted(c) else one.p_value)


def _decisions(c: Any) -> list[str]:
    several = len(c.pairs) > 1
    return [
        f"{title(one.measure)}{_pair(one) * several}: {one.decision.text}."
        for one in c.differences
        if one.decision
    ]


def _pair(one: Any) -> str:
    return f", {name(one.model)} - {name(one.reference)}"


def _agreement(c: Any) -> list[Table]:
    """Of each pair the cases that both, one or none of the models predict correctly."""
    tables = []
    for one in c.agreement:
        first, second = text.labels((one.first, one.second), 14).values()
        rows = [
            {"cases": f"{first} right", "right": one.right["both"], "wrong": one.right["first only"]},
            {"cases": f"{first} wrong", "right": one.right["second only"], "wrong": one.right["neither"]},
        ]
        columns = (
            Column("cases", "cases", "name"),
            Column("right", f"{second} right", "count"),
            Column("wrong", f"{second} wrong", "count"),
        )
        tables.append(Table(f"agreement of {one.first} and {one.second}", columns, rows))
    return tables


def _said_of_agreement(c: Any, shown: bool) -> list[str]:
    said = []
    for one in c.agreement if shown else ():
        share = one.same
        ends = f" {text.interval(100 * share.low, 100 * share.high, 1)}" if share.has_interval else ""
        kappa = "undefined" if one.kappa.undefined else estimate(one.kappa)
        ranked = ""
        if one.spearman is not None:
            ranked = (
                "; ranks: a constant score"
                if isnan(one.spearman)
                else f"; ranks: Spearman {one.spearman:.3f}, Kendall {one.kendall:.3f}"
            )
        notes = {note.text: None for found in (one.same, one.kappa) for note in found.notes}
        remarks = f" ({'; '.join(notes)})" if notes else ""
        said.append(
            f"{name(one.first)} and {name(one.second)} give the same answer to"
            f" {100 * share.value:.1f}{ends} % of the cases, kappa {kappa}{ranked}{remarks}."
        )
    return said


def _assumed(c: Any) -> str:
    """The design, the resamples and the adjustment."""
    design = conditions(
        None if c.of_amounts else c.design, c.data.weight_kind, fixed_by_weights=c.mix_fixed_by_weights
    )
    said = [f"Assumed: {c.assumes}.", *([f"{design.capitalize()}."] if design else [])]
    if any("bootstrap" in (one.estimate.method or "") or one.test == "permutation" for one in c.differences):
        said.append(f"Resamples: {c.replicates:,}, seed {c.seed}.")
    if is_adjusted(c):
        said.append(f"{ADJUSTED[c.adjust]}: adjusted for {len(c.differences)} tests.")
    return " ".join(said)


def reclassification(r: Any, full: bool = False) -> Document:
    """The improvements, and the cases by category of both models."""
    rows = [{"measure": one, "estimate": getattr(r, one)} for one in IMPROVEMENTS]
    columns = (
        Column("measure", "improvement", "name"),
        Column("estimate", level_of(r.nri.level), "estimate"),
    )
    moves = [_moves(r, what, getattr(r, what)) for what in ("positives", "negatives")] if r.cutoffs else []
    return Document(
        kind="reclassification",
        headline=f"Reclassification by {name(r.model)} against {name(r.reference)}: NRI {estimate(r.nri)}.",
        notices=r.notices,
        tables=(Table("improvements", columns, rows, kind="forest", baseline=0.0), *moves),
        footnotes=(f"{r.note[:1].upper()}{r.note[1:]}.",) if r.note else (),
    )


def _moves(r: Any, what: str, cases: np.ndarray) -> Table:
    """Rows are categories of the reference, columns those of the model."""
    limits = [f"{limit:g}" for limit in r.cutoffs]
    names = [f"below {limits[0]}", *(f"from {limit}" for limit in limits)]
    head = f"{what}: {text.label(r.reference, 16)} \\ {text.label(r.model, 16)}"
    columns = (Column("from", head, "name"), *(Column(one, one, "count") for one in names))
    rows = [
        {"from": one, **dict(zip(names, row, strict=True))}
        for one, row in zip(names, cases.tolist(), strict=True)
    ]
    return Table(what, columns, rows)


# Trained again
# --------------------------------------------------------------------------------------------------


def cross_validation(c: Any, full: bool = False) -> Document:
    """The estimate of each estimator, and the differences of every two."""
    trained = text.count(c.rows - -(-c.rows // c.folds))
    each = ", ".join(f"{name(one)} {estimate(found)}" for one, found in [*c.estimates.items()][:3])
    rows = [{"estimator": one, "estimate": found, "method": found} for one, found in c.estimates.items()]
    columns = (
        Column("estimator", "estimator", "name"),
        Column("estimate", level_of(c.level, title(c.measure)), "estimate"),
        Column("method", "", "method"),
    )
    tables = [Table("estimators", columns, rows, kind="forest")]
    if len(c.names) > 1:
        differences = [
            {
                "pair": f"{one.first} - {one.second}",
                "estimate": Cell(one.estimate, "!" * bool(one.p_value < 1 - c.level)),
                "p": one.p_value,
                "method": one.estimate,
            }
            for one in c.differences
        ]
        heads = (
            Column("pair", "first minus second", "name"),
            Column("estimate", "difference", "difference"),
            Column("p", "p", "p"),
            Column("method", "", "method"),
        )
        tables.append(Table("differences", heads, differences, kind="forest", baseline=0.0))
    return Document(
        kind="cross-validation",
        headline=f"{title(c.measure)}: {each}.",
        facts=(
            f"{c.measure}, {text.count(c.rows)} cases, {c.folds} folds, {number_of(c.repeats, 'time')}, seed"
            f" {c.seed}",
        ),
        notices=c.notices,
        tables=tuple(tables),
        footnotes=(
            f"Intervals: approximate (corrected resampled t), for models trained on about {trained} cases.",
        ),
    )


def out_of_bag(o: Any, full: bool = False) -> Document:
    """The estimates, and the over-fitting."""
    rate = "unknown" if isnan(o.overfitting) else f"{o.overfitting:.4f}"
    rows = []
    for key, one in OUT_OF_BAG.items():
        found = o.estimates[key]
        said = (
            found.undefined.text
            if found.undefined
            else text_of(without_codes(found.notes, "out-of-bag")) or ""
        )
        rows.append({"estimate": Cell(one, name=key), "value": found, "note": said})
    columns = (
        Column("estimate", "estimate", "name"),
        Column("value", f"value [{100 * o.level:.4g}% of replicates]", "estimate"),
        Column("note", "", "text"),
    )
    return Document(
        kind="out-of-bag",
        headline=f"{title(o.measure)} {estimate(o.estimates['632_plus'])} (.632+).",
        facts=(
            f"{o.measure}, {text.count(o.rows)} cases, {number_of(len(o.values), 'bootstrap set')}, seed"
            f" {o.seed}",
            f"relative over-fitting rate {rate} (0 none, 1 as by chance)",
        ),
        notices=o.notices,
        tables=(Table("estimates", columns, rows),),
    )


def permutation(r: Any, full: bool = False) -> Document:
    """The value, the p-value, and the values with permuted labels."""
    train, test = (text.count(number) for number in r.rows)
    p = r.p
    facts = [
        f"{title(r.measure)} ({r.better} is better), trained on {train} cases, measured on {test}",
        (
            f"{text.count(r.used)} permutations of the training labels, seed {r.seed};"
            f" {text.count(r.as_good)} as good or better"
        ),
    ]
    size = "without a p-value"
    if r.used:
        size = f"p = {p.value:.4g}"
        low, middle, high = map(
            text.number, np.nanquantile(r.permuted, [0.025, 0.5, 0.975], method="inverted_cdf")
        )
        facts += [
            (
                f"p = {p.value:.4g}, one-sided, {r.counting}; {100 * r.level:.4g}% Monte Carlo interval"
                f" {text.interval(p.low, p.high)}"
            ),
            f"with permuted labels: median {middle}, 95% from {low} to {high}",
        ]
    else:
        facts.append(f"no p-value: {p.undefined}")
    return Document(
        kind="permutation test",
        headline=f"{title(r.measure)} {text.number(r.value)}, {size}.",
        facts=(*facts, *([p.note] if p.note else [])),
        notices=r.notices,
    )
