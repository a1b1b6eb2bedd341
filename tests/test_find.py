"""The catalogue answers names, synonyms, abbreviations and typing slips with the right entry first."""

import tomllib
from pathlib import Path
from typing import get_args

import pytest
from looping import for_each

import tallymark as tm
from tallymark import losses
from tallymark.curves import CURVES
from tallymark.evaluation.thresholds.rules import NAMED
from tallymark.input import names, options
from tallymark.input.listed import LISTED, Listed, listed
from tallymark.measures import registry
from tallymark.report.cards import card
from tallymark.report.catalogue import KINDS, entries, find

TABLE = tomllib.loads((Path(__file__).parent / "queries.toml").read_text(encoding="utf-8"))
QUERIES = [(source, query, answer) for source, rows in TABLE.items() for query, answer in rows.items()]


def named(entry):
    return entry.name if entry.kind == "measure" else f"{entry.kind}:{entry.name}"


def test_the_table_is_long_enough():
    assert len(QUERIES) >= 250


@for_each(("source", "query", "answer"), QUERIES, ids=str)
def test_the_first_answer_is_right(source, query, answer):
    found = [named(entry) for entry in find(query)]
    if isinstance(answer, list):
        assert found == answer
    else:
        assert found[:1] == [answer]


def test_every_name_and_alias_finds_its_entry():
    wrong = [
        (entry.kind, name)
        for entry in entries()
        for name in (*entry.names, *entry.terms)
        if entry.name not in [one.name for one in find(name)]
    ]
    assert wrong == []


def test_what_can_be_chosen_by_name_is_in_the_catalogue():
    known = {kind: {name for (of, name) in LISTED if of == kind} for kind in KINDS}
    assert set(CURVES) == known["curve"]
    assert set(NAMED) == known["rule"]
    assert set(losses.__all__) == known["loss"]
    methods = (options.Proportion, options.AucInterval, options.BootstrapMethod, options.CountResampling)
    assert {name for kind in methods for name in get_args(kind)} <= known["interval"]
    scores = {
        "linear",
        "sigmoid",
        "softmax",
        "to_labels",
        "argmax",
        "information_scores",
        "from_predictive_values",
    }
    assert scores == known["conversion"]


def test_every_entry_says_what_it_is_and_how_it_is_called():
    for entry in LISTED.values():
        assert entry.title.endswith("."), entry
        assert entry.use.startswith(("tm.", "ev.")), entry
        assert len({names.plain(name) for name in entry.names}) == len(entry.names), entry
        assert card(entry)["kind"] == entry.kind


def test_a_name_is_entered_once():
    with pytest.raises(ValueError, match="holm is already a test"):
        listed("test", "tm.compare()", name="holm")(len)


def test_a_kind_alone_lists_its_entries():
    assert {entry.kind for entry in find("p-value")} == {"test"}
    assert {entry.kind for entry in find("curves")} == {"curve"}


def test_measures_of_a_summary():
    assert find(tm.Counts) == registry.find(tm.Counts)


def test_an_entry_is_shown_with_its_title():
    (holm,) = find("Holm")
    assert isinstance(holm, Listed)
    assert repr(holm).startswith("<test holm: Holm's adjustment")


@for_each(
    ("query", "key"),
    [("LR+", "lr_plus"), ("LR−", "lr_minus"), ("Youden's J", "youden_j"), ("d′", "d_prime"), ("R²", "r2"),
     ("F_{\\beta}-measure", "f_beta_measure"), ("Somers' D", "somers_d")],
)  # fmt: skip
def test_signs_in_names(query, key):
    assert names.plain(query) == key


@for_each(
    ("one", "other", "letters"),
    [("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "xbc", 1), ("abcd", "badc", 2),
     ("a", "xyz", 3)],
)  # fmt: skip
def test_wrong_letters(one, other, letters):
    assert names.distance(one, other, 2) == letters
