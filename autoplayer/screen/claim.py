"""The claim of a display: one bot at a time, visible to all other processes of this user, which can ask it to stop.

A claim is a file of one page in this user's runtime folder, named after the display. The bot that owns the display
holds an operating system's lock on it, which ends with the process, however that ends: a stale file claims nothing, and
no process id is trusted. The page is memory-mapped. The bot polls eight bytes of it without disk access; a process that
wants it to stop writes the bot's own token there (a token, so that a late request cannot stop the next bot).
"""

from __future__ import annotations

import json
import mmap
import os
import re
import secrets
import sys
import threading
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from autoplayer.core.errors import MachineError, cause

if TYPE_CHECKING:  # `autoplayer stop` must not wait for numpy to load
    from autoplayer.screen.windows import WindowSystem

PAGE = 4096
AT_WORK, REQUEST, RECORD = slice(0, 1), slice(8, 16), slice(64, PAGE)
"""Parts of the page: whether gestures are being made; the token of the bot that is asked to stop; the record about the
bot, JSON ending at the first zero byte."""
LOCKED = 1 << 20
"""The byte that is locked on Windows: behind the page, because a lock there prevents others from reading what is
locked."""

PATIENCE = 0.5
"""Seconds to wait for a display that another bot owns: that one may just be ending."""

LOOKED_AT = 30.0
"""Seconds to wait where others only read the claim: each of them holds the lock for a moment, and on a busy machine may
be suspended just then."""

MOST_TITLE = 200
"""Characters of a window's title in the record, which has to fit into the page."""


class TakenError(MachineError):
    """Another bot has the display."""


@dataclass(frozen=True)
class Holder:
    """A bot that has a display. ``since``: seconds since the epoch; ``game`` and ``window``: empty where unknown."""

    display: str
    pid: int
    game: str
    window: str
    since: float
    path: Path
    token: bytes

    def __str__(self) -> str:
        began = time.localtime(self.since)
        same_day = began[:3] == time.localtime()[:3]
        what = f", which plays {self.game or 'a game'}" + (f" in {self.window!r}" if self.window else "")
        return (
            f"autoplayer (process {self.pid}){what} on {self.display} "
            f"since {time.strftime('%H:%M:%S' if same_day else '%Y-%m-%d %H:%M', began)}"
        )


_mine: dict[str, Claim] = {}
"""This process's claims, by display."""
_mine_lock = threading.Lock()


class Claim:
    """A display that this process owns. Further claims of this process on the same display share it; it is given up
    when the last of them is released."""

    def __init__(self, display: str, game: str, window: str) -> None:
        self.display = display
        self._users = 0
        self._token = secrets.token_bytes(REQUEST.stop - REQUEST.start)
        self._file = _open(_path(display))
        try:
            begun = time.monotonic()
            while not _lock(self._file, shared=False):
                waited = time.monotonic() - begun
                if waited > LOOKED_AT or (waited > PATIENCE and _holder(_path(display)) is not None):
                    raise TakenError(_taken(display))
                time.sleep(0.02)
            # Written, not only extended: a full disk is then an error here, not a crash when the mapped memory is used.
            os.write(self._file, bytes(PAGE))
            self._page = mmap.mmap(self._file, PAGE)
        except OSError as fault:
            os.close(self._file)
            raise _no_note(_path(display), fault) from None
        except BaseException:
            os.close(self._file)
            raise
        record = {
            "display": display,
            "pid": os.getpid(),
            "game": game[:MOST_TITLE],
            "window": window[:MOST_TITLE],
            "since": time.time(),
            "token": self._token.hex(),
        }
        text = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")
        self._page[RECORD.start : RECORD.start + len(text)] = text

    def release(self) -> None:
        with _mine_lock:
            self._users -= 1
            if self._users:
                return
            del _mine[self.display]
            self._page[:] = bytes(PAGE)
            self._page.close()
            _unlock(self._file)  # a process forked meanwhile has the file open, too
            os.close(self._file)

    @property
    def asked_to_stop(self) -> bool:
        """Whether another process has asked this one to stop."""
        return self._page[REQUEST] == self._token

    def at_work(self, now: bool) -> None:
        """Announce whether gestures are being made: while none are, nothing is held down."""
        self._page[AT_WORK] = b"\1" if now else b"\0"


def take(display: str, game: str = "", window: str = "") -> Claim:
    """Claim a display (see :func:`display_of`) for this process. Raises TakenError with who has it, MachineError where
    no claim can be made."""
    with _mine_lock:
        claim = _mine.get(display)
        if claim is None:
            claim = _mine[display] = Claim(display, game, window)
        claim._users += 1
        return claim


