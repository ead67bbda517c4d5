"""Small pictures, made here, and the files that hold them."""

from __future__ import annotations

import io
import struct
import zlib

import cv2
import numpy as np
from PIL import Image as Pillow

from autoplayer import games
from autoplayer.core.frame import Image

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def board(name: str, text: str, width: int = 320) -> Image:
    """A game's own drawing of a puzzle, at most so many pixels wide."""
    game = games.load(name)
    drawn = game.draw(game.parse(text))
    scale = min(width / drawn.shape[1], 1.0)
    return np.asarray(cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def png(image: Image) -> bytes:
    done, data = cv2.imencode(".png", image)
    assert done
    return data.tobytes()


def files() -> list[bytes]:
    """A tiny picture in many formats and modes, an animated one, and beginnings of others that are not read."""
    rng = np.random.default_rng(1)
    rgb = Pillow.fromarray(rng.integers(0, 256, (6, 5, 3), np.uint8))
    modes = [rgb.convert(mode) for mode in ("RGB", "RGBA", "L", "LA", "P", "1")]
    modes.append(Pillow.fromarray(rng.integers(0, 65535, (6, 5)).astype(np.uint16)))
    found = [_saved(each, "PNG") for each in modes]
    found += [_saved(rgb, kind) for kind in ("JPEG", "GIF", "BMP", "WEBP", "TIFF", "PPM", "ICO", "TGA")]
    found.append(_saved(rgb.convert("CMYK"), "JPEG"))
    found.append(_saved(rgb, "JPEG", progressive=True))
    found += [
        _saved(rgb, kind, save_all=True, append_images=[rgb.rotate(90), rgb.rotate(180)])
        for kind in ("GIF", "PNG", "WEBP")
    ]
    exif = Pillow.Exif()
    exif[0x0112] = 6
    found += [_saved(rgb, kind, exif=exif.tobytes()) for kind in ("JPEG", "PNG", "WEBP")]
    found += [
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EOF\n",
        b"this is a text\n",
        png(np.zeros((1, 1, 3), np.uint8)),
    ]
    return found


def _saved(picture: Pillow.Image, kind: str, **more: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **more)
    return out.getvalue()


def mended(data: bytes) -> bytes:
    """A PNG whose checksums are right again, so that what was changed in it is looked at."""
    if not data.startswith(SIGNATURE):
        return data
    parts, at = [SIGNATURE], len(SIGNATURE)
    while at + 12 <= len(data):
        length = min(int.from_bytes(data[at : at + 4], "big"), len(data) - at - 12)
        body = data[at + 4 : at + 8 + length]
        parts.append(struct.pack(">I", length) + body + struct.pack(">I", zlib.crc32(body)))
        at += 12 + length
    return b"".join(parts) + data[at:]
