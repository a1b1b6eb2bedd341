"""The command line: `tallymark COMMAND`. Exit status 0 done, 1 a `check` failed, 2 the input or the call is wrong."""

from __future__ import annotations

import argparse
import io
import os
import sys
from typing import NoReturn

from ..kernels.choice import KernelsError
from ..validate import InputError
from . import (
    advise,
    biometric,
    bootstrap,
    calibration,
    check,
    compare,
    counts,
    curve,
    demo,
    evaluate,
    measures,
    plan,
    prevalence,
    threshold,
)
from .options import as_options

COMMANDS = (
    evaluate,
    bootstrap,
    compare,
    curve,
    threshold,
    calibration,
    biometric,
    counts,
    prevalence,
    advise,
    check,
    plan,
    measures,
    demo,
)
DONE, WRONG, INTERRUPTED = 0, 2, 130


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG, f"{self.prog}: error: {message}; see {self.prog} --help\n")


def main(arguments: list[str] | None = None) -> int:
    """Runs one command. Nothing but its result goes to standard output."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows ASCII only still gets its answer
    try:
        options = parser().parse_args(arguments)
        options.run(options)
        print(end="", flush=True)  # also where there is no standard output
    except (InputError, KernelsError) as wrong:
        sentence, *shown = str(wrong).split("\n")  # what is quoted below the sentence stays as it was written
        print("\n".join([f"tallymark: error: {as_options(sentence)}", *shown]), file=sys.stderr)
        return WRONG
    except BrokenPipeError:  # the reader, as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    return getattr(options, "status", DONE)


def parser() -> Parser:
    """The parser of the whole command line; each command adds its own part."""
    whole = Parser(prog="tallymark", description="Evaluate classifiers: every measure, with how sure it is.")
    whole.add_argument("--version", action=Version, help="show the version, and which kernels run")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    for one in commands.choices.values():
        one.allow_abbrev = False  # --class is not --classes
    return whole


class Version(argparse.Action):
    """Says what runs; loads NumPy only when asked."""

    def __init__(self, **given):
        super().__init__(nargs=0, **given)

    def __call__(self, *_):
        import numpy

        from .. import kernels
        from ..version import __version__

        python = ".".join(map(str, sys.version_info[:3]))
        print(f"tallymark {__version__} ({kernels.NAME} kernels, Python {python}, NumPy {numpy.__version__})")
        if kernels.WHY_NOT_NATIVE:
            print(f"NumPy kernels, since {kernels.WHY_NOT_NATIVE}")
        raise SystemExit(DONE)
