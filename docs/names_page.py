"""The page of what goes by a name: curves, rules for a threshold, notices; read from their registries."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tallymark.curves import CURVES, kinds_of
from tallymark.evaluation.notices import RULES
from tallymark.evaluation.thresholds import NAMED
from tallymark.input.sample import TASKS

PAGE = """# Curves, rules for a threshold, notices

Made from the docstrings by `python docs/make.py`; edit those. The measures are on
[another page](measures.md).

## Curves

`ev.curve("roc")`, `tallymark curve roc`. Any measure of counts against the threshold is a curve, too.

| curve | | parameters | bands |
|---|---|---|---|
{curves}

## Rules for a threshold

`tm.choose_threshold(rule="youden", ...)`, `tallymark threshold --rule youden`. Instead of such a
name, a rule may be a measure of counts, whose best value is chosen, such as `f1`, or a limit, such as
`sensitivity>=0.95`, or `sensitivity.low>=0.95` on the confidence bound ([thresholds](thresholds.md)).

| rule | | options |
|---|---|---|
{rules}

## Notices

The possible entries of `ev.notices`: facts of the data, and findings on the model, which are based on 99 %
intervals ([how often they appear](notices.md)). Severe ones change how the numbers must be read: they stand
before the numbers, on the first screen in brief. The fields of each are the figures in its sentence. Those of
other answers are in [json.md](json.md#notice-codes).

| code | kind | severe | task | when | source |
|---|---|---|---|---|---|
{notices}
"""


def page() -> str:
    """The three tables."""
    curves = [
        [f"`{name}`", _said(drawn), _options(drawn), ", ".join(kinds_of(name))]
        for name, drawn in CURVES.items()
    ]
    rules = [
        [f"`{name}`", _said(rule.function), ", ".join(f"`{one}`" for one in rule.options)]
        for name, rule in NAMED.items()
    ]
    notices = [
        [
            f"`{rule.code}`",
            "finding" if rule.finding else "fact",
            "severe" * rule.severe,
            _tasks(rule.of),
            _said(rule.function),
            rule.source or "",
        ]
        for rule in RULES
    ]
    return PAGE.format(curves=_table(curves), rules=_table(rules), notices=_table(notices))


def _said(function: Callable[..., Any]) -> str:
    return " ".join((inspect.getdoc(function) or "").split())


def _options(drawn: Callable[..., Any]) -> str:
    given = [one for one in inspect.signature(drawn).parameters.values() if one.kind is one.KEYWORD_ONLY]
    return ", ".join(f"`{one.name}={one.default}`" for one in given if one.name not in ("level", "band"))


def _tasks(tasks: tuple[str, ...]) -> str:
    return "all" if set(tasks) == set(TASKS) else ", ".join(tasks)


def _table(rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
