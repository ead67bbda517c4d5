"""Every fault that a person can meet, each with the exit code that the command line gives it.

A message is one plain sentence: what was expected, what came, where, and what to do.
"""

from __future__ import annotations


class AutoplayerError(Exception):
    """The base of all errors that end in a sentence for the person instead of a traceback."""

    exit_code = 1


class UsageError(AutoplayerError):
    """Wrong usage, or input that cannot be what it should be."""

    exit_code = 2


class PuzzleError(UsageError):
    """A puzzle text that does not follow its format.

    ``row`` and ``column`` count from 1, as an editor does, within the puzzle's own text (a caller that knows
    where the text stands in a file adds the offset); 0 where there is no such place.
    """

    def __init__(self, message: str, row: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column


class LayoutError(UsageError):
    """A layout file that cannot be used: a wrong key, a wrong type, a path that leaves its folder."""


class UnreadableError(AutoplayerError):
    """A picture in which the game cannot be seen; the message is the reason."""


class PartialError(UnreadableError):
    """The picture is known to show only a part of the game. Other ways of reading it are not tried, because they might
    take the part for a whole board."""


class NotFoundError(AutoplayerError):
    """A window or file that is not there."""

    exit_code = 3


class StoppedError(AutoplayerError):
    """The person stopped the bot; every button and key has been released."""

    exit_code = 4


class InterruptError(StoppedError):
    """The person pressed Ctrl-C, in this run and not in a recording of one."""


class MachineError(AutoplayerError):
    """This machine lacks something; the message says what, and what to do."""

    exit_code = 5


def cause(error: OSError) -> str:
    """What the system says went wrong, without the number and the path that ``str(error)`` adds.

    >>> cause(FileNotFoundError(2, "No such file or directory", "a.png")), cause(OSError("not readable"))
    ('No such file or directory', 'not readable')
    """
    return error.strerror or str(error)
