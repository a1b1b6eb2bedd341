"""The scorer of scikit-learn that takes the classes from the estimator."""

from __future__ import annotations

from typing import Any

from sklearn.metrics._scorer import _Scorer

from ..measures.registry import classes_of


class Scorer(_Scorer):  # type: ignore[misc]  # scikit-learn has no types
    """A scorer as from make_scorer, whose function is a `ScoreFunction`."""

    def _score(self, method_caller: Any, estimator: Any, X: Any, y_true: Any, **given: Any) -> float:
        known, function = classes_of(estimator), self._score_func
        methods = [self._response_method] if isinstance(self._response_method, str) else self._response_method
        method = next((one for one in methods if hasattr(estimator, one)), methods[0])
        positive = function.positive(known, self._get_pos_label())
        # scikit-learn keeps the scores of a method for other scorers, whatever their positive class is
        of_first = known is not None and positive is not None and positive != known[-1]
        answers = method_caller(estimator, (method, method) if of_first else method, X, pos_label=positive)
        return float(self._sign * function(y_true, answers, **{**self._kwargs, **given}, known=known))
