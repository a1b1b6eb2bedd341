"""Options that several commands share, and what is done with their result."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from glob import glob
from pathlib import Path
from typing import Any

from ..validate import InputError


def add_output(command: argparse.ArgumentParser) -> None:
    """--json and --report."""
    command.add_argument("--json", action="store_true", help="write JSON, and nothing else, to standard output")
    command.add_argument("--report", metavar="PAGE.html", help="write a page (.html), or the JSON (.json), to this file")


def add_intervals(command: argparse.ArgumentParser) -> None:
    """How intervals are made."""
    command.add_argument("--level", type=float, default=0.95, help="confidence level of the intervals (default: %(default)s)")
    command.add_argument(
        "--proportion",
        default="wilson",
        metavar="METHOD",
        help="wilson (default), clopper-pearson, jeffreys, agresti-coull or wald",
    )
    command.add_argument(
        "--auc-interval", default="delong-logit", metavar="METHOD", help="delong-logit (default), delong, hanley-mcneil or newcombe"
    )
    command.add_argument(
        "--resampling", default="bayesian-bootstrap", metavar="METHOD", help="bayesian-bootstrap (default) or bootstrap"
    )
    add_design(command)
    add_parameters(command)
    command.add_argument("--seed", type=int, default=0, help="of the resampling (default: %(default)s)")


def add_design(command: argparse.ArgumentParser) -> None:
    """What varies from sample to sample."""
    command.add_argument(
        "--design",
        default="cohort",
        help="cohort (default): the class mix varies from sample to sample; case-control: the class sizes are fixed",
    )


def add_parameters(command: argparse.ArgumentParser) -> None:
    """Of measures."""
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="MEASURE.PARAMETER=NUMBER",
        help="of a measure, as f_beta.beta=0.5; may be repeated",
    )


def check_output(options: argparse.Namespace, inputs: Sequence[str] = ()) -> None:
    """Before the work: can the report be written, and does it spare what is read?"""
    if options.report is not None:
        from ..evaluation import Evaluation

        Evaluation.check_path(options.report, "report")
        spare(options.report, inputs, "report")


def spare(target: str, inputs: Sequence[str], role: str) -> None:
    """What is written must not be what is read, also where a pattern stands for it. Raises InputError."""
    files = [file for path in inputs for file in (glob(path, recursive=True) or [path])]
    if any(Path(target).resolve() == Path(file).resolve() for file in files):
        raise InputError("not-written", role, f"{target!r} is the file that is read", "choose another place")


def intervals(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `evaluate` that these options stand for."""
    given = {"level": options.level, "proportion": options.proportion, "resampling": options.resampling, "rng": options.seed}
    given |= {"auc_interval": options.auc_interval, "design": options.design}
    return given | {"parameters": parameters_of(options.set)}


def parameters_of(settings: Sequence[str]) -> dict[str, dict[str, float]]:
    """By measure and name. Raises InputError for what is not written MEASURE.PARAMETER=NUMBER."""
    found: dict[str, dict[str, float]] = {}
    for written in settings:
        fits = re.fullmatch(r"([\w -]+)\.(\w+)=(.+)", written)
        try:
            found.setdefault(fits[1], {})[fits[2]] = float(fits[3])  # type: ignore[index]
        except (TypeError, ValueError):
            raise InputError(
                "invalid-value", "--set", f"{written!r} is not understood", "write MEASURE.PARAMETER=NUMBER, as f_beta.beta=0.5"
            ) from None
    return found


def show(evaluation: Any, options: argparse.Namespace) -> None:
    """Writes the report first: if that fails, nothing is printed."""
    if options.report is not None:
        evaluation.save(options.report)
    print(evaluation.to_json() if options.json else as_options(str(evaluation)))
    if options.report and not options.json:
        print(f"\nReport: {options.report}")


WRITTEN = {
    "persons=(id1, id2)": "--persons ID1 ID2",
    "higher_is_positive=False": "--lower-is-positive",
    "similarity=False": "--distance",
    "similarity=True": "no --distance",
    "cost_fp=": "cost-fp=",
    "cost_fn=": "cost-fn=",
    "cost_fp:": "cost-fp:",
    "cost_fn:": "cost-fn:",
    "score_kind=": "--score-kind ",
    "score_kind:": "score-kind:",
    "weight_kind=": "--weight-kind ",
    "weight_kind:": "weight-kind:",
    "hl_groups=": "--hl-groups",
    "hl_groups:": "hl-groups:",
    "auc_interval": "auc-interval",
    "replicates=0": "--replicates 0",
    "regression=True": "--regression",
    " (tallymark.convert.sigmoid)": "",
    " (tallymark.convert.softmax)": "",
    " (tallymark.convert.linear with low=0, high=100)": "",
    "higher_is_positive:": "lower-is-positive:",
    "tallymark.calibration shows": "tallymark calibration shows",
    "one_vs_rest(label)": "--class LABEL",
    "see curve() for": "see tallymark curve for",
    "see at_prevalence": "see tallymark prevalence",
    "measures=": "measure=",
    "a second data set": "a second file with --unpaired",
    "non_inferior_by:": "margin:",
    "equivalent_within:": "margin:",
}


def as_options(sentence: str) -> str:
    """A way out as it is typed here: positive='x' becomes --positive 'x'."""
    for name, option in WRITTEN.items():
        sentence = sentence.replace(name, option)
    sentence = re.sub(r"^rng:", "seed:", sentence)
    sentence = re.sub(r"\b(score|predicted|measure)=\[(.+?)\]", _repeated, sentence)
    named = (
        r"\b(truth|score|predicted|weight|positive|missing|threshold|need|cost-fp|cost-fn|classes|rule|k|slope|prevalence|fmr"
        r"|sample|clusters|measure)="
    )
    return re.sub(named, r"--\1", re.sub(named + r"(?=[\w'\"])", r"--\1 ", sentence))


def _repeated(several):
    """score=['a', 'b'] as score='a' score='b'."""
    name, values = several.groups()
    return " ".join(f"{name}={value}" for value in values.split(", "))
