"""Base classes of results: plain values, JSON, files, text and HTML; rows and data frames of tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self, get_args

from ..__about__ import __version__
from . import text, validate
from .calls import public
from .errors import InputError
from .options import Backend
from .plain_values import columns_in_rows, of_one_type, plain_columns, plain_list, rows_of
from .terminal import without_controls
from .values import shown

if TYPE_CHECKING:
    from pathlib import Path

    from ..evaluation.notices import Notice
    from ..report.saved import SavedResult

Writers = Mapping[str, str]  # by the ending of a file, its name in `report.output`

BACKENDS: tuple[Backend, ...] = get_args(Backend)
SCHEMA = 2  # version of the JSON, which docs/json.md and data/answers.schema.json describe
HEAD = ("schema", "tallymark", "answer")  # entries of `to_dict` that are not part of the result itself
FACTS, LONGEST = 5, 36  # of the repr: how many facts, and characters of each text


def equal_as_tuples(self: Any, other: Any) -> Any:
    """`__eq__` of a data class whose fields may be NaN: that of the tuples of its compared fields.

    So data classes compare up to Python 3.12; from 3.13 on they compare field by field, and a result with a
    NaN would differ from itself.
    """
    if other.__class__ is not self.__class__:
        return NotImplemented
    mine, others = (
        tuple(getattr(one, field.name) for field in fields(self) if field.compare) for one in (self, other)
    )
    return mine == others


class MissingAttributeError(AttributeError):
    """Its text has a hint, and is made when it is read: many are raised in `getattr` with a default."""

    def __init__(self, result: Any, missing: str):
        super().__init__(result, missing)
        self.result, self.missing = result, missing

    def __str__(self) -> str:
        hint = "" if self.missing.startswith("_") else self.result._instead_of(self.missing)
        return f"{type(self.result).__name__!r} object has no attribute {self.missing!r}{hint}"


class Result:
    """A result: everything else is made of the plain values in `to_dict`.

    A subclass defines `to_dict`; `__repr__`, one short line, where its first plain values are not enough;
    `FORM` where it prints as more than its rows; and `notices` where there may be any. A result with many
    rows is a `Tabular`.
    """

    __slots__ = ()

    FORM: ClassVar[str | None] = None  # its maker in `report.documents`, as "file.function"
    HIDDEN: ClassVar[frozenset[str]] = frozenset(("instead", "rows_in", "estimates_in"))  # of `dir`
    INSTEAD: ClassVar[Mapping[str, str]] = {}  # what to write in place of attributes that other tools have

    if TYPE_CHECKING:

        def to_dict(self) -> dict[str, Any]: ...
    else:

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):  # a property raised an AttributeError, which is raised again
                return object.__getattribute__(self, name)
            raise MissingAttributeError(self, name)

    def _instead_of(self, name: str) -> str:
        """What to write in place of an attribute that is not there."""
        if name in self.INSTEAD:
            return f"; write {self.INSTEAD[name]}"
        known = getattr(type(self), "__contains__", None)
        if known is not None and known(self, name):
            return f"; write [{name!r}] in place of .{name}"
        return validate.nearest(name, dir(self))

    WRITERS: ClassVar[Writers] = {".html": "html", ".htm": "html", ".json": "json"}

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Facts and findings to consider when reading the result; may be empty."""
        return ()

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text; empty without intervals."""
        return ""

    @property
    def instead(self) -> str | None:
        """What to pass instead where cases or an evaluation are expected; None if this can be passed."""
        return None

    def to_json(self, indent: int | None = 2) -> str:
        """Strict JSON of `to_dict`, without NaN and infinity. indent: spaces per level, None for one line."""
        import json

        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    @public()
    def to_html(self, title: str | None = None, coarse: int = 0) -> str:
        """A self-contained page of HTML; names and labels are escaped.

        title: by default the name of the result, or of the file. coarse: so many cases at least between two
        cut-offs of a page of two classes, so that it has no score of a single case; see docs/privacy.md.
        """
        page: str = _output().page(self, title, coarse)
        return page

    @public()
    def report(self, title: str | None = None, coarse: int = 0) -> str:
        """The page of `to_html`, which a notebook shows inside a frame."""
        return self.to_html(title, coarse)

    @classmethod
    def check_path(cls, path: str | Path, role: str = "path") -> Path:
        """The path, if such a result can be written there; for use before long work. Raises InputError."""
        checked: Path = _output().checked_path(cls, path, role)
        return checked

    @public()
    def save(self, path: str | Path, title: str | None = None, coarse: int = 0) -> None:
        """Write a file of the type of its ending: a page (.html), JSON (.json), and others of the class.

        Results with rows also have .csv, .md (Markdown), .tex (LaTeX), .xlsx (Excel) and .parquet. An error
        leaves no partial file. title: of the page, and of an evaluation in LaTeX and Markdown; by default
        its name, or that of the file. coarse: of a page, as in `to_html`. Raises InputError for another
        ending, where the file cannot be written, and where the library for its type is not installed.
        """
        _output().save(self, path, title, coarse)

    def to_markdown(self) -> str:
        """What leads, severe notices and tables: for a comment, or a language model."""
        written: str = _output().markdown(self)
        return written

    @public()
    def to_latex(self, caption: str | None = None) -> str:
        """The same as LaTeX tables; the first line names the packages, and text is escaped.

        caption: of the first table; by default the headline.
        """
        written: str = _output().latex(self, caption)
        return written

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = cls.__dict__.get("__repr__")
        if own is not None:  # names of models, groups and columns come from data
            cls.__repr__ = wraps(own)(lambda self: without_controls(own(self)))  # type: ignore[method-assign]

    def __str__(self) -> str:
        text: str = _output().text(self)
        return text

    def __repr__(self) -> str:
        plain = ((name, value) for name, value in self.to_dict().items() if name not in HEAD)
        facts = [f"{name} {_brief(value)}" for name, value in plain if isinstance(value, (str, int, float))]
        return without_controls(f"<{type(self).__name__}{': ' * bool(facts)}{', '.join(facts[:FACTS])}>")

    def __dir__(self) -> list[str]:
        return [
            name
            for name in object.__dir__(self)
            if name.startswith("__") or (name[0] != "_" and not name.isupper() and name not in self.HIDDEN)
        ]

    def _repr_html_(self) -> str:
        fragment: str = _output().card(self)
        return fragment


class Tabular(Result):
    """A result of rows: `table` has them as plain values, and frames and files are made of them.

    A subclass defines `table`, or `_columns` where it holds arrays.
    """

    __slots__ = ()

    WRITERS: ClassVar[Writers] = {
        **Result.WRITERS,
        ".csv": "csv",
        ".md": "markdown",
        ".tex": "latex",
        ".xlsx": "excel",
        ".parquet": "parquet",
    }

    @property
    def table(self) -> list[dict[str, Any]]:
        """The rows as plain values, all with the same keys; None for undefined values, infinities stay."""
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
    def to_frame(self, backend: Backend = "pandas") -> Any:
        """`table` as a data frame of "pandas" or "polars", or a "pyarrow" table.

        Undefined values are null. Raises InputError where the library is not installed.
        """
        validate.choice(backend, BACKENDS, "backend")
        from narwhals import from_dict

        try:
            library = import_module(backend)
        except ImportError:
            others = " or ".join(repr(one) for one in BACKENDS if one != backend)
            raise InputError(
                "not-installed",
                "backend",
                f"{backend} is not installed",
                f"pip install {backend}, or pass {others}, or use .table",
            ) from None
        columns = {name: of_one_type(values) for name, values in self._columns.items()}
        return from_dict(columns, backend=library).to_native()


class InFull(Tabular):
    """A result that prints everything: every row with its method, every note and notice, as `ev.all`.

    Attributes
    ----------
    result : Result
        What is printed.
    """

    __slots__ = ("result",)

    FORM = "common.whole"

    def __init__(self, result: Any):
        self.result = result

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Those of the result."""
        return tuple(self.result.notices)

    @property
    def table(self) -> list[dict[str, Any]]:
        """Its rows, as plain values."""
        rows: list[dict[str, Any]] = self.result.table
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Its plain values."""
        plain: dict[str, Any] = self.result.to_dict()
        return plain

    @property
    def instead(self) -> str:
        """What to pass where an evaluation is taken."""
        return "it is a result as it prints in full; pass the result itself, without .all"

    def __repr__(self) -> str:
        return f"<InFull of {self.result!r}>"


class Answer(Result):
    """A result with its own JSON (docs/json.md), from which `from_json` reads the figures, not the cases.

    A subclass defines `ANSWER`, its name in the JSON; and unless they are the measures, `HOLDS`, the entry
    with the estimates by name (None: it has none), and `ROW`, the subject of a row of the table, or else
    `rows_in` and `estimates_in`.
    """

    __slots__ = ()

    ANSWER: ClassVar[str]
    HOLDS: ClassVar[str | None] = "measures"
    ROW: ClassVar[str] = "measure"
    AGAIN: ClassVar[str] = "make it again from the cases"  # what to do where the figures alone are not enough

    @property
    def all(self) -> InFull:
        """The result as it prints in full: every row, with methods, notes and notices."""
        return InFull(self)

    def _begin(self) -> dict[str, Any]:
        """The first entries of the JSON: what it is, and the notices, if there are any."""
        said = [notice.to_dict() for notice in self.notices]
        return {**head(self.ANSWER), **({"notices": said} if said else {})}

    @classmethod
    def from_json(cls, written: str) -> SavedResult:
        """The figures in the JSON of `to_json`: a mapping of names to estimates, with `notices` and `table`.

        It has all forms of a result. Raises InputError for anything else, as another result, or another
        version of the layout.
        """
        saved: SavedResult = _output().read(cls, written)
        return saved

    def _ipython_key_completions_(self) -> list[Any]:
        """The completions of `result["` in an interactive shell."""
        return list(self.keys()) if hasattr(self, "keys") else []

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, of the plain values."""
        return rows_of({cls.ROW: name, **found} for name, found in cls.estimates_in(plain).items())

    @classmethod
    def estimates_in(cls, plain: Mapping[str, Any]) -> Mapping[Any, Mapping[str, Any]]:
        """The estimates in the plain values, by name."""
        found: Mapping[Any, Mapping[str, Any]] = {} if cls.HOLDS is None else plain[cls.HOLDS]
        return found

    @property
    def instead(self) -> str | None:
        """What to pass instead where cases or an evaluation are expected."""
        passed = "its .evaluation" if hasattr(self, "evaluation") else "the cases"
        return f"it is a result of another kind ({type(self).__name__}); pass {passed}"


