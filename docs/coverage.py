"""Tables of methods that are chosen by name, of bands and of retraining, in intervals.md, retraining.md and
compare.md; the default intervals and tests are those of simulate.py.

python docs/coverage.py             # the seed is fixed, so the same tables come again
python docs/coverage.py bootstraps  # some of the tables, by name
"""

import re
import sys
from itertools import product
from pathlib import Path

import numpy as np
from coverage_answers import answers
from coverage_anytime import sequences
from coverage_bands import curves, reliability_bands
from coverage_bootstrap import bootstraps, class_mixes, groups_of_cases
from coverage_folds import folds
from coverage_intervals import areas, proportions
from coverage_retraining import rejections, retraining
from coverage_tests import differences, errors, margins
from coverage_verdicts import verdicts

from tallymark import at_prevalence
from tallymark.evaluation.class_mix import changes_with_class_mix
from tallymark.inference import Settings, bounds_each
from tallymark.inference.covariance import sampling_of
from tallymark.measures import registry
from tallymark.summaries import Counts

PAGE = Path(__file__).parent / "intervals.md"
PREVALENCE_SAMPLES = 500  # +-2 %
ROUNDING = 1e-12


def prevalences() -> list[str]:
    """Measures of counts at another prevalence, of those that it changes."""
    settings = [
        *product((100, 400), (0.5, 0.2), (0.7, 0.95), (0.8, 0.95)),
        (2000, 0.02, 0.9, 0.9),
        (400, 0.05, 0.7, 0.9),
    ]
    asked = [(setting, share) for setting in settings for share in (0.01, 0.3)]
    found = [_at_prevalence(seed, *setting, share) for seed, (setting, share) in enumerate(asked)]
    rows = ["| measure | lowest | at | to | highest | at | to |", "|---" * 7 + "|"]
    for name in found[0]:
        held = [one[name] for one in found]
        ends = [int(np.argmin(held)), int(np.argmax(held))]
        rows.append(
            f"| {name} | " + " | ".join(f"{held[i]:.3f} | {asked[i][0]} | {asked[i][1]}" for i in ends) + " |"
        )
    return rows


def _at_prevalence(seed, n, prevalence, sensitivity, specificity, share):
    p, q = prevalence, 1 - prevalence
    shares = np.array([p * sensitivity, q * (1 - specificity), p * (1 - sensitivity), q * specificity])
    drawn = np.random.default_rng(seed).multinomial(n, shares, PREVALENCE_SAMPLES).astype(float)
    truth = at_prevalence(Counts.of(*(n * shares)), prevalence=share)
    tables = Counts.of(*drawn[drawn[:, 0] + drawn[:, 2] > 0].T)
    sampling, sizes = sampling_of(tables, fixed=True), np.stack([tables.negatives, tables.positives], -1)
    factor = np.array([1 - share, share]) * tables.total[:, None] / sizes
    sampling = sampling.reweighted(factor[:, sampling.stratum])
    counts, settings = Counts.of(*sampling.weight.T), Settings(design="case-control")
    held = {}
    for entry in filter(changes_with_class_mix, registry.find(Counts)):
        value, low, high = bounds_each(entry, counts, settings, sampling)
        outside = (low > truth[entry.name].value + ROUNDING) | (high < truth[entry.name].value - ROUNDING)
        if not np.isnan(low).all():
            held[entry.name] = 1 - outside[~np.isnan(value)].mean()
    return held


def main() -> None:
    """Puts each table, or those named, between its marks."""
    of_intervals = (proportions, sequences, areas, prevalences, bootstraps, groups_of_cases, class_mixes)
    write(PAGE, (*of_intervals, curves, reliability_bands))
    write(PAGE.with_name("retraining.md"), (retraining, rejections, folds))
    write(PAGE.with_name("check.md"), (verdicts,))
    write(PAGE.with_name("compare.md"), (errors, answers, margins, differences))


def write(path: Path, parts: tuple) -> None:
    """The tables of one page, or those of them that are named."""
    page = path.read_text(encoding="utf-8")
    for part in (one for one in parts if not sys.argv[1:] or one.__name__ in sys.argv[1:]):
        mark = f"<!-- {part.__name__} -->"
        text = "\n".join(part())
        page = re.sub(
            f"{mark}.*?{mark}", lambda _, mark=mark, text=text: f"{mark}\n{text}\n{mark}", page, flags=re.S
        )
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
