"""tallymark check FILE --truth COLUMN --score COLUMN --require "roc_auc.low >= 0.80" """

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any

import tallymark

from ..input.errors import InputError
from . import DONE, NOT_PASSED, options
from .options import Command, number, text

STATUSES = {DONE: "every requirement is met", NOT_PASSED: "one is not"}
LONGEST_FILE = 1 << 20  # bytes of a file of requirements
COMMENT = re.compile(r"""("[^"]*"?|'[^']*'?)|#.*""")  # where a # is within quotation marks, what these hold
ON_GITHUB = "GITHUB_ACTIONS"
SUMMARY = "GITHUB_STEP_SUMMARY"


def check(given: argparse.Namespace) -> None:
    """Reads the requirements, checks where results go, measures, writes, shows."""
    from ..report import files

    read = [one for one in (given.baseline, given.require_file) if one]
    options.check(given, *read, junit=(".xml", ".junit"), report=tallymark.Verdict)
    try:
        verdict = options.call(tallymark.check, given, require=_requirements(given))
    except InputError as reason:
        if given.junit:  # so that a CI system shows a test that could not be run
            from ..report.ci import of_error

            files.write(Path(given.junit).resolve(), "junit", of_error(str(reason)))
        raise
    # before anything is written: the reader may stop reading
    given.status = DONE if verdict.passed else NOT_PASSED
    on_github = given.github is None and os.environ.get(ON_GITHUB) == "true"
    annotations = verdict.to_annotations() if given.github or on_github else ""
    if annotations:
        _summarise(verdict)
    if given.junit:
        files.write(Path(given.junit).resolve(), "junit", verdict.to_junit())
    print(
        annotations, end="", flush=True, file=sys.stdout if options.plain(given) else sys.stderr
    )  # GitHub reads both
    options.show(verdict, given)
    if given.junit and options.plain(given):
        print(f"\nJUnit: {given.junit}")
    if on_github and options.plain(given):
        print(f"\nAnnotated, since {ON_GITHUB} is true; --no-github leaves that out.")


def _requirements(given: argparse.Namespace) -> list[Any]:
    """Those of the command line, then those of the file."""
    from ..studies.gate import parse

    lines = enumerate(() if given.require_file is None else _lines(given.require_file), 1)
    return [
        *(parse(text, "--require") for text in given.require),
        *(parse(line, f"{given.require_file}, line {i}") for i, line in lines if line.strip()),
    ]


def _lines(name: str) -> list[str]:
    """The lines of a file, without what follows a # outside of quotation marks."""
    try:
        with open(name, encoding="utf-8-sig") as file:
            read = file.read(LONGEST_FILE + 1)
    except (OSError, ValueError) as reason:
        why = getattr(reason, "strerror", None) or "it is not text in UTF-8"
        raise InputError(
            "unreadable",
            "--require-file",
            f"{name!r} cannot be read ({why})",
            "give a text, one requirement on a line",
        ) from reason
    if len(read) > LONGEST_FILE:
        raise InputError("unreadable", "--require-file", f"{name!r} is too long to be a list of requirements")
    return [COMMENT.sub(r"\1", line) for line in read.splitlines()]


def _summarise(verdict: Any) -> None:
    """A table at the end of the summary of the job."""
    path = os.environ.get(SUMMARY)
    if not path:
        return
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(verdict.to_markdown())
    except OSError as reason:
        raise InputError(
            "not-written",
            "--github",
            f"{SUMMARY} names {path!r}, which cannot be written ({reason.strerror})",
            "correct it, or pass --no-github",
        ) from reason


COMMANDS = {
    "check": Command(
        f"may the model ship: exit status {DONE} if it meets every requirement, {NOT_PASSED} if not",
        (
            'check cases.csv --truth y --score p --require "roc_auc.low >= 0.6"'
            ' --require "sensitivity >= 0.5"',
            "check cases.csv --truth y --score q --baseline-score p --no-worse-than 0.05 --junit gate.xml",
        ),
        {
            **options.files(),
            **options.cases(),
            "--require": text(
                'as "roc_auc.low >= 0.80"; may be repeated', "REQUIREMENT", action="append", default=[]
            ),
            "--require-file": text("requirements, one per line; # begins a comment", "FILE"),
            "--baseline": text("cases of the model in use, with the same columns", "FILE"),
            **options.cases(("baseline_score", "pair_by")),
            "--unpaired": {
                "dest": "paired",
                "action": "store_const",
                "const": False,
                "help": "the baseline has other cases, though its labels are the same, row by row",
            },
            "--no-worse-than": number("by how much the new model may be worse, as 0.01", "MARGIN"),
            "--measure": text(
                "what may not be worse (default: what is required, else roc_auc)",
                "MEASURE",
                dest="measures",
                action="append",
            ),
            **options.THRESHOLD,
            **options.INTERVALS,
            "--uses": {
                "type": int,
                "metavar": "K",
                "help": "total number of decisions made with these cases: intervals at 1 - (1 - level) / K",
            },
            **options.OUTPUT,
            "--junit": text("write JUnit XML to this file", "RESULTS.xml"),
            "--github": {
                "action": argparse.BooleanOptionalAction,
                "help": (
                    "write annotations of GitHub Actions, and the summary of the job (default: where"
                    f" {ON_GITHUB} is true)"
                ),
            },
        },
        check,
        epilog=(
            "A requirement is MEASURE[.low|.high|.width] >= NUMBER [at specificity 0.95 | at threshold 0.3 |"
            " at rule youden] [by COLUMN], with >=, >, <= or <; .low and .high are the ends of its interval;"
            " each group by a column has to meet it."
        ),
        statuses=STATUSES,
    )
}
