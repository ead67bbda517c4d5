"""Reads boards as strange windows would draw them, and says per condition how well: ``python -m bench.reading --help``.

The development side is for building readers: look at its misses (``--save-misses``). The held side has other typefaces
and some looks and damage of its own; it is for the figures only.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np

from autoplayer.core.errors import AutoplayerError
from autoplayer.core.frame import Cell, Image
from autoplayer.games import load
from autoplayer.games.base import Game
from autoplayer.layout import Layout
from autoplayer.settle import settle
from bench.reading import damage, faces, grounds, rivals
from bench.reading.judge import WORDS, Form, Row, Verdict, by_condition, judge, row, worst_faces
from bench.reading.strange import Sample, Series

SCREENS = Path(__file__).resolve().parents[3] / "shared/screens"
"""Real pictures with their truth, beside the project on some machines."""


def _games() -> list[str]:
    """The games whose file here draws boards: ``NAME.py`` with a function ``picture``, or with its own ``tables``."""
    here = Path(__file__).parent
    return sorted(
        path.stem.replace("_", "-")
        for path in here.glob("*.py")
        if not path.stem.startswith("_")
        and any(f"\ndef {name}(" in path.read_text(encoding="utf-8") for name in ("picture", "tables"))
    )


def _table(rows: Sequence[Row]) -> None:
    linked = any(r.links is not None for r in rows)
    head = "  links %  pairs %" if linked else ""
    print(f"  {'':30} boards  exact %  as read %  cells %{head}  doubtful  WRONG  unreadable     ms")
    for r in rows:
        counts = f"{r.doubtful:9} {r.wrong:6} {r.unreadable:11}"
        shares = f"{r.exact:8.2f} {r.as_read:10.2f} {r.cells:8.2f}"
        if linked:
            shares += "".join(f" {v:8.2f}" if v is not None else f" {'-':>8}" for v in (r.links, r.pairs))
        print(f"  {r.name[:30]:30} {r.boards:6} {shares} {counts} {r.milliseconds:6.1f}")


def _line(name: str, exact: float, cells: float, milliseconds: float) -> None:
    print(f"    {name:28} boards exact {exact:6.2f} %, cells {cells:6.2f} %, {milliseconds:8.1f} ms a board")


def _real(game: str, module: ModuleType) -> list[Sample]:
    """The real pictures of a game that have a truth beside them."""
    samples = []
    links: Mapping[str, Mapping[tuple[Cell, Cell], int]] = getattr(module, "REAL_LINKS", {})
    for path in sorted((SCREENS / game).glob("*.png")):
        truth = path.with_suffix(".txt")
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if truth.is_file() and image is not None:
            lines = [line for line in truth.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
            text, tags = "\n".join(lines).strip(), frozenset({"real"})
            pixels, known = np.asarray(image, np.uint8), links.get(path.stem)
            samples.append(Sample(pixels, text, tags, {}, content="level", name=path.name, links=known))
    return samples


def _overlay(verdict: Verdict, form: Form) -> Image:
    """The picture, enlarged where it is small, with what was read in each cell; red where the truth differs. Links that
    were overseen are red lines, links that are none are purple ones."""
    zoom = max(1, round(1000 / max(verdict.sample.image.shape[:2])))
    image = cv2.resize(verdict.sample.image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_NEAREST)
    truth = form.tokens(verdict.sample.text)
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
    seen, stand = verdict.links or {}, verdict.sample.links or {}
    for pair in {*seen, *stand}:
        if seen.get(pair, 0) != stand.get(pair, 0) and all(cell in centres for cell in pair):
            first, second = ((centres[cell][0] * zoom, centres[cell][1] * zoom) for cell in pair)
            cv2.line(image, first, second, (0, 0, 255) if pair in stand else (255, 0, 255), 2)
    return np.asarray(image, np.uint8)


def _links(links: Mapping[tuple[Cell, Cell], int] | None) -> str:
    return "  ".join(f"{a}-{b}:{n}" for (a, b), n in sorted((links or {}).items()) if n) or "none"


def _save(folder: Path, verdict: Verdict, form: Form) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{verdict.kind}-{verdict.sample.name}".replace(" ", "-").removesuffix(".png")
    cv2.imwrite(str(folder / f"{stem}.png"), verdict.sample.image)
    cv2.imwrite(str(folder / f"{stem}-read.png"), _overlay(verdict, form))
    lines = [
        f"# {verdict.kind}: {', '.join(sorted(verdict.sample.conditions))}",
        f"# typeface: {verdict.sample.face}; content: {verdict.sample.content}",
        f"# note: {verdict.note}",
        *("# truth", verdict.sample.text, "", "# read", verdict.read, ""),
    ]
    if verdict.sample.links is not None:
        lines += [f"# links that stand: {_links(verdict.sample.links)}", f"# links seen: {_links(verdict.links)}", ""]
    (folder / f"{stem}.txt").write_text("\n".join(lines), encoding="utf-8")


SHEET = (4, 3, 480)
"""Columns and rows of a contact sheet, and the pixels of each picture's longer side."""


