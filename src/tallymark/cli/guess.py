"""tallymark FILE: the columns are guessed, and the command that names them is shown."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ..input.arguments import OPTIONS
from ..input.errors import InputError
from ..input.sources.tally import ENDING
from ..input.text import paragraph
from . import cases, evaluate, options

NAME = "guess"
REVERSED = ("auc-below-half", "class-auc-below-half", "agreement-below-chance")

EXAMPLES = ("guess scores.csv",)


def add(commands: Any) -> None:
    """Enters the command, which `tallymark FILE` runs, too."""
    command = commands.add_parser(
        NAME, help="evaluate a file, and guess its columns: short, tallymark FILE", examples=EXAMPLES
    )
    command.set_defaults(run=run)
    cases.add_files(command, "a file; its columns are guessed from their names and first rows")
    cases.add(command)
    evaluate.add_threshold(command)
    evaluate.add_measures(command)
    options.add_intervals(command)
    options.add_output(command)


def run(given: argparse.Namespace) -> None:
    """Guesses, measures, shows, and says which columns were taken."""
    from ..input.guess import guess
    from ..input.sources.peek import peek

    options.check_output(given, given.file)
    if given.file[0].endswith(ENDING):
        return options.show(evaluate.measured(given, given.measure), given)
    if len(given.file) > 1:
        raise InputError("needed", "truth", "the columns of one file are guessed, not of several", ADVICE)
    try:
        taken = guess(peek(given.file[0]), cases.arguments(given))
    except InputError as reason:
        raise _with_advice(reason) from None
    for name, value in taken.arguments.items():
        setattr(given, name, [value] if name == "score" and isinstance(value, str) else value)
    found = evaluate.measured(given, given.measure)
    _check_direction(found, taken.arguments)
    options.show(found, given)
    if taken.arguments:
        said = _said(taken.arguments, taken.unused, given)
        print(said, file=sys.stdout if options.plain(given) else sys.stderr)


ADVICE = "name the columns, as in tallymark evaluate FILE --truth y --score p"


def _with_advice(reason: InputError) -> InputError:
    """The same, with the command that does not guess."""
    if reason.code != "ambiguous":
        return reason
    remedy = f"{reason.remedy} (tallymark evaluate FILE --truth COLUMN --score COLUMN)"
    return InputError("ambiguous", None, reason.problem, remedy)


def _check_direction(found: Any, taken: Mapping[str, Any]) -> None:
    """Refuses guessed columns that rank the classes the wrong way round: of another class, or reversed."""
    wrong = next((notice for notice in found.notices if notice.code in REVERSED), None)
    if wrong is not None and not {"truth", "score", "predicted"}.isdisjoint(taken):
        columns = ", ".join(str(taken[name]) for name in ("truth", "score", "predicted") if name in taken)
        raise InputError(
            "ambiguous",
            None,
            f"the columns that were guessed ({columns}) seem to be of another class, or reversed"
            f" ({wrong.code})",
            f"if they are right, {ADVICE}",
        )


def _said(taken: Mapping[str, Any], unused: Sequence[str], given: argparse.Namespace) -> str:
    """Which columns were taken, and the command that says so."""
    columns = ", ".join(f"{name} {_listed(value)}" for name, value in taken.items())
    rest = f"; not used: {', '.join(unused)}" if unused else ""
    command = shlex.join(["tallymark", "evaluate", *given.parser.typed, *_typed(taken)])
    said = paragraph(f"Guessed: {columns}{rest}. To choose other columns, change this command:", first="")
    return f"\n{said}\n{command}"


def _listed(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else "yes" if value is True else str(value)


def _typed(taken: Mapping[str, Any]) -> list[str]:
    """The arguments as options."""
    found: list[str] = []
    for name, value in taken.items():
        for one in value if isinstance(value, list) else [value]:
            found += [OPTIONS[name].flag, *([] if one is True else [str(one)])]
    return found
