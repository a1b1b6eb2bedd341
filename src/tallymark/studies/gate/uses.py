"""How often a test set decides: the error that each use may have, and the file that counts the uses."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import wraps
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from ...input import validate
from ...input.errors import InputError
from ...input.options import VALIDITIES, Validity
from ...input.text import count

F = TypeVar("F", bound=Callable[..., Any])
# arguments that decide nothing, and the baseline, whose content counts
UNIMPORTANT = ("baseline", "name", "progress", "undecided")


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


# The file that counts: a line of JSON for each use. A line is added in one operation of the system, so that
# of two runs at once each has its own place, and nothing is locked or rewritten
# --------------------------------------------------------------------------------------------------


def counted(function: F) -> F:
    """Lets `check` have an argument `state`, the file in which its verdict is counted as a use.

    The same files with the same arguments are the same use; without a verdict there is none.
    """

    @wraps(function)
    def called(*data: Any, **given: Any) -> Any:
        state = given.pop("state", None)
        if state is None:
            return function(*data, **given)
        planned = Uses.of(given.pop("uses", None), "fixed").planned
        key = _fingerprint(data, given)
        fresh = key not in _uses_in(state)
        if fresh:
            _add(state, use=key, of=planned, time=datetime.now(UTC).isoformat(timespec="seconds"))
        try:
            return function(*data, **given, uses=_numbered(state, key, planned))
        except BaseException:
            if fresh:
                _add(state, use=key, of=planned, without_verdict=True)
            raise

    return called  # type: ignore[return-value]  # it has the signature of F


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


def _uses_in(path: Any) -> dict[str, int | None]:
    """By use, in their order, the number that was planned. Raises InputError."""
    found: dict[str, int | None] = {}
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []
        for line in lines:
            entry = json.loads(line)
            if entry.get("without_verdict"):
                found.pop(entry["use"], None)
            else:
                found.setdefault(entry["use"], entry["of"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as reason:
        raise InputError(
            "unreadable",
            "state",
            f"{str(path)!r} is no file that counts uses ({reason})",
            "restore it, or name a new file with a new test set",
        ) from None
    return found


def _add(path: Any, **entry: Any) -> None:
    line = f"{json.dumps(entry)}\n".encode()
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(file, line)
        finally:
            os.close(file)
    except (OSError, ValueError) as reason:
        problem = f"{str(path)!r} cannot be written ({getattr(reason, 'strerror', reason)})"
        raise InputError("not-written", "state", problem, "choose another place") from None


def _numbered(path: Any, key: str, planned: int | None) -> Uses:
    """This use, by its place. Raises InputError where the plan has changed, or is used up."""
    known = _uses_in(path)
    plan = next(iter(known.values()))
    if plan != planned:
        before, now = ("without a number" if one is None else f"for {count(one)}" for one in (plan, planned))
        raise InputError(
            "mismatch",
            "uses",
            f"{str(path)!r} was begun {before}, and this is {now}",
            "keep to the plan, or begin a new file with a new test set",
        )
    number = list(known).index(key) + 1
    if planned is not None and number > planned:
        raise InputError(
            "no-result",
            "state",
            f"the {count(planned)} uses of these cases are used up, as {str(path)!r} counts",
            "replace the test set, and begin a new file",
        )
    return Uses(planned, number)
