"""Which kernels run. Imports nothing, so that the command line can name the error before NumPy is loaded."""

from __future__ import annotations

import importlib
from types import ModuleType


class KernelsError(ImportError):
    """The kernels that TALLYMARK_KERNELS asks for cannot be had."""


def choose(wanted: str, package: str) -> tuple[str, ModuleType]:
    """The name and the module of the kernels: "native", "numpy", or the best there is for ""."""
    if wanted not in ("", "native", "numpy"):
        raise KernelsError(f"TALLYMARK_KERNELS={wanted!r}: set it to 'native' or 'numpy', or leave it out.")
    if wanted != "numpy":
        try:
            return "native", importlib.import_module("._compiled", package)
        except ImportError as reason:
            if wanted == "native":
                raise KernelsError(
                    "TALLYMARK_KERNELS=native, but the native kernels are not built; install a C++20 compiler and reinstall "
                    f"with TALLYMARK_BUILD=native to see why ({reason})."
                ) from reason
    return "numpy", importlib.import_module("._numpy", package)
