"""A comparison as text: at most 80 columns."""

from __future__ import annotations

from math import isnan

from ...evaluation.paired.differences import Agreement, Difference
from ...evaluation.results import BinaryEvaluation, Evaluation
from ...inference import Estimate
from ...input import text
from ...input.data_info import conditions
from ...input.messages.notes import joined
from ...studies.compare.answer import Comparison
from .. import first_screen, parts
from .groups import title

LONGEST = 14  # of a model's name in a table
SHORTEST = 10  # the same, where it has a row in each measure
ADJUSTED = {"holm": "Holm", "benjamini-hochberg": "BH", "none": ""}


def as_text(c: Comparison) -> str:
    """Values, differences, decisions, tests, agreement; what they rest on; notices."""
    remarks: dict[str, str] = {}
    several = len(c.models) > 2 and len({reference for _, reference in c.pairs}) == 1
    main = [_by_model(c, remarks)] if several else _by_pair(c, remarks)
    tables = [*main, _decisions(c), _tests(c, remarks), *([] if several else [_agreement(c, remarks)])]
    first = text.paragraph(str(c.headline), first="")
    return "\n\n".join(
        part
        for part in (
            first,
            _head(c),
            parts.severe(c.notices, in_full=True),
            *tables,
            "\n".join(parts.below(remarks)),
            _foot(c),
            *parts.others(c),
        )
        if part
    )


def _by_pair(c: Comparison, remarks: dict[str, str]) -> list[str]:
    """The values, and a table of the differences of each pair."""
    return [_values(c), *(_differences(c, pair, remarks) for pair in c.pairs)]


def _by_model(c: Comparison, remarks: dict[str, str]) -> str:
    """A row for each model in each measure: its value, and its difference from the reference."""
    names, reference = text.labels(c.models, SHORTEST), c.pairs[0][1]
    found = {(one.measure, one.model): one for one in c.differences}
    rows = [
        [
            title(measure) if i == 0 else "",
            names[model],
            parts.estimate(c.evaluations[model][measure]),
            *_against(c, found.get((measure, model)), remarks),
        ]
        for measure in c.measures
        for i, model in enumerate(c.models)
    ]
    head = ["measure", "model", "value", f"minus {names[reference]}", *(adjusted(c) or ["p"])]
    methods = dict.fromkeys(
        f"{one.estimate.method} ({title(one.measure)})" for one in c.differences if one.test
    )
    said = f"Intervals: {100 * c.level:.4g}%. Methods: {', '.join(methods)}."
    return f"{text.fitted(head, rows, right=(2, 4))}\n{text.paragraph(said, first='')}"


def _against(c: Comparison, one: Difference | None, remarks: dict[str, str]) -> list[str]:
    """The difference from the reference with its interval, and the p-value; of the reference itself none."""
    if one is None:
        return ["reference", ""]
    found, p = one.estimate, parts.p_value(one.adjusted if adjusted(c) else one.p_value)
    marks = parts.marks((note.text for note in joined(found.undefined, found.notes)), remarks)
    return [parts.with_marks("undefined" if found.undefined else parts.signed(found), marks), p]


def _head(c: Comparison) -> str:
    d = c.data
    where = "the same" if c.paired else "different cases, together"
    lines = [
        *([d.called] if d.called else []),
        f"{len(c.models)} models on {where} {text.count(d.rows)} cases{parts.classes(d)}",
    ]
    limits = {name: limit for name, e in c.evaluations.items() if (limit := _threshold(e))}
    if len(set(limits.values())) == 1 < len(limits):
        limits = {"all": next(iter(limits.values()))}
    lines += [f"{name}: positive when score {limit}" for name, limit in limits.items()]
    return "\n".join(text.paragraph(line, first="") for line in lines)


def _threshold(e: Evaluation) -> str:
    if (
        not isinstance(e, BinaryEvaluation)
        or e.ranking is None
        or e.threshold is None
        or e.threshold.value is None
    ):
        return ""
    return (
        f"{'>=' if e.higher_is_positive else '<='} {text.exact(e.threshold.value)} (threshold:"
        f" {e.threshold.rule})"
    )


def _values(c: Comparison) -> str:
    rows = [[title(name), *(parts.estimate(e[name]) for e in c.evaluations.values())] for name in c.measures]
    return text.blocks(["value", *text.labels(c.models, LONGEST).values()], rows)


