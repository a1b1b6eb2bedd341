"""The same calls on eight cores and on one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from samples import two_classes
from tasks import OURS, REGISTRY, Job, Target, Task

CORES, ONE = 8, "the same on one core"


def evaluated(data: Any) -> str:
    import tallymark as tm

    return str(tm.evaluate(truth=data.truth, score=data.score))


def every_measure(data: Any) -> str:
    import tallymark as tm

    return str(tm.evaluate(truth=data.truth, score=data.score).all)


def compared(data: Any) -> str:
    import tallymark as tm

    return str(tm.compare(truth=data.truth, score={"score": data.score, "other": data.other}))


def resampled(data: Any) -> str:
    import tallymark as tm

    return str(tm.bootstrap(truth=data.truth, score=data.score, replicates=200, measures=["roc_auc", "f1"]))


def on(cores: int, call: Callable[[Any], str], data: Any) -> Job:
    from tallymark import kernels

    def run() -> str:
        with kernels.at_most(cores):
            return call(data)

    return Job(run, lambda text: {"characters": len(text)})


for name, call, rows, ratio in [
    ("evaluate", evaluated, 10_000_000, 4),
    ("bootstrap", resampled, 10_000_000, 6),
    ("compare", compared, 2_000_000, 3),
    ("all", every_measure, 2_000_000, 3),
]:
    REGISTRY.add(
        Task(
            name=f"cores/{name}",
            line=9,
            title=f"{name}, {rows:,} rows, on {CORES} cores",
            data=two_classes(rows, distinct=True),
            tools={OURS: partial(on, CORES, call), ONE: partial(on, 1, call)},
            targets=(Target(1 / ratio, of=ONE),),
            rounds=3,
            quick=False,
            cores=CORES,
        )
    )
