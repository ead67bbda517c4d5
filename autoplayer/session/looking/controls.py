"""Finds the control that leads on in pictures of a window: what changed outside the board when the level was finished,
and what is on a box. Tells the old board from the next one. Works on pixels only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import cv2
import numpy as np

from autoplayer.core.frame import Box, Cell, Image, Mask, Point, around, largest_channel
from autoplayer.core.shade import unshaded

CHANGED = 24
"""The change of a channel (of 255) that counts: twice what compression and blending do to a still picture."""

MARGIN = 0.25
"""The margin, in cells, that belongs to the board: walls, glow and shadows of chains."""

SMALLEST, LARGEST = 0.1, 4.0
"""The size of a control, in cells: smaller changes are flicker, larger ones a whole screen that changed."""

LINE = 1.0
"""The height, in cells, up to which it may be longer, as a line of text is that says where to press."""

PLAYED = 0.03
"""The share of a cell that must change for it to count as drawn: a thin line through it covers more, a shadow's edge
less."""

STANDS = 0.5
"""The share of what was drawn in a cell that must still be there for the cell to count as unchanged: the edge of a
dialog may cut through it."""

SAME_GLYPH = 0.95
"""The share of a glyph's pixels that must be unchanged: other digits have half of them in common, none nearly all."""

BESIDE = 0.05
"""The margin around a glyph, in cells, that must be unchanged as well."""

RIM = 0.15
"""The margin of a cell, on each side, that contains walls and gaps, which are equal in all levels."""

REMAINS, LEFT = 2, 0.15
"""The old board counts as present where at least this many cells, and this share of those drawn, still look as play
left them: a few may look so by chance, and a dialog leaves at least a row of a board visible."""

BY_CHANCE = 0.5
"""Of cells that hold one of N signs each, one in N holds the same in the next level; N is 3 at least."""

AS_BEFORE, AGAIN = 6.0, 0.9
"""The largest difference, in grey levels, between the mean colours of a cell that shows again what it showed before,
and the share of a board's cells that must do so for a restart."""

WIDEST = 0.95
"""Of the width of a box that covers the board: anything wider is the box's own frame."""

SOLID = 0.95
"""The least share of its convex hull that a button fills, whether it is a rectangle, a pill or a disc; the outline of a
word has notches beside every tall letter."""

FILLED = 0.85
"""The least share of its bounding box that a box which appeared beside the board fills: round corners, text in the
window's background colour, and a shadow take up less."""


CORNER = 0.25
"""The largest size of a cross that closes a dialog, and its largest distance from the dialog's corner, as a share of
the dialog's smaller side."""

SHIFT, SAME_SIGN = 1, 0.05
"""Two pictures of one sign differ at most by this many pixels in position and size, and in this share of their pixels;
two buttons have different words on them."""


DIALOG = 1.0
"""The least size, in cells, of a box beside the board that contains controls; a smaller one is a control itself."""


STRONG, SPACE, OF_A_COLOUR = 0.6, 0.15, 60
"""A line's ink is at least this share as far from its ground as the strongest, without the letters' soft edges; the
least gap between words, in heights of the line; and the least difference between the channels of a colour."""


