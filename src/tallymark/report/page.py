"""What stands on the page of an evaluation. All names and labels are escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from ..__about__ import __version__
from ..evaluation.results import BinaryEvaluation, ClasswiseEvaluation, Evaluation, MulticlassEvaluation
from ..inference import Estimate
from ..input import text
from . import first_screen, parts
from .forms import contingency
from .forms.confusion import drawn, matrix_table
from .page_figures import curves
from .parts import at_threshold, bounds, level_of, promise, said_of
from .printed import (
    AVERAGED,
    CLASS_COLUMNS,
    MICRO,
    RANKED,
    confusions,
    guessing,
    in_clusters,
    micro_is_accuracy,
    shown_classes,
)
from .sheet import listed, title_of

if TYPE_CHECKING:
    from ..measures.registry import Measure

LISTED_CLASSES = 200
AXIS = '<th><div class="axis"><span>-1</span><span>0</span><span>1</span></div></th>'


def body(e: Evaluation, noticed: bool = True) -> str:
    """What stands on the page of an evaluation. noticed: whether its notices do, too."""
    if e.selected is not None:
        tables = [_measures(e)]
    else:
        tables = [headline_table(e), *_above(e), *_below(e), _families(e)]
    parts = [_head(e), listed(e.notices if noticed else ()), *tables, _foot(e)]
    return "\n".join(part for part in parts if part)


@singledispatch
def _above(e: Evaluation) -> list[str]:
    """The figures and tables of the task above its measures; some may be empty."""
    return []


@_above.register
def _(e: BinaryEvaluation) -> list[str]:
    return [curves(e), f"<h2>Two-by-two table</h2>\n{contingency.as_html(e.two_by_two)}"]


@_above.register
def _(e: MulticlassEvaluation) -> list[str]:
    return [f"<h2>Confusion matrix</h2>\n{matrix_table(e.matrix)}" if drawn(e.matrix) else _confusions(e)]


@singledispatch
def _below(e: Evaluation) -> list[str]:
    """The tables of the task below its measures; some may be empty."""
    return []


@_below.register
def _(e: ClasswiseEvaluation) -> list[str]:
    return [_averages(e), _classes(e)]


@_below.register
def _(e: MulticlassEvaluation) -> list[str]:
    return [_averages(e), _classes(e), "" if e.scores is None else _ranked(e)]


def _head(e: Evaluation) -> str:
    facts = [f"{text.count(e.data.rows)} case{'s' * (e.data.rows != 1)}{in_clusters(e)}"]
    facts += _of_two(e) if isinstance(e, BinaryEvaluation) else []
    if e.baselines:
        facts.append(f"baseline accuracy: {guessing(e)}")
    if isinstance(e, ClasswiseEvaluation):
        facts.append(f"{len(e.classes)} {'classes' if e.task == 'multiclass' else 'labels'}")
    facts += [f"{100 * e.settings.level:.4g}% intervals", *([e.conditions] if e.conditions else [])]
    title = f"<h1>{escape(title_of(e))}</h1>"
    sentence = "" if e.headline is None else f'\n<p class="headline">{escape(str(e.headline))}</p>'
    return f'{title}{sentence}\n<p class="facts">{" · ".join(facts)}</p>'


def _of_two(e: BinaryEvaluation) -> list[str]:
    """How many cases of each class there are, and where the threshold is."""
    facts = [f"{text.count(e.data.positives or 0)} positive", f"{text.count(e.data.negatives or 0)} negative"]
    if e.threshold is not None and e.limit is not None:
        side = "≥" if e.higher_is_positive else "≤"
        facts.append(
            f"positive when score {side} {text.exact(e.limit)} ({escape(e.threshold.rule.text)} threshold)"
        )
    if said := promise(e):
        facts.append(escape(said))
    return facts


def _confusions(e: MulticlassEvaluation) -> str:
    rows = "\n".join(
        f'<tr><td>{escape(a)}</td><td>{escape(b)}</td><td class="n">{text.count(n)}</td></tr>'
        for a, b, n in confusions(e)
    )
    head = '<tr><th>true</th><th>predicted as</th><th class="n">cases</th></tr>'
    return (
        f'<h2>Most frequent mistakes</h2>\n<div class="scroll"><table>\n{head}\n{rows}\n</table></div>'
        if rows
        else ""
    )


def headline_table(e: Evaluation) -> str:
    """The measures that most readers ask for."""
    rows = first_screen.headlines(e)
    bars = [_bar(e.entry(row.name).range if row.name in e.estimates else (0, 1), row.found) for row in rows]
    lines = [_headline(row, bar, any(bars)) for row, bar in zip(rows, bars, strict=True)]
    head = [*_head_of(level_of(e.settings.level), bars), "<th></th></tr>"]
    table = "\n".join(["".join(head), *lines])
    mix = first_screen.of_this_mix((row.label, row.found) for row in rows)
    below = f'\n<p class="facts">{escape(mix)}</p>' if mix else ""
    return f'<h2>Measures</h2>\n<div class="scroll"><table>\n{table}\n</table></div>{below}' if rows else ""


def _head_of(interval: str, bars: Sequence[str]) -> list[str]:
    """The heads of name, value, interval, and of the bars where there are any."""
    head = ["<tr><th>measure</th>", '<th class="n">value</th>', f'<th class="n">{escape(interval)}</th>']
    return [*head, AXIS] if any(bars) else head


def _headline(row: first_screen.Row, bar: str, barred: bool) -> str:
    value, ends = parts.value(row.found), first_screen.interval_of(row.found)
    return (
        f'<tr><td title="{escape(row.name, quote=True)}">{escape(row.label)}</td><td class="n">{value}</td>'
        f'<td class="n">{escape(ends)}</td>{f"<td>{bar}</td>" * barred}'
        f'<td class="soft">{escape(row.next_to)}</td></tr>'
    )


def _families(e: Evaluation) -> str:
    """Every measure with its method, folded by family."""
    entries = ((e.entry(name), found) for name, found in e.estimates.items())
    families = groupby(entries, key=lambda one: one[0].family)
    folded = "\n".join(
        f"<details><summary>{escape(family.replace('_', ' '))}</summary>\n{_table_of(list(found))}</details>"
        for family, found in families
    )
    return f"<h2>Every measure, with its method</h2>\n{folded}" if folded else ""


def _measures(e: Evaluation) -> str:
    """The measures that were chosen, with their methods."""
    return f"<h2>Measures</h2>\n{_table_of([(e.entry(name), found) for name, found in e.shown.items()])}"


def _table_of(measures: Sequence[tuple[Measure, Estimate]]) -> str:
    remarks: dict[str, str] = {}
    bars = [_bar(entry.range, found) for entry, found in measures]
    each = (f"<td>{bar}</td>" * any(bars) for bar in bars)
    rows = [_measure(*one, bar, remarks) for one, bar in zip(measures, each, strict=True)]
    head = "".join([*_head_of("interval", bars), "<th>method</th></tr>"])
    foot = "".join(f"<br>{_raised(mark)} {escape(remark)}" for remark, mark in remarks.items())
    foot = f'\n<p class="facts">{foot.removeprefix("<br>")}</p>' if foot else ""
    table = "\n".join([head, *rows])
    return f'<div class="scroll"><table>\n{table}\n</table></div>{foot}'


def _measure(entry: Measure, found: Estimate, bar: str, remarks: dict[str, str]) -> str:
    own, marks = said_of(found, remarks)
    said = (
        found.undefined.text
        if found.undefined
        else " · ".join([*own, *filter(None, [at_threshold(entry, found)])])
    )
    return (
        f'<tr><td title="{escape(entry.title, quote=True)}">{escape(entry.name)}</td>'
        f'<td class="n">{parts.value(found, usual=parts.IN_FULL)}</td><td class="n">{interval(found)}</td>'
        f'{bar}<td class="soft">{escape(said)}{_raised(marks)}</td></tr>'
    )


def _raised(marks: str) -> str:
    """^1 as a raised 1."""
    return "".join(f"<sup>{escape(mark)}</sup> " for mark in marks.split("^") if mark).rstrip()


def interval(found: Estimate) -> str:
    """The ends of an interval, or that there is none."""
    return bounds(found, "no interval", usual=parts.IN_FULL)


def _bar(span: tuple[float, float], found: Estimate) -> str:
    """A bar from -1 to 1 with the value and its interval; empty for a measure with another range."""
    if not found.has_interval or span[0] < -1 or span[1] > 1:
        return ""
    at, start, stop = (50 * (value + 1) for value in (found.centre, found.low, found.high))
    side = "whole" if span[0] < 0 else "half"
    return (
        f'<div class="bar {side}"><i style="left:{start:.1f}%;width:{max(stop - start, 0.5):.1f}%"></i>'
        f'<b style="left:{at:.1f}%"></b></div>'
    )


def _averages(e: ClasswiseEvaluation) -> str:
    head = "".join(f'<th class="n">{kind}</th>' for kind in e.averages)
    rows = "\n".join(_row(name, [e.averages[kind][name] for kind in e.averages]) for name in AVERAGED)
    foot = f'\n<p class="facts">{MICRO}</p>' if micro_is_accuracy(e) else ""
    return (
        "<h2>Averages over the classes</h2>\n"
        f'<div class="scroll"><table>\n<tr><th></th>{head}</tr>\n{rows}\n</table></div>{foot}'
    )


def _classes(e: ClasswiseEvaluation) -> str:
    listed, more = shown_classes(e, LISTED_CLASSES)
    labels, each = e.many.summary.labels, [e.many.each(name) for name in CLASS_COLUMNS]
    cases = e.many.counts.positives.tolist()
    head = "".join(f'<th class="n">{name}</th>' for name in ("cases", *CLASS_COLUMNS))
    rows = "\n".join(_row(str(labels[i]), [found[i] for found in each], text.count(cases[i])) for i in listed)
    foot = (
        f'\n<p class="facts">The classes with the lowest and the highest f1; {more:,} more are in the'
        " JSON.</p>"
        if more
        else ""
    )
    return (
        "<h2>Classes</h2>\n"
        f'<div class="scroll"><table>\n<tr><th>class</th>{head}</tr>\n{rows}\n</table></div>{foot}'
    )


def _ranked(e: MulticlassEvaluation) -> str:
    """How each class ranks by its own score."""
    listed, _ = shown_classes(e, LISTED_CLASSES)
    labels = [e.many.summary.labels[i] for i in listed]
    head = "".join(f'<th class="n">{name}</th>' for name in RANKED)
    rows = "\n".join(_row(str(label), [e.one_vs_rest(label)[name] for name in RANKED]) for label in labels)
    return (
        "<h2>Classes, by their own scores</h2>\n"
        f'<div class="scroll"><table>\n<tr><th>class</th>{head}</tr>\n{rows}\n</table></div>'
    )


def _row(title: str, estimates: Iterable[Estimate], first: str | None = None) -> str:
    cells = "" if first is None else f'<td class="n">{first}</td>'
    cells += "".join(
        f'<td class="n">{parts.value(found, usual=parts.IN_FULL)}<br>{interval(found)}</td>'
        for found in estimates
    )
    return f"<tr><th>{escape(title)}</th>{cells}</tr>"


def _foot(e: Evaluation) -> str:
    return f'<p class="facts foot">Tallymark {escape(__version__)}. Resampling seed {e.settings.seed}.</p>'
