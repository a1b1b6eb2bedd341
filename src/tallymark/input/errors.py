"""Arguments in messages: missing='drop' in Python, --missing 'drop' on the command line.

Imports contextvars only.
"""

from __future__ import annotations

from contextvars import ContextVar

TYPE_CHECKING = False  # typing takes longer to import than all else here
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Self

    from .columns import Column, NamedColumn


class Spelling:
    """The form of keyword arguments in Python; the command line has another one."""

    def name(self, argument: str) -> str:
        """The name of an argument at the beginning of a sentence."""
        return argument

    def option(self, argument: str, written: str) -> str:
        """The name of an argument with its value, or alone."""
        return f"{argument}={written}"

    def either(self, in_python: str, typed: str) -> str:
        """The form in Python, of two."""
        return in_python


PYTHON = Spelling()
current: ContextVar[Spelling] = ContextVar("spelling", default=PYTHON)


def spelled(argument: str) -> str:
    """The name of an argument at the beginning of a sentence."""
    return current.get().name(argument)


def option(argument: str, *value: Any) -> str:
    """An argument, with a value if given: option("missing", "drop"), or option("weight").

    An ellipsis stands for several values.
    """
    return assigned(argument, "[...]" if value == (...,) else "".join(map(repr, value)))


def assigned(argument: str, written: str) -> str:
    """An argument with the text of its value."""
    return current.get().option(argument, written)


def either(in_python: str, typed: str) -> str:
    """One of two texts, for Python or for the command line: either("curve()", "tallymark curve")."""
    return current.get().either(in_python, typed)


FLAGS = {"True": True, "False": False, "0": 0, "None": None}


class _Options:
    """`option` in formats of sentences: {option[weight]}, {option[missing=drop]}."""

    def __getitem__(self, key: str) -> str:
        argument, sign, value = key.partition("=")
        return option(argument, FLAGS.get(value, value)) if sign else option(argument)


class _Either:
    """`either` in formats of sentences: {either[curve()|tallymark curve]}."""

    def __getitem__(self, key: str) -> str:
        return either(*key.split("|"))


IN_FORMATS = {"option": _Options(), "either": _Either()}


def series(parts: Iterable[Any], last: str = "and") -> str:
    """As "a", or "a, b and c"."""
    *first, end = map(str, parts)
    return f"{', '.join(first)} {last} {end}" if first else end


# All exceptions of the package
# --------------------------------------------------------------------------------------------------
#
# Imports no library, so that the command line can use them before NumPy is loaded.

CODES = {
    "ambiguous": "what is given may be meant in two ways, or seems to be a mistake",
    "by-position": "arguments that could be swapped are passed without their names",
    "conflict": "two arguments exclude each other, or one has no effect next to the other",
    "empty": "there are no cases, no columns, or none of a class",
    "estimator": "an estimator lacks a method, fails, or gives answers of the wrong form",
    "invalid-value": "an argument or a value of the data is of the wrong type or out of range",
    "labels": "labels do not say which classes there are, or which of two is positive",
    "mismatch": "two parts that belong together differ: labels, level, design, kinds of values",
    "missing-value": "a value of the data is missing",
    "needed": "an argument has to be given",
    "no-result": "the question has no answer for these data or figures",
    "not-installed": "a library that this needs is not installed",
    "not-written": "a file cannot be written",
    "repeated": "a name, column or label is given twice",
    "unknown-name": "a name is not known: of an argument, column, measure, model, class",
    "unreadable": "a file or an object cannot be read",
    "unsupported": "it cannot be done for this task, these data or this measure",
    "wrong-shape": "the shape or the length of an array does not fit",
}


SEVERAL = ("by", "fold", "where")  # arguments whose columns have names of their own, which the message gives


