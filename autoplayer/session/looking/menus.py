"""Title screens, dialogs, banners and screens at a level's end in pictures: which of their boxes a person would press.
Works on pixels; no text is read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from autoplayer.core.frame import Box, Image, Point, around, largest_channel
from autoplayer.core.shade import unshaded
from autoplayer.session.looking.boxes import (
    ALIKE,
    PALE,
    WIDE,
    WIDEST,
    Control,
    colour_apart,
    colourfulness,
    controls,
    differing,
    holds,
    moved,
    one_line,
    outlined,
    same_size,
    strongest,
    text_lines,
    without_letters,
)
from autoplayer.session.looking.controls import CHANGED
from autoplayer.session.looking.dialogs import band_over
from autoplayer.session.looking.signs import lone_sign, points_right

RIM_ACROSS, RIM_TOP, RIM_FOOT = 0.15, 0.12, 0.04
"""The margins of the window, as shares of its size (left and right, top, bottom), in which nothing that starts a game
is searched for: bars, closing crosses, small print."""

SAME_MIDDLE = 0.2
"""The largest distance between the middles of a box and of the cell that it is, in cells."""

MIDDLE, MOST_ON_DIALOG = 0.15, 2
"""The largest distance of a dialog's middle from the window's, as a share of the window's size, and the most controls
on a dialog."""

DIMMED, ALL_BUT_FEW = 0.7, 99.5
"""Behind a shade the page is at most this bright, as a share of the dialog's brightness; and the percentage of the
page's pixels of which that must hold."""

FAINT = 0.6
"""Behind a veil most cells have at most this share of the contrast of a control that stands before it."""

MOST_BOXES = 12
"""The most boxes on a title screen; with more it is a page, or a board that was not recognised."""

AS_LARGE = 0.4
"""The least area of a control that may lead on, as a share of the largest one's."""

OWN_COLOUR = 40
"""The least distance (of 255, the largest channel) between a control's colour and those of the others for it to stand
out."""

COLOURLESS = 0.55
"""The largest difference between the channels of a colourless colour, as a share of ``OWN_COLOUR``."""

STRIP, LEAST_STRIP, MOST_STRIP, MOST_ON_BANNER = 0.9, 0.06, 0.5, 3
"""A banner: the share of the window's width along which its edge is visible, its least and largest height as shares of
the window's, and the most controls on it."""

FAR_APART = 1.8
"""The least distance between two texts on one bar, as a multiple of the line's height: words of one text are closer."""

STRONG = 0.7
"""Within their edges the letters of a text have at least this share of its strongest contrast."""

CAME, MOST_CAME = 0.02, 6
"""The least share of a box that must change for it to have appeared or lit up, and the most boxes that do so at a
level's end."""


def on_a_dialog(image: Image, found: Sequence[Control], places: Sequence[Box]) -> list[Control]:
    """Those of ``found`` that are on a box in the middle of the window that is not a board: a dialog, or a page of
    help, over a board; or, without a box, before a veil over the board. ``places``: where the board's cells were seen,
    of which the box contains few. Empty where there are more than two."""
    panels = _panels(image, found, places)
    chosen = [each for each in found if any(_on(each, panel) for panel in panels)]
    chosen = chosen or _before_a_veil(image, found, places)
    return chosen if len(chosen) <= MOST_ON_DIALOG else []


def _before_a_veil(image: Image, found: Sequence[Control], places: Sequence[Box]) -> list[Control]:
    """Those of ``found`` that stand in the middle of a board most of whose cells are faint beside them: a veil lies
    over the board, and no box around them. One in a colour comes first."""
    if not places:
        return []
    board = around(places)
    chosen = [
        each
        for each in found
        if holds(board, each.box)
        and abs(each.box.centre[0] - board.centre[0]) <= MIDDLE * board.width
        and each.box.width >= WIDE * each.box.height
        and one_line(each)
        and not any(holds(place, each.box) for place in places)
    ]
    if not chosen:
        return []
    seen = [place for place in places if not any(_meet(each.box, place) for each in chosen)]
    contrasts = [_contrast(place.crop(image)) for place in seen]
    clear = min(strongest(each) for each in chosen)
    if not contrasts or float(np.median(contrasts)) > FAINT * clear:  # words may lie on some of them
        return []
    return sorted(chosen, key=lambda each: -colourfulness(each))


