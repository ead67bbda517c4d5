"""A window's layout profile: how one window is read and controlled. Load, check, save.

Profiles are TOML, validated, versioned, and relative to the client area, so that they survive moving and resizing.
They come with the program (``calibration/``) and from the user's own folder, which wins where both have a name; what
a session learned about a window (its pace, how its next level comes) is remembered there too.
"""

from __future__ import annotations

import difflib
import hashlib
import itertools
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from autoplayer.core.errors import LayoutError, MachineError, NotFoundError
from autoplayer.core.frame import Box
from autoplayer.core.gestures import Pace, key_parts

LAYOUT_VERSION = 2
"""1 had neither anchors nor a win sign; such profiles still load."""
NO_LAYOUT = "none"
"""What stands for no layout where one may be named."""

MAX_BYTES = 65_536
"""A profile is a page of text; whatever is longer is something else."""

Seconds = Annotated[float, Field(ge=0, le=2, strict=True, allow_inf_nan=False)]
Controls = Literal[
    "unknown", "drag", "side", "pair", "click", "pick", "type", "palette", "carry", "popup", "wheel", "keys"
]
Physical = Annotated[float, Field(gt=0, le=10_000, strict=True, allow_inf_nan=False)]
Pixels = Annotated[int, Field(ge=1, le=20_000, strict=True)]
Fraction = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]

MOST_CELLS = 5_000
"""Of a board whose place is given: more than any window shows legibly. Each is looked at, whatever stands there."""

NEW_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
"""What a new layout may be called: its glyph pictures get a folder of that name."""

PICTURES = "anchors"
"""The folder, inside that of a layout's glyph pictures, of the pictures that its anchors and its win sign name."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")


NUMBER = "number"
"""What stands in place of a key where a cell gets its number by that number's own key."""

T = TypeVar("T", bound=BaseModel)


def _is_key(value: str) -> str:
    """Whatever the case in which its keys are written, a name has one spelling; a character is what it is."""
    end = value[-1:] if len(value) == 1 or value[-2:-1] == "+" else ""
    name = value[: len(value) - len(end)].lower() + end
    key_parts(name)
    return name


MOST_PATTERN, MOST_TITLE, MOST_NAME = 300, 200, 100
"""Characters of a pattern and of a name, and how many of a title are looked at."""
MOST_REPEATS, MOST_CHOICES = 2, 6
"""How many parts of a pattern may stand any number of times, besides runs of digits before something else; and how many
that, together with those that may be left out and with alternatives. What repeats a repetition, or has a dozen choices,
can keep the search in a title busy for years."""

_PART = re.compile(
    r"(?P<digits>\\d\+(?=$|[^\d\\(\[.?*+{|)]|\\[^\w\s]))|(?P<group>\(\?)|(?P<plain>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^*+{?|])"
    r"|(?P<repeat>(?:[*+]|\{[^}]*\}?)\??)|(?P<choice>.)",
    re.DOTALL,
)
"""The parts of a pattern: a run of digits that ends where something else begins, what a special group begins with,
whatever stands once, a repetition, a choice."""


def a_pattern(value: str | None) -> str | None:
    """``value``, where it is a regular expression that is searched for in no time, or None. Raises ValueError."""
    if value is None:
        return None
    if len(value) > MOST_PATTERN:
        raise ValueError(f"expected a regular expression of at most {MOST_PATTERN} characters ({len(value)} came)")
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"expected a regular expression ({error})") from error
    parts = [(match.lastgroup, match[0]) for match in _PART.finditer(value)]
    repeats = [before for (_, before), (kind, _) in itertools.pairwise(parts) if kind == "repeat"]
    choices = sum(kind == "choice" for kind, _ in parts)
    if len(repeats) > MOST_REPEATS or len(repeats) + choices > MOST_CHOICES or ")" in repeats:
        raise ValueError(
            f"expected a regular expression with at most {MOST_REPEATS} of '*', '+' and '{{' (besides '\\d+' before "
            f"something else), none of them after a group, and at most {MOST_CHOICES} of these, '?' and '|' together"
        )
    if re.search(r"\\[1-9]|\(\?P=", value):
        raise ValueError("expected a regular expression without references to its own groups")
    return value


def a_name(value: str) -> str:
    """``value``, where it is short enough for a sentence. Raises ValueError."""
    if len(value) > MOST_NAME:
        raise ValueError(f"expected a name of at most {MOST_NAME} characters ({len(value)} came)")
    return value


def title_fits(pattern: str | None, title: str) -> bool:
    """Whether a window's title matches a pattern that :func:`a_pattern` has let pass; every one matches None."""
    return pattern is None or re.search(pattern, title[:MOST_TITLE]) is not None


