"""Speed beside other tools, measured in turn in one run: the ratios mean something on any machine, the
milliseconds do not.

python benchmarks/run.py            # everything, some minutes
python benchmarks/run.py small      # one part: large, sweep, probability, small, kernels, resampling, start
"""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np
import sklearn
import sklearn.metrics as sk

import tallymark as tm
from tallymark import kernels
from tallymark.kernels import _numpy as twin

ROWS, FEW = 1_000_000, 100
RNG = np.random.default_rng(0)
TRUTH = (RNG.random(ROWS) < 0.3).astype(np.int64)
SCORE = np.clip(RNG.normal(0.35 + 0.25 * TRUTH, 0.2), 0, 1)
RAW = RNG.random(ROWS)  # all scores different
CALLED = (SCORE > 0.5).astype(np.int64)


def in_turn(*tasks: Callable, rounds: int = 9, number: int = 1) -> list[float]:
    """Seconds per call of each task: the median over rounds, in each of which every task has its turn."""
    for task in tasks:
        task()
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(rounds):
        for spent, task in zip(times, tasks, strict=True):
            start = perf_counter()
            for _ in range(number):
                task()
            spent.append((perf_counter() - start) / number)
    return [median(spent) for spent in times]


def show(what: str, ours: float, other: str, theirs: float, target: str) -> None:
    """One line: times, and how many times faster (or slower) than the other."""
    ratio = theirs / ours
    said = f"{ratio:8.1f} x faster" if ratio >= 1 else f"{1 / ratio:8.2f} x its time"
    print(
        f"{what:<44}{1e3 * ours:10.3f} ms   {other:<34}{1e3 * theirs:10.3f} ms  {said}   (target: {target})"
    )


def every_count_measure() -> list[float]:
    counts = tm.Counts.from_arrays(truth=TRUTH, predicted=CALLED)
    return [entry.function(counts) for entry in tm.find(tm.Counts)]


def large() -> None:
    print(f"\n{ROWS:,} rows, {kernels.NAME} kernels")
    auc = tm.measures.roc_auc
    ours, sort, theirs = in_turn(
        lambda: auc(truth=TRUTH, score=RAW), lambda: np.sort(RAW), lambda: sk.roc_auc_score(TRUTH, RAW)
    )
    show("roc_auc", ours, "numpy.sort of the scores", sort, "at most 2 x its time")
    show("roc_auc", ours, "sklearn roc_auc_score", theirs, "15 x")
    ours, theirs = in_turn(every_count_measure, lambda: sk.confusion_matrix(TRUTH, CALLED))
    show(
        f"all {len(tm.find(tm.Counts))} measures of Counts", ours, "sklearn confusion_matrix", theirs, "50 x"
    )
    ours, theirs = in_turn(
        lambda: tm.evaluate(truth=TRUTH, score=SCORE), lambda: sk.roc_auc_score(TRUTH, SCORE)
    )
    show("evaluate, measures when asked for", ours, "sklearn roc_auc_score", theirs, "")
    ours, theirs = in_turn(
        lambda: dict(tm.evaluate(truth=TRUTH, score=SCORE)), lambda: sk.roc_auc_score(TRUTH, SCORE), rounds=3
    )
    names = len(dict(tm.evaluate(truth=TRUTH[:FEW], score=SCORE[:FEW])))
    show(f"evaluate, all {names} measures with intervals", ours, "sklearn roc_auc_score", theirs, "")


THRESHOLDS, THEIR_THRESHOLDS = 100_000, 4_000


