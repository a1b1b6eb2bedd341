"""How the sentences of the command line write arguments: as its options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ..input.arguments import OPTIONS
from ..input.spelling import PYTHON, Spelling, current
from ..input.terminal import shown_on

OTHER = {  # arguments of Python with another name here
    "equivalent_within": "margin",
    "label": "class",
    "measures": "measure",
    "non_inferior_by": "margin",
    "rng": "seed",
}
FLAGS = {
    ("paired", "False"): "--unpaired",
    ("paired", "True"): "no --unpaired",
    ("persons", "(id1, id2)"): "--persons ID1 ID2",
    ("similarity", "False"): "--distance",
    ("similarity", "True"): "no --distance",
}
BRACKETS = {"[": "]", "(": ")"}


class Typed(Spelling):
    """As options. known: the arguments of the command that is run."""

    def __init__(self, known: frozenset[str] = frozenset()):
        self.known = known

    def name(self, argument: str) -> str:
        """As the option without its dashes, if there is one."""
        if argument in OPTIONS:
            return OPTIONS[argument].flag.removeprefix("--")
        here = OTHER.get(argument, argument)
        return here.replace("_", "-") if here in self.known or argument in OTHER else here

    def option(self, argument: str, written: str) -> str:
        """With its value, or several after each other."""
        if (argument, written) in FLAGS:
            return FLAGS[argument, written]
        option = f"--{OTHER.get(argument, argument).replace('_', '-')}"
        if argument in OPTIONS:
            option = OPTIONS[argument].flag
            if "action" in OPTIONS[argument].settings and OPTIONS[argument].settings["action"] != "append":
                return option
        if written in ("", "[...]"):
            return option
        if written[:1] in BRACKETS and written.endswith(BRACKETS[written[0]]):
            values = written[1:-1].split(", ")
            return (
                " ".join(f"{option} {value}" for value in values)
                if written[0] == "["
                else f"{option} {' '.join(values)}"
            )
        return f"{option} {written}"

    def either(self, in_python: str, typed: str) -> str:
        """The second."""
        return typed


@contextmanager
def typed(known: Iterable[str]) -> Iterator[None]:
    """While a command runs. known: the names of its arguments."""
    with _written(Typed(frozenset(known))):
        yield


@contextmanager
def in_python() -> Iterator[None]:
    """For JSON and pages, which are the same whoever makes them."""
    with _written(PYTHON), shown_on(None):
        yield


@contextmanager
def _written(spelling: Spelling) -> Iterator[None]:
    token = current.set(spelling)
    try:
        yield
    finally:
        current.reset(token)