def _differences(c: Comparison, pair: tuple[str, str], remarks: dict[str, str]) -> str:
    names = text.labels(c.models, LONGEST)
    model, reference = (names[name] for name in pair)
    rows = [_row(c, one, remarks) for one in c.differences if (one.model, one.reference) == pair]
    head = [
        f"{model} - {reference}",
        f"difference, {100 * c.level:.4g}%",
        "p",
        *adjusted(c),
        "method",
    ]
    return text.fitted(head, rows, right=range(1, len(head) - 1))


def adjusted(c: Comparison) -> list[str]:
    """The head of the column of adjusted p-values, if there is one."""
    return [ADJUSTED[c.adjust]] if ADJUSTED[c.adjust] and len(c.differences) > 1 else []


def _row(c: Comparison, one: Difference, remarks: dict[str, str]) -> list[str]:
    found = one.estimate
    p = [parts.p_value(one.p_value), *([parts.p_value(one.adjusted)] if adjusted(c) else [])]
    marks = parts.marks((note.text for note in joined(found.undefined, found.notes)), remarks)
    if found.undefined:
        return [title(one.measure), "undefined", *p, marks]
    return [title(one.measure), parts.signed(found), *p, (found.method or "") + marks]


def _decisions(c: Comparison) -> str:
    rows = [(one, one.decision) for one in c.differences if one.decision]
    several = len(c.pairs) > 1
    return "\n".join(
        text.paragraph(
            f"{title(one.measure)}{f', {one.model} - {one.reference}' if several else ''}: {decision.text}",
            first="",
        )
        for one, decision in rows
    )


def _tests(c: Comparison, remarks: dict[str, str]) -> str:
    rows = [
        [
            test.name,
            text.number(test.statistic),
            "" if test.df is None else str(test.df),
            parts.p_value(test.p_value),
            remarks.get(test.note or "", test.note or ""),
        ]
        for test in c.tests
    ]
    return text.table(["test", "statistic", "df", "p", ""], rows, right=(1, 2, 3)) if rows else ""


def _agreement(c: Comparison, remarks: dict[str, str]) -> str:
    names = text.labels(c.models, LONGEST)
    return "\n\n".join(_of_pair(one, names[one.first], names[one.second], remarks) for one in c.agreement)


def _of_pair(one: Agreement, first: str, second: str, remarks: dict[str, str]) -> str:
    share, kappa = _share(one.same), "undefined" if one.kappa.undefined else parts.estimate(one.kappa)
    share, kappa = (
        parts.with_marks(said, parts.marks((note.text for note in found.notes), remarks))
        for said, found in ((share, one.same), (kappa, one.kappa))
    )
    said = f"{first} and {second} give the same answer to {share} of the cases, kappa {kappa}"
    if one.spearman is not None:
        ranked = (
            "a constant score"
            if isnan(one.spearman)
            else f"Spearman {one.spearman:.3f}, Kendall {one.kendall:.3f}"
        )
        said += f"; ranks: {ranked}"
    n = {name: text.count(cases) for name, cases in one.right.items()}
    rows = [
        [f"{first} right", n["both"], n["first only"]],
        [f"{first} wrong", n["second only"], n["neither"]],
    ]
    return (
        text.paragraph(said, first="")
        + "\n"
        + text.fitted(["cases", f"{second} right", f"{second} wrong"], rows, right=(1, 2))
    )


def _share(found: Estimate) -> str:
    ends = f" {text.interval(100 * found.low, 100 * found.high, 1)}" if found.has_interval else ""
    return f"{100 * found.value:.1f}{ends} %"


def conditions_of(c: Comparison) -> str:
    """The design, unless it is a cohort, the weights, and which differences depend on a fixed class mix."""
    mix = first_screen.of_this_mix((parts.title(one.measure), one.estimate) for one in c.differences)
    usual = c.design == "cohort" and not c.mix_fixed_by_weights and c.data.weight_kind is None
    return " ".join(part for part in ("" if usual else _conditions(c), mix) if part)


def _conditions(c: Comparison) -> str:
    assumed = conditions(
        None if c.of_amounts else c.design, c.data.weight_kind, fixed_by_weights=c.mix_fixed_by_weights
    )
    return f"{assumed.capitalize()}." if assumed else ""


def _foot(c: Comparison) -> str:
    assumed = _conditions(c)
    said = [f"Assumed: {c.assumes}.", *([assumed] if assumed else [])]
    if any("bootstrap" in (one.estimate.method or "") or one.test == "permutation" for one in c.differences):
        said.append(f"Resamples: {c.replicates:,}, seed {c.seed}.")
    if adjusted(c):
        said.append(f"{ADJUSTED[c.adjust]}: adjusted for {len(c.differences)} tests.")
    return text.paragraph(" ".join(said), first="")