def _meet(one: Box, other: Box) -> bool:
    """Whether two boxes have pixels in common."""
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    return across > 0 and min(one.y + one.height, other.y + other.height) > max(one.y, other.y)


def _contrast(part: Image) -> float:
    """How far (0 to 255, the largest channel) the pixels of ``part`` are from their usual colour, but for a few."""
    pixels = part.reshape(-1, 3).astype(np.int16)
    if not pixels.size:
        return 0.0
    return float(np.percentile(np.abs(pixels - np.median(pixels, axis=0)).max(axis=1), ALL_BUT_FEW))


def behind_a_dialog(image: Image, places: Sequence[Box]) -> bool:
    """Whether the board, whose cells were seen at ``places``, is in a darkened picture behind a dialog with a control
    or two in the middle, or behind a veil: it may hide a part of the board, and moves would be ignored."""
    found = controls(image)
    chosen = on_a_dialog(image, found, places)
    if chosen and chosen == _before_a_veil(image, found, places)[:MOST_ON_DIALOG]:
        return True
    light = largest_channel(image)
    for panel in _panels(image, found, places) if chosen else []:
        around_it = light.copy()
        ground = float(np.median(panel.crop(light)))
        panel.crop(around_it)[...] = 0
        if float(np.percentile(around_it, ALL_BUT_FEW)) <= DIMMED * ground:
            return True
    return False


def _panels(image: Image, found: Sequence[Control], places: Sequence[Box]) -> list[Box]:
    """The boxes in the window's middle that contain some of ``found``, and hardly any cells."""
    height, width = image.shape[:2]
    panels = [
        box
        for box, _ in outlined(image)
        if box.width <= WIDEST * width
        and box.height <= WIDEST * height
        and abs(box.centre[0] - width / 2) <= MIDDLE * width
        and abs(box.centre[1] - height / 2) <= MIDDLE * height
        and 3 * sum(box.contains(place.centre) for place in places) <= len(places)
    ]
    cells = [each for each in found if stands_at(each, places)]
    panels = [panel for panel in panels if not any(_on(each, panel) for each in cells)]
    return [panel for panel in panels if any(_on(each, panel) for each in found)]


def _on(control: Control, panel: Box) -> bool:
    larger = panel.width >= 1.5 * control.box.width and panel.height >= 1.5 * control.box.height
    return larger and holds(panel, control.box)


def on_a_banner(image: Image, found: Sequence[Control], places: Sequence[Box]) -> list[Control]:
    """Those of ``found`` that are on a banner over a part of a board: a strip along the window's upper or lower edge,
    as wide as the window, at whose edge something of the board is cut off. ``places``: where the board's cells were
    seen. A coloured one comes first; empty where there are more than three, as on a toolbar."""
    if not places:
        return []
    height, width = image.shape[:2]
    board = around(places, max(box.height for box in places))
    left, right = max(board.x, 0), min(board.x + board.width, width)
    down = largest_channel(np.abs(np.diff(image.astype(np.int16), axis=0))) > PALE
    across = largest_channel(np.abs(np.diff(image.astype(np.int16), axis=1))) > CHANGED
    for y in np.flatnonzero(down.mean(axis=1) > STRIP).tolist():
        for above in (True, False):
            tall = height - 1 - y if above else y + 1
            if not LEAST_STRIP * height <= tall <= MOST_STRIP * height:
                continue
            beside = y - 1 if above else y + 2
            cut = np.count_nonzero(across[beside, left : right - 1]) if 0 <= beside < height else 0
            strip = Box(0, y + 1, width, tall) if above else Box(0, 0, width, tall)
            chosen = [
                each
                for each in found
                if holds(strip, each.box) and not any(_same_middle(each.box, place) for place in places)
            ]
            if cut >= 2 and 0 < len(chosen) <= MOST_ON_BANNER:
                chosen.sort(key=lambda each: -colourfulness(each))
                return chosen
    return []


def stands_at(control: Control, places: Sequence[Box]) -> bool:
    """Whether ``control`` is one of the cells ``places``: similar in position and size."""
    return _is_cell(control.box, places)


