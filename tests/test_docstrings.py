"""The docstrings of public functions: the sections of NumPy style, every parameter, and examples that run."""

import doctest
import inspect
import re

import pytest
from catalogue import restored_afterwards
from every_result import public_functions
from looping import for_each, in_part

FUNCTIONS = {
    name.removeprefix("studies.").removeprefix("probability."): one
    for name, one in public_functions().items()
}
SECTIONS = ("Parameters", "Returns", "Raises", "Notes", "References", "Examples")
NEVER_RAISES = {"find"}
# scikit-learn and joblib are imported
RETRAINING = {"bootstrap_out_of_bag", "cross_validate", "permutation_test", "scorer"}


def sections(function):
    """By title the lines of each section, in their order."""
    parts = re.split(r"^(\w+)\n-+$", inspect.getdoc(function), flags=re.M)
    return dict(zip(parts[1::2], (text.strip("\n").split("\n") for text in parts[2::2]), strict=True))


def described(function):
    """The names that stand under Parameters."""
    headers = [line for line in sections(function).get("Parameters", []) if line and not line.startswith(" ")]
    return [name.lstrip("*") for line in headers for name in line.partition(" : ")[0].split(", ")]


def taken(function):
    return [*inspect.signature(function).parameters]


@for_each("name", sorted(FUNCTIONS))
def test_every_parameter_is_described_once(name):
    assert sorted(described(FUNCTIONS[name])) == sorted(taken(FUNCTIONS[name]))


@for_each("name", sorted(FUNCTIONS))
def test_the_sections_are_those_of_numpy_in_their_order(name):
    found = sections(FUNCTIONS[name])
    assert list(found) == [title for title in SECTIONS if title in found]
    assert "Returns" in found
    summary = inspect.getdoc(FUNCTIONS[name]).split("\n\n")[0]
    assert "\n" not in summary
    assert summary.endswith(".")


@for_each("name", sorted(FUNCTIONS))
def test_what_is_raised_is_described_where_values_are_taken(name):
    raises = "\n".join(sections(FUNCTIONS[name]).get("Raises", []))
    assert not taken(FUNCTIONS[name]) or name in NEVER_RAISES or re.search(r"^InputError$", raises, re.M)


def refuse_wrong_examples(function, name):
    found = doctest.DocTestParser().get_doctest(
        function.__doc__, dict(inspect.unwrap(function).__globals__), name, None, 0
    )
    written = []
    with restored_afterwards():  # the example of `measure` enters one
        doctest.DocTestRunner(verbose=False).run(found, out=written.append)
    assert found.examples
    assert not written, "".join(written)


@in_part(5, ("fast", "full"))
@for_each("name", sorted(FUNCTIONS.keys() - RETRAINING))
def test_the_examples_run(name):
    refuse_wrong_examples(FUNCTIONS[name], name)


@pytest.mark.full
@for_each("name", sorted(RETRAINING))
def test_the_examples_of_retraining_run(name):
    refuse_wrong_examples(FUNCTIONS[name], name)
