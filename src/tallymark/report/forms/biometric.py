"""Error rates of comparisons, as text.

Those at a threshold, the FNMR at given false match rates, and the measures.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...evaluation.biometrics.answer import BiometricEvaluation
from ...evaluation.notices import number_of
from ...inference import Estimate
from ...input import text
from .. import parts


def as_text(b: BiometricEvaluation) -> str:
    """The comparisons, three tables, the remarks of all, the notices."""
    remarks: dict[str, str] = {}
    tables = [_given(b, remarks), _rates(b, remarks), _measures(b, "measure", b.estimates, remarks)]
    found = (
        _head(b),
        parts.severe(b.notices, in_full=True),
        *tables,
        "\n".join(parts.below(remarks)),
        *parts.others(b),
    )
    return "\n\n".join(part for part in found if part)


def _head(b: BiometricEvaluation) -> str:
    e = b.evaluation
    kinds = f"{number_of(b.mated, 'mated comparison')}, {number_of(b.non_mated, 'non-mated comparison')}"
    persons = "" if b.persons is None else f", of {number_of(b.persons.number, 'person')}"
    side = (
        "similarity: mated when score >= threshold"
        if e.higher_is_positive
        else "distance: mated when score <= threshold"
    )
    assumed = [text.paragraph(b.conditions, first="")] if b.conditions else []
    return "\n".join([f"{kinds}{persons}", side, *assumed])


def _given(b: BiometricEvaluation, remarks: dict[str, str]) -> str:
    """FMR and FNMR at the threshold that was given."""
    limit = b.evaluation.threshold
    title = f"at {text.exact(limit.value)}" if limit and limit.value is not None else ""
    return _measures(b, title, b.at_threshold, remarks) if b.at_threshold else ""


def _rates(b: BiometricEvaluation, remarks: dict[str, str]) -> str:
    if not b.fmrs:
        return ""
    rows = [
        [f"{rate:g}", f"{limit:.6g}", *_cells(found, remarks)] for rate, (found, limit) in b.fnmr_at.items()
    ]
    return text.table(["FMR at most", "threshold", "FNMR", _level(b), "method"], rows, right=(1, 2))


def _measures(
    b: BiometricEvaluation, title: str, estimates: Mapping[str, Estimate], remarks: dict[str, str]
) -> str:
    rows = [[name, *_cells(found, remarks)] for name, found in estimates.items()]
    return text.table([title, "value", _level(b), "method"], rows, right=(1,))


def _level(b: BiometricEvaluation) -> str:
    return parts.level_of(b.evaluation.settings.level)


def _cells(found: Estimate, remarks: dict[str, str]) -> tuple[str, str, str]:
    return (
        parts.value(found, usual=parts.IN_FULL),
        parts.ends(found, usual=parts.IN_FULL),
        parts.marked(found, remarks, hidden="fmr"),
    )
