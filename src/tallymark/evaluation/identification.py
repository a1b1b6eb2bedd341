"""Identification with a rejection option: the person with the highest score, or nobody below a threshold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ..curves import Curve
from ..inference import Estimate
from ..inference.intervals import proportion
from ..input import CaseSpec, sources, validate
from ..input.calls import public
from ..input.cases import Cases
from ..input.columns import Column
from ..input.errors import InputError
from ..input.labels import known_as
from ..input.messages import joined
from ..input.names import listed
from ..input.results import Answer, ByName, Tabular
from ..input.spec import no_truth
from ..input.validate import shown
from .notices import Notice, of_data

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
        found = proportion.interval(x, n, self.level, METHOD)
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
