"""The answer of `evaluate`: every measure with its interval, and what must be said beside them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from . import curves, notices, registry, validate
from .contingency import Contingency
from .manyclasses import ManyClasses, OnDemand
from .summaries import ConfusionMatrix, Counts, IndicatorTable, RankingTable
from .text import whole
from .thresholds import Threshold
from .uncertainty import Estimate, Settings, estimate
from .validate import InputError
from .version import __version__

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Data:
    """What was measured. rows: cases used; positives, negatives: their weight (None for many classes).

    dropped: rows left out for missing values; effective_rows: Kish's effective sample size where weights are not whole, else None.
    """

    rows: float
    positives: float | None
    negatives: float | None
    weighted: bool
    source: str
    dropped: int = 0
    effective_rows: float | None = None

    def to_dict(self) -> dict:
        sizes = {"rows": self.rows, "positives": _plain(self.positives), "negatives": _plain(self.negatives)}
        return {**sizes, "weighted": self.weighted, "source": self.source}


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Every measure that the data allow, each an `Estimate`.

    data: what was measured; ranking: the table of scores (None without scores); counts: at the threshold (None for more than two
    classes); matrix: of predicted labels; indicators: where a case may have several labels; labels: the negative and the positive
    one; parameters: of measures, by measure and name; estimates: by measure name; notices: what to mind.
    """

    data: Data
    settings: Settings
    threshold: Threshold | None = None
    ranking: RankingTable | None = None
    counts: Counts | None = None
    matrix: ConfusionMatrix | None = None
    labels: tuple = ("negative", "positive")
    higher_is_positive: bool = True
    indicators: IndicatorTable | None = None
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    estimates: dict[str, Estimate] = field(init=False)
    notices: tuple[notices.Notice, ...] = field(init=False)

    def __post_init__(self):
        found = self._of(RankingTable, self.ranking) | self._of(Counts, self.counts)
        whole = self.matrix if self.counts is None else None  # of two classes the counts tell all
        found |= self._of(ConfusionMatrix, whole) | self._of(IndicatorTable, self.indicators)
        object.__setattr__(self, "estimates", found)
        object.__setattr__(self, "notices", notices.review(self))

    @cached_property
    def many(self) -> ManyClasses | None:
        """Every measure of every class, where there are more than two or a case may have several."""
        table = self.indicators if self.matrix is None else self.matrix
        if table is None or self.counts is not None:
            return None
        return ManyClasses(table, self.settings, self._scale(table), self.parameters)

    @property
    def two_by_two(self) -> Contingency | None:
        """The counts with their margins and the eight ratios; None with more than two classes."""
        if self.counts is None:
            return None
        scale = self._scale(self.counts)
        return Contingency(self.counts, self.labels, self.settings, None if scale == 1 else self.counts * scale)

    @property
    def classes(self) -> OnDemand:
        """By label, the estimates of the class against the rest; empty with two classes."""
        return self.many.classes if self.many else OnDemand(())

    @property
    def class_counts(self) -> dict[Any, Counts]:
        """By label, the four counts of the class against the rest; empty with two classes."""
        return {label: self.many.counts[i] for i, label in enumerate(self.many.table.labels)} if self.many else {}

    @property
    def averages(self) -> OnDemand:
        """By kind ("macro", "weighted", "micro"), the averages of the measures over the classes; empty with two classes."""
        return self.many.averages if self.many else OnDemand(())

    @property
    def probabilities(self) -> bool:
        """Whether the scores may be probabilities of being positive: a higher one means positive, and all lie in [0, 1]."""
        return self.ranking is not None and self.higher_is_positive and self.ranking.in_unit_interval

    @property
    def left_out(self) -> tuple[str, ...]:
        """The measures that need probabilities, where the scores are none."""
        if self.probabilities:
            return ()
        return tuple(entry.name for entry in registry.find(RankingTable) if entry.needs_probabilities)

    def _fits(self, entry):
        if entry.ordered and self.matrix is not None:
            return not any(isinstance(label, str) for label in self.matrix.labels)
        return entry.name not in self.left_out

    @property
    def with_equal_classes(self) -> dict[str, float]:
        """What the measures of counts would be if both classes had as many cases, each predicted as well as here."""
        c = self.counts
        if c is None or not (c.positives and c.negatives):
            return {}
        equal = c.with_class_sizes(c.total / 2, c.total / 2)
        return {entry.name: float(entry.function(equal, **self.parameters_of(entry))) for entry in registry.find(Counts)}

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure, by any of its names. Raises InputError where the data do not allow it."""
        entry = registry.get(name)
        if entry.name not in self.estimates:
            raise InputError(f"{entry.name} is not measured here: {self._why_not(entry)}.")
        return self.estimates[entry.name]

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and registry.get(name).name in self.estimates
        except InputError:
            return False

    def __iter__(self) -> Iterator[str]:
        """The names of the measures, so that dict(ev) holds them all."""
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    def keys(self) -> Iterable[str]:
        """The names of the measures."""
        return self.estimates.keys()

    def at(self, threshold: float) -> Evaluation:
        """The same scores at another threshold: scores >= threshold are called positive.

        With higher_is_positive=False, scores <= threshold are. Raises InputError where there are no scores.
        """
        if self.ranking is None:
            raise InputError("threshold: there are no scores here, only labels or counts; evaluate with score= to choose one.")
        limit = validate.threshold(threshold)
        counts = counts_at(self.ranking, limit, self.higher_is_positive)
        return replace(self, threshold=Threshold(limit, "given"), counts=counts)

    def curve(self, name: str) -> curves.Curve:
        """A curve over all thresholds, by name: "roc", "pr"."""
        if self.ranking is None:
            raise InputError(f"curve: {name!r} needs scores; there are only labels or counts here.")
        found = curves.curve(name, self.ranking)
        return found if self.higher_is_positive else replace(found, threshold=-found.threshold)

    @property
    def table(self) -> list[dict]:
        """One row per measure, as plain values: a data frame of any library takes it as it is."""
        return [{"measure": name, **found.to_dict()} for name, found in self.estimates.items()]

    def to_dict(self) -> dict:
        """The answer as plain values, in the layout of docs/json.md (version 1)."""
        answer = {
            "schema": SCHEMA,
            "tallymark": __version__,
            "data": self.data.to_dict(),
            "threshold": self.threshold.to_dict() if self.threshold else {"value": None, "rule": None},
            "counts": self.counts.to_dict() if self.counts else None,
            "measures": {name: found.to_dict() for name, found in self.estimates.items()},
            "notices": [notice.to_dict() for notice in self.notices],
        }
        if self.two_by_two:
            answer["table"] = self.two_by_two.to_dict()
        if self.many:
            answer |= {"classes": _all(self.classes), "averages": _all(self.averages)}
            answer["class_counts"] = {str(label): counts.to_dict() for label, counts in self.class_counts.items()}
            answer["matrix"] = self.matrix.to_dict() if self.matrix else None
        return answer

    def to_json(self, indent: int | None = 2) -> str:
        """Strict JSON: no NaN, no infinity."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def save(self, path: str | Path) -> None:
        """Writes a page (.html) or the JSON (.json), told by the ending."""
        from .report import save  # a report is made of an evaluation, so it is imported only when asked for

        save(self, path)

    def __str__(self) -> str:
        from .printed import text_of

        return text_of(self)

    def __repr__(self) -> str:
        return f"<Evaluation of {self.data.rows} cases: {len(self.estimates)} measures, {len(self.notices)} notices>"

    def _repr_html_(self) -> str:
        from .report.page import fragment

        return fragment(self)

    def _of(self, kind, summary):
        if summary is None:
            return {}
        scale = self._scale(summary)
        like = None if scale == 1 else summary * scale
        if kind is Counts and like is not None:  # some depend on the number of cases, which weights do not tell
            summary, like = like, None
        wanted = [entry for entry in registry.find(kind) if self._fits(entry)]
        return {entry.name: estimate(entry, summary, self.settings, like, **self.parameters_of(entry)) for entry in wanted}

    def parameters_of(self, entry: registry.Measure) -> dict[str, Any]:
        """Those it is measured with: as given; and for net_benefit the threshold itself, where the scores are probabilities."""
        given = dict(self.parameters.get(entry.name, {}))
        limit = self.threshold.value if self.threshold and self.probabilities else None
        if entry.name == "net_benefit" and limit is not None and 0 <= limit < 1:
            return {"threshold": limit, **given}
        return given

    def _why_not(self, entry):
        if entry.ordered:
            return "it needs classes in an order, and text has none but the alphabet's; number the classes"
        if entry.summary is RankingTable:
            return "there are no scores" if self.ranking is None else "the scores are no probabilities"
        if self.many is None or entry.summary is not Counts:
            return "the data do not allow it"
        many = "there are more than two classes" if self.matrix else "a case may have several labels"
        return f"{many}; see .classes and .averages"

    def _scale(self, summary):
        """What a summary is multiplied with for intervals: so that its total is the effective number of cases."""
        return 1 if self.data.effective_rows is None else self.data.effective_rows / summary.total


def counts_at(ranking: RankingTable, threshold: float, higher_is_positive: bool) -> Counts:
    """The counts at a threshold as the user sees it; a table of turned scores holds them negated."""
    return ranking.counts_at(threshold if higher_is_positive else -threshold)


def in_unit_interval(ranking: RankingTable, higher_is_positive: bool) -> bool:
    """Whether every score, as the user sees it, lies in [0, 1]."""
    return ranking.in_unit_interval if higher_is_positive else bool(ranking.score[0] <= 0 and ranking.score[-1] >= -1)


def _all(groups):
    return {str(key): {name: found.to_dict() for name, found in group.items()} for key, group in groups.items()}


def _plain(value):
    return None if value is None else whole(value)
