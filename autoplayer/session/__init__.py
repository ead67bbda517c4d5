"""The loop that plays: look, read, settle, plan, perform, look again. It tells listeners what happens.
It prints nothing.

``loop`` is the session itself, ``playing`` one of its levels, ``window`` the game's window as it deals with it,
``onward`` the way from a level that has ended (``ending``) to the next one, ``controls`` how that is found in pictures,
``piloted`` levels that a game's own pilot plays, ``pace`` how fast it dares to be, ``limits`` how long it waits for
what, ``events`` what it tells.

Within ``onward``: ``arrivals`` waits for the next level, ``presses`` presses what may lead to it; ``known_way`` is the
one that has led there before, ``entries`` are lists of levels beside the board, ``interludes`` come before it, and
``guesses`` are what is left where nothing tells.
"""

from autoplayer.session.events import Event, LevelResult, Listener, Sight, Status
from autoplayer.session.loop import Session

__all__ = ["Event", "LevelResult", "Listener", "Session", "Sight", "Status"]
