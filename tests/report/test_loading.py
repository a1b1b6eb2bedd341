"""`load` gives back whatever `save` wrote as JSON, and says what it cannot give back."""

import json

import pytest
from every_result import results
from looping import for_each, in_part

import tallymark as tm
from tallymark.evaluation.results import FullEvaluation
from tallymark.input.results import Answer, Readable, Result
from tallymark.report.saved import SavedResult

WHOLE = (Answer, Readable, SavedResult, FullEvaluation)


def whole():
    return {name: one for name, one in results().items() if isinstance(one, WHOLE)}


def parts():
    return {
        name: one for name, one in results().items() if isinstance(one, Result) and not isinstance(one, WHOLE)
    }


@in_part(3)
@for_each("name", whole)
def test_every_result_comes_back_from_its_file(name, tmp_path_factory):
    one, path = whole()[name], tmp_path_factory.mktemp("load") / "x.JSON"
    one.save(path)
    again = tm.load(path)
    assert again.to_dict() == one.to_dict()
    if isinstance(one, Readable):
        assert type(again) is type(one)
        assert again == one
    else:
        assert isinstance(again, SavedResult)
        assert again.kind is (
            one.kind
            if isinstance(one, SavedResult)
            else type(getattr(one, "evaluation", one))
            if isinstance(one, FullEvaluation)
            else type(one)
        )


@for_each("name", parts)
def test_a_part_is_refused(name, tmp_path_factory):
    path = tmp_path_factory.mktemp("load") / "x.json"
    parts()[name].save(path)
    with pytest.raises(tm.InputError, match=r"^path: this is no JSON of a whole result, but of a part"):
        tm.load(path)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.csv", "a,b", "other formats do not hold a whole result; save the result as .json"),
        ("x", "{}", "does not end in .json"),
        ("x.json", "a,b", "is not JSON; pass a file that save wrote"),
        ("x.json", "[1]", "no JSON of a whole result"),
        ("x.json", "{}", "no JSON of a whole result"),
        ("x.json", "[" * 100_000, "is not JSON"),
        ("x.json", '{"answer": "measures", "schema": 2}', "the answer 'measures' is not the whole of one"),
        ("x.json", '{"answer": ["a"]}', "is not the whole of one"),
        ("x.json", '{"answer": "comparison", "schema": 1}', "layout of schema 1"),
        ("x.json", '{"tp": 1, "fp": 1, "fn": 1, "tn": "a"}', "tn"),
    ],
)  # fmt: skip
def test_what_is_no_result_is_refused(name, content, said, tmp_path):
    (tmp_path / name).write_text(content)
    with pytest.raises(tm.InputError, match=said):
        tm.load(tmp_path / name)


def test_a_path_that_is_none():
    with pytest.raises(tm.InputError, match=r"cannot be read .No such file or directory.; check the path"):
        tm.load("nowhere/x.json")
    with pytest.raises(tm.InputError, match="it is 3, not the path of a file"):
        tm.load(3)


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "x.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(tm.InputError, match="is not JSON"):
        tm.load(tmp_path / "x.json")


def test_logits_are_not_read_as_other_scores():
    table = tm.LogitTable.from_arrays(truth=[0, 1], score=[-1.0, 2.0])
    with pytest.raises(tm.InputError, match="it holds scores of 'logit', and is no JSON of RankingTable"):
        tm.RankingTable.from_json(table.to_json())
    plain = {name: part for name, part in table.to_dict().items() if name != "score_kind"}
    with pytest.raises(
        tm.InputError, match="it holds scores of 'no score_kind', and is no JSON of LogitTable"
    ):
        tm.LogitTable.from_json(json.dumps(plain))


def test_a_long_path_is_shortened_in_messages():
    for act in (tm.load, tm.evaluate(tm.Counts(tp=1, fp=2, fn=3, tn=4)).save):
        with pytest.raises(tm.InputError) as refused:
            act("x" * 5000 + ".nothing")
        assert len(str(refused.value)) < 500
        assert ".nothing" in str(refused.value)
