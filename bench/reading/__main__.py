"""Reads boards as strange windows would draw them, and says per condition how well: ``python -m bench.reading --help``.

The development side is for building readers: look at its misses (``--save-misses``). The held side has other typefaces
and some looks and damage of its own; it is for the figures only.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np

from autoplayer.core.errors import AutoplayerError
from autoplayer.core.frame import Image
from autoplayer.games import load
from autoplayer.games.base import Game
from autoplayer.layout import Layout
from bench.reading import faces, rivals, strange
from bench.reading.judge import Row, Verdict, by_condition, judge, row, tokens_of, worst_faces
from bench.reading.strange import Sample

SCREENS = Path(__file__).resolve().parents[3] / "shared/screens"
"""Real pictures with their truth, beside the project on some machines."""


def _games() -> list[str]:
    """The games whose folder here draws boards: ``NAME.py`` with a function ``picture``."""
    here = Path(__file__).parent
    return sorted(
        path.stem.replace("_", "-")
        for path in here.glob("*.py")
        if not path.stem.startswith("_") and "\ndef picture(" in path.read_text(encoding="utf-8")
    )


def _table(rows: Sequence[Row]) -> None:
    print(f"  {'':30} boards  exact %  as read %  cells %  doubtful  WRONG  unreadable     ms")
    for r in rows:
        counts = f"{r.doubtful:9} {r.wrong:6} {r.unreadable:11}"
        shares = f"{r.exact:8.2f} {r.as_read:10.2f} {r.cells:8.2f}"
        print(f"  {r.name[:30]:30} {r.boards:6} {shares} {counts} {r.milliseconds:6.1f}")


def _line(name: str, exact: float, cells: float, milliseconds: float) -> None:
    print(f"    {name:28} boards exact {exact:6.2f} %, cells {cells:6.2f} %, {milliseconds:8.1f} ms a board")


def _real(game: str) -> list[Sample]:
    """The real pictures of a game that have a truth beside them."""
    samples = []
    for path in sorted((SCREENS / game).glob("*.png")):
        truth = path.with_suffix(".txt")
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if truth.is_file() and image is not None:
            lines = [line for line in truth.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
            text = "\n".join(lines).strip()
            samples.append(
                Sample(np.asarray(image, np.uint8), text, frozenset({"real"}), {}, content="level", name=path.name)
            )
    return samples


def _overlay(verdict: Verdict) -> Image:
    """The picture, enlarged where it is small, with what was read in each cell; red where the truth differs."""
    zoom = max(1, round(1000 / max(verdict.sample.image.shape[:2])))
    image = cv2.resize(verdict.sample.image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_NEAREST)
    truth = tokens_of(verdict.sample.text)
    centres = {cell: box.centre for cell, box in verdict.sample.places.items()}
    for cell, box in verdict.places.items():
        said = verdict.tokens.get(cell, ".")
        true = next((truth.get(c, ".") for c, spot in centres.items() if box.contains(spot)), ".")
        colour = (0, 170, 0) if said == true else (0, 0, 255)
        if cell in verdict.doubted:
            colour = (0, 140, 255) if said == true else (255, 0, 255)
        corner, end = (box.x * zoom, box.y * zoom), ((box.x + box.width) * zoom, (box.y + box.height) * zoom)
        cv2.rectangle(image, corner, end, colour, 1)
        label = (box.x * zoom + 2, (box.y + box.height) * zoom - 3)
        cv2.putText(image, said, label, cv2.FONT_HERSHEY_PLAIN, max(0.8, box.height * zoom / 50), colour, 1)
    return np.asarray(image, np.uint8)


def _save(folder: Path, verdict: Verdict) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{verdict.kind}-{verdict.sample.name}".replace(" ", "-").removesuffix(".png")
    cv2.imwrite(str(folder / f"{stem}.png"), verdict.sample.image)
    cv2.imwrite(str(folder / f"{stem}-read.png"), _overlay(verdict))
    lines = [
        f"# {verdict.kind}: {', '.join(sorted(verdict.sample.conditions))}",
        f"# typeface: {verdict.sample.face}; content: {verdict.sample.content}",
        f"# note: {verdict.note}",
        *("# truth", verdict.sample.text, "", "# read", verdict.read, ""),
    ]
    (folder / f"{stem}.txt").write_text("\n".join(lines), encoding="utf-8")


def _run(game: Game[Any, Any], samples: Sequence[Sample], misses: Path | None, progress: str) -> list[Verdict]:
    verdicts = []
    for i, sample in enumerate(samples):
        verdict = judge(game, sample)
        wanted = "exact" if sample.text else "unreadable"
        if misses and verdict.kind != wanted:
            _save(misses, verdict)
        verdicts.append(verdict)
        if sys.stderr.isatty():
            print(f"\r{progress}: {i + 1} of {len(samples)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return verdicts


def _apart(module: ModuleType) -> None:
    """Says what the held side keeps to itself."""
    names = [family for kind in ("segment", "pixel", "stroke") for family in faces.families("held", kind)]
    installed = faces.families("held", "installed")
    looks = [*module.HELD_LOOKS, *strange.GROUNDS_HELD, *strange.DEGRADATIONS_HELD]
    print(f"  held apart: {len(installed)} installed families (by training/*apart*.txt), {', '.join(names)};")
    print(f"  looks and damage that only this side has: {', '.join(looks)}")


def _speed(game: Game[Any, Any], module: ModuleType, with_rivals: bool) -> None:
    """A 10x10 board in a 1280x900 frame, warm."""
    sample = module.plain(10, 10, (1280, 900))
    layout = Layout(game=game.name)
    seconds = []
    for _ in range(12):
        began = time.perf_counter()
        game.read(sample.image, layout)
        seconds.append(time.perf_counter() - began)
    own = statistics.median(seconds[2:])
    print(f"  a 10x10 board in a 1280x900 frame, warm: {1000 * own:.1f} ms")
    if with_rivals:
        for score in rivals.compete([sample], [tokens_of(sample.text)]):
            times = score.milliseconds / 1000 / own
            print(
                f"    {score.name:28} {score.milliseconds:9.1f} ms, {times:.0f} times; {score.cells:.0f} % of the cells"
            )


def _one(name: str, options: argparse.Namespace) -> None:
    """Run and print the tables of one game."""
    module = import_module(f"bench.reading.{name.replace('-', '_')}")
    game = load(name)
    side: faces.Side = options.side
    misses: Path | None = options.save_misses
    seeds = range(options.seed, options.seed + options.count)
    print(f"{name}: {options.count} windows of the {side} side, from seed {options.seed}")
    if side == "held":
        _apart(module)
    game.read(module.plain(6, 6, (800, 600)).image, Layout(game=name))  # loads what is loaded once

    verdicts = _run(game, [module.picture(seed, side) for seed in seeds], misses, "boards")
    _table([row("all boards", verdicts), *by_condition(verdicts)])
    if side == "development":
        print("  typefaces with most misses")
        _table(worst_faces(verdicts))
    half = _run(game, [module.halfway(seed, side) for seed in seeds[: options.count // 4]], misses, "halfway")
    if half:
        print("  boards in the middle of play (the truth is the puzzle at the start)")
        _table([row("halfway", half), *(r for r in by_condition(half) if r.name.startswith("covered"))])
    dotted = _run(game, [module.dotted(seed, side) for seed in seeds[: options.count // 8]], misses, "dotted")
    if dotted:
        print("  starts with a dot or ring instead of an X")
        _table([row("start-dot", dotted)])
    others = _run(game, [module.not_a_board(seed, side) for seed in seeds[: options.count // 2]], misses, "no boards")
    if others:
        print("  no board at all ('unreadable' is right; WRONG would be played)")
        _table([row("all", others), *by_condition(others)])
    real = _run(game, _real(name), misses, "real pictures")
    if real:
        print("  real pictures")
        _table([row("real", real)])
        for verdict in real:
            if verdict.kind != "exact":
                print(f"    {verdict.sample.name}: {verdict.kind} {verdict.note}")
    _speed(game, module, options.rivals)
    if options.rivals:
        boards = [v.sample for v in verdicts[: options.rival_count]]
        print(f"  rivals on {len(boards)} of the same boards, with the cells' places given")
        for score in rivals.compete(boards, [tokens_of(s.text) for s in boards]):
            _line(score.name, score.exact, score.cells, score.milliseconds)
        ours = row("", [v for v in verdicts if any(v.sample is s for s in boards)])
        _line("this reader, finding all", ours.exact, ours.cells, ours.milliseconds)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.reading",
        description="Reads boards as strange windows would draw them, and says per condition how well.",
        epilog="example: python -m bench.reading --game cardinal-chains --count 100 --save-misses /tmp/misses",
    )
    parser.add_argument("--game", choices=_games(), help="one game only")
    parser.add_argument("--count", type=int, default=200, help="boards of each game (default 200)")
    parser.add_argument("--side", choices=["development", "held"], default="development")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument(
        "--save-misses", type=Path, metavar="DIR", help="keep what was not read exactly; development side only"
    )
    parser.add_argument(
        "--rivals", action="store_true", help="let Tesseract and template matching read the same boards (slow)"
    )
    parser.add_argument("--rival-count", type=int, default=20, metavar="N", help="for how many boards (default 20)")
    options = parser.parse_args(arguments)
    if options.count < 1 or options.seed < 0:
        parser.error("--count has to be at least 1 and --seed at least 0")
    if options.side == "held" and options.save_misses:
        parser.error("--save-misses would show what the held side keeps apart; it goes with --side development only")
    try:
        for name in [options.game] if options.game else _games():
            _one(name, options)
    except AutoplayerError as error:
        print(f"bench.reading: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
