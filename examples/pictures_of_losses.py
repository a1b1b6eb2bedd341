"""Pictures of the losses, and of how scores become probabilities, as SVG files.

The squared, the absolute and the Huber loss of one difference as lines, of two as levels; the hinge loss
beside the 0-1 loss; the sigmoid, and the softmax of two scores. Run: python examples/pictures_of_losses.py
[folder]
"""

import sys
from pathlib import Path

import numpy as np

from tallymark import Curve, convert, losses

EPSILON = 0.5  # where the Huber loss turns straight: small, so that it shows
CELLS, BANDS, SIDE, EDGE = 120, 10, 320, 48  # of a picture of levels: cells per side, colours, pixels
LIGHT, DARK = np.array([236, 243, 253]), np.array([12, 52, 122])
OF_DIFFERENCES = {
    "squared": losses.squared,
    "absolute": losses.absolute,
    "Huber": lambda **given: losses.huber(**given, epsilon=EPSILON),
}


def main(folder: str = ".") -> None:
    place = Path(folder)
    for name, curve in lines().items():
        curve.save(place / f"{name}.svg")
    for name, (title, axes, reach, levels) in planes().items():
        (place / f"{name}.svg").write_text(picture(title, axes, reach, levels), encoding="utf-8")


def lines() -> dict[str, Curve]:
    difference, score = np.linspace(-2, 2, 401), np.linspace(-6, 6, 241)
    margin = np.sort(np.append(np.linspace(-2, 2, 401), -1e-9))  # the jump is from here to 0
    charged = {
        name: loss(truth=0 * difference, predicted=difference, reduction="none")
        for name, loss in OF_DIFFERENCES.items()
    }
    hinge = losses.hinge(truth=np.ones(len(margin)), score=margin, reduction="none")
    zero_one = (convert.to_labels(convert.sigmoid(margin)).labels == 0).astype(float)
    p = convert.sigmoid(score)
    return {
        "losses": drawn(
            "losses", difference, "difference", {f"{name} loss": values for name, values in charged.items()}
        ),
        "hinge": drawn(
            "hinge", margin, "score of a positive case", {"hinge loss": hinge, "0-1 loss": zero_one}
        ),
        "sigmoid": drawn("sigmoid", score, "score", {"probability": p}),
        "sigmoid-2": drawn("sigmoid", score, "score", {"class A": p, "class B": convert.sigmoid(-score)}),
    }


def drawn(name: str, x: np.ndarray, x_name: str, curves: dict[str, np.ndarray]) -> Curve:
    (first, y), *others = curves.items()
    return Curve(name, x, y, x, x_name, first, others=dict(others))


def planes() -> dict[str, tuple]:
    """A title, the names of the axes, how far they reach, and the level at every cell: rows upward, columns
    to the right."""
    found = {}
    for name, loss in OF_DIFFERENCES.items():
        both = np.stack(np.meshgrid(middles(2), middles(2)), axis=-1)
        levels = loss(truth=0 * both, predicted=both, reduction="none").mean(axis=-1)
        found[f"{name.lower()}-2"] = (
            f"mean {name} loss of two cases",
            ("first difference", "second difference"),
            2,
            levels,
        )
    scores = np.stack(np.meshgrid(middles(6), middles(6)), axis=-1)
    levels = convert.softmax(scores.reshape(-1, 2))[:, 0].reshape(CELLS, CELLS)
    found["softmax"] = (
        "probability of the first class",
        ("score of the first class", "score of the second class"),
        6,
        levels,
    )
    return found


def middles(reach: float) -> np.ndarray:
    edges = np.linspace(-reach, reach, CELLS + 1)
    return (edges[1:] + edges[:-1]) / 2


def picture(title: str, axes: tuple[str, str], reach: float, levels: np.ndarray) -> str:
    """Levels as bands of colour, with a key."""
    highest = float(levels.max())
    step = round(highest / BANDS, 1) or highest / BANDS
    bands = np.floor(levels / step + 1e-9).astype(int)
    width, height = SIDE + 3 * EDGE, SIDE + 2 * EDGE
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" viewBox="0 0 {width} {height}"'
            f' role="img" aria-label="{title}">'
        ),
        "<style>text { fill: #5c6878; font: 12px system-ui, sans-serif; }</style>",
        '<g class="levels" shape-rendering="crispEdges">',
        *(run for row, colours in enumerate(bands) for run in runs(row, colours, bands.max())),
        "</g>",
        *key(step, bands.max()),
        *(tick for value in np.linspace(-reach, reach, 5) for tick in ticks(value, reach)),
        text(EDGE + SIDE / 2, EDGE / 2, title),
        text(EDGE + SIDE / 2, height - 6, axes[0]),
        f'<g transform="translate(12 {EDGE + SIDE / 2:g}) rotate(-90)">{text(0, 0, axes[1])}</g>',
        "</svg>",
    ]
    return "\n".join(parts)


def runs(row: int, colours: np.ndarray, highest: int):
    """One rectangle for neighbours of one colour."""
    cell = SIDE / CELLS
    starts = np.flatnonzero(np.diff(colours, prepend=-1))
    for start, stop in zip(starts, np.append(starts[1:], CELLS), strict=True):
        x, y = EDGE + start * cell, EDGE + SIDE - (row + 1) * cell
        size = f'width="{(stop - start) * cell:.2f}" height="{cell:.2f}"'
        yield (
            f'<rect x="{x:.2f}" y="{y:.2f}" {size} fill="{colour(colours[start], highest)}"'
            ' shape-rendering="crispEdges"/>'
        )


def key(step: float, highest: int):
    side = SIDE / (highest + 1)
    for band in range(highest + 1):
        y = EDGE + SIDE - (band + 1) * side
        yield (
            f'<rect x="{EDGE + SIDE + 16}" y="{y:.2f}" width="16" height="{side:.2f}"'
            f' fill="{colour(band, highest)}"/>'
        )
        yield text(EDGE + SIDE + 38, y + side + 4, f"{band * step:.3g}", "start")


def ticks(value: float, reach: float):
    along = EDGE + SIDE * (value + reach) / (2 * reach)
    yield text(along, EDGE + SIDE + 16, f"{value:g}")
    yield text(EDGE - 6, 2 * EDGE + SIDE - along + 4, f"{value:g}", "end")


def text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'


def colour(band: int, highest: int) -> str:
    red, green, blue = np.rint(LIGHT + (DARK - LIGHT) * band / max(highest, 1)).astype(int)
    return f"rgb({red} {green} {blue})"


if __name__ == "__main__":
    main(*sys.argv[1:2])
