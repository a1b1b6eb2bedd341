"""The command line: `tallymark COMMAND`. Exit statuses are in STATUSES.

This is the outermost frame, through which everything passes, the imports of the commands included: whatever
goes wrong is one sentence and a status. It imports next to nothing itself. TALLYMARK_DEBUG=1 shows the
traceback of a defect of tallymark.
"""

from __future__ import annotations

import os
import shlex
import sys

from ..input.errors import InputError

TYPE_CHECKING = False  # for type checkers; typing takes longer to import than all else here
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

DONE, NOT_PASSED, WRONG, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
# of every command
STATUSES = {DONE: "done", WRONG: "the input or the call is wrong", INTERRUPTED: "interrupted by Ctrl-C"}
DEBUG = "TALLYMARK_DEBUG"
KERNELS = "tallymark.kernels"  # an ImportError of this name says which kernels cannot be had, and why
INTERRUPTS: list[int] = []  # signals that came
# in what is raised
NO_MEMORY = ("cannot allocate", "failed to map segment", "can't start new thread", "unable to allocate")


def main(arguments: list[str] | None = None) -> int:
    """Runs one command. Nothing but its result goes to standard output."""
    try:
        return run(arguments)
    except KeyboardInterrupt:  # that came between two steps of `run`, or while something else was explained
        return flushed(INTERRUPTED)


def run(arguments: list[str] | None) -> int:
    """The same; a Ctrl-C outside the command itself is raised."""
    options = None
    if arguments is None:  # the process is ours
        on_interrupt(leave)
    try:
        from ..input.calls import as_call, file_name
        from ..input.terminal import shown_on
        from . import commands

        if arguments is None:
            on_interrupt(interrupt)
        readable()
        options = commands.parse(arguments)
        words = map(file_name, sys.argv[1:] if arguments is None else arguments)
        with (
            commands.typed(options.parser._actions),
            shown_on(sys.stdout),
            as_call(shlex.join(["tallymark", *words])),
        ):
            options.run(options)
        # what is still in the buffer may fail only now; also where there is no standard output
        print(end="", flush=True)
    except BaseException as reason:
        status = explained(reason, getattr(options, "status", DONE))
    else:
        status = getattr(options, "status", DONE)
    if arguments is None:
        on_interrupt(leave)
    return flushed(status)


def readable() -> None:
    """A terminal that knows ASCII only still gets its answer."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


# What went wrong
# --------------------------------------------------------------------------------------------------


def explained(reason: BaseException, status: int) -> int:
    """Print the error as one sentence and return the exit status.

    status: that of the command, as far as it came.
    """
    if isinstance(reason, SystemExit):  # of --help and --version, or after a complaint about the options
        return reason.code if isinstance(reason.code, int) else DONE
    # a library that was being imported may raise something else instead
    if isinstance(reason, KeyboardInterrupt) or INTERRUPTS:
        return INTERRUPTED
    if isinstance(reason, BrokenPipeError):  # the reader, as `head`, has seen enough
        discard_output()
        return status
    complain(sentence(reason))
    return WRONG


def sentence(reason: BaseException) -> str:
    """What is wrong, and what to do."""
    if isinstance(reason, InputError) or (isinstance(reason, ImportError) and reason.name == KERNELS):
        return str(reason)
    text = " ".join(str(reason).split())
    if isinstance(reason, MemoryError) or any(sign in text.lower() for sign in NO_MEMORY):
        return "there is not enough memory for this; give the process more, or fewer rows or replicates."
    if isinstance(reason, OSError) and reason.filename is None and reason.strerror:
        if not output_fails():
            return (
                f"the system refused an operation ({reason.strerror}); try again, or with other files or"
                " fewer threads."
            )
        discard_output()
        return f"standard output cannot be written ({reason.strerror}); make room, or send it elsewhere."
    if isinstance(reason, OSError) and reason.strerror:
        return f"{str(reason.filename)!r} cannot be used ({reason.strerror}); choose another file."
    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exception(reason)
    what = f"{type(reason).__name__}: {text}" if text else type(reason).__name__
    return (
        f"this is a defect of tallymark ({what}); please report it, with the traceback that {DEBUG}=1 shows."
    )


def complain(text: str) -> None:
    """To standard error, if that can be written to."""
    try:
        print(f"tallymark: error: {text}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return  # the status says it


# Standard output
# --------------------------------------------------------------------------------------------------


def flushed(status: int) -> int:
    """Empties the buffer, so that nothing is left to fail when Python ends."""
    try:
        print(end="", flush=True)
    except BrokenPipeError:
        discard_output()
    except (OSError, ValueError) as reason:
        complain(sentence(reason))
        discard_output()
        return WRONG
    return status


def output_fails() -> bool:
    """Whether standard output is what cannot be written: then its buffer cannot be emptied now either."""
    try:
        print(end="", flush=True)
    except (OSError, ValueError):
        return True
    return False


def discard_output() -> None:
    """What could not be written goes nowhere, and Python does not try again at its end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):
        return  # there is no standard output, or it is not a file


# Ctrl-C
# --------------------------------------------------------------------------------------------------


def on_interrupt(handler: Callable[[int, Any], None]) -> None:
    """Set what Ctrl-C does, unless the process was started to ignore it.

    Outside the main thread nothing changes.
    """
    import signal

    try:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, handler)
            sys.unraisablehook = unraisable
    except ValueError:
        return


def leave(*_: object) -> None:
    """At once: while modules are imported, and when all is done, there is nothing to tidy up."""
    os._exit(INTERRUPTED)


def interrupt(number: int, _: object) -> None:
    """So that what is half written is removed; a second Ctrl-C does not wait for that."""
    on_interrupt(leave)
    INTERRUPTS.append(number)
    raise KeyboardInterrupt


def unraisable(problem: sys.UnraisableHookArgs) -> None:
    """A Ctrl-C that Python could not pass on, as in a destructor; anything else as usual."""
    if isinstance(problem.exc_value, KeyboardInterrupt):
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(problem)
