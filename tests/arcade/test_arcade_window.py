"""The window itself: its pictures and its loop without a screen, and real clicks on a real (virtual) screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from autoplayer.arcade import match
from autoplayer.arcade.stage import arrange
from autoplayer.arcade.themes import THEMES, contrast, ink_on, luminance, theme_of

from .conftest import Running, wait_for

Cell = tuple[int, int]
Offline = Callable[..., tuple[Any, Callable[[], list[dict[str, Any]]]]]


def drag(at: list[tuple[int, int]], *, release: bool = True) -> None:
    """Put the events of a drag into SDL's queue."""
    import pygame

    pygame.event.post(pygame.Event(pygame.MOUSEBUTTONDOWN, pos=at[0], button=1))
    for a, b in pairwise(at):
        moved = (b[0] - a[0], b[1] - a[1])
        pygame.event.post(pygame.Event(pygame.MOUSEMOTION, pos=b, rel=moved, buttons=(1, 0, 0)))
    if release:
        pygame.event.post(pygame.Event(pygame.MOUSEBUTTONUP, pos=at[-1], button=1))


def colour(window: Any, at: tuple[int, int]) -> tuple[int, int, int]:
    r, g, b, _ = window._surface.get_at(at)
    return r, g, b


def paint(window: Any, now: float = 1000.0) -> None:
    window._draw(now)


def test_a_window_without_a_screen_is_played_to_the_end(offline: Offline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "FLASH", 0.05)
    window, records = offline("cardinal-chains", "# only\nX 1 1\n", "--close-after-last")
    places = arrange((800, 600), 1, 3)
    drag([(5, 5), (9, 9)])
    drag([places.cell((0, c)).centre for c in (0, 2)])
    window.run()
    got = records()
    events = " ".join(r["event"] for r in got)
    assert events == "window level press release press step step won release finished closed"
    assert [r["on"] for r in got if r["event"] == "press"] == ["outside", "cell"]
    assert all(isinstance(r["time"], float) for r in got)
    assert [r["time"] for r in got] == sorted(r["time"] for r in got)
    shown = next(r for r in got if r["event"] == "window")
    assert (shown["size"], shown["title"], shown["puzzle"]) == ([800, 600], "Cardinal Chains", "X 1 1")
    board = shown["board"]
    assert [one["cell"] for one in shown["cells"]] == [[0, 0], [0, 1], [0, 2]]
    assert shown["cells"][0]["box"][:2] == board[:2]
    assert sum(one["box"][2] for one in shown["cells"]) == board[2]


def test_a_press_on_an_enclosed_hole_counts_as_outside(offline: Offline) -> None:
    window, records = offline("cardinal-chains", "X 1 1\n1 . 1\n1 1 1\n")
    paint(window)
    window._press(window._stage.cell((1, 1)).centre, 0.0)
    window._press(window._stage.buttons["previous"].centre, 0.0)
    assert [(r["on"], r.get("button")) for r in records() if r["event"] == "press"] == [
        ("outside", None),
        ("button", "previous"),
    ]


