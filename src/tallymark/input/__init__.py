"""Reading of cases: `CaseSpec` describes them, `read` gives the `Cases`, in batches or collected."""

from __future__ import annotations

TYPE_CHECKING = False  # for type checkers; importing typing takes longer than the rest of this module
if TYPE_CHECKING:
    from typing import Any

    from .cases import Cases, KeepingTruth, read
    from .spec import CaseSpec

__all__ = ["CaseSpec", "Cases", "KeepingTruth", "read"]


def __getattr__(name: str) -> Any:
    """Loaded on demand, since the command line needs only `input.arguments` for its help."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import cases, spec

    return getattr(spec if name == "CaseSpec" else cases, name)
