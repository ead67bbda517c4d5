"""Loads pictures from files, and draws readings over them."""

from __future__ import annotations

import io
import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from autoplayer.core.errors import NotFoundError, UsageError
from autoplayer.core.frame import Box, Cell, Image, Point
from autoplayer.core.gestures import Click, Drag, Gesture, Wheel
from autoplayer.games.text import tokens

if TYPE_CHECKING:
    from autoplayer.games.base import Doubt, Spot

LONGEST_SIDE, MOST_PIXELS = 20_000, 34_000_000
"""The largest screens (7680x4320) have 33 million pixels, with which the readers stay below 1 GB; a file whose header
claims more is refused before it is decompressed."""

KINDS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "PPM")
"""Pillow's names of the accepted formats: those of screenshots. Pillow knows many more, and passes some of them to
external programs (PostScript to Ghostscript), which is not safe for a file from a stranger."""

MOST_BYTES = 200_000_000
"""The largest file: more than the largest picture needs uncompressed."""

MOST_SCANS = 40
"""The most scans of a JPEG file: a progressive one has about ten. Each passes over the whole picture, and may be a few
bytes long."""

SCAN = b"\xff\xda"
"""The marker of a scan in a JPEG file; inside a scan's data it cannot occur."""

SURE, OPEN, CHANGED = (60, 150, 30), (0, 110, 255), (200, 60, 160)
"""BGR: what was read, what is in doubt, what the rules changed."""

WAYS = ((200, 40, 220), (220, 120, 0), (0, 120, 240), (0, 150, 60))
"""BGR: one drag after the other."""


def load(name: str) -> Image:
    """The picture in a file, as BGR; transparent parts on white. Raises NotFoundError where there is no such file,
    UsageError where it is not a picture or too large."""
    if not name:
        raise NotFoundError("expected the name of a picture, but it is empty")
    path = Path(name)
    if not path.exists():
        raise NotFoundError(f"{name}: there is no such file")
    if not path.is_file():
        raise UsageError(f"{name}: expected a picture, but this is a folder or a device")
    if not path.stat().st_size:
        raise UsageError(f"{name}: expected a picture, but the file is empty")
    import warnings

    from PIL import Image as Pillow
    from PIL import ImageOps, UnidentifiedImageError

    try:
        data = _bytes(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's own warnings about size and damaged metadata; both are checked
            with Pillow.open(io.BytesIO(data), formats=KINDS) as picture:
                width, height = picture.size
                if max(width, height) > LONGEST_SIDE or width * height > MOST_PIXELS:
                    raise UsageError(
                        f"{name}: expected a picture of a window, at most {LONGEST_SIDE} pixels a side and "
                        f"{MOST_PIXELS // 1_000_000} megapixels, but it is {width}x{height}"
                    )
                if picture.format in ("JPEG", "MPO") and data.count(SCAN) > MOST_SCANS:
                    raise UsageError(
                        f"{name}: expected a picture, but this JPEG file takes far longer than one to unpack"
                    )
                picture.load()
                upright = ImageOps.exif_transpose(picture)
                if upright.mode.startswith("I"):
                    # Pillow keeps 16 bits a pixel; the highest 8 are what a screen shows
                    deep = np.asarray(upright)
                    grey = np.clip(deep >> 8 if deep.max() > 255 else deep, 0, 255).astype(np.uint8)
                    return np.ascontiguousarray(np.repeat(grey[..., None], 3, axis=2))
                if upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info:
                    clear = upright.convert("RGBA")
                    upright = Pillow.new("RGBA", clear.size, "white")
                    upright.alpha_composite(clear)
                rgb = np.asarray(upright.convert("RGB"))
    except UsageError:
        raise
    except UnidentifiedImageError:
        raise UsageError(f"{name}: expected a picture (PNG, JPEG, WebP, BMP or GIF), but this file is none") from None
    except Pillow.DecompressionBombError:
        raise UsageError(f"{name}: the picture is far larger than any window") from None
    except Exception as error:  # a damaged file makes decoders raise dozens of kinds of errors
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise UsageError(f"{name}: the picture is damaged and cannot be read ({reason[:120]})") from None
    return np.ascontiguousarray(rgb[..., ::-1])


def _bytes(path: Path) -> bytes:
    """The content of the file ``path``. Raises UsageError where it is too long."""
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise UsageError(f"{path}: expected a picture of at most {MOST_BYTES // 1_000_000} MB, but it has {size} bytes")
    with open(path, "rb") as file:
        return file.read(MOST_BYTES)


def overlay(
    image: Image,
    places: Mapping[Cell, Box],
    text: str,
    doubts: tuple[Doubt, ...] = (),
    changed: Mapping[Spot, str] | None = None,
) -> Image:
    """``image`` with a box around each cell and its token in a corner; cells in doubt in another colour, with their
    candidates."""
    drawn = image.copy()
    read = tokens(text)
    open_cells = {spot[:2]: doubt for doubt in doubts for spot in doubt.cells}
    settled_cells = {spot[:2] for spot in changed or {}}
    for cell, box in places.items():
        colour = OPEN if cell in open_cells else CHANGED if cell in settled_cells else SURE
        size = max(min(box.width, box.height), 1)
        line = max(size // 40, 1)
        gap = size // 12
        corner = (box.x + gap, box.y + gap)
        cv2.rectangle(drawn, corner, (box.x + box.width - gap, box.y + box.height - gap), colour, line)
        said = read.get(cell, "?")
        if cell in open_cells and len(open_cells[cell].cells[0]) == 2:
            said = "/".join(token for token, _ in open_cells[cell].candidates[:3])
        scale = size / 110
        (width, height), _ = cv2.getTextSize(said, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
        right = (corner[0] + width + gap, corner[1] + height + gap)
        cv2.rectangle(drawn, corner, right, colour, -1)
        at = (corner[0] + gap // 2, corner[1] + height + gap // 2)
        cv2.putText(drawn, said, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (255, 255, 255), max(line // 2, 1), cv2.LINE_AA)
    return drawn


def gestures_over(image: Image, gestures: Sequence[Gesture]) -> Image:
    """``image`` with the mouse's path over it: a dot for each press, a line along each drag, an arrow at its end."""
    drawn = image.copy()
    thick = max(min(image.shape[:2]) // 150, 2)
    for number, gesture in enumerate(gestures):
        colour = WAYS[number % len(WAYS)]
        path: tuple[Point, ...] = ()
        match gesture:
            case Click(at) | Wheel(at):
                path = (at,)
            case Drag(path):
                pass
        for a, b in itertools.pairwise(path):
            cv2.line(drawn, a, b, colour, thick, cv2.LINE_AA)
        if len(path) > 1:
            # only the arrow's head: the last segment is drawn already
            (x, y), (u, v) = path[-2:]
            length = max(((u - x) ** 2 + (v - y) ** 2) ** 0.5, 1)
            cv2.arrowedLine(drawn, (x, y), (u, v), colour, thick, cv2.LINE_AA, tipLength=min(6 * thick / length, 1))
        if path:
            cv2.circle(drawn, path[0], 2 * thick, colour, -1, cv2.LINE_AA)
    return drawn


def side_by_side(pictures: list[Image], gap: int = 12) -> Image:
    """Pictures side by side, all as high as the first."""
    height = pictures[0].shape[0]
    row: list[Any] = []
    for picture in pictures:
        width = max(round(picture.shape[1] * height / picture.shape[0]), 1)
        if row:
            row.append(np.full((height, gap, 3), 255, np.uint8))
        row.append(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA))
    return np.ascontiguousarray(np.hstack(row))
