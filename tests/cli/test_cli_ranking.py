"""tallymark curve, biometric and evaluate: of scores, on the command line; what they print and write, and
what goes wrong."""

import csv
import errno
import io
import json
import math
import os
import re
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from looping import for_each
from typed import as_typed

import tallymark
from tallymark.curves import CURVES
from tallymark.input.sample import OF_CLASSES, VARIES
from tallymark.measures import titles
from tallymark.report import document

pytest.importorskip("duckdb")

RANDOM = np.random.default_rng(2)
TRUTH = RANDOM.integers(0, 2, 60)
SCORE = np.round(np.clip(0.4 * TRUTH + 0.6 * RANDOM.random(60), 0, 1), 2)
KIND = RANDOM.integers(0, 3, 45)
SHARES = np.round(
    RANDOM.dirichlet([1, 1, 1], 45) * 0.5 + 0.5 * np.eye(3)[KIND][:, [0, 1, 2]] * RANDOM.random((45, 1)), 3
)
CASES = ["t.csv", "--truth", "y", "--score", "p"]
COLUMNS = {"truth": "y", "score": "p"}
THREE = [
    "k.csv",
    "--truth",
    "kind",
    "--score",
    "a",
    "--score",
    "b",
    "--score",
    "c",
    "--classes",
    "x",
    "y",
    "z",
]
THREE_COLUMNS = {"truth": "kind", "score": ["a", "b", "c"], "classes": ["x", "y", "z"]}
TWO = ["--genuine", "g.txt", "--impostor", "i.txt"]
GENUINE, IMPOSTOR = SCORE[TRUTH == 1], SCORE[TRUTH == 0]


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    """The files that the commands read, in a folder where they write, too."""
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{y},{p},{1 + i % 3},{round(6 * p - 3, 2)},{'yn'[1 - y]}"
        for i, (y, p) in enumerate(zip(TRUTH, SCORE, strict=True))
    ]
    write("t.csv", ["y,p,n,llr,same", *rows])
    write(
        "k.csv",
        [
            "kind,number,a,b,c",
            *(f"{'xyz'[k]},{k},{','.join(map(str, s))}" for k, s in zip(KIND, SHARES, strict=True)),
        ],
    )
    write("g.txt", GENUINE)
    write("i.txt", [*IMPOSTOR, "", ""])
    write("g.csv", ["p,q", *(f"{p},1" for p in GENUINE)])
    write("i.csv", ["q,p", *(f"0,{p}" for p in IMPOSTOR)])


def write(name, lines):
    Path(name).write_text("\n".join(map(str, lines)) + "\n", encoding="utf-8")


def printed(answer):
    status, out, err = answer
    assert (status, err) == (0, "")
    return out


def contents():
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


def refused(run, *arguments):
    """The one line of a call that went wrong and left every file as it was."""
    before = contents()
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("tallymark")
    assert ": error: " in err
    assert "Traceback" not in err
    assert contents() == before
    return err


def strict(out):
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))


def read(text):
    """The columns of a CSV file, an empty cell being NaN."""
    head, *rows = csv.reader(io.StringIO(text))
    return {
        name: [float(cell) if cell else math.nan for cell in column]
        for name, column in zip(head, zip(*rows, strict=True), strict=True)
    }


def same(columns, curve):
    assert list(columns) == list(curve.columns)
    for name, values in curve.columns.items():
        assert np.array_equal(columns[name], values.astype(float), equal_nan=True), name


# tallymark curve
# ------------------------------------------------------------------------------------------------------

NAMES = [*CURVES, "f1", "diagnostic_odds_ratio"]


@pytest.mark.full
@for_each("name", NAMES)
def test_every_curve_as_csv(run, name):
    curve = tallymark.evaluate("t.csv", **COLUMNS).curve(name)
    status, out, err = run("curve", name, *CASES)
    same(read(out), curve)
    assert (status, err) == (0, said_of(curve))


def said_of(curve):
    """What the intervals of a curve are, as the command says it."""
    if curve.about is None:
        return ""
    method = "; ".join(part for part in (f"{curve.about}: {curve.about.method}", curve.about.note) if part)
    lines = method, VARIES["cohort"].format(**OF_CLASSES)
    return "".join(textwrap.fill(line, 80, subsequent_indent="  ") + "\n" for line in lines)


