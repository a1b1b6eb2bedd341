"""CSV, Parquet and JSON files in batches; a file may be larger than memory.

docs/files.md describes how each is read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..answers import NotAnAnswer
from ..arrays import missing_labels
from ..columns import ANSWERS, Column
from ..validate import InputError
from ..where import WHERE, Condition
from . import paths
from .parts import (
    MISSING,
    Kind,
    Labels,
    Part,
    StartOver,
    Wanted,
    columns_of,
    common,
    grouped,
    kinds_of,
    merge_forms,
)

BATCH_ROWS = 1 << 21  # with more, what batches leave unused in memory exceeds the table
WHOLE = re.compile("[-+]?[0-9]{1,18}")  # numbers in names of folders
ROWS_OF_TEXT = 1 << 18  # fewer: both the parts and the whole are in memory
Batch = dict[str, Column]


class Batches:
    """The columns by role, in batches of rows, file by file, in the order of the rows.

    The type of a column of labels is that of the whole column, over all files. As long as it is not known,
    batches have the type of all labels so far; a batch that changes it raises StartOver, and the next
    iteration starts from the beginning.
    """

    def __init__(
        self,
        given: Sequence[str],
        wanted: Mapping[str, str],
        numbers: frozenset[str],
        classes: Collection[str] = (),
        not_an_answer: NotAnAnswer | None = None,
        own_words: bool = False,
        condition: Condition | None = None,
        rows: int | None = None,
    ):
        """given: files, or patterns of paths; all are checked here, before anything is read.

        classes: as for `read`; not_an_answer, own_words: of predicted labels; rows: the most of a batch.
        """
        if find_spec("pyarrow") is None:  # not loaded here: a small file does without
            raise InputError(
                "not-installed",
                None,
                "Reading files needs pyarrow",
                "install it with: pip install 'tallymark[files]'",
            )
        self.wanted, self.numbers, self.classes = wanted, numbers, classes
        self.not_an_answer, self.own_words, self.condition = not_an_answer, own_words, condition
        self.rows = BATCH_ROWS if rows is None else min(rows, BATCH_ROWS)
        self.forms: dict[str, dict[float, str]] = {}
        self.files = [file for path in given for file in paths.found(path)]
        several = paths.named(given[0]) if len(given) == 1 else f"{len(given)} files"
        self.name = self.files[0].name if len(given) == 1 == len(self.files) else several
        self.kinds: dict[str, Kind | None] = {}
        self._batches = self._read()

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        return next(self._batches)

    def changed(self) -> bool:
        """Whether later labels change the type of those that were read, so that batches start again."""
        if all(kind is Kind.TEXT for kind in self.kinds.values()):
            return False
        try:
            for _ in self._batches:
                pass
        except StartOver:
            return True
        except InputError:
            pass  # errors in later rows are not reported first
        return False

    def _read(self) -> Iterator[Batch]:
        rows = 0
        for file in self.files:
            folders = {role: name for role, name in self.wanted.items() if name in file.folders}
            of_one = {role: self._repeated(role, name, file, 1) for role, name in folders.items()}
            if self.condition is not None and not self.condition.may_hold(of_one):
                continue
            wanted = {role: name for role, name in self.wanted.items() if role not in folders}
            with closing(self._of_file(file, wanted)) as batches:
                for batch in batches:
                    size = len(next(iter(batch.values())))
                    rows += size
                    more = {role: self._repeated(role, name, file, size) for role, name in folders.items()}
                    yield batch | more if more else batch
        if not rows and self.condition is None:
            raise InputError("empty", self.name, "there are no rows", "at least one case is needed")

    def _repeated(self, role: str, name: str, file: paths.File, rows: int) -> Column:
        """A column that the folders of a file name, as date=2024-01 (Hive): text, or whole numbers."""
        value: str | int | None = file.folders[name]
        if value and role.split()[0] == WHERE and name in self._whole:
            value = int(value)
        missing = np.full(rows, True) if value is None else None
        one = np.array([value], int if isinstance(value, int) else object)
        return Column(role, one.repeat(rows), missing, name)  # np.full would make a text for each row

    @cached_property
    def _by_value(self) -> set[str]:
        """The roles of columns that the condition compares with numbers."""
        names = set() if self.condition is None else self.condition.numbers
        return {role for role, name in self.wanted.items() if role.split()[0] == WHERE and name in names}

    @cached_property
    def _whole(self) -> set[str]:
        """The columns of folders that are whole numbers in all files, and compared with numbers."""
        names = set() if self.condition is None else self.condition.numbers
        values = {name: {text for file in self.files if (text := file.folders.get(name))} for name in names}
        return {name for name, texts in values.items() if texts and all(map(WHOLE.fullmatch, texts))}

    def _of_file(self, file: paths.File, wanted: Mapping[str, str]) -> Generator[Batch, None, None]:
        apart = file.name.rsplit("/", 1)[-1] if len(self.files) > 1 else None
        stream, kind = file.open()
        try:
            if kind == "parquet":
                from . import parquet

                yield from parquet.batches(
                    stream, wanted, self.numbers, self.rows, file.name, apart, self.classes,
                    self.not_an_answer, self.condition,
                )  # fmt: skip
                return
            from . import delimited, jsonlines

            own = Wanted(wanted, self.numbers, file.name, apart, self.not_an_answer)
            read = delimited.parts(stream, own) if kind == "csv" else jsonlines.parts(stream, own)
            known = (part.without(self._missing) for part in read)
            for group in grouped(known, min(self.rows, ROWS_OF_TEXT)):
                self._learn(group, typed=kind == "json")
                batch = columns_of(group, own, self.kinds)
                for start in range(0, sum(map(len, group)), self.rows):
                    rows = slice(start, start + self.rows)
                    yield {role: column.those(rows) for role, column in batch.items()}
        except OSError as reason:  # as for a damaged compressed file, or a failing disk
            said = str(reason).split("\n")[0].rstrip(".")
            raise InputError(
                "unreadable", file.name, f"cannot be read ({said})", "write the file again"
            ) from reason
        finally:
            stream.close()

    def _missing(self, role: str, texts: Sequence[Any]) -> Collection[str]:
        """Which texts of a column are missing values."""
        if role.split()[0] in ANSWERS:
            return missing_labels(texts, self.classes)
        return MISSING

    def _learn(self, group: list[Part], typed: bool) -> None:
        """Records the kinds of labels in the next batch.

        Raises StartOver where they change the type of those that were read. In CSV, which has no types,
        actual and predicted labels are text if one of the two is: where all predictions are F, or all are 1,
        the other column shows that these are names of classes.
        """
        used, kinds = dict(self.kinds), kinds_of(group, self._by_value)
        for role, kind in kinds.items():
            self.kinds[role] = common(used.get(role), kind)
            numbers = (
                not typed and role.split()[0] in ANSWERS and self.kinds[role] in (Kind.WHOLE, Kind.NUMBER)
            )
            if numbers and not self._one_form(group, role):
                self.kinds[role] = Kind.TEXT
        answers = [role for role in kinds if role.split()[0] in ANSWERS]
        if not typed and not self.own_words and any(self.kinds[role] is Kind.TEXT for role in answers):
            self.kinds.update(dict.fromkeys(answers, Kind.TEXT))
        if any(
            _types(used)[role] != kind for role, kind in _types(self.kinds).items() if role in _types(used)
        ):
            self._batches = self._read()
            raise StartOver

    def _one_form(self, group: list[Part], role: str) -> bool:
        """Whether no two labels of a column that differ as text, such as 345.1 and 345.10, have one value."""
        forms = self.forms.setdefault(role, {})
        columns = (part.columns[role] for part in group)
        return all(merge_forms(forms, one.distinct) for one in columns if isinstance(one, Labels))


def _types(kinds: Mapping[str, Kind | None]) -> dict[str, Kind]:
    """By role, the type of the labels, where it is known."""
    same = {Kind.LARGE: Kind.WHOLE}
    return {role: same.get(kind, kind) for role, kind in kinds.items() if kind is not None}
