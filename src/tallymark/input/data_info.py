"""The facts about the data that no summary holds."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import PurePath
from typing import Any, Literal, get_args

from .calls import current_call
from .results import Result
from .text import whole

Task = Literal["binary", "multiclass", "multilabel", "regression"]
TASKS: tuple[Task, ...] = get_args(Task)


def today() -> str:
    """The date in UTC, or that of SOURCE_DATE_EPOCH, by which programs make the same files again."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    return time.strftime("%Y-%m-%d", time.gmtime(int(seconds) if seconds.isdecimal() else None))


@dataclass(frozen=True, slots=True, repr=False)
class DataInfo(Result):
    """The facts about the cases.

    rows: cases used; positives, negatives: their weight (None for many classes); dropped: rows left out for
    missing values; dropped_unanswered: those of them that have a true label, but no score or prediction;
    effective_rows: Kish's effective sample size of importance weights, else None; weightless: rows of weight
    0, which are left out; whole_weights: whether importance weights that are not all 1 are whole, and
    weight_kind is not passed; weight_kind: "count" or "importance", "mixed" where sets of cases with weights
    of both kinds are combined, None without weights; folds: number of folds whose models scored the cases, 0
    for one model; differing: number of cases for which an estimator predicts another label than its score at
    the threshold; positive_by_name: whether the positive label is the one called "positive", and not passed;
    memory: the bytes that its distinct scores exceeded, 0 where they fit; name: what the result is called,
    where that was passed; date: of the evaluation; call: the call that made it; files: the path, the size and
    the time of change of each file that was read.
    """

    rows: float
    positives: float | None
    negatives: float | None
    weighted: bool
    source: str
    dropped: int = 0
    effective_rows: float | None = None
    weightless: int = 0
    whole_weights: bool = False
    weight_kind: str | None = None
    folds: int = 0
    differing: int = 0
    dropped_unanswered: int = 0
    positive_by_name: bool = False
    memory: int = 0
    name: str = ""
    date: str = field(default_factory=today, compare=False)
    call: str = field(default_factory=current_call, compare=False)
    files: tuple[tuple[str, int, int], ...] = field(default=(), compare=False)

    @property
    def counted(self) -> bool:
        """Whether cases are counted: there are no weights, or these are numbers of cases."""
        return self.weight_kind in (None, "count")

    @property
    def sha256(self) -> str:
        """The fingerprint of the file that was read, as `sha256sum` gives it, in hexadecimal digits.

        It is worked out when it is read. Of several files it is that of their fingerprints, one a line; it is
        empty for other data, and where a file was changed since it was read.
        """
        return sha256_of(self.files) if self.files else ""

    @property
    def called(self) -> str:
        """What the result is called: its name, else that of the file; else empty."""
        return self.name or ("" if self.source.isidentifier() else PurePath(self.source).name)

    @property
    def head(self) -> str:
        """The same with a colon, before what is said of the data."""
        return f"{self.called}: " if self.called else ""

    def of_classes(self, positives: float | None, negatives: float | None) -> DataInfo:
        """The same facts with the weights of both classes."""
        return replace(self, positives=positives, negatives=negatives)

    def to_dict(self) -> dict[str, Any]:
        """Plain values; positives and negatives where there are two classes."""
        classes = {"positives": self.positives, "negatives": self.negatives}
        sizes = {
            "rows": self.rows,
            **{name: whole(size) for name, size in classes.items() if size is not None},
        }
        sizes["dropped"] = self.dropped
        about = {"weighted": self.weighted, "weight_kind": self.weight_kind, "source": self.source}
        more = {name: getattr(self, name) for name in ("name", "date", "call", "sha256")}
        return {**sizes, **about, **{name: text for name, text in more.items() if text}}


@lru_cache(maxsize=64)
def sha256_of(files: tuple[tuple[str, int, int], ...]) -> str:
    """The fingerprint of these files, if each has the size and the time of change that it had."""
    import hashlib

    found = []
    for path, *stamp in files:
        try:
            with open(path, "rb") as file:
                about = os.fstat(file.fileno())
                if [about.st_size, about.st_mtime_ns] != stamp:
                    return ""
                found.append(hashlib.file_digest(file, "sha256").hexdigest())
        except OSError:
            return ""
    return found[0] if len(found) == 1 else hashlib.sha256("\n".join(found).encode()).hexdigest()


VARIES = {
    "cohort": "design: cohort, so that {mix} varies from sample to sample",
    "case-control": "design: case-control, intervals for fixed {sizes}",
}
BY_WEIGHTS = "design: cohort, in which the weights fix {mix}"
OF_CLASSES = {"mix": "the class mix", "sizes": "class sizes"}
OF_COMPARISONS = {"sizes": "numbers of mated and of non-mated comparisons"}


def conditions(
    design: str | None,
    weight_kind: str | None,
    terms: Mapping[str, str] = OF_CLASSES,
    fixed_by_weights: bool = False,
) -> str:
    """The conditions of the intervals, on one line: the design and the kind of the weights.

    design: None without classes; fixed_by_weights: whether class weights fix the class mix.
    """
    varies = design and (BY_WEIGHTS if fixed_by_weights and design == "cohort" else VARIES[design]).format(
        **terms
    )
    return "; ".join(part for part in (varies, weight_kind and f"weights: {weight_kind}") if part)


def named(design: str | None, fixed_by_weights: bool | None = None) -> dict[str, str | bool]:
    """The design, and whether class weights fix the class mix, as entries of plain values.

    The latter only where it is known; no entries without classes.
    """
    if design is None:
        return {}
    return {"design": design} | (
        {} if fixed_by_weights is None else {"mix_fixed_by_weights": fixed_by_weights}
    )


def kind_of_summary(weighted: bool) -> str | None:
    """The kind of the weights of a summary, in which whole weights and none look the same."""
    return "importance" if weighted else None


def kind_of_weights(kinds: Iterable[str | None]) -> str | None:
    """The kind of the weights of several sets of cases together."""
    found = {kind for kind in kinds if kind is not None}
    return found.pop() if len(found) == 1 else "mixed" if found else None


def of_several(parts: Sequence[DataInfo], source: str, dropped: int = 0) -> DataInfo:
    """The facts about several sets of cases together.

    dropped: rows left out, where they were counted once for all sets.
    """
    dropped = dropped or sum(one.dropped for one in parts)
    positives, negatives = _sum(one.positives for one in parts), _sum(one.negatives for one in parts)
    weighted, kind = any(one.weighted for one in parts), kind_of_weights(one.weight_kind for one in parts)
    rows, weightless = sum(one.rows for one in parts), sum(one.weightless for one in parts)
    return DataInfo(
        rows, positives, negatives, weighted, source, dropped, weightless=weightless, weight_kind=kind
    )


def _sum(sizes: Iterable[float | None]) -> float | None:
    """The sum; None where one of the numbers is not known."""
    all_of = list(sizes)
    known = [size for size in all_of if size is not None]
    return sum(known) if len(known) == len(all_of) else None
