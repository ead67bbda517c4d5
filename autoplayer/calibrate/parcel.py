"""A layout as one file for export: a zip archive with its profile and its pictures. An archive from a stranger is
validated completely before anything is written."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from autoplayer import layout
from autoplayer.calibrate.keeping import Stage
from autoplayer.core import smallpicture
from autoplayer.core.errors import AutoplayerError, LayoutError, MachineError, NotFoundError, UsageError, cause
from autoplayer.layout import LAYOUT_VERSION, PICTURES, Layout
from autoplayer.session.looking.marks import marks
from autoplayer.vision import templates

PROFILE = "layout.toml"
GLYPHS = "templates"
MOST_FILES, MOST_BYTES, MOST_UNPACKED = 1_000, 8_000_000, 32_000_000
"""Limits of an archive; a layout has some dozens of pictures of a few hundred bytes."""

PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compression methods that are decompressed piece by piece; LZMA may first allocate gigabytes for its window."""

_PICTURE = re.compile(rf"{GLYPHS}/(?:{PICTURES}/)?[A-Za-z0-9_-]{{1,60}}\.png")
_BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can contain: with it equal layouts give equal archives."""


@dataclass(frozen=True)
class Parcel:
    """The content of an archive: the profile, and the pictures by their paths below the layout's folder."""

    layout: Layout
    pictures: dict[str, bytes]


def pack(known: Layout) -> bytes:
    """The archive of a layout. Raises LayoutError or NotFoundError where the layout is damaged."""
    check(known)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(PROFILE, _BEGINNING), layout.dumps(known))
        if known.templates is not None:
            folder = layout.templates_folder(known.templates)
            for path in sorted([*folder.glob("*.png"), *(folder / PICTURES).glob("*.png")]):
                name = f"{GLYPHS}/{path.relative_to(folder).as_posix()}"
                archive.writestr(zipfile.ZipInfo(name, _BEGINNING), path.read_bytes())
    return data.getvalue()


def unpack(path: Path) -> Parcel:
    """The content of the archive ``path``. Raises NotFoundError where there is no such file, LayoutError with what is
    wrong in it. Writes nothing."""
    if not path.exists():
        raise NotFoundError(f"{path}: there is no such file")
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            raise LayoutError(f"{path}: expected an exported layout (zip), at most {MOST_BYTES // 1_000_000} MB")
        with zipfile.ZipFile(path) as archive:
            if len(archive.infolist()) != _announced(path.read_bytes()):
                raise LayoutError(f"{path}: expected an exported layout (zip), but its list of files is damaged")
            files = _files(archive, str(path))
    except AutoplayerError:
        raise
    except OSError as error:
        raise LayoutError(f"{path}: cannot be read: {cause(error)}") from error
    except Exception as error:  # a damaged archive makes the decompressor raise dozens of kinds of errors
        reason = f"{type(error).__name__}: {error}"[:120]
        raise LayoutError(f"{path}: expected an exported layout (zip), but it cannot be unpacked ({reason})") from None
    if PROFILE not in files:
        raise LayoutError(f"{path}: expected an exported layout with the file '{PROFILE}' in it, but there is none")
    profile = files.pop(PROFILE)
    if len(profile) > layout.MAX_BYTES:
        raise LayoutError(f"{path}: '{PROFILE}' has {len(profile)} bytes; a layout has at most {layout.MAX_BYTES}")
    known = layout.parse_table(profile, f"{path}: {PROFILE}", Layout, "layout", LAYOUT_VERSION)
    for name, data in files.items():
        smallpicture.decode(data, f"{path}: expected a picture (PNG) of a glyph or an area, but '{name}' is none")
    return Parcel(known, {name.removeprefix(f"{GLYPHS}/"): data for name, data in files.items()})


def install(parcel: Parcel, name: str, *, force: bool) -> Path:
    """Install the parcel as the user's own layout ``name``; returns the profile's file. Raises UsageError where there
    is one already and ``force`` is not set, LayoutError or NotFoundError where pictures are missing or damaged; then
    nothing is changed."""
    if layout.own_file(name).exists() and not force:
        raise UsageError(f"there is a layout '{name}' already; give another --name, or --force to replace it")
    stage = Stage(name)
    try:
        for place, data in parcel.pictures.items():
            try:
                (stage.folder / place).write_bytes(data)
            except OSError as error:
                raise MachineError(f"{stage.folder / place}: cannot be written: {cause(error)}") from error
        pictured = parcel.layout.templates is not None
        staged = parcel.layout.model_copy(update={"name": name, "templates": stage.templates if pictured else None})
        check(staged)
        return stage.keep(staged.model_copy(update={"templates": name if pictured else None}))
    finally:
        stage.discard()


def check(known: Layout) -> int:
    """Check that a layout's pictures exist and are valid; returns how many glyphs it knows. Raises NotFoundError or
    LayoutError with the file."""
    marks(known)
    return len(templates.load(layout.templates_folder(known.templates))) if known.templates is not None else 0


def _announced(data: bytes) -> int:
    """The number of files according to the record at the archive's end: where the length of an entry in the list of
    files is damaged, the decompressor takes the entries after it for a part of it."""
    at = data.rfind(b"PK\x05\x06")
    return int.from_bytes(data[at + 10 : at + 12], "little")


def _files(archive: zipfile.ZipFile, place: str) -> dict[str, bytes]:
    """The archive's files by name, each validated before it is decompressed."""
    infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
    if len(infos) > MOST_FILES:
        raise LayoutError(f"{place}: expected at most {MOST_FILES} files, but it has {len(infos)}")
    found: dict[str, bytes] = {}
    room = MOST_UNPACKED
    for info in infos:
        if info.filename != PROFILE and not _PICTURE.fullmatch(info.filename):
            raise LayoutError(
                f"{place}: expected '{PROFILE}' and pictures in '{GLYPHS}/', but found {info.filename[:80]!r}"
            )
        if info.compress_type not in PACKINGS:
            raise LayoutError(f"{place}: {info.filename!r} is packed in a way that no export uses (only deflate)")
        if info.filename in found:
            raise LayoutError(f"{place}: {info.filename!r} is in it twice")
        with archive.open(info) as file:  # the file size that the archive states may be wrong
            data = file.read(room + 1)
        room -= len(data)
        if room < 0:
            raise LayoutError(
                f"{place}: expected at most {MOST_UNPACKED // 1_000_000} MB when unpacked, but it is more"
            )
        found[info.filename] = data
    return found
