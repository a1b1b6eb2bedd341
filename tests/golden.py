"""What the public API answers for tasks, designs and indices, frozen in `golden.json`.

python tests/golden.py            what differs from the frozen answers
python tests/golden.py --freeze   writes them anew; the commit says which changed and why

A value agrees to 1e-9 relative. Ends of intervals and p-values may come from another method:
their changes are measured by the width of the frozen interval (`Changes`).
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import tallymark as tm

FROZEN = Path(__file__).with_suffix(".json")
VALUE = 1e-9  # relative
MEDIAN, NINE_OF_TEN = 0.03, 0.10  # of the width
SIMULATED = 0.15  # of the width: four standard errors of a quantile from some 400 replicates
POINTS = 8  # of a curve, evenly spread
COMPARED = (
    *("roc_auc", "average_precision", "brier_score", "log_loss", "sensitivity", "specificity", "precision"),
    *("accuracy", "f1", "matthews_correlation", "cohen_kappa", "balanced_accuracy", "net_benefit"),
)
IDENTITY = ("measure", "model", "reference", "group", "fold", "class", "label", "test", "name")
OMITTED = ("settings", "data", "headline", "notices", "seed", "level", "replicates", "schema", "document")
Numbers = dict[str, list[float | None]]


# Cases
# -------------------------------------------------------------------------------------------------------


@cache
def cases(n: int = 400) -> dict[str, np.ndarray]:
    """Columns of cases, from a generator whose stream no version of NumPy changes."""
    random = np.random.RandomState(20)
    latent = random.standard_normal(n)
    truth = (latent + random.standard_normal(n) > 0.7).astype(int)
    shift = random.standard_normal((n, 3))
    scores = 1 / (1 + np.exp(-(1.4 * latent[:, None] - 0.8 + np.array([0.4, 0.8, 1.6]) * shift)))
    kind = np.array(["ant", "bee", "cow"])[np.digitize(latent + 0.5 * shift[:, 0], [-0.4, 0.9])]
    logits = np.stack([-latent - 0.2, 0.3 + 0 * latent, latent - 0.6], 1) + 0.7 * shift
    rows = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    labels = np.stack([truth, latent > 0, shift[:, 0] + latent > 0.5], 1).astype(int)
    return {
        "truth": truth,
        "a": scores[:, 0],
        "b": scores[:, 1],
        "c": scores[:, 2],
        "levels": np.round(4 * scores[:, 0]) / 4,
        "zeros": np.where(scores[:, 1] < 0.4, 0.0, scores[:, 1]),
        "logit": np.log(scores[:, 0] / (1 - scores[:, 0])),
        "kind": kind,
        "rows": rows,
        "rows_2": rows**0.4 / (rows**0.4).sum(axis=1, keepdims=True),
        "answer": np.array(["ant", "bee", "cow"])[rows.argmax(axis=1)],
        "answer_2": np.array(["ant", "bee", "cow"])[np.roll(rows, 1, axis=0).argmax(axis=1)],
        "labels": labels,
        "label_answers": (0.25 + 0.4 * labels + 0.25 * shift > 0.5).astype(int),
        "amount": 3 + latent + 0.3 * shift[:, 0],
        "amount_a": 3 + latent,
        "amount_b": 3.1 + 0.8 * latent + 0.2 * shift[:, 1],
        "weight": np.exp(0.6 * random.standard_normal(n)),
        "times": random.randint(1, 4, n),
        "cluster": random.randint(0, 60, n),
        "site": np.array(["north", "south", "west"])[random.randint(0, 3, n)],
        "fold": np.arange(n) % 5,
        "half": np.arange(n) // (n // 2),
        "person_1": (first := random.randint(0, 40, n)),
        "person_2": (first + random.randint(1, 40, n)) % 40,
    }


DESIGNS: dict[str, dict[str, Any]] = {
    "cohort": {},
    "case-control": {"design": "case-control"},
    "weights": {"weight": "weight"},
    "counts": {"weight": "times", "weight_kind": "count"},
    "clusters": {"clusters": "cluster"},
    "clusters, weights": {"clusters": "cluster", "weight": "weight"},
    "clusters, case-control": {"clusters": "cluster", "design": "case-control"},
    "persons": {"persons": ("person_1", "person_2")},
}
TASKS: dict[str, dict[str, Any]] = {
    "probabilities": {"truth": "truth", "score": "a"},
    "five levels": {"truth": "truth", "score": "levels"},
    "many zeros": {"truth": "truth", "score": "zeros"},
    "logits": {"truth": "truth", "score": "logit"},
    "labels": {"truth": "kind", "predicted": "answer"},
    "class scores": {"truth": "kind", "score": "rows", "classes": ["ant", "bee", "cow"]},
    "several labels": {"truth": "labels", "predicted": "label_answers"},
    "amounts": {"truth": "amount", "predicted": "amount_a", "regression": True},
}
PAIRS: dict[str, dict[str, Any]] = {
    "probabilities": {"truth": "truth", "score": {"a": "a", "b": "b", "c": "c"}},
    "labels": {"truth": "kind", "predicted": {"a": "answer", "b": "answer_2"}},
    "class scores": {
        "truth": "kind", "score": {"a": "rows", "b": "rows_2"}, "classes": ["ant", "bee", "cow"],
    },
    "amounts": {"truth": "amount", "predicted": {"a": "amount_a", "b": "amount_b"}, "regression": True},
}  # fmt: skip


def call(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments with the columns in place of their names."""

    def column(name: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: column(name, one) for key, one in value.items()}
        if isinstance(value, tuple):
            return tuple(column(name, one) for one in value)
        return cases()[value] if isinstance(value, str) and value in cases() else value

    return {name: column(name, value) for name, value in given.items()}


