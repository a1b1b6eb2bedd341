"""What must be known of a value or an interval: a code and fields. The sentences are made in `sentences`, and last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from .results import Result
from .sentences import KINDS, sentence

APPROXIMATE, CONDITIONAL, WITHOUT, REMARK = "approximate", "conditional", "without", "remark"  # kinds of notes


@dataclass(frozen=True, slots=True, init=False)
class Note(Result):
    """What must be known of a value or of its interval.

    Attributes
    ----------
    code : str
        What it is, as "few-in-a-class"; it stays the same when the sentence is reworded.
    fields : tuple of pairs (name, value)
        The figures and names in the sentence, as ("limit", 30); `note["limit"]` is the value. A field may hold other notes.

    Examples
    --------
    >>> note = Note("few-on-one-side", limit=8)
    >>> note["limit"], note.kind
    (8, 'approximate')
    >>> note.text
    'approximate: fewer than 8 cases on one side'
    """

    code: str
    fields: tuple[tuple[str, Any], ...]

    def __init__(self, code: str, /, **fields: Any):
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "fields", tuple(fields.items()))

    def __getitem__(self, name: str) -> Any:
        return dict(self.fields)[name]

    def __contains__(self, name: object) -> bool:
        return name in dict(self.fields)

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self.fields))

    def __repr__(self) -> str:
        return f"Note({', '.join([repr(self.code), *(f'{name}={value!r}' for name, value in self.fields)])})"

    def __str__(self) -> str:
        return self.text

    @property
    def kind(self) -> str:
        """One of four: "approximate", how good the interval is; "conditional", what it is given; "without", why there is no
        interval, or no value; "remark", anything else."""
        return KINDS[self.code]

    @property
    def text(self) -> str:
        """The sentence."""
        return sentence(self.code, self._told)

    @property
    def reason(self) -> str:
        """The sentence as it stands after "no interval: "."""
        return sentence(self.code, self._told, lead="")

    @property
    def _told(self):
        return {name: text_of(value) if is_notes(value) else value for name, value in self.fields}

    def but(self, **fields: Any) -> Note:
        """The note with other values of some fields."""
        return Note(self.code, **{**dict(self.fields), **fields})

    def to_dict(self) -> dict:
        """Strict JSON: the code and the fields."""
        return {"code": self.code} | {name: _plain(value) for name, value in self.fields}


Notes = tuple[Note, ...]
SomeNotes = Note | Notes | None


def is_notes(value: Any) -> bool:
    """Whether it is a note, or several."""
    return isinstance(value, Note) or (isinstance(value, tuple) and bool(value) and all(isinstance(one, Note) for one in value))


def joined(*parts: SomeNotes) -> Notes:
    """The notes one after the other; None is none."""
    several = ((part,) if isinstance(part, Note) else part or () for part in parts)
    return tuple(note for some in several for note in some)


def text_of(notes: SomeNotes) -> str | None:
    """The sentences joined with semicolons; None without a note."""
    return "; ".join(note.text for note in joined(notes)) or None


def of_code(notes: SomeNotes, *codes: str) -> Notes:
    """Those with one of these codes."""
    return tuple(note for note in joined(notes) if note.code in codes)


def of_kind(notes: SomeNotes, *kinds: str) -> Notes:
    """Those of one of these kinds."""
    return tuple(note for note in joined(notes) if note.kind in kinds)


def without_codes(notes: SomeNotes, *codes: str) -> Notes:
    """Those with none of these codes."""
    return tuple(note for note in joined(notes) if note.code not in codes)


def in_array(parts: Iterable[SomeNotes]) -> np.ndarray:
    """One entry for each, whether a note, several or none."""
    rows = list(parts)
    found = np.empty(len(rows), object)
    for i, part in enumerate(rows):
        found[i] = part
    return found


def of_each(notes: Any, number: int) -> list[Notes]:
    """The notes of each of so many values: of an array its entries, else the same for all."""
    if isinstance(notes, np.ndarray):
        return [joined(part) for part in np.broadcast_to(notes, number).tolist()]
    return [joined(notes)] * number


def _plain(value):
    if isinstance(value, Note):
        return value.to_dict()
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    return value if value is None or isinstance(value, (str, bool, int)) else str(value)
