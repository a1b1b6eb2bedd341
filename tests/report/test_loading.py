"""`load` gives back whatever `save` wrote as JSON, and says what it cannot give back."""

import json

import pytest
from every_result import results
from jsonschema import Draft202012Validator
from looping import for_each, in_part
from refusals import refuses

import tallymark as tm
from tallymark.input.results import Answer, InColumns, InFull, Readable, Result
from tallymark.report.saved import SavedResult

WHOLE = (Answer, Readable, SavedResult, InFull)
SUMS = ("moments of residuals",)


def whole():
    """Without sums from an engine, which `save` refuses, since their cases are not here."""
    return {name: one for name, one in results().items() if isinstance(one, WHOLE) and name not in SUMS}


def parts():
    return {
        name: one
        for name, one in results().items()
        if isinstance(one, Result) and not isinstance(one, WHOLE) and ".json" in one.WRITERS
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
            else type(getattr(one, "result", one))
            if isinstance(one, InFull)
            else type(one)
        )
        shown = again.all if isinstance(one, InFull) else again
        assert str(shown) == str(one)
        if not isinstance(one, InColumns):
            assert shown.to_markdown() == one.to_markdown()
        assert Draft202012Validator(tm.json_schema()).is_valid(json.loads(path.read_text()))


@pytest.mark.parametrize("name", SUMS)
def test_sums_without_their_cases_are_not_saved(name, tmp_path):
    with refuses("unsupported", "bins=None", argument="regression"):
        results()[name].save(tmp_path / "x.json")
    assert not list(tmp_path.iterdir())


@for_each("name", parts)
def test_a_part_is_refused(name, tmp_path_factory):
    path = tmp_path_factory.mktemp("load") / "x.json"
    parts()[name].save(path)
    with refuses("unreadable", argument="path"):
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


def test_a_file_that_was_changed_is_not_said_to_be_no_json(tmp_path):
    path = tmp_path / "x.json"
    for name in ("measures", "notices"):
        plain = tm.evaluate(truth=[0, 1, 1, 0], score=[0.1, 0.8, 0.6, 0.7]).to_dict()
        plain[name] = 3
        path.write_text(json.dumps(plain), encoding="utf-8")
        with refuses("unreadable", "x.json", "JSON of BinaryEvaluation", argument="path") as refused:
            tm.load(path)
        assert "no JSON" not in str(refused.value)
        del plain[name]
    path.write_text(json.dumps(plain | {"measures": {"f1": {}}}), encoding="utf-8")
    with refuses("unreadable", "'notes'", argument="path"):
        tm.load(path)


def test_a_path_that_is_none():
    with refuses("unreadable", argument="path"):
        tm.load("nowhere/x.json")
    with refuses("invalid-value", argument="path"):
        tm.load(3)


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "x.json").write_bytes(b"\xff\xfe{}")
    with refuses("unreadable", argument="path"):
        tm.load(tmp_path / "x.json")


def test_logits_are_not_read_as_other_scores():
    table = tm.LogitTable.from_arrays(truth=[0, 1], score=[-1.0, 2.0])
    with refuses("mismatch", "'logit'", argument="from_dict"):
        tm.RankingTable.from_json(table.to_json())
    plain = {name: part for name, part in table.to_dict().items() if name != "score_kind"}
    with refuses("mismatch", "'no score_kind'", argument="from_dict"):
        tm.LogitTable.from_json(json.dumps(plain))


def test_a_long_path_is_shortened_in_messages():
    for act in (tm.load, tm.evaluate(tm.Counts(tp=1, fp=2, fn=3, tn=4)).save):
        with pytest.raises(tm.InputError) as refused:
            act("x" * 5000 + ".nothing")
        assert len(str(refused.value)) < 500
        assert ".nothing" in str(refused.value)


def changed(result, path, value):
    plain = part = result.to_dict()
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    return plain


ODD = ["x", -1, 0, 10**30, [], {}, [[1]], True, float("nan"), [1, 2], ["a", "b"]]
PLAN = tm.planning.paired_proportions(first=0.9, second=0.8, discordant=0.3)


def test_a_plan_of_other_types_is_refused(tmp_path):
    file = tmp_path / "plan.json"
    for name in PLAN.to_dict():
        for value in [*ODD, None]:
            file.write_text(json.dumps(changed(PLAN, [name], value)), encoding="utf-8")
            try:
                found = tm.load(file)
            except tm.InputError:
                continue
            assert str(found) + repr(found) + found._repr_html_() + found.to_json()
    for name, value in (
        ("prevalence", "x"),
        ("n", 0),
        ("interval", [0.1]),
        ("assumptions", [1]),
        ("power", {}),
    ):
        file.write_text(json.dumps(changed(PLAN, [name], value)), encoding="utf-8")
        with pytest.raises(tm.InputError):
            tm.load(file)


@pytest.mark.parametrize(("entry", "value"), [("rows", 10**30), ("source", [[1]]), ("source", ["a", "b"])])
def test_a_comparison_of_other_types_is_refused(entry, value, tmp_path):
    models = {"a": [0, 1, 0, 1, 1, 1] * 5, "b": [1, 1, 0, 1, 0, 0] * 5}
    comparison = tm.compare(truth=[0, 1, 0, 1, 1, 0] * 5, predicted=models)
    file = tmp_path / "comparison.json"
    file.write_text(json.dumps(changed(comparison, ["data", entry], value)), encoding="utf-8")
    with pytest.raises(tm.InputError):
        tm.load(file)
