"""The page of two classes: what one threshold moves, as the values of the protocol tallymark-page/1.

The library computes and rounds every number; `words` writes the page as it is read without a script, and has
its like in pages/page.js. docs/page.schema.json describes the protocol.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, log
from typing import TYPE_CHECKING, Any

import numpy as np

from ..evaluation.cutoffs import PREVALENCES, Bounds, Cutoffs, cutoffs, together as cutoffs_together
from ..input.errors import InputError
from ..measures.titles import title
from . import document
from .document import Column, Table
from .figure import Axis, Figure, Series, axis_of

if TYPE_CHECKING:
    from ..curves import Curve

SCHEMA = "tallymark-page/1"
UNDEFINED = "–"
MOST, MOST_TOGETHER, MOST_DIGITS = 130, 80, 6
MOST_MODELS = 8
OF_MODELS = ("sensitivity", "specificity", "precision", "f1")
PREVALENCE_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.9)
OUTSIDE = -9.0  # where the dot of an undefined value stands
LOOKS = {"sensitivity": "pos", "specificity": "neg", "precision": "ppv"}
ROUND = (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10)  # tops of an axis, whose quarters are short numbers


@dataclass(frozen=True)
class Panel:
    """What the threshold moves: the values for the script, the pictures by their names, and the rules.

    bars: of the histogram, each with its place and width on the slider, its heights by class, all as shares,
    its middle, and whether it is on the negative side. baselines: by measure the value of predictions that
    ignore the cases.
    """

    values: Mapping[str, Any]
    headline: str = ""  # without the measures at the threshold, which move
    figures: Mapping[str, Figure] = field(default_factory=dict)
    bars: Sequence[Mapping[str, Any]] = ()
    rules: Table | None = None
    baselines: Mapping[str, float] = field(default_factory=dict)

    @property
    def words(self) -> dict[str, str]:
        """The texts of the first state."""
        v = self.values
        own = (v[one]["own"] if one in v else 0 for one in ("prevalence", "cost"))
        return words(v, v["start"], *own)

    @property
    def along(self) -> float:
        """The place of the threshold on the slider."""
        low, high = self.values["axis"]
        at = float(self.values["t"][self.values["start"]])
        return float(min(1.0, max(0.0, (at - low) / (high - low))))

    def count(self, name: str) -> str:
        """A number of cases that no threshold moves."""
        return count(self.values[name])

    def bar(self, measure: str) -> tuple[float, float, float] | None:
        """The value of a measure and the ends of its interval, as shares."""
        of, at, whole = self.values["measures"][measure], self.values["start"], 10 ** self.values["digits"]
        if of["v"][at] is None:
            return (-0.09, 0.0, 0.0)
        ends = (of[end][at] if of[end][at] is not None else of["v"][at] for end in ("v", "lo", "hi"))
        value, low, high = (end / whole for end in ends)
        return (value if value >= 0 else -0.09, max(0.0, low), max(0.0, low, high))

    def part(self, cell: str) -> float:
        """A cell of the matrix as a share of its row."""
        row = self.values["positives" if cell in ("tp", "fn") else "negatives"]
        right = self.values["measures"]["sensitivity" if cell in ("tp", "fn") else "specificity"]
        share = (right["v"][self.values["start"]] or 0) / 10 ** self.values["digits"]
        return 0.0 if not row else share if cell in ("tp", "tn") else 1 - share


def panel(ev: Any, coarse: int = 0) -> Panel:
    """The panel of an evaluation with scores of both classes. coarse: as of `cutoffs`."""
    own = float(ev.data.positives / (ev.data.positives + ev.data.negatives))
    cut = cutoffs(ev, most=MOST, prevalences=sorted({*PREVALENCES, own}), coarse=coarse)
    values = protocol(ev, cut)
    edges, (low, high) = np.asarray(cut.edges, float), values["axis"]
    middles, places = (edges[1:] + edges[:-1]) / 2, (edges - low) / (high - low)
    most = max(cut.positives.max(), cut.negatives.max()) or 1
    at = values["t"][values["start"]]
    columns = {
        "x": places[:-1],
        "width": np.diff(places),
        "up": np.sqrt(cut.positives / most),
        "down": np.sqrt(cut.negatives / most),
        "middle": middles,
        "off": middles < at if ev.higher_is_positive else middles > at,
    }
    bars = [
        dict(zip(columns, row, strict=True))
        for row in zip(*(column.tolist() for column in columns.values()), strict=True)
    ]
    share = values["positives"] / values["cases"]
    baselines = {
        "precision": share,
        "negative_predictive_value": 1 - share,
        "accuracy": max(share, 1 - share),
    }
    headline = "" if ev.headline is None else str(replace(ev.headline, further=()))
    return Panel(values, headline, pictures(ev, cut, values, bool(coarse)), bars, rules(values), baselines)


def together(evaluations: Mapping[str, Any]) -> Panel:
    """What one threshold moves of several models, each with its scores, at most the best eight.

    Names of values are followed by that of the model.
    """
    every = best(evaluations)
    first = next(iter(every.values()))
    t, found, chosen = cutoffs_together(every, OF_MODELS, MOST_TOGETHER)
    start = int(np.abs(t - first.limit).argmin())
    digits = digits_of([one for _, measures in found.values() for one in measures.values()], start)
    counts: dict[str, Any] = {}
    measures: dict[str, Any] = {}
    places: dict[str, Any] = {}
    for name, (cells, bounds) in found.items():
        for cell in ("tp", "fp", "fn", "tn"):
            counts[f"{cell} {name}"] = [plain(n) for n in np.asarray(getattr(cells, cell), float).tolist()]
        for one, of in bounds.items():
            measures[f"{one} {name}"] = {"title": title(one), **scaled(of, digits)}
        hit, spared, right = (bounds[one].value for one in OF_MODELS[:3])
        places |= {f"roc {name}": (1 - spared, hit), f"pr {name}": (hit, right)}
    ends = (0.0, 1.0) if t[0] >= 0 and t[-1] <= 1 else (float(t[0]), float(t[-1]))
    buttons = {"start": ("Default" if first.threshold.rule.code == "default" else "Threshold", first.limit)}
    buttons |= {name: (f"Youden, {name}", limit) for name, limit in chosen.items()}
    return Panel(
        {
            "schema": SCHEMA,
            "models": list(every),
            "level": first.settings.level,
            "digits": digits,
            "higher": bool(first.higher_is_positive),
            "axis": ends,
            "t": t.tolist(),
            "shown": apart(t),
            "counts": counts,
            "measures": measures,
            "rules": [
                {"name": name, "title": title, "at": int(np.abs(t - limit).argmin())}
                for name, (title, limit) in buttons.items()
            ],
            "start": start,
            "marks": pairs(places),
        }
    )


def best(evaluations: Mapping[str, Any], least: bool = False) -> Mapping[str, Any]:
    """At most eight, in their order: those with the largest ROC areas, or the smallest."""
    if len(evaluations) <= MOST_MODELS:
        return evaluations
    area = np.array([one["roc_auc"].value for one in evaluations.values()])
    order = np.argsort(area if least else -area, kind="stable")[:MOST_MODELS]
    every = list(evaluations.items())
    return dict(every[i] for i in sorted(order))


def rules(page: Mapping[str, Any]) -> Table:
    """What each rule does, for reading without the script."""
    shown = ("sensitivity", "specificity", "precision", "negative_predictive_value")
    rows = []
    for rule in page["rules"]:
        said = words(page, rule["at"], page["prevalence"]["own"], page["cost"]["own"])
        estimates = {name: f"{said[name]} {said[f'{name}.ends']}" for name in shown}
        rows.append({"rule": rule["title"], "threshold": said["t"], "flagged": said["share"], **estimates})
    columns = [Column(name, title(name)) for name in shown]
    return Table(
        "rules",
        (
            Column("rule", "rule", "name"),
            Column("threshold", "threshold"),
            Column("flagged", "flagged"),
            *columns,
        ),
        rows,
        "Thresholds by rule",
    )


def protocol(ev: Any, cut: Cutoffs) -> dict[str, Any]:
    """The values of the page. Numbers that are shown are whole multiples of 10^-digits; None is undefined."""
    tp, fp, fn, tn = (np.asarray(one, float) for one in (cut.tp, cut.fp, cut.fn, cut.tn))
    positives, negatives = float(ev.data.positives), float(ev.data.negatives)
    cells = {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "flagged": tp + fp, "spared": fn + tn}
    digits = digits_of(cut.measures.values(), cut.start)
    thresholds = np.asarray(cut.thresholds, float)
    measures = {
        name: {"title": title(name), **scaled(bounds, digits)} for name, bounds in cut.measures.items()
    }
    rates = {name: np.asarray(bounds.value, float) for name, bounds in cut.measures.items()}
    return {
        "schema": SCHEMA,
        "labels": {"negative": str(ev.labels[0]), "positive": str(ev.labels[1])},
        "cases": plain(positives + negatives),
        "positives": plain(positives),
        "negatives": plain(negatives),
        "level": ev.settings.level,
        "digits": digits,
        "higher": bool(ev.higher_is_positive),
        "axis": [float(cut.edges[0]), float(cut.edges[-1])],
        "t": thresholds.tolist(),
        "shown": apart(thresholds),
        "counts": {name: [plain(n) for n in each.tolist()] for name, each in cells.items()},
        "share": scaled(cut.share, digits),
        "measures": measures,
        "rules": [{"name": name, "title": title, "at": int(at)} for name, title, at in cut.rules],
        "start": int(cut.start),
        "marks": marks(thresholds, rates, np.asarray(cut.share.value, float), cut),
        "prevalence": prevalences(cut, positives / (positives + negatives), digits),
        "cost": costs(cut, digits),
    }


def digits_of(every: Iterable[Bounds], start: int) -> int:
    """Digits after the point by which the ends of every interval at the first cut-off differ; 3 or more."""
    at = [(bounds.low[start], bounds.high[start]) for bounds in every]
    ends = np.array([(low, high) for low, high in at if low < high])  # NaN is not
    enough = (n for n in range(3, MOST_DIGITS) if (np.diff(np.round(ends, n)) > 0).all())
    return next(enough, MOST_DIGITS)


def apart(values: np.ndarray) -> list[str]:
    """Numbers in as few digits as tell them apart, three or more."""
    texts = [f"{value:.3g}" for value in values.tolist()]
    for digits in range(4, 18):
        times = Counter(texts)
        texts = [
            text if times[text] == 1 else f"{value:.{digits}g}"
            for text, value in zip(texts, values.tolist(), strict=True)
        ]
    return texts


def plain(n: float) -> float | int:
    """A number of cases with at most one digit after the point."""
    rounded = round(n, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def scaled(bounds: Bounds, digits: int) -> dict[str, list[int | None]]:
    """Value and ends as whole numbers of the last digit; both ends are None where there is no interval."""
    v, lo, hi = (
        [whole(x, digits) if isfinite(x) else None for x in np.asarray(column, float).tolist()]
        for column in bounds
    )
    return {"v": v, "lo": lo, "hi": hi}


def whole(x: float, digits: int) -> int:
    """A number in units of the last digit, rounded as it is printed."""
    return int(f"{x:.{digits}f}".replace(".", ""))


def marks(
    t: np.ndarray, rates: Mapping[str, np.ndarray], share: np.ndarray, cut: Cutoffs
) -> dict[str, list[list[float | None]]]:
    """Where the dots of each figure are, by cut-off."""
    hit = rates["sensitivity"]
    places = {
        "roc": (1 - rates["specificity"], hit),
        "pr": (hit, rates["precision"]),
        "gain": (share, hit),
        **{name: (t, rates[name]) for name in ("sensitivity", "specificity", "precision")},
    }
    if cut.net_benefit is not None:
        places["decision"] = (t, np.asarray(cut.net_benefit, float))
    return pairs(places)


def pairs(places: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> dict[str, list[list[float | None]]]:
    """By name the places as pairs of short numbers; None is undefined."""
    return {
        name: [
            [float(f"{v:.4g}") if isfinite(v) else None for v in pair]
            for pair in zip(*(column.tolist() for column in columns), strict=True)
        ]
        for name, columns in places.items()
    }


def prevalences(cut: Cutoffs, own: float, digits: int) -> dict[str, Any]:
    """Predictive values by prevalence; x is the place on an axis of log odds."""
    at = np.asarray(cut.prevalences, float)
    here = int(np.argmin(np.abs(at - own)))
    texts = [f"{100 * p:.3g} %" for p in at.tolist()]
    texts[here] += " (these data)" * bool(abs(at[here] - own) < 1e-9)
    both = {
        name: [scaled(Bounds(*(column[k] for column in of)), digits) for k in range(len(at))]
        for name, of in (("ppv", cut.ppv), ("npv", cut.npv))
    }
    return {"own": here, "shown": texts, "x": np.round(np.log(at / (1 - at)), 4).tolist(), **both}


def costs(cut: Cutoffs, digits: int) -> dict[str, Any]:
    """Expected cost by ratio of a missed positive to a false alarm, which costs 1."""
    ratios = np.asarray(cut.ratios, float)
    rows = [scaled(Bounds(*(column[k] for column in cut.cost)), digits) for k in range(len(ratios))]
    tops = [top_of(1.6 * float(trivial)) for trivial in cut.trivial]
    return {
        "own": int(np.argmin(np.abs(ratios - 1))),
        "ratios": ratios.tolist(),
        "shown": [f"{r:g} : 1" if r >= 1 else f"1 : {1 / r:g}" for r in ratios.tolist()],
        "best": [int(k) for k in cut.best],
        "trivial": [whole(x, digits) for x in np.asarray(cut.trivial, float).tolist()],
        "top": tops,
        "ticks": [[f"{top * k / 4:.4g}" for k in range(5)] for top in tops],
        **{end: [row[end] for row in rows] for end in ("v", "lo", "hi")},
    }


def top_of(value: float) -> float:
    """A round number at or above a positive one, for the end of an axis."""
    power = 10.0 ** np.floor(np.log10(max(value, 1e-12)))
    return float(next(f"{k * power:.6g}" for k in ROUND if k * power >= value * (1 - 1e-9)))


# The pictures ---------------------------------------------------------------------------------------------

BINS = 10  # of a reliability curve, of ten cases or more
MOST_DRAWN = 20_000  # distinct scores; of more, neighbours are joined for lines
SHARES = tuple((v, f"{v:g}") for v in (0, 0.2, 0.4, 0.6, 0.8, 1))
DIAGONAL = Series("line", (0, 1), (0, 1))


def pictures(ev: Any, cut: Cutoffs, page: Mapping[str, Any], coarse: bool) -> dict[str, Figure]:
    """The pictures by their names. coarse: lines through the cut-offs alone."""
    share = page["positives"] / page["cases"]
    made = [_roc(ev, cut, coarse), _pr(ev, cut, share, coarse), _rates(cut, page)]
    if ev.probabilities:
        made += [_reliability(ev, cut), _decision(ev, cut, share, coarse)]
    made += [_gain(cut, share), _predictive(page), _cost(cut, page)]
    return {one.name: replace(one, series=(*one.series, *_moving(one, page))) for one in made}


def _moving(figure: Figure, page: Mapping[str, Any]) -> Iterator[Series]:
    """The line and the dots at the threshold, which the script moves."""
    if figure.x.title == "threshold":
        yield Series("upright", page["t"][page["start"]], look="ink", key="threshold")
    for name, look in LOOKS.items() if figure.name == "rates" else [(figure.name, "ink")]:
        if name in page["marks"]:
            x, y = ([OUTSIDE if v is None else v] for v in page["marks"][name][page["start"]])
            yield Series("points", x, y, look=look, key=name)


def _shares(title: str) -> Axis:
    return Axis(0.0, 1.0, SHARES, title)


def _summed(ev: Any, measure: str, name: str) -> dict[str, Any]:
    """A measure as the legend of a line."""
    found = ev.estimates.get(measure)
    return {} if found is None or found.undefined else {"name": name, "value": document.estimate(found)}


def _curve(ev: Any, name: str, band: str, **options: Any) -> Curve:
    """A curve, with its band where there is one."""
    try:
        result: Curve = ev.curve(name, band=band, **options)
    except InputError:
        result = ev.curve(name, **options)
    return result


def _line(
    ev: Any, curve_name: str, band: str, coarse: tuple[Any, Any] | None, **legend: Any
) -> tuple[Series, tuple[str, ...]]:
    """The line of a curve, and what its band is; or one through the cut-offs."""
    if coarse is not None:
        there = np.isfinite(np.array(coarse, float)).all(axis=0)
        x, y = (np.asarray(one, float)[there] for one in coarse)
        return Series("line", x, y, look="ink", **legend), ("Through the cut-offs alone",)
    if len(ev.ranking) > MOST_DRAWN and ev.units is None and not ev.in_bins:
        ev = replace(ev, ranking=ev.ranking.thinned())  # which no picture tells from all scores
    curve = _curve(ev, curve_name, band).joined()
    low, high = curve.band or (None, None)
    said = () if curve.about is None else (f"Shaded: {curve.about}",)
    return Series("line", curve.x, curve.y, low, high, look="ink", step=curve.step, **legend), said


def _roc(ev: Any, cut: Cutoffs, coarse: bool) -> Figure:
    x, y = 1 - np.r_[1, cut.measures["specificity"].value, 0], np.r_[0, cut.measures["sensitivity"].value, 1]
    order = np.lexsort((y, x))
    places = (x[order], y[order]) if coarse else None
    line, facts = _line(ev, "roc", "simultaneous", places, **_summed(ev, "roc_auc", "area"))
    axes = _shares("false positive rate"), _shares("sensitivity")
    return Figure("roc", "ROC", *axes, (DIAGONAL, line), facts)


def _pr(ev: Any, cut: Cutoffs, share: float, coarse: bool) -> Figure:
    places = (cut.measures["sensitivity"].value, cut.measures["precision"].value) if coarse else None
    line, facts = _line(ev, "pr", "pointwise", places, **_summed(ev, "average_precision", "average"))
    random = Series("line", (0, 1), (share, share))
    facts = (*facts, f"Dashed: flagging at random, {share:.3f}")
    axes = _shares("recall (sensitivity)"), _shares("precision")
    return Figure("pr", "Precision and recall", *axes, (random, line), facts)


def _scores(cut: Cutoffs) -> Axis:
    return axis_of("score", [np.asarray(cut.edges, float)], "threshold")


def _rates(cut: Cutoffs, page: Mapping[str, Any]) -> Figure:
    lines = [
        Series("line", cut.thresholds, *cut.measures[name], name=name, look=look, key=name)
        for name, look in LOOKS.items()
    ]
    facts = (f"Shaded: {100 * page['level']:.4g}% interval at each cut-off",)
    return Figure("rates", "Rates", _scores(cut), _shares("rate"), tuple(lines), facts)


def _reliability(ev: Any, cut: Cutoffs) -> Figure:
    bins = max(2, min(BINS, ev.data.rows // 10))
    curve = _curve(ev, "reliability_equal_mass", "pointwise", bins=bins)
    low, high = curve.band or (None, None)
    legend = _summed(ev, "calibration_slope", "slope")
    series = (
        DIAGONAL,
        Series("line", curve.x, curve.y, look="ink", **legend),
        Series("points", curve.x, curve.y, low, high, look="ink"),
    )
    number = np.asarray(cut.positives + cut.negatives, float)
    below = Figure(
        "histogram",
        "",
        Axis(0.0, 1.0),
        Axis(0.0, 1.0),
        (Series("bars", np.asarray(cut.edges, float), number),),
    )
    facts = (
        f"{len(curve.x)} bins of equally many cases, with intervals",
        "Dashed: well calibrated",
        "Below: how many cases have each score",
    )
    axes = _shares("mean predicted probability"), _shares("share that is positive")
    return Figure("reliability", "Reliability", *axes, series, facts, below=below)


def _decision(ev: Any, cut: Cutoffs, share: float, coarse: bool) -> Figure:
    places = (cut.thresholds, cut.net_benefit) if coarse else None
    line, facts = _line(ev, "decision", "pointwise", places, name="this model")
    top, t = max(share, float(np.nanmax(line.y, initial=0.0))), np.linspace(0, 0.999, 400)
    every = share - (1 - share) * t / (1 - t)
    series = (
        Series("line", (0, 1), (0, 0)),
        Series("line", t[every > -top], every[every > -top], name="flag everybody", look="npv"),
        line,
    )
    axes = (
        _shares("threshold"),
        axis_of("net benefit", [np.array([-0.25 * top, 1.05 * top])], "net benefit per case"),
    )
    facts = (
        *facts,
        "The threshold states how many false alarms one case found is worth. Dashed: flag nobody",
    )
    return Figure("decision", "Decision curve", *axes, series, facts)


def _gain(cut: Cutoffs, share: float) -> Figure:
    y, low, high = (np.r_[0, column, 1] for column in cut.measures["sensitivity"])
    x = np.r_[0, cut.share.value, 1]
    order = np.argsort(x, kind="stable")
    series = (
        Series("line", (0, share, 1), (0, 1, 1)),
        DIAGONAL,
        Series("line", x[order], y[order], low[order], high[order], look="ink"),
    )
    facts = (
        "How many are found if only the top so many are looked at. Dashed: best possible, and at random",
    )
    axes = _shares("share flagged"), _shares("share of positives found")
    return Figure("gain", "Gain", *axes, series, facts)


def _predictive(page: Mapping[str, Any]) -> Figure:
    x, i, q = np.asarray(page["prevalence"]["x"]), page["start"], page["prevalence"]["own"]
    ticks = tuple((log(p / (1 - p)), f"{100 * p:g} %") for p in PREVALENCE_TICKS)
    lines, dots = [], []
    for name in ("ppv", "npv"):  # from the rounded values, as the script draws them
        rows = page["prevalence"][name]
        v, low, high = (
            np.array([row[end][i] for row in rows], float) / 10 ** page["digits"] for end in ("v", "lo", "hi")
        )
        lines.append(Series("line", x, v, low, high, name=name.upper(), look=name, key=name))
        dots.append(Series("points", x[[q]], np.nan_to_num(v[[q]], nan=OUTSIDE), look=name, key=name))
    here = Series("upright", float(x[q]), look="ink", key="prevalence")
    axes = (
        Axis(min(ticks[0][0], x[0]), max(ticks[-1][0], x[-1]), ticks, "prevalence"),
        _shares("predictive value"),
    )
    return Figure("predictive", "Predictive values", *axes, (*lines, here, *dots))


def _cost(cut: Cutoffs, page: Mapping[str, Any]) -> Figure:
    of, r = page["cost"], page["cost"]["own"]
    unit = 10 ** page["digits"] * of["top"][r]
    v, low, high = (np.array(of[end][r], float) / unit for end in ("v", "lo", "hi"))
    ticks = tuple((k / 4, text) for k, text in enumerate(of["ticks"][r]))
    trivial = np.full(2, of["trivial"][r]) / unit
    series = (
        Series("line", page["axis"], trivial, key="trivial"),
        Series("line", cut.thresholds, v, low, high, name="this model", look="ink", key="cost"),
        *(
            Series("points", [page["t"][k]], [v[k]], look="ink", key=name)
            for name, k in (("best", of["best"][r]), ("own", page["start"]))
        ),
    )
    facts = ("Dashed: flagging everybody or nobody, whichever costs less",)
    return Figure(
        "cost", "Expected cost", _scores(cut), Axis(0.0, 1.0, ticks, "cost per case"), series, facts
    )


# The words ------------------------------------------------------------------------------------------------


def number(page: Mapping[str, Any], value: int | None) -> str:
    """A number that is shown."""
    return UNDEFINED if value is None else f"{value / 10 ** page['digits']:.{page['digits']}f}"


def percent(page: Mapping[str, Any], value: int | None) -> str:
    """The same as a percentage."""
    digits = page["digits"] - 2
    return UNDEFINED if value is None else f"{value / 10**digits:.{digits}f} %"


def ends(page: Mapping[str, Any], of: Mapping[str, Sequence[int | None]], i: int) -> str:
    """The interval at a cut-off; empty without one."""
    low, high = of["lo"][i], of["hi"][i]
    return "" if low is None or high is None else f"[{number(page, low)}, {number(page, high)}]"


def count(n: float) -> str:
    """A number of cases, of weighted ones with a digit."""
    return f"{n:,.1f}".removesuffix(".0")


def words(page: Mapping[str, Any], i: int, q: int, r: int) -> dict[str, str]:
    """Every text that follows the sliders, by its name: at a cut-off, a prevalence and a ratio of costs."""

    def estimate(of: Mapping[str, Sequence[int | None]], at: int) -> str:
        return f"{number(page, of['v'][at])} {ends(page, of, at)}".rstrip()

    def rest(part: int | None) -> int | None:
        return None if part is None else 10 ** page["digits"] - part

    said = {"t": page["shown"][i], **{name: count(each[i]) for name, each in page["counts"].items()}}
    for name, of in page["measures"].items():
        said[name], said[f"{name}.ends"] = number(page, of["v"][i]), ends(page, of, i)
    if "models" in page:
        return said
    hit, spared = (page["measures"][name]["v"][i] for name in ("sensitivity", "specificity"))
    said |= {
        "share": percent(page, page["share"]["v"][i]),
        "tp%": percent(page, hit),
        "fn%": percent(page, rest(hit)),
        "fp%": percent(page, rest(spared)),
        "tn%": percent(page, spared),
    }
    row, best = {end: page["cost"][end][r] for end in ("v", "lo", "hi")}, page["cost"]["best"][r]
    return {
        **said,
        "prevalence": page["prevalence"]["shown"][q],
        "ppv": estimate(page["prevalence"]["ppv"][q], i),
        "npv": estimate(page["prevalence"]["npv"][q], i),
        "ratio": page["cost"]["shown"][r],
        "cost": estimate(row, i),
        "best": page["shown"][best],
        "best cost": estimate(row, best),
    }
