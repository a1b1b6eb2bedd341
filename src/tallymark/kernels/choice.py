"""The choice of the kernels, and why the native ones are not used.

Loads no NumPy, so that the command line can report an error before NumPy is loaded.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType

from ..__about__ import __version__

PY_313 = sys.version_info >= (3, 13)


class KernelsError(ImportError):
    """The kernels that TALLYMARK_KERNELS demands are not available."""


def choose(wanted: str, package: str) -> tuple[str, ModuleType, str]:
    """The name of the kernels, their module, and why not the native ones.

    wanted: "native", "numpy", or "" for native ones if they are available.
    """
    if wanted not in ("", "native", "numpy"):
        raise KernelsError(
            f"TALLYMARK_KERNELS={wanted!r}: set it to 'native' or 'numpy', or leave it out.", name=package
        )
    why_not = "TALLYMARK_KERNELS=numpy is set." if wanted == "numpy" else fault(package)
    if not why_not:
        return "native", importlib.import_module("._compiled", package), ""
    if wanted == "native":
        raise KernelsError(f"TALLYMARK_KERNELS=native, but {why_not}", name=package)
    return "numpy", importlib.import_module("._numpy", package), why_not


def fault(package: str) -> str:
    """Why the native kernels cannot be used, and what to do; "" where they can."""
    if _in_subinterpreter():  # the lock that nanobind waits for is held by the thread itself
        return "native kernels run in the main interpreter only, and this is another one."
    if importlib.util.find_spec("._native", package) is None:
        return (
            "Tallymark was installed without native kernels (no C++20 compiler, or TALLYMARK_BUILD=python)."
            f" {remedy()}"
        )
    try:
        built_for = getattr(importlib.import_module("._native", package), "version", "of another version")
    except ImportError as reason:
        return f"the native kernels do not load ({reason}). {remedy()}"
    if built_for != __version__:
        return f"the native kernels are {built_for} and the package is {__version__}. {remedy()}"
    return ""


def _in_subinterpreter() -> bool:
    """Whether this is not the main interpreter of the process, as in mod_wsgi."""
    try:
        module = importlib.import_module("_interpreters" if PY_313 else "_xxsubinterpreters")
    except ImportError:  # another implementation of Python
        return False
    return bool(module.get_current() != module.get_main())


def remedy() -> str:
    """The command that builds native kernels.

    Without --no-cache-dir, pip would reuse the wheel that it built without them.
    """
    return (
        "With a C++20 compiler installed, and TALLYMARK_BUILD=native set so that a build that fails says"
        f" why, run: pip install --force-reinstall --no-deps --no-cache-dir {source()}"
    )


def source() -> str:
    """Where this installation came from (PEP 610), as pip's install command takes it."""
    import json
    from importlib import metadata

    try:
        origin = json.loads(metadata.distribution("tallymark").read_text("direct_url.json") or "{}")
    except metadata.PackageNotFoundError:
        origin = {}
    # a wheel cannot be built again: build from the index's sources
    if not origin or origin["url"].endswith(".whl"):
        return f"--no-binary tallymark tallymark=={__version__}"
    editable = "--editable " if origin.get("dir_info", {}).get("editable") else ""
    commit = origin.get("vcs_info")
    return (
        f"{editable}{commit['vcs']}+{origin['url']}@{commit['commit_id']}"
        if commit
        else f"{editable}{origin['url']}"
    )
