"""Numbers that a window writes on its bridges: in a small disc in the middle of each, or on the line itself."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.hashi.puzzle import MOST_LINKS, Bridge, Puzzle
from autoplayer.games.hashi.seeing.between.lines import FAINTEST
from autoplayer.games.hashi.seeing.between.strips import free_length, is_even
from autoplayer.games.hashi.seeing.places import numbers
from autoplayer.games.hashi.seeing.places.chart import Chart
from autoplayer.vision import ink

Ends = tuple[tuple[float, float], tuple[float, float]]
"""The two ends of a bridge, ``(x, y)`` in pixels."""

MOST_LABELLED = 0.75
"""The least share of the bridges with a count for the window to be one that writes counts."""


def labels_on(
    image: Image,
    chart: Chart,
    bridges: Sequence[Bridge],
    ends: Sequence[Ends],
    links: Mapping[Bridge, int],
    noise: float,
) -> dict[Bridge, int]:
    """The counts in the middle of bridges, in a small disc or on the line itself. ``links``: those that are known by
    their lines."""
    found = _labels(image, chart, bridges, ends, links, noise, LABEL_SIDE)
    if found:
        return found
    bulging = [k for k, bridge in enumerate(bridges) if links[bridge] == 1 and _bulges(image, chart, *ends[k])]
    return _labels(
        image, chart, [bridges[k] for k in bulging], [ends[k] for k in bulging], links, noise, SMALL_LABEL_SIDE
    )


def _bulges(image: Image, chart: Chart, a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether a line is broader in its middle than at a third of the way from each end."""

    def beside(share: float) -> list[Floats]:
        x, y = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        return [_colour(image, x + dx, y + dy) for dx, dy in _sides(a, b, BULGE * chart.size)]

    if free_length(a, b, chart) < 2 * SMALL_LABEL_SIDE * chart.size:
        return False
    middle, others = beside(0.5), [beside(share) for share in (0.35, 0.65)]
    return all(float(np.abs(middle[side] - other[side]).max()) >= 2 * FAINTEST for side in range(2) for other in others)


def labels_beside(
    image: Image,
    chart: Chart,
    bridges: Sequence[Bridge],
    ends: Sequence[Ends],
    links: Mapping[Bridge, int],
    noise: float,
) -> dict[Bridge, int]:
    """The counts beside the middle of single lines, on the same side for all lines of one direction; none if hardly all
    of these have one."""
    found: dict[Bridge, int] = {}
    for upright in (False, True):
        pitch = chart.pitch_x if upright else chart.pitch_y
        far = min(BESIDE_LINE[1] * chart.size, pitch - 0.5 * chart.size)
        near, half = BESIDE_LINE[0] * chart.size, 0.5 * BESIDE_LINE[1] * chart.size
        chosen = [
            k
            for k, bridge in enumerate(bridges)
            if links[bridge] == 1 and (bridge.a[1] == bridge.b[1]) == upright and free_length(*ends[k], chart) > half
        ]
        boxes: dict[int, list[Box]] = {-1: [], 1: []}
        for k, side in itertools.product(chosen, boxes):
            (x1, y1), (x2, y2) = ends[k]
            x, y, aside = (x1 + x2) / 2, (y1 + y2) / 2, side * (near + far) / 2
            x, y = (x + aside, y) if upright else (x, y + aside)
            across, down = ((far - near) / 2, half) if upright else (half, (far - near) / 2)
            left, top = round(x - across), round(y - down)
            boxes[side].append(Box(left, top, round(2 * across), round(2 * down)))
        said = max((_written(image, here, noise) for here in boxes.values()), key=len)
        if len(said) >= max(MOST_LABELLED * len(chosen), 1):
            found |= {bridges[chosen[i]]: number for i, number in said.items()}
    return found


BESIDE_LINE = 0.12, 0.95
"""Of an island's size: how far from its line's middle what is written beside a bridge begins at least, and ends."""


