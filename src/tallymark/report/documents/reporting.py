"""A paragraph for a reporting guideline, the sentences of its items, and model cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...input import text
from ...input.spelling import series
from ..document import Cell, Column, Document, Table
from ..grid import estimate, level_of, title, value

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
    "mean-logit": "the normal approximation on the logit scale",
    "fisher-information": "the Fisher information of the logistic regression",
    "score-test": "inversion of the score test",
    "bayesian-bootstrap": "the Bayesian bootstrap",
    "sandwich": "the sandwich variance of the logistic regression",
    "cluster-jackknife": "the jackknife over clusters",
    "cluster-bootstrap": "the bootstrap of clusters",
}
CORRECTED = "corrected-"  # how the names of intervals begin that count the choice of the threshold in
OPTIMISM = "Values at the threshold are corrected for the optimism of its choice."
LONGEST = 40  # characters of a label


def reporting_item(item: Any, full: bool = False) -> Document:
    """The sentence of an item."""
    return Document(kind="sentence", headline=sentence(item))


def sentence(item: Any) -> str:
    """The sentence of an item."""
    return SENTENCES[item.topic](item)


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
    rows = [
        {"measure": Cell(title(one.measure), name=card.metric_ids[one.measure]), "estimate": one.estimate}
        for one in card.figures
    ]
    level = card.figures[0].estimate.level if card.figures else 0.95
    columns = (Column("measure", "measure", "name"), Column("estimate", level_of(level), "estimate"))
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
        tables=(Table("measures", columns, rows, kind="forest"),),
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


def _sentence(written: str) -> str:
    return f"{written[0].upper()}{written[1:]}."


# By topic
# --------------------------------------------------------------------------------------------------


def _cut_off(item: Any) -> str:
    facts = item.facts
    side = "or higher" if facts["side"] == ">=" else "or lower"
    how = f"{'' if facts['chosen'] else 'not '}chosen on these {facts['unit']}"
    return _sentence(
        f"a score of {facts['threshold']:.4g} {side} was taken as positive (rule: {facts['rule']}; {how})"
    )


def _methods(item: Any) -> str:
    facts = item.facts
    by_method: dict[str, list[str]] = {}
    for one in item.figures:
        if one.estimate.method:
            by_method.setdefault(one.estimate.method, []).append(_named(one.measure))
    ways = [f"by {_method(method)} for {series(of)}" for method, of in by_method.items()]
    level = f"{100 * facts['level']:.4g}% confidence intervals were computed"
    said = [f"{level} {'; '.join(ways)}" if ways else "no confidence intervals were computed"]
    if facts["design"] == "case-control":
        said.append(
            "the numbers with and without the condition were fixed by the design, so that there are no"
            " predictive values and no other figures that depend on the prevalence"
        )
    if facts["weight_kind"] == "importance":
        said.append(f"{facts['unit']} were weighted")
    if "groups" in facts:
        said.append(f"intervals allow for {facts['groups']:,} {facts['of_groups']}")
    return " ".join(map(_sentence, said))


def _missing(item: Any) -> str:
    dropped, unit = item.facts["dropped"], item.facts["unit"]
    if not dropped:
        return f"No {unit} were left out for missing values."
    return _sentence(
        f"{text.count(dropped)} {unit} with missing values {'was' if dropped == 1 else 'were'} left out"
    )


def _indeterminate(item: Any) -> str:
    share = text.rounded(100 * item.facts["share"], 1)
    return _sentence(f"predictions that name neither class, {share} % of all, were counted as wrong")


def _cases(item: Any) -> str:
    """As "375 lesions in 150 participants"."""
    facts = item.facts
    groups = f" in {facts['groups']:,} {facts['of_groups']}" if "groups" in facts else ""
    return f"{text.count(facts['cases'])} {facts['unit']}{groups}"


def _analysed(item: Any) -> str:
    return _sentence(f"{_cases(item)} were analysed")


def _share(part: float, of: float) -> str:
    return f"{100 * part / of:.1f} %" if of else "none"


def _with_and_without(item: Any) -> str:
    facts = item.facts
    positives, negatives = facts["positives"], facts["of"] - facts["positives"]
    said = (
        f"weighted, {_share(positives, facts['of'])} had the outcome"
        if facts["weighted"]
        else f"there were {text.count(positives)} with and {text.count(negatives)} without the outcome"
    )
    return f"{_analysed(item)} {_sentence(said)}"


def _flow(item: Any) -> str:
    facts, label = item.facts, text.label(item.facts["label"], LONGEST)
    number = f"{text.count(facts['positives'])} of {text.count(facts['of'])}"
    share = _share(facts["positives"], facts["of"])
    if facts["weighted"]:
        number = f"weighted, {share}"
    elif facts["design"] != "case-control" and facts["of"]:
        number = f"{number} ({share})"
    unit = "" if facts["weighted"] or facts["unit"] == "participants" else f" {facts['unit']}"
    return f"{_analysed(item)} {_sentence(f'{number}{unit} had the condition (class {label})')}"


def _events(item: Any) -> str:
    facts, share = item.facts, _share(item.facts["positives"], item.facts["of"])
    events = f"{text.count(facts['positives'])} outcome events"
    if facts["weighted"]:
        return _sentence(f"the analysis included {_cases(item)}; weighted, {share} had the outcome event")
    if facts["design"] != "case-control" and facts["of"]:
        events = f"{events} ({share})"
    return _sentence(f"the analysis included {_cases(item)} and {events}")


def _cross_tabulation(item: Any) -> str:
    facts = item.facts
    positives, negatives = facts["tp"] + facts["fn"], facts["fp"] + facts["tn"]
    of = {"tp": positives, "fn": positives, "fp": negatives, "tn": negatives}
    cells = {
        name: _share(facts[name], all_of) if facts["weighted"] else text.count(facts[name])
        for name, all_of in of.items()
    }
    weighted = "weighted, " * bool(facts["weighted"])
    those = "those" if facts["unit"] == "participants" else f"the {facts['unit']}"
    return _sentence(
        f"{weighted}of {those} with the condition {cells['tp']} tested positive and {cells['fn']} negative;"
        f" of those without it {cells['fp']} tested positive and {cells['tn']} negative"
    )


def _measured(item: Any) -> str:
    if not item.figures:
        return "No measure of accuracy is defined for these data."
    return _sentence(_estimates(item.figures, item.facts["level"]))


def _at_threshold(item: Any) -> str:
    limit = item.facts["threshold"]
    return _sentence(f"at the threshold {limit:.4g} {_estimates(item.figures, item.facts['level'])}")


SENTENCES: dict[str, Callable[[Any], str]] = {
    "cut-off": _cut_off,
    "methods": _methods,
    "indeterminate": _indeterminate,
    "missing": _missing,
    "participants": _flow,
    "analysed": _with_and_without,
    "events": _events,
    "cross-tabulation": _cross_tabulation,
    "accuracy": _measured,
    "performance": _measured,
    "at threshold": _at_threshold,
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
