"""One picture on the page of ``replay --report``: the reading drawn over it, and the questionable cells beside it."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import cv2

from autoplayer.cli.truths import Judged
from autoplayer.core.frame import Box, Cell, Image
from autoplayer.games.text import tokens

if TYPE_CHECKING:
    from autoplayer.cli.truths import Difference

LONGEST = 1600
"""Pixels: a larger picture is embedded at a smaller size; a board that a person can play loses no cell by that."""

MOST_ROWS = 60
"""The most cells that are listed under a picture."""

CROPS = 24
"""The most of them that are shown enlarged."""

AROUND = 0.35
"""The margin around an enlarged cell, as a share of the cell's size."""


def _data(image: Image) -> str:
    """The picture as a data URL, scaled down where it is larger than needed."""
    factor = LONGEST / max(image.shape[:2])
    if factor < 1:
        image = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    _, png = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return "data:image/png;base64," + base64.b64encode(png.tobytes()).decode()


def drawn(judged: Judged, image: Image, number: int) -> str:
    """The picture as SVG, named by its ``number`` within the page, with the reading over it."""
    height, width = image.shape[:2]
    least = max(height, width) / 300  # so that differences are visible at once on the largest board
    marks = []
    differing = {each.place: each for each in judged.differences if each.place is not None}
    read = tokens(judged.read) if judged.read else {}
    doubts = _doubts(judged)
    settled = {spot[:2] for spot in judged.changed}
    boxes = [(cell, box) for cell, box in judged.places.items() if box not in differing]
    for cell, box in boxes:
        said = read.get(cell, "?")
        kind, other = "fine", ""
        if cell in doubts:
            kind, other = "open", _other(doubts[cell], said)
        elif cell in settled:
            kind = "changed"
        told = f"cell {cell}: {said}" + (f", may be {_candidates(doubts[cell])}" if cell in doubts else "")
        marks.append(_mark(box, kind, said + (f"|{other}" if other else ""), told))
    for box, each in differing.items():
        label = f"{each.read or '–'}≠{each.truth or '–'}"
        marks.append(_mark(box, "differs", label, str(each), least))
    picture = f"<image id=p{number} width={width} height={height} href='{_data(image)}'/>"
    return (
        f"<svg class=seen viewBox='0 0 {width} {height}' role=img aria-label='{escape(judged.picture, True)}'>"
        f"{picture}<g class=marks>{''.join(marks)}</g></svg>"
    )


def _mark(box: Box, kind: str, label: str, told: str, least: float = 1.0) -> str:
    size = max(min(box.width, box.height), 1)
    gap = size * 0.06
    high = min(size * 0.3, 1.3 * box.width / max(len(label), 1))
    line = max(size * (0.02 if kind == "fine" else 0.06), least)
    return (
        f"<g class={kind}><title>{escape(told)}</title>"
        f"<rect x={box.x + gap:.1f} y={box.y + gap:.1f} width={max(box.width - 2 * gap, 1):.1f} "
        f"height={max(box.height - 2 * gap, 1):.1f} stroke-width={line:.1f} />"
        f"<text x={box.x + 2 * gap:.1f} y={box.y + gap + high:.1f} font-size={high:.1f}>{escape(label)}</text></g>"
    )


def _doubts(judged: Judged) -> dict[Cell, Sequence[tuple[str, float]]]:
    """The candidates of each cell in doubt, the most probable first; where a cell has several glyphs, those of the
    first."""
    found: dict[Cell, Sequence[tuple[str, float]]] = {}
    for doubt in judged.doubts:
        for spot in doubt.cells:
            found.setdefault((spot[0], spot[1]), doubt.candidates)
    return found


def _other(candidates: Sequence[tuple[str, float]], said: str) -> str:
    """The most likely alternative to what was read."""
    return next((token for token, _ in candidates if token != said), "")


def _candidates(candidates: Sequence[tuple[str, float]]) -> str:
    return " or ".join(f"{token} ({p:.0%})" for token, p in candidates[:3])


def facts(judged: Judged, number: int) -> str:
    """The text beside the picture ``number``: the cells that differ or are in doubt, enlarged, and both texts."""
    doubts = _doubts(judged)
    shown = {place: cell for cell, place in judged.places.items()}
    rows = []
    for at, each in enumerate(judged.differences[:MOST_ROWS]):
        cell = shown.get(each.place) if each.place else None
        rows.append(_fact(_crop(each.place, number) if at < CROPS else "", each, doubts.get(cell) if cell else None))
    listed = {shown.get(each.place) for each in judged.differences if each.place}
    read = tokens(judged.read) if judged.read else {}
    for cell, candidates in list(doubts.items())[:MOST_ROWS]:
        if cell not in listed:
            crop = _crop(judged.places.get(cell), number) if len(rows) < CROPS else ""
            rows.append(
                f"<tr class=open><td>{crop}<td>{cell[0]}, {cell[1]}<td><b>{escape(read.get(cell, '?'))}</b>"
                f"<td>{'right' if judged.truth else '–'}<td>{escape(_candidates(candidates))}"
            )
    more = len(judged.differences) - MOST_ROWS
    table = ""
    if rows:
        table = (
            "<div class=wide><table class=cells><thead><tr><th><th>row, column<th>read<th>is<th>in doubt</thead>"
            f"<tbody>{''.join(rows)}</tbody></table></div>" + (f"<p class=more>and {more} more</p>" if more > 0 else "")
        )
    texts = ""
    if judged.truth is not None:
        texts = f"<figure><figcaption>truth</figcaption><pre>{escape(judged.truth)}</pre></figure>"
        if judged.read is not None and judged.kind != "exact":
            texts += f"<figure><figcaption>read</figcaption><pre>{escape(judged.read)}</pre></figure>"
        texts = f"<details class=texts><summary>as text</summary><div>{texts}</div></details>"
    return f"<div class=told>{table}{texts}</div>" if table or texts else ""


def _fact(crop: str, each: Difference, candidates: Sequence[tuple[str, float]] | None) -> str:
    read = f"<b>{escape(each.read)}</b>" if each.read is not None else "not seen"
    true = f"<b>{escape(each.truth)}</b>" if each.truth is not None else "no cell"
    open_ = escape(_candidates(candidates)) if candidates else "no"
    return f"<tr class=differs><td>{crop}<td>{each.cell[0]}, {each.cell[1]}<td>{read}<td>{true}<td>{open_}"


def _crop(place: Box | None, number: int) -> str:
    """An enlarged cell: the same picture, clipped to the cell."""
    if place is None:
        return ""
    across, down = place.width * AROUND, place.height * AROUND
    view = f"{place.x - across:.0f} {place.y - down:.0f} {place.width + 2 * across:.0f} {place.height + 2 * down:.0f}"
    return f"<svg class=crop viewBox='{view}' aria-hidden=true><use href='#p{number}'/></svg>"
