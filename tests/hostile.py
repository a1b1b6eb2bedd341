"""Some two hundred kinds of values that an argument may be given by mistake, and by name how to make each."""

from __future__ import annotations

import array
import collections
import datetime
import decimal
import enum
import fractions
import importlib.util
import io
import itertools
import math
import pathlib
import types
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

N = 4  # rows, as many as the good columns have


class Raising:
    """An object of which every question is answered by an exception."""

    def __init__(self, error=RuntimeError):
        object.__setattr__(self, "error", error)

    def _raise(self, *_, **__):
        raise object.__getattribute__(self, "error")("a hostile object")

    __repr__ = __str__ = __float__ = __int__ = __index__ = __bool__ = __len__ = __iter__ = __array__ = (
        __format__
    ) = _raise
    __getitem__ = __eq__ = __lt__ = __gt__ = __le__ = __ge__ = __contains__ = __add__ = __mul__ = __hash__ = (
        _raise
    )


def only(**methods: Callable) -> Any:
    """An object of a class with these methods."""
    return type("Odd", (), methods)()


def fails(*_: Any, **__: Any) -> Any:
    raise RuntimeError("a hostile method")


class Colour(enum.Enum):
    RED = 1


class Count(enum.IntEnum):
    TWO = 2


class Text(str):
    __slots__ = ()


class Many(list):
    pass


class Endless(collections.abc.Sequence):
    """Says that it has four rows, and fails at the third."""

    def __len__(self):
        return N

    def __getitem__(self, index):
        if index > 1:
            raise RuntimeError("a hostile row")
        return index


def recursive() -> list:
    values: list = [0, 1, 1]
    values.append(values)
    return values


def self_holding() -> np.ndarray:
    values = np.empty(N, object)
    values[:] = [values] * N
    return values


