"""Title screens, dialogs, banners and what comes at a level's end, in pictures: which of the boxes with something on
them a person would press. Pixels only, and no text is read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from autoplayer.core.frame import Box, Image, Point, around, largest_channel
from autoplayer.session.boxes import (
    ALIKE,
    PALE,
    WIDEST,
    Control,
    colour_apart,
    colourfulness,
    controls,
    differing,
    holds,
    one_line,
    outlined,
    same_size,
    text_lines,
    without_letters,
)
from autoplayer.session.controls import CHANGED, band_over
from autoplayer.session.shade import unshaded
from autoplayer.session.signs import lone_sign, points_right

RIM_ACROSS, RIM_TOP, RIM_FOOT = 0.15, 0.12, 0.04
"""The parts of the window's width and height in which no way in is looked for: bars, closing crosses, small print."""

SAME_MIDDLE = 0.2
"""How far, in cells, the middle of a box is from that of the cell which it is."""

MIDDLE, MOST_ON_DIALOG = 0.15, 2
"""How far from the window's middle that of a dialog is, in shares of its sides, and how many controls stand on it."""

DIMMED, ALL_BUT_FEW = 0.7, 99.5
"""What is left of a page's light behind a shade, at most, as a share of the dialog's before it, and the part (per cent)
of the page that has no more."""

MOST_BOXES = 12
"""How many boxes with something on them a title screen shows; with more it is a page, or a board that is not read."""

AS_LARGE = 0.4
"""Of the largest control's area, what another one has at least to be one of those that lead on."""

OWN_COLOUR = 40
"""How far (of 255, the largest channel) one control's colour is from the others' where it is to be noticed first."""

COLOURLESS = 0.55
"""Of that, how far the channels of a colour that is none are from one another at most."""

STRIP, LEAST_STRIP, MOST_STRIP, MOST_ON_BANNER = 0.9, 0.06, 0.5, 3
"""Of a banner: the part of the window's width along which its rim is seen, its height as a share of the window's, and
how many controls stand on it."""

FAR_APART = 1.8
"""Of a line's height, how far apart two texts on one bar are at least: the words of one text are nearer."""

STRONG = 0.7
"""Of the strongest contrast in a text, what its letters have within their edges."""

CAME, MOST_CAME = 0.02, 6
"""The part of a box that looks otherwise than before where it came or lit up, and how many do so at a level's end, at
most."""


def on_a_dialog(image: Image, found: Sequence[Control], places: Sequence[Box]) -> list[Control]:
    """Those of ``found`` that stand on a box in the middle of the window which is no board: a dialog, or a page of
    help, over a board. ``places``: where the board's cells were seen, of which few lie on the box. Empty where there
    are more than two."""
    panels = _panels(image, found, places)
    chosen = [each for each in found if any(_on(each, panel) for panel in panels)]
    return chosen if len(chosen) <= MOST_ON_DIALOG else []


def behind_a_dialog(image: Image, places: Sequence[Box]) -> bool:
    """Whether the board, whose cells were seen at ``places``, stands in a darkened picture, before which a dialog with
    a control or two stands in the middle: it may hide a part of the board, and what is played is not heard."""
    found = controls(image)
    chosen = on_a_dialog(image, found, places)
    light = largest_channel(image)
    for panel in _panels(image, found, places) if chosen else []:
        around_it = light.copy()
        ground = float(np.median(panel.crop(light)))
        panel.crop(around_it)[...] = 0
        if float(np.percentile(around_it, ALL_BUT_FEW)) <= DIMMED * ground:
            return True
    return False


def _panels(image: Image, found: Sequence[Control], places: Sequence[Box]) -> list[Box]:
    """The boxes in the window's middle on which some of ``found`` stand, and hardly any cells."""
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
    """Those of ``found`` that stand on a banner which hides a part of a board: a strip along the window's upper or
    lower edge, as wide as the window, at whose rim something of the board is cut off. ``places``: where the board's
    cells were seen. The one in a colour comes first; empty where there are more than three, as on a bar of tools."""
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
            chosen = [each for each in found if holds(strip, each.box) and not stands_at(each, places)]
            if cut >= 2 and 0 < len(chosen) <= MOST_ON_BANNER:
                chosen.sort(key=lambda each: -colourfulness(each))
                return chosen
    return []


