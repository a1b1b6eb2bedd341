"""Settings for every test.

Tiers: a test marked `full` or `slow` runs only where -m asks for it; see pyproject.toml and the Makefile.
Hypothesis draws the same examples each time and knows no time limit. TALLYMARK_EXAMPLES is how many it draws
for a test: 3 by default, 40 where -m asks for the full tier.
"""

import gc
import os
import re

import numpy as np
import pytest
from hypothesis import settings
from looping import with_marks_above

from tallymark.input.calls import CALL

WHOLE_FILE = re.compile(r"^pytestmark = \[?pytest\.mark\.(full|slow)\b", re.MULTILINE)
FAST, FULL = 3, 40

# Results of different calls are compared, in JSON, too; tests/test_provenance.py has the calls of results.
CALL.set("a test")

STARTS: dict[str, list[tuple[np.random.Generator, dict]]] = {}

# Rewriting the assertions makes millions of objects that stay: searched for garbage at the usual intervals,
# they cost a third of the time that collecting takes.
gc.set_threshold(100_000)


def pytest_configure(config: pytest.Config) -> None:
    fast = "not full" in config.getoption("markexpr")
    examples = int(os.environ.get("TALLYMARK_EXAMPLES", FAST if fast else FULL))
    settings.register_profile("tallymark", derandomize=True, deadline=None, max_examples=examples)
    settings.load_profile("tallymark")


def pytest_ignore_collect(collection_path, config: pytest.Config) -> bool | None:
    """A file that is wholly of another tier is not even imported."""
    left_out = re.findall(r"\bnot (full|slow)\b", config.getoption("markexpr"))
    if not left_out or collection_path.suffix != ".py":
        return None
    found = WHOLE_FILE.search(collection_path.read_text(encoding="utf-8"))
    return True if found and found[1] in left_out else None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class, name: str, obj: object) -> None:
    """Before an item is made, so that marks such as parametrize count, too."""
    with_marks_above(obj)


def pytest_collection_finish() -> None:
    """What collecting made stays: the garbage collector need not search it again and again."""
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """The generators of a module draw the same in each of its tests, whichever ran before in this process."""
    module = getattr(item, "module", None)  # none of an example in a docstring
    if module is None:
        return
    if module.__name__ not in STARTS:
        generators = [one for one in vars(module).values() if isinstance(one, np.random.Generator)]
        STARTS[module.__name__] = [(one, one.bit_generator.state) for one in generators]
    for generator, state in STARTS[module.__name__]:
        generator.bit_generator.state = state
