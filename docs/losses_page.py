"""The page of the losses, the conversions of scores and the scoring rules, from their docstrings."""

from __future__ import annotations

import re

from tallymark.input.names import Listed
from tallymark.report.catalogue import entries

PAGE = """# Losses, conversions and scoring rules

Made by `python docs/make.py` from the docstrings, which have the parameters too: `help(tm.losses.hinge)`.

Losses take NumPy arrays, and tensors of PyTorch and JAX with gradients
([examples/train_on_auc.py](../examples/train_on_auc.py) trains with one). They are for training; for the
evaluation of predictions there are [measures](measures.md), with intervals. Figures of the losses are
among the [experiments](experiments.md).
"""
RULES = ("expected_score", "is_proper")


def page() -> str:
    """Every entry."""
    known = [entry for entry in entries() if isinstance(entry, Listed)]
    parts = {
        "Losses": [entry for entry in known if entry.kind == "loss"],
        "Conversions of scores": [entry for entry in known if entry.kind == "conversion"],
        "Scoring rules": [entry for entry in known if entry.name in RULES],
    }
    lines = [PAGE]
    for title, of in parts.items():
        lines += [f"## {title}\n", *map(section, of)]
    return "\n".join(lines)


def section(entry: Listed) -> str:
    """One of them."""
    notes, examples = (_part(entry.doc, title) for title in ("Notes", "Examples"))
    facts = {
        "in Python": f"`{entry.use}`",
        "other names": ", ".join(entry.aliases),
        "source": entry.source.rstrip("."),
    }
    lines = [f"### {entry.name}\n", f"{entry.title}\n"]
    lines += [f"{notes}\n"] if notes else []
    lines += [f"* {name}: {value}" for name, value in facts.items() if value]
    lines += [f"\n```pycon\n{examples}\n```"] if examples else []
    return "\n".join([*lines, ""])


def _part(doc: str, title: str) -> str:
    found = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n[A-Z]\w+\n-+\n|\Z)", doc, re.S | re.M)
    return found[1].strip() if found else ""
