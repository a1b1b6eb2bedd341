"""--model NAME=COLUMN: several models by name, in evaluate and compare; other commands say why not."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ..input.validate import InputError

OPTION = "--model"
WORDS = (
    "a model and the column of its scores, or with --regression of its amounts; repeated, once per model, and"
    " with a column per class once for each column. The first = ends the name"
)
ONE_ONLY = (
    "this command is of one model: name its column with --score, and run it once for each; evaluate and"
    " compare take several"
)


def add(command: argparse.ArgumentParser) -> None:
    """The option of commands that take several models."""
    command.add_argument(OPTION, action="append", metavar="NAME=COLUMN", help=WORDS)


def refuse(command: Any) -> None:
    """Of a command of scores that takes one model: --model is answered with what to use."""
    known = command._option_string_actions
    if "--score" in known and OPTION not in known:
        command.add_argument(OPTION, action=Refused, help=argparse.SUPPRESS)


class Refused(argparse.Action):
    """Says why the option is not taken."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option_string: str | None = None
    ) -> None:
        raise argparse.ArgumentError(self, ONE_ONLY)


def scores_of(given: argparse.Namespace) -> dict[str, Any]:
    """The argument that these options stand for: `score`, or `predicted` of amounts.

    Empty without them. Raises InputError.
    """
    written = getattr(given, "model", None)
    if not written:
        return {}
    for name in ("score", "predicted"):
        if getattr(given, name, None):
            raise InputError(
                "conflict",
                OPTION,
                "the models are named with their columns",
                f"leave out --{name}, or {OPTION}",
            )
    found: dict[str, list[str]] = {}
    for name, column in map(_parted, written):
        found.setdefault(name, []).append(column)
    kind = "predicted" if getattr(given, "regression", None) else "score"
    return {kind: {name: _single(columns) for name, columns in found.items()}}


def _parted(written: str) -> tuple[str, str]:
    name, equals, column = written.partition("=")
    if equals and name and not column:
        raise InputError(
            "invalid-value", OPTION, f"{written!r} names no column", "write NAME=COLUMN, as svm=score_b"
        )
    if not (name and equals):
        raise InputError(
            "invalid-value", OPTION, f"{written!r} is not understood", "write NAME=COLUMN, as svm=score_b"
        )
    return name, column


def _single(columns: Sequence[str]) -> Any:
    return columns[0] if len(columns) == 1 else list(columns)
