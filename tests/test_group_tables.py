"""Several models on groups of cases: each as it would be alone, and the models on the cases of a group."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from looping import for_each
from refusals import refuses
from same import same_plain
from test_groups import CASES, FRAME, SITE, N, S, Y, part

import tallymark as tm
from tallymark.cli import main

RNG = np.random.default_rng(8)
OTHERS = {
    "s": np.round(np.clip(0.1 * Y + 0.9 * RNG.random(N), 0, 1), 2), "of": S * 8 + RNG.random(N),
    "label": (RNG.random(N) > 0.4).astype(int), "guess": RNG.permutation(FRAME["guess"]),
}  # fmt: skip
DATA = FRAME | {f"{name} 2": values for name, values in OTHERS.items()}
DATA |= {f"q {name}": np.roll(DATA[f"p {name}"], 3) for name in ("ant", "bee", "cow")}


def second(column):
    """The column of the other model."""
    return [f"q{name[1:]}" for name in column] if isinstance(column, list) else f"{column} 2"


def of_both(given):
    """The arguments of each model, and of both."""
    kind = "score" if "score" in given else "predicted"
    models = {"one": given[kind], "other": second(given[kind])}
    return {name: given | {kind: column} for name, column in models.items()}, given | {kind: models}


@pytest.mark.full
@for_each("name", CASES)
def test_each_model_is_as_alone(name):
    each, both = of_both(CASES[name])
    found = tm.evaluate(DATA, by="site", **both)
    assert list(found) == ["one", "other"]
    for model, given in each.items():
        assert same_plain(found[model].to_dict(), tm.evaluate(DATA, by="site", **given).to_dict())


@pytest.mark.full
@for_each("name", CASES)
def test_the_models_differ_in_a_group_as_on_its_cases_alone(name):
    _, both = of_both(CASES[name])
    found = tm.evaluate(DATA, by="site", **both)
    kind = {"weight_kind": "importance"} if both.get("weight") == "w" else {}
    rows = {column: values[np.equal(SITE, "north")] for column, values in DATA.items()}
    alone = tm.evaluate(rows, **both, **kind)
    assert same_plain(found.whole.to_dict(), tm.evaluate(DATA, **both).to_dict())
    here = found.of_group("north")
    assert same_plain(*([one.to_dict() for one in of.differences] for of in (here, alone)))
    assert len(here.differences) == len(alone.measures)


@pytest.mark.full
def test_thresholds_measures_and_reference():
    given = {"truth": "y", "score": {"a": "s", "b": "s 2"}, "by": ["site", "ward"]}
    found = tm.evaluate(DATA, **given, threshold={"a": 0.3, "b": 0.6}, reference="north, 1", measures=["f1"])
    assert found.measures == ("f1",)
    for name, limit in {"a": 0.3, "b": 0.6}.items():
        alone = tm.evaluate(DATA, **given | {"score": given["score"][name]}, threshold=limit, measures=["f1"])
        assert found[name]["east", 2]["f1"] == alone["east", 2]["f1"]
    assert {one.reference for one in found["a"].differences} == {"north, 1"}
    assert found.of_group(("east", 2)).measures == ("f1",)
    assert "0.3" in str(found)
    assert "0.6" in str(found)
    one = tm.evaluate(DATA, truth="y", score={"a": "s"}, by="site")
    assert isinstance(one, tm.GroupTable)


@pytest.mark.full
def test_a_group_without_a_class_has_no_differences():
    site = np.where(Y == 1, "ill", SITE)
    found = tm.evaluate(truth=Y, score={"a": S, "b": OTHERS["s"]}, by={"site": site})
    assert found.of_group("ill").differences == ()
    assert found.of_group("ill")["a"]["sensitivity"].has_interval
    assert len(found.whole.differences) == 6


@pytest.mark.full
def test_text_rows_and_files(tmp_path):
    found = tm.evaluate(DATA, truth="y", score={"a": "s", "b": "s 2"}, by="site")
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 80
    assert "9 differences of a model together (Sidak)" in " ".join(str(found).split())
    rows = found.table
    assert len(rows) == 2 * 3 * 3
    assert {"model": "a", "group": "east", "site": "east", "measure": "roc_auc"}.items() <= rows[0].items()
    found.save(tmp_path / "found.json")
    again = tm.load(tmp_path / "found.json")
    assert again.table == rows
    assert again["b"]["roc_auc", "north"] == found["b"]["north"]["roc_auc"]
    of_both = found.whole.choose(found.measures).differences
    assert again.to_dict()["differences"] == [one.to_dict() for one in of_both]
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()
    for ending in (".csv", ".md", ".tex", ".xlsx", ".html", ".parquet"):
        found.save(tmp_path / f"found{ending}")
    assert len(pd.read_csv(tmp_path / "found.csv")) == len(rows)
    panel = found.plot().figures[0]
    assert panel.rows == ("a, east", "a, north", "a, south", "b, east", "b, north", "b, south")
    evil = "<script>"
    page = tm.evaluate(DATA, truth="y", score={evil: "s", "b": "s 2"}, by="site").to_html()
    assert evil not in page


@pytest.mark.full
def test_what_is_refused():
    found = tm.evaluate(DATA, truth="y", score={"a": "s", "b": "s 2"}, by="site")
    for name, words in {"c": "'c' is not a model here", "B": "did you mean"}.items():
        with pytest.raises(KeyError, match=words):
            found[name]
    with refuses("unsupported", "'a'", argument="fairness"):
        found.fairness  # noqa: B018
    with refuses("unknown-name", "'nort'"):
        found.of_group("nort")
    with refuses("unknown-name", "'a'", argument="reference"):
        tm.evaluate(DATA, truth="y", score={"a": "s", "b": "s 2"}, by="site", reference="a")
    with refuses("unsupported", argument="data"):
        tm.compare(found)


@pytest.mark.full
def test_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    pd.DataFrame(DATA).to_csv(path, index=False)
    given = ["evaluate", str(path), "--truth", "y", "--model", "a=s", "--model", "b=s 2", "--by", "site"]
    main(given)
    found = tm.evaluate(str(path), truth="y", score={"a": "s", "b": "s 2"}, by="site")
    assert capsys.readouterr().out[:500] == str(found)[:500]
    main([*given, "--json"])
    assert json.loads(capsys.readouterr().out) == found.to_dict()
    main([*given, "--all"])
    _, _, of_model = capsys.readouterr().out.partition("\na\n=")
    assert "\nnorth\n=====" in of_model
    assert main([*given, "--fairness"])
    assert "name their column with --by, and one --score" in capsys.readouterr().err


def test_the_groups_are_those_of_the_cases():
    found = tm.evaluate(DATA, truth="y", score={"a": "s", "b": "s 2"}, by="site")
    alone = tm.evaluate(part(np.equal(SITE, "south")), truth="y", score="s")
    assert found["a"]["south"]["roc_auc"] == alone["roc_auc"]
