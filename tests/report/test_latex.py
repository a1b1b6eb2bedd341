"""LaTeX of every result with rows: its tables are whole, and nothing in a label is a command."""

import os
import re
import shutil
import subprocess

import numpy as np
import pytest
from every_result import results
from looping import for_each

import tallymark as tm
from tallymark.input.results import Tabular
from tallymark.report.latex import escaped

# what the characters mean that are not written as they are
MEANT = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textasciigrave{}": "`",
    r"\symbol{34}": '"',
    "$\\leq$": "≤",
    "$\\geq$": "≥",
    "$-$": "-",
    **{f"{one}{{}}": one for one in "-',"},
    "--": "-",
    **{f"\\{one}": one for one in "&%$#_{}"},
}
NASTY = r"50%_of\n{a}&b$c$#d~^<e>|f`g\"--''[x]é"


def read(cell):
    """The text that a cell shows."""
    known = "|".join(map(re.escape, sorted(MEANT, key=len, reverse=True)))
    return re.sub(known, lambda found: MEANT[found[0]], cell.removeprefix("{}"))


def tables(written):
    """The header and the cells of every table."""
    once = written.replace("\\endhead\n    \\bottomrule\n    \\endfoot\n", "").replace(
        "\\end{longtable}}", "\\bottomrule"
    )
    bodies = re.findall(r"\\toprule\n(.*?)\\bottomrule", once, re.S)
    every = [[line.strip() for line in body.splitlines() if line.strip()] for body in bodies]
    every = [[line for line in lines if line not in (r"\midrule", r"\addlinespace[2pt]")] for lines in every]
    assert all(line.endswith(r"\\") for lines in every for line in lines)
    split = [[re.split(r"(?<!\\)&", line.removesuffix(r"\\")) for line in lines] for lines in every]
    return [[[read(cell.strip()) for cell in row] for row in rows] for rows in split]


def with_rows():
    """Of sums of amounts there are no rows."""
    every = {name: one for name, one in results().items() if isinstance(one, Tabular)}
    del every["moments of residuals"]
    return every


@pytest.mark.full
@for_each("name", with_rows)
def test_every_table_is_whole(name):
    written = with_rows()[name].to_latex()
    assert written.startswith("% Tallymark ")
    for begin in ("table", "table*", "tabular", "longtable"):
        assert written.count(f"\\begin{{{begin}}}") == written.count(f"\\end{{{begin}}}")
    specs = re.findall(r"\\begin\{(?:tabular|longtable)\}\{@\{\}(.+)@\{\}\}", written)
    columns = [re.sub(r"p\{\d+pt\}", "p", spec) for spec in specs]
    assert [len(spec) for spec in columns] == [len(rows[0]) for rows in tables(written)]
    assert len(specs) > 0
    for rows in tables(written):
        assert {len(row) for row in rows} == {len(rows[0])}
    plain = re.sub("|".join(map(re.escape, sorted(MEANT, key=len, reverse=True))), "", written)
    assert not re.search(r"[#$~^<>|`\"]", plain)


@for_each("text", [NASTY, "-1", "a-1", "- -", "x\ty\nz", "[a]", "*", "\\", "{", "--", "---", "\x00a"])
def test_text_is_shown_as_it_is(text):
    meant = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    assert read(escaped(text)) == meant


NO_PDFLATEX = "needs pdflatex with booktabs (texlive-latex-recommended)"


def has_pdflatex():
    if not (shutil.which("pdflatex") and shutil.which("kpsewhich")):
        return False
    return subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True, check=False).returncode == 0


@pytest.mark.full
def test_pdflatex_takes_every_result_and_odd_labels(tmp_path):
    if not has_pdflatex():
        assert "TALLYMARK_REQUIRE_LATEX" not in os.environ, NO_PDFLATEX
        pytest.skip(NO_PDFLATEX)
    truth, score = np.tile([NASTY, "x"], 20), np.linspace(0, 1, 40)
    odd = {
        "evaluation": tm.evaluate(truth=truth, positive=NASTY, score=score).all,
        "comparison": tm.compare(truth=truth, positive=NASTY, score={NASTY: score, "[b]": 1 - score}),
        "groups": tm.evaluate(
            truth=truth, positive=NASTY, score=score, by={NASTY: np.repeat(["a_b", "c&d"], 20)}
        ),
        "classes": tm.evaluate(
            truth=np.repeat([NASTY, "*", "ß"], 9), predicted=np.tile([NASTY, "*", "ß"], 9)
        ),
    }
    parts = [one.to_latex() for one in {**with_rows(), **odd}.values()]
    for part in parts:
        assert ("longtable" in part) == ("usepackage{booktabs,longtable}" in part)
        assert "xelatex" not in part.splitlines()[0]
    body = "\n\\clearpage\n".join(parts)
    head = "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\begin{document}\n"
    (tmp_path / "x.tex").write_text(f"{head}{body}\n\\end{{document}}\n", encoding="utf-8")
    call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    run = subprocess.run(call, cwd=tmp_path, capture_output=True, check=False)
    log = run.stdout.decode(errors="replace")
    assert run.returncode == 0, [line for line in log.splitlines() if line.startswith(("!", "l."))]
    assert "Missing character" not in log
    assert "Float too large" not in log


def test_letters_that_pdflatex_does_not_know_are_announced():
    truth = np.tile(["ελ", "x"], 20)
    written = tm.classification_report(tm.evaluate(truth=truth, positive="ελ", predicted=truth)).to_latex()
    assert "compile with lualatex or xelatex" in written.splitlines()[0]


def test_five_models_fit_the_page_in_letters_that_can_be_read():
    random = np.random.default_rng(1)
    truth = np.arange(60) % 2
    models = {f"model {i}": np.clip(truth / 3 + random.random(60) * 0.7, 0, 1) for i in range(5)}
    written = tm.evaluate(truth=truth, score=models).to_latex(caption="Five models")
    assert "\\caption{Five models}" in written
    assert "\\tiny" not in written
    first = written.split("\\begin{tabular}")[0]
    assert "\\footnotesize" not in first.split("\\centering")[1]
    assert "{\\scriptsize" in written


def test_a_label_is_no_command():
    truth = np.tile([NASTY, "x"], 20)
    score = np.linspace(0, 1, 40)
    several = tm.compare(truth=truth, positive=NASTY, score={NASTY: score, "[b]": 1 - score})
    written = several.to_latex()
    assert NASTY not in written
    assert read(escaped(NASTY)) == NASTY
    assert "[b]" in str(tables(written))
    assert "{}{[}" not in written
    assert not re.search(r"^\s*[\[*]", written, re.M)


def test_rows_are_those_of_the_table():
    found = tm.calibration(truth=[0, 0, 1, 0, 1, 1], score=[0.1, 0.3, 0.4, 0.6, 0.7, 0.9], bins=2)
    values = {row[0]: row[1] for rows in tables(found.to_latex()) for row in rows}
    shown = float(values["ECE"].split()[0])
    assert shown == pytest.approx(found["expected_calibration_error"].value, abs=5e-4)


def test_a_wide_table_spans_two_columns():
    truth, score = [0, 1] * 30, [i * 7 % 60 / 60 for i in range(60)]
    models = tm.evaluate(
        truth=truth, score={name: [one**k for one in score] for k, name in enumerate("abc", 1)}
    )
    assert "\\begin{table*}" in models.to_latex()
    assert "\\addlinespace" in models.to_latex()
    alone = tm.evaluate(truth=truth, predicted=[one > 0.5 for one in score]).to_latex()
    assert alone.count("\\begin{table}") == alone.count("\\end{table}") > 0
