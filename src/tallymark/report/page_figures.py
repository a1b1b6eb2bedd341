"""The curves on the page of an evaluation of two classes, with the captions that figures have, too."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import numpy as np

from ..curves import OF_PROBABILITIES, Curve
from ..evaluation.results import BinaryEvaluation
from . import svg
from .captions import OF_MEASURES, THRESHOLD, caption_of, name_of, operating_point, summary

MOST = 1_000  # thresholds of the measures, of more every so many
SHOWN = ("roc", "pr", "reliability", "density", "thresholds", "decision")
AGAINST_THRESHOLD = ("precision", "sensitivity", "f1")


def curves(e: BinaryEvaluation) -> str:
    """The figures; empty where there are no scores, or only one class."""
    if e.ranking is None or not e.both_classes:
        return ""
    names = [name for name in SHOWN if e.probabilities or name not in OF_PROBABILITIES]
    found = [_figure(e, _measures(e) if name == "thresholds" else e.curve(name)) for name in names]
    parts = "\n".join(found)
    return f'<h2>Curves</h2>\n<div class="curves">\n{parts}\n</div>'


def _figure(e: BinaryEvaluation, curve: Curve) -> str:
    title = OF_MEASURES if curve.name == "thresholds" else caption_of(curve.name).title
    mark = operating_point(e, curve)
    # the caption says what the band is, and a key of one line would move the picture down
    plain = replace(curve.joined().simplify(), about=None)
    picture = svg.draw(plain, mark, title, _limit(e, curve))
    caption = ". ".join(filter(None, (_first(e, curve, title), *_parts(e, curve, mark is not None)))) + "."
    return f"<figure>\n{picture}\n<figcaption>{escape(caption)}</figcaption>\n</figure>"


def _first(e: BinaryEvaluation, curve: Curve, title: str) -> str:
    """The title, with the measure that summarises the curve."""
    found = summary(e, curve.name)
    return f"{title}: {found}" if found else title


def _parts(e: BinaryEvaluation, curve: Curve, marked: bool) -> list[str]:
    """What the dot, the upright and the dashed line, and the band are."""
    parts, about = [], caption_of(curve.name)
    if e.limit is not None and (marked or _limit(e, curve) is not None):
        parts.append(f"{'The dot' if marked else 'The upright line'} is the threshold {e.limit:.4g}")
    if about.baseline and curve.baseline is not None:
        height = f" {curve.baseline[0]:.3g}" if about.baseline == "prevalence" else ""
        parts.append(f"The dashed line is: {about.baseline}{height}")
    if curve.about is not None and curve.band is not None:
        note = f" ({curve.about.note})" if curve.about.note else ""
        bins = f" of {len(curve)} bins" if curve.dots else ""
        parts.append(f"The area is the {curve.about}{bins}{note}")
    return parts


def _limit(e: BinaryEvaluation, curve: Curve) -> float | None:
    """The threshold, where the axis is that of the scores."""
    return e.limit if curve.x_name in THRESHOLD else None


def _measures(e: BinaryEvaluation) -> Curve:
    """Some measures of counts against the threshold as one curve of several lines."""
    curves = {name_of(name).split(" (")[0]: e.curve(name) for name in AGAINST_THRESHOLD}
    x = next(iter(curves.values())).x
    at = np.unique(np.linspace(0, len(x) - 1, MOST).astype(int))
    (y_name, y), *others = ((name, one.y[at]) for name, one in curves.items())
    return Curve(
        "thresholds", x[at], y, x[at], "threshold", y_name, step="post", others=dict(others)
    )  # fmt: skip
