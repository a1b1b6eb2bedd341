"""How often a test set decides: the error that each use may have, and the file that counts the uses."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from errno import ENOSPC
from functools import wraps
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from ...evaluation.results import Evaluation
from ...inference.interval import Settings
from ...input import validate
from ...input.arguments import VALIDITIES, Validity
from ...input.errors import InputError, option
from ...input.text import count

F = TypeVar("F", bound=Callable[..., Any])
Plan = tuple[int | None, float]  # the number of uses, and the level of all together
# arguments that decide nothing, the baseline, whose content counts, and the level, which is that of the file
UNIMPORTANT = ("baseline", "level", "name", "progress", "undecided")


@dataclass(frozen=True)
class Uses:
    """The uses of a test set.

    With a planned number each has an equal share of the error (Bonferroni). Without one use k has the share
    1 / (k (k + 1)), and these add up to 1 however many there are.

    Parameters
    ----------
    planned : int or None
        Their number in total.
    number : int or None
        Which of them this is, by the file that counts them.
    valid : {"fixed", "anytime"}
        Whether intervals hold at all numbers of cases together.
    """

    planned: int | None = None
    number: int | None = None
    valid: Validity = "fixed"

    @classmethod
    def of(cls, uses: Any, valid: Any) -> Uses:
        """Those of an argument `uses`, in whose place `counted` has put them where a file counts."""
        validate.choice(valid, VALIDITIES, "valid")
        if isinstance(uses, cls):
            return replace(uses, valid=valid)
        return cls(None if uses is None else validate.whole(uses, "uses", 1, 1e6), valid=valid)

    @property
    def is_first(self) -> bool:
        """Whether nothing is known of other uses."""
        return self.planned is None and self.number is None

    @property
    def shares(self) -> int:
        """The part of the error that this use may have is one of so many."""
        return self.planned or (self.number * (self.number + 1) if self.number else 1)

    def level(self, level: float) -> float:
        """The level of the intervals of this use, from that of all together."""
        return 1 - (1 - level) / self.shares

    def overall(self, level: float) -> float:
        """The reverse."""
        return round(1 - (1 - level) * self.shares, 12)

    def sentence(self, level: float) -> str:
        """What the level of the intervals means for a test set that is used again."""
        rate, at = f"{50 * (1 - self.overall(level)):.4g}%", f"at {100 * level:.6g}%"
        looks = ", however often one looks while cases arrive" if self.valid == "anytime" else ""
        if self.is_first:
            return (
                f"First use of these cases: a model at a limit passes in about {rate} of samples{looks};"
                " further uses add to that (uses)"
            )
        over_all = " (Bonferroni)" if self.planned else ", over all uses however many"
        if self.number is not None:
            uses = f"use {self.number} of {self.planned or 'these cases'}"
        elif self.planned == 1:
            uses = "a single use of these cases"
        else:
            uses = f"{count(self.planned or 0)} uses of these cases in all"
        return (
            f"Intervals {at}, for {uses}: models at a limit pass in about {rate} of samples at"
            f" most{looks}{over_all}"
        )


FIRST_USE = Uses()


# The file that counts: a line of JSON for each run. A line is added in one operation of the system, so that
# of two runs at once each has its own place, and nothing is locked or rewritten. The runs of one call are one
# use, which is there while one of them is
# --------------------------------------------------------------------------------------------------

COUNTING = ContextVar("COUNTING", default=True)
ENTRY: Mapping[str, Callable[[Any], bool]] = {
    "use": lambda value: isinstance(value, str),
    "id": lambda value: isinstance(value, str),
    "of": lambda value: value is None or (type(value) is int and value > 0),
    "level": lambda value: type(value) is float and 0 < value < 1,
}
START = '{"use": "'


@contextmanager
def uncounted() -> Iterator[None]:
    """`check` is then at the level of the next use, which it does not count."""
    token = COUNTING.set(False)
    try:
        yield
    finally:
        COUNTING.reset(token)


def counted(function: F) -> F:
    """Lets `check` have an argument `state`, the file in which its verdict is counted as a use.

    The same files with the same arguments are the same use; without a verdict there is none.
    """

    @wraps(function)
    def called(*data: Any, **given: Any) -> Any:
        state = given.pop("state", None)
        if state is None:
            return function(*data, **given)
        uses = Uses.of(given.pop("uses", None), given.get("valid", "fixed"))
        if data and isinstance(data[0], Evaluation):
            level = data[0].settings.level
        else:
            level = validate.level(given.get("level", Settings().level))
        if not COUNTING.get():
            return function(*data, **given, uses=next_use(state, uses, level))
        _refuse_anytime(uses)
        _uses_in(state)  # another file stays as it is
        key = _fingerprint(data, given)
        entry = {"use": key, "id": uuid4().hex, "of": uses.planned, "level": level}
        _add(state, **entry, time=datetime.now(UTC).isoformat(timespec="seconds"))
        try:
            return function(*data, **given, uses=_numbered(state, key, uses.planned, level))
        except BaseException:
            _add(state, **entry, without_verdict=True)
            raise

    return called  # type: ignore[return-value]  # it has the signature of F


def next_use(path: Any, uses: Uses, level: float) -> Uses:
    """The use that the file would count next; these without a file. Raises InputError."""
    if path is None:
        return uses
    _refuse_anytime(uses)
    return _numbered(path, None, uses.planned, level)


def _refuse_anytime(uses: Uses) -> None:
    if uses.valid == "anytime":
        raise InputError(
            "conflict",
            "state",
            "requirements that are valid at every number of cases need no count of looks at the same model",
            f"leave out {option('state')} or {option('valid')}",
        )


def _fingerprint(data: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """The same for files of the same content and the same arguments; never the same for cases in memory."""
    sources = [*data, *([given["baseline"]] if given.get("baseline") is not None else [])]
    arguments = {name: value for name, value in given.items() if name not in UNIMPORTANT}
    try:
        found = sha256(json.dumps(arguments, sort_keys=True, default=os.fspath).encode())
        for path in (one for source in sources for one in (source if isinstance(source, list) else [source])):
            with Path(path).open("rb") as file:
                found.update(file_digest(file, "sha256").digest())
    except (TypeError, ValueError, OSError):
        return uuid4().hex
    return found.hexdigest()


def _uses_in(path: Any) -> dict[str, Plan | None]:
    """By use, in their order, the plan; None for one whose line was cut off. Raises InputError."""
    validate.of_type(path, (str, os.PathLike), "state")
    plans: dict[str, Plan | None] = {}
    runs: dict[str, set[str]] = {}
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            entry = _entry(line, number)
            if entry is None:
                plans[f"line {number}"] = None
                continue
            key, run = entry["use"], entry["id"]
            if not entry.get("without_verdict"):
                plans.setdefault(key, (entry["of"], entry["level"]))
                runs.setdefault(key, set()).add(run)
            elif run in runs.get(key, ()):
                runs[key].discard(run)
                if not runs[key]:
                    del plans[key], runs[key]
    except (OSError, ValueError, TypeError, RecursionError) as reason:
        raise InputError(
            "unreadable",
            "state",
            f"{str(path)!r} is no file that counts uses ({reason})",
            "restore it, or name a new file with a new test set",
        ) from None
    return plans


def _entry(line: str, number: int) -> dict[str, Any] | None:
    """What a line holds, None if it was cut off. Raises ValueError."""
    try:
        entry = json.loads(line)
    except ValueError:
        if line.startswith(START) or START.startswith(line):
            return None
        raise ValueError(f"line {number} is no entry") from None
    if not isinstance(entry, dict):
        raise ValueError(f"line {number} is no entry")
    for name, fits in ENTRY.items():
        if name not in entry or not fits(entry[name]):
            raise ValueError(f"line {number} has no {name!r}, or an impossible one")
    return entry


def _add(path: Any, **entry: Any) -> None:
    line = f"{json.dumps(entry)}\n".encode()
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            if os.fstat(file).st_size:
                os.lseek(file, -1, os.SEEK_END)
                line = line if os.read(file, 1) == b"\n" else b"\n" + line
            if os.write(file, line) < len(line):
                raise OSError(ENOSPC, os.strerror(ENOSPC))
        finally:
            os.close(file)
    except (OSError, ValueError) as reason:
        problem = f"{str(path)!r} cannot be written ({getattr(reason, 'strerror', reason)})"
        raise InputError("not-written", "state", problem, "choose another place") from None


def _numbered(path: Any, key: str | None, planned: int | None, level: float) -> Uses:
    """This use, by its place, or the next one. Raises InputError for another plan, or one that is used up."""
    known = _uses_in(path)
    plan = next((one for one in known.values() if one), (planned, level))
    for name, before, now in (
        ("uses", _of_number(plan[0]), _of_number(planned)),
        ("level", f"at {100 * plan[1]:.10g}%", f"at {100 * level:.10g}%"),
    ):
        if before != now:
            raise InputError(
                "mismatch",
                name,
                f"{str(path)!r} was begun {before}, and this is {now}",
                "keep to the plan, or begin a new file with a new test set",
            )
    number = (len(known) if key is None else list(known).index(key)) + 1
    if planned is not None and number > planned:
        raise InputError(
            "no-result",
            "state",
            f"these cases are used up: {str(path)!r} counts {count(planned)} of {count(planned)} uses",
            "replace the test set, and begin a new file",
        )
    return Uses(planned, number)


def _of_number(planned: int | None) -> str:
    return "without a number" if planned is None else f"for {count(planned)}"
