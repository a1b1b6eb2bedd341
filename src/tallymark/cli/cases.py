"""The options that say what the cases are, made of the declaration that Python's arguments are made of."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import Any

from ..input.arguments import OPTIONS, CaseArguments

OF_ONE_MODEL = tuple(CaseArguments.__annotations__)
OF_LABELS = ("predicted", "predicted_positive", "not_an_answer", "regression")  # and amounts, not of scores
FILES = "CSV, Parquet or JSON lines, one or several; - for standard input"
Changes = Mapping[str, Mapping[str, Any]]


def add_files(command: argparse.ArgumentParser, words: str = FILES) -> None:
    """Where the cases are."""
    command.add_argument("file", nargs="+", help=words)


def add(
    command: argparse.ArgumentParser, names: Iterable[str] = OF_ONE_MODEL, changes: Changes | None = None
) -> None:
    """Add the options that name columns and say what they mean.

    names: of the arguments; changes: by argument what this command declares otherwise, for argparse.
    """
    for name in names:
        option, changed = OPTIONS[name], (changes or {}).get(name, {})
        command.add_argument(option.flag, dest=name, **{**option.settings, **changed})


def add_all(
    command: argparse.ArgumentParser, without: Iterable[str] = (), changes: Changes | None = None
) -> None:
    """Files, and the arguments of the cases of one model, but for some."""
    add_files(command)
    add(command, [name for name in OF_ONE_MODEL if name not in without], changes)


def arguments(given: argparse.Namespace) -> dict[str, Any]:
    """The arguments of a `CaseSpec` that were given; an option given once stands for its one value."""
    found = {name: getattr(given, name, None) for name in OPTIONS}
    return {name: _plain(name, value) for name, value in found.items() if value is not None}


def _plain(name: str, value: Any) -> Any:
    return value if "nargs" in OPTIONS[name].settings else single(value)


def single(value: Any) -> Any:
    """The value itself where an option that may be repeated was given once."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def file_of(given: argparse.Namespace) -> Any:
    """One file, or several."""
    return single(given.file)
