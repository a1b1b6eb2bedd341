"""Names of cases and of their clusters as keyed hashes, by which two data sets are matched without the names.

A hash is the first 64 bits of an HMAC-SHA-256. Two of n different names have the same one with a probability
of about n^2 / 2^65: 1 in 37 million for a million names.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .columns import Column
from .errors import InputError, option
from .labels import as_text, plain, together
from .validate import shown

BYTES = 8  # of a hash
ENVIRONMENT = "TALLYMARK_KEY"
SHORTEST, LONGEST = 16, 1 << 16  # bytes of a key
TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,9})?)?", re.ASCII)
WAY_OUT = "make one, as with `openssl rand -hex 32`"


@dataclass(frozen=True)
class Hashing:
    """How names are hashed.

    key: with which; salt: the key in hexadecimal where nobody keeps it, so that it is stored; else empty.
    """

    key: bytes
    salt: str = ""

    @classmethod
    def of(cls, key: Any) -> Hashing:
        """With the key of a file, or of the environment; without one with a random salt."""
        known = _key(key)
        if known is not None:
            return cls(known)
        salt = secrets.token_bytes(SHORTEST)
        return cls(salt, salt.hex())

    @classmethod
    def again(cls, salt: str, check: str, key: Any, name: str) -> Hashing:
        """That of a file. check: its `check`; name: of the file. Raises InputError without its key."""
        if salt and key is not None:
            problem = f"{name} was made without a key"
            raise InputError("conflict", "key", problem, "leave it out, or make the file again with the key")
        known = bytes.fromhex(salt) if salt else _key(key)
        if known is None:
            way_out = f"pass {option('key')}, the file of that key, or set {ENVIRONMENT} to it"
            raise InputError("needed", "key", f"{name} was made with a key, and none is here", way_out)
        found = cls(known, salt)
        if found.check != check:
            problem = f"it is not the key that {name} was made with, so that no case would be found in it"
            raise InputError(
                "mismatch", "key", problem, "pass that key, or make the file again with this one"
            )
        return found

    @cached_property
    def check(self) -> str:
        """Tells whether another key is the same one."""
        return self._digest("key").hex()

    def _digest(self, text: str) -> bytes:
        return hmac.digest(self.key, text.encode("utf-8", "surrogatepass"), "sha256")[:BYTES]

    def column(self, column: Column, kind: str) -> Column:
        """The column with hashes for its values; each distinct value is hashed once.

        kind: of the names, "case" or "unit": a case and a unit of the same name have different hashes. Whole
        numbers are hashed as their digits, whatever their type, and times in ISO 8601 without zeros at the
        end, so that days are dates in any unit.
        """
        names, (codes,) = together(as_text(column.values))
        hashes = b"".join([self._digest(f"{kind}:{_in_one_form(one)}") for one in names])
        return Column(column.role, np.frombuffer(hashes, "<u8").astype(np.uint64)[codes], name=column.name)


def _in_one_form(name: Any) -> Any:
    if isinstance(name, float) and name.is_integer():
        return int(name)
    if isinstance(name, str) and TIME.fullmatch(name):
        with suppress(ValueError):  # no such day
            return str(as_text(np.array(name, "M8[ns]" if "." in name else "M8[s]")))
    return name


def _key(given: Any) -> bytes | None:
    """The bytes of a key, its file or the environment, without blanks at the ends; None without any."""
    if given is None:
        written, where = os.environ.get(ENVIRONMENT, "").encode(), ENVIRONMENT
        if not written:
            return None
    elif isinstance(given, bytes):
        written, where = given, "the key"
    else:
        where = "the file named by key"  # not its name, which may be the key itself
        try:
            with Path(given).open("rb") as file:
                written = file.read(LONGEST + 1)
        except (OSError, TypeError, ValueError) as reason:
            why = getattr(reason, "strerror", None) or "it is not the path of a file"
            problem = f"{where} cannot be read ({why})"
            way_out = f"pass the path of a file, or leave it out and set {ENVIRONMENT} to the key"
            raise InputError("unreadable", "key", problem, way_out) from None
    key = written.strip()
    if not SHORTEST <= len(key) <= LONGEST:
        problem = f"{where} holds {len(key):,} bytes, and a key has {SHORTEST} to {LONGEST:,}"
        raise InputError("invalid-value", "key", problem, WAY_OUT)
    return key


def refuse_repeated(column: Column, names: Any, where: str) -> None:
    """Raises InputError where two cases have one name.

    names: the values of the column, or numbers that are equal where these are; where: whose cases these are.
    """
    _, codes, times = np.unique(names, return_inverse=True, return_counts=True)
    if times.max(initial=1) > 1:
        first, second = np.flatnonzero(codes == times.argmax())[:2].tolist()
        rows = f"in {column.row(first)} and {column.row(second)}"
        problem = f"{shown(plain(column.values[first]))} names two cases of {where}, {rows}"
        raise InputError("repeated", column, problem, "give each case its own name", row=second)
