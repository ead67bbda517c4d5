"""The command line: one module per command. Only this room prints.

``main`` loads the one command that was asked for, so that the help costs little and a command that cannot be loaded
costs the others nothing. It also turns every error into one sentence and an exit code:
0 all done; 1 some item failed; 2 wrong usage or bad input; 3 the window or file is not there; 4 stopped by the
person; 5 this machine lacks something.

A command module holds a function of the command's name (``solve.solve``); its arguments are typer's, and it returns
an exit code, or None for 0. What its ``CONTEXT`` holds, if it has one, goes to typer as ``context_settings``.
"""

from __future__ import annotations

import errno
import functools
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from autoplayer.core.errors import AutoplayerError, MachineError, StoppedError

COMMANDS = {
    "demo": "Play the bundled window and leave a picture of it.",
    "play": "Play a game that is running in a window.",
    "stop": "Stop the bot that has the mouse, from another terminal.",
    "calibrate": "Learn a window that was not seen before.",
    "read": "Say what is seen in pictures of a game.",
    "solve": "Solve puzzles given as text.",
    "generate": "Make new puzzles with one solution.",
    "replay": "Read recorded sessions and pictures again and say what differs.",
    "record": "Keep pictures of a window while you play, for replay.",
    "arcade": "Open the bundled window of a game, for a person to play.",
    "games": "List the games.",
    "layouts": "List the layout profiles and check them.",
    "doctor": "Say whether this machine is ready, and if not, what to do.",
}
"""Each command with its line in the help, so that showing the help loads none of them."""


INTERRUPTED = 130
"""The exit code that typer uses, as shells do, for Ctrl-C during the parsing of arguments; no command uses it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line ``arguments`` (without the program's name) and return the exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if arguments[0] == "help":  # as many programs have it
        arguments = [*arguments[1:], "--help"]
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a console that has no arrows gets question marks, not an error
            stream.reconfigure(errors="replace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except (BrokenPipeError, _PipeClosedError):
        # the reader of the output has seen enough (`| head`); what is still in the buffer must not raise an error at
        # exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Exception, KeyboardInterrupt) as error:
        if os.environ.get("AUTOPLAYER_DEBUG"):
            raise
        sentence, code = _say(error)
        from autoplayer.cli.output import plain

        print(plain(sentence), file=sys.stderr)
    return code


def _open_closed_streams() -> None:
    """Opens standard streams that the caller has closed (``>&-``, some schedulers) on the null device. Otherwise a file
    that is opened later would get a standard stream's number, and its output."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_RDWR)  # the lowest free number
            os.set_inheritable(number, True)  # for programs that are started
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


def _run(arguments: list[str]) -> int:
    import typer

    app = typer.Typer(
        name="autoplayer",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def autoplayer(version: bool = typer.Option(False, "--version", help="Print the version and leave.")) -> None:
        """Looks at a puzzle game's window, works out the puzzle, and plays it with mouse and keyboard.

        \b
        Example: autoplayer demo
        Each command says more: autoplayer solve --help
        """

    if arguments[:1] == ["--version"]:
        from autoplayer import __version__

        print(f"autoplayer {__version__}")
        return 0
    wanted = next((argument for argument in arguments if not argument.startswith("-")), None)
    for name, line in COMMANDS.items():
        if name == wanted:
            module = importlib.import_module(f"autoplayer.cli.{name}")
            settings = getattr(module, "CONTEXT", None)
            app.command(name, short_help=line, context_settings=settings)(_stoppable(getattr(module, name)))
        else:
            app.command(name, help=line)(_not_asked_for)
    code = app(arguments, prog_name="autoplayer", standalone_mode=False)
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _not_asked_for() -> None:
    """Stands in the help for a command that is not loaded in this run."""


def _stoppable(command: Callable[..., Any]) -> Callable[..., Any]:
    """``command``, with Ctrl-C and a closed pipe as exceptions that typer does not handle."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except KeyboardInterrupt as error:
            raise StoppedError("stopped") from error
        except BrokenPipeError as error:
            raise _PipeClosedError from error

    return run


class _PipeClosedError(Exception):
    """A BrokenPipeError that typer does not handle."""


def _say(error: BaseException) -> tuple[str, int]:
    """The sentence for an error, and its exit code."""
    if isinstance(error, KeyboardInterrupt):
        error = StoppedError("stopped")
    if isinstance(error, ModuleNotFoundError):
        error = MachineError(f"the Python module '{error.name}' is missing; install autoplayer with all it needs")
    if isinstance(error, AutoplayerError):
        return f"autoplayer: {error}", error.exit_code
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return f"autoplayer: {place}{error.strerror}", 5 if error.errno == errno.ENOSPC else 2
    if hasattr(error, "format_message"):  # typer's own: wrong options and arguments
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "autoplayer"
        return f"{path}: {error.format_message()} (see `{path} --help`)", 2
    return (
        f"autoplayer met a fault of its own ({type(error).__name__}: {str(error)[:200]}); "
        "set AUTOPLAYER_DEBUG=1 to see where",
        1,
    )
