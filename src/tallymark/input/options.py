"""The types of arguments with a fixed set of values."""

from typing import Literal

WeightKind = Literal["count", "importance"]
