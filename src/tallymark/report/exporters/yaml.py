"""The metadata of a model card as YAML, and YAML of plain values.

Source: YAML 1.2.2; a text that is not a plain word is written as in JSON, which is a part of YAML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...evaluation.reporting.model_card import ModelCard
from .. import parts

# Words that no version of YAML reads as a boolean, a null or a number.
PLAIN = re.compile(
    r"(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf)$)[A-Za-z][A-Za-z0-9_-]*(?:/[A-Za-z0-9_-]+)*", re.I
)


def as_text(card: ModelCard) -> str:
    """The metadata, with the key `model-index`."""
    return "".join(f"{line}\n" for line in lines(metadata(card)))


def metadata(card: ModelCard) -> dict[str, Any]:
    """The metadata as plain values, with the keys of the Hub."""
    dataset = {"type": card.dataset_id, "name": card.dataset}
    dataset |= {
        name: getattr(card, name)
        for name in ("config", "split", "revision")
        if getattr(card, name) is not None
    }
    metrics = [
        {"type": card.metric_ids[one.measure], "value": one.estimate.value, "name": _name(one)}
        for one in card.figures
    ]
    result = {"task": {"type": card.task}, "dataset": dataset, "metrics": metrics}
    return {"model-index": [{"name": card.model, "results": [result]}]}


def _name(one: Any) -> str:
    """The name of a measure for readers, with its interval."""
    found, name = one.estimate, parts.title(one.measure)
    if not found.has_interval:
        return name
    level = 100 * found.level
    mix = ", given this class mix" * any(note.code == "given-mix" for note in found.notes)
    return f"{name} ({level:.4g}% CI {parts.ends(found)}{mix})"


def lines(value: Any) -> Iterator[str]:
    """The lines of a mapping or a list of plain values."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            if not isinstance(part, (Mapping, list)):
                yield f"{scalar(name)}: {scalar(part)}"
                continue
            yield f"{scalar(name)}:"
            yield from (line if isinstance(part, list) else f"  {line}" for line in lines(part))
    elif isinstance(value, list):
        for part in value:
            nested = lines(part) if isinstance(part, (Mapping, list)) else iter([scalar(part)])
            yield from (f"- {line}" if not i else f"  {line}" for i, line in enumerate(nested))


def scalar(value: Any) -> str:
    """A text, number, boolean or null."""
    if isinstance(value, str) and PLAIN.fullmatch(value):
        return value
    return "".join(map(_printable, json.dumps(value, ensure_ascii=False)))


def _printable(character: str) -> str:
    """The character, or how YAML writes it where it is not printable; half a surrogate pair is replaced."""
    if character.isprintable():
        return character
    code = ord(character)
    return "\N{REPLACEMENT CHARACTER}" if 0xD800 <= code < 0xE000 else f"\\U{code:08x}"