def stands_at(control: Control, places: Sequence[Box]) -> bool:
    """Whether ``control`` is a cell, at one of ``places``: their middles are the same, and their sizes about."""
    return _is_cell(control.box, places)


def _is_cell(box: Box, places: Sequence[Box]) -> bool:
    return any(
        abs(box.centre[0] - place.centre[0]) <= SAME_MIDDLE * place.width
        and abs(box.centre[1] - place.centre[1]) <= SAME_MIDDLE * place.height
        and place.height < 2 * box.height < 4 * place.height
        for place in places
    )


def _cut_off(box: Box, place: Box) -> bool:
    """Whether ``box`` is what is seen of the cell at ``place``, part of which something covers: three of its sides are
    where those of the cell are."""
    across, down = SAME_MIDDLE * place.width, SAME_MIDDLE * place.height
    sides = (
        abs(box.x - place.x) <= across,
        abs(box.x + box.width - place.x - place.width) <= across,
        abs(box.y - place.y) <= down,
        abs(box.y + box.height - place.y - place.height) <= down,
    )
    return sum(sides) == 3 and place.contains(box.centre)


def controls_that_came(start: Image, before: Image, now: Image, places: Collection[Box]) -> list[Box]:
    """The boxes with a line of text or a sign on them that look otherwise in ``now`` than in ``before`` (pictures of
    one shape, before and after the last move) and are no cells of the board, whose cells are at ``places``: one with a
    lone sign that points to the right first, then the largest, but for the large ones that have a colour where others
    have none, or not that one; of equals in a row (again, menu, next) the last one first, in a column the upper one.
    What had changed already between ``start`` and ``before`` is a counter or a clock. Empty where there are more than a
    person is given to choose from at a level's end."""
    if not start.shape == before.shape == now.shape:
        return []
    came, restless = differing(before, unshaded(before, now, places)), differing(start, before)
    if places:
        around(places).crop(restless)[...] = False  # what was drawn there
    # A glyph is a box on its cell, and looks otherwise where the board shakes for joy.
    cells = [box for box, _ in outlined(now) if _is_cell(box, [*places])]
    band = band_over(before, now, places)
    if band is not None:  # what came on it is none, wherever it stands; what was there before shines through
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
    # Words that are written over a board are told from its lines by what is new.
    found = without_letters(found, (came * np.uint8(255)).astype(np.uint8))
    if len(found) > MOST_CAME:
        return []
    ordered = dict.fromkeys(box for each in _in_order(found) for box in _equals_in_line(each, found))
    onward = [each.box for each in found if points_right(each)]
    if len(onward) == 1:  # it says so itself, in every language
        ordered = dict.fromkeys([*onward, *ordered])
    bars = {each.box: texts_of_bar(each, now) for each in found}
    return [part for box in ordered for part in bars[box] or [box]]


def texts_of_bar(bar: Control, image: Image) -> list[Box]:
    """The texts and signs on a bar that has several, far apart ("Solved in 0:12 ... NEXT"): first the one in a colour
    where the others have none, then from the right; what is no wider than high (a cross that closes it) comes last.
    Empty where there is one."""
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
    """The boxes with a line of text or a sign that stand beside the board, whose cells are at ``places``: of two of one
    size on both sides of the board first the right one, then in the order of :func:`controls_that_came`. With
    ``likely`` none of those in the window's uppermost part (tools, a way out), and not the last one of several in a row
    or a column. ``played``: where moves have pressed: what was pressed there, and what is of its size in its row or
    column, belongs to play and does not count. Empty where there are more than a person would try."""
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
    """Whether two boxes of one size stand at one height on the two sides of the board."""
    level = abs(left.centre[1] - right.centre[1]) <= left.height / 2 and same_size(left, right)
    return level and left.x + left.width <= board.x and board.x + board.width <= right.x


