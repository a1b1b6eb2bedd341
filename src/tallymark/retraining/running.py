"""Many fits, on one process or several: the same answer either way, since each has a random stream of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .. import validate
from ..notices import Notice, number_of
from ..results import Result
from ..validate import InputError, shown
from .fitting import Outcome

LOST = "values-lost"  # the code of a notice
NO_JOBLIB = "joblib is not installed, so that one process made all fits; pip install tallymark[retrain]"


@dataclass(frozen=True, slots=True, repr=False)
class Lost(Result):
    """What gave no value: fits that failed, with what the first raised, and values that are undefined, with the first reason."""

    failed: int = 0
    first_error: str | None = None
    undefined: int = 0
    first_reason: str | None = None

    @property
    def notes(self) -> list[str]:
        """Sentences about it."""
        said = []
        if self.failed:
            said.append(f"{number_of(self.failed, 'fit')} failed, the first with {self.first_error}; left out here.")
        if self.undefined:
            values = number_of(self.undefined, "value is", "values are")
            said.append(f"{values} undefined, the first since: {self.first_reason}; left out here.")
        return said

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The sentences with a code."""
        return tuple(Notice(LOST, note) for note in self.notes)

    def to_dict(self) -> dict:
        """Plain values."""
        return asdict(self)


def of_run(notes: Iterable[str]) -> tuple[Notice, ...]:
    """How it was run, as notices."""
    return tuple(Notice("how-it-was-run", note) for note in notes)


def lost(outcomes: Sequence[Outcome]) -> Lost:
    """What these lost. Raises InputError where every fit failed."""
    failed = [one.error for one in outcomes if one.error is not None]
    undefined = [one.reason for one in outcomes if one.reason is not None]
    if failed and len(failed) == len(outcomes):
        raise InputError(f"estimator: every one of {number_of(len(failed), 'fit')} failed, the first with {failed[0]}.")
    return Lost(len(failed), next(iter(failed), None), len(undefined), next(iter(undefined), None))


def values_of(outcomes: Sequence[Outcome]) -> np.ndarray:
    """The values; NaN where there is none."""
    return validate.frozen(np.array([one.value for one in outcomes], float))


def plain(value: float) -> float | str | None:
    """A number as strict JSON has it: NaN is null, and infinity a text."""
    return value if np.isfinite(value) else None if np.isnan(value) else str(value)


def streams(seed: int, number: int) -> list[np.random.SeedSequence]:
    """Independent random streams, one per fit, so that it does not matter who makes which."""
    return np.random.SeedSequence(seed).spawn(number)


def run(work: Callable[[Any], Any], tasks: Sequence[Any], jobs: int, progress: Any) -> tuple[list, list[str]]:
    """The work on every task, in order, and what is to be said about how it was done."""
    missing = jobs != 1 and not _joblib()
    made = map(work, tasks) if jobs == 1 or missing else _parallel(work, tasks, jobs)
    with _progress(progress, len(tasks)) as tell:
        return list(_told(made, tell)), [NO_JOBLIB] if missing else []


def checked_jobs(jobs: Any) -> int:
    """How many processes: 1, more, or -1 for one per core."""
    if validate.whole(jobs, "jobs", -1, 4096) == 0:
        raise InputError("jobs: 0 is not possible; give a whole number from 1 on, or -1 for one process per core.")
    return int(jobs)


def checked_progress(progress: Any) -> Any:
    """None, False or a function."""
    if progress is not None and progress is not False and not callable(progress):
        raise InputError(f"progress: {shown(progress)} is not understood; pass a function of the number of fits done, or False.")
    return progress


def _joblib():
    try:
        import joblib
    except ImportError:
        return None
    return joblib


def _parallel(work, tasks, jobs):
    joblib = _joblib()
    return joblib.Parallel(n_jobs=jobs, return_as="generator")(joblib.delayed(work)(task) for task in tasks)


def _told(made: Iterable, tell: Callable[[int], Any] | None) -> Iterator:
    for done, one in enumerate(made, 1):
        if tell:
            tell(done)
        yield one


@contextmanager
def _progress(progress: Any, total: int):
    """The caller's function; without one a bar on a terminal, and nothing in a pipe."""
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
