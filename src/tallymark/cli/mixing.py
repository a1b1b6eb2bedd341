"""prevalence, class-mix and unscored: measures where the cases are others than those measured."""

from __future__ import annotations

import argparse
from operator import attrgetter
from typing import Any

import tallymark

from ..input.errors import InputError
from ..input.results import head
from . import options, progress
from .options import Command, number, text

RATES = ("sensitivity", "specificity")


def prevalence(given: argparse.Namespace) -> None:
    """One prevalence in full, or several side by side."""
    options.check(given, report=tallymark.AtPrevalence)
    with progress.bar():
        results = _at_prevalence(given)
    plain = {**head("prevalence"), "at": [one.to_dict() for one in results]}
    every = options.Shown("measures.prevalences", plain, results)
    options.show(every if given.json or len(results) > 1 else results[0], given)


def _at_prevalence(given: argparse.Namespace) -> list[Any]:
    shares = {name: getattr(given, name) for name in ("prevalence", "prevalence_counts", "npr")}
    if sum(one is not None for one in shares.values()) != 1:
        raise InputError(
            "needed",
            "prevalence",
            "give one of --prevalence, shares between 0 and 1, --prevalence-counts, positives and cases, and"
            " --npr, negatives per positive",
        )
    rates = options.arguments(given, RATES)
    table = options.table_of_cells(given)
    [(role, values)] = ((name, value) for name, value in shares.items() if value is not None)
    if role == "prevalence_counts":
        role, values = "prevalence", [tuple(values)]
    how = options.arguments(given, ("cases", "level", "rng"))
    return [
        tallymark.at_prevalence(*([] if table is None else [table]), **{**rates, **how, role: value})
        for value in values
    ]


def class_mix(given: argparse.Namespace) -> None:
    """Computes, writes, shows."""
    options.check(given, report=tallymark.ClassMix)
    if bool(given.file) == bool(options.arguments(given, options.CELLS)):
        way = "give a file with --truth and --score, or all of --tp --fp --fn --tn"
        raise InputError("needed", "file", way)
    data = options.measured(given) if given.file else options.table_of_cells(given)
    growth = {} if given.growth is None else {"growth": tuple(given.growth)}
    options.show(tallymark.class_mix_sensitivity(data, grown=given.grown, **growth), given)


COMMANDS = {
    "prevalence": Command(
        "predictive values, and all the rest, at another class mix",
        (
            "prevalence --tp 40 --fp 5 --fn 10 --tn 45 --prevalence 0.01 0.1",
            "prevalence --sensitivity 0.8 --specificity 0.9 --prevalence 0.05 --cases 1000",
        ),
        {
            **{f"--{name}": number("a count of the table that was measured", "N") for name in options.CELLS},
            **{f"--{name}": number("instead of the counts; without intervals", "SHARE") for name in RATES},
            "--prevalence": number("of positives, one or several", "SHARE", nargs="+"),
            "--prevalence-counts": number(
                "positives and cases of the sample used to estimate the prevalence; its uncertainty is"
                " included",
                nargs=2,
                metavar=("POSITIVES", "CASES"),
            ),
            "--npr": number("negatives per positive, instead of the prevalence", "RATIO", nargs="+"),
            "--cases": number("with rates: cases of the table of expected counts", "N"),
            **options.LEVEL,
            **options.SEED,
            **options.OUTPUT,
        },
        prevalence,
    ),
    "class-mix": Command(
        "which measures and curves change as one class grows",
        (
            "class-mix cases.csv --truth y --score p",
            "class-mix --tp 70 --fp 20 --fn 30 --tn 80 --growth 1 10",
        ),
        {
            "file": {
                "nargs": "*",
                "help": "CSV, Parquet or JSON lines; or give --tp --fp --fn --tn, which have no curves",
            },
            **options.cases(options.without("regression", "clusters")),
            **options.CELL_OPTIONS,
            **options.THRESHOLD,
            "--growth": number("of the class (default: 1 2 5 10 100)", "TIMES", nargs="+"),
            "--grown": text("negative (default) or positive: which one grows", "CLASS", default="negative"),
            **options.OUTPUT,
        },
        class_mix,
    ),
    "unscored": Command(
        "the ROC area where cases without a score get one constant score",
        (
            "unscored cases.csv --truth y --score p --share 0.1",
            "unscored cases.csv --truth y --score p --of-positives 0.3 --of-negatives 0.1 --plot area.svg",
        ),
        {
            **options.files("the cases that have a score: CSV, Parquet or JSON lines; - for standard input"),
            **options.cases(
                ("truth", "score", "weight", "weight_kind", "positive", "score_kind", "missing"),
                truth={"required": True},
                score={"required": True},
            ),
            "--share": number("of all cases, in both classes alike, without a score"),
            "--of-positives": number("in its place: of the positives", "SHARE"),
            "--of-negatives": number("and of the negatives", "SHARE"),
            "--plot": text("write the area against the constant: .svg, .csv, .json or .parquet", "FILE"),
            **options.OUTPUT,
        },
        options.verb("unscored", plot=("Area against the constant", attrgetter("curve"))),
    ),
}
