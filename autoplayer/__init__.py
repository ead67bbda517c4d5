"""autoplayer: looks at a puzzle game's window, works out the puzzle, and plays it with mouse and keyboard."""

__version__ = "0.1.0"
