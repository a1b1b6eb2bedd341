"""Files larger than memory, next to DuckDB: `make bench-large`, or

python benchmarks/bigger.py                      # 3 x 10^7 and 3 x 10^8 rows of each kind of scores
python benchmarks/bigger.py --rows 1e6 1e7 --kinds rare --place /big/disk

For each kind and size a Parquet file is written, read by DuckDB (a mean by label, and counts by label of each
score where it has 10^7 rows or fewer) and by `tallymark evaluate` within `--memory`, one after the other, and
removed. 10^9 rows are extrapolated from the two largest sizes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from measuring import environment_of_workers  # noqa: E402  # beside this file

ROW = 8.3  # bytes on the disk: 8 of a score and a bit of a label
GROUPED = 10_000_000  # rows, at most, of the query that sorts
WIDEST, MOST_MEMORY, MOST_TIMES, AIM = 2e-6, 2 << 30, 6.0, 3.0
BATCH = 1 << 22

MEAN = "select y, avg(p), count(*) from '{file}' group by y"
COUNTS = "select p, count(*) filter (y), count(*) filter (not y) from '{file}' group by p order by p"
DUCKDB = "import duckdb, sys; duckdb.sql('set threads=' + sys.argv[1]); duckdb.sql(sys.argv[2]).fetchnumpy()"
OURS = """
import json, sys
import tallymark as tm
found = tm.evaluate(sys.argv[1], truth="y", score="p", memory=sys.argv[2])
text, auc = str(found), found["roc_auc"]
print(json.dumps({"rows": found.data.rows, "bounds": auc.bounds or (auc.value, auc.value)}))
"""


def batches(kind: str, rows: int) -> Any:
    """Labels and scores, from a seed."""
    import numpy as np

    rng = np.random.default_rng(0)
    for start in range(0, rows, BATCH):
        size = min(BATCH, rows - start)
        if kind == "uniform":
            score = rng.random(size)
            yield rng.random(size) < score, score
            continue
        truth = rng.random(size) < (0.01 if kind == "rare" else 0.3)
        far, middle = (1.5, -4.6) if kind == "rare" else (1.5, -0.75)
        yield truth, 1 / (1 + np.exp(-rng.normal(middle + far * truth)))


def written(kind: str, rows: int, file: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    writer = None
    for truth, score in batches(kind, rows):
        table = pa.table({"y": truth, "p": score})
        writer = writer or parquet.ParquetWriter(file, table.schema, use_dictionary=False)
        writer.write_table(table, row_group_size=1 << 20)
    assert writer is not None
    writer.close()


def timed(code: str, *arguments: str) -> dict[str, Any]:
    """Seconds, those of processors, the peak of memory and the answer of a fresh process."""
    read, write = os.pipe()
    start = perf_counter()
    command = [sys.executable, "-c", code, *arguments]
    child = os.posix_spawn(
        sys.executable, command, environment_of_workers(), file_actions=[(os.POSIX_SPAWN_DUP2, write, 1)]
    )
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f"{code.split()[1]}: status {os.waitstatus_to_exitcode(status)}")
    seconds = {"seconds": perf_counter() - start, "cpu": usage.ru_utime + usage.ru_stime}
    return {**seconds, "memory": 1024 * usage.ru_maxrss, "answer": text}


def measured(kind: str, rows: int, file: Path, memory: str, threads: str) -> dict[str, Any]:
    """The figures of one file, which is printed."""
    written(kind, rows, file)
    tools = {"mean by label": timed(DUCKDB, threads, MEAN.format(file=file))}
    if rows <= GROUPED:
        tools["counts by score"] = timed(DUCKDB, threads, COUNTS.format(file=file))
    tools["tallymark"] = ours = timed(OURS, str(file), memory)
    file.unlink()
    low, high = json.loads(ours["answer"])["bounds"]
    print(f"\n{kind}, {rows:.0e} rows: ROC AUC {low:.7f} to {high:.7f}, {high - low:.1e} wide")
    for name, one in tools.items():
        ratio, mebibytes = ours["cpu"] / one["cpu"], one["memory"] / (1 << 20)
        print(
            f"  {name:16} {one['seconds']:8.1f} s {one['cpu']:8.1f} s CPU {mebibytes:8,.0f} MiB"
            + (f"   tallymark: {ratio:.2f} times its CPU" if one is not ours else "")
        )
    return {"rows": rows, "width": high - low, "tools": tools}


def judged(kind: str, found: Mapping[str, Any]) -> None:
    """Prints whether the targets are met, of the largest file."""
    ours, mean = found["tools"]["tallymark"], found["tools"]["mean by label"]
    ratio = ours["cpu"] / mean["cpu"]
    targets = {
        f"bounds of {found['width']:.1e}, at most {WIDEST:.0e}": found["width"] <= WIDEST,
        f"{ours['memory'] / (1 << 30):.2f} GiB, at most 2": ours["memory"] <= MOST_MEMORY,
        f"{ratio:.2f} times the CPU of the mean by label, at most {MOST_TIMES:g} (aim {AIM:g})": ratio
        <= MOST_TIMES,
    }
    for target, met in targets.items():
        print(f"{kind}, {found['rows']:.0e} rows: {'met' if met else 'MISSED'}: {target}")


def extrapolated(kind: str, small: Mapping[str, Any], large: Mapping[str, Any]) -> None:
    """Prints 10^9 rows, on the line through two sizes."""
    both = [(one["rows"], one["tools"]["tallymark"]) for one in (small, large)]
    (n, a), (m, b) = both
    for what, unit in (("cpu", "s CPU"), ("memory", "bytes")):
        at = b[what] + (b[what] - a[what]) / (m - n) * (1e9 - m)
        print(f"{kind}, 1e+09 rows, extrapolated from {n:.0e} and {m:.0e}, not measured: {at:,.0f} {unit}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=float, nargs="+", default=[3e7, 3e8])
    parser.add_argument("--kinds", nargs="+", default=["uniform", "logit", "rare"])
    parser.add_argument("--memory", default="256MiB", help="of tallymark (default: %(default)s)")
    parser.add_argument("--threads", default=str(len(os.sched_getaffinity(0))), help="of DuckDB")
    parser.add_argument(
        "--place", type=Path, help="where the files are written (default: the temporary folder)"
    )
    given = parser.parse_args()
    needed, place = max(given.rows) * ROW, given.place or Path(tempfile.gettempdir())
    free = shutil.disk_usage(place).free
    print(f"needs {needed / 1e9:.1f} GB of disk in {place}, where {free / 1e9:.1f} GB are free", flush=True)
    if needed > free:
        raise SystemExit("name another folder with --place")
    with tempfile.TemporaryDirectory(dir=place) as folder:
        for kind in given.kinds:
            found = [
                measured(kind, int(rows), Path(folder) / "cases.parquet", given.memory, given.threads)
                for rows in sorted(given.rows)
            ]
            judged(kind, found[-1])
            if len(found) > 1:
                extrapolated(kind, *found[-2:])


if __name__ == "__main__":
    main()
