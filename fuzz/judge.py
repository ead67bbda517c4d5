"""What may come of an input: an answer, or a sentence and an exit code; within its time, its memory and its folder.

Whatever else comes of it is raised as :class:`Broken`. Nothing here knows a kind of input.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from autoplayer.core.errors import AutoplayerError, PuzzleError

MEGABYTES = 1024
"""Memory that an input may take, besides what the program takes with none."""

SECONDS = 20.0
"""Processor time that an input may take, with all code watched: five times what it would take alone."""

ASLEEP = 300
"""Seconds after which an input hangs that takes no processor time: the whole process is ended."""

LONGEST_SENTENCE = 20_000
"""Characters of all sentences about one input."""

T = TypeVar("T")


class Broken(Exception):  # noqa: N818  (not an error of a program, but the verdict on one)
    """An input that was not answered as it should be."""


class TooSlow(BaseException):
    """Raised in the midst of an input that takes too long; no ``except Exception`` keeps it."""


# --- limits ----------------------------------------------------------------------------------------------------------


def limit_memory(megabytes: int = MEGABYTES) -> None:
    """From now on this process gets no more than so much above what it has. Linux only; elsewhere nothing is done."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return
    import resource

    now = int(statm.read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (now + megabytes * 2**20, hard))


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Raises TooSlow in what takes more processor time than ``seconds``."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def too_slow(*_: object) -> None:
        raise TooSlow(f"more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, too_slow)
    faulthandler.dump_traceback_later(ASLEEP, exit=True)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, before)


# --- what nothing may do ---------------------------------------------------------------------------------------------

PROGRAMS = ("tesseract",)
"""What the program starts by itself, whatever it reads."""

_watching: list[Path] = []
_strayed: list[str] = []


def _allowed(path: str | bytes) -> bool:
    """Whether a file may be read: the program's own, Python's, and the system's libraries and typefaces."""
    name = os.path.realpath(os.fsdecode(path))
    own = (sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]), "/proc/", "/sys/", "/usr/")
    return name.startswith(own) or any(name.startswith(os.path.realpath(place) + os.sep) for place in sys.path if place)


def _audit(event: str, given: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event in ("open", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.chmod"):
        writes = event != "open" or (isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        relative = event in ("os.remove", "os.rmdir") and not os.path.isabs(given[0])  # to a folder that is open
        inside = relative or isinstance(given[0], int) or given[0] is None or _inside(given[0]) or _compiled(given[0])
        if not inside and (writes or not _allowed(given[0])) and given[0] != os.devnull:
            _strayed.append(f"{event} {given[0]!r}")
    elif event in ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "subprocess.Popen"):
        program = os.path.basename(str(given[0]))
        if program not in PROGRAMS:
            _strayed.append(f"{event} {program!r}")


def _inside(path: str | bytes) -> bool:
    """Whether a file is in the folder that is watched, or one of the temporary ones that the program makes itself."""
    name = os.path.realpath(os.fsdecode(path))
    temporary = os.path.realpath(tempfile.gettempdir()) in (name, os.path.dirname(name))  # the first has no name at all
    return temporary or any(name.startswith(os.path.realpath(place)) for place in _watching)


def _compiled(path: str | bytes) -> bool:
    """Whether Python keeps compiled modules there, of what it imports only now."""
    name = os.path.realpath(os.fsdecode(path))
    apart = sys.pycache_prefix and name.startswith(os.path.realpath(sys.pycache_prefix))
    return bool(apart) or ("__pycache__" in Path(name).parts and _allowed(name))


_audited = False


@contextmanager
def watched(folder: Path) -> Iterator[None]:
    """Raises Broken where files outside ``folder`` are opened or changed that are neither the program's nor the
    system's own, or where another program is started."""
    global _audited  # noqa: PLW0603  (an audit hook stays for good)
    if not _audited:
        sys.addaudithook(_audit)
        _audited = True
    _strayed.clear()
    _watching.append(folder)
    try:
        yield
    finally:
        _watching.pop()
    if _strayed:
        raise Broken(f"it went outside its folder: {_strayed[0]}")


# --- what is said ----------------------------------------------------------------------------------------------------


def sentence(error: AutoplayerError) -> str:
    """The sentence of an error. Raises Broken where it is none."""
    text = str(error)
    if not text.strip():
        raise Broken(f"{type(error).__name__} says nothing")
    _legible(text)
    if isinstance(error, PuzzleError) and (error.row < 0 or error.column < 0):
        raise Broken(f"row {error.row}, column {error.column}: {text[:200]}")
    return text


def refused(call: Callable[[], T], *errors: type[AutoplayerError]) -> T | None:
    """What ``call`` gives, or None where it raises one of ``errors``."""
    try:
        return call()
    except errors as error:
        sentence(error)
        return None


def _legible(text: str) -> None:
    if len(text) > LONGEST_SENTENCE:
        raise Broken(f"{len(text)} characters are no sentence: {text[:200]!r}")
    odd = next((ch for ch in text if not ch.isprintable() and ch not in "\n\t"), None)
    if odd is not None:
        raise Broken(f"a control character ({odd!r}) goes to the terminal: {text[:200]!r}")


def command(*arguments: str, home: Path, codes: Sequence[int] = (0, 1, 2, 3)) -> tuple[int, str, str]:
    """Run a command of the program in this process: its exit code, and what it wrote on its two outputs.

    Raises Broken where it met a fault of its own, ended otherwise than with one of ``codes``, failed without a word,
    or printed what is no text, and with ``--json`` what is no JSON.
    """
    from autoplayer.cli import main

    os.environ["AUTOPLAYER_HOME"] = str(home)
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as err,
    ):
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(arguments))
        out.seek(0)
        err.seek(0)
        said, complained = out.read(), err.read()
    if "met a fault of its own" in complained or "Traceback" in complained:
        _again(arguments, complained)
    if code not in codes:
        raise Broken(f"{arguments[0]} ended with exit code {code}: {complained[:200]}")
    if code and not complained.strip() and "--json" not in arguments:
        raise Broken(f"{arguments[0]} ended with exit code {code} without a word")
    _legible(complained)
    if "--json" in arguments:
        for line in said.strip("\n").split("\n") if said else ():
            if not isinstance(json.loads(line), dict):
                raise Broken(f"this is no JSON object: {line[:200]}")
    else:
        _legible(said[:LONGEST_SENTENCE])
    return code, said, complained


def _again(arguments: Sequence[str], complained: str) -> None:
    """Raise the error behind a fault of the program's own."""
    from autoplayer.cli import main

    os.environ["AUTOPLAYER_DEBUG"] = "1"
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            main(list(arguments))
    finally:
        del os.environ["AUTOPLAYER_DEBUG"]
    raise Broken(complained)