@pytest.mark.parametrize("ties", ["together", "optimistic", "pessimistic"])
@pytest.mark.parametrize("name", ["roc", "pr", "gain"])
def test_ties(run, name, ties):
    curve = tallymark.evaluate("t.csv", **COLUMNS).curve(name, ties=ties)
    same(read(printed(run("curve", name, *CASES, "--ties", ties))), curve)


@pytest.mark.parametrize("name", ["roc", "det", "lift", "pr"])
def test_simplify(run, name):
    curve = tallymark.evaluate("t.csv", **COLUMNS).curve(name)
    found = read(printed(run("curve", name, *CASES, "--simplify")))
    same(found, curve.simplify())
    assert name != "roc" or len(found["threshold"]) < len(curve)


@pytest.mark.parametrize(
    ("options", "given"),
    [
        (["--weight", "n"], {"weight": "n"}),
        (["--lower-is-positive"], {"higher_is_positive": False}),
        (["--positive", "0"], {"positive": 0}),
        (["--missing", "drop"], {"missing": "drop"}),
    ],
)
def test_options_of_the_cases(run, options, given):
    same(
        read(printed(run("curve", "roc", *CASES, *options))),
        tallymark.evaluate("t.csv", **COLUMNS, **given).curve("roc"),
    )


@pytest.mark.parametrize("name", ["roc", "det", "decision", "precision"])
def test_out(run, name):
    curve = tallymark.evaluate("t.csv", **COLUMNS).curve(name)
    for ending in ("csv", "json", "parquet", "svg", "CSV"):
        assert (
            printed(run("curve", name, *CASES, "--out", f"c.{ending}"))
            == f"c.{ending}: {len(curve)} points\n"
        )
    for written in ("c.csv", "c.CSV"):
        same(read(Path(written).read_text(encoding="utf-8")), curve)
    plain = strict(Path("c.json").read_text(encoding="utf-8"))
    assert plain.pop("document").keys() == {"screen"}
    assert plain == strict(json.dumps(curve.to_dict(), allow_nan=False))
    parquet = pytest.importorskip("pyarrow.parquet").read_table("c.parquet").to_pydict()
    same(
        {
            column: [math.nan if value is None else value for value in values]
            for column, values in parquet.items()
        },
        curve,
    )
    assert ElementTree.parse("c.svg").getroot().tag.endswith("svg")


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "options", "given"),
    [
        ("roc", ["--band", "simultaneous", "--level", "0.9"], {"band": "simultaneous", "level": 0.9}),
        ("det", ["--band", "kolmogorov-smirnov"], {"band": "kolmogorov-smirnov"}),
        ("f1", ["--band", "pointwise"], {"band": "pointwise"}),
        ("reliability", ["--level", "0.8"], {"level": 0.8}),
        ("reliability", ["--band", "simultaneous"], {"band": "simultaneous"}),
    ],
)
def test_a_band(run, name, options, given):
    """Beside the points, with a line on standard error, or after that of the file, that says what it is."""
    curve = tallymark.evaluate("t.csv", **COLUMNS).curve(name, **given)
    status, out, err = run("curve", name, *CASES, *options)
    said = said_of(curve)
    assert said
    same(read(out), curve)
    assert (status, err) == (0, said)
    assert (
        printed(run("curve", name, *CASES, *options, "--out", "c.json"))
        == f"c.json: {len(curve)} points\n{said}"
    )
    plain = strict(Path("c.json").read_text(encoding="utf-8"))
    assert plain.pop("document").keys() == {"screen"}
    assert plain == strict(json.dumps(curve.to_dict(), allow_nan=False))


@pytest.mark.full
def test_the_seed_of_a_band(run):
    one, same_seed, other = (
        run("curve", "roc", *CASES, "--band", "pointwise", "--seed", seed)[1] for seed in "011"
    )
    assert one != same_seed == other


def test_out_overwrites_an_older_curve(run):
    write("c.csv", ["old"] * 1000)
    printed(run("curve", "roc", *CASES, "--out", "c.csv"))
    same(read(Path("c.csv").read_text(encoding="utf-8")), tallymark.evaluate("t.csv", **COLUMNS).curve("roc"))


