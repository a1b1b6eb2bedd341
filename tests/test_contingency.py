"""The two-by-two table: counts with their margins, the eight ratios in pairs, and what depends on the
prevalence."""

import json
import re

import numpy as np
import pytest
from looping import for_each, in_part

from tallymark import Counts, Settings, estimate, evaluate
from tallymark.cli import main
from tallymark.evaluation.class_mix import changes_with_class_mix
from tallymark.evaluation.results import OF_COLUMNS, OF_ROWS, Contingency
from tallymark.measures.registry import get

CELLS = {"tp": 70, "fp": 20, "fn": 30, "tn": 80}
COUNTS = Counts(**CELLS)
LONG = "x" * 200
TABLES = {
    "plain": COUNTS,
    "nothing": Counts.zero(),
    "positives alone": Counts(tp=5, fp=0, fn=3, tn=0),
    "negatives alone": Counts(tp=0, fp=2, fn=0, tn=9),
    "none predicted positive": Counts(tp=0, fp=0, fn=4, tn=9),
    "all predicted positive": Counts(tp=4, fp=9, fn=0, tn=0),
    "one cell": Counts(tp=0, fp=0, fn=1, tn=0),
    "fractions": Counts(tp=1.5, fp=0.25, fn=1 / 3, tn=1e-9),
    "large": Counts(tp=10**12, fp=123456789012, fn=1234567890123, tn=7),
}
LABELS = {
    "words": ("well", "sick"),
    "long": (LONG, f"{LONG}y"),
    "numbers": (0, 1),
    "booleans": (False, True),
    "empty": ("", " "),
    "html": ("<b>", "<script>alert('1')</script>&"),
}
every_table = for_each("counts", TABLES.values(), ids=TABLES)
every_labels = for_each("labels", LABELS.values(), ids=LABELS)
EIGHT = {
    "sensitivity": ("tp", "fn"),
    "false_negative_rate": ("fn", "tp"),
    "specificity": ("tn", "fp"),
    "false_positive_rate": ("fp", "tn"),
    "precision": ("tp", "fp"),
    "false_discovery_rate": ("fp", "tp"),
    "negative_predictive_value": ("tn", "fn"),
    "false_omission_rate": ("fn", "tn"),
}  # the count above the line, and the other one below it


def whole(counts):
    return all(getattr(counts, cell) == int(getattr(counts, cell)) for cell in CELLS)


def strict(text):
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


def numbers_of(line):
    return [int(word.replace(",", "")) for word in re.findall(r"(?<!\S)[\d,]+(?!\S)", line)]


def cells_printed(counts, labels=("negative", "positive")):
    """The numbers of the upper table as printed, row by row."""
    upper = str(Contingency(counts, labels)).split("\n\n")[0]
    return [numbers_of(line) for line in upper.splitlines()[2:]]


# The values
# --------------------------------------------------------------------------------------------------


@every_table
def test_margins(counts):
    """Rows are actual classes, columns predicted ones, positive first."""
    (tp, fn, positives), (fp, tn, negatives), (called, spared, total) = Contingency(counts).rows
    assert (tp, fp, fn, tn) == (counts.tp, counts.fp, counts.fn, counts.tn)
    assert (called, spared) == (counts.tp + counts.fp, counts.fn + counts.tn)
    assert (positives, negatives) == (counts.tp + counts.fn, counts.fp + counts.tn)
    assert total == pytest.approx(counts.total, rel=1e-15)


def test_the_eight_ratios_are_there_once_each():
    assert sorted(name for pairs in (OF_COLUMNS, OF_ROWS) for pair in pairs for name in pair) == sorted(EIGHT)


@every_table
@for_each("pairs", [OF_COLUMNS, OF_ROWS], ids=["of columns", "of rows"])
def test_each_pair_adds_to_one_or_is_undefined(counts, pairs):
    for a, x, b, y in Contingency(counts).ratios(pairs):
        top, bottom = (getattr(counts, cell) for cell in EIGHT[a])
        assert set(EIGHT[a]) == set(EIGHT[b])
        if top + bottom:
            assert x.value == pytest.approx(top / (top + bottom), rel=1e-14)
            assert x.value + y.value == pytest.approx(1, abs=1e-15)
        else:
            assert x.undefined
            assert y.undefined


@pytest.mark.parametrize("pairs", [OF_COLUMNS, OF_ROWS], ids=["of columns", "of rows"])
def test_what_is_said_of_the_prevalence_is_so(pairs):
    depend = {changes_with_class_mix(get(name)) for pair in pairs for name in pair}
    assert depend == {pairs is OF_COLUMNS}
    said = [entry["depends_on_prevalence"] for entry in Contingency(COUNTS).to_dict()["ratios"]]
    assert said == [False, False, True, True]