def _is_cell(box: Box, places: Sequence[Box]) -> bool:
    return any(_same_middle(box, place) and place.height < 2 * box.height < 4 * place.height for place in places)


def _same_middle(box: Box, place: Box) -> bool:
    """Whether ``box`` is in the middle of the cell ``place``: as its outline, or its glyph."""
    x, y = (abs(a - b) for a, b in zip(box.centre, place.centre, strict=True))
    return x <= SAME_MIDDLE * place.width and y <= SAME_MIDDLE * place.height


def _cut_off(box: Box, place: Box) -> bool:
    """Whether ``box`` is the visible part of the cell ``place``, the rest of which is covered: three of its sides agree
    with the cell's."""
    across, down = SAME_MIDDLE * place.width, SAME_MIDDLE * place.height
    sides = (
        abs(box.x - place.x) <= across,
        abs(box.x + box.width - place.x - place.width) <= across,
        abs(box.y - place.y) <= down,
        abs(box.y + box.height - place.y - place.height) <= down,
    )
    return sum(sides) == 3 and place.contains(box.centre)


def controls_that_came(start: Image, before: Image, now: Image, places: Collection[Box]) -> list[Box]:
    """The boxes with a line of text or a sign that differ between ``now`` and ``before`` (pictures of equal shape,
    before and after the last move) and are not cells of the board, whose cells are at ``places``. First comes one with
    a single sign that points right, then the largest; among the large ones, those with a colour that the others lack
    come first. Of equal ones in a row (again, menu, next) the last one comes first, in a column the upper one. What had
    already changed between ``start`` and ``before`` is a counter or a clock, and what a message has only moved did not
    come. Empty where there are more than a level's end offers to a person."""
    if not start.shape == before.shape == now.shape:
        return []
    came, restless = differing(before, unshaded(before, now, places)), differing(start, before)
    if places:
        around(places).crop(restless)[...] = False  # what was drawn there
    # A glyph is a box on its cell, and changes where the board shakes in a celebration.
    cells = [box for box, _ in outlined(now) if _is_cell(box, [*places])]
    band = band_over(before, now, places)
    if band is not None:  # a box that appeared on the band is not a cell; older ones show through it
        boxes = [box for box, _ in outlined(before)]
        cells = [box for box in cells if not holds(band, box) or any(same_size(box, each) for each in boxes)]
    found = [
        each
        for each in controls(now)
        if one_line(each)
        and not (stands_at(each, [*places]) and any(same_size(each.box, cell) for cell in cells))
        and not any(holds(cell, each.box) for cell in cells)
        and not any(_cut_off(each.box, place) for place in places)
        and float(each.box.crop(came).mean()) > CAME
        and not each.box.crop(restless).any()
    ]
    elsewhere = moved(before, now)
    found = [each for each in found if each.box not in elsewhere]
    # Words written over a board are told from its lines by what has changed.
    found = without_letters(found, (came * np.uint8(255)).astype(np.uint8))
    if len(found) > MOST_CAME:
        return []
    ordered = dict.fromkeys(box for each in _in_order(found) for box in _equals_in_line(each, found))
    onward = [each.box for each in found if points_right(each)]
    if len(onward) == 1:  # the arrow says so itself, in every language
        ordered = dict.fromkeys([*onward, *ordered])
    bars = {each.box: texts_of_bar(each, now) for each in found}
    return [part for box in ordered for part in bars[box] or [box]]


