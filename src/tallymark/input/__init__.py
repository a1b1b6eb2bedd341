"""The one way in: `CaseSpec` says what the cases are, `read` gives the `Cases`, in batches or collected."""

from __future__ import annotations

TYPE_CHECKING = False  # for type checkers; typing takes longer to import than all else here
if TYPE_CHECKING:
    from typing import Any

    from .cases import Cases, KeepingTruth, read
    from .spec import CaseSpec

__all__ = ["CaseSpec", "Cases", "KeepingTruth", "read"]


def __getattr__(name: str) -> Any:
    """Loaded when it is asked for: the command line needs `input.arguments` alone for its help."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import cases, spec

    return getattr(spec if name == "CaseSpec" else cases, name)
