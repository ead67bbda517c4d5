"""What a layout remembers of its window besides the board: whether its anchors are still there, and whether the sign of
a win shows. An area is looked for where it was, in the window's present size: what grew with the window is enlarged,
what keeps its size (a menu) stands at its distance from an edge. Pixels only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from autoplayer.core import smallpicture
from autoplayer.core.errors import LayoutError, NotFoundError
from autoplayer.core.frame import Box, Image, largest_channel
from autoplayer.layout import PICTURES, AreaTable, Layout, available, own_file, recall, templates_folder, title_fits

SEEN = 0.75
"""Correlation above which an area is seen: what was drawn anew in another size has 0.8 and more, other buttons and
other words stay below 0.65."""

MOVED, TOGETHER = 0.9, 3
"""Correlation above which an area is the same elsewhere, also in another size, and by how many pixels areas that moved
together differ: text is drawn at parts of a pixel."""

REACH = 0.04
"""Of the window's smaller side: how far from its place an area is looked for, and a few pixels."""

FINE = (0.97, 1.0, 1.03)
"""Sizes are rounded in a window of another size."""

UNLIKE = 40
"""How far (of 255) a channel of a win sign may be from its picture; a button that is lit differs by more."""

SAME = 0.8
"""The part of a win sign that must be so: edges are drawn anew in another size."""

FLAT = 2.0
"""Standard deviation in grey levels: a picture with less shows nothing."""


@dataclass(frozen=True)
class Mark:
    """An area that a layout remembers, and its picture (BGR)."""

    area: AreaTable
    picture: Image


@dataclass(frozen=True)
class Marks:
    """All of a layout's. ``size``: width and height of the window, pixels, in which the pictures were taken."""

    anchors: tuple[Mark, ...] = ()
    win: Mark | None = None
    size: tuple[int, int] = (1, 1)

    def seen(self, image: Image) -> int:
        """How many of the anchors are seen in ``image``."""
        return sum(likeness(mark, self.size, image)[0] > SEEN for mark in self.anchors)

    def fit(self, image: Image) -> bool:
        """Whether ``image`` shows the window that the layout was made for: half of its anchors, at least, for one may
        be hidden, or be a number that was alike in all levels that were seen. What stands below or beside a board may
        have moved with its size, all of it together."""
        return 2 * self.seen(image) >= len(self.anchors) or 2 * self._moved(image) >= max(len(self.anchors), 3)

    def _moved(self, image: Image) -> int:
        """How many of the anchors are seen elsewhere, in one size and whatever colours, all moved by one distance along
        one axis."""
        height, width = image.shape[:2]
        soft = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
        most = 0
        for scale in _scales(self.size, (width, height), fine=(1.0,)):
            moves: list[tuple[int, int]] = []
            for mark in self.anchors:
                wanted = cv2.GaussianBlur(cv2.cvtColor(_sized(mark.picture, scale), cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
                if wanted.shape[0] > height or wanted.shape[1] > width:
                    continue
                found = np.abs(cv2.matchTemplate(soft, wanted, cv2.TM_CCOEFF_NORMED))
                _, like, _, (x, y) = cv2.minMaxLoc(np.nan_to_num(found, posinf=0.0))
                before = mark.area.box(self.size)
                move = x - round(scale * before.x), y - round(scale * before.y)
                if like > MOVED and min(abs(move[0]), abs(move[1])) <= TOGETHER * max(scale, 1):
                    moves.append(move)
            near = TOGETHER * max(scale, 1)
            together = (sum(abs(dx - x) <= near and abs(dy - y) <= near for x, y in moves) for dx, dy in moves)
            most = max(most, *together) if moves else most
        return most

    def won(self, image: Image) -> bool:
        """Whether ``image`` shows the sign of a win, in its own colours."""
        if self.win is None:
            return False
        like, box, picture = likeness(self.win, self.size, image)
        if like <= SEEN:
            return False
        away = largest_channel(cv2.absdiff(cv2.blur(box.crop(image), (3, 3)), cv2.blur(picture, (3, 3))))
        return float((away <= UNLIKE).mean()) >= SAME


def marks(layout: Layout) -> Marks:
    """The marks of ``layout``. Raises NotFoundError or LayoutError with the file where a picture of theirs cannot be
    used."""
    if layout.templates is None or layout.size is None:
        return Marks()
    folder = templates_folder(layout.templates) / PICTURES
    anchors = tuple(Mark(area, _picture(folder / area.picture)) for area in layout.anchors)
    win = Mark(layout.win, _picture(folder / layout.win.picture)) if layout.win else None
    return Marks(anchors, win, layout.size)


def complaint(layout: Layout, known: Marks, image: Image) -> str | None:
    """Why ``image`` is not what ``layout`` was made for, in a sentence; None where it is."""
    if known.fit(image):
        return None
    return (
        f"the layout '{layout.name}' no longer fits this window: of {len(known.anchors)} areas that it remembers "
        f"{known.seen(image)} are seen; calibrate again: {_calibrating(layout)}"
    )


def new_sign(layout: Layout) -> str | None:
    """What to do where a board is seen with ``layout`` and cannot be settled, in a clause: a sign may have come of
    which it has no picture. None where it has pictures of no signs."""
    if layout.templates is None or not any(templates_folder(layout.templates).glob("*.png")):
        return None
    return f"if a sign is new here, calibrate again, and it is asked about: {_calibrating(layout)}"


def _calibrating(layout: Layout) -> str:
    return f"autoplayer calibrate {layout.game} --window TITLE --name {layout.name}"


def fitting(game: str, title: str | None, image: Image) -> Layout | None:
    """The layout for ``game`` that fits a window best, of the user's own and those that came with the program: each
    area and title that it names must be the window's, and one that names neither fits none. ``title``: the window's;
    None where only a part of the screen is known. Of two that fit alike it is the one that was made last. None where no
    layout fits."""
    best: tuple[tuple[int, float], Layout] | None = None
    for each in available():
        if each.layout is None or each.layout.game != game or not (each.layout.title or each.layout.anchors):
            continue
        if each.bundled and own_file(each.name).is_file():
            continue
        if title is None and not each.layout.anchors:
            continue
        if title is not None and not title_fits(each.layout.title, title):
            continue
        if title is not None and each.bundled and not each.layout.anchors and recall(game, title) is not None:
            continue  # such a window was played already, and this layout was none of its
        try:
            known = marks(each.layout)
        except (LayoutError, NotFoundError):  # `autoplayer layouts check` says what is wrong with it
            continue
        if known.fit(image):
            worth = 2 * known.seen(image) + (not each.bundled), each.path.stat().st_mtime
            if best is None or worth > best[0]:
                best = worth, each.layout
    return best[1] if best else None


def likeness(mark: Mark, size: tuple[int, int], image: Image) -> tuple[float, Box, Image]:
    """How like ``mark`` the most similar place of ``image`` near its own looks (a correlation, whatever the contrast,
    and inverted too), that place, and the mark's picture in the size in which it was found there. ``size``: width and
    height of the window in which the picture was taken."""
    height, width = image.shape[:2]
    best = 0.0, mark.area.box((width, height)), mark.picture
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    for scale in _scales(size, (width, height)):
        w, h = (max(round(side * scale), 3) for side in mark.picture.shape[1::-1])
        region = _region(mark.area, size, (width, height), (w, h))
        part = region.crop(grey)
        if part.shape[0] < h or part.shape[1] < w:
            continue
        picture = _sized(mark.picture, scale)
        # What is drawn anew has its edges elsewhere by parts of a pixel.
        soft = cv2.GaussianBlur(part, (0, 0), 1.0)
        wanted = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
        like = np.abs(cv2.matchTemplate(soft, wanted, cv2.TM_CCOEFF_NORMED))
        like[~np.isfinite(like)] = 0.0
        value = float(like.max())
        if value > best[0]:
            y, x = (int(v) for v in np.unravel_index(int(like.argmax()), like.shape))
            best = value, Box(max(region.x, 0) + x, max(region.y, 0) + y, w, h), picture
    return best


def _sized(picture: Image, scale: float) -> Image:
    """``picture`` with its sides ``scale`` times as long, and 3 pixels at least."""
    if scale == 1:
        return picture
    sides = max(round(scale * picture.shape[1]), 3), max(round(scale * picture.shape[0]), 3)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, sides, interpolation=how), np.uint8)


