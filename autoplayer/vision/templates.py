"""A layout's own glyphs: pictures of them, each named by its token. A classifier that knows the window's very font.

A file ``TOKEN.png`` or ``TOKEN-2.png`` holds one glyph, dark on light or light on dark, with nothing else in it;
``none.png`` holds a mark that means nothing, ``unknown.png`` a glyph of which only is known that it is none of the
others.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from autoplayer.core import smallpicture
from autoplayer.core.errors import LayoutError, MachineError, NotFoundError, cause
from autoplayer.core.frame import Box, Floats, Image
from autoplayer.vision import ink

SIDE, RIM, BLUR = 24, 4, 1.0
"""Pixels: before glyphs are compared they are scaled to a square of ``SIDE``, with an empty ``RIM`` around them (a full
square and a full disc differ in nothing but their outline), and blurred by ``BLUR``: drawn in two sizes, the strokes of
a glyph may stand half a pixel apart."""

ALIKE = 0.94
"""Correlation above which a glyph matches a template; a full disc and a full square have 0.92."""

NEARER = 0.5
"""The largest distance (1 minus the correlation) to the best template, as a share of the distance to the best template
of another token: a 6 and an 8 of seven segments are nearly alike. Of the digits of 40 fonts in four sizes these two
bounds name 76 % correctly, none wrongly that has a template, and 0.1 % of those that have none."""

FEW = 20
"""Pixels: in a glyph whose larger side is no more than this, half a pixel matters. It is cut out at whole pixels, so
its edges may be off by that much."""

SLIM = 6
"""Pixels: in a single stroke no wider than this, such as a bar for a one, half a pixel matters as well; and as its soft
edges may lie inside its box, the stroke may also be narrower than that."""

NEAR, FAR = 0.06, 0.22
"""The ring around a glyph, in shares of its larger side, in which the ground's colour is measured: nearer there are the
glyph's soft edges, farther away there may be a ring around it."""

NOTHING = "none"
"""The name of the file of a mark that means nothing; its token is the empty text."""

UNKNOWN = "unknown"
"""The name of the file of a glyph that looks like no other, and that nobody could name."""


@dataclass(frozen=True, eq=False)
class Template:
    """A glyph's token, its ink (shape ``(h, w)``), its feature vector of length 1, and its ratio of width to height."""

    token: str
    ink: Floats
    vector: Floats
    aspect: float


def load(folder: Path) -> list[Template]:
    """The templates in ``folder``. Raises NotFoundError where there is no such folder, LayoutError with the file
    where one is no picture of a glyph."""
    return list(load_files(folder).values())


def load_files(folder: Path) -> dict[Path, Template]:
    """As :func:`load`: each template by its file."""
    if not folder.is_dir():
        raise NotFoundError(f"the layout's templates are not there: {folder} is no folder")
    templates = {}
    for path in sorted(folder.glob("*.png")):
        picture = smallpicture.load(path, "one glyph")
        glyph = _as_saved(picture)
        if glyph is None:
            image = np.pad(picture, ((8, 8), (8, 8), (0, 0)), mode="edge")
            glyph = ink.content(image, Box(0, 0, image.shape[1], image.shape[0])).ink
        if not glyph.size:
            raise LayoutError(f"{path}: expected a picture of one glyph, but nothing stands in it")
        token = path.stem.split("-")[0]
        templates[path] = of(glyph, "" if token == NOTHING else token)
    return templates


def _as_saved(picture: Image) -> Floats | None:
    """The ink in a picture that :func:`save` made, unchanged: extracted anew like that of a window, thin strokes would
    come out differently. None for a picture from elsewhere."""
    page = picture[..., 0]
    if min(page.shape) <= 2 * RIM or (picture != page[..., None]).any():
        return None
    inner = page[RIM:-RIM, RIM:-RIM]
    rim = np.pad(np.full_like(inner, 255), RIM, constant_values=0)
    sides = inner[0], inner[-1], inner[:, 0], inner[:, -1]
    if (np.maximum(page, rim) != 255).any() or any((side == 255).all() for side in sides):
        return None
    return np.asarray(1 - inner.astype(np.float32) / 255, np.float32)


def of(glyph: Floats, token: str = "") -> Template:
    """The template that ``glyph`` (ink, shape ``(h, w)``, cut to its bounding box) makes."""
    return Template(token, glyph, _vector(glyph), glyph.shape[1] / glyph.shape[0])


def match(glyph: Floats, templates: Sequence[Template]) -> str | None:
    """The token of the template that matches ``glyph`` (ink, shape ``(h, w)``); None where none matches, or one that
    nobody could name."""
    if not glyph.size:
        return None
    found = likeness(glyph, templates)
    token = max(found, key=lambda name: found[name], default=UNKNOWN)
    best, other = found.get(token, 0.0), max((value for name, value in found.items() if name != token), default=0.0)
    return token if token != UNKNOWN and best > ALIKE and 1 - best < NEARER * (1 - other) else None


