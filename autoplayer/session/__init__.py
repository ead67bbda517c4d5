"""The loop that plays: look, read, settle, plan, perform, look again. It reports events to listeners and prints
nothing.

``loop`` is the session itself, ``playing`` one of its levels, ``window`` access to the game's window, ``onward`` the
way from a finished level (``ending``) to the next one, ``controls`` finds what to press for that in pictures,
``piloted`` handles levels that a game's own pilot plays, ``pace`` how fast gestures are made, ``limits`` how long is
waited for what, ``events`` what is reported.

Within ``onward``: ``arrivals`` waits for the next level, ``presses`` presses what may lead to it; ``known_way`` is the
way that has led there before, ``entries`` handles lists of levels beside the board, ``interludes`` what comes before
the next level, and ``guesses`` is tried where the window gives no hint.
"""

from autoplayer.session.events import Event, LevelResult, Listener, Sight, Status
from autoplayer.session.loop import Session

__all__ = ["Event", "LevelResult", "Listener", "Session", "Sight", "Status"]
