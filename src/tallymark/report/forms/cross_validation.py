"""A cross-validation: the estimate of each estimator, and the differences of every two."""

from __future__ import annotations

from ...evaluation.folds.differences import Difference
from ...evaluation.notices import number_of
from ...inference import Estimate
from ...input import text
from ...studies.retraining.cross_validation import CrossValidation
from .. import parts

LONGEST = 24  # characters of an estimator's name; half of them in a difference


def as_text(c: CrossValidation) -> str:
    """What `print` shows."""
    head = (
        f"{c.measure}, {text.count(c.rows)} cases, {c.folds} folds, {number_of(c.repeats, 'time')}, seed"
        f" {c.seed}"
    )
    tables = [_estimates(c), *([_differences(c)] if len(c.names) > 1 else [])]
    trained = text.count(c.rows - -(-c.rows // c.folds))
    tables[-1] += "\n" + text.paragraph(
        f"Intervals: approximate (corrected resampled t), for models trained on about {trained} cases.",
        first="",
    )
    return "\n\n".join(
        [text.paragraph(head, first=""), *tables, *parts.flagged(notice.text for notice in c.notices)]
    )


def _estimates(c: CrossValidation) -> str:
    names = text.labels(c.names, LONGEST)
    rows = [[names[name], *_cells(found)] for name, found in c.estimates.items()]
    return text.table(["estimator", c.measure, _level(c), ""], rows, right=(1,))


def _differences(c: CrossValidation) -> str:
    names = text.labels(c.names, LONGEST // 2)
    rows = [
        [f"{names[one.first]} - {names[one.second]}", *_cells_of_difference(one)] for one in c.differences
    ]
    return text.table(["first minus second", "difference", _level(c), "p-value", ""], rows, right=(1, 3))


def _level(c: CrossValidation) -> str:
    return f"{100 * c.level:.4g}% interval"


def _cells(found: Estimate) -> list[str]:
    if found.undefined:
        return ["-", "undefined", found.undefined.text]
    return [parts.value(found, usual=parts.IN_FULL), parts.ends(found, usual=parts.IN_FULL), found.note or ""]


def _cells_of_difference(one: Difference) -> list[str]:
    return [
        text.number(one.estimate.value),
        parts.ends(one.estimate, usual=parts.IN_FULL),
        parts.p_value(one.p_value),
        one.note or "",
    ]
