"""Every mistake has a code, and its facts as fields; the sentence is made of them."""

from __future__ import annotations

import ast
import copy
import pickle
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tallymark as tm
from tallymark.evaluation.evaluate import REFUSED
from tallymark.input.errors import CODES, InputError, MissingValues, UnclearLabels

SOURCE = Path(tm.__file__).parent


def raised(call, *given, **by_name) -> InputError:
    with pytest.raises(InputError) as found:
        call(*given, **by_name)
    return found.value


def test_the_fields_of_a_value_in_a_column():
    wrong = raised(
        tm.evaluate, {"y": [0, 1], "p": [0.2, 1.5]}, truth="y", score="p", score_kind="probability"
    )
    assert (wrong.code, wrong.argument, wrong.column, wrong.row, wrong.value) == (
        "invalid-value",
        "score",
        "p",
        1,
        1.5,
    )
    assert wrong.remedy.startswith("turn scores into probabilities first")
    assert str(wrong) == f"score (column 'p'): {wrong.problem}; {wrong.remedy}." == f"{wrong.clause}."


def test_rows_of_a_file_are_its_lines(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("y,p\n0,0.2\n1,\n")
    wrong = raised(tm.evaluate, path, truth="y", score="p")
    assert isinstance(wrong, MissingValues)
    assert (wrong.code, wrong.argument, wrong.column, wrong.row) == ("missing-value", "score", "p", 3)


def test_the_fields_of_an_argument():
    wrong = raised(tm.evaluate, truth=[0, 1], score=[0.2, 0.7], level=2)
    assert (wrong.code, wrong.argument, wrong.column, wrong.row, wrong.value) == (
        "invalid-value",
        "level",
        None,
        None,
        2,
    )
    wrong = raised(tm.evaluate, truth=[0, 1], score=[0.2, 0.7], sample_weight=[1, 1])
    assert (wrong.code, wrong.argument) == ("unknown-name", "sample_weight")
    wrong = raised(tm.evaluate, truth=["a", "b"], score=[0.2, 0.7])
    assert isinstance(wrong, UnclearLabels)
    assert (wrong.code, wrong.argument, wrong.found) == ("labels", "truth", ["a", "b"])
    assert raised(tm.evaluate, truth=[0, 1, 1], score=[0.2, 0.7]).code == "wrong-shape"
    assert raised(tm.evaluate, [0, 1], [0.2, 0.7]).code == "by-position"
    assert raised(tm.evaluate, "nowhere.csv", truth="y", score="p").code == "unreadable"


class WithoutItem:
    """Says that it holds one value, and does not give it, as a tensor on the meta device."""

    ndim = 0

    def item(self):
        raise RuntimeError


def test_only_plain_values_are_kept():
    """Exceptions are pickled by process pools, and kept by notebooks: no array, no object of the user's."""
    assert InputError("invalid-value", "level", "x", value=np.float64(2)).value == 2
    for other in (np.ones(3), object(), [1], lambda: 0, WithoutItem()):
        wrong = InputError("invalid-value", "level", "no number", "pass one", value=other)
        assert wrong.value is None
        for again in (pickle.loads(pickle.dumps(wrong)), copy.deepcopy(wrong)):
            assert (str(again), vars(again)) == (str(wrong), vars(wrong))


@cache
def calls_of_errors():
    """Every place where such an error is made with a code, by file and line."""
    return tuple(_calls_of_errors())


def _calls_of_errors():
    names = {"InputError", "LabelError", "NoSuchEntry", "NotOfTask", "Unable"}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", getattr(node.func, "attr", "")) in names
            ):
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", node


@pytest.mark.full
def test_every_error_has_a_code_of_the_list_and_every_code_is_used():
    used = set()
    for place, call in calls_of_errors():
        given = ast.unparse(call.args[0])
        if given == "reason.code":  # the same error, with more of its place
            continue
        codes = [node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)]
        if given == "code":  # that a caller of `refuse_rows` passes
            continue
        if given == "one.code":  # of an argument that the form of the cases does not take
            codes = [one.code for refused in REFUSED.values() for one in refused]
        assert codes, place
        assert set(codes) <= CODES.keys(), place
        used.update(codes)
    assert used | {"missing-value"} == CODES.keys()


@pytest.mark.full
def test_parts_of_a_sentence_have_no_end_of_their_own():
    """The end, and what stands between the parts, is written in one place."""
    for place, call in calls_of_errors():
        parts = [part for part in call.args[1:] if isinstance(part, (ast.Constant, ast.JoinedStr))]
        for part in parts:
            last = part.values[-1] if isinstance(part, ast.JoinedStr) else part
            text = last.value if isinstance(last, ast.Constant) else ""
            assert not (
                isinstance(text, str) and text.endswith((".", ";", ":")) and not text.endswith("...")
            ), place


def test_the_fields_of_a_text_among_numbers_of_a_file(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("y,p\n0,0.2\n1,high\n")
    for of_file in (path, tmp_path / "x.jsonl"):
        if of_file.suffix == ".jsonl":
            of_file.write_text('{"y": 0, "p": 0.2}\n{"y": 1, "p": "high"}\n')
        wrong = raised(tm.evaluate, of_file, truth="y", score="p")
        line = 3 if of_file is path else 2
        assert (wrong.code, wrong.argument, wrong.column, wrong.row, wrong.value) == (
            "invalid-value",
            "score",
            "p",
            line,
            "high",
        )


def test_nothing_and_too_much_differ():
    assert raised(tm.evaluate, truth=[0, 1]).code == "needed"
    assert raised(tm.evaluate, truth=[0, 1], score=[0.1, 0.2], predicted=[0, 1]).code == "conflict"
    assert raised(tm.mcnemar).code == "needed"
    assert (
        raised(tm.measures.f1, tm.RankingTable.from_arrays(truth=[0, 1], score=[0.1, 0.2])).code
        == "unsupported"
    )


def test_a_column_without_cases_has_no_name():
    wrong = raised(tm.biometric, genuine=[0.4], impostor=[])
    assert (wrong.code, wrong.argument, wrong.column) == ("empty", "impostor", None)


def test_rows_that_a_sentence_names_are_fields():
    y, frame = [0, 1, 1, 0], {"y": [0, 1, 1, 0], "a": [0.3, 0.2, 0.9, 0.1], "b": [0.7, 0.8, 0.4, 0.9]}
    assert raised(tm.evaluate, frame, truth="y", score=["a", "b"], classes=[0, 1]).row == 2
    rows = np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.1], [0.2, 0.2, 0.6], [1, 0, 0]])
    assert raised(tm.evaluate, truth=[0, 1, 2, 0], score=rows, score_kind="probability").row == 1
    wrong = raised(tm.evaluate, truth=y, score=frame["a"], weight=[1, 1, np.nan, 1])
    assert (wrong.code, wrong.row) == ("missing-value", 2)
    wrong = raised(tm.convert.softmax, [[0.0, 1.0], [np.inf, 1.0]])
    assert (wrong.row, wrong.value) == (1, np.inf)
    wrong = raised(tm.choose_threshold, truth=y, score=frame["a"], rule="youdn")
    assert (wrong.code, wrong.argument, wrong.value) == ("unknown-name", "rule", "youdn")