class Table(BaseModel):
    """A table of a TOML file that people write: no key that is not known, and nothing changes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PaceTable(Table):
    """Seconds; see :class:`autoplayer.core.gestures.Pace`."""

    press: Seconds = 0.10
    step: Seconds = 0.05
    release: Seconds = 0.05

    def pace(self) -> Pace:
        return Pace(self.press, self.step, self.release)


class KeyTable(Table):
    """The keys of a window that is played by keys."""

    up: str = "up"
    down: str = "down"
    left: str = "left"
    right: str = "right"
    next_chain: str = "tab"
    reset: str = "r"
    rotate: str = "space"
    lock: str = "x"
    bridge: str = "ctrl"
    """In Hashi: ``ctrl`` or ``shift``, held with a key of a way; what takes hold of an island; or ``e`` (east, south,
    west, north) or ``d`` (as in wasd), one of four letters that build at once."""

    @field_validator("*")
    @classmethod
    def _keys(cls, value: str, info: ValidationInfo) -> str:
        return NUMBER if info.field_name == "rotate" and value.lower() == NUMBER else _is_key(value)


class NextTable(Table):
    """How the next level is reached. ``unknown``: the session finds out and the layout remembers."""

    kind: Literal["unknown", "auto", "click", "key"] = "unknown"
    place: tuple[Fraction, Fraction] | None = None
    """Where to click, as fractions of the client area's width and height."""
    key: str | None = None

    @field_validator("key")
    @classmethod
    def _keys(cls, value: str | None) -> str | None:
        return None if value is None else _is_key(value)

    @model_validator(mode="after")
    def _whole(self) -> NextTable:
        if self.kind == "click" and self.place is None:
            raise ValueError("kind 'click' needs a 'place' to click, such as place = [0.5, 0.9]")
        if self.kind == "key" and self.key is None:
            raise ValueError("kind 'key' needs a 'key' to press, such as key = \"n\"")
        return self


BEYOND = 0.01
"""Fractions of the window by which an area may leave it: places are rounded."""


def _in_window(value: Rectangle) -> Rectangle:
    """``value``, where it lies in the window; raises ValueError."""
    left, top, width, height = value
    if left + width > 1 + BEYOND or top + height > 1 + BEYOND:
        raise ValueError("expected left, top, width and height of an area inside the window, as fractions of it")
    return value


Rectangle = tuple[float, float, float, float]
Place = Annotated[tuple[Fraction, Fraction, Fraction, Fraction], AfterValidator(_in_window)]
"""Left, top, width, height, as fractions of the client area's width and height."""


class BoardTable(Table):
    """Where the board stands, where a person has said so; without it readers look for it in every picture."""

    place: Place
    """Left, top, width, height of all its cells together, as fractions of the client area's width and height."""
    rows: Annotated[int, Field(ge=1, le=200, strict=True)]
    columns: Annotated[int, Field(ge=1, le=200, strict=True)]

    @model_validator(mode="after")
    def _has_few_cells(self) -> BoardTable:
        if self.rows * self.columns > MOST_CELLS:
            raise ValueError(
                f"expected a board of at most {MOST_CELLS} cells, but {self.rows} rows of {self.columns} are more"
            )
        return self

    def cell(self, row: int, column: int, size: tuple[int, int]) -> Box:
        """The box of a cell in a window of ``size`` (width, height), window pixels."""
        left, top, width, height = self.place
        across, down = width * size[0] / self.columns, height * size[1] / self.rows
        x, y = round(left * size[0] + column * across), round(top * size[1] + row * down)
        return Box(x, y, round(left * size[0] + (column + 1) * across) - x, round(top * size[1] + (row + 1) * down) - y)


class AreaTable(Table):
    """An area of the window, and how it looks there."""

    place: Place
    """Left, top, width, height, as fractions of the client area's width and height."""
    picture: str
    """The file of its picture in the folder :data:`PICTURES` of the layout's templates."""

    @field_validator("picture")
    @classmethod
    def _stays_inside(cls, value: str) -> str:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,60}\.png", value):
            raise ValueError("expected a file name of letters, digits, '-' and '_' that ends in .png")
        return value

    def box(self, size: tuple[int, int]) -> Box:
        """The area in a window of ``size`` (width, height), window pixels."""
        left, top, width, height = self.place
        return Box(
            round(left * size[0]),
            round(top * size[1]),
            max(round(width * size[0]), 1),
            max(round(height * size[1]), 1),
        )


WHEELS = {"wheel down": -1, "wheel up": 1}
"""Ways to turn the wheel: the notches of :class:`~autoplayer.core.gestures.Wheel`."""