def controls_that_changed(
    start: Image, before: Image, after: Image, places: Mapping[Cell, Box], pointer: Point | None = None
) -> list[Point]:
    """The centres of what differs outside the board between ``before`` and ``after`` (pictures of equal shape, before
    and after the last move), the largest first; the controls on a box that appeared (a dialog) come before the centre
    of the box. What had already changed between ``start`` and ``before`` is a counter or a clock and is left out, and
    so is what is under ``pointer``, which may be highlighted for that."""
    if not places or start.shape != after.shape or before.shape != after.shape:
        return []
    pitch = pitch_of(places.values())
    came, restless = changed(before, unshaded(before, after, places.values())), changed(start, before)
    margin = round(MARGIN * pitch)
    for mask in (came, restless):
        for box in [*places.values(), *between(places)]:
            grown = Box(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin)
            grown.crop(mask)[...] = 0
    # Components of one control (the two halves of an arrow, the letters of a word) are closer than a quarter of a cell.
    reach = max(round(pitch / 4), 1)
    joined = cv2.morphologyEx(came, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    found: list[tuple[int, list[Point]]] = []
    for label in range(1, count):
        x, y, width, height, area = (int(v) for v in stats[label])
        box = Box(x, y, width, height)
        if max(width, height) < SMALLEST * pitch or min(width, height) < SMALLEST * pitch / 2:
            continue
        if restless[labels == label].any() or (pointer and box.contains(pointer)):
            continue
        dialog = min(width, height) >= DIALOG * pitch and area >= FILLED * width * height and apart(box, after)
        points = controls_on(box, after, pitch) if dialog else []
        line = height <= LINE * pitch and x > 0 and x + width < after.shape[1]
        if points or line or max(width, height) <= LARGEST * pitch:
            found.append((area, list(dict.fromkeys([*points, *_links(box, after), box.centre]))))
    return [point for _, points in sorted(found, key=lambda each: -each[0]) for point in points]


def _links(line: Box, image: Image) -> list[Point]:
    """The middle of the words in a colour in a ``line`` of text whose other words are grey ("Correct! Next"); nothing
    where all words are alike, or those in a colour stand apart from one another."""
    inside = line.crop(image)
    ground = np.median(inside.reshape(-1, 3), axis=0).astype(np.int16)
    away = largest_channel(np.abs(inside - ground))
    strong = away > STRONG * float(away.max())
    hue = np.ptp(inside.astype(np.int16), axis=2)
    columns = np.flatnonzero(strong.any(axis=0))
    words = np.split(columns, np.flatnonzero(np.diff(columns) > SPACE * line.height) + 1)
    own = [len(word) > 0 and float(np.median(hue[:, word][strong[:, word]])) > OF_A_COLOUR for word in words]
    linked = np.flatnonzero(own)
    if not 0 < len(linked) < len(own) or len(linked) <= linked[-1] - linked[0]:
        return []
    return [(line.x + int(words[linked[0]][0] + words[linked[-1]][-1]) // 2, line.centre[1])]


def apart(box: Box, image: Image) -> bool:
    """Whether a box touches at most one edge of the picture (a dialog may hang from it); a part of the window that
    changed as a whole touches more."""
    height, width = image.shape[:2]
    touched = box.x <= 0, box.y <= 0, box.x + box.width >= width, box.y + box.height >= height
    return [*touched].count(True) <= 1


def between(places: Mapping[Cell, Box]) -> list[Box]:
    """The boxes between neighbouring places of a row or column: they belong to the board as well, and a game may draw
    on them (bridges over water)."""
    found: list[Box] = []
    for along in (0, 1):
        lines: dict[int, list[Cell]] = defaultdict(list)
        for cell in places:
            lines[cell[1 - along]].append(cell)
        for line in lines.values():
            for a, b in pairwise(sorted(line)):
                one, other = places[a], places[b]
                if along:
                    left, right = one.x + one.width, other.x
                    top, bottom = min(one.y, other.y), max(one.y + one.height, other.y + other.height)
                else:
                    left, right = min(one.x, other.x), max(one.x + one.width, other.x + other.width)
                    top, bottom = one.y + one.height, other.y
                if b[along] - a[along] > 1 and left < right and top < bottom:
                    found.append(Box(left, top, right - left, bottom - top))
    return found


def lit(before: Image, after: Image, at: Point, places: Collection[Box]) -> bool:
    """Whether the picture changed within half a cell of ``at``, apart from a shade over all of it."""
    if before.shape != after.shape or not places:
        return False
    half = max(round(pitch_of(places) / 2), 1)
    around = Box(at[0] - half, at[1] - half, 2 * half, 2 * half)
    part = around.crop(changed(before, unshaded(before, after, places)))
    return bool(part.size) and float((part > 0).mean()) > 0.02  # a glyph of thin strokes covers at least this


def old_board_remains(start: Image, drawn: Image, now: Image, places: Collection[Box]) -> bool:
    """Whether some cells of the old board still look as play left them (``start``, ``drawn``: before and after), so
    that what is read now lies over it and is not the next level."""
    if start.shape != drawn.shape or drawn.shape != now.shape:
        return False
    played, since = changed(start, drawn), changed(drawn, unshaded(drawn, now, places))
    drawn_on = [box for box in places if share_of(box, played) > PLAYED]
    standing = [box for box in places if _stands(*(box.crop(each) for each in (drawn, played, since)))]
    if gone := [box for box in drawn_on if box not in standing]:
        # What covers some cells covers all between them: a few of these that look the same show the same by chance.
        cover = around(gone)
        outside = [box for box in standing if not cover.contains(box.centre)]
        within = sum(cover.contains(box.centre) for box in drawn_on)
        standing = outside if len(standing) - len(outside) <= BY_CHANCE * within else standing
    return len(standing) >= max(REMAINS, LEFT * len(drawn_on))


def shows_again(start: Image, then: Mapping[Cell, Box], now: Image, places: Mapping[Cell, Box]) -> bool:
    """Whether the cells, at ``then`` in the picture ``start`` of a level's beginning and at ``places`` in ``now``, have
    equal mean colours: drawing or celebration in a cell changes them."""
    if then.keys() != places.keys():
        return False
    apart = [np.abs(then[c].crop(start).mean(axis=(0, 1)) - places[c].crop(now).mean(axis=(0, 1))).max() for c in then]
    return float(np.mean(np.array(apart) <= AS_BEFORE)) >= AGAIN


OUTLINED = 0.6
"""The least correlation of a cell's outlines with those that it had: 0.91 and more where its text was selected."""


def shines_through(before: Image, now: Image, places: Collection[Box]) -> bool:
    """Whether most cells, at ``places``, still have the outlines in ``now`` that they had in ``before``, in whatever
    colours: selected text is no dialog that lies over it."""
    edges = [cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.CV_32F) for image in (before, now)]
    alike = []
    for place in places:
        parts = [np.abs(place.crop(each)).ravel() for each in edges]
        one, other = (part - part.mean() for part in parts)
        alike.append(float(one @ other) / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1.0))
    return float(np.mean(np.array(alike) > OUTLINED)) >= AGAIN


RECOLOURED = 0.4
"""The least share of a cell that selected text's ground takes: it is as high as a line of text."""


def recoloured(before: Image, now: Image, places: Collection[Box]) -> bool:
    """Whether much of at least two cells, at ``places``, has another colour in ``now`` than in ``before``: selected
    text has a ground of its own, and a drag selects the text of two cells."""
    differs = changed(before, now) > 0
    return sum(float(place.crop(differs).mean()) > RECOLOURED for place in places) >= 2


def _stands(cell: Image, played: Mask, since: Mask) -> bool:
    """Whether a cell still shows what play drew in it, and its glyph too: a larger cell of the same colour, in another
    level, matches in the colour alone."""
    if not cell.size or (played > 0).mean() < PLAYED:
        return False
    fill = np.median(cell.reshape(-1, 3), axis=0).astype(np.uint8)
    glyph = changed(cell, np.broadcast_to(fill, cell.shape).copy()) > 0
    dx, dy = round(cell.shape[1] * RIM), round(cell.shape[0] * RIM)
    glyph[:dy] = glyph[glyph.shape[0] - dy :] = glyph[:, :dx] = glyph[:, glyph.shape[1] - dx :] = False
    # The margin must be unchanged as well: a wall of another board may run through the place of a thin glyph.
    reach = max(round(BESIDE * min(cell.shape[:2])), 1)
    glyph = cv2.dilate(glyph.astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) > 0
    kept = since == 0
    return bool(kept[played > 0].mean() > STANDS and glyph.any() and kept[glyph].mean() > SAME_GLYPH)


def pitch_of(places: Collection[Box]) -> float:
    return float(np.median([max(box.width, box.height) for box in places]))


def controls_on(box: Box, now: Image, pitch: float) -> list[Point]:
    """The centres of the components on a box with a uniform background: those with the outline of a button first, the
    larger before the smaller, then what may be a cross that closes the box, then all others, the lowest first; last,
    anything that occurs more than once."""
    inside = box.crop(now)
    # Most of a dialog is its background: the commonest colour, coarsely quantised.
    coarse = (inside // 16).reshape(-1, 3).astype(np.int32)
    codes = coarse[:, 0] * 256 + coarse[:, 1] * 16 + coarse[:, 2]
    ground = np.median(inside.reshape(-1, 3)[codes == np.bincount(codes).argmax()], axis=0).astype(np.uint8)
    ink = changed(inside, np.broadcast_to(ground, inside.shape).copy())
    # The component of that background is the dialog without its frame, and without cells that changed beside it.
    _, _, grounds, _ = cv2.connectedComponentsWithStats(255 - ink)
    if len(grounds) < 2:
        return []
    body = Box(*(int(v) for v in grounds[1 + int(grounds[1:, cv2.CC_STAT_AREA].argmax())][:4]))
    ink = body.crop(ink)
    cover = Box(box.x + body.x, box.y + body.y, body.width, body.height)
    # Letters of a word are closer than an eighth of a cell or of the box, whichever is less.
    gap = max(round(min(pitch, cover.height / 2) / 8), 1)
    words = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
    found: list[tuple[int, float, Point]] = []
    pieces: list[Box] = []
    for outline in cv2.findContours(words, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)[0]:
        x, y, width, height = cv2.boundingRect(outline)
        if width > WIDEST * cover.width or height > WIDEST * cover.height or height < SMALLEST * pitch:
            continue
        if x == 0 or y == 0 or x + width == cover.width or y + height == cover.height:
            continue  # cut off by the box: what is visible behind its round corners
        area = cv2.contourArea(outline)
        piece = Box(x, y, width, height)
        solid = area >= SOLID * max(cv2.contourArea(cv2.convexHull(outline)), 1.0)
        whole = solid and _largest_piece(piece.crop(ink)) >= FILLED * area  # the letters of a word may merge
        place = Box(cover.x + x, cover.y + y, width, height)
        rank = 3 if _repeated(place, pieces, now) else 0 if whole else 1 if _in_corner(piece, cover) else 2
        pieces.append(place)
        found.append((rank, area, place.centre))
    # Without an outline it is a line of text or a picture: a dialog's control is mostly the lowest.
    ranked = sorted(found, key=lambda each: (each[0], -each[2][1] if each[0] == 2 else 0, -each[1]))
    points: list[Point] = []
    for _, _, at in ranked:
        # The text on a button, and the two sides of its outline, are found again as components of their own.
        if all(abs(at[0] - x) > SMALLEST * pitch or abs(at[1] - y) > SMALLEST * pitch for x, y in points):
            points.append(at)
    return points


def _largest_piece(ink: Mask) -> float:
    """The area, in pixels, that the outline of the largest component of ``ink`` encloses."""
    outlines = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    return max((cv2.contourArea(each) for each in outlines), default=0.0)


def _repeated(piece: Box, others: Sequence[Box], image: Image) -> bool:
    """Whether one of ``others`` shows the same as ``piece``, beside it: stars or decorations, not two buttons."""
    for other in others:
        apart = abs(piece.y - other.y) <= SHIFT and abs(piece.x - other.x) >= min(piece.width, other.width)
        if apart and abs(piece.width - other.width) <= SHIFT and abs(piece.height - other.height) <= SHIFT:
            size = min(piece.width, other.width), min(piece.height, other.height)
            a, b = (Box(box.x, box.y, *size).crop(image) for box in (piece, other))
            if float((changed(a, b) > 0).mean()) < SAME_SIGN:
                return True
    return False


def _in_corner(piece: Box, cover: Box) -> bool:
    """Whether a component, at this place on the dialog ``cover``, looks like a cross that closes it: roughly square,
    small, and in one of the upper corners."""
    reach = CORNER * min(cover.width, cover.height)
    small = max(piece.width, piece.height) <= reach and 2 * piece.width >= piece.height <= 2 * piece.width
    x, y = piece.centre
    return small and 2 * piece.height >= piece.width and y <= reach and min(x, cover.width - x) <= reach


def share_of(box: Box, mask: Mask) -> float:
    part = box.crop(mask)
    return float((part > 0).mean()) if part.size else 0.0


def changed(a: Image, b: Image) -> Mask:
    """Shape ``(height, width)``: 255 where a channel differs by more than CHANGED."""
    blue, green, red = cv2.split(cv2.absdiff(a, b))
    _, mask = cv2.threshold(cv2.max(cv2.max(blue, green), red), CHANGED, 255, cv2.THRESH_BINARY)
    return np.asarray(mask, dtype=np.uint8)
