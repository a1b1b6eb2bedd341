"""Arguments of `evaluate` that do not apply to the cases, which are refused."""

from __future__ import annotations

from typing import Any

from ..inference import Settings
from ..inference.replicates import check_design
from ..input import CaseSpec
from ..input.errors import InputError
from ..input.models import by_name
from ..input.spec import PROBABILITIES, no_direction, no_truth, only_two_classes
from ..input.spelling import option
from .arguments import Asked
from .thresholds import OF_CLUSTERS


def only_per_class(spec: CaseSpec, asked: Asked, threshold: Any) -> None:
    """Raises InputError for arguments that apply to one score per case only."""
    direction, other = (
        None if spec.higher_is_positive else False,
        None if spec.score_kind in PROBABILITIES else spec.score_kind,
    )
    _only_with_one_column(
        threshold=threshold,
        rule=asked.rule,
        positive=spec.positive,
        score_kind=other,
        higher_is_positive=direction,
    )


def only_of_amounts(spec: CaseSpec, asked: Asked, threshold: Any) -> None:
    """Raises InputError for arguments that apply to classes only."""
    if spec.score is not None:
        raise InputError(
            "conflict",
            "regression",
            f"predicted amounts are passed as {option('predicted')}, not as {option('score')}",
        )
    settings = {name: getattr(asked.settings, name) for name in ("design", "proportion", "auc_interval")}
    of_classes = {
        "threshold": threshold,
        "rule": asked.rule,
        **{name: getattr(spec, name) for name in ("clusters", "classes", "positive", "score_kind")},
        "ordered": spec.ordered or None,
        "higher_is_positive": None if spec.higher_is_positive else False,
        **{name: one for name, one in settings.items() if one != getattr(Settings(), name)},
    }
    for name, value in of_classes.items():
        if value is not None:
            raise InputError(
                "conflict",
                name,
                "it is for classes, and regression compares amounts",
                "leave one of the two out",
            )


def only_labels(spec: CaseSpec, asked: Asked, threshold: float | None) -> None:
    """Raises InputError for arguments that apply to scores only."""
    if not spec.higher_is_positive:
        raise no_direction()
    for name, value in {"threshold": threshold, "rule": asked.rule, "score_kind": spec.score_kind}.items():
        if value is not None:
            raise InputError(
                "unsupported", name, "it needs scores", "predicted labels are positive or negative already"
            )


def _only_with_one_column(**others: Any) -> None:
    for name, value in others.items():
        if value is not None:
            raise InputError(
                "conflict", name, "it is for one score per case, not for one per class", "leave it out"
            )


def check_clusters(data: Any, spec: CaseSpec, asked: Asked) -> None:
    """Raises InputError for options that intervals of clusters do not have."""
    for name in ("proportion", "auc_interval", "resampling"):
        if getattr(asked.settings, name) != getattr(Settings(), name):
            raise InputError(
                "conflict", name, "intervals of clusters come from resampled clusters", f"leave {name} out"
            )
    check_design(asked.settings.design, spec.clusters)
    if asked.rule is not None and asked.rule.of_bound:
        raise InputError("unsupported", "rule", f"{asked.rule.text!r} {OF_CLUSTERS}")
    kind = spec.kind
    if spec.truth is None:
        raise no_truth()
    scores = by_name(spec.score).values() if kind == "score" else []
    only_two_classes(
        f"an evaluation with {option('clusters')}", spec.truth, scores, data is not None, "leave clusters out"
    )


def only_indicators(spec: CaseSpec, threshold: Any = None) -> None:
    """Raises InputError for arguments that do not apply to several labels per case."""
    if spec.score is not None:
        problem = f"several labels per case need {option('predicted')}, 0 or 1 for each"
        raise InputError("unsupported", "score", problem, "threshold the scores first")
    if spec.missing == "drop":
        problem = f"{option('missing', 'drop')} is for one label per case"
        raise InputError("unsupported", None, problem, "leave out the rows with a missing indicator before")
    of_one = {name: getattr(spec, name) for name in ("positive", "classes", "score_kind")}
    for name, value in {"threshold": threshold, **of_one}.items():
        if value is not None:
            problem = "it is for one column of scores or labels, not for several"
            raise InputError("conflict", name, problem, "leave it out")
