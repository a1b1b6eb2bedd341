"""Base classes of results: plain values, JSON, files, text and HTML, figures; rows and frames of tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import wraps
from importlib import import_module
from math import isfinite
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self, get_args

import numpy as np

from ..__about__ import __version__
from . import text, validate
from .arguments import Backend, Legend, Normalize, PlotBand
from .calls import public
from .errors import InputError, NoSuchEntry
from .terminal import without_controls
from .validate import flag, shown

if TYPE_CHECKING:
    from pathlib import Path

    from ..evaluation.notices import Notice
    from ..report.plots import Display
    from ..report.saved import SavedResult


INFINITE = "infinite-parts"  # the note that says which entries of an estimate are infinite
BOUNDS = ("lower_bound", "upper_bound")  # columns with those of a value


def rows_of(dicts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of plain values, all with the same keys.

    A message is replaced by its sentence, other nested values are left out, and missing entries are None. The
    infinite entries of an estimate, which strict JSON has in a note, stand in their places, and its bounds,
    where there are any, in two columns.
    """
    said = [
        {name: _sentence(value) for name, value in row.items()}
        | _infinite(row)
        | dict(zip(BOUNDS, row.get("bounds") or (), strict=False))
        for row in dicts
    ]
    flat = [
        {name: value for name, value in row.items() if not isinstance(value, (dict, list, tuple))}
        for row in said
    ]
    names = dict.fromkeys(name for row in flat for name in row)
    return [{name: row.get(name) for name in names} for row in flat]


def _infinite(row: Mapping[str, Any]) -> dict[str, float]:
    """The infinite entries of an estimate, from the note that names them."""
    notes = row.get("notes") or ()
    every = (note["fields"].items() for note in notes if note["code"] == INFINITE)
    return {name: float(value) for one in every for name, value in one if name in row}


