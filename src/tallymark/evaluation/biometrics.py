"""Biometric verification in the terms of ISO/IEC 19795-1, and identification with a rejection option."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from numbers import Real
from typing import Any, ClassVar, Unpack

import numpy as np

from ..curves import Curve
from ..inference import Estimate, interval, measured
from ..inference.clustered import DependentCases
from ..input import CaseSpec, columns, sources, text, validate
from ..input.arguments import PERSONS
from ..input.calls import public
from ..input.cases import Cases
from ..input.columns import Column
from ..input.errors import UnclearLabels, assigned, option
from ..input.labels import brief, known_as
from ..input.messages import joined
from ..input.names import listed
from ..input.results import Answer, ByName, Entry, Plotted, Tabular, head
from ..input.sample import OF_COMPARISONS, SamePerson, both_persons, conditions, named
from ..input.score_columns import of_one_model
from ..input.spec import no_truth
from ..input.validate import InputError, shown
from ..measures import registry
from ..measures.families.rates import false_positive_rate
from ..summaries import BinnedTable, RankingTable
from .evaluate import NOT_OF_ONE, EvaluateArguments, evaluate
from .notices import Notice, of_data
from .results import BinaryEvaluation
from .thresholds import GIVEN

# Biometric verification in the terms of ISO/IEC 19795-1: mated and non-mated comparisons, FMR and FNMR
# --------------------------------------------------------------------------------------------------

# without an error in n trials the rate is below 3 / n with 95 % confidence, exactly below 1 - .05^(1 / n)
RULE_OF_THREE = 3.0
BEYOND, ENOUGH = 0.05, 10
ENOUGH_ERRORS = 30  # for a rate within 30 % at 90 % confidence. Source: Doddington (2000), the rule of 30
OF_BOTH = ("few-cases", "auc-below-half", "rows-dropped")  # notices that name both classes
OF_A_THRESHOLD = ("one-answer", "perfect-ranking")  # of a default threshold and its classes
KEPT = ("importance-weights", "infinite-scores")  # notices that also apply to comparisons, and are not severe
FMRS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
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
        entry = registry.get("fnmr_at_fmr", type(e.ranking))
        fnmr = measured(entry, e.ranking, e.settings, {"fmr": rate}, e.clusters)
        counts = e.ranking.sweep()
        # FMR rises with the index: the last index allowed has the smallest FNMR; of those with the same FNMR,
        # the highest threshold is taken.
        allowed = int(np.flatnonzero(false_positive_rate(counts) <= rate + 1e-12)[-1])
        at = int(np.flatnonzero(counts.tp == counts.tp[allowed])[0])
        limit = float(e.ranking.thresholds[at])
        return fnmr, limit if e.higher_is_positive else 0.0 - limit

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
        own = []
        n, beyond, persons = self._independent, self._beyond, self.persons
        if beyond:
            as_high_as = RULE_OF_THREE / n if n >= ENOUGH else 1 - BEYOND ** (1 / n)
            of_persons = {} if persons is None else {"persons": persons.number, "of": self.non_mated}
            needed = {"needed": _needed(min(beyond))} if min(beyond) else {}
            own.append(
                Notice(
                    "rule-of-three",
                    comparisons=n,
                    **of_persons,
                    rates=beyond,
                    as_high_as=as_high_as,
                    **needed,
                )
            )
        few = {
            rate: errors
            for rate, (_, errors) in self._fmr_at.items()
            if rate not in beyond and errors < ENOUGH_ERRORS
        }
        if few:
            rates, errors = tuple(few), tuple(few.values())
            own.append(Notice("rule-of-30", rates=rates, errors=errors, enough=ENOUGH_ERRORS))
        if persons is None:
            own.append(Notice("dependent-comparisons"))
        others = [
            notice.but(terms="comparisons") if notice.code in OF_BOTH else notice
            for notice in self.evaluation.notices
            if notice.code in KEPT or (notice.severe and notice.code not in OF_A_THRESHOLD)
        ]
        return tuple(sorted((*own, *others), key=lambda notice: not notice.severe))

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
    def entries_in(cls, plain: Mapping[str, Any]) -> Iterator[Entry]:
        """By measure, and by false match rate."""
        yield from super().entries_in(plain)
        for one in plain["fnmr_at_fmr"]:
            name = f"fnmr_at_fmr {one['fmr']:g}"
            yield name, one["fnmr"], [{"measure": name, **one["fnmr"]}]

    @property
    def _measured(self) -> dict[str, Any]:
        rates = [
            {"fmr": rate, "threshold": limit if np.isfinite(limit) else None, "fnmr": estimate.to_dict()}
            for rate, (estimate, limit) in self.fnmr_at.items()
        ]
        return {
            "measures": {name: estimate.to_dict() for name, estimate in self.estimates.items()},
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
            "at_threshold": {name: estimate.to_dict() for name, estimate in self.at_threshold.items()},
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def __repr__(self) -> str:
        return f"<BiometricEvaluation: equal error rate {self.estimates['equal_error_rate'].value:.4g}>"


def _needed(rate: float) -> float:
    """The fewest non-mated comparisons that can show a false match rate (rule of three), up to rounding."""
    return ceil(RULE_OF_THREE / rate - 1e-9) if rate else np.inf


@public(also=evaluate, but=NOT_OF_ONE)
def biometric(
    data: Any = None,
    /,
    *,
    genuine: Any = None,
    impostor: Any = None,
    similarity: bool = True,
    fmr: float | Sequence[float] = FMRS,
    **cases: Unpack[EvaluateArguments],
) -> BiometricEvaluation:
    """Evaluate a verification system from the scores of mated and zero-effort non-mated comparisons.

    Parameters
    ----------
    data : data frame, file, mapping of columns or summary, optional
        As for `evaluate`; the mated comparisons are the positive class.
    genuine, impostor : array, optional
        In place of data, truth and score: the scores of the mated and of the non-mated comparisons.
    similarity : bool, default True
        False for distances, where a lower score means mated.
    fmr : float or list of float, default (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
        False match rates, from 0 to 1, at which the false non-match rate (FNMR) is measured.
    persons
        As for `evaluate`; of arrays first those of genuine, then those of impostor. A mated comparison has
        the same person twice, any other two different ones.
    truth, score, predicted, weight, weight_kind, counts, positive, classes, ordered, clusters, regression
        As for `evaluate`.
    predicted_positive, not_an_answer, higher_is_positive, score_kind, missing
        As for `evaluate`.
    where, memory, threshold, rule, replicates
        As for `evaluate`.
    level, proportion, auc_interval, design, rng, parameters, name, progress
        As for `evaluate`.

    Returns
    -------
    BiometricEvaluation
        With the FNMR at each FMR, the equal error rate and, where threshold is given, FMR and FNMR at it.

    Raises
    ------
    InputError
        For empty lists, missing scores, rates outside 0 to 1, an evaluation, predicted, clusters,
        higher_is_positive (say similarity=False), and for whatever `evaluate` refuses.

    Notes
    -----
    With score_kind="llr" the scores are natural logarithms of likelihood ratios, so that Cllr is measured.
    With persons the intervals allow for comparisons that share a person. Without it the comparisons are taken
    as independent.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.biometric(genuine=[0.9, 0.8, 0.7, 0.3], impostor=[0.1, 0.2, 0.4, 0.1, 0.2], fmr=0.2)
    >>> result.mated, result.non_mated
    (4, 5)
    """
    validate.flag(similarity, "similarity")
    given: dict[str, Any] = {**of_one_model("biometric", cases)}
    rates = np.atleast_1d(validate.plain_array(fmr, "fmr")).ravel().tolist()
    wanted = tuple(validate.number(rate, "fmr", 0.0, 1.0) for rate in rates)
    _check_cases(data, genuine, impostor, cases)
    if genuine is not None:
        given |= _labelled(genuine, impostor, cases.get("missing") == "drop")
    return BiometricEvaluation(_evaluated(data, similarity, given), wanted)


def _check_cases(data: Any, genuine: Any, impostor: Any, cases: Mapping[str, Any]) -> None:
    """Raises InputError for arguments that do not apply, and unless the cases are given in one form."""
    if "higher_is_positive" in cases:
        raise InputError(
            "conflict",
            "higher_is_positive",
            f"say {option('similarity', False)} where a lower score means mated",
        )
    validate.choice(cases.get("missing", "reject"), ("reject", "drop"), "missing")
    either = cases.get("score") is not None or cases.get("predicted") is not None
    of_cases = isinstance(data, (BinnedTable, RankingTable)) or (cases.get("truth") is not None and either)
    if (genuine is None) != (impostor is None) or (genuine is None and not of_cases):
        raise InputError(
            "needed",
            "genuine, impostor",
            f"give the scores of both kinds of comparisons, or {option('truth')}, which says which are "
            f"mated, and {option('score')}",
        )
    limit = cases.get("threshold")
    if limit is not None and (not isinstance(limit, Real) or limit != limit):
        raise InputError(
            "invalid-value",
            "threshold",
            f"{shown(limit)} is not a number",
            "comparisons are taken as mated from there on",
            value=limit,
        )
    others = [
        option(name) for name in ("truth", "score", "predicted", "positive") if cases.get(name) is not None
    ]
    if genuine is not None and (data is not None or others):
        more = ", ".join(["data"] * (data is not None) + others)
        raise InputError(
            "conflict", "genuine, impostor", "they describe all comparisons already", f"leave out {more}"
        )
    if cases.get("clusters") is not None:
        raise InputError(
            "unsupported",
            "clusters",
            "a comparison is of two persons",
            f"pass {assigned('persons', '(id1, id2)')}, the two persons of each comparison, instead",
        )


def _evaluated(data: Any, similarity: bool, arguments: dict[str, Any]) -> BinaryEvaluation:
    """The comparisons as cases of two classes with a score. Raises InputError for other cases."""
    if arguments.get("persons") is not None:
        arguments["persons"] = SamePerson(*both_persons(arguments["persons"]).values())
    try:
        evaluation = evaluate(data, higher_is_positive=similarity, **arguments, bins=None)
    except UnclearLabels as wrong:
        raise _unclear(wrong) from None
    except InputError:
        shape = getattr(arguments.get("score"), "shape", ())
        if data is None and len(shape) > 1:
            raise InputError(
                "wrong-shape", "score", f"one score per comparison is needed, not a table of shape {shape}"
            ) from None
        raise
    if not isinstance(evaluation, BinaryEvaluation) or evaluation.ranking is None:
        raise InputError(
            "needed",
            "score",
            "one score per comparison is needed",
            f"pass {option('genuine')} and {option('impostor')}, or {option('truth')} and {option('score')}",
        )
    evaluation.need_each_score("biometric")
    if not (evaluation.ranking.positives and evaluation.ranking.negatives):
        raise InputError(
            "empty", "truth", "both mated and non-mated comparisons are needed", "one of them is missing"
        )
    return evaluation


def _unclear(wrong: UnclearLabels) -> InputError:
    """The error for labels that do not show which comparisons are mated."""
    column, kinds = wrong.of, wrong.found
    if len(kinds) > 2:
        return InputError(
            "labels",
            column,
            f"{len(kinds)} labels ({brief(kinds)}), but a comparison is mated or non-mated",
            "give two labels",
        )
    which = "it does not say which label marks mated comparisons"
    if wrong.wanted is not None:
        which = f"{shown(wrong.wanted)} marks no comparison as mated"
    return InputError(
        "labels", column, which, f"pass {' or '.join(assigned('positive', shown(kind)) for kind in kinds)}"
    )


def _labelled(genuine: Any, impostor: Any, dropped: bool) -> dict[str, np.ndarray]:
    both = [columns.read(scores, role) for scores, role in ((genuine, "genuine"), (impostor, "impostor"))]
    for column in both:
        if not len(column):
            raise InputError("empty", column, "there are no scores", "at least one comparison is needed")
        if not dropped:
            validate.no_gaps(column)
    scores = [_with_gaps(column) for column in both]
    truth = np.repeat(np.array([1, 0], np.int8), [len(part) for part in scores])
    return {"truth": truth, "score": np.concatenate(scores)}


def _with_gaps(column: Column) -> np.ndarray:
    """The scores, with NaN for missing ones."""
    gaps = column.gaps()
    known = column.keep(~gaps) if gaps.any() else column
    scores = np.full(len(column), np.nan)
    scores[~gaps] = validate.scores(known, "give the scores of comparisons")
    return scores if gaps.any() else validate.scores(known, "give the scores of comparisons")


# Identification with a rejection option: the person with the highest score, or nobody below a threshold
# --------------------------------------------------------------------------------------------------

METHOD = "wilson"
# by rate: the outcomes that are counted, and those among which
KNOWN, UNKNOWN = ("identified", "misidentified", "rejected"), ("false_match", "rejected_unknown")
RATES = {
    "identification_rate": (("identified",), KNOWN),
    "misidentification_rate": (("misidentified",), KNOWN),
    "rejection_rate_of_enrolled": (("rejected",), KNOWN),
    "false_positive_identification_rate": (("false_match",), UNKNOWN),
    "false_negative_identification_rate": (("misidentified", "rejected"), KNOWN),
    "rejection_rate": (("rejected", "rejected_unknown"), (*KNOWN, *UNKNOWN)),
    "accuracy_of_the_accepted": (("identified",), ("identified", "misidentified", "false_match")),
    "accuracy": (("identified", "rejected_unknown"), (*KNOWN, *UNKNOWN)),
}
RANKED = re.compile(r"rank[_ -](\d{1,9})(?:[_ ]identification[_ ]rate)?")
# of ISO/IEC 19795-1, at rank 1
ABBREVIATED = {
    "tpir": "identification_rate",
    "fnir": "false_negative_identification_rate",
    "fpir": "false_positive_identification_rate",
}


@dataclass(frozen=True, eq=False, repr=False)
class Identification(ByName, Answer, Tabular, Mapping[str, Estimate]):
    """The rates of an identification at a threshold, by name.

    Attributes
    ----------
    threshold : float
        The person with the highest score is named where that score is at least this; minus infinity rejects
        nobody.
    level : float
        The confidence level of the intervals, which are Wilson's.
    estimates : mapping of str to Estimate
        Of samples of enrolled persons "identification_rate", "misidentification_rate" and
        "rejection_rate_of_enrolled", which add up to 1, and "false_negative_identification_rate" (FNIR), the
        sum of the last two; of samples of others "false_positive_identification_rate" (FPIR); of all
        "rejection_rate" and "accuracy" (identified, or rightly rejected); of those that are accepted
        "accuracy_of_the_accepted". A rate without samples is left out.
    notices : tuple of Notice
        On dropped rows.
    """

    ANSWER: ClassVar[str] = "identification"
    FORM: ClassVar[str] = "measures.identification"
    PLAIN = "notices? threshold counts measures=estimates"
    INFINITE = True

    threshold: float
    level: float
    _highest: np.ndarray = field(repr=False)
    _own: np.ndarray = field(repr=False)  # the score of the sample's own person
    _rank: np.ndarray = field(repr=False)  # of that person: how many have at least this score
    _persons: int = field(repr=False)
    _known: np.ndarray = field(repr=False)
    notices: tuple[Notice, ...] = ()
    estimates: Mapping[str, Estimate] = field(init=False)

    def __post_init__(self) -> None:
        sizes = {name: np.array(size) for name, size in self.counts.items()}
        found = {name: self._proportion(int(x), int(n)) for name, (x, n) in _rates(sizes).items() if n}
        object.__setattr__(self, "estimates", found)

    @property
    def counts(self) -> dict[str, int]:
        """The number of samples of each outcome; the last two of persons who are not enrolled."""
        return {name: int(one[0]) for name, one in self._outcomes(np.array([self.threshold])).items()}

    def _outcomes(self, thresholds: np.ndarray) -> dict[str, np.ndarray]:
        """The number of samples of each outcome at descending thresholds."""
        place = np.searchsorted(-thresholds, -self._highest)
        right = self._rank == 1
        accepted, every = [], []
        for some in (self._known & right, self._known & ~right, ~self._known):
            accepted.append(np.bincount(place[some], minlength=len(thresholds))[: len(thresholds)].cumsum())
            every.append(np.count_nonzero(some))
        rejected = every[0] + every[1] - accepted[0] - accepted[1]
        return dict(
            zip(
                (*KNOWN, *UNKNOWN),
                (*accepted[:2], rejected, accepted[2], every[2] - accepted[2]),
                strict=True,
            )
        )

    def _proportion(self, x: int, n: int) -> Estimate:
        found = interval.interval(x, n, self.level, METHOD)
        return Estimate(
            x / n, float(found.low), float(found.high), self.level, METHOD, notes=joined(found.notes)
        )

    @public()
    def at(self, threshold: float) -> Identification:
        """The rates at another threshold."""
        limit = validate.threshold(threshold)
        return replace(self, threshold=limit)

    @property
    def curve(self) -> Curve:
        """The rates of enrolled persons against the threshold, and of others who are accepted."""
        limits = np.unique(self._highest)[::-1]
        names = [name for name in list(RATES)[:4] if name in self.estimates]
        lines = {name: x / n for name, (x, n) in _rates(self._outcomes(limits)).items() if name in names}
        first, *others = lines
        more = {name.replace("_", " "): lines[name] for name in others}
        return Curve(
            "identification", limits, lines[first], limits, "threshold", first.replace("_", " "),
            step="post", others=more,
        )  # fmt: skip

    @property
    def cmc(self) -> Curve:
        """The cumulative match characteristic: the identification rate within each rank, at the threshold.

        Of the samples of enrolled persons. Without a threshold it is that of a closed set.
        """
        n = int(np.count_nonzero(self._known))
        if not n:
            problem = "no sample is of an enrolled person"
            raise InputError("needed", "truth", problem, "name the persons as in classes")
        ranks = np.arange(1, self._persons + 1)
        hits = np.cumsum(np.bincount(self._rank[self._matched], minlength=self._persons + 1))[1:]
        limits = np.full(self._persons, self.threshold)
        return Curve("cmc", ranks.astype(float), hits / n, limits, "rank", "identification rate", step="post")

    @property
    def _matched(self) -> np.ndarray:
        """Whether the score of the sample's own person is at least the threshold."""
        return self._known & (self._own >= self.threshold)

    def _within_rank(self, rank: int) -> Estimate | None:
        n = int(np.count_nonzero(self._known))
        if not n or not 1 <= rank <= self._persons:
            return None
        return self._proportion(int(np.count_nonzero(self._matched & (self._rank <= rank))), n)

    def __getitem__(self, name: str) -> Estimate:
        """A rate by its name, or as "fnir", "fpir", "tpir", or "rank_5_identification_rate" for any rank."""
        name = ABBREVIATED.get(str(name).lower(), name)
        ranked = RANKED.fullmatch(str(name).lower())
        within = self._within_rank(int(ranked[1])) if ranked else None
        if within is not None:
            return within
        if name not in self.estimates:
            hint = validate.nearest(str(name), self.estimates)
            raise validate.NoSuchEntry(
                "unknown-name", None, f"{shown(name)} is no rate here{hint}",
                f"there are {', '.join(self.estimates)}, and rank_K_identification_rate for K up to"
                f" {self._persons}", value=name,
            )  # fmt: skip
        return self.estimates[name]

    def __repr__(self) -> str:
        rates = ", ".join(f"{name} {one.value:.4g}" for name, one in list(self.items())[:3])
        return f"<Identification: {rates}>"


def _rates(counts: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Of each rate the number of samples that have it, of how many."""
    return {name: tuple(sum(counts[one] for one in of) for of in both) for name, both in RATES.items()}


@listed(
    "function",
    "tm.identification(...)",
    aka=(
        "identification_with_rejection", "open_set_identification", "rejection", "reject_option",
        "rejection_option", "false_positive_identification_rate",
        "false_negative_identification_rate",
    ),
    command="tallymark identify", terms=("fpir", "fnir", "tpir", "cumulative_match_characteristic"),
)  # fmt: skip
@public()
def identification(
    data: Any = None,
    /,
    *,
    truth: Any,
    score: Any,
    classes: Sequence[Any] | None = None,
    threshold: float | None = None,
    missing: str = "reject",
    level: float = 0.95,
) -> Identification:
    """Evaluate an identification, which names the person with the highest score, or nobody.

    Parameters
    ----------
    data : data frame, file or mapping of columns, optional
        As for `evaluate`; truth and score then name columns.
    truth : array of shape (n,), or name of a column
        The person of each sample; one that is not among the classes is not enrolled.
    score : array of shape (n, K), or list of names
        The similarity of each sample to each enrolled person, a column per person.
    classes : list of labels, optional
        The enrolled persons, in the order of the columns; by default the names of the columns of data.
    threshold : float, optional
        A sample whose highest score is below it is rejected; by default none is.
    missing : {"reject", "drop"}, default "reject"
        As for `evaluate`.
    level : float, default 0.95
        Confidence level of the intervals, above 0 and below 1.

    Returns
    -------
    Identification
        The rates by name, with intervals; `at` has them at another threshold, and `curve` at all. `cmc` is
        the cumulative match characteristic, and ["rank_5_identification_rate"] a rate within a rank.

    Raises
    ------
    InputError
        For fewer than two columns, arrays without classes, and missing values.

    Notes
    -----
    A sample whose highest score two persons share is misidentified: the rank of a person is the number of
    persons with at least the same score. The samples are taken as independent. The
    FNIR of ISO/IEC 19795-1 is the sum of the rates of the enrolled that are misidentified and rejected.

    References
    ----------
    Tharwat, section 6; ISO/IEC 19795-1, for the names of the rates.

    Examples
    --------
    >>> import tallymark as tm
    >>> result = tm.identification(
    ...     truth=["ann", "bob", "ann", "eve"],
    ...     score=[[0.9, 0.1], [0.2, 0.8], [0.4, 0.3], [0.7, 0.1]],
    ...     classes=["ann", "bob"],
    ...     threshold=0.5,
    ... )
    >>> result.counts["rejected"], result.counts["false_match"]
    (1, 1)
    """
    limit = -np.inf if threshold is None else validate.threshold(threshold)
    level = validate.number(level, "level", 0, 1)
    if truth is None:
        raise no_truth()
    given = CaseSpec(truth=truth, score=score, missing=missing)  # type: ignore[arg-type]  # it is checked there
    roles = given.columns(arrays=data is None)
    if sum(role.startswith("score") for role in roles) < 2:
        problem = "a column per enrolled person is needed, two at least"
        raise InputError("needed", "score", problem, "give one for each; biometric is for verification")
    cases = Cases(sources.read(data, roles), given)
    read = cases.columns()
    columns = [column for role, column in read.items() if role.startswith("score")]
    names = _names(
        columns, [roles[role] for role in roles if role.startswith("score")], classes, data is None
    )
    table = np.stack([validate.scores(column).astype(float) for column in columns], axis=1)
    place = _places(read["truth"], names)
    highest = table.max(axis=1)
    own = table[np.arange(len(table)), np.maximum(place, 0)]
    rank = (table >= own[:, None]).sum(axis=1)
    return Identification(
        limit, level, highest, own, rank, len(columns), place >= 0, of_data(cases.data(None, None))
    )


def _names(
    columns: Sequence[Column], given: Sequence[Any], classes: Sequence[Any] | None, arrays: bool
) -> list[Any]:
    """The enrolled persons. Raises InputError unless there is one for each column."""
    if classes is None:
        if arrays:
            raise InputError(
                "needed", "classes", "the columns have no names", "name the person of each column"
            )
        return list(given)
    names = list(validate.some(classes, "classes", "labels"))
    if len(names) != len(columns) or len(set(map(str, names))) < len(names):
        problem = f"{len(set(map(str, names)))} different labels for {len(columns)} columns"
        raise InputError("mismatch", "classes", problem, "give one for each")
    return names


def _places(truth: Column, names: Sequence[Any]) -> np.ndarray:
    """The column of each sample's person; -1 for a person who is not enrolled."""
    values, index = np.unique(truth.values, return_inverse=True)
    found = [known_as(value, names) for value in values.tolist()]
    return np.array([-1 if one is None else list(names).index(one) for one in found])[index]