# Printed
# --------------------------------------------------------------------------------------------------


def test_the_text_of_one_table():
    text = str(COUNTS)
    assert cells_printed(COUNTS) == [[70, 30, 100], [20, 80, 100], [90, 110, 200]]
    upper, rows, columns = text.split("\n\n")
    assert upper.splitlines()[0].split() == ["predicted", "positive", "predicted", "negative", "total"]
    assert re.search(
        r"Sensitivity \(recall\) +0\.700 +\[0\.604, 0\.781\] +False negative rate +0\.300\n", rows
    )
    assert re.search(r"Specificity +0\.800 +\[\S+ \S+ +False positive rate +0\.200\n", rows)
    assert re.search(r"Precision \(PPV\) +0\.778 +\[\S+ \S+ +False discovery rate +0\.222\n", columns)
    assert re.search(r"NPV +0\.727 +\[\S+ \S+ +False omission rate +0\.273\n", columns)
    assert rows.endswith("These do not depend on the prevalence.")
    assert columns.endswith("These depend on the prevalence, 0.5000 here.")


def test_the_labels_are_those_of_the_data():
    lines = str(Contingency(COUNTS, ("well", "sick"))).splitlines()
    assert re.findall(r"predicted \w+", lines[0]) == ["predicted sick", "predicted well"]
    assert [line.split()[:2] for line in lines[2:4]] == [["actual", "sick"], ["actual", "well"]]
    truth, called = ["sick"] * 3 + ["well"] * 2, ["sick"] * 2 + ["well"] * 3
    printed = str(evaluate(truth=truth, predicted=called, positive="sick").all)
    upper = str(Contingency(Counts(tp=2, fp=0, fn=1, tn=2), ("well", "sick"))).split("\n\n")[0]
    assert upper in printed


WRITTEN = {
    "numbers": ([0, 1], None, (0, 1)),
    "numbers, 0 positive": ([0, 1], 0, (1, 0)),
    "numbers, named by text": ([0, 1], "0", (1, 0)),
    "signs": ([-1, 1], None, (-1, 1)),
    "signs as floats": ([-1.0, 1.0], None, (-1.0, 1.0)),
    "fractions": ([0.5, 1.5], 0.5, (1.5, 0.5)),
    "booleans": ([False, True], None, (False, True)),
    "booleans, named by text": ([False, True], "true", (False, True)),
    "booleans, False positive": ([False, True], False, (True, False)),
    "text": (["a", "b"], "a", ("b", "a")),
}


@pytest.mark.full
@for_each(("labels", "positive", "wanted"), WRITTEN.values(), ids=WRITTEN)
@for_each("called", ["score", "predicted"])
def test_the_labels_are_of_the_type_of_the_data(labels, positive, wanted, called):
    """Not as the positive one was named, nor as they were counted."""
    truth = np.array(labels)[[0, 1, 1, 0, 1]]
    given = {"score": [0.1, 0.9, 0.8, 0.7, 0.2]} if called == "score" else {"predicted": truth}
    table = evaluate(truth=truth, positive=positive, **given).to_dict()["table"]
    assert (table["labels"]["negative"], table["labels"]["positive"]) == wanted
    assert [type(label) for label in table["labels"].values()] == [type(wanted[1]), type(wanted[0])]


def test_the_level_is_said_and_kept():
    narrow = Contingency(COUNTS, settings=Settings(level=0.5))
    found = estimate("sensitivity", COUNTS, Settings(level=0.5))
    assert "50% interval" in str(narrow)
    assert f"[{found.low:.3f}, {found.high:.3f}]" in str(narrow)


@every_table
@every_labels
def test_it_keeps_to_80_columns(counts, labels):
    for line in str(Contingency(counts, labels)).splitlines():
        assert len(line) <= 80, line


@every_labels
def test_every_label_takes_one_line(labels):
    assert cells_printed(COUNTS, labels)[0][-3:] == [70, 30, 100]
    assert len(str(Contingency(COUNTS, labels)).splitlines()) == len(str(COUNTS).splitlines())


@pytest.mark.parametrize("label", ["two\nlines", "tab\ttab", "\x1b[31mred", "line\u2028separator"])
def test_labels_that_would_break_the_table(label):
    text = str(Contingency(COUNTS, ("well", label)))
    assert len(text.splitlines()) == len(str(COUNTS).splitlines())
    assert all(line.isprintable() for line in text.splitlines())


