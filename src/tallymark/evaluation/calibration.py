"""Calibration of probabilities: errors over bins, the logistic line, decompositions, tests and curves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from .. import curves
from ..inference import Estimate, measured
from ..inference.clustered import DependentTables
from ..inference.hypothesis import Test, hosmer_lemeshow, not_made, spiegelhalter
from ..inference.sums import add_up
from ..input import text, validate
from ..input.arguments import Reliability
from ..input.calls import public
from ..input.errors import option
from ..input.messages import Note
from ..input.results import Answer, ByName, Plotted, Tabular, as_svg, head, plain
from ..input.sample import named
from ..input.score_columns import of_one_model
from ..input.validate import InputError, shown
from ..measures import registry
from ..measures.families.bins import MOST, of_equal_width
from ..measures.registry import Measure
from ..summaries import ClassScores, ConfusionMatrix, Counts, IndicatorTable, RankingTable, Residuals
from .evaluate import NOT_OF_ONE, EvaluateArguments, evaluate, evaluated
from .notices import Notice
from .results import MulticlassEvaluation, ScoredEvaluation

DEPENDENT = Note("no-independent-trials")
OF_TABLES = ("calibration", "smooth_calibration", "top_label", "decomposition")  # families
OF_CLASSES = "multiclass_probability"
SCORES = {"brier_score": "brier", "log_loss": "log_loss"}  # and the prefix of the names of their parts
PARTS = ("miscalibration", "discrimination", "uncertainty")
CURVES = {
    "equal_width": "reliability",
    "equal_mass": "reliability_equal_mass",
    "isotonic": "reliability_isotonic",
}
WITHOUT_SCORES = (Counts, ConfusionMatrix, IndicatorTable, Residuals)
SIDE_BY_SIDE = (
    'evaluate(..., measures=["calibration_slope", "ece", "brier_score"]) shows several side by side, its'
    ' plot("reliability") draws them, and compare has the differences'
)
# notices that refer to `calibration`
RECALIBRATED = ("over-confident", "under-confident", "overestimation", "underestimation")
SAID_HERE = (*RECALIBRATED, "scores-in-bins")
KEPT = (
    "one-class", "few-cases", "rows-dropped", "importance-weights", "probabilities-clipped",
    "log-loss-clipped", *RECALIBRATED, "worse-than-guessing", "equal-highest-scores", "class-weights",
    "whole-weights", "scores-in-bins",
)  # fmt: skip


@public(also=evaluate, but=tuple(name for name in NOT_OF_ONE if name != "bins"))
def calibration(
    data: Any = None,
    /,
    *,
    bins: int = 10,
    hl_groups: int = 10,
    fitted: bool = False,
    **cases: Unpack[EvaluateArguments],
) -> Calibration:
    """Examine the calibration of probabilities: errors by bins, tests and reliability curves.

    Parameters
    ----------
    data : data frame, file, mapping of columns, summary or evaluation, optional
        As for `evaluate`: with probabilities, or with score_kind="logit" their logits; or an evaluation of
        them.
    bins : int, default 10
        Number of bins of the calibration errors and reliability curves, from 1 on.
    hl_groups : int, default 10
        Number of groups of equal mass in Hosmer and Lemeshow's test, from 2 on.
    fitted : bool, default False
        Whether the model was fitted to these cases.
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, regression
        As for `evaluate`.
    clusters, persons, predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
        As for `evaluate`.
    where, memory, threshold, rule, replicates
        As for `evaluate`.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    Calibration
        With `estimates`, `tests`, `decomposition` and `curve`.

    Raises
    ------
    InputError
        Where the scores are not probabilities, for predicted and counts, and for whatever `evaluate` refuses.

    Notes
    -----
    With a score per class, the highest probability of each case is compared with how often its class is the
    actual one (top-label calibration). With clusters and persons the tests, which assume independent cases,
    are left out.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.calibration(truth=[0, 0, 1, 0, 1, 1], score=[0.1, 0.3, 0.4, 0.6, 0.7, 0.9], bins=2)
    >>> round(result["expected_calibration_error"].value, 4)
    0.0667
    """
    number = validate.whole(bins, "bins", 1, MOST)
    parts = validate.whole(hl_groups, "hl_groups", 2, MOST)
    validate.flag(fitted, "fitted")
    cases = of_one_model("calibration", cases, SIDE_BY_SIDE)
    if cases.get("predicted") is not None:
        raise InputError(
            "unsupported",
            "predicted",
            "labels and amounts have no probabilities",
            f"pass probabilities with {option('score')}",
        )
    if isinstance(data, WITHOUT_SCORES) or cases.get("counts") is not None:
        raise _needed()
    if cases.get("score") is not None and cases.get("score_kind") is None:
        cases["score_kind"] = "probability"
    found = evaluated(data, cases)
    if not isinstance(found, ScoredEvaluation) or found.scored is None:
        raise _needed()
    if not found.probabilities:
        why = found.why_not(registry.get(found.left_out[0], type(found.scored)))
        raise InputError(
            "unsupported", "score", f"calibration needs probabilities, or logits: {why}", "pass such scores"
        )
    return Calibration(found, number, parts, fitted)


def _needed() -> InputError:
    return InputError(
        "needed",
        "score",
        f"calibration needs probabilities, or logits with {option('score_kind', 'logit')}",
        f"pass {option('truth')} and {option('score')}",
    )


@dataclass(frozen=True, eq=False)
class Calibration(ByName, Answer, Tabular, Plotted):
    """The calibration of predicted probabilities: estimates, tests, decomposition and curves.

    Attributes
    ----------
    evaluation : ScoredEvaluation
        Every measure of the cases.
    bins : int
        The number of bins of the calibration errors and reliability curves.
    hl_groups : int
        The number of groups of equal mass in the test of Hosmer and Lemeshow.
    fitted : bool
        Whether the model was fitted to these cases.
    """

    ANSWER = "calibration"
    FORM = "measures.calibration"
    FIGURE = "reliability"

    evaluation: ScoredEvaluation
    bins: int = 10
    hl_groups: int = 10
    fitted: bool = False

    @property
    def of_answers(self) -> bool:
        """Whether the highest probability of each case is examined, since there is a score per class."""
        return isinstance(self.evaluation, MulticlassEvaluation)

    @property
    def conditions(self) -> str:
        """The design and the kind of the weights, as a line of text."""
        return self.evaluation.conditions

    @cached_property
    def ranking(self) -> RankingTable:
        """The probabilities with the actual classes, or the highest ones with correct predictions.

        Of scores in bins the middle of the bin.
        """
        e, table = self.evaluation, self.evaluation.scored
        if e.in_bins:
            table = e.in_bins.middle
        assert table is not None  # the scores are probabilities
        return table if isinstance(table, RankingTable) else table.confidence

    @cached_property
    def _cases(self) -> RankingTable:
        """The table with weights that add up to the effective number of cases."""
        return self.ranking.as_cases

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure of calibration, by any of its names. Raises InputError for others."""
        found = next((form.name for form in registry.forms(name) if form.name in self.estimates), None)
        if found is None:
            raise InputError(
                "unknown-name",
                None,
                f"{shown(name)} is not measured here",
                ".evaluation has it, or .estimates what there is",
                value=name,
            )
        return self.estimates[found]

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """Errors over bins, the logistic line, and the parts of the Brier score and of the log loss.

        With a score per class, of the highest probability of each case and whether its class is the actual
        one.
        """
        measured: list[tuple[Measure, Any]] = [
            (entry, self._cases) for entry in registry.find(RankingTable) if entry.family in OF_TABLES
        ]
        if self.of_answers:
            scores = self.evaluation.scored
            of_classes = [entry for entry in registry.find(type(scores)) if entry.family == OF_CLASSES]
            named = [
                (entry, self.evaluation.as_cases(scores) or scores)
                for entry in of_classes
                if "bins" in entry.parameters
            ]
            measured = named + [one for one in measured if "bins" not in one[0].parameters]
        of_tables = [entry for entry, table in measured if table is self._cases]
        whole = [registry.get(name, RankingTable) for name in SCORES]  # for the decomposition
        add_up(self._cases, {entry: self._given(entry) for entry in (*of_tables, *whole)})
        return {entry.name: self._estimate(entry, table) for entry, table in measured}

    @cached_property
    def _units(self) -> Any:
        """The units of the cases with the probabilities examined here; None where they are independent."""
        e, scores = self.evaluation, self.evaluation.scored
        of_tables = isinstance(e.clusters, DependentTables) and isinstance(scores, ClassScores)
        return e.clusters.highest(scores) if of_tables else e.clusters  # type: ignore[union-attr,arg-type]

    def _estimate(self, entry: Measure, table: Any) -> Estimate:
        settings, given = self.evaluation.settings, self._given(entry)
        units: Any = self._units if isinstance(table, RankingTable) else self.evaluation.clusters
        return measured(entry, table, settings, given, units)

    def _given(self, entry: Measure) -> dict[str, Any]:
        """The parameters of a measure."""
        bins = {"bins": self.bins} if "bins" in entry.parameters else {}
        return bins | dict(self.evaluation.parameters.get(entry.name, {}))

    @cached_property
    def decomposition(self) -> dict[str, dict[str, float]]:
        """The Brier score and the log loss with their parts.

        By score: its value, which is miscalibration - discrimination + uncertainty (CORP), and these parts.
        With a score per class, of the highest probability of each case and whether its class is the actual
        one.
        """
        return {
            whole: (
                {"score": self._estimate(registry.get(whole, RankingTable), self._cases).value}
                | {part: self.estimates[f"{called}_{part}"].value for part in PARTS}
            )
            for whole, called in SCORES.items()
        }

    @cached_property
    def tests(self) -> tuple[Test, ...]:
        """Spiegelhalter's z, and Hosmer and Lemeshow's chi-square, which are of independent cases."""
        if self._units is not None:
            return tuple(not_made(name, DEPENDENT) for name in ("spiegelhalter", "hosmer_lemeshow"))
        return spiegelhalter(self._cases), hosmer_lemeshow(self._cases, self.hl_groups, self.fitted)

    @public()
    def curve(self, how: Reliability = "equal_width") -> curves.Curve:
        """The reliability curve.

        how: over bins of "equal_width" or "equal_mass", with intervals, or "isotonic", with its band.
        """
        name = CURVES[validate.choice(how, CURVES, "how")]
        parameters: dict[str, Any] = {} if how == "isotonic" else {"bins": self.bins}
        e = self.evaluation
        return curves.curve(
            name,
            self._cases,
            settings=e.settings,
            clusters=self._units,
            weight_kind=e.data.weight_kind,
            **parameters,
        )

    @property
    def cases_of_bins(self) -> np.ndarray:
        """The effective number of cases in each bin of `curve()`."""
        bins = of_equal_width(self._cases, self.bins)
        return bins.cases[bins.weight > 0]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Notices on the calibration, and on the data as far as they concern it."""
        endless = ~np.isfinite(self.ranking.logit)
        certain = float((self.ranking.positive + self.ranking.negative)[endless].sum())
        kept = (notice for notice in self.evaluation.notices if notice.code in KEPT)
        here = tuple(
            notice.but(within="calibration") if notice.code in SAID_HERE else notice for notice in kept
        )
        return (*here, Notice("certain-probabilities", cases=certain)) if certain else here

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per measure, as plain values; `curve().table` has the bins."""
        return self.rows_in({"measures": {name: found.to_dict() for name, found in self.estimates.items()}})

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        e = self.evaluation
        return {
            **head(self.ANSWER),
            "data": e.data.to_dict(),
            **named(e.settings.design, e.mix_fixed_by_weights),
            "of_answers": self.of_answers,
            "bins": (curve := self.curve().to_dict())["columns"],
            "intervals_of_bins": curve["band"],
            "measures": {name: found.to_dict() for name, found in self.estimates.items()},
            "decomposition": plain(self.decomposition),
            "tests": [test.to_dict() for test in self.tests],
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        name, found = next(iter(self.estimates.items()))
        return f"<Calibration of {text.count(self.evaluation.data.rows)} cases: {name} {found.value:.4g}>"

    def _repr_svg_(self) -> str:
        return as_svg(self.curve())
