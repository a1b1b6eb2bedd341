"""compare and roc-points: several models on the same cases."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import tallymark

from ..input.errors import InputError
from ..input.validate import choice
from . import options, progress
from .drawing import PICTURES, say
from .options import Command, number, text

CONFIDENCE, DECISION = "confidence", "decision"
DRAWN = {CONFIDENCE: "Confidence curve", DECISION: "Difference of net benefit"}
UNITS = {"permutation": "permutations"}  # that the line counts


def compare(given: argparse.Namespace) -> None:
    """Checks where the picture goes, compares, shows."""
    options.check(given, *(given.unpaired or ()), plot=tallymark.Curve, report=tallymark.Comparison)
    choice(given.curve, DRAWN, "curve")
    for name in ("band", "thresholds"):
        if getattr(given, name) is not None and given.curve != DECISION:
            raise InputError(
                "conflict", f"--{name}", f"it is for --curve {DECISION}", "add that, or leave it out"
            )
    if given.curve == DECISION and given.plot is None:
        raise InputError("needed", "--curve", "say where it goes, with --plot FILE")
    unit = UNITS.get(given.method, "resamples")
    unpaired = {"paired": False} if given.unpaired else {}
    files = options.single(given.file), *(given.unpaired or ())
    result = options.call(tallymark.compare, given, *files, unit=unit, **unpaired)
    with progress.bar():
        curve = None if given.plot is None else _curve(result, given)
    options.show(result, given, plot=(DRAWN[given.curve], lambda _: curve))
    if curve is not None and options.plain(given):
        say(curve, sys.stdout)


def _curve(result: Any, given: argparse.Namespace) -> Any:
    if given.curve == DECISION:
        return result.curve(DECISION, band=given.band, thresholds=options.thresholds(given))
    if len(result.differences) != 1:
        raise InputError("needed", "--plot", "it shows one difference", "name two models and one --measure")
    return result.differences[0].curve


def roc_points(given: argparse.Namespace) -> None:
    """Measures, writes, draws, shows."""
    options.check(given, report=tallymark.RocPoints, plot=PICTURES)
    several = {column: column for column in given.predicted or ()}
    evaluations = options.measured(given, **({"predicted": several} if several else {}))
    result = tallymark.roc_points(evaluations, level=given.level)
    if given.plot is not None:
        options.picture(result, given.plot)
    options.show(result, given)


COMMANDS = {
    "compare": Command(
        "two models or more: differences with intervals and p-values, tests, agreement",
        (
            "compare cases.csv --truth y --model old=p --model new=q",
            "compare cases.csv --truth y --score p --score q --measure roc_auc --non-inferior-by 0.02",
        ),
        {
            **options.files("CSV, Parquet or JSON lines (- for standard input), with a column per model"),
            **options.cases(
                (*options.ONE_MODEL, "sample"),
                score={
                    "help": (
                        "the scores of a model; repeated, once per model; of a score per class --model names"
                        " the model"
                    )
                },
                predicted={"help": "instead, the predicted labels of a model", "action": "append"},
                clusters={"help": "which cases belong together, as those of a patient"},
                classes={
                    "help": "all classes, with --predicted, or in the order of the columns of each --model"
                },
            ),
            **options.MODELS,
            "--unpaired": text(
                "another file, with other cases, for the next model", "FILE", action="append"
            ),
            "--threshold": number(
                "positive when score >= threshold; one, or repeated, one per model", action="append"
            ),
            "--measure": text(
                "may be repeated (default: a few usual ones)", "NAME", dest="measures", action="append"
            ),
            "--reference": text("the one to compare with (default: the first), or all", "MODEL"),
            "--method": text(
                "auto (default), delong, score, bootstrap, basic-bootstrap or permutation",
                "HOW",
                default="auto",
            ),
            "--adjust": text("holm (default), benjamini-hochberg or none", "HOW", default="holm"),
            "--non-inferior-by": number("is the model worse by less than this?", "MARGIN", either="test"),
            "--equivalent-within": number("do the models differ by less?", "MARGIN", either="test"),
            **options.LEVEL,
            "--replicates": {
                "type": int,
                "default": 2000,
                "help": "bootstrap resamples or permutations (default: %(default)s)",
            },
            **options.DESIGN,
            **options.SEED,
            **options.PARAMETERS,
            "--plot": text("write a curve of two models: .svg, .csv, .json, .parquet", "FILE"),
            "--curve": text(
                "confidence (default), of the only difference; or decision, the difference of net benefit"
                " over a range of thresholds",
                "NAME",
                default=CONFIDENCE,
            ),
            "--band": text("pointwise or simultaneous, of --curve decision", "KIND"),
            **options.thresholds_option("the range of --curve decision (default: 0.01 0.99)"),
            **options.OUTPUT,
        },
        compare,
    ),
    "roc-points": Command(
        "classifiers without scores as points in ROC space, and which dominate which",
        (
            "roc-points cases.csv --truth y --model old=p --model new=q",
            "roc-points cases.csv --truth y --model old=p --model new=q --plot points.png",
        ),
        {
            **options.files(),
            **options.cases(
                (
                    "truth", "predicted", "weight", "weight_kind", "clusters", "positive",
                    "predicted_positive", "not_an_answer", "missing",
                ),
                truth={"required": True},
                predicted={"help": "predicted labels; repeated, once per classifier", "action": "append"},
            ),
            **options.MODELS,
            **options.THRESHOLD,
            **options.LEVEL,
            "--plot": text("draw the points: .png, .svg or .pdf", "FILE"),
            **options.OUTPUT,
        },
        roc_points,
    ),
}  # fmt: skip
