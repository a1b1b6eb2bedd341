"""Calibration of probabilities: as text the bins and figures, as HTML the figures and the curve."""

from __future__ import annotations

from ...evaluation.calibration import PARTS, SCORES, Calibration, cases_of_bins
from ...input import text
from .. import parts
from . import curve, rows


def as_text(c: Calibration) -> str:
    """The cases, four tables, the remarks of all, the notices."""
    remarks: dict[str, str] = {}
    tables = [_bins(c, remarks), _measures(c, remarks), _decomposition(c), _tests(c)]
    found = (
        _head(c),
        parts.severe(c.notices, in_full=True),
        *tables,
        "\n".join(parts.below(remarks)),
        *parts.others(c),
    )
    return "\n\n".join(part for part in found if part)


def as_html(c: Calibration) -> str:
    """The rows, and the curve."""
    return f"{rows.as_html(c)}\n{curve.as_html(c.curve())}"


def as_svg(c: Calibration) -> str:
    """The reliability curve."""
    return curve.as_svg(c.curve())


def _head(c: Calibration) -> str:
    e = c.evaluation
    size = e.data.rows - e.data.weightless
    cases = f"{text.count(size)} case{'s' * (size != 1)}"
    right = text.count(c.ranking.positives)
    what = (
        f"{right} right answers; the highest probability of each case"
        if c.of_answers
        else f"{right} positive"
    )
    return "\n".join(
        text.paragraph(line, first="") for line in (e.data.called, f"{cases}: {what}", c.conditions) if line
    )


def _bins(c: Calibration, remarks: dict[str, str]) -> str:
    bins = c.curve()
    assert bins.band is not None
    assert bins.about is not None
    cases = cases_of_bins(c, bins.threshold)
    rows = [
        [
            f"to {edge:.4g}",
            text.count(round(n, 1)),
            *(text.rounded(share, text.digits_of(low, high)) for share in (x, y)),
            text.interval(low, high),
        ]
        for edge, n, x, y, low, high in zip(bins.threshold, cases, bins.x, bins.y, *bins.band, strict=True)
    ]
    mark = "" if bins.about.note is None else parts.mark(bins.about.note, remarks)
    share = "share right" if c.of_answers else "share positive"
    return text.table(
        ["bin", "cases", "mean probability", share, f"{_level(c)}{mark}"], rows[::-1], right=(1, 2, 3)
    )


def _measures(c: Calibration, remarks: dict[str, str]) -> str:
    """All but the parts of the scores, which have a table of their own."""
    apart = {f"{score}_{part}" for score in SCORES.values() for part in PARTS}
    rows = [
        [name, *parts.cells(found, remarks, hidden="bins", usual=text.DIGITS)]
        for name, found in c.estimates.items()
        if name not in apart
    ]
    return text.table(["measure", "value", _level(c), "method"], rows, right=(1,))


def _decomposition(c: Calibration) -> str:
    rows = [
        [name, *(f"{found[part]:.4f}" for part in ("score", *PARTS))]
        for name, found in c.decomposition.items()
    ]
    score = "score of the answers" if c.of_answers else "score"
    return text.aligned(
        [score, "value =", "miscalibration -", "discrimination +", "uncertainty"], rows, right=range(1, 5)
    )


def _tests(c: Calibration) -> str:
    rows = [
        [
            test.name,
            text.number(test.statistic),
            "" if test.df is None else f"{test.df:.4g}",
            parts.p_value(test.p_value),
            test.note or "",
        ]
        for test in c.tests
    ]
    return text.table(["test", "statistic", "df", "p-value", ""], rows, right=(1, 2, 3))


def _level(c: Calibration) -> str:
    return parts.level_of(c.evaluation.settings.level)
