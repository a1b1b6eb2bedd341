"""What the output can show, while a command runs: colours and characters.

Text is plain, in any characters, unless `shown_on` says otherwise. Imports almost nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec

TYPE_CHECKING = False  # for type checkers; typing takes longer to import than the rest of this module
if TYPE_CHECKING:
    from typing import TextIO

RED, GREEN, FAINT = "31", "32", "2"
END = "\x1b[0m"
CONTROLS = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
_coloured: ContextVar[bool] = ContextVar("coloured", default=False)
_encoding: ContextVar[str | None] = ContextVar("encoding", default=None)


@contextmanager
def shown_on(stream: TextIO | None) -> Iterator[None]:
    """While text is made for a stream. None: for a file, in UTF-8 and without colours."""
    colours, encoding = _coloured.set(takes_colours(stream)), _encoding.set(_only(stream))
    try:
        yield
    finally:
        _coloured.reset(colours)
        _encoding.reset(encoding)


@contextmanager
def progress_bar(unit: str, total: int | None = None) -> Iterator[Callable[[int], object] | None]:
    """A line of tqdm on standard error, after a second; gives the function that takes the units done.

    None, and no line, in a pipe and where tqdm is not installed.
    """
    if sys.stderr is None or not sys.stderr.isatty() or find_spec("tqdm") is None:
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=f" {unit}", total=total, delay=1, leave=False) as bar:
        try:
            yield lambda done: bar.update(done - bar.n)
        except KeyboardInterrupt:  # perhaps after the line was written and before tqdm knew its length
            bar.fp.write(f"\r{' ' * len(str(bar))}\r")
            raise


def takes_colours(stream: TextIO | None) -> bool:
    """Whether it is a terminal with colours, and NO_COLOR is not set.

    Source: https://no-color.org
    """
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    if sys.platform == "win32" and not (os.environ.get("WT_SESSION") or os.environ.get("TERM")):
        return False  # an old console, which shows the codes
    return bool(stream.isatty())


def _only(stream: TextIO | None) -> str | None:
    """The encoding of a stream that does not take every character."""
    encoding = getattr(stream, "encoding", None)
    return None if encoding is None or encoding.lower().startswith("utf") else encoding


def coloured(text: str, colour: str) -> str:
    """The text in a colour, line by line, where the output takes colours."""
    if not _coloured.get():
        return text
    return "\n".join(f"\x1b[{colour}m{line}{END}" if line else line for line in text.split("\n"))


def encodable(text: str) -> str:
    """The text with an escape in place of each character that the output cannot show, as \\xe9."""
    encoding = _encoding.get()
    return text if encoding is None else text.encode(encoding, "backslashreplace").decode(encoding)


def without_controls(text: str) -> str:
    """The text with U+FFFD in place of each control character, except tabs, line ends and our own colours.

    Names come from data: what moves the cursor, sets the title of a window, makes a link or turns the order
    of what follows (controls of bidirectional text) does not reach a terminal or a page.
    """
    import re

    def instead(found: re.Match[str]) -> str:
        return found[0] if _coloured.get() and len(found[0]) > 1 else "\N{REPLACEMENT CHARACTER}"

    return re.sub(rf"\x1b\[(?:{RED}|{GREEN}|{FAINT}|0)m|{CONTROLS}", instead, text)


def ellipsis() -> str:
    """One character where a text is shortened."""
    return "…" if encodable("…") == "…" else "~"
