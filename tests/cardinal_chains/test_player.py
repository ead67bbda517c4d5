"""Where chains stand in later pictures, and what is planned from there; against windows of several looks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoplayer.core.frame import Box, Cell, Image
from autoplayer.core.gestures import Click, Drag, Gesture, Keys, Pace
from autoplayer.games.base import Move, Progress, Reading
from autoplayer.games.cardinal_chains import GAME
from autoplayer.games.cardinal_chains.player import FEW, plan, progress
from autoplayer.games.cardinal_chains.playing.drawn import UNKNOWN, Drawn
from autoplayer.games.cardinal_chains.puzzle import Puzzle, Solution, parse
from autoplayer.layout import Layout
from tests.cardinal_chains.text_screen import text_screen
from tests.simulated import Look, Simulated

LEVEL = "X 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3"
THREE = "1 X 2 .\n1 1 X 2\n2 3 3 2\nX 1 4 4"
DRAG = Layout(game="cardinal-chains", controls="drag")
UNKNOWN_CONTROLS = Layout(game="cardinal-chains")
KEYS = Layout(game="cardinal-chains", controls="keys")
LOOKS = {
    "light": Look(),
    "dark": Look(ground=(38, 30, 26), ink=(230, 230, 230)),
    "starts without colour until touched": Look(coloured_starts=False),
    "thick lines": Look(lines=True),
    "thick lines from starts without colour": Look(lines=True, coloured_starts=False),
    "translucent": Look(translucent=0.4),
    "small": Look(pitch=22, origin=(10, 10), size=(120, 120)),
    "large": Look(pitch=118, origin=(4, 4), size=(480, 480)),
    "all chains alike": Look(chains=((92, 106, 226),) * 4),
}


def solved(level: str) -> tuple[Simulated, Puzzle, Solution]:
    window = Simulated([level], advance="stay")
    solution = GAME.solve(window.puzzle, time_limit=5, most=1).solution
    assert solution is not None
    return window, window.puzzle, solution


def seen(window: Simulated, reading: Reading[Puzzle], solution: Solution) -> Progress:
    return progress(reading, window.puzzle, solution, window.image())


def draw(window: Simulated, number: int, chain: tuple[Cell, ...]) -> None:
    window.chains[number] = list(chain)
    if len(chain) > 1:
        window.touched.add(number)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS.keys())
def test_every_stage_of_a_level_is_seen_in_every_look(look: Look) -> None:
    window, puzzle, solution = solved(LEVEL)
    window.look = look
    reading = window.reading()
    total = len(puzzle.cells) - len(puzzle.starts)
    assert seen(window, reading, solution) == Progress(True, 0, total, 0, Drawn({}))
    done = 0
    for number, chain in enumerate(solution):
        for length in range(2, len(chain) + 1):
            draw(window, number, chain[:length])
            done += 1
            now = seen(window, reading, solution)
            assert now.present
            assert (now.done, now.wrong) == (done, 0), (number, length)
    assert now.complete
    if len(set(look.chains)) > 1:
        assert now.state.owner == {cell: n for n, chain in enumerate(solution) for cell in chain[1:]}


def test_cells_of_the_wrong_chain_are_wrong() -> None:
    window, _, solution = solved(LEVEL)
    reading = window.reading()
    draw(window, 1, (solution[1][0], (2, 3)))
    assert solution[1][1] != (2, 3)
    now = seen(window, reading, solution)
    assert (now.done, now.wrong) == (0, 1)
    assert now.state.owner == {(2, 3): 1}


def test_a_picture_of_another_size_is_not_this_board() -> None:
    window, puzzle, solution = solved(LEVEL)
    reading = window.reading()
    window.look = Look(pitch=50)
    smaller = window.image()[:400]
    assert not progress(reading, puzzle, solution, smaller).present


@pytest.mark.parametrize("other", [Look(ground=(38, 30, 26), ink=(230, 230, 230)), Look(ground=(200, 255, 255))])
def test_another_theme_is_not_this_board(other: Look) -> None:
    window, _, solution = solved(LEVEL)
    reading = window.reading()
    window.look = other
    assert not seen(window, reading, solution).present


def test_other_digits_in_the_same_places_are_not_this_board() -> None:
    window, puzzle, solution = solved(LEVEL)
    reading = window.reading()
    other = Simulated(["X 4 3 3\n3 2 3 2\n3 2 X 2\n3 2 1 2"], advance="stay")
    assert not progress(reading, puzzle, solution, other.image()).present


def test_a_flash_over_all_is_not_this_board() -> None:
    window, puzzle, solution = solved(LEVEL)
    reading = window.reading()
    assert not progress(reading, puzzle, solution, np.full_like(reading.image, 255)).present


def test_a_picture_with_noise_and_a_slow_breath_is_this_board_undrawn() -> None:
    window, puzzle, solution = solved(LEVEL)
    reading = window.reading()
    rng = np.random.default_rng(1)
    image = np.clip(reading.image + rng.normal(0, 4, reading.image.shape) - 5, 0, 255).astype(np.uint8)
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 70])
    assert done
    now = progress(reading, puzzle, solution, cv2.imdecode(data, cv2.IMREAD_COLOR))
    assert now.present
    assert (now.done, now.wrong) == (0, 0)


def test_a_board_that_was_half_drawn_when_it_was_read_is_compared_with_empty_cells() -> None:
    window, _, solution = solved(LEVEL)
    draw(window, 0, solution[0][:4])
    reading = window.reading()
    assert reading.extra["drawn"]
    now = seen(window, reading, solution)
    assert (now.done, now.wrong) == (3, 0)
    draw(window, 0, solution[0][:1])
    assert seen(window, reading, solution).done == 0
    draw(window, 0, solution[0])
    draw(window, 1, solution[1])
    assert seen(window, reading, solution).complete


# --- plans


def planned(window: Simulated, solution: Solution, layout: Layout = DRAG, attempt: int = 0, **owner: Any) -> list:
    reading = window.reading()
    state = Drawn({cell: n for n, chain in enumerate(window.chains) for cell in chain[1:]} | owner.get("more", {}))
    now = Progress(True, 0, 0, 0, state)
    return plan(reading, window.puzzle, solution, now, layout, attempt)


def test_a_trial_by_clicks_is_a_short_one() -> None:
    """Incident: in a window that hears keys only, two trials by clicks on all cells of a chain took half a minute."""
    window, _, solution = solved(LEVEL)
    assert max(len(chain) for chain in solution) > FEW
    trials = [planned(window, solution, UNKNOWN_CONTROLS, attempt)[0].gestures for attempt in range(12)]
    clicks = [len(trial) for trial in trials if any(isinstance(gesture, Click) for gesture in trial)]
    assert clicks
    assert max(clicks) <= FEW
    by_clicks = planned(window, solution, UNKNOWN_CONTROLS.model_copy(update={"controls": "click"}))
    assert len(by_clicks[0].gestures) == len(solution[0])


def path(window: Simulated, gesture: Gesture) -> tuple[Cell, ...]:
    assert isinstance(gesture, Drag)
    return tuple(cell for point in gesture.path if (cell := window._at(point)) is not None)


def test_from_the_beginning_each_chain_is_one_drag_from_its_start() -> None:
    window, _, solution = solved(LEVEL)
    moves = planned(window, solution)
    assert [path(window, gesture) for move in moves for gesture in move.gestures] == list(solution)
    assert [move.cells for move in moves] == [chain[1:] for chain in solution]


def test_a_begun_chain_is_continued_from_its_end() -> None:
    window, _, solution = solved(LEVEL)
    draw(window, 0, solution[0][:3])
    first = planned(window, solution)[0]
    assert path(window, first.gestures[0]) == solution[0][2:]


def test_a_wrong_tail_is_cut_where_it_begins() -> None:
    window, _, solution = solved(LEVEL)
    good = solution[0][:2]
    wrong = next(n for n in ((good[-1][0], good[-1][1] + 1), (good[-1][0] + 1, good[-1][1])) if n != solution[0][2])
    draw(window, 0, (*good, wrong))
    first = next(move for move in planned(window, solution) if move.name == "draw chain 1")
    assert path(window, first.gestures[0])[0] == good[-1]


def test_of_chains_that_lie_in_each_others_way_one_is_cut_first() -> None:
    window, puzzle = Simulated(["X 1\n1 X"], advance="stay"), parse("X 1\n1 X")
    right: Solution = (((0, 0), (0, 1)), ((1, 1), (1, 0)))
    reading = window.reading()
    draw(window, 0, ((0, 0), (1, 0)))
    draw(window, 1, ((1, 1), (0, 1)))
    moves = plan(reading, puzzle, right, progress(reading, puzzle, right, window.image()), DRAG)
    assert [move.name for move in moves] == ["cut chain 2", "draw chain 1", "draw chain 2"]
    for move in moves:
        window.perform(move.gestures, Pace())
    assert seen(window, reading, right).complete


@pytest.mark.parametrize(
    ("attempt", "button", "pressed"),
    [
        pytest.param(0, "left", [(0, 1)], id="a press on its last right cell"),
        pytest.param(1, "left", [(0, 0)], id="a press on its start"),
        pytest.param(2, "left", [(1, 2), (0, 2), (0, 1), (0, 0)], id="pulled back from its end"),
        pytest.param(3, "right", [(1, 2), (0, 2)], id="the right button from its end on"),
    ],
)
def test_a_chain_of_which_only_too_much_stands_is_cut(attempt: int, button: str, pressed: list[Cell]) -> None:
    window, puzzle = Simulated(["X 1 1\nX 1 1"], advance="stay"), parse("X 1 1\nX 1 1")
    right: Solution = (((0, 0), (0, 1)), ((1, 0), (1, 1), (1, 2), (0, 2)))
    now = Progress(True, 1, 4, 2, Drawn({(0, 1): 0, (0, 2): 0, (1, 2): 0}))
    for controls in (DRAG, DRAG.model_copy(update={"controls": "click"})):
        gestures = plan(window.reading(), puzzle, right, now, controls, attempt)[0].gestures
        points = [point for one in gestures for point in (one.path if isinstance(one, Drag) else (one.at,))]
        assert [window._at(point) for point in points] == pressed
        assert {one.button for one in gestures} == {button}


def test_nothing_is_left_to_do_when_all_is_drawn() -> None:
    window, _, solution = solved(LEVEL)
    for number, chain in enumerate(solution):
        draw(window, number, chain)
    assert planned(window, solution) == []
    assert planned(window, solution, KEYS) == []


def test_each_attempt_goes_another_way() -> None:
    window, _, solution = solved(LEVEL)
    draw(window, 0, solution[0][:4])
    ways = [planned(window, solution, attempt=attempt)[0].gestures for attempt in range(4)]
    assert len(set(ways)) == 4


def test_a_chain_of_unknown_owner_is_drawn_over() -> None:
    window, _, solution = solved(LEVEL)
    moves = planned(window, solution, more={solution[0][1]: UNKNOWN})
    assert path(window, moves[0].gestures[0]) == solution[0]


def walk(window: Simulated, seed: int) -> None:
    """Draw at random what the rules of the window allow."""
    rng = np.random.default_rng(seed)
    for _ in range(rng.integers(0, 12)):
        number = int(rng.integers(0, len(window.chains)))
        r, c = window.chains[number][-1]
        near = [n for n in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)) if n in window.puzzle.cells]
        window._step(number, near[int(rng.integers(0, len(near)))], Pace())


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_from_any_position_the_plan_leads_to_the_solution_and_steals_only_from_wrong_chains(seed: int) -> None:
    window, _, solution = solved(LEVEL)
    walk(window, seed)
    window.won_at = None
    for _ in range(8):
        moves = planned(window, solution)
        if not moves:
            break
        right = [n for n, chain in enumerate(solution) if tuple(window.chains[n]) == chain]
        window.perform(moves[0].gestures, Pace())
        assert all(tuple(window.chains[n]) == solution[n] for n in right), "a finished chain was broken"
    assert [tuple(chain) for chain in window.chains] == list(solution)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), active=st.integers(0, 1))
def test_by_keys_the_plan_leads_there_too(seed: int, active: int) -> None:
    window, _, solution = solved(LEVEL)
    window.keys, window.active = True, active
    walk(window, seed)
    window.won_at = None
    reading = Simulated([LEVEL], advance="stay").reading()
    attempt, now = 0, seen(window, reading, solution)
    for _ in range(40):
        moves = plan(reading, window.puzzle, solution, now, KEYS, attempt)
        if not moves:
            break
        assert all(isinstance(gesture, Keys) for gesture in moves[0].gestures)
        before = now
        window.perform(moves[0].gestures, Pace())
        window.won_at = None
        now = seen(window, reading, solution)
        attempt = 0 if now.done > before.done or now.wrong < before.wrong else attempt + 1
    assert now.complete


def test_by_keys_a_move_is_the_last_one_only_where_nothing_is_left_after_it() -> None:
    """Incident: each plan by keys had one move, which was taken for the level's last; when one of them reset the board,
    the empty board was taken for the next level, and the level for won."""
    window, puzzle, solution = solved(LEVEL)
    window.keys = True
    reading = Simulated([LEVEL], advance="stay").reading()

    def moves() -> list[Move]:
        return plan(reading, puzzle, solution, seen(window, reading, solution), KEYS)

    assert len(moves()) > 1
    for number, chain in enumerate(solution):
        draw(window, number, chain[:2])
    assert moves()[0].name == "reset the board"
    assert len(moves()) > 1
    for number, chain in enumerate(solution):
        draw(window, number, chain if number else chain[:2])
    assert len(moves()) == 1
    assert moves()[0].cells == solution[0][2:]


def test_clearing_presses_the_start() -> None:
    window, _, solution = solved(LEVEL)
    draw(window, 0, solution[0][:4])
    third = planned(window, solution, attempt=2)[0]
    assert third.gestures[0] == Click(window.places[solution[0][0]].centre)


def test_a_mark_around_the_active_end_hides_no_chain() -> None:
    """Incident: by keys, the frame around the active end was taken for the cell's colour."""
    window, puzzle, solution = solved(LEVEL)
    reading = window.reading()
    for number, chain in enumerate(solution):
        for length in range(2, len(chain) + 1):
            draw(window, number, chain[:length])
            image = window.image()
            box = window.places[chain[length - 1]]
            inset = box.width // 8
            low, high = (box.x + 2, box.y + 2), (box.x + box.width - 3, box.y + box.height - 3)
            cv2.rectangle(image, low, high, (30, 90, 220), inset)
            now = progress(reading, puzzle, solution, image)
            assert now.wrong == 0
            assert now.done == sum(len(chain) - 1 for chain in window.chains)
            assert not now.state.foreign


