"""Notices: each is a code with fields, of which `words` makes a sentence that says what to do.

A rule is a function of an `Evaluation` that returns the fields of its notice, or None; the name of the
function is the code. A fact is a property of the data, as the number of cases. A finding is a judgement on
the model: it rests on a confidence interval (`evidence`), so that a model without the fault causes it in at
most 2 % of samples; docs/notices.md has the simulated shares.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ...input.data_info import DataInfo

# isort: off  # these modules register their rules, in this order
from . import answers, chosen, data, probabilities, weights  # noqa: F401

# isort: on
from .notice import Notice as Notice
from .notice import of_model as of_model
from .notice import without as without
from .rules import BY_CODE
from .rules import RULES as RULES
from .wording import number_of as number_of

OF_DATA = ("rows-dropped", "whole-weights")


def of_data(about: DataInfo | None) -> tuple[Notice, ...]:
    """The notices that follow from the facts of the data alone, for results that hold no evaluation."""
    found = (
        (BY_CODE[code], BY_CODE[code].function(SimpleNamespace(data=about))) for code in OF_DATA if about
    )
    return tuple(Notice(rule.code, **fields) for rule, fields in found if fields is not None)


def review(evaluation: Any) -> tuple[Notice, ...]:
    """The notices of an evaluation: severe ones first, each part in the order of this package."""
    found = ((rule.code, rule.function(evaluation)) for rule in RULES if evaluation.task in rule.of)
    notices = (Notice(code, **fields) for code, fields in found if fields is not None)
    return tuple(sorted(notices, key=lambda notice: not notice.severe))
