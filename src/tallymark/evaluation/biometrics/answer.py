"""The result of `biometric`: error rates of comparisons, and the FNMR at given false match rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from ...curves import Curve
from ...inference import Estimate, estimate
from ...inference.clustered import DependentCases
from ...input import text
from ...input.arguments import PERSONS
from ...input.calls import public
from ...input.data_info import OF_COMPARISONS, conditions, named
from ...input.results import Answer, ByName, Plotted, Tabular, head
from ...measures import registry
from ...measures.families.rates import false_positive_rate
from ..notices import Notice
from ..results import BinaryEvaluation
from ..thresholds import GIVEN

# without an error in n trials the rate is below 3 / n with 95 % confidence, exactly below 1 - .05^(1 / n)
RULE_OF_THREE = 3.0
BEYOND, ENOUGH = 0.05, 10
ENOUGH_ERRORS = 30  # for a rate within 30 % at 90 % confidence. Source: Doddington (2000), the rule of 30
OF_BOTH = ("few-cases", "auc-below-half", "rows-dropped")  # notices that name both classes
OF_A_THRESHOLD = ("one-answer", "perfect-ranking")  # of a default threshold and its classes
KEPT = ("importance-weights", "infinite-scores")  # notices that also apply to comparisons, and are not severe
SUMMARY = (
    "equal_error_rate", "equal_error_rate_nearest", "equal_error_rate_hull", "min_dcf", "min_dcf_normalised",
    "min_cllr", "cllr", "d_prime", "decidability", "roc_auc",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class BiometricEvaluation(ByName, Answer, Tabular, Plotted):
    """Error rates of a verification system.

    Attributes
    ----------
    evaluation : BinaryEvaluation
        Every measure, with mated comparisons as the positive class.
    fmrs : tuple of float
        The false match rates at which the FNMR is estimated, in [0, 1].

    Notes
    -----
    FMR and FNMR are rates of single comparisons. False accept and false reject rates of transactions also
    depend on failures to acquire and on the number of attempts, which are not known here.
    """

    ANSWER = "biometric"
    FORM = "measures.biometric"
    FIGURE = "det"

    evaluation: BinaryEvaluation
    fmrs: tuple[float, ...]

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure, by any of its names, as in an `Evaluation`."""
        return self.evaluation[name]

    def __contains__(self, name: object) -> bool:
        """Whether the measure is available, also where it is not in the summary."""
        return name in self.evaluation

    @property
    def conditions(self) -> str:
        """The design, where it is not the usual one, and the kind of the weights, as a line of text.

        The protocol fixes the share of mated comparisons, on which no error rate depends.
        """
        usual = self.evaluation.design == "cohort"
        design = None if usual else self.evaluation.design
        return conditions(design, self.evaluation.data.weight_kind, OF_COMPARISONS)

    @property
    def mated(self) -> float:
        """The number of mated comparisons."""
        return self.evaluation.data.positives or 0

    @property
    def non_mated(self) -> float:
        """The number of non-mated comparisons."""
        return self.evaluation.data.negatives or 0

    @property
    def persons(self) -> DependentCases | None:
        """The persons of the comparisons, if given."""
        units = self.evaluation.clusters
        return None if units is None or units.what != PERSONS else units

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The measures of the summary that the scores allow."""
        return {
            name: self.evaluation.estimates[name] for name in SUMMARY if name in self.evaluation.estimates
        }

    @cached_property
    def fnmr_at(self) -> dict[float, tuple[Estimate, float]]:
        """For each false match rate, the FNMR and the threshold."""
        return {rate: self._fnmr_at(rate) for rate in self.fmrs}

    def _fnmr_at(self, rate: float) -> tuple[Estimate, float]:
        e = self.evaluation
        assert e.ranking is not None
        found = self._fnmr_estimate(rate)
        counts = e.ranking.sweep()
        # FMR rises with the index: the last index allowed has the smallest FNMR; of those with the same FNMR,
        # the highest threshold is taken.
        allowed = int(np.flatnonzero(false_positive_rate(counts) <= rate + 1e-12)[-1])
        at = int(np.flatnonzero(counts.tp == counts.tp[allowed])[0])
        limit = float(e.ranking.thresholds[at])
        return found, limit if e.higher_is_positive else 0.0 - limit

    def _fnmr_estimate(self, rate: float) -> Estimate:
        e = self.evaluation
        if e.clusters is not None:
            entry = registry.get("fnmr_at_fmr", type(e.ranking))
            return e.clusters.estimate(entry, e.ranking, e.settings, {"fmr": rate}, None)
        cases = e.as_cases(e.ranking)
        return estimate("fnmr_at_fmr", e.ranking if cases is None else cases, e.settings, fmr=rate)

    @property
    def at_threshold(self) -> dict[str, Estimate]:
        """FMR and FNMR at the given threshold; empty without one."""
        e = self.evaluation
        if e.threshold is None or e.threshold.rule != GIVEN:
            return {}
        return {"FMR": e.estimates["false_positive_rate"], "FNMR": e.estimates["false_negative_rate"]}

    @public()
    def curve(self, name: str = "det") -> Curve:
        """A curve of the comparisons: "det", "roc", "far_frr", ..."""
        return self.evaluation.curve(name)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Notices on rates that need more comparisons, and those of the evaluation."""
        own = [
            one
            for one in (
                self._unsupported(),
                self._few_errors(),
                Notice("dependent-comparisons") if self.persons is None else None,
            )
            if one
        ]
        kept = (
            one
            for one in self.evaluation.notices
            if one.code in KEPT or (one.severe and one.code not in OF_A_THRESHOLD)
        )
        said = (one.but(terms="comparisons") if one.code in OF_BOTH else one for one in kept)
        return tuple(sorted((*own, *said), key=lambda notice: not notice.severe))

    @cached_property
    def _fmr_at(self) -> dict[float, tuple[Estimate, float]]:
        """For each false match rate, the FMR at its threshold and the number of false matches there."""
        at = {rate: self.evaluation.at(limit) for rate, (_, limit) in self.fnmr_at.items()}
        return {rate: (e.estimates["false_positive_rate"], e.counts.fp) for rate, e in at.items()}

    @cached_property
    def _beyond(self) -> tuple[float, ...]:
        """The false match rates that so few comparisons cannot show.

        With persons those without a false match.
        """
        if self.persons is None:
            return tuple(rate for rate in self.fmrs if self._independent < _needed(rate))
        return tuple(rate for rate, (fmr, _) in self._fmr_at.items() if not fmr.value)

    def _unsupported(self) -> Notice | None:
        n, beyond = self._independent, self._beyond
        if not beyond:
            return None
        needed = {"needed": _needed(min(beyond))} if min(beyond) else {}
        of_persons = {} if self.persons is None else {"persons": self.persons.number, "of": self.non_mated}
        return Notice(
            "rule-of-three", comparisons=n, **of_persons, rates=beyond, as_high_as=_as_high_as(n), **needed
        )

    def _few_errors(self) -> Notice | None:
        few = {
            rate: errors
            for rate, (_, errors) in self._fmr_at.items()
            if rate not in self._beyond and errors < ENOUGH_ERRORS
        }
        if not few:
            return None
        return Notice("rule-of-30", rates=tuple(few), errors=tuple(few.values()), enough=ENOUGH_ERRORS)

    @property
    def _independent(self) -> float:
        """The effective number of non-mated comparisons; with persons that of independent pairs."""
        if self.persons is not None:
            non_mated = self.persons.sampling(0.0, "cohort")
            return float(non_mated.effective(np.equal(non_mated.stratum, 0) * 1.0))
        cases = self.evaluation.as_cases(self.evaluation.ranking)
        return float(self.non_mated if cases is None else cases.negatives)

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per measure and one per false match rate, as plain values."""
        return self.rows_in(self._measured)

    @classmethod
    def estimates_in(cls, plain: Mapping[str, Any]) -> Mapping[Any, Mapping[str, Any]]:
        """The estimates by measure, and by false match rate."""
        at = {f"fnmr_at_fmr {one['fmr']:g}": one["fnmr"] for one in plain["fnmr_at_fmr"]}
        return {**plain["measures"], **at}

    @property
    def _measured(self) -> dict[str, Any]:
        rates = [
            {"fmr": rate, "threshold": limit if np.isfinite(limit) else None, "fnmr": found.to_dict()}
            for rate, (found, limit) in self.fnmr_at.items()
        ]
        return {
            "measures": {name: found.to_dict() for name, found in self.estimates.items()},
            "fnmr_at_fmr": rates,
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        persons = {} if self.persons is None else {"persons": self.persons.number}
        return {
            **head(self.ANSWER),
            **named(self.evaluation.settings.design, self.evaluation.mix_fixed_by_weights),
            "weight_kind": self.evaluation.data.weight_kind,
            "comparisons": {
                "mated": text.whole(self.mated),
                "non_mated": text.whole(self.non_mated),
                **persons,
            },
            **self._measured,
            "at_threshold": {name: found.to_dict() for name, found in self.at_threshold.items()},
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        return f"<BiometricEvaluation: equal error rate {self.estimates['equal_error_rate'].value:.4g}>"


def _needed(rate: float) -> float:
    """The fewest non-mated comparisons that can show a false match rate (rule of three), up to rounding."""
    return ceil(RULE_OF_THREE / rate - 1e-9) if rate else np.inf


def _as_high_as(n: float) -> float:
    """The upper limit of the false match rate where none of n comparisons matches.

    3 / n, or the exact value where n is small.
    """
    return RULE_OF_THREE / n if n >= ENOUGH else 1 - BEYOND ** (1 / n)
