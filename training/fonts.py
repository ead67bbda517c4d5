"""Which fonts the glyph network learns from, and which it never sees: finds installed faces and splits them by family.

Families that draw the same digits under different names are one group, so that no face of the held-apart side has a
twin on the training side. ``families-train.txt`` and ``families-apart.txt`` are the split as it was used, one
``family<TAB>where from`` a line; ``families-left-out.txt`` names families whose "digits" a person could
not read, or after a tab the single characters of which this is true.

    python training/fonts.py --extra DIR      writes the two lists anew from what is installed
"""

from __future__ import annotations

import argparse
import os
import subprocess
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).parent
SYSTEM_FONTS = Path(os.environ.get("SYSTEM_FONTS", "/usr/share/fonts"))
"""Where Debian's packages put their fonts; elsewhere, where they were unpacked and not installed."""
CHARACTERS = "0123456789X"
SEED = 20
SHARE_APART = 0.2
MOST_FACES = 6
"""Faces kept of one family, spread over its list: weights and slants differ, forty weights teach nothing more."""

ALWAYS_APART = (
    "DSEG7 Modern",
    "DSEG14 Modern",
    "Press Start 2P",
    "Clear Sans Thin",
    "Anton",
    "Abril Fatface",
    "Caveat",
    "Patrick Hand",
    "C-64",
    "Spleen 8x16",
    "Poiret One",
    "Dancing Script",
)


def left_out() -> dict[str, str]:
    """Family -> the characters that a person cannot read in it; all of them where it is of no use."""
    path = HERE / "families-left-out.txt"
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return {line[0]: line[1] if len(line) > 1 else CHARACTERS for line in lines}


def find_faces(extra: list[Path]) -> dict[str, list[str]]:
    """Family name -> paths of its faces that have all ten digits and X, in a fixed order."""
    faces: dict[str, list[str]] = defaultdict(list)
    for root in [SYSTEM_FONTS, *extra]:
        for path in sorted(p for p in root.rglob("*") if p.suffix.lower() in {".ttf", ".otf", ".ttc"}):
            try:
                font = TTFont(path, fontNumber=0, lazy=True)
                cmap = font.getBestCmap() or {}
                name = font["name"].getBestFamilyName()
            except Exception as error:
                print(f"{path.name}: not a usable font ({error})")
                continue
            if name and all(ord(c) in cmap for c in CHARACTERS):
                faces[name.strip()].append(str(path))
    return {
        family: [paths[i] for i in np.unique(np.linspace(0, len(paths) - 1, MOST_FACES).round().astype(int))]
        for family, paths in sorted(faces.items())
    }


def signature(path: str) -> np.ndarray | None:
    """How a face draws the eleven characters, ``(11, 20, 20)``; None where one is blank or two are alike."""
    try:
        font = ImageFont.truetype(path, 48)
        glyphs = []
        for character in CHARACTERS:
            canvas = Image.new("L", (160, 160))
            ImageDraw.Draw(canvas).text((40, 110), character, fill=255, font=font, anchor="ls")
            box = canvas.getbbox()
            if box is None:
                return None
            glyphs.append(cv2.resize(np.asarray(canvas.crop(box)), (20, 20), interpolation=cv2.INTER_AREA) / 255.0)
    except OSError:
        return None
    stack = np.array(glyphs, dtype=np.float32)
    apart = np.abs(stack[:, None] - stack[None]).mean(axis=(2, 3)) + np.eye(len(stack))
    return stack if apart.min() > 0.01 else None


def group_twins(faces: dict[str, list[str]]) -> list[list[str]]:
    """Families grouped so that any two that share a face's drawing are together."""
    families, owners, vectors = [], [], []
    for family, paths in faces.items():
        seen = [s for s in map(signature, paths) if s is not None]
        if seen:
            families.append(family)
            owners += [len(families) - 1] * len(seen)
            vectors += [s.ravel() for s in seen]
    stack = np.array(vectors)
    parent = list(range(len(families)))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    squares = (stack**2).sum(axis=1)
    for i in range(len(stack)):
        distance = (squares[i] + squares - 2 * stack @ stack[i]) / stack.shape[1]
        for j in np.flatnonzero(distance < 0.004):
            parent[root(owners[j])] = root(owners[i])
    groups: dict[int, list[str]] = defaultdict(list)
    for i, family in enumerate(families):
        groups[root(i)].append(family)
    return list(groups.values())


def origin(path: str) -> str:
    """The Debian package that owns a face, or the npm package it was unpacked from."""
    if path.startswith(str(SYSTEM_FONTS)):
        answer = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True, check=False).stdout
        return "debian " + answer.split(":")[0]
    return "npm @fontsource/" + Path(path).parent.name


def split(extra: list[Path]) -> None:
    faces = find_faces(extra)
    useless = {family for family, characters in left_out().items() if characters == CHARACTERS}
    groups = group_twins(faces)
    order = np.random.default_rng(SEED).permutation(len(groups))
    # a big group of near-twins is worth more on the training side
    apart = {i for i in order[: int(SHARE_APART * len(groups))] if len(groups[i]) <= 4}
    apart |= {i for i, group in enumerate(groups) if any(f.startswith(ALWAYS_APART) for f in group)}
    for name, wanted in (("train", False), ("apart", True)):
        chosen = sorted(
            f for i, group in enumerate(groups) if (i in apart) == wanted for f in group if f not in useless
        )
        lines = [f"{family}\t{origin(faces[family][0])}" for family in chosen]
        (HERE / f"families-{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{name}: {len(chosen)} families")
    print(f"{len(groups)} groups; the largest: {max(groups, key=len)}")


def listed(side: str) -> dict[str, str]:
    """Family -> where from, of one side: ``train`` or ``apart``."""
    lines = (HERE / f"families-{side}.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extra", type=Path, action="append", default=[], help="a folder of further fonts")
    split(parser.parse_args().extra)
