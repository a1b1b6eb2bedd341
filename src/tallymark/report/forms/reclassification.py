"""A reclassification: the improvements with their intervals, and the cases by category of both models."""

from __future__ import annotations

import numpy as np

from ...input import text
from ...studies.compare.reclassification import ESTIMATES, Reclassification
from .. import parts


def as_text(r: Reclassification) -> str:
    """The improvements, a table of categories for each class, and the warning of the literature."""
    found = [(name, getattr(r, name)) for name in ESTIMATES]
    rows = [[name, parts.value(one), parts.bounds(one)] for name, one in found]
    head = ["improvement", "value", parts.level_of(r.nri.level)]
    tables = [text.fitted(head, rows, right=(1,))]
    if r.cutoffs:
        tables += [_moves(r, "positives", r.positives), _moves(r, "negatives", r.negatives)]
    first = text.paragraph(f"Reclassification by {r.model} against {r.reference}", first="")
    return "\n\n".join([first, *tables, *parts.flagged([r.note] if r.note else [])])


def _moves(r: Reclassification, what: str, cases: np.ndarray) -> str:
    """Rows are categories of the reference, columns those of the model."""
    limits = [f"{limit:g}" for limit in r.cutoffs]
    names = [f"below {limits[0]}", *(f"from {limit}" for limit in limits)]
    head = [f"{what}: {text.label(r.reference, 16)} \\ {text.label(r.model, 16)}", *names]
    rows = [[name, *map(text.count, row)] for name, row in zip(names, cases.tolist(), strict=True)]
    return text.fitted(head, rows, right=range(1, len(head)))
