"""Every exception of the package. Imports nothing, so that the command line knows them before NumPy is loaded."""

from __future__ import annotations

TYPE_CHECKING = False  # for type checkers; typing takes longer to import than all else here
if TYPE_CHECKING:
    from typing import Any

    from .columns import Column


class InputError(ValueError):
    """The input or the call is wrong; the text is one sentence that says what, where and what to do."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are unpickled by calling their class with `args`, which fails in a class with its own arguments; and a
        # result that cannot be unpickled makes multiprocessing.Pool.map wait forever.
        return rebuilt, (type(self), self.args), self.__dict__


class NoSuchEntry(InputError, KeyError):  # noqa: N818  # like InputError, it names what is wrong
    """Asked for by a key that is not there."""

    def __str__(self) -> str:
        return str(self.args[0])  # as a sentence: KeyError would quote it


class LabelError(InputError):
    """Labels are wrong in a way that depends on their type, which in a file may change further down."""


class UnclearLabels(LabelError):  # noqa: N818  # like InputError, it names what is wrong
    """Labels do not say which cases are positive. Keeps what was found, for who has other words for it.

    column: of the labels; found: those that were met; wanted: the positive one as it was asked for, or None.
    """

    def __init__(self, text: str, column: Column, found: list[Any], wanted: Any):
        self.column, self.found, self.wanted = column, found, wanted
        super().__init__(text)


class MissingValues(InputError):  # noqa: N818  # like InputError, it names what is wrong
    """A column has gaps. Keeps what it takes to count those of later batches, too."""

    def __init__(self, column: Column, number: int, row: int):
        self.column, self.number, self.row = column, number, row
        values = "1 value is" if number == 1 else f"{number} values are"
        where = column.row(row)
        super().__init__(f"{column}: {values} missing (NaN or null), the first in {where}; pass missing='drop' to leave them out.")


class KernelsError(ImportError):
    """The kernels that TALLYMARK_KERNELS asks for cannot be had."""


def rebuilt(kind: type[BaseException], arguments: tuple[Any, ...]) -> BaseException:
    """An exception with these `args`, without a call of its `__init__`."""
    return kind.__new__(kind, *arguments)
