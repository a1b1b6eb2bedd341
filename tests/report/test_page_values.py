"""The values of the page of two classes: its schema, what it reveals, digits, and the words."""

import json
import re
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from refusals import refuses

from tallymark import evaluate
from tallymark.report import two_classes

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/page.schema.json").read_text("utf-8"))
RANDOM = np.random.default_rng(5)
TRUTH = RANDOM.random(120) < 0.35
SCORE = np.clip(np.round(0.4 * TRUTH + 0.6 * RANDOM.random(120), 3), 0, 1)
KINDS = {
    "probabilities": {"truth": TRUTH, "score": SCORE},
    "margins": {"truth": TRUTH, "score": 9 * SCORE - 4},
    "lower is positive": {"truth": TRUTH, "score": -SCORE, "higher_is_positive": False},
    "weights": {"truth": TRUTH, "score": SCORE, "weight": 0.3 + SCORE},
    "two cases": {"truth": [0, 1], "score": [0.2, 0.8]},
    "infinite scores": {"truth": TRUTH, "score": np.where(SCORE > 0.9, np.inf, 9 * SCORE)},
}


def values(html):
    """The values in a page."""
    return json.loads(re.search(r'application/json">(.*?)</script>', html, re.DOTALL)[1])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.full
def test_the_values_keep_to_the_schema(kind):
    page = values(evaluate(**KINDS[kind]).to_html())
    jsonschema.validate(page, SCHEMA)
    number = len(page["t"])
    assert page["t"] == sorted(set(page["t"]))
    assert len(set(page["shown"])) == number <= 220
    for interval in [page["share"], *page["measures"].values(), *page["prevalence"]["ppv"]]:
        assert [len(interval[end]) for end in ("v", "lo", "hi")] == [number] * 3
    assert all(len(places) == number for places in page["marks"].values())
    assert {0 <= rule["at"] < number for rule in page["rules"]} == {True}


@pytest.mark.full
def test_values_of_several_models_are_those_at_each_cut_off():
    scores = {"first": SCORE, "sensitivity": 1 - SCORE**2}
    found = evaluate(truth=TRUTH, score=scores)
    page = values(found.to_html())
    jsonschema.validate(page, SCHEMA)
    assert page["models"] == list(scores)
    assert page["t"][page["start"]] == 0.5
    for i, t in enumerate(page["t"]):
        said = two_classes.words(page, i, 0, 0)
        for name, ev in found.items():
            here = ev.at(t)
            assert said[f"fn {name}"] == f"{here.counts.fn:,.0f}"
            one = here["sensitivity"]
            assert said[f"sensitivity {name}"] == f"{one.value:.3f}"
            assert said[f"sensitivity {name}.ends"] == f"[{one.low:.3f}, {one.high:.3f}]"


def test_models_with_thresholds_of_their_own_have_none_together():
    margins = evaluate(truth=TRUTH, score={"first": SCORE, "second": 9 * SCORE})
    assert "application/json" not in margins.to_html()


def test_ends_of_intervals_differ_in_what_is_shown():
    score, number = [0.1, 0.3, 0.6, 0.9] * 2, [9e6, 5e5, 4e5, 1e5, 1e5, 3e5, 8e5, 9e6]
    truth = [0] * 4 + [1] * 4
    ev = evaluate(truth=truth, score=score, weight=np.array(number, int), weight_kind="count")
    page = values(ev.to_html())
    assert page["digits"] > 3
    assert all(one["lo"][page["start"]] < one["hi"][page["start"]] for one in page["measures"].values())
    assert values(evaluate(**KINDS["probabilities"]).to_html())["digits"] == 3


def test_numbers_are_rounded_as_they_are_printed():
    assert [two_classes.whole(x, 3) for x in (0.0005, -0.1234, 2.5, 0.0625)] == [
        int(f"{x:.3f}".replace(".", "")) for x in (0.0005, -0.1234, 2.5, 0.0625)
    ]
    assert two_classes.apart(np.array([0.12341, 0.12342, 0.51234])) == ["0.12341", "0.12342", "0.512"]


def test_a_page_reveals_every_score_unless_it_is_coarse():
    ev = evaluate(**KINDS["probabilities"])
    assert set(SCORE.tolist()) <= set(values(ev.to_html())["t"])
    page = values(ev.to_html(coarse=10))
    cut_offs = set(page["t"]) - {0.5}
    assert not cut_offs & set(SCORE.tolist())
    flagged = np.array(page["counts"]["flagged"])
    assert (-np.diff(flagged)[np.diff(flagged) != 0] >= 10).all()
    assert all(rule["at"] < len(page["t"]) for rule in page["rules"])


def test_a_coarse_page_names_no_threshold_of_a_maximum():
    ev = evaluate(**KINDS["probabilities"])
    assert "; at the threshold" in ev.to_html()
    assert "; at the threshold" not in ev.to_html(coarse=10)


def test_what_cannot_be_coarse_is_refused(tmp_path):
    with refuses("unsupported", argument="coarse"):
        evaluate(truth=TRUTH, predicted=SCORE > 0.5).to_html(coarse=10)
    with refuses("invalid-value", argument="coarse"):
        evaluate(**KINDS["probabilities"]).save(tmp_path / "x.html", coarse=-1)
    assert not list(tmp_path.iterdir())


def test_curves_of_a_coarse_page_have_no_step_for_each_case():
    ev = evaluate(**KINDS["probabilities"])
    fine, coarse = (
        max(
            len(re.findall("[MLHVlhv]", d)) for d in re.findall(r'class="curve c-ink"[^>]* d="([^"]*)"', html)
        )
        for html in (ev.to_html(), ev.to_html(coarse=10))
    )
    assert coarse <= 2 * len(values(ev.to_html(coarse=10))["t"]) + 4 < fine
