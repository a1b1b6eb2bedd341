"""What the experiments in h*/ share: their numbers next to the printed ones, and their figures as files."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
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


def drawn(figure: Figure) -> list[list]:
    """What a figure shows: the texts of every axes, and of each line, area, patch and image its kind, its
    look, how many points it has, and their smallest, mean and largest x and y."""
    figure.draw_without_rendering()  # which gives meshes their colours
    found = []
    for ax in figure.axes:
        others = [*ax.texts, *(ax.get_legend().get_texts() if ax.get_legend() else ())]
        others += [cell.get_text() for table in ax.tables for cell in table.get_celld().values()]
        texts = (ax.get_title("left"), ax.get_title(), ax.get_xlabel(), ax.get_ylabel())
        found.append(["texts", *(one for one in texts if one), *(one.get_text() for one in others)])
        for artist in (*ax.lines, *ax.collections, *ax.patches, *ax.images):
            look, points = look_and_points(artist)
            points = points[np.isfinite(points).all(axis=1)]
            ends = np.ravel([points.min(0), points.mean(0), points.max(0)]) if len(points) else []
            found.append([type(artist).__name__, look, len(points), *(float(f"{end:.5g}") for end in ends)])
    return found


def look_and_points(artist: Artist) -> tuple[str, np.ndarray]:
    """The colour, of a line also the dashes and the marker, and what is drawn with it."""
    if isinstance(artist, AxesImage):
        return artist.get_cmap().name, np.ma.filled(artist.get_array(), np.nan).reshape(-1, 1).astype(float)
    if isinstance(artist, Line2D):
        dashes = artist._dash_pattern if artist.get_linestyle() != "None" else "none"
        look = f"{to_hex(artist.get_color())} {dashes} {artist.get_marker()}"
        return look, np.asarray(artist.get_xydata(), float)
    if isinstance(artist, Patch):
        path = artist.get_patch_transform().transform_path(artist.get_path())
        return to_hex(artist.get_facecolor(), keep_alpha=True), path.vertices
    paths = [path.vertices for path in artist.get_paths()]
    colours = {to_hex(one, keep_alpha=True) for one in artist.get_facecolor()}
    return " ".join(sorted(colours)), np.ma.filled(np.vstack([*paths, artist.get_offsets()]), np.nan)


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
