"""How well the shipped network reads families that it has never seen: a table, one condition a line.

python training/evaluate.py --extra DIR [--count 4000] [--side apart]
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
from samples import CLEAN, DIGITS, Conditions, Maker
from train import maker

from autoplayer.vision.glyphs import CLASSES, JUNK, classify, read_numbers

SEED = 99
FONTS = replace(CLEAN, segments=0, coarse=0)
"""Every condition below spoils clean text in one way only, so that a line says what that way costs."""
CONDITIONS = {
    "clean, 20 to 60 px": FONTS,
    "clean, 12 to 20 px": replace(FONTS, height=(12, 20)),
    "clean, 8 to 12 px": replace(FONTS, height=(8, 12)),
    "without smoothing": replace(FONTS, hard=1),
    "blur": replace(FONTS, blur=1),
    "noise, contrast from 22": replace(FONTS, noise=1, contrast=(22, 120)),
    "jpeg": replace(FONTS, jpeg=1),
    "scaled by a fraction": replace(FONTS, rescale=1),
    "turned, sheared, stretched": replace(FONTS, turn=1),
    "styled (outline, shadow …)": replace(FONTS, style=1),
    "foreign ink": replace(FONTS, foreign=1),
    "cut out of numbers": replace(FONTS, neighbours=1),
    "segment digits, drawn": replace(CLEAN, fonts=0, segments=1, coarse=0),
    "coarse pixels and dots, drawn": replace(CLEAN, fonts=0, segments=0, coarse=1),
    "everything at once": replace(Conditions(), junk=0),
    "junk alone, everything": replace(Conditions(), junk=1),
}

KINDS = {
    "segment": ("DSEG14 Modern", "DSEG14 Modern Mini", "DSEG7 Modern", "DSEG7 Modern Mini"),
    "pixel": (
        "C-64",
        "Pixelify Sans",
        "Press Start 2P",
        "ProggyTinyTT",
        "Px IBM CGA",
        "Spleen 12x24",
        "Spleen 8x16",
        "Unifont",
        "Unifont-JP",
    ),
    "thin": ("Clear Sans Light", "Clear Sans Thin", "Poiret One"),
    "black": ("Abril Fatface", "Alkalami", "Anton", "Poppins Black"),
    "handwriting": (
        "Breip",
        "Caveat",
        "Dancing Script",
        "Domestic Manners",
        "Humor Sans",
        "Patrick Hand",
        "Rufscript",
    ),
}
"""Kinds of faces among the families held apart."""


def line(name: str, right: np.ndarray, sure: np.ndarray) -> str:
    wrong = ~right
    shares = [100 * float((wrong & (sure > p)).mean()) for p in (0.5, 0.9, 0.99)]
    right_and_sure = 100 * float((right & (sure > 0.9)).mean())
    figures = " ".join(f"{share:9.2f}" for share in shares)
    return f"{name:42s} {100 * right.mean():7.2f} {figures}   {right_and_sure:7.2f}"


def glyph_line(name: str, source: Maker, conditions: Conditions, count: int) -> None:
    one = replace(source, conditions=conditions)
    rng = np.random.default_rng(SEED)
    samples = [one.sample(rng) for _ in range(count)]
    read = classify([s[0] for s in samples])
    labels = np.array([s[1] for s in samples])
    print(line(name, read.argmax(1) == labels, read.max(1)), flush=True)


def glyph_table(source: Maker, count: int) -> None:
    for name, conditions in CONDITIONS.items():
        glyph_line(name, source, conditions, count)


def kind_table(source: Maker, count: int) -> None:
    names = source.names
    for kind, families in KINDS.items():
        chosen = [i for i, name in enumerate(names) if name in families]
        if not chosen:
            continue
        one = Maker(
            [names[i] for i in chosen],
            [source.faces[i] for i in chosen],
            [source.unlike[i] for i in chosen],
            [1.0] * len(chosen),
        )
        for name, conditions in (
            ("clean", FONTS),
            ("everything", replace(Conditions(), junk=0, fonts=1, segments=0, coarse=0)),
        ):
            glyph_line(f"{kind} ({len(chosen)} families), {name}", one, conditions, count)


def numbers(source: Maker, conditions: Conditions, count: int) -> tuple[list[np.ndarray], list[str]]:
    """Whole numbers of one to three digits (most of two), and some X, as a cell's ink."""
    one = replace(source, conditions=conditions)
    rng = np.random.default_rng(SEED)
    inks, tokens = [], []
    while len(inks) < count:
        kind = rng.random()
        top = 10 if kind < 0.2 else 100 if kind < 0.9 else 1000
        token = str(int(rng.integers(max(top // 10, 1), top)))
        ink = one.photographed(np.max(one.spoiled(one.letters(token, rng), rng), axis=0), rng)
        if ink is not None and max(ink.shape) >= 5:
            inks.append(ink)
            tokens.append(token)
    return inks, tokens


def number_table(source: Maker, count: int) -> None:
    tight = {"clean but set tight, 20 to 60 px": replace(FONTS, tracking=(-0.14, 0))}
    for name in (
        "clean, 20 to 60 px",
        "clean, 12 to 20 px",
        "clean, 8 to 12 px",
        "clean but set tight, 20 to 60 px",
        "segment digits, drawn",
        "everything at once",
    ):
        inks, tokens = numbers(source, replace((CONDITIONS | tight)[name], neighbours=0), count)
        read = [r[0] for r in read_numbers(inks)]
        right = np.array([r[0] == t for r, t in zip(read, tokens, strict=True)])
        print(line("numbers: " + name, right, np.array([r[1] for r in read])), flush=True)


def family_table(source: Maker) -> None:
    """The families that are read worst when clean, as a hint to what the network does not know."""
    errors: Counter[str] = Counter()
    for name, paths in zip(source.names, source.faces, strict=True):
        for path in paths:
            one = Maker([name], [[path]], [""], [1.0], FONTS)
            rng = np.random.default_rng(SEED)
            made = [one.glyph(rng, label) for label in range(JUNK)]
            inks = [m[0] for m in made if m]
            read = classify(inks).argmax(1)
            for label, got in zip([m[1] for m in made if m], read, strict=True):
                if label != got:
                    errors[f"{name}: {CLASSES[label]} as {CLASSES[got] or 'junk'}"] += 1
    print("\n".join(f"{n:3d} {what}" for what, n in errors.most_common(60)))


def speed() -> None:
    rng = np.random.default_rng(SEED)
    inks = [rng.random((40, 26)).astype(np.float32) for _ in range(60)]
    classify(inks)
    times = []
    for _ in range(20):
        start = time.perf_counter()
        classify(inks)
        times.append(time.perf_counter() - start)
    print(f"60 glyphs: {1000 * min(times):.1f} ms at best, {1000 * float(np.median(times)):.1f} ms median")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--side", default="apart", choices=["apart", "valid", "train"])
    parser.add_argument("--extra", type=Path, action="append", default=[])
    parser.add_argument("--kind", default="all", choices=["all", "everyday", "decorative"])
    parser.add_argument("--families", action="store_true", help="list what is misread in clean text, by family")
    arguments = parser.parse_args()
    source = maker(arguments.side, arguments.extra, kind=arguments.kind)
    print(f"{len(source.faces)} families, {sum(map(len, source.faces))} faces, {len(DIGITS)} digits and X")
    if arguments.families:
        family_table(source)
        return
    print(f"{'%':42s} {'right':>7s} {'wrong>.5':>9s} {'wrong>.9':>9s} {'wrong>.99':>9s}   {'right>.9':>7s}")
    glyph_table(source, arguments.count)
    number_table(source, arguments.count)
    if arguments.side == "apart":
        kind_table(source, 1200)
    speed()


if __name__ == "__main__":
    main()
