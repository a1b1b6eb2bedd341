"""The kind of figure of a result where none is named."""

from __future__ import annotations

from functools import singledispatch

from ...evaluation.calibration import Calibration
from ...evaluation.results import (
    BinaryEvaluation,
    EvaluationTable,
    MulticlassEvaluation,
    RegressionEvaluation,
)
from ...evaluation.thresholds.choose_threshold import ThresholdChoice
from ...input.results import Result
from ...studies.compare.answer import Comparison


@singledispatch
def usual(result: Result) -> str:
    """The name of the kind."""
    return "forest"


@usual.register
def _(result: BinaryEvaluation) -> str:
    return "confusion" if result.ranking is None or not result.both_classes else "roc"


@usual.register
def _(result: MulticlassEvaluation) -> str:
    return "confusion"


@usual.register
def _(result: RegressionEvaluation) -> str:
    return "predicted"


@usual.register
def _(result: EvaluationTable) -> str:
    every = {usual(one) for one in result.values()}
    return "roc" if every == {"roc"} else "forest"


@usual.register
def _(result: Calibration) -> str:
    return "reliability"


@usual.register
def _(result: ThresholdChoice) -> str:
    return "thresholds"


@usual.register
def _(result: Comparison) -> str:
    return "differences"
