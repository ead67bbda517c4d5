"""Every registered game has a golden transcript and reproduces it line by line."""

from __future__ import annotations

import pytest

from autoplayer import games
from tests.golden.transcript import FOLDER, puzzles, transcript


@pytest.mark.parametrize("name", games.names())
def test_transcript_is_given_again(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    assert path.is_file(), f"{name} has no golden transcript; write its puzzles into {path} and run `make golden`"
    golden = path.read_text("utf-8")
    assert list(puzzles(golden)), f"{path} has no puzzle"
    given, expected = transcript(name, golden).splitlines(), golden.splitlines()
    for number, (got, wanted) in enumerate(zip(given, expected, strict=False), 1):
        assert got == wanted, f"{path}, row {number}"
    assert len(given) == len(expected)


def test_no_transcript_without_a_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(games.names())
