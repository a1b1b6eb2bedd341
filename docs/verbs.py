"""The page of what is done with which data: every function is called on small data of every kind, and either
answers or refuses."""

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import tallymark as tm

HEAD = """# Which function accepts which data

Made by `python docs/make.py`, which calls every function on small data of every kind. "yes": it returns a
result; a number: it raises an error, whose first sentence is given below. `clusters=` identifies cases that
are not independent of each other, `persons=` the two persons on whom each depends, `sample=` the independent
sample of each case. Every result has the
[same methods](results.md).
"""
N = 60
RNG = np.random.default_rng(5)
TWO = np.tile([0, 1, 1], N // 3)
SCORE, OTHER = (np.round(np.clip(share * TWO + (1 - share) * RNG.random(N), 0, 1), 2) for share in (0.3, 0.1))
MANY = np.tile(["a", "b", "c"], N // 3)
PER_CLASS, OTHERS = RNG.dirichlet([1, 1, 1], (2, N))
SEVERAL = np.stack([TWO, 1 - TWO], axis=1)
CLUSTERS, SAMPLE = np.arange(N) // 4, np.where(np.arange(N) % 2, "x", "y")
PERSONS = (np.arange(N) % 11, np.arange(N) % 7)


@dataclass
class Task:
    """Cases of one kind. role: score or predicted; first, second: of two models; wanted: a requirement."""

    role: str
    truth: np.ndarray
    first: np.ndarray
    second: np.ndarray
    wanted: str
    more: dict[str, Any] = field(default_factory=dict)

    def models(self) -> dict[str, Any]:
        """Of two models."""
        return {"truth": self.truth, self.role: {"a": self.first, "b": self.second}, **self.more}

    def one(self) -> dict[str, Any]:
        """Of one model."""
        return {"truth": self.truth, self.role: self.first}

    def cases(self) -> dict[str, Any]:
        """Of one model, with what `evaluate` is given of them."""
        return {**self.one(), **self.more}

    def evaluations(self) -> list[Any]:
        """Of two models."""
        return [tm.evaluate(**self.cases() | {self.role: one}) for one in (self.first, self.second)]

    def compared(self) -> dict[str, Any]:
        """How: with the measure where there is no usual one."""
        usual = self.role == "score" or self.truth.dtype.kind == "U" or self.truth is TWO
        return {"replicates": 100} | ({} if usual else {"measures": self.measure})

    @property
    def measure(self) -> str:
        """The one that is wanted."""
        return self.wanted.split()[0]


TASKS = {
    "two classes, a score": Task("score", TWO, SCORE, OTHER, "accuracy >= 0.1"),
    "two classes, labels": Task("predicted", TWO, SCORE > 0.5, OTHER > 0.5, "accuracy >= 0.1"),
    "many classes, labels": Task("predicted", MANY, np.roll(MANY, 7), np.roll(MANY, 3), "accuracy >= 0.1"),
    "many classes, a score each": Task("score", MANY, PER_CLASS, OTHERS, "accuracy >= 0.1"),
    "several labels": Task(
        "predicted", SEVERAL, SEVERAL[::-1], SEVERAL[[*range(9, N), *range(9)]], "exact_match >= 0"
    ),
    "amounts": Task(
        "predicted", SCORE + 0.0, OTHER, OTHER / 2, "mean_absolute_error <= 9", {"regression": True}
    ),
}


def _estimator(task):
    """Whether it learns nothing of use: it answers what it was shown first."""

    class Constant:
        """Answers alike."""

        def fit(self, features, truth):
            """Keeps what it answers."""
            self.answer, self.classes_ = truth[0], np.unique(truth)
            return self

        def predict(self, features):
            """The same for every case."""
            return np.repeat(np.asarray(self.answer)[None], len(features), axis=0)

        def predict_proba(self, features):
            """A little more for one class, by the first feature."""
            p = np.full((len(features), len(self.classes_)), 1 / len(self.classes_))
            p[:, 0] += 0.1 * np.asarray(features)[:, 0]
            return p / p.sum(axis=1, keepdims=True)

    return Constant(), SCORE[:, None], task.truth


def _evaluated(task, **more):
    return tm.evaluate(**task.cases(), **more)


VERBS: dict[str, Callable[[Task], Any]] = {
    "evaluate": lambda task: tm.evaluate(**task.cases()),
    "evaluate, two models": lambda task: tm.evaluate(**task.models()),
    "evaluate, by=": lambda task: tm.evaluate(**task.cases(), by=SAMPLE),
    "evaluate, fold=": lambda task: tm.evaluate(**task.cases(), fold=SAMPLE),
    "evaluate, clusters=": lambda task: tm.evaluate(**task.cases(), clusters=CLUSTERS),
    "evaluate, persons=": lambda task: tm.evaluate(**task.cases(), persons=PERSONS),
    "bootstrap": lambda task: tm.bootstrap(**task.cases(), replicates=100),
    "bootstrap an evaluation": lambda task: tm.bootstrap(_evaluated(task), replicates=100),
    "bootstrap, clusters=": lambda task: tm.bootstrap(**task.cases(), clusters=CLUSTERS, replicates=100),
    "compare": lambda task: tm.compare(**task.models(), **task.compared()),
    "compare, clusters=": lambda task: tm.compare(**task.models(), **task.compared(), clusters=CLUSTERS),
    "compare, sample=": lambda task: tm.compare(**task.cases(), **task.compared(), sample=SAMPLE),
    "compare two evaluations": lambda task: tm.compare(*task.evaluations(), **task.compared(), paired=False),
    "check": lambda task: tm.check(**task.cases(), require=task.wanted),
    "compare, persons=": lambda task: tm.compare(**task.models(), **task.compared(), persons=PERSONS),
    "check, clusters=": lambda task: tm.check(**task.cases(), clusters=CLUSTERS, require=task.wanted),
    "check, baseline=": lambda task: tm.check(
        **task.cases(), baseline=task.evaluations()[1], paired=False, no_worse_than=0.5, measures=task.measure
    ),
    "check an evaluation": lambda task: tm.check(_evaluated(task), require=task.wanted),
    "choose_threshold": lambda task: tm.choose_threshold(**task.cases(), replicates=100),
    "choose_threshold of an evaluation": lambda task: tm.choose_threshold(_evaluated(task), replicates=100),
    "choose_threshold, clusters=": lambda task: tm.choose_threshold(
        **task.cases(), clusters=CLUSTERS, replicates=100
    ),
    "choose_threshold, clusters=, replicates=0": lambda task: tm.choose_threshold(
        **task.cases(), clusters=CLUSTERS, replicates=0
    ),
    "calibration": lambda task: tm.calibration(**task.cases()),
    "calibration of an evaluation": lambda task: tm.calibration(_evaluated(task)),
    "calibration, clusters=": lambda task: tm.calibration(**task.cases(), clusters=CLUSTERS),
    "calibration, persons=": lambda task: tm.calibration(**task.cases(), persons=PERSONS),
    "advise": lambda task: tm.advise(_evaluated(task)),
    "at_prevalence": lambda task: tm.at_prevalence(_evaluated(task), prevalence=0.1),
    "class_mix_sensitivity": lambda task: tm.class_mix_sensitivity(_evaluated(task)),
    "unscored": lambda task: tm.unscored(**task.cases(), share=0.1),
    "biometric": lambda task: tm.biometric(**task.cases()),
    "planning.present": lambda task: tm.planning.present(_evaluated(task)),
    "cross_validate": lambda task: tm.cross_validate(
        *_estimator(task), measure=task.measure, folds=3, repeats=1
    ),
    "measures.f1": lambda task: tm.measures.f1(**task.one()),
    "measures.roc_auc": lambda task: tm.measures.roc_auc(**task.one()),
    "curve": lambda task: _evaluated(task).curve("roc"),
    "operating_points": lambda task: _evaluated(task).operating_points(),
}


def answered(verb: str, task: str) -> str | None:
    """None where it answers; else the refusal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tm.UndefinedMeasureWarning)
        try:
            str(VERBS[verb](TASKS[task]))
        except tm.InputError as refusal:
            return str(refusal)
    return None


def page() -> str:
    """A row per function and a column per kind of data, with the refusals below."""
    found = {verb: {task: answered(verb, task) for task in TASKS} for verb in VERBS}
    sentences = {
        said: i + 1
        for i, said in enumerate(dict.fromkeys(one for row in found.values() for one in row.values() if one))
    }
    head = [f"| | {' | '.join(TASKS)} |", f"|---|{'---|' * len(TASKS)}"]
    rows = [
        f"| `{verb}` | {' | '.join(str(sentences[one]) if one else 'yes' for one in row.values())} |"
        for verb, row in found.items()
    ]
    below = [f"{i}. {_escaped(first(said))}" for said, i in sentences.items()]
    return "\n".join([HEAD, *head, *rows, "", *below, ""])


def first(said: str) -> str:
    """The first sentence, which ends with a period before a space and a capital."""
    return re.split(r"(?<=\.) (?=[A-Z])", said)[0]


def _escaped(said):
    return said.replace("|", r"\|").replace("<", "&lt;").replace("[", r"\[")
