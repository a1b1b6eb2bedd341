"""Markdown of evaluations, comparisons and verdicts: its parts, and that no label is a mark."""

import re

import numpy as np
import pytest
from looping import for_each, in_part

import tallymark as tm
from tallymark.cli import main
from tallymark.input import text
from tallymark.report.documents import document

RANDOM = np.random.default_rng(4)
SCORE = RANDOM.random(80)
OTHER = RANDOM.random(80)
TRUTH = (RANDOM.random(80) < SCORE).astype(int)
NASTY = "a|b*c_d`e`<b>[x](http://x.y)\n#1 ~~z~~ @team &amp;"
NAMES = np.array([NASTY, "plain", "other"])[np.arange(80) % 3]

BINARY = tm.evaluate(truth=TRUTH, score=SCORE, rule="youden")
FOUND = {
    "scores": BINARY,
    "chosen measures": BINARY[["f1", "roc_auc"]],
    "in full": BINARY.all,
    "classes": tm.evaluate(truth=NAMES, predicted=np.roll(NAMES, 1)),
    "amounts": tm.evaluate(truth=SCORE, predicted=OTHER, regression=True),
    "models": tm.evaluate(truth=TRUTH, score={NASTY: SCORE, "b": OTHER}),
    "models in full": tm.evaluate(truth=TRUTH, score={NASTY: SCORE, "b": OTHER}).all,
    "comparison": tm.compare(truth=TRUTH, score={NASTY: SCORE, "b": OTHER}, replicates=100),
    "three models": tm.compare(truth=TRUTH, score={NASTY: SCORE, "b": OTHER, "c": -SCORE}, replicates=100),
    "verdict": tm.check(truth=TRUTH, score=SCORE, rule="youden", require=["roc_auc >= 0.99", "f1.low > 0.1"]),
}
every = for_each("found", list(FOUND.values()), ids=list(FOUND))


def tables(written):
    """The cells of every table."""
    found = re.findall(r"(?:^\|.*\|\n)+", f"{written}\n", re.M)
    return [[re.split(r"(?<!\\)\|", line)[1:-1] for line in one.splitlines()] for one in found]


@pytest.mark.full
@every
def test_every_table_has_cells_in_every_row(found):
    written = found.to_markdown()
    assert written.endswith("\n")
    assert not written.endswith("\n\n")
    for rows in tables(written):
        assert len({len(row) for row in rows}) == 1
        assert all(re.fullmatch(r" ---:? ", cell) for cell in rows[1])
    assert tables(written)


@in_part(5, ("fast", "full"))
@every
def test_no_label_is_a_mark(found):
    written = found.to_markdown()
    own = re.sub(r"`[a-z-]+`|\*\*|^> |^>$|^### |^\|.*---.*$", "", written, flags=re.M)
    own = re.sub(r"(?<!\\)\|", "", own)
    own = re.sub(r"\[-?[\d.]+, (-?[\d.]+|inf)\](?!\()", "", own)  # an interval
    assert not re.search(r"@\w", own)
    assert not re.search(r"(?<!\\)[*_`<>\[\]#~&|]", own.replace("<!-- -->", ""))


@every
@pytest.mark.full
def test_a_file_has_the_same(found, tmp_path):
    found.save(tmp_path / "found.md")
    assert (tmp_path / "found.md").read_text() == found.to_markdown()


def test_an_evaluation():
    written = BINARY.to_markdown().replace("\\", "")
    assert written.startswith(f"**{BINARY.headline}**\n\n> **Notice** The threshold ")
    matrix, rows = tables(written)
    shown = next(one for one in document(BINARY).tables if one.name == "measures").rows
    assert [row[0].strip() for row in rows[2:]] == [row["measure"].value for row in shown]
    one = BINARY["roc_auc"]
    assert rows[2][1].strip() == f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"
    assert [cell.strip() for cell in matrix[2]][1:] == [f"{n:.0f}" for n in BINARY.two_by_two.rows[0]]
    other = {notice.code for notice in BINARY.notices if not notice.severe}
    assert ("Further notices" in written) == bool(other)
    assert len(tables(FOUND["chosen measures"].to_markdown())[0]) == 2 + 2
    families = {BINARY.entry(name).family for name in BINARY.estimates}
    assert len(tables(FOUND["in full"].to_markdown())[-1]) == 2 + len(BINARY.estimates) + len(families)


