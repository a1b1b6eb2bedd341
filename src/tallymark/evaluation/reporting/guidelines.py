"""The facts for items of reporting guidelines that an evaluation of two classes has.

Sources: STARD 2015: Bossuyt and others (2015), BMJ 351, h5527, table 1; TRIPOD+AI: Collins and others (2024),
BMJ 385, e078378, table 2. The numbers are those of these tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from ...inference import Estimate
from ...input import validate
from ...input.calls import public
from ...input.errors import InputError
from ...input.results import Result, Writers
from ...input.spelling import option
from ...input.text import json_label, whole
from ..headline import Figure
from ..results import BinaryEvaluation, Evaluation
from . import checked_evaluation

Guideline = Literal["stard", "tripod+ai"]
GUIDELINES: tuple[Guideline, ...] = get_args(Guideline)
ACCURACY = (
    "sensitivity", "specificity", "precision", "negative_predictive_value", "positive_likelihood_ratio",
    "negative_likelihood_ratio",
)  # fmt: skip
CALIBRATION = ("calibration_slope", "calibration_in_the_large")
# Items that the data of an evaluation do not show, by guideline.
OTHERS: dict[Guideline, tuple[str, ...]] = {
    "stard": ("1-11", "12b", "13a-13b", "15", "17-18", "20-22", "25-30"),
    "tripod+ai": ("1-10", "12a-12d", "12f-12g", "13-14", "16-19", "20b-20c", "22", "23b", "24-27"),
}


@dataclass(frozen=True, slots=True, repr=False)
class ReportingItem(Result):
    """An item of a reporting guideline.

    Attributes
    ----------
    number : str
        The number of the item in the checklist, as "24".
    topic : str
        What it is about; the sentence is made of it.
    facts : mapping of str to number, text or None
        The figures of the sentence that are no estimates.
    figures : tuple of Figure
        The estimates.
    """

    FORM = "reporting.reporting_item"

    number: str
    topic: str
    facts: Mapping[str, Any]
    figures: tuple[Figure, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        facts = {name: json_label(value) for name, value in self.facts.items()}
        figures = [one.to_dict() for one in self.figures]
        return {"number": self.number, "topic": self.topic, "facts": facts, "figures": figures}


@dataclass(frozen=True, eq=False, repr=False)
class ReportingParagraph(Result):
    """A paragraph on the results of a study, with the items of a guideline that it reports.

    Attributes
    ----------
    guideline : {"stard", "tripod+ai"}
        The guideline.
    items : tuple of ReportingItem
        Those that the evaluation has the figures for; `str` of each is its sentence.
    """

    FORM = "reporting.reporting_paragraph"
    WRITERS: ClassVar[Writers] = {**Result.WRITERS, ".md": "markdown", ".txt": "text"}

    guideline: Guideline
    items: tuple[ReportingItem, ...]

    @property
    def others(self) -> tuple[str, ...]:
        """The items that the authors have to report, since no data show them."""
        reported = {item.number for item in self.items}
        return tuple(number for number in OTHERS[self.guideline] if number not in reported)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        items = [one.to_dict() for one in self.items]
        return {"guideline": self.guideline, "items": items, "others": list(self.others)}


@public()
def reporting_paragraph(
    evaluation: Evaluation, /, *, guideline: Guideline = "stard", unit: str | None = None
) -> ReportingParagraph:
    """Write the results of an evaluation as a reporting guideline asks for them.

    Parameters
    ----------
    evaluation : BinaryEvaluation
        What `evaluate` returned for two classes; for TRIPOD+AI of probabilities.
    guideline : {"stard", "tripod+ai"}, default "stard"
        STARD 2015 is for studies of diagnostic accuracy, TRIPOD+AI for prediction models.
    unit : str, optional
        What a case is, in the plural, as "lesions": the clusters are then the participants. By default cases
        are participants, and cases in clusters are called cases.

    Returns
    -------
    ReportingParagraph
        `print` shows the paragraph with the numbers of the items, and the items that remain.

    Raises
    ------
    InputError
        For several classes, amounts, and what is no evaluation; for TRIPOD+AI without probabilities; for a
        unit without clusters.

    Notes
    -----
    In a case-control design there is no figure that depends on the class mix, such as a predictive value,
    since it has no meaning without a prevalence; `at_prevalence` has these. Weighted cases are counted as
    rows, and of the classes there are shares.

    Examples
    --------
    >>> import tallymark as tm
    >>> found = tm.reporting_paragraph(tm.evaluate(counts=tm.Counts(tp=90, fp=20, fn=10, tn=180)))
    >>> [item.number for item in found.items]
    ['14', '16', '19', '23', '24']
    """
    e = checked_evaluation(evaluation, "reporting_paragraph")
    validate.choice(guideline, GUIDELINES, "guideline")
    if not isinstance(e, BinaryEvaluation):
        problem = f"this evaluation is {e.task}, and the guidelines are followed here for two classes"
        raise InputError("unsupported", "evaluation", problem, "take one class against the rest")
    if unit is not None and (not isinstance(unit, str) or e.clusters is None):
        problem = "it is the word for the cases of a participant, where the participants are the clusters"
        raise InputError("conflict", "unit", problem, f"pass a text, and evaluate with {option('clusters')}")
    return ReportingParagraph(guideline, tuple(ITEMS[guideline](e, unit)))


# STARD 2015
# --------------------------------------------------------------------------------------------------


def _stard(e: BinaryEvaluation, unit: str | None) -> Iterator[ReportingItem]:
    accuracy = _figures(e, (*ACCURACY, *(("roc_auc",) if e.ranking is not None else ())))
    if e.limit is not None:
        yield ReportingItem("12a", "cut-off", _threshold(e, unit))
    yield ReportingItem("14", "methods", _methods(e, unit), accuracy)
    if e.unanswered is not None:
        yield ReportingItem("15", "indeterminate", {"share": e.unanswered.value})
    yield ReportingItem("16", "missing", _missing(e, unit))
    yield ReportingItem("19", "participants", _participants(e, unit))
    yield ReportingItem("23", "cross-tabulation", _cells(e, unit))
    yield ReportingItem("24", "accuracy", {"level": e.settings.level}, accuracy)


# TRIPOD+AI
# --------------------------------------------------------------------------------------------------


def _tripod(e: BinaryEvaluation, unit: str | None) -> Iterator[ReportingItem]:
    if not e.probabilities:
        problem = "TRIPOD+AI asks for calibration, and there are no probabilities"
        raise InputError("unsupported", "guideline", problem, "evaluate probabilities")
    performance = _figures(e, ("roc_auc", *CALIBRATION, "brier_score"))
    at_threshold = _figures(e, ("sensitivity", "specificity", "net_benefit"))
    yield ReportingItem("11", "missing", _missing(e, unit))
    yield ReportingItem("12e", "methods", _methods(e, unit), (*performance, *at_threshold))
    yield ReportingItem("15", "cut-off", _threshold(e, unit))
    yield ReportingItem("20a", "analysed", _participants(e, unit))
    yield ReportingItem("21", "events", _participants(e, unit))
    yield ReportingItem("23a", "performance", {"level": e.settings.level}, performance)
    yield ReportingItem(
        "23a", "at threshold", {**_threshold(e, unit), "level": e.settings.level}, at_threshold
    )


ITEMS: dict[Guideline, Callable[[BinaryEvaluation, str | None], Iterator[ReportingItem]]] = {
    "stard": _stard,
    "tripod+ai": _tripod,
}


# The facts
# --------------------------------------------------------------------------------------------------


def _figures(e: BinaryEvaluation, names: tuple[str, ...]) -> tuple[Figure, ...]:
    """The measures that are there and have a value, without those that a fixed class mix decides."""
    found = [Figure(name, e.estimates[name]) for name in names if name in e.estimates]
    return tuple(one for one in found if not (one.estimate.undefined or _of_fixed_mix(e, one.estimate)))


def _of_fixed_mix(e: BinaryEvaluation, found: Estimate) -> bool:
    """Whether the value depends on the numbers of cases and controls, which the design fixes."""
    fixed = e.design == "case-control" and not e.mix_fixed_by_weights
    return fixed and any(note.code == "given-mix" for note in found.notes)


def _units(e: BinaryEvaluation, unit: str | None) -> dict[str, Any]:
    """What the cases and the clusters are called."""
    if e.clusters is None:
        return {"unit": "participants"}
    of = e.clusters.what if unit is None else "participants"
    return {"unit": unit or "cases", "groups": e.clusters.number, "of_groups": of}


def _threshold(e: BinaryEvaluation, unit: str | None) -> dict[str, Any]:
    assert e.threshold is not None
    side = ">=" if e.higher_is_positive else "<="
    at = {"threshold": e.limit, "side": side, "rule": str(e.threshold.rule), "chosen": e.threshold.chosen}
    return {**at, **_units(e, unit)}


def _methods(e: BinaryEvaluation, unit: str | None) -> dict[str, Any]:
    facts = {"level": e.settings.level, "design": e.design, "weight_kind": e.data.weight_kind}
    return {**facts, **_units(e, unit)}


def _missing(e: BinaryEvaluation, unit: str | None) -> dict[str, Any]:
    return {"dropped": e.data.dropped, **_units(e, unit)}


def _participants(e: BinaryEvaluation, unit: str | None) -> dict[str, Any]:
    """The number of cases, of weighted ones the rows, and the total weights of the classes."""
    positives, negatives = e.data.positives or 0.0, e.data.negatives or 0.0
    weighted, of = e.data.weight_kind == "importance", whole(positives + negatives)
    cases = e.data.rows - e.data.weightless if weighted else of
    facts = {"cases": cases, "positives": whole(positives), "of": of, "label": e.labels[1]}
    return {**facts, "weighted": weighted, "design": e.design, **_units(e, unit)}


def _cells(e: BinaryEvaluation, unit: str | None) -> dict[str, Any]:
    cells: dict[str, Any] = {name: whole(float(getattr(e.counts, name))) for name in ("tp", "fp", "fn", "tn")}
    return {**cells, "label": e.labels[1], "weighted": e.data.weight_kind == "importance", **_units(e, unit)}