PLAIN: dict[str, Any] = {
    "None": None,
    "True": True,
    "False": False,
    "0": 0,
    "1": 1,
    "-1": -1,
    "2": 2,
    "0.5": 0.5,
    "-0.0": -0.0,
    "1.5": 1.5,
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "2**31": 2**31,
    "2**53 + 1": 2**53 + 1,
    "2**63": 2**63,
    "2**64": 2**64,
    "10**400": 10**400,
    "-10**400": -(10**400),
    "1e-300": 1e-300,
    "5e-324": 5e-324,
    "1e308": 1e308,
    "1j": 1j,
    "nan + nan j": complex(math.nan, math.nan),
    "Decimal": decimal.Decimal("0.5"),
    "Decimal nan": decimal.Decimal("nan"),
    "Decimal snan": decimal.Decimal("snan"),
    "Decimal infinity": decimal.Decimal("inf"),
    "Decimal 1e400": decimal.Decimal("1e400"),
    "Fraction": fractions.Fraction(1, 3),
    "Fraction 10**400": fractions.Fraction(10**400),
    "Fraction 1/10**400": fractions.Fraction(1, 10**400),
    "empty text": "",
    "text": "x",
    "digits": "1",
    "blank": " ",
    "null character": "\0",
    "newline": "a\nb",
    "lone surrogate": "\ud800",
    "escape": "\x1b[31m",
    "long text": "x" * 10_000,
    "no file.csv": "no file.csv",
    "long file": "a" * 300 + ".csv",
    "null file": "a\0b.csv",
    "surrogate file": "\udcff.csv",
    "bytes": b"x",
    "empty bytes": b"",
    "bytes not utf-8": b"\xff\xfe",
    "bytearray": bytearray(b"abcd"),
    "memoryview": memoryview(b"\0\1\1\0"),
    "ellipsis": ...,
    "NotImplemented": NotImplemented,
    "empty list": [],
    "empty tuple": (),
    "empty dict": {},
    "empty set": set(),
    "frozenset": frozenset({0, 1}),
    "set": {0, 1},
    "dict": {0: 1, 1: 0},
    "dict of columns": {"a": [0, 1]},
    "dict of None": {None: None},
    "dict of dict": {"f_beta": {"beta": "x"}},
    "list of None": [None] * N,
    "list of one": [1],
    "list of lists": [[0, 1], [1, 0]],
    "ragged": [[0], [0, 1], [1], [1]],
    "list of nan": [math.nan] * N,
    "list of inf": [math.inf] * N,
    "list of -inf": [-math.inf, math.inf, 0, 1],
    "list of 10**400": [10**400] * N,
    "list of 2**64": [2**64, 0, 1, 1],
    "list of 1e308": [1e308] * N,
    "list of 5e-324": [5e-324] * N,
    "list of texts": list("abcd"),
    "list of digits": list("0110"),
    "list of empty texts": [""] * N,
    "list of surrogates": ["\ud800", "a", "a", "\ud800"],
    "list of null characters": ["\0", "a", "a", "\0"],
    "list of bytes": [b"a", b"\xff"] * 2,
    "list of bool": [False, True, True, False],
    "mixed list": [0, "a", 1, "b"],
    "list of complex": [1j] * N,
    "list of dicts": [{}] * N,
    "list of sets": [set()] * N,
    "list of types": [int] * N,
    "list of functions": [len] * N,
    "list of dates": [datetime.date(2020, 1, 1)] * N,
    "list of decimals": [decimal.Decimal("0.5")] * N,
    "list of decimal nan": [decimal.Decimal("nan")] * N,
    "list of decimal snan": [decimal.Decimal("snan")] * N,
    "list of fractions": [fractions.Fraction(1, 3)] * N,
    "list of Raising": [Raising()] * N,
    "negative": [-1, 0, 1, 1],
    "long list": [0, 1] * 500,
    "tuple": (0, 1, 1, 0),
    "nested": [[[[0]]]],
    "list of an array": [np.zeros(2)] * N,
    "deque": collections.deque([0, 1, 1, 0]),
    "Counter": collections.Counter("aab"),
    "range": range(N),
    "slice": slice(2),
    "date": datetime.date(2020, 1, 1),
    "datetime": datetime.datetime(2020, 1, 1),
    "timedelta": datetime.timedelta(1),
    "uuid": uuid.UUID(int=1),
    "path": pathlib.Path("x.csv"),
    "folder": pathlib.Path("."),
    "type": int,
    "class": Raising,
    "function": repr,
    "lambda": lambda *_, **__: None,
    "module": math,
    "exception": ValueError("x"),
    "exception class": ValueError,
    "enum": Colour.RED,
    "int enum": Count.TWO,
    "text subclass": Text("x"),
    "list subclass": Many([0, 1, 1, 0]),
    "namespace": types.SimpleNamespace(a=1),
    "mapping proxy": types.MappingProxyType({"a": 1}),
    "array.array": array.array("d", [0, 1, 1, 0]),
    "object": object(),
    "partial": partial(repr),
    "raises all": Raising(),
    "raises TypeError": Raising(TypeError),
    "raises MemoryError in float": only(__float__=fails),
    "raises in repr": only(__repr__=fails),
    "raises in array": only(__array__=fails, __len__=lambda s: N),
    "raises in len": only(__len__=fails),
    "raises in iter": only(__iter__=fails, __len__=lambda s: N),
    "raises in eq": only(__eq__=fails, __hash__=lambda s: 1),
    "raises in a row": Endless(),
    "array says no": only(__array__=lambda *_, **__: None, __len__=lambda s: N),
    "negative length": only(__len__=lambda s: -1),
    "float is text": only(__float__=lambda s: "x"),
    "index": only(__index__=lambda s: 1),
    "repr is long": only(__repr__=lambda s: "x" * 10_000),
    "repr has newlines": only(__repr__=lambda s: "a\nb"),
    "repr has surrogates": only(__repr__=lambda s: "\ud800"),
    "columns": only(columns=["a"], __len__=lambda s: N),
    "says it is an array": only(shape=(4,), ndim=1, dtype="x", __len__=lambda s: N),
    "ndim is text": only(ndim="x", shape=None, __len__=lambda s: N),
    "dataframe protocol": only(__dataframe__=fails),
    "narwhals": only(__narwhals_series__=fails, __len__=lambda s: N),
    "arrow stream": only(__arrow_c_stream__=fails),
}