def _draw(folder: Path, samples: Sequence[Sample]) -> None:
    """Each picture with its truth beside it, and contact sheets of all."""
    folder.mkdir(parents=True, exist_ok=True)
    columns, rows, side = SHEET
    tiles = []
    for sample in samples:
        cv2.imwrite(str(folder / f"{sample.name}.png"), sample.image)
        lines = [f"# {sample.name}: {', '.join(sorted(sample.conditions))}", f"# typeface: {sample.face}"]
        if sample.links is not None:
            lines.append(f"# links that stand: {_links(sample.links)}")
        (folder / f"{sample.name}.txt").write_text("\n".join([*lines, sample.text, ""]), encoding="utf-8")
        factor = side / max(sample.image.shape[:2])
        way = cv2.INTER_AREA if factor < 1 else cv2.INTER_NEAREST
        small = cv2.resize(sample.image, None, fx=factor, fy=factor, interpolation=way)[:side, :side]
        tile = np.full((side + 22, side + 6, 3), 128, np.uint8)
        tile[20 : 20 + small.shape[0], : small.shape[1]] = small
        cv2.putText(tile, sample.name, (2, 14), cv2.FONT_HERSHEY_PLAIN, 1.0, (255, 255, 255), 1)
        tiles.append(tile)
    for i in range(0, len(tiles), columns * rows):
        page = tiles[i : i + columns * rows]
        page += [np.full_like(tiles[0], 128)] * (-len(page) % columns)
        lines_of = [np.hstack(page[j : j + columns]) for j in range(0, len(page), columns)]
        cv2.imwrite(str(folder / f"sheet-{i // (columns * rows)}.png"), np.vstack(lines_of))


def _run(
    game: Game[Any, Any], samples: Sequence[Sample], form: Form, misses: Path | None, progress: str
) -> list[Verdict]:
    verdicts = []
    for i, sample in enumerate(samples):
        verdict = judge(game, sample, form)
        if misses and not verdict.fine:
            _save(misses, verdict, form)
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
    looks = [*module.HELD_LOOKS, *grounds.GROUNDS_HELD, *damage.DEGRADATIONS_HELD]
    print(f"  held apart: {len(installed)} installed families (by training/*apart*.txt), {', '.join(names)};")
    print(f"  looks and damage that only this side has: {', '.join(looks)}")


def _readers(module: ModuleType) -> Mapping[str, rivals.Reader]:
    """The game's rivals: its own, or those that read the cells of any board."""
    readers: Mapping[str, rivals.Reader] = getattr(module, "RIVALS", rivals.RIVALS)
    return readers


TIMES = 22
"""How often the board for timing is read; the first two times do not count."""


def _speed(game: Game[Any, Any], module: ModuleType, form: Form, with_rivals: bool) -> None:
    """A 10x10 board in a 1280x900 frame, warm."""
    sample = module.plain(10, 10, (1280, 900))
    layout = Layout(game=game.name)
    seconds, settled, used = [], [], []
    for _ in range(TIMES):
        began, busy = time.perf_counter(), time.process_time()
        reading = game.read(sample.image, layout)
        seconds.append(time.perf_counter() - began)
        settle(game, reading)
        settled.append(time.perf_counter() - began)
        used.append(time.process_time() - busy)
    own, both, least = statistics.median(seconds[2:]), statistics.median(settled[2:]), min(settled[2:])
    print(
        f"  a 10x10 board in a 1280x900 frame, warm: {1000 * own:.1f} ms; with settling {1000 * both:.1f} ms,"
        f" at best {1000 * least:.1f} ms ({1000 * statistics.median(used[2:]):.1f} ms of the processors' time)"
    )
    if with_rivals:
        for score in rivals.compete([sample], [form.tokens(sample.text)], _readers(module)):
            times = score.milliseconds / 1000 / both
            print(
                f"    {score.name:28} {score.milliseconds:9.1f} ms: this reader, which has to find the board and to"
                f" settle it, is {times:.1f} times as fast; {score.cells:.0f} % of the cells right"
            )