class ContinuityTable(Table):
    """How the figure of a window of Continuity is steered, and how it moves: keys; lengths in heights of the figure,
    times in seconds."""

    left: str = "left"
    right: str = "right"
    up: str = "up"
    """Jumps."""
    view: str = "space"
    """Changes between walking and moving tiles: a key, or the way that the wheel is turned to come to the tiles."""
    walk: Physical
    """The speed of a walk."""
    jump: Physical
    """How high a jump comes."""
    gravity: Physical
    fall: Physical
    """The greatest speed of a fall."""
    lag: Seconds = 0.0
    """From a key to what is seen of it."""

    @field_validator("left", "right", "up")
    @classmethod
    def _keys(cls, value: str) -> str:
        return _is_key(value)

    @field_validator("view")
    @classmethod
    def _changes(cls, value: str) -> str:
        return value if value in WHEELS else _is_key(value)


class Layout(Table):
    """A layout profile. ``Layout(game=…)`` is the profile of a window that nobody has described."""

    version: Literal[1, 2] = 2
    game: str
    name: str = "default"
    title: str | None = None
    """A regular expression that the window's title matches; None for any window."""
    controls: Controls = "unknown"
    """How it is played; ``unknown``: as the game usually is, or the session finds out and the layout remembers."""
    keys: KeyTable = KeyTable()
    pace: PaceTable = PaceTable()
    slowest_lost: Seconds | None = None
    """The slowest ``step`` at which this window is known to have lost a cell; the pace never quickens to it again."""
    next: NextTable = NextTable()
    board: BoardTable | None = None
    continuity: ContinuityTable | None = None
    """What was measured of a window of Continuity; None where nothing was."""
    templates: str | None = None
    """The folder of glyph pictures inside ``templates/``."""
    size: tuple[Pixels, Pixels] | None = None
    """The client area's width and height, in pixels, when the pictures of the areas were taken."""
    win: AreaTable | None = None
    """What shows, outside the board or over it, when a level is won and not before; None where nothing is known to."""
    anchors: Annotated[tuple[AreaTable, ...], Field(max_length=12)] = ()
    """Areas outside the board that stay the same: where they are not seen, this is another window or another look."""

    @field_validator("game", "name")
    @classmethod
    def _is_short(cls, value: str) -> str:
        return a_name(value)

    @field_validator("title")
    @classmethod
    def _is_regex(cls, value: str | None) -> str | None:
        return a_pattern(value)

    @field_validator("templates")
    @classmethod
    def _stays_inside(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[A-Za-z0-9_-]{1,80}", value):
            raise ValueError("expected a folder name of letters, digits, '-' and '_', at most 80 of them")
        return value

    @model_validator(mode="after")
    def _has_pictures(self) -> Layout:
        if (self.anchors or self.win) and not (self.templates and self.size):
            raise ValueError("anchors and a win sign need 'templates', where their pictures are, and 'size'")
        return self

    def areas(self) -> tuple[AreaTable, ...]:
        """All areas whose pictures it needs."""
        return self.anchors if self.win is None else (*self.anchors, self.win)


# Where profiles are


def bundled(kind: Literal["calibration", "templates"]) -> Path:
    """The folder of profiles or glyph pictures that came with the program: inside the package where it was installed
    from a wheel, beside it in a source tree."""
    package = Path(__file__).parent
    installed = package / "_data" / kind
    return installed if installed.is_dir() else package.parent / kind


_LENT: ContextVar[Path | None] = ContextVar("lent", default=None)


@contextmanager
def lent(folder: Path) -> Iterator[None]:
    """Meanwhile a layout's pictures are those in the folder ``templates`` of ``folder``, a recording's, where that has
    them: the layout may have been learned elsewhere, or anew since."""
    token = _LENT.set(folder)
    try:
        yield
    finally:
        _LENT.reset(token)


def templates_folder(name: str) -> Path:
    """Where a layout's glyph pictures are: with what was :func:`lent`, else in the user's own folder, else in the one
    that came with the program."""
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
    """A profile that is there: its place, whether it came with the program, and what is in it or what is wrong."""

    name: str
    path: Path
    bundled: bool
    layout: Layout | None
    error: str | None


def available() -> list[Available]:
    """The profiles that come with the program and the user's own, by name; what cannot be used says why."""
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
    learn anew. One of another title, maybe of another version of the program, is passed over."""
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


def pattern_of(title: str) -> str:
    """The regular expression for windows with this title: what counts levels or moves in it may change."""
    return "^" + re.sub(r"\d+", r"\\d+", re.escape(title)) + "$"


def remember(layout: Layout) -> Path:
    """Keep what was learned about the windows whose title matches ``layout.title``; returns the file."""
    path = home() / "learned" / f"{_slug(layout.game)}--{_slug(layout.name)}{_mark(layout.name, layout.title)}.toml"
    save(layout, path)
    return path


def _mark(name: str, title: str | None) -> str:
    """How the name of a remembered file ends."""
    return "-" + hashlib.sha256(f"{name}\n{title}".encode()).hexdigest()[:8]


def forget(game: str, name: str) -> None:
    """Forget what was learned with the profile ``name``: it was made anew, and knows better."""
    for path in (home() / "learned").glob(f"{_slug(game)}--{_slug(name)}-*.toml"):
        if re.fullmatch(rf"{re.escape(f'{_slug(game)}--{_slug(name)}')}-[0-9a-f]{{8}}", path.stem):
            path.unlink(missing_ok=True)


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text)[:60] or "x"


# Reading and checking


def _read(path: Path) -> Layout:
    return read_table(path, Layout, "layout", LAYOUT_VERSION)


def read_table(path: Path, kind: type[T], what: str, newest: int) -> T:
    """The table of ``kind`` in a TOML file that a person may have written. ``what``: how such a file is called;
    ``newest``: the latest version of it that is known. Raises NotFoundError where there is no such file, LayoutError
    with the file, the key, what was expected and what came."""
    try:
        if not path.exists():
            raise NotFoundError(f"{path}: there is no such file")
        if not path.is_file():
            raise LayoutError(f"{path}: expected a file that holds a {what}, but this is not a file")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise LayoutError(f"{path}: expected a file of at most {MAX_BYTES} bytes, but it has {size}")
        data = path.read_bytes()
    except OSError as error:
        raise LayoutError(f"{path}: cannot be read: {error.strerror or error}") from error
    return parse_table(data, str(path), kind, what, newest)


MOST_DOTS = 50
"""Between the parts of a key: of one with thousands, the parser keeps every beginning, which takes gigabytes."""

_QUOTED = re.compile(r""""(?:\\.|[^"\\])*"|'[^']*'""")


