"""How the sentences of the command line write arguments: as its options."""

from __future__ import annotations

from argparse import Action
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from ..input.arguments import OPTIONS
from ..input.spelling import PYTHON, Spelling, current
from ..input.terminal import shown_on

FLAGS = {
    ("paired", "False"): "--unpaired",
    ("paired", "True"): "no --unpaired",
    ("persons", "(id1, id2)"): "--persons ID1 ID2",
    ("similarity", "False"): "--distance",
    ("similarity", "True"): "no --distance",
}
BRACKETS = {"[": "]", "(": ")"}


class Typed(Spelling):
    """As options. actions: those of the command that is run, by argument."""

    def __init__(self, actions: Mapping[str, Action]):
        self.actions = actions

    def _flag(self, argument: str) -> str:
        if argument in self.actions:
            return max(self.actions[argument].option_strings, key=len, default=argument)
        return OPTIONS[argument].flag if argument in OPTIONS else ""

    def name(self, argument: str) -> str:
        """As the option without its dashes, if there is one."""
        return self._flag(argument).removeprefix("--") or argument

    def option(self, argument: str, written: str) -> str:
        """With its value, or several after each other."""
        if (argument, written) in FLAGS:
            return FLAGS[argument, written]
        option = self._flag(argument) or f"--{argument.replace('_', '-')}"
        settings = OPTIONS[argument].settings if argument in OPTIONS else {}
        if settings.get("action", "append") != "append" or written in ("", "[...]"):
            return option
        if written[:1] in BRACKETS and written.endswith(BRACKETS[written[0]]):
            values = written[1:-1].split(", ")
            several = f" {option} " if written[0] == "[" else " "
            return f"{option} {several.join(values)}"
        return f"{option} {written}"

    def either(self, in_python: str, typed: str) -> str:
        """The second."""
        return typed


@contextmanager
def typed(actions: Iterable[Action]) -> Iterator[None]:
    """While a command with these options runs."""
    with _written(Typed({action.dest: action for action in actions})):
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
