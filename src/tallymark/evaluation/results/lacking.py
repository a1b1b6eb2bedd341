"""Attributes that only evaluations of another task have: why they are missing, and what to use."""

from __future__ import annotations

from typing import Any

from ...input.errors import InputError
from ...input.spelling import IN_FORMATS

OF_ONE_SCORE = (
    "ranking", "binned", "threshold", "limit", "higher_is_positive", "chosen_by", "optimism_of_choice",
    "curve", "operating_points", "pairs_matrix", "need_each_score", "why_no_probabilities",
)  # fmt: skip
AT = "at"
OF_SCORES = ("score_kind", "scored", "in_bins", "left_out")
OF_TWO_CLASSES = ("counts", "labels", "two_by_two", "both_classes")
OF_CLASSES = ("many", "classes", "averages", "class_counts", "table_of_classes")
OF_CLASS_SCORES = ("scores", "class_areas", "one_vs_rest")

LABELS, AMOUNTS = "labels or counts", "predicted amounts"
NO_CLASS_SCORES = "it needs a score per class; evaluate with {option[score]} an array of one column per class"
ONE_CLASS_FIRST = (
    "there is a score per class; take one class against the rest, {either[one_vs_rest(label)|tallymark curve"
    " --class]}"
)
TWO_CLASSES = 'there are two classes here; see .counts, .two_by_two and plot("confusion")'
CELLS, IN_COUNTS = ("tp", "fp", "fn", "tn"), "write ev.counts.tp, .fp, .fn or .tn"
IN_MATRIX = 'write ev.matrix, or ev.plot("confusion")'
ONE_TABLE = (
    "and one table of two classes is needed; take one of them against the rest, as ev.class_counts[label]"
)
MANY_CLASSES = f"there are more than two classes, {ONE_TABLE}"
MANY_LABELS = f"there are several labels per case, {ONE_TABLE}"
NO_CLASSES = "predicted amounts have no classes; evaluate labels or scores"
NO_MATRIX = "it needs more than two classes, and one label per case"
NO_INDICATORS = (
    "it needs cases with several labels; evaluate with {option[truth]} and {option[predicted]} of one column"
    " of 0 and 1 per label"
)
NO_RESIDUALS = "it needs predicted amounts; evaluate with {option[regression=True]}"


class NotOfTask(InputError, AttributeError):  # noqa: N818  # like InputError, it names what is wrong
    """An attribute that only evaluations of another task have."""


def no_scores(here: str, what: str = "it") -> str:
    """Why measures and methods that need a score per case are missing."""
    return f"{what} needs scores; there are only {here} here"


def no_threshold(here: str) -> str:
    """Why no threshold can be set."""
    return f"there are no scores here, only {here}; evaluate with {{option[score]}} to choose one"


def _reasons(*groups: tuple[tuple[str, ...], str]) -> dict[str, str]:
    """The reason by name, from groups of names with one reason."""
    return {name: why for names, why in groups for name in names}


ELSEWHERE = ((("matrix",), NO_MATRIX), (("indicators",), NO_INDICATORS), (("residuals",), NO_RESIDUALS))
OF_LABELS = (((*OF_ONE_SCORE, *OF_SCORES), no_scores(LABELS)), ((AT,), no_threshold(LABELS)))
OF_AMOUNTS = (((*OF_ONE_SCORE, *OF_SCORES), no_scores(AMOUNTS)), ((AT,), no_threshold(AMOUNTS)))
CLASS_SCORES = (OF_CLASS_SCORES, NO_CLASS_SCORES)
REASONS: dict[str, dict[str, str]] = {
    "binary": _reasons(
        CLASS_SCORES,
        (OF_CLASSES, TWO_CLASSES),
        *ELSEWHERE,
        (("matrix", "confusion_matrix", "confusion"), TWO_CLASSES),
        (CELLS, IN_COUNTS),
    ),
    "multiclass": _reasons(
        ((*OF_TWO_CLASSES, *CELLS), MANY_CLASSES),
        (("confusion_matrix", "confusion"), IN_MATRIX),
        *OF_LABELS,
        *ELSEWHERE,
    ),
    "multilabel": _reasons((OF_TWO_CLASSES, MANY_LABELS), *OF_LABELS, CLASS_SCORES, *ELSEWHERE),
    "regression": _reasons(
        (OF_TWO_CLASSES, NO_CLASSES), (OF_CLASSES, NO_CLASSES), *OF_AMOUNTS, CLASS_SCORES, *ELSEWHERE
    ),
}


def why_lacking(e: Any, name: str) -> str | None:
    """Why an evaluation lacks an attribute of another task; None for names that no task has."""
    why = REASONS[e.task].get(name)
    if name in (*OF_ONE_SCORE, AT) and e.task == "multiclass" and e.scores is not None:
        why = ONE_CLASS_FIRST
    return why and why.format(**IN_FORMATS)
