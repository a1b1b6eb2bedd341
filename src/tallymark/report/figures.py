"""The data of every figure, from the curves and rows of a result: a function for each kind.

A function makes one `Figure`, or several that stand side by side. `together`: of all evaluations by name;
`apart`: one for each evaluation; `whole`: of a result that is no evaluation. Its keyword arguments are the
options of `plot`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final, TypeVar

import numpy as np

from ..curves import CAPTIONS, CURVES, BandKind, Caption, Curve
from ..curves.band_kinds import by_clusters, kinds_of
from ..curves.crossings import crossings, limits
from ..curves.curve import POINTWISE
from ..curves.marks import mark_of
from ..curves.smooth import smooth_reliability
from ..inference import Estimate
from ..input import text
from ..input.errors import InputError
from ..input.options import Normalize, PlotBand
from ..input.validate import nearest, shown
from ..measures import registry
from ..summaries import Counts
from . import grid
from .documents.evaluations import headed
from .figure import UNIT, Axis, Cells, Figure, Series, axes_of, axis_of, thinned

AUTO: Final = "auto"
OPTIONS: dict[str, Any] = {
    "band": AUTO, "level": None, "measures": None, "classes": None, "bins": None, "ties": False,
    "normalize": "true",
}  # fmt: skip
ALONE = ""  # the name of an evaluation that is alone
MODEL = "model"  # the label of the only one
MOST = 28  # series of one figure, which colours and dashes distinguish
MOST_ON_PAGE = 8  # the same of a page
MOST_BANDS = 2  # series of which each has its band
LONGEST, SHORTER = 32, 16  # characters of a name
THRESHOLD = ("threshold", "score")  # axes on which it is a place itself
NO_POINT = "no threshold has both error rates between 0 and 1"  # of DET curves
SQUARE = "false positive rate", "probability", "recall", "normal deviate of the false positive rate"
SHORT = {"ROC AUC": "AUC", "Average precision": "AP"}
OF_MEASURES = "Measures against the threshold"
ON_PAGES = {
    "binary": ("roc", "pr", "reliability_equal_mass", "decision", "gain", "confusion"),
    "multiclass": ("confusion", "forest", "roc"),
    "multilabel": ("forest",),
    "regression": ("predicted", "residuals"),
    "evaluations": ("roc", "pr", "reliability_equal_mass", "decision", "predicted"),
    "folds": ("roc",),
    "comparison": ("roc", "pr", "decision_difference", "predicted"),
    "threshold": ("rule", "thresholds"),
    "calibration": ("reliability",),
    "bootstrap": ("resamples",),
    "biometric": ("det", "far_frr"),
    "roc_points": ("roc_points",),
    "pairs_matrix": ("pairs",),
}
TASKS = {
    "binary": "two classes",
    "multiclass": "several classes",
    "multilabel": "several labels per case",
    "regression": "amounts",
}
SHARES = Axis(0.0, 1.0, tuple((tick, f"{tick:g}") for tick in UNIT))
ENDS = np.array([0.0, 1.0])


# The kinds
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of figure. of: tasks, or kinds of results; needs: these in words; intervals: if it has any."""

    name: str
    title: str
    draw: Callable[..., Any]
    of: tuple[str, ...]
    way: str
    needs: str
    intervals: bool = True

    @property
    def takes(self) -> list[str]:
        """The options, from the signature of its function."""
        every = inspect.signature(self.draw).parameters.values()
        own = [one.name for one in every if one.kind is inspect.Parameter.KEYWORD_ONLY]
        return own if self.way == "whole" or "classes" in own else [*own, "classes"]

    def fits(self, result: Any) -> bool:
        """Whether such results have this figure."""
        if self.way == "whole":
            task = result.task if answer(result) == "evaluation" else ""
            return answer(result) in self.of or task in self.of
        found = [one.task for one in evaluations(result).values()]
        of = (*self.of, "multiclass") if "binary" in self.of else self.of
        return bool(found) and all(task in of for task in found)

    def figures(self, result: Any, name: str | None, classes: Any, options: dict[str, Any]) -> Any:
        """The figure, or the figures, of a result that fits."""
        if self.way == "whole":
            return self.draw(result, **options)
        source = source_of(result, self.of, classes)
        if name is not None and ALONE in source.parts:
            source = Source(result, {str(name): source.parts[ALONE]}, source.by)
        if self.way == "together":
            return self.draw(source, **options)
        facts = source.facts[: 2 if self.intervals else 1]
        return [
            replace(self.draw(e, **options), title=self.title, facts=facts, panel=source.names[one])
            for one, e in source.parts.items()
        ]


KINDS: dict[str, list[Kind]] = {}
Draw = TypeVar("Draw", bound=Callable[..., Any])


def kind(
    title: str, *of: str, way: str, needs: str, name: str | None = None, intervals: bool = True
) -> Callable[[Draw], Draw]:
    """Enters a function under its own name, or `name`; of several the first that takes a result is drawn."""

    def entered(function: Draw) -> Draw:
        own = name or function.__name__
        KINDS.setdefault(own, []).append(Kind(own, title, function, of, way, needs, intervals))
        return function

    return entered


def figures(
    result: Any, kind: str | None = None, name: str | None = None, **options: Any
) -> tuple[Figure, ...]:
    """The figures of this kind, or of the usual one, that stand side by side. Raises InputError."""
    if kind is None and answer(result) == "curve":
        return (of_curve(result, name),)
    chosen = kind_of(getattr(result, "usual_figure", "forest") if kind is None else kind, result)
    given = {one: value for one, value in options.items() if value != OPTIONS[one]}
    for one in given:
        if one not in chosen.takes:
            has = f"it takes {', '.join(sorted(chosen.takes))}" if chosen.takes else "leave it out"
            raise InputError("unknown-name", one, f"the figure {chosen.name!r} takes no such option; {has}")
    own = "classes" in inspect.signature(chosen.draw).parameters
    classes = None if own else given.pop("classes", None)
    found = chosen.figures(result, name, classes, given)
    return (found,) if isinstance(found, Figure) else tuple(found)


def shown_on_page(result: Any, only: Container[str] = ()) -> tuple[Figure, ...]:
    """The figures on the page of a result, as far as the data allow them; of many models the best eight.

    only: the kinds that are wanted; by default all.
    """
    of = answer(result)
    if of in ("curve", "unscored"):
        return (plain_curve(result if of == "curve" else result.curve),)
    found: list[Figure] = []
    names: Sequence[str] = ON_PAGES.get(result.task if of == "evaluation" else of, ())
    if of == "evaluation" and result.task == "binary" and not result.both_classes:
        names = ("confusion",)
    if (
        of == "evaluation"
        and result.task == "multiclass"
        and len(getattr(result, "matrix", ())) <= MOST_TEXTS
    ):  # a table shows it
        names = tuple(name for name in names if name != "confusion")
    for name in [one for one in names if not only or one in only]:
        try:
            if name == "forest":
                found += figures(result, name, measures=list(OF_CLASSES[:2]))
            elif of in ("evaluations", "comparison", "multiclass", "evaluation"):
                found += _of_best(result, name)
            else:
                found += figures(result, name)
        except InputError:  # without scores, or where these are no probabilities
            continue
    return tuple(found)


