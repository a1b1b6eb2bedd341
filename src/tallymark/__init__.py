"""Tallymark evaluates classifiers: every measure, with how sure it is.

    import tallymark as tm

    ev = tm.evaluate(truth=y, score=p)
    print(ev)
    ev["roc_auc"]

Names load when they are first used, so that the import costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from . import measures
    from .advice import advise
    from .behaviour import class_mix_sensitivity
    from .biometrics import biometric
    from .choosing import choose_threshold
    from .contingency import Contingency
    from .curves import Curve
    from .door import evaluate
    from .evaluation import Evaluation
    from .missing_scores import unscored
    from .notices import Notice, UndefinedMeasureWarning
    from .prevalence import at_prevalence
    from .registry import Measure, find, measure
    from .summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable
    from .uncertainty import Estimate, Settings, estimate, estimate_each
    from .validate import InputError

_HOMES = {
    "advise": "advice",
    "biometric": "biometrics",
    "choose_threshold": "choosing",
    "Curve": "curves",
    "unscored": "missing_scores",
    "at_prevalence": "prevalence",
    "class_mix_sensitivity": "behaviour",
    "Contingency": "contingency",
    "estimate_each": "uncertainty",
    "evaluate": "door",
    "Evaluation": "evaluation",
    "Notice": "notices",
    "UndefinedMeasureWarning": "notices",
    "Measure": "registry",
    "find": "registry",
    "measure": "registry",
    "ClassScores": "summaries",
    "ConfusionMatrix": "summaries",
    "Counts": "summaries",
    "IndicatorTable": "summaries",
    "RankingTable": "summaries",
    "Estimate": "uncertainty",
    "Settings": "uncertainty",
    "estimate": "uncertainty",
    "InputError": "validate",
}

__all__ = [
    "ClassScores", "ConfusionMatrix", "Contingency", "Counts", "Curve", "Estimate", "Evaluation", "IndicatorTable", "InputError",
    "Measure", "Notice", "RankingTable", "Settings", "UndefinedMeasureWarning", "__version__", "advise", "at_prevalence",
    "biometric", "choose_threshold", "class_mix_sensitivity", "estimate", "estimate_each", "evaluate", "find", "measure",
    "measures", "unscored",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "measures":
        return importlib.import_module(".measures", __name__)
    if name not in _HOMES:
        raise AttributeError(f"tallymark has no {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
