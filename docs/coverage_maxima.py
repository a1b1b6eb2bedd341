"""Simulates intervals of maxima, hulls, precision-recall areas and early retrieval; writes the tables of
intervals_of_maxima.md.

python docs/coverage_maxima.py choice FOLDER 150     # several methods; FOLDER keeps what is done
python docs/coverage_maxima.py chosen FOLDER 1000    # the default of each measure
python docs/coverage_maxima.py write FOLDER          # the tables of what is there
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from methods_of_maxima import LEVEL, MAXIMA, METHODS, RETRIEVAL, chosen
from scipy.special import ndtr, ndtri

from tallymark.inference import Settings
from tallymark.inference.interval import Question
from tallymark.measures import registry
from tallymark.summaries import RankingTable

PARAMETERS = {"enrichment_factor": {"share": 0.2}}
SHAPES = {
    "area .6": (0.6, 1.0, None), "area .75": (0.75, 1.0, None), "area .9": (0.9, 1.0, None),
        "area .97": (0.97, 1.0, None),
    "spread 2": (0.75, 2.0, None), "mixture": ("mixture", 1.0, None), "5 levels": (0.8, 1.0, 5),
        "20 levels": (0.8, 1.0, 20),
}  # the area, the spread of the positives, the levels that scores are rounded to  # fmt: skip
SIZES = ((30, 30), (30, 150), (100, 100), (100, 900), (500, 500))
DESIGNS = ("cohort", "case-control")
CELLS = 200_000  # of the table that stands for all cases


class Population:
    """Of a shape: the distribution functions of both classes."""

    def __init__(self, shape):
        area, self.spread, self.levels = SHAPES[shape]
        self.mixture = area == "mixture"
        self.distance = 2.5 if self.mixture else ndtri(area) * np.sqrt(1 + self.spread**2)
        self.cuts = np.linspace(-1.5, self.distance + 1.5, self.levels - 1) if self.levels else None

    def tails(self, x):
        """Of positives and negatives at or above x."""
        positive = ndtr((self.distance - x) / self.spread)
        return ((positive + ndtr(-x)) / 2 if self.mixture else positive), ndtr(-x)

    def scores(self, rng, positive):
        """One score per case."""
        shift = positive * (rng.random(positive.shape) < 0.5) if self.mixture else positive
        x = rng.normal(size=positive.shape) * np.where(positive, self.spread, 1.0) + self.distance * shift
        return np.searchsorted(self.cuts, x) * 1.0 if self.levels else x

    def table(self, positives, negatives):
        """What samples are drawn from: cells of equal mass over all cases."""
        if self.levels:
            edges = np.concatenate([[-np.inf], self.cuts, [np.inf]])[::-1]
        else:
            fine = np.linspace(-9, 9 + 6 * self.spread + self.distance, 400_001)[::-1]
            yes, no = self.tails(fine)
            mass = (positives * yes + negatives * no) / (positives + negatives)
            edges = np.concatenate([[np.inf], np.interp(np.arange(1, CELLS) / CELLS, mass, fine), [-np.inf]])
        shares = (np.maximum(np.diff(tail), 0.0) for tail in self.tails(edges))
        score = np.arange(len(edges) - 1, 0.0, -1.0)
        return RankingTable.of(
            score, *(size * share for size, share in zip((positives, negatives), shares, strict=True))
        )

    def sample(self, rng, positives, negatives, design):
        """A table of cases."""
        size = positives + negatives
        truth = np.arange(size) < positives
        while design == "cohort":
            truth = rng.random(size) < positives / size
            if 1 < truth.sum() < size - 1:
                break
        return RankingTable.from_arrays(truth=truth, score=self.scores(rng, truth))


def simulate(shape, size, design, samples, measures, seed=0, methods=None):
    """By measure and method: coverage, mean width, mean error of the value over the mean width, samples with
    an interval."""
    rng, population = (
        np.random.default_rng([seed, list(SHAPES).index(shape), SIZES.index(size), DESIGNS.index(design)]),
        Population(shape),
    )
    whole, settings = population.table(*size), Settings(level=LEVEL, design=design)
    entries = [registry.get(name, RankingTable) for name in measures]
    functions = {entry.name: _bound(entry) for entry in entries}
    true = {entry.name: float(functions[entry.name](whole)) for entry in entries}
    found = defaultdict(list)
    for number in range(samples):
        table = population.sample(rng, *size, design)
        for entry in entries:
            value = float(functions[entry.name](table))
            q = Question(entry, functions[entry.name], table, value, replace(settings, seed=number))
            for method in (methods or METHODS)[entry.name]:
                ends = method(q)
                found[entry.name, method.__name__].append((ends.low, ends.high, value))
    return {key: _summary(np.array(rows), true[key[0]]) for key, rows in found.items()}


def _bound(entry):
    from functools import partial

    return partial(entry.function, **PARAMETERS.get(entry.name, {}))


def _summary(rows, true):
    low, high, value = (
        rows[~np.isnan(rows[:, 0])].T if (~np.isnan(rows[:, 0])).any() else np.full((3, 1), np.nan)
    )
    width = np.mean(high - low)
    held = (low <= true + 1e-9) & (true - 1e-9 <= high)
    return held.mean(), width, (value.mean() - true) / width, len(low), (true < low - 1e-9).mean()


# Tables
# --------------------------------------------------------------------------------------------------

PAGE = Path(__file__).parent / "intervals_of_maxima.md"
CHOICE = [(shape, (30, 30), "cohort") for shape in SHAPES]
CHOSEN = [*product(SHAPES, SIZES, DESIGNS)]
LIGHT = (
    "kolmogorov_smirnov",
    "auch",
    "h_measure",
    "min_cllr",
    "equal_error_rate_hull",
    "average_cost",
)  # youden_j_max is like the first
OF_RETRIEVAL = (
    "average_precision",
    "auc_pr_trapezoid",
    "auc_pr_min",
    "enrichment_factor",
    "mean_precision",
)


def run(keep: Path, settings, measures, samples: int, methods=None) -> None:
    """Appends what is not there yet, one line per setting, so that it can be broken off."""
    there = [json.loads(line)["setting"] for line in keep.read_text().splitlines()] if keep.exists() else []
    for shape, size, design in settings:
        name = [shape, list(size), design, list(measures), samples]
        if name not in there:
            found = simulate(shape, size, design, samples, measures, methods=methods)
            rows = [[*key, *(round(float(one), 4) for one in value)] for key, value in found.items()]
            with keep.open("a") as file:
                file.write(json.dumps({"setting": name, "found": rows}) + "\n")


def table(keep: Path) -> list[str]:
    """Of each measure and method the lowest and the highest coverage over the settings, and where."""
    found = defaultdict(list)
    for line in map(json.loads, keep.read_text().splitlines()):
        shape, size, design, _, samples = line["setting"]
        for measure, method, held, width, bias, number, _ in line["found"]:
            if number > samples / 2:
                found[measure, method].append((held, f"{shape}, {size[0]}/{size[1]}, {design}", width, bias))
    header = [
        "measure",
        "method",
        "settings",
        "lowest",
        "at",
        "mean",
        "highest",
        "at",
        "mean width",
        "largest bias / width",
    ]
    rows = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    for (measure, method), cells in found.items():
        held, width, bias = (np.array([cell[i] for cell in cells]) for i in (0, 2, 3))
        low, high, most = (
            cells[int(held.argmin())],
            cells[int(held.argmax())],
            bias[int(np.abs(bias).argmax())],
        )
        ends = f"{low[0]:.3f} | {low[1]} | {held.mean():.3f} | {high[0]:.3f} | {high[1]}"
        rows.append(
            f"| {measure} | {method.replace('_', ' ')} | {len(cells)} | {ends} | {width.mean():.3f} |"
            f" {most:+.2f} |"
        )
    return rows


def levels(samples: int) -> list[str]:
    """The mean precision of few scores that many cases share."""
    rows = [
        "| scores, positives/negatives, design | coverage | width |",
        "|---" * 3 + "|",
    ]
    for shape, size, design in product(("5 levels", "20 levels"), SIZES, DESIGNS):
        found = simulate(
            shape,
            size,
            design,
            samples,
            ["mean_precision"],
            methods={"mean_precision": (chosen,)},
        )
        cells = [f"{part:.3f}" for held, width, *_ in found.values() for part in (held, width)]
        rows.append(f"| {shape}, {size[0]}/{size[1]}, {design} | {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    return rows


def write(name: str, rows: list[str]) -> None:
    """Between the marks of the page."""
    mark = f"<!-- {name} -->"
    before_, _, after = PAGE.read_text().split(mark)
    PAGE.write_text(f"{before_}{mark}\n" + "\n".join(rows) + f"\n{mark}{after}")


def main() -> None:
    """choice, chosen, levels or write, a folder for what is found, and the number of samples."""
    what, folder, samples = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1_000
    if what == "choice":
        run(folder / "choice.jsonl", CHOICE, MAXIMA, samples)
        run(folder / "choice_of_retrieval.jsonl", CHOICE, OF_RETRIEVAL, samples)
    if what == "chosen":
        methods = {name: (chosen,) for name in (*MAXIMA, *RETRIEVAL)}
        run(folder / "chosen.jsonl", CHOSEN, OF_RETRIEVAL, samples, methods)
        run(folder / "chosen.jsonl", CHOSEN, LIGHT, samples, methods)
    if what == "levels":
        write("levels", levels(samples))
    for name in ("choice", "choice_of_retrieval", "chosen"):
        if (folder / f"{name}.jsonl").exists():
            write(name, table(folder / f"{name}.jsonl"))


if __name__ == "__main__":
    main()
