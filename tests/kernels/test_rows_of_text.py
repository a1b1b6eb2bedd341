"""Numbers as lines of CSV, as Python's repr writes them."""

import struct

import numpy as np
import pytest

from tallymark.kernels import _numpy, rows_of_text

EDGES = [
    *(0.0, 1.0, 0.1, 1e-4, 9.9999e-5, 1e-5, 1.5e-7, 1e15, 1e16, 9007199254740993.0, 123456789012345680.0),
    *(1e17, 1.25e22, 1e100, 1e-100, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.3, 2 / 3),
    *(100.0, np.inf, np.nan, 1.5, 1e-9, 1e-10, 12345.678),
]


def written(values):
    return "" if isinstance(values, float) and values != values else repr(values)


@pytest.mark.parametrize("rows", [rows_of_text, _numpy.rows_of_text], ids=["in use", "numpy"])
def test_rows_are_those_of_repr(rows):
    random = np.random.default_rng(0)
    bits = random.integers(0, 2**64, 3_000, np.uint64).tobytes()
    drawn = *struct.unpack("3000d", bits), *random.random(3_000)
    values = np.array([*EDGES, *(-one for one in EDGES), *drawn])
    values = np.append(values, np.repeat([0.25, 0.0, -0.0, np.nan], 3))
    whole = random.integers(-(2**63), 2**63 - 1, len(values))
    found = b"".join(rows([values, whole, values[::-1]])).decode().split("\n")
    for row, line in enumerate(found[:-1]):
        one, other = values[row].item(), values[len(values) - 1 - row].item()
        assert line == f"{written(one)},{whole[row]},{written(other)}"
    assert len(found) == len(values) + 1


def test_no_rows():
    assert list(rows_of_text([np.empty(0), np.empty(0)])) == []
