"""Colours. RGB, 0 to 255, as pygame takes them. A theme colours a window and its chains; it draws nothing."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Theme:
    """``ground`` is the window, ``tile`` a cell of the tiles look, ``wall`` between cells, ``ink`` for digits,
    ``faint`` for what is off, ``accent`` for what is lit or marked, ``done`` and ``wrong`` for parts of the board that
    are as they should be or cannot stay; ``chains`` in the order of the starts."""

    name: str
    ground: Colour
    tile: Colour
    wall: Colour
    ink: Colour
    faint: Colour
    accent: Colour
    done: Colour
    wrong: Colour
    chains: tuple[Colour, ...]

    def chain(self, number: int) -> Colour:
        """The colour of a chain; beyond the palette, hues a golden angle apart, so that neighbours differ."""
        if number < len(self.chains):
            return self.chains[number]
        hue = (number * 0.618034) % 1.0
        r, g, b = colorsys.hsv_to_rgb(hue, 0.45, 0.85)
        return round(r * 255), round(g * 255), round(b * 255)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """``a`` with a ``share`` (0 to 1) of ``b``."""
    r, g, bl = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return r, g, bl


def luminance(colour: Colour) -> float:
    """Relative luminance after WCAG 2, 0 to 1."""
    r, g, b = (n / 12.92 if (n := c / 255) <= 0.04045 else ((n + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: Colour, b: Colour) -> float:
    """Contrast ratio after WCAG 2, 1 to 21."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


DARK_INK: Colour = (24, 26, 31)
LIGHT_INK: Colour = (250, 249, 245)


def ink_on(colour: Colour) -> Colour:
    """The ink that is easier to read on ``colour``."""
    return max(DARK_INK, LIGHT_INK, key=lambda ink: contrast(ink, colour))


_LIGHT = Theme(
    "light",
    ground=(244, 239, 228),
    tile=(255, 252, 245),
    wall=(62, 72, 86),
    ink=(44, 52, 64),
    faint=(208, 201, 187),
    accent=(214, 92, 34),
    done=(176, 208, 160),
    wrong=(206, 48, 48),
    chains=(
        (226, 106, 92),
        (86, 158, 214),
        (120, 184, 104),
        (238, 186, 78),
        (160, 124, 200),
        (84, 190, 182),
        (232, 140, 184),
        (170, 134, 98),
        (150, 158, 172),
        (196, 204, 84),
    ),
)
_DARK = Theme(
    "dark",
    ground=(24, 29, 41),
    tile=(42, 50, 68),
    wall=(168, 180, 204),
    ink=(232, 236, 244),
    faint=(62, 72, 94),
    accent=(255, 196, 84),
    done=(44, 110, 78),
    wrong=(236, 84, 84),
    chains=(
        (206, 74, 84),
        (52, 122, 204),
        (58, 146, 82),
        (196, 138, 34),
        (134, 86, 190),
        (30, 144, 150),
        (200, 84, 148),
        (138, 98, 66),
        (104, 116, 140),
        (136, 150, 40),
    ),
)
# Okabe and Ito's eight colours without black, and three that stay apart from them for colour-blind eyes as well.
_COLOUR_BLIND = Theme(
    "colour-blind",
    ground=(255, 255, 255),
    tile=(236, 238, 242),
    wall=(16, 16, 20),
    ink=(16, 16, 20),
    faint=(200, 202, 208),
    accent=(0, 90, 200),
    done=(186, 222, 244),
    wrong=(213, 94, 0),
    chains=(
        (230, 159, 0),
        (86, 180, 233),
        (0, 158, 115),
        (240, 228, 66),
        (0, 114, 178),
        (213, 94, 0),
        (204, 121, 167),
        (51, 34, 136),
        (112, 32, 76),
        (176, 216, 176),
    ),
)
THEMES = {theme.name: theme for theme in (_LIGHT, _DARK, _COLOUR_BLIND)}


def theme_of(choice: str, number: int) -> Theme:
    """The theme of level ``number`` (from 1) where ``choice`` was asked for; ``alternate`` goes round all of them."""
    if choice == "alternate":
        return tuple(THEMES.values())[(number - 1) % len(THEMES)]
    return THEMES[choice]
