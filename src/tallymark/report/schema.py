"""The JSON Schema of the answers: what `--json` writes and what `to_json` of a result gives."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from ..input.calls import public


@public()
def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of every answer in JSON, with one definition for each kind of answer.

    An answer names its kind under `answer`, an evaluation its `task`, too; the number of the layout stands
    under `schema`. The schema is tight: a key that it does not name is an error. The file is
    `tallymark/data/answers.schema.json`.

    Returns
    -------
    dict
        The schema, a new one in each call, as `jsonschema.Draft202012Validator` takes it.

    Examples
    --------
    >>> schema = json_schema()
    >>> schema["$defs"]["note"]["required"]
    ['code', 'fields', 'text']
    """
    return json.loads((files("tallymark") / "data" / "answers.schema.json").read_text(encoding="utf-8"))
