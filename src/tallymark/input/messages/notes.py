"""Notes on values and intervals, with a code and fields; `sentences` has their sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .message import Message
from .message import text_of as text_of
from .sentences import KINDS, sentence

# kinds of notes
APPROXIMATE, CONDITIONAL, WITHOUT, REMARK = "approximate", "conditional", "without", "remark"
UNDEFINED = "undefined"


class Note(Message):
    """A note on a value or its interval.

    Attributes
    ----------
    code : str
        Identifies the note, as "few-in-a-class"; it stays the same when the sentence is reworded.
    fields : tuple of pairs (name, value)
        The figures and names in the sentence, as ("limit", 30); `note["limit"]` is the value. A field may
        hold other notes.

    Examples
    --------
    >>> note = Note("few-on-one-side", limit=8)
    >>> note["limit"], note.kind
    (8, 'approximate')
    >>> note.text
    'approximate: fewer than 8 cases on one side'
    """

    __slots__ = ()

    @property
    def kind(self) -> str:
        """The kind: "approximate", "conditional", "without", "undefined" or "remark".

        "approximate": how good the interval is; "conditional": what it is conditional on; "without": why
        there is no interval; "undefined": why there is no value; "remark": anything else.
        """
        return KINDS[self.code]

    @property
    def text(self) -> str:
        """The sentence."""
        return sentence(self.code, self.in_words)

    @property
    def reason(self) -> str:
        """The sentence as it stands after "no interval: "."""
        return sentence(self.code, self.in_words, lead="")

    @property
    def in_words(self) -> dict[str, Any]:
        """The fields, with sentences in place of notes; with `because` also `reasons`, without leads."""
        words = super().in_words
        return (
            words | {"reasons": "; ".join(note.reason for note in joined(self["because"]))}
            if "because" in self
            else words
        )


Notes = tuple[Note, ...]
SomeNotes = Note | Notes | None


def joined(*parts: SomeNotes) -> Notes:
    """The notes in one tuple; None adds none."""
    several = ((part,) if isinstance(part, Note) else part or () for part in parts)
    return tuple(note for some in several for note in some)


def of_code(notes: SomeNotes, *codes: str) -> Notes:
    """The notes with one of these codes."""
    return tuple(note for note in joined(notes) if note.code in codes)


def of_kind(notes: SomeNotes, *kinds: str) -> Notes:
    """The notes of one of these kinds."""
    return tuple(note for note in joined(notes) if note.kind in kinds)


def without_codes(notes: SomeNotes, *codes: str) -> Notes:
    """The notes with none of these codes."""
    return tuple(note for note in joined(notes) if note.code not in codes)


def in_array(parts: Iterable[SomeNotes]) -> np.ndarray:
    """An array with one entry for each: a note, several or none."""
    rows = list(parts)
    found = np.empty(len(rows), object)
    for i, part in enumerate(rows):
        found[i] = part
    return found


def of_each(notes: Any, number: int) -> list[Notes]:
    """The notes of each of so many values: the entries of an array, else the same for all."""
    if isinstance(notes, np.ndarray):
        return [joined(part) for part in np.broadcast_to(notes, number).tolist()]
    return [joined(notes)] * number
