"""tallymark identify FILE --truth PERSON --score A --score B [--threshold 0.5]"""

from __future__ import annotations

import argparse
from typing import Any

from ..input.errors import InputError
from . import cases, options, progress

COLUMNS = ("truth", "score", "classes", "clusters", "missing")
WORDS: cases.Changes = {
    "truth": {"required": True, "help": "the person of each sample; who has no column is not enrolled"},
    "score": {"required": True, "help": "the similarity to an enrolled person; repeated, once for each"},
    "clusters": {"help": argparse.SUPPRESS},  # refused, with the reason
    "classes": {"help": "the persons of the columns, in their order (default: their names)"},
}

EXAMPLES = (
    "identify cases.csv --truth site --score p --score q --classes n s --threshold 0.5",
    "identify cases.csv --truth site --score p --score q --classes n x --plot rates.svg",
)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "identify",
        help="identification with rejection: the person with the highest score, or nobody",
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    cases.add_files(command)
    cases.add(command, COLUMNS, WORDS)
    command.add_argument("--threshold", type=float, help="below it a sample is rejected (default: none is)")
    command.add_argument("--level", type=float, default=0.95, help="of the intervals (default: %(default)s)")
    command.add_argument(
        "--plot", metavar="FILE", help="write the rates against the threshold: .svg, .csv, .json or .parquet"
    )
    command.add_argument(
        "--cmc", metavar="FILE", help="write the identification rate within each rank: .svg, .csv, .json, ..."
    )
    command.add_argument(
        "-o", "--out", metavar="FILE", help="write the rates: .csv, .json, .parquet, .xlsx, .md, .html, ..."
    )
    command.add_argument(
        "--json", action="store_true", help="write JSON, and nothing else, to standard output"
    )


def run(given: argparse.Namespace) -> None:
    """Measures, writes, shows."""
    import tallymark

    from ..curves import Curve
    from ..input.results import Result

    if given.clusters is not None:
        problem = "the intervals of an identification assume independent samples"
        raise InputError("unsupported", "clusters", problem, "leave it out")
    kinds: dict[str, type[Result]] = {"plot": Curve, "cmc": Curve, "out": tallymark.Identification}
    for role, kind in kinds.items():
        if getattr(given, role) is not None:
            kind.check_path(getattr(given, role), role)
            options.spare(getattr(given, role), given.file, role)
    with progress.bar():
        found = tallymark.identification(
            cases.file_of(given), truth=given.truth, score=given.score, classes=given.classes,
            threshold=given.threshold, missing=given.missing or "reject", level=given.level,
        )  # fmt: skip
    if given.out is not None:
        options.write(found, given.out)
    if given.plot is not None:
        options.write(found.curve, given.plot)
    if given.cmc is not None:
        options.write(found.cmc, given.cmc)
    print(options.answer(found, given))