def columns_in_rows(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """The rows of columns as `plain` returns them."""
    return [
        dict(zip(columns, map(number_of, row), strict=True)) for row in zip(*columns.values(), strict=True)
    ]


def number_of(written: Any) -> Any:
    """A value of `plain` with the texts "inf" and "-inf" as numbers."""
    return float(written) if written in ("inf", "-inf") else written


def plain(value: Any, infinite: bool = False) -> Any:
    """A value as strict JSON has it.

    A result is what its `to_dict` gives, arrays and tuples are lists, names are texts, NaN is None. infinite:
    whether an infinite number is the text "inf" or "-inf", else None.
    """
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(name): plain(one, infinite) for name, one in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        finite = value.dtype.kind in "biu" or (value.dtype.kind == "f" and np.isfinite(value).all())
        return value.tolist() if finite else plain(value.tolist(), infinite)
    if isinstance(value, (list, tuple)):
        return [plain(one, infinite) for one in value]
    if not isinstance(value, float) or isfinite(value):
        return value
    return str(value) if infinite and value == value else None


def plain_list(values: Any) -> list[Any]:
    """A list of plain values, with None for NaN."""
    plain = values.tolist() if hasattr(values, "tolist") else values
    return [None if value != value else value for value in plain]


def of_one_type(values: Any) -> Any:
    """A column of one type: floats for integers and floats, text for other mixtures."""
    if hasattr(values, "dtype"):
        return values
    kinds = {type(value) for value in values if value is not None}
    one = float if kinds == {int, float} else str if len(kinds) > 1 else None
    plain = [value if value is None or one is None else one(value) for value in values]
    return [encodable(value) if isinstance(value, str) else value for value in plain]


def encodable(text: str) -> str:
    """The text with escapes in place of halves of surrogates, which no file of rows holds."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _sentence(value: Any) -> Any:
    return value["text"] if isinstance(value, dict) and value.keys() == {"code", "fields", "text"} else value


class ByName:
    """A mapping of names to parts: the field `PARTS`, which is one, or a tuple of what has a measure.

    dict(result) holds them all. PART: what a part is, in messages.
    """

    __slots__ = ()

    PARTS: ClassVar[str] = "estimates"
    PART: ClassVar[str] = "a measure"

    @property
    def _by_name(self) -> Mapping[str, Any]:
        parts = getattr(self, self.PARTS)
        return parts if isinstance(parts, Mapping) else {one.measure: one for one in parts}

    def _name_of(self, name: Any) -> Any:
        """The name of a part, where it has others."""
        return name

    def __getitem__(self, name: Any) -> Any:
        """A part by its name. Raises InputError (a KeyError) for an unknown one."""
        parts = self._by_name
        own: Any = self._name_of(name) if validate.hashable(name) else None
        if own not in parts:
            problem = f"{shown(name)} is not {self.PART} here{validate.nearest(name, parts)}"
            some = ", ".join(map(shown, list(parts)[:MOST_NAMES]))
            more = f" and {len(parts) - MOST_NAMES} more" * (len(parts) > MOST_NAMES)
            raise NoSuchEntry("unknown-name", None, problem, f"there are {some}{more}", value=name)
        return parts[own]

    def keys(self) -> Any:
        """The names."""
        return self._by_name.keys()

    def __iter__(self) -> Iterator[Any]:
        """The names."""
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        """Whether there is a part of this name, or of another name of the same measure."""
        try:
            return validate.hashable(name) and (name in self.keys() or self[name] is not None)
        except InputError:
            return False


Entry = tuple[Any, Mapping[str, Any], Sequence[Mapping[str, Any]]]  # of a result: see `Answer.entries_in`
Writers = Mapping[str, str]  # by the ending of a file, its name in `report.output`

BACKENDS: tuple[Backend, ...] = get_args(Backend)
SCHEMA = 2  # version of the JSON, which docs/json.md and data/answers.schema.json describe
OF_FIELD = {"notices": "notices?", "notes": "note notes"}  # entries of plain values, where a field is not one
HEAD = ("schema", "tallymark", "answer")  # entries of `to_dict` that are not part of the result itself
MOST_NAMES = 6  # that a message lists
FACTS, LONGEST = 5, 36  # of the repr: how many facts, and characters of each text


def equal_as_tuples(self: Any, other: Any) -> Any:
    """`__eq__` of a data class whose fields may be NaN: that of the tuples of its compared fields.

    So data classes compare up to Python 3.12; from 3.13 on they compare field by field, and a result with a
    NaN would differ from itself.
    """
    if other.__class__ is not self.__class__:
        return NotImplemented
    pairs = [[getattr(one, field.name) for one in (self, other)] for field in fields(self) if field.compare]
    return all(
        np.array_equal(*pair) if isinstance(pair[0], np.ndarray) else (pair[0],) == (pair[1],)
        for pair in pairs
    )


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

    These are its fields, or what `PLAIN` names: "cases=rows" is the attribute `rows` under another name,
    "text=__str__" what a method gives, "*estimate" the entries of a part, and "notices?" is left out where
    there is nothing. A subclass defines `__repr__`, one short line, where its first plain values are not
    enough; `FORM` where it prints as more than its rows; and `notices` where there may be any. A result with
    many rows is a `Tabular`.
    """

    __slots__ = ()

    FORM: ClassVar[str | None] = None  # its maker in `report.documents`, as "file.function"
    HIDDEN: ClassVar[frozenset[str]] = frozenset(("instead", "rows_in", "entries_in"))  # of `dir`
    INSTEAD: ClassVar[Mapping[str, str]] = {}  # what to write in place of attributes that other tools have
    ANSWER: ClassVar[str]  # its name in the JSON, of an `Answer`
    PLAIN: ClassVar[str] = ""  # the entries of `to_dict`; by default the fields, notices if there are any
    INFINITE: ClassVar[bool] = False  # whether these have infinite numbers as texts

    def to_dict(self) -> dict[str, Any]:
        """Plain values, strict JSON."""
        own = (one.name for one in fields(self) if one.name[0] != "_") if not self.PLAIN else ()  # type: ignore[arg-type]
        names = (self.PLAIN or " ".join(OF_FIELD.get(one, one) for one in own)).split()
        result = head(self.ANSWER) if hasattr(type(self), "ANSWER") else {}
        for entry in names:
            name, _, path = entry.strip("*?").partition("=")
            value = attrgetter(path or name)(self)
            part = plain(value() if callable(value) else value, self.INFINITE)
            if part or entry[-1] != "?":
                result |= part if entry[0] == "*" else {name: part}
        return result

    if not TYPE_CHECKING:

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
        return _report("output").page(self, title, coarse)

    @public()
    def report(self, title: str | None = None, coarse: int = 0) -> str:
        """The page of `to_html`, which a notebook shows inside a frame."""
        return self.to_html(title, coarse)

    @classmethod
    def check_path(cls, path: str | Path, role: str = "path") -> Path:
        """The path, if such a result can be written there; for use before long work. Raises InputError."""
        return _report("files").checked_path(cls, path, role)

    @public()
    def save(self, path: str | Path, title: str | None = None, coarse: int = 0) -> None:
        """Write a file of the type of its ending: a page (.html), JSON (.json), and others of the class.

        Results with rows also have .csv, .md (Markdown), .tex (LaTeX), .xlsx (Excel) and .parquet. An error
        leaves no partial file. title: of the page, and of an evaluation in LaTeX and Markdown; by default
        its name, or that of the file. coarse: of a page, as in `to_html`. Raises InputError for another
        ending, where the file cannot be written, and where the library for its type is not installed.
        """
        _report("files").save(self, path, title, coarse)

    def to_markdown(self) -> str:
        """What leads, severe notices and tables: for a comment, or a language model."""
        return _report("output").markdown(self)

    @public()
    def to_latex(self, caption: str | None = None) -> str:
        """The same as LaTeX tables; the first line names the packages, and text is escaped.

        caption: of the first table; by default the headline.
        """
        return _report("output").latex(self, caption)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = cls.__dict__.get("__repr__")
        if own is not None:  # names of models, groups and columns come from data
            cls.__repr__ = wraps(own)(lambda self: without_controls(own(self)))  # type: ignore[method-assign]

    def __str__(self) -> str:
        return _report("output").text(self)

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
        return _report("output").card(self)


class Tabular(Result):
    """A result of rows: `table` has them as plain values, and frames and files are made of them.

    A subclass defines `rows_in` (see `Answer`), `table`, or `_columns` where it holds arrays.
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
        if isinstance(self, Answer) and type(self)._columns is Tabular._columns:
            return self.rows_in(self.to_dict())
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
        return self.result.table

    def to_dict(self) -> dict[str, Any]:
        """Its plain values."""
        return self.result.to_dict()

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
    `entries_in`, or `rows_in` where its rows are no estimates.
    """

    __slots__ = ()

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
        return _report("output").read(cls, written)

    def _ipython_key_completions_(self) -> list[Any]:
        """The completions of `result["` in an interactive shell."""
        return list(self.keys()) if hasattr(self, "keys") else []

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, of the plain values."""
        return rows_of(row for *_, rows in cls.entries_in(plain) for row in rows)

    @classmethod
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """The name, the plain values and the rows of each estimate in the plain values of a result."""
        for name, found in plain[cls.HOLDS].items() if cls.HOLDS is not None else ():
            yield name, found, [{cls.ROW: name, **found}]

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
        return {**self._begin(), **self._facts, "columns": plain(self.columns, infinite=True)}

    @property
    def _columns(self) -> Mapping[str, Any]:
        return self.columns

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
            result = cls.from_dict(json.loads(written))
            str(result)  # whatever is not as it is written fails here
            return result
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


def _report(name: str) -> Any:
    """A module of what results are shown as; it imports results, so that it is loaded on demand."""
    return import_module(f"..report.{name}", __package__)


def head(answer: str) -> dict[str, Any]:
    """The first entries of JSON: the versions of layout and package, and the kind of the result."""
    return {"schema": SCHEMA, "tallymark": __version__, "answer": answer}


def as_svg(result: Result) -> str:
    """The picture of a curve, or of a calibration."""
    return _report("output").picture(result)


def _brief(value: str | float) -> str | float:
    return (
        f"{value:.4g}"
        if isinstance(value, float)
        else shown(text.label(value, LONGEST))
        if isinstance(value, str)
        else value
    )


class Plotted(Result):
    """A result that can be drawn with matplotlib, where that is installed."""

    __slots__ = ()

    FIGURE: ClassVar[str] = "forest"

    @property
    def usual_figure(self) -> str:
        """The kind of figure that `plot` draws where none is named."""
        return self.FIGURE

    @public()
    def plot(
        self,
        kind: str | None = None,
        *,
        ax: Any = None,
        name: str | None = None,
        band: PlotBand | None = "auto",
        level: float | None = None,
        measures: str | Sequence[str] | None = None,
        classes: Any = None,
        bins: int | None = None,
        ties: bool = False,
        normalize: Normalize | None = "true",
        title: str | None = None,
        legend: Legend | bool | None = None,
        color: Any = None,
        colorbar: bool | None = None,
    ) -> Display:
        """Draw a figure with matplotlib, with bands, intervals, the number of cases and the threshold.

        On given axes the title has one line, the legend is short, as "logreg (AUC 0.99)", the colours are the
        next ones of the axes' cycle, and nothing lies outside the axes.

        Parameters
        ----------
        kind : str, optional
            A curve, as "roc" or "decision", a measure of counts, as "f1", or a kind as "confusion",
            "reliability", "density", "thresholds", "forest", "predicted"; docs/gallery.md shows all. By
            default the usual one of the result.
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a new figure. A forest of several measures is that of the first.
        name : str, optional
            The name in the legend.
        band : {"auto", "pointwise", "simultaneous", "kolmogorov-smirnov"} or None, default "auto"
            The confidence band of a curve: "auto" is "pointwise" where the curve has it and up to two are
            drawn; None for no band.
        level : float, optional
            The confidence level of the band; by default that of the evaluation.
        measures : str or list of str, optional
            The measures of "thresholds", "forest" and "differences".
        classes : label or list of labels, optional
            Of a score per class, the classes that are drawn.
        bins : int, optional
            The number of bins of "reliability" and "density".
        ties : bool, default False
            Of "roc", the area between the curves of the least and the most favourable order of tied scores.
        normalize : {"true", "pred", "all"} or None, default "true"
            Of "confusion", what colours and percentages are shares of; None for numbers alone.
        title : str, optional
            By default the name of the figure, on a new figure with the facts below; "" for none.
        legend : {"short", "full"} or bool, optional
            By default "short" on given axes, and "full" on a new figure; False for none.
        color : colour or list of colours, optional
            Of the series, as matplotlib takes them.
        colorbar : bool, optional
            Of "confusion"; by default on a new figure only.

        Returns
        -------
        Display
            With `ax_`, `axes_`, `figure_`, `figures` (what is drawn, as plain values) and `save(path)`.

        Raises
        ------
        InputError
            Without matplotlib, for an unknown kind or option, and for a kind that the data do not allow.
        """
        figures, plots = (import_module(f"..report.{one}", __package__) for one in ("figures", "plots"))
        options = {
            "band": band, "level": level, "measures": measures, "classes": classes, "bins": bins,
            "ties": flag(ties, "ties"), "normalize": normalize,
        }  # fmt: skip
        style = {"legend": legend, "color": color, "colorbar": colorbar}
        return plots.drawn(figures.figures(self, kind, name, **options), ax, title, **style)
