"""tallymark plot: figures as files, in each format, of one model, several, classes and amounts."""

import pytest

from tallymark.cli import main
from tallymark.report.figures import KINDS

ROWS = [f"{i},{'ab'[i % 3 == 0]},{(i * 7 % 10) / 10},{(i * 3 % 10) / 10}" for i in range(40)]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["n,y,p,q", *ROWS]))
    return str(path)


MODELS = ["--truth", "y", "--positive", "b", "--model", "one=p", "--model", "two=q"]


@pytest.mark.parametrize(
    ("kind", "ending", "begins"),
    [("roc", "png", b"\x89PNG"), ("pr", "svg", b"<?xml"), ("f1", "pdf", b"%PDF")],
)
def test_figures_are_written(kind, ending, begins, file, tmp_path, capsys):
    target = tmp_path / f"x.{ending}"
    assert main(["plot", kind, file, *MODELS, "--band", "none", "-o", str(target)]) == 0
    assert target.read_bytes().startswith(begins)
    assert capsys.readouterr().out.startswith(f"{target}: ")


@pytest.mark.full
def test_crossings_ties_and_pairs(file, tmp_path, capsys):
    target, one = tmp_path / "x.svg", ["--truth", "y", "--positive", "b", "--score", "p"]
    assert main(["plot", "roc", file, *MODELS, "--band", "none", "-o", str(target)]) == 0
    regions = capsys.readouterr().out.splitlines()[1:]
    assert regions
    assert all(" is higher" in line and line.startswith("false positive rate ") for line in regions)
    assert main(["plot", "roc", file, *one, "--ties", "-o", str(target)]) == 0
    target.unlink()
    assert main(["curve", "pairs", file, *one, "--out", str(target)]) == 0
    assert target.read_bytes().startswith(b"<?xml")
    assert main(["plot", "pairs", file, *one, "-o", str(target)]) == 0


@pytest.mark.full
def test_a_comparison_and_amounts(file, tmp_path):
    target = tmp_path / "x.png"
    compared = ["plot", "differences", file, *MODELS, "--measure", "roc_auc", "-o", str(target)]
    assert main(compared) == 0
    target.unlink()
    amounts = ["--truth", "p", "--predicted", "q", "--regression"]
    assert main(["plot", "residuals", file, *amounts, "-o", str(target)]) == 0
    assert target.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rok", *MODELS], "'rok' is not a figure (did you mean 'roc'?)"),
        (["residuals", *MODELS], "is a figure of amounts"),
        (["confidence", "--truth", "y", "--score", "p"], "score: one model only"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence_and_no_file(arguments, said, file, tmp_path, capsys):
    target = tmp_path / "x.png"
    assert main(["plot", arguments[0], file, *arguments[1:], "-o", str(target)]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert not target.exists()


def test_another_ending_is_refused_before_the_work(tmp_path, capsys):
    assert (
        main(["plot", "roc", "none.csv", "--truth", "y", "--score", "p", "-o", str(tmp_path / "x.jpg")]) == 2
    )
    assert "must end in .png, .svg or .pdf" in capsys.readouterr().err


def test_an_unknown_kind_is_refused_before_the_file_is_read(tmp_path, capsys):
    call = ["plot", "rok", "none.csv", "--truth", "y", "--score", "p", "-o", str(tmp_path / "x.png")]
    assert main(call) == 2
    assert "'rok' is not a figure (did you mean 'roc'?)" in capsys.readouterr().err


def test_the_help_lists_every_kind(capsys):
    assert main(["plot", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert all(kind in shown for kind in KINDS)
