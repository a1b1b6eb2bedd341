"""tallymark plan WHAT: how many cases an evaluation needs, and what those at hand can show"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from . import cases, evaluate, options, progress

if TYPE_CHECKING:
    from ..input.results import Result

NAMES = (
    "expected", "width", "at_least", "at_most", "power", "level", "method", "share", "prevalence",
    "assurance", "variance", "spread_ratio", "negatives_per_positive", "first", "second", "correlation",
    "margin", "discordant", "measures", "cluster_size", "icc", "cv", "auc", "logit_normal",
    "probability_beta", "ratio_width", "slope_width", "auc_width", "threshold", "sensitivity", "specificity",
    "net_benefit_width", "design",
)  # fmt: skip
WIDTH = "no wider interval than this, from its low to its high end"
# all others go by their own name
PLANS = {"auc": "roc_auc", "paired-auc": "paired_roc_auc", "unpaired-auc": "unpaired_roc_auc"}
AT_LEAST = "the low end of the interval reaches this"

EXAMPLES = (
    "plan sensitivity --expected 0.9 --width 0.1 --prevalence 0.3",
    "plan present cases.csv --truth y --score p",
)


def add(commands: Any) -> None:
    """Enters the command, and what can be planned."""
    command = commands.add_parser(
        "plan", help="how many cases are needed, and what those at hand can show", examples=EXAMPLES
    )
    goals = command.add_subparsers(dest="goal", metavar="WHAT", required=True)
    for name, where in (
        ("sensitivity", "--prevalence"),
        ("specificity", "--prevalence"),
        ("proportion", "--share"),
    ):
        _add_proportion(_goal(goals, name, f"cases that show a {name}"), where)
    _add_area(_goal(goals, "auc", "cases that show an area under the ROC curve"))
    _add_paired_areas(_goal(goals, "paired-auc", "cases that show which of two models has the larger area"))
    _add_unpaired_areas(_goal(goals, "unpaired-auc", "the same of models that score different cases"))
    _add_paired_proportions(
        _goal(goals, "paired-proportions", "cases that show which of two models is right more often")
    )
    _add_external(
        _goal(
            goals,
            "external-validation",
            "cases that show calibration, area and net benefit of a prediction model",
        )
    )
    _add_present(_goal(goals, "present", "what the cases at hand show, and how many more would be needed"))


def _goal(goals: Any, name: str, words: str) -> argparse.ArgumentParser:
    goal: argparse.ArgumentParser = goals.add_parser(name, help=words, description=words, allow_abbrev=False)
    goal.set_defaults(run=run, parser=goal)
    goal.add_argument("--json", action="store_true", help="write JSON, and nothing else, to standard output")
    return goal


def _number(goal: argparse.ArgumentParser, name: str, words: str, required: bool = False) -> None:
    goal.add_argument(name, type=float, metavar="NUMBER", help=words, required=required)


def _add_proportion(goal: argparse.ArgumentParser, where: str) -> None:
    _number(goal, "--expected", "the proportion", required=True)
    _number(goal, "--width", WIDTH)
    _number(goal, "--at-least", AT_LEAST)
    _number(goal, "--at-most", "the high end of the interval does not go beyond this")
    goal.add_argument(
        "--method", metavar="METHOD", help="of the interval: wilson (default), clopper-pearson, ..."
    )
    of = "of positives" if where == "--prevalence" else "of all cases that belong to those in question"
    _number(goal, where, f"share {of}, for the number of cases to collect")
    _add_chances(goal)


def _add_chances(goal: argparse.ArgumentParser) -> None:
    _number(goal, "--power", "the chance to reach the goal (default: 0.8; with --width none)")
    _number(goal, "--level", "confidence level of the interval (default: 0.95)")
    _number(
        goal,
        "--assurance",
        "how probable it shall be that enough cases of each class come in (default: 0.95)",
    )
    _add_clusters(goal)


def _add_clusters(goal: argparse.ArgumentParser) -> None:
    options.add_design(goal)
    _number(goal, "--cluster-size", "cases in question per cluster, such as a patient, on average")
    _number(goal, "--icc", "correlation of the cases of a cluster")
    _number(goal, "--cv", "standard deviation of the cluster sizes over their mean (default: 0)")


def _add_classes(goal: argparse.ArgumentParser) -> None:
    _number(
        goal,
        "--spread-ratio",
        "standard deviation of the positives' scores over that of the negatives' (default: 1)",
    )
    _number(goal, "--prevalence", "share of positives, where cases are taken as they come")
    _number(goal, "--negatives-per-positive", "where the classes are sampled apart (default: 1)")
    _add_chances(goal)


def _add_area(goal: argparse.ArgumentParser) -> None:
    _number(goal, "--expected", "the area", required=True)
    _number(goal, "--width", WIDTH)
    _number(goal, "--at-least", AT_LEAST)
    _add_variance(goal)
    _add_classes(goal)


def _add_variance(goal: argparse.ArgumentParser) -> None:
    goal.add_argument("--variance", metavar="NAME", help="binormal (default) or hanley-mcneil")


def _add_pair(goal: argparse.ArgumentParser, of: str) -> None:
    _number(goal, "--first", f"{of} of the model that is expected to be better", required=True)
    _number(goal, "--second", f"{of} of the other one", required=True)


def _add_paired_areas(goal: argparse.ArgumentParser) -> None:
    _add_pair(goal, "area")
    words = "of the two models' scores in each class; or two, among positives and among negatives"
    goal.add_argument("--correlation", type=float, nargs="+", metavar="NUMBER", required=True, help=words)
    _number(goal, "--margin", "by which the first may fall short (default: 0)")
    _number(goal, "--width", WIDTH)
    _add_classes(goal)


def _add_unpaired_areas(goal: argparse.ArgumentParser) -> None:
    _add_pair(goal, "area")
    _number(goal, "--margin", "by which the first may fall short (default: 0)")
    _number(goal, "--width", WIDTH)
    _add_variance(goal)
    _add_classes(goal)


def _add_external(goal: argparse.ArgumentParser) -> None:
    _number(goal, "--prevalence", "share of positives (default: the mean of the probabilities)")
    _number(goal, "--auc", "expected area under the ROC curve (default: what the probabilities imply)")
    for name, pair in (("--logit-normal", ("MEAN", "SD")), ("--probability-beta", ("A", "B"))):
        goal.add_argument(
            name,
            type=float,
            nargs=2,
            metavar=pair,
            help="distribution of the probabilities in the population",
        )
    for name, of in (("ratio", "observed/expected"), ("slope", "the calibration slope"), ("auc", "the area")):
        _number(
            goal, f"--{name}-width", f"of the interval of {of} (default: {0.1 if name == 'auc' else 0.2})"
        )
    _number(goal, "--threshold", "of the probability, at which the net benefit is planned for")
    _number(goal, "--sensitivity", "expected there (default: what the probabilities imply)")
    _number(goal, "--specificity", "expected there (default: what the probabilities imply)")
    _number(goal, "--net-benefit-width", "of the interval of the standardised net benefit (default: 0.2)")
    _number(goal, "--level", "confidence level of the intervals (default: 0.95)")
    _add_clusters(goal)


def _add_paired_proportions(goal: argparse.ArgumentParser) -> None:
    _add_pair(goal, "share of right answers")
    _number(
        goal, "--discordant", "share of cases that only one has right (default: as for independent mistakes)"
    )
    goal.add_argument("--method", metavar="METHOD", help="of McNemar's test: mid-p (default) or exact")
    _number(
        goal, "--share", "of all cases that belong to those in question, for the number of cases to collect"
    )
    _add_chances(goal)


def _add_present(goal: argparse.ArgumentParser) -> None:
    cases.add_all(goal)
    evaluate.add_threshold(goal)
    options.add_intervals(goal)
    goal.add_argument(
        "--measure",
        action="append",
        dest="measures",
        metavar="NAME",
        help="may be repeated (default: usual ones)",
    )
    _number(
        goal,
        "--width",
        "of the interval wanted, from its low to its high end (default: half of the present one)",
    )
    _number(goal, "--power", "to detect a difference (default: 0.8)")


def run(given: argparse.Namespace) -> None:
    """Plans, and shows the plan."""
    with progress.bar():
        found = _found(given)
    print(options.answer(found, given))


def _found(given: argparse.Namespace) -> Result:
    from ..studies import planning

    if given.goal == "present":
        asked = {
            name: getattr(given, name)
            for name in ("width", "power", "measures")
            if getattr(given, name) is not None
        }
        return planning.present(evaluate.measured(given), **asked)
    asked = {name: getattr(given, name, None) for name in NAMES}
    plan = getattr(planning, PLANS.get(given.goal, given.goal.replace("-", "_")))
    planned: Result = plan(
        **{name: cases.single(value) for name, value in asked.items() if value is not None}
    )
    return planned
