"""tallymark completion SHELL: a script that completes commands and options in bash, zsh or fish.

It is made from the parser, so that there is no second list. Files are completed as usual by the shell.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

EPILOG = (
    'In bash: eval "$(tallymark completion bash)"; in zsh, after compinit: eval "$(tallymark completion'
    ' zsh)"; in fish: tallymark completion fish | source.'
)
BASH = """\
_tallymark() {{
    local words
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    else
        case "${{COMP_WORDS[1]}}" in
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _tallymark tallymark
"""
ZSH = """\
#compdef tallymark
_tallymark() {{
    local -a found
    if (( CURRENT == 2 )); then
        found=({commands})
    else
        case "${{words[2]}}" in
{cases}
        esac
    fi
    compadd -a found
    _files
}}
compdef _tallymark tallymark
"""

EXAMPLES = ("completion bash",)


def add(commands: Any) -> None:
    """Enters the command."""
    command = commands.add_parser(
        "completion",
        help="a script that completes commands and options in a shell",
        epilog=EPILOG,
        examples=EXAMPLES,
    )
    command.set_defaults(run=run)
    command.add_argument("shell", choices=list(SCRIPTS), metavar="SHELL", help="bash, zsh or fish")


def run(given: argparse.Namespace) -> None:
    """Prints the script."""
    from . import commands

    print(SCRIPTS[given.shell](commands.parser().commands), end="")


Commands = dict[str, argparse.ArgumentParser]


def options_of(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The options that a command shows in its help."""
    return (one for one in command._actions if one.option_strings and one.help is not argparse.SUPPRESS)


def _words(command: argparse.ArgumentParser) -> str:
    """The options of a command, and the words that stand in fixed places."""
    names = (name for one in options_of(command) for name in one.option_strings)
    return " ".join([*_fixed(command), *names])


def _fixed(command: argparse.ArgumentParser) -> list[str]:
    """The words of a command that are not options, as the names of curves."""
    choices = (str(word) for one in command._actions for word in (one.choices or ()))
    return [*choices, *getattr(command, "words", list)()]


def _bash(commands: Commands) -> str:
    cases = [f'            {name}) words="{_words(one)}" ;;' for name, one in commands.items()]
    return BASH.format(commands=" ".join(commands), cases="\n".join(cases))


def _zsh(commands: Commands) -> str:
    cases = [f"            {name}) found=({_words(one)}) ;;" for name, one in commands.items()]
    return ZSH.format(commands=" ".join(commands), cases="\n".join(cases))


def _fish(commands: Commands) -> str:
    lines = [f"complete -c tallymark -n __fish_use_subcommand -a '{' '.join(commands)}'"]
    for name, command in commands.items():
        when = f"-n '__fish_seen_subcommand_from {name}'"
        if fixed := _fixed(command):
            lines.append(f"complete -c tallymark {when} -a '{' '.join(fixed)}'")
        for one in options_of(command):
            long = [option[2:] for option in one.option_strings if option.startswith("--")]
            short = [option[1:] for option in one.option_strings if not option.startswith("--")]
            flags = [*(f"-l {option}" for option in long), *(f"-s {option}" for option in short)]
            lines.append(f"complete -c tallymark {when} {' '.join(flags)}{' -r' * (one.nargs != 0)}")
    return "".join(f"{line}\n" for line in lines)


SCRIPTS: dict[str, Callable[[Any], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