def _of_best(result: Any, name: str) -> tuple[Figure, ...]:
    """A figure of at most eight: the models with the largest ROC areas, or the classes with the smallest."""
    chosen = kind_of(name, result)
    if chosen.way != "together":
        return figures(result, name)
    source = source_of(result, chosen.of, most=None)
    if len(source.parts) > MOST_ON_PAGE:
        area = np.array([one["roc_auc"].value for one in source.parts.values()])
        order = np.argsort(area if source.by == "class" else -area, kind="stable")[:MOST_ON_PAGE]
        parts = {name: source.parts[name] for name in (list(source.parts)[i] for i in sorted(order))}
        source = replace(source, parts=parts)
    return (chosen.draw(source),)


def kind_of(name: Any, result: Any) -> Kind:
    """The kind of this name, or of this measure of counts, for a result. Raises InputError."""
    plain = _plain(name)
    of_counts = _of_counts(plain)
    every = [of_counts] if of_counts is not None else KINDS.get(plain, []) if isinstance(plain, str) else []
    for one in sorted(every, key=lambda one: one.way != "whole"):  # first those of this very type
        if one.fits(result):
            return one
    if not every:
        raise unknown(name, kinds_for(result))
    known, needs = ", ".join(kinds_for(result)), " or ".join(dict.fromkeys(one.needs for one in every))
    here = f"an evaluation of {TASKS[result.task]}" if answer(result) == "evaluation" else (
        f"a result of another kind ({type(result).__name__})"
    )  # fmt: skip
    raise InputError(
        "unsupported", "kind", f"{plain!r} is a figure of {needs}; here is {here}",
        f"there are {known}" if known else "", value=name,
    )  # fmt: skip


def known(name: str) -> str:
    """The name, if it is that of a kind or of a measure of counts, for any result. Raises InputError."""
    if _plain(name) not in KINDS and _of_counts(_plain(name)) is None:
        raise unknown(name, KINDS)
    return name


def kinds_for(result: Any) -> Iterator[str]:
    """The names of the kinds that take such results."""
    return (name for name, variants in KINDS.items() if any(one.fits(result) for one in variants))


def unknown(name: Any, kinds: Iterable[str]) -> InputError:
    """The error for a name that no kind has; kinds: those there are."""
    return InputError(
        "unknown-name", "kind", f"{shown(name)} is not a figure{nearest(str(name), KINDS)}",
        f"there are {', '.join(kinds)}, and of scores any measure of counts", value=name,
    )  # fmt: skip


def _plain(name: Any) -> Any:
    return name.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(name, str) else name


def _of_counts(name: Any) -> Kind | None:
    """The kind of a measure of counts by any of its names; None for other names."""
    if not isinstance(name, str) or name in KINDS or not registry.known(name):
        return None
    form = next((one for one in registry.forms(name) if one.summary is Counts), None)
    return None if form is None else _of_curve(form.name)


# What a figure is of
# --------------------------------------------------------------------------------------------------


def answer(result: Any) -> str:
    """The kind of a result: that of its JSON, or the name of its form."""
    return str(getattr(type(result), "ANSWER", None) or (result.FORM or "").rpartition(".")[2])


def evaluations(result: Any) -> dict[str, Any]:
    """By name; empty for a result of another kind."""
    of = answer(result)
    if of == "evaluation":
        return {ALONE: result}
    if of in ("calibration", "threshold", "biometric"):
        return {ALONE: result.evaluation}
    if of == "group_tables":
        return {f"{model}, {name}": one[name] for model, one in result.items() for name in one}
    if of == "folds":
        return {f"fold {name}": one for name, one in result.items()}
    several = result if of in ("evaluations", "groups") else result.evaluations if of == "comparison" else {}
    return {str(name): one for name, one in several.items()}


@dataclass(frozen=True, eq=False)
class Source:
    """The result, and its evaluations by name; by: what the names are of."""

    result: Any
    parts: Mapping[str, Any]
    by: str = ""

    @property
    def alone(self) -> bool:
        """Whether there is one evaluation."""
        return len(self.parts) == 1

    @cached_property
    def same_cases(self) -> bool:
        """Whether all have the same numbers of cases."""
        every = [one.data for one in self.parts.values()]
        return len({(one.rows, one.positives, one.negatives) for one in every}) == 1

    @property
    def facts(self) -> tuple[str, ...]:
        """The cases, and the level of the intervals."""
        first, nouns = (
            next(iter(self.parts.values())),
            {"group": "groups", "fold": "folds", "class": "classes"},
        )
        said = f"{len(self.parts)} {nouns.get(self.by, 'evaluations')}"
        if self.by == "class":
            said = f"{text.count(first.data.rows)} cases, each class against the others"
        elif answer(self.result) == "group_tables":
            said = f"{len(self.result)} models, {len(self.result.first)} groups"
        elif answer(self.result) == "folds":
            said = f"{len(self.parts)} folds of {sizes(self.result.whole)}"
        elif self.same_cases:
            said = sizes(first)
        return said, f"{100 * first.settings.level:.4g} % intervals"

    @cached_property
    def names(self) -> dict[str, str]:
        """Shortened so that they remain distinct."""
        return text.labels(self.parts, LONGEST)

    def name(self, one: str) -> str:
        """In a legend: with its number of cases where these differ."""
        if one == ALONE or self.by == "fold" or self.same_cases:
            return self.names[one]
        data = self.parts[one].data
        number = data.positives if self.by == "class" else data.rows
        return f"{self.names[one]} (n = {text.count(number or 0)})"


def sizes(e: Any) -> str:
    """The numbers of cases, and of two classes those of each, with the label of the positives."""
    rows = e.data.rows
    said = f"{text.count(rows)} case{'s' * (rows != 1)}"
    if e.task != "binary":
        return said
    label = "" if e.labels[1] in (1, True, "positive") else f" ({text.label(e.labels[1], LONGEST)})"
    return f"{said}: {text.count(e.data.positives or 0)} positive{label}"


def source_of(result: Any, of: tuple[str, ...], classes: Any = None, most: int | None = MOST) -> Source:
    """The evaluations of a result that fits; of a score per class those of the classes. Raises InputError."""
    found = evaluations(result)
    by = {"groups": "group", "group_tables": "group", "folds": "fold"}.get(answer(result), "model")
    if all(one.task in of for one in found.values()):
        return Source(result, found, "" if ALONE in found else by)
    first = next(iter(found.values()))
    labels = list(first.matrix.labels) if first.task == "multiclass" else []
    chosen = [] if classes is None else list(classes) if isinstance(classes, (list, tuple)) else [classes]
    if len(found) > 1:
        if len(chosen) != 1:
            raise InputError(
                "needed", "classes",
                f"{len(found)} models with several classes are drawn of one class against the others",
                f"name it, as classes={labels[0]!r}",
            )  # fmt: skip
        return Source(result, {name: _against_rest(one, chosen[0]) for name, one in found.items()}, by)
    chosen = chosen or labels
    if most is not None and len(chosen) > most:
        raise InputError(
            "needed", "classes", f"there are {len(chosen):,} classes, and one figure shows {most} at most",
            f"name some, as classes={chosen[:3]!r}",
        )  # fmt: skip
    return Source(result, {str(label): _against_rest(first, label) for label in chosen}, "class")


def _against_rest(e: Any, label: Any) -> Any:
    return e.one_vs_rest(label) if e.task == "multiclass" else e


# Words
# --------------------------------------------------------------------------------------------------


