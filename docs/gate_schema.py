"""The JSON Schema of gate files, for editors: made from the signature of `check` and from the help of its
options."""

import json
import re
from collections.abc import Mapping, Sequence
from inspect import getdoc, unwrap
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import tallymark as tm
from tallymark.evaluation.evaluate import EvaluateArguments
from tallymark.input.arguments import OPTIONS
from tallymark.studies.gate.file import IN_PYTHON_ONLY

SIMPLE = {bool: "boolean", int: "integer", float: "number", str: "string"}
TEXT, TEXTS = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
LABEL = {"type": ["string", "number", "boolean"]}
SEVERAL = {"anyOf": [TEXT, TEXTS]}
DATA = "The cases: a file, or several (CSV, Parquet, JSON lines), from the folder of the gate file on"
PARAMETER = re.compile(r"^(\w[\w, ]*) : .*\n((?:    .*\n?|\n)+)", re.MULTILINE)


def page() -> str:
    """The schema as text."""
    hints = get_type_hints(EvaluateArguments) | get_type_hints(unwrap(tm.check))
    said = {name: one.settings["help"] for name, one in OPTIONS.items()} | described(tm.evaluate)
    said |= {name: text for name, text in described(tm.check).items() if not text.startswith("As for")}
    properties = {"data": {"description": DATA, **SEVERAL}}
    for name in tm.check.takes:
        if name not in IN_PYTHON_ONLY:
            properties[name] = {"description": said.get(name, ""), **values_of(name, hints[name])}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A gate of tallymark: the arguments of `tallymark check`",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    return f"{json.dumps(schema, indent=2)}\n"


def described(function: Any) -> dict[str, str]:
    """By argument its description in the docstring, in one line."""
    return {
        name: " ".join(text.split())
        for names, text in PARAMETER.findall(getdoc(function) or "")
        for name in names.split(", ")
    }


def values_of(name: str, hint: Any) -> dict[str, Any]:
    """The values that an argument may have in TOML."""
    settings = OPTIONS[name].settings if name in OPTIONS else {}
    if hint is Any or (hint == Sequence[Any] | None):
        if "nargs" in settings:
            return {"anyOf": [{"type": "array", "items": LABEL}, LABEL]}
        if settings.get("action") == "append":
            return SEVERAL
        return LABEL if settings.get("metavar") == "LABEL" else TEXT
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    found = [one for one in map(_of_type, kinds) if one is not None]
    return found[0] if len(found) == 1 else {"anyOf": found}


def _of_type(kind: Any) -> dict[str, Any] | None:
    if get_origin(kind) is Literal:
        return {"enum": list(get_args(kind))}
    if get_origin(kind) is Sequence:
        return TEXTS
    if get_origin(kind) is Mapping:
        return {"type": "object"}
    return {"type": SIMPLE[kind]} if kind in SIMPLE else None