def sweep() -> None:
    """Measures at every threshold, and every measure of a ranking."""
    table = tm.RankingTable.from_arrays(truth=TRUTH[:THRESHOLDS], score=RAW[:THRESHOLDS])
    counts, entries = table.sweep(), tm.find(tm.Counts)
    print(f"\n{len(table):,} distinct thresholds")
    few = slice(THEIR_THRESHOLDS)
    ours, theirs = in_turn(
        lambda: [entry.function(counts) for entry in entries],
        lambda: sk.metric_at_thresholds(TRUTH[few], RAW[few], sk.f1_score),
        rounds=3,
    )
    show(
        f"all {len(entries)} measures of counts",
        ours,
        f"sklearn f1 at {THEIR_THRESHOLDS:,} thresholds",
        theirs,
        "under 50 ms",
    )
    one, same = tm.find("f1")[0], tm.RankingTable.from_arrays(truth=TRUTH[few], score=RAW[few])
    ours, theirs = in_turn(
        lambda: one.function(same.sweep()),
        lambda: sk.metric_at_thresholds(TRUTH[few], RAW[few], sk.f1_score),
        rounds=3,
    )
    show(f"f1 at {THEIR_THRESHOLDS:,} thresholds", ours, "sklearn metric_at_thresholds", theirs, "")
    ranking = [entry for entry in tm.find(tm.RankingTable) if not entry.needs_probabilities]
    ours, theirs = in_turn(
        lambda: [
            entry.function(tm.RankingTable.of(table.score, table.positive, table.negative))
            for entry in ranking
        ],
        lambda: sk.roc_auc_score(TRUTH[:THRESHOLDS], RAW[:THRESHOLDS]),
        rounds=5,
    )
    show(f"all {len(ranking)} measures of the ranking, sorted", ours, "sklearn roc_auc_score", theirs, "")


PAIRS, PAIRED = 10_000_000, 2_000  # cases of the AUC loss; of the same over all pairs


def probability() -> None:
    """Probabilistic measures, calibration, and the AUC loss in linear time."""
    from sklearn.calibration import calibration_curve

    print(f"\n{ROWS:,} rows, probabilities")
    for name, theirs in {"brier_score": sk.brier_score_loss, "log_loss": sk.log_loss}.items():
        ours = getattr(tm.measures, name)
        times = in_turn(
            lambda f=ours: f(truth=TRUTH, score=SCORE), lambda f=theirs: f(TRUTH, SCORE), rounds=5
        )
        show(f"{name}, from arrays", times[0], f"sklearn {theirs.__name__}", times[1], "")
    table = tm.RankingTable.from_arrays(truth=TRUTH, score=SCORE)
    entries = [entry for entry in tm.find(tm.RankingTable) if entry.needs_probabilities]
    ours, theirs = in_turn(
        lambda: [
            entry.function(tm.RankingTable.of(table.score, table.positive, table.negative))
            for entry in entries
        ],
        lambda: calibration_curve(TRUTH, SCORE, n_bins=10, strategy="quantile"),
        rounds=3,
    )
    show(f"all {len(entries)} measures of the table", ours, "sklearn calibration_curve", theirs, "")
    ours, theirs = in_turn(
        lambda: str(tm.calibration(truth=TRUTH, score=SCORE)),
        lambda: calibration_curve(TRUTH, SCORE, n_bins=10),
        rounds=3,
    )
    show("calibration, with all intervals and tests", ours, "sklearn calibration_curve", theirs, "")
    y, p = RNG.random(PAIRS) < 0.3, RNG.random(PAIRS).astype(np.float32)
    few, some = y[:PAIRED].astype(float), p[:PAIRED].astype(float)
    ours, theirs = in_turn(
        lambda: tm.losses.auc(truth=y, score=p),
        lambda: 0.5 + np.mean((few[:, None] - few) * (some - some[:, None])),
        rounds=3,
    )
    show(f"AUC loss of {PAIRS:,} cases", ours, f"all pairs of {PAIRED:,} cases", theirs, "")


SMALL = {
    "accuracy": (sk.accuracy_score, "predicted"),
    "sensitivity": (sk.recall_score, "predicted"),
    "precision": (sk.precision_score, "predicted"),
    "f1": (sk.f1_score, "predicted"),
    "balanced_accuracy": (sk.balanced_accuracy_score, "predicted"),
    "matthews_correlation": (sk.matthews_corrcoef, "predicted"),
    "cohen_kappa": (sk.cohen_kappa_score, "predicted"),
    "roc_auc": (sk.roc_auc_score, "score"),
    "average_precision": (sk.average_precision_score, "score"),
    "brier_score": (sk.brier_score_loss, "score"),
    "log_loss": (sk.log_loss, "score"),
}


def small() -> None:
    print(f"\n{FEW} rows, one measure from arrays")
    columns = {"truth": TRUTH[:FEW], "predicted": CALLED[:FEW], "score": SCORE[:FEW]}
    for name, (theirs, role) in SMALL.items():
        ours, given = getattr(tm.measures, name), {"truth": columns["truth"], role: columns[role]}
        times = in_turn(
            lambda f=ours, given=given: f(**given),
            lambda f=theirs, c=columns, role=role: f(c["truth"], c[role]),
            number=100,
        )
        show(name, times[0], f"sklearn {theirs.__name__}", times[1], "20 x")