class InColumns(Answer, Tabular):
    """A result with arrays by name, all of one length."""

    __slots__ = ()

    HOLDS = None
    columns: Any

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, of the plain values."""
        return columns_in_rows(plain["columns"])

    def to_dict(self) -> dict[str, Any]:
        """Plain values; infinities as the texts "inf" and "-inf", None for undefined values."""
        return {**self._begin(), **self._facts, "columns": plain_columns(self.columns)}

    @property
    def _columns(self) -> Mapping[str, Any]:
        columns: Mapping[str, Any] = self.columns
        return columns

    @property
    def _facts(self) -> dict[str, Any]:
        """The entries of the JSON before the columns."""
        return {}


class Readable(Result):
    """A result that can be read from its JSON, equal to the original: `from_dict` reverses `to_dict`."""

    __slots__ = ()

    if TYPE_CHECKING:

        @classmethod
        def from_dict(cls, plain: dict[str, Any], /) -> Self: ...

    @classmethod
    def from_json(cls, written: str) -> Self:
        """The result with the JSON of `to_json`. Raises InputError for anything else."""
        import json

        try:
            found = cls.from_dict(json.loads(written))
            str(found)  # whatever is not as it is written fails here
            return found
        except InputError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            raise InputError(
                "unreadable",
                "from_json",
                f"{shown(written)} is no JSON of {cls.__name__}",
                "pass what its to_json wrote",
                value=written,
            ) from None


def _output() -> Any:
    """The module of text, pages and files of results; it imports results, so that it is loaded on demand."""
    from ..report import output

    return output


def head(answer: str) -> dict[str, Any]:
    """The first entries of JSON: the versions of layout and package, and the kind of the result."""
    return {"schema": SCHEMA, "tallymark": __version__, "answer": answer}


def as_svg(result: Result) -> str:
    """The picture of a curve, or of a calibration."""
    picture: str = _output().picture(result)
    return picture


def _brief(value: str | float) -> str | float:
    return (
        f"{value:.4g}"
        if isinstance(value, float)
        else shown(text.label(value, LONGEST))
        if isinstance(value, str)
        else value
    )
