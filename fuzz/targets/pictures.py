"""A file that may be a picture, for each of the three that open one: a person's screenshot, a layout's picture, a
recorded frame. The first byte says whether a PNG's checksums are mended."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from autoplayer.cli import pictures
from autoplayer.core import smallpicture
from autoplayer.core.errors import LayoutError, NotFoundError, UsageError
from autoplayer.core.frame import Image
from autoplayer.screen.recording import Recording, Step
from fuzz import judge
from fuzz.targets import small
from fuzz.targets.base import Target


def run(data: bytes, folder: Path) -> None:
    content = small.mended(data[1:]) if data[:1] < b"\x80" else data[1:]
    file = folder / "frame.png"
    file.write_bytes(content)
    _check(judge.refused(lambda: pictures.load(str(file)), UsageError))
    _check(judge.refused(lambda: smallpicture.load(file, "one glyph"), LayoutError))
    recording = Recording(folder, "", ())
    _check(judge.refused(lambda: recording.image(Step(2, "grab", 0, 0, frame="frame.png")), UsageError, NotFoundError))


def _check(image: Image | None) -> None:
    if image is not None and (image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size):
        raise judge.Broken(f"a picture of shape {image.shape} and kind {image.dtype}")


def seeds() -> list[bytes]:
    return [b"\x00" + each for each in small.files()]


WORDS = [
    *(b"IHDR", b"IDAT", b"IEND", b"PLTE", b"tRNS", b"iCCP"),
    *(b"zTXt", b"iTXt", b"eXIf", b"acTL", b"fcTL", b"fdAT", b"gAMA"),
    *(b"\xff\xd8", b"\xff\xda", b"\xff\xc2", b"\xff\xc0", b"\xff\xe1", b"Exif\x00\x00", b"GIF89a", b"RIFF", b"WEBP"),
    *(b"VP8 ", b"VP8L", b"VP8X", b"ANIM"),
    *(b"ANMF", b"BM", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x00\x00\x75\x30"),
    *(b"%!PS", b"II*\x00", b"MM\x00*", b"NETSCAPE2.0"),
]  # fmt: skip

TARGET = Target("pictures", "files that may be pictures", run, seeds, WORDS)
