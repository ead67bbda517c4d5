"""A window's layout profile: how one window is read and controlled. Load, check, save.

Profiles are TOML, validated, versioned, and relative to the client area, so that they survive moving and resizing.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from autoplayer.core.gestures import Pace

LAYOUT_VERSION = 1
Seconds = Annotated[float, Field(ge=0, le=2)]
Fraction = Annotated[float, Field(ge=0, le=1)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PaceTable(_Table):
    """Seconds; see :class:`autoplayer.core.gestures.Pace`."""

    press: Seconds = 0.10
    step: Seconds = 0.05
    release: Seconds = 0.05

    def pace(self) -> Pace:
        return Pace(self.press, self.step, self.release)


class KeyTable(_Table):
    """The keys of a window that is played by keys."""

    up: str = "up"
    down: str = "down"
    left: str = "left"
    right: str = "right"
    next_chain: str = "tab"
    reset: str = "r"


class NextTable(_Table):
    """How the next level is reached. ``unknown``: the session finds out and the layout remembers."""

    kind: Literal["unknown", "auto", "click", "key"] = "unknown"
    place: tuple[Fraction, Fraction] | None = None
    """Where to click, as fractions of the client area's width and height."""
    key: str | None = None


class Layout(_Table):
    """A layout profile. ``Layout(game=…)`` is the profile of a window that nobody has described."""

    version: Literal[1] = 1
    game: str
    name: str = "default"
    title: str | None = None
    """A regular expression that the window's title matches; None for any window."""
    controls: Literal["drag", "keys"] = "drag"
    keys: KeyTable = KeyTable()
    pace: PaceTable = PaceTable()
    slowest_lost: Seconds | None = None
    """The slowest ``step`` at which this window is known to have lost a cell; the pace never quickens to it again."""
    next: NextTable = NextTable()
    templates: str | None = None
    """The folder of glyph pictures inside ``templates/``."""

    @field_validator("title")
    @classmethod
    def _is_regex(cls, value: str | None) -> str | None:
        if value is not None:
            re.compile(value)
        return value

    @field_validator("templates")
    @classmethod
    def _stays_inside(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[A-Za-z0-9_-]+", value):
            raise ValueError("a folder name of letters, digits, '-' and '_' was expected")
        return value
