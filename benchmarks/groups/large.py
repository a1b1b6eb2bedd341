"""The area under the ROC curve of many scores, next to numpy.sort and to others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

from samples import two_classes
from tasks import OURS, REGISTRY, Job, Target, Task

SORT, FLOAT64 = "numpy.sort", "tallymark, random float64"
Change = Callable[[Any], Any]


def ours(change: Change, data: Any) -> Job:
    import tallymark as tm

    given = change(data)
    return Job(
        lambda: tm.measures.roc_auc(truth=given.truth, score=given.score), lambda value: {given.name: value}
    )


def same(data: Any) -> Any:
    return SimpleNamespace(name="roc_auc", **vars(data))


def single(data: Any) -> Any:
    return SimpleNamespace(name="single", truth=data.truth, score=data.score.astype("f4"))


def in_order(data: Any) -> Any:
    order = data.score.argsort()
    return SimpleNamespace(name="roc_auc", truth=data.truth[order], score=data.score[order])


def rounded(data: Any) -> Any:
    return SimpleNamespace(name="rounded", truth=data.truth, score=data.score.round(2))


def whole(data: Any) -> Any:
    return SimpleNamespace(name="rounded", truth=data.truth, score=(data.score * 100).round().astype(int))


def sort(data: Any) -> Job:
    import numpy as np

    return Job(lambda: np.sort(data.score))


def sklearn(change: Change, data: Any) -> Job:
    from sklearn.metrics import roc_auc_score

    given = change(data)
    return Job(lambda: roc_auc_score(given.truth, given.score), lambda value: {given.name: value})


def rapidstats(data: Any) -> Job:
    from rapidstats.metrics import roc_auc

    truth = data.truth.astype(bool)
    return Job(lambda: roc_auc(truth, data.score), lambda value: {"roc_auc": value})


def polars_ds(data: Any) -> Job:
    import polars
    from polars_ds import query_roc_auc

    frame = polars.DataFrame({"y": data.truth.astype("u4"), "p": data.score})
    return Job(lambda: frame.select(query_roc_auc("y", "p")).item(), lambda value: {"roc_auc": value})


def torchmetrics(data: Any) -> Job:
    import torch
    from torchmetrics.functional.classification import binary_auroc

    truth, score = torch.from_numpy(data.truth), torch.from_numpy(data.score)
    return Job(lambda: binary_auroc(score, truth), lambda value: {"roc_auc": float(value)})


def with_interval(data: Any) -> Job:
    import tallymark as tm

    def run() -> Any:
        return tm.evaluate(truth=data.truth, score=data.score, measures=["roc_auc"])["roc_auc"]

    return Job(run, lambda found: {"roc_auc": found.value})


def confidenceinterval(data: Any) -> Job:
    from confidenceinterval import roc_auc_score

    return Job(lambda: roc_auc_score(data.truth, data.score), lambda found: {"roc_auc": found[0]})


PEERS: Mapping[str, Callable[[Any], Job]] = {
    "scikit-learn": partial(sklearn, same),
    "rapidstats": rapidstats,
    "polars_ds": polars_ds,
    "torchmetrics": torchmetrics,
}
for rows, peers in {1_000_000: PEERS, 10_000_000: {}}.items():
    REGISTRY.add(
        Task(
            name=f"large/roc_auc_{rows // 1_000_000}m",
            line=9,
            title=f"`roc_auc`, {rows:,} rows of float64",
            data=two_classes(rows, distinct=True),
            tools={OURS: partial(ours, same), SORT: sort, **peers},
            targets=(Target(1.3, of=SORT),),
            tolerance=1e-6,  # torchmetrics sums in single precision
            rounds=7,
        )
    )
REGISTRY.add(
    Task(
        name="large/roc_auc_interval",
        line=0,
        title="`roc_auc` with its interval, 1,000,000 rows",
        data=two_classes(1_000_000, distinct=True),
        tools={OURS: with_interval, "confidenceinterval": confidenceinterval},
        tolerance=1e-6,
        rounds=3,
    )
)
for name, (title, change, at_most) in {
    "float32": ("float32", single, 1.0),
    "sorted": ("sorted float64", in_order, 0.7),
    "few_scores": ("101 distinct scores, float64", rounded, 0.7),
    "integers": ("101 distinct scores, int64", whole, 0.7),
}.items():
    REGISTRY.add(
        Task(
            name=f"large/{name}",
            line=9,
            title=f"`roc_auc`, 1,000,000 rows, {title}",
            data=two_classes(1_000_000, distinct=True),
            tools={
                OURS: partial(ours, change),
                FLOAT64: partial(ours, same),
                "scikit-learn": partial(sklearn, change),
            },
            targets=(Target(at_most, of=FLOAT64),),
            rounds=7,
        )
    )
