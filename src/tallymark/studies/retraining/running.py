"""Many fits, in one process or several, with the same result either way.

Each fit has its own random stream.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...evaluation.notices import Notice, number_of
from ...input import validate
from ...input.messages.notes import Note
from ...input.results import Result
from ...input.validate import InputError, shown
from .fitting import Outcome

NO_JOBLIB = Notice("joblib-missing")


@dataclass(frozen=True, slots=True, repr=False)
class Lost(Result):
    """The fits that failed, and the values that are undefined, each with the first reason."""

    failed: int = 0
    first_error: str | None = None
    undefined: int = 0
    first_reason: Note | None = None

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices on these."""
        return self.notices_of(None)

    def notices_of(self, estimator: str | None) -> tuple[Notice, ...]:
        """The notices on one estimator of several."""
        of = {} if estimator is None else {"model": estimator}
        failed = Notice("fits-failed", fits=self.failed, error=self.first_error, **of)
        undefined = Notice("values-undefined", values=self.undefined, because=self.first_reason, **of)
        return (failed,) * bool(self.failed) + (undefined,) * bool(self.undefined)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        reason = self.first_reason and self.first_reason.to_dict()
        return {
            "failed": self.failed,
            "first_error": self.first_error,
            "undefined": self.undefined,
            "first_reason": reason,
        }


def lost(outcomes: Sequence[Outcome]) -> Lost:
    """The failures among these outcomes. Raises InputError where every fit failed."""
    failed = [one.error for one in outcomes if one.error is not None]
    undefined = [one.reason for one in outcomes if one.reason is not None]
    if failed and len(failed) == len(outcomes):
        raise InputError(
            "estimator",
            "estimator",
            f"every one of {number_of(len(failed), 'fit')} failed, the first with {failed[0]}",
        )
    return Lost(len(failed), next(iter(failed), None), len(undefined), next(iter(undefined), None))


def values_of(outcomes: Sequence[Outcome]) -> np.ndarray:
    """The values; NaN where there is none."""
    return validate.frozen(np.array([one.value for one in outcomes], float))


def plain(value: float) -> float | str | None:
    """A number as strict JSON has it: NaN is null, and infinity a text."""
    return value if np.isfinite(value) else None if np.isnan(value) else str(value)


def streams(seed: int, number: int) -> list[np.random.SeedSequence]:
    """Independent random streams, one per fit, so that the order of the fits does not matter."""
    return np.random.SeedSequence(seed).spawn(number)


def run(
    work: Callable[[Any], Any], tasks: Sequence[Any], jobs: int, progress: Any
) -> tuple[list[Any], list[Notice]]:
    """The results of the work on every task, in order, and notices on how it was done."""
    missing = jobs != 1 and not _joblib()
    made = map(work, tasks) if jobs == 1 or missing else _parallel(work, tasks, jobs)
    with _progress(progress, len(tasks)) as tell:
        return list(_told(made, tell)), [NO_JOBLIB] if missing else []


def checked_jobs(jobs: Any) -> int:
    """The number of processes: 1, more, or -1 for one per core."""
    if validate.whole(jobs, "jobs", -1, 4096) == 0:
        raise InputError(
            "invalid-value",
            "jobs",
            "0 is not possible",
            "give a whole number from 1 on, or -1 for one process per core",
        )
    return int(jobs)


def checked_progress(progress: Any) -> Any:
    """None, False or a function."""
    if progress is not None and progress is not False and not callable(progress):
        raise InputError(
            "invalid-value",
            "progress",
            f"{shown(progress)} is not understood",
            "pass a function of the number of fits done, or False",
            value=progress,
        )
    return progress


def _joblib() -> Any:
    """The module; None where it is not installed."""
    try:
        import joblib
    except ImportError:
        return None
    return joblib


def _parallel(work: Callable[[Any], Any], tasks: Sequence[Any], jobs: int) -> Iterable[Any]:
    joblib = _joblib()
    made: Iterable[Any] = joblib.Parallel(n_jobs=jobs, return_as="generator")(
        joblib.delayed(work)(task) for task in tasks
    )
    return made


def _told(made: Iterable[Any], tell: Callable[[int], Any] | None) -> Iterator[Any]:
    for done, one in enumerate(made, 1):
        if tell:
            tell(done)
        yield one


@contextmanager
def _progress(progress: Any, total: int) -> Iterator[Callable[[int], Any] | None]:
    """The caller's function; by default a progress bar on a terminal, and nothing in a pipe."""
    if progress is not None or not sys.stderr.isatty():
        yield progress or None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        yield None
        return
    with tqdm(unit=" fits", total=total, delay=0.5, leave=False) as bar:
        yield lambda done: bar.update(done - bar.n)
