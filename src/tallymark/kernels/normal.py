"""The normal distribution function of arrays, without SciPy, which takes long to load."""

from __future__ import annotations

from math import erfc, sqrt
from typing import Any

import numpy as np

_erfc = np.frompyfunc(erfc, 1, 1)


def normal_cdf(z: Any) -> Any:
    """The probability below z, of an array or a number."""
    found = 0.5 * np.asarray(_erfc(np.asarray(z, np.float64) / -sqrt(2)), np.float64)
    return found if found.ndim else float(found)