def caption_of(name: str) -> Caption:
    """The caption of a curve; of a measure against the threshold its name."""
    return CAPTIONS.get(name) or Caption(name.replace("_", " ").capitalize())


def name_of(measure: str) -> str:
    """The usual name of a measure."""
    return grid.title(measure)


def value_of(found: Estimate) -> str:
    """The value and the interval, if there is one."""
    return f"{grid.value(found)} {grid.interval(found)}".rstrip()


def summarised(e: Any, name: str) -> Estimate | None:
    """The measure that summarises the curve of this name, where the data allow it."""
    measure = caption_of(name).measure
    return e[measure] if measure is not None and measure in e.estimates else None


def summary(e: Any, name: str) -> dict[str, Any]:
    """That measure with its value and interval, as a series of a figure has them; empty without one."""
    about, found = caption_of(name), summarised(e, name)
    if found is None:
        return {}
    label = about.label or name_of(about.measure or name)
    rank = found.centre if e.entry(about.measure).better == "lower" else -found.centre
    short = f"{SHORT.get(label, label)} {_brief(found.centre)}"
    return {"measure": label, "value": value_of(found), "short": short, "rank": rank}


def _in_words(said: Mapping[str, Any]) -> str:
    return f"{said['measure']} {said['value']}" if said else ""


def _brief(value: float) -> str:
    """Two digits after the point, three where these are those of an end of the range."""
    return f"{value:.2f}" if f"{value:.2f}" not in ("0.00", "1.00") or value in (0, 1) else f"{value:.3f}"


def threshold_text(e: Any) -> str:
    """The threshold as a text."""
    return "" if e.limit is None else f"threshold {e.limit:.4g}"


def operating_point(e: Any, curve: Curve) -> tuple[float, float] | None:
    """The point of the threshold, where it is one of the points of the curve.

    The curve is one without points added for a band.
    """
    if e.limit is None or curve.x_name in THRESHOLD or not caption_of(curve.name).marked:
        return None
    side = np.greater_equal if e.higher_is_positive else np.less_equal
    reached = np.flatnonzero(side(curve.threshold, e.limit))
    if not len(reached) or e.ranking is None:
        return None
    at = reached[-1]
    own = e.ranking.thresholds if e.higher_is_positive else 0.0 - e.ranking.thresholds
    if curve.threshold[at] != own[side(own, e.limit)][-1]:
        return None
    x, y = float(curve.x[at]), float(curve.y[at])
    return (x, y) if np.isfinite([x, y]).all() else None


# Curves
# --------------------------------------------------------------------------------------------------


def _curve(
    name: str, source: Source, *, band: PlotBand | None = AUTO, level: float | None = None, ties: bool = False
) -> Figure:
    """The curve of this name of every evaluation. ties: with the area of tied scores in other orders."""
    if ties and name != "roc":
        problem = f"the figure {name!r} does not show the orders of tied scores"
        raise InputError("conflict", "ties", problem, "leave it out, or take 'roc'")
    chosen = None if ties and band == AUTO else _band_kind(name, source, band)
    given = {} if level is None or chosen is None else {"level": level}
    curves = [one.curve(name, band=chosen, **given) for one in source.parts.values()]
    found = of_curves(source, curves)
    areas = [_of_ties(e, look) for look, e in enumerate(source.parts.values())] if ties else []
    return replace(found, series=(*areas, *found.series))


def _band_kind(name: str, source: Source, asked: PlotBand | None) -> BandKind | None:
    """The kind of band: where none is named, that of each place for few curves that have it, not of folds."""
    if asked != AUTO:
        return asked
    grouped = any(one.clusters is not None for one in source.parts.values())
    allowed = by_clusters(name, POINTWISE) if grouped else POINTWISE in kinds_of(name)
    few = len(source.parts) <= MOST_BANDS and source.by != "fold"  # the curves of folds show how they vary
    return POINTWISE if allowed and few else None


def of_curves(source: Source, curves: Sequence[Curve]) -> Figure:
    """Curves of one name that are known, one for each evaluation."""
    every, first = [*source.parts.values()], curves[0]
    alike = source.same_cases and source.by != "class"
    found = _overlaid(curves, [source.name(one) for one in source.parts], every, alike)
    said = [summary(e, first.name) for e in every]
    limits_of = {threshold_text(one): one.limit for one in every if one.limit is not None}
    rules = [
        Series("upright", limit, name=label, look=None if len(limits_of) == 1 else look, key="threshold")
        for look, (label, limit) in enumerate(limits_of.items())
        if first.x_name in THRESHOLD and np.isfinite(limit)
    ]
    crossed = _crossings(*curves) if first.name == "roc" and len(curves) == 2 else ()
    marks = []
    for look, (e, curve) in enumerate(zip(every, curves, strict=True)):
        plain = e.curve(curve.name) if curve.band is not None and curve.name in CURVES else curve
        point = operating_point(e, plain)
        if point is not None:
            x, y = np.array([point]).T
            marks.append(Series("points", x, y, look=look, key=first.name))
    facts = list(source.facts)
    if not any(one is not None and one.has_interval for one in (summarised(e, first.name) for e in every)):
        facts.pop()  # the level of a band is in the legend
    if source.alone and len(_own(first)) > 1 and not caption_of(first.name).shows:
        facts[1:] = ["; ".join(filter(None, (*facts[1:], _in_words(said[0]))))]
    if not any((np.isfinite(one.x) & np.isfinite(one.y)).any() for one in curves):
        facts.append(NO_POINT)
    elif marks:
        which = next(iter(limits_of)) if len(limits_of) == 1 else "the thresholds"
        facts[1:] = ["; ".join((*facts[1:], f"dot{'s' * (len(curves) > 1)}: {which}"))]
    series = (*found.series, *rules, *crossed, *marks, *_shown(curves, said))
    return replace(found, series=series, facts=tuple(filter(None, facts)))


def of_curve(curve: Curve, name: str | None = None) -> Figure:
    """A curve that is known, with the facts of its evaluation where it has one."""
    if curve.origin is not None:
        return of_curves(Source(curve, {name or ALONE: curve.origin}), [curve])
    return plain_curve(curve, name)


def plain_curve(curve: Curve, name: str | None = None) -> Figure:
    """The same, of its points alone."""
    found = _overlaid([curve], [name or ""], [None])
    facts = (curve.about.note,) if curve.about is not None and curve.about.note else ()
    return replace(found, series=(*found.series, *_shown([curve], [{}])), facts=facts)


def _overlaid(
    curves: Sequence[Curve], names: Sequence[str], every: Sequence[Any], alike: bool = True
) -> Figure:
    """Curves of one name on common axes. alike: whether all have the same baselines and references."""
    fine = [one.joined().simplify() for one in curves]
    first, axes = fine[0], axes_of(*fine)
    about, own = caption_of(first.name), list(_own(first))
    series = _references(fine[:1] if alike else fine, axes)
    for look, (curve, name, e) in enumerate(zip(fine, names, every, strict=True)):
        series += _lines(curve, name, {} if e is None else summary(e, curve.name), look, axes, len(fine) == 1)
    y_name = (len(own) > 1 and _shared(own)) or first.y_name
    across, up = axes
    up = replace(up, title=axis_of(y_name, [ENDS]).title if first.name in CURVES else name_of(y_name))
    band = str(first.about) if first.band is not None else ""
    square = first.x_name in SQUARE and "rate" in first.y_name
    return Figure(first.name, about.title, across, up, tuple(series), band=band, square=square)


