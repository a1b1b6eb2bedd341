"""A thousand small updates of an accumulator next to one of as many rows; both are summed up."""

from __future__ import annotations

from functools import partial
from typing import Any

from samples import few
from tasks import OURS, REGISTRY, Job, Target, Task

ROWS, SMALL = 100_000, 100
AT_ONCE = "tallymark, one update"


def accumulated(rows: int, data: Any) -> Job:
    """rows: of an update."""
    import tallymark as tm

    parts = [slice(start, start + rows) for start in range(0, ROWS, rows)]

    def run() -> Any:
        found = tm.Accumulator()
        for part in parts:
            found.update(truth=data.truth[part], score=data.score[part])
        _ = found._case_sums.by_model  # adds up what is still apart
        return found

    return Job(run, lambda found: {"roc_auc": found.evaluate()["roc_auc"].value})


REGISTRY.add(
    Task(
        name="streams/1000_updates",
        line=0,
        title=f"{ROWS // SMALL:,} updates of {SMALL} rows of an `Accumulator`",
        data=few(ROWS),
        tools={OURS: partial(accumulated, SMALL), AT_ONCE: partial(accumulated, ROWS)},
        targets=(Target(10, of=AT_ONCE),),
    )
)
