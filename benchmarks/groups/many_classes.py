"""Many classes, by labels and by a score per class."""

from __future__ import annotations

from typing import Any

from samples import class_scores, many_labels
from tasks import OURS, REGISTRY, Job, Target, Task


def labelled(data: Any) -> Job:
    import tallymark as tm

    def run() -> Any:
        found = tm.evaluate(truth=data.truth, predicted=data.predicted)
        str(found)
        return found

    return Job(run, lambda found: {"accuracy": found["accuracy"].value})


def reported(data: Any) -> Job:
    from sklearn.metrics import classification_report

    return Job(
        lambda: classification_report(data.truth, data.predicted, zero_division=0),
        lambda _: {"accuracy": (data.truth == data.predicted).mean()},
    )


def pycm(data: Any) -> Job:
    from pycm import ConfusionMatrix

    return Job(
        lambda: ConfusionMatrix(data.truth, data.predicted), lambda found: {"accuracy": found.Overall_ACC}
    )


def scored(data: Any) -> Job:
    import tallymark as tm

    def run() -> Any:
        found = tm.evaluate(truth=data.truth, score=data.score)
        str(found)
        return found

    return Job(run, lambda found: {"macro_roc_auc": found["macro_roc_auc"].value})


def pairwise(data: Any) -> Job:
    import tallymark as tm

    def run() -> Any:
        found = tm.evaluate(truth=data.truth, score=data.score)
        str(found)
        return found

    return Job(run, lambda found: {"pairwise_roc_auc": found["pairwise_roc_auc"].value})


def averaged(way: str, name: str, data: Any) -> Job:
    from sklearn.metrics import roc_auc_score

    return Job(lambda: roc_auc_score(data.truth, data.score, multi_class=way), lambda value: {name: value})


def torchmetrics(data: Any) -> Job:
    import torch
    from torchmetrics.functional.classification import multiclass_auroc

    truth, score = torch.from_numpy(data.truth), torch.from_numpy(data.score)
    return Job(
        lambda: multiclass_auroc(score, truth, num_classes=score.shape[1]),
        lambda value: {"macro_roc_auc": float(value)},
    )


ONE_TO_ONE, ONE_TO_REST = "scikit-learn one-vs-one", "scikit-learn one-vs-rest"
REGISTRY.add(
    Task(
        name="many_classes/labels_2000",
        line=6,
        title="`evaluate` and print, 2,000 classes, 1,000,000 labels",
        data=many_labels(1_000_000, 2000),
        tools={OURS: labelled, "scikit-learn classification_report": reported},
        targets=(Target(2.0),),
        fresh=True,
        rounds=3,
    )
)
REGISTRY.add(
    Task(
        name="many_classes/labels_10",
        line=0,
        title="`evaluate` and print, 10 classes, 1,000,000 labels",
        data=many_labels(1_000_000, 10),
        tools={OURS: labelled, "scikit-learn classification_report": reported, "PyCM": pycm},
        rounds=3,
    )
)
REGISTRY.add(
    Task(
        name="many_classes/scores_100",
        line=6,
        title="`evaluate` and print, 100 classes, 100,000 rows of scores",
        data=class_scores(100_000, 100),
        tools={
            OURS: scored,
            ONE_TO_REST: lambda data: averaged("ovr", "macro_roc_auc", data),
            "torchmetrics": torchmetrics,
        },
        targets=(Target(1.0), Target(3 * 100_000 * 100 * 8, memory=True)),
        fresh=True,
        tolerance=1e-4,  # torchmetrics sums in single precision
        rounds=3,
    )
)
REGISTRY.add(
    Task(
        name="many_classes/scores_10",
        line=6,
        title="`evaluate` and print, 10 classes, 1,000,000 rows of scores",
        data=class_scores(1_000_000, 10),
        tools={OURS: pairwise, ONE_TO_ONE: lambda data: averaged("ovo", "pairwise_roc_auc", data)},
        targets=(Target(0.1, of=ONE_TO_ONE),),
        rounds=3,
    )
)