def _own(curve: Curve) -> dict[str, np.ndarray]:
    """The lines that are not references."""
    references = caption_of(curve.name).references
    return {name: y for name, y in curve.lines.items() if name not in references}


def _lines(
    curve: Curve, name: str, said: dict[str, Any], look: int, axes: tuple[Axis, Axis], alone: bool
) -> Iterator[Series]:
    """The lines of a series, the first with its band and its measure, unless that is alone with several."""
    own, references = _own(curve), caption_of(curve.name).references
    for dash, (line, y) in enumerate(own.items()):
        band = curve.band if dash == 0 else curve.bands.get(line)
        low, high = (None, None) if band is None else band
        label = ", ".join(filter(None, (name, line))) if len(own) > 1 else name
        own_said = said if dash == 0 and not (alone and len(own) > 1) else {}
        if not label and not own_said and references:
            label = MODEL
        given: dict[str, Any] = {"name": label, "look": look, "dash": dash, **own_said}
        if curve.dots:
            yield Series("line", curve.x, y, look=look)
            yield Series("points", curve.x, y, low, high, **given)
            continue
        there = np.ones(len(curve.x), bool)
        if band is not None:
            there = ~np.isnan([curve.x, *band]).any(axis=0) & np.isfinite(curve.x) & np.isfinite(y)
        if band is not None and not there.all():  # the band ends before the line
            part, (some, low, high) = thinned(
                curve.x[there], [y[there], band[0][there], band[1][there]], *axes
            )
            yield Series("area", part, some, low, high, look=look, step=curve.step)
            band = None
        x, (y, *ends) = thinned(curve.x, [y, *(band or ())], *axes)
        low, high = ends or (None, None)
        yield Series("line", x, y, low, high, step=curve.step, key=line if alone else name, **given)


def _references(curves: Sequence[Curve], axes: tuple[Axis, Axis]) -> list[Series]:
    """Classifiers that ignore the scores, of each of these curves; the legend names those of the first."""
    about, known = caption_of(curves[0].name), dict[Any, Series]()
    levels = [
        one
        for one in curves
        if one.baseline is not None and np.isfinite(one.baseline).all() and np.isfinite(one.x).any()
    ]
    heights = [one.baseline[0] for one in levels if one.baseline is not None]
    label = about.baseline
    if label == "prevalence" and heights:
        low, high = f"{min(heights):.3g}", f"{max(heights):.3g}"
        label = f"{label} {low}" if low == high else f"{label} {low} to {high}"
    for i, curve in enumerate(levels):
        finite = curve.x[np.isfinite(curve.x)]
        x, y = np.array([finite.min(), finite.max()]), np.array(curve.baseline)
        known.setdefault((*x, *y), Series("line", x, y, name="" if i else label))
    for i, curve in enumerate(curves):
        for dash, name in enumerate(about.references):
            x, (y,) = thinned(curve.x, [curve.lines[name]], *axes)
            known.setdefault((name, y.tobytes()), Series("line", x, y, name="" if i else name, dash=dash))
    return list(known.values())


def _shown(curves: Sequence[Curve], said: Sequence[dict[str, Any]]) -> Iterator[Series]:
    """The measure of two lines: their distance, or the point where they cross."""
    for look, (curve, measured) in enumerate(zip(curves, said, strict=True)):
        found, about, alone = mark_of(curve), caption_of(curve.name), len(curves) == 1
        if found is None:
            continue
        apart = about.shows == "distance"
        value = found.high - found.low if apart else found.low
        label = f"{_in_words(measured) or f'{about.label} {value:.3f}'} at {found.x:.4g}" if alone else ""
        if apart:
            yield Series("span", found.x, low=found.low, high=found.high, value=label, look=look + alone)
        else:
            yield Series("points", np.array([found.x]), np.array([found.low]), value=label, look=look + alone)


def _crossings(first: Curve, second: Curve) -> Iterator[Series]:
    """Where two curves cross; without bands the regions where each is higher, too, in its colour."""
    x, y, _ = crossings(first, second)
    if not len(x):
        return
    some = ", ".join(f"{at:.3g}" for at in x[:4]) + ", …" * (len(x) > 4)
    label = f"{len(x)} crossing{'s' * (len(x) > 1)}, at false positive rate {some}"
    yield Series("points", x, y, value=label, shape="X")
    if first.band is None and second.band is None:
        along = np.unique(np.concatenate([first.x, second.x, x]))
        heights = [limits(curve, along) for curve in (first, second)]
        for look in (0, 1):
            ends = [heights[1 - look], np.maximum(*heights)]
            place, (low, high) = thinned(np.repeat(along, 2), ends, SHARES, SHARES)
            yield Series("area", place, low=low, high=high, look=look)


def _of_ties(e: Any, look: int) -> Series:
    """The area between the curves of the most and the least favourable order of tied scores."""
    worst, best = (e.curve("roc", ties=order).simplify() for order in ("pessimistic", "optimistic"))
    along = np.unique(np.concatenate([worst.x, best.x]))
    ends = [limits(worst, along), limits(best, along)]
    place, (low, high) = thinned(np.repeat(along, 2), ends, SHARES, SHARES)
    areas = (f"{e[f'roc_auc_{order}'].value:.3f}" for order in ("pessimistic", "optimistic"))
    label = f"tied scores in other orders: AUC {' to '.join(areas)}"
    return Series("area", place, low=low, high=high, value=label, look=look)


def _shared(names: list[str]) -> str:
    """The words that all names end with, or else begin with."""

    def alike(every: list[list[str]]) -> list[str]:
        columns = list(zip(*every, strict=False))
        differ = next((i for i, words in enumerate(columns) if len({*words}) > 1), len(columns))
        return [words[0] for words in columns[:differ]]

    words = [name.split() for name in names]
    return " ".join(alike([one[::-1] for one in words])[::-1] or alike(words))


OF_SCORES = "two classes, or of several with a score per class"


def _of_curve(name: str) -> Kind:
    return Kind(name, caption_of(name).title, partial(_curve, name), ("binary",), "together", OF_SCORES)


for _name in CURVES:
    if _name not in ("density", "reliability", "reliability_equal_mass"):  # have their own figures
        KINDS[_name] = [_of_curve(_name)]


# Reliability, distributions, thresholds
# --------------------------------------------------------------------------------------------------

EDGES = np.linspace(0, 1, 41)
SMOOTHED = "smooth curve (local lines)"
MOST_INTERVALS, MOST_DOTS = 2, 5  # series of which each has these
CLASSES = "positive", "negative"
OF_ANSWERS = "correct", "wrong"
BINS = 30
USUAL = ("precision", "sensitivity", "specificity", "f1")
SHARE = "predicted_prevalence"


def _reliability(name: str, source: Source, *, bins: int | None = None, level: float | None = None) -> Figure:
    """The reliability of every evaluation, in bins of equal width or mass."""
    given = {key: value for key, value in {"bins": bins, "level": level}.items() if value is not None}
    series: list[Series] = [_calibrated()]
    for look, (one, e) in enumerate(source.parts.items()):
        said = {"name": source.name(one), **summary(e, name)}
        if source.alone:
            said |= {"measure": "", "value": SMOOTHED}
        series += _of_bins(
            e.curve(name, **given), smooth_reliability(e.ranking), look, said, len(source.parts)
        )
    first = next(iter(source.parts.values()))
    *facts, last = source.facts
    facts.append(
        "; ".join(
            filter(None, (last, _in_words(summary(first, name)) if source.alone else f"lines: {SMOOTHED}"))
        )
    )
    below = _histogram(first.ranking, CLASSES, first.limit) if source.alone else None
    return _reliability_figure(name, caption_of(name).title, series, facts, below)


