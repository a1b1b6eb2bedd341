"""The page of the combinations of models, groups, folds, units and weights: what each is estimated by.

Each combination is called, and its method is what the answer says; tests/test_combinations.py holds what must
not matter in any of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

import tallymark as tm

PAGE = """# Combinations

Made by `python docs/make.py`: each row is a call, with the method of its answer.

What varies enters in one place each, so that combinations need no method of their own: weights and units in
the covariance of the influence values, models as differences of these, groups as the same of their cases,
folds as a mean with the correction for shared training cases (the
[mechanism](architecture.md#one-mechanism-of-uncertainty)). Two reasons leave something out:

* **The error of a mean over folds has no units and no weights in it**: it is from the values of the folds,
  and depends on nothing within them. Weights change these values; clusters that are in several folds have a
  notice. Groups over folds are tested by Welch's F, whose degrees of freedom are those of the folds.
* **One model has no test**, but intervals, and with groups the differences of each group from all cases.

Of two models or more a row has the differences, with groups the test that they are the same in all
("interaction"), of three from the best, with all pairs tested together. Checked for every row by
tests/test_combinations.py: the order of the rows of the data, the unit of importance weights, and repeated
rows in place of counts change nothing.

| {head} |
{rows}
"""
HEAD = (
    "models", "groups", "folds", "units", "weights", "method of the difference, or of the value",
    "differences in groups", "in folds", "interaction",
)  # fmt: skip
MODELS = {"one": "a", "two": "ab", "three": "abc"}
UNITS = {"cases": {}, "clusters": {"clusters": "patient"}, "persons": {"persons": ("first", "second")}}
WEIGHTS = {
    "none": {},
    "importance": {"weight": "weight"},
    "counts": {"weight": "times", "weight_kind": "count"},
}
MEASURE = "roc_auc"


class Combination(NamedTuple):
    """A row: how many models, whether there are groups and folds, the units and the weights."""

    models: str
    groups: bool
    folds: bool
    units: str
    weights: str

    def call(self, data: dict[str, np.ndarray]) -> Any:
        """The answer for these columns."""
        given: dict[str, Any] = {"truth": "y", **UNITS[self.units], **WEIGHTS[self.weights]}
        given |= {"by": "site"} if self.groups else {}
        given |= {"fold": "fold"} if self.folds else {}
        if self.models == "one":
            if self.groups and self.folds:  # the folds of one group
                given["where"] = f"{given.pop('by')} = 'north'"
            return tm.evaluate(data, score="p_a", **given)
        score = {name: f"p_{name}" for name in MODELS[self.models]}
        best = {"reference": "best"} if self.models == "three" else {}
        return tm.compare(data, score=score, measures=MEASURE, **best, **given)


def combinations() -> list[Combination]:
    """All there are."""
    return [Combination(*one) for one in product(MODELS, (False, True), (False, True), UNITS, WEIGHTS)]


def cases(n: int = 240) -> dict[str, np.ndarray]:
    """Columns of cases, with groups and folds in which units have several cases."""
    random = np.random.default_rng(4)
    truth = np.arange(n) % 3 == 0
    shared = random.standard_normal(n) + truth
    first = random.integers(0, 24, n)
    return {
        "y": truth.astype(int),
        **{f"p_{name}": shared + random.standard_normal(n) for name in "abc"},
        "site": np.array(["north", "south"])[random.integers(0, 2, n)],
        "fold": np.arange(n) // 3 % 4,
        "patient": np.arange(n) % 60,
        "first": first,
        "second": (first + random.integers(1, 24, n)) % 24,
        "weight": np.round(np.exp(0.4 * random.standard_normal(n)), 3),
        "times": random.integers(1, 4, n),
    }


def methods(answer: Any, row: Combination) -> list[str]:
    """Of the value or the first difference, of those in groups and in folds, and of the interaction."""
    if row.models == "one":
        if row.folds:
            return [answer.means[MEASURE].method, "", answer["0"][MEASURE].method, ""]
        if row.groups:
            difference = answer.choose(MEASURE).differences[0].estimate
            return [answer.whole[MEASURE].method, difference.method, "", ""]
        return [answer[MEASURE].method, "", "", ""]
    parts = [found[0].estimate.method if found else "" for found in (answer.in_groups, answer.in_folds)]
    tested = any(one.name.startswith("interaction") for one in answer.tests)
    crossed = row.units != "cases" and not row.folds
    return [
        answer.differences[0].estimate.method,
        *parts,
        ("Wald's F" if crossed else "Welch's F") if tested else "",
    ]


def lines() -> Iterator[str]:
    """Those of the table."""
    data = cases()
    for row in combinations():
        said = row.models, *("yes" if one else "" for one in row[1:3]), row.units, row.weights
        yield f"| {' | '.join([*said, *methods(row.call(data), row)])} |"


def page() -> str:
    """All of it."""
    rows = ["|---" * len(HEAD) + "|", *lines()]
    return PAGE.format(head=" | ".join(HEAD), rows="\n".join(rows))