MADE: dict[str, Callable[[], Any]] = {
    "generator": lambda: (i for i in range(N)),
    "iterator": lambda: iter([0, 1, 1, 0]),
    "endless iterator": lambda: itertools.count(),
    "map": lambda: map(int, "0110"),
    "zip": lambda: zip("ab", "cd", strict=True),
    "recursive list": recursive,
    "array that holds itself": self_holding,
    "open file": lambda: io.StringIO("y,p\n0,1\n"),
    "bytes file": lambda: io.BytesIO(b"y"),
    "closed file": lambda: _closed(),
    "Generator": lambda: np.random.default_rng(0),
    "RandomState": lambda: np.random.RandomState(0),
    "0-d": lambda: np.array(1),
    "0-d nan": lambda: np.array(np.nan),
    "0-d object": lambda: np.array(None, object),
    "0-d 0.9": lambda: np.array(0.9),
    "empty array": lambda: np.empty(0),
    "empty 2-d": lambda: np.empty((0, 2)),
    "4 x 0": lambda: np.empty((N, 0)),
    "2-d": lambda: np.eye(N),
    "column": lambda: np.array([[0], [1], [1], [0]]),
    "row": lambda: np.array([[0, 1, 1, 0]]),
    "two columns": lambda: np.full((N, 2), 0.5),
    "3-d": lambda: np.zeros((N, 2, 2)),
    "3-d of one": lambda: np.zeros((N, 1, 1)),
    "of 9 dimensions": lambda: np.zeros((1,) * 9),
    "nan array": lambda: np.full(N, np.nan),
    "inf array": lambda: np.full(N, np.inf),
    "nan in 2-d": lambda: np.full((N, 2), np.nan),
    "masked": lambda: np.ma.array([0.0, 1, 1, 0], mask=[1, 0, 0, 0]),
    "masked all": lambda: np.ma.array([0, 1, 1, 0], mask=True),
    "masked objects": lambda: np.ma.array([0, 1, "a", None], mask=[1, 0, 0, 0], dtype=object),
    "masked texts": lambda: np.ma.array(list("abab"), mask=[1, 0, 0, 0]),
    "masked scalar": lambda: np.ma.masked,
    "masked 2-d": lambda: np.ma.array(np.eye(N), mask=np.eye(N)),
    "objects": lambda: np.array([0, 1, 1, 0], object),
    "objects mixed": lambda: np.array([0, "a", None, 1.5], object),
    "objects None": lambda: np.array([None] * N, object),
    "objects 2-d": lambda: np.array([[0, "a"]] * N, object),
    "objects of arrays": lambda: _objects([np.zeros(2)] * N),
    "complex array": lambda: np.ones(N, complex),
    "datetimes": lambda: np.array(["2020-01-01"] * N, "M8[D]"),
    "NaT": lambda: np.array(["NaT"] * N, "M8[D]"),
    "timedeltas": lambda: np.arange(N).astype("m8[s]"),
    "datetime scalar": lambda: np.datetime64("2020"),
    "NaT scalar": lambda: np.datetime64("NaT"),
    "timedelta scalar": lambda: np.timedelta64(1, "s"),
    "structured": lambda: np.zeros(N, [("a", int), ("b", float)]),
    "recarray": lambda: np.rec.array([(0, 1.0)] * N, names="a,b"),
    "structured scalar": lambda: np.zeros((), [("a", int)]),
    "void": lambda: np.zeros(N, "V3"),
    "text array": lambda: np.array(list("abab")),
    "bytes array": lambda: np.array([b"a", b"b"] * 2),
    "StringDType": lambda: np.array(list("abab"), np.dtypes.StringDType()),
    "StringDType na": lambda: np.array(["a", None, "b", "a"], np.dtypes.StringDType(na_object=None)),
    "matrix": lambda: np.asmatrix(np.eye(2)),
    "read-only": lambda: _readonly(),
    "negative strides": lambda: np.arange(N)[::-1],
    "zero strides": lambda: np.broadcast_to(1.0, N),
    "big endian": lambda: np.array([0, 1, 1, 0], ">f8"),
    "unaligned": lambda: np.zeros(N, [("a", "i1"), ("b", "f8")])["b"],
    "memmap-like": lambda: np.frombuffer(b"\0\1\1\0", np.uint8),
}
for _name in (
    "bool",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
    "longdouble",
    "complex64",
):
    MADE[f"array of {_name}"] = lambda kind=_name: np.array([0, 1, 1, 0], kind)
    MADE[f"scalar of {_name}"] = lambda kind=_name: np.array([1], kind)[0]
