"""Labels: which are equal, of which kind they are, and which of two is the positive one."""

from .binary import BinaryLabels, Coded, positive_of
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
from .kinds import (
    SOME,
    kind_of,
    look_like_amounts,
    not_amounts,
    not_scores,
    not_swapped,
    same_kind,
)
from .similar import like_missing, only_in, shown_apart, similar
from .words import (
    are_signs,
    are_words,
    declared_texts,
    in_one_spelling,
    read_labels,
    same_word,
    spelling_of,
    usual_positive,
)

__all__ = [
    "SOME", "BinaryLabels", "Coded", "are_signs", "are_words", "as_number", "declared_texts", "differ",
    "distinct", "in_one_spelling", "is_label", "kind_of", "known_as", "like_missing", "listed",
    "look_like_amounts", "named_classes", "not_amounts", "not_scores", "not_swapped",
    "number_of", "only_in", "places", "plain", "positive_of", "read_labels", "same_kind", "same_word",
    "shown_apart", "similar", "spelling_of", "together", "usual_positive",
]  # fmt: skip
