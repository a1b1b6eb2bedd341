"""The options of the cases are made of the declaration of `CaseSpec`: what a function takes, its command
takes."""

from dataclasses import MISSING, fields
from typing import get_type_hints

import pytest
from looping import for_each
from test_layers import loaded

import tallymark
from tallymark.cli import options
from tallymark.cli.commands import parser
from tallymark.input import CaseSpec
from tallymark.input.arguments import OPTIONS, CaseArguments
from tallymark.input.calls import named

FUNCTIONS = {
    "evaluate": "evaluate", "bootstrap": "bootstrap", "compare": "compare", "curve": "evaluate",
    "threshold": "choose_threshold", "calibration": "calibration", "biometric": "biometric",
    "advise": "evaluate", "check": "check",
}  # fmt: skip
NO_OPTION = {  # what a function takes only to refuse it, or to leave it out, and its command does not take
    "curve": {"regression", "by", "fold"},  # amounts have none
    "advise": {"by", "fold"},  # which are tables of evaluations
    "check": {"by"},  # arrays of groups; on the command line requirements name the columns
    "calibration": {"predicted", "predicted_positive", "not_an_answer", "regression"},
    # which --distance says
    "biometric": {
        "predicted",
        "predicted_positive",
        "not_an_answer",
        "classes",
        "regression",
        "weight",
        "weight_kind",
        "higher_is_positive",
        "ordered",
    },
}
REFUSED = {"bootstrap": {"classes"}}  # with the reason
WRITTEN = {  # by argument, what is typed and what that stands for
    "truth": (["y"], "y"), "score": (["a"], "a"), "predicted": (["p"], "p"), "weight": (["w"], "w"),
    "weight_kind": (["count"], "count"), "clusters": (["g"], "g"), "positive": (["1"], "1"),
        "persons": (["a", "b"], ["a", "b"]),
    "predicted_positive": (["+"], "+"), "not_an_answer": (["ERROR", ""], ["ERROR", ""]),
        "classes": (["a"], ["a"]), "ordered": ([], True),
    "higher_is_positive": ([], False), "score_kind": (["logit"], "logit"), "missing": (["drop"], "drop"),
        "regression": ([], True), "where": (["a > 1"], "a > 1"), "memory": (["2GiB"], "2GiB"),
}  # fmt: skip


def command(name):
    return next(action for action in parser()._actions if action.dest == "command").choices[name]


def options_of(name):
    return {action.dest: action for action in command(name)._actions if action.dest in OPTIONS}


@for_each("name", FUNCTIONS)
def test_a_command_takes_what_its_function_takes(name):
    takes = {one for one in named(getattr(tallymark, FUNCTIONS[name])) if one in OPTIONS}
    assert set(options_of(name)) == takes - NO_OPTION.get(name, set()) | REFUSED.get(name, set())


@for_each("name", FUNCTIONS)
def test_an_option_is_declared_once(name):
    for argument, action in options_of(name).items():
        assert action.option_strings[0] == OPTIONS[argument].flag
        assert action.metavar == OPTIONS[argument].settings.get("metavar")


@for_each("argument", WRITTEN)
def test_what_is_typed_is_the_argument(argument):
    typed, meant = WRITTEN[argument]
    rest = [] if argument == "truth" else ["--truth", "y"]
    given = parser().parse_args(["evaluate", "file.csv", *rest, OPTIONS[argument].flag, *typed])
    found = options.arguments(given)
    assert found == {"truth": "y", argument: meant}
    labels = {"predicted": "p"} if argument in ("predicted_positive", "not_an_answer") else {}
    spec = CaseSpec(**found, **labels)
    assert argument != "score" or spec.kind == "score"


def test_a_score_per_class():
    given = parser().parse_args(
        ["evaluate", "a.csv", "b.csv", "--truth", "y", "--score", "a", "--score", "b", "--score", "c"]
    )
    assert options.arguments(given) == {"truth": "y", "score": ["a", "b", "c"]}
    assert options.single(given.file) == ["a.csv", "b.csv"]


def test_the_arguments_that_functions_pass_on_are_declared_alike():
    hints, declared = get_type_hints(CaseArguments), get_type_hints(CaseSpec)
    assert hints == {name: declared[name] for name in hints}
    assert set(WRITTEN) == set(hints)
    assert all(one.default is not MISSING for one in fields(CaseSpec))


def test_a_help_loads_no_summaries():
    assert (
        loaded(
            "from tallymark.cli.commands import parser\nparser()",
            {
                "tallymark.summaries",
                "tallymark.input.cases",
                "tallymark.input.labels",
                "tallymark.input.sources",
            },
        )
        == set()
    )


def test_advice_on_cases_in_clusters(run, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "cases.csv"
    path.write_text("y,p,g\n" + "\n".join(f"{i % 2},{(i * 7 % 40) / 40},{i // 4}" for i in range(40)))
    status, out, err = run("advise", path, "--truth", "y", "--score", "p", "--clusters", "g")
    assert (status, err) == (0, "")
    assert out
