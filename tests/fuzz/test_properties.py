"""Bad inputs made by hypothesis from what each fuzz target starts with. The examples are the same in every run; the
search for new ones is the fuzzer's task."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoplayer import layout
from autoplayer.cli import output, truths
from fuzz import judge
from fuzz.targets import TARGETS, small
from tests.fuzz.test_cases import attempt

FEW = settings(max_examples=40, derandomize=True, deadline=None, database=None)
QUICK = ("puzzles", "solutions", "layouts", "parcels", "recordings", "truths", "pictures", "answers")
SLOW = {"answers": 10}
"""How many examples a target has of which each takes long: it reads a picture."""


@st.composite
def changed(draw: st.DrawFn, seeds: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """One of a target's beginnings, with pieces cut out, put in (``words`` among them), and doubled."""
    data = draw(st.sampled_from(seeds))
    pieces = st.one_of(st.binary(max_size=6), st.sampled_from(words))
    for _ in range(draw(st.integers(1, 4))):
        at, gone = draw(st.integers(0, len(data))), draw(st.integers(0, 12))
        data = data[:at] + draw(pieces) * draw(st.sampled_from((1, 1, 1, 40))) + data[at + gone :]
    return data


@pytest.mark.parametrize("name", QUICK)
def test_whatever_is_handed_in_is_answered(name: str) -> None:
    @settings(FEW, max_examples=SLOW.get(name, FEW.max_examples), suppress_health_check=[HealthCheck.too_slow])
    @given(changed(TARGETS[name].seeds(), TARGETS[name].words))
    def answered(data: bytes) -> None:
        with tempfile.TemporaryDirectory() as place:
            attempt(name, data, Path(place))

    answered()


@FEW
@given(st.binary(max_size=400), st.sampled_from(small.files()))
def test_a_torn_picture_is_answered(garbage: bytes, picture: bytes) -> None:
    for data in (picture[: len(garbage)], picture[: len(picture) // 2] + garbage, picture + garbage):
        with tempfile.TemporaryDirectory() as place:
            attempt("pictures", b"\x00" + data, Path(place))


@FEW
@given(st.text(st.sampled_from("a.*+?(|)[]{}\\d1,^$"), max_size=40), st.integers(1, 200))
def test_no_pattern_that_is_let_pass_searches_for_long(pattern: str, length: int) -> None:
    try:
        layout.a_pattern(pattern)
    except ValueError:
        return
    with judge.limited(10):
        for title in ("a" * length, "a" * length + "b", "1" * length, "a1" * (length // 2)):
            layout.title_fits(pattern, title)


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|a)*b", "a*a*a*b", "(.)\\1", "(a|aa)" * 9, "a?" * 40, "a{99999999999}", "(" * 300, "x" * 400],
)
def test_a_pattern_that_could_search_for_years_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="expected a regular expression"):
        layout.a_pattern(pattern)


@pytest.mark.parametrize("pattern", ["^Bridges$", "Hashi.*Level", "(?i)hashi|bridges", layout.pattern_of("5 of 10: 3")])
def test_a_pattern_that_people_write_is_let_pass(pattern: str) -> None:
    assert layout.a_pattern(pattern) == pattern


@FEW
@given(st.text(max_size=30), st.text(max_size=30))
def test_a_layout_is_the_same_after_it_was_written(game: str, name: str) -> None:
    known = layout.Layout(game=game, name=name)
    text = layout.dumps(known)
    assert layout.parse_table(text.encode(), "here", layout.Layout, "layout", layout.LAYOUT_VERSION) == known
    assert all(character.isprintable() or character == "\n" for character in text)


@FEW
@given(st.text())
def test_no_control_character_goes_to_the_terminal(text: str) -> None:
    assert all(character.isprintable() or character == "\n" for character in output.plain(text))


@FEW
@given(st.text(" \n.X123", max_size=60), st.text(" \n.X123", max_size=60))
def test_boards_are_compared_whatever_they_are(one: str, other: str) -> None:
    assert truths.compare(one, one, {}) == ()
    assert (truths.compare(one, other, {}) == ()) == (truths.compare(other, one, {}) == ())
