"""The catalogue answers names, synonyms, abbreviations and typing slips with the right entry first."""

import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from catalogue import restored_afterwards
from looping import for_each
from refusals import refuses

import tallymark as tm
from tallymark import losses
from tallymark.cli import main
from tallymark.curves import CURVES
from tallymark.evaluation.thresholds import NAMED
from tallymark.input import arguments, names
from tallymark.input.names import LISTED, Listed, listed
from tallymark.measures import registry
from tallymark.report.catalogue import KINDS, card, entries, find

TABLE = tomllib.loads((Path(__file__).parent / "queries.toml").read_text(encoding="utf-8"))
QUERIES = [(source, query, answer) for source, rows in TABLE.items() for query, answer in rows.items()]


def named(entry):
    return entry.name if entry.kind == "measure" else f"{entry.kind}:{entry.name}"


ENTRIES = {named(entry): entry for entry in entries()}


def several(answers):
    """The names, with those of "kind:*" and "family:name"."""
    for answer in answers:
        kind, _, name = answer.partition(":")
        if name == "*":
            yield from (key for key, entry in ENTRIES.items() if entry.kind == kind)
        elif kind == "family":
            yield from (one.name for one in entries() if one.kind == "measure" and one.family == name)
        else:
            yield answer


def is_right(found, answer):
    if isinstance(answer, str):
        return found[:1] == [answer]
    if isinstance(answer, list):
        return found == answer
    first = set(several(answer["first"])) if "first" in answer else set()
    return set(found[: len(first)]) == first if first else not found


def shown(wrong):
    return "\n".join([f"{len(wrong)} of {len(QUERIES)} queries:", *wrong])


def test_the_table_is_long_enough():
    assert len(QUERIES) >= 650


def test_every_answer_is_an_entry():
    for _, query, answer in QUERIES:
        if isinstance(answer, dict):
            assert answer.keys() in ({"first"}, {"nothing", "suggest"}), query
            answer = answer.get("suggest", []) + list(several(answer.get("first", [])))
        names_of = {answer} if isinstance(answer, str) else set(answer)
        assert all(name in ENTRIES or registry.known(name) for name in names_of), query


def test_the_first_answers_are_right():
    wrong = []
    for source, query, answer in QUERIES:
        found = [named(entry) for entry in find(query)]
        if not is_right(found, answer):
            wrong.append(f"{source}: {query!r}: {found[:3]}, not {answer}")
    assert not wrong, shown(wrong)


def test_what_names_nothing_gets_a_suggestion(capsys):
    wrong = []
    for source, query, answer in QUERIES:
        if "suggest" in answer:
            status = main(["find", query])
            text = capsys.readouterr().err.replace(query, "")
            names = [one.rpartition(":")[2] for one in answer["suggest"]]
            left_out = [one for one in names if not re.search(rf"(?<![\w-]){one}(?![\w-])", text)]
            if status != 2 or left_out:
                wrong.append(f"{source}: {query!r}: exit status {status}, without {left_out}")
    assert not wrong, shown(wrong)


def test_in_python_what_names_nothing_shows_what_is_near():
    found = tm.find("gold standard")
    assert found == ()
    assert found.near[0].name == "contingency_table"
    assert "contingency_table" in repr(found)
    assert tm.find("xyzzy").near == ()
    assert repr(tm.find("accuracy")).startswith("(<measure accuracy:")


@pytest.mark.full
def test_a_measure_that_is_entered_later_is_found():
    with restored_afterwards():

        @tm.measure(aka=("hits_for_nothing",))
        def tested_alias(c: tm.Counts):
            """A measure of a test.

            tp / total

            Undefined: no cases (total = 0).
            """
            return c.tp / c.total

        assert [entry.name for entry in find("hits for nothing")] == ["tested_alias"]
    assert find("hits for nothing") == ()


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
    methods = (arguments.Proportion, arguments.AucInterval, arguments.BootstrapMethod)
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


def test_what_is_neither_a_name_nor_a_summary_is_refused():
    for wanted in (3, 0.5, [], dict):
        with refuses("invalid-value", "neither a name nor a summary", argument="wanted"):
            tm.find(wanted)
