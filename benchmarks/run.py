"""Speed next to other tools: `make bench`, which also writes docs/speed.md, or

python benchmarks/run.py                       # every task, into benchmarks/results.json
python benchmarks/run.py first_call small/f1   # the tasks whose names start so; the others keep their figures
python benchmarks/run.py --quick               # under two minutes: a tenth of the rows; into build/bench only
python benchmarks/run.py --resume              # only the tasks without figures of this commit
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import environment
import measuring
import table
import tasks

STORED = tasks.HERE / "results.json"
QUICK = environment.PLACE / "quick.json"
QUICK_SCALE, QUICK_ROUNDS = 0.1, {True: 1, False: 3}  # of fresh processes, of others


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("task", nargs="*", help="the start of a name, or a pattern as '*/roc_auc'")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows and fewer rounds")
    parser.add_argument(
        "--resume", action="store_true", help="leave out tasks that have figures of this commit"
    )
    parser.add_argument("--list", action="store_true", help="list the tasks")
    parser.add_argument("--markdown", type=Path, help="write the page to this file, too")
    return parser.parse_args()


def run(chosen: Sequence[tasks.Task], file: Path, quick: bool, resume: bool) -> dict[str, Any]:
    """Measures one task after the other; each is stored as soon as it is done."""
    found, commit = table.read(file), environment.commit()
    found |= {"machine": environment.described(), "scale": QUICK_SCALE if quick else 1}
    for task in chosen:
        if resume and found["tasks"].get(task.name, {}).get("commit") == commit:
            continue
        print(f"{task.name} ...", file=sys.stderr, flush=True)
        rounds = QUICK_ROUNDS[task.fresh] if quick else task.rounds
        figures = measuring.measure(task, found["scale"], rounds)
        found["tasks"][task.name] = figures | {"commit": commit, "line": task.line, "title": task.title}
        print("\n".join(table.rows(task, figures, found["scale"])), flush=True)
        table.write(file, found)
    return found


def main() -> None:
    given, registry = parsed(), tasks.load()
    chosen = registry.chosen(given.task, given.quick)
    if given.list:
        print("\n".join(f"{task.name:36} line {task.line}: {task.title}" for task in chosen))
        return
    here = len(os.sched_getaffinity(0))
    for task in chosen:
        if task.cores > here:
            print(f"{task.name}: left out, it needs {task.cores} cores; here are {here}", flush=True)
    chosen = [task for task in chosen if task.cores <= here]
    environment.prepare()
    found = run(chosen, QUICK if given.quick else STORED, given.quick, given.resume)
    if given.markdown:
        given.markdown.write_text(table.markdown(registry.tasks.values(), found), encoding="utf-8")
    print(table.counted(found))
    sys.exit(any("failure" in found["tasks"][task.name] for task in chosen))


if __name__ == "__main__":
    main()
