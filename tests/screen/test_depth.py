"""Screens with another number of bits a pixel than 24: remote desktops often have 16, some monitors 30."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from autoplayer.cli import main
from autoplayer.core.errors import MachineError
from autoplayer.core.frame import Image
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.display import display_facts, start_xvfb
from autoplayer.screen.windows import Region
from autoplayer.screen.x11 import X11

pytestmark = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")

SHARES = ((1.0, 0.5, 0.0), (0.0, 1.0, 0.25), (0.75, 0.0, 1.0))
"""Colours of three areas side by side: blue, green and red, of the brightest."""


def shown(depth: int, size: tuple[int, int]) -> Image:
    """A picture of a screen of this depth with areas of the three colours, an upright stripe each."""
    with start_xvfb(size, depth=depth, window_manager=False):
        system = X11()
        screen = system.display.screen()
        [masks] = [
            (visual.blue_mask, visual.green_mask, visual.red_mask)
            for each in screen.allowed_depths
            for visual in each.visuals
            if visual.visual_id == screen.root_visual
        ]
        width = -(-size[0] // 3)
        for number, shares in enumerate(SHARES):
            pixel = sum(
                round(share * (mask // (mask & -mask))) * (mask & -mask)
                for share, mask in zip(shares, masks, strict=True)
            )
            pen = system.root.create_gc(foreground=pixel)
            system.root.fill_rectangle(pen, number * width, 0, width, size[1])
        system.display.sync()
        desktop = DesktopScreen(Region(0, 0, *size), system=system, bring_to_front=False)
        try:
            return desktop.grab().image
        finally:
            desktop.close()
            system.close()


@pytest.mark.parametrize("depth", [15, 16, 24, 30])
def test_a_picture_has_the_colours_of_the_screen(depth: int) -> None:
    """The width is odd: rows of pixels of two bytes are then filled up. The height is more than one request takes."""
    image = shown(depth, (301, 201))
    assert image.shape == (201, 301, 3)
    for stripe, shares in zip(np.array_split(image[:, :300], 3, axis=1), SHARES, strict=True):
        inside = stripe[:, 3:-3].reshape(-1, 3)
        assert np.abs(inside - np.multiply(shares, 255)).max() <= 5  # half a step of five bits
        assert (inside == inside[0]).all()


def test_what_a_screen_with_a_palette_lacks_is_said() -> None:
    with start_xvfb((320, 240), depth=8, window_manager=False):
        facts = display_facts()
        assert facts.no_pictures is not None
        assert "palette" in facts.no_pictures
        with pytest.raises(MachineError, match="16 bits a pixel or more"):
            DesktopScreen(Region(0, 0, 100, 100), bring_to_front=False)


def test_the_bundled_window_is_drawn_and_read_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Incident: with 16 bits a pixel the bundled window ended with a traceback, and no window could be seen."""
    level = "X 1 2\n3 2 2\n3 4 4"
    (tmp_path / "levels.txt").write_text(level, encoding="utf-8")
    with start_xvfb((500, 400), depth=16, window_manager=False):
        arguments = ["cardinal-chains", "--levels", str(tmp_path / "levels.txt"), "--size", "400x300"]
        window = subprocess.Popen(
            [sys.executable, "-m", "autoplayer.arcade", *arguments], env={**os.environ, "SDL_VIDEODRIVER": "x11"}
        )
        try:
            end = time.monotonic() + 30
            while (code := main(["read", "cardinal-chains", "--window", "Cardinal"])) and time.monotonic() < end:
                assert window.poll() is None
                time.sleep(0.05)
        finally:
            window.terminate()
            window.wait()
    assert code == 0
    assert capsys.readouterr().out.strip() == level
