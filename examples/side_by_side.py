"""What the experiments in h*/ share: their numbers next to the printed ones, and their figures as files."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap

import matplotlib as mpl
import numpy as np
from PIL import Image

mpl.use("agg")

DPI = 70
COLOURS = 64  # of a file, which is then a quarter of the size
NAME, VALUES = 23, 23
HEAD = ("", "found", "printed", "")


def show(numbers: dict[str, tuple], figures: dict, folder: Path) -> None:
    """Print the numbers and save the figures as PNG."""
    print("\n".join([*lines([HEAD, *rows(numbers)]), ""]))
    save(figures, folder)
    print("\n".join(wrap(f"figures in {folder}: {', '.join(figures)}", 80)))


def save(figures: dict, folder: Path) -> None:
    """A PNG for each figure."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, figure in figures.items():
        drawn = BytesIO()
        figure.savefig(drawn, dpi=DPI, bbox_inches="tight")
        picture = Image.open(drawn).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        picture.save(Path(folder) / f"{name}.png", optimize=True)


def rows(numbers: dict[str, tuple]) -> list[tuple[str, str, str, str]]:
    """Name, found, printed, and "misprint" where the document is wrong."""
    return [
        (name, text(found), text(printed), "misprint" if rest and printed is not None else "")
        for name, (found, printed, _, *rest) in numbers.items()
    ]


def text(value: object) -> str:
    """A number to five digits, several to four with spaces between; "-" for one that is not printed."""
    if value is None:
        return "-"
    digits = 4 if np.size(value) > 1 else 5
    return " ".join(f"{one:.{digits}g}" for one in np.ravel(value))


def agrees(found: object, wanted: object, tolerance: float) -> bool:
    """Whether all numbers are within the tolerance, and a missing one is missing in both."""
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    return found.shape == wanted.shape and np.allclose(found, wanted, 0, tolerance + 1e-12, equal_nan=True)


def is_right(found: object, printed: object, tolerance: float, correct: object = None) -> bool:
    """Whether a number is the printed one or, where the document is wrong or prints none, the correct one and
    not the printed one."""
    if correct is None:
        return agrees(found, printed, tolerance)
    return agrees(found, correct, tolerance) and (printed is None or not agrees(found, printed, tolerance))


def lines(table: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """The rows in columns of at most 80 characters; what is longer goes on in the next line."""
    for name, found, printed, note in table:
        size = max(map(len, [*found.split(), *printed.split()]))
        cells = wrap(name, NAME) or [""], split(found, size), split(printed, size), [note]
        for parts in zip_longest(*cells, fillvalue=""):
            first, *values, last = parts
            yield " ".join([first.ljust(NAME), *(one.ljust(VALUES) for one in values), last]).rstrip()


def split(values: str, size: int) -> list[str]:
    """Lines of as many values as fit, each of this size."""
    fit = (VALUES + 1) // (size + 1)
    return [" ".join(one.ljust(size) for one in some) for some in batches(values.split(), fit)]


def batches(items: list[str], size: int) -> list[list[str]]:
    return [items[at : at + size] for at in range(0, len(items), size)]