def _written(image: Image, boxes: Sequence[Box], noise: float) -> dict[int, int]:
    """The counts in the ``boxes`` that hold nothing else, by place; none if most boxes are empty."""
    inked = [i for i, box in enumerate(boxes) if min(box.width, box.height) > 0 and not is_even(image, box)]
    if not inked or len(inked) < MOST_LABELLED * len(boxes):
        return {}
    here = {i: ink.content(image, boxes[i], noise) for i in inked}
    whole = [i for i, one in here.items() if not one.bare and one.box.height >= LEGIBLE_HEIGHT]
    said = zip(whole, numbers.classify([here[i] for i in whole]), strict=True)
    return {i: int(number) for i, ((number, probability), *_) in said if number in ("1", "2") and probability > CLEARLY}


def _labels(
    image: Image,
    chart: Chart,
    bridges: Sequence[Bridge],
    ends: Sequence[Ends],
    links: Mapping[Bridge, int],
    noise: float,
    share: float,
) -> dict[Bridge, int]:
    """The counts that fill a square of the given ``share`` of an island's size."""
    asked: list[Bridge] = []
    contents: list[ink.Content] = []
    needed: list[float] = []
    for bridge, (a, b) in zip(bridges, ends, strict=True):
        room = free_length(a, b, chart)
        side = min(share * chart.size, 0.8 * room)
        # Between islands that are close the count covers the line.
        lined = links[bridge] > 0
        if room < LABEL_ROOM * chart.size or (not lined and room > COVERS * side):
            continue
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        box = Box(round(x - side / 2), round(y - side / 2), round(side), round(side))
        if is_even(image, box):
            continue
        here = ink.content(image, box, noise)
        central = abs(here.box.centre[0] - x) < side / 5 and abs(here.box.centre[1] - y) < side / 5
        if not here.bare and central and here.box.height > 0.4 * side:
            beside = [_colour(image, x + dx, y + dy) for dx, dy in _sides(a, b, 0.45 * chart.size)]
            # What stands on the water itself, and not on a disc of its own, may be a mark or a piece of a line.
            apart = min(float(np.abs(here.ground - one).max()) for one in beside) >= 2 * FAINTEST
            if (apart or (lined and here.box.height >= LEGIBLE_HEIGHT)) and not _goes_on(image, here):
                asked.append(bridge)
                contents.append(here)
                needed.append(numbers.LEGIBLE if apart else CLEARLY)
    found: dict[Bridge, int] = {}
    for bridge, options, enough in zip(asked, numbers.classify(contents), needed, strict=True):
        number, probability = options[0]
        if number in ("1", "2") and probability > enough:
            found[bridge] = int(number)
    broad = [k for k, here in enumerate(contents) if here.box.width >= TWO_SIGNS * here.box.height]
    for k, count in zip(broad, _behind_signs([contents[k] for k in broad]), strict=True):
        if count and asked[k] not in found:
            found[asked[k]] = count
    return found


def _behind_signs(broad: Sequence[ink.Content]) -> list[int]:
    """The counts in glyphs too broad to be a single sign, such as "x2" or "2x"; 0 if there is none."""
    cut: list[tuple[int, ink.Content]] = []
    for k, here in enumerate(broad):
        columns = here.ink.sum(axis=0)
        width = len(columns)
        at = width // 4 + int(np.argmin(columns[width // 4 : width - width // 4])) if width >= 4 else 0
        if at and columns[at] <= GAP * columns.max():
            cut += [
                (k, replace(here, ink=np.ascontiguousarray(part))) for part in (here.ink[:, :at], here.ink[:, at + 1 :])
            ]
    said = numbers.classify([part for _, part in cut])
    found = [0] * len(broad)
    for (k, _), first, second in zip(cut[::2], said[::2], said[1::2], strict=True):
        signs = [options[0] for options in (first, second)]
        counts = [int(number) for number, p in signs if number in ("1", "2") and p > CLEARLY]
        if len(counts) == 1 and any(not number for number, _ in signs):
            found[k] = counts[0]
    return found


