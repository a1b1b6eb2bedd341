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
    scores = _comparisons(given)
    result = options.call(tallymark.biometric, given, *([None] if scores else []), **scores)
    options.show(result, given, det=("DET curve", methodcaller("curve", "det")))


def _comparisons(given: argparse.Namespace) -> dict[str, Any]:
    """The scores of two files; none where there is one file."""
    pair = {role: getattr(given, role) for role in TWO_FILES}
    if bool(given.file) == any(pair.values()):
        raise InputError(
            "needed", "file", "give one file with --truth and --score, or both --genuine and --impostor"
        )
    if given.file:
        if given.truth is None or given.score is None:
            raise InputError("needed", "truth, score", "name the columns of the labels and of the scores")
        return {}
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
    missing = [f"--{role}" for role, path in pair.items() if path is None]
    if missing:
        raise InputError(
            "needed", missing[0], "it is missing", "give the scores of both kinds of comparisons"
        )
    scores = {role: _scores(path, role, given.score) for role, path in pair.items()}
    return {"score": None, **scores}


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
