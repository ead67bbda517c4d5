"""Keeps the person's identity out of what a session leaves behind: home folder, user, host, titles of other windows."""

from __future__ import annotations

import ast
import getpass
import json
import os
import re
import socket
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

QUOTED = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
LONG = 6
"""Titles of at least this many letters are removed from texts with or without quotes around them; a shorter one may be
a common word, and is removed only in quotes."""


def cleaner(titles: Iterable[str], known: Sequence[str]) -> Callable[[str], str]:
    """A function that removes from a text what identifies the person: the home folder, the names of the user and the
    computer, and ``titles`` of other windows. ``known``: what may stay: the title of the game's window, first, and
    further texts."""
    own = known[0]
    places = {os.path.realpath(Path.home()): "~", str(Path.home()): "~"}
    places |= {sys.prefix: "<python>", sys.base_prefix: "<python>", str(Path(__file__).parents[2]): "<autoplayer>"}
    swaps = [(re.escape(path), short) for path, short in places.items() if len(path) > 1]
    # A folder inside the home folder is replaced first; an empty home (a service's) is not a folder.
    swaps.sort(key=lambda swap: -len(swap[0]))
    swaps += [(_word(word), short) for word, short in ((_user(), "<user>"), (socket.gethostname(), "<host>")) if word]
    for title in sorted(titles, key=len, reverse=True):
        if any(title in each for each in known):
            continue
        forms = [re.escape(repr(title)), re.escape(json.dumps(title, ensure_ascii=False))]
        swaps.append(("|".join([*forms, _word(title)] if len(title) >= LONG else forms), "another window"))
    ready = [(re.compile(pattern), short) for pattern, short in swaps]

    def window(match: re.Match[str]) -> str:
        try:
            named = ast.literal_eval(match[1])
        except (SyntaxError, ValueError):
            named = None
        return match[0] if named == own else "another window"

    def clean(text: str) -> str:
        text = re.sub(rf"the window {QUOTED}", window, text, flags=re.IGNORECASE)
        for pattern, short in ready:
            text = pattern.sub(short, text)
        return text

    return clean


def _word(word: str) -> str:
    """A pattern that matches some words as whole words only."""
    return rf"(?<!\w){re.escape(word)}(?!\w)"


def _user() -> str:
    """The user's name; empty where it identifies nobody (the administrator has the same name everywhere), and where it
    is so short that it would match parts of a puzzle."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):  # a number without a name
        return ""
    return "" if name == "root" or len(name) < 3 else name