for _name, _value in (("inf", np.inf), ("nan", np.nan), ("max", np.finfo(np.longdouble).max)):
    MADE[f"longdouble {_name}"] = lambda value=_value: np.longdouble(value)
    MADE[f"array of longdouble {_name}"] = lambda value=_value: np.array([0, 1, 1, value], np.longdouble)


def _closed() -> Any:
    file = io.StringIO("x")
    file.close()
    return file


def _objects(values: list) -> np.ndarray:
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _readonly() -> np.ndarray:
    values = np.array([0.0, 1, 1, 0])
    values.flags.writeable = False
    return values


def _with_pandas() -> dict[str, Callable[[], Any]]:
    import pandas as pd

    kinds = (
        "Int64",
        "Float64",
        "boolean",
        "string",
        "category",
        "datetime64[ns]",
        "timedelta64[ns]",
        "object",
        "Sparse[int]",
        "UInt8",
    )
    series = {f"pandas {kind}": partial(pd.Series, [0, 1, 1, 0], dtype=kind) for kind in kinds}
    return series | {
        "pandas NA": lambda: pd.NA,
        "pandas NaT": lambda: pd.NaT,
        "pandas Int64 with NA": lambda: pd.Series([0, 1, None, 1], dtype="Int64"),
        "pandas empty": lambda: pd.Series([], dtype=float),
        "pandas frame": lambda: pd.DataFrame({"a": [0, 1, 1, 0], "b": 1}),
        "pandas frame of nothing": lambda: pd.DataFrame(),
        "pandas frame of one name": lambda: pd.DataFrame(np.eye(N), columns=["a"] * N),
        "pandas frame of numbers": lambda: pd.DataFrame(np.eye(N)),
        "pandas index": lambda: pd.Index([0, 1, 1, 0]),
        "pandas MultiIndex": lambda: pd.MultiIndex.from_product([[0, 1], [0, 1]]),
        "pandas interval": lambda: pd.Series(pd.interval_range(0, 4)),
        "pandas period": lambda: pd.Series(pd.period_range("2020", periods=4)),
        "pandas Timestamp": lambda: pd.Timestamp("2020"),
        "pandas list": lambda: pd.Series([[0], [1], [1], [0]]),
        "pandas unnamed column": lambda: pd.DataFrame({"": [0, 1, 1, 0], None: 1}),
        "pandas categories missing": lambda: pd.Series(["a", None, "b", "a"], dtype="category"),
        "pandas group": lambda: pd.DataFrame({"a": [0, 1]}).groupby("a"),
        "pandas extension array": lambda: pd.array([0, 1, 1, 0]),
    }


def _with_polars() -> dict[str, Callable[[], Any]]:
    import polars as pl

    kinds = ("Int8", "UInt64", "Int128", "Float32", "Boolean", "String", "Categorical", "Null", "Object")
    found = {f"polars {kind}": partial(_polars, pl, kind) for kind in kinds}
    return found | {
        "polars Decimal": lambda: pl.Series([decimal.Decimal("0.5")] * N),
        "polars Date": lambda: pl.Series([datetime.date(2020, 1, 1)] * N),
        "polars Duration": lambda: pl.Series([datetime.timedelta(1)] * N),
        "polars Time": lambda: pl.Series([datetime.time(1)] * N),
        "polars List": lambda: pl.Series([[0], [1], [1], [0]]),
        "polars Array": lambda: pl.Series([[0, 1]] * N, dtype=pl.Array(pl.Int64, 2)),
        "polars Struct": lambda: pl.Series([{"a": 1}] * N),
        "polars Binary": lambda: pl.Series([b"a", b"b"] * 2),
        "polars Enum": lambda: pl.Series(list("abab"), dtype=pl.Enum(["a", "b"])),
        "polars with null": lambda: pl.Series([0, None, 1, 1]),
        "polars empty": lambda: pl.Series([]),
        "polars frame": lambda: pl.DataFrame({"a": [0, 1, 1, 0], "b": 1}),
        "polars lazy": lambda: pl.LazyFrame({"a": [0, 1]}),
        "polars expression": lambda: pl.col("a"),
        "polars Int128 beyond": lambda: pl.Series([2**100, 0, 1, 1], dtype=pl.Int128),
        "polars type": lambda: pl.Int64,
    }


