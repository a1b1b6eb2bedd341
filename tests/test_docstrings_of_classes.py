"""The docstring of every public class names all that the class holds or takes, and its examples run."""

import dataclasses
import doctest
import inspect
import re

import pytest
from looping import for_each

import tallymark as tm

SECTION = r"^{}\n-+\n(.*?)(?=^\w+\n-+\n|\Z)"
AS_IN = r"(?:All else is|The other attributes are) as in `(\w+)`"
INCOMPLETE = {"InputError"}  # its last argument is for the package alone
SUMMARIES = ["Counts", "RankingTable", "ConfusionMatrix", "ClassScores", "Residuals", "IndicatorTable"]
MOST_SHORT = 2  # parameters of a method that one sentence explains
# Methods for the package itself, in a file that has no more lines left.
UNLISTED = {"RankingTable.from_coded"}


def classes():
    every = {name: getattr(tm, name) for name in tm.__all__}
    return {name: one for name, one in every.items() if inspect.isclass(one)}


def listed(doc, *sections):
    """The names of these sections, without the stars of `*names`."""
    found = set()
    for section in sections:
        for text in re.findall(SECTION.format(section), doc, re.S | re.M):
            names = re.findall(r"^([*\w]+(?:, [*\w]+)*)(?: : .+)?$", text, re.M)
            found.update(name.lstrip("*") for line in names for name in line.split(", "))
    return found


def described(kind):
    """The names in the docstring of a class, with those of the class that it refers to."""
    doc = inspect.getdoc(kind) or ""
    others = (described(getattr(tm, name)) for name in re.findall(AS_IN, doc))
    return listed(doc, "Parameters", "Attributes").union(*others)


def held(kind):
    """The fields of a data class, or the arguments of the constructor that a class of the package has."""
    if dataclasses.is_dataclass(kind):
        names = {one.name for one in dataclasses.fields(kind)}
    else:
        made = next(
            (
                one
                for one in kind.__mro__
                if "__init__" in vars(one) and one.__module__.startswith("tallymark")
            ),
            None,
        )
        names = set(inspect.signature(made.__init__).parameters) - {"self"} if made else set()
    return {name for name in names if not name.startswith("_")}


def known(kind):
    """Everything that may be listed: also properties and annotated names."""
    annotated = {name for one in kind.__mro__ for name in vars(one).get("__annotations__", {})}
    return held(kind) | annotated | set(dir(kind))


def methods():
    """The public methods of public classes that take many arguments."""
    found = {}
    for kind in classes().values():
        for name, one in vars(kind).items():
            function = getattr(one, "__func__", one)
            if inspect.isfunction(function) and not name.startswith("_"):
                names = [arg for arg in inspect.signature(function).parameters if arg not in ("self", "cls")]
                if len(names) > MOST_SHORT:
                    found[f"{kind.__name__}.{name}"] = function, set(names)
    return found


@for_each("name", lambda: sorted(classes().keys() - INCOMPLETE))
def test_the_docstring_lists_what_the_class_holds(name):
    kind = classes()[name]
    assert held(kind) - described(kind) == set(), f"{name}: not in the docstring"
    assert described(kind) - known(kind) == set(), f"{name}: not in the class"


@pytest.mark.parametrize("name", sorted(INCOMPLETE))
def test_the_exceptions_are_still_exceptions(name):
    assert held(classes()[name]) - described(classes()[name]), f"take {name} out of INCOMPLETE"


def test_methods_of_many_parameters_list_them():
    every = methods()
    assert every.keys() >= UNLISTED
    wrong = {
        name
        for name, (function, names) in every.items()
        if listed(inspect.getdoc(function) or "", "Parameters") != names
    }
    assert wrong == UNLISTED


@pytest.mark.parametrize("name", SUMMARIES)
def test_summaries_have_an_example(name):
    assert ">>> " in re.search(SECTION.format("Examples"), inspect.getdoc(classes()[name]), re.S | re.M)[1]


@for_each("name", lambda: sorted(classes()))
def test_examples_run(name):
    for example in doctest.DocTestFinder(exclude_empty=True).find(classes()[name], name):
        said = []
        runner = doctest.DocTestRunner()
        runner.run(example, out=said.append)
        assert not runner.failures, "".join(said)
