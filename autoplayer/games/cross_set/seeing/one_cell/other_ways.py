"""Divides the content of cells of Cross Set in other ways than the one that is right for most of them: with other
parameters, with small pieces joined to digits, without walls, and in larger boxes. ``weighing`` scores the results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from autoplayer.core.frame import Cell
from autoplayer.games.cross_set.seeing.one_cell.assembly import assembled
from autoplayer.games.cross_set.seeing.one_cell.contents import all_there, widened
from autoplayer.games.cross_set.seeing.one_cell.unframed import unframed
from autoplayer.games.cross_set.seeing.one_cell.ways import FINE_STROKE, GROWN, WAYS
from autoplayer.games.cross_set.seeing.one_cell.weighing import BoardView, Parting
from autoplayer.vision import pieces


def other_ways(
    view: BoardView, odd: Sequence[Cell], in_need: Callable[[], list[Cell]]
) -> Iterator[dict[Cell, Parting]]:
    """Other segmentations of the cells that are ``in_need`` of one; of those that are ``odd``, all that join small
    pieces."""
    image, boxes, noise, scale, (stroke, share) = view.image, view.boxes, view.noise, view.scale, view.way

    def parted(place: pieces.Place, gap: float) -> Parting:
        return Parting(pieces.together(place.pieces, gap), view.swallowed_in(place))

    for fine in dict.fromkeys((stroke, FINE_STROKE)):
        places = {c: view.found(c, fine) for c in (odd if fine == stroke else in_need())}
        digits = assembled({c: place.pieces for c, place in places.items()}, view.sizes, view.shapes, view.eyes)
        yield {c: Parting(row, view.swallowed_in(places[c])) for c, row in digits.items()}
        if fine != stroke:
            yield {c: parted(place, share) for c, place in places.items()}
    yield {c: parted(view.found(c, stroke, uneven=True), share) for c in in_need()}
    laid = {c: replace(p, pieces=view.candidates(c, p.pieces)) for c in odd if (p := view.beyond(c).place) is not None}
    yield {c: parted(place, share) for c, place in laid.items()}
    digits = assembled({c: p.pieces for c, p in laid.items()}, view.sizes, view.shapes, view.eyes)
    yield {c: Parting(row, view.swallowed_in(laid[c])) for c, row in digits.items()}
    swallowed = [c for c in odd if view.swallowed[c]]
    bare = unframed(image, boxes, view.grounds, swallowed, noise, stroke, scale) if swallowed else {}
    shown = {c: view.candidates(c, p.pieces) for c, p in bare.items()}
    # What went with the walls is seen now if it is as high as a number; otherwise it is still missing.
    more = {c: view.count_high(each) - view.count_high(view.atoms[c]) for c, each in shown.items()}
    yield {
        c: Parting(pieces.together(each, share), max(view.swallowed[c] - more[c], 0))
        for c, each in shown.items()
        if more[c] > 0
    }
    for by in GROWN:
        cut = [c for c in odd if view.swallowed[c] or any(g.piece.cut for g in view.seen[c])]
        wider = widened(image, {c: boxes[c] for c in cut}, noise, stroke, by, scale)
        # A digit that touches the wall goes with it when the wall is left out: then it stays cut, and in doubt.
        whole = {c: replace(p, pieces=view.candidates(c, p.pieces)) for c, p in wider.items()}
        yield {c: parted(p, share) for c, p in whole.items() if all_there(view.split[c], p.pieces)}
        digits = assembled({c: p.pieces for c, p in whole.items()}, view.sizes, view.shapes, view.eyes)
        yield {
            c: Parting(row, view.swallowed_in(whole[c])) for c, row in digits.items() if all_there(view.split[c], row)
        }
    for way in WAYS:
        if way[0] == stroke and way != view.way:
            apart = {c: parted(view.found(c, stroke), way[1]) for c in in_need()}
            yield {c: one for c, one in apart.items() if len(one.pieces) != len(view.split[c])}
