"""The measures, one file per family.

`tallymark.measures.NAME` is the measure with that name or alias, ready to be called.
"""

from __future__ import annotations

from typing import Any

from . import registry

# In the order in which they are shown.
# isort: off
from .families import rates, combined, likelihood, association, cost, multiclass, multilabel  # noqa: F401
from .families import ranking, precision_recall, early_retrieval, biometric  # noqa: F401
from .families import probability, pseudo_r2, calibration, smooth_calibration, top_label, decomposition  # noqa: F401
from .families import multiclass_ranking, multiclass_probability, pooled  # noqa: F401
from .families import regression, explained  # noqa: F401
# isort: on


def __getattr__(name: str) -> Any:
    try:
        found = registry.get(name)
    except ValueError as unknown:  # an InputError
        raise AttributeError(str(unknown)) from None
    globals()[name] = found  # so that it is found at once the next time
    return found


def __dir__() -> list[str]:
    return list(dict.fromkeys(entry.name for entry in registry.all_measures()))
