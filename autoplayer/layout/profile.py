"""A window's layout profile: the tables of which it consists, and what may stand in them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from autoplayer.core.frame import Box
from autoplayer.core.gestures import Click, Pace, key_parts
from autoplayer.layout.patterns import a_name, a_pattern

LAYOUT_VERSION = 2
"""Version 1 had neither anchors nor a win sign; such profiles still load."""

Seconds = Annotated[float, Field(ge=0, le=2, strict=True, allow_inf_nan=False)]
LongSeconds = Annotated[float, Field(ge=0, le=10, strict=True, allow_inf_nan=False)]
Controls = Literal[
    "unknown",
    "drag",
    "side",
    "pair",
    "click",
    "pick",
    "type",
    "palette",
    "carry",
    "popup",
    "swipe",
    "wheel",
    "double",
    "right",
    "keys",
]
Physical = Annotated[float, Field(gt=0, le=10_000, strict=True, allow_inf_nan=False)]
Pixels = Annotated[int, Field(ge=1, le=20_000, strict=True)]
Fraction = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]

MOST_CELLS = 5_000
"""The most cells of a board whose place is given: more than a window can show legibly. Every one of them is read,
whatever the window shows."""

PICTURES = "anchors"
"""The folder, inside that of a layout's glyph pictures, of the pictures that its anchors and its win sign name."""

NUMBER = "number"
"""The value that stands for "the key of the number itself": a cell gets its number by that number's key, or a chain is
chosen by the key of its own number."""

CLICK = "click"
"""The value that stands for a click, where that does what a key does elsewhere: in the middle of a window of
Continuity (one on a button is ``click 0.93 0.05``, the place in shares of the window's width and height); on a chain's
last cell, to choose that chain before keys extend it."""


def _is_key(value: str) -> str:
    """Key names in any case are brought to one spelling; single characters stay as they are."""
    end = value[-1:] if len(value) == 1 or value[-2:-1] == "+" else ""
    name = value[: len(value) - len(end)].lower() + end
    key_parts(name)
    return name


class Table(BaseModel):
    """An immutable table of a TOML file that people write; unknown keys are errors."""

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
    """How a bridge is built in Hashi: ``ctrl`` or ``shift``, held together with a direction key; a key that grabs an
    island; or one of four letters that build at once: ``e`` (east, south, west, north) or ``d`` (as in wasd)."""

    take: str = ""
    """In Cardinal Chains, where the direction keys move a cursor: the key that picks up the chain under it. Empty where
    the direction keys move the chain itself."""

    @field_validator("*")
    @classmethod
    def _keys(cls, value: str, info: ValidationInfo) -> str:
        if info.field_name == "take" and not value:
            return value
        words = {"rotate": (NUMBER,), "next_chain": (NUMBER, CLICK)}.get(info.field_name or "", ())
        return value.lower() if value.lower() in words else _is_key(value)


class NextTable(Table):
    """How the next level is reached. ``unknown``: the session finds out, and what it learns is kept for this window."""

    kind: Literal["unknown", "auto", "click", "key", "list"] = "unknown"
    place: tuple[Fraction, Fraction] | None = None
    """Where to click, as fractions of the client area's width and height: ``list`` is a click that opens a drop-down
    list of levels, and the keys that choose the next entry."""
    key: str | None = None

    @property
    def pressed(self) -> bool:
        """Whether it is known what must be pressed."""
        return self.kind in ("click", "key", "list")

    @field_validator("key")
    @classmethod
    def _keys(cls, value: str | None) -> str | None:
        return None if value is None else _is_key(value)

    @model_validator(mode="after")
    def _whole(self) -> NextTable:
        if self.kind in ("click", "list") and self.place is None:
            raise ValueError(f"kind '{self.kind}' needs a 'place' to click, such as place = [0.5, 0.9]")
        if self.kind == "key" and self.key is None:
            raise ValueError("kind 'key' needs a 'key' to press, such as key = \"n\"")
        return self


BEYOND = 0.01
"""Fractions of the window by which an area may reach outside it: places are rounded."""


def _in_window(value: Rectangle) -> Rectangle:
    """``value`` if it lies inside the window; raises ValueError."""
    left, top, width, height = value
    if left + width > 1 + BEYOND or top + height > 1 + BEYOND:
        raise ValueError("expected left, top, width and height of an area inside the window, as fractions of it")
    return value


Rectangle = tuple[float, float, float, float]
Place = Annotated[tuple[Fraction, Fraction, Fraction, Fraction], AfterValidator(_in_window)]
"""Left, top, width, height, as fractions of the client area's width and height."""


