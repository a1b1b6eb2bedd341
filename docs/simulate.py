"""Tables of coverage, of type I errors and of false alarms, by simulation: `make coverage`. What is done is
kept in coverage.json and notices.json.

python docs/simulate.py                                 # all parts, 4,000 samples per setting: hours
python docs/simulate.py defaults --minutes 30 --jobs 2  # one part, for half an hour; goes on where it stopped
python docs/simulate.py --only-write                    # the tables, from what is there

A part has settings, and of each setting a function that draws samples and counts what happened in them.
Counts of chunks of samples add up, and each chunk has a seed of its own, so that any number of processes in
any order gives the same table.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from zlib import crc32

import numpy as np

FOLDER = Path(__file__).parent
SEED, SAMPLES, CHUNK = 20261122, 4_000, 100
Found = dict[str, list[float]]  # by name, numbers that add up over samples


@dataclass(frozen=True, slots=True)
class Part:
    """Its settings by name, how samples of one are drawn and counted, and the tables made of the sums.

    page: where the tables are, and in a file of that name ending in .json the sums.
    """

    settings: Callable[[], Mapping[str, object]]
    counted: Callable[[str, np.random.Generator, int], Found]
    tables: Callable[[Mapping[str, Found], Mapping[str, int]], list[str]]
    chunk: int = CHUNK
    page: str = "coverage"


def parts() -> dict[str, Part]:
    """All there are, by name."""
    import simulated_amounts
    import simulated_binned
    import simulated_bins
    import simulated_class_scores
    import simulated_classes
    import simulated_compare
    import simulated_defaults
    import simulated_faults
    import simulated_gate
    import simulated_labels
    import simulated_misspecified
    import simulated_notices
    import simulated_persons
    import simulated_scores
    import simulated_thresholds

    return {
        "defaults": simulated_defaults.QUICK,
        "classes": simulated_classes.PART,
        "labels": simulated_labels.PART,
        "scores": simulated_scores.PART,
        "persons": simulated_persons.PART,
        "amounts": simulated_amounts.PART,
        "misspecified": simulated_misspecified.PART,
        "compare": simulated_compare.PART,
        "compare-classes": simulated_class_scores.PART,
        "compare-amounts": simulated_amounts.TYPE_I,
        "gate": simulated_gate.PART,
        "thresholds": simulated_thresholds.PART,
        "promises": simulated_thresholds.PROMISES,
        "resampled": simulated_defaults.SLOW_ONES,
        "errors": simulated_defaults.ERRORS,
        "bins": simulated_bins.PART,
        "binned": simulated_binned.PART,
        "flawless": simulated_notices.FLAWLESS,
        "faulty": simulated_faults.FAULTY,
    }


def chunk(part: str, setting: str, number: int) -> Found:
    """What happened in one chunk of samples."""
    rng = np.random.default_rng([SEED, crc32(f"{part} {setting}".encode()), number])
    one = parts()[part]
    return one.counted(setting, rng, one.chunk)


def added(found: Found, other: Found) -> Found:
    """Sums of both."""
    return {
        name: (
            [a + b for a, b in zip(found[name], other[name], strict=True)]
            if name in found and name in other
            else found.get(name) or other[name]
        )
        for name in found | other
    }


def take(found: Found, name: str, row: list[float]) -> None:
    """Adds what one sample gives to the sums of a name."""
    found[name] = [a + b for a, b in zip(found[name], row, strict=True)]


class Results:
    """What is done: by part and setting how many chunks, and the sums over them."""

    def __init__(self, path: Path):
        self.path = path
        self.known = json.loads(path.read_text()) if path.exists() else {}

    def of(self, part: str, setting: str) -> dict:
        """The entry of a setting."""
        return self.known.setdefault(part, {}).setdefault(
            setting, {"chunks": [], "samples": 0, "sums": {}, "date": ""}
        )

    def add(self, part: str, setting: str, number: int, size: int, found: Found) -> None:
        """Takes in one more chunk, and writes the file."""
        entry = self.of(part, setting)
        entry["chunks"] = sorted([*entry["chunks"], number])
        entry["samples"] += size
        entry["sums"] = {
            name: [round(x, 6) for x in sums] for name, sums in sorted(added(entry["sums"], found).items())
        }
        entry["date"] = str(date.today())
        draft = self.path.with_suffix(".part")
        draft.write_text(json.dumps(self.known, separators=(",", ":")).replace('],"', '],\n"') + "\n")
        draft.replace(self.path)


def to_do(results: Results, names: list[str], samples: int, only: str = "") -> Iterator[tuple[str, str, int]]:
    """Chunks that are still missing, those of the settings with the fewest samples first."""
    known = parts()
    missing = [
        (number, part, setting)
        for part in names
        for setting in known[part].settings()
        if re.search(only, setting)
        for number in range(-(-samples // known[part].chunk))
        if number not in results.of(part, setting)["chunks"]
    ]
    for number, part, setting in sorted(missing, key=lambda one: one[0] * known[one[1]].chunk):
        yield part, setting, number


def run(names: list[str], given: argparse.Namespace, results: Results) -> None:
    """Simulates what is missing, until it is there or the time is over."""
    end, known = time.monotonic() + 60 * given.minutes, parts()
    missing = to_do(results, names, given.samples, given.only)
    with ProcessPoolExecutor(given.jobs) as pool:
        pending: dict[Future, tuple[str, str, int]] = {}
        while True:
            while len(pending) < given.jobs and time.monotonic() < end and (one := next(missing, None)):
                pending[pool.submit(chunk, *one)] = one
            if not pending:
                return
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                part, setting, number = pending.pop(future)
                results.add(part, setting, number, known[part].chunk, future.result())


def write(names: list[str], results: Results) -> None:
    """Puts the tables of one page between their marks."""
    path = results.path.with_suffix(".md")
    page = path.read_text(encoding="utf-8")
    for name in names:
        of = {setting: results.of(name, setting) for setting in parts()[name].settings()}
        done = {setting: one for setting, one in of.items() if one["samples"]}
        sizes = {setting: one["samples"] for setting, one in done.items()}
        lines = parts()[name].tables({setting: one["sums"] for setting, one in done.items()}, sizes)
        text = "\n".join([_said(done, len(of)), "", *lines])
        mark = f"<!-- {name} -->"
        page = re.sub(
            f"{mark}.*?{mark}", lambda _, mark=mark, text=text: f"{mark}\n{text}\n{mark}", page, flags=re.S
        )
    path.write_text(page, encoding="utf-8")


def _said(done, settings):
    if not done:
        return "Not yet simulated."
    samples, dates = [one["samples"] for one in done.values()], [one["date"] for one in done.values()]
    return (
        f"{len(done)} of {settings} settings; {min(samples):,} to {max(samples):,} samples per setting; seed"
        f" {SEED}; {min(dates)} to {max(dates)}."
    )


def main() -> None:
    """Simulates, and writes the tables."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("parts", nargs="*", help=f"of {', '.join(parts())}; by default all")
    asked.add_argument("--samples", type=int, default=SAMPLES, help="of every setting (default: %(default)s)")
    asked.add_argument(
        "--minutes", type=float, default=np.inf, help="stop when they are over (default: no limit)"
    )
    asked.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    asked.add_argument(
        "--only", default="", metavar="PATTERN", help="settings whose names match (default: all)"
    )
    asked.add_argument("--only-write", action="store_true", help="simulate nothing")
    given = asked.parse_args()
    names = given.parts or list(parts())
    for page in dict.fromkeys(parts()[name].page for name in names):
        results = Results(FOLDER / f"{page}.json")
        of_page = [name for name in names if parts()[name].page == page]
        if not given.only_write:
            run(of_page, given, results)
        write(of_page, results)


if __name__ == "__main__":
    main()
