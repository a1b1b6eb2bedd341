"""Comparisons of models, estimators that are trained again, the verdict of a gate, and plans of studies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, isnan
from typing import Any

import numpy as np

from ...input import text
from ...input.messages import text_of, without_codes
from ...input.sample import conditions
from ...measures.titles import title
from ..document import Cell, Column, Document, Kind, Table, estimate, level_of
from . import common, evaluations, headlines
from .common import capital, name, named, number_of

ADJUSTED = {"holm": "Holm", "benjamini-hochberg": "BH", "none": ""}
OUT_OF_BAG = {
    "out_of_bag": "out-of-bag",
    "632": ".632",
    "632_plus": ".632+",
    "apparent": "apparent",
    "no_information": "by chance",
}
BY = {"difference": "minus", "ratio": "ratio to"}
SIGN: dict[str, str] = {"difference": "-", "ratio": "/"}
KIND: dict[str, Kind] = {"difference": "difference", "ratio": "estimate"}  # of the column
NULL = {"difference": 0.0, "ratio": 1.0}
IMPROVEMENTS = ("nri", "nri_positives", "nri_negatives", "idi")


def comparison(c: Any, full: bool = False) -> Document:
    """The values of all models, their differences with tests, decisions, and how far they agree."""
    several = len(c.models) > 2
    d = c.data
    where = "the same" if c.paired else "different cases, together"
    limits = {one: limit for one, e in c.evaluations.items() if (limit := _threshold(e))}
    if len(set(limits.values())) == 1 < len(limits):
        limits = {"all": next(iter(limits.values()))}
    together = several and len({reference for _, reference in c.pairs}) == 1
    in_parts = [
        _in_parts(c, found, key) for key, found in (("group", c.in_groups), ("fold", c.in_folds)) if found
    ]
    agreement = c.agreement if full or not (several or in_parts) else ()
    return Document(
        kind="comparison",
        title=d.called,
        headline=headlines.of_comparison(c.headline),
        facts=(
            f"{d.head}{len(c.models)} models on {where} {common.cases(d)}",
            *(f"{name(one)}: positive when score {limit}" for one, limit in limits.items()),
        ),
        notices=c.notices,
        tables=(
            *(() if in_parts and not together else [_by_model(c) if together else _values(c)]),
            *([_differences(c)] if full or not together else []),
            *in_parts,
            common.tests(c.tests),
            *([_values(c)] if in_parts and not together else []),
            *map(_agreement, agreement),
        ),
        footnotes=(
            *(
                f"{title(one.measure)}{f', {name(one.model)} - {name(one.reference)}' * (len(c.pairs) > 1)}:"
                f" {one.decision.text}."
                for one in c.differences
                if one.decision
            ),
            *map(_said_of_agreement, agreement),
            _assumed(c),
        ),
        together=evaluations.together(c.evaluations) if full else None,
        rest="" if full else f"methods and notes: {common.in_full()}",
    )


def _threshold(e: Any) -> str:
    if getattr(e, "ranking", None) is None or e.threshold is None or e.threshold.value is None:
        return ""
    side = ">=" if e.higher_is_positive else "<="
    return f"{side} {e.threshold.value:.4g} (threshold: {e.threshold.rule})"


def _values(c: Any) -> Table:
    """A row per measure, a column per model."""
    names = text.labels(c.models, 14)
    columns: common.Columns = {
        Column("measure", "value", "name"): named,
        **{
            Column(("model", model), names[model], "estimate"): partial(c.value, model=model)
            for model in c.models
        },
    }
    return common.table("values", c.measures, columns, notes=(common.level(c.level),))


def _by_model(c: Any) -> Table:
    """A row for each model in each measure: its value, and its difference from the reference."""
    found = {(one.measure, one.model): one for one in c.differences}
    rows = [(measure, model, found.get((measure, model))) for measure in c.measures for model in c.models]
    columns: common.Columns = {
        Column("measure", "measure", "name"): lambda measure, model, one: named(measure),
        Column("model", "model", "name"): lambda measure, model, one: model,
        Column("estimate", "value", "estimate"): lambda measure, model, one: c.value(measure, model),
        Column("difference", f"{BY[c.scale]} {text.label(c.pairs[0][1], 10)}", KIND[c.scale]): (
            lambda measure, model, one: "reference" if one is None else _marked(c, one)
        ),
        Column("p", ADJUSTED[c.adjust] if is_adjusted(c) else "p", "p"): (
            lambda measure, model, one: None if one is None else _p(c, one)
        ),
    }
    ways = dict.fromkeys(f"{one.estimate.method} ({title(one.measure)})" for one in c.differences if one.test)
    notes = (f"{common.level(c.level)} Methods: {', '.join(ways)}.",)
    return common.table(
        "models", rows, columns, notes=notes, kind="forest", baseline={"difference": NULL[c.scale]}
    )


def _marked(c: Any, one: Any) -> Cell:
    """A difference, marked where its p-value shows one."""
    return Cell(one.estimate, "!" * bool(_p(c, one) < 1 - c.level))


def _differences(c: Any) -> Table:
    """A row per measure and pair: the difference with its interval and p-values."""
    several = len(c.pairs) > 1
    one_reference = len({reference for _, reference in c.pairs}) == 1
    first, reference = (text.label(one, 14) for one in c.pairs[0])
    head, sign = level_of(c.level, c.scale), SIGN[c.scale]
    if one_reference:
        head = f"{BY[c.scale]} {reference}" if several else f"{first} {sign} {reference}"
    models = Column("models", "model" if one_reference else "models", "name")
    columns: common.Columns = {
        Column("measure", "measure", "name"): lambda one: named(one.measure),
        **(
            {models: lambda one: one.model if one_reference else f"{one.model} {sign} {one.reference}"}
            if several
            else {}
        ),
        Column("estimate", head, KIND[c.scale]): lambda one: _marked(c, one),
        Column("p", "p", "p"): lambda one: one.p_value,
        **({Column("adjusted", ADJUSTED[c.adjust], "p"): lambda one: one.adjusted} if is_adjusted(c) else {}),
        Column("method", "method", "method"): lambda one: one.estimate,
    }
    return common.table("differences", c.differences, columns, kind="forest", baseline=NULL[c.scale])


def _in_parts(c: Any, found: Sequence[Any], key: str) -> Table:
    """A row for each group, or fold, and pair of models: the difference in each measure."""
    several = len(c.pairs) > 1

    def part(one: Any) -> str:
        models = f", {one.model} {SIGN[c.scale]} {one.reference}" * several
        return f"{getattr(one, key)}{models}"

    number = len({getattr(one, key) for one in found})
    adjusted = f" (p adjusted by {ADJUSTED[c.adjust]} for all {len(found)})" * bool(ADJUSTED[c.adjust])
    note = (
        f"Intervals: {100 * c.level:.4g}% for the {number} {key}s together, for each difference; !: p below"
        f" {1 - c.level:.3g}{adjusted}."
    )
    first = f": {c.pairs[0][0]} {SIGN[c.scale]} {c.pairs[0][1]}" * (not several)
    return common.differences(
        found, c.measures, f"differences in {key}s", f"{key}{first}", part,
        lambda one: bool(one.adjusted < 1 - c.level), KIND[c.scale], NULL[c.scale], notes=(note,),
    )  # fmt: skip


def is_adjusted(c: Any) -> bool:
    """Whether p-values are adjusted for each other."""
    return bool(ADJUSTED[c.adjust]) and len(c.differences) > 1


def _p(c: Any, one: Any) -> float:
    return float(one.adjusted if is_adjusted(c) else one.p_value)


def _agreement(one: Any) -> Table:
    """Of a pair the cases that both, one or none of the models predict correctly."""
    first, second = text.labels((one.first, one.second), 14).values()
    columns: common.Columns = {
        Column("cases", "cases", "name"): lambda which, right, wrong: f"{first} {which}",
        Column("right", f"{second} right", "count"): lambda which, right, wrong: one.right[right],
        Column("wrong", f"{second} wrong", "count"): lambda which, right, wrong: one.right[wrong],
    }
    rows = [("right", "both", "first only"), ("wrong", "second only", "neither")]
    return common.table(f"agreement of {one.first} and {one.second}", rows, columns)


def _said_of_agreement(one: Any) -> str:
    share = one.same
    ends = f" {text.interval(100 * share.low, 100 * share.high, 1)}" if share.has_interval else ""
    kappa = "undefined" if one.kappa.undefined else estimate(one.kappa)
    ranked = ""
    if one.spearman is not None:
        ranked = f"; ranks: Spearman {one.spearman:.3f}, Kendall {one.kendall:.3f}"
        ranked = "; ranks: a constant score" if isnan(one.spearman) else ranked
    notes = dict.fromkeys(note.text for found in (one.same, one.kappa) for note in found.notes)
    remarks = f" ({'; '.join(notes)})" if notes else ""
    return (
        f"{name(one.first)} and {name(one.second)} give the same answer to"
        f" {100 * share.value:.1f}{ends} % of the cases, kappa {kappa}{ranked}{remarks}."
    )


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
    columns: common.Columns = {
        Column("measure", "improvement", "name"): lambda one: one,
        Column("estimate", level_of(r.nri.level), "estimate"): lambda one: getattr(r, one),
    }
    moves = [_moves(r, what, getattr(r, what)) for what in ("positives", "negatives")] if r.cutoffs else []
    return Document(
        kind="reclassification",
        headline=f"Reclassification by {name(r.model)} against {name(r.reference)}: NRI {estimate(r.nri)}.",
        notices=r.notices,
        tables=(common.table("improvements", IMPROVEMENTS, columns, kind="forest", baseline=0.0), *moves),
        footnotes=(f"{capital(r.note)}." if r.note else "",),
    )


def _moves(r: Any, what: str, cases: np.ndarray) -> Table:
    """Rows are categories of the reference, columns those of the model."""
    limits = [f"{limit:g}" for limit in r.cutoffs]
    names = [f"below {limits[0]}", *(f"from {limit}" for limit in limits)]
    head = f"{what}: {text.label(r.reference, 16)} \\ {text.label(r.model, 16)}"
    columns: common.Columns = {
        Column("from", head, "name"): names.__getitem__,
        **{Column(one, one, "count"): cases[:, j].tolist().__getitem__ for j, one in enumerate(names)},
    }
    return common.table(what, range(len(names)), columns)


# Trained again
# --------------------------------------------------------------------------------------------------


def cross_validation(c: Any, full: bool = False) -> Document:
    """The estimate of each estimator, and the differences of every two."""
    trained = text.count(c.rows - -(-c.rows // c.folds))
    each = ", ".join(f"{name(one)} {estimate(found)}" for one, found in [*c.estimates.items()][:3])
    estimates: common.Columns = {
        Column("estimator", "estimator", "name"): lambda one, _: one,
        Column("estimate", level_of(c.level, title(c.measure)), "estimate"): lambda _, found: found,
        Column("method", "", "method"): lambda _, found: found,
    }
    differences: common.Columns = {
        Column("pair", "first minus second", "name"): lambda one: f"{one.first} - {one.second}",
        Column("estimate", "difference", "difference"): lambda one: Cell(
            one.estimate, "!" * bool(one.p_value < 1 - c.level)
        ),
        Column("p", "p", "p"): lambda one: one.p_value,
        Column("method", "", "method"): lambda one: one.estimate,
    }
    several = c.differences if len(c.names) > 1 else ()
    return Document(
        kind="cross-validation",
        headline=f"{title(c.measure)}: {each}.",
        facts=(
            f"{c.measure}, {text.count(c.rows)} cases, {c.folds} folds, {number_of(c.repeats, 'time')}, seed"
            f" {c.seed}",
        ),
        notices=c.notices,
        tables=(
            common.table("estimators", c.estimates.items(), estimates, kind="forest"),
            common.table("differences", several, differences, kind="forest", baseline=0.0),
        ),
        footnotes=(
            f"Intervals: approximate (corrected resampled t), for models trained on about {trained} cases.",
        ),
    )


def out_of_bag(o: Any, full: bool = False) -> Document:
    """The estimates, and the over-fitting."""
    rate = "unknown" if isnan(o.overfitting) else f"{o.overfitting:.4f}"

    def note(found: Any) -> str:
        notes = without_codes(found.notes, "out-of-bag")
        return found.undefined.text if found.undefined else text_of(notes) or ""

    columns: common.Columns = {
        Column("estimate", "estimate", "name"): lambda key, one: Cell(one, name=key),
        Column("value", f"value [{100 * o.level:.4g}% of replicates]", "estimate"): (
            lambda key, _: o.estimates[key]
        ),
        Column("note", ""): lambda key, _: note(o.estimates[key]),
    }
    return Document(
        kind="out-of-bag",
        headline=f"{title(o.measure)} {estimate(o.estimates['632_plus'])} (.632+).",
        facts=(
            f"{o.measure}, {text.count(o.rows)} cases, {number_of(len(o.values), 'bootstrap set')}, seed"
            f" {o.seed}",
            f"relative over-fitting rate {rate} (0 none, 1 as by chance)",
        ),
        notices=o.notices,
        tables=(common.table("estimates", OUT_OF_BAG.items(), columns),),
    )


def permutation(r: Any, full: bool = False) -> Document:
    """The value, the p-value, and the values with permuted labels."""
    train, test = map(text.count, r.rows)
    p = r.p
    size, facts = "without a p-value", [f"no p-value: {p.undefined}"]
    if r.used:
        size = f"p = {p.value:.4g}"
        quantiles = np.nanquantile(r.permuted, [0.025, 0.5, 0.975], method="inverted_cdf")
        low, middle, high = map(text.number, quantiles)
        facts = [
            f"{size}, one-sided, {r.counting}; {100 * r.level:.4g}% Monte Carlo interval"
            f" {text.interval(p.low, p.high)}",
            f"with permuted labels: median {middle}, 95% from {low} to {high}",
        ]
    return Document(
        kind="permutation test",
        headline=f"{title(r.measure)} {text.number(r.value)}, {size}.",
        facts=(
            f"{title(r.measure)} ({r.better} is better), trained on {train} cases, measured on {test}",
            f"{text.count(r.used)} permutations of the training labels, seed {r.seed};"
            f" {text.count(r.as_good)} as good or better",
            *facts,
            p.note or "",
        ),
        notices=r.notices,
    )


DESIGN = {
    "cohort": "Design: cohort, so that the class mix varies from sample to sample",
    "case-control": "Design: case-control, so that the class sizes are fixed",
}
SAME_KIND = (
    "Cases are those that give the width wanted: the same data counted more often, with the interval made"
    " anew"
)
RESAMPLED = (
    "Intervals by resampling vary a little from one number of cases to another, and so do the numbers of"
    " cases given for them"
)
DETECTABLE = (
    "An interval detects, with a power of {power:g}, about so large a difference from a fixed value; from"
    " another model, on other such data, one of 1.41 times that"
)


ORDER = ("failed", "undecided", "passed")  # on a screen, which may not hold all
TONES: Mapping[str, Any] = {"passed": "good", "failed": "bad", "undecided": ""}


def verdict(v: Any, full: bool = False) -> Document:
    """The cases, a row per requirement, and whether all are met."""
    data = v.evaluation.data
    sentence: common.Columns = {Column("found", "found"): lambda one: one.sentence}
    apart: common.Columns = {
        Column("estimate", "estimate [interval]", "estimate"): lambda one: one.estimate,
        Column("comparison", "compared"): lambda one: one.comparison,
        Column("method", "method", "method"): lambda one: one.estimate,
        Column("remarks", ""): lambda one: one.remarks,
    }
    columns: common.Columns = {
        Column("outcome", "outcome"): lambda one: one.outcome if one.passed else one.outcome.upper(),
        Column("requirement", "requirement", "name"): lambda one: one.requirement,
        **(apart if full else sentence),
    }
    findings = sorted(v.findings, key=lambda one: ORDER.index(one.outcome))
    found = common.table("requirements", findings, columns, kind="forest", baseline={"estimate": "limit"})
    rows = [{**row, "limit": one.limit} for row, one in zip(found.rows, findings, strict=True)]
    return Document(
        kind="check",
        title=data.called,
        headline=f"{v.summary}.",
        tone=TONES[v.decided(v.outcome)],
        facts=(
            f"{data.head}{common.cases(data)}",
            v.baseline,
            v.condition,
            f"{v.budget}." if v.budget else "",
        ),
        notices=v.notices if full else [one for one in v.notices if one.severe],
        tables=(replace(found, rows=rows),),
        footnotes=(
            "A requirement on a measure is decided by its whole interval; one on the value alone is written"
            " as f1.value >= 0.7."
            if any(one.outcome == "undecided" and one.part == "interval" for one in v.findings)
            else "",
        ),
    )


def self_test(t: Any, full: bool = False) -> Document:
    """A row per requirement: how often the halves differ, contradict each other, and what each finds."""
    columns: common.Columns = {
        Column("requirement", "requirement", "name"): lambda one: one.requirement,
        Column("apart", "halves differ", "share"): lambda one: one.apart,
        Column("contradicted", "contradicted", "share"): lambda one: one.contradicted,
        Column("passed", "passed", "share"): lambda one: one.passed,
        Column("failed", "failed", "share"): lambda one: one.failed,
        Column("undecided", "undecided", "share"): lambda one: one.undecided,
    }
    apart = sorted(one.apart for one in t.tested)
    least_most = " to ".join(dict.fromkeys(f"{100 * one:.3g}%" for one in (apart[0], apart[-1])))
    promised, at_limit = f"{100 * t.apart_promised:.3g}%", f"{100 * t.contradicted_promised:.2g}%"
    return Document(
        kind="self_test",
        title=t.data.called,
        headline=(
            f"Two random halves of the same cases are found different in {least_most} of {t.splits} splits"
            f" (nominal {promised})."
        ),
        facts=(f"{t.data.head}{common.cases(t.data)}",),
        tables=(common.table("requirements", t.tested, columns),),
        footnotes=(
            f"{t.budget}." if t.budget else "",
            f"Halves differ: the {100 * t.level:.6g}% interval of their difference leaves out 0.",
            f"Contradicted: one half passes and the other fails; where whole intervals decide, in {at_limit}"
            " of splits if all cases are just at the limit. Against a baseline, for which the other half"
            " stands: it fails.",
            "Passed, failed, undecided: of the halves, each with half of the cases.",
        ),
    )


def explanation(e: Any, full: bool = False) -> Document:
    """What each requirement means, and how often it is met, undecided and not met."""
    columns: common.Columns = {
        Column("requirement", "requirement", "name"): lambda one: one.requirement,
        Column("expected", "expected"): lambda one: text.number(one.expected).removesuffix(".000"),
        **{
            Column(key, key, "share"): lambda one, key=key: getattr(one, key)
            for key in ("passes", "undecided", "fails")
        },
        Column("meaning", "passes where"): lambda one: one.meaning,
    }
    return Document(
        kind="explanation",
        title=e.data.called,
        headline="What a model of the expected quality gets from this gate.",
        facts=(f"{e.data.head}{common.cases(e.data)}",),
        notices=e.notices,
        tables=(common.table("requirements", e.chances, columns),),
        footnotes=(
            "Probabilities of each requirement by itself, on other cases such as these and as many, if the"
            " expected value is the true one.",
            f"{e.budget}." if e.budget else "",
        ),
    )


def plan(p: Any, full: bool = False) -> Document:
    """The goal, how many cases, and what is assumed."""
    interval = []
    if p.interval is not None:
        way = p.method if p.clusters is None else f"{p.method}, of the effective number of cases in clusters"
        interval = [f"The {100 * p.level:.4g}% interval should be about {text.interval(*p.interval)} ({way})"]
    return Document(
        kind="plan",
        headline=f"{p.goal}.",
        tables=(_needed(_sizes(p)),),
        footnotes=_listed([*interval, DESIGN[p.design], *p.assumptions]),
    )


def _needed(rows: Iterable[tuple[str, float, str]]) -> Table:
    columns: common.Columns = {
        Column("needed", "needed"): lambda what, number, remark: what,
        Column("number", "number", "count"): lambda what, number, remark: number,
        Column("remark", ""): lambda what, number, remark: remark,
    }
    return common.table("cases", rows, columns)


def _listed(sentences: list[str]) -> tuple[str, ...]:
    return tuple(f"* {one}." for one in sentences)


def _sizes(p: Any) -> list[Any]:
    power = "" if p.power is None else f"power {int(p.power * 10_000) / 10_000:.4f}"  # not made larger
    sizes = [(name, getattr(p, name)) for name in ("positives", "negatives")]
    sizes = [(name, size) for name, size in sizes if size is not None] or [("cases", p.n)]
    remarks = [power, "" if p.sets == 1 else f"in each of {p.sets} sets"]
    rows = [(name, size, more) for (name, size), more in zip(sizes, remarks, strict=False)]
    if p.cases is not None and p.assurance is None:
        rows.append(("cases", p.cases, f"hold them, at a fixed share of {p.prevalence:g}"))
    elif p.cases is not None and p.on_average is not None:
        rows.append(("cases", p.on_average, f"hold them on average, at a share of {p.prevalence:g}"))
        rows.append(("cases", p.cases, f"hold enough with a probability of {p.assurance:g}"))
    return rows if p.clusters is None else [*rows, ("clusters", p.clusters, "that hold these cases")]


def external_plan(p: Any, full: bool = False) -> Document:
    """Cases for each criterion, cases in all, and assumptions."""
    columns: common.Columns = {
        Column("measure", "measure", "name"): lambda one: named(one.measure),
        Column("expected", "expected"): lambda one: text.number(one.expected).removesuffix(".000"),
        Column("width", "width", "number"): lambda one: one.width,
        Column("interval", "interval"): lambda one: text.interval(*one.interval),
        Column("cases", "cases", "count"): lambda one: one.n,
    }
    clusters = [] if p.clusters is None else [("clusters", p.clusters, "")]
    return Document(
        kind="external validation",
        headline=f"External validation: {100 * p.level:.4g}% intervals no wider than wanted, at a prevalence"
        f" of {p.prevalence:.4g}, take {text.count(p.n)} cases.",
        tables=(
            common.table("criteria", p.criteria, columns),
            _needed([("cases", p.n, ""), ("positives", p.events, "on average"), *clusters]),
        ),
        footnotes=_listed([DESIGN[p.design], *p.assumptions]),
    )


def present(p: Any, full: bool = False) -> Document:
    """Of each measure its interval, and how many cases another width takes."""
    columns: common.Columns = {
        Column("measure", "measure", "name"): lambda one: named(one.measure),
        Column("estimate", level_of(p.level), "estimate"): lambda one: one.estimate,
        Column("width", "width", "number"): lambda one: one.width,
        Column("wanted", "wanted", "number"): lambda one: one.wanted,
        Column("cases", "cases", "count"): lambda one: one.cases,
        Column("detectable", "detects", "number"): lambda one: one.detectable,
    }
    resampled = any("bootstrap" in (one.estimate.method or "") for one in p.reach)
    notes = [SAME_KIND, DETECTABLE.format(power=p.power), *([RESAMPLED] if resampled else [])]
    return Document(
        kind="precision",
        headline=f"{number_of(ceil(p.cases), 'case')}.",
        facts=(p.conditions,),
        notices=p.notices,
        tables=(common.table("measures", p.reach, columns),),
        footnotes=_listed([*notes, *(f"{one.measure}: {one.note}" for one in p.reach if one.note)]),
    )
