"""An exported layout, as it comes from a stranger: a zip archive. The first byte says whether the bytes are the archive
itself, or a recipe for one: what stands between two bytes (``SEAM``) are a file's name, how it is packed, and its
content, in turns."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np

from autoplayer import layout
from autoplayer.calibrate import parcel
from fuzz import judge
from fuzz.targets import small
from fuzz.targets.base import Target

SEAM = b"\xfe\xfd"
KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def run(data: bytes, folder: Path) -> None:
    if not data:
        return
    file, home = folder / "given.zip", folder / "home"
    file.write_bytes(data[1:] if data[0] < 0x80 else _packed(data[1:]))
    before = {path for path in folder.rglob("*") if home not in path.parents}
    code, _, _ = judge.command("layouts", "import", str(file), "--name", "theirs", home=home)
    for path in (path for path in folder.rglob("*") if path not in before):
        place = path.relative_to(folder).as_posix()
        if not place.startswith("home") or (path.is_file() and "theirs" not in place):
            raise judge.Broken(f"it wrote {place}")
        if path.is_file() and code:
            raise judge.Broken(f"it failed, and left {place}")
    if code == 0:
        code, _, said = judge.command("layouts", "check", "theirs", home=home)
        if code:
            raise judge.Broken(f"what was imported is not in order: {said[:200]}")


def _packed(recipe: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        parts = recipe.split(SEAM)
        for name, how, content in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
            info = zipfile.ZipInfo(name.decode("utf-8", "replace"))
            info.compress_type = KINDS[(how or b"\x00")[0] % len(KINDS)]
            info.external_attr = int.from_bytes(how[1:5], "big")
            archive.writestr(info, small.mended(content))
    return out.getvalue()


def seeds() -> list[bytes]:
    glyph = np.full((12, 9, 3), 255, np.uint8)
    glyph[3:9, 3:6] = 0
    area = np.random.default_rng(2).integers(0, 256, (10, 12, 3), np.uint8)
    where = layout.AreaTable(place=(0.1, 0.1, 0.2, 0.2), picture="one.png")
    known = layout.Layout(game="hashi", name="a", templates="a", size=(300, 200), win=where, anchors=(where,))
    recipe = [(parcel.PROFILE, b"\x01", layout.dumps(known).encode()), ("templates/1.png", b"\x01", small.png(glyph))]
    recipe.append(("templates/anchors/one.png", b"\x00", small.png(area)))
    plain = [(parcel.PROFILE, b"\x01", b'game = "null"\nname = "b"\n')]
    outside = [*recipe, ("../outside.png", b"\x00", small.png(area))]
    link = [*recipe, ("templates/2.png", b"\x00\xa1\xff\x00\x00", b"/etc/passwd")]
    made = [
        SEAM.join(x if isinstance(x, bytes) else x.encode() for f in each for x in f)
        for each in (recipe, plain, outside, link)
    ]
    return [*(b"\x80" + each for each in made), *(b"\x00" + _packed(each) for each in made)]


WORDS = [
    *(b"layout.toml", b"templates/", b"templates/anchors/", b".png", b"../"),
    *(b"/", b"\\", b"C:", SEAM, SEAM + b"\x01" + SEAM),
    *(b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"),
    *(b"PK\x06\x06", b"PK\x06\x07", b"\xff\xff\xff\xff", b"\x00\x00\xa1\xff"),
    *(b"game = ", b"templates = ", b"anchors", b"picture", b"size = [1, 1]", b"IHDR", b"IDAT"),
]  # fmt: skip

TARGET = Target("parcels", "layouts to be imported (zip)", run, seeds, WORDS, longest=8192)
