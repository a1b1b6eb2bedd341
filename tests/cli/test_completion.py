"""Shell completion: the scripts have every command and option of the parser, and bash completes by them."""

import shutil
import subprocess

import pytest
from looping import for_each

from tallymark.cli import main
from tallymark.cli.commands import parser
from tallymark.cli.completion import SCRIPTS, options_of


def script(shell, capsys):
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", list(SCRIPTS))
def test_it_has_every_command_and_option(shell, capsys):
    written = script(shell, capsys)
    lines = written.splitlines()
    for name, command in parser().commands.items():
        own = [line for line in lines if f" {name})" in line or f"from {name}'" in line]
        assert own or not list(options_of(command))
        words = " ".join(own).replace("-l ", "--").split()
        for option in options_of(command):
            long = [one for one in option.option_strings if one.startswith("--")]
            assert all(any(one in word for word in words) for one in long), (name, long)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@for_each(
    ("typed", "wanted"),
    [
        (["ev"], {"evaluate"}),
        (["evaluate", "--trut"], {"--truth"}),
        (["completion", "f"], {"fish"}),
        (["bootstrap", "cases.csv", "--repl"], {"--replicates"}),
        (["curve", "pr_"], {"pr_interpolated"}),
    ],
)
def test_bash_completes(typed, wanted):
    run = subprocess.run(
        ["bash", "-c", 'eval "$(cat)"; COMP_WORDS=(tallymark "$@"); COMP_CWORD=$#; _tallymark;'
         ' printf "%s\\n" "${COMPREPLY[@]}"', "bash", *typed],
        input=SCRIPTS["bash"](parser().commands), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert set(run.stdout.split()) == wanted
    assert run.stderr == ""


ZSH = """
compdef() { :; }; compadd() { found_in() { print -l -- $found; }; found_in; }; _files() { :; }
eval "$(cat)"; words=(tallymark "$@"); CURRENT=$(($# + 1)); _tallymark
"""
TYPED = [["ev"], ["evaluate", "--trut"], ["completion", "f"], ["plot", "conf"]]
WANTED = ["evaluate", "--truth", "fish", "confidence"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
@for_each(("typed", "wanted"), list(zip(TYPED, WANTED, strict=True)))
def test_zsh_completes(typed, wanted):
    """compadd, which takes what begins with the word typed, stands for itself here."""
    run = subprocess.run(
        ["zsh", "-fc", ZSH, "zsh", *typed],
        input=SCRIPTS["zsh"](parser().commands), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert wanted in run.stdout.split()
    assert run.stderr == ""


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
@for_each(("typed", "wanted"), list(zip(TYPED, WANTED, strict=True)))
def test_fish_completes(typed, wanted, tmp_path):
    line = " ".join(["tallymark", *typed])
    run = subprocess.run(
        ["fish", "--no-config", "-c", f"source -; complete -C '{line}'"],
        input=SCRIPTS["fish"](parser().commands), capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert wanted in run.stdout.split()
    assert run.stderr == ""


def test_another_shell_is_refused(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert "invalid choice: 'tcsh'" in capsys.readouterr().err
