"""A call that is refused: the code of the error, the argument and the facts in its sentence."""

from contextlib import contextmanager

import pytest

from tallymark import InputError


@contextmanager
def refuses(code, *facts, argument=None):
    """That the block raises InputError with this code, argument and these texts in the sentence."""
    with pytest.raises(InputError) as refusal:
        yield refusal
    assert refusal.value.code == code
    if argument is not None:
        assert refusal.value.argument == argument
    for fact in facts:
        assert fact in str(refusal.value)
