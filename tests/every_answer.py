"""Everything that `evaluate` says of cases of every kind, as plain values; run as a script, of as many rows
as its argument says.

So that it can be compared to the bit: with the rows in another order, with other weights, in another process.
"""

import json
import sys
from collections.abc import Iterator

import numpy as np

import tallymark as tm

CLASSES = 4


def cases_of_every_kind(
    size: int, random: np.random.Generator, classes: int = CLASSES
) -> Iterator[tuple[str, dict]]:
    """(name, arguments of evaluate): two classes by scores and by labels, many by labels and by scores,
    several labels, amounts."""
    truth = np.append([0, 1], random.integers(0, 2, size - 2))
    score = np.round(random.beta(2 + 2 * truth, 4 - 2 * truth), 2)
    yield "probabilities", {"truth": truth, "score": score}
    yield "logits", {"truth": truth, "score": 3 * random.normal(size=size) + truth, "score_kind": "logit"}
    yield (
        "margins",
        {"truth": truth, "score": np.round(random.normal(size=size) + truth, 1), "score_kind": "margin"},
    )
    yield (
        "likelihood ratios",
        {"truth": truth, "score": random.normal(size=size) + truth, "score_kind": "llr"},
    )
    yield "two labels", {"truth": truth, "predicted": (score >= 0.5).astype(int)}
    label = np.append(np.arange(classes), random.integers(0, classes, size - classes))
    predicted = np.where(random.random(size) < 0.7, label, random.integers(0, classes, size))
    yield "labels", {"truth": label, "predicted": predicted}
    yield "labels without a mistake", {"truth": label, "predicted": label.copy()}
    # of few classes, as they take long
    odds = np.exp(random.normal(size=(size, CLASSES)) + 2 * np.eye(CLASSES)[label % CLASSES])
    probability = np.round(odds / odds.sum(1, keepdims=True), 9)
    yield "scores per class", {"truth": label % CLASSES, "score": probability, "classes": range(CLASSES)}
    yield "logits per class", {
        "truth": label % CLASSES, "score": np.log(odds), "classes": range(CLASSES), "score_kind": "logit"
    }  # fmt: skip
    yield (
        "several labels",
        {"truth": random.integers(0, 2, (size, 3)), "predicted": random.integers(0, 2, (size, 3))},
    )
    amounts = random.normal(size=size)
    yield (
        "amounts",
        {
            "truth": np.round(amounts, 1),
            "predicted": np.round(amounts + random.normal(size=size), 1),
            "regression": True,
        },
    )


def weights_of_every_kind(size: int, random: np.random.Generator) -> dict[str, np.ndarray | None]:
    """None, whole ones, and fractional ones: alike, of every size, and few different ones."""
    return {
        "none": None,
        "whole": random.integers(1, 5, size).astype(float),
        "alike": random.random(size) + 0.05,
        "of every size": 10.0 ** random.uniform(-6, 6, size),
        "tenths": random.choice([0.1, 0.2, 0.3, 0.7], size),
    }


def answer(**cases) -> dict[str, float | str | None]:
    """Every value of the answer by its place in the JSON."""
    found: dict[str, float | str | None] = {}
    written = json.loads(tm.evaluate(**cases).to_json())
    _flatten("", written, found)
    return found


def _flatten(place, value, found):
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            _flatten(f"{place}/{key}", part, found)
    else:
        found[place] = value


def taken(cases: dict, rows: np.ndarray) -> dict:
    """The cases of these rows."""
    return {name: part[rows] if isinstance(part, np.ndarray) else part for name, part in cases.items()}


def differences(one: dict, other: dict) -> dict[str, tuple]:
    """What the answers say differently, by its place; floats to the bit."""
    return {
        place: (one.get(place), other.get(place))
        for place in one.keys() | other.keys()
        if one.get(place) != other.get(place)
    }


def main(size: int, kinds: str) -> None:
    random = np.random.default_rng(13)
    weight = random.random(size) + 0.05
    chosen = {
        name: cases
        for name, cases in cases_of_every_kind(size, random, classes=min(110, size // 2))
        if name in kinds.split(",")
    }
    print(json.dumps({name: answer(**cases, weight=weight) for name, cases in chosen.items()}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
