"""The release gate: a small grammar for requirements, and whether a model meets them."""

from .checking import check
from .grammar import parse
from .requirement import Requirement, RequirementError
from .results import Finding, Verdict

__all__ = ["Finding", "Requirement", "RequirementError", "Verdict", "check", "parse"]
