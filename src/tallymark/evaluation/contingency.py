"""The two-by-two table: the counts with their margins, and the eight ratios in four complementary pairs.

Actual classes are the rows and predictions the columns, the positive class first, as in every table and
picture here. Wikipedia and Berrar, Fig. 3, transpose it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..inference import Estimate, Settings, estimate
from ..input import text, validate
from ..input.errors import InputError
from ..input.names import listed
from ..input.results import Result
from ..input.score_columns import TWO
from ..input.validate import shown
from ..summaries import Counts

# Ratios of a row are of one actual class, so that they do not depend on the prevalence. Ratios of a column
# are of both classes, with the prevalence of these cases.
OF_ROWS = (("sensitivity", "false_negative_rate"), ("specificity", "false_positive_rate"))
OF_COLUMNS = (("precision", "false_discovery_rate"), ("negative_predictive_value", "false_omission_rate"))
LONGEST_LABEL = 11  # so that the table fits into 80 columns
Pairs = tuple[tuple[str, str], ...]  # of measures that add up to 1
Ratios = list[tuple[str, Estimate, str, Estimate]]


@listed(
    "function",
    "tm.evaluate(...).two_by_two",
    name="contingency_table",
    aka=("two_by_two_table", "table_of_confusion", "2x2_contingency_table"),
    terms=(
        "confusion_matrix",
        "cross_tabulation",
        "eight_ratios",
    ),
    command="tallymark counts",
)
@dataclass(frozen=True, slots=True, repr=False)
class Contingency(Result):
    """A two-by-two table with its ratios: rows are actual classes, columns predicted ones, positive first.

    The actual class is that of the gold standard: positive where the condition is present.

    Parameters
    ----------
    counts : Counts
        The cells must be numbers, not arrays.
    labels : tuple of two labels
        The negative and the positive one.
    settings : Settings
        Of the intervals.
    known : mapping of str to Estimate, or None
        Estimates by measure, where they do not follow from the counts alone.
    """

    FORM = "evaluations.contingency"

    counts: Counts
    labels: tuple[Any, ...] = ("negative", "positive")
    settings: Settings = field(default_factory=Settings)
    known: Mapping[str, Estimate] | None = None

    def __post_init__(self) -> None:
        validate.of_type(self.counts, Counts, "counts")
        if np.ndim(self.counts.tp):
            raise InputError("wrong-shape", "counts", "one table is needed, not an array of them")
        validate.of_type(self.settings, Settings, "settings")
        if len(validate.labels(self.labels, "labels")) != TWO:
            raise InputError("wrong-shape", "labels", f"{shown(self.labels)} are not two labels")

    @property
    def rows(self) -> list[list[float]]:
        """Actual positive, actual negative, total; in each: predicted positive, predicted negative, total."""
        c = self.counts
        positive, negative = [c.tp, c.fn, c.tp + c.fn], [c.fp, c.tn, c.fp + c.tn]
        return [positive, negative, [a + b for a, b in zip(positive, negative, strict=True)]]

    def ratios(self, pairs: Pairs) -> Ratios:
        """The names and estimates of each pair."""
        return [(a, self._estimate(a), b, self._estimate(b)) for a, b in pairs]

    def _estimate(self, name: str) -> Estimate:
        return estimate(name, self.counts, self.settings) if self.known is None else self.known[name]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, strict JSON."""
        cells = self.counts.to_dict()
        totals = Counts.of(*self.rows[2][:2], *(self.rows[i][2] for i in (0, 1))).to_dict().values()
        names = ("predicted_positive", "predicted_negative", "positive", "negative")
        pairs = [(pair, of == OF_COLUMNS) for of in (OF_ROWS, OF_COLUMNS) for pair in self.ratios(of)]
        return {
            "labels": {
                "positive": text.json_label(self.labels[1]),
                "negative": text.json_label(self.labels[0]),
            },
            "cells": cells,
            "margins": dict(zip(names, totals, strict=True)) | {"total": text.whole(self.counts.total)},
            "ratios": [
                {
                    "measure": a,
                    **x.to_dict(),
                    "complement": b,
                    "complement_value": y.to_dict()["value"],
                    **({} if y.corrected is None else {"complement_corrected": y.to_dict()["corrected"]}),
                    "depends_on_prevalence": depends,
                }
                for (a, x, b, y), depends in pairs
            ],
        }

    def __repr__(self) -> str:
        names = ", ".join(text.labels(self.labels[::-1], LONGEST_LABEL).values())
        return f"<Contingency of {text.count(self.counts.total)} cases: {names}>"
