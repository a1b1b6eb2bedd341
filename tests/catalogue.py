"""The catalogue of measures as it was before a test entered one of its own."""

from collections.abc import Iterator
from contextlib import contextmanager

from tallymark.measures import registry


@contextmanager
def restored_afterwards() -> Iterator[None]:
    kept = [(now, dict(now)) for now in (registry._names, registry._measures)]
    try:
        yield
    finally:
        for now, before in kept:
            now.clear()
            now.update(before)
        registry.forget_searches()
