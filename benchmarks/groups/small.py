"""Few cases: a call of each measure next to scikit-learn's, and a whole evaluation."""

from __future__ import annotations

from functools import partial
from typing import Any

from samples import few
from tasks import OURS, REGISTRY, Job, Target, Task

ROWS, PEER = 100, "scikit-learn"
QUICK = ("f1", "roc_auc", "brier_score")
MEASURES = {
    "accuracy": ("accuracy_score", "predicted"),
    "sensitivity": ("recall_score", "predicted"),
    "precision": ("precision_score", "predicted"),
    "f1": ("f1_score", "predicted"),
    "balanced_accuracy": ("balanced_accuracy_score", "predicted"),
    "matthews_correlation": ("matthews_corrcoef", "predicted"),
    "cohen_kappa": ("cohen_kappa_score", "predicted"),
    "roc_auc": ("roc_auc_score", "score"),
    "average_precision": ("average_precision_score", "score"),
    "brier_score": ("brier_score_loss", "score"),
    "log_loss": ("log_loss", "score"),
}


def ours(name: str, role: str, data: Any) -> Job:
    import tallymark as tm

    measure, given = getattr(tm.measures, name), {"truth": data.truth, role: getattr(data, role)}
    return Job(lambda: measure(**given), lambda value: {name: value})


def theirs(name: str, called: str, role: str, data: Any) -> Job:
    import sklearn.metrics

    measure, truth, given = getattr(sklearn.metrics, called), data.truth, getattr(data, role)
    return Job(lambda: measure(truth, given), lambda value: {name: value})


def evaluated(data: Any) -> Job:
    import tallymark as tm

    def run() -> Any:
        found = tm.evaluate(truth=data.truth, score=data.score)
        str(found)
        return found

    return Job(run, lambda found: {"roc_auc": found["roc_auc"].value})


def confidenceinterval(data: Any) -> Job:
    from confidenceinterval import roc_auc_score

    return Job(lambda: roc_auc_score(data.truth, data.score), lambda found: {"roc_auc": found[0]})


def pycm(data: Any) -> Job:
    from pycm import ConfusionMatrix

    truth, predicted = data.truth.tolist(), data.predicted.tolist()
    return Job(lambda: str(ConfusionMatrix(truth, predicted)))


REGISTRY.add(
    Task(
        name="small/evaluate",
        line=7,
        title=f"`evaluate` and print, {ROWS} rows",
        data=few(ROWS),
        tools={OURS: evaluated, "confidenceinterval roc_auc_score": confidenceinterval, "PyCM": pycm},
        targets=(Target(0.005),),
        tolerance=1e-6,  # confidenceinterval gives the area in single precision
        rounds=9,
    )
)
for name, (called, role) in MEASURES.items():
    REGISTRY.add(
        Task(
            name=f"small/{name}",
            line=7,
            title=f"`{name}`, {ROWS} rows",
            data=few(ROWS),
            tools={OURS: partial(ours, name, role), PEER: partial(theirs, name, called, role)},
            targets=(Target(1 / 20, of=PEER),),
            rounds=9,
            quick=name in QUICK,
        )
    )
