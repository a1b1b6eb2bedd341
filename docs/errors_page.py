"""The page of the mistakes: their codes, and what an `InputError` holds."""

from __future__ import annotations

import tallymark as tm
from tallymark.input.errors import CODES

PAGE = """# When the input is wrong

Made by `python docs/make.py`.

What is wrong with the cases or the call is an `InputError`, a `ValueError` whose text is one sentence: the
argument, what is wrong with it, and what to do. On the command line it goes to standard error, with the exit
status 2, and writes arguments as options.

```
{text}
```

The parts of the sentence are attributes, so that no program has to read it:

| attribute | what it is | here |
|---|---|---|
{rows}

`column`, `row` and `value` are `None` where there is no single one. Rows of arrays and data frames are
counted from 0, those of text files are lines. Exceptions can be pickled and copied.

| code | |
|---|---|
{codes}
"""
MEANING = {
    "code": "the kind of mistake, which stays the same when a sentence is reworded",
    "argument": "the argument, or the file",
    "column": "the name of the column that was passed as this argument",
    "row": "where in it",
    "value": "what was found there, or given: a number, a text or a boolean",
    "problem": "what is wrong",
    "remedy": "what to do; empty where the problem says it",
}


def page() -> str:
    """With the error of a table whose score is no probability."""
    try:
        tm.evaluate(
            {"outcome": [0, 1], "risk": [0.2, 15]}, truth="outcome", score="risk", score_kind="probability"
        )
    except tm.InputError as wrong:
        rows = "\n".join(
            f"| `{name}` | {meaning} | `{getattr(wrong, name)!r}` |" for name, meaning in MEANING.items()
        )
        text = f"InputError: {wrong}"
    codes = "\n".join(f"| `{code}` | {meaning} |" for code, meaning in CODES.items())
    return PAGE.format(text=text, rows=rows, codes=codes)
