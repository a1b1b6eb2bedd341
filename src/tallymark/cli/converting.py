"""tallymark convert sigmoid FILE --score COLUMN -o converted.csv"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import tallymark

from ..input.errors import InputError
from ..input.results import Tabular, Writers
from . import options
from .options import Command, number, text

if TYPE_CHECKING:
    from ..input.columns import Column

# by conversion: whether it takes a column per class, and the options that are its own
KINDS: dict[str, tuple[bool, tuple[str, ...]]] = {
    "sigmoid": (False, ()),
    "linear": (False, ("low", "high")),
    "softmax": (True, ()),
    "labels": (False, ("threshold", "margin", "labels", "ambiguous_label")),
    "argmax": (True, ("margin", "classes", "ambiguous_label")),
}
PROBABILITY = "probability"
FUNCTIONS = {"labels": "to_labels"}  # of other names


@dataclass(frozen=True, slots=True)
class _Converted(Tabular):
    """The columns of a file, and the new ones, to be written as a file of the same kind."""

    WRITERS: ClassVar[Writers] = {".csv": "csv", ".parquet": "parquet", ".xlsx": "excel"}

    columns: Mapping[str, Any]

    @property
    def _columns(self) -> Mapping[str, Any]:
        return self.columns

    def to_dict(self) -> dict[str, Any]:
        """The values by column."""
        return dict(self.columns)


def convert(given: argparse.Namespace) -> None:
    """Reads the whole file, converts, and writes its columns with the new ones."""
    from ..report.files import as_csv

    options.check(given, out=_Converted)
    asked = _asked(given)
    read, scores = _read(given)
    new = _new(given, scores, asked)
    if twice := sorted(set(new) & set(read)):
        problem = f"the file has a column {twice[0]!r} already"
        raise InputError("repeated", "--name", problem, "give another name")
    found = _Converted(read | new)
    if given.out is None:
        print(as_csv(found), end="")
    else:
        options.write(found, given.out)
        ambiguous = f"; {int(new['ambiguous'].sum())} ambiguous" if "ambiguous" in new else ""
        rows = len(next(iter(new.values())))
        print(f"{given.out}: {rows} rows, with {', '.join(new)}{ambiguous}")


def _asked(given: argparse.Namespace) -> dict[str, Any]:
    """The options that were given.

    Raises InputError for those of another conversion, and for a wrong number of columns.
    """
    several, own = KINDS[given.kind]
    asked = {
        name: getattr(given, name)
        for _, own in KINDS.values()
        for name in own
        if getattr(given, name) is not None
    }
    for name in asked:
        if name not in own:
            of = ", ".join(kind for kind, (_, theirs) in KINDS.items() if name in theirs)
            problem = f"it is an option of {of}, not of {given.kind}"
            raise InputError("conflict", f"--{name.replace('_', '-')}", problem, "leave it out")
    if several == (len(given.score) == 1):
        problem = f"{given.kind} takes {'a column per class, two at least' if several else 'one column'}"
        way = (
            "repeat --score, once for each class"
            if several
            else "give --score once, or use softmax or argmax"
        )
        raise InputError("needed", "--score", problem, way)
    return asked


def _read(given: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Column]]:
    """Every column of the file by name, as values with None for missing ones; and those of the scores."""
    from ..input import columns, sources
    from ..input.guess import peek
    from ..probability.convert import refuse_gaps

    names = dict.fromkeys([*peek(given.file), *given.score])
    roles = {name: f"column {i}" for i, name in enumerate(names)}
    several = enumerate(given.score, 1)
    roles |= {name: "score" if len(given.score) == 1 else f"score {i}" for i, name in several}
    source = sources.read(given.file, {role: name for name, role in roles.items()})
    parts: list[Mapping[str, Column]] | None = None
    while parts is None:
        try:
            parts = list(source.batches)
        except sources.StartOver:  # later labels have another type
            continue
    scores = {name: [part[roles[name]] for part in parts] for name in given.score}
    for one in (one for several in scores.values() for one in several):
        refuse_gaps(one)
    values = {
        name: [
            None if gap else value
            for part in parts
            for value, gap in zip(part[role].values.tolist(), part[role].gaps().tolist(), strict=True)
        ]
        for name, role in roles.items()
    }
    return values, {name: columns.joined(several) for name, several in scores.items()}


def _new(given: argparse.Namespace, scores: Mapping[str, Column], asked: dict[str, Any]) -> dict[str, Any]:
    """The new columns by name."""
    import numpy as np

    several, _ = KINDS[given.kind]
    function = getattr(tallymark.convert, FUNCTIONS.get(given.kind, given.kind))
    columns = [*scores.values()]
    classes = {"classes": list(scores)} if given.kind == "argmax" else {}
    found = function(
        np.stack([one.values for one in columns], axis=1) if several else columns[0], **{**classes, **asked}
    )
    if hasattr(found, "ambiguous"):
        return {given.name or "label": found.labels, "ambiguous": found.ambiguous.astype(int)}
    start = given.name or PROBABILITY
    return {f"{start}_{name}": found[:, i] for i, name in enumerate(scores)} if several else {start: found}


COMMANDS = {
    "convert": Command(
        "scores of a file to probabilities, or probabilities to labels, as new columns",
        (
            "convert sigmoid cases.csv --score p -o probabilities.csv",
            "convert linear cases.csv --score p --low 0 --high 1 --name share",
            "convert labels cases.csv --score p --threshold 0.3 --margin 0.05",
            "convert softmax cases.csv --score p --score q -o classes.parquet",
        ),
        {
            "kind": {"metavar": "KIND", "choices": list(KINDS), "help": ", ".join(KINDS)},
            "file": {"help": "CSV, Parquet or JSON lines, with any columns; - for standard input"},
            "--score": text(
                "the column to convert; repeated for softmax and argmax: one per class",
                "COLUMN",
                action="append",
                required=True,
            ),
            "--low": number("of linear: the lowest score that is possible"),
            "--high": number("of linear: the highest score that is possible"),
            "--threshold": number("of labels: positive from there on (default: 0.5)"),
            "--margin": number("of labels and argmax: how near a decision is ambiguous (default: 0)"),
            "--labels": text("of labels: the negative, the positive (default: 0 1)", "LABEL", nargs=2),
            "--classes": text("of argmax: of the columns (default: their names)", "LABEL", nargs="+"),
            "--ambiguous-label": text("ambiguous cases get this label instead", "LABEL"),
            "--name": text(
                "of the new column (default: probability or label); of softmax, how the new ones begin",
                "COLUMN",
            ),
            "-o --out": text(".csv, .parquet or .xlsx; without it CSV on standard output", "FILE"),
        },
        convert,
    )
}
