"""Options that several commands share, and what is done with their result."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from glob import glob
from pathlib import Path
from typing import Any

from ..input import validate
from ..input.validate import InputError
from . import progress
from .spelling import in_python

MOST_DIGITS = 15
POINTS = 101  # of a range of thresholds


def add_output(command: argparse.ArgumentParser) -> None:
    """--json, --markdown and --report."""
    add_format(command)
    command.add_argument(
        "--report",
        metavar="PAGE.html",
        help=(
            "write a file of the type of its ending: a page, .html; .json, .csv, .md, .tex, .xlsx, .parquet"
        ),
    )


def add_format(command: argparse.ArgumentParser) -> None:
    """--json or --markdown."""
    either = command.add_mutually_exclusive_group()
    either.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )
    either.add_argument(
        "--markdown",
        action="store_true",
        help="write Markdown, and nothing else: the headline, severe notices and a table, as for a comment",
    )


def plain(given: argparse.Namespace) -> bool:
    """Whether standard output is for people, not for a program: text, neither JSON nor Markdown."""
    return not (given.json or getattr(given, "markdown", False))


def add_intervals(command: argparse.ArgumentParser) -> None:
    """How intervals are made."""
    command.add_argument(
        "--level", type=float, default=0.95, help="confidence level of the intervals (default: %(default)s)"
    )
    command.add_argument(
        "--proportion",
        default="wilson",
        metavar="METHOD",
        help="wilson (default), clopper-pearson, jeffreys, agresti-coull or wald",
    )
    command.add_argument(
        "--auc-interval",
        default="delong-logit",
        metavar="METHOD",
        help="delong-logit (default), delong, hanley-mcneil or newcombe",
    )
    command.add_argument(
        "--resampling",
        default="bayesian-bootstrap",
        metavar="METHOD",
        help="bayesian-bootstrap (default) or bootstrap",
    )
    add_design(command)
    add_parameters(command)
    command.add_argument("--seed", type=int, default=0, help="of the resampling (default: %(default)s)")


def add_design(command: argparse.ArgumentParser) -> None:
    """What varies from sample to sample."""
    command.add_argument(
        "--design",
        default="cohort",
        help=(
            "cohort (default): the class mix varies from sample to sample; case-control: the class sizes are"
            " fixed"
        ),
    )


def add_parameters(command: argparse.ArgumentParser) -> None:
    """Of measures."""
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="MEASURE.PARAMETER=NUMBER",
        help="of a measure, as f_beta.beta=0.5; may be repeated",
    )


def add_thresholds(command: argparse.ArgumentParser, words: str) -> None:
    """The range of a decision curve."""
    command.add_argument("--thresholds", type=float, nargs=2, metavar=("LOW", "HIGH"), help=words)


def thresholds(options: argparse.Namespace) -> list[float] | None:
    """Thresholds at equal distances in the range; None without one. Raises InputError where it is none."""
    if options.thresholds is None:
        return None
    low, high = options.thresholds
    if not 0 < low < high < 1:
        raise InputError(
            "invalid-value",
            "--thresholds",
            f"{low:g} {high:g} is not a range of thresholds",
            "give LOW and HIGH with 0 < LOW < HIGH < 1",
        )
    return [low + (high - low) * i / (POINTS - 1) for i in range(POINTS)]


def check_output(options: argparse.Namespace, inputs: Sequence[str] = ()) -> None:
    """Before the work: can the report be written, and does it spare what is read? Do the options fit?"""
    check_style(options)
    if options.report is not None:
        from ..evaluation.results import Evaluation

        Evaluation.check_path(options.report, "report")
        spare(options.report, inputs, "report")


def check_style(options: argparse.Namespace) -> None:
    """Raises InputError for digits that cannot be; where all or JSON is printed, they do not matter."""
    if getattr(options, "digits", None) is not None:
        validate.whole(options.digits, "--digits", 1, MOST_DIGITS)


def spare(target: str, inputs: Sequence[str], role: str) -> None:
    """What is written must not be what is read, also where a pattern stands for it. Raises InputError."""
    files = [file for path in inputs for file in glob(path, recursive=True) or [path]]
    if any(Path(target).resolve() == Path(file).resolve() for file in files):
        raise InputError("not-written", role, f"{target!r} is the file that is read", "choose another place")


def intervals(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `evaluate` that these options stand for."""
    given = {
        "level": options.level,
        "proportion": options.proportion,
        "resampling": options.resampling,
        "rng": options.seed,
    }
    given |= {"auc_interval": options.auc_interval, "design": options.design}
    return given | {"parameters": parameters_of(options.set)}


def parameters_of(settings: Sequence[str]) -> dict[str, dict[str, float]]:
    """By measure and name. Raises InputError for what is not written MEASURE.PARAMETER=NUMBER."""
    found: dict[str, dict[str, float]] = {}
    for written in settings:
        fits = re.fullmatch(r"([\w -]+)\.(\w+)=(.+)", written)
        try:
            found.setdefault(fits[1], {})[fits[2]] = float(fits[3])  # type: ignore[index]  # None is caught
        except (TypeError, ValueError):
            raise InputError(
                "invalid-value",
                "--set",
                f"{written!r} is not understood",
                "write MEASURE.PARAMETER=NUMBER, as f_beta.beta=0.5",
            ) from None
    return found


def answer(result: Any, options: argparse.Namespace) -> str:
    """The JSON, the Markdown or the text of a result."""
    with progress.bar():
        if getattr(options, "markdown", False):
            return str(result.to_markdown()).rstrip("\n")
        if not options.json:
            return str(result)
        with in_python():
            return json.dumps(result.to_dict(), indent=2, allow_nan=False)


def text_of(evaluation: Any, options: argparse.Namespace) -> str:
    """The first screen, or all, as text or as Markdown."""
    from ..report import forms

    if options.all:
        return answer(evaluation.all, options)
    if options.markdown:
        from ..report.exporters import markdown  # loads every room

        return markdown.as_text(evaluation, names=options.names, digits=options.digits).rstrip("\n")
    with progress.bar():
        return forms.first_screen(evaluation, options.names, options.digits)


def write(result: Any, path: str) -> None:
    """To a file."""
    with in_python(), progress.bar():
        result.save(path)


def show(evaluation: Any, options: argparse.Namespace) -> None:
    """Writes the report first: if that fails, nothing is printed."""
    if options.report is not None:
        write(evaluation, options.report)
    print(answer(evaluation, options) if options.json else text_of(evaluation, options))
    if options.report and plain(options):
        print(f"\nReport: {options.report}")
