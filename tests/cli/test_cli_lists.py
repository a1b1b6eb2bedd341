"""The helps name every curve and every rule that there is."""

import pytest

from tallymark.cli.commands import parser
from tallymark.curves import CURVES
from tallymark.evaluation.thresholds import NAMED


@pytest.mark.parametrize(("command", "names"), [("curve", CURVES), ("threshold", NAMED)])
def test_the_help_names_all(command, names):
    commands = next(action for action in parser()._actions if action.dest == "command").choices
    said = " ".join(commands[command].format_help().split())
    assert [name for name in names if name not in said] == []
