"""Starts that show nothing of their own but the chain that begins there."""

from __future__ import annotations

import numpy as np

from autoplayer.core.frame import Cell, Floats
from autoplayer.games.cardinal_chains.seeing.glyphs import marks, odds, tokens, views
from autoplayer.games.cardinal_chains.seeing.lattice.outside import Look
from autoplayer.games.cardinal_chains.seeing.lattice.ranking import MARKED, around, beside, groups
from autoplayer.games.cardinal_chains.seeing.lattice.sides import at_corners
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View

BEFORE, STEPS = 0.36, 9
"""The share of the way between two cells' middles, at each end, that a glyph may cover; and the number of pixels
examined in between."""


def take_where_chains_begin(
    view: View,
    found: lattice.Lattice,
    seen: dict[Cell, tokens.Glyph],
    contents: dict[Cell, ink.Content],
    look: Look,
) -> None:
    """Takes places without a number for starts if their single colour leads into a neighbouring place with a number, or
    fills it as well: a drawn chain begins there, unless another start has that colour. They stay doubtful."""
    if any(glyph.candidates[0][0] == "X" and glyph.chance > MARKED for glyph in seen.values()):
        return  # starts show an X here, and all of them do
    read = {cell for cell, glyph in seen.items() if glyph.chance > odds.LEGIBLE and glyph.candidates[0][0] != "X"}
    empty = {cell: here for cell, here in contents.items() if cell not in seen or not seen[cell].candidates[0][0]}
    if len(read) < marks.LEAST_NUMBERS or tokens.hopeless(len(empty), len(contents)):
        return
    empty |= look(beside(contents))
    taken = [
        colour
        for cell, glyph in seen.items()
        if glyph.candidates[0][0] == "X" and glyph.chance > 0.5
        for colour in (contents[cell].ground, contents[cell].colour)
    ]
    # The page around the board, or between closed cells, shows through a hole: its colour is not a chain's.
    behind = [marks.page(view)]
    if view.walled and len(spots := at_corners(view, found)):
        behind.append(np.asarray(np.median(spots, axis=0), np.float32))
    begun: list[tuple[Cell, Floats]] = []
    for cell, here in empty.items():
        colour = _only_colour(view, here)
        if colour is None or any(float(np.abs(colour - other).max()) < marks.OTHER_GROUND for other in taken + behind):
            continue
        filled = {one for one in read if float(np.abs(contents[one].ground - colour).max()) < marks.OTHER_GROUND}
        ways = {near for near in around(cell) if _leads(view, found, cell, near, colour)}
        if not ways and here.bare and marks.colourful(colour):  # filled cells may have gaps between them
            if not filled.intersection(around(cell)):
                continue
        elif not ways <= read or sum(_leads(view, found, cell, near, colour, whole=True) for near in ways) != 1:
            continue
        plain = any(2 * float(np.ptp(contents[one].ground)) < float(np.ptp(colour)) for one in read - filled)
        drawn = 2 * len(filled) <= len(read) or (marks.colourful(colour) and plain)
        if drawn and len(groups(filled | {cell})) == 1:  # else it is the colour of plain cells
            begun.append((cell, colour))
    first = 1 + max((glyph.cluster for glyph in seen.values()), default=0)
    for number, (cell, colour) in enumerate(begun, first):
        if sum(float(np.abs(colour - other).max()) < marks.OTHER_GROUND for _, other in begun) == 1:
            seen[cell] = tokens.Glyph((("X", MARKED), ("", 1 - MARKED)), number)
            contents[cell] = empty[cell]


def _only_colour(view: View, here: ink.Content) -> Floats | None:
    """The colour, BGR, in which the middle of a place is filled, or of all that is drawn there; None where that is
    more than one."""
    (x, y), reach = here.place.centre, max(round(marks.MIDDLE * min(here.place.width, here.place.height) / 3), 1)
    middle = view.image[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1].reshape(-1, 3)
    if not len(middle):
        return None
    colour = np.asarray(np.median(middle, axis=0), np.float32)
    if float(np.abs(middle - colour).max(axis=1).mean()) < marks.EVEN + 3 * view.noise:
        return colour
    if here.bare or views.more_than_a_glyph(view.image, here, here.colour):
        return None
    return here.colour


def _leads(view: View, found: lattice.Lattice, cell: Cell, near: Cell, colour: Floats, *, whole: bool = False) -> bool:
    """Whether ``colour`` lies between two places; ``whole``: on the whole way from glyph to glyph."""
    (x, y), (u, v) = found.box(cell).centre, found.box(near).centre
    way = np.linspace(BEFORE, 1 - BEFORE, STEPS) if whole else np.array([0.5])
    height, width = view.image.shape[:2]
    across, down = np.rint(x + way * (u - x)).astype(int), np.rint(y + way * (v - y)).astype(int)
    if min(across.min(), down.min()) < 0 or across.max() >= width or down.max() >= height:
        return False
    pixels = view.image[down, across].astype(np.float32)
    return float(np.abs(pixels - colour).max()) < marks.OTHER_GROUND + 3 * view.noise
