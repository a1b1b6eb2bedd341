"""The catalogue of measures as it was before a test entered one of its own."""

from collections.abc import Iterator
from contextlib import contextmanager

from tallymark.measures import search


@contextmanager
def restored_afterwards() -> Iterator[None]:
    kept = [(now, dict(now)) for now in (search._names, search._measures)]
    try:
        yield
    finally:
        for now, before in kept:
            now.clear()
            now.update(before)
        search.forget_searches()