def texts_of_bar(bar: Control, image: Image) -> list[Box]:
    """The texts and signs on a bar that has several, far apart ("Solved in 0:12 ... NEXT"): first the one in a colour
    that the others lack, then from right to left; those no wider than high (a closing cross) come last. Empty where
    there is only one."""
    rows, columns = (np.flatnonzero((bar.ink > CHANGED).any(axis=axis)) for axis in (1, 0))
    if not columns.size:
        return []
    high = int(rows[-1] - rows[0]) + 1
    texts = [
        Box(bar.box.x + int(part[0]), bar.box.y + int(rows[0]), int(part[-1] - part[0]) + 1, high)
        for part in np.split(columns, np.flatnonzero(np.diff(columns) > FAR_APART * high) + 1)
    ]
    if len(texts) == 1:
        return []

    def colour(text: Box) -> int:
        strong = Box(text.x - bar.box.x, text.y - bar.box.y, text.width, text.height).crop(bar.ink)
        inked = text.crop(image)[strong > STRONG * int(strong.max())].astype(np.int16)
        return int(np.median(np.ptp(inked, axis=1)))

    colours = {text: colour(text) for text in texts}
    own = [text for text in texts if colours[text] > OWN_COLOUR]
    first = own if len(own) == 1 else []
    rest = sorted((text for text in texts if text not in first), key=lambda text: (text.width <= text.height, -text.x))
    return [*first, *rest]


