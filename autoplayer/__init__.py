"""autoplayer: looks at a puzzle game's window, works out the puzzle, and plays it with mouse and keyboard."""

import os

__version__ = "0.1.0"

# The matrices here are small. OpenBLAS shares them out among threads that wait by spinning: where something else keeps
# the processors busy, reading a board takes five times as long. It looks at this when numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