@pytest.mark.parametrize("label", ["x", "y", "z"])
def test_a_class_against_all_others(run, label):
    curve = tallymark.evaluate("k.csv", **THREE_COLUMNS).one_vs_rest(label).curve("roc")
    same(read(printed(run("curve", "roc", *THREE, "--class", label))), curve)


def test_a_class_that_is_a_number(run):
    cases = [
        "k.csv",
        "--truth",
        "number",
        "--score",
        "a",
        "--score",
        "b",
        "--score",
        "c",
        "--classes",
        "0",
        "1",
        "2",
    ]
    curve = (
        tallymark.evaluate("k.csv", truth="number", score=["a", "b", "c"], classes=range(3))
        .one_vs_rest(1)
        .curve("roc")
    )
    same(read(printed(run("curve", "roc", *cases, "--class", "1"))), curve)
    same(read(printed(run("curve", "roc", *cases, "--class", "1.0"))), curve)


def test_a_class_that_there_is_not(run):
    assert run("curve", "roc", *THREE, "--class", "zz") == (
        2,
        "",
        "tallymark: error: class: 'zz' is not a class here; the classes are x, y, z.\n",
    )


def test_the_table(run):
    points = tallymark.evaluate("t.csv", **COLUMNS).operating_points()
    assert printed(run("curve", "table", *CASES)) == f"{points}\n".replace("result.all", "--all")
    of_class = tallymark.evaluate("k.csv", **THREE_COLUMNS).one_vs_rest("z").operating_points()
    assert printed(run("curve", "table", *THREE, "--class", "z")) == f"{of_class}\n".replace(
        "result.all", "--all"
    )


def test_several_files(run):
    curve = tallymark.evaluate(["t.csv", "t.csv"], **COLUMNS).curve("gain")
    same(read(printed(run("curve", "gain", "t.csv", *CASES))), curve)


def test_help_names_every_curve(run):
    out = printed(run("curve", "--help"))
    assert out.startswith("usage: tallymark curve")
    for name in [*CURVES, "table", "--ties", "--simplify", "--class", "--out", ".svg"]:
        assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", out), name
    assert printed(run("biometric", "--help")).startswith("usage: tallymark biometric")


WRONG = {
    "unknown curve": (["rocc", *CASES], "curve: 'rocc' (did you mean 'roc'?) det"),
    "a measure of rankings": (["roc_auc", *CASES], "curve: 'roc_auc' not known measure of counts"),
    "no curve": (CASES[1:], "--help"),
    "bad ending": (["roc", *CASES, "--out", "c.pdf"], "out: 'c.pdf' .csv .json .parquet .svg"),
    "no ending": (["roc", *CASES, "--out", "c"], "out: 'c' .csv"),
    "missing folder": (["roc", *CASES, "--out", "none/c.csv"], "out: folder 'none'"),
    "the input file": (["roc", *CASES, "--out", "t.csv"], "out: 't.csv' is the file that is read"),
    "the input file, elsewhere": (
        ["roc", *CASES, "--out", "../{here}/t.csv"],
        "out: t.csv' is the file that is read",
    ),
    "one of the input files": (
        ["roc", "t*.csv", *CASES[1:], "--out", "t.csv"],
        "out: 't.csv' is the file that is read",
    ),
    "a folder": (["roc", *CASES, "--out", "folder.csv"], "out: 'folder.csv'"),
    "no probabilities": (
        ["decision", "t.csv", "--truth", "y", "--score", "llr"],
        "'decision' needs probabilities --score-kind 'logit'",
    ),
    "no probabilities, with --out": (
        ["decision", "t.csv", "--truth", "y", "--score", "llr", "--out", "c.csv"],
        "'decision'",
    ),
    "decision of distances": (["decision", *CASES, "--lower-is-positive"], "'decision' probabilities"),
    "ties": (["roc", *CASES, "--ties", "both"], "ties: 'both' together, optimistic, pessimistic"),
    "class without such scores": (["roc", *CASES, "--class", "1"], "score per class --score"),
    "unknown class": (["roc", *THREE, "--class", "w"], "'w' x, y, z"),
    "three classes, none chosen": (["roc", *THREE], "--class"),
    "labels alone": (["roc", "t.csv", "--truth", "y", "--predicted", "y"], "curve: 'roc' needs scores"),
    "no scores": (["roc", "t.csv", "--truth", "y"], "--score"),
    "no file": (["roc", "none.csv", *CASES[1:], "--out", "c.csv"], "none.csv: no such file"),
    "a column": (["roc", "t.csv", "--truth", "y", "--score", "pp", "--out", "c.csv"], "no column 'pp'"),
    "the table as a picture": (["table", *CASES, "--out", "c.svg"], "out: 'c.svg' .csv"),
    "the table simplified": (["table", *CASES, "--simplify"], "--simplify"),
    "the table with ties": (["table", *CASES, "--ties", "optimistic"], "--ties"),
    "the table with a band": (["table", *CASES, "--band", "pointwise"], "--band"),
    "unknown band": (
        ["roc", *CASES, "--band", "wide"],
        "band: 'wide' pointwise, simultaneous, kolmogorov-smirnov",
    ),
    "a curve without a band": (
        ["cost", *CASES, "--band", "pointwise", "--out", "c.csv"],
        "band: 'cost' has no pointwise roc, det,",
    ),
    "a level of 95": (["roc", *CASES, "--band", "pointwise", "--level", "95"], "level: 95 between 0 and 1"),
    "a level without a band": (["roc", *CASES, "--level", "0.9"], "level: 'roc' no such parameter"),
    "a seed below 0": (["roc", *CASES, "--band", "pointwise", "--seed", "-1"], "seed: -1"),
}


