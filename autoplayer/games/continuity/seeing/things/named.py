"""What a person has said of things that look alike: which picture is the figure, a key, the door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from autoplayer.core.frame import Image
from autoplayer.games.continuity.blocks import DOOR, KEY, START
from autoplayer.games.continuity.seeing.sight import Kind, Thing, Tiles
from autoplayer.vision import templates
from autoplayer.vision.templates import Template

KINDS: Mapping[str, Kind] = {START: "figure", DOOR: "door", KEY: "key", "": "unknown"}
"""What the tokens of a layout's pictures say. The empty one is a mark that says nothing."""

TOLD = 0.98
"""How sure a thing is of which the layout has a picture."""

ONLY_ONE: tuple[Kind, ...] = ("figure", "door")
"""Of these a level has one."""


def named(tiles: Tiles, image: Image, known: Sequence[Template]) -> Tiles:
    """``tiles``, which ``image`` shows, with each thing called what a layout's pictures call it. Where that leaves a
    level without its door or figure, what was taken for the other one is it."""
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