def test_a_comparison_opens_with_its_first_difference():
    found = FOUND["comparison"]
    first = found.differences[0]
    sentence = " ".join(str(found).split("\n\n")[0].split())
    assert sentence.startswith(f"ROC AUC, b - {text.label(NASTY, 40)}: {first.value:.3f} [")
    each, all_of_them = (
        "p < 0.0001" if p < 1e-4 else f"p = {p:.4f}" for p in (first.p_value, first.adjusted)
    )
    assert f"{each}, adjusted {all_of_them})" in sentence
    assert found.to_markdown().replace("\\", "").replace("<!-- -->", "").startswith(f"**{sentence}**")
    assert len(tables(found.to_markdown())[1]) == 2 + len(found.differences)
    three = FOUND["three models"]
    assert len(tables(three.to_markdown())[0]) == 2 + len(three.differences) + len(three.measures)


@pytest.mark.parametrize(
    ("measure", "shift", "said"),
    [
        ("roc_auc", 0.0, "no difference is shown"),
        ("roc_auc", 2.0, "new is better"),
        ("roc_auc", -2.0, "old is better"),
        ("brier_score", 2.0, "new is better"),
        ("brier_score", -2.0, "old is better"),
    ],
)
def test_which_model_is_better(measure, shift, said):
    base = RANDOM.normal(size=300)
    truth = np.arange(300) % 2
    better, usual = (1 / (1 + np.exp(-(base + by * (2 * truth - 1)))) for by in (1 + abs(shift) / 2, 1))
    models = {"old": usual, "new": better} if shift >= 0 else {"old": better, "new": usual}
    found = tm.compare(truth=truth, score=models, measures=measure, replicates=100)
    assert str(found).split("\n\n")[0].rstrip(".").replace("\n  ", " ").endswith(f": {said}")


def test_a_verdict_has_severe_notices():
    written = FOUND["verdict"].to_markdown()
    assert written.startswith("**FAILED: ")
    assert "`threshold-chosen-here`" in written
    assert len(tables(written)[0]) == 2 + 2


# On the command line
# --------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "cases.csv"
    rows = zip(TRUTH, SCORE, OTHER, strict=True)
    path.write_text("y,p,q\n" + "\n".join(f"{y},{p:.6f},{q:.6f}" for y, p, q in rows))
    return str(path)


@pytest.mark.full
def test_it_and_nothing_else_is_printed(file, tmp_path, capsys):
    cases = [file, "--truth", "y"]
    found = tm.evaluate(file, truth="y", score="p")
    page = ["--report", str(tmp_path / "page.md")]
    for typed, wanted in {
        ("evaluate", *cases, "--score", "p"): found.to_markdown(),
        ("evaluate", *cases, "--score", "p", "--all"): found.all.to_markdown(),
        ("evaluate", *cases, "--score", "p", *page): found.to_markdown(),
        ("counts", "--tp", "7", "--fp", "2", "--fn", "3", "--tn", "8"): tm.evaluate(
            counts=tm.Counts(tp=7, fp=2, fn=3, tn=8)
        ).to_markdown(),
        ("compare", *cases, "--score", "p", "--score", "q"): tm.compare(
            file, truth="y", score=["p", "q"]
        ).to_markdown(),
        ("check", *cases, "--score", "p", "--require", "roc_auc >= 0.01"): tm.check(
            file, truth="y", score="p", require="roc_auc >= 0.01"
        ).to_markdown(),
    }.items():
        assert main([*typed, "--markdown"]) == 0
        assert capsys.readouterr().out == wanted
    assert (tmp_path / "page.md").read_text() == found.to_markdown()


def test_names_and_digits(file, capsys):
    typed = ["evaluate", file, "--truth", "y", "--score", "p", "--markdown", "--names", "--digits", "5"]
    assert main(typed) == 0
    value = tm.evaluate(file, truth="y", score="p")["roc_auc"].value
    assert f"| roc\\_auc | {value:.5f} [" in capsys.readouterr().out


def test_one_format_at_a_time(file, capsys):
    assert main(["evaluate", file, "--truth", "y", "--score", "p", "--markdown", "--json"]) == 2
    assert "not allowed with" in capsys.readouterr().err
