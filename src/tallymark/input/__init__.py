"""The one way in: `CaseSpec` says what the cases are, `read` gives the `Cases`, in batches or collected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cases import Cases, KeepingTruth, read
    from .spec import CaseSpec

__all__ = ["CaseSpec", "Cases", "KeepingTruth", "read"]


def __getattr__(name: str) -> Any:
    """Loaded when it is asked for: the command line needs `input.declared` alone for its help."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import cases, spec

    return getattr(spec if name == "CaseSpec" else cases, name)
