"""Dialogs, banners and shades that come over a board at a level's end, and what can be pressed on them. Works on
pixels; no text is read."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image, Mask, Point, around
from autoplayer.core.shade import before_the_shade, not_behind_the_shade, shades_the_rest, unshaded
from autoplayer.session.looking.boxes import WIDE, controls, one_line
from autoplayer.session.looking.controls import (
    DIALOG,
    FILLED,
    LEFT,
    REMAINS,
    RIM,
    SAME_GLYPH,
    SOLID,
    apart,
    changed,
    controls_on,
    pitch_of,
    share_of,
)
from autoplayer.session.looking.sheets import GONE, has_sign, likeness, sheet_over

SOLE = 1.3
"""The least width, in cells, of a component of a box over the board: bridges and chains drawn as lines are narrower,
and so is an island beside it that changed its colour."""

MAIN = 0.67
"""The least share of all changed pixels that a box has, if lines that appeared with it are to be added to it: of a
dialog in the window's background colour only the words are seen as changed."""

OUT, PART = 0.5, 0.2
"""How far, in cells, a dialog extends beyond the board; and the least distance of its edge from the sides of the cells
that it cuts, as a share of the cell."""

BUTTON, MOST_BUTTONS = 0.3, 3
"""The least size, in cells, of a button that stands alone in front of a shade, and the most of them: celebrations show
more objects over a board."""

ACROSS, MOSTLY, BAND = 0.9, 0.5, 0.5
"""A band across the picture, with words in any colour on it, changes at least these shares of a row: beside the board,
and in all. The third number is the least height of the band, and the least room beside the board, in cells."""


def controls_on_cover(drawn: Image, now: Image, places: Collection[Box]) -> list[Point]:
    """The centres of the components on the box that has covered the board (a dialog), those that look most like a
    button first."""
    shaded = shaded_dialog(drawn, now, places)
    if shaded is not None:
        return controls_on(shaded, now, pitch_of(places))
    if alone := shaded_buttons(drawn, now, places):
        cover = _cover(drawn, now, places)
        box, area = cover if cover is not None else (Box(0, 0, 0, 0), 0)
        if area >= FILLED * box.width * box.height and all(box.contains(at) for at in alone):
            return controls_on(box, now, pitch_of(places))  # they are on a box whose colour the shade might have left
        return alone
    if band_over(drawn, now, places) is not None:
        return []  # words alone: a press would go to what is behind them
    sheet = _sheet_on(drawn, now, places)
    if sheet is not None:
        return controls_on(sheet, now, pitch_of(places))
    found = _cover(drawn, now, places)
    if found is None:
        return []
    box, area = found
    core = _cover(drawn, now, places, SOLE) if area < MOSTLY * box.width * box.height else None
    if core is not None and core[1] >= MAIN * area:
        box = core[0]  # bridges of the last move, and islands that changed their colour, are not part of it
    return controls_on(box, now, pitch_of(places))


def shaded_dialog(drawn: Image, now: Image, places: Collection[Box]) -> Box | None:
    """The box that has appeared over the board, in front of a shade over the rest of the game; None where there is
    none."""
    front = before_the_shade(drawn, now, places) if places else None
    if front is None:
        return None
    _, _, stats, _ = cv2.connectedComponentsWithStats(_joined(front, places))
    found: list[tuple[int, Box]] = []
    for x, y, width, height, area in stats[1:].tolist():
        box = Box(x, y, width, height)
        # Something that moves beside the game's part of a page is not a dialog of the game.
        if _over(box, places) and min(width, height) >= DIALOG * pitch_of(places) and area >= FILLED * width * height:
            found.append((area, box))
    if found:
        return max(found, key=lambda each: each[0])[1]
    # On a dark page a dialog may be no lighter than what the shade can leave; but it hides what is behind it.
    cover = _cover(drawn, now, places, SOLE)
    if cover is None or not shades_the_rest(drawn, now, places):
        return None
    if all(cover[0].contains(place.centre) for place in places):
        return None  # a board whose cells all change in a celebration
    box, area = cover
    large = min(box.width, box.height) >= DIALOG * pitch_of(places)
    return box if large and area >= FILLED * box.width * box.height and apart(box, now) else None


