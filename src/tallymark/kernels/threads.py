"""Threads for the native kernels.

Where none can start, the caller does the work itself, with exactly the same result.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


class Task:
    """A call that one of some threads makes.

    `result` makes the call itself if no thread has begun: the threads are busy, none can start (a limit of
    the system), or the interpreter is shutting down and accepts no more work (in atexit handlers, and in
    threads that outlive the main one).
    """

    def __init__(self, threads: int, work: Callable[..., Any], *given: Any):
        self._call, self._claim, self._done = (work, given), threading.Lock(), threading.Event()
        self._value: Any = None
        self._wrong: BaseException | None = None
        try:
            _pool(threads).submit(self._run)
        except RuntimeError:
            _pool.cache_clear()  # this pool may keep the call; a new one may succeed

    def _run(self) -> None:
        if not self._claim.acquire(blocking=False):
            return
        work, given = self._call
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


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=4)
def _pool(threads: int) -> ThreadPoolExecutor:
    """A pool that is started once, since starting a thread costs as much as ranking ten thousand rows."""
    # its module cannot be imported any more when the interpreter shuts down
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads, "tallymark")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not exist in a child process
