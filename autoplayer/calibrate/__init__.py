"""Learns an unknown window: from its pictures, from a person's answers, and from a trial. It asks through plain data
and prints nothing; the command line (or a web page) talks to the person.

``calibration`` is the whole process; ``questions`` are the questions about glyphs, ``answers`` the answers given in
advance, ``trial`` plays one level, ``anchors`` chooses the areas of the window to remember, ``keeping`` writes all of
it to the user's folder, ``parcel`` exports a layout as a file.
"""

from autoplayer.calibrate.answers import Answers
from autoplayer.calibrate.calibration import Calibration, Saved
from autoplayer.calibrate.questions import Look, Question

__all__ = ["Answers", "Calibration", "Look", "Question", "Saved"]
