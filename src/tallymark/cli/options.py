"""The options of the commands, as data, by their flags; and what is done with a result.

Besides the settings of argparse: `late`, a function that makes the help when it is shown; `either`, the name
of a group of options of which one may be given.
"""

from __future__ import annotations

import argparse
import json
import re
from argparse import Action
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob
from inspect import signature
from pathlib import Path
from typing import Any

import tallymark

from ..input import validate
from ..input.arguments import OPTIONS, CaseArguments
from ..input.errors import PYTHON, Spelling, current
from ..input.results import InFull, Result
from ..input.terminal import progress_bar, shown_on
from ..input.validate import InputError

JUNIT = (".xml", ".junit")  # endings of files of JUnit XML
FLAGS = {
    ("paired", "False"): "--unpaired",
    ("paired", "True"): "no --unpaired",
    ("persons", "(id1, id2)"): "--persons ID1 ID2",
    ("similarity", "False"): "--distance",
    ("similarity", "True"): "no --distance",
}
BRACKETS = {"[": "]", "(": ")"}


class Typed(Spelling):
    """As options. actions: those of the command that is run, by argument."""

    def __init__(self, actions: Mapping[str, Action]):
        self.actions = actions

    def _flag(self, argument: str) -> str:
        if argument in self.actions:
            return max(self.actions[argument].option_strings, key=len, default=argument)
        return OPTIONS[argument].flag if argument in OPTIONS else ""

    def name(self, argument: str) -> str:
        """As the option without its dashes, if there is one."""
        return self._flag(argument).removeprefix("--") or argument

    def option(self, argument: str, written: str) -> str:
        """With its value, or several after each other."""
        if (argument, written) in FLAGS:
            return FLAGS[argument, written]
        option = self._flag(argument) or f"--{argument.replace('_', '-')}"
        settings = OPTIONS[argument].settings if argument in OPTIONS else {}
        if settings.get("action", "append") != "append" or written in ("", "[...]"):
            return option
        if written[:1] in BRACKETS and written.endswith(BRACKETS[written[0]]):
            values = written[1:-1].split(", ")
            several = f" {option} " if written[0] == "[" else " "
            return f"{option} {several.join(values)}"
        return f"{option} {written}"

    def either(self, in_python: str, typed: str) -> str:
        """The second."""
        return typed


@contextmanager
def typed(actions: Iterable[Action]) -> Iterator[None]:
    """While a command with these options runs."""
    with _written(Typed({action.dest: action for action in actions})):
        yield


@contextmanager
def in_python() -> Iterator[None]:
    """For JSON and pages, which are the same whoever makes them."""
    with _written(PYTHON), shown_on(None):
        yield


@contextmanager
def _written(spelling: Spelling) -> Iterator[None]:
    token = current.set(spelling)
    try:
        yield
    finally:
        current.reset(token)


Option = Mapping[str, Any]
Options = Mapping[str, Option]
MOST_DIGITS = 15
POINTS = 101  # of a range of thresholds
CELLS = {"tp": "true positives", "fp": "false positives", "fn": "false negatives", "tn": "true negatives"}
ONE_MODEL = tuple(CaseArguments.__annotations__)
OF_LABELS = ("predicted", "predicted_positive", "not_an_answer", "regression")  # and amounts, not of scores
REFUSED = {"help": argparse.SUPPRESS}  # of an option that the function refuses, with the reason


@dataclass(frozen=True)
class Command:
    """What a command says of itself, the options it takes, and what it does with them.

    examples: calls without the name of the program; statuses: exit statuses of its own; parts: commands of
    its own.
    """

    help: str
    examples: Sequence[str]
    options: Options
    run: Callable[[argparse.Namespace], None]
    epilog: str = ""
    statuses: Mapping[int, str] | None = None
    parts: Mapping[str, tuple[str, Options]] | None = None


# The options
# --------------------------------------------------------------------------------------------------


def files(words: str = "CSV, Parquet or JSON lines, one or several; - for standard input") -> Options:
    """Where the cases are."""
    return {"file": {"nargs": "+", "help": words}}