def _one(name: str, options: argparse.Namespace) -> None:
    """Run and print the tables of one game, or draw its windows."""
    module = import_module(f"bench.reading.{name.replace('-', '_')}")
    if hasattr(module, "tables"):
        print(f"{name}: {options.count} windows of each kind, from seed {options.seed}; they hold no typeface, so that")
        print("  what is held apart are seeds that nobody has looked at")
        if options.draw:
            module.save(options.count, options.seed, options.draw)
            print(f"  they are in {options.draw}")
        else:
            module.tables(options.count, options.seed, options.save_misses)
        return
    form: Form = getattr(module, "FORM", WORDS)
    series: Sequence[Series] = module.SERIES
    side: faces.Side = options.side
    misses: Path | None = options.save_misses
    seeds = range(options.seed, options.seed + options.count)

    def some(part: float) -> range:
        return range(options.seed, options.seed + int(options.count * part))

    if options.draw:
        samples = [module.picture(seed, side) for seed in seeds]
        samples += [each.draw(seed, side) for each in series for seed in some(each.part)]
        _draw(options.draw, samples)
        print(f"{name}: {len(samples)} windows of the {side} side, from seed {options.seed}, are in {options.draw}")
        return
    game = load(name)
    print(f"{name}: {options.count} windows of the {side} side, from seed {options.seed}")
    if side == "held":
        _apart(module)
    game.read(module.plain(6, 6, (800, 600)).image, Layout(game=name))  # loads what is loaded once

    verdicts = _run(game, [module.picture(seed, side) for seed in seeds], form, misses, "boards")
    _table([row("all boards", verdicts), *by_condition(verdicts)])
    if side == "development":
        print("  typefaces with most misses")
        _table(worst_faces(verdicts))
    for each in series:
        if found := _run(game, [each.draw(seed, side) for seed in some(each.part)], form, misses, each.name):
            typefaces = len({v.sample.face for v in found if v.sample.face})
            print(f"  {each.title}" + (f"; {typefaces} typefaces" if typefaces else ""))
            conditions = by_condition(found) if each.prefix is not None else []
            _table([row(each.name, found), *(r for r in conditions if r.name.startswith(each.prefix or ""))])
    real = _run(game, _real(name, module), form, misses, "real pictures")
    if real:
        print("  real pictures")
        _table([row("real", real)])
        for verdict in real:
            if not verdict.fine:
                links = f"; links seen: {_links(verdict.links)}" if verdict.kind == "exact" else ""
                print(f"    {verdict.sample.name}: {verdict.kind} {verdict.note}{links}")
    _speed(game, module, form, options.rivals)
    if options.rivals:
        boards = [v.sample for v in verdicts[: options.rival_count]]
        print(f"  rivals on {len(boards)} of the same boards")
        for score in rivals.compete(boards, [form.tokens(s.text) for s in boards], _readers(module)):
            _line(score.name, score.exact, score.cells, score.milliseconds)
        ours = row("", [v for v in verdicts if any(v.sample is s for s in boards)])
        _line("this reader, finding all", ours.exact, ours.cells, ours.milliseconds)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.reading",
        description="Reads boards as strange windows would draw them, and says per condition how well.",
        epilog="example: python -m bench.reading cardinal-chains --windows 100 --save-misses /tmp/misses",
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"one of {', '.join(_games())}; all if none is named")
    parser.add_argument("--game", action="append", choices=_games(), help="the same, for one game")
    parser.add_argument("--windows", "--count", dest="count", type=int, default=200, help="boards a game (default 200)")
    parser.add_argument("--side", choices=["development", "dev", "held"], default="development")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument(
        "--save-misses", type=Path, metavar="DIR", help="keep what was not read exactly; development side only"
    )
    parser.add_argument(
        "--draw", type=Path, metavar="DIR", help="only draw: pictures, truths and contact sheets; development side only"
    )
    parser.add_argument("--rivals", action="store_true", help="let what others would use read the same boards (slow)")
    parser.add_argument("--rival-count", type=int, default=20, metavar="N", help="for how many boards (default 20)")
    options = parser.parse_args(arguments)
    options.side = "development" if options.side == "dev" else options.side
    for name in options.games:
        if name not in _games():
            parser.error(f"no windows are drawn for '{name}'; there are {', '.join(_games())}")
    if options.count < 1 or options.seed < 0:
        parser.error("--windows has to be at least 1 and --seed at least 0")
    if options.side == "held" and (options.save_misses or options.draw):
        parser.error("this would show what the held side keeps apart; it goes with --side development only")
    try:
        for name in [*options.games, *(options.game or [])] or _games():
            _one(name, options)
    except AutoplayerError as error:
        print(f"bench.reading: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
