"""Labels that are probably meant as one, or as missing values, though they are classes of their own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..values import shown

ZEROS = re.compile(r"0*([0-9]+)(\.0*)?")  # as 01 and 1.0
# what a difference is in, and the text without it
FORMS: Mapping[str, Callable[[str], str]] = {
    "the Unicode form": lambda text: unicodedata.normalize("NFKC", text),
    "blanks": lambda text: "".join(text.split()),
    "case": str.casefold,
    "zeros": lambda text: whole[1] if (whole := ZEROS.fullmatch(text)) else text,
}
LIKE_MISSING = frozenset({".", "-", "--", "?", "na", "n.a.", "missing"})


def like_missing(labels: Iterable[Any]) -> list[str]:
    """The labels that may stand for missing values; not those of a pair of + and -."""
    texts = [label for label in labels if isinstance(label, str)]
    return [] if "+" in texts else [text for text in texts if text.casefold() in LIKE_MISSING]


def similar(labels: Iterable[Any]) -> dict[tuple[str, str], str]:
    """By pair of labels that differ only in case, blanks, zeros or the Unicode form, what they differ in."""
    first: dict[str, str] = {}
    found = {}
    for text in labels:
        if isinstance(text, str):
            other = first.setdefault(_without(text), text)
            if other != text:
                needed = [name for name in FORMS if _without(text, name) != _without(other, name)]
                found[other, text] = " and ".join(needed)
    return found


def _without(text: str, but: str = "") -> str:
    """The text without differences of any kind but one."""
    for name, form in FORMS.items():
        text = text if name == but else form(text)
    return text


def only_in(labels: Iterable[Any]) -> str:
    """As "; 'Cat' and 'cat' differ only in case" for the first such pair, else an empty text."""
    for (one, other), what in similar(labels).items():
        return f"; {shown_apart(one, other)} differ only in {what}"
    return ""


def shown_apart(one: str, other: str) -> str:
    """Two texts in a message; those that look the same with their code points."""
    if unicodedata.normalize("NFKC", one) == unicodedata.normalize("NFKC", other):
        return f"{one!a} and {other!a}"
    return f"{shown(one)} and {shown(other)}"
