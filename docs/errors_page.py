"""The page of the mistakes: their codes, and what an `InputError` holds."""

from __future__ import annotations

import tallymark as tm
from tallymark.input.errors import CODES

PAGE = """# Error messages

Made by `python docs/make.py`.

Invalid data or arguments raise an `InputError`, a `ValueError` whose text is one sentence: the argument, what
is wrong with it, and what to do. On the command line it goes to standard error, with exit status 2, and
arguments are written as options.

```
{text}
```

The parts of the sentence are available as attributes, so that programs need not parse it:

| attribute | meaning | here |
|---|---|---|
{rows}

`column`, `row` and `value` are `None` where there is no single one. Rows of arrays and data frames are
counted from 0, rows of text files are line numbers. Exceptions can be pickled and copied.

| code | |
|---|---|
{codes}
"""
MEANING = {
    "code": "the kind of error, which does not change if the sentence is reworded",
    "argument": "the argument, or the file",
    "column": "the name of the column that was passed as this argument",
    "row": "the row",
    "value": "the invalid value: a number, a string or a boolean",
    "problem": "what is wrong",
    "remedy": "what to do; empty if the problem implies it",
}


def page() -> str:
    """With the error of a table whose score is not a probability."""
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
