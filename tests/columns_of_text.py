"""The columns in which two labels of text come."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

COLUMNS_OF_TEXT = {
    "list": list,
    "object": lambda names: np.array(names, object),
    "pandas": lambda names: pd.Series(names, index=range(7, 7 + len(names))),
    "pandas object": lambda names: pd.Series(names, dtype=object),
    "pandas string": lambda names: pd.Series(names, dtype="string"),
    "pandas pyarrow": lambda names: pd.Series(names, dtype="string[pyarrow]"),
    "category": lambda names: pd.Series(names, dtype="category"),
    "frame": lambda names: pd.DataFrame({"y": names}),
    "polars": pl.Series,
    "polars categorical": lambda names: pl.Series(names, dtype=pl.Categorical),
    "polars enum": lambda names: pl.Series(names, dtype=pl.Enum(["ok", "bad"])),
    "pyarrow": pa.array,
    "pyarrow dictionary": lambda names: pa.array(names).dictionary_encode(),
}
