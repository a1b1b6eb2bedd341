"""The one way in: `CaseSpec` says what the cases are, `read` gives the `Cases`, in batches or collected."""

from .cases import Cases, KeepingTruth, read
from .spec import CaseSpec

__all__ = ["CaseSpec", "Cases", "KeepingTruth", "read"]
