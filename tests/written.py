"""Files of cases that are written for a test, and the one sentence that refuses them."""

import pytest

from tallymark import InputError, evaluate


def written(tmp_path, text, name="x.csv"):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def refusal(data, **given):
    with pytest.raises(InputError) as refused:
        evaluate(data, **({"truth": "y", "score": "p"} | given))
    assert "\n" not in str(refused.value)
    return str(refused.value)
