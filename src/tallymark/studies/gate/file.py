"""Gate files: the arguments of `check` as TOML, and the count of the uses of a test set.

The keys of a gate file are the arguments of `check` and `data`, so that there is no other list of options.
While such a file is checked, messages name an argument as the place of its key there.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from ...input.calls import unknown
from ...input.errors import InputError, Spelling, current

F = TypeVar("F", bound=Callable[..., Any])
ENDING, PROJECT, TABLE = ".toml", "pyproject.toml", ("tool", "tallymark", "gate")
IN_PYTHON_ONLY = ("gate", "counts", "by", "progress")  # arguments whose values are no TOML
PATHS = ("data", "baseline", "key", "state")  # relative to the folder of the file
TABLE_DOT = re.escape(".".join((*TABLE, "")))
HEADER = re.compile(r"^\s*\[tool\.tallymark\.gate\b", re.MULTILINE)
TRUE_OR_FALSE = {"True": "true", "False": "false"}


@dataclass(frozen=True)
class GateFile(Spelling):
    """A gate file, and the spelling of arguments in messages on it.

    path: as it was given; text: of the file; keys: its values by argument; outer: the spelling of arguments
    that are not in it.
    """

    path: str
    text: str
    keys: Mapping[str, Any]
    outer: Spelling

    @classmethod
    def read(cls, path: Any) -> GateFile:
        """The file of this path. Raises InputError."""
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
            found: Any = tomllib.loads(text)
        except (OSError, TypeError, ValueError) as reason:
            why = getattr(reason, "strerror", None) or reason
            way_out = 'name a TOML file with lines such as truth = "y"'
            raise InputError("unreadable", "gate", f"{str(path)!r} cannot be read ({why})", way_out) from None
        if Path(path).name == PROJECT:
            for name in TABLE:
                found = found.get(name) if isinstance(found, dict) else None
            if not isinstance(found, dict):
                raise InputError("needed", "gate", f"{str(path)!r} has no table [{'.'.join(TABLE)}]")
        return cls(os.fspath(path), text, found, current.get())

    def name(self, argument: str) -> str:
        """The place of its key, as "gate.toml, line 3, uses"."""
        key, bracket, place = argument.partition("[")
        if key not in self.keys:
            return self.outer.name(argument)
        return f"{self.path}, line {self.line(key, int(place[:-1]) if bracket else None)}, {argument}"

    def option(self, argument: str, written: str) -> str:
        """The line of TOML."""
        return f"{argument} = {TRUE_OR_FALSE.get(written, written)}" if written else argument

    def either(self, in_python: str, typed: str) -> str:
        """As outside."""
        return self.outer.either(in_python, typed)

    def line(self, key: str, place: int | None = None) -> int:
        """The line of a key, or of one of several texts in its value. TOML readers tell neither."""
        header = HEADER.search(self.text) if Path(self.path).name == PROJECT else None
        start = header.end() if header else 0
        written = rf"^\s*\[?({TABLE_DOT})?(['\"]?){re.escape(key)}\2\s*[=.\]]"
        found = re.compile(written, re.MULTILINE).search(self.text, start)
        end = found.end() if found else start
        for text in () if place is None else self.keys[key][: place + 1]:
            after = self.text.find(str(text), end)
            end = end if after < 0 else after + len(str(text))
        return self.text.count("\n", 0, end) + 1

    def arguments(self, takes: tuple[str, ...]) -> tuple[Any, dict[str, Any]]:
        """The data, and the other arguments. takes: the arguments of the function. Raises InputError."""
        known = [one for one in takes if one not in IN_PYTHON_ONLY]
        strange = [one for one in self.keys if one not in known and one != "data"]
        if strange:
            raise unknown("a gate file", strange[:1], [*known, "data"])
        folder = Path(self.path).parent
        found = {key: _placed(value, folder) if key in PATHS else value for key, value in self.keys.items()}
        return found.pop("data", None), found


def _placed(path: Any, folder: Path) -> Any:
    """A path, or several, from this folder on; addresses and standard input as they are."""
    if isinstance(path, list):
        return [_placed(one, folder) for one in path]
    return str(folder / path) if isinstance(path, str) and path != "-" and "://" not in path else path


def is_gate(data: Any) -> bool:
    """Whether this is the path of a gate file."""
    return isinstance(data, (str, Path)) and str(data).lower().endswith(ENDING)


def with_gate_file(function: F) -> F:
    """Lets `check`, or a function of its arguments, take them from a file, after those of the call."""

    @wraps(function)
    def called(*data: Any, **given: Any) -> Any:
        files = data[0] if data and isinstance(data[0], list) else [*data]
        if files and is_gate(files[0]) and given.get("gate") is None:
            given["gate"], data = files[0], (files[1:],) if files[1:] else ()
        if given.get("gate") is None:
            return function(*data, **given)
        file = GateFile.read(given.pop("gate"))
        token = current.set(file)
        try:
            cases, keys = file.arguments(function.takes)  # type: ignore[attr-defined]  # of @public
            current.set(replace(file, keys={key: one for key, one in file.keys.items() if key not in given}))
            return function(*(data or (() if cases is None else (cases,))), **{**keys, **given})
        finally:
            current.reset(token)

    return called  # type: ignore[return-value]  # it has the signature of F
