"""One tool on one task: prepares, then makes the call once for every line that it reads.

python worker.py TASK TOOL SCALE        # reads "run" or "answer", writes a line of JSON for each
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import tasks

LEAST = 0.02  # seconds of repeated calls that are timed together


def memory(key: str) -> int:
    """Bytes: VmRSS, in use now, or VmHWM, the most so far."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key):
            return 1024 * int(line.split()[1])
    return 0


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def call(job: tasks.Job, number: int) -> tuple[dict[str, float], Any]:
    """Seconds per call and the peak of memory beyond what was in use before."""
    forget_peak()
    before, start = memory("VmRSS"), perf_counter()
    for _ in range(number):
        result = job.run()
    seconds = (perf_counter() - start) / number
    return {"seconds": seconds * job.times, "memory": memory("VmHWM") - before}, result


def process(command: tasks.Command) -> dict[str, float]:
    """Seconds and peak memory of a process, which this small one starts."""
    start = perf_counter()
    quiet = os.open(os.devnull, os.O_WRONLY)
    child = os.posix_spawn(
        command.argv[0], command.argv, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, quiet, 1)]
    )
    _, status, usage = os.wait4(child, 0)
    os.close(quiet)
    if status:
        raise RuntimeError(f"{' '.join(command.argv)}: status {os.waitstatus_to_exitcode(status)}")
    return {"seconds": perf_counter() - start, "memory": 1024 * usage.ru_maxrss}


def session(job: tasks.Job | tasks.Command, lines: Any, reply: Callable[[dict[str, Any]], None]) -> None:
    number, result = 1, None
    for line in lines:
        if isinstance(job, tasks.Command):
            reply(dict(job.answer()) if line == "answer" else process(job))
        elif line == "answer":
            result = job.run() if result is None else result
            reply({name: float(value) for name, value in job.answer(result).items()})
        else:
            found, result = call(job, number)
            number = max(1, min(1000, int(LEAST * job.times / max(found["seconds"], 1e-9))))
            reply(found)


def main() -> None:
    name, tool, scale = sys.argv[1:4]
    task, out = tasks.load().tasks[name], os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a tool prints is not an answer
    job = task.tools[tool](task.data(float(scale)))

    def reply(found: dict[str, Any]) -> None:
        print(json.dumps(found), file=out, flush=True)

    reply({})
    session(job, (line.strip() for line in sys.stdin), reply)


if __name__ == "__main__":
    main()
