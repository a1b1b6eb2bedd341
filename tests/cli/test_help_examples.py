"""The examples in the help of every command run."""

import shlex

import pytest
from looping import for_each

from tallymark.cli import main
from tallymark.cli.commands import parser


def rows():
    for i in range(240):
        y, p, q = i % 2, (i * 37 % 97 + 40 * (i % 2)) / 140, (i * 53 % 101 + 60 * (i % 2)) / 165
        yield [y, p, q, "ns"[i % 3 > 0], i // 2, i]


CALLS = [
    example for one in (parser(), *parser().commands.values()) for example in getattr(one, "examples", ())
]


def test_every_command_has_examples_in_its_help(capsys):
    for name, command in parser().commands.items():
        assert command.examples, name
        assert main([name, "--help"]) == 0
        shown = capsys.readouterr().out
        calls = shown.split("\nexamples:\n")[1].replace("\\\n", " ").splitlines()
        assert [" ".join(call.split()) for call in calls] == [f"tallymark {one}" for one in command.examples]
        assert all(name in one.split() for one in command.examples)
        assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.full
@for_each("call", CALLS)
def test_the_examples_run(call, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, columns in (("cases", ["y", "p", "q", "site", "person", "id"]), ("scores", ["y", "p"])):
        lines = [columns, *(row[: len(columns)] for row in rows())]
        (tmp_path / f"{name}.csv").write_text("\n".join(",".join(map(str, line)) for line in lines))
    answers = [f"{'pf'[y]},{'pf'[p > 0.4]},{site},{i}" for i, (y, p, _, site, *_) in enumerate(rows())]
    labels = [one[1:] if i % 5 else one for i, one in enumerate(answers)]
    (tmp_path / "answers.csv").write_text("\n".join(["person,model,system,question", *labels]))
    for name in ("genuine", "impostor"):
        scores = [str((i * 37 % 97 + 60 * (name == "genuine")) / 160) for i in range(80)]
        (tmp_path / f"{name}.txt").write_text("\n".join(scores))
    assert main(shlex.split(call)) == 0, capsys.readouterr().err
    assert capsys.readouterr().out
