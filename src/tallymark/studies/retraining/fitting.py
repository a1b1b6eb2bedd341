"""An estimator of any library: copied, trained on some cases, and measured on others.

Errors of an estimator are recorded.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...input.messages.notes import Note
from ...input.validate import InputError, shown
from .cases import Cases
from .measuring import Scorer, Unable

LARGEST_STATE = 2**31 - 1  # accepted as random_state by every library
NO_CASE = Note("no-case-left")
LONGEST = 300  # characters of an exception's text


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one fit.

    value: NaN with the reason where it is undefined, or with the error where the fit failed.
    """

    value: float
    reason: Note | None = None
    error: str | None = None


def check(estimator: Any) -> None:
    """Raises InputError for an object that cannot be trained."""
    if isinstance(estimator, type):
        name = estimator.__name__
        raise InputError(
            "estimator", "estimator", f"{name} is a class", f"pass an instance of it, as {name}()"
        )
    if not callable(getattr(estimator, "fit", None)):
        raise InputError(
            "estimator",
            "estimator",
            f"{shown(estimator)} has no method fit(X, y), so that it cannot be trained",
            value=estimator,
        )


def fresh(estimator: Any) -> Any:
    """An untrained copy.

    By the conventions of scikit-learn, without it from the parameters if there are any, else a deep copy.
    """
    if isinstance(estimator, (list, tuple)) and type(estimator) in (list, tuple):
        return type(estimator)(fresh(one) for one in estimator)
    if isinstance(estimator, type) or not hasattr(estimator, "get_params"):
        return copy.deepcopy(estimator)
    if hasattr(estimator, "__sklearn_clone__"):
        return estimator.__sklearn_clone__()
    return type(estimator)(**{name: fresh(value) for name, value in estimator.get_params(deep=False).items()})


def seed(estimator: Any, rng: np.random.Generator) -> None:
    """Sets every parameter that is named random_state, also those of nested estimators."""
    if not hasattr(estimator, "get_params"):
        raise Unable(
            "estimator",
            "seed_estimator",
            "the estimator has no get_params, so that its random_state cannot be set",
            "leave it out",
        )
    names = [name for name in estimator.get_params(deep=True) if name.rpartition("__")[2] == "random_state"]
    if names:
        estimator.set_params(**{name: int(rng.integers(LARGEST_STATE)) for name in names})


@dataclass(frozen=True, slots=True)
class Fitting:
    """An estimator, a measure, and whether random_state is set for each fit."""

    estimator: Any
    scorer: Scorer
    seed_estimator: bool = False

    def model(self, train: Cases, rng: np.random.Generator) -> Any:
        """A trained copy."""
        made = fresh(self.estimator)
        if self.seed_estimator:
            seed(made, rng)
        made.fit(train.X, train.y)
        return made

    def outcome(self, train: Cases, test: Cases, rng: np.random.Generator) -> Outcome:
        """The outcome of a copy trained on some cases and measured on others."""
        if not len(test.truth):
            return Outcome(np.nan, NO_CASE)
        return self._kept(lambda: self.scorer.value(self.model(train, rng), test))

    @staticmethod
    def _kept(attempt: Callable[[], tuple[float, Note | None]]) -> Outcome:
        try:
            return Outcome(*attempt())
        except Unable:
            raise  # the call is wrong, for every fit
        except Exception as reason:  # any error of a foreign estimator is counted and reported
            return Outcome(np.nan, error=said_of(reason))

    def on_the_whole(self, train: Cases, rng: np.random.Generator) -> Any:
        """The model trained on the cases as they are. Raises InputError where that fails.

        No resample is worth a fit then.
        """
        try:
            return self.model(train, rng)
        except InputError:
            raise
        except Exception as reason:
            raise InputError(
                "estimator", "estimator", f"it cannot be trained on these cases ({said_of(reason)})"
            ) from reason

    def whole_value(self, model: Any, test: Cases) -> tuple[float, Note | None]:
        """The value of this model, and why it is undefined. Raises InputError where it cannot be measured."""
        try:
            return self.scorer.value(model, test)
        except InputError:
            raise
        except Exception as reason:
            raise InputError(
                "estimator", "estimator", f"it was trained, but cannot predict ({said_of(reason)})"
            ) from reason


def said_of(reason: Exception) -> str:
    """The type of an exception, and its text on one line."""
    text = " ".join(str(reason).split())
    short = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return f"{type(reason).__name__}: {short}" if short else type(reason).__name__
