"""Small puzzles of every game in every form: what inputs begin with."""

from __future__ import annotations

GRAPH = (
    '{"squares": {"1": "aBcd", "2": "bAdC"}, "openings": {"a": 1, "b": 1, "c": 0, "d": 1},\n'
    ' "links": {"1": [["a1", "B1"], ["B1", "here", 3]], "2": [["b1", "A1"]]},\n'
    ' "start": {"square": "1", "at": "a1"}, "finish": {"square": "2", "at": "A1"},\n'
    ' "keys": {"K": {"square": "1", "at": "here"}}, "cost": {"slide": 2}, "vertical": "both", "board": ["1 2", "_"]}'
)
BOARD = GRAPH.replace('["1 2", "_"]', '["1 2 _"]')
ROOMS = (
    "physics walk=5 jump=1.6\n+------+------+\n|......|______|\n|.S..K.|______|\n|######|______|\n+------+------+\n"
    "|......|......|\n|......|..D...|\n|######|######|\n+------+------+"
)

PUZZLES: tuple[tuple[str, str | None, tuple[str, ...]], ...] = (
    ("null", None, ("1 0 1",)),
    ("cardinal-chains", None, ("X 1 1\n2 2 1", "0 1 -1\n. 12 x", "# a name\nX 3 4 4\n2 3 2 3\n2 3 X 3\n2 3 4 3")),
    ("hashi", None, ("2.2\n...\n1.1", "4\n3\n14.3\n....\n.4.4", "1010\n0000")),
    ("hashi", "codingame", ("3\n3\n2.2\n...\n1.1\n", "4\n1\n1..1\n")),
    ("cross-set", None, ("21 1\n1 12", "1,2 2\n2,1 1,2", "123 231 3\n12 13 23\n321 2 1")),
    ("continuity", None, (GRAPH, BOARD, ROOMS)),
)
"""A game, the name of one of its other forms, and texts in that form."""