# Answers
# -------------------------------------------------------------------------------------------------------


def settings() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Each setting and what answers it. Some are refused; what is refused has no numbers."""
    two, rest = TASKS["probabilities"], {"site": "site"}
    for design, options in DESIGNS.items():
        usual = design in ("cohort", "weights", "clusters")
        for task, columns in TASKS.items():
            if task != "probabilities" and not usual:
                continue
            yield f"evaluate: {task}: {design}", partial(answer, "evaluate", columns, options)
        for task, columns in PAIRS.items():
            measures = {"measures": [*COMPARED]} if task == "probabilities" else {}
            yield f"compare: {task}: {design}", partial(answer, "compare", columns, options, measures)
        yield f"calibration: {design}", partial(answer, "calibration", two, options)
        yield f"threshold: {design}", partial(answer, "choose_threshold", two, options, {"replicates": 400})
        yield f"bootstrap: {design}", partial(answer, "bootstrap", two, options, {"replicates": 400})
        for task in ("probabilities", "labels", "class scores", "amounts") * usual:
            for index in ({"by": rest}, {"fold": {"fold": "fold"}}):
                (kind,) = index
                yield f"{kind}: {task}: {design}", partial(answer, "evaluate", TASKS[task], options, index)
        for kind in ("roc", "pr", "decision", "reliability"):
            yield f"curve: {kind}: {design}", partial(curve, kind, options)
    samples = {"truth": "truth", "score": "a", "sample": "half"}
    yield "compare: two samples", partial(answer, "compare", samples, {"measures": [*COMPARED]})


def answer(verb: str, *given: dict[str, Any]) -> Any:
    found = getattr(tm, verb)(**call({name: value for one in given for name, value in one.items()}))
    return getattr(found, "all", found)


def curve(kind: str, options: dict[str, Any]) -> Any:
    return tm.evaluate(**call({**TASKS["probabilities"], **options})).curve(kind, band="pointwise")


def numbers(answered: Any) -> Numbers:
    """Every number of an answer by where it stands, an estimate as value, low and high."""
    return dict(_numbers("", answered.to_dict()))


def _numbers(place: str, value: Any) -> Iterator[tuple[str, list[float | None]]]:
    if isinstance(value, dict) and {"value", "low", "high"} <= value.keys():
        ends = (value[name] for name in ("value", "low", "high"))
        yield place, [None if one is None else float(f"{one:.12g}") for one in ends]
        value = {name: one for name, one in value.items() if name.endswith("p_value")}
    if isinstance(value, dict):
        for name, one in value.items():
            if name not in OMITTED:
                yield from _numbers(f"{place}/{name}", one)
    elif isinstance(value, list):
        step = max(len(value) // POINTS, 1) if not any(isinstance(one, dict | list) for one in value) else 1
        for i, one in enumerate(value):
            if i % step == 0:
                yield from _numbers(f"{place}/{_identity(one) or i}", one)
    elif isinstance(value, float):
        yield place, [float(f"{value:.12g}")]


def _identity(one: Any) -> str:
    return " ".join(str(one[k]) for k in IDENTITY if k in one) if isinstance(one, dict) else ""


def answers() -> Iterator[tuple[str, Numbers]]:
    for name, make in settings():
        try:
            yield name, numbers(make())
        except tm.InputError:
            continue


# Frozen and now
# -------------------------------------------------------------------------------------------------------


@dataclass
class Changes:
    """values: those that differ; missing: estimates that are no longer there; shifts: of both ends of every
    interval, by the frozen width; simulated: those of intervals from replicates."""

    values: list[str]
    missing: list[str]
    shifts: dict[str, float]
    simulated: dict[str, float]

    def failures(self) -> list[str]:
        """One line for each rule that does not hold."""
        shifts = np.array([*self.shifts.values()] or [0.0])
        beyond = sorted(self.shifts, key=lambda place: -self.shifts[place])[:20]
        rules = {
            f"values differ: {self.values[:20]}": self.values,
            f"missing: {self.missing[:20]}": self.missing,
            f"ends move by {np.median(shifts):.3f} of the width in the median": np.median(shifts) > MEDIAN,
            f"one of ten ends moves by more than {NINE_OF_TEN} of the width: {beyond}": (
                np.mean(shifts > NINE_OF_TEN) > 0.1
            ),
            f"beyond the error of simulation: {[k for k, v in self.simulated.items() if v > SIMULATED]}": (
                max(self.simulated.values(), default=0) > SIMULATED
            ),
        }
        return [text for text, broken in rules.items() if broken]


def changes(frozen: dict[str, Numbers], now: dict[str, Numbers]) -> Changes:
    result = Changes([], [], {}, {})
    for setting, numbers_of in frozen.items():
        simulated = setting.startswith(("bootstrap", "threshold"))
        for place, old in numbers_of.items():
            at, new = f"{setting}{place}", now.get(setting, {}).get(place)
            if new is None or (old[0] is not None and new[0] is None):
                result.missing.append(at)
                continue
            end = len(old) == 1 and ("/low" in place or "/high" in place or "p_value" in place)
            if not end and not _equal(old[0], new[0]):
                result.values.append(f"{at}: {old[0]} -> {new[0]}")
            shift = _shift(old, new)
            if shift is not None:
                (result.simulated if simulated else result.shifts)[at] = shift
    return result


def _equal(old: float | None, new: float | None) -> bool:
    return old == new or (old is not None and new is not None and math.isclose(old, new, rel_tol=VALUE))


def _shift(old: list[float | None], new: list[float | None]) -> float | None:
    """The larger shift of both ends by the frozen width; None without an interval, inf where it went."""
    if len(old) == 1 or old[1] is None or old[2] is None or old[2] == old[1] or math.isinf(old[2] - old[1]):
        return None
    if new[1] is None or new[2] is None:
        return math.inf
    return max(abs(new[1] - old[1]), abs(new[2] - old[2])) / (old[2] - old[1])


def main() -> int:
    now = dict(answers())
    if "--freeze" in sys.argv:
        rows = (
            f"{json.dumps(name)}: {json.dumps(found, separators=(',', ':'))}" for name, found in now.items()
        )
        FROZEN.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
        return 0
    failures = changes(json.loads(FROZEN.read_text(encoding="utf-8")), now).failures()
    print("\n".join(failures) or f"{len(now)} settings agree")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