for _name in ("reliability", "reliability_equal_mass"):
    KINDS[_name] = [
        Kind(_name, caption_of(_name).title, partial(_reliability, _name), ("binary",), "together", OF_SCORES)
    ]


@kind("Reliability", "calibration", way="whole", needs="a calibration", name="reliability")
def _of_calibration(c: Any, *, level: float | None = None) -> Figure:
    """That of a calibration, with its bins; of a score per class that of the highest probabilities."""
    facts = Source(c, {ALONE: c.evaluation}).facts
    measure, value = next(iter(c.estimates.items()))
    words = {"value": SMOOTHED, "short": f"{name_of(measure)} {_brief(value.centre)}"}
    series = [_calibrated(), *_of_bins(c.curve(), smooth_reliability(c.ranking), 0, words, 1)]
    facts = (facts[0], f"{facts[1]}; {name_of(measure)} {value_of(value)}")
    below = _histogram(c.ranking, OF_ANSWERS if c.of_answers else CLASSES)
    title = "Reliability of the highest probabilities" if c.of_answers else "Reliability"
    return _reliability_figure("reliability", title, series, facts, below)


def _calibrated() -> Series:
    return Series("line", ENDS, ENDS, name="calibrated")


def _reliability_figure(
    name: str, title: str, series: Sequence[Series], facts: Sequence[str], below: Figure | None
) -> Figure:
    axes = replace(SHARES, title="mean probability"), replace(SHARES, title="observed rate")
    return Figure(name, title, *axes, tuple(series), tuple(facts), square=True, below=below)


def _of_bins(bins: Curve, smooth: Curve, look: int, words: dict[str, Any], number: int) -> Iterator[Series]:
    """The smooth curve, and the bins with their intervals, as far as there is room. number: of the series."""
    yield Series("line", smooth.x, smooth.y, look=look, **words)
    said = (
        f"{len(bins)} bins with {bins.about.level * 100:.4g} % intervals"
        if bins.about and number == 1
        else ""
    )
    low, high = bins.band if bins.band is not None and number <= MOST_INTERVALS else (None, None)
    if number <= MOST_DOTS:
        yield Series("points", bins.x, bins.y, low, high, value=said, look=look)


def _histogram(table: Any, names: Sequence[str], limit: float | None = None) -> Figure:
    """The probabilities of positives upwards, of negatives downwards."""
    bars, most = [], 0.0
    for look, (part, name) in enumerate(zip((table.positive, table.negative), names, strict=True)):
        heights = np.histogram(table.probability, EDGES, weights=np.asarray(part, float))[0]
        most = max(most, float(heights.max()))
        label = f"{name} (n = {text.count(heights.sum())})"
        bars.append(Series("bars", EDGES, (1, -1)[look] * heights, name=label, look=look))
    rules = [Series("upright", limit)] if limit is not None and 0 <= limit <= 1 else []
    up = Axis(-most, most, ((0.0, "0"),), "cases")
    return Figure(
        "histogram", "", replace(SHARES, title="probability"), up, (*bars, *rules, Series("level", y=0.0))
    )


@kind("Distribution of the scores", "binary", way="apart", needs=OF_SCORES, intervals=False)
def density(e: Any, *, bins: int | None = None) -> Figure:
    """A histogram of each class, of area 1."""
    curve = e.curve("density", bins=BINS if bins is None else bins)
    order = slice(None, None, -1 if e.higher_is_positive else 1)
    bars = []
    for look, line in enumerate(curve.lines.values()):
        label, number = e.labels[1 - look], (e.data.positives, e.data.negatives)[look]
        shown_label = "" if label in (0, 1, CLASSES[look]) else f" ({text.label(label, 24)})"
        name = f"{CLASSES[look]}{shown_label}, n = {text.count(number or 0)}"
        bars.append(Series("bars", curve.x[order], line[1:][order], name=name, look=look))
    rules = [] if e.limit is None else [Series("upright", e.limit, name=threshold_text(e), key="threshold")]
    axes = axis_of("score", [curve.x]), axis_of("density", [one.y for one in bars] + [np.zeros(1)])
    return Figure("density", "", *axes, (*bars, *rules))


@kind(OF_MEASURES, "binary", way="apart", needs=OF_SCORES, intervals=False)
def thresholds(e: Any, *, measures: str | Sequence[str] | None = None) -> Figure:
    """Each measure as a step function, and the threshold."""
    curves = [
        e.curve(one) for one in (*([measures] if isinstance(measures, str) else measures or USUAL), SHARE)
    ]
    across, up = axis_of("threshold", [curves[0].x]), axis_of("measures", [one.y for one in curves], "value")
    series = []
    for look, curve in enumerate(curves):
        x, (y,) = thinned(curve.x, [curve.y], across, up)
        last = curve is curves[-1]
        name = "Share predicted positive" if last else name_of(curve.name).split(" (")[0]
        look_of = None if last else look
        series.append(
            Series("line", x, y, name=name, look=look_of, dash=int(last), step=curve.step, key=curve.name)
        )
    if e.limit is not None and np.isfinite(e.limit):
        series.append(Series("upright", e.limit, name=threshold_text(e), key="threshold"))
    return Figure("thresholds", "", across, up, tuple(series))


@kind(OF_MEASURES, "threshold", way="whole", needs="a chosen threshold", name="thresholds")
def _of_choice(choice: Any, *, measures: str | Sequence[str] | None = None) -> Figure:
    """The same, with the interval of the threshold; by default first the measures of the rule."""
    found, (low, high) = thresholds(choice.evaluation, measures=measures), choice.interval
    stretch = Series("span", low=low, high=high, name=f"interval {text.interval(low, high)}", across=True)
    series = (stretch, *found.series) if np.isfinite([low, high]).all() else found.series
    facts = Source(choice, {ALONE: choice.evaluation}).facts[0], f"threshold by {choice.rule.text}"
    return replace(found, title=OF_MEASURES, series=series, facts=facts)


@kind("The rule against the threshold", "threshold", way="whole", needs="a chosen threshold")
def rule(choice: Any) -> Figure:
    """The measure that the rule optimises at every threshold, with the chosen one and its interval."""
    e, measure = choice.evaluation, choice.choice.rule.measures[0]
    curve = e.curve(measure, **e.parameters_of(e.entry(measure)))
    axes = axis_of("threshold", [curve.x]), axis_of(measure, [curve.y], name_of(measure))
    x, (y,) = thinned(curve.x, [curve.y], *axes)
    low, high = choice.interval
    at = np.array([choice.threshold])
    series = [
        *([Series("span", low=low, high=high, name=f"interval {text.interval(low, high)}", across=True)]
          if np.isfinite([low, high]).all() else []),
        Series("line", x, y, name=name_of(measure), look=0, step=curve.step),
        Series("points", at, np.array([e[measure].value]), name=threshold_text(e), look=1),
    ]  # fmt: skip
    facts = Source(choice, {ALONE: e}).facts[0], f"threshold by {choice.rule.text}"
    return Figure("rule", f"{name_of(measure)} against the threshold", *axes, tuple(series), facts)