def test_a_start_as_plain_as_all_cells_leaves_nothing_drawn() -> None:
    """Incident: in a window that draws lines over white cells, and whose only start is a disc on white, every cell was
    taken for a leftover of that start; nothing drawn was seen ever after, and a won level was cleared again."""
    window, puzzle, solution = solved("X 1 2\n4 3 2\n4 5 5")
    window.look = Look(lines=True)
    claimed = {cell: 0 for cell in puzzle.cells if cell not in puzzle.starts}
    reading = replace(window.reading(), extra={"drawn": claimed})
    assert seen(window, reading, solution).done == 0
    draw(window, 0, solution[0][:4])
    assert (seen(window, reading, solution).done, seen(window, reading, solution).wrong) == (3, 0)
    draw(window, 0, solution[0])
    assert seen(window, reading, solution).complete


def test_a_start_that_looks_another_way_until_its_turn_comes_has_its_chains_colour_then() -> None:
    """Incident: the starts that were not the active ones were black, with a coloured X; their chains had that colour,
    which was not looked for, and nothing that they drew was seen."""
    puzzle = parse("X 1 2\nX 2 3")
    solution = ((0, 0), (0, 1), (0, 2)), ((1, 0), (1, 1), (1, 2))
    blue, red, black = (255, 0, 0), (0, 0, 220), (0, 0, 0)

    def window(lengths: tuple[int, int], active: int) -> np.ndarray:
        image = np.full((160, 220, 3), 225, np.uint8)
        for n, (chain, colour) in enumerate(zip(solution, (blue, red), strict=True)):
            for k, (r, c) in enumerate(chain):
                lit = lengths[n] > k and (lengths[n] > 1 or n == active)
                ground = colour if lit else black if k == 0 else (225, 225, 225)
                ink = black if lit or k else colour
                x, y, token = 50 + 40 * c, 40 + 40 * r, puzzle.cells[r, c]
                cv2.rectangle(image, (x, y), (x + 38, y + 38), ground, -1)
                cv2.rectangle(image, (x, y), (x + 38, y + 38), ink, 1)
                cv2.putText(image, str(token or "X"), (x + 10, y + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, ink, 2)
        return image

    reading = GAME.read(window((1, 1), 0), DRAG)
    assert reading.puzzle == puzzle
    for lengths in ((2, 1), (3, 1), (3, 2), (1, 2), (1, 3)):
        for active in (0, 1):
            now = progress(reading, puzzle, solution, window(lengths, active))
            assert (now.done, now.wrong) == (sum(lengths) - 2, 0), (lengths, active)


def test_a_glyph_as_broad_as_its_cell_does_not_hide_what_is_drawn() -> None:
    """Incident: a blocky 8 among 1s took up most of what is looked at beside a glyph, so that its colour was taken for
    that of its cell; a chain makes another colour of both."""
    puzzle = parse("X 1 1 8")
    solution = (((0, 0), (0, 1), (0, 2), (0, 3)),)
    places = {cell: Box(20 + 32 * cell[1], 20, 32, 32) for cell in puzzle.cells}

    def window(length: int) -> np.ndarray:
        image = np.full((72, 168, 3), 205, np.uint8)
        for k, (r, c) in enumerate(solution[0]):
            cell = image[20 + 32 * r : 52 + 32 * r, 20 + 32 * c : 52 + 32 * c]
            drawn, ink = k < length, (0, 0, 0) if k < length else (205, 0, 0)
            cell[:] = (255, 0, 0) if drawn else (205, 205, 205)
            cv2.rectangle(cell, (0, 0), (31, 31), ink, 2)
            if k == 0:
                cv2.line(cell, (5, 5), (26, 26), ink, 6)
                cv2.line(cell, (5, 26), (26, 5), ink, 6)
            elif k < 3:
                cell[4:28, 14:18] = ink
            else:
                for y in (4, 14, 24):
                    cell[y : y + 4, 8:24] = ink
                cell[4:28, 8:13] = cell[4:28, 19:24] = ink
        return image

    reading = Reading(puzzle, places, (), 1.0, window(1), {}, {"drawn": {}})
    for length in (1, 2, 3, 4):
        now = progress(reading, puzzle, solution, window(length))
        assert (now.done, now.wrong, now.state.foreign) == (length - 1, 0, ()), length


@pytest.mark.parametrize("step", [2, 3])
def test_on_a_text_screen_chains_colour_their_characters(step: int) -> None:
    """Of terminals: no cell has a ground of its own, the head of the active chain stands in a block, and what a thin
    coloured character is mixed with was taken for another digit."""
    rows = ["X 1 1 2", "X 2 2 3", "1 1 3 3"]
    puzzle = parse("\n".join(rows))
    solution = GAME.solve(puzzle, time_limit=5, most=1).solution
    assert solution is not None
    red, blue = (0, 0, 205), (238, 0, 0)

    def window(lengths: tuple[int, int], active: int) -> np.ndarray:
        drawn = list(zip(solution, lengths, (red, blue), strict=True))
        colours = {cell: colour for chain, length, colour in drawn for cell in chain[:length]}
        return text_screen(rows, colours, step=step, block=solution[active][lengths[active] - 1])

    reading = GAME.read(window((1, 1), 0), KEYS)
    assert reading.puzzle == puzzle
    whole = len(solution[0]), len(solution[1])
    for lengths in ((1, 1), (2, 1), (3, 2), (1, 2), (whole[0], 1), (1, whole[1]), whole):
        for active in (0, 1):
            now = progress(reading, puzzle, solution, window(lengths, active))
            assert (now.present, now.done, now.wrong) == (True, sum(lengths) - 2, 0), (lengths, active)
    other = text_screen(["X 3 2 1", "X 4 3 1", "2 3 1 2"], {}, step=step)
    assert not progress(reading, puzzle, solution, other).present


@pytest.mark.parametrize("faint", [0.45, 0.6, 0.8, 1.0])
def test_a_start_that_pulses_and_was_read_when_faint_still_has_its_chains_colour(faint: float) -> None:
    """Incident: the starts of a window faded in and out; read at their faintest, they explained no chain's colour, and
    all that was drawn was taken for another board."""
    window, _, solution = solved(LEVEL)
    full = window.look
    mixed = [
        tuple(round(c * faint + g * (1 - faint)) for c, g in zip(colour, full.ground, strict=True))
        for colour in full.chains
    ]
    window.look = Look(chains=tuple(mixed))
    reading = window.reading()
    window.look = full
    for number, chain in enumerate(solution):
        draw(window, number, chain)
        now = seen(window, reading, solution)
        assert now.present
        assert now.wrong == 0
        assert now.done == sum(len(c) - 1 for c in solution[: number + 1])
    assert now.complete


def test_lines_that_were_there_before_the_reading_are_followed_too() -> None:
    """Incident: a half-played board was read whose chains were thin enough for the digits to stay legible; the cell
    that held a line from the beginning was never seen drawn, and a won level was spoilt by repairs."""
    window, _, solution = solved(LEVEL)
    window.look = Look(lines=True)
    draw(window, 0, solution[0][:3])
    reading = replace(window.reading(), extra={})
    draw(window, 0, solution[0])
    now = seen(window, reading, solution)
    assert (now.present, now.done, now.wrong) == (True, len(solution[0]) - 1, 0)
    draw(window, 1, solution[1])
    assert seen(window, reading, solution).complete
    draw(window, 0, solution[0][:1])
    assert (seen(window, reading, solution).done, seen(window, reading, solution).wrong) == (len(solution[1]) - 1, 0)


def test_pale_lines_on_the_dark_are_not_taken_for_other_digits() -> None:
    """Incident: pale blue lines under white digits lay near the way from the cells to the digits, so that a level that
    was drawn was taken for another one and played again."""
    window, puzzle, solution = solved(LEVEL)
    window.look = Look((60, 64, 50), (250, 250, 250), ((71, 179, 255), (232, 199, 126)), lines=True)
    reading, bare = window.reading(), window.image()
    for number, chain in enumerate(solution):
        draw(window, number, chain)
    drawn = np.where((bare > 230).all(axis=2, keepdims=True), bare, 0.75 * window.image() + 0.25 * bare)
    now = progress(reading, puzzle, solution, np.rint(drawn).astype(np.uint8))
    assert now.present
    assert now.complete


def test_digits_and_walls_in_a_chains_colour_are_no_lines() -> None:
    window, _, solution = solved(LEVEL)
    window.look = Look(lines=True, ink=Look().chains[0])
    reading = window.reading()
    window.chains[0] = list(solution[0][:2])
    image = window.image()
    image[window.places[(0, 0)].y, window.places[(0, 0)].x] = 0  # another picture, not the reading's own
    now = progress(reading, window.puzzle, solution, image)
    assert now.wrong == 0
    assert now.done <= 1


def test_chains_that_are_all_drawn_in_one_colour_of_no_start_are_seen() -> None:
    """White lines lay on tiles whose colours were their numbers', and began in marks of other colours: they were no
    chain's, and the level was drawn again and again."""
    puzzle, pitch = parse(". X 1 .\n3 2 1 1\n3 2 1 1\n2 2 1 X\n2 3 1 1"), 64
    solution = GAME.solve(puzzle, time_limit=5, most=1).solution
    assert solution is not None
    places = {(r, c): Box(40 + c * pitch, 40 + r * pitch, pitch, pitch) for r, c in puzzle.cells}
    tiles = ((200, 231, 247), (160, 220, 240), (160, 240, 200), (200, 240, 160), (190, 170, 130))

    def picture(chains: Solution) -> Image:
        image = np.full((400, 340, 3), (43, 90, 138), np.uint8)
        for cell, place in places.items():
            box = Box(place.x + 2, place.y + 2, pitch - 4, pitch - 4)
            box.crop(image)[:] = tiles[puzzle.cells[cell]]
        for chain in chains:
            spots = [np.array([places[cell].centre for cell in chain], np.int32)]
            cv2.polylines(image, spots, False, (255, 255, 255), 26)
        for cell, place in places.items():
            x, y = place.centre
            if cell in puzzle.starts:
                cv2.circle(image, (x, y), 16, ((40, 40, 200), (170, 90, 20))[puzzle.starts.index(cell)], -1)
            else:
                cv2.putText(image, str(puzzle.cells[cell]), (x - 10, y + 10), 2, 1.0, (10, 40, 70), 2)
        return image

    reading = Reading(puzzle, places, (), 1.0, picture(()))
    for lengths in ((3, 1), (6, 2), (len(solution[0]), len(solution[1]))):
        image = picture(tuple(chain[:length] for chain, length in zip(solution, lengths, strict=True)))
        now = progress(reading, puzzle, solution, image)
        assert (now.present, now.done, now.wrong) == (True, sum(lengths) - 2, 0), lengths


def test_text_that_was_selected_is_neither_drawn_nor_another_board() -> None:
    """A drag in a page that is played by clicks selects the numbers: it passed for a level that was left."""
    window, puzzle, solution = solved(LEVEL)
    reading, image = window.reading(), window.image()
    for cell, place in reading.places.items():
        if cell not in puzzle.starts:
            w, h = place.width // 3, place.height // 5
            block = Box(place.x + w, place.y + h, place.width - 2 * w, place.height - 2 * h).crop(image)
            dark = (block < 128).all(axis=2)
            block[:] = (205, 100, 45)
            block[dark] = 255
    now = progress(reading, puzzle, solution, image)
    assert (now.present, now.done, now.wrong) == (True, 0, 0)


def test_what_changes_far_from_the_board_does_not_hide_it() -> None:
    """Incident: beside a game in a browser's tab an advertisement changed its colours. Half-way through a chain the
    board was taken for gone and read again, and cells whose numbers the chain had covered became holes."""
    _, _, solution = solved(LEVEL)
    window = Simulated([LEVEL], Look(size=(1600, 480)), advance="stay")
    reading = window.reading()
    draw(window, 0, solution[0][:3])
    image = window.image()
    image[:, 600:] = (0, 140, 255)
    now = progress(reading, window.puzzle, solution, image)
    assert (now.present, now.done, now.wrong) == (True, 2, 0)
    image[:] = np.where(image == np.array(window.look.ground, np.uint8), np.uint8(40), image)  # another theme
    assert not progress(reading, window.puzzle, solution, image).present


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_filled_cell_that_reaches_into_its_neighbours_place_does_not_fill_that(look: str) -> None:
    """Incident: numbers stood beside the middle of tiles without walls, so that every place was a sixth of a tile too
    high; an empty tile below a filled one was seen as drawn, and the level was spoilt by repairs."""
    window, _, solution = solved(LEVEL)
    window.look = LOOKS[look]
    reading = window.reading()
    up = round(0.17 * window.look.pitch)
    places = {cell: replace(box, y=box.y - up) for cell, box in reading.places.items()}
    reading = replace(reading, places=places)
    for length in range(1, len(solution[0]) + 1):
        draw(window, 0, solution[0][:length])
        now = seen(window, reading, solution)
        assert (now.done, now.wrong) == (length - 1, 0)


def test_cells_in_a_pale_tint_of_their_starts_colour_are_its_chains() -> None:
    """Incident: a page showed starts as dark blue and red discs and chains as pale blue and pink cells; the blue ones
    were no mixture of white and the start's blue, so that a board that was won was taken for another one."""
    starts, tints = ((163, 113, 36), (43, 57, 192)), ((241, 214, 174), (177, 183, 245))
    window, _, solution = solved(LEVEL)
    window.look = Look((240, 254, 255), (40, 40, 40), starts)
    reading, bare = window.reading(), window.image()
    for number, chain in enumerate(solution):
        draw(window, number, chain)
    image = window.image()
    for start, tint in zip(starts, tints, strict=True):
        image[(image == start).all(axis=2) & (bare != start).any(axis=2)] = tint
    now = progress(reading, window.puzzle, solution, image)
    assert (now.present, now.done, now.wrong) == (True, now.total, 0)
