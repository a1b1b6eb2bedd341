"""Net reclassification and integrated discrimination improvement of one model over another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import nan
from typing import Any

import numpy as np

from ...evaluation.notices import Notice, of_data
from ...inference import Estimate
from ...inference.intervals.scale import normal_quantile
from ...inference.results import Interval, no_interval, with_interval
from ...input import CaseSpec, read, validate
from ...input.calls import public
from ...input.messages import Note, text_of
from ...input.names import listed
from ...input.options import Missing
from ...input.results import Tabular, equal_as_tuples, rows_of
from ...input.spec import no_truth, only_two_classes
from ...input.validate import InputError
from ...summaries.samples import collect
from .reading import names_of

WARNING = Note("reclassification-misleads")
UNCHANGED = Note("changes-all-alike")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Reclassification(Tabular):
    """What a model changes against a reference on the same cases.

    Attributes
    ----------
    model, reference : str
        Their names.
    cutoffs : tuple of float
        The limits of the risk categories; empty for the category-free improvement, where every change counts.
    nri : Estimate
        Net reclassification improvement, the sum of the two parts; from -2 to 2.
    nri_positives, nri_negatives : Estimate
        Share of the positives that move up less that which moves down, and of the negatives that move down
        less that which moves up; each from -1 to 1.
    idi : Estimate
        Integrated discrimination improvement: the difference of the discrimination slopes.
    positives, negatives : array of shape (categories, categories)
        Cases by category of the reference (rows) and of the model (columns); without cutoffs of shape (0, 0).
    notes : tuple of Note
        The warning of the literature.
    notices : tuple of Notice
        On the data.
    """

    FORM = "studies.reclassification"

    model: str
    reference: str
    cutoffs: tuple[float, ...]
    nri: Estimate
    nri_positives: Estimate
    nri_negatives: Estimate
    idi: Estimate
    positives: np.ndarray
    negatives: np.ndarray
    notes: tuple[Note, ...] = (WARNING,)
    notices: tuple[Notice, ...] = ()

    __eq__ = equal_as_tuples

    def __hash__(self) -> int:
        return hash((self.model, self.reference, self.cutoffs))

    @property
    def note(self) -> str | None:
        """The sentences of the notes."""
        return text_of(self.notes)

    @property
    def table(self) -> list[dict[str, Any]]:
        """A row for each improvement, as plain values."""
        return rows_of({"measure": name, **getattr(self, name).to_dict()} for name in ESTIMATES)


ESTIMATES = ("nri", "nri_positives", "nri_negatives", "idi")


@listed(
    "test",
    "tm.reclassification(truth=y, score={'old': p, 'new': q})",
    name="net_reclassification_improvement",
    aka=("nri", "net_reclassification_index", "reclassification", "net_reclassification"),
)
@public()
def reclassification(
    data: Any = None,
    *,
    truth: Any = None,
    score: Any = None,
    positive: Any = None,
    cutoffs: Sequence[float] | None = None,
    level: float = 0.95,
    missing: Missing = "reject",
) -> Reclassification:
    """Net reclassification improvement and integrated discrimination improvement of a model over another one.

    Parameters
    ----------
    data : data frame, file or mapping of columns, optional
        As for `compare`; truth and score then name columns.
    truth : array of shape (n,), or name of a column
        Actual labels of two classes.
    score : two arrays or names, as a list, a mapping from names or a table of shape (n, 2)
        Predicted probabilities of the reference and of the model, in this order, for the same cases.
    positive : object, optional
        The label of the positive class.
    cutoffs : sequence of float, optional
        Limits of risk categories, ascending between 0 and 1. A case moves where its category changes. By
        default every change of the probability counts (category-free).
    level : float, default 0.95
        Confidence level of the intervals.
    missing : {"reject", "drop"}, default "reject"
        Cases that lack a value are an error, or left out.

    Returns
    -------
    Reclassification
        With `nri`, its parts for positives and negatives, and `idi`.

    Raises
    ------
    InputError
        For other than two models, scores that are not probabilities, cutoffs out of order, and one class.

    Notes
    -----
    Standard errors are those of means of paired differences within each class; the classes are independent.
    Intervals are symmetric, by the normal distribution, within the range. The category-free improvement and
    the sum of both parts weight the classes equally, whatever the prevalence: report the parts.

    The improvement can be far above 0 for a predictor without information if the model is miscalibrated
    (Hilden and Gerds 2014; Pepe and others 2015); the difference of proper scores, as log_loss by `compare`,
    cannot.

    References
    ----------
    Pencina, D'Agostino, D'Agostino and Vasan (2008), Statistics in Medicine 27, 157-172; Pencina, D'Agostino
    and Steyerberg (2011), Statistics in Medicine 30, 11-21, category-free and its variance. Hilden and Gerds
    (2014), Statistics in Medicine 33, 3405-3414. Pepe, Fan, Feng, Gerds and Hilden (2015), Statistics in
    Biosciences 7, 282-295.

    Examples
    --------
    >>> import tallymark as tm
    >>> old, new = [0.2, 0.4, 0.6, 0.3, 0.5, 0.7], [0.1, 0.3, 0.7, 0.4, 0.4, 0.8]
    >>> found = tm.reclassification(truth=[0, 0, 0, 1, 1, 1], score={"old": old, "new": new})
    >>> round(found.nri.value, 4), round(found.idi.value, 4)
    (0.6667, 0.0667)
    """
    level, limits = validate.level(level), _limits(cutoffs)
    names, actual, before, after, said = _cases(data, truth, score, positive, missing)
    up, change = _moved(before, after, limits), after - before
    of_classes = {"positives": actual, "negatives": ~actual}
    moves = {"positives": up[actual], "negatives": -up[~actual]}
    parts = {name: _sum((one,), level, 1.0) for name, one in moves.items()}
    tables = {name: _table(before[rows], after[rows], limits) for name, rows in of_classes.items()}
    return Reclassification(
        model=names[1],
        reference=names[0],
        cutoffs=limits,
        nri=_sum(moves.values(), level),
        nri_positives=parts["positives"],
        nri_negatives=parts["negatives"],
        idi=discrimination_improvement(change[actual], change[~actual], level),
        positives=tables["positives"],
        negatives=tables["negatives"],
        notices=said,
    )


@listed(
    "test",
    "tm.reclassification(truth=y, score={'old': p, 'new': q}).idi",
    name="integrated_discrimination_improvement",
    aka=("idi", "integrated_discrimination_index"),
    command="tallymark compare --measure discrimination_slope",
)
def discrimination_improvement(positives: np.ndarray, negatives: np.ndarray, level: float) -> Estimate:
    """Integrated discrimination improvement: the mean change of the positives less that of the negatives.

    Source: Pencina and others (2008), Statistics in Medicine 27, 157-172.
    """
    return _sum((positives, -negatives), level)


def _limits(cutoffs: Any) -> tuple[float, ...]:
    if cutoffs is None:
        return ()
    given = validate.some(cutoffs, "cutoffs", "numbers")
    found = tuple(validate.number(one, "cutoffs", 0.0, 1.0) for one in given)
    if not found or any(a >= b for a, b in pairwise(found)):
        raise InputError("invalid-value", "cutoffs", "they must be ascending numbers between 0 and 1")
    return found


def _cases(
    data: Any, truth: Any, score: Any, positive: Any, missing: Missing
) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray, tuple[Notice, ...]]:
    """The names of the models, which cases are positive, and the probabilities of both models; notices."""
    if truth is None:
        raise no_truth()
    named: Mapping[str, Any] = names_of(score, "score", data is not None)
    if len(named) != 2:
        raise InputError("needed", "score", f"two models are compared, and {len(named)} are given")
    only_two_classes("a comparison", truth, named.values(), data is not None)
    given: dict[str, Any] = {"truth": truth, "score": named, "positive": positive, "missing": missing}
    sample = collect(read(data, CaseSpec(**given, score_kind="probability")))
    actual = sample.truth
    if actual.all() or not actual.any():
        raise InputError("empty", "truth", "there is one class only, and cases of both are needed")
    before, after = (one.astype(float) for one in sample.output)
    return list(named), actual, before, after, of_data(sample.info)


def _moved(before: np.ndarray, after: np.ndarray, limits: tuple[float, ...]) -> np.ndarray:
    """1 where the risk moves up, -1 where it moves down."""
    if limits:
        before, after = _categories(before, limits), _categories(after, limits)
    return np.sign(after - before)


def _categories(p: np.ndarray, limits: tuple[float, ...]) -> np.ndarray:
    """The category of each probability; a limit belongs to the upper one."""
    return np.searchsorted(limits, p, side="right")


def _table(before: np.ndarray, after: np.ndarray, limits: tuple[float, ...]) -> np.ndarray:
    size = len(limits) + 1 if limits else 0
    table = np.zeros((size, size), int)
    if limits:
        np.add.at(table, (_categories(before, limits), _categories(after, limits)), 1)
    return table


def _sum(parts: Any, level: float, most: float = 2.0) -> Estimate:
    """The sum of the means of independent samples, with its interval."""
    parts = tuple(parts)
    value = float(sum(part.mean() for part in parts))
    variance = sum(part.var(ddof=1) / len(part) if len(part) > 1 else nan for part in parts)
    if not variance > 0:
        return with_interval(value, no_interval(UNCHANGED), level, UNCHANGED)
    error = float(np.sqrt(variance))
    step = normal_quantile(level) * error
    bounds = max(value - step, -most), min(value + step, most)
    return with_interval(value, Interval(*bounds, "normal", standard_error=error), level, None)
