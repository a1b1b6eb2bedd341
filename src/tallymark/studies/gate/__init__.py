"""The release gate: a small grammar for requirements, and whether a model meets them."""

from .checking import Finding, Verdict, check
from .grammar import Requirement, RequirementError, parse

__all__ = ["Finding", "Requirement", "RequirementError", "Verdict", "check", "parse"]
