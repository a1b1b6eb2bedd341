"""The command biometric, of two files or of one with columns for the label and the score."""

from __future__ import annotations

import argparse
from typing import Any

from ..input.errors import InputError
from . import cases, options, progress

COLUMNS = ("truth", "score", "persons", "clusters", "positive", "score_kind", "missing", "where", "memory")
WORDS: cases.Changes = {
    "truth": {"help": "mated or not"},
    "score": {"help": "of a comparison", "action": None},
    "clusters": {"help": argparse.SUPPRESS},  # refused, with the reason
    "positive": {"help": "the label of mated comparisons, where labels are not 0/1 or the like"},
    "score_kind": {"help": "llr: the scores are natural logarithms of likelihood ratios"},
}

EXAMPLES = (
    "biometric cases.csv --truth y --score p --threshold 0.5",
    "biometric --genuine genuine.txt --impostor impostor.txt --det det.csv",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "biometric",
        help="error rates of verification: FMR, FNMR, equal error rate, DET curve",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    command.add_argument(
        "file",
        nargs="*",
        help="CSV, Parquet or JSON lines with labels and scores; or give --genuine and --impostor",
    )
    command.add_argument(
        "--genuine",
        metavar="FILE",
        help="scores of mated comparisons: numbers, one a line, or a file with --score",
    )
    command.add_argument("--impostor", metavar="FILE", help="scores of non-mated comparisons, likewise")
    cases.add(command, COLUMNS, WORDS)
    command.add_argument("--distance", action="store_true", help="a lower score means mated")
    command.add_argument("--threshold", type=float, help="of the system, where FMR and FNMR are reported")
    command.add_argument(
        "--fmr",
        type=float,
        nargs="+",
        metavar="RATE",
        help="at which FNMR is asked for (default: 1e-2 to 1e-6)",
    )
    command.add_argument("--det", metavar="FILE", help="write the DET curve (.csv, .json, .parquet, .svg)")
    options.add_intervals(command)
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def run(given: argparse.Namespace) -> None:
    """Measures, writes the curve, shows."""
    import tallymark

    from ..curves import Curve

    if given.det is not None:
        inputs = [*given.file, *(path for path in (given.genuine, given.impostor) if path)]
        Curve.check_path(given.det, "det")
        options.spare(given.det, inputs, "det")
    same = {name: getattr(given, name) for name in ("threshold", "fmr") if getattr(given, name) is not None}
    arguments = {**_comparisons(given), **same, **options.intervals(given)}
    with progress.bar():
        found = tallymark.biometric(*arguments.pop("data", []), similarity=not given.distance, **arguments)
    if given.det is not None:
        options.write(found.curve("det"), given.det)
    print(options.answer(found, given))
    if given.det is not None and not given.json:
        print(f"\nDET curve: {given.det}")


def _comparisons(given: argparse.Namespace) -> dict[str, Any]:
    two = {role: getattr(given, role) for role in ("genuine", "impostor")}
    if bool(given.file) == any(two.values()):
        raise InputError(
            "needed", "file", "give one file with --truth and --score, or both --genuine and --impostor"
        )
    if given.file:
        if given.truth is None or given.score is None:
            raise InputError("needed", "truth, score", "name the columns of the labels and of the scores")
        return {"data": [cases.file_of(given)], **cases.arguments(given)}
    if given.persons is not None:
        raise InputError(
            "needed",
            "--persons",
            "it names two columns of one file",
            "give that file with --truth and --score",
        )
    for name in ("truth", "positive"):
        if getattr(given, name) is not None:
            raise InputError(
                "conflict", f"--{name}", "the two files say which comparisons are mated", "leave it out"
            )
    missing = [f"--{role}" for role, path in two.items() if path is None]
    if missing:
        raise InputError(
            "needed", missing[0], "it is missing", "give the scores of both kinds of comparisons"
        )
    kept = {name: value for name, value in cases.arguments(given).items() if name != "score"}
    return {role: _scores(path, role, given.score) for role, path in two.items()} | kept


def _scores(path: str, role: str, column: str | None) -> Any:
    """The numbers of a file: one a line, or a column of it."""
    from ..input import columns, sources
    from ..input.sources import lists

    if column is None:
        return lists.numbers(path, role)
    found = [batch[role] for batch in sources.read(path, {role: column}, amounts=[role]).batches]
    for batch in found:
        if batch.gaps().any():
            raise InputError(
                "missing-value",
                role,
                f"a score is missing in {batch.row(int(batch.gaps().argmax()))} of {path}",
                "give one for each",
            )
    return columns.joined(found)
