"""Labels: which are equal, of which kind they are, and which of two is the positive one."""

from .binary import KNOWN_PAIRS, BinaryLabels, Coded, positive_of
from .equal import (
    as_number,
    differ,
    distinct,
    is_label,
    known_as,
    listed,
    named_classes,
    number_of,
    places,
    plain,
    together,
)
from .kinds import SOME, kind_of, look_like_amounts, not_amounts, not_scores, not_swapped, same_kind

__all__ = [
    "KNOWN_PAIRS", "SOME", "BinaryLabels", "Coded", "as_number", "differ", "distinct", "is_label", "kind_of",
    "known_as", "listed", "look_like_amounts", "named_classes", "not_amounts", "not_scores", "not_swapped",
    "number_of", "places", "plain", "positive_of", "same_kind", "together",
]  # fmt: skip
