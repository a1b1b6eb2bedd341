"""Tables of coverage, of type I errors and of false alarms, by simulation: `make coverage`. What is done is
kept in coverage.json and notices.json.

python docs/simulate.py                                 # all parts, 2,000 samples per setting: hours
python docs/simulate.py defaults --minutes 30 --jobs 2  # one part, for half an hour; goes on where it stopped
python docs/simulate.py --borderline                    # 20,000 samples of the settings that are in doubt
python docs/simulate.py --only-write                    # the tables, from what is there

A part has settings, and of each setting a function that draws samples and counts what happened in them.
Counts of chunks of samples add up, and each chunk has a seed of its own, so that any number of processes in
any order gives the same table. The verdict (`judge`) on each measure of a setting is printed at the end, and
stands at the top of coverage.md.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from datetime import date
from functools import cache
from math import isnan, nan
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from tallymark.inference.interval import clopper_pearson

FOLDER = Path(__file__).parent
SEED, SAMPLES, MORE, CHUNK = 20261122, 2_000, 20_000, 100
CERTAIN = 0.999  # level of the interval of a share of the samples
COVERS_LESS, COVERS = 0.93, 0.94  # below which `~` belongs there, and from which it does not
MOST, FEW = 0.9, 0.1  # of the samples, that have it
VERDICTS = ("fails", "borderline", "conservative", "not flagged", "flagged for nothing")
Found = dict[str, list[float]]  # by name, numbers that add up over samples


class Limits(NamedTuple):
    """The lowest and the highest share of the samples that is right, and whether a higher one is worse."""

    low: float
    high: float
    errors: bool = False


COVERAGE, TESTS = Limits(0.93, 0.98), Limits(0.035, 0.06, True)
GATE, ALARMS = Limits(0.015, 0.035, True), Limits(0.0, 0.02, True)


class Judged(NamedTuple):
    """Of a measure in a setting: the samples, those in which it holds, and with `~` (NaN: it has none)."""

    name: str
    samples: float
    hits: float
    flagged: float = nan


def of_intervals(sums: Found, samples: int) -> Iterator[Judged]:
    """Of rows: samples with an interval; those in which it holds the true value, lies above or below it, and
    has `~`; the sum of the widths. Without an interval in half of the samples nothing is judged."""
    for one in of_shares(sums, samples):
        yield one._replace(flagged=sums[one.name][4])


def of_shares(sums: Found, samples: int) -> Iterator[Judged]:
    """Of rows that begin with samples, and with those of them in which an interval holds, a test rejects or a
    gate passes."""
    yield from (Judged(name, *row[:2]) for name, row in sums.items() if row[0] >= max(samples / 2, 1))


@dataclass(frozen=True, slots=True)
class Part:
    """Its settings by name, how samples of one are drawn and counted, and the tables made of the sums.

    page: where the tables are, and in a file of that name ending in .json the sums; judged: what the sums of
    a setting are judged by, None where they are not; limits: of the shares.
    """

    settings: Callable[[], Mapping[str, object]]
    counted: Callable[[str, np.random.Generator, int], Found]
    tables: Callable[[Mapping[str, Found], Mapping[str, int]], list[str]]
    chunk: int = CHUNK
    page: str = "coverage"
    judged: Callable[[Found, int], Iterator[Judged]] | None = of_intervals
    limits: Limits = COVERAGE


def parts() -> dict[str, Part]:
    """All there are, by name."""
    import simulated_amounts
    import simulated_best
    import simulated_binned
    import simulated_bins
    import simulated_calibration
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
        "best": simulated_best.BEST,
        "ratios": simulated_best.OF_RATIOS,
        "interactions": simulated_best.INTERACTIONS,
        "gate": simulated_gate.PART,
        "thresholds": simulated_thresholds.PART,
        "promises": simulated_thresholds.PROMISES,
        "resampled": simulated_defaults.SLOW_ONES,
        "calibration": simulated_calibration.PART,
        "errors": simulated_defaults.OF_ERRORS,
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
        entry["date"], entry["commit"] = str(date.today()), _commit()
        draft = self.path.with_suffix(".part")
        draft.write_text(json.dumps(self.known, separators=(",", ":")).replace('],"', '],\n"') + "\n")
        draft.replace(self.path)


@cache
def _commit():
    """That of the package, by git; empty where it is not known."""
    asked = ["git", "-C", str(FOLDER), "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


def to_do(
    results: Results, names: list[str], samples: int, only: str = "", doubtful: bool = False
) -> Iterator[tuple[str, str, int]]:
    """Chunks that are still missing, those of the settings with the fewest samples first.

    doubtful: of settings with a borderline measure alone.
    """
    known = parts()
    doubt = {
        (part, row.partition(": ")[0])
        for part, of in (verdicts(names, results) if doubtful else {}).items()
        for row in of["borderline"]
    }
    missing = [
        (number, part, setting)
        for part in names
        for setting in known[part].settings()
        if re.search(only, setting) and (not doubtful or (part, setting) in doubt)
        for number in range(-(-samples // known[part].chunk))
        if number not in results.of(part, setting)["chunks"]
    ]
    for number, part, setting in sorted(missing, key=lambda one: one[0] * known[one[1]].chunk):
        yield part, setting, number


def run(names: list[str], given: argparse.Namespace, results: Results) -> None:
    """Simulates what is missing, until it is there or the time is over."""
    end, known = time.monotonic() + 60 * given.minutes, parts()
    missing = to_do(results, names, given.samples, given.only, given.borderline)
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
        page = between(page, name, [_said(done, len(of)), "", *lines])
    every = [name for name, part in parts().items() if part.page == results.path.stem]
    path.write_text(between(page, "verdict", summary(verdicts(every, results))), encoding="utf-8")


def between(page: str, name: str, lines: list[str]) -> str:
    """The page with these lines between the marks of this name, if it has them."""
    mark, text = f"<!-- {name} -->", "\n".join(lines)
    return re.sub(f"{mark}.*?{mark}", lambda _: f"{mark}\n{text}\n{mark}", page, flags=re.S)


def verdicts(names: list[str], results: Results) -> dict[str, dict[str, list[str]]]:
    """By part and verdict, the measures and settings that have it."""
    found: dict[str, dict[str, list[str]]] = {}
    for name, part in ((name, parts()[name]) for name in names):
        if part.judged is None:
            continue
        found[name] = {"judged": []} | {verdict: [] for verdict in VERDICTS}
        for setting in part.settings():
            entry = results.of(name, setting)
            for one in part.judged(entry["sums"], entry["samples"]):
                share = f"{one.hits / one.samples:.3f}"
                flag = "" if isnan(one.flagged) else f", {one.flagged / one.samples:.0%} flagged"
                row = f"{setting}: {one.name} {share}{flag}"
                found[name]["judged"].append(row)
                for verdict in judge(one, part.limits):
                    found[name][verdict].append(row)
    return found


def judge(one: Judged, limits: Limits) -> Iterator[str]:
    """The verdicts on a measure in a setting.

    It fails if its interval of level `CERTAIN` lies wholly on the worse side of the limits and it is not
    flagged in 90 % of the samples; borderline: only the share does; conservative: the interval lies on the
    other side. Not flagged: it covers less than .93 and is flagged in fewer than 90 % of the samples; flagged
    for nothing: it covers .94 or more, and is flagged in more than 10 %.
    """
    share, flagged = one.hits / one.samples, one.flagged / one.samples
    low, high = clopper_pearson(one.hits, one.samples, CERTAIN)
    below, above = (high < limits.low, share < limits.low), (low > limits.high, share > limits.high)
    (worse, perhaps), (better, _) = (above, below) if limits.errors else (below, above)
    if perhaps and not flagged >= MOST:
        yield "fails" if worse else "borderline"
    if better:
        yield "conservative"
    if not limits.errors and share < COVERS_LESS and flagged < MOST:
        yield "not flagged"
    if not limits.errors and share >= COVERS and flagged > FEW:
        yield "flagged for nothing"


def summary(found: Mapping[str, Mapping[str, list[str]]]) -> list[str]:
    """One row per part, one column per verdict: how many measures and settings have it."""
    rows = [f"| part | judged | {' | '.join(VERDICTS)} |", "|---" * (len(VERDICTS) + 2) + "|"]
    rows += [
        f"| {part} | {' | '.join(f'{len(of[key]):,}' for key in ('judged', *VERDICTS))} |"
        for part, of in found.items()
    ]
    return rows


def _said(done, settings):
    if not done:
        return "Not yet simulated."
    samples, dates = [one["samples"] for one in done.values()], [one["date"] for one in done.values()]
    commits = ", ".join(sorted({one["commit"] for one in done.values() if one.get("commit")}))
    return (
        f"{len(done)} of {settings} settings; {min(samples):,} to {max(samples):,} samples per setting; seed"
        f" {SEED}; {min(dates)} to {max(dates)}{f'; of commit {commits}' * bool(commits)}."
    )


def main() -> None:
    """Simulates, and writes the tables."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("parts", nargs="*", help=f"of {', '.join(parts())}; by default all")
    asked.add_argument("--samples", type=int, help=f"of every setting (default: {SAMPLES:,})")
    asked.add_argument(
        "--borderline", action="store_true", help=f"only settings in doubt, of {MORE:,} samples each"
    )
    asked.add_argument(
        "--minutes", type=float, default=np.inf, help="stop when they are over (default: no limit)"
    )
    asked.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    asked.add_argument(
        "--only", default="", metavar="PATTERN", help="settings whose names match (default: all)"
    )
    asked.add_argument("--only-write", action="store_true", help="simulate nothing")
    given = asked.parse_args()
    given.samples = given.samples or (MORE if given.borderline else SAMPLES)
    names = given.parts or list(parts())
    for page in dict.fromkeys(parts()[name].page for name in names):
        results = Results(FOLDER / f"{page}.json")
        of_page = [name for name in names if parts()[name].page == page]
        if not given.only_write:
            run(of_page, given, results)
        write(of_page, results)
        found = verdicts(of_page, results)
        for part, of in found.items():
            for verdict in (one for one in VERDICTS if of[one]):
                print(
                    f"{part}, {verdict} ({len(of[verdict])} of {len(of['judged'])}):",
                    *of[verdict],
                    sep="\n  ",
                )


if __name__ == "__main__":
    main()
