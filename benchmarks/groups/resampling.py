"""The bootstrap of four measures together, next to others' of the AUC alone."""

from __future__ import annotations

from functools import partial
from typing import Any

from samples import two_classes
from tasks import OURS, REGISTRY, Job, Target, Task

ROWS, RESAMPLES, FEW = 1_000_000, 1_000, 5  # resamples; of others few, as their time grows with the number
TOGETHER = ("roc_auc", "average_precision", "kolmogorov_smirnov", "brier_score")
TABLE = 24  # bytes of a row of a ranking table
RAPIDSTATS, SKLEARN = "rapidstats, AUC alone", "resampling around scikit-learn, AUC alone"


def ours(resampling: str, data: Any) -> Job:
    import tallymark as tm

    table = tm.RankingTable.from_arrays(truth=data.truth, score=data.score)

    def run() -> Any:
        return tm.bootstrap(
            table, measures=TOGETHER, method="percentile", resampling=resampling, replicates=RESAMPLES
        )

    return Job(run, lambda found: {"roc_auc": found.replicates("roc_auc").mean()})


def rapidstats(data: Any) -> Job:
    from rapidstats import Bootstrap

    peer, truth = Bootstrap(iterations=FEW, seed=0), data.truth.astype(bool)
    return Job(lambda: peer.roc_auc(truth, data.score), lambda found: {"roc_auc": found[1]}, RESAMPLES / FEW)


def around_sklearn(data: Any) -> Job:
    import numpy as np
    from sklearn.metrics import roc_auc_score

    random, rows = np.random.default_rng(0), len(data.truth)

    def run() -> list[float]:
        drawn = [random.integers(0, rows, rows) for _ in range(FEW)]
        return [roc_auc_score(data.truth[one], data.score[one]) for one in drawn]

    return Job(run, lambda found: {"roc_auc": sum(found) / FEW}, RESAMPLES / FEW)


for name, resampling in {"multinomial": "bootstrap", "poisson": "poisson-bootstrap"}.items():
    REGISTRY.add(
        Task(
            name=f"resampling/{name}",
            line=8,
            title=f"{RESAMPLES:,} {name} resamples of {ROWS:,} rows: AUC, AP, KS and Brier score",
            data=two_classes(ROWS, distinct=True),
            tools={OURS: partial(ours, resampling), RAPIDSTATS: rapidstats, SKLEARN: around_sklearn},
            targets=(
                Target(1 / 100, of=RAPIDSTATS),
                Target(1.5 * ROWS * TABLE, memory=True),
            ),
            tolerance=5e-3,  # means of different resamples
            rounds=3,
        )
    )
