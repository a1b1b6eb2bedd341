"""Writes the pages that are made from the catalogue and the worked examples; with --check it only says which
are out of date.

python docs/make.py [--check]        # exit status 1 if --check finds one
"""

import sys
import tomllib
from itertools import groupby
from pathlib import Path

import combinations
import coverage_of_sources
import errors_page
import experiments
import gallery
import gate_schema
import losses_page
import names_page
import pictures
import speed_page
import verbs

from tallymark import Counts, RankingTable, class_mix_sensitivity
from tallymark.curves import CURVES
from tallymark.evaluation.class_mix import (
    RANKINGS as EXAMPLES_OF_RANKINGS,
    changes_with_class_mix,
    curve_changes,
)
from tallymark.measures import registry
from tallymark.report.catalogue import card

HERE = Path(__file__).parent
FACTS = tomllib.loads((HERE.parent / "tests" / "worked_examples.toml").read_text(encoding="utf-8"))
EXAMPLES = {example["id"]: example for example in FACTS["example"]}
DOCUMENTS = {
    "berrar": "Berrar",
    "tharwat": "Tharwat",
    "qudata": "QuData",
    "flemming": "Flemming",
    "wikipedia": "Wikipedia",
}

# The measures
# --------------------------------------------------------------------------------------------------

MEASURES = """# The measures

Made by `python docs/make.py` from the docstrings (edit those) and, for the behaviour, by computation.
`tallymark measures NAME` shows one, by any of its names.
"""
ROWS = {
    "aliases": "other names",
    "of": "computed from",
    "of_many_classes": "for many classes",
    "parameters": "parameters (defaults, which the following assumes)",
    "range": "range",
    "better": "better",
    "best": "best",
    "undefined": "undefined",
    "interval": "interval",
    "class_mix": "class mix",
    "size": "number of cases",
    "classes_swapped": "classes swapped",
    "truth_swapped": "truth and prediction swapped",
    "by_chance": "by chance",
    "neighbours": "neighbours",
    "source": "source",
    "differs": "differs",
    "defined_in": "defined in",
}


def measures() -> str:
    """Every measure, family by family."""
    parts = [MEASURES]
    for family, entries in groupby(registry.all_measures(), key=lambda entry: entry.family):
        parts.append(f"## {family}\n")
        parts += [section(card(entry)) for entry in entries]
    return "\n".join(parts)


def section(known: dict) -> str:
    """One measure."""
    lines = [f"### {known['name']}\n", f"{known['title']}\n", f"    {known['formula']}\n"]
    lines += [f"{known['remarks']}\n"] if known["remarks"] else []
    lines += [
        f"* {title}: {_plain(known[key]).rstrip('.')}"
        for key, title in ROWS.items()
        if known.get(key) not in (None, "", [])
    ]
    return "\n".join([*lines, ""])


def _plain(value):
    if isinstance(value, list):
        ends = (len(value) == 2 and any(isinstance(end, float) for end in value)) or value == ["-inf", "inf"]
        return " to ".join(f"{float(end):g}" for end in value) if ends else ", ".join(value)
    if isinstance(value, float):
        return f"{value:g}"
    return str(value).rsplit(":", 1)[0] if ".py:" in str(value) else str(value)


# The class mix
# --------------------------------------------------------------------------------------------------

CLASS_MIX = """# Which measures change with the class mix

Made by `python docs/make.py`. Every measure of counts is computed on 200 tables before and after one class,
and then the other, is multiplied, with the rates within each class unchanged: it does not change if no value
changes. `tm.class_mix_sensitivity(counts)` and `tallymark class-mix --tp 70 --fp 20 --fn 30 --tn 80` do the
same for a table of your own, and for an evaluation of scores also for measures of rankings and for curves;
`tallymark prevalence` gives the values at the mix that you expect.

The expected mix is often an estimate itself. A number is treated as known. Given as positives and cases of a
sample, `tm.at_prevalence(counts, prevalence=(12, 340))` or `--prevalence-counts 12 340`, its uncertainty is
included: the precision of tp 90, fp 30, fn 10, tn 170 is then 0.18 (0.10 to 0.29), where a known prevalence
of 12/340 gives 0.18 (0.14 to 0.24). An `Estimate` with an interval is also accepted. For the coverage of such
intervals see [intervals.md](intervals.md#at-another-prevalence).

The columns with numbers are Tharwat's two examples (tp 70, fp 20, fn 30, tn 80, and ten times the negatives);
the last column is the statement in his text, with the section.
"""
AFTER = """
Where Tharwat makes a statement it agrees. He calls the change of adjusted_geometric_mean slight, as in his
example, where it changes by 0.0004; it is not always: with few negatives it is close to the geometric mean,
with many to the specificity.

## Rankings and curves

The same on {examples} rankings of probabilities; `tallymark class-mix scores.csv --truth y --score p` has the
values for scores of your own. A curve changes if its points at the same thresholds do.

{rankings}

## Weights by class

`tm.evaluate(truth=, score=, class_weight="balanced")`, or `--class-weight balanced`, gives all classes the
same total weight, n / (K n_k) for each of the n_k cases of a class; `class_weight={{"sick": 5, "well": 1}}`,
or `--class-weight sick=5 --class-weight well=1`, gives each case the weight of its class. They are
importance weights: sensitivity and specificity keep their values and intervals, and other measures are those
of the weighted class mix. Balanced weights fix that mix, in either design, so that intervals are conditional
on it; with weights that are given it varies from sample to sample as the cases do. For two classes, balanced
weights and a weight of npr for each positive (QuData) give the same values.

## From predictive values to other measures

A report may give the predictive values only. With the proportion of cases predicted positive, or with the
prevalence, they determine the two-by-two table, in shares of all cases, and so accuracy (Tharwat, Eq. 8),
likelihood ratios and every other measure of counts. Values that contradict each other are refused.

```python
import tallymark as tm

table = tm.convert.from_predictive_values(
    precision=0.75, negative_predictive_value=0.5, predicted_prevalence=0.4
)
tm.measures.accuracy(table)  # 0.6
tm.measures.positive_likelihood_ratio(table)  # 2.0
```

The command is `tallymark counts --precision 0.75 --npv 0.5 --predicted-prevalence 0.4`; with the number of
cases, `--cases 100`, there are intervals.
"""


