"""Frames whose data lie in an engine (DuckDB, polars, Ibis, PySpark, Dask), and what may be read of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from os import PathLike
from typing import Any, Self

import numpy as np

from ..columns import Column, NamedColumn, read
from ..errors import option
from ..labels import of_answers
from ..memory import checked, usable
from ..spec import BINS, CaseSpec
from ..validate import InputError, shown
from .frames import check_names

BYTES = 32  # of memory for each value that is fetched
EXTRAS = {"pyspark": "spark", "dask": "dask", "ibis": "ibis"}  # by the library of a frame
MOST_CELLS = 64  # combinations of labels, which clusters are counted by
# warnings of what is used here: narwhals announces a package that does not exist, pandas counts columns
OF_OTHERS = ".*(Dask support is moving|highly fragmented)"


class _Narwhals:
    """The module, which is loaded where something of it is first needed."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module("narwhals.stable.v2"), name)


nw: Any = _Narwhals()


def lazy(data: Any) -> Any:
    """The frame of narwhals, where the data lie in an engine; else None."""
    if data is None or isinstance(data, (str, PathLike, Mapping, list, tuple, np.ndarray)):
        return None
    if nw.dependencies.is_into_dataframe(data):  # rows in memory
        return None
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", OF_OTHERS)
        try:
            frame = nw.from_native(data, pass_through=True)
        except nw.exceptions.NarwhalsError:  # which the reader of frames reports
            return None
    return frame if isinstance(frame, nw.LazyFrame) else None


