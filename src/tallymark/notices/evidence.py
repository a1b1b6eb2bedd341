"""What an interval shows: the findings rest on these two questions.

A two-sided interval of 99 % puts the false alarms of each side at 0.5 % where it holds, so that approximate intervals stay below
the 2 % that a notice may have.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

LEVEL = 0.99
MOST_SCORES = 20_000  # beyond it neighbouring scores are pooled for a first look


def below(e, name, limit, size=0.0):
    """The estimate, where its interval at LEVEL lies below the limit and its value by more than `size`; None elsewhere."""
    return _shown(e, name, lambda found: found.high < limit and found.value < limit - size)


def above(e, name, limit, size=0.0):
    """The estimate, where its interval at LEVEL lies above the limit and its value by more than `size`; None elsewhere."""
    return _shown(e, name, lambda found: found.low > limit and found.value > limit + size)


def written(found):
    """The value with its interval, as "0.62 (0.55 to 0.7)"."""
    return f"{found.value:.3g} ({found.low:.3g} to {found.high:.3g})" if found.has_interval else f"{found.value:.3g}"


def _shown(e, name, beyond):
    """First on a table that costs little, as of independent cases; only what shows there is measured on all scores and clusters."""
    looks = _evaluations(e)
    if name not in e.estimates or not all(beyond(look.estimates[name]) for look in looks):
        return None
    return e.estimates[name]


def _evaluations(e):
    if "_at_notice_level" not in e.__dict__:
        settings, pooled = replace(e.settings, level=LEVEL), _pooled(e.ranking)
        looks = [replace(e, settings=settings, ranking=pooled, clusters=None)]
        if pooled is not e.ranking or e.clusters is not None:
            looks.append(replace(e, settings=settings))
        e.__dict__["_at_notice_level"] = looks
    return e.__dict__["_at_notice_level"]


def _pooled(table):
    """Neighbouring scores put together under their mean, where there are very many: the line through the logits stays the same."""
    if table is None or len(table) <= MOST_SCORES:
        return table
    first = np.arange(0, len(table), -(-len(table) // MOST_SCORES))
    weight = table.positive + table.negative
    mean = np.add.reduceat(table.score * weight, first) / np.add.reduceat(weight, first)
    return table.of(mean, np.add.reduceat(table.positive, first), np.add.reduceat(table.negative, first))


def sizes(e):
    """How many cases the positives and the negatives stand for."""
    scale = e.data.effective_rows / (e.data.positives + e.data.negatives) if e.data.effective_rows else 1
    return scale * e.data.positives, scale * e.data.negatives
