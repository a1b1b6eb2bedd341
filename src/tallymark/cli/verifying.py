"""biometric and identify: comparisons of persons."""

from __future__ import annotations

import argparse
from operator import attrgetter, methodcaller
from typing import Any

import tallymark

from ..input.errors import InputError
from . import options
from .options import Command, number, text

TWO_FILES = ("genuine", "impostor")


def biometric(given: argparse.Namespace) -> None:
    """Measures, writes the curve, shows."""
    pair = [path for path in (given.genuine, given.impostor) if path]
    options.check(given, *pair, det=tallymark.Curve, report=tallymark.BiometricEvaluation)
    files = {role: path for role in TWO_FILES if (path := getattr(given, role)) is not None}
    scores = {role: _scores(path, role, given.score) for role, path in files.items()}
    if scores and given.persons is not None:
        way = "give that file with --truth and --score"
        raise InputError("needed", "--persons", "it names two columns of one file", way)
    own: dict[str, Any] = {"score": None} if scores else {}  # names their columns
    data = [options.single(given.file)] if given.file else [None]
    result = options.call(tallymark.biometric, given, *data, **scores, **own)
    options.show(result, given, det=("DET curve", methodcaller("curve", "det")))


def _scores(path: str, role: str, column: str | None) -> Any:
    """The numbers of a file: one a line, or a column of it."""
    from ..input import columns, sources
    from ..input.sources import lists

    if column is None:
        return lists.numbers(path, role)
    scores = [batch[role] for batch in sources.read(path, {role: column}, amounts=[role]).batches]
    for batch in scores:
        if batch.gaps().any():
            row = batch.row(int(batch.gaps().argmax()))
            raise InputError(
                "missing-value", role, f"a score is missing in {row} of {path}", "give one for each"
            )
    return columns.joined(scores)


def identify(given: argparse.Namespace) -> None:
    """Measures, writes, shows."""
    if given.clusters is not None:
        problem = "the intervals of an identification assume independent samples"
        raise InputError("unsupported", "clusters", problem, "leave it out")
    options.verb(
        "identification",
        plot=("Rates against the threshold", attrgetter("curve")),
        cmc=("Cumulative match curve", attrgetter("cmc")),
    )(given)


COMMANDS = {
    "biometric": Command(
        "error rates of verification: FMR, FNMR, equal error rate, DET curve",
        (
            "biometric cases.csv --truth y --score p --threshold 0.5",
            "biometric --genuine genuine.txt --impostor impostor.txt --det det.csv",
        ),
        {
            "file": {
                "nargs": "*",
                "help": "CSV, Parquet or JSON lines with labels and scores; or give --genuine and --impostor",
            },
            "--genuine": text(
                "scores of mated comparisons: numbers, one a line, or a file with --score", "FILE"
            ),
            "--impostor": text("scores of non-mated comparisons, likewise", "FILE"),
            **options.cases(
                (
                    "truth", "score", "persons", "clusters", "positive", "score_kind", "missing", "where",
                    "memory",
                ),
                truth={"help": "mated or not"},
                score={"help": "of a comparison", "action": None},
                clusters=options.REFUSED,
                positive={"help": "the label of mated comparisons, where labels are not 0/1 or the like"},
                score_kind={"help": "llr: the scores are natural logarithms of likelihood ratios"},
            ),
            "--distance": {
                "dest": "similarity",
                "action": "store_const",
                "const": False,
                "help": "a lower score means mated",
            },
            "--threshold": number("of the system, where FMR and FNMR are reported"),
            "--fmr": number("at which FNMR is asked for (default: 1e-2 to 1e-6)", "RATE", nargs="+"),
            "--det": text("write the DET curve (.csv, .json, .parquet, .svg)", "FILE"),
            **options.INTERVALS,
            **options.OUTPUT,
        },
        biometric,
    ),
    "identify": Command(
        "identification with rejection: the person with the highest score, or nobody",
        (
            "identify cases.csv --truth site --score p --score q --classes n s --threshold 0.5",
            "identify cases.csv --truth site --score p --score q --classes n x --plot rates.svg",
        ),
        {
            **options.files(),
            **options.cases(
                ("truth", "score", "classes", "clusters", "missing"),
                truth={
                    "required": True,
                    "help": "the person of each sample; who has no column is not enrolled",
                },
                score={
                    "required": True,
                    "help": "the similarity to an enrolled person; repeated, once for each",
                },
                clusters=options.REFUSED,
                classes={"help": "the persons of the columns, in their order (default: their names)"},
            ),
            "--threshold": number("below it a sample is rejected (default: none is)"),
            **options.LEVEL,
            "--plot": text(
                "write the rates against the threshold: .svg, .csv, .json or .parquet", "FILE"
            ),
            "--cmc": text(
                "write the identification rate within each rank: .svg, .csv, .json, ...", "FILE"
            ),
            **options.OUTPUT,
        },
        identify,
    ),
}  # fmt: skip
