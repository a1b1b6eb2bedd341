"""Files of sums and of releases: arrays in an Arrow IPC file, their meaning as JSON, and a checksum.

The checksum is the SHA-256 of the whole file, with zeros in its own place: whatever is changed or cut off
shows before anything is interpreted. Each array is a column with one row, a list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.util import find_spec
from os import PathLike
from typing import Any

import numpy as np

from ...__about__ import __version__
from ..columns import arrow_as_numpy
from ..errors import InputError
from ..validate import shown

ENDING = ".tally"
VERSION = 1  # of the layout
NAME = b"tallymark"
CHECKSUM = re.compile(NAME + rb"-sha256:([0-9a-f]{64})")
UNSIGNED = NAME + b"-sha256:" + b"0" * 64
WAY_OUT = "make it again, as it was made"


def is_file(path: Any) -> bool:
    """Whether it is the path of such a file, or a pattern of them."""
    return isinstance(path, (str, PathLike)) and str(path).lower().endswith(ENDING)


def needs_pyarrow(role: str) -> None:
    """Raises InputError without pyarrow."""
    if find_spec("pyarrow") is None:
        raise InputError(
            "not-installed", role, f"{ENDING} files need pyarrow", "pip install 'tallymark[files]'"
        )


def to_bytes(meaning: Mapping[str, Any], arrays: Sequence[np.ndarray]) -> bytes:
    """A file of these arrays, of numbers or of texts."""
    import pyarrow as pa

    columns = [_as_list(array) for array in arrays]
    about = json.dumps({"layout": VERSION, "tallymark": __version__, **meaning}).encode()
    fields = [pa.field(str(i), column.type) for i, column in enumerate(columns)]
    schema = pa.schema(fields, {NAME: about, b"checksum": UNSIGNED})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, schema) as file:
        file.write_batch(pa.record_batch(columns, schema=schema))
    written: bytes = sink.getvalue().to_pybytes()
    return written.replace(UNSIGNED, UNSIGNED[:-64] + sha256(written).hexdigest().encode())


def _as_list(array: np.ndarray) -> Any:
    """An array as an Arrow array of one list."""
    import pyarrow as pa

    flat = np.ascontiguousarray(array).ravel()
    if flat.dtype.kind in "OU":
        try:
            values = pa.array(flat.tolist(), pa.large_string())
        except UnicodeEncodeError as reason:
            raise InputError(
                "invalid-value",
                "label",
                f"the label {shown(reason.object)} has half a surrogate pair, which is no text of UTF-8",
                "rename it",
            ) from None
    else:
        flat = flat.view(np.uint8) if flat.dtype.kind == "b" else flat
        kind = pa.from_numpy_dtype(flat.dtype)
        values = pa.Array.from_buffers(kind, len(flat), [None, pa.py_buffer(flat)])
    offsets = pa.Array.from_buffers(pa.int64(), 2, [None, pa.py_buffer(np.array([0, len(flat)]))])
    return pa.LargeListArray.from_arrays(offsets, values)


def from_bytes(content: bytes, name: str) -> tuple[dict[str, Any], list[np.ndarray]]:
    """What the arrays mean, and the arrays. Raises InputError for what is no such file, whole and unchanged.

    name: of the file, in messages.
    """
    import pyarrow as pa

    found = CHECKSUM.search(content)
    if found is None:
        raise InputError(
            "unreadable",
            name,
            f"it is empty, or no {ENDING} file" if content else "the file is empty",
            WAY_OUT,
        )
    if sha256(content.replace(found[0], UNSIGNED)).hexdigest().encode() != found[1]:
        raise InputError("unreadable", name, "it is damaged or cut off", WAY_OUT)
    try:
        with pa.ipc.open_file(pa.BufferReader(content)) as file:
            about = json.loads(file.schema.metadata[NAME])
            known, version = about["layout"] <= VERSION, about["tallymark"]
            arrays = [_as_array(column.values) for column in file.get_batch(0).columns] if known else []
    except (pa.ArrowInvalid, LookupError, TypeError, ValueError) as reason:
        raise unreadable(name, reason) from None
    if not known:
        raise InputError(
            "unreadable",
            name,
            f"tallymark {version} wrote it, in a newer layout than {__version__} knows",
            "update tallymark, with pip install -U",
        )
    return about, arrays


def _as_array(values: Any) -> np.ndarray:
    import pyarrow as pa

    if pa.types.is_large_string(values.type):
        return np.array([*values.to_pylist(), None], object)[:-1]
    return arrow_as_numpy(values)


def unreadable(name: str, reason: Exception) -> InputError:
    """The error for a file that another program wrote in this form."""
    return InputError(
        "unreadable", name, f"its content is not understood ({type(reason).__name__}: {reason})", WAY_OUT
    )