def likeness(glyph: Floats, templates: Sequence[Template]) -> dict[str, float]:
    """The similarity of ``glyph`` (ink, shape ``(h, w)``, not empty) to the templates, by their tokens; see
    :func:`alike`."""
    here = _drawn(glyph)
    found: dict[str, float] = {}
    for one in templates:
        found[one.token] = max(found.get(one.token, 0.0), *(alike(way, one) for way in here))
    return found


def _drawn(glyph: Floats) -> list[Template]:
    """``glyph`` (ink, shape ``(h, w)``) as templates: as it is, and, where it is small enough for that to matter, with
    its edges moved by half a pixel."""
    result = [of(glyph)]
    twice = np.repeat(np.repeat(glyph, 2, axis=0), 2, axis=1)
    if max(glyph.shape) <= FEW:
        ways = [way for way in itertools.product((0, 1), repeat=4) if any(way)]
        result += [of(np.pad(twice, ((top, bottom), (left, right)))) for top, bottom, left, right in ways]
    for axis, side in enumerate(glyph.shape):
        if side <= SLIM:
            inner = [(twice if axis == 0 else twice.T)[off:-off] for off in (1, 2)]
            result += [of(part if axis == 0 else part.T) for part in inner if part.size]
    return result


def is_unnamed(glyph: Floats, templates: Sequence[Template]) -> bool:
    """Whether ``glyph`` (ink, shape ``(h, w)``) matches a glyph that nobody could name."""
    here = of(glyph) if glyph.size else None
    best = max(((alike(here, one), one.token) for one in templates), default=(0.0, "")) if here else (0.0, "")
    return best[1] == UNKNOWN and best[0] > ALIKE


def alike(one: Template, other: Template) -> float:
    """The similarity of two glyphs, as a correlation; 0 where their proportions differ."""
    if abs(one.aspect - other.aspect) >= 0.25 * max(one.aspect, 0.4):
        return 0.0
    return float(one.vector @ other.vector)


def kinds(glyphs: Sequence[Floats]) -> list[int]:
    """A cluster number for each glyph (ink, shape ``(h, w)``), whatever its size: the same number for glyphs that would
    match one another as templates."""
    every = [of(glyph) for glyph in glyphs]
    found: list[int] = []
    for k, one in enumerate(every):
        found.append(next((found[j] for j in range(k) if alike(every[j], one) > ALIKE), k))
    return found


def save(folder: Path, token: str, glyph: Floats) -> Path:
    """Keep ``glyph`` (ink, shape ``(h, w)``) in ``folder`` as one more picture of ``token``, dark on light; returns the
    file. Raises MachineError where it cannot be written."""
    stem = token or NOTHING
    taken = {path.name for path in folder.glob("*.png")}
    names = [f"{stem}.png", *(f"{stem}-{n}.png" for n in range(2, len(taken) + 3))]
    path = folder / next(name for name in names if name not in taken)
    page = np.pad(255 - np.rint(255 * np.clip(glyph, 0, 1)), RIM, constant_values=255).astype(np.uint8)
    _, data = cv2.imencode(".png", page)
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise MachineError(f"{path}: the glyph's picture cannot be written: {cause(error)}") from error
    return path


def around(image: Image, box: Box) -> Floats:
    """The ink of the glyph in ``box``, which is cut close around it: the distance of each pixel from the colour around
    the box, 0 to 1, shape ``(h, w)``; empty where there is nothing."""
    patch = box.crop(image)
    if not patch.size:
        return np.empty((0, 0), np.float32)
    near, far = (max(round(share * max(box.width, box.height)), least) for share, least in ((NEAR, 1), (FAR, 3)))
    outer, left, top = _grown(box, far, image)
    inner, inner_left, inner_top = _grown(box, near, image)
    free = np.ones(outer.shape[:2], bool)
    free[inner_top - top :, inner_left - left :][: inner.shape[0], : inner.shape[1]] = False
    ground = ink.ground_colour(outer[free] if free.any() else patch)
    away = ink.distance_from_ground(patch, ground)
    peak = float(np.percentile(away, 99))
    if peak < ink.FAINTEST:
        return np.empty((0, 0), np.float32)
    here = np.clip((away - 0.12 * peak) / (0.8 * peak), 0, 1).astype(np.float32)
    ys, xs = np.nonzero(here > 0.3)
    return np.asarray(here[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1])


def _grown(box: Box, rim: int, image: Image) -> tuple[Image, int, int]:
    """The part of ``image`` in ``box`` and ``rim`` pixels around it, with the part's left and top."""
    grown = Box(box.x - rim, box.y - rim, box.width + 2 * rim, box.height + 2 * rim)
    return grown.crop(image), max(grown.x, 0), max(grown.y, 0)


def _vector(glyph: Floats) -> Floats:
    inner = SIDE - 2 * RIM
    small = cv2.resize(np.asarray(glyph, np.float32), (inner, inner), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(np.pad(small, RIM), (0, 0), BLUR).ravel()
    soft = soft - soft.mean()
    return np.asarray(soft / max(float(np.linalg.norm(soft)), 1e-6), np.float32)