class InputError(ValueError):
    """Wrong input or a wrong call; the message is one sentence: what is wrong, where, and what to do.

    Attributes
    ----------
    code : str
        The kind of error, one of `tallymark.input.errors.CODES`; it stays the same when messages are
        reworded.
    argument : str or None
        The argument, as "score"; None where there is no single one.
    column : str or None
        The name of the column that was passed as this argument.
    row : int or None
        The row in it, counted from 0, or the line of a text file.
    value : str, bool, int, float or None
        The value found there, or given; None for other types.
    problem, remedy : str
        The two parts of the sentence; remedy is empty where the problem implies it.
    clause : str
        The sentence without its full stop, for use in another one.
    """

    def __init__(
        self,
        code: str,
        argument: str | Column | NamedColumn | None,
        problem: str,
        remedy: str = "",
        *,
        row: int | None = None,
        value: Any = None,
        below: str = "",
    ):
        assert code in CODES, code
        of_column = None if argument is None or isinstance(argument, str) else argument
        self.code, self.problem, self.remedy, self.value = code, problem, remedy, _single(value)
        self.argument = argument if isinstance(argument, str) or argument is None else argument.role
        self.column = None if of_column is None else of_column.name
        self.row = of_column.number(int(row)) if of_column is not None and row is not None else row
        self.clause = f"{_beginning(argument)}{problem}{'; ' * bool(remedy)}{remedy}"
        super().__init__(f"{self.clause}.{below}")

    def with_remedy(self, remedy: str) -> Self:
        """The same error with another way out."""
        self.clause = f"{self.clause.removesuffix(self.remedy)}{remedy}"
        self.remedy, self.args = remedy, (f"{self.clause}.",)
        return self

    def __str__(self) -> str:
        return str(self.args[0])  # the message itself: a KeyError, which some are, would quote it

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are unpickled by calling their class with `args`, which fails in a class with its own
        # arguments; and a result that cannot be unpickled makes multiprocessing.Pool.map wait forever.
        return rebuilt, (type(self), self.args), self.__dict__


def _single(value: Any) -> Any:
    """A plain number or text, since exceptions are pickled and kept; else None."""
    try:
        plain = value.item() if getattr(value, "ndim", None) == 0 else value
    except Exception:  # raised by a foreign class, as by a tensor without values
        return None
    return plain if isinstance(plain, (str, bool, int, float)) else None


def _beginning(argument: str | Column | NamedColumn | None) -> str:
    if argument is None:
        return ""
    if not isinstance(argument, str):
        return f"{argument}: "
    name, _, _ = argument.partition(" ")  # "by 2" is the second column of `by`
    return f"{spelled(name if name in SEVERAL else argument)}: "


def by_position(first: str, second: str, what: str = "arrays") -> InputError:
    """The error for arguments by position that could be swapped."""
    named = f"as {option(first)} and {option(second)}"
    return InputError("by-position", None, f"Pass {what} by name, {named}, so that they cannot be swapped")


class NoSuchEntry(InputError, KeyError):  # noqa: N818  # like InputError, it names what is wrong
    """There is no entry with this key."""


class LabelError(InputError):
    """Labels are wrong in a way that depends on their type, which later rows of a file may change."""


class UnclearLabels(LabelError):  # noqa: N818  # like InputError, it names what is wrong
    """Labels do not show which cases are positive.

    of: the column of labels; found: the labels that occur; wanted: the positive label as given, or None. They
    are kept for functions that reword the message.
    """

    def __init__(self, problem: str, remedy: str, of: Column, found: list[Any], wanted: Any):
        super().__init__("labels", of, problem, remedy, value=wanted)
        self.of, self.found, self.wanted = of, found, wanted


class MissingValues(InputError):  # noqa: N818  # like InputError, it names what is wrong
    """A column has missing values.

    of: the column; number: how many are missing; first: the row of the first. They are kept to count those of
    later batches, too.
    """

    def __init__(self, of: Column, number: int, row: int):
        values = "1 value is" if number == 1 else f"{number} values are"
        problem = f"{values} missing (NaN or null), the first in {of.row(row)}"
        super().__init__(
            "missing-value",
            of,
            problem,
            f"pass {option('missing', 'drop')} to leave them out",
            row=row,
        )
        self.of, self.number, self.first = of, number, row

    def without_option(self) -> MissingValues:
        """The same error for a function that cannot leave rows out."""
        return self.with_remedy("leave out such rows")


class UndefinedMeasureWarning(UserWarning):
    """A measure is 0/0 on these data; the text says which part is empty."""


def rebuilt(kind: type[BaseException], arguments: tuple[Any, ...]) -> BaseException:
    """An exception with these `args`, without a call of its `__init__`."""
    return kind.__new__(kind, *arguments)