def _in_line(one: Box, other: Box) -> bool:
    """Whether two boxes of one size stand in a row or in a column; a box does with itself."""
    (x, y), (u, v) = one.centre, other.centre
    return same_size(one, other) and (abs(x - u) <= one.width / 4 or abs(y - v) <= one.height / 4)


def _ends_several(box: Box, boxes: Sequence[Box]) -> bool:
    """Whether ``box`` comes after another one of its height in a row, or of its width in a column, and none comes after
    it."""
    row = [each for each in boxes if abs(each.centre[1] - box.centre[1]) <= box.height / 4]
    column = [each for each in boxes if abs(each.centre[0] - box.centre[0]) <= box.width / 4]
    in_row = len(row) > 1 and all(each.x <= box.x for each in row)
    return in_row or (len(column) > 1 and all(each.y <= box.y for each in column))


def _in_order(found: Sequence[Control]) -> list[Control]:
    """The largest first, but for those of the large ones that have a colour and the others none, or the one that has
    another colour."""
    if not found:
        return []
    # Of equals, of which one may be a pixel larger, the upper one comes first.
    ordered = sorted(found, key=lambda each: (-round(np.log(_area(each)) / ALIKE), each.box.y))
    large = [each for each in ordered if _area(each) >= AS_LARGE * _area(ordered[0])]
    colourful = [each for each in large if colourfulness(each) > OWN_COLOUR]
    plain = [each for each in large if colourfulness(each) < COLOURLESS * OWN_COLOUR]
    own = _own_colour(large)
    if len(colourful) + len(plain) < len(large):
        first = own if len(own) == 1 else []
    elif plain:
        first = colourful
    else:  # the buttons of a row are of one size; what the board shows for joy is of another
        first = [each for each in own if sum(same_size(each.box, other.box) for other in large) > 2]
    return [*first, *(each for each in ordered if each not in first)]


def ways_in(image: Image, found: Sequence[Control]) -> list[Point]:
    """Where a person would press on a title screen to begin, the likeliest first: of the controls in the middle of the
    window the one in a colour of its own, else the first of the large ones, one with words before one with a lone sign
    that does not point to the right; without any, the first of the lines of text that stand below the largest one.
    Empty where there is too much to choose from."""
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
        # What counts a level up or down, or opens settings, shows a sign; so does what begins, but that points right.
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
    """Whether ``after`` shows another screen than ``before``: much has changed, elsewhere than on the pressed control
    ``at``."""
    if before.shape != after.shape:
        return True
    changed = differing(before, after)
    if at is not None:
        grown = Box(at.x - at.width // 4, at.y - at.height // 4, at.width * 3 // 2, at.height * 3 // 2)
        grown.crop(changed)[...] = False
    return float(changed.mean()) > 0.02  # a line of text that blinks covers less


def leafed(before: Image, after: Image, at: Box | None) -> bool:
    """Whether ``after`` shows what ``before`` did, with another line of words on the box on which the pressed control
    ``at`` stands: a page of help was turned. What changed elsewhere, as a clock does, is none."""
    if at is None or before.shape != after.shape:
        return False
    changed = differing(before, after)
    at.crop(changed)[...] = False
    panels = [box for box, _ in outlined(after) if holds(box, at) and box.width >= 1.5 * at.width]
    return any(2 * np.count_nonzero(box.crop(changed)) > np.count_nonzero(changed) > 0 for box in panels)


def _area(control: Control) -> int:
    return control.box.width * control.box.height


def _equals_in_line(one: Control, found: Sequence[Control]) -> list[Box]:
    """The boxes of those of ``found`` that stand in the row of ``one`` and have its height and colour, the rightmost
    first; where it is alone in its row, those of its size and colour in its column, the uppermost first. It is one of
    them."""
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
    """Those of more than two that have a colour which none of the others has."""
    return [
        each
        for each in boxes
        if len(boxes) > 2 and all(colour_apart(each, other) > OWN_COLOUR for other in boxes if other is not each)
    ]
