"""The verdict of a gate, and plans of studies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import ceil
from typing import Any

from ...input import text
from ..document import Column, Document, Table
from ..grid import level_of
from . import common
from .common import named, number_of

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
    found = common.table("requirements", v.findings, columns, kind="forest", baseline={"estimate": "limit"})
    rows = [{**row, "limit": one.limit} for row, one in zip(found.rows, v.findings, strict=True)]
    return Document(
        kind="check",
        title=data.called,
        headline=f"{v.summary}.",
        tone="good" if v.passed else "bad",
        facts=(
            f"{data.head}{common.cases(data)}",
            v.baseline,
            v.condition,
            f"{v.budget}." if v.budget else "",
        ),
        notices=v.notices if full else [one for one in v.notices if one.severe],
        tables=(replace(found, rows=rows),),
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
        Column("expected", "expected", "number"): lambda one: one.expected,
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