def test_sampling_loses_the_cells_between_two_frames(offline: Offline, monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame

    window, records = offline("cardinal-chains", "X 1 1 1\n", "--sample", "--animate", "0")
    paint(window)
    centres = [window._stage.cell((0, c)).centre for c in range(4)]
    for at in (centres[0], centres[1], centres[3]):
        for action in window._sampler.sample(at, True):
            window._act(action, 0.0)
    steps = [(r["event"], r["cell"]) for r in records() if r["event"] in ("step", "illegal")]
    assert steps == [("step", [0, 1]), ("illegal", [0, 3])]
    pygame.display.quit()


@pytest.mark.parametrize("theme", THEMES)
def test_a_hole_looks_like_an_empty_cell_and_walls_inside_a_chain_vanish(offline: Offline, theme: str) -> None:
    window, _ = offline("cardinal-chains", "X 1 1\n1 . 1\n1 1 1\n", "--theme", theme, "--animate", "0")
    paint(window)
    stage, colours = window._stage, THEMES[theme]
    pitch = stage.pitch

    def wall(cell: Cell) -> tuple[int, int]:
        """The middle of the wall at the right of a cell."""
        box = stage.cell(cell)
        return box.x + box.width, box.y + box.height // 4

    corner = (pitch // 6, pitch // 6)
    hole, free = stage.cell((1, 1)), stage.cell((2, 2))
    assert colour(window, (hole.x + corner[0], hole.y + corner[1])) == colours.ground
    assert colour(window, hole.centre) == colours.ground
    assert colour(window, (free.x + corner[0], free.y + corner[1])) == colours.ground
    assert colour(window, wall((0, 0))) == colours.wall
    window._match.press((0, 0), 0.0)
    window._match.move((0, 1), 0.0)
    paint(window)
    assert colour(window, wall((0, 0))) == colours.chain(0)
    assert colour(window, wall((0, 1))) == colours.wall
    filled = stage.cell((0, 1))
    assert colour(window, (filled.x + corner[0], filled.y + corner[1])) == colours.chain(0)


def test_tiles_of_a_chain_are_bridged(offline: Offline) -> None:
    window, _ = offline("cardinal-chains", "X 1 1\n", "--look", "tiles", "--animate", "0")
    paint(window)
    box = window._stage.cell((0, 0))
    gap = (box.x + box.width, box.centre[1])
    assert colour(window, gap) == THEMES["light"].ground
    window._match.press((0, 0), 0.0)
    window._match.move((0, 1), 0.0)
    paint(window)
    assert colour(window, gap) == THEMES["light"].chain(0)


def test_a_cell_fills_over_the_animation_time_and_then_the_window_rests(offline: Offline) -> None:
    window, _ = offline("cardinal-chains", "X 1 1\n", "--animate", "100")
    paint(window, 10.0)
    window._match.press((0, 0), 10.0)
    window._match.move((0, 1), 10.0)
    paint(window, 10.0)
    box = window._stage.cell((0, 1))
    near, far = (box.x + box.width // 6, box.y + 12), (box.x + box.width * 5 // 6, box.y + 12)
    ground, chain = THEMES["light"].ground, THEMES["light"].chain(0)
    paint(window, 10.05)
    assert (colour(window, near), colour(window, far)) == (chain, ground)
    assert window._busy(10.05) > 0
    paint(window, 10.11)
    assert (colour(window, near), colour(window, far)) == (chain, chain)
    assert window._busy(10.12) == 0


def test_starts_stay_uncoloured_until_touched(offline: Offline) -> None:
    window, _ = offline("cardinal-chains", "X 1\nX 1\n", "--uncoloured", "--animate", "0")
    paint(window)
    spots = [(box.x + box.width // 6, box.y + box.height // 6) for box in map(window._stage.cell, ((0, 0), (1, 0)))]
    assert [colour(window, spot) for spot in spots] == [THEMES["light"].ground] * 2
    window._match.press((1, 0), 0.0)
    paint(window)
    assert [colour(window, spot) for spot in spots] == [THEMES["light"].ground, THEMES["light"].chain(1)]


def test_a_wide_board_is_turned_in_a_portrait_window_and_back(offline: Offline) -> None:
    import pygame

    window, records = offline("cardinal-chains", "X 1 2\n. 1 X\n", "--size", "400x700")
    paint(window)
    window._match.press(tuple(window._match.play.chains[0][0]), 0.0)
    window._match.move((1, 1), 0.0)
    first = next(r for r in records() if r["event"] == "level")
    assert first["puzzle"] == ". X\n1 1\nX 2"
    window._surface = pygame.display.set_mode((700, 400), pygame.RESIZABLE)
    window._resized(0.0)
    assert window._stage.size == (700, 400) or window._put_up() is None
    paint(window)
    shown = [r for r in records() if r["event"] == "window"]
    assert [(r["turned"], r["puzzle"]) for r in shown] == [(True, ". X\n1 1\nX 2"), (False, "X 1 2\n. 1 X")]
    assert window._match.play.chains == [[(0, 0), (0, 1)], [(1, 2)]]
    assert len([r for r in records() if r["event"] == "level"]) == 1


def test_themes_alternate_and_are_legible() -> None:
    assert [theme_of("alternate", n).name for n in (1, 2, 3, 4)] == ["light", "dark", "colour-blind", "light"]
    for theme in THEMES.values():
        # 4.5 is what WCAG asks for writing, 3 for large writing and shapes.
        assert contrast(theme.ink, theme.ground) >= 4.5
        assert contrast(theme.ink, theme.tile) >= 4.5
        assert contrast(theme.wall, theme.ground) >= 3
        assert contrast(theme.accent, theme.ground) >= 3
        assert len({theme.chain(n) for n in range(14)}) == 14
        assert all(contrast(theme.chain(n), ink_on(theme.chain(n))) >= 4 for n in range(14))
    assert luminance((255, 255, 255)) == pytest.approx(1)


def lab(rgb: tuple[int, int, int], matrix: list[list[float]] | None) -> tuple[float, ...]:
    """CIE Lab (D65) of a colour as an eye with this linear-RGB matrix sees it."""
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    if matrix:
        linear = [min(max(sum(m * v for m, v in zip(row, linear, strict=True)), 0), 1) for row in matrix]
    r, g, b = linear
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    f = [t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


# Machado, Oliveira and Fernandes 2009, severity 1.
DEUTERANOPIA = [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
PROTANOPIA = [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]


@pytest.mark.parametrize("matrix", [None, DEUTERANOPIA, PROTANOPIA])
def test_ten_chains_of_the_colour_blind_theme_stay_apart(matrix: list[list[float]] | None) -> None:
    seen = [lab(one, matrix) for one in THEMES["colour-blind"].chains]
    assert len(seen) == 10
    for i, a in enumerate(seen):
        for b in seen[i + 1 :]:
            # 2.3 is a just noticeable difference; six of them are told apart at a glance.
            assert sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5 > 14


# A real window on a virtual screen, played through X11's XTEST


@contextmanager
def hand(display: str) -> Iterator[Any]:
    """A function ``do(kind, *values)``: ``move x y``, ``down``, ``up``, ``key name…`` on the display."""
    xdisplay = pytest.importorskip("Xlib.display", reason="python-xlib is not installed")
    from Xlib import XK, X
    from Xlib.ext import xtest

    with closing(xdisplay.Display(display)) as server:

        def do(kind: str, *values: Any) -> None:
            if kind == "move":
                xtest.fake_input(server, X.MotionNotify, x=values[0], y=values[1])
            elif kind == "key":
                codes = [server.keysym_to_keycode(XK.string_to_keysym(name)) for name in values]
                for code in codes:
                    xtest.fake_input(server, X.KeyPress, code)
                for code in reversed(codes):
                    xtest.fake_input(server, X.KeyRelease, code)
            else:
                xtest.fake_input(server, X.ButtonPress if kind == "down" else X.ButtonRelease, 1)
            server.sync()

        do.server = server  # type: ignore[attr-defined]
        yield do


def origin(do: Any, title: str) -> tuple[int, int]:
    """Where the client area of the window called ``title`` stands on the screen."""
    from Xlib.error import XError

    root = do.server.screen().root
    # Not WM_NAME: SDL writes it with a type that python-xlib does not decode.
    name, utf8 = do.server.intern_atom("_NET_WM_NAME"), do.server.intern_atom("UTF8_STRING")

    def find(window: Any) -> Any:
        try:
            found = window.get_full_property(name, utf8)
            if found is not None and found.value == title.encode():
                return window
            return next((found for child in window.query_tree().children if (found := find(child))), None)
        except XError:
            return None  # that of a test before, which is just being closed

    window = wait_for(lambda: (found := find(root)) and found.get_attributes().map_state == 2 and found)  # viewable
    at = root.translate_coords(window, 0, 0)
    return at.x, at.y


def centre(window: Running, cell: Cell, corner: tuple[int, int]) -> tuple[int, int]:
    x, y, w, h = next(one["box"] for one in window.records("window")[-1]["cells"] if one["cell"] == list(cell))
    return x + w // 2 + corner[0], y + h // 2 + corner[1]


def test_real_clicks_win_levels_by_the_log(running: Callable[..., Running], tmp_path: Path) -> None:
    levels = tmp_path / "two.txt"
    levels.write_text("# one\nX 1 1\n2 2 1\n\n# two\nX 1\nX 1\n", encoding="utf-8")
    window = running("cardinal-chains", "--levels", str(levels), "--advance", "button", "--title", "Real clicks")
    window.await_event("level")
    with hand(window.display) as do:
        corner = origin(do, "Real clicks")

        def draw(*cells: Cell) -> None:
            presses = len(window.records("press"))
            do("move", *centre(window, cells[0], corner))
            do("down")
            # A window manager freezes the pointer while it thinks about a press, and what moves meanwhile is lost.
            window.await_event("press", presses + 1)
            for cell in cells[1:]:
                do("move", *centre(window, cell, corner))
            do("up")
            window.await_event("release", presses + 1)

        # One instant movement a straight stretch: the cells between are crossed all the same.
        draw((0, 0), (0, 2), (1, 2), (1, 0))
        won = window.await_event("won")
        assert (won["index"], won["name"], won["gestures"]) == (1, "one", 1)
        x, y, w, h = window.records("window")[-1]["buttons"]["next"]
        do("move", x + w // 2 + corner[0], y + h // 2 + corner[1])
        do("down")
        do("up")
        window.await_event("release", 2)
        assert window.await_event("level", 2)["name"] == "two"
        draw((1, 0), (1, 1))
        draw((0, 0), (0, 1))
        assert window.await_event("won", 2)["gestures"] == 2
        do("key", "Escape")
        do("key", "Control_L", "q")
    assert window.await_event("closed")["wins"] == 2
    assert window.process.wait(timeout=120) == 0
    assert [r["on"] for r in window.records("press")] == ["cell", "button", "cell", "cell"]
    assert window.records("illegal") == []


def test_keys_win_a_level_and_the_mouse_does_nothing(running: Callable[..., Running], tmp_path: Path) -> None:
    levels = tmp_path / "keys.txt"
    levels.write_text("X 1\nX 1\n", encoding="utf-8")
    window = running(
        "cardinal-chains", "--levels", str(levels), "--controls", "keys", "--title", "Keys", "--levels-limit", "1"
    )
    window.await_event("level")
    with hand(window.display) as do:
        corner = origin(do, "Keys")
        do("move", *centre(window, (0, 0), corner))
        do("down")
        do("move", *centre(window, (0, 1), corner))
        do("up")
        window.await_event("release")
        assert window.records("step") == []
        # SDL takes a key that comes again within 2 ms for the keyboard's own repetition, so each is waited for.
        for key, event in (("Right", "step"), ("Tab", "selected"), ("Right", "won")):
            do("key", key)
            window.await_event(event)
        assert window.await_event("won")["gestures"] == 3
    assert window.await_event("closed")["wins"] == 1
    assert window.process.wait(timeout=120) == 0


def test_instant_clicks_are_lost_where_the_window_loses_them(running: Callable[..., Running], tmp_path: Path) -> None:
    levels = tmp_path / "lamps.txt"
    levels.write_text("1 0\n", encoding="utf-8")
    window = running("null", "--levels", str(levels), "--lose-instant-clicks", "--title", "Lossy", "--advance", "stay")
    window.await_event("level")
    with hand(window.display) as do:
        corner = origin(do, "Lossy")
        do("move", *centre(window, (0, 0), corner))
        do("down")
        do("up")
        window.await_event("lost")
        assert window.records("press") == []
        do("down")
        window.await_event("press")  # comes by itself once the press has lasted
        do("up")
        window.await_event("won")


def test_a_window_that_is_told_to_end_says_closed(running: Callable[..., Running]) -> None:
    window = running("null", "--title", "Ends")
    window.await_event("level")
    window.process.terminate()
    assert window.process.wait(timeout=120) == 0
    assert window.records()[-1]["event"] == "closed"


def test_f11_fills_the_screen_and_back_and_the_board_follows(running: Callable[..., Running], display: Any) -> None:
    if not display.window_manager:
        pytest.skip(
            "openbox is not installed (apt-get install openbox): without a window manager nothing fills the screen"
        )
    window = running("cardinal-chains", "--title", "Fills", "--size", "500x400", "--start", "4")
    window.await_event("level")
    with hand(window.display) as do:
        x, y = origin(do, "Fills")
        do("move", x + 3, y + 3)
        do("down")
        do("up")
        window.await_event("release")
        do("key", "F11")
        wait_for(lambda: window.records("window")[-1]["size"] == list(display.size))
        do("key", "F11")
        wait_for(lambda: window.records("window")[-1]["size"] == [500, 400])
        assert len(window.records("level")) == 1
