"""The bundled Hashi: what drags, clicks and keys do by its rules, its pictures, and real clicks on a real screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoplayer.arcade import match
from autoplayer.arcade.__main__ import find, main
from autoplayer.arcade.hashi.play import Islands
from autoplayer.arcade.levels import load
from autoplayer.arcade.play import MIDDLE, RIGHT, Happening, Spot
from autoplayer.arcade.pointer import Dropper
from autoplayer.arcade.stage import arrange
from autoplayer.arcade.themes import THEMES, contrast, ink_on
from autoplayer.games.hashi.puzzle import check, parse
from autoplayer.games.hashi.solver import solve

from .conftest import Running
from .test_arcade_window import colour, drag, hand, lab, origin, paint

Cell = tuple[int, int]
Offline = Callable[..., tuple[Any, Callable[[], list[dict[str, Any]]]]]

SQUARE = "3.3\n...\n2.2"
"""Won, for one, with two links at the top and one on every other side."""
CROSS = ".1.\n1.1\n.1."
TOUCHING = "12\n.1"


def board(text: str, controls: str = "drag", every: int = 0) -> Islands:
    return Islands(parse(text), Dropper(every), controls)


def dragged(play: Islands, *cells: Cell, spot: Spot = MIDDLE) -> list[Happening]:
    happenings = play.press(cells[0], spot)
    for cell in cells[1:]:
        happenings += play.move(cell)
    return happenings + play.release()


def test_each_drag_adds_a_link_and_the_third_takes_both_away() -> None:
    play = board(SQUARE)
    for links in (1, 2, 0):
        assert dragged(play, (0, 0), (0, 1), (0, 2)) == [Happening("link", (0, 0), to=(0, 2), links=links)]
        assert dragged(play, (2, 2), (1, 2), (0, 2)) == [Happening("link", (0, 2), to=(2, 2), links=links)]
    assert play.solution == ()


def test_the_games_own_checker_says_when_it_is_won() -> None:
    play = board(SQUARE)
    for a, b in (((0, 0), (0, 2)), ((0, 2), (0, 0)), ((0, 0), (2, 0)), ((0, 2), (2, 2))):
        assert not play.won
        dragged(play, a, b)
    assert not play.won
    dragged(play, (2, 0), (2, 2))
    assert play.won
    assert check(play.puzzle, play.solution) == []
    dragged(play, (2, 0), (2, 2))
    assert not play.won, "a link too many"
    play.reset()
    assert (play.won, play.solution) == (False, ())


def test_all_numbers_right_but_not_connected_is_not_won() -> None:
    play = board("1.1\n...\n1.1")
    dragged(play, (0, 0), (0, 2))
    dragged(play, (2, 0), (2, 2))
    assert [play.has(island) for island in play.puzzle.islands] == [1, 1, 1, 1]
    assert not play.won


def test_a_bridge_across_another_is_refused_until_that_is_gone() -> None:
    play = board(CROSS)
    dragged(play, (1, 0), (1, 2))
    assert dragged(play, (0, 1), (2, 1)) == [Happening("illegal", (0, 1), to=(2, 1), by="crossing")]
    dragged(play, (1, 0), (1, 2))
    dragged(play, (1, 0), (1, 2))
    assert dragged(play, (0, 1), (2, 1))[0].links == 1


def test_a_drag_that_is_no_link_does_nothing_and_says_so() -> None:
    play = board("1.1\n1.1\n..1")
    assert dragged(play, (0, 1), (0, 2)) == [Happening("missed", (0, 1))]
    assert dragged(play, (0, 0), (0, 1)) == [Happening("missed", (0, 1))]
    assert dragged(play, (0, 0), (1, 2)) == [Happening("illegal", (0, 0), to=(1, 2), by="no neighbours")]
    assert dragged(play, (0, 2), (2, 2))[0].by == "no neighbours", "an island stands between"
    assert dragged(play, (0, 0), (0, 2), (0, 0)) == []
    assert dragged(play, (0, 0), (0, 2), spot=Spot(button=RIGHT)) == []
    assert play.solution == ()


def test_an_island_may_get_too_many_links() -> None:
    play = board(SQUARE)
    for _ in range(2):
        dragged(play, (2, 0), (2, 2))
        dragged(play, (2, 0), (0, 0))
    assert play.has((2, 0)) == 4


@pytest.mark.parametrize(
    ("cell", "spot"),
    [
        pytest.param((0, 0), Spot(0.45, 0.0), id="beside the island, in its own cell"),
        pytest.param((0, 1), Spot(-0.3, 0.1), id="in the next cell"),
        pytest.param((0, 2), Spot(0.0, 0.0), id="halfway"),
        pytest.param((0, 4), Spot(-0.45, 0.2), id="beside the other one"),
    ],
)
def test_a_click_beside_an_island_adds_and_the_right_button_takes_away(cell: Cell, spot: Spot) -> None:
    play = board("2...2\n.....\n1...1", "side")
    right = Spot(spot.right, spot.down, RIGHT)
    assert play.press(cell, right)[0].by == "no link left"
    for links in (1, 2):
        assert play.press(cell, spot) == [Happening("link", (0, 0), to=(0, 4), links=links)]
    assert play.press(cell, spot)[0].by == "two links already"
    for links in (1, 0):
        assert play.press(cell, right) == [Happening("link", (0, 0), to=(0, 4), links=links)]


def test_between_touching_islands_the_side_of_the_click_says_which_way() -> None:
    play = board(TOUCHING, "side")
    assert play.press((0, 1), Spot(-0.47, 0.1)) == [Happening("link", (0, 0), to=(0, 1), links=1)]
    assert play.press((1, 1), Spot(0.05, -0.47)) == [Happening("link", (0, 1), to=(1, 1), links=1)]
    assert play.won
    for where in (((0, 0), MIDDLE), ((0, 0), Spot(-0.4, 0)), ((1, 0), MIDDLE)):
        assert [one.event for one in play.press(*where)] == ["missed"]


def test_water_where_two_bridges_could_be_means_the_one_with_the_nearer_island() -> None:
    """Row 1 runs from (1, 0) to (1, 4), column 1 from (0, 1) to (4, 1); they meet at (1, 1)."""
    play = board(".1...\n1...1\n.....\n.....\n.1...", "side")
    assert play.press((1, 1), Spot(-0.2, 0.0))[0].to == (1, 4)
    play = board(".1...\n1...1\n.....\n.....\n.1...", "side")
    assert play.press((1, 1), Spot(0.0, -0.2))[0].to == (4, 1)


def test_a_pair_of_clicks_links_and_other_clicks_choose() -> None:
    play = board(SQUARE + "\n..1", "pair")
    assert play.press((0, 0)) == [Happening("selected", (0, 0))]
    assert play.press((0, 0)) == [Happening("deselected", (0, 0))]
    play.press((0, 0))
    assert play.press((2, 2)) == [Happening("selected", (2, 2))], "no neighbour: the second is the first of the next"
    assert play.press((0, 2)) == [Happening("link", (0, 2), to=(2, 2), links=1)]
    assert play.chosen is None
    play.press((0, 0))
    assert play.press((1, 1)) == [Happening("missed", (1, 1))]
    assert play.chosen is None


def test_keys_go_from_island_to_island_and_link_while_space_holds() -> None:
    play = board(SQUARE)
    assert play.key("right") == [Happening("selected", (0, 2))]
    assert play.key("up") == [Happening("illegal", (0, 2), by="no neighbour")]
    play.key("space")
    assert play.key("left") == [Happening("link", (0, 0), to=(0, 2), links=1)]
    assert play.key("down") == [Happening("link", (0, 2), to=(2, 2), links=1)]
    assert play.key("space") == [Happening("deselected", (0, 2))]
    assert play.key("tab") == [Happening("selected", (2, 0))]


def test_every_third_link_is_lost() -> None:
    play = board(SQUARE, every=3)
    got = [dragged(play, (0, 0), (0, 2))[0].event for _ in range(4)]
    assert got == ["link", "link", "dropped", "link"]
    assert play.links[0] == 0


actions = st.tuples(
    st.sampled_from(["press", "right", "move", "release", "up", "down", "left", "right", "space", "tab"]),
    st.tuples(st.integers(0, 4), st.integers(0, 4)),
    st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
)


@given(st.sampled_from(["drag", "side", "pair", "keys"]), st.lists(actions, max_size=60))
def test_whatever_the_hand_does_no_bridges_cross(controls: str, hand: list[Any]) -> None:
    play = board("2.3.2\n.1.1.\n3.4.3\n.2.11\n2.3.2", controls)
    for kind, cell, (right, down) in hand:
        if kind in ("press", "right"):
            play.press(cell, Spot(right, down, RIGHT if kind == "right" else 1))
        elif kind == "move":
            play.move(cell)
        elif kind == "release":
            play.release()
        else:
            play.key(kind)
        assert all(0 <= links <= 2 for links in play.links)
        assert not [fault for fault in check(play.puzzle, play.solution) if "cross" in fault or "through" in fault]
        assert play.won == (check(play.puzzle, play.solution) == [])


# The window


def links(window: Any, text: str) -> list[tuple[Cell, Cell]]:
    """The drags that solve a puzzle: its bridges, those of two links twice."""
    solution = solve(parse(text), time_limit=20, most=1).solution
    assert solution
    return [(a, b) for a, b, count in solution for _ in range(count)]


def test_a_window_without_a_screen_is_won_by_drags(offline: Offline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "FLASH", 0.05)
    window, records = offline("hashi", f"# square\n{SQUARE}\n", "--close-after-last")
    places = arrange((800, 600), 3, 3)
    drag([(5, 5), (9, 9)])
    for a, b in links(window, SQUARE):
        drag([places.cell(a).centre, places.cell(b).centre])
    window.run()
    got = records()
    assert [r["on"] for r in got if r["event"] == "press"] == ["outside", *["cell"] * 5]
    assert [r["links"] for r in got if r["event"] == "link"] == [1, 2, 1, 1, 1]
    won = next(r for r in got if r["event"] == "won")
    assert (won["index"], won["name"], won["gestures"]) == (1, "square", 5)
    shown = next(r for r in got if r["event"] == "window")
    assert shown["puzzle"] == SQUARE
    assert len(shown["cells"]) == 9


def test_the_right_button_reaches_only_games_that_know_it(offline: Offline) -> None:
    import pygame

    window, records = offline("hashi", "2..2\n1..1\n", "--controls", "side")
    paint(window)
    x, y = window._stage.cell((0, 1)).centre
    for button in (1, 1, 3, 2):
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            window._take(pygame.Event(kind, pos=(x, y), button=button))
    assert [(r["event"], r.get("links"), r.get("mouse")) for r in records() if r["event"] in ("press", "link")] == [
        ("press", None, None),
        ("link", 1, None),
        ("press", None, None),
        ("link", 2, None),
        ("press", None, 3),
        ("link", 1, None),
    ]
    window, records = offline("cardinal-chains", "X 1 1\n")
    paint(window)
    window._take(pygame.Event(pygame.MOUSEBUTTONDOWN, pos=window._stage.cell((0, 0)).centre, button=3))
    assert [r for r in records() if r["event"] == "press"] == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("look", ["rings", "discs", "squares"])
def test_islands_tell_by_their_ground_what_they_lack(offline: Offline, theme: str, look: str) -> None:
    window, _ = offline("hashi", "2.1.1\n", "--theme", theme, "--look", look)
    colours, places = THEMES[theme], [(0, 0), (0, 2), (0, 4)]

    def grounds() -> list[tuple[int, int, int]]:
        paint(window)
        found = []
        for box in map(window._stage.cell, places):
            x, y = box.centre
            found.append(colour(window, (x, y - round(window._stage.pitch * 0.29))))
        return found

    plain = {"rings": colours.ground, "discs": colours.wall, "squares": colours.tile}[look]
    assert grounds() == [plain] * 3
    for _ in range(2):
        dragged(window._match.play, (0, 0), (0, 2))
    assert grounds() == [colours.done, colours.wrong, plain]


def test_what_is_told_can_be_less(offline: Offline) -> None:
    for tells, expected in (("done", ["done", "ground"]), ("wrong", ["ground", "wrong"]), ("none", ["ground"] * 2)):
        window, _ = offline("hashi", "2.1.1\n", "--tell", tells)
        for _ in range(2):
            dragged(window._match.play, (0, 0), (0, 2))
        paint(window)
        spots = [window._stage.cell(cell).centre for cell in ((0, 0), (0, 2))]
        shown = [colour(window, (x, y - round(window._stage.pitch * 0.29))) for x, y in spots]
        assert shown == [getattr(THEMES["light"], name) for name in expected]


@pytest.mark.parametrize("text", ["2...2\n", "2\n.\n.\n2\n", "22\n"])
def test_one_link_is_one_line_and_two_are_two(offline: Offline, text: str) -> None:
    """Across the middle of the bridge, also where the islands touch."""
    window, _ = offline("hashi", text)
    a, b = window._match.play.puzzle.bridges[0]
    for wanted in (0, 1, 2):
        paint(window)
        (x, y), (u, v) = window._stage.cell(a).centre, window._stage.cell(b).centre
        middle, reach = ((x + u) // 2, (y + v) // 2), window._stage.pitch // 4
        line = [
            colour(window, (middle[0], middle[1] + k) if y == v else (middle[0] + k, middle[1]))
            for k in range(-reach, reach)
        ]
        on = [one == THEMES["light"].wall for one in line]
        assert sum(now and not before for before, now in zip([False, *on], on, strict=False)) == wanted
        dragged(window._match.play, a, b)


def test_a_win_flashes_only_where_that_is_asked_for(offline: Offline) -> None:
    for argv, still in (([], False), (["--win", "none"], True)):
        window, _ = offline("hashi", "1...1\n", "--advance", "stay", *argv)
        dragged(window._match.play, (0, 0), (0, 4))
        paint(window, 100.0)
        before = colour(window, window._stage.cell((0, 2)).centre)
        window._match.tick(100.0)
        paint(window, 100.25)
        assert (colour(window, window._stage.cell((0, 2)).centre) == before) == still
        assert bool(window._busy(100.3)) == (not still)


def test_grids_and_counts_are_drawn_where_asked_for(offline: Offline) -> None:
    faint, ground = THEMES["light"].faint, THEMES["light"].ground
    for grid, border, middle in (
        ("none", ground, ground),
        ("cells", faint, ground),
        ("lines", ground, faint),
        ("dots", ground, faint),
    ):
        window, _ = offline("hashi", "1.1\n...\n...\n", "--grid", grid)
        paint(window)
        box = window._stage.cell((1, 1))
        assert colour(window, (box.x, box.y + box.height // 4)) == border, grid
        assert colour(window, box.centre) == middle, grid
    window, _ = offline("hashi", "1...1\n", "--counts")
    dragged(window._match.play, (0, 0), (0, 4))
    paint(window)
    x, y = window._stage.cell((0, 2)).centre
    assert colour(window, (x - round(window._stage.pitch * 0.1), y)) == ground, "the disc lies over the bridge"


def test_done_and_wrong_are_told_apart_by_every_eye() -> None:
    from .test_arcade_window import DEUTERANOPIA, PROTANOPIA

    for theme in THEMES.values():
        for one in (theme.done, theme.wrong):
            assert contrast(one, ink_on(one)) >= 4
    for matrix in (None, DEUTERANOPIA, PROTANOPIA):
        theme = THEMES["colour-blind"]
        grounds = [lab(one, matrix) for one in (theme.done, theme.wrong, theme.ground, theme.wall)]
        for i, a in enumerate(grounds):
            for b in grounds[i + 1 :]:
                assert sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5 > 14


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--controls", "mouse"], ["mouse", "drag", "side", "pair"]),
        (["--look", "tiles"], ["tiles", "rings"]),
        (["--island", "20"], ["40", "96", "'20'"]),
        (["--grid", "hexagons"], ["hexagons", "cells"]),
    ],
)
def test_a_wrong_option_is_one_sentence(argv: list[str], words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["hashi", *argv]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    for word in words:
        assert word in err


def test_the_bundled_islands_have_exactly_one_solution() -> None:
    path = find("hashi").levels
    puzzles = [level.puzzle for level in load(path, parse)]
    assert len(puzzles) >= 10
    assert (puzzles[0].height, puzzles[-1].height) == (5, 15)
    touching = [p for p in puzzles if any(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in p.bridges)]
    assert len(touching) >= 3
    for puzzle in puzzles:
        assert solve(puzzle, time_limit=60).unique is True


# A real window on a virtual screen


@pytest.mark.parametrize("controls", ["drag", "side", "pair"])
def test_real_clicks_win_a_level_by_the_log(controls: str, running: Callable[..., Running], tmp_path: Path) -> None:
    """Two touching islands at the end, so that there is no water to click on."""
    text = "3.41\n....\n2.2."
    levels = tmp_path / "levels.txt"
    levels.write_text(text, encoding="utf-8")
    title = f"Real islands, {controls}"
    window = running("hashi", "--levels", str(levels), "--controls", controls, "--title", title, "--advance", "stay")
    window.await_event("level")
    with hand(window.display) as do:
        left, top = origin(do, title)
        boxes = {tuple(one["cell"]): one["box"] for one in window.records("window")[-1]["cells"]}

        def centre(cell: Cell) -> tuple[int, int]:
            x, y, w, h = boxes[cell]
            return left + x + w // 2, top + y + h // 2

        def click(*path: tuple[int, int]) -> None:
            count = len(window.records("press"))
            do("move", *path[0])
            do("down")
            window.await_event("press", count + 1)
            for at in path[1:]:
                do("move", *at)
            do("up")
            window.await_event("release", count + 1)

        for a, b in links(window, text):
            (x, y), (u, v) = centre(a), centre(b)
            pitch = boxes[a][2]
            if controls == "drag":
                click((x, y), (u, v))
            elif controls == "pair":
                click((x, y))
                click((u, v))
            else:
                away = round(pitch * 0.46)
                click((x + away * (u > x), y + away * (v > y)))
        assert window.await_event("won")["index"] == 1
    assert {r["on"] for r in window.records("press")} == {"cell"}
    assert window.records("illegal") == window.records("missed") == []
