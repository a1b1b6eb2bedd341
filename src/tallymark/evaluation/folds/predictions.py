"""The predictions for the test cases of all folds, as columns that `evaluate` with `fold` reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...input import text
from ...input.results import Tabular
from ...input.validate import InputError

Array = np.ndarray[Any, np.dtype[Any]]
CASE, FOLD, TRUTH = "case", "fold", "truth"


@dataclass(frozen=True, eq=False, repr=False)
class Predictions(Tabular):
    """The predictions for each test case, in the order of the folds, as from `evaluate_estimator`.

    Attributes
    ----------
    columns : mapping of str to array
        "case", the row of the data, counted from 0; "fold"; "truth"; and "score", a "score LABEL" for each
        class, or "predicted". `to_frame` and `save` write them.
    cases : int
        The number of cases of the data, tested or not.
    """

    columns: Mapping[str, Array]
    cases: int

    @property
    def answers(self) -> Array:
        """The score, the scores of all classes, or the predicted label or amount, by case of the data.

        In the order of the data, as scikit-learn's cross_val_predict returns them. Raises InputError unless
        every case is tested once.
        """
        case = self.columns[CASE]
        if len(case) != self.cases or len(np.unique(case)) != self.cases:
            problem = "not every case is tested once, so that the cases have no order"
            raise InputError("unsupported", "answers", problem, "use columns, where a case is a row")
        order = np.argsort(case)
        found = [one[order] for name, one in self.columns.items() if name not in (CASE, FOLD, TRUTH)]
        return found[0] if len(found) == 1 else np.column_stack(found)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, by column."""
        return {
            name: [text.json_label(one) for one in values.tolist()] for name, values in self.columns.items()
        }

    @property
    def _columns(self) -> Mapping[str, Any]:
        return self.columns

    def __repr__(self) -> str:
        return f"<Predictions of {len(self.columns[CASE])} test cases: {', '.join(self.columns)}>"
