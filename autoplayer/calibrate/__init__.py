"""Learning a window that nobody has described: what is believed about it, what only a person can say, what trying
shows. It asks through plain data and prints nothing; the command line (or a web page) holds the conversation.

``calibration`` is the whole of it; ``questions`` what is to be asked about glyphs, ``answers`` what was answered in
advance, ``trial`` how one level is played, ``anchors`` which areas of the window are remembered, ``keeping`` how all of
it gets into the user's folder, ``parcel`` how a layout travels as a file.
"""

from autoplayer.calibrate.answers import Answers
from autoplayer.calibrate.calibration import Calibration, Saved
from autoplayer.calibrate.questions import Look, Question

__all__ = ["Answers", "Calibration", "Look", "Question", "Saved"]
