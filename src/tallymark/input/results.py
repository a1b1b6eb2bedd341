"""What every result has: plain values, strict JSON, files, one line, a text and HTML; and a table its rows
and a data frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ..__about__ import __version__
from . import text, validate
from .calls import public
from .errors import InputError
from .plain_values import as_csv, columns_in_rows, of_one_type, plain_columns, plain_list, rows_of
from .values import shown

if TYPE_CHECKING:
    from pathlib import Path

    from ..evaluation.notices import Notice
    from ..report.saved import SavedResult

Writers = Mapping[str, Callable[[Any], str | bytes]]  # by the ending of a file, what it holds

LIBRARIES = ("pandas", "polars", "pyarrow")
SCHEMA = 2  # of the JSON: the version that docs/json.md describes, and data/answers.schema.json
HEAD = ("schema", "tallymark", "answer")  # entries of `to_dict` that say nothing of the result
FACTS, LONGEST = 5, 40  # of the short form: how many, and characters of each


class Result:
    """A result: `to_dict` has its plain values, of which everything else is made.

    A class of its own has `to_dict`; `__repr__`, one short line, where its first plain values say too little;
    `FORM` where it prints as more than that line; and `notices` where there may be any. The result of many
    rows is a `Tabular`.
    """

    __slots__ = ()

    FORM: ClassVar[str | None] = None  # the file of `report.forms` with its text, or HTML

    if TYPE_CHECKING:

        def to_dict(self) -> dict[str, Any]: ...

    WRITERS: ClassVar[Writers] = {
        ".html": lambda result: result.to_html(),
        ".htm": lambda result: result.to_html(),
        ".json": lambda result: result.to_json() + "\n",
    }

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What must be read with the result; empty where nothing is noticed."""
        return ()

    @property
    def instead(self) -> str | None:
        """Where cases or an evaluation are taken and this is passed: what to pass; None of what is taken
        itself."""
        return None

    def to_json(self, indent: int | None = 2) -> str:
        """Strict JSON of `to_dict`: no NaN, no infinity. indent: spaces per level, None for one line."""
        import json

        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def to_html(self) -> str:
        """A page of HTML that needs nothing else; names and labels are escaped."""
        page: str = _forms().page(self)
        return page

    @classmethod
    def check_path(cls, path: str | Path, role: str = "path") -> Path:
        """The path, if such a result can be written there; to be asked before the work. Raises InputError."""
        checked: Path = _forms().checked_path(cls, path, role)
        return checked

    @public()
    def save(self, path: str | Path) -> None:
        """Writes a file, whole or not at all: a page (.html), JSON (.json), and what else the class has, by
        the ending.

        Raises InputError for another ending, and where the file cannot be written.
        """
        _forms().save(self, path)

    def _exported(self, name: str) -> str:
        """As the file `name` of `report.exporters` writes it."""
        exported: str = _forms().exported(self, name)
        return exported

    def __str__(self) -> str:
        text: str = _forms().text(self)
        return text

    def __repr__(self) -> str:
        plain = ((name, value) for name, value in self.to_dict().items() if name not in HEAD)
        facts = [f"{name} {_brief(value)}" for name, value in plain if isinstance(value, (str, int, float))]
        return f"<{type(self).__name__}{': ' * bool(facts)}{', '.join(facts[:FACTS])}>"

    def __dir__(self) -> list[str]:
        return [
            name
            for name in object.__dir__(self)
            if name.startswith("__") or (name[0] != "_" and not name.isupper())
        ]

    def _repr_html_(self) -> str:
        fragment: str = _forms().fragment(self)
        return fragment


class Tabular(Result):
    """A result of rows: `table` has them as plain values, and frames and files are made of them.

    A class of its own has `table`, or where it holds arrays `_columns`.
    """

    __slots__ = ()

    WRITERS: ClassVar[Writers] = {
        **Result.WRITERS,
        ".csv": lambda result: as_csv(result._columns),
        ".parquet": lambda result: _parquet(result),
    }

    @property
    def table(self) -> list[dict[str, Any]]:
        """The rows, all with the same keys, as plain values: what is undefined is None, and infinity
        stays."""
        columns = self._columns
        return [
            dict(zip(columns, row, strict=True))
            for row in zip(*map(plain_list, columns.values()), strict=True)
        ]

    @property
    def _columns(self) -> Mapping[str, Any]:
        rows = self.table
        return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}

    @public()
    def to_frame(self, library: str = "pandas") -> Any:
        """`table` as a data frame: "pandas", "polars", or a "pyarrow" table. What is undefined is null there.

        Raises InputError where the library is not installed.
        """
        validate.choice(library, LIBRARIES, "library")
        from narwhals import from_dict

        try:
            backend = import_module(library)
        except ImportError:
            others = " or ".join(repr(one) for one in LIBRARIES if one != library)
            raise InputError(
                "not-installed",
                "library",
                f"{library} is not installed",
                f"pip install {library}, or pass {others}, or use .table",
            ) from None
        columns = {name: of_one_type(values) for name, values in self._columns.items()}
        return from_dict(columns, backend=backend).to_native()