@contextmanager
def of_engine(data: Any) -> Iterator[None]:
    """Raises what an engine raises, which may be anything, as an InputError."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", OF_OTHERS)
            yield
    except (InputError, MemoryError, KeyboardInterrupt):
        raise
    except ImportError as reason:  # of what an engine hands its rows over with
        library = type(data).__module__.partition(".")[0].strip("_")
        raise InputError(
            "not-installed",
            "data",
            f"rows of {library} cannot be fetched: {shown(str(reason))}",
            f"pip install 'tallymark[{EXTRAS.get(library, 'files')}]'",
        ) from reason
    except Exception as reason:
        lines = str(reason).strip().splitlines() or [type(reason).__name__]
        raise InputError(
            "unreadable", "data", f"this {type(data).__name__} cannot be read: {shown(lines[0])}"
        ) from reason


class Lazy:
    """The rows of a frame in an engine that fulfil the condition.

    data: the frame; columns: by role their names. Raises InputError for columns that do not exist.
    """

    def __init__(self, data: Any, frame: Any, spec: CaseSpec):
        self.data, self.spec, every = data, spec, spec.columns(arrays=False)
        self.bins = BINS if spec.bins is None else spec.bins
        with of_engine(data):
            self.schema = frame.collect_schema()
            check_names(every, self.schema.names(), "the data")
            self.frame = frame if spec.condition is None else spec.condition.filtered(frame)
        others = {} if spec.condition is None else spec.condition.columns
        self.columns = {role: name for role, name in every.items() if role not in others}
        # a frame of polars is computed in this process, so one that is small is computed once
        self.first = None
        if frame.implementation.is_polars():
            with of_engine(data):
                self.first = self.frame.select(*{*every.values()}).head(self.bins + 1).collect()

    @classmethod
    def of(cls, data: Any, spec: CaseSpec) -> Self | None:
        """The frame; None of other data."""
        frame = lazy(data)
        if frame is None or not all(isinstance(name, str) for name in spec.columns(False).values()):
            return None
        return cls(data, frame, spec)

    @cached_property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.collected(self.frame.select(n=nw.len()))["n"][0])

    @property
    def few(self) -> bool:
        """Whether there are no more rows than are fetched anyway."""
        return (self.rows if self.first is None else len(self.first)) <= self.bins

    def collected(self, frame: Any) -> dict[str, Any]:
        """The columns of the rows of a query: numbers as arrays, labels and groups as series."""
        with of_engine(self.data):
            table = frame.collect()
            return {name: _array(table[name]) for name in table.columns}

    def must_fit(self, rows: float, columns: int, argument: str = "data") -> None:
        """Raises InputError where so many rows and columns do not fit in memory."""
        needed, limit = rows * columns * BYTES, usable(checked(self.spec.memory))
        if needed > limit:
            raise InputError(
                "unsupported",
                argument,
                f"this takes up to {int(rows):,} rows, which need {needed / 2**30:.1f} GiB of memory where"
                f" {limit / 2**30:.1f} may be used",
                "pass more memory=, or some of the rows; evaluate() counts labels, and scores of two"
                " classes, in the engine"
                if argument == "data"
                else "pass a larger one, or more memory=",
            )

    def missing(self, role: str, number: float) -> InputError:
        """The error for missing values of a column."""
        values = "1 value is" if number == 1 else f"{int(number)} values are"
        return InputError(
            "missing-value",
            NamedColumn(role, self.columns[role]),
            f"{values} missing (NaN or null)",
            f"pass {option('missing', 'drop')} to leave them out",
        )

    def combinations(
        self, roles: Sequence[str], columns: Mapping[str, Any], sums: Mapping[str, Any], most: int
    ) -> tuple[dict[str, Any], dict[str, Column]] | None:
        """The combinations of labels of these roles, with their numbers of cases and sums of other columns.

        The labels are by role. None where there are more than `most`. Raises InputError for missing values.
        """
        keys = {f"k{i}": nw.col(self.columns[role]) for i, role in enumerate(roles)}
        rows = self.frame.select(**keys, **columns).group_by(*keys).agg(n=nw.len(), **sums)
        cells = self.collected(rows.head(most + 1))
        if len(cells["n"]) > most:
            return None
        batch = {
            role: read(
                cells[key], role, self.columns[role], classes=self.spec.named_classes,
                not_an_answer=of_answers(role, self.spec.words),
            )
            for key, role in zip(keys, roles, strict=True)
        }  # fmt: skip
        for role, column in batch.items():
            gaps = column.gaps()
            if gaps.any() and self.spec.missing == "reject":
                raise self.missing(role, cells["n"][gaps].sum())
        return cells, batch

    def cells(self) -> dict[str, Column] | None:
        """Cases with predicted labels as the cells of their table, the number of cases as weights.

        Cases of clusters as those of equal clusters. None for other columns than labels and groups.
        """
        kinds = {role.split()[0] for role in self.columns}
        if not kinds <= {"truth", "predicted", "by", "fold", "clusters"} or "predicted" not in kinds:
            return None
        roles = [role for role in self.columns if role != "clusters"]
        if "clusters" not in kinds:
            counted = self.combinations(roles, {}, {}, self.bins)
            if counted is None:
                return None
            times, batch = counted[0]["n"].astype(np.float64), counted[1]
        else:
            cluster, known = {"g": nw.col(self.columns["clusters"])}, {"g": nw.col("g").count()}
            counted = self.combinations(roles, cluster, known, min(MOST_CELLS, self.bins))
            if counted is None:
                return None
            cells, batch = counted
            gaps = any(column.gaps().any() for column in batch.values())
            equal = None if gaps or (cells["g"] < cells["n"]).any() else self._clusters(cells, roles)
            if equal is None:
                return None
            rows, clusters, times = equal
            batch = {role: column.those(rows) for role, column in batch.items()}
            batch["clusters"] = Column("clusters", clusters, name=self.columns["clusters"])
        return batch | {"weight": Column("weight", times, weight_kind="count", of_rows=True)}

    def _clusters(self, cells: dict[str, Any], roles: Sequence[str]) -> tuple[np.ndarray, ...] | None:
        """The cell, the cluster and the number of cases of each cell of each cluster.

        Clusters with equal numbers in all cells are fetched as one row; None where these are too many.
        """
        labels = [nw.col(self.columns[role]) for role in roles]
        values = zip(*(cells[f"k{i}"].to_list() for i in range(len(roles))), strict=True)
        marks = {
            f"c{i}": nw.when(*(label == one for label, one in zip(labels, cell, strict=True))).then(nw.lit(1))
            for i, cell in enumerate(values)
        }
        rows = self.frame.select(g=nw.col(self.columns["clusters"]), **marks)
        each = rows.group_by("g").agg(*(nw.col(name).count() for name in marks))
        equal = each.select(*marks, one=nw.lit(1)).group_by(*marks).agg(m=nw.col("one").count())
        most = self.bins - len(cells["n"]) - 1
        sizes = self.collected(equal.head(most))
        if len(sizes["m"]) == most:
            return None
        table = np.repeat(np.stack([sizes[name] for name in marks], 1), sizes["m"], axis=0)
        clusters, places = np.nonzero(table)
        return places, clusters, table[clusters, places].astype(np.float64)


def _array(column: Any) -> Any:
    """Numbers as float64 or int64, null as NaN; labels and groups as they are."""
    kind = column.dtype
    if column.name[0] in "yk" or column.name[:2] == "by":
        return column
    if (kind.is_integer() or kind.is_float()) and not column.null_count():
        return np.asarray(column.to_numpy()).astype(np.int64 if kind.is_integer() else np.float64)
    return np.array([np.nan if one is None else float(one) for one in column.to_list()], np.float64)
