"""The area under the ROC curve where cases without a score get one constant score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from ..curves import Curve
from ..input import validate
from ..input.arguments import OF_UNITS
from ..input.calls import public
from ..input.errors import option
from ..input.names import listed
from ..input.results import Answer, Tabular, number_of
from ..measures.families.ranking import roc_auc
from ..summaries import RankingTable
from .evaluate import NOT_OF_ONE, EvaluateArguments, evaluate, with_scores
from .notices import Notice

NO_INTERVAL = "the areas have no interval, and it would change nothing else; leave it out"


@listed(
    "function",
    "tm.unscored(...)",
    aka=(
        "share_of_bad_data",
        "bad_data",
        "cases_without_a_score",
    ),
    command="tallymark unscored",
)
@public(also=evaluate, but=(*NOT_OF_ONE, *OF_UNITS), instead=dict.fromkeys(OF_UNITS, NO_INTERVAL))
def unscored(
    data: Any = None,
    /,
    *,
    share: float | None = None,
    of_positives: float | None = None,
    of_negatives: float | None = None,
    **cases: Unpack[EvaluateArguments],
) -> Unscored:
    """Compute the area under the ROC curve where cases without a score get one constant score.

    Parameters
    ----------
    data : data frame, file, mapping of columns, RankingTable or evaluation, optional
        The cases that can be scored, as for `evaluate`, or an evaluation of them.
    share : float, optional
        Share of all cases, positives and negatives alike, that cannot be scored, from 0 to 1.
    of_positives, of_negatives : float, optional
        In place of share, where the shares of the two classes differ.
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, regression
        As for `evaluate`.
    predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
        As for `evaluate`.
    where, memory, threshold, rule, replicates
        As for `evaluate`.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    Unscored
        With the area as a function of the constant score, and the best constant.

    Raises
    ------
    InputError
        For shares outside 0 to 1, where one class is missing, and for whatever `evaluate` refuses.

    Notes
    -----
    In biometrics these are failures to enrol and to acquire (FTE, FTA).

    References
    ----------
    QuData, The Probabilistic Interpretation of AUC.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.unscored(truth=[0, 0, 1, 0, 1, 1], score=[0.1, 0.3, 0.4, 0.6, 0.7, 0.9], share=0.2)
    >>> (result.of_positives, result.of_negatives)
    (0.2, 0.2)
    """
    found = with_scores("unscored", "an area", data, {**cases, "bins": None})
    if found.ranking is None or not found.higher_is_positive:
        raise validate.InputError("needed", "score", "one is needed of which a higher value means positive")
    found.need_each_score("unscored")
    shares = {"of_positives": of_positives, "of_negatives": of_negatives}
    given = [value is not None for value in shares.values()]
    if any(given) != all(given) or (share is None) != all(given):
        raise validate.InputError(
            "needed",
            "share",
            f"give {option('share')}, or both {option('of_positives')} and {option('of_negatives')}",
        )
    for name, value in {"share": share, **shares}.items():
        if value is not None:
            validate.number(value, name, 0.0, 1.0)
    both = (share, share) if share is not None else (of_positives, of_negatives)
    lost, false = (float(one) for one in both if one is not None)
    return Unscored(found.ranking, lost, false, found.notices_of_data)


@dataclass(frozen=True, eq=False)
class Unscored(Answer, Tabular):
    """The area under the ROC curve where some cases have no score.

    Attributes
    ----------
    ranking : RankingTable
        The cases that are scored.
    of_positives, of_negatives : float
        The shares of all positives and of all negatives without a score, in [0, 1].
    notices : tuple of Notice
        On the data.
    """

    ANSWER = "unscored"
    FORM = "measures.unscored"
    HOLDS = None  # the areas have no intervals
    PLAIN = "notices? of_positives of_negatives areas=table"
    INFINITE = True

    ranking: RankingTable
    of_positives: float
    of_negatives: float
    notices: tuple[Notice, ...] = ()

    def at(self, score: Any) -> Any:
        """The area where every case without a score gets this one.

        Parameters
        ----------
        score : float or array of float
            The constant; an array gives an array.

        Returns
        -------
        float or array of float
            (1 - l)(1 - m) auc + (1 - l) m a + l (1 - m) b + l m / 2, where l and m are the shares of
            positives and of negatives without a score, a that of scored positives above the constant and b
            that of scored negatives below it, a tie counting one half.

        Raises
        ------
        InputError
            For a value that is not a number.
        """
        try:
            asked = np.asarray(score, float)
        except (TypeError, ValueError):
            asked = np.array(np.nan)
        if np.isnan(asked).any():
            raise validate.InputError(
                "invalid-value",
                "score",
                "the constant must be a number",
                "infinity puts the cases above all others",
            )
        with np.errstate(over="ignore"):  # as for a threshold, so that it ties with the scores that it equals
            asked = asked.astype(self.ranking.score.dtype).astype(float)
        a, b = self._above(self.ranking.positive, asked), 1 - self._above(self.ranking.negative, asked)
        lost, false = self.of_positives, self.of_negatives
        area = (
            (1 - lost) * (1 - false) * roc_auc(self.ranking)
            + (1 - lost) * false * a
            + lost * (1 - false) * b
            + lost * false / 2
        )
        return area if np.ndim(area) else float(area)

    @property
    def best(self) -> tuple[float, float]:
        """The constant with the largest area, and this area; infinite if it is above or below all scores.

        A tie has the mean of the areas of the gaps next to it, so that the best constant lies in a gap: its
        middle is returned.
        """
        choices = np.concatenate([[np.inf], self._between, [-np.inf]])
        areas = self.at(choices)
        return float(choices[int(areas.argmax())]), float(areas.max())

    @property
    def curve(self) -> Curve:
        """The area against the constant, at every score and midway between neighbouring scores."""
        x = np.sort(np.concatenate([self.ranking.score.astype(float), self._between]))[::-1]
        area = roc_auc(self.ranking)
        return Curve(
            "unscored",
            x,
            self.at(x),
            x,
            "score of the cases without one",
            "roc_auc",
            others={"scored cases alone": np.full(len(x), area)},
        )

    @property
    def _between(self) -> np.ndarray:
        """The midpoints between neighbouring scores; in an infinite gap any number of it."""
        score = self.ranking.score
        with np.errstate(invalid="ignore", over="ignore"):
            middle = score[:-1] / 2 + score[1:] / 2
            size = np.maximum(np.abs(score), 1)
            middle = np.where(np.isposinf(score[:-1]), score[1:] + size[1:], middle)
            middle = np.where(np.isneginf(score[1:]), score[:-1] - size[:-1], middle)
        middle = np.where(np.isposinf(score[:-1]) & np.isneginf(score[1:]), 0.0, middle)
        inside = (middle < score[:-1]) & (middle > score[1:]) & np.isfinite(middle)
        return middle[inside].astype(float)

    def _above(self, weight: np.ndarray, constant: np.ndarray) -> np.ndarray:
        """The share of a class with scores above the constant, plus half of those equal to it."""
        ascending = self.ranking.score[::-1].astype(float)
        sums = np.append(0.0, np.cumsum(weight[::-1], dtype=float))
        below, up_to = (sums[np.searchsorted(ascending, constant, side=side)] for side in ("left", "right"))
        return 1 - (below + up_to) / 2 / sums[-1]

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per way of scoring the other cases, as plain values.

        `score` is the score that they get, None where they are left out.
        """
        constant, area = self.best
        low, high = (self.at(end) for end in (-np.inf, np.inf))
        ways = (None, roc_auc(self.ranking)), (-np.inf, low), (np.inf, high), (constant, area)
        names = ("scored cases alone", "at the bottom", "at the top", "best")
        return [
            {"others": name, "score": score, "roc_auc": float(area)}
            for name, (score, area) in zip(names, ways, strict=True)
        ]

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, made from the plain values."""
        return [{**row, "score": number_of(row["score"])} for row in plain["areas"]]

    def __repr__(self) -> str:
        alone, (_, area) = roc_auc(self.ranking), self.best
        return f"<Unscored: roc_auc {alone:.4g} of the scored cases, at best {area:.4g} of all>"
