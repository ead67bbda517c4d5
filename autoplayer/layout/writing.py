"""Layout profiles, written as commented TOML."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from autoplayer.core.errors import MachineError, cause
from autoplayer.layout.profile import CLICK, NUMBER, PICTURES, Layout

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
    '\n# click on a place, then on its number that comes up), "swipe" (a place is drawn to the side), "wheel"'
    '\n# (turned over a place), "double" (a double click on a place), "right" (the right'
    '\n# button on a place), "keys" (see [keys]).',
    "slowest_lost": "The slowest pace.step that is known to lose cells in this window; it is never tried again.",
    "templates": "The folder of glyph pictures inside templates/.",
    "size": "Width and height of the window's inside, in pixels, when the pictures of the areas were taken.",
    "win": "What shows when a level is won, and not before: place as below, and the file of its picture.",
    "anchors": "Areas outside the board that stay the same; where they are not seen, this layout is not played with.\n"
    "# place is [left, top, width, height] as fractions of the window's inside; picture is a file in the folder\n"
    f"# '{PICTURES}' of the templates.",
    "keys": "up, down, left, right, tab, space, enter, escape, backspace, f1 to f12, shift, ctrl, or one character;\n"
    f"# with a modifier: ctrl+left, shift+tab, ctrl+z; rotate and next_chain may be '{NUMBER}', the key\n"
    f"# of the number that is wanted, and next_chain '{CLICK}', a click on the chain's last cell.",
    "pace": "Seconds: press (held before the first move), step (each stretch of a drag), release (after it).",
    "board": "Where the board stands in every level: place is [left, top, width, height] of all its cells, as\n"
    "# fractions of the window's inside. Leave it out where levels differ in size.",
    "continuity": "A window of Continuity: its keys (left, right; up jumps; view changes between walking and moving\n"
    "# tiles), and what was measured: walk, jump, gravity, fall in heights of the figure and seconds; lag, seconds\n"
    "# from a key to what is seen of it; start, stop, air_start, air_stop, seconds in which the figure comes to the\n"
    "# speed of its walk, and to rest, on the ground and in the air.",
    "next": 'How the next level comes: "unknown" (find out), "auto", "key", "click" (at place), or "list" (a\n'
    "# drop-down list at place). place is [x, y] as fractions of the window's inside, from its top left corner.",
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
    if isinstance(value, str):  # a JSON string is a TOML string, with control characters escaped
        text = json.dumps(value, ensure_ascii=False)
        return "".join(ch if ch.isprintable() else f"\\U{ord(ch):08X}" for ch in text)
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    return repr(value)


def save(layout: Layout, path: Path) -> None:
    """Write the profile to ``path`` atomically. Raises MachineError where that fails."""
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
        raise MachineError(f"{path}: the layout cannot be written: {cause(error)}") from error
