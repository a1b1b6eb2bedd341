"""What a terminal shows while a command works: the time, and what is done as far as that is known.

Nothing is shown in a pipe, nor in the first second. The line is removed at the end, also by Ctrl-C.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic

FIRST, NEXT = 1.0, 0.5  # seconds until the line appears, and between its changes
WIDE = 20  # characters of a bar
SHOWN: list[Line] = []  # the line that is there


@dataclass
class Line:
    """The line: how many units are done, of how many where that is known."""

    unit: str
    total: int | None
    done: int | None = None
    start: float = field(default_factory=monotonic)
    written: int = 0

    def count(self, number: int) -> None:
        """Take the number of units done; what is shown changes with the next tick."""
        self.done = number

    def text(self) -> str:
        """As it is shown."""
        minutes, seconds = divmod(int(monotonic() - self.start), 60)
        said = "working" if self.done is None else f"{self.done:,} {self.unit}"
        if self.done is not None and self.total:
            full = min(WIDE * self.done // self.total, WIDE)
            said = f"[{'#' * full}{'-' * (WIDE - full)}] {self.done:,} of {self.total:,} {self.unit}"
        return f"{said}, {minutes}:{seconds:02}"

    def write(self) -> None:
        """Show it in place of what was shown."""
        text = self.text()[: shutil.get_terminal_size().columns - 1]
        self._put(f"\r{text.ljust(self.written)}")
        self.written = len(text)

    def clear(self) -> None:
        """Remove it, if it was shown."""
        if self.written:
            self._put(f"\r{' ' * self.written}\r")

    def _put(self, characters: str) -> None:
        with suppress(OSError, ValueError):  # the terminal is gone
            sys.stderr.write(characters)
            sys.stderr.flush()


@contextmanager
def bar(unit: str = "rows", total: int | None = None) -> Iterator[Callable[[int], None] | None]:
    """A line on the terminal; gives the function that takes the number of rows, or other units, done."""
    if SHOWN or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    line, over = Line(unit, total), Event()
    ticking = Thread(target=_tick, args=(line, over), daemon=True)
    SHOWN.append(line)
    try:
        with suppress(RuntimeError):  # where no further thread can start, nothing is shown
            ticking.start()
        yield line.count
    finally:
        over.set()
        if ticking.ident is not None:
            ticking.join()
        line.clear()
        SHOWN.clear()


def _tick(line: Line, over: Event) -> None:
    """Show the line until the work is done."""
    waiting = FIRST
    while not over.wait(waiting):
        waiting = NEXT
        line.write()
