"""The data of the tasks: drawn from fixed seeds, files kept under build/bench."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from environment import PLACE


def two_classes(rows: int, distinct: bool = False) -> Callable[[float], SimpleNamespace]:
    """Labels, scores and a second model's scores; scores at 0 and 1 are shared unless `distinct`."""

    def made(scale: float) -> SimpleNamespace:
        import numpy as np

        random, size = np.random.default_rng(0), max(int(rows * scale), 100)
        truth = (random.random(size) < 0.3).astype(np.int64)
        if distinct:
            score = random.permutation((np.arange(size) + 0.5) / size) * 0.6 + 0.4 * truth * random.random(
                size
            )
        else:
            score = np.clip(random.normal(0.35 + 0.25 * truth, 0.2), 0, 1)
        other = np.clip(score + random.normal(0, 0.1, size), 0, 1)
        return SimpleNamespace(
            truth=truth, score=score, other=other, predicted=(score > 0.5).astype(np.int64)
        )

    return made


def few(rows: int) -> Callable[[float], SimpleNamespace]:
    """The same, as many in quick mode."""
    made = two_classes(rows)
    return lambda scale: made(1.0)


def many_labels(rows: int, classes: int) -> Callable[[float], SimpleNamespace]:
    """Labels of many classes, some of them unlike the truth."""

    def made(scale: float) -> SimpleNamespace:
        import numpy as np

        random, size = np.random.default_rng(1), int(rows * scale)
        truth = random.integers(0, classes, size)
        wrong = random.random(size) < 0.3
        return SimpleNamespace(
            truth=truth, predicted=np.where(wrong, random.integers(0, classes, size), truth)
        )

    return made


def class_scores(rows: int, classes: int) -> Callable[[float], SimpleNamespace]:
    """A probability per class."""

    def made(scale: float) -> SimpleNamespace:
        import numpy as np

        random, size = np.random.default_rng(2), int(rows * scale)
        truth = random.integers(0, classes, size)
        score = random.random((size, classes))
        score[np.arange(size), truth] += 0.3
        score /= score.sum(axis=1, keepdims=True)
        return SimpleNamespace(truth=truth, score=score, bytes=score.nbytes)

    return made


def file_of(rows: int, kind: str, fixed: bool = False) -> Callable[[float], Any]:
    """The path of a file of two columns, y and p, made by a process of its own."""

    def made(scale: float) -> str:
        import subprocess
        import sys

        size = rows if fixed else int(rows * scale)
        file = PLACE / "data" / f"{size}.{kind}"
        if not file.exists():
            code = f"import samples; samples.write({size}, {kind!r}, {str(file)!r})"
            subprocess.run([sys.executable, "-c", code], check=True, cwd=PLACE.parent.parent / "benchmarks")
        return str(file)

    return made


def write(rows: int, kind: str, file: str) -> None:
    """Writes a file of two columns."""
    import os
    from pathlib import Path

    import polars

    Path(file).parent.mkdir(parents=True, exist_ok=True)
    made = two_classes(rows)(1.0)
    frame, unfinished = polars.DataFrame({"y": made.truth, "p": made.score}), file + ".part"
    frame.write_parquet(unfinished) if kind == "parquet" else frame.write_csv(unfinished)
    os.replace(unfinished, file)
