"""``autoplayer arcade``: starts the bundled window in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Annotated

import typer

from autoplayer import games
from autoplayer.core.errors import MachineError

CONTEXT = {"allow_extra_args": True, "ignore_unknown_options": True}


def arcade(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="The game, as in `autoplayer games`.")],
) -> int:
    """Open the bundled window of a game, for a person to play.

    Whatever follows the game goes to the window: `autoplayer arcade cardinal-chains -- --help` lists its options.

    \b
    Example: autoplayer arcade cardinal-chains
    """
    games.load(game)
    if find_spec("pygame") is None:
        raise MachineError("the bundled window needs pygame-ce; install it with: pip install 'autoplayer[arcade]'")
    command = [sys.executable, "-m", "autoplayer.arcade", game, *context.args]
    with subprocess.Popen(command) as window, _ended_with(window):
        try:
            return window.wait()
        except KeyboardInterrupt:
            window.terminate()
            raise


@contextmanager
def _ended_with(window: subprocess.Popen[bytes]) -> Iterator[None]:
    """While this lasts, SIGTERM ends ``window``, which else would be left open."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, frame: window.terminate())
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
