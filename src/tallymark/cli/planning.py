"""plan WHAT: how many cases an evaluation needs, and what those at hand can show."""

from __future__ import annotations

import argparse

import tallymark

from . import options
from .options import Command, number, text

WIDTH = "no wider interval than this, from its low to its high end"
AT_LEAST = "the low end of the interval reaches this"
# all others go by their own name
PLANS = {"auc": "roc_auc", "paired-auc": "paired_roc_auc", "unpaired-auc": "unpaired_roc_auc"}


def plan(given: argparse.Namespace) -> None:
    """Plans, and shows the plan."""
    options.check(given, report=None)
    if given.goal == "present":
        evaluation = options.measured(given, measures=None)
        result = options.call(tallymark.planning.present, given, evaluation)
    else:
        function = getattr(tallymark.planning, PLANS.get(given.goal, given.goal.replace("-", "_")))
        result = options.call(function, given)
    options.show(result, given)


def _number(words: str, **more: object) -> options.Option:
    return number(words, "NUMBER", **more)


CLUSTERS: options.Options = {
    **options.DESIGN,
    "--cluster-size": _number("cases in question per cluster, such as a patient, on average"),
    "--icc": _number("correlation of the cases of a cluster"),
    "--cv": _number("standard deviation of the cluster sizes over their mean (default: 0)"),
}
CHANCES: options.Options = {
    "--power": _number("the chance to reach the goal (default: 0.8; with --width none)"),
    "--level": _number("confidence level of the interval (default: 0.95)"),
    "--assurance": _number(
        "how probable it shall be that enough cases of each class come in (default: 0.95)"
    ),
    **CLUSTERS,
}
CLASSES: options.Options = {
    "--spread-ratio": _number(
        "standard deviation of the positives' scores over that of the negatives' (default: 1)"
    ),
    "--prevalence": _number("share of positives, where cases are taken as they come"),
    "--negatives-per-positive": _number("where the classes are sampled apart (default: 1)"),
    **CHANCES,
}
VARIANCE: options.Options = {"--variance": text("binormal (default) or hanley-mcneil", "NAME")}
MARGIN: options.Options = {"--margin": _number("by which the first may fall short (default: 0)")}
AREAS: options.Options = {
    "--first": _number("area of the model that is expected to be better", required=True),
    "--second": _number("area of the other one", required=True),
}
IMPLIED = "expected there (default: what the probabilities imply)"


def _proportion(option: str, of: str) -> options.Options:
    return {
        "--expected": _number("the proportion", required=True),
        "--width": _number(WIDTH),
        "--at-least": _number(AT_LEAST),
        "--at-most": _number("the high end of the interval does not go beyond this"),
        "--method": text("of the interval: wilson (default), clopper-pearson, ...", "METHOD"),
        option: _number(f"share {of}, for the number of cases to collect"),
        **CHANCES,
    }


IN_QUESTION = "of all cases that belong to those in question"
GOALS: dict[str, tuple[str, options.Options]] = {
    "sensitivity": ("cases that show a sensitivity", _proportion("--prevalence", "of positives")),
    "specificity": ("cases that show a specificity", _proportion("--prevalence", "of positives")),
    "proportion": ("cases that show a proportion", _proportion("--share", IN_QUESTION)),
    "auc": (
        "cases that show an area under the ROC curve",
        {
            "--expected": _number("the area", required=True),
            "--width": _number(WIDTH),
            "--at-least": _number(AT_LEAST),
            **VARIANCE,
            **CLASSES,
        },
    ),
    "paired-auc": (
        "cases that show which of two models has the larger area",
        {
            **AREAS,
            "--correlation": _number(
                "of the two models' scores in each class; or two, among positives and among negatives",
                nargs="+",
                required=True,
            ),
            **MARGIN,
            "--width": _number(WIDTH),
            **CLASSES,
        },
    ),
    "unpaired-auc": (
        "the same of models that score different cases",
        {**AREAS, **MARGIN, "--width": _number(WIDTH), **VARIANCE, **CLASSES},
    ),
    "paired-proportions": (
        "cases that show which of two models is right more often",
        {
            "--first": _number(
                "share of right answers of the model that is expected to be better", required=True
            ),
            "--second": _number("share of right answers of the other one", required=True),
            "--discordant": _number(
                "share of cases that only one has right (default: as for independent mistakes)"
            ),
            "--method": text("of McNemar's test: mid-p (default) or exact", "METHOD"),
            "--share": _number(f"{IN_QUESTION}, for the number of cases to collect"),
            **CHANCES,
        },
    ),
    "external-validation": (
        "cases that show calibration, area and net benefit of a prediction model",
        {
            "--prevalence": _number("share of positives (default: the mean of the probabilities)"),
            "--auc": _number("expected area under the ROC curve (default: what the probabilities imply)"),
            **{
                option: number("distribution of the probabilities in the population", nargs=2, metavar=pair)
                for option, pair in (("--logit-normal", ("MEAN", "SD")), ("--probability-beta", ("A", "B")))
            },
            "--ratio-width": _number("of the interval of observed/expected (default: 0.2)"),
            "--slope-width": _number("of the interval of the calibration slope (default: 0.2)"),
            "--auc-width": _number("of the interval of the area (default: 0.1)"),
            "--threshold": _number("of the probability, at which the net benefit is planned for"),
            "--sensitivity": _number(IMPLIED),
            "--specificity": _number(IMPLIED),
            "--net-benefit-width": _number("of the interval of the standardised net benefit (default: 0.2)"),
            "--level": _number("confidence level of the intervals (default: 0.95)"),
            **CLUSTERS,
        },
    ),
    "present": (
        "what the cases at hand show, and how many more would be needed",
        {
            **options.files(),
            **options.cases(),
            **options.THRESHOLD,
            **options.INTERVALS,
            "--measure": text(
                "may be repeated (default: usual ones)", "NAME", dest="measures", action="append"
            ),
            "--width": _number(
                "of the interval wanted, from its low to its high end (default: half of the present one)"
            ),
            "--power": _number("to detect a difference (default: 0.8)"),
        },
    ),
}
COMMANDS = {
    "plan": Command(
        "how many cases are needed, and what those at hand can show",
        (
            "plan sensitivity --expected 0.9 --width 0.1 --prevalence 0.3",
            "plan present cases.csv --truth y --score p",
        ),
        {},
        plan,
        parts={name: (words, {**own, **options.OUTPUT}) for name, (words, own) in GOALS.items()},
    )
}
