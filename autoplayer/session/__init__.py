"""The loop that plays: look, read, settle, plan, perform, look again. It reports events to listeners and prints
nothing.

``loop`` is the session itself, ``playing`` one of its levels, ``window`` access to the game's window. ``next_level`` is
the way from a finished level (``ending``) to the next one, ``looking`` what is seen in the window besides the board.
``piloted`` handles levels that a game's own pilot plays. ``pace`` is how fast gestures are made, ``limits`` how long is
waited for what, ``events`` what is reported.
"""

from autoplayer.session.events import Event, LevelResult, Listener, Sight, Status
from autoplayer.session.loop import Session

__all__ = ["Event", "LevelResult", "Listener", "Session", "Sight", "Status"]
