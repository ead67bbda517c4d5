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
    ending = _Ending()
    with ending.heard(), subprocess.Popen(command) as window:
        ending.ends(window)
        try:
            return window.wait()
        except KeyboardInterrupt:
            window.terminate()
            raise


class _Ending:
    """Makes SIGTERM close a window that would otherwise stay open; also when it arrives while the window is being
    started."""

    def __init__(self) -> None:
        self._asked = False
        self._window: subprocess.Popen[bytes] | None = None

    def ends(self, window: subprocess.Popen[bytes]) -> None:
        """Close ``window`` on SIGTERM from now on, at once if one has arrived before."""
        self._window = window
        if self._asked:
            window.terminate()

    @contextmanager
    def heard(self) -> Iterator[None]:
        """While this lasts, SIGTERM is handled; only in the main thread, elsewhere nothing changes."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGTERM, lambda number, frame: self._hear())
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, before)

    def _hear(self) -> None:
        self._asked = True
        if self._window is not None:
            self._window.terminate()