def controls_beside(
    image: Image, places: Collection[Box], *, likely: bool = False, played: Collection[Point] = ()
) -> list[Box]:
    """The boxes with a line of text or a sign beside the board, whose cells are at ``places``: of two of equal size on
    both sides of the board first the right one, then in the order of :func:`controls_that_came`. With ``likely``
    without those in the uppermost part of the window (tools, a way out) and without the last of several in a row or
    column. ``played``: where moves have pressed: controls pressed there, and those of equal size in their row or
    column, belong to the game and are left out. Empty where there are more than a person would try."""
    board = around(places)
    found = [
        each
        for each in controls(image)
        if one_line(each) and not board.contains(each.box.centre) and not stands_at(each, [*places])
    ]
    of_play = [each.box for each in found if any(each.box.contains(at) for at in played)]
    found = [each for each in found if not any(_in_line(each.box, box) for box in of_play)]
    found.sort(key=lambda each: (each.box.y // max(each.box.height, 1), each.box.x))
    if len(found) > MOST_CAME:
        return []
    boxes = [each.box for each in _in_order(found)]
    arrows = [box for box in boxes if any(_across(other, board, box) for other in boxes)]
    if likely:
        last = [box for box in boxes if box not in arrows and _ends_several(box, boxes)]
        boxes = [box for box in boxes if box not in last and box.centre[1] > RIM_TOP * image.shape[0]]
    return [*arrows, *(box for box in boxes if box not in arrows)]


def _across(left: Box, board: Box, right: Box) -> bool:
    """Whether two boxes of equal size are at the same height on opposite sides of the board."""
    level = abs(left.centre[1] - right.centre[1]) <= left.height / 2 and same_size(left, right)
    return level and left.x + left.width <= board.x and board.x + board.width <= right.x


def _in_line(one: Box, other: Box) -> bool:
    """Whether two boxes of equal size are in a row or a column; a box is so with itself."""
    (x, y), (u, v) = one.centre, other.centre
    return same_size(one, other) and (abs(x - u) <= one.width / 4 or abs(y - v) <= one.height / 4)


def _ends_several(box: Box, boxes: Sequence[Box]) -> bool:
    """Whether ``box`` is the last of several of equal height in a row, or of equal width in a column."""
    row = [each for each in boxes if abs(each.centre[1] - box.centre[1]) <= box.height / 4]
    column = [each for each in boxes if abs(each.centre[0] - box.centre[0]) <= box.width / 4]
    in_row = len(row) > 1 and all(each.x <= box.x for each in row)
    return in_row or (len(column) > 1 and all(each.y <= box.y for each in column))


def _in_order(found: Sequence[Control]) -> list[Control]:
    """The largest first; among the large ones, those with a colour where the others have none, or the one with a
    different colour, come first."""
    if not found:
        return []
    # Of equal ones, which may differ by a pixel in size, the upper one comes first.
    ordered = sorted(found, key=lambda each: (-round(np.log(_area(each)) / ALIKE), each.box.y))
    large = [each for each in ordered if _area(each) >= AS_LARGE * _area(ordered[0])]
    colourful = [each for each in large if colourfulness(each) > OWN_COLOUR]
    plain = [each for each in large if colourfulness(each) < COLOURLESS * OWN_COLOUR]
    own = _own_colour(large)
    if len(colourful) + len(plain) < len(large):
        first = own if len(own) == 1 else []
    elif plain:
        first = colourful
    else:  # the buttons of a row are equal in size; decorations on the board are not
        first = [each for each in own if sum(same_size(each.box, other.box) for other in large) > 2]
    return [*first, *(each for each in ordered if each not in first)]


def ways_in(image: Image, found: Sequence[Control]) -> list[Point]:
    """Where a person would press on a title screen to begin, the most probable first: of the controls in the middle of
    the window the one in a colour of its own, else the first of the large ones, with words before single signs that do
    not point right; without any, the first line of text below the largest one. Empty where there is too much to choose
    from."""
    height, width = image.shape[:2]

    def central(box: Box) -> bool:
        x, y = box.centre
        across = RIM_ACROSS * width <= x <= (1 - RIM_ACROSS) * width
        return bool(across and RIM_TOP * height <= y <= (1 - RIM_FOOT) * height)

    if len(found) > MOST_BOXES:
        return []
    middle = [each for each in found if central(each.box)]
    if middle:
        largest = max(_area(each) for each in middle)
        large = [each for each in middle if _area(each) >= AS_LARGE * largest]
        # Controls that change the level's number, or open settings, show a sign; one that begins may as well, but
        # points right.
        large = [each for each in large if not lone_sign(each) or points_right(each)] or large
        large.sort(key=lambda each: (each.box.y, each.box.x))
        own = _own_colour(large)
        same = len(large) - len(own) > 1
        chosen = [*(own[:1] if same and len(own) == 1 else []), *large[:1]]
        return list(dict.fromkeys(each.box.centre for each in chosen))
    lines = [box for box in text_lines(image) if central(box)]
    if not lines:
        return []
    tallest = max(lines, key=lambda box: box.height)
    below = [box for box in lines if box is not tallest and box.y > tallest.y]
    if not below:
        return [tallest.centre]
    high = max(box.height for box in below)
    first = min((box for box in below if box.height >= (1 - ALIKE) * high), key=lambda box: (box.y, box.x))
    return [first.centre]


def moved_on(before: Image, after: Image, at: Box | None) -> bool:
    """Whether ``after`` shows another screen than ``before``: much has changed, apart from the pressed control
    ``at``."""
    if before.shape != after.shape:
        return True
    changed = differing(before, after)
    if at is not None:
        grown = Box(at.x - at.width // 4, at.y - at.height // 4, at.width * 3 // 2, at.height * 3 // 2)
        grown.crop(changed)[...] = False
    return float(changed.mean()) > 0.02  # a blinking line of text covers less


def leafed(before: Image, after: Image, at: Box | None) -> bool:
    """Whether ``after`` shows the same as ``before``, with another text on the box that contains the pressed control
    ``at``: a page of help was turned. Changes elsewhere (a clock) are ignored."""
    if at is None or before.shape != after.shape:
        return False
    changed = differing(before, after)
    at.crop(changed)[...] = False
    panels = [box for box, _ in outlined(after) if holds(box, at) and box.width >= 1.5 * at.width]
    return any(2 * np.count_nonzero(box.crop(changed)) > np.count_nonzero(changed) > 0 for box in panels)


def _area(control: Control) -> int:
    return control.box.width * control.box.height


def _equals_in_line(one: Control, found: Sequence[Control]) -> list[Box]:
    """The boxes of those of ``found`` in the row of ``one`` with its height and colour, the rightmost first; where it
    is alone in its row, those of its size and colour in its column, the uppermost first. It is one of them."""
    alike = [
        each.box
        for each in found
        if abs(each.box.height - one.box.height) <= ALIKE * each.box.height and colour_apart(each, one) <= CHANGED
    ]
    row = [box for box in alike if abs(box.y - one.box.y) <= ALIKE * box.height]
    if len(row) > 1:
        return sorted(row, key=lambda box: -box.x)
    column = [box for box in alike if abs(box.x - one.box.x) <= ALIKE * box.width and same_size(box, one.box)]
    return sorted(column, key=lambda box: box.y)


def _own_colour(boxes: Sequence[Control]) -> list[Control]:
    """Those of more than two controls whose colour none of the others has."""
    return [
        each
        for each in boxes
        if len(boxes) > 2 and all(colour_apart(each, other) > OWN_COLOUR for other in boxes if other is not each)
    ]
