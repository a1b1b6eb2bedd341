"""The few loops that decide the speed: native where they were built, NumPy otherwise. They know arrays and nothing else.

`TALLYMARK_KERNELS=numpy` or `=native` forces one; `NAME` says which runs.
"""

from __future__ import annotations

import importlib
import os


def _load(wanted):
    if wanted not in ("", "native", "numpy"):
        raise ImportError(f"TALLYMARK_KERNELS={wanted!r}: set it to 'native' or 'numpy', or leave it out.")
    if wanted == "numpy":
        return "numpy", importlib.import_module("._numpy", __name__)
    try:
        return "native", importlib.import_module("._compiled", __name__)
    except ImportError as reason:
        if wanted == "native":
            raise ImportError(
                "TALLYMARK_KERNELS=native, but the native kernels are not built; install a C++20 compiler and reinstall "
                f"with TALLYMARK_BUILD=native to see why ({reason})."
            ) from reason
        return "numpy", importlib.import_module("._numpy", __name__)


NAME, _kernels = _load(os.environ.get("TALLYMARK_KERNELS", ""))
tally, rank, merge = _kernels.tally, _kernels.rank, _kernels.merge
concordance, given_to_truth = _kernels.concordance, _kernels.given_to_truth
