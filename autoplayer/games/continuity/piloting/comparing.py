"""Compares pictures of a window, and the boards that were read from them: what has changed, and whether two boards
belong to one level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from autoplayer.core.frame import Box, Frame, Image, around, largest_channel
from autoplayer.core.shade import unshaded
from autoplayer.games.continuity.piloting.level import surest
from autoplayer.games.continuity.seeing.sight import Bools, Tiles

DIFFERS = 24
"""Grey levels from which on a pixel has changed."""
SAME = 0.06
"""The share of a room by which its walls may differ when it is read again."""
CHANGED, FILLED, ELSEWHERE = 8, 0.8, 0.03
"""Grey levels by which a pixel differs where something lies over a board; the least share of its bounding box that this
takes; and the share of all else that may differ, where a figure or a key was."""
JOINED = 9
"""Pixels by which what a banner changes may be interrupted, where it has the colour of what is below."""
PART = 0.1
"""The least area of a part of a banner that the gaps between tiles divide, in units of its largest part."""
PARTLY = 1.35
"""A thing that was seen in part only is at least so many times as high in another picture of the level."""
SHAPE = 0.08
"""By which share the aspect ratio of a tile may differ between two views."""
BESIDE = 0.03
"""How far a menu at the pointer may reach to its other side, as a share of the window."""
MOST_OF = (0.01, 0.99)
"""The quantiles of what differs between which the menu lies."""
SCROLLED = 0.97
"""The least correlation of the middle of one picture with another position in a second one, if the page was
scrolled."""


def apart(one: Frame, other: Frame, but: Bools | None = None) -> float:
    """The share of the picture in which two frames differ; all of it if their sizes differ. ``but``: where they differ
    anyway, which does not count."""
    if one.image.shape != other.image.shape or (but is not None and but.shape != one.image.shape[:2]):
        return 1.0
    away = differing([one.image[::2, ::2], other.image[::2, ::2]])
    return float((away if but is None else away & ~but[::2, ::2]).mean())


def differing(pictures: Iterable[Image]) -> Bools:
    """Where the first of several pictures of one size differs from another one: shape ``(height, width)``."""
    first, *others = pictures
    changed = np.zeros(first.shape[:2], np.bool_)
    for other in others:
        changed |= largest_channel(cv2.absdiff(first, other)) > DIFFERS
    return changed


def scrolled(one: Frame, other: Frame) -> bool:
    """Whether the middle of a picture stands higher or lower in another one, as large as before."""
    height, width = one.image.shape[:2]
    middle = one.image[height // 3 : 2 * height // 3, width // 4 : 3 * width // 4]
    column = other.image[:, width // 4 : 3 * width // 4]
    _, fits, _, (_, y) = cv2.minMaxLoc(cv2.matchTemplate(column, middle, cv2.TM_CCOEFF_NORMED))
    return fits > SCROLLED and y != height // 3


def unfolds(one: Frame, other: Frame, but: Bools | None = None) -> bool:
    """Whether what differs, as for ``apart``, lies on one side of the middle across, and on one side down, as a menu
    does that unfolds where the pointer is. A change of views is seen all around."""
    away = differing([one.image, other.image]) & (True if but is None else ~but)
    spans = [np.quantile(places, MOST_OF) / length for places, length in zip(np.nonzero(away), away.shape, strict=True)]
    return all(high <= 0.5 + BESIDE or low >= 0.5 - BESIDE for low, high in spans)


def begins_or_differs(board: Tiles, first: Tiles) -> bool:
    """Whether a board is another level than ``first``, or that level in its initial state."""
    return is_other(board, first) or (board.cells == first.cells and begins(board, first))


def is_other(board: Tiles, first: Tiles) -> bool:
    """Whether a board, as one picture shows it, is of another level."""
    same = (board.rows, board.columns) == (first.rows, first.columns)
    return not same or has_other_rooms(board, first)


def has_other_rooms(board: Tiles, first: Tiles) -> bool:
    """Whether a board has a room that a level, as it was first seen, has not."""
    return any(min(unlike(one, mine) for mine in first.solid) > SAME for one in board.solid)


def banner_over(image: Image, tiles: Tiles, cells: Sequence[int]) -> bool:
    """Whether a picture shows the board of ``tiles``, in the size in which it was read, with something rectangular over
    a part of it. ``cells``: the tile in each place, a negative number in the empty one."""
    before, board = image.copy(), np.zeros(image.shape[:2], np.bool_)
    for box, tile in zip(tiles.boxes, cells, strict=True):
        if tile >= 0 and box.crop(image).shape == tiles.pictures[tile].shape:
            box.crop(before)[:] = tiles.pictures[tile]
            box.crop(board)[:] = True
    whole = around(tiles.boxes)
    return dialog_over(whole.crop(before), whole.crop(image), whole.crop(board))


def dialog_over(before: Image, now: Image, board: Bools | None = None) -> bool:
    """Whether something rectangular has come over a part of what the picture ``before`` shows, and nothing else has
    changed but that a shade may lie over all of it. ``board``: the part that is compared, by default all. An area of
    one colour beside it is no evidence: another level may have that colour there, too."""
    if before.shape != now.shape:
        return False
    height, width = now.shape[:2]
    board = np.ones((height, width), np.bool_) if board is None else board.copy()
    clear = unshaded(before, now, [Box(0, 0, width, height)])
    changed = ((largest_channel(cv2.absdiff(before, clear)) > CHANGED) & board).astype(np.uint8)
    whole = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((JOINED, JOINED), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=8)
    if count < 2:
        return False
    areas = stats[1:, cv2.CC_STAT_AREA]
    parts = stats[1:][areas >= PART * areas.max()]
    (x, y), (right, bottom) = parts[:, :2].min(axis=0), (parts[:, :2] + parts[:, 2:4]).max(axis=0)
    within = slice(y, bottom), slice(x, right)
    filled = whole[within][board[within]].mean()
    board[within] = False
    if filled < FILLED or not board.any() or changed[board].mean() > ELSEWHERE:
        return False
    rest = before[board].astype(np.int16)
    return bool((np.abs(rest - np.median(rest, axis=0)).max(axis=1) > CHANGED).mean() > ELSEWHERE)


def begins(board: Tiles, first: Tiles) -> bool:
    """Whether keys and figure are where they were when a level was first seen: it may have been restarted."""
    now, then = surest(board, "figure"), surest(first, "figure")
    keys = [sum(thing.kind == "key" for thing in tiles.things) for tiles in (board, first)]
    if now is None or then is None or keys[0] != keys[1]:
        return False
    return abs(now.x - then.x) + abs(now.y - then.y) < then.height / 2


def clearer(sliding: int, boards: Sequence[Tiles | None]) -> tuple[int, Tiles]:
    """Which of two views to take the level from, and the level: the view in which tiles are moved (its number is
    ``sliding``), unless the other one shows the same walls larger, and a figure or a door of which the smaller picture
    shows nothing, or only a part."""
    small, large = boards[sliding], boards[1 - sliding]
    assert small is not None
    if large is None or (large.rows, large.columns, large.cells) != (small.rows, small.columns, small.cells):
        return sliding, small
    larger = large.boxes[0].height / small.boxes[0].height
    whole = all(
        mine is not None and other.height <= PARTLY * larger * mine.height
        for kind in ("figure", "door")
        for mine, other in [(surest(small, kind), surest(large, kind))]
        if other is not None
    )
    if whole or any(unlike(one, mine) > SAME for one, mine in zip(large.solid, small.solid, strict=True)):
        return sliding, small
    return 1 - sliding, replace(large, view="walking")


def one_board(one: Tiles, other: Tiles) -> bool:
    """Whether two pictures may show one board in two sizes."""
    shapes = [each.boxes[0].width / each.boxes[0].height for each in (one, other)]
    same = (one.rows, one.columns, one.cells) == (other.rows, other.columns, other.cells)
    return same and abs(shapes[0] / shapes[1] - 1) < SHAPE


def slid(one: Tiles | None, other: Tiles | None) -> bool:
    """Whether two pictures show their tiles in one size, and one of them moved."""
    if one is None or other is None or (one.rows, one.columns) != (other.rows, other.columns):
        return False
    wide = one.boxes[0].width
    return one.cells != other.cells and abs(other.boxes[0].width - wide) <= SHAPE * wide


def in_place(one: Tiles | None, other: Tiles | None) -> bool:
    """Whether two pictures show their tiles in the same places, so that only something else can tell the views
    apart."""
    if one is None or other is None or len(one.boxes) != len(other.boxes):
        return False
    ends = [(each.boxes[0].x, each.boxes[0].y, each.boxes[-1].x, each.boxes[-1].y) for each in (one, other)]
    return all(abs(a - b) <= 1 for a, b in zip(*ends, strict=True))


def likely(board: Tiles) -> tuple[bool, int, float]:
    """How likely a board was read correctly: whether it has a figure and a door, how few doubts there are, and how
    certain its things are."""
    kinds = {thing.kind for thing in board.things}
    sure = min((thing.sure for thing in board.things), default=0.0)
    return kinds >= {"figure", "door"}, -len(board.doubts), sure


def unlike(one: Bools, other: Bools) -> float:
    """The share of two rooms that is wall in one of them only."""
    height, width = other.shape
    mine = cv2.resize(one.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0
    return float((mine != other).mean())
