"""A paragraph for a reporting guideline, the sentences of its items, and model cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...input import text
from ...input.spelling import series
from ...measures.titles import title
from ..document import Cell, Column, Document
from ..grid import estimate, level_of, value
from . import common
from .common import capital

TITLES = {"stard": "STARD 2015", "tripod+ai": "TRIPOD+AI"}
NAMES = {
    "positive_likelihood_ratio": "positive likelihood ratio",
    "negative_likelihood_ratio": "negative likelihood ratio",
    "precision": "positive predictive value",
    "negative_predictive_value": "negative predictive value",
    "roc_auc": "the area under the ROC curve",
    "calibration_slope": "the calibration slope",
    "calibration_in_the_large": "calibration in the large",
    "brier_score": "the Brier score",
    "net_benefit": "net benefit",
}
METHODS = {
    "wilson": "the Wilson score method",
    "clopper-pearson": "the exact method of Clopper and Pearson",
    "delong-logit": "the method of DeLong on the logit scale",
    "delong": "the method of DeLong",
    "hanley-mcneil": "the method of Hanley and McNeil",
    "jeffreys": "Jeffreys' method",
    "agresti-coull": "the method of Agresti and Coull",
    "wald": "the normal approximation",
    "log": "the normal approximation on the logarithmic scale",
    "score": "a score interval along the least favourable counts",
    "delta-logit": "the delta method on the logit scale",
    "delta-log": "the delta method on the logarithmic scale",
    "delta": "the delta method (the sandwich variance)",
    "bayesian-bootstrap": "the Bayesian bootstrap",
    "cluster-jackknife": "the jackknife over clusters",
    "cluster-bootstrap": "the bootstrap of clusters",
}
CORRECTED = "corrected-"  # how the names of intervals begin that count the choice of the threshold in
OPTIMISM = "Values at the threshold are corrected for the optimism of its choice."
FIXED = (
    "the numbers with and without the condition were fixed by the design, so that there are no predictive"
    " values and no other figures that depend on the prevalence"
)
LONGEST = 40  # characters of a label


def reporting_item(item: Any, full: bool = False) -> Document:
    """The sentence of an item."""
    return Document(kind="sentence", headline=sentence(item))


def sentence(item: Any) -> str:
    """The sentences of an item."""
    clauses = CLAUSES[item.topic](item.figures, **item.facts)
    return " ".join(f"{capital(one)}." for one in clauses)


def reporting_paragraph(found: Any, full: bool = False) -> Document:
    """The sentences with the numbers of the items, and the items that the authors have to report."""
    return Document(
        kind="reporting paragraph",
        facts=(" ".join(f"{sentence(item)} [{item.number}]" for item in found.items),),
        footnotes=(
            f"In brackets: items of {TITLES[found.guideline]}. Further items are not in the data, and remain"
            f" for the authors: {', '.join(found.others)}.",
        ),
    )


def model_card(card: Any, full: bool = False) -> Document:
    """What was evaluated, on what, with which results."""
    level = card.figures[0].estimate.level if card.figures else 0.95
    columns: common.Columns = {
        Column("measure", "measure", "name"): lambda one: Cell(
            title(one.measure), name=card.metric_ids[one.measure]
        ),
        Column("estimate", level_of(level), "estimate"): lambda one: one.estimate,
    }
    first = "".join(f": {title(one.measure)} {estimate(one.estimate)}" for one in card.figures[:1])
    of = ", ".join(
        f"{name} {getattr(card, name)}"
        for name in ("config", "split", "revision")
        if getattr(card, name) is not None
    )
    about = f"{card.dataset}{f' ({card.dataset_id})' if card.dataset_id != card.dataset else ''}"
    return Document(
        kind="model card",
        title=card.model,
        headline=f"{card.model} on {card.dataset}{first}.",
        facts=(f"Task: {card.task}. Data: {about}{', ' * bool(of)}{of}.",),
        tables=(common.table("measures", card.figures, columns, kind="forest"),),
    )


def _named(measure: str) -> str:
    return NAMES.get(measure, measure.replace("_", " "))


def _estimates(figures: tuple[Any, ...], level: float) -> str:
    """The estimates with their intervals, the level at the first."""
    head = f"{100 * level:.4g}% confidence interval "
    said = [_estimate(one, head * (not i), " was" * (not i)) for i, one in enumerate(figures)]
    optimism = f". {OPTIMISM[:-1]}" * any(one.estimate.corrected is not None for one in figures)
    return f"{series(said)}{optimism}"


def _estimate(one: Any, head: str, verb: str) -> str:
    found = one.estimate
    said = value(found)
    places = text.digits_of(found.low, found.high) if found.has_interval else None
    ends = f"{head}{text.rounded(found.low, places)} to {text.rounded(found.high, places)}"
    return f"{_named(one.measure)}{verb} {said} ({ends if found.has_interval else 'no interval'})"


def _method(name: str) -> str:
    """The method of an interval in words."""
    plain = name.removeprefix(CORRECTED)
    known = METHODS.get(plain, f"the method {plain!r}")
    if plain not in METHODS and plain.removesuffix("-t") in METHODS:
        known = f"{METHODS[plain.removesuffix('-t')]} with Student's t"
    return f"{known}, with the choice of the threshold counted in," if name.startswith(CORRECTED) else known


# By topic
# --------------------------------------------------------------------------------------------------


def _cut_off(_: Any, threshold: float, side: str, rule: str, chosen: bool, unit: str, **__: Any) -> list[str]:
    how = f"{'' if chosen else 'not '}chosen on these {unit}"
    end = "higher" if side == ">=" else "lower"
    return [f"a score of {threshold:.4g} or {end} was taken as positive (rule: {rule}; {how})"]


def _methods(
    figures: Any,
    level: float,
    design: str,
    weight_kind: str | None,
    unit: str,
    groups: int | None = None,
    of_groups: str = "",
) -> list[str]:
    by_method: dict[str, list[str]] = {}
    for one in figures:
        if one.estimate.method:
            by_method.setdefault(one.estimate.method, []).append(_named(one.measure))
    ways = [f"by {_method(method)} for {series(of)}" for method, of in by_method.items()]
    computed = f"{100 * level:.4g}% confidence intervals were computed {'; '.join(ways)}"
    said = {
        computed if ways else "no confidence intervals were computed": True,
        FIXED: design == "case-control",
        f"{unit} were weighted": weight_kind == "importance",
        f"intervals allow for {groups or 0:,} {of_groups}": groups is not None,
    }
    return [one for one, holds in said.items() if holds]


def _missing(_: Any, dropped: int, unit: str, **__: Any) -> list[str]:
    if not dropped:
        return [f"no {unit} were left out for missing values"]
    were = "was" if dropped == 1 else "were"
    return [f"{text.count(dropped)} {unit} with missing values {were} left out"]


def _indeterminate(_: Any, share: float) -> list[str]:
    wrong = text.rounded(100 * share, 1)
    return [f"predictions that name neither class, {wrong} % of all, were counted as wrong"]


def _cases(cases: float, unit: str, groups: int | None = None, of_groups: str = "", **_: Any) -> str:
    """As "375 lesions in 150 participants"."""
    return f"{text.count(cases)} {unit}{'' if groups is None else f' in {groups:,} {of_groups}'}"


def _share(part: float, of: float) -> str:
    return f"{100 * part / of:.1f} %" if of else "none"


def _with_and_without(_: Any, positives: float, of: float, weighted: bool, **facts: Any) -> list[str]:
    counts = f"{text.count(positives)} with and {text.count(of - positives)} without the outcome"
    said = f"weighted, {_share(positives, of)} had the outcome" if weighted else f"there were {counts}"
    return [f"{_cases(**facts)} were analysed", said]


def _flow(_: Any, positives: float, of: float, weighted: bool, **facts: Any) -> list[str]:
    condition = f"had the condition (class {text.label(facts['label'], LONGEST)})"
    unit = "" if facts["unit"] == "participants" else f" {facts['unit']}"
    number = f"{text.count(positives)} of {text.count(of)}{_in_brackets(positives, of, **facts)}{unit}"
    number = f"weighted, {_share(positives, of)}" if weighted else number
    return [f"{_cases(**facts)} were analysed", f"{number} {condition}"]


def _events(_: Any, positives: float, of: float, weighted: bool, **facts: Any) -> list[str]:
    events = f" and {text.count(positives)} outcome events{_in_brackets(positives, of, **facts)}"
    share = f"; weighted, {_share(positives, of)} had the outcome event"
    return [f"the analysis included {_cases(**facts)}{share if weighted else events}"]


def _in_brackets(part: float, of: float, design: str, **_: Any) -> str:
    """A share, unless the design fixes it."""
    return f" ({_share(part, of)})" if design != "case-control" and of else ""


def _cross_tabulation(
    _: Any, tp: float, fp: float, fn: float, tn: float, weighted: bool, unit: str, **__: Any
) -> list[str]:
    cells = [(tp, tp + fn), (fn, tp + fn), (fp, fp + tn), (tn, fp + tn)]
    a, b, c, d = (_share(*one) if weighted else text.count(one[0]) for one in cells)
    those = f"{'weighted, ' * weighted}of {'those' if unit == 'participants' else f'the {unit}'}"
    return [
        f"{those} with the condition {a} tested positive and {b} negative; of those without it {c} tested"
        f" positive and {d} negative"
    ]


CLAUSES: dict[str, Callable[..., list[str]]] = {
    "cut-off": _cut_off,
    "methods": _methods,
    "indeterminate": _indeterminate,
    "missing": _missing,
    "participants": _flow,
    "analysed": _with_and_without,
    "events": _events,
    "cross-tabulation": _cross_tabulation,
    **dict.fromkeys(
        ("accuracy", "performance"),
        lambda figures, level: [
            _estimates(figures, level) if figures else "no measure of accuracy is defined for these data"
        ],
    ),
    "at threshold": lambda figures, threshold, level, **_: [
        f"at the threshold {threshold:.4g} {_estimates(figures, level)}"
    ],
}


# The metadata of a model card
# --------------------------------------------------------------------------------------------------


def metadata(card: Any) -> dict[str, Any]:
    """The metadata as plain values, with the keys of the Hugging Face Hub."""
    dataset = {"type": card.dataset_id, "name": card.dataset}
    more = {name: getattr(card, name) for name in ("config", "split", "revision")}
    dataset |= {name: one for name, one in more.items() if one is not None}
    metrics = [
        {"type": card.metric_ids[one.measure], "value": one.estimate.value, "name": _with_interval(one)}
        for one in card.figures
    ]
    result = {"task": {"type": card.task}, "dataset": dataset, "metrics": metrics}
    return {"model-index": [{"name": card.model, "results": [result]}]}


def _with_interval(one: Any) -> str:
    """The name of a measure for readers, with its interval."""
    found = one.estimate
    if not found.has_interval:
        return title(one.measure)
    mix = ", given this class mix" * any(note.code == "given-mix" for note in found.notes)
    level = f"{100 * found.level:.4g}% CI"
    return f"{title(one.measure)} ({level} {text.interval(found.low, found.high)}{mix})"