def parse_table(data: bytes, place: str, kind: type[T], what: str, newest: int) -> T:
    """As :func:`read_table`, from the bytes of the file, which is called ``place`` in sentences."""
    try:
        text = data.decode("utf-8")
        for number, line in enumerate(text.split("\n"), 1):
            is_key = "=" in line or line.lstrip().startswith("[")  # and no row of a puzzle
            if is_key and _QUOTED.sub("", line).count(".") > MOST_DOTS:
                raise LayoutError(f"{place}: line {number}: expected a key of at most {MOST_DOTS} parts")
        table = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise LayoutError(f"{place}: expected a TOML text in UTF-8, but byte {error.start} is not UTF-8") from error
    except (ValueError, RecursionError) as error:  # ValueError: also numbers of thousands of digits
        raise LayoutError(f"{place}: expected TOML, but: {error}") from error
    version = table.get("version")
    if type(version) is int and version > newest:
        raise LayoutError(
            f"{place}: this {what} has version {version}, and this autoplayer knows {newest}; "
            "install a newer autoplayer"
        )
    try:
        return kind.model_validate(table)
    except ValidationError as error:
        details = sorted(error.errors(include_url=False), key=lambda detail: detail["type"] != "extra_forbidden")
        more = f" ({len(details) - 1} more fault{'s' * (len(details) > 2)} in this file)" if len(details) > 1 else ""
        raise LayoutError(f"{place}: {_fault(details[0], kind)}{more}") from error


def _fault(detail: Any, kind: type[BaseModel]) -> str:
    """One fault, as pydantic describes it, in a sentence: the key's path, what was expected, what came."""
    key = ".".join(str(part)[:40] for part in detail["loc"])
    if detail["type"] == "extra_forbidden":
        *tables, last = (str(part) for part in detail["loc"])
        known = list(_table_at(tables, kind).model_fields)
        close = difflib.get_close_matches(last, known, 1)
        hint = f"did you mean '{close[0]}'?" if close else f"known keys here: {', '.join(known)}"
        return f"unknown key '{key}'; {hint}"
    if detail["type"] == "missing":
        return f"expected the key '{key}', but it is missing"
    if detail["type"] == "value_error":
        if not key:
            return str(detail["ctx"]["error"])
        return f"key '{key}': {detail['ctx']['error']}, but found {_shown(detail['input'])}"
    wanted = {"model_type": "a table", "model_attributes_type": "a table", "string_type": "a text in quotes"}
    wanted["tuple_type"] = "a list in square brackets"
    message = wanted.get(detail["type"]) or detail["msg"].removeprefix("Input should be ").replace("a valid ", "a ")
    return f"key '{key}': expected {message}, but found {_shown(detail['input'])}"


