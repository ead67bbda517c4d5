"""What a layout remembers of its window besides the board: whether its anchors are still there, and whether its win
sign shows. An area is searched for near its old place, in the window's present size: areas that scale with the window,
and areas that keep their size (a menu) and their distance from an edge. Works on pixels only."""

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
"""Correlation above which an area is found: redrawn in another size it has 0.8 and more, other buttons and words stay
below 0.65."""

MOVED, TOGETHER = 0.9, 3
"""Correlation above which an area counts as found elsewhere, also in another size, and the largest difference in pixels
between the shifts of areas that moved together: text is drawn at fractions of a pixel."""

REACH = 0.04
"""How far from its place an area is searched for, as a share of the window's smaller side, plus a few pixels."""

FINE = (0.97, 1.0, 1.03)
"""Scales around the expected one, because sizes are rounded in a window of another size."""

UNLIKE = 40
"""The largest difference (of 255) of a channel between a win sign and its picture; a lit button differs by more."""

SAME = 0.8
"""The share of a win sign that must be that close: edges are drawn anew in another size."""

FLAT = 2.0
"""Standard deviation in grey levels below which a picture shows nothing."""


@dataclass(frozen=True)
class Mark:
    """An area that a layout remembers, and its picture (BGR)."""

    area: AreaTable
    picture: Image


@dataclass(frozen=True)
class Marks:
    """All marks of a layout. ``size``: width and height of the window, in pixels, in which the pictures were taken."""

    anchors: tuple[Mark, ...] = ()
    win: Mark | None = None
    size: tuple[int, int] = (1, 1)

    def seen(self, image: Image) -> int:
        """How many of the anchors are found in ``image``."""
        return sum(likeness(mark, self.size, image)[0] > SEEN for mark in self.anchors)

    def fit(self, image: Image) -> bool:
        """Whether ``image`` shows the window that the layout was made for: at least half of its anchors must be found,
        because one may be hidden, or be a number that happened to be the same in all levels that were seen. Areas below
        or beside a board may have moved with its size, all together."""
        return 2 * self.seen(image) >= len(self.anchors) or 2 * self._moved(image) >= max(len(self.anchors), 3)

    def _moved(self, image: Image) -> int:
        """How many of the anchors are found elsewhere, in one size and in any colours, all shifted by the same distance
        along one axis."""
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
        """Whether ``image`` shows the win sign, in its own colours."""
        if self.win is None:
            return False
        like, box, picture = likeness(self.win, self.size, image)
        if like <= SEEN:
            return False
        away = largest_channel(cv2.absdiff(cv2.blur(box.crop(image), (3, 3)), cv2.blur(picture, (3, 3))))
        return float((away <= UNLIKE).mean()) >= SAME


def marks(layout: Layout) -> Marks:
    """The marks of ``layout``. Raises NotFoundError or LayoutError with the file where one of its pictures cannot be
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
    """A clause with advice for a board that was read with ``layout`` and cannot be settled: it may show a symbol of
    which the layout has no picture. None where the layout has no pictures of symbols."""
    if layout.templates is None or not any(templates_folder(layout.templates).glob("*.png")):
        return None
    return f"if a sign is new here, calibrate again, and it is asked about: {_calibrating(layout)}"


def _calibrating(layout: Layout) -> str:
    return f"autoplayer calibrate {layout.game} --window TITLE --name {layout.name}"


def fitting(game: str, title: str | None, image: Image) -> Layout | None:
    """The layout for ``game`` that fits a window best, among the user's own and the bundled ones: all areas and titles
    that it names must be found in the window; a layout that names neither fits none. ``title``: the window's; None
    where only a part of the screen is known. Of two that fit equally the newer one. None where no layout fits."""
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
            continue  # such a window was played before, and not with this layout
        try:
            known = marks(each.layout)
        except (LayoutError, NotFoundError):  # `autoplayer layouts check` reports what is wrong with it
            continue
        if known.fit(image):
            worth = 2 * known.seen(image) + (not each.bundled), each.path.stat().st_mtime
            if best is None or worth > best[0]:
                best = worth, each.layout
    return best[1] if best else None


def likeness(mark: Mark, size: tuple[int, int], image: Image) -> tuple[float, Box, Image]:
    """The best match of ``mark`` near its own place in ``image``: the correlation (independent of contrast, and also
    inverted), the place, and the mark's picture in the matching size. ``size``: width and height of the window in which
    the picture was taken."""
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
        # Redrawn edges are shifted by fractions of a pixel.
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
    """``picture`` with its sides scaled by ``scale``, but at least 3 pixels."""
    if scale == 1:
        return picture
    sides = max(round(scale * picture.shape[1]), 3), max(round(scale * picture.shape[0]), 3)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, sides, interpolation=how), np.uint8)


def _scales(before: tuple[int, int], now: tuple[int, int], fine: Sequence[float] = FINE) -> Sequence[float]:
    """The scales that an area may have when its window's size has changed from one to the other."""
    if before == now:
        return (1.0,)
    across, down = now[0] / before[0], now[1] / before[1]
    found = {round(side * one, 3) for side in {across, down, (across * down) ** 0.5} for one in fine}
    return (1.0, *sorted(found - {1.0}))


def _region(area: AreaTable, before: tuple[int, int], now: tuple[int, int], sides: tuple[int, int]) -> Box:
    """Where an area of ``sides`` (width, height) is searched for: around its place in shares of the window, and around
    the places given by its distance in pixels from either edge, or from the middle."""
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