@pytest.mark.full
@pytest.mark.parametrize(("arguments", "parts"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong_with_a_curve(run, tmp_path, arguments, parts):
    (tmp_path / "folder.csv").mkdir()
    err = refused(run, "curve", *(argument.format(here=tmp_path.name) for argument in arguments))
    for word in parts.split():
        assert word in err, err
    assert " an array " not in err, "there are no arrays on the command line"


def test_what_goes_wrong_leaves_an_older_file_as_it_was(run):
    write("c.csv", ["old"])
    refused(run, "curve", "decision", "t.csv", "--truth", "y", "--score", "llr", "--out", "c.csv")
    assert contents()["c.csv"] == b"old\n"


@pytest.mark.parametrize("ending", ["csv", "json", "svg", "parquet"])
def test_a_full_disk(run, monkeypatch, ending):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tallymark.report.files.os.replace", full)
    status, out, err = run("curve", "roc", *CASES, "--out", f"c.{ending}")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "cannot be written" in err
    assert f"c.{ending}" not in contents()


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_the_table_as_a_file(run, ending):
    points = tallymark.evaluate("t.csv", truth="y", score="p").operating_points()
    assert (
        printed(run("curve", "table", *CASES, "--out", f"c.{ending}"))
        == f"c.{ending}: {len(points['threshold'])} thresholds\n"
    )
    assert Path(f"c.{ending}").stat().st_size > 100


# tallymark biometric
# --------------------------------------------------------------------------------------------------


def text_of(found):
    """As the command line prints it: at most the names of arguments differ."""
    assert max(map(len, str(found).splitlines())) <= 80
    return f"{as_typed(found)}\n"


def test_two_text_files(run):
    assert printed(run("biometric", *TWO)) == text_of(tallymark.biometric(genuine=GENUINE, impostor=IMPOSTOR))


def test_two_files_with_columns(run):
    out = printed(run("biometric", "--genuine", "g.csv", "--impostor", "i.csv", "--score", "p"))
    assert out == text_of(tallymark.biometric(genuine=GENUINE, impostor=IMPOSTOR))


def test_a_file_of_labels_and_scores(run):
    assert printed(run("biometric", *CASES)) == text_of(tallymark.biometric("t.csv", **COLUMNS))
    named = ["t.csv", "--truth", "same", "--score", "p", "--positive", "y"]
    assert strict(printed(run("biometric", *named, "--json"))) == strict(
        printed(run("biometric", *TWO, "--json"))
    )


@pytest.mark.full
@pytest.mark.parametrize(
    ("options", "given"),
    [
        ([], {}),
        (["--fmr", "0.1", "0.25"], {"fmr": (0.1, 0.25)}),
        (["--distance"], {"similarity": False}),
        (["--threshold", "0.5", "--level", "0.8"], {"threshold": 0.5, "level": 0.8}),
        (
            ["--distance", "--threshold=-1", "--fmr", "0", "1"],
            {"similarity": False, "threshold": -1.0, "fmr": (0, 1)},
        ),
        (["--score-kind", "llr"], {"score_kind": "llr"}),
        (
            ["--set", "min_dcf.prior=0.5", "--seed", "3"],
            {"parameters": {"min_dcf": {"prior": 0.5}}, "rng": 3},
        ),
        (
            ["--design", "case-control", "--proportion", "clopper-pearson"],
            {"design": "case-control", "proportion": "clopper-pearson"},
        ),
        (
            ["--auc-interval", "hanley-mcneil", "--proportion", "wald"],
            {"auc_interval": "hanley-mcneil", "proportion": "wald"},
        ),
    ],
)
def test_options_of_biometric(run, options, given):
    found = tallymark.biometric(genuine=GENUINE, impostor=IMPOSTOR, **given)
    answer = strict(printed(run("biometric", *TWO, *options, "--json")))
    numbers = {key: value for key, value in answer.items() if key != "notices"}
    assert numbers == {key: value for key, value in strict(found.to_json()).items() if key != "notices"}
    assert [notice["code"] for notice in answer["notices"]] == [notice.code for notice in found.notices]
    assert max(map(len, printed(run("biometric", *TWO, *options)).splitlines())) <= 80


@pytest.mark.full
@pytest.mark.parametrize("options", [[], ["--distance"]])
def test_det(run, options):
    found = tallymark.biometric(genuine=GENUINE, impostor=IMPOSTOR, similarity=not options)
    plain = printed(run("biometric", *TWO, *options))
    assert printed(run("biometric", *TWO, *options, "--det", "det.csv")) == f"{plain}\nDET curve: det.csv\n"
    same(read(Path("det.csv").read_text(encoding="utf-8")), found.curve("det"))
    strict(printed(run("biometric", *TWO, *options, "--det", "det.svg", "--json")))
    assert ElementTree.parse("det.svg").getroot().tag.endswith("svg")


def test_infinite_scores_in_a_text_file(run):
    write("g.txt", ["inf", "2.5", " 1e-3 ", "-Infinity"])
    found = tallymark.biometric(genuine=[math.inf, 2.5, 1e-3, -math.inf], impostor=IMPOSTOR, score_kind="llr")
    assert printed(run("biometric", *TWO, "--score-kind", "llr")) == text_of(found)


def test_the_way_out_of_an_inverted_ranking_is_an_option_of_this_command(run):
    inverted = printed(run("biometric", "--genuine", "i.txt", "--impostor", "g.txt", "--all"))
    turned = printed(run("biometric", *TWO, "--distance", "--all"))
    assert all("[auc-below-half]" in out for out in (inverted, turned))
    assert "--distance" in inverted
    assert "--lower-is-positive" not in inverted + turned


WRONG_COMPARISONS = {
    "nothing": ([], "genuine, impostor: both kinds --truth, --score."),
    "only genuine": (TWO[:2], "genuine, impostor: both kinds"),
    "only impostor": (TWO[2:], "genuine, impostor: both kinds"),
    "both ways": (["t.csv", *TWO], "genuine, impostor: leave out data"),
    "no columns": (["t.csv"], "genuine, impostor: --truth, --score."),
    "no score column": (["t.csv", "--truth", "y"], "score"),
    "no such file": (["--genuine", "none.txt", "--impostor", "i.txt"], "none.txt cannot be read"),
    "no such file of columns": (
        ["--genuine", "none.csv", "--impostor", "i.csv", "--score", "p"],
        "none.csv: no such file",
    ),
    "a folder": (["--genuine", ".", "--impostor", "i.txt"], ".: cannot be read"),
    "a table without --score": (
        ["--genuine", "g.txt", "--impostor", "i.csv"],
        "impostor: line 1 i.csv 'q,p' --score",
    ),
    "no such column": (["--genuine", "g.csv", "--impostor", "i.csv", "--score", "r"], "no column 'r'"),
    "text scores": (
        ["--genuine", "words.csv", "--impostor", "i.csv", "--score", "p"],
        "genuine 'high' not a number",
    ),
    "a word among numbers": (
        ["--genuine", "words.txt", "--impostor", "i.txt"],
        "genuine: line 2 words.txt 'high' not a number",
    ),
    "an empty file": (["--genuine", "g.txt", "--impostor", "empty.txt"], "impostor: no scores"),
    "no text": (["--genuine", "bytes.txt", "--impostor", "i.txt"], "bytes.txt: line 1 UTF-8 --score"),
    "a missing score": (["--genuine", "gaps.txt", "--impostor", "i.txt"], "genuine: 1 value missing"),
    "a missing score in a column": (
        ["--genuine", "gaps.csv", "--impostor", "i.csv", "--score", "p"],
        "genuine: missing gaps.csv",
    ),
    "one class": (["one.csv", *CASES[1:]], "truth: both mated non-mated"),
    "fmr": ([*TWO, "--fmr", "2"], "fmr: 2.0 from 0 to 1"),
    "fmr of text": ([*TWO, "--fmr", "few"], "--fmr 'few'"),
    "score kind": ([*TWO, "--score-kind", "log"], "'log' llr"),
    "det with a bad ending": ([*TWO, "--det", "det.pdf"], "det: 'det.pdf' .csv .svg"),
    "det in a missing folder": ([*TWO, "--det", "none/det.csv"], "det: folder 'none'"),
    "det over the input": ([*CASES, "--det", "t.csv"], "det: 't.csv' is the file that is read"),
    "det over the mated scores": (
        ["--genuine", "g.csv", "--impostor", "i.csv", "--score", "p", "--det", "g.csv"],
        "det: 'g.csv'",
    ),
    "labels beside two files": ([*TWO, "--truth", "y"], "--truth"),
}


@pytest.mark.full
@pytest.mark.parametrize("json_too", [False, True])
@pytest.mark.parametrize(("arguments", "parts"), WRONG_COMPARISONS.values(), ids=WRONG_COMPARISONS)
def test_what_goes_wrong_with_comparisons(run, tmp_path, arguments, parts, json_too):
    write("words.csv", ["p", "high", "low"])
    write("words.txt", ["1.5", "high"])
    write("gaps.txt", ["1.5", "nan"])
    write("gaps.csv", ["p,q", "0.5,1", ",2"])
    write("one.csv", ["y,p", "1,0.5", "1,0.7"])
    (tmp_path / "empty.txt").touch()
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe1\n")
    err = refused(run, "biometric", *arguments, *(["--json"] if json_too else []))
    for word in parts.split():
        assert word in err, err


@pytest.mark.parametrize("name", ["gaps.txt", "gaps.csv"])
def test_missing_scores_are_dropped_where_the_message_offers_it(run, name):
    write("gaps.txt", ["1.5", "nan", "2"])
    write("gaps.csv", ["p", "1.5", "", "2"])
    two = [
        "--genuine",
        name,
        "--impostor",
        name.replace("gaps", "i"),
        *(["--score", "p"] if name.endswith("csv") else []),
    ]
    if "--missing" in refused(run, "biometric", *two):
        assert (
            strict(printed(run("biometric", *two, "--missing", "drop", "--json")))["comparisons"]["mated"]
            == 2
        )


# tallymark evaluate
# ---------------------------------------------------------------------------------------------------

RANKING = (
    "roc_auc",
    "average_precision",
    "equal_error_rate",
    "d_prime",
    "kolmogorov_smirnov",
    "h_measure",
    "brier_score",
)


def test_evaluate_shows_the_ranking_measures(run):
    found = tallymark.evaluate("t.csv", **COLUMNS)
    typed = {
        "ev.all": "--all",
        "result.all": "--all",
        'ev.save("page.html")': "--report page.html",
        "tallymark.calibration": "tallymark calibration",
    }  # the shell's words
    screen = str(found)
    for in_python, in_shell in typed.items():
        screen = screen.replace(in_python, in_shell)
    assert printed(run("evaluate", *CASES)) == f"{screen}\n"
    out = printed(run("evaluate", *CASES, "--all"))
    everything = f"{found.all}\n"
    for in_python, in_shell in typed.items():
        everything = everything.replace(in_python, in_shell)
    assert out == everything
    for name in RANKING:
        assert re.search(
            rf"^{re.escape(titles.title(name))} +{re.escape(document.value(found[name]))}\b", out, re.M
        ), name


@pytest.mark.full
@pytest.mark.parametrize("rule", ["youden", "f1", "equal_error", "sensitivity>=0.95"])
def test_evaluate_with_a_rule(run, rule):
    found = tallymark.evaluate("t.csv", **COLUMNS, rule=rule)
    assert strict(printed(run("evaluate", *CASES, "--rule", rule, "--json"))) == found.to_dict()
    out = printed(run("evaluate", *CASES, "--rule", rule, "--all"))
    assert f"positive where score >= {found.threshold.value:g} (" in out
    assert "[threshold-chosen-here]" in out


@pytest.mark.full
@pytest.mark.parametrize("order", ["xyz", "zxy"])
def test_evaluate_a_score_per_class(run, order):
    arguments = [*THREE[:-3], *order]
    found = tallymark.evaluate("k.csv", **{**THREE_COLUMNS, "classes": list(order)})
    assert strict(printed(run("evaluate", *arguments, "--json"))) == strict(found.to_json())
    out = printed(run("evaluate", *arguments))
    assert out == f"{as_typed(found)}\n"
    assert f"3 classes, scored in columns for {', '.join(order)}" in out


@pytest.mark.full
def test_evaluate_numbered_classes(run):
    arguments = ["k.csv", "--truth", "number", "--score", "a", "--score", "b", "--score", "c"]
    found = tallymark.evaluate("k.csv", truth="number", score=["a", "b", "c"], classes=[0, 1, 2])
    assert (
        strict(printed(run("evaluate", *arguments, "--classes", "0", "1", "2", "--json"))) == found.to_dict()
    )
    assert "name the class of every column in --classes" in run("evaluate", *arguments)[2]


@pytest.mark.full
def test_evaluate_llrs(run):
    cases = ["t.csv", "--truth", "y", "--score", "llr"]
    found = tallymark.evaluate("t.csv", truth="y", score="llr", score_kind="llr")
    assert strict(printed(run("evaluate", *cases, "--score-kind", "llr", "--json"))) == found.to_dict()
    assert re.search(
        rf"^Cllr +{found['cllr'].value:.3f} ",
        printed(run("evaluate", *cases, "--score-kind", "llr", "--all")),
        re.M,
    )
    assert not re.search(r"^Cllr ", printed(run("evaluate", *cases, "--all")), re.M)


WRONG_EVALUATIONS = {
    "unknown rule": ([*CASES, "--rule", "best"], "rule: 'best' not known"),
    "a constraint nobody can keep": (
        [*CASES, "--rule", "sensitivity>=1.5"],
        "rule: sensitivity from 0 to 1 >=1.5",
    ),
    "rule and threshold": ([*CASES, "--rule", "youden", "--threshold", "0.5"], "rule: threshold"),
    "rule of labels": (["t.csv", "--truth", "y", "--predicted", "y", "--rule", "f1"], "rule: needs scores"),
    "rule of three classes": ([*THREE, "--rule", "youden"], "rule: one score per case"),
    "score kind": ([*CASES, "--score-kind", "log"], "'log' probability logit margin llr"),
    "three classes of one score": ([*CASES, "--classes", "0", "1", "2"], "classes:"),
    "too few classes": ([*THREE[:-1]], "classes"),
    "other classes": ([*THREE[:-3], "u", "v", "w"], "'x' 'u' --classes"),
    "an unknown column": ([*THREE, "--score", "d"], "'d'"),
}


@for_each(("arguments", "parts"), WRONG_EVALUATIONS.values(), ids=WRONG_EVALUATIONS)
def test_what_goes_wrong_with_an_evaluation(run, arguments, parts):
    err = refused(run, "evaluate", *arguments)
    for word in parts.split():
        assert word in err, err


def test_parameters_of_a_curve(run):
    found = tallymark.evaluate("t.csv", **COLUMNS).curve("pr_interpolated", per_positive=2)
    status, out, _ = run("curve", "pr_interpolated", *CASES, "--set", "pr_interpolated.per_positive=2")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert status == 0
    assert [float(row["recall"]) for row in rows] == pytest.approx(found.x.tolist())
    assert [float(row["precision"]) for row in rows] == pytest.approx(found.y.tolist())
    assert "per_positive" in run("curve", "pr_interpolated", *CASES, "--set", "pr_interpolated.beta=2")[2]