def shaded_buttons(drawn: Image, now: Image, places: Collection[Box]) -> list[Point]:
    """The centres of the buttons over the board, without a box around them, in front of a shade over the rest of the
    game, the largest first; empty where there are none, or more than a dialog has."""
    front = before_the_shade(drawn, now, places) if places else None
    if front is None:
        return []
    found: list[tuple[float, Point]] = []
    for outline in cv2.findContours(_joined(front, places), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        box, area = Box(*cv2.boundingRect(outline)), cv2.contourArea(outline)
        whole = area >= SOLID * max(cv2.contourArea(cv2.convexHull(outline)), 1.0)
        if whole and _over(box, places) and min(box.width, box.height) >= BUTTON * pitch_of(places):
            found.append((area, box.centre))
    if not found:
        return _buttons_in_its_colours(drawn, now, places)
    return [at for _, at in sorted(found, reverse=True)] if len(found) <= MOST_BUTTONS else []


def _buttons_in_its_colours(drawn: Image, now: Image, places: Collection[Box]) -> list[Point]:
    """The centres of the buttons over the board in colours that the shade might leave of some other, by what they hide:
    oblong boxes with a line of text that have appeared with the shade, and that are no cells."""
    other = not_behind_the_shade(drawn, now, places)
    if other is None:
        return []
    found = [
        each.box
        for each in controls(now)
        if each.box.width >= WIDE * each.box.height
        and one_line(each)
        and _over(each.box, places)
        and not any(place.contains(each.box.centre) and each.box.width <= place.width for place in places)
        and float((each.box.crop(other) > 0).mean()) >= FILLED
    ]
    found.sort(key=lambda box: -box.width * box.height)
    return [box.centre for box in found] if len(found) <= MOST_BUTTONS else []


def _joined(front: Mask, places: Collection[Box]) -> Mask:
    """``front`` with components joined that are closer than a quarter of a cell."""
    reach = max(round(pitch_of(places) / 4), 1)
    return np.asarray(cv2.morphologyEx(front, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8)), np.uint8)


def _over(box: Box, places: Collection[Box]) -> bool:
    """Whether a box covers at least a part of the board."""
    board = around(places)
    across = min(box.x + box.width, board.x + board.width) - max(box.x, board.x)
    down = min(box.y + box.height, board.y + board.height) - max(box.y, board.y)
    return across > 0 and down > 0


def band_over(drawn: Image, now: Image, places: Collection[Box]) -> Box | None:
    """A band from one side of the picture to the other that has appeared over a part of the board, mostly with words on
    it ("Well done! Press Enter"), and may be translucent; None where there is none. A board that itself extends from
    side to side may change along whole rows in a celebration."""
    strip = _strip_over(drawn, now, places)
    return strip if strip is not None and strip.width >= ACROSS * now.shape[1] else None


def _strip_over(drawn: Image, now: Image, places: Collection[Box]) -> Box | None:
    """As :func:`band_over`, but a page may have margins beside the band: it extends beyond both sides of the board."""
    if not places or drawn.shape != now.shape:
        return None
    height, room, board = now.shape[0], BAND * pitch_of(places), around(places)
    came = changed(drawn, now) > 0
    across = came.mean(axis=1) >= MOSTLY
    edges = np.flatnonzero(np.diff(np.concatenate([[False], across, [False]]).astype(np.int8)))
    for top, foot in edges.reshape(-1, 2).tolist():
        inside = top > 0 and foot < height and foot - top >= room
        covered = [box for box in places if box.y < foot and top < box.y + box.height]
        columns = np.flatnonzero(came[top:foot].mean(axis=0) >= MOSTLY)
        if not (inside and len(columns) and covered and len(covered) < len(places)):
            continue
        strip = Box(int(columns[0]), top, int(columns[-1] - columns[0]) + 1, foot - top)
        # Beside the board the band is opaque; on it a button may have the colour of the cells behind it.
        left, right = came[top:foot, strip.x : board.x], came[top:foot, board.x + board.width : strip.x + strip.width]
        if _sticks_out(strip, board, room) and np.concatenate([left, right], axis=1).mean() >= ACROSS:
            return strip
    return None


def _sticks_out(box: Box, board: Box, by: float) -> bool:
    """Whether ``box`` extends beyond both sides of the board, by so many pixels."""
    return box.x <= board.x - by and box.x + box.width >= board.x + board.width + by


def _sheet_on(drawn: Image, now: Image, places: Collection[Box]) -> Box | None:
    """The box of one colour that has appeared over cells of the board since ``drawn``, is larger than one of them and
    ends in the middle of cells; None if there is none."""
    if not places or drawn.shape != now.shape:
        return None
    sheet = sheet_over(drawn, now, places, SOLE * pitch_of(places))
    box = None if sheet is None else Box(*cv2.boundingRect(sheet))
    return box if box is not None and _ends_elsewhere(box, places) else None