@kind("Resamples", "bootstrap", way="whole", needs="a bootstrap")
def resamples(
    b: Any, *, measures: str | Sequence[str] | None = None, bins: int | None = None
) -> list[Figure]:
    """The values of each measure on the resamples, with the value of the cases and its interval."""
    names, found = _listed(measures) or list(b)[:3], []
    for name in names:
        one, values = b[name], b.replicates(name)
        heights, edges = np.histogram(values[np.isfinite(values)], BINS if bins is None else bins)
        ends = [(one.low, "interval"), (one.high, "")] if one.has_interval else []
        series = (
            Series("bars", edges, heights.astype(float), look=0, value="resamples"),
            Series("upright", one.value, name=f"{name_of(name)} {value_of(one)}", look=1),
            *(Series("upright", end, name=label, look=1, dash=1) for end, label in ends),
        )
        axes = (
            axis_of("score", [edges], name_of(name)),
            axis_of("resamples", [heights, np.zeros(1)], "resamples"),
        )
        facts = f"{text.count(values.size)} resamples", f"{100 * b.level:.4g} % {b.method} intervals"
        found.append(
            Figure("resamples", "Values on the resamples", *axes, series, facts, panel=name_of(name))
        )
    return found


# Matrices
# --------------------------------------------------------------------------------------------------

WITH_WITHOUT = ("with", "without")
MOST_TEXTS, WITH_SHARE = 15, 12  # classes whose cells have texts, and the share, too


@kind(
    "Confusion matrix", "binary", "multiclass", way="apart", needs="two classes or several", intervals=False
)
def confusion(e: Any, *, normalize: Normalize | None = "true") -> Figure:
    """Rows are actual classes, the positive one first, columns predicted ones; colours are shares of rows."""
    if e.task == "multiclass":
        labels, weights = e.matrix.answers, np.asarray(e.matrix.weights, float)
    else:
        labels, weights = e.labels[::-1], _positive_first(e.counts)
    limit = threshold_text(e) if e.task == "binary" else ""
    names = tuple(text.labels(map(str, labels), SHORTER).values())
    return _matrix(weights, names, f"predicted ({limit})" if limit else "predicted", normalize)


def _matrix(weights: np.ndarray, labels: tuple[str, ...], predicted: str, normalize: Any) -> Figure:
    if normalize not in ("true", "pred", "all", None):
        problem = f"{shown(normalize)} is not a share"
        raise InputError("invalid-value", "normalize", problem, "true, pred, all or None", value=normalize)
    axis = {"true": 1, "pred": 0}.get(normalize)
    sums = weights.sum(axis=axis, keepdims=True) if normalize else np.full((1, 1), weights.max(initial=0))
    shares = np.divide(weights, sums, out=np.full_like(weights, np.nan), where=sums > 0)
    title = {
        "true": "share of the actual class", "all": "share of all cases", None: "share of the largest number"
    }.get(normalize, "share of the predicted class")  # fmt: skip
    percent = normalize is not None and len(labels) <= WITH_SHARE
    cells = Cells(shares, weights, labels, labels, title, percent)
    across, down = (
        Axis(-0.5, len(labels) - 0.5, title=predicted),
        Axis(len(labels) - 0.5, -0.5, title="actual"),
    )
    return Figure("confusion", "Confusion matrix", across, down, cells=cells)


def _positive_first(c: Counts) -> np.ndarray:
    return np.array([[c.tp, c.fn], [c.fp, c.tn]], float)


@kind("Confusion matrix of each label", "multilabel", way="whole", needs="several labels", name="confusion")
def _of_labels(e: Any, *, classes: Any = None, normalize: Normalize | None = "true") -> list[Figure]:
    """A matrix for each label: whether a case has it, and whether it was predicted."""
    counts, chosen = e.class_counts, _chosen(list(e.class_counts), classes, "label")
    if len(chosen) > MOST:
        problem = f"there are {len(chosen):,} labels, and one figure shows {MOST} at most"
        raise InputError("needed", "classes", problem, f"name some, as classes={chosen[:3]!r}")
    names, facts = text.labels(chosen, SHORTER), Source(e, {ALONE: e}).facts[:1]
    title = f"Confusion matrix of {names[chosen[0]] if len(chosen) == 1 else 'each label'}"
    return [
        replace(
            _matrix(_positive_first(counts[label]), WITH_WITHOUT, "predicted", normalize),
            title=title, panel=names[label], facts=facts,
        )
        for label in chosen
    ]  # fmt: skip


def _chosen(labels: list[Any], classes: Any, noun: str) -> list[Any]:
    """The labels that are drawn. Raises InputError for others."""
    chosen = labels if classes is None else list(classes) if isinstance(classes, (list, tuple)) else [classes]
    strange = [one for one in chosen if one not in labels]
    if strange:
        raise InputError("unknown-name", "classes", f"{strange[0]!r} is not a {noun} here", value=strange[0])
    return chosen


PAIRS, OF_PAIRS = "Pairs of positives and negatives", "two classes with scores"


@kind(PAIRS, "binary", way="apart", needs=OF_PAIRS, intervals=False)
def pairs(e: Any) -> Figure:
    """Rows are positives, the highest score first, columns negatives, the lowest first."""
    return _of_pairs(e.pairs_matrix)


@kind(PAIRS, "pairs_matrix", way="whole", needs=OF_PAIRS, name="pairs")
def _of_pairs(found: Any) -> Figure:
    """The same of pairs that are known."""
    rows, columns = (
        tuple(f"{score:.4g}" for score in one.tolist()) for one in (found.positives, found.negatives)
    )
    cells = Cells(found.cells, None, rows, columns, "1: right order, 0.5: tied, 0: wrong")
    across, down = (
        Axis(-0.5, len(columns) - 0.5, title="scores of negatives"),
        Axis(len(rows) - 0.5, -0.5, title="scores of positives"),
    )
    return Figure(
        "pairs", PAIRS, across, down, facts=(f"{found.cells.mean():.3f} in the right order",), cells=cells
    )


# Forests
# --------------------------------------------------------------------------------------------------

OF_CLASSES = ("sensitivity", "precision", "f1")
OF_FOLDS = ("mean", "pooled")
MOST_ROWS, MOST_PANELS = 40, 3
LOWEST, HIGHEST = 20, 10  # rows of more than these
FOREST = "Measures with their intervals"


@kind(
    "Models",
    "evaluations",
    "groups",
    "folds",
    "group_tables",
    "comparison",
    way="whole",
    needs="several models",
    name="forest",
)
def _of_models(result: Any, *, measures: str | Sequence[str] | None = None) -> list[Figure]:
    """A figure for each measure, a row for each model, group or fold; of folds also the mean, and pooled."""
    every = evaluations(result)
    names = _listed(measures) or _in_all(list(every.values()))[:MOST_PANELS]
    rest = [result.means, result.pooled] if answer(result) == "folds" else []
    whole = result.whole if answer(result) == "groups" else None
    chosen, more = list(every), tuple[str, ...]()
    if len(every) > MOST_ROWS:
        order = np.argsort([every[one][names[0]].value for one in chosen], kind="stable")
        chosen = [chosen[i] for i in (*order[:LOWEST], *order[-HIGHEST:])]
        more = (f"the {LOWEST} lowest and the {HIGHEST} highest of {len(every):,}",)
    rows = (*text.labels(chosen, LONGEST).values(), *OF_FOLDS[: len(rest)])
    facts = *source_of(result, tuple(TASKS)).facts, *more
    return [
        _forest(
            name_of(name), rows, [one[name] for one in (*(every[one] for one in chosen), *rest)], facts,
            None if whole is None else whole[name].value,
        )
        for name in names
    ]  # fmt: skip


