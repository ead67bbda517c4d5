"""Splits a puzzle's text into its cells, whatever the game: words where its rows have spaces, else characters."""

from __future__ import annotations

from collections.abc import Mapping

from autoplayer.core.frame import Cell


def tokens(text: str) -> dict[Cell, str]:
    """The tokens of a puzzle's text by cell.

    >>> tokens("2.1")
    {(0, 0): '2', (0, 1): '.', (0, 2): '1'}
    """
    spaced = _spaced(text)
    return {
        (r, c): token
        for r, row in enumerate(text.splitlines())
        for c, token in enumerate(row.split() if spaced else row.strip())
    }


def replaced(text: str, changes: Mapping[Cell, str]) -> str:
    """``text`` with other tokens in some cells.

    >>> replaced("X 1 2", {(0, 1): "3"})
    'X 3 2'
    """
    cells = {**tokens(text), **changes}
    between = " " if _spaced(text) else ""
    rows = range(max((r for r, _ in cells), default=-1) + 1)
    return "\n".join(between.join(token for (at, _), token in sorted(cells.items()) if at == r) for r in rows)


def _spaced(text: str) -> bool:
    return any(" " in row.strip() for row in text.splitlines())
