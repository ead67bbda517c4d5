"""The loop that plays: look, read, settle, plan, perform, look again. It tells listeners what happens.
It prints nothing.

``loop`` is the session itself, ``pace`` how fast it dares to be, ``controls`` how the way to the next level is found.
"""

from autoplayer.session.loop import Event, LevelResult, Listener, Session, Sight, Status

__all__ = ["Event", "LevelResult", "Listener", "Session", "Sight", "Status"]
