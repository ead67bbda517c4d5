"""Releases what a hand holds even when the program is killed: before each press a separate small process (``releaser``)
is told what would have to be released, and does it when the pipe to this program breaks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from autoplayer.core.errors import MachineError, cause

END_LIMIT = 5.0
"""Seconds that the process may take to end on a busy machine; it is killed then."""


class Keeper:
    """The connection to the releasing process, which is started when there is first something to release."""

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        """``start`` starts the process: see :func:`start_releaser`."""
        self._start = start
        self._process: subprocess.Popen[bytes] | None = None
        self._will = b""

    @property
    def pid(self) -> int | None:
        """The process's id; None where it is not running."""
        return self._process.pid if self._process is not None else None

    def will(self, will: bytes) -> None:
        """Set what is to be done should this program die now. Call it before a press and after a release. Raises
        MachineError where the process cannot be started: nothing may be pressed without it."""
        if will == self._will:
            return
        message = len(will).to_bytes(4, "little") + will
        if self._process is not None and not self._tell(message):
            self._end()  # it was ended by somebody: start another one
        if self._process is None and will:
            try:
                self._process = self._start()
            except OSError as fault:
                raise MachineError(
                    "Nothing was pressed: the process that would let go of the mouse if this program were killed "
                    f"cannot be started ({cause(fault)}). End some programs, then try again."
                ) from None
            if not self._tell(message):
                raise MachineError(
                    "Nothing was pressed: the process that would let go of the mouse if this program were killed "
                    f"ends at once. Does `{sys.executable} -I -S -c pass` work?"
                )
        self._will = will

    def close(self) -> None:
        """End the process; it does nothing any more."""
        if self._process is not None:
            self._tell((0).to_bytes(4, "little"))
            self._end()
        self._will = b""

    def _tell(self, message: bytes) -> bool:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(message)
        except OSError:
            return False
        return True

    def _end(self) -> None:
        process, self._process = self._process, None
        assert process is not None
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(END_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def start_releaser(system: str, display: int | None = None) -> subprocess.Popen[bytes]:
    """Start the process for ``system`` (``x11``, ``windows``, ``macos``); ``display``: the file descriptor of a
    connection to the X server, which belongs to the process from then on. Raises OSError."""
    program = Path(__file__).with_name("releaser.py")
    # Without site packages (-S) and environment variables (-I) it starts quickly and stays small.
    command = [sys.executable, "-I", "-S", str(program), system]
    return subprocess.Popen(
        command if display is None else [*command, str(display)],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=program.anchor,
        pass_fds=() if display is None else (display,),
        # Ctrl-C in the terminal, and the closing of the terminal, must reach only the bot.
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