def _scales(before: tuple[int, int], now: tuple[int, int], fine: Sequence[float] = FINE) -> Sequence[float]:
    """By how much an area may have been enlarged when its window went from one size to the other."""
    if before == now:
        return (1.0,)
    across, down = now[0] / before[0], now[1] / before[1]
    found = {round(side * one, 3) for side in {across, down, (across * down) ** 0.5} for one in fine}
    return (1.0, *sorted(found - {1.0}))


def _region(area: AreaTable, before: tuple[int, int], now: tuple[int, int], sides: tuple[int, int]) -> Box:
    """Where an area of ``sides`` (width, height) is looked for: around its place in shares of the window, and around
    where its distance in pixels from either edge, or from the middle, puts it."""
    reach = round(REACH * min(now)) + 4
    spans = []
    for axis in (0, 1):
        middle = area.place[axis] + area.place[axis + 2] / 2
        pixels, grown = middle * before[axis], now[axis] - before[axis]
        places = [middle * now[axis], *(pixels + grown * share for share in (0, 0.5, 1))]
        half = sides[axis] / 2 + reach
        spans.append((int(min(places) - half), int(max(places) + half) + 1))
    (left, right), (top, bottom) = spans
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, now[0]), min(bottom, now[1])
    return Box(left, top, max(right - left, 0), max(bottom - top, 0))


def _picture(path: Path) -> Image:
    if not path.is_file():
        raise NotFoundError(f"the layout's picture of an area is not there: {path}")
    picture = smallpicture.load(path, "an area of a window")
    if float(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).std()) < FLAT:
        raise LayoutError(f"{path}: expected a picture of an area of a window, but nothing stands in it")
    return picture
