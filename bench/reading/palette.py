"""The colours of a strange window, in which a person reads what stands there."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass

from bench.reading.strange import Colour, Random, choose, within


def luma(colour: Sequence[float]) -> float:
    """How light a colour looks, 0 to 255 (Rec. 601 weights)."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def toned(hue: float, saturation: float, light: float) -> Colour:
    """The colour of this hue and saturation (0 to 1) whose luma is ``light``."""
    light = min(max(light, 0.0), 255.0)
    pure = [255 * v for v in colorsys.hsv_to_rgb(hue % 1, saturation, 1)]
    here = luma(pure)
    if here >= light:
        mixed = [v * light / here for v in pure]
    else:
        share = (light - here) / (255 - here)
        mixed = [v + (255 - v) * share for v in pure]
    return round(mixed[0]), round(mixed[1]), round(mixed[2])


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """``a`` with ``share`` of ``b`` in it."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


def legible_on(colour: Colour, ink: Colour, least: float) -> Colour:
    """``ink`` where it differs enough from ``colour`` in luma; else black or white, whichever differs more."""
    if abs(luma(colour) - luma(ink)) >= least:
        return ink
    return (16, 16, 16) if luma(colour) > 128 else (245, 245, 245)


@dataclass(frozen=True)
class Theme:
    """The colours of a window. ``wavering``: how far the background's luma strays from ``background`` by itself."""

    name: str
    background: Colour
    fill: Colour
    wall: Colour
    ink: Colour
    accents: tuple[Colour, ...]
    contrast: float
    """The luma between ink and fill."""
    wavering: float = 0.0

    @property
    def dark(self) -> bool:
        return luma(self.background) < 128


THEMES = {"light": 4.0, "dark": 4.0, "coloured": 2.0, "pale": 1.0, "low-contrast": 1.3}
ACCENT_HUES = (0.0, 0.36, 0.5, 0.09, 0.6, 0.82, 0.16, 0.72, 0.28, 0.92)


def theme(rng: Random, *, filled: bool, apart: float = 8.0, wavering: float = 0.0) -> Theme:
    """A set of colours in which a person reads the ink without effort (``low-contrast``: with a little).

    ``filled``: cells have a colour of their own, at least ``apart`` from the background in luma. Where they have none,
    the ink keeps its distance from the whole background, which strays by ``wavering``.
    """
    name = choose(rng, THEMES)
    hue = rng.random()
    if name == "light":
        ground, tint = within(rng, 205, 255), within(rng, 0, 0.15)
    elif name == "dark":
        ground, tint = within(rng, 0, 60), within(rng, 0, 0.6)
    elif name == "coloured":
        ground, tint = within(rng, 40, 215), within(rng, 0.35, 0.9)
    elif name == "pale":
        ground, tint = within(rng, 170, 225), within(rng, 0.1, 0.4)
    else:
        ground, tint = within(rng, 20, 235), within(rng, 0, 0.4)
    ground = min(max(ground, wavering), 255 - wavering)
    up = ground < 128
    fill_luma = ground
    if filled:
        step = apart + within(rng, 0, 42 if name != "low-contrast" else 10)
        towards = 1 if (rng.random() < 0.7) == up else -1
        if not 0 <= ground + towards * step <= 255:
            towards = -towards
        fill_luma = min(max(ground + towards * step, 0), 255)
    background = toned(hue, tint, ground)
    fill = toned(hue + within(rng, -0.04, 0.04), tint, fill_luma) if filled else background
    ink_up = luma(fill) < 128
    room = 255 - luma(fill) if ink_up else luma(fill)
    contrast = within(rng, 38, 62) if name == "low-contrast" else within(rng, 0.72, 1.0) * room
    contrast = min(contrast + (0 if filled else wavering), room)
    ink = toned(
        hue + rng.choice([0.0, 0.5, 0.08]),
        rng.choice([0.0, 0.0, 0.25, 0.6]),
        luma(fill) + contrast * (1 if ink_up else -1),
    )
    clear = within(rng, 0.45, 1.0) if name != "low-contrast" else within(rng, 0.7, 1.0)
    wall = (
        mix(fill, ink, clear)
        if rng.random() < 0.75
        else toned(hue, tint, luma(fill) + (1 if ink_up else -1) * contrast * clear)
    )
    strength, level = within(rng, 0.55, 0.95), within(rng, 85, 190)
    turn = within(rng, 0, 1) if rng.random() < 0.5 else 0.0
    accents = [toned(h + turn, strength, level + within(rng, -25, 25)) for h in ACCENT_HUES]
    if rng.random() < 0.7:
        accents = [accents[int(i)] for i in rng.permutation(len(accents))]
    return Theme(name, background, fill, wall, ink, tuple(accents), contrast, wavering)
