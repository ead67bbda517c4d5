"""Reads the words on controls, where the Tesseract program is installed: additional evidence beside the looks of
controls at a level's end; nothing needs it. It knows some words of a few languages; a text that it cannot read is no
evidence."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Sequence

import cv2
import numpy as np

from autoplayer.core import tesseract
from autoplayer.core.frame import Box, Image, Mask, Point, around
from autoplayer.session.looking.boxes import WIDE, Control, closed_lines, controls, text_lines

ONWARD = re.compile(
    "next|continue|proceed|thanks|later|skip|dismiss|weiter|nächste[sr]?|suivante?|continuer|siguiente|continuar|avanti"
    "|prossimo|próximo"
)
"""Words that lead on, or past something in between."""

BACK = re.compile(
    "again|replay|retry|menu|home|levels|back|cancel|nochmal|menü|zurück|abbrechen|rejouer|retour|annuler|repetir|volver"
    "|cancelar|annulla"
)
"""Words that lead away from the finished level, but not to the next one, or back to where one was before."""

OFFER = re.compile("buy|purchase|shop|store|install|download|subscribe|donate|kaufen|acheter|comprar")
"""Words of controls that an offer or an advertisement wants to be pressed."""

NEVER = re.compile(
    f"{OFFER.pattern}|share|tweet|post|copy|quit|exit|reset|restart|undo|delete|erase|rate|teilen|beenden|zurücksetzen"
    "|partager|quitter|compartir|salir"
)
"""Words of controls that cost something, share something, or undo what was done: these are never pressed."""

LEVEL = re.compile("levels?|puzzles?|stages?|rätsel|niveau|nivel|livello|fase")
"""Words for a level, in a list that offers several; a board or a map may also be one to play on."""

MISREAD = 4
"""The least letters of a word that is known even if one letter of it was read as another: "undo" in small serif letters
is read as "unda"."""

NEARLY_NEVER = re.compile(
    "|".join(f"{w[:k]}.{w[k + 1 :]}" for w in NEVER.pattern.split("|") if len(w) >= MISREAD for k in range(len(w)))
)
"""Words that differ from one of NEVER in one letter. An innocent one among them ("show") is not pressed either."""

HEIGHT = 40
"""Pixels: the height to which a line of text is scaled for reading."""

LEAST = 5
"""The least height of letters, in pixels."""

MOST_WORDS = 4
"""The most words of a control without a box: a longer line is a sentence ("Go on to the next level?")."""

LONGEST = 16.0
"""The largest ratio of width to height of a control without a box: a line of so many words is longer."""

PATIENCE = 3.0
"""Seconds for one control."""

MOST_READ = 10
"""How many controls of a picture are read, the first ones: only a few are pressed."""


def can_read() -> bool:
    """Whether words can be read on this machine."""
    return tesseract.available()


class Words:
    """Reads words, each control once."""

    def __init__(self) -> None:
        self._said: deque[tuple[Mask, frozenset[str]]] = deque(maxlen=4 * MOST_READ)

    def sorted(self, image: Image, points: Sequence[Point]) -> list[Point]:
        """``points`` of ``image``, without those on controls that are never pressed; first those that lead on, last
        those that lead back. Unchanged where no words can be read."""
        said = self._said_at(image, points)

        def rank(at: Point) -> int:
            return 0 if _says(said[at], ONWARD) else 2 if _says(said[at], BACK) else 1

        def shunned(at: Point) -> bool:
            return _says(said[at], NEVER) or _says(said[at], NEARLY_NEVER)

        return sorted((at for at in points if rank(at) == 0 or not shunned(at)), key=rank)

    def onward(self, image: Image, points: Sequence[Point]) -> list[Point]:
        """Those of ``points`` of ``image`` on controls that lead on; none where no words can be read."""
        return self._with(image, points, ONWARD)

    def back(self, image: Image, points: Sequence[Point]) -> list[Point]:
        """Those of ``points`` of ``image`` on controls that lead back; none where no words can be read."""
        return [at for at in self._with(image, points, BACK) if at not in self.onward(image, points)]

    def levels(self, image: Image, points: Sequence[Point]) -> list[Point]:
        """Those of ``points`` of ``image`` on controls that name a level; none where no words can be read."""
        return self._with(image, points, LEVEL)

    def offer(self, image: Image, points: Sequence[Point]) -> bool:
        """Whether one of the controls at ``points`` of ``image`` would cost something, and none leads on."""
        said = self._said_at(image, points).values()
        return any(_says(each, OFFER) for each in said) and not any(_says(each, ONWARD) for each in said)

    def onward_without_box(self, image: Image, places: Collection[Box]) -> list[Box]:
        """The texts that lead on beside the board, whose cells are at ``places`` (none: anywhere), and stand in no box,
        as those of a toolbar do; none where no words can be read. Of many texts the shortest ones are read."""
        if not can_read():
            return []
        taken = [*(each.box for each in controls(image)), *([around(places)] if places else [])]
        texts = [
            each
            for each in closed_lines(image)
            if WIDE <= each.width / each.height <= LONGEST and not any(box.contains(each.centre) for box in taken)
        ]
        texts = sorted(texts, key=lambda each: each.width / each.height)[:MOST_READ]
        said = {each: self._known(_ink(each.crop(image))) for each in texts}
        return [each for each in texts if len(said[each]) <= MOST_WORDS and _says(said[each], ONWARD)]

    def _with(self, image: Image, points: Sequence[Point], what: re.Pattern[str]) -> list[Point]:
        """Those of ``points`` of ``image`` on controls with one of the words ``what``."""
        said = self._said_at(image, points)
        return [at for at in points if _says(said[at], what)]

    def _said_at(self, image: Image, points: Sequence[Point]) -> dict[Point, frozenset[str]]:
        """The words at each of ``points``; empty where they cannot be read."""
        some = points[:MOST_READ] if can_read() else []
        found = controls(image) if some else []
        return dict.fromkeys(points, frozenset[str]()) | {at: self._on(image, found, at) for at in some}

    def _on(self, image: Image, found: Sequence[Control], at: Point) -> frozenset[str]:
        """The words on the control at a point."""
        around_it = [each for each in found if each.box.contains(at)]
        if around_it:
            ink = min(around_it, key=lambda each: each.box.width * each.box.height).ink
        else:
            line = next((box for box in text_lines(image) if box.contains(at)), None)
            if line is None:
                return frozenset()
            ink = _ink(line.crop(image))
        known = self._known(ink)
        return known if around_it or len(known) <= MOST_WORDS else frozenset()

    def _known(self, ink: Mask) -> frozenset[str]:
        """The words in ``ink``, read once."""
        known = next((words for then, words in self._said if np.array_equal(then, ink)), None)
        if known is None:
            known = _read(ink)
            self._said.append((ink, known))
        return known


def _says(said: frozenset[str], what: re.Pattern[str]) -> bool:
    return any(what.fullmatch(word) for word in said)


def _ink(part: Image) -> Mask:
    """The content of a ``part`` of a picture that is a text: its distance from the usual brightness."""
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.int16)
    return np.asarray(np.clip(np.abs(grey - int(np.median(grey))), 0, 255), np.uint8)


def _read(ink: Mask) -> frozenset[str]:
    """The words in ``ink`` (0 to 255, shape ``(h, w)``), in lower case."""
    rows, columns = (np.flatnonzero((ink > int(ink.max()) // 2).any(axis=axis)) for axis in (1, 0))
    if len(rows) < LEAST:
        return frozenset()
    text = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = HEIGHT / len(text)
    large = cv2.resize(text, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC).astype(np.float32)
    page = np.clip(255 - large * (255 / float(text.max())), 0, 255).astype(np.uint8)
    framed = np.pad(page, HEIGHT // 2, constant_values=255)
    said = tesseract.read(framed, "--psm", "7", patience=PATIENCE) or ""
    return frozenset(re.findall(r"[^\W\d_]+", said.casefold()))
