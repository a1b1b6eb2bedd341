"""Comparisons of persons, kept one by one, as an evaluation with intervals that allow for shared persons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...inference import Settings
from ...input import CaseSpec, read
from ...input.spec import only_two_classes
from ...input.spelling import option
from ...input.validate import InputError, shown
from ...summaries import RankingTable
from ...summaries.samples import collect, summary_of
from ..evaluate import evaluate
from ..evaluations import dependence
from ..results import BinaryEvaluation

READ = (  # what is read with the persons
    "score_kind", "truth", "score", "weight", "weight_kind", "positive", "missing", "classes", "progress",
)  # fmt: skip


def of_persons(data: Any, persons: Any, similarity: bool, cases: Mapping[str, Any]) -> BinaryEvaluation:
    """As `evaluate`, with intervals by persons. Raises InputError for options that these do not have."""
    if isinstance(data, RankingTable):
        raise InputError(
            "unsupported",
            "persons",
            "a table does not hold the comparisons one by one",
            "pass their labels and scores",
        )
    for name in ("proportion", "auc_interval", "resampling", "design"):
        if cases.get(name, getattr(Settings(), name)) != getattr(Settings(), name):
            raise InputError(
                "conflict",
                name,
                f"{shown(cases[name])} does not apply to intervals by persons",
                f"leave {name} or persons out",
                value=cases[name],
            )
    given = {name: value for name, value in cases.items() if name in READ[:-1]}
    spec = CaseSpec(persons=persons, higher_is_positive=similarity, **given)
    if spec.score is None:
        raise InputError("needed", "score", "one score per comparison is needed", f"pass {option('score')}")
    only_two_classes(f"an evaluation with {option('persons')}", spec.truth, [spec.score], data is not None)
    rest = {name: value for name, value in cases.items() if name not in READ[1:]}
    sample = collect(read(data, spec, cases.get("progress")))
    held = summary_of(sample, 0)
    table = held if similarity else held.turned()
    found = evaluate(table, higher_is_positive=similarity, **rest)
    assert isinstance(found, BinaryEvaluation)  # of a table of scores
    persons_of: Any = dependence(sample, 0)
    return replace(found, data=sample.info, labels=sample.labels, clusters=persons_of)
