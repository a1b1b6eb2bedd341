"""The first call in a fresh process, with its print, next to scikit-learn's AUC in its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from environment import PLACE
from samples import two_classes
from tasks import OURS, REGISTRY, Job, Target, Task

ROWS = 1_000_000
PEER = "scikit-learn roc_auc_score"


def peer(data: Any) -> Job:
    from sklearn.metrics import roc_auc_score

    return Job(lambda: roc_auc_score(data.truth, data.score), lambda value: {"roc_auc": value})


def evaluated(data: Any) -> Job:
    import tallymark as tm

    def run() -> Any:
        found = tm.evaluate(truth=data.truth, score=data.score)
        str(found)
        return found

    return Job(run, auc)


def everything(data: Any) -> Job:
    import tallymark as tm

    def run() -> Any:
        found = tm.evaluate(truth=data.truth, score=data.score)
        str(found.all)
        return found

    return Job(run, auc)


def auc(found: Mapping[str, Any]) -> dict[str, float]:
    return {"roc_auc": found["roc_auc"].value}


def calibrated(data: Any) -> Job:
    import tallymark as tm

    return Job(lambda: str(tm.calibration(truth=data.truth, score=data.score)))


def compared(data: Any) -> Job:
    import tallymark as tm

    def run() -> Any:
        found = tm.compare(truth=data.truth, score={"a": data.score, "b": data.other})
        str(found)
        return found

    return Job(run)


def chosen(data: Any) -> Job:
    import tallymark as tm

    return Job(lambda: str(tm.choose_threshold(truth=data.truth, score=data.score, replicates=1000)))


def advised(data: Any) -> Job:
    import tallymark as tm

    return Job(lambda: str(tm.advise(truth=data.truth, score=data.score)))


def saved(kind: str, data: Any) -> Job:
    """A curve of all scores, from an evaluation that is there."""
    import tallymark as tm

    found, file = tm.evaluate(truth=data.truth, score=data.score), PLACE / f"curve.{kind}"
    return Job(lambda: found.curve("roc").save(file))


def add(name: str, title: str, ours: Callable[[Any], Job], at_most: float) -> None:
    """A task next to scikit-learn's AUC."""
    REGISTRY.add(
        Task(
            name=f"first_call/{name}",
            line=5,
            title=f"{title}, {ROWS:,} rows, fresh process",
            data=two_classes(ROWS),
            tools={OURS: ours, PEER: peer},
            targets=(Target(at_most, of=PEER),),
            fresh=True,
        )
    )


add("evaluate", "`evaluate` and print", evaluated, 0.4)
add("everything", "every measure with its interval, and print", everything, 4)
add("calibration", "`calibration` and print", calibrated, 2)
add("compare", "`compare` of two models and print", compared, 2)
add("choose_threshold", "`choose_threshold` with 1,000 resamples and print", chosen, 2)
add("advise", "`advise` and print", advised, 1)
for kind, limit in {"csv": 1.0, "parquet": 0.2}.items():
    REGISTRY.add(
        Task(
            name=f"first_call/curve_{kind}",
            line=5,
            title=f"ROC curve of {ROWS:,} scores, made and saved as {kind.upper()}, fresh process",
            data=two_classes(ROWS, distinct=True),
            tools={OURS: partial(saved, kind)},
            targets=(Target(limit),),
            fresh=True,
        )
    )