def holders() -> list[Holder]:
    """Every bot of this user that has a display."""
    found = (_holder(path) for path in sorted(_folder().glob("*.claim")))
    return [holder for holder in found if holder is not None]


def ask_to_stop(holder: Holder) -> None:
    """Ask a bot to stop. It sees this before its next event, and within a few hundredths of a second while it makes a
    gesture. A bot that has ended meanwhile is no fault."""
    with suppress(FileNotFoundError):
        file = os.open(holder.path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            with mmap.mmap(file, PAGE) as page:
                page[REQUEST] = holder.token
        finally:
            os.close(file)


def is_at_work(holder: Holder) -> bool:
    """Whether this bot is making gestures. Asked after :func:`ask_to_stop`, False is final: the bot announces that it
    is at work before it looks for requests, and it does both before it presses anything."""
    now = _read(holder.path)
    return now is not None and now[0].token == holder.token and now[1]


def is_there(holder: Holder) -> bool:
    """Whether this bot still owns its display."""
    now = _read(holder.path)
    return now is not None and now[0].token == holder.token


def display_of(system: WindowSystem) -> str:
    """The name of the desktop that a window system plays on. All screens of an X server share one pointer, so they
    count as one; Windows and macOS have one desktop a login."""
    return display_name(str(getattr(system, "display_name", "")) or system.name)


def display_name(name: str) -> str:
    """The name of an X display without its screen number, in one spelling for all forms that DISPLAY allows; any other
    name unchanged.

    >>> display_name("unix:1.0"), display_name(":1"), display_name("Host:10.0")
    (':1', ':1', 'host:10')
    """
    match = re.fullmatch(r"(?:unix(?=:))?(.*):(\d+)(?:\.\d+)?", name)
    return f"{match[1].lower()}:{match[2]}" if match else name


# Inside


def _folder() -> Path:
    """This user's runtime folder, the same for all sessions of the user. It is independent of AUTOPLAYER_HOME: bots
    with different homes share one mouse."""
    import platformdirs

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns where XDG_RUNTIME_DIR is not set
            folder = platformdirs.user_runtime_path("autoplayer", appauthor=False)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if hasattr(os, "getuid") and (folder.stat().st_uid != os.getuid() or folder.is_symlink()):
            raise PermissionError(0, "it belongs to somebody else")
    except OSError as fault:
        raise MachineError(
            "The folder in which running programs are noted cannot be used "
            f"({fault.filename or 'runtime folder'}: {cause(fault)}): set XDG_RUNTIME_DIR to a folder of "
            "your own."
        ) from None
    return folder


def _path(display: str) -> Path:
    return _folder() / f"{quote(display, safe='')}.claim"


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags, 0o600)
    except OSError as fault:
        raise _no_note(path, fault) from None


def _no_note(path: Path, fault: OSError) -> MachineError:
    return MachineError(
        f"Who has the display cannot be noted in {str(path)!r} ({cause(fault)}), so nothing is played: "
        "free some space there, or set XDG_RUNTIME_DIR to a folder of your own."
    )


def _lock(file: int, *, shared: bool) -> bool:
    """Lock an open file without waiting; False where another process holds the lock. ``shared``: a lock that several
    readers can hold at once."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, LOCKED, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as fault:
        raise MachineError(
            f"The runtime folder's disk cannot lock files ({fault.strerror}): set XDG_RUNTIME_DIR to a folder on "
            "another one."
        ) from None
    return True


def _unlock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, LOCKED, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_UN)


def _read(path: Path) -> tuple[Holder, bool] | None:
    """Who holds a claim, and whether it is at work; None where nobody does."""
    try:
        file = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    try:
        if _lock(file, shared=True):
            _unlock(file)
            return None
        os.lseek(file, 0, os.SEEK_SET)
        page = os.read(file, PAGE)
    finally:
        os.close(file)
    try:
        record = json.loads(page[RECORD].split(b"\0")[0])
        token = bytes.fromhex(record["token"])
        holder = Holder(
            str(record["display"]),
            int(record["pid"]),
            str(record["game"]),
            str(record["window"]),
            float(record["since"]),
            path,
            token,
        )
    except (ValueError, KeyError, TypeError):
        return None  # it holds the lock, but has not written its record yet
    return holder, page[AT_WORK] == b"\1"


def _holder(path: Path) -> Holder | None:
    found = _read(path)
    return found[0] if found is not None else None


def _taken(display: str) -> str:
    holder = _holder(_path(display))
    who = str(holder) if holder is not None else f"another bot on {display}"
    return (
        f"One bot at a time may have the mouse, and it belongs to {who}. "
        "Wait until it has ended, or stop it: autoplayer stop."
    )
