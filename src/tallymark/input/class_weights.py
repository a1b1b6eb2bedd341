"""Weights of the cases by their class: "balanced", or a number for each class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from . import validate
from .columns import Column
from .errors import InputError
from .labels import brief, known_as
from .validate import shown

ClassWeight = Literal["balanced"] | Mapping[Any, float]
BALANCED = "balanced"
ROLE = "class_weight"
WAY = f'give {BALANCED!r}, or a number for each class, as {{"sick": 5, "well": 1}}'


def sizes_of(truth: Column) -> Counter[Any]:
    """The number of cases of each class; those without a label are left out."""
    values, numbers = np.unique(truth.values[~truth.gaps()], return_counts=True)
    return Counter(dict(zip(values.tolist(), numbers.tolist(), strict=True)))


def by_class(given: ClassWeight, sizes: Mapping[Any, int]) -> dict[Any, float]:
    """The weight of a case of each class; balanced, all classes have the same total weight.

    Raises InputError.
    """
    if isinstance(given, str) and given == BALANCED:
        total = sum(sizes.values())
        return {label: total / (len(sizes) * number) for label, number in sizes.items()}
    if not isinstance(given, Mapping):
        raise InputError("invalid-value", ROLE, f"{shown(given)} is not understood", WAY, value=given)
    result = {
        _label(one, list(sizes)): validate.positive(
            value, ROLE, f"give a finite number above 0 for {shown(one)}"
        )
        for one, value in given.items()
    }
    missing = [label for label in sizes if label not in result]
    if missing:
        raise InputError(
            "needed",
            ROLE,
            f"the class {shown(missing[0])} has no weight",
            f"there are {brief(list(sizes))}: give a number for each",
        )
    return result


def _label(given: Any, labels: list[Any]) -> Any:
    result = known_as(given, labels)
    if result is None:
        hint = validate.nearest(str(given), map(str, labels))
        raise InputError(
            "unknown-name",
            ROLE,
            f"{shown(given)} is not a class{hint}",
            f"there are {brief(labels)}",
            value=given,
        )
    return result


def weights_of(truth: Column, weights: Mapping[Any, float]) -> Column:
    """The weight of each case, as importance weights; 1 where the label is missing."""
    values, place = np.unique(truth.values, return_inverse=True)
    of_each = np.array([weights.get(label, 1.0) for label in values.tolist()])
    return Column("weight", of_each[place], weight_kind="importance")
