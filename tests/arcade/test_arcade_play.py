"""The rules of play of the bundled Cardinal Chains: what a press, a drag and a key do."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from autoplayer.arcade.cardinal_chains.play import Chains
from autoplayer.arcade.null.play import Lamps
from autoplayer.arcade.play import Happening
from autoplayer.arcade.pointer import Dropper
from autoplayer.games.cardinal_chains.puzzle import START, check, parse
from autoplayer.games.null.puzzle import parse as parse_lamps

Cell = tuple[int, int]


def board(text: str, every: int = 0) -> Chains:
    return Chains(parse(text), Dropper(every))


def drag(play: Chains, *cells: Cell) -> list[Happening]:
    """Press the first cell, pass through the others, release."""
    happenings = play.press(cells[0])
    for cell in cells[1:]:
        happenings += play.move(cell)
    return happenings + play.release()


def names(happenings: list[Happening]) -> list[str]:
    return [happening.event for happening in happenings]


def test_a_drag_from_the_start_covers_the_cells_it_passes_and_wins() -> None:
    play = board("X 1 1\n2 2 1")
    happenings = drag(play, (0, 0), (0, 1), (0, 2), (1, 2), (1, 1))
    assert names(happenings) == ["step"] * 4
    assert not play.won
    assert names(drag(play, (1, 1), (1, 0))) == ["step"]
    assert play.won
    assert check(play.puzzle, tuple(map(tuple, play.chains))) == []


def test_a_press_on_a_free_cell_or_without_a_press_draws_nothing() -> None:
    play = board("X 1 1")
    assert drag(play, (0, 1), (0, 2)) == []
    assert play.move((0, 1)) == []
    assert play.chains == [[(0, 0)]]


def test_dragging_back_retracts_cell_by_cell_and_can_go_on() -> None:
    play = board("X 1 1\n1 1 1")
    happenings = drag(play, (0, 0), (0, 1), (0, 2), (0, 1), (1, 1), (0, 1), (0, 0), (1, 0))
    assert names(happenings) == ["step", "step", "retract", "step", "retract", "retract", "step"]
    assert happenings[2] == Happening("retract", (0, 1), 0)
    assert play.chains == [[(0, 0), (1, 0)]]


def test_pressing_inside_a_chain_cuts_it_there_and_goes_on_from_there() -> None:
    play = board("X 1 1\n2 2 1")
    drag(play, (0, 0), (0, 1), (0, 2), (1, 2))
    assert drag(play, (0, 1), (1, 1)) == [Happening("cut", (0, 1), 0, "press"), Happening("step", (1, 1), 0)]
    assert play.chains == [[(0, 0), (0, 1), (1, 1)]]


def test_pressing_a_start_clears_its_chain_and_only_its() -> None:
    play = board("X 1\nX 1")
    drag(play, (0, 0), (0, 1))
    drag(play, (1, 0), (1, 1))
    assert play.won
    assert play.press((0, 0)) == [Happening("cleared", (0, 0), 0, "press")]
    assert play.chains == [[(0, 0)], [(1, 0), (1, 1)]]
    assert play.press((0, 0)) == []  # nothing left to clear


def test_pressing_an_end_continues_the_chain() -> None:
    play = board("X 1 2 3")
    drag(play, (0, 0), (0, 1))
    assert names(drag(play, (0, 1), (0, 2), (0, 3))) == ["step", "step"]
    assert play.won


def test_every_kind_of_illegal_cell_is_ignored_and_reported() -> None:
    play = board("X 2 1\nX . 3\n1 1 1")
    for cell, why in (((1, 0), "start"), ((2, 2), "not adjacent"), ((5, 5), "outside")):
        assert drag(play, (0, 0), cell) == [Happening("illegal", cell, 0)], why
    assert names(drag(play, (0, 0), (0, 1), (0, 2))) == ["step", "illegal"]  # descending
    assert names(drag(play, (0, 1), (1, 1))) == ["illegal"]  # a hole
    assert play.chains == [[(0, 0), (0, 1)], [(1, 0)]]


def test_a_chain_does_not_enter_itself() -> None:
    play = board("X 1 1\n. 1 1")
    assert names(drag(play, (0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (0, 1))) == ["step"] * 4 + ["illegal"]
    assert play.won


def test_dragging_over_another_chain_steals_its_cells() -> None:
    play = board("X 1 1 1\nX 2 2 2")
    drag(play, (0, 0), (0, 1), (0, 2), (0, 3))
    happenings = drag(play, (1, 0), (0, 0), (1, 1), (0, 1))
    # The other start is illegal; (1, 1) is a step; (0, 1) descends.
    assert names(happenings) == ["illegal", "step", "illegal"]
    play = board("X 1 1 1\nX 1 2 2")
    drag(play, (0, 0), (0, 1), (0, 2), (0, 3))
    happenings = drag(play, (1, 0), (1, 1), (0, 1), (0, 2))
    assert happenings == [
        Happening("step", (1, 1), 1),
        Happening("cut", (0, 0), 0, "steal"),
        Happening("step", (0, 1), 1),
        Happening("step", (0, 2), 1),
    ]
    assert play.chains == [[(0, 0)], [(1, 0), (1, 1), (0, 1), (0, 2)]]


def test_every_third_step_of_a_drag_is_dropped_but_none_of_the_keys() -> None:
    play = board("X 1 1 1 1 1", every=3)
    happenings = drag(play, (0, 0), (0, 1), (0, 2), (0, 3), (0, 4))
    assert names(happenings) == ["step", "step", "dropped", "illegal"]
    assert names(drag(play, (0, 2), (0, 3), (0, 4), (0, 5))) == ["step", "step", "dropped"]
    play = board("X 1 1 1 1 1", every=1)
    assert names(play.key("right") + play.key("right")) == ["step", "step"]


def test_keys_extend_retract_select_and_are_refused_where_illegal() -> None:
    play = board("X 1 X\n1 1 1")
    assert play.key("right") == [Happening("step", (0, 1), 0)]
    assert play.key("right") == [Happening("illegal", (0, 2), 0)]
    assert play.key("left") == [Happening("retract", (0, 0), 0)]
    assert play.key("up") == [Happening("illegal", (-1, 0), 0)]
    assert play.key("tab") == [Happening("selected", (0, 2), 1)]
    assert play.key("down") == [Happening("step", (1, 2), 1)]
    assert play.key("tab") == [Happening("selected", (0, 0), 0)]
    assert play.key("space") == []


def test_reset_leaves_only_the_starts_and_forgets_what_was_touched() -> None:
    play = board("X 1\nX 1")
    drag(play, (0, 0), (0, 1))
    play.key("tab")
    play.reset()
    assert play.chains == [[(0, 0)], [(1, 0)]]
    assert (play.touched, play.active, play.held) == (set(), 0, None)


def test_a_turned_board_keeps_its_chains_and_turns_back() -> None:
    play = board("X 1 2\n. 1 X")
    drag(play, (0, 0), (0, 1), (1, 1))
    before = (play.text(), [list(chain) for chain in play.chains])
    play.turn(clockwise=True)
    assert play.text() == ". X\n1 1\nX 2"
    assert play.chains == [[(0, 1), (1, 1), (1, 0)], [(2, 0)]]
    play.turn(clockwise=False)
    assert (play.text(), play.chains) == before


cells = st.tuples(st.integers(-1, 3), st.integers(-1, 4))


@given(st.lists(st.tuples(st.sampled_from(["press", "move", "release", "turn"]), cells), max_size=60))
def test_whatever_the_hand_does_the_chains_stay_legal_and_disjoint(actions: list[tuple[str, Cell]]) -> None:
    play = board("X 1 2 2\n1 . 1 X\n2 3 X 1")
    turned = False
    for kind, cell in actions:
        if kind == "turn":
            turned = not turned
            play.turn(clockwise=turned)
        elif kind == "press" and play.holds(cell):
            play.press(cell)
        elif kind == "move":
            play.move(cell)
        else:
            play.release()
        covered = [cell for chain in play.chains for cell in chain]
        assert len(covered) == len(set(covered))
        assert {chain[0] for chain in play.chains} == set(play.puzzle.starts)
        for chain in play.chains:
            values = [play.puzzle.cells[cell] for cell in chain]
            assert values == sorted(values)
            assert values.count(START) == 1
            assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in pairwise(chain))


def test_lamps_go_out_and_on_and_all_out_is_won() -> None:
    play = Lamps(parse_lamps("1 0 1"))
    assert play.press((0, 0)) == [Happening("out", (0, 0))]
    assert play.press((0, 1)) == [Happening("lit", (0, 1))]
    play.press((0, 1))
    assert not play.won
    assert [one.event for one in play.key("left") + play.key("space")] == ["selected", "out"]
    assert play.won
    play.reset()
    assert play.text() == "1 0 1"
    assert not play.won
