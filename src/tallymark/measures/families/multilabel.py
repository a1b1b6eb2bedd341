"""Measures of cases that may have several labels at once."""

from typing import Any

from ...summaries import IndicatorTable
from ..registry import Leading, measure, plain, ratio


@measure(
    aka=("subset_accuracy", "exact_match_ratio"),
    interval="proportion",
    headline=Leading(5, "Exact match", column=1),
)
def exact_match(t: IndicatorTable) -> Any:
    """Proportion of the cases whose labels are all predicted correctly.

    cases without a mistake / all cases

    The proportion of single labels that are wrong, the Hamming loss, is the micro average of error_rate.

    Undefined: no cases (total = 0).
    Source: Zhang and Zhou (2014), section 2.2.
    """
    return ratio(plain(t.exact), plain(t.total))