def class_mix() -> str:
    """The table of what changes."""
    balanced = Counts(**EXAMPLES["tharwat-binary-balanced"]["counts"])
    found = class_mix_sensitivity(balanced, growth=(1, 10))
    said = {name: claim for claim in FACTS["claim"] for name in claim["measures"]}
    rows = [
        "| measure | as one class grows | 100 negatives | 1000 negatives | Tharwat |",
        "|---|---|---|---|---|",
    ]
    for name, (before, after) in found.values.items():
        here = "changes" if found.changes[name] else "does not change"
        rows.append(f"| {name} | {here} | {before:.4f} | {after:.4f} | {_claim(said.get(name))} |")
    agree = all(claim["changes"] == found.changes[name] for name, claim in said.items())
    assert agree, "Tharwat and the computation disagree: say why in docs/make.py"
    return "\n".join([CLASS_MIX, *rows, AFTER.format(examples=EXAMPLES_OF_RANKINGS, rankings=_rankings())])


def _rankings():
    """The measures of rankings and the curves, as lists of those that change and those that do not."""
    measures = {
        entry.name: changes_with_class_mix(entry)
        for entry in registry.find(RankingTable)
        if entry.scores in (None, "probability")
    }
    curves = {name: curve_changes(name) for name in CURVES}
    return "\n".join(
        f"* {what} that {said}: {', '.join(name for name, one in found.items() if one is changes)}"
        for what, found in (("curves", curves), ("measures of rankings", measures))
        for said, changes in (("change", True), ("do not change", False))
    )


def _claim(claim):
    return f"{'changes' if claim['changes'] else 'does not change'} ({claim['where']})" if claim else ""


# Errata
# --------------------------------------------------------------------------------------------------

ERRATA = """# Errors in the source documents

Made by `python docs/make.py` from `tests/worked_examples.toml`. Where a document contradicts its own
definition, the definition applies: the tests require the correct value.

| document | what | printed | correct | why |
|---|---|---|---|---|
"""


def errata() -> str:
    """One row per erratum."""
    pipe = r"\|"
    rows = [
        [_document(one["example"]), one["measure"], one["printed"], one["correct"], one["why"]]
        for one in FACTS["erratum"]
    ]
    return (
        ERRATA
        + "\n".join(f"| {' | '.join(str(cell).replace('|', pipe) for cell in row)} |" for row in rows)
        + "\n"
    )


def _document(example):
    return DOCUMENTS[example.split("-")[0]]


PAGES = {
    "measures.md": measures,
    "class-mix.md": class_mix,
    "errata.md": errata,
    "verbs.md": verbs.page,
    "errors.md": errors_page.page,
    "names.md": names_page.page,
    "speed.md": speed_page.page,
    "gallery.md": gallery.page,
    "gate.schema.json": gate_schema.page,
    "pages.md": pictures.page,
    "experiments.md": experiments.page,
    "losses.md": losses_page.page,
    "combinations.md": combinations.page,
    "coverage-of-sources.md": coverage_of_sources.page,
    "../README.md": speed_page.readme,
}


def main() -> int:
    """Writes or checks."""
    made = {name: page() for name, page in PAGES.items()}
    if "--check" not in sys.argv[1:]:
        for name, text in made.items():
            (HERE / name).write_text(text, encoding="utf-8")
        return 0
    stale = [
        name
        for name, text in made.items()
        if not (HERE / name).exists() or (HERE / name).read_text(encoding="utf-8") != text
    ]
    if stale:
        print(f"out of date: {', '.join(stale)}; run: python docs/make.py", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    raise SystemExit(main())
