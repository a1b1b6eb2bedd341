"""The metadata of a model card: YAML that PyYAML reads, with the keys that the Hub asks for."""

import json

import pytest
from looping import for_each

import tallymark as tm
from tallymark.report.documents.reporting import metadata
from tallymark.report.markdown import yaml as written

yaml = pytest.importorskip("yaml")
TRUTH, SCORE = [0, 1, 1, 0] * 9, [0.1, 0.8, 0.6, 0.7] * 9
WORDS = ("no", "y", "null", "1.5", "1e3", "0x1f", "f1", "NaN", "2024-01-01", "e5", "Infinity", "TRUE")
SIGNS = (
    "a: b",
    "- x",
    "#x",
    "'",
    '"',
    "\n",
    "é😀",
    "~",
    "{a}",
    "",
    "-",
    "a\x00",
    "@x",
    "!x",
    "%",
    "&a",
    "*a",
)
NASTY = (*WORDS, *SIGNS, "\x85", "\u2028", "\ufeff")


def test_the_keys_are_those_of_the_hub(tmp_path):
    ev = tm.evaluate(truth=TRUTH, score=SCORE)
    card = tm.model_card(ev, model="forest", dataset="Wards (2024)", dataset_id="me/wards", split="test")
    card.save(tmp_path / "README.md")
    head, metadata_of, rest = (tmp_path / "README.md").read_text().split("---\n")
    assert head == ""
    assert f"ROC AUC | {ev['roc_auc'].value:.3f} [" in rest
    assert "Wards (2024)" in rest
    read = yaml.safe_load(metadata_of)
    ((model,), keys) = read["model-index"], list(read)
    assert keys == ["model-index"]
    (result,) = model["results"]
    assert model["name"] == "forest"
    assert result["task"] == {"type": "tabular-classification"}
    assert result["dataset"] == {"type": "me/wards", "name": "Wards (2024)", "split": "test"}
    values = {one["type"]: one["value"] for one in result["metrics"]}
    assert values["roc_auc"] == ev["roc_auc"].value
    assert values["recall"] == ev["sensitivity"].value
    assert all(set(one) == {"type", "value", "name"} for one in result["metrics"])
    assert result["metrics"][0]["name"].startswith("ROC AUC (95% CI ")


@for_each("name", NASTY)
def test_yaml_reads_every_text_as_it_is(name):
    nested = {"a": [name, {name or "x": {"b": [1, 2.5, None, True, name]}}]}
    assert yaml.safe_load(written(nested)) == nested
    assert all(line.isprintable() for line in written(nested).splitlines())


def test_half_a_surrogate_pair_is_replaced():
    assert yaml.safe_load(written({"a": "a\ud83d"})) == {"a": "a\N{REPLACEMENT CHARACTER}"}


def test_chosen_measures_and_other_tasks():
    ev = tm.evaluate(truth=TRUTH, score=SCORE, measures=["f1", "accuracy"])
    found = metadata(tm.model_card(ev, model="m", dataset="d", task="text-classification"))
    (result,) = found["model-index"][0]["results"]
    assert [one["type"] for one in result["metrics"]] == ["f1", "accuracy"]
    assert result["task"]["type"] == "text-classification"
    amounts = tm.evaluate(truth=SCORE, predicted=SCORE[::-1], regression=True)
    (result,) = metadata(tm.model_card(amounts, model="m", dataset="d"))["model-index"][0]["results"]
    assert result["task"]["type"] == "tabular-regression"
    assert {"mae", "r_squared"} <= {one["type"] for one in result["metrics"]}


def test_what_is_undefined_or_infinite_is_left_out():
    ev = tm.evaluate(counts=tm.Counts(tp=5, fp=0, fn=1, tn=4))
    card = tm.model_card(ev, model="m", dataset="d")
    json.dumps(card.to_dict(), allow_nan=False)
    assert "positive_likelihood_ratio" not in card.metric_ids
    assert "specificity" in card.metric_ids


@pytest.mark.parametrize("name", ["model", "dataset", "split"])
def test_names_are_texts(name):
    given = {"model": "m", "dataset": "d", name: 3}
    with pytest.raises(tm.InputError, match=f"^{name}: 3 is no name; pass a text"):
        tm.model_card(tm.evaluate(truth=TRUTH, score=SCORE), **given)
