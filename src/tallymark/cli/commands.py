"""The commands, and the parser of the whole command line."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from ..input.calls import here_called
from . import DONE, NOT_PASSED, STATUSES, UNDECIDED, WRONG
from .options import JUNIT, Options, typed as typed
from .verbs import COMMANDS

GUESS = "guess"  # runs where a file is given in place of a command


EXAMPLES = (
    "demo",
    "scores.csv",
    "evaluate cases.csv --truth y --score p --report page.html",
)
WIDEST = 74  # characters of a line of an example
NUMBERS: Mapping[Any, str] = {float: "a number, as 0.5", int: "a whole number, as 10"}
NEAR = 0.7  # how alike a misspelled option is to the one that is meant: the share of characters
MOST_NAMED = 3  # commands that have an option


class Parser(argparse.ArgumentParser):
    """An ArgumentParser with errors of one line, options given once, and the exit statuses in its help.

    statuses: those of the command itself, added to the ones of all commands, or in their place. late: by
    option, helps that read a registry; they are made when the help is shown, so that other calls do not load
    it. examples: calls without the name of the program, which are run by tests/cli/test_help_examples.py.
    """

    def __init__(
        self,
        statuses: Mapping[int, str] | None = None,
        epilog: str = "",
        examples: Sequence[str] = (),
        **given: Any,
    ):
        said = ", ".join(
            f"{status} {what}" for status, what in sorted({**STATUSES, **(statuses or {})}.items())
        )
        self.examples = examples
        self.typed: list[str] = []
        self.commands: Mapping[str, argparse.ArgumentParser] = {}
        self.late: dict[argparse.Action, Callable[[], str]] = {}
        super().__init__(epilog=f"{epilog} Exit status: {said}.".strip(), **given)
        self.register("action", None, Once)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As in argparse, but an unknown option is answered with the one that was probably meant."""
        result, strange = self.parse_known_args(args, namespace)
        if strange:
            command = getattr(result, "parser", self)
            renamed = command.renamed(strange)
            if renamed:
                command.complain(renamed)
            option = strange[0].split("=", 1)[0]
            having = [name for name, one in COMMANDS.items() if option in one.options]
            elsewhere = f"; {option} is an option of {', '.join(having[:MOST_NAMED])}" if having else ""
            command.error(f"unrecognized arguments: {' '.join(strange)}{elsewhere}")
        return result

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As in argparse; a command that is not known is answered with the nearest one."""
        self.typed = sys.argv[1:] if args is None else list(args)
        first = self.typed[0] if self.typed else "--"
        if self.commands and (first == "-" or not first.startswith("-")) and first not in self.commands:
            # a path, not a misspelled command
            if first != "-" and not any(sign in first for sign in "./\\*") and not os.path.exists(first):
                from ..input.validate import nearest  # loads NumPy

                names = list(self.commands)
                problem = f"{first!r} is not a command{nearest(first, names)}"
                self.error(f"{problem}; choose from {', '.join(names)}, or give a file")
            return super().parse_known_args([GUESS, *self.typed], namespace)
        option = first.split("=", 1)[0]
        known = any(one.startswith(option) for one in self._option_string_actions)  # or begins one
        if self.commands and option[2:] and option.startswith("-") and not known:
            self.error(f"{option} comes before the command or the file; options come after it")
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        """As in argparse, with the helps that are made late."""
        for option, made in self.late.items():
            option.help = made()
        examples = "".join(f"\n  {_wrapped(f'tallymark {one}')}" for one in self.examples)
        return super().format_help() + (f"\nexamples:{examples}\n" if examples else "")

    def misspelled(self, typed: Sequence[str]) -> str:
        """ "; --truht is not an option (did you mean '--truth'?)" for the first unknown option, or ""."""
        from difflib import get_close_matches

        options = [option[2:] for option in self._option_string_actions if option.startswith("--")]
        unknown = (one[2:].split("=", 1)[0] for one in typed if one.startswith("--"))
        found = ((one, get_close_matches(one, options, 1, NEAR)) for one in unknown if one not in options)
        return next(
            (f"; --{one} is not an option (did you mean '--{near[0]}'?)" for one, near in found if near), ""
        )

    def renamed(self, strange: Sequence[str]) -> str | None:
        """What the first of these options that has another name here is called; None where none has."""
        known = {option.lstrip("-").replace("-", "_"): option for option in self._option_string_actions}
        for option in (one.split("=", 1)[0] for one in strange if one.startswith("--")):
            right = here_called(option[2:].replace("-", "_"), known)
            if right is not None:
                return f"{option}: here it is called {known[right]}"
        return None

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """As in argparse; what is no number is answered in words."""
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            if action.type not in NUMBERS:
                raise
            problem = f"{arg_string!r} is not {NUMBERS[action.type]}"
            raise argparse.ArgumentError(action, problem) from None

    def error(self, message: str) -> NoReturn:
        self.complain(message + self.misspelled(self.typed))

    def complain(self, message: str) -> NoReturn:
        """One line on standard error, and the exit status of a wrong call."""
        line = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in message)
        words = [part for word in self.typed for part in re.split(r"(?<=^--junit)=", word)]
        results = [path for option, path in pairwise(words) if option == "--junit"]
        if self.prog == "tallymark check" and results and results[0].endswith(JUNIT):
            from ..report.ci import of_error
            from ..report.files import write

            write(Path(results[0]).resolve(), "junit", of_error(f"{line}; see {self.prog} --help"))
        self.exit(WRONG, f"{self.prog}: error: {line}; see {self.prog} --help\n")


def _wrapped(call: str) -> str:
    """A call on lines of at most 78 characters, as a shell takes it."""
    lines, words = [""], call.split(" --")
    for word in [words[0], *(f"--{one}" for one in words[1:])]:
        if len(lines[-1]) + len(word) + 1 > WIDEST:
            lines.append(f"    {word}")
        else:
            lines[-1] = f"{lines[-1]} {word}".strip() if len(lines) == 1 else f"{lines[-1]} {word}"
    return " \\\n  ".join(lines)


class Once(argparse.Action):
    """Store a value; an option that is given twice is refused, since one value would be ignored."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        given = namespace.__dict__.setdefault("_given", {})
        if self.dest in given and option_string is not None:
            both = f"{given[self.dest]!r} and {values!r}"
            raise argparse.ArgumentError(self, f"it is given twice, as {both}; give it once")
        given[self.dest] = values
        setattr(namespace, self.dest, values)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options as given; where the first word is a command, only that one has a parser."""
    first = (sys.argv[1:] if arguments is None else arguments)[:1]
    return parser(*first if first and first[0] in COMMANDS else ()).parse_args(arguments)


@cache
def parser(*only: str) -> Parser:
    """The parser of the whole command line, or of these commands only; each command adds its own part."""
    whole = Parser(
        prog="tallymark",
        usage="tallymark [-h] [--version] COMMAND ...\n       tallymark FILE [OPTION ...]",
        description="Evaluate classifiers: every measure, with its uncertainty.",
        epilog="tallymark FILE evaluates a file and guesses its columns.",
        examples=EXAMPLES,
        statuses={NOT_PASSED: "a check failed", UNDECIDED: "a check is undecided"},
    )
    whole.add_argument("--version", action=Version, help="show the version, and which kernels run")
    commands = whole.add_subparsers(prog="tallymark", dest="command", metavar="COMMAND", required=True)
    for name in only or COMMANDS:
        command = COMMANDS[name]
        one = commands.add_parser(
            name,
            help=command.help,
            examples=command.examples,
            statuses=command.statuses,
            epilog=command.epilog,
        )
        fill(one, command.options, command.run)
        if command.parts is not None:
            goals = one.add_subparsers(dest="goal", metavar="WHAT", required=True)
            for goal, (words, own) in command.parts.items():
                fill(goals.add_parser(goal, help=words, description=words), own, command.run)
    whole.commands = commands.choices
    return whole


def fill(command: Any, options: Options, run: Callable[[argparse.Namespace], None]) -> None:
    """Adds the options of a command; a command of the scores of one model says why --model is refused."""
    groups: dict[str, Any] = {}
    for flags, settings in options.items():
        plain = {name: value for name, value in settings.items() if name not in ("late", "either")}
        into = command
        if "either" in settings:
            name = settings["either"]
            into = groups[name] = groups.get(name) or command.add_mutually_exclusive_group()
        action = into.add_argument(*flags.split(), **plain)
        if "late" in settings:
            command.late[action] = settings["late"]
    if "--score" in options and "--model" not in options:
        command.add_argument("--model", action=Refused, help=argparse.SUPPRESS)
    command.allow_abbrev = False  # --class is not --classes
    command.set_defaults(run=run, parser=command)


class Refused(argparse.Action):
    """Says why several models are not taken."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option_string: str | None = None
    ) -> None:
        raise argparse.ArgumentError(
            self,
            "this command is of one model: name its column with --score, and run it once for each; evaluate"
            " and compare take several",
        )


class Version(argparse.Action):
    """Says what runs; loads NumPy only when asked."""

    def __init__(self, **given: Any):
        super().__init__(nargs=0, **given)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        import numpy

        from .. import kernels
        from ..__about__ import __version__

        python = ".".join(map(str, sys.version_info[:3]))
        print(f"tallymark {__version__} ({kernels.NAME} kernels, Python {python}, NumPy {numpy.__version__})")
        if kernels.WHY_NOT_NATIVE:
            print(f"NumPy kernels, since {kernels.WHY_NOT_NATIVE}")
        parser.exit(DONE)
