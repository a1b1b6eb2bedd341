"""The actual classes of cases with a score per class, encoded once for all models of the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..input import columns, validate, weighting
from ..input.columns import Column
from ..input.labels import kind_of, together
from ..input.options import WeightKind


class TrueClasses(NamedTuple):
    """The actual classes of the cases whose weight is not 0.

    column: the truth; labels: those that occur, sorted; codes: the place of the label of each case among
    them, shape (n,); weight: of each case, shape (n,); weight_kind: as for a column of weights.
    """

    column: Column
    labels: list[Any]
    codes: np.ndarray
    weight: np.ndarray
    weight_kind: WeightKind | None

    @classmethod
    def read(cls, cases: dict[str, Column]) -> TrueClasses:
        """Read "truth", and "weight" if there is one, from columns by role.

        Raises InputError for labels that are missing or not valid, and for weights that are not valid.
        """
        part: dict[str, Column] = {role: cases[role] for role in ("truth", "weight") if role in cases}
        validate.same_length(*part.values())
        for column in part.values():
            validate.no_gaps(column)
        part = columns.those_that_count(part)
        truth, weight = part["truth"], part.get("weight")
        kind_of(truth)
        labels, (codes,) = together(truth.values)
        given = weighting.weights(weight)
        weights = np.ones(len(truth)) if given is None else given
        return cls(truth, labels, codes, weights, None if weight is None else weight.weight_kind)

    @property
    def levels(self) -> tuple[Any, ...]:
        """All classes, where their type declares them."""
        declared = self.column.levels
        known = declared is not None and {*self.labels} <= {*declared.labels}
        return declared.labels if declared is not None and known else ()

    def has_order(self, labels: Sequence[Any]) -> bool:
        """Whether the type of the labels declares the order of these."""
        declared = self.column.levels
        return declared is not None and declared.ordered and {*labels} <= {*self.levels}

    def among(self, labels: Sequence[Any]) -> np.ndarray:
        """The place of the label of each case among these, which include all that occur."""
        place = {label: i for i, label in enumerate(labels)}
        codes: np.ndarray = np.array([place[label] for label in self.labels], np.int64)[self.codes]
        return codes
