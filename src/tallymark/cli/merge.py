"""tallymark merge part1.tally part2.tally -o all.tally"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..evaluation.accumulator import Accumulator

EXAMPLES = ('merge "part*.tally" -o all.tally',)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "merge", help="add up .tally files of parts of the cases, in any order", examples=EXAMPLES
    )
    command.set_defaults(run=run)
    command.add_argument("file", nargs="+", help="files that `tallymark tally` wrote, or patterns")
    add_output(command)


def add_output(command: argparse.ArgumentParser) -> None:
    """Where the sums go."""
    command.add_argument("-o", "--output", required=True, metavar="FILE", help="the .tally file to write")


def run(given: argparse.Namespace) -> None:
    """Checks where the sum goes, adds, writes."""
    from tallymark import Accumulator

    Accumulator.check_path(given.output, "output")
    write(Accumulator.load(given.file), given.output)


def write(found: Accumulator, path: str) -> None:
    """Writes the sums, and says of how many cases they are."""
    found.save(path)
    print(f"{path}: {found.rows:,} cases")
