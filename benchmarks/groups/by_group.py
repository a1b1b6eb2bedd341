"""Groups of cases next to one evaluation of all of them: both are made and printed."""

from __future__ import annotations

from functools import partial
from typing import Any

from samples import two_classes
from tasks import OURS, REGISTRY, Job, Target, Task

ROWS, GROUPS = 1_000_000, 1_000
WHOLE, EVERY = "tallymark, one evaluation", "tallymark, all rows with differences"


def grouped(rows: bool, data: Any) -> Job:
    """rows: whether every row of the table and every difference is asked for, else what is printed."""
    import numpy as np

    import tallymark as tm

    group = np.random.default_rng(3).integers(0, GROUPS, len(data.truth))

    def run() -> Any:
        found = tm.evaluate(truth=data.truth, score=data.score, by=group)
        _ = found.table if rows else str(found)
        return found

    return Job(run, lambda found: {"roc_auc": found.whole["roc_auc"].value})


def whole(data: Any) -> Job:
    import tallymark as tm

    def run() -> Any:
        found = tm.evaluate(truth=data.truth, score=data.score)
        str(found)
        return found

    return Job(run, lambda found: {"roc_auc": found["roc_auc"].value})


REGISTRY.add(
    Task(
        name="groups/1000_groups",
        line=0,
        title=f"`evaluate` of {ROWS:,} rows in {GROUPS:,} groups with print",
        data=two_classes(ROWS),
        tools={OURS: partial(grouped, False), EVERY: partial(grouped, True), WHOLE: whole},
        targets=(Target(3, of=WHOLE),),
    )
)
