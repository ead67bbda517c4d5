"""The bundled Cross Set: what clicks and keys do by its rules, where its numbers stand, its pictures, and real clicks
on a real screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoplayer.arcade import match
from autoplayer.arcade.__main__ import find, main
from autoplayer.arcade.cross_set.marks import IN_SLOTS, Mark, arranged
from autoplayer.arcade.cross_set.play import Cells
from autoplayer.arcade.levels import load
from autoplayer.arcade.play import RIGHT, Happening, Spot
from autoplayer.arcade.pointer import Dropper
from autoplayer.arcade.stage import arrange
from autoplayer.arcade.themes import THEMES, Colour
from autoplayer.games.cross_set import GAME
from autoplayer.games.cross_set.puzzle import check, format_puzzle, parse
from autoplayer.games.cross_set.solver import solve
from autoplayer.layout import Layout
from autoplayer.settle import settle

from .conftest import Running
from .test_arcade_window import colour, drag, hand, origin, paint

Cell = tuple[int, int]
Offline = Callable[..., tuple[Any, Callable[[], list[dict[str, Any]]]]]

LOOKS = find("cross-set").looks
LOCK = Spot(button=RIGHT)
SQUARE = "132 23 13\n12 312 23\n3 12 12"


def board(text: str = SQUARE, every: int = 0, **options: Any) -> Cells:
    return Cells(parse(text), Dropper(every), **options)


def rotations(text: str) -> list[Cell]:
    """The fewest clicks that solve a board: each cell as often as its number lies behind the active one."""
    puzzle = parse(text)
    solution = solve(puzzle, time_limit=20, most=1).solution
    assert solution
    return [
        (r, c)
        for r, row in enumerate(puzzle.rows)
        for c, candidates in enumerate(row)
        for _ in range(candidates.index(solution[r][c]))
    ]


def test_a_click_moves_the_active_number_to_the_end() -> None:
    play = board()
    assert play.press((1, 1)) == [Happening("rotated", (1, 1), active=1)]
    assert play.order((1, 1)) == (1, 2, 3)
    assert [play.press((1, 1))[0].active for _ in range(3)] == [2, 3, 1]
    assert play.active == ((1, 2, 1), (1, 1, 2), (3, 1, 1))
    assert play.text() == SQUARE, "what was played is not in the puzzle's text"


def test_a_locked_cell_does_not_rotate_until_it_is_unlocked() -> None:
    play = board()
    assert play.press((0, 0), LOCK) == [Happening("locked", (0, 0), active=1)]
    assert play.press((0, 0)) == [Happening("illegal", (0, 0), by="locked")]
    assert play.press((0, 0), LOCK) == [Happening("unlocked", (0, 0), active=1)]
    assert play.press((0, 0))[0].event == "rotated"
    play.press((0, 1), LOCK)
    play.reset()
    assert (play.locked, play.order((0, 0))) == ({(2, 0)}, (1, 3, 2))


def test_a_cell_with_one_candidate_is_locked_for_good_or_just_does_nothing() -> None:
    assert board().locked == {(2, 0)}
    for spot in (Spot(), LOCK):
        assert board().press((2, 0), spot)[0].event == "illegal"
    play = board(singles=False)
    assert play.locked == set()
    assert play.press((2, 0)) == [Happening("illegal", (2, 0), by="one candidate")]
    assert [play.press((2, 0), LOCK)[0].event for _ in range(2)] == ["locked", "unlocked"]


def test_the_games_own_checker_says_when_it_is_won_whatever_is_locked() -> None:
    play = board()
    todo = rotations(SQUARE)
    assert todo
    for cell in todo:
        assert not play.won
        play.press(cell)
    assert play.won
    assert check(play.puzzle, play.active) == []
    assert play.unfinished == ([], [])
    assert play.locked == {(2, 0)}


def test_rows_and_columns_are_unfinished_while_a_number_stands_in_them_twice() -> None:
    """1 2 1 / 1 3 2 / 3 1 1."""
    assert board().unfinished == ([0, 2], [0, 2])


def test_with_slots_the_clicks_go_round_in_the_order_of_the_numbers() -> None:
    play = board("213 1 2\n132 23 31\n3 12 321", by_slots=True)
    assert play.text() == "231 1 2\n123 23 31\n3 12 312"
    assert [play.press((0, 0))[0].active for _ in range(3)] == [3, 1, 2]


def test_keys_move_a_cursor_rotate_and_lock() -> None:
    play = board()
    assert play.key("up") == [Happening("illegal", (0, 0), by="the board ends")]
    assert play.key("right") == [Happening("selected", (0, 1))]
    assert play.key("down") == [Happening("selected", (1, 1))]
    assert play.key("space") == [Happening("rotated", (1, 1), active=1)]
    for key in ("enter", "x"):
        assert play.key(key)[0].event == ("locked" if key == "enter" else "unlocked")
    assert play.key("tab") == []
    assert play.cursor == (1, 1)


def test_every_third_rotation_or_lock_is_lost() -> None:
    play = board(every=3)
    got = [play.press((0, 0))[0].event for _ in range(4)]
    assert got == ["rotated", "rotated", "dropped", "rotated"]
    assert [play.press((0, 0), LOCK)[0].event for _ in range(2)] == ["locked", "dropped"]
    assert (0, 0) in play.locked


actions = st.tuples(
    st.sampled_from(["press", "lock", "up", "down", "left", "right", "space", "enter", "x", "tab"]),
    st.tuples(st.integers(0, 2), st.integers(0, 2)),
)


@given(st.booleans(), st.booleans(), st.lists(actions, max_size=60))
def test_whatever_the_hand_does_the_candidates_stay_and_the_checker_decides(
    by_slots: bool, singles: bool, hand: list[Any]
) -> None:
    play = board(by_slots=by_slots, singles=singles)
    for kind, cell in hand:
        before = play.order(cell)
        held = cell in play.locked
        if kind in ("press", "lock"):
            play.press(cell, LOCK if kind == "lock" else Spot())
            if kind == "press":
                assert play.order(cell) == (before if held else before[1:] + before[:1])
        else:
            play.key(kind)
        assert play.holds(play.cursor)
        assert play.won == (check(play.puzzle, play.active) == [])
        for r, row in enumerate(play.puzzle.rows):
            for c, candidates in enumerate(row):
                assert sorted(play.order((r, c))) == sorted(candidates)


# Where numbers stand


def box(mark: Mark) -> tuple[float, float, float, float]:
    wide, tall = measure(mark.height)
    return mark.right - wide / 2, mark.down - tall / 2, mark.right + wide / 2, mark.down + tall / 2


def measure(height: int) -> tuple[int, int]:
    """Digits as narrow as they usually are."""
    return max(round(height * 0.58), 1), height


def apart(one: Mark, other: Mark) -> bool:
    a, b, c, d = box(one)
    e, f, g, h = box(other)
    return c < e or g < a or d < f or h < b


@given(st.sampled_from(LOOKS), st.integers(4, 9), st.integers(1, 9), st.integers(34, 120))
def test_numbers_stand_inside_their_cell_and_apart(look: str, size: int, most: int, pitch: int) -> None:
    """34 pixels is the pitch of a 9x9 board in a window of 480x480."""
    most, inner = min(most, size), round(pitch * 0.84)
    marks = arranged(look, size, most, pitch, inner, measure)
    for count in range(1, most + 1):
        if look in IN_SLOTS:
            stand = [marks.slot(number, inner, active=number == 1) for number in range(1, count + 1)]
        else:
            stand = list(marks.of(count))
        assert len(stand) == count
        for i, one in enumerate(stand):
            assert max(map(abs, box(one))) <= inner / 2 + 1e-6
            assert all(apart(one, other) for other in stand[:i])
        assert stand[0].height >= max(mark.height for mark in stand)
    assert marks.small >= (5 if most > 5 or look in IN_SLOTS else 6), "in the fullest cells digits can still be told"


@pytest.mark.parametrize("look", ["beside", "tiny", "below"])
def test_the_active_number_is_told_by_its_size(look: str) -> None:
    for pitch in (34, 60, 120):
        for most in (2, 5, 9):
            marks = arranged(look, 9, most, pitch, round(pitch * 0.84), measure)
            assert marks.big >= 1.25 * marks.small
    large = arranged(look, 4, 2, 120, 100, measure)
    wanted = {"beside": 25 / 40, "tiny": 10 / 25, "below": 0.55}[look]
    assert large.small / large.big == pytest.approx(wanted, abs=0.02)


def test_two_rows_of_small_numbers_stand_below() -> None:
    marks = arranged("below", 9, 5, 100, 84, measure)
    active, *others = marks.of(5)
    downs = sorted({mark.down for mark in others})
    assert len(downs) == 2
    assert active.down < downs[0] < downs[1]


# The window


def test_a_window_without_a_screen_is_won_by_clicks(offline: Offline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "FLASH", 0.05)
    window, records = offline("cross-set", f"# square\n{SQUARE}\n", "--close-after-last", "--animate", "0")
    places = arrange((800, 600), 3, 3)
    todo = rotations(SQUARE)
    drag([(5, 5), (9, 9)])
    for cell in todo:
        drag([places.cell(cell).centre])
    window.run()
    got = records()
    assert [r["on"] for r in got if r["event"] == "press"] == ["outside", *["cell"] * len(todo)]
    assert [tuple(r["cell"]) for r in got if r["event"] == "rotated"] == todo
    won = next(r for r in got if r["event"] == "won")
    assert (won["index"], won["name"], won["gestures"]) == (1, "square", len(todo))
    assert next(r for r in got if r["event"] == "window")["puzzle"] == SQUARE


def test_the_right_button_and_the_keys_reach_the_board(offline: Offline) -> None:
    import pygame

    window, records = offline("cross-set", SQUARE)
    paint(window)
    for button in (1, 3, 1):
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            window._take(pygame.Event(kind, pos=window._stage.cell((0, 0)).centre, button=button))
    played = ("rotated", "locked", "unlocked", "illegal", "selected")
    assert [(r["event"], r.get("active")) for r in records() if r["event"] in played] == [
        ("rotated", 3),
        ("locked", 3),
        ("illegal", None),
    ]
    window, records = offline("cross-set", SQUARE, "--controls", "keys")
    paint(window)
    for key in (pygame.K_DOWN, pygame.K_SPACE, pygame.K_RETURN, pygame.K_x):
        window._take(pygame.Event(pygame.KEYDOWN, key=key))
    assert [r["event"] for r in records() if r["event"] in played] == ["selected", "rotated", "locked", "unlocked"]
    window._take(pygame.Event(pygame.MOUSEBUTTONDOWN, pos=window._stage.cell((0, 0)).centre, button=1))
    assert len([r for r in records() if r["event"] in played]) == 4, "the mouse does nothing there"


def ground(window: Any, cell: Cell) -> Colour:
    """The colour of a cell, beside its left edge."""
    place = window._stage.cell(cell)
    return colour(window, (place.x + round(window._stage.pitch * 0.13), place.centre[1]))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("cells", ["gaps", "grid", "framed"])
def test_locked_cells_have_another_colour(offline: Offline, theme: str, cells: str) -> None:
    window, _ = offline("cross-set", "12 21\n1 12\n", "--theme", theme, "--cells", cells, "--look", "below")
    colours = THEMES[theme]
    free = colours.chain(1) if cells == "framed" else colours.tile
    paint(window)
    assert [ground(window, cell) for cell in ((0, 0), (0, 1), (1, 0), (1, 1))] == [free, free, colours.chain(0), free]
    window._match.play.press((0, 0), LOCK)
    paint(window)
    assert [ground(window, cell) for cell in ((0, 0), (0, 1))] == [colours.chain(0), free]
    assert max(abs(a - b) for a, b in zip(free, colours.chain(0), strict=True)) > 60


def pixels(window: Any, cell: Cell) -> bytes:
    import pygame

    place = window._stage.cell(cell)
    return pygame.image.tobytes(window._surface.subsurface((place.x, place.y, place.width, place.height)), "RGB")


@pytest.mark.parametrize("glyphs", ["font", "segments", "pixel"])
@pytest.mark.parametrize("look", LOOKS)
def test_every_look_shows_each_turn_of_a_cell_otherwise_and_nothing_crosses_its_edge(
    offline: Offline, look: str, glyphs: str
) -> None:
    """The fullest cell in a small window: all its turns differ, and its gap to the neighbours stays free."""
    full = "\n".join(" ".join("123456789" for _ in range(9)) for _ in range(9))
    window, _ = offline("cross-set", full, "--look", look, "--glyphs", glyphs, "--size", "480x480", "--animate", "0")
    seen = set()
    for _ in range(9):
        paint(window)
        seen.add(pixels(window, (4, 4)))
        place = window._stage.cell((4, 4))
        edge = [(place.x, place.y + k) for k in range(place.height)] + [
            (place.x + k, place.y) for k in range(place.width)
        ]
        assert {colour(window, at) for at in edge} == {THEMES["light"].ground}
        window._match.play.press((4, 4))
    assert len(seen) == 9


def test_a_rotation_takes_the_animation_time_and_then_the_window_rests(offline: Offline) -> None:
    window, _ = offline("cross-set", SQUARE, "--animate", "300")
    paint(window, 10.0)
    before = pixels(window, (0, 0))
    window._match.press((0, 0), 10.0)
    paint(window, 10.0)
    assert window._busy(10.0) == 60
    paint(window, 10.15)
    halfway = pixels(window, (0, 0))
    paint(window, 10.31)
    after = pixels(window, (0, 0))
    assert window._busy(10.31) == 0
    assert len({before, halfway, after}) == 3
    paint(window, 20.0)
    assert pixels(window, (0, 0)) == after
    window._match.button("reset", 20.0)
    window._put_up()
    paint(window, 20.0)
    assert pixels(window, (0, 0)) == before, "what is set back does not move"


def test_lights_stand_beside_unfinished_rows_and_columns(offline: Offline) -> None:
    window, _ = offline("cross-set", SQUARE, "--lights")
    stage = window._stage

    def lit() -> tuple[list[int], list[int]]:
        paint(window)
        accent = THEMES["light"].accent
        right, below = stage.board.x + stage.board.width, stage.board.y + stage.board.height
        rows = [
            r
            for r in range(3)
            if accent in {colour(window, (x, stage.cell((r, 0)).centre[1])) for x in range(right, right + 40)}
        ]
        columns = [
            c
            for c in range(3)
            if accent in {colour(window, (stage.cell((0, c)).centre[0], y)) for y in range(below, min(below + 40, 600))}
        ]
        return rows, columns

    assert lit() == ([0, 2], [0, 2])
    for cell in rotations(SQUARE):
        window._match.play.press(cell)
    assert lit() == ([], [])
    window, _ = offline("cross-set", SQUARE)
    assert lit() == ([], []), "only where it is asked for"


def test_the_cursor_is_a_frame_round_its_cell(offline: Offline) -> None:
    window, _ = offline("cross-set", SQUARE, "--controls", "keys")

    def framed() -> list[Cell]:
        paint(window)
        accent = THEMES["light"].accent
        places = {(r, c): window._stage.cell((r, c)) for r in range(3) for c in range(3)}
        return [cell for cell, at in places.items() if colour(window, (at.centre[0], at.y + 4)) == accent]

    assert framed() == [(0, 0)]
    window._match.play.key("right")
    assert framed() == [(0, 1)]


def test_a_win_flashes_only_where_that_is_asked_for(offline: Offline) -> None:
    for argv, still in (([], False), (["--win", "none"], True)):
        window, _ = offline("cross-set", SQUARE, "--advance", "stay", "--animate", "0", *argv)
        for cell in rotations(SQUARE):
            window._match.play.press(cell)
        paint(window, 100.0)
        before = ground(window, (0, 1))
        window._match.tick(100.0)
        paint(window, 100.25)
        assert (ground(window, (0, 1)) == before) == still
        assert bool(window._busy(100.3)) == (not still)


def test_boards_beyond_nine_show_numbers_of_two_digits(offline: Offline) -> None:
    rows = [[(r + c) % 10 + 1 for c in range(10)] for r in range(10)]
    text = "\n".join(" ".join(f"{n},{n % 10 + 1},{(n + 4) % 10 + 1}" for n in row) for row in rows)
    for look in LOOKS:
        window, records = offline("cross-set", text, "--look", look)
        paint(window)
        assert window._match.play.won
        assert next(r for r in records() if r["event"] == "window")["puzzle"] == text


@pytest.mark.parametrize(
    ("look", "glyphs"),
    # Each look and each kind of glyphs. Nobody can read segments in slots that narrow; patches are not read at all.
    list(zip(LOOKS[:5], ("segments", "pixel", "font", "segments", "pixel"), strict=True)),
)
def test_every_number_of_a_large_board_can_be_read(offline: Offline, look: str, glyphs: str) -> None:
    import pygame

    text = format_puzzle(GAME.generate(10, 10, 4))
    window, _ = offline("cross-set", text, "--look", look, "--glyphs", glyphs, "--size", "1100x1000", "--cells", "gaps")
    paint(window)
    rgb = pygame.surfarray.array3d(window._surface).swapaxes(0, 1)
    reading = GAME.read(np.ascontiguousarray(rgb[..., ::-1]), Layout(game="cross-set"))
    assert reading.puzzle == window._match.play.puzzle
    assert settle(GAME, reading).certain


def test_slots_for_numbers_of_two_digits_are_fewer_in_a_line() -> None:
    def measure(height: int) -> tuple[int, int]:
        return height, height  # as broad as high

    nine, twelve = (arranged("slots", size, 3, 80, 70, measure) for size in (9, 12))
    assert (nine.columns, nine.lines) == (3, 3)
    assert (twelve.columns, twelve.lines) == (3, 4)
    places = {(twelve.slot(n, 70, active=False).right, twelve.slot(n, 70, active=False).down) for n in range(1, 13)}
    assert len(places) == 12


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--controls", "mouse"], ["mouse", "click", "keys"]),
        (["--look", "tiles"], ["tiles", "beside", "slots"]),
        (["--cells", "hexagons"], ["hexagons", "gaps"]),
        (["--win", "locked"], ["locked", "flash"]),
    ],
)
def test_a_wrong_option_is_one_sentence(argv: list[str], words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["cross-set", *argv]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    for word in words:
        assert word in err


def test_the_bundled_boards_have_exactly_one_solution_and_are_not_won_at_the_start() -> None:
    puzzles = [level.puzzle for level in load(find("cross-set").levels, parse)]
    assert len(puzzles) >= 12
    assert {puzzle.size for puzzle in puzzles} == {4, 5, 6, 7, 8, 9}
    assert [puzzle.size for puzzle in puzzles[:10]] == sorted(puzzle.size for puzzle in puzzles[:10])
    for puzzle in puzzles:
        assert solve(puzzle, time_limit=60).unique is True
        for by_slots in (False, True):
            assert not Cells(puzzle, by_slots=by_slots).won


# A real window on a virtual screen


def test_real_clicks_and_a_lock_win_a_level_by_the_log(running: Callable[..., Running], tmp_path: Path) -> None:
    levels = tmp_path / "levels.txt"
    levels.write_text(SQUARE, encoding="utf-8")
    window = running("cross-set", "--levels", str(levels), "--title", "Real cells", "--advance", "stay")
    window.await_event("level")
    with hand(window.display) as do:
        left, top = origin(do, "Real cells")
        boxes = {tuple(one["cell"]): one["box"] for one in window.records("window")[-1]["cells"]}
        todo = rotations(SQUARE)
        for number, cell in enumerate(todo, 1):
            x, y, w, h = boxes[cell]
            do("move", left + x + w // 2, top + y + h // 2)
            do("down")
            window.await_event("rotated", number)
            do("up")
            window.await_event("release", number)
        assert window.await_event("won")["gestures"] == len(todo)
    assert window.records("illegal") == []


def test_real_keys_win_a_level_by_the_log(running: Callable[..., Running], tmp_path: Path) -> None:
    levels = tmp_path / "levels.txt"
    levels.write_text("12 21\n21 21\n", encoding="utf-8")
    window = running("cross-set", "--levels", str(levels), "--title", "Real keys", "--controls", "keys")
    window.await_event("level")
    with hand(window.display) as do:
        origin(do, "Real keys")
        # SDL takes a key that comes again within 2 ms for the keyboard's own repetition, so each is waited for.
        for key, event in (("x", "locked"), ("Return", "unlocked"), ("Down", "selected"), ("Right", "selected")):
            do("key", key)
            window.await_event(event)
        window.await_event("selected", 2)
        do("key", "space")
        window.await_event("rotated")
        assert window.await_event("won")["gestures"] == 5
