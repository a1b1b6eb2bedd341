"""The measures, one file per family.

`tallymark.measures.NAME` is the measure with that name or alias, ready to be called.
`list(tallymark.measures)` are all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
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
        result = registry.get(name)
    except ValueError as unknown:  # an InputError
        raise AttributeError(str(unknown)) from None
    globals()[name] = result  # so that it is found at once the next time
    return result


def __dir__() -> list[str]:
    return list(dict.fromkeys(entry.name for entry in registry.all_measures()))


class _Measures(ModuleType):
    """The module as a list: `list(tm.measures)` and `tm.measures()` are all measures."""

    def __call__(self) -> tuple[registry.Measure, ...]:
        """All measures, family by family."""
        return registry.all_measures()

    def __iter__(self) -> Iterator[registry.Measure]:
        return iter(registry.all_measures())

    def __len__(self) -> int:
        return len(registry.all_measures())


sys.modules[__name__].__class__ = _Measures
