"""The page of two classes from a file, next to all measures as text."""

from __future__ import annotations

from environment import PLACE
from samples import file_of
from tasks import OURS, REGISTRY, Command, Target, Task

from .files import command

ALL = "tallymark evaluate --all"


def page(file: str) -> Command:
    return command(file, "--report", str(PLACE / "page.html"))


for rows in (600, 1_000_000):
    REGISTRY.add(
        Task(
            name=f"page/{rows}",
            line=4,
            title=f"`tallymark evaluate --report`, the page of {rows:,} rows of Parquet",
            data=file_of(rows, "parquet", fixed=rows < 1_000_000),
            tools={OURS: page, ALL: lambda file: command(file, "--all")},
            targets=(Target(1.5, of=ALL),),
            fresh=True,
            rounds=3,
        )
    )