def native() -> None:
    print(f"\nkernels: native beside their NumPy twins, {ROWS:,} rows")
    if kernels.NAME != "native":
        print("no native kernels are installed")
        return
    half = ROWS // 2
    a, b = (kernels.rank(TRUTH[part], RAW[part], None, 1.0)[:3] for part in (slice(half), slice(half, None)))
    table = kernels.rank(TRUTH, SCORE, None, 1.0)[:3]
    swept = tm.RankingTable.of(*table).sweep()
    arguments = {
        "tally": (TRUTH, CALLED, None, 1.0, 1.0),
        "rank": (TRUTH, RAW, None, 1.0),
        "merge": (a, b),
        "concordance": table[1:],
        "given_to_truth": table,
        "hull": (swept.tp, swept.fp),
    }
    for name, given in arguments.items():
        pair = getattr(kernels, name), getattr(twin, name)
        ours, theirs = in_turn(*(lambda f=function, given=given: f(*given) for function in pair))
        show(name, ours, "NumPy twin", theirs, "faster")


# of others fewer, in proportion: their time grows with the number
RESAMPLES, THEIRS, FEW_THEIRS = 1_000, 20, 5
TOGETHER = ("roc_auc", "average_precision", "kolmogorov_smirnov", "brier_score")


def resampling() -> None:
    """The bootstrap of four measures together, beside others' of the AUC alone; rapidstats where it is
    installed."""
    print(
        f"\n{RESAMPLES:,} bootstrap resamples of {ROWS:,} rows: {', '.join(TOGETHER)}; of the others roc_auc"
        " alone"
    )
    table = tm.RankingTable.from_arrays(truth=TRUTH, score=RAW)

    def ours(resampling: str) -> Callable:
        return lambda: tm.bootstrap(
            table, measures=TOGETHER, method="percentile", resampling=resampling, replicates=RESAMPLES
        )

    def around_sklearn() -> None:
        for _ in range(FEW_THEIRS):
            drawn = RNG.integers(0, ROWS, ROWS)
            sk.roc_auc_score(TRUTH[drawn], RAW[drawn])

    others = [("resampling around sklearn", around_sklearn, FEW_THEIRS, ("100 x", "200 x"))]
    try:
        from rapidstats import Bootstrap
    except ImportError:
        print("rapidstats is not installed (pip install rapidstats pyarrow), so that it is not compared with")
    else:
        peer = Bootstrap(iterations=THEIRS, seed=0, n_jobs=None)
        others.append(
            ("rapidstats.Bootstrap", lambda: peer.roc_auc(TRUTH.astype(bool), RAW), THEIRS, ("25 x", "60 x"))
        )
    times = in_turn(ours("bootstrap"), ours("poisson-bootstrap"), *(task for _, task, *_ in others), rounds=3)
    for (name, _, size, targets), spent in zip(others, times[2:], strict=True):
        for how, mine, target in zip(("bootstrap", "Poisson bootstrap"), times, targets, strict=False):
            show(how, mine, f"{name} ({size} times {RESAMPLES // size})", spent * RESAMPLES / size, target)
    print(
        f"memory beyond the table: {_memory(ours('bootstrap')) / _size(table):.2f} x the table (target: under"
        " 3 x)"
    )


def _size(table) -> int:
    return sum(array.nbytes for array in (table.score, table.positive, table.negative))


def _memory(task: Callable) -> int:
    tracemalloc.start()
    task()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def start() -> None:
    print("\nimport")

    def run(code: str) -> Callable:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    empty, ours, first = in_turn(
        run("pass"), run("import tallymark"), run("import tallymark as tm; tm.Counts")
    )
    print(
        f"import tallymark                            {1e3 * (ours - empty):10.3f} ms beyond an empty Python"
        " (target: under 150 ms)"
    )
    print(
        f"import tallymark as tm; tm.Counts           {1e3 * (first - empty):10.3f} ms beyond an empty Python"
    )


PARTS = {
    "large": large,
    "sweep": sweep,
    "probability": probability,
    "small": small,
    "kernels": native,
    "resampling": resampling,
    "start": start,
}


def main() -> None:
    print(
        f"tallymark {tm.__version__}, scikit-learn {sklearn.__version__}, NumPy {np.__version__}; medians,"
        " each round in turn"
    )
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
