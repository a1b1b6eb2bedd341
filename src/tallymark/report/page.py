"""One self-contained HTML page of an evaluation: no script, nothing loaded from elsewhere. All names and labels are escaped."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from itertools import groupby
from pathlib import PurePath
from typing import Any

from .. import text
from ..measures.rates import false_positive_rate, precision, sensitivity
from ..plots import svg
from ..printed import AVERAGED, CLASS_COLUMNS, MICRO, RANKED, confusions, guessing, in_clusters, said_of, shown_classes

MOST_CLASSES = 30  # whose matrix is still drawn
LISTED_CLASSES = 200
LONGEST_LABEL = 24  # of the matrix; the whole label is the title of its cell
MOST_UPRIGHT = 40  # characters of all labels together: of more, the heads of the columns are turned
STYLE = """
.tallymark { --ink: #1c2430; --soft: #5c6878; --line: #dfe4ea; --paper: #ffffff; --card: #f6f8fa; --blue: #1f6feb; --amber: #b35900; }
@media (prefers-color-scheme: dark) {
  .tallymark { --ink: #e4e8ee; --soft: #9aa6b5; --line: #323b47; --paper: #12171e; --card: #1a212b; --blue: #6cabff; --amber: #f0a04b; }
}
.tallymark { color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
.tallymark h1 { font-size: 1.5rem; margin: 0 0 .2rem; } .tallymark h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
.tallymark p.facts { color: var(--soft); margin: 0; }
.tallymark ul.notices { list-style: none; padding: 0; margin: 1.2rem 0 0; }
.tallymark ul.notices li { border-left: 4px solid var(--amber); background: var(--card); padding: .5rem .8rem; margin: .4rem 0; }
.tallymark code { color: var(--soft); font-size: .85em; white-space: nowrap; }
.tallymark .curves { display: flex; flex-wrap: wrap; gap: 1.5rem; } .tallymark figure { margin: 0; flex: 1 1 18rem; max-width: 27rem; }
.tallymark figcaption { color: var(--soft); font-size: .9rem; }
.tallymark svg.curve { width: 100%; } .tallymark svg text { fill: var(--soft); font-size: 12px; }
.tallymark svg .grid { stroke: var(--line); } .tallymark svg .baseline { stroke: var(--soft); stroke-dasharray: 4 4; }
.tallymark svg .line { fill: none; stroke: var(--blue); stroke-width: 2; } .tallymark svg .mark { fill: var(--amber); }
.tallymark svg .band { fill: var(--blue); fill-opacity: .15; } .tallymark svg .band.second { fill: var(--amber); }
.tallymark svg .point { fill: var(--blue); }
.tallymark .scroll { overflow-x: auto; background-image: linear-gradient(to right, var(--paper) 40%, transparent),
  linear-gradient(to left, var(--paper) 40%, transparent), linear-gradient(to right, var(--line), transparent),
  linear-gradient(to left, var(--line), transparent); background-position: left, right, left, right; background-repeat: no-repeat;
  background-size: 2.5rem 100%, 2.5rem 100%, 1rem 100%, 1rem 100%; background-attachment: local, local, scroll, scroll; }
.tallymark .scroll table + table, .tallymark p.facts + table { margin-top: 1rem; }
.tallymark table { border-collapse: collapse; } .tallymark th, .tallymark td { padding: .3rem .8rem; border-bottom: 1px solid var(--line); }
.tallymark th { text-align: left; font-weight: 600; } .tallymark td.n { text-align: right; font-variant-numeric: tabular-nums; }
.tallymark td.soft { color: var(--soft); font-size: .9em; }
.tallymark th.n { text-align: right; } .tallymark td.n { white-space: nowrap; } .tallymark td.diagonal { background: var(--card); font-weight: 600; }
.tallymark table.matrix th { position: sticky; left: 0; background: var(--paper); white-space: nowrap; }
.tallymark table.matrix th.n { position: static; background: none; vertical-align: bottom; }
.tallymark table.matrix.large th, .tallymark table.matrix.large td { padding: .3rem .45rem; }
.tallymark table.matrix.large th.n span { writing-mode: vertical-rl; transform: rotate(180deg); }
.tallymark .bar, .tallymark .axis { position: relative; width: 13rem; }
.tallymark .axis { display: flex; justify-content: space-between; color: var(--soft); font-size: .8em; font-weight: 400; }
.tallymark .bar { height: .9rem; background: var(--card); border-radius: 3px; border: 0 solid var(--line); }
.tallymark .bar.half { background: linear-gradient(to right, transparent 50%, var(--card) 50%); }
.tallymark p.foot { margin-top: 1.5rem; }
.tallymark .bar i { position: absolute; top: .35rem; height: .2rem; background: var(--blue); opacity: .6; border-radius: 2px; }
.tallymark .bar b { position: absolute; top: .15rem; width: .6rem; height: .6rem; margin-left: -.3rem; border-radius: 50%; background: var(--blue); }
"""
SHEET = "html { background: #ffffff; } @media (prefers-color-scheme: dark) { html { background: #12171e; } } body { margin: 0; }"


def page(e: Any) -> str:
    """The whole document."""
    title = f"Tallymark: {escape(PurePath(e.data.source).name)}"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>{SHEET}</style>\n</head>\n<body>\n{fragment(e)}\n</body>\n</html>\n"
    )


def fragment(e: Any) -> str:
    """The body with its style, for a notebook or inside a page."""
    parts = [_head(e), _notices(e), _curves(e), _matrix(e), _measures(e), _averages(e), _classes(e), _ranked(e), _foot(e)]
    return f'<style>{STYLE}</style>\n<main class="tallymark">\n' + "\n".join(part for part in parts if part) + "\n</main>"


def _head(e):
    facts = [f"{text.count(e.data.rows)} case{'s' * (e.data.rows != 1)}{in_clusters(e)}"]
    if e.counts:
        facts += [f"{text.count(e.data.positives)} positive", f"{text.count(e.data.negatives)} negative"]
    if e.threshold and e.threshold.value is not None:
        side = "≥" if e.higher_is_positive else "≤"
        facts.append(f"positive when score {side} {text.exact(e.threshold.value)} ({escape(e.threshold.rule)} threshold)")
    if e.baselines:
        facts.append(f"accuracy without knowledge: {guessing(e)}")
    if e.many:
        facts.append(f"{len(e.classes)} {'classes' if e.matrix else 'labels'}")
    facts += [f"{100 * e.settings.level:.4g}% intervals", *([e.conditions] if e.conditions else [])]
    return f'<h1>{escape(PurePath(e.data.source).name)}</h1>\n<p class="facts">{" · ".join(facts)}</p>'


def _notices(e):
    if not e.notices:
        return ""
    items = "\n".join(f"<li>{escape(notice.text)} <code>{escape(notice.code)}</code></li>" for notice in e.notices)
    return f'<ul class="notices">\n{items}\n</ul>'


def _curves(e):
    if e.ranking is None or not (e.data.positives and e.data.negatives):
        return ""
    roc = _figure(e, "roc", (false_positive_rate(e.counts), sensitivity(e.counts)), "ROC curve", "roc_auc")
    pr = _figure(e, "pr", (sensitivity(e.counts), precision(e.counts)), "Precision-recall curve", "average_precision")
    parts = "\n".join(part for part in (roc, pr, _reliability(e)) if part)
    return f'<h2>Curves</h2>\n<div class="curves">\n{parts}\n</div>'


def _reliability(e):
    if not e.probabilities:
        return ""
    found, title = e.estimates["expected_calibration_error"], "Reliability curve"
    of_cases = ", which take cases as independent of each other" if e.clusters else ""
    caption = (
        f"{title}: expected_calibration_error {text.number(found.value)} ({_interval(found)}), in bins of equal width with their "
        f"intervals{of_cases}. Probabilities that can be taken at their word lie on the dashed line."
    )
    plain = replace(e.curve("reliability"), about=None)  # the caption says what the band is, and a key would move the picture down
    return f"<figure>\n{svg.draw(plain, None, title)}\n<figcaption>{escape(caption)}</figcaption>\n</figure>"


def _figure(e, name, mark, title, area):
    found = e.estimates[area]
    caption = f"{title}: {area} {text.number(found.value)} ({_interval(found)}). The dot is the threshold; the dashed line is a classifier that guesses."
    return f"<figure>\n{svg.draw(e.curve(name), mark, title)}\n<figcaption>{escape(caption)}</figcaption>\n</figure>"


def _matrix(e):
    if e.counts is not None:
        table = e.two_by_two._repr_html_()
        return f'<h2>Two-by-two table</h2>\n<div class="scroll">{table}</div>'
    if e.matrix is None:
        return ""
    if len(e.matrix) > MOST_CLASSES:
        return _confusions(e)
    labels = text.labels(map(str, e.matrix.labels), LONGEST_LABEL)
    kind = "matrix" if sum(map(len, labels.values())) <= MOST_UPRIGHT else "matrix large"
    head = "".join(f'<th class="n"{_title(*one)}><span>{escape(one[1])}</span></th>' for one in labels.items())
    rows = zip(labels.items(), e.matrix.to_dict()["rows"], strict=True)
    body = "\n".join(_matrix_row(i, *row) for i, row in enumerate(rows))
    table = f'<table class="{kind}">\n<tr><th>true \\ predicted</th>{head}</tr>\n{body}\n</table>'
    return f'<h2>Confusion matrix</h2>\n<div class="scroll">{table}</div>'


def _title(label, short):
    """The whole label, where it is not shown."""
    return "" if label == short else f' title="{escape(label, quote=True)}"'


def _confusions(e):
    rows = "\n".join(
        f'<tr><td>{escape(a)}</td><td>{escape(b)}</td><td class="n">{text.count(n)}</td></tr>' for a, b, n in confusions(e)
    )
    head = '<tr><th>true</th><th>predicted as</th><th class="n">cases</th></tr>'
    return f'<h2>Most frequent mistakes</h2>\n<div class="scroll"><table>\n{head}\n{rows}\n</table></div>' if rows else ""


def _matrix_row(index, label, row):
    cells = "".join(f'<td class="n{" diagonal" * (i == index)}">{cell:,.9g}</td>' for i, cell in enumerate(row))
    return f"<tr><th{_title(*label)}>{escape(label[1])}</th>{cells}</tr>"


def _measures(e):
    remarks: dict[str, str] = {}
    entries = ((e.entry(name), found) for name, found in e.estimates.items())
    rows = "\n".join(
        f'<tr><th colspan="5">{escape(family.replace("_", " "))}</th></tr>\n' + "\n".join(_measure(*one, remarks) for one in found)
        for family, found in groupby(entries, key=lambda one: one[0].family)
    )
    head = (
        '<tr><th>measure</th><th class="n">value</th><th class="n">interval</th>'
        '<th><div class="axis"><span>-1</span><span>0</span><span>1</span></div></th><th>method</th></tr>'
    )
    foot = "".join(f"<br>{_raised(mark)} {escape(remark)}" for remark, mark in remarks.items())
    foot = f'\n<p class="facts">{foot.removeprefix("<br>")}</p>' if foot else ""
    return f'<h2>Measures</h2>\n<div class="scroll"><table>\n{head}\n{rows}\n</table></div>{foot}'


def _measure(entry, found, remarks):
    own, marks = said_of(found, remarks)
    said = found.undefined or " · ".join(own)
    return (
        f'<tr><td title="{escape(entry.title, quote=True)}">{escape(entry.name)}</td><td class="n">{text.number(found.value)}</td>'
        f'<td class="n">{_interval(found)}</td><td>{_bar(entry.range, found)}</td><td class="soft">{escape(said)}{_raised(marks)}</td></tr>'
    )


def _raised(marks):
    """^1 as a raised 1."""
    return "".join(f"<sup>{escape(mark)}</sup> " for mark in marks.split("^") if mark).rstrip()


def _interval(found):
    if found.undefined:
        return "undefined"
    return f"{text.number(found.low)} to {text.number(found.high)}" if found.has_interval else "no interval"


def _bar(span, found):
    """Where the value and its interval lie between -1 and 1, the same for all; nothing for a measure that goes further."""
    if not found.has_interval or span[0] < -1 or span[1] > 1:
        return ""
    at, start, stop = (50 * (value + 1) for value in (found.value, found.low, found.high))
    side = "whole" if span[0] < 0 else "half"
    return f'<div class="bar {side}"><i style="left:{start:.1f}%;width:{max(stop - start, 0.5):.1f}%"></i><b style="left:{at:.1f}%"></b></div>'


def _averages(e):
    if not e.many:
        return ""
    head = "".join(f'<th class="n">{kind}</th>' for kind in e.averages)
    rows = "\n".join(_row(name, [e.averages[kind][name] for kind in e.averages]) for name in AVERAGED)
    foot = f'\n<p class="facts">{MICRO}</p>' if e.matrix else ""
    return (
        f'<h2>Averages over the classes</h2>\n<div class="scroll"><table>\n<tr><th></th>{head}</tr>\n{rows}\n</table></div>{foot}'
    )


def _classes(e):
    if not e.many:
        return ""
    listed, more = shown_classes(e, LISTED_CLASSES)
    labels, each = e.many.table.labels, [e.many.each(name) for name in CLASS_COLUMNS]
    cases = e.many.counts.positives.tolist()
    head = "".join(f'<th class="n">{name}</th>' for name in ("cases", *CLASS_COLUMNS))
    rows = "\n".join(_row(str(labels[i]), [found[i] for found in each], text.count(cases[i])) for i in listed)
    foot = f'\n<p class="facts">The classes with the lowest and the highest f1; {more:,} more are in the JSON.</p>' if more else ""
    return f'<h2>Classes</h2>\n<div class="scroll"><table>\n<tr><th>class</th>{head}</tr>\n{rows}\n</table></div>{foot}'


def _ranked(e):
    """How each class ranks by its own score."""
    if e.scores is None:
        return ""
    listed, _ = shown_classes(e, LISTED_CLASSES)
    labels = [e.many.table.labels[i] for i in listed]
    head = "".join(f'<th class="n">{name}</th>' for name in RANKED)
    rows = "\n".join(_row(str(label), [e.one_vs_rest(label)[name] for name in RANKED]) for label in labels)
    return (
        f'<h2>Classes, by their own scores</h2>\n<div class="scroll"><table>\n<tr><th>class</th>{head}</tr>\n{rows}\n</table></div>'
    )


def _row(title, estimates, first=None):
    cells = "" if first is None else f'<td class="n">{first}</td>'
    cells += "".join(f'<td class="n">{text.number(found.value)}<br>{_interval(found)}</td>' for found in estimates)
    return f"<tr><th>{escape(title)}</th>{cells}</tr>"


def _foot(e):
    from ..version import __version__

    return f'<p class="facts foot">Tallymark {escape(__version__)}. Resampling seed {e.settings.seed}.</p>'
