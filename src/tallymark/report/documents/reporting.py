"""A paragraph for a reporting guideline, the sentences of its items, and model cards."""

from __future__ import annotations

from typing import Any

from ...input import text
from ...input.errors import series
from ...input.messages import Fields, Words, case, in_words, when
from ...measures.titles import title
from ..document import Cell, Column, Document, estimate, level_of, value
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
    return in_words(SENTENCES[item.topic], Fields({**item.facts, "figures": item.figures}))


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


def _methods(fields: Fields) -> str:
    by_method: dict[str, list[str]] = {}
    for one in fields["figures"]:
        if one.estimate.method:
            by_method.setdefault(one.estimate.method, []).append(_named(one.measure))
    ways = [f"by {_method(method)} for {series(of)}" for method, of in by_method.items()]
    if not ways:
        return "No confidence intervals were computed."
    return f"{100 * fields['level']:.4g}% confidence intervals were computed {'; '.join(ways)}."


def _share(part: float, of: float) -> str:
    return f"{100 * part / of:.1f} %" if of else "none"


def _positive(fields: Fields) -> str:
    return _share(fields["positives"], fields["of"])


def _cell(name: str, other: str) -> Words:
    """A cell of the table; with weights its share of the class, which the other cell has the rest of."""

    def share(fields: Fields) -> str:
        return _share(fields[name], fields[name] + fields[other])

    return when("weighted", share, f"{{{name}:count}}")


# as "375 lesions in 150 participants"
CASES: Words = ("{cases:count} {unit}", when("groups", " in {groups:,} {of_groups}"))
# a share, unless the design fixes it
IN_BRACKETS: Words = case("design", {"case-control": ""}, case("of", {0: ""}, (" (", _positive, ")")))
SENTENCES: dict[str, Words] = {
    "cut-off": (
        "A score of {threshold:.4g} or ",
        case("side", {">=": "higher"}, "lower"),
        " was taken as positive (rule: {rule}; ",
        when("chosen", "chosen", "not chosen"),
        " on these {unit}).",
    ),
    "methods": (
        _methods,
        case("design", {"case-control": f" {capital(FIXED)}."}),
        case("weight_kind", {"importance": lambda fields: f" {capital(fields['unit'])} were weighted."}),
        when("groups", " Intervals allow for {groups:,} {of_groups}."),
    ),
    "indeterminate": lambda fields: (
        f"Predictions that name neither class, {text.rounded(100 * fields['share'], 1)} % of all, were"
        " counted as wrong."
    ),
    "missing": case(
        "dropped",
        {0: "No {unit} were left out for missing values."},
        "{dropped:# {unit} with missing values was|# {unit} with missing values were} left out.",
    ),
    "participants": (
        CASES,
        " were analysed. ",
        when(
            "weighted",
            ("Weighted, ", _positive),
            ("{positives:count} of {of:count}", IN_BRACKETS, case("unit", {"participants": ""}, " {unit}")),
        ),
        lambda fields: f" had the condition (class {text.label(fields['label'], LONGEST)}).",
    ),
    "analysed": (
        CASES,
        " were analysed. ",
        when(
            "weighted",
            ("Weighted, ", _positive, " had the outcome."),
            (
                "There were {positives:count} with and ",
                lambda fields: text.count(fields["of"] - fields["positives"]),
                " without the outcome.",
            ),
        ),
    ),
    "events": (
        "The analysis included ",
        CASES,
        when(
            "weighted",
            ("; weighted, ", _positive, " had the outcome event."),
            (" and {positives:count} outcome events", IN_BRACKETS, "."),
        ),
    ),
    "cross-tabulation": (
        when("weighted", "Weighted, of ", "Of "),
        case("unit", {"participants": "those"}, "the {unit}"),
        " with the condition ",
        _cell("tp", "fn"),
        " tested positive and ",
        _cell("fn", "tp"),
        " negative; of those without it ",
        _cell("fp", "tn"),
        " tested positive and ",
        _cell("tn", "fp"),
        " negative.",
    ),
    "at threshold": lambda fields: (
        f"At the threshold {fields['threshold']:.4g} {_estimates(fields['figures'], fields['level'])}."
    ),
    **dict.fromkeys(
        ("accuracy", "performance"),
        lambda fields: (
            f"{capital(_estimates(fields['figures'], fields['level']))}."
            if fields["figures"]
            else "No measure of accuracy is defined for these data."
        ),
    ),
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