class BoardTable(Table):
    """Where the board is, as given by a person; without it the readers search every picture for it."""

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
        """The area in window pixels, for a window of ``size`` (width, height)."""
        left, top, width, height = self.place
        return Box(
            round(left * size[0]),
            round(top * size[1]),
            max(round(width * size[0]), 1),
            max(round(height * size[1]), 1),
        )


WHEELS = {"wheel down": -1, "wheel up": 1}
"""Names of the wheel's directions: the notches of :class:`~autoplayer.core.gestures.Wheel`."""


CLICKS: dict[str, Click] = {
    CLICK: Click((0, 0)),
    "double click": Click((0, 0), times=2),
    "right click": Click((0, 0), "right"),
}
"""Names of clicks, and each of them at some point."""


class Clicked(NamedTuple):
    """Where a window is clicked, in shares of its width and height, and how."""

    x: float
    y: float
    click: Click

    def within(self, size: tuple[int, int]) -> Click:
        """The click in a window of ``size``: width, height."""
        return replace(self.click, at=(round(self.x * size[0]), round(self.y * size[1])))


def clicked(way: str) -> Clicked | None:
    """The click that ``way`` names, in the middle where it says no place; None where ``way`` is no click."""
    found = re.fullmatch(rf"({'|'.join(CLICKS)})(?: ([01]\.\d+) ([01]\.\d+))?", way)
    return found and Clicked(float(found[2] or 0.5), float(found[3] or 0.5), CLICKS[found[1]])


class ContinuityTable(Table):
    """How the figure of a window of Continuity is steered and how it moves: keys, lengths in heights of the figure,
    times in seconds."""

    left: str = "left"
    right: str = "right"
    up: str = "up"
    """The key to jump."""
    view: str = "space"
    """Switches between walking and sliding tiles: a key, the wheel direction that leads to the tiles, or a click, a
    double click or a right click, in the middle or at a place."""
    run: str = ""
    """The key that is held together with a walking key to run; empty where there is none."""
    steps: Seconds = 0.0
    """Seconds between two presses of a walking key in games where the figure moves one step a press; 0 where it walks
    as long as the key is held."""
    walk: Physical
    """Walking speed, or running speed where there is a key to run."""
    jump: Physical
    """Height of a jump."""
    gravity: Physical
    fall: Physical
    """Maximum falling speed."""
    lag: Seconds = 0.0
    """Seconds from a key press to its effect in the picture."""
    start: Seconds = 0.0
    """Seconds from rest to walking speed, where the figure accelerates."""
    stop: Seconds = 0.0
    """Seconds from walking speed to rest, where it glides."""
    air_start: LongSeconds = 0.0
    air_stop: LongSeconds = 0.0
    """The same in the air; 10 where it keeps its speed there."""

    @field_validator("left", "right", "up")
    @classmethod
    def _keys(cls, value: str) -> str:
        return _is_key(value)

    @field_validator("run")
    @classmethod
    def _runs(cls, value: str) -> str:
        return _is_key(value) if value else ""

    @field_validator("view")
    @classmethod
    def _changes(cls, value: str) -> str:
        return value if value in WHEELS or clicked(value) else _is_key(value)


class Layout(Table):
    """A layout profile. ``Layout(game=…)`` is the profile of an unknown window."""

    version: Literal[1, 2] = 2
    game: str
    name: str = "default"
    title: str | None = None
    """A regular expression that the window's title matches; None for any window."""
    controls: Controls = "unknown"
    """How the board is played. ``unknown``: as is usual for the game, or else the session finds out, and what it learns
    is kept for this window."""
    keys: KeyTable = KeyTable()
    pace: PaceTable = PaceTable()
    slowest_lost: Seconds | None = None
    """The slowest ``step`` at which this window is known to have lost input; the pace is never raised to it again."""
    next: NextTable = NextTable()
    board: BoardTable | None = None
    continuity: ContinuityTable | None = None
    """What was measured of a window of Continuity; None where nothing was."""
    templates: str | None = None
    """The folder of glyph pictures inside ``templates/``."""
    size: tuple[Pixels, Pixels] | None = None
    """The client area's width and height, in pixels, when the pictures of the areas were taken."""
    win: AreaTable | None = None
    """What appears, outside the board or over it, only when a level is won; None where nothing of the kind is known."""
    anchors: Annotated[tuple[AreaTable, ...], Field(max_length=12)] = ()
    """Areas outside the board that do not change: where they are not found, this is another window, or it looks
    different now."""

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
        """All areas for which pictures are needed."""
        return self.anchors if self.win is None else (*self.anchors, self.win)
