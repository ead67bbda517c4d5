"""Fixtures for all tests: a display of their own, never the person's."""

from __future__ import annotations

import atexit
import gc
import io
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from autoplayer.cli import main
from autoplayer.screen.display import VirtualDisplay, start_xvfb
from autoplayer.screen.x11 import X11
from autoplayer.session.looking import words

# The same examples each time, and none is too slow: whether a test passes is not for chance or the machine to say.
# `--hypothesis-profile default` looks for new ones.
settings.register_profile(
    "same", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")

# The processes of the tests, and what they start, share the cores: threads of each would only get into their way.
for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(library, "1")

# What whoever starts the tests has learned about windows is for no test to see or to change.
os.environ["AUTOPLAYER_HOME"] = tempfile.mkdtemp(prefix="autoplayer-home-")
atexit.register(shutil.rmtree, os.environ["AUTOPLAYER_HOME"], ignore_errors=True)

# Where Python keeps no compiled files, every process would compile all that it imports: they are kept in a folder of
# this run, for all of its processes.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="autoplayer-compiled-")
    atexit.register(shutil.rmtree, sys.pycache_prefix, ignore_errors=True)

# Whoever starts the tests in the background has Ctrl-C ignored, by them and by all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def no_words_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tesseract is not used, so that tests run alike whether or not it is installed."""
    monkeypatch.setattr(words, "can_read", lambda: False)


TESTS = Path(__file__).parent.resolve()
SLOWEST = TESTS / "slowest.txt"
"""The tests that take longest, one a line, the slowest first (`pytest --durations 60` says which)."""


MOST_PROCESSES = 6
"""Each has a display, windows and their programs: with more of them even a large machine is crowded."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """`-n auto`: five processes for two cores, because half of the time is spent on waiting for windows."""
    return min(5 * len(os.sched_getaffinity(0)) // 2, MOST_PROCESSES)


def pytest_configure(config: pytest.Config) -> None:
    """Processes of pytest-xdist take over tests that others have not begun yet; with a fixed share for each, some
    would be idle at the end."""
    if getattr(config.option, "dist", "no") == "load":
        config.option.dist = "worksteal"
    if hasattr(config, "workerinput") and [Path(each).resolve() for each in config.args] == [TESTS]:
        config.args = in_turn(config.workerinput)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported and collected stays until the end: a fifth of that time would be spent on looking, again and
    again, for what of it can be freed."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def in_turn(worker: Mapping[str, Any]) -> list[str]:
    """The files and folders of the tests, in the order in which one process of pytest-xdist imports them. Each process
    begins in another place, so that a file is compiled once and not once in every process."""
    inside = sorted(
        str(each)
        for each in TESTS.iterdir()
        if (each.is_dir() and each.name[0].isalpha()) or each.name.startswith("test_")
    )
    first = int(worker["workerid"].removeprefix("gw")) * len(inside) // worker["workercount"]
    return inside[first:] + inside[:first]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Every process begins with its part of the slowest tests: all would have to wait for one that begins last. The
    order must be the same in all processes, though they import the files in different orders."""
    items.sort(key=lambda item: item.path)
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    places = {name: place for place, name in enumerate(SLOWEST.read_text("utf-8").splitlines())}
    slow = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])
    others = [item for item in items if item.nodeid not in places]
    ordered: list[pytest.Item] = []
    for n in range(processes):  # the work-stealing scheduler gives each an equal part of the list, in its order
        part = (len(items) - len(ordered)) // (processes - n)
        first = slow[n::processes]
        quick = max(part - len(first), 0)
        ordered += first + others[:quick]
        del others[:quick]
    items[:] = ordered + others


@pytest.fixture(scope="session")
def display() -> Iterator[VirtualDisplay]:
    """An own Xvfb, 1280x1024, with openbox where that is installed; DISPLAY names it. One a pytest-xdist worker."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed (apt-get install xvfb), so nothing with a window can be tried")
    with start_xvfb((1280, 1024)) as running:
        yield running


@pytest.fixture(autouse=True)
def pointer_away(request: pytest.FixtureRequest) -> None:
    """Moves the pointer out of the corners of the tests' display: a pointer there stops the bot."""
    if "display" in request.fixturenames:
        system = X11(request.getfixturevalue("display").name)
        system.root.warp_pointer(640, 1000)
        system.display.sync()
        system.close()


@pytest.fixture(scope="session", autouse=True)
def fonts_of_the_project() -> Iterator[None]:
    """Windows that tests draw use the typefaces of `bench.reading.drawn_faces` and Pillow's own, never installed fonts:
    the result is the same on every machine."""
    from bench.reading import faces

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(faces, "installed", dict)
        yield


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user folder for this test only, in which what is learned about windows is stored."""
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path / "home"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command line here; returns the exit code, what it printed and what it said on the standard error."""

    def call(*arguments: str, stdin: str | bytes = "") -> tuple[int, str, str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        code = main(arguments)
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return code, said.out, said.err

    return call
