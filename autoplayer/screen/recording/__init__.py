"""Recordings: a folder with ``session.jsonl`` and the frames as PNG files. A recorder is a screen that writes down what
passes through it; a recorded screen replays it, and notes where the session now acts differently.

One JSON object a line. The first is ``{"kind": "session", "version": 1, "title": …}``; every further one has ``kind``,
``start`` and ``end`` (when the call began and returned, on the screen's clock) and ``clock`` (the times that the
session was told between the line before and this one), and

- ``grab``, ``still``: ``frame`` (a file in the folder), ``origin``, ``time``; where the call failed, ``error`` instead
- ``glance``: as ``grab``, but without a ``frame`` where the picture was not kept: of quickly successive ones only a few
  are
- ``perform``: ``gestures``, ``pace``; ``error`` where it failed
- ``held``: ``keys``, those that are held from now on; ``error`` where it failed
- ``park``: ``at``; ``error`` where it failed
- ``over``: ``what``: what covered the board when the session asked, for the ``ask``-th time since the call before;
  where nothing did, there is no line
- ``answer``: ``what``: the dialog of the game's own program in which Enter was pressed; ``ask`` as in ``over``
- ``note``: ``name``, ``data``: what the session read, solved and decided
- ``limit``: ``bytes``: the recording has reached its size limit, and nothing that happened from here on was kept; only
  notes on earlier frames follow
- ``end``: the recording was closed, not cut off; ``clock`` only

A frame's file is complete before the line that names it is written, and a line is written whole or not at all.
"""

from autoplayer.screen.recording.lines import LINES, Step, gesture_to_json
from autoplayer.screen.recording.loading import Recording, load_recording
from autoplayer.screen.recording.recorder import KEPT_EVERY, LEAST_LIMIT, Recorder
from autoplayer.screen.recording.shown import RecordedScreen

__all__ = [
    "KEPT_EVERY",
    "LEAST_LIMIT",
    "LINES",
    "RecordedScreen",
    "Recorder",
    "Recording",
    "Step",
    "gesture_to_json",
    "load_recording",
]
