"""Where layout profiles are: those that come with the program, the user's own, and what a session remembered."""

from __future__ import annotations

import difflib
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from autoplayer.core.errors import LayoutError, NotFoundError
from autoplayer.layout.patterns import pattern_of, title_fits
from autoplayer.layout.profile import LAYOUT_VERSION, Layout
from autoplayer.layout.reading import read_table
from autoplayer.layout.writing import save

NO_LAYOUT = "none"
"""The name that stands for "no layout"."""

NEW_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
"""What a new layout may be called: its glyph pictures get a folder of that name."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")


def bundled(kind: Literal["calibration", "templates"]) -> Path:
    """The folder of profiles or glyph pictures that ships with the program: inside the package where it was installed
    from a wheel, beside it in a source tree."""
    package = Path(__file__).parent.parent
    installed = package / "_data" / kind
    return installed if installed.is_dir() else package.parent / kind


_LENT: ContextVar[Path | None] = ContextVar("lent", default=None)


@contextmanager
def lent(folder: Path) -> Iterator[None]:
    """While this context lasts, a layout's pictures are taken from the folder ``templates`` of ``folder`` (a recording)
    where it has them: the layout may have been learned on another machine, or learned anew since."""
    token = _LENT.set(folder)
    try:
        yield
    finally:
        _LENT.reset(token)


def templates_folder(name: str) -> Path:
    """The folder of a layout's glyph pictures: that of a recording (see :func:`lent`), else the user's own, else the
    bundled one."""
    lender = _LENT.get()
    places = [*([lender / "templates"] if lender is not None else []), home() / "templates"]
    own = next((place / name for place in places if (place / name).is_dir()), None)
    return own or bundled("templates") / name


def own_file(name: str) -> Path:
    """Where the user's own profile ``name`` is, or would be."""
    return home() / "calibration" / f"{name}.toml"


def home() -> Path:
    """The user's folder. The environment variable ``AUTOPLAYER_HOME`` names another one."""
    chosen = os.environ.get("AUTOPLAYER_HOME")
    if chosen:
        return Path(chosen)
    import platformdirs

    return platformdirs.user_data_path("autoplayer", appauthor=False)


@dataclass(frozen=True)
class Available:
    """A profile that was found: where it is, whether it is bundled, and its content or what is wrong with it."""

    name: str
    path: Path
    bundled: bool
    layout: Layout | None
    error: str | None


def available() -> list[Available]:
    """All bundled and own profiles, by name; one that cannot be used says why."""
    found: list[Available] = []
    for folder, is_bundled in ((bundled("calibration"), True), (home() / "calibration", False)):
        for path in sorted(folder.glob("*.toml")):
            try:
                found.append(Available(path.stem, path, is_bundled, _read(path), None))
            except (LayoutError, NotFoundError) as error:
                found.append(Available(path.stem, path, is_bundled, None, str(error)))
    return sorted(found, key=lambda each: (each.name, each.bundled))


def load(name: str, game: str | None) -> Layout:
    """The profile called ``name``, or in the file ``name`` where it ends in ``.toml`` or has a folder in it.

    Raises LayoutError with the file, the key and what was expected, also where the profile is for another game than
    ``game`` (None for any); NotFoundError where there is no such profile.
    """
    if name.endswith(".toml") or "/" in name or os.sep in name:
        path = Path(name)
    else:
        if not _NAME.fullmatch(name):
            raise LayoutError(
                f"expected a layout's name (letters, digits, '-', '_', '.') or a file, but found {name[:80]!r}"
            )
        places = (own_file(name), bundled("calibration") / f"{name}.toml")
        chosen = next((place for place in places if place.is_file()), None)
        if chosen is None:
            known = sorted({each.name for each in available()})
            close = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(known) or 'none'}."
            raise NotFoundError(f"there is no layout '{name}'; {hint}")
        path = chosen
    layout = _read(path)
    if game is not None and layout.game != game:
        raise LayoutError(f"{path}: this layout is for the game '{layout.game}', not for '{game}'")
    return layout


def recall(game: str, title: str, name: str = "default") -> Layout | None:
    """What :func:`remember` kept about windows of ``game`` with this title, played with the profile ``name``: the
    newest that fits, or None. A remembered file of this very title that cannot be used raises LayoutError: delete it to
    learn anew. A broken file of another title (perhaps of another version of the program) is skipped."""
    own = _mark(name, pattern_of(title))
    files = sorted((home() / "learned").glob(f"{_slug(game)}--*.toml"), key=lambda path: -path.stat().st_mtime)
    for path in files:
        try:
            layout = _read(path)
        except LayoutError:
            if path.stem.endswith(own):
                raise
            continue
        if layout.game == game and layout.name == name and title_fits(layout.title, title):
            return layout
    return None


def remember(layout: Layout) -> Path:
    """Keep what was learned about the windows whose title matches ``layout.title``; returns the file."""
    path = home() / "learned" / f"{_slug(layout.game)}--{_slug(layout.name)}{_mark(layout.name, layout.title)}.toml"
    save(layout, path)
    return path


def _mark(name: str, title: str | None) -> str:
    """The suffix of a remembered file's name."""
    return "-" + hashlib.sha256(f"{name}\n{title}".encode()).hexdigest()[:8]


def forget(game: str, name: str) -> None:
    """Delete what was learned with the profile ``name``, which was calibrated anew."""
    for path in (home() / "learned").glob(f"{_slug(game)}--{_slug(name)}-*.toml"):
        if re.fullmatch(rf"{re.escape(f'{_slug(game)}--{_slug(name)}')}-[0-9a-f]{{8}}", path.stem):
            path.unlink(missing_ok=True)


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text)[:60] or "x"


def _read(path: Path) -> Layout:
    return read_table(path, Layout, "layout", LAYOUT_VERSION)
