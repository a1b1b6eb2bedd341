"""An identification as text: how many samples of each outcome, and the rates."""

from __future__ import annotations

from math import isinf

from ...evaluation.identification import KNOWN, UNKNOWN, Identification
from ...input import text

WORDS = {"false_match": "taken for somebody", "rejected_unknown": "rejected"}


def as_text(found: Identification) -> str:
    """What `print` shows."""
    limit = "nobody is rejected" if isinf(found.threshold) else f"rejected below {found.threshold:.4g}"
    lines = [f"Identification, {limit}; {100 * found.level:.4g}% intervals"]
    for what, names in (("enrolled persons", KNOWN), ("others", UNKNOWN)):
        number = sum(found.counts[name] for name in names)
        parts = ", ".join(f"{found.counts[name]:,} {WORDS.get(name, name)}" for name in names)
        lines.append(
            text.paragraph(
                f"{number:,} samples of {what}: {parts}" if number else f"no samples of {what}", first=""
            )
        )
    rows = [
        [name.replace("_", " "), f"{one.value:.3f}", f"[{one.low:.3f}, {one.high:.3f}]"]
        for name, one in found.items()
    ]
    return "\n".join([*lines, "", text.table(["rate", "value", "interval"], rows, right=(1,))])