def cases(names: Iterable[str] = ONE_MODEL, **changes: Option) -> Options:
    """The options that name columns and say what they mean, of the declaration of Python's arguments.

    changes: by argument what this command declares otherwise.
    """
    return {
        OPTIONS[name].flag: {"dest": name, **OPTIONS[name].settings, **changes.get(name, {})}
        for name in names
    }


def without(*names: str) -> tuple[str, ...]:
    """The arguments of the cases of one model, but for some."""
    return tuple(name for name in ONE_MODEL if name not in names)


def flag(words: str, **more: Any) -> Option:
    """An option without a value."""
    return {"action": "store_true", "help": words, **more}


def number(words: str, metavar: str | tuple[str, ...] | None = None, **more: Any) -> Option:
    """An option with a number."""
    return {"type": float, "help": words, **({"metavar": metavar} if metavar else {}), **more}


def text(words: str, metavar: str, **more: Any) -> Option:
    """An option with a text."""
    return {"help": words, "metavar": metavar, **more}


MODELS = {
    "--model": text(
        "a model and the column of its scores, or with --regression of its amounts; repeated, once per model,"
        " and with a column per class once for each column. The first = ends the name",
        "NAME=COLUMN",
        action="append",
    )
}
JSON: Options = {"--json": flag("write JSON, and nothing else, to standard output", either="format")}
REPORT: Options = {
    "--report --out -o": text(
        "write a file of the type of its ending: a page, .html; .json, .csv, .md, .tex, .xlsx, .parquet",
        "PAGE.html",
        dest="report",
    )
}
OUTPUT: Options = {
    **JSON,
    "--markdown": flag(
        "write Markdown, and nothing else: the headline, severe notices and a table, as for a comment",
        either="format",
    ),
    **REPORT,
    "--all": flag("everything: every row, with methods, notes and notices", either="shown"),
    "--names": flag("the names of the catalogue, as roc_auc, in place of titles"),
    "--digits": {"type": int, "metavar": "N", "help": "after the point (default: 3)"},
}
LEVEL: Options = {"--level": number("confidence level of the intervals (default: %(default)s)", default=0.95)}
SEED: Options = {
    "--seed": {"dest": "rng", "type": int, "default": 0, "help": "of the resampling (default: %(default)s)"}
}
DESIGN: Options = {
    "--design": {
        "default": "cohort",
        "help": (
            "cohort (default): the class mix varies from sample to sample; case-control: the class sizes are"
            " fixed"
        ),
    }
}
PARAMETERS: Options = {
    "--set": text(
        "of a measure, as f_beta.beta=0.5; may be repeated",
        "MEASURE.PARAMETER=NUMBER",
        dest="parameters",
        action="append",
        default=[],
    )
}
INTERVALS: Options = {
    **LEVEL,
    "--proportion": text(
        "wilson (default), clopper-pearson, jeffreys, agresti-coull or wald", "METHOD", default="wilson"
    ),
    "--auc-interval": text(
        "delong-logit (default), delong, hanley-mcneil or newcombe", "METHOD", default="delong-logit"
    ),
    **DESIGN,
    **PARAMETERS,
    **SEED,
}
CHOSEN: Options = {
    "--measure": text(
        "only this; may be repeated (default: a few)",
        "NAME",
        dest="measures",
        action="append",
        either="shown",
    )
}
THRESHOLD: Options = {
    "--threshold": number(
        "positive when score >= threshold (default: 0.5 for scores in [0, 1], 0 for logits, else by Youden's"
        " index)"
    ),
    "--rule": {"help": 'choose it here, as youden, f1 or "sensitivity>=0.95" (see tallymark threshold)'},
    "--replicates": {
        "type": int,
        "metavar": "N",
        "help": (
            "splits of the cases into halves, on which the choice is repeated (default: 50), or 0: no"
            " intervals at the threshold"
        ),
    },
}
CELL_OPTIONS: Options = {f"--{name}": number(meaning, "N") for name, meaning in CELLS.items()}


def thresholds_option(words: str) -> Options:
    """The range of a decision curve."""
    return {"--thresholds": number(words, nargs=2, metavar=("LOW", "HIGH"))}


# What they stand for
# --------------------------------------------------------------------------------------------------


