"""tallymark evaluate FILE --truth COLUMN --score COLUMN"""

from __future__ import annotations

import argparse
from typing import Any

from ..input.errors import InputError
from . import cases, models, options, progress

EXAMPLES = (
    "evaluate cases.csv --truth y --score p",
    "evaluate cases.csv --truth y --model old=p --model new=q --report page.html",
    "evaluate cases.csv --truth y --score p --by site --fairness",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "evaluate",
        help="measure a file of labels and scores, or of labels and predicted labels",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    cases.add_all(command)
    models.add(command)
    command.add_argument(
        "--class-weight",
        action="append",
        metavar="LABEL=WEIGHT",
        help="in place of --weight: balanced, or the weight of the cases of a class, once for each",
    )
    add_groups(command)
    add_threshold(command)
    add_measures(command)
    options.add_intervals(command)
    options.add_output(command)


def add_groups(command: argparse.ArgumentParser) -> None:
    """Which groups of cases have a row each."""
    cases.add(command, ["by", "fold"])
    command.add_argument(
        "--reference",
        metavar="NAME",
        help="the model, or with --by the group, to compare with (default: the best, or all cases)",
    )
    command.add_argument(
        "--fairness",
        action="store_true",
        help="with --by: criteria of fairness between the groups, as differences and ratios",
    )
    command.add_argument(
        "--guideline",
        metavar="NAME",
        help="write a paragraph as stard (diagnostic accuracy) or tripod+ai (prediction models) asks for it",
    )


def add_measures(command: argparse.ArgumentParser) -> None:
    """Which measures are shown, and how."""
    chosen = command.add_mutually_exclusive_group()
    chosen.add_argument(
        "--measure",
        action="append",
        metavar="NAME",
        help="only this; may be repeated (default: a few)",
    )
    chosen.add_argument("--all", action="store_true", help="every measure, with the method of its interval")
    add_style(command)


def add_style(command: argparse.ArgumentParser) -> None:
    """How the measures are written."""
    command.add_argument(
        "--names", action="store_true", help="the names of the catalogue, as roc_auc, in place of titles"
    )
    command.add_argument("--digits", type=int, metavar="N", help="after the point (default: 3)")


def add_threshold(command: argparse.ArgumentParser) -> None:
    """Where the scores become decisions."""
    command.add_argument(
        "--threshold",
        type=float,
        help=(
            "positive when score >= threshold (default: 0.5 for scores in [0, 1], 0 for logits, else by"
            " Youden's index)"
        ),
    )
    command.add_argument(
        "--rule", help='choose it here, as youden, f1 or "sensitivity>=0.95" (see tallymark threshold)'
    )
    command.add_argument(
        "--replicates",
        type=int,
        metavar="N",
        help=(
            "splits of the cases into halves, on which the choice is repeated (default: 50), or 0: no"
            " intervals at the threshold"
        ),
    )


def run(given: argparse.Namespace) -> None:
    """Checks where the report goes, measures, shows."""
    options.check_output(given, given.file)
    found = measured(given, given.measure)
    if given.fairness:
        found = fairness_of(found, given)
    elif given.guideline is not None:
        from ..evaluation.reporting.guidelines import reporting_paragraph

        found = reporting_paragraph(found, guideline=given.guideline)
    else:
        options.show(found, given)
        return
    if given.report is not None:
        options.write(found, given.report)
    print(options.answer(found, given))


def fairness_of(found: Any, given: argparse.Namespace) -> Any:
    """The criteria of fairness between groups. Raises InputError without groups."""
    if given.by is None:
        problem = "the criteria are of groups of cases"
        raise InputError("needed", "by", problem, "name their column with --by")
    if given.model is not None and len(given.model) > 1:
        problem = "the criteria are of one model, and several are named"
        raise InputError("conflict", "fairness", problem, "name its column with --score")
    return found.fairness


def measured(given: argparse.Namespace, measures: list[str] | None = None) -> Any:
    """The evaluation of the cases, with these measures or all."""
    import tallymark

    with progress.bar() as counted:
        return tallymark.evaluate(
            cases.file_of(given),
            **cases.arguments(given),
            **models.scores_of(given),
            **decided(given),
            measures=measures,
            reference=getattr(given, "reference", None),
            class_weight=_class_weight(given),
            progress=counted,
            **options.intervals(given),
        )


def _class_weight(given: argparse.Namespace) -> Any:
    """The argument of `evaluate`: a name, or the weights by label. Raises InputError."""
    written = getattr(given, "class_weight", None)
    if written is None or (len(written) == 1 and "=" not in written[0]):
        return None if written is None else written[0]
    found: dict[str, float] = {}
    for one in written:
        label, _, weight = one.rpartition("=")
        try:
            found[label] = float(weight)
        except ValueError:
            problem = f"{one!r} is not understood"
            raise InputError(
                "invalid-value", "class_weight", problem, "write LABEL=WEIGHT, as sick=5"
            ) from None
    return found


def decided(given: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `evaluate` that say where scores become decisions."""
    names = ("threshold", "rule", "replicates")
    return {name: getattr(given, name) for name in names if getattr(given, name, None) is not None}
