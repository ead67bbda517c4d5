"""Reads some cells of a board of Cross Set again, in a later picture of the window that it was read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.cross_set.seeing.glyphs.crossing import beyond, halves, rooms, tones
from autoplayer.games.cross_set.seeing.glyphs.glyph import Glyph
from autoplayer.games.cross_set.seeing.glyphs.heads import head_of, without_heads
from autoplayer.games.cross_set.seeing.glyphs.numbers import digits_of, numbers_of
from autoplayer.games.cross_set.seeing.glyphs.parting import like_signs
from autoplayer.games.cross_set.seeing.glyphs.sheet import Sheet
from autoplayer.games.cross_set.seeing.glyphs.signs import without
from autoplayer.games.cross_set.seeing.glyphs.text_lines import parted
from autoplayer.games.cross_set.seeing.one_cell.assembly import assembled, shapes_of, sizes_of
from autoplayer.games.cross_set.seeing.one_cell.contents import pieces_in, scale_of, toned, widened
from autoplayer.games.cross_set.seeing.one_cell.judging import classified
from autoplayer.games.cross_set.seeing.one_cell.pointers import Pointers, like_pointers, pointed_at
from autoplayer.games.cross_set.seeing.one_cell.unused import without_unused
from autoplayer.games.cross_set.seeing.one_cell.ways import FINE_STROKE, GROWN
from autoplayer.games.cross_set.seeing.ordering.order import ordered
from autoplayer.games.cross_set.seeing.ordering.patches import marked_by
from autoplayer.vision import alike
from autoplayer.vision.pieces import Piece, Place


def read_again(image: Image, boxes: Mapping[Cell, Box], before: Sheet, noise: float) -> Sheet:
    """Some cells of a board, read in a later picture; ``before``: all its cells, as they were read. A glyph that looks
    like one of those is taken to be the same; only others are classified by the network."""
    eyes = before.eyes
    scale, overlaid = scale_of(before.boxes), before.patch is None
    found = {
        cell: without_unused(pieces_in(image, box, noise, before.way[0], scale=scale, overlaid=overlaid), before.least)
        for cell, box in boxes.items()
    }
    # Numbers are put together from digits again, for they stand elsewhere now.
    every = {cell: (*row, before.heads[cell]) if cell in before.heads else row for cell, row in before.glyphs.items()}
    digits = replace(before, glyphs={cell: tuple(digits_of(row)) for cell, row in every.items()})
    signs = {cell: like_signs(place.pieces, before.signs) for cell, place in found.items()} if before.signs else {}
    pointing = Pointers(
        *(
            {cell: like_pointers(place.pieces, each) for cell, place in found.items()} if each else {}
            for each in (before.pointers, before.bullets)
        )
    )
    left_out = {cell: [*signs.get(cell, ()), *(p.box for p in pointing.of(cell))] for cell in found}
    found = {cell: replace(p, pieces=without(p.pieces, left_out[cell])) for cell, p in found.items()}
    split = {cell: parted(place.pieces, boxes[cell], before.way, before.lines) for cell, place in found.items()}
    split |= _whole(image, boxes, noise, digits, found, split)
    examples = list({g.cluster: g for row in digits.glyphs.values() for g in row}.values())
    new = [piece for row in split.values() for piece in row]
    cluster = alike.clusters([g.piece.ink for g in examples] + [piece.ink for piece in new])
    known = {number: g.chances for number, g in zip(cluster, examples, strict=False)}
    seen: dict[Cell, list[Glyph]] = {}
    strange: dict[Cell, list[Piece]] = {}
    at = len(examples)
    for cell, row in split.items():
        numbers = cluster[at : at + len(row)]
        at += len(row)
        if all(number in known for number in numbers):
            seen[cell] = [Glyph(p, known[n], n) for p, n in zip(row, numbers, strict=True)]
        else:
            strange[cell] = row
    if strange:
        seen |= classified(strange, eyes)
    if before.space is not None:
        ways = numbers_of(seen, eyes.size, before.space, signs)
        seen = {cell: each[0][1] for cell, each in ways.items()}
    else:
        seen = {
            c: [replace(g, piece=toned(image, g.piece, split[c], found[c].ground)) for g in row]
            for c, row in seen.items()
        }
    large = {cell: g for cell, g in before.heads.items() if cell not in boxes}
    large |= {cell: g for cell, row in seen.items() if cell in before.heads and (g := head_of(row)) is not None}
    seen, unnamed = pointed_at(without_heads(seen, large), pointing)
    if before.patch is not None:
        seen = marked_by(image, seen, before.patch)
    rest = {cell: list(row) for cell, row in before.glyphs.items() if cell not in boxes}
    grounds = {cell: place.ground for cell, place in found.items()}
    order = ordered({**rest, **seen}, before.boxes, {**before.grounds, **grounds}, large)
    glyphs_now = {cell: tuple(order.rows[cell]) for cell in boxes}
    return replace(
        before, glyphs=glyphs_now, grounds=grounds, boxes=dict(boxes), unsure=(order.unsure | unnamed) & set(boxes),
        hiding=frozenset(), rivals={}, parted={}, missing={},
    )  # fmt: skip


def _whole(
    image: Image,
    boxes: Mapping[Cell, Box],
    noise: float,
    before: Sheet,
    found: Mapping[Cell, Place],
    split: Mapping[Cell, Sequence[Piece]],
) -> dict[Cell, list[Piece]]:
    """Reads again the cells in which something is cut off, or which hold fewer or more glyphs than before: with what
    lies on their walls, widened, or with the pieces joined in another way, until nothing is cut off and the count is
    the same."""
    result: dict[Cell, list[Piece]] = {}
    stroke, _ = before.way
    scale, half, overlaid = scale_of(before.boxes), halves(before.boxes), before.patch is None
    inks = tones(g.piece for row in before.glyphs.values() for g in row)
    for cell, row in split.items():
        if any(p.cut for p in row) or len(row) != len(before.glyphs[cell]):
            laid = beyond(image, found[cell], rooms(cell, before.boxes, half), inks, noise, stroke, scale).place
            own = _parted(laid, boxes[cell], before) if laid is not None else []
            if not any(p.cut for p in own) and len(own) == len(before.glyphs[cell]):
                result[cell] = own
    for by in GROWN:
        cut = {c: boxes[c] for c, row in split.items() if c not in result and any(p.cut for p in row)}
        for cell, place in widened(image, cut, noise, stroke, by, scale, overlaid).items() if cut else ():
            row = _parted(place, boxes[cell], before)
            if not any(p.cut for p in row) and len(row) == len(before.glyphs[cell]):
                result[cell] = row
    eyes = before.eyes
    sizes, shapes = sizes_of(before.glyphs), shapes_of(before.glyphs)
    for fine in dict.fromkeys((stroke, FINE_STROKE)):
        odd = [c for c, row in split.items() if c not in result and len(row) != len(before.glyphs[c])]
        places = {c: pieces_in(image, boxes[c], noise, fine, scale=scale, overlaid=overlaid) for c in odd}
        atoms = {c: without_unused(place, before.least).pieces for c, place in places.items()}
        for cell, row in assembled(atoms, sizes, shapes, eyes).items():
            if len(row) == len(before.glyphs[cell]):
                result[cell] = row
    return result


def _parted(place: Place, box: Box, before: Sheet) -> list[Piece]:
    """The glyphs of a cell whose inside is ``box``, divided as all were ``before``, without what was no candidate."""
    return parted(without_unused(place, before.least).pieces, box, before.way, before.lines)