TWO_SIGNS, GAP = 1.2, 0.25
"""The least ratio of width to height of two signs; and the largest amount of ink between them, relative to the fullest
column."""


def _goes_on(image: Image, here: ink.Content) -> bool:
    """Whether a glyph that looks like a count continues above and below: then it is a piece of a line."""
    box, x = here.box, here.box.centre[0]
    above = [_colour(image, x, box.y - 1 - k) for k in range(BEYOND)]
    below = [_colour(image, x, box.y + box.height + k) for k in range(BEYOND)]
    return all(float(np.abs(one - here.colour).max()) < float(np.abs(one - here.ground).max()) for one in above + below)


BEYOND = 2
"""Pixels beyond a count's top and bottom that show no ink."""


def _sides(a: tuple[float, float], b: tuple[float, float], far: float) -> tuple[tuple[float, float], ...]:
    """The steps to both sides of the way from ``a`` to ``b``."""
    upright = abs(a[1] - b[1]) > abs(a[0] - b[0])
    return ((-far, 0.0), (far, 0.0)) if upright else ((0.0, -far), (0.0, far))


def _colour(image: Image, x: float, y: float) -> Floats:
    """The picture's colour at a position, BGR; outside the picture that of the nearest pixel."""
    row, column = np.clip((round(y), round(x)), 0, (image.shape[0] - 1, image.shape[1] - 1))
    colour: Floats = image[row, column].astype(np.float32)
    return colour


LEGIBLE_HEIGHT = 7
"""Pixels: in fewer a piece of a line looks like a 1."""

CLEARLY = 0.9
"""How probable a count must be that stands on the water."""

LABEL_ROOM = 0.15
"""Of an island's size: between two islands that are closer there is no legible count."""

COVERS = 5.0
"""Of a count's side: on a longer bridge more of the line is visible than of the count."""

LABEL_SIDE = 0.42
"""Of an island's size: the square that a count's glyph fills, its disc's rim left out."""

SMALL_LABEL_SIDE, BULGE = 0.3, 0.13
"""The same of a smaller disc, which is only looked for on lines; and how far beside the line it still is."""


def uncrossed(labels: Mapping[Bridge, int], links: Mapping[Bridge, int], puzzle: Puzzle) -> dict[Bridge, int]:
    """``labels`` without those that stand in the middle of a bridge that crosses: its line is seen there."""
    index = {bridge: k for k, bridge in enumerate(puzzle.bridges)}
    kept: dict[Bridge, int] = {}
    for bridge, number in labels.items():
        rivals = [puzzle.bridges[k] for k in puzzle.crossings[index[bridge]]]
        if links[bridge] or not any(other in labels and links[other] for other in rivals):
            kept[bridge] = number
    return kept


def only_doubles(labels: Mapping[Bridge, int], links: Mapping[Bridge, int], puzzle: Puzzle) -> bool:
    """Whether a window draws one line for two links as well, and writes a 2 on it: all ``labels`` are 2, each stands on
    a single line, and hardly any island then has too many links."""
    if len(labels) < FEWEST_DOUBLES or any(n != MOST_LINKS or links[bridge] != 1 for bridge, n in labels.items()):
        return False
    has: Counter[Cell] = Counter()
    for bridge, n in {**links, **labels}.items():
        has[bridge.a] += n
        has[bridge.b] += n
    return sum(has[cell] > number for cell, number in puzzle.islands.items()) <= MOST_TOO_MANY


FEWEST_DOUBLES = 1
"""The number of counts that are believed if not all bridges have one: a 2 is hardly ever read where none is."""

MOST_TOO_MANY = 2
"""Islands with too many links: a person, or a bot that tries the controls, makes so many mistakes."""
