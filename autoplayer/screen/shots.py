"""How pictures of the screen are taken: by mss, or on X screens of other depths than it accepts by requests of our own.
Remote desktops often have 16 bits a pixel, some monitors 30."""

from __future__ import annotations

from typing import Any, Protocol

import mss
import numpy as np

from autoplayer.screen.windows import WindowSystem
from autoplayer.screen.xconnection import XConnection

MSS_DEPTHS = (24, 32)
"""The bits a pixel of screens that mss accepts."""

TRUE_COLOUR = 4
"""The X protocol's number for screens whose pixels are colours, and not entries of a palette."""

BAND = 64
"""Rows a request: python-xlib puts long replies together in a time that grows with the square of their length."""


class Shots(Protocol):
    """What takes pictures. ``box``: ``left``, ``top``, ``width``, ``height``, in screen units."""

    def grab(self, box: Any, /) -> mss.ScreenShot:
        """Raises mss.ScreenShotError where there is no such place, or nothing can be taken."""

    def close(self) -> None:
        """Release what was needed."""


def shots_of(system: WindowSystem) -> Shots:
    """What takes pictures of this ``system``'s screen. Raises mss.ScreenShotError."""
    if isinstance(system, XConnection) and system.display.screen().root_depth not in MSS_DEPTHS:
        visual = _visual(system)
        if visual is None:
            raise mss.ScreenShotError("its pixels are entries of a palette; set it to 16 bits a pixel or more")
        return XShots(system, visual)
    return mss.MSS()


def _visual(system: XConnection) -> Any:
    """The layout of the pixels of the screen; None where they are entries of a palette."""
    screen = system.display.screen()
    return next(
        (
            visual
            for depth in screen.allowed_depths
            for visual in depth.visuals
            if visual.visual_id == screen.root_visual and visual.visual_class == TRUE_COLOUR
        ),
        None,
    )


class XShots:
    """Pictures of an X screen with 15, 16 or 30 bits a pixel; belongs to the thread of its connection."""

    def __init__(self, system: XConnection, visual: Any) -> None:
        """``visual``: the layout of its pixels (python-xlib)."""
        from Xlib import X, error

        self._root, self._all, self._fault = system.root, (X.ZPixmap, 0xFFFFFFFF), error.XError
        info = system.display.display.info
        depth = system.display.screen().root_depth
        form = next(each for each in info.pixmap_formats if each.depth == depth)
        self._pixel = np.dtype(f"{'<' if info.image_byte_order == X.LSBFirst else '>'}u{form.bits_per_pixel // 8}")
        self._pad = form.scanline_pad // 8
        self._masks = visual.blue_mask, visual.green_mask, visual.red_mask

    def grab(self, box: Any, /) -> mss.ScreenShot:
        left, top, width, height = (box[key] for key in ("left", "top", "width", "height"))
        row = -(-width * self._pixel.itemsize // self._pad) * self._pad
        picture = np.zeros((height, width, 4), np.uint8)
        for y in range(0, height, BAND):
            rows = min(BAND, height - y)
            try:
                reply = self._root.get_image(left, top + y, width, rows, *self._all)
            except self._fault as fault:
                raise mss.ScreenShotError(f"the X server refused it ({fault})") from None
            lines = np.frombuffer(reply.data, np.uint8)[: rows * row].reshape(rows, row)
            pixels = lines[:, : width * self._pixel.itemsize].copy().view(self._pixel).astype(np.uint32)
            for colour, mask in enumerate(self._masks):
                picture[y : y + rows, :, colour] = (pixels & mask) * np.float32(255 / mask) + np.float32(0.5)
        return mss.ScreenShot(bytearray(picture), {**box})

    def close(self) -> None:
        """The connection belongs to others."""
