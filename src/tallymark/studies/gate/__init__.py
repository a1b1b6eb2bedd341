"""The release gate: a small grammar for requirements, and whether a model meets them."""

from .checking import check
from .grammar import Requirement, RequirementError, parse
from .results import Finding, Verdict

__all__ = ["Finding", "Requirement", "RequirementError", "Verdict", "check", "parse"]
