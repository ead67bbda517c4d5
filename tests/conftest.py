"""Fixtures that several rooms' tests share: a display of their own, never the person's."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from autoplayer.screen.display import VirtualDisplay, start_xvfb
from autoplayer.screen.x11 import X11

# The same examples each time, and none is too slow: whether a test passes is not for chance or the machine to say.
# `--hypothesis-profile default` looks for new ones.
settings.register_profile(
    "same", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")


@pytest.fixture(scope="session")
def display() -> Iterator[VirtualDisplay]:
    """An own Xvfb, 1280x1024, with openbox where that is installed; DISPLAY names it. One a pytest-xdist worker."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed (apt-get install xvfb), so nothing with a window can be tried")
    with start_xvfb((1280, 1024)) as running:
        yield running


@pytest.fixture(autouse=True)
def pointer_away(request: pytest.FixtureRequest) -> None:
    """Puts the pointer of the tests' display where it stops nothing: the last test may have left it in a corner."""
    if "display" in request.fixturenames:
        system = X11(request.getfixturevalue("display").name)
        system.root.warp_pointer(640, 1000)
        system.display.sync()
        system.close()


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned about windows goes into a folder of the test's own."""
    monkeypatch.setenv("AUTOPLAYER_HOME", str(tmp_path / "home"))
