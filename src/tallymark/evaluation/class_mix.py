"""How measures of counts and of rankings, and curves, change with the class mix; what guessing gets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, get_args

import numpy as np

from ..curves import CURVES, OF_PROBABILITIES, Curve
from ..input import validate
from ..input.arguments import GrownClass
from ..input.calls import public
from ..input.names import listed
from ..input.results import Answer, Tabular
from ..measures import registry
from ..measures.registry import Measure
from ..summaries import Counts, RankingTable
from .notices import Notice

# How measures of counts change with the class mix and with swapped classes, and what guessing gets
# --------------------------------------------------------------------------------------------------
#
# Nothing is listed beforehand: every measure is computed on tables made for the purpose, and the values are
# compared.

WITHIN = 1e-9  # relative difference of values that are equal except for rounding
GROWTH = (1, 2, 5, 10, 100)  # factors by which the cases of one class are multiplied
RANKINGS, GROWN = 3, 7.0  # examples of rankings, and the factor for these
SIMPLE: tuple[tuple[Callable[[Any], Any], str], ...] = (
    (lambda x: x, "{}"),
    (lambda x: 1 - x, "1 - {}"),
    (lambda x: -x, "-{}"),
    (lambda x: 1 / x, "1 / {}"),
)
ENDLESS = 1e9  # larger values come from division by a rounding error


@lru_cache(maxsize=1)
def _tables() -> Counts:
    """Tables without an empty cell, of many shapes and sizes."""
    return Counts.of(*np.random.default_rng(20_18).integers(1, 1000, (4, 200)).astype(float))


@lru_cache(maxsize=1)
def _guessed() -> tuple[Counts, np.ndarray, np.ndarray]:
    """Tables of random predictions, with many shares of positives and of predicted positives.

    Also returns both shares. All tables have the same total.
    """
    share, called = (
        part.ravel() for part in np.meshgrid(np.linspace(0.05, 0.95, 19), np.linspace(0.04, 0.96, 21))
    )
    n = 1e6
    rates = share * called, (1 - share) * called, share * (1 - called), (1 - share) * (1 - called)
    return Counts.of(*(n * rate for rate in rates)), share, called


def multiplied(summary: Any, positives: Any = 1.0, negatives: Any = 1.0) -> Any:
    """Counts or a ranking, each class multiplied by its factor; an empty class stays empty."""
    if isinstance(summary, Counts):
        p, n = positives, negatives
        return Counts.of(summary.tp * p, summary.fp * n, summary.fn * p, summary.tn * n)
    return summary.of(summary.score, summary.positive * positives, summary.negative * negatives)


@cache
def _grown_examples(kind: type) -> list[tuple[Any, list[Any]]]:
    """Examples of counts, or of rankings of probabilities, each with those in which one class has grown."""
    examples: list[Any] = [_tables()]
    factors: Sequence[float] = GROWTH
    if kind is not Counts:
        random, factors = np.random.default_rng(20_18), (GROWN,)
        examples = [_ranking(random) for _ in range(RANKINGS)]
    pairs = [pair for factor in factors for pair in ((factor, 1.0), (1.0, factor))]
    return [(one, [multiplied(one, *pair) for pair in pairs]) for one in examples]


def _ranking(random: np.random.Generator) -> RankingTable:
    score = np.sort(random.uniform(0.02, 0.98, 30))[::-1]
    return RankingTable.of(score.copy(), *random.integers(0, 9, (2, 30)).astype(float))


def changes_with_growth(numbers: Callable[[Any], Iterable[Any]], kind: type) -> bool:
    """Whether some numbers of a summary of this kind change as one class grows, in examples."""
    return any(
        not all(map(_same, numbers(before), numbers(after)))
        for before, every in _grown_examples(kind)
        for after in every
    )


def _same(a: Any, b: Any) -> bool:
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=WITHIN, atol=WITHIN, equal_nan=True)


@cache
def changes_with_class_mix(entry: Measure) -> bool:
    """Whether its value changes when one class grows and the rates within the classes stay the same."""
    return changes_with_growth(lambda summary: [entry.function(summary)], entry.summary)


@cache
def depends_on_size(entry: Measure) -> bool:
    """Whether its value changes when all counts are multiplied by the same factor."""
    return not _same(entry.function(_tables() * 7.0), entry.function(_tables()))


def after(entry: Measure, counts: Counts) -> str:
    """The measure of other counts, in terms of the measures of `_tables()`."""
    value = entry.function(counts)
    others = [entry, *(other for other in registry.find(Counts) if other is not entry)]
    for turn, words in SIMPLE:
        for other in others:
            if _same(value, turn(other.function(_tables()))):
                name = words.format(other.name)
                return "unchanged" if name == entry.name else f"becomes {name}"
    return "becomes another value"


def by_chance(entry: Measure) -> str:
    """Its value for random predictions, for any share of predicted positives."""
    counts, share, called = _guessed()
    with np.errstate(divide="ignore", invalid="ignore"):
        value = entry.function(counts)
    if (abs(value) > ENDLESS).all():
        return "infinite"
    if np.ptp(value) < 1e-6:
        return f"{round(float(np.mean(value)), 9) + 0.0:.4g}"
    for name, part in (("prevalence", share), ("predicted_prevalence", called)):
        if _same(value, part):
            return name
        if _same(value, 1 - part):
            return f"1 - {name}"
    order = {"the prevalence": share, "the share predicted positive": called}
    on = [name for name, part in order.items() if _varies_with(value, part, order)]
    return f"depends on {' and '.join(on)}"


def _varies_with(value: np.ndarray, part: np.ndarray, order: Mapping[str, np.ndarray]) -> bool:
    """Whether the value still changes with one share where the other is fixed."""
    (other,) = (there for there in order.values() if there is not part)
    return any(np.ptp(value[other == held]) > 1e-6 for held in np.unique(other))


def neighbours(entry: Measure) -> tuple[str, ...]:
    """The measures of which this one is a simple or a monotonic function."""
    value = entry.function(_tables())
    others = (other for other in registry.find(Counts) if other is not entry)
    said = (_relation(value, other.function(_tables()), other.name) for other in others)
    return tuple(words for words in said if words)


def _relation(value: np.ndarray, there: np.ndarray, name: str) -> str | None:
    for turn, words in SIMPLE:
        if _same(value, turn(there)):
            return f"is {words.format(name)}"
    return _rises_or_falls(value, there, name)


def _rises_or_falls(value: np.ndarray, there: np.ndarray, name: str) -> str | None:
    order = np.lexsort((value, there))
    steps = np.diff(value[order])
    rounding = WITHIN * np.ptp(value)
    if (steps >= -rounding).all():
        return f"rises with {name}"
    return (
        f"falls as {name} rises" if (np.diff(value[np.lexsort((-value, there))]) <= rounding).all() else None
    )


@cache
def behaviour(entry: Measure) -> dict[str, str]:
    """How the measure behaves, as sentences by topic; empty for measures of other summaries."""
    if entry.summary is not Counts:
        return {}
    return {
        "class_mix": (
            "changes as one class grows"
            if changes_with_class_mix(entry)
            else "does not change as one class grows"
        ),
        "size": (
            "changes with the number of cases"
            if depends_on_size(entry)
            else "does not change with the number of cases"
        ),
        "classes_swapped": after(entry, _tables().swap_classes()),
        "truth_swapped": after(entry, _tables().swap_truth()),
        "by_chance": by_chance(entry),
        "neighbours": "; ".join(neighbours(entry)),
    }


def one_table(given: Any) -> Counts:
    """Counts whose cells are numbers: as given, or those of an evaluation.

    Raises InputError for anything else.
    """
    try:
        counts = given if isinstance(given, Counts) else given.counts
    except validate.InputError:  # an evaluation of another task states what to pass
        raise
    except AttributeError:
        counts = None
    if isinstance(counts, Counts) and not np.ndim(counts.tp):
        return counts
    raise validate.InputError(
        "invalid-value",
        "counts",
        "one table of four numbers is needed, as tallymark.Counts(tp=, fp=, fn=, tn=)",
    )


# Every measure of counts and of rankings, and every curve, as one class grows
# --------------------------------------------------------------------------------------------------


@cache
def curve_changes(name: str) -> bool:
    """Whether the points of a curve at the same thresholds change as one class grows."""
    return changes_with_growth(lambda table: _points(CURVES[name](table)), RankingTable)


def _points(curve: Curve) -> list[np.ndarray]:
    return [curve.x, *curve.lines.values()]


@dataclass(frozen=True, slots=True, repr=False)
class ClassMix(Answer, Tabular):
    """Each measure of counts, and with scores each measure of rankings, as one class grows.

    Attributes
    ----------
    growth : tuple of float
        The factors by which the class is multiplied.
    grown : str
        The class, "negative" or "positive".
    values : dict of str to tuple of float
        By measure one value per factor.
    changes : dict of str to bool
        By measure whether it changes for any table.
    curves : dict of str to bool
        By curve whether its points at the same thresholds change; empty without scores.
    threshold : float or None
        On the score, for the measures of counts; None without scores.
    notices : tuple of Notice
        On the data.
    """

    ANSWER = "class_mix"
    FORM = "measures.class_mix"
    HOLDS = None  # the values have no intervals

    growth: tuple[float, ...]
    grown: str
    values: dict[str, tuple[float, ...]]
    changes: dict[str, bool]
    curves: dict[str, bool] = field(default_factory=dict)
    threshold: float | None = None
    notices: tuple[Notice, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<ClassMix of {len(self.values)} measures, {self.grown}s times"
            f" {', '.join(f'{g:g}' for g in self.growth[:6])}>"
        )

    @classmethod
    def rows_in(cls, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of `table`, one per measure and factor; None for an undefined or infinite value."""
        return [
            {
                "measure": name,
                "grown": plain["grown"],
                "growth": growth,
                "value": value,
                "changes": plain["changes"][name],
            }
            for name, values in plain["values"].items()
            for growth, value in zip(plain["growth"], values, strict=True)
        ]


