"""Writes a new layout to the user's folder atomically. Until then its pictures are in a temporary folder beside the
others, where readers find them; an older layout stays until the new one is complete."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2

from autoplayer import layout
from autoplayer.core.errors import MachineError, UsageError, cause
from autoplayer.core.frame import Image
from autoplayer.layout import PICTURES, Layout

UNFINISHED = "calibrating-"
"""The prefix of the folders of incomplete layouts."""

FORGOTTEN = 86_400.0
"""Seconds after which such a folder belongs to a program that was killed."""


def check_name(name: str) -> str:
    """``name``, if it is valid for a new layout. Raises UsageError."""
    if not layout.NEW_NAME.fullmatch(name) or name.startswith(UNFINISHED) or name == layout.NO_LAYOUT:
        raise UsageError(
            f"expected a name for the layout, of letters, digits, '-' and '_' (at most 60), but found {name[:80]!r}"
        )
    return name


class Stage:
    """The pictures of an incomplete layout. ``templates``: the name of their temporary folder."""

    def __init__(self, name: str) -> None:
        """Raises UsageError for an invalid name, MachineError where nothing can be written."""
        self.name = check_name(name)
        self.templates = f"{UNFINISHED}{secrets.token_hex(6)}"
        parent = layout.home() / "templates"
        self.folder = parent / self.templates
        with _said(self.folder):
            (self.folder / PICTURES).mkdir(parents=True)
        _forget(parent)

    def take_over(self, templates: str) -> None:
        """Start with the glyph pictures of an existing layout."""
        with _said(self.folder):
            for path in layout.templates_folder(templates).glob("*.png"):
                shutil.copyfile(path, self.folder / path.name)

    def keep_picture(self, stem: str, image: Image) -> str:
        """Write the picture of an area; returns the name of its file."""
        path = self.folder / PICTURES / f"{stem}.png"
        _, data = cv2.imencode(".png", image)
        with _said(path):
            path.write_bytes(data.tobytes())
        return path.name

    def keep(self, made: Layout) -> Path:
        """Move the pictures and the profile ``made``, which names them, to their final places; returns the profile's
        file. If that fails, the old state is restored."""
        path = layout.own_file(self.name)
        place = layout.home() / "templates" / self.name
        aside = self.folder.with_name(f"{UNFINISHED}{secrets.token_hex(6)}")
        moved = False
        with _said(path):
            if place.is_dir():
                os.rename(place, aside)
                moved = True
            try:
                if made.templates is not None:
                    os.rename(self.folder, place)
                layout.save(made, path)
            except BaseException:
                if made.templates is not None and place.is_dir():
                    os.rename(place, self.folder)
                if moved:
                    os.rename(aside, place)
                raise
        if moved:
            shutil.rmtree(aside, ignore_errors=True)
        return path

    def discard(self) -> None:
        """Delete what was not saved."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _forget(parent: Path) -> None:
    """Delete what killed programs have left."""
    for folder in parent.glob(f"{UNFINISHED}*"):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime > FORGOTTEN:
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """Turns errors of the disk into a sentence."""
    try:
        yield
    except OSError as error:
        raise MachineError(f"{path}: cannot be written: {cause(error)}") from error
