"""Sources of cases: arrays, data frames or files, each as a stream of batches of named columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from .. import columns
from ..answers import NotAnAnswer, of_answers
from ..columns import Column
from ..validate import InputError, shown
from .parts import StartOver

__all__ = ["Batch", "Source", "StartOver", "read"]

Batch = dict[str, Column]
NUMBERS = ("score", "weight")  # roles of columns with numbers


@dataclass(frozen=True, slots=True)
class Source:
    """The cases under the name of their units, and their batches: role ("truth", "score", …) to column.

    changed: whether the type of a column read so far changes in later rows, so that batches start again. The
    batches raise `StartOver` where they find that out themselves.
    """

    name: str
    batches: Iterator[Batch]
    changed: Callable[[], bool] = bool


def read(
    data: Any,
    given: dict[str, Any],
    amounts: Iterable[str] = (),
    classes: Collection[str] = (),
    not_an_answer: NotAnAnswer | None = None,
    own_words: bool = False,
) -> Source:
    """The columns requested, from arrays, a frame or files.

    `given` has, per role, an array (data is None) or the name of a column of data. data: None, a path or
    several (CSV, Parquet, JSON lines; patterns; - for standard input), a mapping of columns, or any data
    frame that narwhals supports. amounts: roles of numbers besides scores and weights; classes: labels
    that are not missing values, though they look like them; not_an_answer: the predicted values that name no
    class; own_words: whether predicted labels have other words than the actual ones.
    """
    wanted = {role: value for role, value in given.items() if value is not None}
    words = classes, not_an_answer
    if data is None:
        return Source("arrays", iter([_arrays(wanted, *words)]))
    for role, name in wanted.items():
        if not isinstance(name, str):
            raise InputError(
                "conflict",
                role,
                f"with data given, name one of its columns, not a {type(name).__name__}",
                "or leave data out",
            )
    paths = [data] if isinstance(data, (str, PathLike)) else data
    if (
        isinstance(paths, (list, tuple))
        and paths
        and all(isinstance(path, (str, PathLike)) for path in paths)
    ):
        from . import files

        numbers = frozenset(role for role in wanted if role.split()[0] in (*NUMBERS, *amounts))
        batches = files.Batches([str(path) for path in paths], wanted, numbers, *words, own_words)
        return Source(batches.name, batches, batches.changed)
    if isinstance(data, Mapping):
        from . import frames

        frames.check_names(wanted, list(data), "the data")
        return Source("columns", iter([frames.named(data, wanted, *words)]))
    from . import frames

    return Source(type(data).__name__, frames.batches(data, wanted, *words))


def _arrays(given: Mapping[str, Any], classes: Collection[str], not_an_answer: NotAnAnswer | None) -> Batch:
    for role, values in given.items():
        if isinstance(values, str):
            raise InputError(
                "needed",
                role,
                f"{shown(values)} names a column, but no data was given",
                "pass the data first, or an array here",
            )
    return {
        role: columns.read(values, role, classes=classes, not_an_answer=of_answers(role, not_an_answer))
        for role, values in given.items()
    }