@listed(
    "function",
    "tm.class_mix_sensitivity(...)",
    aka=(
        "sensitivity_to_class_mix",
        "class_imbalance_sensitivity",
    ),
    terms=(
        "class_mix",
        "imbalanced_data",
        "change_of_the_class_distribution",
        "metrics_sensitive_to_imbalanced_data",
        "classification_metrics_with_imbalanced_data",
        "prevalence_independent",
    ),
    command="tallymark class-mix",
)
@public()
def class_mix_sensitivity(
    counts: Any, *, growth: tuple[float, ...] = GROWTH, grown: GrownClass = "negative"
) -> ClassMix:
    """Compute every measure as one class grows and the rates within the classes stay the same.

    Measures that stay the same are columnar ratios: they compare cells of one actual class only.

    Parameters
    ----------
    counts : Counts or evaluation
        The cells must be numbers, not arrays. An evaluation of scores also has the measures of rankings and
        the curves, computed again from its scores with the class multiplied.
    growth : tuple of float, default (1, 2, 5, 10, 100)
        Factors by which the number of cases of the class is multiplied.
    grown : {"negative", "positive"}, default "negative"
        The class that grows.

    Returns
    -------
    ClassMix
        With `values`, by measure one value per factor, and `changes`, by measure whether it changes for any
        table; and `curves`, by name whether the points of the curve at the same thresholds change.

    Raises
    ------
    InputError
        For counts of arrays, and for invalid growth or grown.

    References
    ----------
    Tharwat, section 2.1.

    Examples
    --------
    >>> import tallymark as tm
    >>> mix = tm.class_mix_sensitivity(tm.Counts(tp=90, fp=20, fn=10, tn=80), growth=(1, 10))
    >>> mix.changes["precision"], mix.changes["sensitivity"]
    (True, False)
    """
    ranking = getattr(counts, "ranking", None)
    scored = [entry for entry in registry.find(RankingTable) if ranking is not None and entry.name in counts]
    table = one_table(counts)
    validate.choice(grown, get_args(GrownClass), "grown")
    factors = tuple(
        validate.number(factor, "growth", 1e-9, 1e9) for factor in validate.some(growth, "growth", "numbers")
    )
    if not factors:
        raise validate.InputError(
            "invalid-value",
            "growth",
            f"{validate.shown(growth)} is not possible",
            "give several numbers, as (1, 10, 100)",
            value=growth,
        )
    values = _of_counts(table, grown, factors)
    said = getattr(counts, "notices_of_data", ())
    changes = {name: changes_with_class_mix(registry.get(name, Counts)) for name in values}
    if ranking is None:
        return ClassMix(factors, grown, values, changes, notices=said)
    rankings = [multiplied(ranking, **{f"{grown}s": factor}) for factor in factors]
    with np.errstate(all="ignore"):
        more = {entry.name: tuple(float(entry.function(one)) for one in rankings) for entry in scored}
    changes |= {entry.name: changes_with_class_mix(entry) for entry in scored}
    curves = [name for name in CURVES if ranking.in_unit_interval or name not in OF_PROBABILITIES]
    of_curves = {name: curve_changes(name) for name in curves}
    return ClassMix(factors, grown, values | more, changes, of_curves, counts.limit, said)


def _of_counts(counts: Counts, grown: str, factors: tuple[float, ...]) -> dict[str, tuple[float, ...]]:
    """Each measure of counts, one value per factor."""
    sizes = {"negatives": np.ones(len(factors)), "positives": np.ones(len(factors))}
    tables = multiplied(counts, **{**sizes, f"{grown}s": np.array(factors)})
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            entry.name: tuple(np.asarray(entry.function(tables), float).tolist())
            for entry in registry.find(Counts)
        }
