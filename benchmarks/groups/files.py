"""Files on the command line, next to fetching the two columns with DuckDB and sorting the scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from environment import PYTHON
from samples import file_of
from tasks import MB, OURS, REGISTRY, Command, Job, Target, Task

COMMAND = str(PYTHON.with_name("tallymark"))
LIMIT, START, BASE = "DuckDB fetchnumpy + numpy.sort", 0.5, 150 * MB
BYTES = 16  # a row of two columns in memory


def columns(file: str) -> Mapping[str, object]:
    import duckdb

    return duckdb.sql(f"select y, p from '{file}'").fetchnumpy()


def auc(file: str) -> dict[str, float]:
    from sklearn.metrics import roc_auc_score

    found = columns(file)
    return {"roc_auc": roc_auc_score(found["y"], found["p"])}


def command(file: str, *options: str) -> Command:
    """The evaluation of a file, with its AUC from JSON for the comparison of answers."""

    def answer() -> dict[str, float]:
        import json
        import subprocess

        argv = [COMMAND, "evaluate", file, "--truth", "y", "--score", "p", "--measure", "roc_auc", "--json"]
        text = subprocess.run(argv, check=True, capture_output=True).stdout
        return {"roc_auc": json.loads(text)["measures"]["roc_auc"]["value"]}

    return Command([COMMAND, "evaluate", file, "--truth", "y", "--score", "p", *options], answer)


def fetched(file: str) -> Job:
    import duckdb  # noqa: F401  # loading is not part of the limit
    import numpy as np

    return Job(lambda: np.sort(columns(file)["p"]), lambda _: auc(file))


def add(rows: int, kind: str, options: Mapping[str, tuple[float, float]]) -> None:
    """A task per set of options, with its limits of time and memory."""
    for option, (time, memory) in options.items():
        given: Callable[[str], Command] = partial(_evaluated, option)
        REGISTRY.add(
            Task(
                name=f"files/{kind}{option.replace('--', '_')}",
                line=4,
                title=f"`tallymark evaluate {option}`".replace(" `", "`")
                + f", {rows:,} rows of {kind.upper()}",
                data=file_of(rows, kind),
                tools={OURS: given, LIMIT: fetched},
                targets=(
                    Target(time, of=LIMIT, plus=START),
                    Target(memory * rows * BYTES, memory=True, beyond=BASE),
                ),
                fresh=True,
                rounds=3,
            )
        )


def _evaluated(option: str, file: str) -> Command:
    return command(file, *option.split())


add(5_000_000, "parquet", {"": (2, 3), "--all": (5, 4)})
add(2_000_000, "csv", {"": (3, 3), "--all": (5, 4)})
REGISTRY.add(
    Task(
        name="small/command_line",
        line=7,
        title="`tallymark evaluate`, 600 rows of CSV",
        data=file_of(600, "csv", fixed=True),
        tools={OURS: command},
        targets=(Target(0.5),),
        fresh=True,
    )
)
