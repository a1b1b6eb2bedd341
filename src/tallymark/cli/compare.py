"""The command compare: two or more models on the same cases."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ..input.errors import InputError
from ..input.validate import choice
from . import cases, models, options, progress
from .curve import say

CONFIDENCE, DECISION = "confidence", "decision"
DRAWN = {CONFIDENCE: "Confidence curve", DECISION: "Difference of net benefit"}
COLUMNS = (*cases.OF_ONE_MODEL, "sample")
WORDS: cases.Changes = {
    "score": {
        "help": (
            "the scores of a model; repeated, once per model; of a score per class --model names the model"
        )
    },
    "predicted": {"help": "instead, the predicted labels of a model", "action": "append"},
    "clusters": {"help": "which cases belong together, as those of a patient"},
    "classes": {"help": "all classes, with --predicted, or in the order of the columns of each --model"},
}

EXAMPLES = (
    "compare cases.csv --truth y --model old=p --model new=q",
    "compare cases.csv --truth y --score p --score q --measure roc_auc --non-inferior --margin 0.02",
)
UNITS = {"permutation": "permutations"}  # that the line counts


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "compare",
        help="two models or more: differences with intervals and p-values, tests, agreement",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    _add_cases(command)
    _add_questions(command)
    command.add_argument(
        "--level", type=float, default=0.95, help="confidence level of the intervals (default: %(default)s)"
    )
    command.add_argument(
        "--replicates",
        type=int,
        default=2000,
        help="bootstrap resamples or permutations (default: %(default)s)",
    )
    options.add_design(command)
    command.add_argument("--seed", type=int, default=0, help="of the resampling (default: %(default)s)")
    options.add_parameters(command)
    _add_plot(command)
    options.add_format(command)


def _add_cases(command: argparse.ArgumentParser) -> None:
    cases.add_files(command, "CSV, Parquet or JSON lines (- for standard input), with a column per model")
    cases.add(command, COLUMNS, WORDS)
    models.add(command)
    command.add_argument(
        "--unpaired",
        action="append",
        metavar="FILE",
        help="another file, with other cases, for the next model",
    )
    command.add_argument(
        "--threshold",
        type=float,
        action="append",
        help="positive when score >= threshold; one, or repeated, one per model",
    )


def _add_questions(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--measure", action="append", metavar="NAME", help="may be repeated (default: a few usual ones)"
    )
    command.add_argument(
        "--reference", metavar="MODEL", help="the one to compare with (default: the first), or all"
    )
    command.add_argument(
        "--method",
        default="auto",
        metavar="HOW",
        help="auto (default), delong, score, bootstrap, basic-bootstrap or permutation",
    )
    command.add_argument(
        "--adjust", default="holm", metavar="HOW", help="holm (default), benjamini-hochberg or none"
    )
    command.add_argument(
        "--margin",
        type=float,
        help="the smallest difference that matters, with --non-inferior or --equivalent",
    )
    which = command.add_mutually_exclusive_group()
    which.add_argument(
        "--non-inferior", action="store_true", help="is the model worse by less than the margin?"
    )
    which.add_argument(
        "--equivalent", action="store_true", help="do the models differ by less than the margin?"
    )


def _add_plot(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--plot", metavar="FILE", help="write a curve of two models: .svg, .csv, .json, .parquet"
    )
    command.add_argument(
        "--curve",
        metavar="NAME",
        default=CONFIDENCE,
        help=(
            "confidence (default), of the only difference; or decision, the difference of net benefit over a"
            " range of thresholds"
        ),
    )
    command.add_argument("--band", metavar="KIND", help="pointwise or simultaneous, of --curve decision")
    options.add_thresholds(command, "the range of --curve decision (default: 0.01 0.99)")


def run(given: argparse.Namespace) -> None:
    """Checks where the picture goes, compares, shows."""
    import tallymark

    from ..curves import Curve

    if given.plot is not None:
        Curve.check_path(given.plot, "plot")
        options.spare(given.plot, [*given.file, *(given.unpaired or ())], "plot")
    _check_curve(given)
    asked = {**cases.arguments(given), **models.scores_of(given), **_asked(given), **_margin(given)}
    with progress.bar(UNITS.get(given.method, "resamples"), given.replicates) as counted:
        found = tallymark.compare(*_data(given), **asked, progress=counted)
    with progress.bar():
        drawn = None if given.plot is None else _curve(found, given)
    if drawn is not None:
        options.write(drawn, given.plot)
    print(options.answer(found, given))
    if drawn is not None and options.plain(given):
        print(f"\n{DRAWN[given.curve]}: {given.plot}")
        say(drawn, sys.stdout)


def _check_curve(given: argparse.Namespace) -> None:
    """Raises InputError for what does not fit the curve."""
    choice(given.curve, DRAWN, "curve")
    for name in ("band", "thresholds"):
        if getattr(given, name) is not None and given.curve != DECISION:
            raise InputError(
                "conflict", f"--{name}", f"it is for --curve {DECISION}", "add that, or leave it out"
            )
    if given.curve == DECISION and given.plot is None:
        raise InputError("needed", "--curve", "say where it goes, with --plot FILE")


def _curve(found: Any, given: argparse.Namespace) -> Any:
    if given.curve == CONFIDENCE:
        return _only(found).curve
    return found.curve(DECISION, band=given.band, thresholds=options.thresholds(given))


def _data(given: argparse.Namespace) -> list[Any]:
    return [cases.file_of(given), *(given.unpaired or ())]


def _asked(given: argparse.Namespace) -> dict[str, Any]:
    names = ("method", "adjust", "level", "replicates", "design", "reference", "threshold")
    said = {name: cases.single(getattr(given, name)) for name in names if getattr(given, name) is not None}
    said |= {"measures": given.measure, "rng": given.seed, "parameters": options.parameters_of(given.set)}
    return said | ({"paired": False} if given.unpaired else {})


def _margin(given: argparse.Namespace) -> dict[str, float]:
    asked = given.non_inferior or given.equivalent
    if asked and given.margin is None:
        raise InputError(
            "needed",
            "--margin",
            "the smallest difference that matters is missing",
            "give it with --non-inferior or --equivalent",
        )
    if given.margin is None:
        return {}
    if not asked:
        raise InputError("needed", "--margin", "say what it is for: --non-inferior or --equivalent")
    return {"non_inferior_by" if given.non_inferior else "equivalent_within": given.margin}


def _only(found: Any) -> Any:
    if len(found.differences) != 1:
        raise InputError("needed", "--plot", "it shows one difference", "name two models and one --measure")
    return found.differences[0]