@every_table
def test_whole_counts_are_printed_in_full(counts):
    """So that the margins are seen to be the sums."""
    if whole(counts):
        assert cells_printed(counts) == [[int(cell) for cell in row] for row in Contingency(counts).rows]


def test_labels_alike_at_their_beginning_are_told_apart():
    lines = str(
        Contingency(COUNTS, ("electronics/phones/android", "electronics/phones/classic"))
    ).splitlines()
    assert lines[2].split("  ")[0] != lines[3].split("  ")[0]


def test_a_label_that_is_cut_shows_that_it_is():
    for cut, plain in (
        (Contingency(COUNTS, (LONG, LONG)), False),
        (Contingency(COUNTS, ("well", "sick")), True),
    ):
        words = " ".join(str(cut).splitlines()[i] for i in (0, 2, 3))
        assert ("…" not in words) is plain
        assert words.count("…") in (0, 4)


@every_table
def test_what_is_undefined_is_said(counts):
    text = str(Contingency(counts))
    pairs = [pair for of in (OF_COLUMNS, OF_ROWS) for pair in Contingency(counts).ratios(of)]
    assert all(x.undefined.text in " ".join(text.split()) for _, x, _, _ in pairs if x.undefined)
    assert "nan" not in text


def test_counts_of_arrays_are_no_table():
    counts = Counts(tp=[1, 2], fp=3, fn=4, tn=5)
    assert str(counts).startswith(repr(counts))
    assert [row["fn"] for row in counts.table] == [4, 4]
    assert counts._repr_html_().count("<tr>") == 3


# As JSON
# --------------------------------------------------------------------------------------------------


@in_part(6, ("fast", "full"))
@every_table
@every_labels
def test_json_is_strict_and_complete(counts, labels):
    table = Contingency(counts, labels).to_dict()
    assert strict(json.dumps(table, allow_nan=False)) == table
    assert table["labels"] == {"positive": labels[1], "negative": labels[0]}
    assert table["cells"] == counts.to_dict()
    margins = table["margins"]
    assert margins["positive"] + margins["negative"] == pytest.approx(margins["total"], rel=1e-15)
    assert margins["predicted_positive"] + margins["predicted_negative"] == pytest.approx(
        margins["total"], rel=1e-15
    )
    assert margins["positive"] == counts.positives
    assert margins["predicted_positive"] == counts.tp + counts.fp
    if whole(counts):
        assert {type(value) for value in margins.values()} == {int}
    assert sorted(name for row in table["ratios"] for name in (row["measure"], row["complement"])) == sorted(
        EIGHT
    )
    for row in table["ratios"]:
        found = estimate(row["measure"], counts)
        assert found.to_dict().items() <= row.items()
        if row["value"] is None:
            assert (row["complement_value"], bool(row["undefined"])) == (None, True)
        else:
            assert row["value"] + row["complement_value"] == pytest.approx(1, abs=1e-15)


def ratios_of(result):
    return {row["measure"]: row for row in strict(result.to_json())["table"]["ratios"]}


@pytest.mark.parametrize("given", [{"level": 0.5}, {"proportion": "clopper-pearson"}])
def test_the_table_of_an_evaluation_has_the_intervals_of_its_measures(given):
    result = evaluate(counts=COUNTS, **given)
    for name, row in ratios_of(result).items():
        assert result[name].to_dict().items() <= row.items()


def test_the_table_of_fractional_weights_has_the_intervals_of_its_measures():
    random = np.random.default_rng(0)
    result = evaluate(
        truth=np.arange(200) % 2, predicted=random.integers(0, 2, 200), weight=random.random(200)
    )
    for name, row in ratios_of(result).items():
        assert (row["value"], row["low"], row["high"]) == pytest.approx(
            (result[name].value, result[name].low, result[name].high)
        )
        bounds = rf"\[{result[name].low:.3f}, {result[name].high:.3f}\]"
        assert re.search(rf"{row['value']:.3f} +~?{bounds} ", str(result.all))


# On the command line
# --------------------------------------------------------------------------------------------------


def test_on_the_command_line(capsys):
    arguments = ["counts", *(word for name, value in CELLS.items() for word in (f"--{name}", str(value)))]
    assert main([*arguments, "--all"]) == 0
    out = capsys.readouterr().out
    assert str(COUNTS).split("\n\n")[0] in out
    assert max(map(len, out.splitlines())) <= 80
    assert main([*arguments, "--json", "--level", "0.9"]) == 0
    table = strict(capsys.readouterr().out)["table"]
    assert table["cells"] == CELLS
    assert table == strict(json.dumps(Contingency(COUNTS, settings=Settings(level=0.9)).to_dict()))