class Answer(Result):
    """A result with a JSON of its own (docs/json.md), of which `from_json` reads the figures back, not the
    cases.

    A class of its own has `ANSWER`, what the JSON names itself; and where these are not the measures `HOLDS`,
    under which name the estimates stand there by theirs (None: it has none), and `ROW`, what a row of the
    table is of, or `rows_in` and `estimates_in`.
    """

    __slots__ = ()

    ANSWER: ClassVar[str]
    HOLDS: ClassVar[str | None] = "measures"
    ROW: ClassVar[str] = "measure"
    AGAIN: ClassVar[str] = "make it again from the cases"  # the way to what the figures alone do not give

    @classmethod
    def from_json(cls, written: str) -> SavedResult:
        """The figures that `to_json` wrote: a mapping of names to estimates, with `notices`, `table` and all
        forms of a result.

        Raises InputError for anything else, as another answer, or another version of the layout.
        """
        saved: SavedResult = _forms().read(cls, written)
        return saved

    def _ipython_key_completions_(self) -> list[Any]:
        """What an interactive shell offers after `result["`."""
        if not hasattr(self, "__getitem__"):
            return []
        return list(self.keys() if hasattr(self, "keys") else getattr(self, "estimates", ()))

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, of the plain values."""
        return rows_of({cls.ROW: name, **found} for name, found in cls.estimates_in(plain).items())

    @classmethod
    def estimates_in(cls, plain: Mapping[str, Any]) -> Mapping[Any, Mapping[str, Any]]:
        """By name the estimates in the plain values."""
        found: Mapping[Any, Mapping[str, Any]] = {} if cls.HOLDS is None else plain[cls.HOLDS]
        return found

    @property
    def instead(self) -> str | None:
        """What to pass where cases or an evaluation are taken."""
        passed = "its .evaluation" if hasattr(self, "evaluation") else "the cases"
        return f"it is a result of another kind ({type(self).__name__}); pass {passed}"


class InColumns(Answer, Tabular):
    """An answer that holds arrays by name, all of one length."""

    __slots__ = ()

    HOLDS = None
    columns: Any

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, of the plain values."""
        return columns_in_rows(plain["columns"])

    def to_dict(self) -> dict[str, Any]:
        """Plain values; infinities as the texts "inf" and "-inf", and what is undefined as None."""
        return {**head(self.ANSWER), **self._facts, "columns": plain_columns(self.columns)}

    @property
    def _columns(self) -> Mapping[str, Any]:
        columns: Mapping[str, Any] = self.columns
        return columns

    @property
    def _facts(self) -> dict[str, Any]:
        """What the JSON says before the columns."""
        return {}


class Readable(Result):
    """A result that is read back from its JSON, equal to what was written: `from_dict` takes what `to_dict`
    gave."""

    __slots__ = ()

    if TYPE_CHECKING:

        @classmethod
        def from_dict(cls, plain: dict[str, Any], /) -> Self: ...

    @classmethod
    def from_json(cls, written: str) -> Self:
        """What `to_json` wrote. Raises InputError for anything else."""
        import json

        try:
            return cls.from_dict(json.loads(written))
        except InputError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError):
            raise InputError(
                "unreadable",
                "from_json",
                f"{shown(written)} is no JSON of {cls.__name__}",
                "pass what its to_json wrote",
                value=written,
            ) from None


def _forms() -> Any:
    """Text, pages and files of results, which are made of results: loaded when one is asked for."""
    from ..report import forms

    return forms


def head(answer: str) -> dict[str, Any]:
    """What JSON begins with: the version of its layout, that of the package, and the kind of the answer, as
    "comparison"."""
    return {"schema": SCHEMA, "tallymark": __version__, "answer": answer}


def as_svg(result: Result) -> str:
    """Its picture, of a class whose form has one."""
    picture: str = _forms().picture(result)
    return picture


def _parquet(result: Tabular) -> bytes:
    """The bytes of a file. Raises InputError without pyarrow."""
    try:
        import pyarrow
        from pyarrow.parquet import write_table
    except ImportError:
        raise InputError(
            "not-installed", "path", "Parquet needs pyarrow", "pip install 'tallymark[files]', or write .csv"
        ) from None
    written = pyarrow.BufferOutputStream()
    write_table(result.to_frame("pyarrow"), written)
    content: bytes = written.getvalue().to_pybytes()
    return content


def _brief(value: str | float) -> str | float:
    return (
        f"{value:.4g}"
        if isinstance(value, float)
        else shown(text.label(value, LONGEST))
        if isinstance(value, str)
        else value
    )
