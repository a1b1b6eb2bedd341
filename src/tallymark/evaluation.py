"""The answer of `evaluate`: every measure with its interval, and what must be said beside them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from . import curves, notices, registry, text, validate
from .summaries import ConfusionMatrix, Counts, RankingTable
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

    rows: int
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
    classes); matrix: of predicted labels; labels: the negative and the positive one; estimates: by measure name;
    classes: by label, for more than two classes; notices: what to mind.
    """

    data: Data
    settings: Settings
    threshold: Threshold | None = None
    ranking: RankingTable | None = None
    counts: Counts | None = None
    matrix: ConfusionMatrix | None = None
    labels: tuple = ("negative", "positive")
    higher_is_positive: bool = True
    estimates: dict[str, Estimate] = field(init=False)
    classes: dict[Any, dict[str, Estimate]] = field(init=False)
    notices: tuple[notices.Notice, ...] = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "estimates", self._of_ranking() | self._of_counts(self.counts) | self._of_all_classes())
        object.__setattr__(self, "classes", self._of_classes())
        object.__setattr__(self, "notices", notices.review(self))

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

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure, by any of its names. Raises InputError where the data do not allow it."""
        entry = registry.get(name)
        if entry.name not in self.estimates:
            raise InputError(f"{entry.name} is not measured here: {self._why_not(entry)}.")
        return self.estimates[entry.name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(entry.name in self.estimates for entry in registry.find(name)[:1])

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
        if self.classes and self.matrix:
            per_class = {str(label): {n: e.to_dict() for n, e in found.items()} for label, found in self.classes.items()}
            answer |= {"classes": per_class, "matrix": self.matrix.to_dict()}
        return answer

    def to_json(self, indent: int | None = 2) -> str:
        """Strict JSON: no NaN, no infinity."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def save(self, path: str | Path) -> None:
        """Writes a page (.html) or the JSON (.json), told by the ending."""
        from .report import save  # a report is made of an evaluation, so it is imported only when asked for

        save(self, path)

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        return f"<Evaluation of {self.data.rows} cases: {len(self.estimates)} measures, {len(self.notices)} notices>"

    def _repr_html_(self) -> str:
        from .report.page import fragment

        return fragment(self)

    def _of_counts(self, counts):
        if counts is None:
            return {}
        like = self._scaled(counts)
        return {entry.name: estimate(entry, counts, self.settings, like) for entry in registry.find(Counts)}

    def _of_ranking(self):
        if self.ranking is None:
            return {}
        like = self._scaled(self.ranking)
        wanted = [entry for entry in registry.find(RankingTable) if entry.name not in self.left_out]
        return {entry.name: estimate(entry, self.ranking, self.settings, like) for entry in wanted}

    def _of_all_classes(self):
        """Of more than two classes: what only asks whether a case is right or wrong."""
        if self.matrix is None or self.counts is not None:
            return {}
        right = float(self.matrix.weights.trace())
        verdicts = Counts.of(right, self.matrix.total - right, 0.0, 0.0)
        like = self._scaled(verdicts)
        return {name: estimate(name, verdicts, self.settings, like) for name in ("accuracy", "error_rate")}

    def _of_classes(self):
        if self.matrix is None or self.counts is not None:
            return {}
        counts = self.matrix.one_vs_rest()
        return {label: self._of_counts(counts[i]) for i, label in enumerate(self.matrix.labels)}

    def _why_not(self, entry):
        if entry.summary is RankingTable:
            return "there are no scores" if self.ranking is None else "the scores are no probabilities"
        return "there are more than two classes; see .classes" if self.matrix else "the data do not allow it"

    def _scaled(self, summary):
        """The summary that intervals are made for: its total is the effective number of cases."""
        if self.data.effective_rows is None:
            return summary
        return summary * (self.data.effective_rows / summary.total)


def counts_at(ranking: RankingTable, threshold: float, higher_is_positive: bool) -> Counts:
    """The counts at a threshold as the user sees it; a table of turned scores holds them negated."""
    return ranking.counts_at(threshold if higher_is_positive else -threshold)


def in_unit_interval(ranking: RankingTable, higher_is_positive: bool) -> bool:
    """Whether every score, as the user sees it, lies in [0, 1]."""
    return ranking.in_unit_interval if higher_is_positive else bool(ranking.score[0] <= 0 and ranking.score[-1] >= -1)


def text_of(e: Evaluation) -> str:
    """What `print` shows: the data, a table of 80 columns, the notices."""
    tables = [str(e.matrix)] if e.classes and len(e.classes) <= FEW_CLASSES else []
    tables += [_measure_table(e), *([_class_table(e)] if e.classes else [])]
    return "\n\n".join([_head(e), *tables, *(_said(notice) for notice in e.notices)])


def _head(e):
    d = e.data
    sizes = f"{d.positives:,.10g} positive, {d.negatives:,.10g} negative" if e.counts else f"{len(e.matrix or ())} classes"
    lines = [text.paragraph(d.source, first=""), text.paragraph(f"{d.rows:,} cases: {sizes}", first="")]
    if e.threshold and e.threshold.value is not None:
        side = ">=" if e.higher_is_positive else "<="
        lines.append(f"positive when score {side} {e.threshold.value:.6g} (threshold: {e.threshold.rule})")
    if e.counts:
        lines.append("  ".join(f"{name} {value:,.10g}" for name, value in e.counts.to_dict().items()))
    return "\n".join(lines)


def _measure_table(e):
    rows = [_row(name, found) for name, found in e.estimates.items()]
    return text.table(["measure", "value", f"{100 * e.settings.level:.4g}% interval", "method"], rows, right=(1,))


def _row(name, found):
    if found.undefined:
        return [name, "-", "undefined", found.undefined]
    interval = f"{text.number(found.low)} to {text.number(found.high)}" if found.has_interval else "none"
    return [name, text.number(found.value), interval, "; ".join(part for part in (found.method, found.note) if part)]


FEW_CLASSES = 8  # whose matrix is still read at a glance
CLASS_COLUMNS = ("sensitivity", "precision", "f1")  # as many as fit 80 columns with their intervals


def _class_table(e):
    cases = e.matrix.weights.sum(1).tolist()
    rows = [
        [str(label), f"{size:,.10g}", *(_brief(found[name]) for name in CLASS_COLUMNS)]
        for (label, found), size in zip(e.classes.items(), cases, strict=True)
    ]
    return text.aligned(["class", "cases", *CLASS_COLUMNS], rows, right=range(1, 2 + len(CLASS_COLUMNS)))


def _brief(found):
    return f"{found.value:.3f} ({found.low:.3f}-{found.high:.3f})" if found.has_interval else text.number(found.value)


def _said(notice):
    return text.paragraph(str(notice), first="! ")


def _plain(value):
    if value is None:
        return None
    return int(value) if value == int(value) else value