def _table_at(keys: Sequence[str], root: type[BaseModel]) -> type[BaseModel]:
    """The table that a path of keys leads to; a number in it counts the tables of a list."""
    table = root
    for key in keys:
        if key in table.model_fields:
            kinds = [table.model_fields[key].annotation]
            while kinds:
                kind = kinds.pop()
                if isinstance(kind, type) and issubclass(kind, BaseModel):
                    table = kind
                kinds += get_args(kind)
    return table


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# Writing

_HEAD = """\
# autoplayer layout: how one window of a game is read and controlled.
# Lines that begin with '#' are notes. A key that is left out has its usual value.
"""
_NOTES = {
    "version": "The version of this format.",
    "game": "The game, as in `autoplayer games`.",
    "name": "What this profile is called in `--layout NAME`.",
    "title": "A regular expression that the window's title matches.",
    "controls": 'How it is played: "unknown" (find out), "drag" (from place to place), "side" (a click beside a place, '
    'towards\n# another), "pair" (a click on one place, then on another), "click" (on a place), "pick" (a click on the'
    '\n# number that is wanted), "type" (a click on a place, then its number\'s key), "palette" (a click on a number'
    '\n# beside the board, then on a place), "carry" (a number beside the board is drawn onto a place), "popup" (a'
    '\n# click on a place, then on its number that comes up), "wheel" (turned over a place), "keys" (see [keys]).',
    "slowest_lost": "The slowest pace.step that is known to lose cells in this window; it is never tried again.",
    "templates": "The folder of glyph pictures inside templates/.",
    "size": "Width and height of the window's inside, in pixels, when the pictures of the areas were taken.",
    "win": "What shows when a level is won, and not before: place as below, and the file of its picture.",
    "anchors": "Areas outside the board that stay the same; where they are not seen, this layout is not played with.\n"
    "# place is [left, top, width, height] as fractions of the window's inside; picture is a file in the folder\n"
    f"# '{PICTURES}' of the templates.",
    "keys": "up, down, left, right, tab, space, enter, escape, backspace, f1 to f12, shift, ctrl, or one character;\n"
    f"# with a modifier: ctrl+left, shift+tab, ctrl+z; rotate may be '{NUMBER}', the key of the number that is wanted.",
    "pace": "Seconds: press (held before the first move), step (each stretch of a drag), release (after it).",
    "board": "Where the board stands in every level: place is [left, top, width, height] of all its cells, as\n"
    "# fractions of the window's inside. Leave it out where levels differ in size.",
    "continuity": "A window of Continuity: its keys (left, right; up jumps; view changes between walking and moving\n"
    "# tiles), and what was measured: walk, jump, gravity, fall in heights of the figure and seconds; lag, seconds\n"
    "# from a key to what is seen of it.",
    "next": 'How the next level comes: "unknown" (find out), "auto", "click" (at place) or "key".\n'
    "# place is [x, y] as fractions of the window's inside, from its top left corner.",
}


_LISTS = ("anchors",)
"""The keys that are lists of tables."""


def dumps(layout: Layout) -> str:
    """The profile as commented TOML; reading it back gives an equal profile."""
    lines = [_HEAD]
    tables: list[str] = []
    for key, value in layout.model_dump(exclude_none=True).items():
        note = f"# {_NOTES[key]}"
        if isinstance(value, tuple) and key in _LISTS:
            for number, table in enumerate(value):
                tables += [f"\n{note}" if not number else "", f"[[{key}]]"]
                tables += [f"{inner} = {_toml(each)}" for inner, each in table.items()]
        elif isinstance(value, dict):
            tables += [f"\n{note}\n[{key}]"] + [f"{inner} = {_toml(each)}" for inner, each in value.items()]
        else:
            lines += [note, f"{key} = {_toml(value)}"]
    return "\n".join(lines + tables) + "\n"


def _toml(value: str | float | tuple[float, ...]) -> str:
    if isinstance(value, str):  # a JSON string is a TOML string; what a terminal would obey, not show, is escaped too
        text = json.dumps(value, ensure_ascii=False)
        return "".join(ch if ch.isprintable() else f"\\U{ord(ch):08X}" for ch in text)
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    return repr(value)


def save(layout: Layout, path: Path) -> None:
    """Write the profile to ``path``, whole or not at all. Raises MachineError where it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=".part", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(dumps(layout))
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise MachineError(f"{path}: the layout cannot be written: {error.strerror or error}") from error
