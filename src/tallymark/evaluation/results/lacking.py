"""Attributes that only evaluations of another task have: why they are missing, and what to use."""

from __future__ import annotations

from typing import Any

from ...input.errors import InputError
from ...input.spelling import IN_FORMATS

LABELS = "labels or counts"
AT = "at"
OF_ONE_SCORE = (
    "ranking", "binned", "threshold", "limit", "higher_is_positive", "chosen_by", "optimism_of_choice",
    "curve", "operating_points", "pairs_matrix", "need_each_score", "why_no_probabilities",
)  # fmt: skip
NO_CLASS_SCORES = "it needs a score per class; evaluate with {option[score]} an array of one column per class"


class NotOfTask(InputError, AttributeError):  # noqa: N818  # like InputError, it names what is wrong
    """An attribute that only evaluations of another task have."""


def no_scores(here: str, what: str = "it") -> str:
    """Why measures and methods that need a score per case are missing."""
    return f"{what} needs scores; there are only {here} here"


def no_threshold(here: str) -> str:
    """Why no threshold can be set."""
    return f"there are no scores here, only {here}; evaluate with {{option[score]}} to choose one"


def _reasons(groups: dict[str, str], scores: str | None) -> dict[str, str]:
    """The reason by name, from names with one reason. scores: what there is in place of these."""
    every = OF_ALL | groups
    if scores is not None:
        names = f"{' '.join(OF_ONE_SCORE)} score_kind scored in_bins left_out"
        every |= {names: no_scores(scores), AT: no_threshold(scores)}
    return {name: why for names, why in every.items() for name in names.split()}


OF_TWO_CLASSES, CELLS = "counts labels two_by_two both both_classes", "tp fp fn tn"
OF_CLASSES, OF_CLASS_SCORES = (
    "many classes averages class_counts table_of_classes",
    "scores class_areas one_vs_rest",
)
ONE_TABLE = (
    "and one table of two classes is needed; take one of them against the rest, as ev.class_counts[label]"
)
OF_ALL = {  # unless the task has them
    "matrix": "it needs more than two classes, and one label per case",
    "indicators": (
        "it needs cases with several labels; evaluate with {option[truth]} and {option[predicted]} of one"
        " column of 0 and 1 per label"
    ),
    "residuals": "it needs predicted amounts; evaluate with {option[regression=True]}",
}
REASONS: dict[str, dict[str, str]] = {
    "binary": _reasons(
        {
            OF_CLASS_SCORES: NO_CLASS_SCORES,
            f"{OF_CLASSES} matrix confusion_matrix confusion": (
                'there are two classes here; see .counts, .two_by_two and plot("confusion")'
            ),
            CELLS: "write ev.counts.tp, .fp, .fn or .tn",
        },
        None,
    ),
    "multiclass": _reasons(
        {
            f"{OF_TWO_CLASSES} {CELLS}": f"there are more than two classes, {ONE_TABLE}",
            "confusion_matrix confusion": 'write ev.matrix, or ev.plot("confusion")',
        },
        LABELS,
    ),
    "multilabel": _reasons(
        {
            OF_TWO_CLASSES: f"there are several labels per case, {ONE_TABLE}",
            OF_CLASS_SCORES: NO_CLASS_SCORES,
        },
        LABELS,
    ),
    "regression": _reasons(
        {
            f"{OF_TWO_CLASSES} {OF_CLASSES}": "predicted amounts have no classes; evaluate labels or scores",
            OF_CLASS_SCORES: NO_CLASS_SCORES,
        },
        "predicted amounts",
    ),
}


def why_lacking(e: Any, name: str) -> str | None:
    """Why an evaluation lacks an attribute of another task; None for names that no task has."""
    why = REASONS[e.task].get(name)
    if name in (*OF_ONE_SCORE, AT) and e.task == "multiclass" and e.scores is not None:
        why = (
            "there is a score per class; take one class against the rest,"
            " {either[one_vs_rest(label)|tallymark curve --class]}"
        )
    return why and why.format(**IN_FORMATS)
