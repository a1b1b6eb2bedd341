"""A plan: the goal, how many cases, and what is assumed."""

from __future__ import annotations

from ...input import text
from ...studies.planning.plan import Plan
from .. import parts

DESIGN = {
    "cohort": "Design: cohort, so that the class mix varies from sample to sample",
    "case-control": "Design: case-control, so that the class sizes are fixed",
}


def as_text(p: Plan) -> str:
    """What `print` shows."""
    needed = text.table(["needed", "number", ""], _rows(p), right=(1,))
    return "\n\n".join(
        [
            text.paragraph(p.goal, first=""),
            needed,
            parts.listed([*_interval(p), DESIGN[p.design], *p.assumptions]),
        ]
    )


def _rows(p: Plan) -> list[list[str]]:
    power = "" if p.power is None else f"power {_floored(p.power)}"
    sizes = [(name, getattr(p, name)) for name in ("positives", "negatives")]
    sizes = [(name, size) for name, size in sizes if size is not None] or [("cases", p.n)]
    remarks = [power, "" if p.sets == 1 else f"in each of {p.sets} sets"]
    rows = [[name, text.count(size), more] for (name, size), more in zip(sizes, remarks, strict=False)]
    if p.cases is not None and p.assurance is None:
        rows.append(["cases", text.count(p.cases), f"hold them, at a fixed share of {p.prevalence:g}"])
    elif p.cases is not None and p.on_average is not None:
        rows.append(
            ["cases", text.count(p.on_average), f"hold them on average, at a share of {p.prevalence:g}"]
        )
        rows.append(["cases", text.count(p.cases), f"hold enough with a probability of {p.assurance:g}"])
    return (
        rows if p.clusters is None else [*rows, ["clusters", text.count(p.clusters), "that hold these cases"]]
    )


def _interval(p: Plan) -> list[str]:
    if p.interval is None:
        return []
    made = p.method if p.clusters is None else f"{p.method}, of the effective number of cases in clusters"
    return [f"The {100 * p.level:.4g}% interval should be about {text.interval(*p.interval)} ({made})"]


def _floored(power: float) -> str:
    """Four decimals, cut: a power is not made larger by rounding."""
    return f"{int(power * 10_000) / 10_000:.4f}"
