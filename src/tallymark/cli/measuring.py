"""evaluate, guess (tallymark FILE), demo and counts: the measures of cases or of a table."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tallymark

from ..input.arguments import OPTIONS
from ..input.errors import InputError
from ..input.sources.tally import ENDING
from ..input.text import paragraph
from . import options
from .options import Command, number, text

DATA = Path(__file__).parent.parent / "data" / "screening.csv"
REVERSED = ("auc-below-half", "class-auc-below-half", "agreement-below-chance")
ADVICE = "name the columns, as in tallymark evaluate FILE --truth y --score p"
PREDICTIVE = ("precision", "negative_predictive_value", "predicted_prevalence", "prevalence", "cases")
WAYS = "give all of --tp --fp --fn --tn, or --precision and --npv with --predicted-prevalence or --prevalence"
GROUPS: options.Options = {
    **options.cases(("by", "fold")),
    "--reference": text(
        "the model, or with --by the group, to compare with (default: the best, or all cases)", "NAME"
    ),
    "--fairness": options.flag(
        "with --by: criteria of fairness between the groups, as differences and ratios"
    ),
    "--guideline": text(
        "write a paragraph as stard (diagnostic accuracy) or tripod+ai (prediction models) asks for it",
        "NAME",
    ),
}
CLASS_WEIGHT: options.Options = {
    "--class-weight": text(
        "in place of --weight: balanced, or the weight of the cases of a class, once for each",
        "LABEL=WEIGHT",
        action="append",
    )
}
PREDICTIVE_VALUES: options.Options = {
    "--precision --ppv": number("the table of predictive values: PPV", "SHARE"),
    "--npv --negative-predictive-value": number("and NPV", "SHARE", dest="negative_predictive_value"),
    "--predicted-prevalence": number("with these: of cases predicted positive", "SHARE"),
    "--prevalence": number("or of actual positives", "SHARE"),
    "--cases": number("with these: how many; without it there are no intervals", "N"),
}


# evaluate
# --------------------------------------------------------------------------------------------------


def evaluate(given: argparse.Namespace) -> None:
    """Checks where the report goes, measures, shows."""
    options.check(given, report=tallymark.Evaluation)
    result = options.measured(given, class_weight=_class_weight(given))
    if given.fairness:
        if not hasattr(result, "fairness"):
            problem = "the criteria are of groups of cases, and of one model"
            raise InputError("needed", "by", problem, "name their column with --by, and one --score")
        result = result.fairness
    elif given.guideline is not None:
        result = tallymark.reporting_paragraph(result, guideline=given.guideline)
    options.show(result, given)


def _class_weight(given: argparse.Namespace) -> Any:
    """The argument of `evaluate`: a name, or the weights by label. Raises InputError."""
    written = given.class_weight
    if written is None or (len(written) == 1 and "=" not in written[0]):
        return None if written is None else written[0]
    weights: dict[str, float] = {}
    for one in written:
        label, _, weight = one.rpartition("=")
        try:
            weights[label] = float(weight)
        except ValueError:
            problem = f"{one!r} is not understood"
            raise InputError(
                "invalid-value", "class_weight", problem, "write LABEL=WEIGHT, as sick=5"
            ) from None
    return weights


# guess
# --------------------------------------------------------------------------------------------------


def guess(given: argparse.Namespace) -> None:
    """Guesses, measures, shows, and says which columns were taken."""
    from ..input.guess import guess, peek

    options.check(given, report=tallymark.Evaluation)
    if given.file[0].endswith(ENDING):
        options.show(options.measured(given), given)
        return
    if len(given.file) > 1:
        raise InputError("needed", "truth", "the columns of one file are guessed, not of several", ADVICE)
    try:
        guessed = guess(peek(given.file[0]), options.arguments(given))
    except InputError as reason:
        if reason.code != "ambiguous":
            raise
        remedy = f"{reason.remedy} (tallymark evaluate FILE --truth COLUMN --score COLUMN)"
        raise InputError("ambiguous", None, reason.problem, remedy) from None
    columns = guessed.arguments
    for name, value in columns.items():
        setattr(given, name, [value] if name == "score" and isinstance(value, str) else value)
    result = options.measured(given)
    _check_direction(result, columns)
    options.show(result, given)
    if columns:
        said = _guessed(columns, guessed.unused, given)
        print(said, file=sys.stdout if options.plain(given) else sys.stderr)


def _check_direction(result: Any, columns: Mapping[str, Any]) -> None:
    """Refuses guessed columns that rank the classes the wrong way round: of another class, or reversed."""
    wrong = next((notice for notice in result.notices if notice.code in REVERSED), None)
    if wrong is not None and not {"truth", "score", "predicted"}.isdisjoint(columns):
        names = ", ".join(str(columns[name]) for name in ("truth", "score", "predicted") if name in columns)
        problem = (
            f"the columns that were guessed ({names}) seem to be of another class, or reversed ({wrong.code})"
        )
        raise InputError("ambiguous", None, problem, f"if they are right, {ADVICE}")


def _guessed(columns: Mapping[str, Any], unused: Sequence[str], given: argparse.Namespace) -> str:
    """Which columns were taken, and the command that says so."""
    named, typed = [], ["tallymark", "evaluate", *given.parser.typed]
    for name, value in columns.items():
        several = value if isinstance(value, list) else [value]
        named.append(f"{name} {'yes' if value is True else ', '.join(map(str, several))}")
        for one in several:
            typed += [OPTIONS[name].flag, *([] if one is True else [str(one)])]
    rest = f"; not used: {', '.join(unused)}" if unused else ""
    said = f"Guessed: {', '.join(named)}{rest}. To choose other columns, change this command:"
    return f"\n{paragraph(said, first='')}\n{shlex.join(typed)}"


# demo
# --------------------------------------------------------------------------------------------------


def demo(given: argparse.Namespace) -> None:
    """Measures the sample, as a user would measure a file of his own, and says how."""
    options.check(given, report=tallymark.BinaryEvaluation)
    if options.plain(given):
        call = f"tallymark evaluate {DATA} --truth disease --score risk --positive present --report"
        print(f"$ {call} {given.report}\n")
    result = options.call(
        tallymark.evaluate, given, str(DATA), truth="disease", score="risk", positive="present"
    )
    options.show(result, given)


# counts
# --------------------------------------------------------------------------------------------------


def counts(given: argparse.Namespace) -> None:
    """Measures the table and shows it."""
    options.check(given, report=tallymark.BinaryEvaluation)
    values = options.arguments(given, PREDICTIVE)
    table = options.table_of_cells(given)
    if bool(values) == (table is not None):
        raise InputError("needed", "counts", "both are given" if values else "they are missing", WAYS)
    table = table or tallymark.convert.from_predictive_values(**values)
    if not values or given.cases is not None:
        options.show(options.call(tallymark.evaluate, given, None, counts=table), given)
        return
    _show_shares(table, given)


def _show_shares(table: Any, given: argparse.Namespace) -> None:
    """The measures of a table in shares, without intervals: these need the number of cases."""
    from ..measures import registry

    result = tallymark.at_prevalence(
        sensitivity=tallymark.measures.sensitivity(table),
        specificity=tallymark.measures.specificity(table),
        prevalence=table.positives,
    )
    if given.measures is None:
        options.show(result, given)
        return
    chosen = {registry.get(name).name: result[name] for name in given.measures}
    plain = {**result.to_dict(), "measures": {name: one.to_dict() for name, one in chosen.items()}}
    options.show(options.Shown("measures.shares", plain, chosen), given)


COMMANDS = {
    "evaluate": Command(
        "measure a file of labels and scores, or of labels and predicted labels",
        (
            "evaluate cases.csv --truth y --score p",
            "evaluate cases.csv --truth y --model old=p --model new=q --report page.html",
            "evaluate cases.csv --truth y --score p --by site --fairness",
        ),
        {
            **options.files(),
            **options.cases(),
            **options.MODELS,
            **CLASS_WEIGHT,
            **GROUPS,
            **options.THRESHOLD,
            **options.CHOSEN,
            **options.INTERVALS,
            **options.OUTPUT,
            "--coarse": {
                "type": int,
                "default": 0,
                "metavar": "N",
                "help": "a page without the score of a single case: N cases or more between two cut-offs",
            },
        },
        evaluate,
    ),
    "guess": Command(
        "evaluate a file, and guess its columns: short, tallymark FILE",
        ("guess scores.csv",),
        {
            **options.files("a file; its columns are guessed from their names and first rows"),
            **options.cases(),
            **options.THRESHOLD,
            **options.CHOSEN,
            **options.INTERVALS,
            **options.OUTPUT,
        },
        guess,
    ),
    "demo": Command(
        "measure the sample data, and write a report page",
        ("demo",),
        {
            **options.INTERVALS,
            **options.OUTPUT,
            "--report --out -o": {**options.OUTPUT["--report --out -o"], "default": "tallymark-demo.html"},
        },
        demo,
    ),
    "counts": Command(
        "measure a two-by-two table, or that of predictive values",
        (
            "counts --tp 40 --fp 5 --fn 10 --tn 45",
            "counts --tp 40 --fp 5 --fn 10 --tn 45 --measure f1 --json",
            "counts --precision 0.75 --npv 0.67 --predicted-prevalence 0.4 --cases 100",
        ),
        {
            **options.CELL_OPTIONS,
            **PREDICTIVE_VALUES,
            **options.CHOSEN,
            **options.INTERVALS,
            **options.OUTPUT,
        },
        counts,
    ),
}
