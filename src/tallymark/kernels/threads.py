"""Threads for the native kernels.

Where none can start, the caller does the work itself, with exactly the same result.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import lru_cache
from math import ceil, inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


STRETCH = 1 << 18  # rows that a thread takes at once
MANY = 1 << 19  # rows, from which threads take less time to start than they save
_most: ContextVar[int | None] = ContextVar("threads", default=None)


class Task:
    """A call that one of some threads makes.

    `result` makes the call itself if no thread has begun: the threads are busy, none can start (a limit of
    the system), or the interpreter is shutting down and accepts no more work (in atexit handlers, and in
    threads that outlive the main one).
    """

    def __init__(self, threads: int, work: Callable[..., Any], *given: Any):
        self._call: tuple[Any, tuple[Any, ...]] = work, given
        self._claim, self._done = threading.Lock(), threading.Event()
        self._value: Any = None
        self._wrong: BaseException | None = None
        try:
            _submit(_pool(threads), self._run)
        except RuntimeError:
            _pool.cache_clear()  # this pool may keep the call; a new one may succeed

    def _run(self) -> None:
        if not self._claim.acquire(blocking=False):
            return
        (work, given), self._call = self._call, (None, ())  # the pool may keep the task
        try:
            self._value = work(*given)
        except BaseException as wrong:
            self._wrong = wrong
        finally:
            self._done.set()

    def result(self) -> Any:
        """The result of the call, or its exception."""
        self._run()
        self._done.wait()
        if self._wrong is not None:
            raise self._wrong
        return self._value


def ahead(work: Callable[[Any], Any], given: Sequence[Any]) -> Iterator[Any]:
    """The results of the calls, made one after the other: while one is used, a thread makes the next."""
    if processors() < 2 or len(given) < 2:
        yield from map(work, given)
        return
    tasks = (Task(1, work, each) for each in given)
    current: Task | None = next(tasks)
    while current:
        found = current.result()
        current = next(tasks, None)
        yield found


def together(*calls: Callable[[], Any], when: bool = True) -> list[Any]:
    """The results of calls that change nothing that they share, made at the same time.

    Made one after the other where there is one processor. when: whether they take longer than to start
    threads. Where the first one raises, the others go on without anyone waiting for them.
    """
    threads = processors() - 1 if when and len(calls) > 1 else 0
    if threads < 1:
        return [call() for call in calls]
    tasks = [Task(threads, copy_context().run, call) for call in calls[1:]]
    return [calls[0](), *(task.result() for task in tasks)]


def each(work: Callable[[int], Any], calls: int, when: bool = True, at_once: float = inf) -> list[Any]:
    """The results for the numbers below `calls`, of calls that change nothing that they share.

    Whichever thread is free makes the next call; where one raises, no other begins. when: as for `together`;
    at_once: how many calls, at most.
    """
    results: list[Any] = [None] * calls
    waiting = iter(range(calls))

    def some() -> None:
        for i in waiting:  # each is taken by one thread, since the interpreter's lock is held meanwhile
            try:
                results[i] = work(i)
            except BaseException:
                deque(waiting, maxlen=0)
                raise

    together(*[some] * int(max(min(calls, processors(), at_once), 1) if when else 1), when=when)
    return results


def stretches(work: Callable[[slice], Any], size: int, step: int = STRETCH) -> list[Any]:
    """The results for stretches of so many rows, in their order, which does not depend on the threads."""
    rows = [slice(start, min(start + step, size)) for start in range(0, size, step)]
    return each(lambda i: work(rows[i]), len(rows)) if size > MANY else [work(one) for one in rows]


def _submit(pool: ThreadPoolExecutor, call: Callable[[], None]) -> None:
    """Passes a call to a pool, which is ended after Ctrl-C while one of its threads starts."""
    try:
        pool.submit(call)
    except KeyboardInterrupt:
        _pool.cache_clear()
        pool.shutdown(wait=False)
        raise


def processors() -> int:
    """The number of processors to use: those of the affinity and the control groups, within `at_most`."""
    number = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, ceil(min(number, _quota(), _most.get() or number)))


@contextmanager
def at_most(threads: int | None) -> Iterator[None]:
    """No more threads than these in the kernels that the calling thread calls; None sets no limit."""
    token = _most.set(threads)
    try:
        yield
    finally:
        _most.reset(token)


@lru_cache(maxsize=1)
def _quota() -> float:
    """The processor time per unit of time that the control groups (Linux) allow; infinity without a limit."""
    try:
        groups = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return inf
    return min([inf, *quotas(groups, Path("/sys/fs/cgroup"))])


def quotas(groups: Iterable[str], root: Path) -> Iterator[float]:
    """The limits of the groups in /proc/self/cgroup and of those above them, in versions 1 and 2."""
    for group in groups:
        _, controllers, name = group.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        top = root / "cpu" if controllers else root
        place = top / name.strip("/")
        for folder in [place, *place.parents]:
            yield _limit(folder, bool(controllers))
            if folder == top:
                break


def _limit(folder: Path, first_version: bool) -> float:
    names = ["cpu.cfs_quota_us", "cpu.cfs_period_us"] if first_version else ["cpu.max"]
    try:
        quota, period = " ".join((folder / name).read_text(encoding="utf-8") for name in names).split()
        return int(quota) / int(period) if int(quota) > 0 else inf
    except (OSError, ValueError, ZeroDivisionError):  # no such file; "max"
        return inf


@lru_cache(maxsize=4)
def _pool(threads: int) -> ThreadPoolExecutor:
    """A pool that is started once, since starting a thread costs as much as ranking ten thousand rows."""
    # its module cannot be imported any more when the interpreter shuts down
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads, "tallymark")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not exist in a child process
