"""A command, as a person calls it."""

import pytest

from tallymark.cli import main


@pytest.fixture
def run(capsys):
    """Runs a command: its exit status, what it printed, and what it complained."""

    def call(*arguments):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code or 0
        return status, *capsys.readouterr()

    return call
