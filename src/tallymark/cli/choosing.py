"""threshold, calibration, advise and bootstrap: one model, looked at in one respect."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from typing import Any

import tallymark

from ..input.errors import InputError
from . import options, progress
from .options import Command, number, text
from .spelling import in_python

DEFAULT_RULE = "youden"
COSTS: options.Options = {
    "--cost-fp": number("of one false positive", "COST"),
    "--cost-fn": number("of one false negative", "COST"),
}


def rules() -> str:
    """The help of --rule."""
    from ..evaluation.thresholds.rules import NAMED

    names = ", ".join(f"{name} (default)" if name == DEFAULT_RULE else name for name in NAMED)
    return (
        f'{names}, a measure of counts, as f1, or constraints, as "sensitivity>=0.95" or "precision>=0.9'
        ' and recall>=0.8", also with an objective, as "f1 where precision>=0.9"; or'
        ' "sensitivity.low>=0.95" on the confidence bound'
    )


def calibration(given: argparse.Namespace) -> None:
    """Checks where the picture goes, measures, shows."""
    if given.how is not None and given.plot is None:
        raise InputError(
            "conflict", "--how", "it is for the curve that --plot writes", "give --plot, or leave it out"
        )
    how: Any = given.how or "equal_width"
    options.verb("calibration", plot=("Reliability curve", lambda result: result.curve(how)))(given)


def advise(given: argparse.Namespace) -> None:
    """Measures, advises, shows."""
    options.check(given, report=tallymark.Advice)
    evaluation = options.measured(given)
    with in_python() if given.json else nullcontext(), progress.bar():  # its sentences are made here
        advice = tallymark.advise(evaluation, need=given.need, cost_fp=given.cost_fp, cost_fn=given.cost_fn)
    options.show(advice, given)


COMMANDS = {
    "threshold": Command(
        "choose a threshold by a rule, and see how far to trust it",
        (
            "threshold cases.csv --truth y --score p --rule f1",
            'threshold cases.csv --truth y --score p --rule "sensitivity>=0.9"',
        ),
        {
            **options.files(),
            **options.cases(
                clusters={"help": "with --replicates 0 only: resamples take every case by itself"}
            ),
            "--rule": {"default": DEFAULT_RULE, "late": rules},
            **COSTS,
            "--prevalence": number("of positives where the classifier will work", "SHARE"),
            "--slope": number("of the ROC curve, for roc_slope"),
            "--k": number("so many are predicted positive, for top_k", "CASES"),
            "--replicates": {
                "type": int,
                "default": 1000,
                "help": "bootstrap resamples, 0 for none (default: %(default)s)",
            },
            **options.CHOSEN,
            **options.INTERVALS,
            **options.OUTPUT,
        },
        options.verb("choose_threshold"),
    ),
    "calibration": Command(
        "check whether predicted probabilities match observed frequencies",
        (
            "calibration cases.csv --truth y --score p",
            "calibration cases.csv --truth y --score p --plot reliability.svg",
        ),
        {
            **options.files(),
            **options.cases(
                options.without(*options.OF_LABELS),
                score_kind={"help": "probability (default), or logit"},
                clusters=options.REFUSED,
            ),
            "--bins": {
                "type": int,
                "default": 10,
                "help": "of the errors and the reliability curve (default: %(default)s)",
            },
            "--hl-groups": {
                "type": int,
                "default": 10,
                "metavar": "N",
                "help": "of equal mass, in Hosmer and Lemeshow's test (default: %(default)s)",
            },
            "--fitted": options.flag("the model was fitted to these same cases"),
            "--how": text("of the curve: equal_width (default), equal_mass or isotonic", "HOW"),
            "--plot": text("write the reliability curve: .svg, .csv, .json or .parquet", "FILE"),
            **options.INTERVALS,
            **options.OUTPUT,
        },
        calibration,
    ),
    "advise": Command(
        "say which measures to use on a file of labels, and which mislead",
        (
            "advise cases.csv --truth y --score p",
            "advise cases.csv --truth y --score p --need decision --cost-fp 1 --cost-fn 5",
        ),
        {
            **options.files(),
            **options.cases(),
            "--need": text(
                "decision, ranking, early_retrieval or probabilities; default: all but early_retrieval",
                "WHAT",
            ),
            **COSTS,
            **options.INTERVALS,
            **options.OUTPUT,
        },
        advise,
    ),
    "bootstrap": Command(
        "intervals of any measure from resampled cases, or clusters of cases",
        (
            "bootstrap cases.csv --truth y --score p --measure roc_auc --measure f1",
            "bootstrap cases.csv --truth y --score p --clusters person --replicates 1000",
        ),
        {
            **options.files(),
            **options.cases(options.without(*options.OF_LABELS, "ordered")),
            "--threshold": number("positive when score >= threshold (default: as in evaluate)"),
            "--measure": text(
                "may be repeated; all: every one (default: a few)", "NAME", dest="measures", action="append"
            ),
            "--method": {"default": "bca", "help": "percentile, basic, bca (default) or studentised"},
            **options.DESIGN,
            "--resampling": text(
                "bootstrap (default) or poisson-bootstrap, faster", "NAME", default="bootstrap"
            ),
            "--replicates": {
                "type": int,
                "default": 1000,
                "metavar": "N",
                "help": "resamples (default: %(default)s)",
            },
            **options.SEED,
            "--threads": {
                "type": int,
                "metavar": "N",
                "help": "default: one per processor; the answer is the same",
            },
            **options.LEVEL,
            **options.PARAMETERS,
            **options.OUTPUT,
        },
        options.verb("bootstrap", "resamples"),
    ),
}
