"""The performance on what bootstrap sets leave out: the estimates, and the over-fitting."""

from __future__ import annotations

from math import isnan

from ...inference import Estimate
from ...input import text
from ...input.messages.notes import text_of, without_codes
from ...studies.retraining.out_of_bag import NO_INTERVAL, OutOfBag
from .. import parts

NAMES = {
    "out_of_bag": "out-of-bag", "632": ".632", "632_plus": ".632+", "apparent": "apparent",
    "no_information": "by chance",
}  # fmt: skip


def as_text(o: OutOfBag) -> str:
    """What `print` shows."""
    head = (
        f"{o.measure}, {text.count(o.rows)} cases, {text.count(len(o.values))} bootstrap sets, seed {o.seed}"
    )
    rows = [[name, *_cells(o.estimates[key])] for key, name in NAMES.items()]
    table = text.table(["estimate", "value", f"{100 * o.level:.4g}% of replicates", ""], rows, right=(1,))
    rate = "unknown" if isnan(o.overfitting) else f"{o.overfitting:.4f}"
    fitted = f"relative over-fitting rate {rate} (0 none, 1 as by chance)"
    return "\n".join(
        [text.paragraph(head, first=""), "", table, "", fitted, *parts.flagged(one.text for one in o.notices)]
    )


def _cells(found: Estimate) -> list[str]:
    if found.undefined:
        return ["-", "undefined", found.undefined.text]
    notes = without_codes(found.notes, NO_INTERVAL.code)
    return [
        parts.value(found, usual=parts.IN_FULL),
        parts.ends(found, "", usual=parts.IN_FULL),
        text_of(notes) or "",
    ]
