"""Applies a person's naming of things: which picture is the figure, a key, the door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from autoplayer.core.frame import Image
from autoplayer.games.continuity.blocks import DOOR, KEY, START
from autoplayer.games.continuity.seeing.sight import Kind, Thing, Tiles
from autoplayer.vision import templates
from autoplayer.vision.templates import Template

KINDS: Mapping[str, Kind] = {START: "figure", DOOR: "door", KEY: "key", "": "unknown"}
"""The kinds for the tokens of a layout's pictures. The empty token is a mark without a meaning."""

TOLD = 0.98
"""The probability of a thing that a picture of the layout names."""

ONLY_ONE: tuple[Kind, ...] = ("figure", "door")
"""The kinds of which a level has one."""


def named(tiles: Tiles, image: Image, known: Sequence[Template]) -> Tiles:
    """``tiles``, which ``image`` shows, with each thing named by the layout's pictures. If that leaves a level without
    its door or figure, what was taken for the other one is it."""
    if not known:
        return tiles
    told: dict[int, Kind] = {}
    for n, thing in enumerate(tiles.things):
        token = templates.match(templates.around(image, tiles.box(thing)), known)
        if token is not None and token in KINDS:
            told[n] = KINDS[token]
    things = [_as(each, told[n], TOLD) if n in told else each for n, each in enumerate(tiles.things)]
    for kind, other in (ONLY_ONE, ONLY_ONE[::-1]):
        rivals = [n for n, each in enumerate(things) if each.kind == kind and n not in told]
        if kind in told.values() and len(rivals) == 1 and all(each.kind != other for each in things):
            things[rivals[0]] = _as(things[rivals[0]], other, things[rivals[0]].sure)
    return replace(tiles, things=tuple(things))


def _as(thing: Thing, kind: Kind, sure: float) -> Thing:
    return thing._replace(kind=kind, sure=sure)
