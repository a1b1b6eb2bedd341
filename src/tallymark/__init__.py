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
    from .door import evaluate
    from .evaluation import Evaluation
    from .notices import Notice, UndefinedMeasureWarning
    from .registry import Measure, find, measure
    from .summaries import ConfusionMatrix, Counts, IndicatorTable, RankingTable
    from .uncertainty import Estimate, Settings, estimate
    from .validate import InputError

_HOMES = {
    "evaluate": "door",
    "Evaluation": "evaluation",
    "Notice": "notices",
    "UndefinedMeasureWarning": "notices",
    "Measure": "registry",
    "find": "registry",
    "measure": "registry",
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
    "ConfusionMatrix", "Counts", "Estimate", "Evaluation", "IndicatorTable", "InputError", "Measure", "Notice", "RankingTable",
    "Settings",     "UndefinedMeasureWarning", "__version__", "estimate", "evaluate", "find", "measure", "measures",
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