def arguments(given: argparse.Namespace, names: Iterable[str] = OPTIONS) -> dict[str, Any]:
    """The arguments of a function that were typed; an option given once stands for its one value."""
    typed = {name: getattr(given, name, None) for name in names}
    found = {
        name: value if "nargs" in getattr(OPTIONS.get(name), "settings", ()) else single(value)
        for name, value in typed.items()
        if value is not None
    }
    return found | ({"parameters": parameters_of(given.parameters)} if "parameters" in found else {})


def call(
    function: Callable[..., Any], given: argparse.Namespace, *data: Any, unit: str = "rows", **more: Any
) -> Any:
    """The result of a function of the library, whose arguments are the options of the same names.

    data: in place of the files; unit: of which the line on a terminal counts; more: further arguments.
    """
    takes = signature(function).parameters
    with progress_bar(unit, None if unit == "rows" else given.replicates) as counted:
        typed = {**arguments(given, takes), **scores_of(given), "progress": counted, **more}
        data = data or ((single(given.file),) if "data" in takes and getattr(given, "file", None) else ())
        return function(*data, **{name: value for name, value in typed.items() if name in {*takes, *more}})


def single(value: Any) -> Any:
    """The value itself where an option that may be repeated was given once."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def scores_of(given: argparse.Namespace) -> dict[str, Any]:
    """The argument that --model stands for: `score`, or `predicted` of amounts.

    Empty without them. Raises InputError.
    """
    if not getattr(given, "model", None):
        return {}
    for name in ("score", "predicted"):
        if getattr(given, name, None):
            raise InputError(
                "conflict",
                "--model",
                "the models are named with their columns",
                f"leave out --{name}, or --model",
            )
    columns: dict[str, list[str]] = {}
    for written in given.model:
        name, equals, column = written.partition("=")
        if not (name and equals and column):
            problem = "names no column" if equals and name else "is not understood"
            raise InputError(
                "invalid-value", "--model", f"{written!r} {problem}", "write NAME=COLUMN, as svm=score_b"
            )
        columns.setdefault(name, []).append(column)
    kind = "predicted" if getattr(given, "regression", None) else "score"
    return {kind: {name: single(several) for name, several in columns.items()}}


def thresholds(given: argparse.Namespace) -> list[float] | None:
    """Thresholds at equal distances in the range; None without one. Raises InputError where it is none."""
    if given.thresholds is None:
        return None
    low, high = given.thresholds
    if not 0 < low < high < 1:
        raise InputError(
            "invalid-value",
            "--thresholds",
            f"{low:g} {high:g} is not a range of thresholds",
            "give LOW and HIGH with 0 < LOW < HIGH < 1",
        )
    return [low + (high - low) * i / (POINTS - 1) for i in range(POINTS)]


def parameters_of(settings: Sequence[str]) -> dict[str, dict[str, float]]:
    """By measure and name. Raises InputError for what is not written MEASURE.PARAMETER=NUMBER."""
    parameters: dict[str, dict[str, float]] = {}
    for written in settings:
        fits = re.fullmatch(r"([\w -]+)\.(\w+)=(.+)", written)
        try:
            parameters.setdefault(fits[1], {})[fits[2]] = float(fits[3])  # type: ignore[index]  # None is caught
        except (TypeError, ValueError):
            raise InputError(
                "invalid-value",
                "--set",
                f"{written!r} is not understood",
                "write MEASURE.PARAMETER=NUMBER, as f_beta.beta=0.5",
            ) from None
    return parameters


def named_numbers(written: Sequence[str], role: str) -> dict[str, float]:
    """The numbers of an option such as NAME=NUMBER by their names. Raises InputError."""
    found = {}
    for one in written:
        name, _, number_ = one.rpartition("=")
        try:
            found[name] = float(number_)
        except ValueError:
            name = ""
        if not name:
            problem = f"{one!r} is not understood"
            raise InputError("invalid-value", role, problem, "write a name and a number, as roc_auc=0.85")
    return found


def table_of_cells(given: argparse.Namespace) -> Any:
    """The counts that were typed, or None without any."""
    cells = arguments(given, CELLS)
    return tallymark.Counts(**cells) if cells else None


def measured(given: argparse.Namespace, **more: Any) -> Any:
    """The evaluation of the cases."""
    return call(tallymark.evaluate, given, **more)


# Results
# --------------------------------------------------------------------------------------------------


def check(given: argparse.Namespace, *more: str, **kinds: Any) -> None:
    """Before the work: can the files be written, and do they spare what is read? Do the options fit?

    more: files that are read in addition to the cases; kinds: by option, the class of the result that is
    written there, the endings of pictures, or None where the work is short.
    """
    if getattr(given, "digits", None) is not None:
        validate.whole(given.digits, "--digits", 1, MOST_DIGITS)
    read = getattr(given, "file", None) or []
    inputs = [read] if isinstance(read, str) else [*read, *more]
    for role, kind in kinds.items():
        path = getattr(given, role, None)
        if path is None:
            continue
        if isinstance(kind, tuple):
            from ..report import files

            files.check(path, role, kind)
        elif kind is not None:
            kind.check_path(path, role)
        spare(path, inputs, role)


def spare(target: str, inputs: Sequence[str], role: str) -> None:
    """What is written must not be what is read, also where a pattern stands for it. Raises InputError."""
    read = [file for path in inputs for file in glob(path, recursive=True) or [path]]
    if any(Path(target).resolve() == Path(file).resolve() for file in read):
        raise InputError("not-written", role, f"{target!r} is the file that is read", "choose another place")


class Shown(Result):
    """What a command shows that no verb returns: its plain values, and what its document is of.

    form: the maker of the document, as `FORM`.
    """

    all = property(InFull)

    def __init__(self, form: str, plain: dict[str, Any], of: Any):
        self.FORM, self.plain, self.of = form, plain, of  # type: ignore[misc]

    def to_dict(self) -> dict[str, Any]:
        """Its plain values."""
        return self.plain


def plain(given: argparse.Namespace) -> bool:
    """Whether standard output is for people, not for a program: text, neither JSON nor Markdown."""
    return not (given.json or getattr(given, "markdown", False))


def answer(result: Any, given: argparse.Namespace) -> str:
    """The JSON, the Markdown or the text of a result."""
    from ..report import output

    if getattr(given, "all", False) and hasattr(result, "all"):
        result = result.all
    if given.json:
        with in_python():
            return json.dumps(result.to_dict(), indent=2, allow_nan=False)
    written = output.markdown if getattr(given, "markdown", False) else output.text
    names, digits = getattr(given, "names", False), getattr(given, "digits", None)
    return written(result, names=names, digits=digits).rstrip("\n")


def write(result: Any, path: str, coarse: int = 0) -> None:
    """To a file."""
    with in_python():
        result.save(path, **({"coarse": coarse} if coarse else {}))


def show(result: Any, given: argparse.Namespace, **files: tuple[str, Callable[[Any], Any]]) -> None:
    """Writes files first: if that fails, nothing is printed. Then the result, and what was written.

    files: by option, what the file is called, and what makes its content of the result.
    """
    for role, (_, content) in files.items():
        if getattr(given, role) is not None:
            write(content(result), getattr(given, role))
    if getattr(given, "report", None) is not None:
        write(result, given.report, getattr(given, "coarse", 0))
    print(answer(result, given))
    if plain(given):
        for role, name in {"report": "Report", **{role: name for role, (name, _) in files.items()}}.items():
            if getattr(given, role, None) is not None:
                print(f"\n{name}: {getattr(given, role)}")


def verb(
    name: str, unit: str = "rows", **files: tuple[str, Callable[[Any], Any]]
) -> Callable[[argparse.Namespace], None]:
    """What a command does that calls one function of the library: checks where files go, calls, shows."""

    def run(given: argparse.Namespace) -> None:
        function = getattr(tallymark, name)
        kind = getattr(tallymark, signature(function).return_annotation)
        check(given, **dict.fromkeys(files, tallymark.Curve), report=kind)
        show(call(function, given, unit=unit), given, **files)

    return run


def picture(result: Any, path: str) -> None:
    """Draws a figure into a file."""
    from ..report.plots import load

    load("matplotlib").use("agg")  # no window is opened
    result.plot().save(path)
