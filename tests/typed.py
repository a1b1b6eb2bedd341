"""What a result prints on the command line, where arguments are written as options."""

from __future__ import annotations

from typing import Any

from tallymark.cli.commands import typed


def as_typed(result: Any) -> str:
    with typed(()):
        return str(result)
