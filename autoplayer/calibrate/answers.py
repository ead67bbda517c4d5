"""Answers given in advance, in a TOML file: the possible answers to every question of a calibration."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from autoplayer import layout
from autoplayer.calibrate.questions import NOTHING, SAME_MARK, Look
from autoplayer.core.errors import UsageError
from autoplayer.games.base import Game, Spot
from autoplayer.layout import BoardTable, Controls, KeyTable, NextTable, PaceTable, Table
from autoplayer.vision import templates

ANSWERS_VERSION = 1


class PictureTable(Table):
    """The content of one picture of the window: the first one is that with which calibration begins, the next one is
    the window after a level was played; with pictures from files, each is one."""

    puzzle: Annotated[str, Field(max_length=20_000)] | None = None
    """The whole board, in the game's text format."""
    glyphs: dict[str, str] = Field(default_factory=dict, max_length=2_000)
    """By spot ("row,column", or "row,column,index" for one of several glyphs in a cell, from 0): the token there. "."
    is nothing; "" leaves the question open."""

    @field_validator("glyphs")
    @classmethod
    def _spots(cls, value: dict[str, str]) -> dict[str, str]:
        for key, token in value.items():
            if not re.fullmatch(r"\d{1,3},\d{1,3}(,\d{1,3})?", key):
                raise ValueError(f'expected spots such as "0,3" or "0,3,1", but found the key {key[:40]!r}')
            if not re.fullmatch(r"\.|[A-Za-z0-9]{0,8}", token):
                raise ValueError(f"expected what one glyph says at {key!r}, but found {token[:40]!r}")
        return value

    def told(self) -> dict[Spot, str]:
        """The answers about glyphs."""
        return {tuple(int(part) for part in key.split(",")): token for key, token in self.glyphs.items() if token}


class Answers(Table):
    """All answers that can be given in advance; others are asked, or found out."""

    version: Literal[1] = 1
    game: str
    title: str | None = None
    """A regular expression: the answers are for windows whose title matches it."""
    press: bool | None = None
    """Whether the mouse and the keys may be tried in the window, by playing a level."""
    controls: Controls = "unknown"
    keys: KeyTable | None = None
    pace: PaceTable | None = None
    next: NextTable | None = None
    board: BoardTable | None = None
    pictures: Annotated[tuple[PictureTable, ...], Field(max_length=200)] = ()

    @field_validator("game")
    @classmethod
    def _is_short(cls, value: str) -> str:
        return layout.a_name(value)

    @field_validator("title")
    @classmethod
    def _is_regex(cls, value: str | None) -> str | None:
        return layout.a_pattern(value)

    def check(self, place: str, game: Game[Any, Any], title: str | None) -> None:
        """Raises UsageError where they are for another game or another window; ``title`` is None for pictures."""
        if self.game != game.name:
            raise UsageError(f"{place}: these answers are for the game '{self.game}', not for '{game.name}'")
        if title is not None and not layout.title_fits(self.title, title):
            raise UsageError(
                f"{place}: these answers are for windows titled like {self.title!r}, but this one is called {title!r}"
            )

    def picture(self, number: int) -> PictureTable:
        """The answers about the picture ``number``, from 0."""
        return self.pictures[number] if number < len(self.pictures) else PictureTable()


def load(path: Path) -> Answers:
    """The answers in a file. Raises NotFoundError where there is none, LayoutError with the key and what was
    expected."""
    return layout.read_table(path, Answers, "table of answers", ANSWERS_VERSION)


_HEAD = """\
# Answers for `autoplayer calibrate`, given in advance. Lines that begin with '#' are notes.
# A key that is left out is asked, or found out; an answer "" leaves its question open.

# The version of this format.
version = 1
# The game, as in `autoplayer games`.
game = {game}
"""

_REST = """\
# Whether a level may be played, to try the mouse and the keys: true or false.
# press = true
# How it is played, where that is known: "drag", "side", "pair", "click", "keys"; in Cross Set also "pick", "type",
# "palette", "carry", "popup", "swipe", "wheel", "double" or "right".
# controls = "drag"
# By which keys, where it is played by keys; those that are left out are the usual ones (see `autoplayer layouts show`).
# keys = { up = "w", left = "a", down = "s", right = "d" }

# How the next level comes, where that is known: kind = "auto", or "click" with place = [x, y] as fractions of the
# window's inside, or "list" with the place of a drop-down list of levels, or "key" with key = "n".
# [next]
# kind = "auto"

# Where the board stands, where it was not found rightly: place = [left, top, width, height] of all its cells together,
# as fractions of the window's inside.
# [board]
# place = [0.1, 0.1, 0.8, 0.8]
# rows = 7
# columns = 7
"""


def example(game: Game[Any, Any], title: str | None, looks: Sequence[Look[Any, Any]]) -> str:
    """A file of answers to be filled in: the questions about each picture, with what is assumed. A glyph that was asked
    about in an earlier picture is not asked about again."""
    asked: list[templates.Template] = []
    parts = [_HEAD.format(game=json.dumps(game.name))]
    if title is not None:
        pattern = json.dumps(title, ensure_ascii=False)
        parts.append(f"# A regular expression that the window's title matches.\ntitle = {pattern}\n")
    parts.append(_REST)
    for look in looks:
        parts.append(
            "\n[[pictures]]\n# What is believed; without the '#' of its lines it is the answer to everything.\n"
        )
        lines = game.format(look.puzzle).strip("\n").splitlines()
        parts.append("".join(f"# {line}\n" for line in ("puzzle = '''", *lines, "'''")))
        if look.questions:
            parts.append("[pictures.glyphs]\n")
        for question in look.questions:
            here = templates.of(question.glyph) if question.glyph.size else None
            if here is not None and any(templates.alike(here, other) > SAME_MARK for other in asked):
                continue
            asked += [here] if here is not None else []
            key = ",".join(map(str, question.spots[0]))
            token = question.believed or ""
            value = token if re.fullmatch(rf"{re.escape(NOTHING)}|[A-Za-z0-9]+", token) else ""
            parts.append(f'# {question.name}: {question.text}\n"{key}" = {json.dumps(value)}\n')
    return "".join(parts)
