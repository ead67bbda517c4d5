"""The habits of a window that is played by the mouse, learned from the effects of the planned gestures. They are kept
in the reading, from picture to picture."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autoplayer.core.frame import Cell, Image
from autoplayer.games.base import Progress
from autoplayer.games.hashi.playing import ways
from autoplayer.games.hashi.puzzle import Bridge
from autoplayer.games.hashi.seeing.between.lines import Line, as_solid, same_colour, same_kind
from autoplayer.games.hashi.seeing.between.standing import Standing

NOTED = "noted"
"""The key of these notes in a reading. ``last``: the island on which the last planned pair of clicks ended, how far the
board had come before, and how many links were planned; ``shows``: that such an island looked selected though no link
came, so the first click was lost, and a selection is seen; ``lost``: how many moves of pairs brought less than was
planned; ``stays``: whether such an island stays selected when all links have been added (if some were lost, the clicks
may be out of step). ``stays`` is None while it only seems so, according to ``held`` (the island, and the picture),
because a window may colour the last change; True if one more click deselected it, and False if that click had no such
effect. That click was one too many: ``let_go`` has the island, and the picture that shows it. ``dragged``: the bridges
for which drags were planned, the links that stood before, and the picture that showed them; ``no_drags``: that such
drags built other bridges instead. ``tried``: how many drags, clicks and keys the last planned move has, and the links
that stood before it; ``offered``: the lines that are not bridges. ``aimed``: how many links each bridge was to have at
most; ``asked``: how many links the last move was to add to each bridge, and those that stood before it; ``toggles``:
that a second gesture took a link away; ``came``: the lines of bridges that were to have one link, and got it;
``single``: that of one which a second gesture took away, or only another way doubled; ``pens``: the lines that are
known to mean so many links in spite of their looks. ``made``: the last move and how far the board had come before;
``works``: the kind of controls that added a link, and ``takes``: the kind and the way that removed one; ``adds``: the
kind and the way that added a second link, if it is the one for second links (see :func:`ways.doubling`); None for the
kind if that does not add them."""


def note_held(noted: MutableMapping[str, Any], done: int, odd: Sequence[Cell], picture: Image | None) -> None:
    """Remember whether the island on which a pair of clicks ended stayed selected although their links were added, and
    whether some of them were lost.
    ``done``, ``odd``, ``picture``: how far the board has come, which islands look pressed, and the picture that shows
    it."""
    last, before, planned = noted.pop("last", None) or (None, 0, 0)
    if last is not None and done < before + planned and not _same(noted["made"][-1], picture):
        noted["lost"] = noted.get("lost", 0) + 1
    if last is not None and tuple(odd) == (last,):
        if noted.get("stays"):
            del noted["stays"]  # it was to be let go of
        elif done <= before:
            noted["shows"] = True
        elif "stays" not in noted and done == before + planned:
            noted["stays"], noted["held"] = None, (last, picture)
    elif noted.get("stays", True) is None:
        cell, shown = noted["held"]
        if not _same(shown, picture):  # it was touched since
            noted["stays"] = cell not in odd
            if not noted["stays"]:
                noted["let_go"] = cell, picture


def note_dragged(noted: MutableMapping[str, Any], links: Mapping[Bridge, int], picture: Image | None) -> None:
    """Remember whether drags added none of the planned links, but changed another link of an island on which they
    began: in such a window a press alone has an effect, and an earlier drag hit the right link by chance. ``links``,
    ``picture``: the links that stand now, and the picture that shows them."""
    if "dragged" not in noted:
        return
    bridges, before, shown = noted["dragged"]
    if _same(shown, picture):
        return
    del noted["dragged"]
    began = {bridge.a for bridge in bridges}
    gained = any(links[bridge] > before[bridge] for bridge in bridges)
    others = [b for b, n in links.items() if n != before[b] and b not in bridges and began & {b.a, b.b}]
    if others and not gained:
        noted["no_drags"] = True


def note_made(noted: MutableMapping[str, Any], progress: Progress) -> None:
    """Remember the result of the last move: which kind of controls added a link, and which way removed one.
    ``progress``: how far the board has come since."""
    if "made" not in noted:
        return
    taken, kind, way, done, wrong, shown = noted["made"]
    picture = progress.state.picture
    if _same(shown, picture):
        return
    del noted["made"]
    if not taken:
        _note_doubled(noted, kind, way, progress.state.links)
    if not taken and progress.done > done:
        noted["works"] = kind
    elif taken and progress.wrong < wrong:
        noted["takes"] = kind, way
    elif taken and noted.get("takes") == (kind, way):
        del noted["takes"]


def _note_doubled(noted: MutableMapping[str, Any], kind: ways.Kind, way: int, links: Mapping[Bridge, int]) -> None:
    """Remember which way adds second links: the one by which the last move has added one, and not that of its own for
    them (see :func:`ways.doubling`) if that has taken away what stood. ``links``: those that stand now."""
    asked, before = noted["asked"]
    wanted = {Bridge(*sorted(ends)): n for ends, n in asked.items()}
    double = [bridge for bridge, n in wanted.items() if n + before[bridge] > 1]
    own, came = way == ways.doubling(kind), any(links[bridge] > 1 for bridge in double)
    if came and own:
        noted["adds"] = kind, way
        for line in noted.get("came", {}).values() if kind != "drag" else ():
            noted.setdefault("single", line)  # what came by clicks only follows no drag
    elif came or (own and double and not any(links[bridge] for bridge in double)):
        noted["adds"] = None, way


def note_offered(noted: MutableMapping[str, Any], links: Mapping[Bridge, int], lines: Mapping[Bridge, Line]) -> bool:
    """Remember the lines that a window draws to show where bridges may be built from a pressed island; returns whether
    there are new ones. A press builds at most one bridge: if more lines than presses appeared, all from one island and
    drawn alike, none of them was built. ``links``, ``lines``: the links that stand now, and the look of their lines."""
    presses, before = noted.get("tried", (0, links))
    come = [bridge for bridge, n in links.items() if n > before[bridge]]
    from_one = come and {come[0].a, come[0].b}.intersection(*({bridge.a, bridge.b} for bridge in come))
    alike = [bridge for bridge in come if same_kind(lines[bridge], lines[come[0]])]
    if not presses or len(come) <= presses or not from_one or len(alike) < len(come):
        return False
    noted.setdefault("offered", []).append(lines[come[0]])
    return True


def note_single(noted: MutableMapping[str, Any], seen: Standing) -> None:
    """Remember how a single bridge is drawn, where the window takes it away when a second link is to be added: double
    bridges are built in another way there, may be thicker lines, and may stand alone. A line that only follows a drag
    does not count: its bridge is there afterwards. ``seen``: the state of play now."""
    asked, before = noted.get("asked", ({}, {}))
    came: dict[Bridge, Line] = noted.setdefault("came", {})
    for bridge, n in ((Bridge(*sorted(ends)), n) for ends, n in asked.items()):
        if n == 1 and not before[bridge] and seen.links[bridge] == 1 and seen.lines[bridge].count == 1:
            came[bridge] = seen.lines[bridge]
        elif before.get(bridge) == n == 1 and not seen.links[bridge] and bridge not in seen.unsure:
            noted["toggles"] = True
            if bridge in came:
                noted.setdefault("single", came[bridge])


def inherit(noted: MutableMapping[str, Any], before: Mapping[str, Any], growth: float) -> None:
    """Keep what holds for every level of a window from the notes of the level ``before``: which ways add and remove
    links, and how bridges are drawn. ``growth``: how many times as large its islands are now."""
    noted.update({what: before[what] for what in ("adds", "takes", "toggles") if what in before})
    if "single" in before:
        noted["single"] = _grown(before["single"], growth)
    if "pens" in before:
        noted["pens"] = tuple((_grown(line, growth), links) for line, links in before["pens"])


def _grown(line: Line, growth: float) -> Line:
    return replace(line, breadth=line.breadth * growth)


def note_pens(noted: MutableMapping[str, Any], lines: Mapping[Bridge, Line]) -> bool:
    """Remember how single and double bridges are drawn where both are one line, and differ in colour or in gaps (lines
    that are only broader are double anyhow); returns whether that is new. Those that were to become double ones are
    alike, and unlike all that were to become single ones; at least two, if they differ in colour only. ``lines``: the
    look of each bridge's line."""
    aimed = noted.get("aimed", {})
    single, double = ([lines[b] for b, n in aimed.items() if n == links and lines[b].count] for links in (1, 2))
    if "pens" in noted or not single or not double or any(line.count > 1 for line in single + double):
        return False
    if len(double) < FEWEST_DOUBLE and any(as_solid(line, double[0]) for line in single):
        return False
    if not all(_alike(line, double[0]) for line in double):
        return False
    if any(same_colour(line, double[0]) and as_solid(line, double[0]) for line in single):
        return False
    noted["pens"] = (single[0], 1), (double[0], 2)
    return True


FEWEST_DOUBLE = 2
"""Double bridges in a colour of their own that must be alike: a single one may have it because it was built last."""


def _alike(one: Line, other: Line) -> bool:
    return same_kind(one, other) and as_solid(one, other)


def _same(one: Image | None, other: Image | None) -> bool:
    return one is None or other is None or np.array_equal(one, other)