def _polars(pl: Any, kind: str) -> Any:
    if kind == "Object":
        return pl.Series([object()] * N, dtype=pl.Object)
    values = {
        "String": list("abab"),
        "Categorical": list("abab"),
        "Null": [None] * N,
        "Boolean": [False, True, True, False],
    }
    return pl.Series(values.get(kind, [0, 1, 1, 0])).cast(getattr(pl, kind))


def _with_pyarrow() -> dict[str, Callable[[], Any]]:
    import pyarrow as pa

    return {
        "arrow ints": lambda: pa.array([0, 1, 1, 0]),
        "arrow null": lambda: pa.nulls(N),
        "arrow missing": lambda: pa.array([0, None, 1, 1]),
        "arrow texts": lambda: pa.array(list("abab")),
        "arrow chunks": lambda: pa.chunked_array([[0, 1], [1, 0]]),
        "arrow dictionary": lambda: pa.array(list("abab")).dictionary_encode(),
        "arrow decimal": lambda: pa.array([decimal.Decimal("0.5")] * N),
        "arrow decimal256": lambda: pa.array([decimal.Decimal(1)] * N, pa.decimal256(40, 2)),
        "arrow list": lambda: pa.array([[0], [1], [1], [0]]),
        "arrow struct": lambda: pa.array([{"a": 1}] * N),
        "arrow table": lambda: pa.table({"a": [0, 1, 1, 0]}),
        "arrow scalar": lambda: pa.scalar(1),
        "arrow half": lambda: pa.array(np.zeros(N, np.float16)),
        "arrow empty": lambda: pa.array([], pa.float64()),
        "arrow chunks of duration": lambda: pa.chunked_array([pa.array([1, 2, 3, 4], pa.duration("s"))]),
    }


def _with_scipy() -> dict[str, Callable[[], Any]]:
    from scipy import sparse

    return {
        "sparse matrix": lambda: sparse.csr_matrix(np.eye(N)),
        "sparse array": lambda: sparse.coo_array(np.eye(N)),
        "sparse column": lambda: sparse.csr_matrix(np.ones((N, 1))),
    }


class _Later:
    """A library that is imported when it is used: collecting the tests takes no import of torch."""

    def __init__(self, name: str):
        self.name = name

    def __getattr__(self, of: str) -> Any:
        return getattr(importlib.import_module(self.name), of)


def _with_torch() -> dict[str, Callable[[], Any]]:
    torch = _Later("torch")
    return {
        "torch": lambda: torch.tensor([0.0, 1, 1, 0]),
        "torch with gradient": lambda: torch.tensor([0.0, 1, 1, 0], requires_grad=True),
        "torch 0-d": lambda: torch.tensor(1.0),
        "torch bfloat16": lambda: torch.zeros(N, dtype=torch.bfloat16),
        "torch meta": lambda: torch.zeros(N, device="meta"),
        "torch complex": lambda: torch.zeros(N, dtype=torch.complex64),
        "torch module": lambda: torch.nn.Linear(1, 1),
    }


def _duckdb() -> dict[str, Callable[[], Any]]:
    import duckdb

    return {
        "duckdb relation": lambda: duckdb.sql("select 0 as a, 1 as b"),
        "duckdb connection": lambda: duckdb.connect(),
    }


def hostile() -> dict[str, Callable[[], Any]]:
    """By name, a function that makes the value anew."""
    found = {name: partial(_itself, value) for name, value in PLAIN.items()} | MADE
    makers = {
        "pandas": _with_pandas,
        "polars": _with_polars,
        "pyarrow": _with_pyarrow,
        "scipy": _with_scipy,
        "torch": _with_torch,
        "duckdb": _duckdb,
    }
    for library, more in makers.items():
        if importlib.util.find_spec(library):
            found |= more()
    return found


def _itself(value: Any) -> Any:
    return value
