"""Places with a coloured corner instead of a number: a triangle, a quarter of a disc, or a small square."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, largest_channel
from autoplayer.games.cardinal_chains.seeing.glyphs import marks, tokens
from autoplayer.vision import ink, lattice
from autoplayer.vision.views import View

MARGIN, LEG, MOST = 0.07, 0.16, 0.7
"""How far from a cell's sides a corner is examined, and up to which sum of the distances from two sides, as shares of
the cell's sides; and the least share of that triangle that one colour fills: a round corner shows what is behind the
cell."""

SMALLEST = 16
"""Pixels: the least side of a cell whose corners are examined."""


def with_a_corner(view: View, found: lattice.Lattice, cell: Cell, here: ink.Content, grounds: Floats) -> ink.Content:
    """What a place shows, with the coloured corner as its only ink if one corner has a colour that is no grey, and the
    other three have one of the ``grounds``, shape ``(N, 3)``; else ``here``. Only cells with walls have corners."""
    inside = _inside(view, found, cell) if view.walled else None
    if inside is None:
        return here
    patch = inside.crop(view.image).astype(np.float32)
    colours = [_of_a_corner(part, view.noise) for part in (patch, patch[:, ::-1], patch[::-1], patch[::-1, ::-1])]
    plain = [_nearest(colour, grounds) if colour is not None else None for colour in colours]
    odd = [colour for colour, ground in zip(colours, plain, strict=True) if ground is None]
    known = [ground for ground in plain if ground is not None]
    if len(odd) != 1 or odd[0] is None or not marks.colourful(odd[0]):
        return here
    if float(np.abs(np.stack(known) - odd[0]).max(axis=1).min()) <= marks.OTHER_INK:
        return here
    colour, ground = odd[0], np.median(np.stack(known), axis=0).astype(np.float32)
    at = next(k for k, one in enumerate(plain) if one is None)
    half = patch.shape[0] // 2, patch.shape[1] // 2
    top, left = (patch.shape[0] - half[0]) * (at // 2), (patch.shape[1] - half[1]) * (at % 2)
    drawn = largest_channel(np.abs(patch[top : top + half[0], left : left + half[1]] - colour)) < marks.OTHER_GROUND
    box = Box(inside.x + left, inside.y + top, half[1], half[0])
    contrast = float(np.abs(colour - ground).max())
    return replace(here, ground=ground, ink=drawn.astype(np.float32), box=box, colour=colour, contrast=contrast)


def take_corners(
    view: View,
    seen: dict[Cell, tokens.Glyph],
    contents: dict[Cell, ink.Content],
    clear: list[Cell],
    found: lattice.Lattice,
) -> set[Cell]:
    """The places with a corner in a colour, unless they are too many for starts: whatever else they show, as the line
    of the chain that begins there, is no number. One of the ``clear`` places is no number only if all that was read
    there has the corner's colour."""
    grounds = np.stack([contents[cell].ground for cell in clear])
    shown = {cell: with_a_corner(view, found, cell, here, grounds) for cell, here in contents.items()}
    cornered = {
        cell
        for cell, corner in shown.items()
        if corner is not contents[cell]
        and (cell not in clear or float(np.abs(corner.colour - contents[cell].colour).max()) <= marks.OTHER_INK)
    }
    if len(cornered) > max(marks.MOST_STARTS * len(clear), 1) or len(set(clear) - cornered) < marks.LEAST_NUMBERS:
        return set()
    for cell in cornered:
        contents[cell] = shown[cell]
        if cell in seen:
            seen[cell] = replace(seen[cell], candidates=(("", 1.0),))
    clear[:] = [cell for cell in clear if cell not in cornered]
    return cornered


def _inside(view: View, found: lattice.Lattice, cell: Cell) -> Box | None:
    """A cell without its outline; None if it is too small, or not all of it is in the picture."""
    (x, y), (height, width) = found.box(cell).centre, view.image.shape[:2]
    across, down = round(found.width * (1 - 2 * MARGIN)), round(found.height * (1 - 2 * MARGIN))
    box = Box(round(x - across / 2), round(y - down / 2), across, down)
    whole = box.x >= 0 and box.y >= 0 and box.x + across <= width and box.y + down <= height
    return box if whole and min(across, down) >= SMALLEST else None


def _of_a_corner(patch: Floats, noise: float) -> Floats | None:
    """The one colour, BGR, of the upper left corner of a patch; None where there are several."""
    height, width = patch.shape[:2]
    along, across = np.ogrid[:height, :width]
    corner = patch[along / height + across / width < LEG]
    colour = np.asarray(np.median(corner, axis=0), np.float32)
    even = np.abs(corner - colour).max(axis=1) < marks.EVEN + 3 * noise
    return colour if float(even.mean()) >= MOST else None


def _nearest(colour: Floats, grounds: Floats) -> Floats | None:
    """The one of the ``grounds`` that a colour is, or None."""
    away = np.abs(grounds - colour).max(axis=1)
    return np.asarray(grounds[int(away.argmin())]) if float(away.min()) <= marks.OTHER_GROUND else None