@kind("Models on folds", "fold_tables", way="whole", needs="several models", name="forest")
def _of_fold_tables(result: Any, *, measures: str | Sequence[str] | None = None) -> list[Figure]:
    """A figure for each measure, two rows for each model: the mean over the folds, and pooled."""
    models = text.labels(list(result)[: MOST_ROWS // 2], LONGEST)
    rows = tuple(f"{label}: {part}" for label in models.values() for part in OF_FOLDS)
    first = result.first
    facts = (
        f"{len(result)} models, {len(first)} folds of {sizes(first.whole)}",
        f"{100 * first.whole.settings.level:.4g} % intervals",
    )
    return [
        _forest(
            name_of(name), rows,
            [part[name] for one in models for part in (result[one].means, result[one].pooled)], facts,
        )
        for name in _listed(measures) or list(result.measures)[:MOST_PANELS]
    ]  # fmt: skip


@kind("Classes", "multiclass", "multilabel", way="whole", needs="any measures", name="forest")
def _of_classes(e: Any, *, measures: str | Sequence[str] | None = None, classes: Any = None) -> list[Figure]:
    """A figure for each measure, a row for each class; of many classes those with the lowest values."""
    names, labels, more = (
        _listed(measures) or list(OF_CLASSES),
        list(e.table_of_classes.labels),
        tuple[str, ...](),
    )
    found = {name: e.many.each(name) for name in names}
    places = [labels.index(one) for one in _chosen(labels, classes, "class")]
    if classes is None:  # the lowest first
        places = np.argsort([one.value for one in found[names[0]]], kind="stable")[:MOST_ROWS].tolist()
        more = (f"the {MOST_ROWS} lowest of {len(labels):,} classes",) if len(labels) > MOST_ROWS else ()
    n = e.many.counts.positives
    rows = tuple(f"{text.label(labels[i], 20)} (n = {text.count(n[i])})" for i in places)
    facts = (*Source(e, {ALONE: e}).facts, *more)
    return [_forest(name_of(name), rows, [found[name][i] for i in places], facts) for name in names]


@kind("Measures", "evaluation", way="whole", needs="any measures", name="forest")
def _of_measures(e: Any, *, measures: str | Sequence[str] | None = None) -> Figure:
    """A row for each measure, by default those of the first screen on the scale of -1 to 1."""
    names = _listed(measures) or [name for name in headed(e) if name in e.estimates and _is_share(e[name])]
    found = [e[name] for name in names]
    shown_forest = _forest("", tuple(map(name_of, names)), found, Source(e, {ALONE: e}).facts)
    return replace(shown_forest, beside=tuple(map(value_of, found)))


def _listed(measures: str | Sequence[str] | None) -> list[str]:
    return [measures] if isinstance(measures, str) else list(measures or ())


def _in_all(every: Sequence[Any]) -> list[str]:
    """The measures of the first screen that all evaluations have."""
    found = [name for name in headed(every[0]) if all(name in one.estimates for one in every)]
    if not found:
        raise InputError("needed", "measures", "the evaluations have no usual measure in common", "name some")
    return found


def _is_share(found: Estimate) -> bool:
    """Whether the value and its interval are on the scale of -1 to 1."""
    ends = [found.centre, *((found.low, found.high) if found.has_interval else ())]
    return all(-1 <= end <= 1 for end in ends)


def _forest(
    title: str, rows: tuple[str, ...], found: Sequence[Any], facts: Sequence[str], whole: float | None = None
) -> Figure:
    """Estimates, or differences, in rows; 0 where it is near, and the value of all cases together."""
    value, low, high = (
        np.array([getattr(one, end, one.value) for one in found], float) for end in ("centre", "low", "high")
    )
    points = Series("points", value, np.arange(len(found), dtype=float), low, high, look=0, across=True)
    lowest = np.nanmin([*value, *low, 0.0])
    zero = [Series("upright", 0.0)] if lowest < 0 else []
    across = _room(title, [value, low, high, np.zeros(len(zero))])
    up = Axis(len(rows) - 0.5, -0.5)
    zero += [Series("upright", whole, value="all cases")] if whole is not None else []
    return Figure("forest", FOREST, across, up, (*zero, points), tuple(facts), panel=title, rows=rows)


# Comparisons
# --------------------------------------------------------------------------------------------------

OF_MODELS = "a comparison of models"


@kind("Differences", "comparison", way="whole", needs=OF_MODELS)
def differences(c: Any, *, measures: str | Sequence[str] | None = None) -> list[Figure]:
    """A row for each difference, with its interval, p-value and margin; a figure for each scale."""
    found, several = _differences(c, measures), len(c.pairs) > 1
    inside = all(-1 <= end <= 1 for one in found for end in (one.value, one.low, one.high) if end == end)
    scales = [found]
    if several or not inside or c.of_amounts:
        scales = [
            [one for one in found if one.measure == name] for name in dict.fromkeys(x.measure for x in found)
        ]
    title = "Differences" if several else f"Differences: {_pair(c.pairs[0])}"
    return [_of_differences(some, several, title, _facts(c)) for some in scales]


def _of_differences(found: Sequence[Any], several: bool, title: str, facts: tuple[str, ...]) -> Figure:
    rows = tuple(_pair((one.model, one.reference)) if several else name_of(one.measure) for one in found)
    name = name_of(found[0].measure) if several or len(found) == 1 else "measures"
    shown_forest = _forest(f"difference of {name}", rows, found, facts)
    rules = [Series("upright", 0.0)]
    for margin in dict.fromkeys(one.decision.margin for one in found if one.decision):
        rules += [
            Series("upright", -margin, value=f"margin {margin:.4g}", look=1),
            Series("upright", margin, look=1),
        ]
    written = (grid.p_value(one.p_value) for one in found)
    p = tuple(f"p {one}" if one.startswith("<") else f"p = {one}" for one in written)
    (points,) = shown_forest.of("points")
    ends = [np.array([rule.x for rule in rules]), points.x, points.low, points.high]
    across = _room(shown_forest.x.title, ends)
    return replace(shown_forest, name="differences", title=title, x=across, series=(*rules, points), beside=p)


@kind("Confidence curve", "comparison", way="whole", needs=OF_MODELS)
def confidence(c: Any, *, measures: str | Sequence[str] | None = None) -> Figure:
    """The p-value of every possible difference of one measure; the curves of all pairs of models."""
    found, several = _differences(c, measures if measures is not None else c.measures[0]), len(c.pairs) > 1
    if len({one.measure for one in found}) > 1:
        raise InputError(
            "needed", "measures", "a confidence curve is of one measure", f"as measures={c.measures[0]!r}"
        )
    labels = [_pair((one.model, one.reference)) if several else "" for one in found]
    drawn = _overlaid([one.curve for one in found], labels, [None] * len(found))
    lines = [
        replace(line, name=label, value=value_of(one.estimate))
        for line, label, one in zip(drawn.series, labels, found, strict=True)
    ]
    level = Series("level", y=1 - c.level, name=f"ends of the {100 * c.level:.4g} % interval", dash=1)
    name = name_of(found[0].measure)
    which = name if several else f"{name}, {_pair(c.pairs[0])}"
    axes = replace(drawn.x, title=f"difference of {which}"), replace(drawn.y, title="p-value")
    series = (Series("upright", 0.0, name="no difference"), *lines, level)
    return Figure("confidence", "Confidence curve", *axes, series, _facts(c))


@kind("Difference of net benefit", "comparison", way="whole", needs=OF_MODELS)
def decision_difference(c: Any, *, band: PlotBand | None = AUTO, level: float | None = None) -> Figure:
    """The net benefit of the first model minus that of the reference, with its band."""
    if band == "kolmogorov-smirnov":
        raise InputError(
            "unsupported", "band", "net benefit has none of this kind", "pointwise, simultaneous"
        )
    found = c.curve("decision", *c.pairs[0], band="pointwise" if band == AUTO else band, level=level)
    drawn = _overlaid([found], [_pair(c.pairs[0])], [None])
    axes = replace(drawn.x, title="threshold"), replace(drawn.y, title="difference of net benefit")
    series = (Series("level", y=0.0, name="no difference"), *drawn.series)
    title = "Difference of net benefit"
    return Figure("decision_difference", title, *axes, series, _facts(c), band=drawn.band)


def _differences(c: Any, measures: str | Sequence[str] | None) -> list[Any]:
    """The differences of these measures, by any of their names, or all. Raises InputError."""
    found: list[Any] = [] if measures is not None else list(c.differences)
    for name in _listed(measures):
        known = {form.name for form in registry.forms(name)}
        of_name = [one for one in c.differences if one.measure in known]
        if not of_name:
            compared = ", ".join(c.measures)
            raise InputError(
                "unknown-name", "measures", f"{name!r} is not compared here", f"compared are {compared}"
            )
        found += of_name
    return found


def _pair(names: tuple[str, str]) -> str:
    return " - ".join(text.label(name, SHORTER) for name in names)


def _facts(c: Any) -> tuple[str, ...]:
    d = c.data
    cases = f"{text.count(d.rows)} cases" + (f": {text.count(d.positives)} positive" if d.positives else "")
    return cases, f"{'paired' if c.paired else 'different cases'}; {100 * c.level:.4g} % intervals"


# Amounts, and classifiers in ROC space
# --------------------------------------------------------------------------------------------------

ROOM = 0.03  # of the span of an axis, next to the outermost points
MOST_POINTS, TILES = 2_000, 40  # amounts that are points, of more their numbers on a grid of so many places


@kind("Actual against predicted amounts", "regression", way="apart", needs="amounts")
def predicted(e: Any) -> Figure:
    """Each pair as a point, of many their number on a grid, with the line of equality."""
    actual, errors = _amounts(e.residuals)
    both = _room("amount", [actual, actual + errors])
    ends = np.array([both.low, both.high])
    said = [f"{name_of(one)} {value_of(e[one])}" for one in ("r2", "root_mean_squared_error")]
    short = f"R2 {_brief(e['r2'].centre)}"
    points = _cloud(actual + errors, actual, e.residuals.weight, (both, both), "\n".join(said), short)
    axes = replace(both, title="predicted"), replace(both, title="actual")
    return Figure("predicted", "", *axes, (Series("line", ends, ends, name="equal"), points), square=True)


@kind("Residuals against predicted", "regression", way="apart", needs="amounts")
def residuals(e: Any) -> Figure:
    """Predicted minus actual amounts against predicted ones, with the mean and 95 % of them."""
    (actual, errors), known = _amounts(e.residuals), e.residuals
    reached = np.cumsum(known.weight) / known.total
    ends = np.minimum(np.searchsorted(reached, [0.025, 0.975]), len(known) - 1)
    (low, high), mean = known.error[ends].tolist(), e["mean_error"]
    axes = _room("predicted", [actual + errors]), _room("predicted - actual", [errors])
    series = (
        _cloud(actual + errors, errors, known.weight, axes),
        Series("level", y=0.0),
        Series("level", y=mean.value, value=f"{name_of('mean_error')} {value_of(mean)}", look=1),
        Series("level", y=low, value=f"95 % of the errors: {low:.4g} to {high:.4g}", look=2, dash=1),
        Series("level", y=high, look=2, dash=1),
    )
    return Figure("residuals", "", *axes, series)


def _cloud(
    x: np.ndarray, y: np.ndarray, weight: np.ndarray, axes: tuple[Axis, Axis], name: str = "", short: str = ""
) -> Series:
    """Points, or of many their number on a grid."""
    if len(x) <= MOST_POINTS:
        return Series("cloud", x, y, value=name, short=short, look=0)
    limits_of = [(one.low, one.high) for one in axes]
    number, across, up = np.histogram2d(x, y, TILES, limits_of, weights=np.asarray(weight, float))
    return Series("grid", across, up, number, value=name, short=short, look=0)


def _room(name: str, values: Sequence[np.ndarray]) -> Axis:
    """All values, with room for the points at both ends."""
    plain = axis_of("score", values, name)
    every = np.concatenate(values)
    low, high = max(plain.low, float(np.nanmin(every[np.isfinite(every)], initial=plain.high))), plain.high
    room = ROOM * (high - low)
    low, high = low - room, high + room
    return replace(
        plain, low=low, high=high, ticks=tuple(one for one in plain.ticks if low <= one[0] <= high)
    )


def _amounts(known: Any) -> tuple[np.ndarray, np.ndarray]:
    """Actual amounts and errors."""
    error = known.error  # of sums alone this is refused
    if known.truth is None:
        raise InputError(
            "unsupported", "kind", "it needs the actual amounts, and these residuals hold errors only",
            "make them with Residuals.from_arrays, or evaluate the cases",
        )  # fmt: skip
    return known.truth, error


@kind("Classifiers in ROC space", "roc_points", way="whole", needs="classifiers in ROC space")
def roc_points(found: Any) -> Figure:
    """A point for each classifier, with intervals of both rates, and the hull of all."""
    hull = {one.place for one in found.values() if one.slopes is not None}
    across, up = np.transpose(sorted({(0.0, 0.0), (1.0, 1.0), *hull}))
    series = [
        Series("line", ENDS, ENDS, name="guessing"),
        Series("line", across, up, name="convex hull", dash=1),
    ]
    names = text.labels(found, LONGEST)
    for look, (name, one) in enumerate(found.items()):
        x, y = (np.array([rate]) for rate in one.place)
        over = f", dominated by {len(one.dominated_by)}" if one.dominated_by else ""
        wide, high = (
            [np.array([rate.low]), np.array([rate.high])] if rate.has_interval else [None, None]
            for rate in (one.false_positive_rate, one.sensitivity)
        )
        series.append(Series("points", x, y, wide[0], wide[1], look=look, across=True))
        series.append(Series("points", x, y, high[0], high[1], name=f"{names[name]}{over}", look=look))
    axes = replace(SHARES, title="false positive rate"), replace(SHARES, title="true positive rate")
    facts = (f"{100 * found.level:.4g} % intervals",)
    return Figure("roc_points", "Classifiers in ROC space", *axes, tuple(series), facts, square=True)
