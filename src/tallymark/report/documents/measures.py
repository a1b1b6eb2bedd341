"""Measures at a chosen threshold, of calibration, by resampling, at a prevalence, of persons; advice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from math import isfinite, isinf, nan
from typing import Any

import numpy as np

from ...inference import Estimate
from ...input import text
from ...measures.registry import Leading
from ...measures.titles import in_sentence, title
from ..document import CORRECTED, HERE, Cell, Column, Document, Remark, Table, estimate, interval, level_of
from . import common, evaluations
from .common import capital, named, number_of, table

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
    heads = evaluations.headed(e)
    own = dict.fromkeys((*c.choice.rule.measures, *(one for one in heads if one in c.measures)))
    names = own if e.selected is None else heads
    found = [(one, e.entry(one).headline or Leading(0, title(one)), c[one]) for one in names]
    tables = [evaluations.cells(e.two_by_two), evaluations.usual(e, found)]
    left = len(c.measures) - len(names)
    if full:
        columns: common.Columns = {
            Column("measure", "measure", "name"): named,
            Column("here", HERE, "number"): lambda one: c[one].value,
            Column("estimate", level_of(e.settings.level, "corrected"), "estimate"): c.__getitem__,
            Column("method", "method", "method"): c.__getitem__,
        }
        tables.append(table("every measure", c.corrected, columns, "Every measure of counts", screen=0))
    return Document(
        kind="threshold",
        title=e.data.called,
        headline=sentence(c),
        facts=(
            f"{e.data.head}{common.cases(e.data)}; positive where score {side}"
            f" {text.exact(c.threshold) if full else _shortest(c)} (rule: {c.rule})",
            evaluations.promise(e),
            _reached(c) if full else c.note or "",
            f"equally good: {', '.join(ends[:FEW])}{more}",
            c.conditions if full else common.unusual_conditions(e),
        ),
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
    found, name = c[measure], in_sentence(measure)
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
    level = f"{100 * c.evaluation.settings.level:.4g}%"
    within = f"{level} of the thresholds lie from {_limit(low)} to {_limit(high)}"
    return f"on {number} {within}{f'; {c.note}' if c.note else ''}"


# Calibration
# --------------------------------------------------------------------------------------------------

IN_SENTENCE = ("calibration_slope", "calibration_in_the_large", "expected_calibration_error", "top_label_ece")
PARTS = ("miscalibration", "discrimination", "uncertainty")


def calibration(c: Any, full: bool = False) -> Document:
    """The line of the calibration, errors over bins, the bins, the parts of the scores, and tests."""
    e = c.evaluation
    right = text.count(c.ranking.positives)
    cases = number_of(e.data.rows - e.data.weightless, "case")
    what = f"{right} positive"
    if c.of_answers:
        what = f"{right} right answers; the highest probability of each case"
    first = [one for one in IN_SENTENCE if one in c.estimates]
    order = dict.fromkeys((*first, *(one for one in c.estimates if not one.endswith(PARTS))))
    said = "; ".join(f"{in_sentence(one)} {estimate(c.estimates[one])}" for one in first[:3])
    level = level_of(e.settings.level)
    return Document(
        kind="calibration",
        title=e.data.called,
        headline=capital(f"{said} on {cases}."),
        facts=(
            f"{e.data.head}{cases}: {what}",
            c.conditions if full else common.unusual_conditions(e),
        ),
        notices=c.notices,
        tables=(
            common.measures([(one, c.estimates[one]) for one in order], level, kind="forest"),
            _bins(c),
            _parts(c),
            common.tests(c.tests),
        ),
        rest="" if full else f"every measure, with notes: {common.in_full()}",
    )


def _bins(c: Any) -> Table:
    bins, level = c.curve(), c.evaluation.settings.level
    rows = [
        {
            "bin": f"to {edge:.4g}",
            "cases": round(cases, 1),
            "mean": x,
            "estimate": Estimate(y, low, high, level, bins.about.method),
        }
        for edge, cases, x, y, low, high in zip(
            bins.threshold, c.cases_of_bins, bins.x, bins.y, *bins.band, strict=True
        )
    ]
    columns = (
        Column("bin", "bin", "name"),
        Column("cases", "cases", "count"),
        Column("mean", "mean probability", "number"),
        Column("estimate", level_of(level, "share right" if c.of_answers else "share positive"), "estimate"),
    )
    return Table("bins", columns, rows, notes=(f"{bins.about.note}.",) if bins.about.note else ())


def _parts(c: Any) -> Table:
    """The scores, each as what its parts add up to."""
    columns = (
        Column("name", "score of the answers" if c.of_answers else "score", "name"),
        Column("score", "value =", "number"),
        Column("miscalibration", "miscalibration -", "number"),
        Column("discrimination", "discrimination +", "number"),
        Column("uncertainty", "uncertainty", "number"),
    )
    return Table(
        "parts of the scores",
        columns,
        [{"name": named(one), **parts} for one, parts in c.decomposition.items()],
    )


# Resampling and prevalence
# --------------------------------------------------------------------------------------------------


def bootstrap(found: Any, full: bool = False) -> Document:
    """The cases, how they are resampled, and the measures."""
    d, how = found.cases.data, found.how
    units, held = found.cases.cluster_count, how.by_class(found.cases.units) or how.keeps_weights
    drawn = f"{units:,} {found.cases.what}" if units else "cases of each class" if held else "cases"
    rule = f"; positive when score {'>=' if found.cases.sign > 0 else '<='}"
    rule += f" {text.exact(found.cases.sign * found.threshold + 0.0)}"
    first = next(iter(found))
    measures = common.measures([(one, found[one]) for one in found], level_of(found.level), kind="forest")
    return Document(
        kind="bootstrap",
        headline=f"{title(first)} {estimate(found[first])} ({found.method}) from {how.replicates:,} resamples"
        f" of {number_of(d.rows, 'case')}.",
        facts=(
            f"{d.head}{common.cases(d)}{rule * found.cases.scored}",
            f"{how.replicates:,} resamples of {drawn} ({how.resampling}); seed {how.seed}",
            found.conditions,
        ),
        notices=found.notices,
        tables=(measures if full else replace(measures, columns=measures.columns[:2]),),
        rest="" if full else f"methods and notes: {common.in_full()}",
    )


def at_prevalence(found: Any, full: bool = False) -> Document:
    """The rates that stay, the counts expected, and every measure."""
    from ...evaluation.results import Contingency

    every, share = found.estimates, found.share
    said = "; ".join(f"{name} {estimate(every[one])}" for one, name in PREDICTIVE.items() if one in every)
    cases = f" ({text.count(found.counts.total)} cases, as measured)" if found.measured else ""
    estimated = ""
    if not share.known:
        sizes = [text.count(size) for size in (share.events, share.cases) if size is not None]
        sample = f", {' of '.join(sizes)} cases" if sizes else ""
        estimated = f" {interval(found['prevalence'])} (counted in{sample})"
    usual = [one for one in USUAL if one in every]
    names = dict.fromkeys((*usual, *every)) if full else usual
    return Document(
        kind="at a prevalence",
        headline=f"At a prevalence of {text.number(found.prevalence)}{estimated}: {said}.",
        facts=(
            f"sensitivity {estimate(found['sensitivity'])}, specificity {estimate(found['specificity'])}"
            f"{cases}",
            found.conditions,
        ),
        notices=found.notices,
        tables=(
            *([evaluations.cells(Contingency(found.counts))] if found.counts.total != 1 else []),
            common.measures([(one, every[one]) for one in names], level_of(found.settings.level)),
        ),
        footnotes=(
            "" if found.measured else "Rates without the counts behind them have no intervals.",
            CORRECTED * any(one.corrected is not None for one in every.values()),
        ),
        rest="" if full else f"{number_of(len(every) - len(names), 'more measure')}: {common.in_full()}",
    )


def prevalences(found: Any, full: bool = False) -> Document:
    """The same side by side: the counts expected, and the measures, a column per prevalence."""
    first, heads = found.of[0], {f"{one.prevalence:.4g}": one for one in found.of}

    def columns(title: str, kind: Any, value: Callable[..., Any]) -> common.Columns:
        return {
            Column("name", title, "name"): lambda one: (
                Cell(CELLS[one], name=one) if one in CELLS else named(one)
            )
        } | {Column(("at", at), f"at {at}", kind): partial(value, each) for at, each in heads.items()}

    names = [*first] if full else [one for one in USUAL if one in first.estimates]
    counted = first.measured is None and first.counts.total != 1
    counts = columns("expected", "count", lambda each, cell: getattr(each.counts, cell))
    rates = ", ".join(f"{one} {estimate(first[one])}" for one in ("sensitivity", "specificity"))
    said = ", ".join(f"{estimate(one['precision'])} at {at}" for at, one in heads.items())
    level = common.level(first.settings.level)
    return Document(
        kind="at several prevalences",
        headline=f"Precision by prevalence: {said}.",
        facts=(f"{rates}{'; no intervals, for want of counts' * (not first.measured)}", first.conditions),
        notices=first.notices,
        tables=(
            table("counts", CELLS if counted else (), counts),
            table(
                "measures",
                names,
                columns("measure", "estimate", lambda each, name: each[name]),
                notes=(level,) if first.measured else (),
            ),
        ),
        rest=""
        if full
        else f"{number_of(len(first.estimates) - len(names), 'more measure')}: {common.in_full()}",
    )


def shares(found: Any, full: bool = False) -> Document:
    """Chosen measures of a table in shares, without intervals."""
    columns: common.Columns = {
        Column("measure", "measure", "name"): lambda name, _: named(name),
        Column("value", "value", "value"): lambda _, one: one,
    }
    return Document(kind="measures", tables=(table("measures", found.of.items(), columns),))


CELLS = {
    "tp": "true positives",
    "fp": "false positives",
    "fn": "false negatives",
    "tn": "true negatives",
}
PREDICTIVE = {"precision": "precision", "negative_predictive_value": "NPV"}
USUAL = (
    "precision", "negative_predictive_value", "false_discovery_rate", "false_omission_rate", "accuracy",
    "predicted_prevalence", "f1", "matthews_correlation", "cohen_kappa", "lift", "positive_likelihood_ratio",
    "negative_likelihood_ratio", "net_benefit",
)  # fmt: skip


def class_mix(mix: Any, full: bool = False) -> Document:
    """A row per measure, a column per growth of a class; those that change stand first."""
    columns: common.Columns = {
        Column("measure", "measure", "name"): named,
        **{
            Column(factor, f"x {factor:g}", "number"): lambda one, i=i: mix.values[one][i]
            for i, factor in enumerate(mix.growth)
        },
        Column("changes", ""): lambda one: "changes" if mix.changes[one] else "unchanged",
    }
    at = "" if mix.threshold is None else f"; measures of counts at the threshold {mix.threshold:.4g}"
    curves = {
        said: ", ".join(one for one, changed in mix.curves.items() if changed is changes)
        for said, changes in (("Curves that change", True), ("Curves that do not", False))
    }
    return Document(
        kind="class mix",
        headline=f"{sum(mix.changes.values())} of {len(mix.values)} measures change with the class mix.",
        facts=(f"{mix.grown}s multiplied{at}",),
        notices=mix.notices,
        tables=(table("measures", sorted(mix.values, key=lambda one: not mix.changes[one]), columns),),
        footnotes=tuple(f"{said}: {names}." for said, names in curves.items() if names),
        rest="" if full else f"every measure: {common.in_full()}",
    )


def unscored(found: Any, full: bool = False) -> Document:
    """The area of the scored cases, and of all by the score that the others get."""
    from ...measures.families.ranking import roc_auc

    constant, area = found.best
    areas = {
        "the scored cases alone": float(roc_auc(found.ranking)),
        "all others at the bottom": found.at(-np.inf),
        "all others at the top": found.at(np.inf),
        f"all others at {constant:.4g} (the best)": area,
    }
    columns: common.Columns = {
        Column("cases", "cases"): lambda cases, _: cases,
        Column("area", title("roc_auc"), "number", "roc_auc"): lambda _, area: area,
    }
    return Document(
        kind="unscored",
        headline=f"{title('roc_auc')} is {area:.4f} at best, with {constant:.4g} for cases without a score.",
        facts=(
            f"without a score: {found.of_positives:.4g} of the positives, {found.of_negatives:.4g} of the"
            " negatives",
        ),
        notices=found.notices,
        tables=(table("areas", areas.items(), columns),),
    )


# Persons
# --------------------------------------------------------------------------------------------------


def biometric(b: Any, full: bool = False) -> Document:
    """The comparisons, the rates at the threshold and at given false match rates, and the measures."""
    e = b.evaluation
    persons = "" if b.persons is None else f", of {number_of(b.persons.number, 'person')}"
    side = "similarity: mated when score >=" if e.higher_is_positive else "distance: mated when score <="
    level, limit = level_of(e.settings.level), e.threshold and e.threshold.value
    at = "" if limit is None else f"At the threshold {text.exact(limit)}"
    fnmr = {
        rate: replace(found, notes=tuple(note for note in found.notes if "fmr" not in note))
        for rate, (found, _) in b.fnmr_at.items()
    }
    columns: common.Columns = {
        Column("fmr", "FMR at most"): "{:g}".format,
        Column("threshold", "threshold", "number"): lambda rate: b.fnmr_at[rate][1],
        Column("estimate", level_of(e.settings.level, "FNMR"), "estimate"): fnmr.get,
        Column("method", "method", "method"): fnmr.get,
    }
    said = [f"EER {estimate(one)}" for name, one in b.estimates.items() if name == "equal_error_rate"]
    known = [rate for rate, found in fnmr.items() if not found.undefined][:1]
    said += [f"FNMR {estimate(fnmr[rate])} at an FMR of {rate:g}" for rate in known]
    return Document(
        kind="biometrics",
        title=e.data.called,
        headline=f"{'; '.join(said)}." if said else "",
        facts=(
            f"{number_of(b.mated, 'mated comparison')}, {number_of(b.non_mated, 'non-mated comparison')}"
            f"{persons}",
            f"{side} threshold",
            b.conditions,
        ),
        notices=b.notices,
        tables=(
            common.measures(b.at_threshold.items(), level, "at the threshold", at),
            table("FNMR at a given FMR", fnmr, columns),
            common.measures(b.estimates.items(), level),
        ),
        rest="" if full else f"notes and notices: {common.in_full()}",
    )


OUTCOMES = {
    "enrolled persons": {one: one for one in ("identified", "misidentified", "rejected")},
    "others": {"false_match": "taken for somebody", "rejected_unknown": "rejected"},
}


def identification(found: Any, full: bool = False) -> Document:
    """How many samples of each outcome there are, and the rates."""
    limit = "nobody is rejected" if isinf(found.threshold) else f"rejected below {found.threshold:.4g}"
    facts = []
    for what, words in OUTCOMES.items():
        number = sum(found.counts[one] for one in words)
        each = ", ".join(f"{found.counts[one]:,} {word}" for one, word in words.items())
        facts.append(f"{number:,} samples of {what}: {each}" if number else f"no samples of {what}")
    columns: common.Columns = {
        Column("rate", "rate", "name"): lambda one, _: Cell(one.replace("_", " ").capitalize(), name=one),
        Column("estimate", level_of(found.level), "estimate"): lambda _, rate: rate,
    }
    lead = [f": {one.replace('_', ' ')} {estimate(rate)}" for one, rate in found.items()][:1]
    return Document(
        kind="identification",
        headline=f"Identification, {limit}{''.join(lead)}.",
        facts=tuple(facts),
        notices=found.notices,
        tables=(table("rates", found.items(), columns, kind="forest"),),
    )


JUDGED = {
    "with_judge": "labels and judge",
    "labels_alone": "labels alone",
    "judge_alone": "judge alone",
    "rogan_gladen": "Rogan-Gladen",
    "judge_sensitivity": "sensitivity of the judge",
    "judge_specificity": "specificity of the judge",
}
AT_RANDOM = "The cases with a label are taken to be a random sample of all."


def judged(found: Any, full: bool = False) -> Document:
    """The estimates with and without the judge, of all cases or of each group, and what the judge adds."""
    rates, level = found.rates, level_of(found.level)
    what = "Mean" if found.positive is None else f"Rate of {common.name(found.positive)}"
    first = next(iter(rates.values()))
    labelled, cases = (sum(getattr(one, of) for one in rates.values()) for of in ("labelled", "cases"))
    facts = [f"{found.data.head}{number_of(cases, 'case')}, {labelled:,} with a label", AT_RANDOM]
    if found.differences is None:
        headline = (
            f"{what} {estimate(first['with_judge'])}; of the labels alone {estimate(first['labels_alone'])}."
        )
        worth = "" if first.worth is None else number_of(round(first.worth), "label")
        facts.insert(1, f"as precise as {worth} alone" if worth else "")
        of_each: common.Columns = {
            Column("method", "estimate", "name"): lambda name, _: Cell(JUDGED[name], name=name),
            Column("estimate", level, "estimate"): lambda _, one: one,
            Column("interval", "method", "method"): lambda _, one: one,
        }
        tables = [table("estimates", first.items(), of_each, kind="forest")]
    else:
        led = [f"{common.name(of)} {estimate(one['with_judge'])}" for of, one in rates.items()]
        more = f" and {len(led) - FEW} more" * (len(led) > FEW)
        headline = f"{what}: {'; '.join(led[:FEW])}{more}."
        columns: common.Columns = {
            Column("group", "group", "name"): lambda name, _: name,
            **{
                Column(one, words, "estimate", one): _of_rate(one)
                for one, words in JUDGED.items()
                if one in first
            },
            Column("cases", "cases", "count"): lambda _, rate: rate.cases,
            Column("labelled", "labels", "count"): lambda _, rate: rate.labelled,
            Column("worth", "worth", "count"): lambda _, rate: rate.worth and round(rate.worth),
        }
        apart: common.Columns = {
            Column("difference", "difference", "name"): lambda one: f"{one.group} - {one.reference}",
            Column("estimate", level_of(found.differences.level_of_each), "difference"): lambda one: Cell(
                one.estimate, "!" * one.excludes_zero
            ),
        }
        tables = [table("rates", rates.items(), columns, kind="forest")]
        tables.append(table("differences", found.differences, apart, kind="forest", baseline=0.0))
    return Document(
        kind="rate with a judge", title=found.data.called, headline=headline, facts=tuple(facts),
        notices=found.notices, tables=tuple(tables),
    )  # fmt: skip


def _of_rate(name: str) -> Callable[..., Any]:
    return lambda _, rate: rate.get(name)


MEANING = (
    "Best at: the ratios (negatives x cost of a false positive) / (positives x cost of a false negative) at"
    " which no other costs less. Dominated by: those with a sensitivity no lower and a false positive rate no"
    " higher."
)


def roc_points(found: Any, full: bool = False) -> Document:
    """A row per classifier, with the ratios at which it is best, and those that dominate it."""
    ends = {one: point.slopes and "{:.3g} to {:.3g}".format(*point.slopes) for one, point in found.items()}
    columns: common.Columns = {
        Column("classifier", "classifier", "name"): lambda one, _: one,
        common.column("false_positive_rate"): lambda _, point: point.false_positive_rate,
        common.column("sensitivity"): lambda _, point: point.sensitivity,
        Column("best", "best at"): lambda one, _: ends[one] or "never",
        Column("dominated", "dominated by"): lambda _, point: ", ".join(map(common.name, point.dominated_by)),
    }
    best = ", ".join(common.name(one) for one in found if ends[one])
    return Document(
        kind="points in ROC space",
        headline=f"Of {number_of(len(found), 'classifier')} {best or 'none'} can be the best.",
        facts=(f"{100 * found.level:.4g}% intervals",),
        notices=found.notices,
        tables=(table("classifiers", found.items(), columns),),
        footnotes=(MEANING,),
    )


# Advice
# --------------------------------------------------------------------------------------------------


def advice(found: Any, full: bool = False) -> Document:
    """Which measures to use, which mislead, and why."""
    verdicts = {"Avoid": found.avoid, "Compare within one class mix only": found.within_mix}
    listed = {"use": found.use, "avoid": found.avoid, "within one class mix": found.within_mix}
    use, avoid = (", ".join(in_sentence(one) for one in names[:FEW]) for names in (found.use, found.avoid))
    return Document(
        kind="advice",
        headline=f"Use {use or 'nothing'}{f'; avoid {avoid}' if avoid else ''}.",
        facts=(*(_sentence(found, *one) for one in verdicts.items() if one[1]), found.conditions),
        notices=(*found.notices, *map(_remark, found.items)),
        tables=tuple(
            _advised(found, verdict, names)
            for verdict, names in listed.items()
            if names and (full or verdict == "use")
        ),
        rest="" if full else f"every measure and reason: {common.in_full()}",
    )


def _remark(item: Any) -> Remark:
    """A piece of advice as a notice."""
    said = sentence_of_advice(item)
    return Remark(item.code, said.replace(f"[{item.code}; ", "["), said, said)


def _advised(found: Any, verdict: str, names: Iterable[str]) -> Table:
    """A row per measure: its estimate, or why there is none; of those that mislead with equal classes."""
    known = {one: at for one, at in found.estimates.items() if isinstance(at, Estimate)}
    level = next((at.level for at in known.values()), 0.95)
    equal = Column("equal", "with classes of equal size", "number")
    columns: common.Columns = {
        Column("measure", verdict, "name"): named,
        Column("estimate", level_of(level), "estimate"): known.get,
        **({} if verdict == "use" else {equal: lambda one: found.shifts.get(one, (nan, nan))[1]}),
        Column("why", ""): lambda one: "" if one in known else found.estimates[one].text,
    }
    return table(verdict, names, columns)


def _sentence(found: Any, verdict: str, names: Any) -> str:
    """As "Avoid: accuracy 0.909 (0.571 with classes of equal size) and 2 more."."""
    said: list[str] = []
    for one in names[:FEW]:
        at = found.estimates[one]
        value = "" if not isinstance(at, Estimate) or at.undefined else f" {text.rounded(at.value)}"
        there = found.shifts.get(one, (nan, nan))[1]
        of_equal = " with classes of equal size" * (not said)
        moved = f" ({text.rounded(there)}{of_equal})" if isfinite(there) else ""
        said.append(f"{in_sentence(one)}{value}{moved}")
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return f"{verdict}: {', '.join(said)}{more}."


def advice_item(item: Any, full: bool = False) -> Document:
    """A piece of advice with its source."""
    return Document(kind="sentence", headline=sentence_of_advice(item))


def sentence_of_advice(item: Any) -> str:
    """The sentence, with its code and source, and what another source says."""
    other = f" Sources disagree: {item.disagreement}" if item.disagreement else ""
    return f"{item.text} [{item.code}; {item.source}]{other}"