def dialog_over(drawn: Image, now: Image, places: Collection[Box]) -> Box | None:
    """A box that appeared over the board and looks like a dialog: it ends in the middle of cells, extends beyond the
    board, or is a band across the page. A board that changes as a whole, in a celebration, does none of that. None
    where there is no such box."""
    strip = _strip_over(drawn, now, places)
    if strip is not None:
        return strip
    sheet = _sheet_on(drawn, now, places)
    if sheet is not None:
        return sheet
    found = _cover(drawn, now, places, SOLE)
    if found is None:
        return None
    cover, area = found
    if area < FILLED * cover.width * cover.height or not apart(cover, now):
        return None
    beyond, board = OUT * pitch_of(places), around(places)
    out = (
        cover.x < board.x - beyond
        or cover.y < board.y - beyond
        or cover.x + cover.width > board.x + board.width + beyond
        or cover.y + cover.height > board.y + board.height + beyond
    )
    return cover if out or any(_cut_off(place, cover) for place in places) else None


def stands_beside(dialog: Box, drawn: Image, now: Image, places: Collection[Box]) -> bool:
    """Whether ``dialog`` hides signs of the old board, and all others are still where they were, in whichever colours:
    what is read from them is a part of the old board, and not the next level. A flash of a finished board, which looks
    like a box too, hides no sign. A translucent band, which hides only those behind its words, extends beyond the
    board."""
    inner = [
        Box(box.x + dx, box.y + dy, box.width - 2 * dx, box.height - 2 * dy)
        for box in places
        for dx, dy in [(round(RIM * box.width), round(RIM * box.height))]
    ]
    signs = [box for box in inner if has_sign(box, drawn)]
    alike = {box: likeness(box, drawn, now) for box in signs}
    hidden = [box for box in signs if dialog.contains(box.centre)]
    beside = [box for box in signs if not _over(box, [dialog])]
    return (
        len(beside) >= max(REMAINS, LEFT * len(places))
        and all(alike[box] >= SAME_GLYPH for box in beside)
        and bool(hidden)
        and (all(alike[box] <= GONE for box in hidden) or _sticks_out(dialog, around(places), BAND * pitch_of(places)))
    )


def _cover(drawn: Image, now: Image, places: Collection[Box], narrow: float = 0.0) -> tuple[Box, int] | None:
    """The bounding box of the largest changed component that covers a place, and how many of its pixels changed. Parts
    narrower than ``narrow``, in cells, are cut off: lines that were drawn, the shadow of a box."""
    if not places or drawn.shape != now.shape:
        return None
    reach = max(round(pitch_of(places) / 4), 1)
    joined = cv2.morphologyEx(
        changed(drawn, unshaded(drawn, now, places)), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8)
    )
    sheet = sheet_over(drawn, now, places, SOLE * pitch_of(places))
    if sheet is not None:
        joined = cv2.bitwise_or(joined, sheet)
    if narrow:
        core = max(round(narrow * pitch_of(places)), 1)
        joined = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((core, core), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    covers = [k for k in range(1, count) if any(share_of(box, labels == k) > 0.5 for box in places)]
    if not covers:
        return None
    largest = max(covers, key=lambda k: int(stats[k][cv2.CC_STAT_AREA]))
    x, y, width, height, area = (int(v) for v in stats[largest])
    return Box(x, y, width, height), area


def _cut_off(cell: Box, cover: Box) -> bool:
    """Whether an edge of ``cover`` runs through the middle of a cell."""
    across = min(cell.x + cell.width, cover.x + cover.width) - max(cell.x, cover.x)
    down = min(cell.y + cell.height, cover.y + cover.height) - max(cell.y, cover.y)
    if across <= 0 or down <= 0:
        return False
    return any(PART < share < 1 - PART for share in (across / cell.width, down / cell.height))


def _ends_elsewhere(sheet: Box, places: Collection[Box]) -> bool:
    """Whether some edge of ``sheet`` runs where no cell ends: the colour of a chain that fills cells ends with them."""
    far = PART * pitch_of(places)
    xs = np.array([edge for box in places for edge in (box.x, box.x + box.width)])
    ys = np.array([edge for box in places for edge in (box.y, box.y + box.height)])
    edges = (xs, sheet.x), (xs, sheet.x + sheet.width), (ys, sheet.y), (ys, sheet.y + sheet.height)
    return any(bool(np.abs(ends - edge).min() > far) for ends, edge in edges)
