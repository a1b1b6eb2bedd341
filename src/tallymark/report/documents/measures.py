"""Measures at a chosen threshold, of calibration, by resampling, at a prevalence, of persons; advice."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite, isinf, nan
from typing import Any

import numpy as np

from ...inference import Estimate
from ...input import text
from ...measures.headline import Headline
from ..document import Cell, Column, Document, Table
from ..grid import CORRECTED, estimate, interval, level_of, short, title
from . import common, evaluations
from .common import named, number_of

DIGITS = 3  # significant ones, of a threshold in the sentence
FEW = 3  # intervals of equally good thresholds, and measures, that are listed


# A chosen threshold
# --------------------------------------------------------------------------------------------------


def threshold_choice(c: Any, full: bool = False) -> Document:
    """One sentence, the counts there, and measures of counts, corrected for the optimism of the choice."""
    e = c.evaluation
    ends = [
        f"{'(' if c.sign > 0 else '['}{low:.6g}, {high:.6g}{']' if c.sign > 0 else ')'}"
        for low, high in c.equally_good
    ]
    more = f" and {len(ends) - FEW} more" if len(ends) > FEW else ""
    side = ">=" if c.sign > 0 else "<="
    facts = [
        f"{e.data.head}{common.cases(e.data)}; positive where score {side}"
        f" {text.exact(c.threshold) if full else _shortest(c)} (rule: {c.rule})",
        evaluations.promise(e),
        _reached(c) if full else c.note or "",
        f"equally good: {', '.join(ends[:FEW])}{more}",
        c.conditions if full else common.unusual_conditions(e),
    ]
    own = list(dict.fromkeys(c.choice.rule.measures))
    heads = evaluations.headed(e)
    names = list(heads) if e.selected is not None else own
    if e.selected is None:
        names += [one for one in heads if one in c.corrected and one not in own]
    found = [(one, e.entry(one).headline or Headline(0, title(one)), c[one]) for one in names]
    tables = [evaluations._cells(e.two_by_two), evaluations.usual(e, found)]
    left = len(c.corrected) - len(names)
    if full:
        tables.append(_corrected(c))
    return Document(
        kind="threshold",
        title=e.data.called,
        headline=sentence(c),
        facts=tuple(one for one in facts if one),
        notices=c.notices,
        tables=tuple(tables),
        footnotes=(CORRECTED,) if full and c.choice.replicates else (),
        rest="" if full or left <= 0 else f"{number_of(left, 'more measure')}: {common.in_full()}",
    )


def sentence(c: Any) -> str:
    """The threshold, its interval, and what the rule is about: here, corrected, at the usual threshold."""
    low, high = c.interval
    ends = "" if c.without_interval else f" [{_limit(low)}, {_limit(high)}]"
    where = f"Predict positive {'from' if c.sign > 0 else 'up to'} {_shortest(c)}{ends}"
    if isinf(c.threshold):
        whom = "nobody" if c.threshold * c.sign > 0 else "everybody"
        where = f"Predict {whom} positive (threshold {c.threshold:g}{ends})"
    first, *others = (_measured(c, one) for one in c.choice.rule.measures)
    if c.against is not None:
        first += f", against {text.rounded(c.against[1])} at {text.exact(c.against[0])}"
    return f"{where}: {'; '.join([first, *others])}."


def _shortest(c: Any) -> str:
    """The threshold in as few digits as leave it equally good, three or more."""

    def is_good(value: float) -> bool:
        return any(low < value <= high if c.sign > 0 else low <= value < high for low, high in c.equally_good)

    shorter = (float(f"{c.threshold:.{digits}g}") for digits in range(DIGITS, 18))
    return text.exact(next(filter(is_good, shorter), c.threshold))


def _measured(c: Any, measure: str) -> str:
    found, name = c[measure], short(title(measure))
    if found.undefined:
        return f"{name} is undefined"
    corrected = "" if found.corrected is None else f", corrected {text.rounded(found.corrected)}"
    return f"{name} {text.rounded(found.value)}{corrected} {interval(found).removeprefix('~')}".rstrip()


def _limit(value: float) -> str:
    """A threshold in three significant digits, or as a whole number."""
    return text.exact(float(f"{value:.{DIGITS}g}")) if abs(value) < 10.0**DIGITS else text.number(value, 1)


def _reached(c: Any) -> str:
    """Where the thresholds lie on resamples, or why that is not known."""
    if c.without_interval:
        return c.note or ""
    number, (low, high) = number_of(len(c.choice.thresholds), "resample"), c.interval
    within = f"{100 * c.evaluation.settings.level:.4g}% of the thresholds lie from {low:.6g} to {high:.6g}"
    return f"on {number} {within}{f'; {c.note}' if c.note else ''}"


def _corrected(c: Any) -> Table:
    rows = [
        {"measure": named(one), "here": c[one].value, "estimate": c[one], "method": c[one]}
        for one in c.corrected
    ]
    columns = (
        Column("measure", "measure", "name"),
        Column("here", "on these cases", "number"),
        Column("estimate", level_of(c.evaluation.settings.level, "corrected"), "estimate"),
        Column("method", "method", "method"),
    )
    return Table("every measure", columns, rows, "Every measure of counts")


# Calibration
# --------------------------------------------------------------------------------------------------

IN_SENTENCE = ("calibration_slope", "calibration_in_the_large", "expected_calibration_error", "top_label_ece")
PARTS = ("miscalibration", "discrimination", "uncertainty")


def calibration(c: Any, full: bool = False) -> Document:
    """The line of the calibration, errors over bins, the bins, the parts of the scores, and tests."""
    e = c.evaluation
    size, right = e.data.rows - e.data.weightless, text.count(c.ranking.positives)
    what = (
        f"{right} right answers; the highest probability of each case"
        if c.of_answers
        else f"{right} positive"
    )
    apart = {f"{part}" for part in c.estimates if part.endswith(PARTS)}
    named_first = [one for one in IN_SENTENCE if one in c.estimates]
    order = [*named_first, *(one for one in c.estimates if one not in named_first)]
    said = [f"{short(title(one))} {estimate(c.estimates[one])}" for one in named_first[:3]]
    level = e.settings.level
    found = {one: c.estimates[one] for one in order if one not in apart}
    table = common.measures(found, level, kind="forest")
    return Document(
        kind="calibration",
        title=e.data.called,
        headline=f"{'; '.join(said)[:1].upper()}{'; '.join(said)[1:]} on {number_of(size, 'case')}.",
        facts=tuple(
            one
            for one in (
                f"{e.data.head}{number_of(size, 'case')}: {what}",
                c.conditions if full else common.unusual_conditions(e),
            )
            if one
        ),
        notices=c.notices,
        tables=(table, _bins(c), _parts(c), common.tests(c.tests)),
        rest="" if full else f"every measure, with notes: {common.in_full()}",
    )


def _bins(c: Any) -> Table:
    from ...evaluation.calibration import cases_of_bins

    bins = c.curve()
    rows = [
        {
            "bin": f"to {edge:.4g}",
            "cases": round(n, 1),
            "mean": x,
            "estimate": Estimate(y, low, high, c.evaluation.settings.level, bins.about.method),
        }
        for edge, n, x, y, low, high in zip(
            bins.threshold, cases_of_bins(c, bins.threshold), bins.x, bins.y, *bins.band, strict=True
        )
    ]
    share = "share right" if c.of_answers else "share positive"
    columns = (
        Column("bin", "bin", "name"),
        Column("cases", "cases", "count"),
        Column("mean", "mean probability", "number"),
        Column("estimate", level_of(c.evaluation.settings.level, share), "estimate"),
    )
    note = bins.about.note
    return Table("bins", columns, rows, notes=(f"{note}.",) if note else ())


def _parts(c: Any) -> Table:
    """The scores, each as what its parts add up to."""
    rows = [
        {"name": Cell(title(one), name=one), **{part: found[part] for part in ("score", *PARTS)}}
        for one, found in c.decomposition.items()
    ]
    columns = (
        Column("name", "score of the answers" if c.of_answers else "score", "name"),
        Column("score", "value =", "number"),
        Column("miscalibration", "miscalibration -", "number"),
        Column("discrimination", "discrimination +", "number"),
        Column("uncertainty", "uncertainty", "number"),
    )
    return Table("parts", columns, rows)


# Resampling and prevalence
# --------------------------------------------------------------------------------------------------


def bootstrap(found: Any, full: bool = False) -> Document:
    """The cases, how they are resampled, and the measures."""
    d, how = found.cases.data, found.how
    side = ">=" if found.cases.sign > 0 else "<="
    clusters = found.cases.cluster_count
    drawn = f"{clusters:,} clusters" if clusters else "cases of each class" if how.keeps_classes else "cases"
    names = list(found)
    columns = (
        Column("measure", "measure", "name"),
        Column("estimate", level_of(found.level), "estimate"),
        *([Column("method", "method", "method")] if full else []),
    )
    rows = [{"measure": named(one), "estimate": found[one], "method": found[one]} for one in names]
    return Document(
        kind="bootstrap",
        headline=f"{title(names[0])} {estimate(found[names[0]])} ({found.method}) from"
        f" {how.replicates:,} resamples of {number_of(d.rows, 'case')}.",
        facts=tuple(
            one
            for one in (
                f"{d.head}{common.cases(d)}; positive when score {side}"
                f" {text.exact(found.cases.sign * found.threshold + 0.0)}",
                f"{how.replicates:,} resamples of {drawn} ({how.resampling}); seed {how.seed}",
                found.conditions,
            )
            if one
        ),
        notices=found.notices,
        tables=(Table("measures", columns, rows, kind="forest"),),
        rest="" if full else f"methods and notes: {common.in_full()}",
    )


def at_prevalence(found: Any, full: bool = False) -> Document:
    """The rates that stay, the counts expected, and every measure."""
    sensitivity, specificity = found["sensitivity"], found["specificity"]
    ppv = found.estimates.get("precision")
    npv = found.estimates.get("negative_predictive_value")
    said = "; ".join(
        f"{name} {estimate(one)}" for name, one in (("precision", ppv), ("NPV", npv)) if one is not None
    )
    cases = f" ({text.count(found.counts.total)} cases, as measured)" if found.measured else ""
    unknown = () if found.measured else ("Rates without the counts behind them have no intervals.",)
    usual = [one for one in USUAL if one in found.estimates]
    names = [*usual, *(one for one in found.estimates if one not in usual)] if full else usual
    corrected = any(one.corrected is not None for one in found.estimates.values())
    from ...evaluation.contingency import Contingency

    return Document(
        kind="at a prevalence",
        headline=f"At a prevalence of {text.number(found.prevalence)}{_estimated(found)}: {said}.",
        facts=tuple(
            one
            for one in (
                f"sensitivity {estimate(sensitivity)}, specificity {estimate(specificity)}{cases}",
                found.conditions,
            )
            if one
        ),
        notices=found.notices,
        tables=(
            *([evaluations._cells(Contingency(found.counts))] if found.counts.total != 1 else []),
            common.measures([(one, found.estimates[one]) for one in names], found.settings.level),
        ),
        footnotes=(*unknown, *([CORRECTED] if corrected else [])),
        rest=""
        if full
        else f"{number_of(len(found.estimates) - len(names), 'more measure')}: {common.in_full()}",
    )


USUAL = (
    "precision", "negative_predictive_value", "false_discovery_rate", "false_omission_rate", "accuracy",
    "predicted_prevalence", "f1", "matthews_correlation", "cohen_kappa", "lift", "positive_likelihood_ratio",
    "negative_likelihood_ratio", "net_benefit",
)  # fmt: skip


def _estimated(found: Any) -> str:
    """The interval of a prevalence that is not known, and what it was estimated from."""
    if found.share.known:
        return ""
    events, cases = found.share.events, found.share.cases
    of = "" if events is None or cases is None else f", {text.count(events)} of {text.count(cases)} cases"
    return f" {interval(found['prevalence'])} (counted in{of})"


def class_mix(mix: Any, full: bool = False) -> Document:
    """A row per measure, a column per growth of a class; those that change stand first."""
    order = sorted(mix.values, key=lambda one: not mix.changes[one])
    rows = [
        {
            "measure": named(one),
            "changes": "changes" if mix.changes[one] else "unchanged",
            **dict(zip(mix.growth, mix.values[one], strict=True)),
        }
        for one in order
    ]
    columns = (
        Column("measure", "measure", "name"),
        *(Column(factor, f"x {factor:g}", "number") for factor in mix.growth),
        Column("changes", "", "text"),
    )
    at = "" if mix.threshold is None else f"; measures of counts at the threshold {mix.threshold:.4g}"
    curves = []
    for said, changes in (("Curves that change", True), ("Curves that do not", False)):
        names = [one for one, changed in mix.curves.items() if changed is changes]
        curves += [f"{said}: {', '.join(names)}."] if names else []
    changed = sum(mix.changes.values())
    return Document(
        kind="class mix",
        headline=f"{changed} of {len(mix.values)} measures change with the class mix.",
        facts=(f"{mix.grown}s multiplied{at}",),
        notices=mix.notices,
        tables=(Table("measures", columns, rows),),
        footnotes=tuple(curves),
        rest="" if full else f"every measure: {common.in_full()}",
    )


def unscored(found: Any, full: bool = False) -> Document:
    """The area of the scored cases, and of all by the score that the others get."""
    constant, area = found.best
    from ...measures.families.ranking import roc_auc

    rows = [
        {"cases": "the scored cases alone", "area": float(roc_auc(found.ranking))},
        {"cases": "all others at the bottom", "area": found.at(-np.inf)},
        {"cases": "all others at the top", "area": found.at(np.inf)},
        {"cases": f"all others at {constant:.4g} (the best)", "area": area},
    ]
    columns = (Column("cases", "cases", "text"), Column("area", title("roc_auc"), "number", "roc_auc"))
    return Document(
        kind="unscored",
        headline=f"{title('roc_auc')} is {area:.4f} at best, with {constant:.4g} for cases without a score.",
        facts=(
            f"without a score: {found.of_positives:.4g} of the positives, {found.of_negatives:.4g} of the"
            " negatives",
        ),
        notices=found.notices,
        tables=(Table("areas", columns, rows),),
    )


# Persons
# --------------------------------------------------------------------------------------------------


def biometric(b: Any, full: bool = False) -> Document:
    """The comparisons, the rates at the threshold and at given false match rates, and the measures."""
    e = b.evaluation
    persons = "" if b.persons is None else f", of {number_of(b.persons.number, 'person')}"
    side = ("similarity", ">=") if e.higher_is_positive else ("distance", "<=")
    level, eer = e.settings.level, b.estimates.get("equal_error_rate")
    limit = e.threshold
    tables = []
    if b.at_threshold:
        at = f"At the threshold {text.exact(limit.value)}" if limit and limit.value is not None else ""
        tables.append(common.measures(b.at_threshold, level, "at the threshold", at))
    rates = [
        {"fmr": f"{rate:g}", "threshold": at, "estimate": one, "method": one}
        for rate, (found, at) in b.fnmr_at.items()
        for one in (replace(found, notes=tuple(note for note in found.notes if "fmr" not in note)),)
    ]
    columns = (
        Column("fmr", "FMR at most", "text"),
        Column("threshold", "threshold", "number"),
        Column("estimate", level_of(level, "FNMR"), "estimate"),
        Column("method", "method", "method"),
    )
    tables += [
        Table("fnmr", columns, rates),
        common.measures(b.estimates, level),
    ]
    known = next((pair for pair in b.fnmr_at.items() if not pair[1][0].undefined), None)
    said = [f"EER {estimate(eer)}"] if eer is not None else []
    said += [f"FNMR {estimate(known[1][0])} at an FMR of {known[0]:g}"] if known else []
    return Document(
        kind="biometrics",
        title=e.data.called,
        headline=f"{'; '.join(said)}." if said else "",
        facts=tuple(
            one
            for one in (
                f"{number_of(b.mated, 'mated comparison')}, {number_of(b.non_mated, 'non-mated comparison')}"
                f"{persons}",
                f"{side[0]}: mated when score {side[1]} threshold",
                b.conditions,
            )
            if one
        ),
        notices=b.notices,
        tables=tuple(tables),
        rest="" if full else f"notes and notices: {common.in_full()}",
    )


KNOWN = ("identified", "misidentified", "rejected")
UNKNOWN = ("false_match", "rejected_unknown")
WORDS = {"false_match": "taken for somebody", "rejected_unknown": "rejected"}


def identification(found: Any, full: bool = False) -> Document:
    """How many samples of each outcome there are, and the rates."""
    limit = "nobody is rejected" if isinf(found.threshold) else f"rejected below {found.threshold:.4g}"
    facts = []
    for what, names in (("enrolled persons", KNOWN), ("others", UNKNOWN)):
        number = sum(found.counts[one] for one in names)
        each = ", ".join(f"{found.counts[one]:,} {WORDS.get(one, one)}" for one in names)
        facts.append(f"{number:,} samples of {what}: {each}" if number else f"no samples of {what}")
    rows = [
        {"rate": Cell(key.replace("_", " ").capitalize(), name=key), "estimate": one}
        for key, one in found.items()
    ]
    columns = (Column("rate", "rate", "name"), Column("estimate", level_of(found.level), "estimate"))
    first = next(iter(found.items()), None)
    lead = f": {first[0].replace('_', ' ')} {estimate(first[1])}" if first else ""
    return Document(
        kind="identification",
        headline=f"Identification, {limit}{lead}.",
        facts=tuple(facts),
        notices=found.notices,
        tables=(Table("rates", columns, rows, kind="forest"),),
    )


MEANING = (
    "Best at: the ratios (negatives x cost of a false positive) / (positives x cost of a false negative) at"
    " which no other costs less. Dominated by: those with a sensitivity no lower and a false positive rate no"
    " higher."
)


def roc_points(found: Any, full: bool = False) -> Document:
    """A row per classifier, with the ratios at which it is best, and those that dominate it."""
    rows = [
        {
            "classifier": one,
            "false_positive_rate": point.false_positive_rate,
            "sensitivity": point.sensitivity,
            "best": "never" if point.slopes is None else f"{point.slopes[0]:.3g} to {point.slopes[1]:.3g}",
            "dominated": ", ".join(map(common.name, point.dominated_by)),
        }
        for one, point in found.items()
    ]
    columns = (
        Column("classifier", "classifier", "name"),
        common.column("false_positive_rate"),
        common.column("sensitivity"),
        Column("best", "best at", "text"),
        Column("dominated", "dominated by", "text"),
    )
    best = [common.name(one) for one, point in found.items() if point.slopes is not None]
    return Document(
        kind="points in ROC space",
        headline=f"Of {number_of(len(found), 'classifier')} {', '.join(best) or 'none'} can be the best.",
        facts=(f"{100 * found.level:.4g}% intervals",),
        notices=found.notices,
        tables=(Table("classifiers", columns, rows),),
        footnotes=(MEANING,),
    )


# Advice
# --------------------------------------------------------------------------------------------------


def advice(found: Any, full: bool = False) -> Document:
    """Which measures to use, which mislead, and why."""
    level = next((one.level for one in found.estimates.values() if isinstance(one, Estimate)), 0.95)
    tables = []
    if found.use:
        rows = [{"measure": named(one), **_value(found.estimates[one])} for one in found.use]
        columns = [Column("measure", "use", "name"), Column("estimate", level_of(level), "estimate")]
        columns += [Column("why", "", "text")] if any(row["why"] for row in rows) else []
        tables.append(Table("use", tuple(columns), rows))
    for names, verdict in ((found.avoid, "avoid"), (found.within_mix, "within one class mix")):
        if names and full:
            there = {one: found.shifts[one][1] if one in found.shifts else nan for one in names}
            moved = [
                {"measure": named(one), **_value(found.estimates[one]), "equal": there[one]} for one in names
            ]
            heads = (
                Column("measure", verdict, "name"),
                Column("estimate", level_of(level), "estimate"),
                Column("equal", "with classes of equal size", "number"),
                *([Column("why", "", "text")] if any(row["why"] for row in moved) else []),
            )
            tables.append(Table(verdict, heads, moved))
    verdicts = (("Avoid", found.avoid), ("Compare within one class mix only", found.within_mix))
    lines = [_sentence(found, *one) for one in verdicts if one[1]]
    reasons = [Reason(item) for item in found.items]
    use = ", ".join(short(title(one)) for one in found.use[:FEW]) or "nothing"
    avoid = f"; avoid {', '.join(short(title(one)) for one in found.avoid[:FEW])}" if found.avoid else ""
    return Document(
        kind="advice",
        headline=f"Use {use}{avoid}.",
        facts=(*lines, *([found.conditions] if found.conditions else [])),
        notices=(*found.notices, *reasons),
        tables=tuple(tables),
        rest="" if full else f"every measure and reason: {common.in_full()}",
    )


class Reason:
    """A piece of advice as a notice."""

    severe = False

    def __init__(self, item: Any):
        self.code, self.text = item.code, sentence_of_advice(item)
        self.brief = self.text

    def __str__(self) -> str:
        return self.text


def _value(found: Any) -> dict[str, Any]:
    """The estimate, or why there is none."""
    known = isinstance(found, Estimate)
    return {"estimate": found if known else None, "why": "" if known else found.text}


def _sentence(found: Any, verdict: str, names: Any) -> str:
    """As "Avoid: accuracy 0.909 (0.571 with classes of equal size) and 2 more."."""
    said: list[str] = []
    for one in names[:FEW]:
        at = found.estimates[one]
        value = "" if not isinstance(at, Estimate) or at.undefined else f" {text.rounded(at.value)}"
        there = found.shifts[one][1] if one in found.shifts else nan
        of_equal = " with classes of equal size" * (not said)
        moved = f" ({text.rounded(there)}{of_equal})" if isfinite(there) else ""
        said.append(f"{short(title(one))}{value}{moved}")
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return f"{verdict}: {', '.join(said)}{more}."


def advice_item(item: Any, full: bool = False) -> Document:
    """A piece of advice with its source."""
    return Document(kind="sentence", headline=sentence_of_advice(item))


def sentence_of_advice(item: Any) -> str:
    """The sentence, with its code and source, and what another source says."""
    other = f" Sources disagree: {item.disagreement}" if item.disagreement else ""
    return f"{item.text} [{item.code}; {item.source}]{other}"
